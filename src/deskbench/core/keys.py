"""The names of keys, and the X keysyms they stand for.

A key is a single character ("a", "<", "é") or one of the names below, in lower case. The many spellings
that models use ("Control_L", "Return", "PageDown", "cmd") are normalised by `key`.
"""

from __future__ import annotations

import unicodedata

MODIFIERS = {"ctrl": 0xFFE3, "shift": 0xFFE1, "alt": 0xFFE9, "super": 0xFFEB, "alt_gr": 0xFE03}

NAMED = {
    **MODIFIERS,
    "ctrl_right": 0xFFE4,
    "shift_right": 0xFFE2,
    "alt_right": 0xFFEA,
    "super_right": 0xFFEC,
    "enter": 0xFF0D,
    "tab": 0xFF09,
    "escape": 0xFF1B,
    "backspace": 0xFF08,
    "delete": 0xFFFF,
    "insert": 0xFF63,
    "space": 0x0020,
    "home": 0xFF50,
    "end": 0xFF57,
    "page_up": 0xFF55,
    "page_down": 0xFF56,
    "up": 0xFF52,
    "down": 0xFF54,
    "left": 0xFF51,
    "right": 0xFF53,
    "menu": 0xFF67,
    "print_screen": 0xFF61,
    "pause": 0xFF13,
    "caps_lock": 0xFFE5,
    "num_lock": 0xFF7F,
    "scroll_lock": 0xFF14,
    "kp_enter": 0xFF8D,
    "kp_add": 0xFFAB,
    "kp_subtract": 0xFFAD,
    "kp_multiply": 0xFFAA,
    "kp_divide": 0xFFAF,
    "kp_decimal": 0xFFAE,
    **{f"kp_{digit}": 0xFFB0 + digit for digit in range(10)},
    **{f"f{number}": 0xFFBD + number for number in range(1, 25)},
}

ALIASES = {
    "control": "ctrl",
    "control_l": "ctrl",
    "ctrl_l": "ctrl",
    "ctrlleft": "ctrl",
    "control_r": "ctrl_right",
    "ctrl_r": "ctrl_right",
    "ctrlright": "ctrl_right",
    "shift_l": "shift",
    "shiftleft": "shift",
    "shift_r": "shift_right",
    "shiftright": "shift_right",
    "alt_l": "alt",
    "altleft": "alt",
    "option": "alt",
    "alt_r": "alt_right",
    "altright": "alt_right",
    "altgr": "alt_gr",
    "iso_level3_shift": "alt_gr",
    "super_l": "super",
    "super_r": "super_right",
    "meta": "super",
    "meta_l": "super",
    "cmd": "super",
    "command": "super",
    "win": "super",
    "windows": "super",
    "winleft": "super",
    "winright": "super_right",
    "return": "enter",
    "kp_return": "kp_enter",
    "esc": "escape",
    "back_space": "backspace",
    "bksp": "backspace",
    "del": "delete",
    "ins": "insert",
    "spacebar": "space",
    "pageup": "page_up",
    "pgup": "page_up",
    "prior": "page_up",
    "pagedown": "page_down",
    "pgdn": "page_down",
    "pgdown": "page_down",
    "next": "page_down",
    "arrowup": "up",
    "arrowdown": "down",
    "arrowleft": "left",
    "arrowright": "right",
    "apps": "menu",
    "print": "print_screen",
    "printscreen": "print_screen",
    "prtsc": "print_screen",
    "capslock": "caps_lock",
    "numlock": "num_lock",
    "scrolllock": "scroll_lock",
    "plus": "+",
    "minus": "-",
    "equal": "=",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "backslash": "\\",
    "semicolon": ";",
    "apostrophe": "'",
    "grave": "`",
    "bracketleft": "[",
    "bracketright": "]",
    "underscore": "_",
}


def key(name: str) -> str:
    """The canonical name of a key, or ValueError with what would have been understood."""
    if len(name) == 1:
        return {" ": "space", "\n": "enter", "\r": "enter", "\t": "tab"}.get(name, name)
    folded = name.strip().lower().replace("-", "_").replace(" ", "_")
    folded = ALIASES.get(folded, folded)
    if len(folded) == 1 or folded in NAMED:
        return folded
    squeezed = folded.replace("_", "")
    for candidate in (*NAMED, *ALIASES):
        if candidate.replace("_", "") == squeezed:
            return ALIASES.get(candidate, candidate)
    raise ValueError(f"no key is called {name!r}; use a single character or a name such as enter, tab, ctrl, page_down, f5")


def keysym(name: str) -> int:
    """The X keysym of a canonical key name."""
    if name in NAMED:
        return NAMED[name]
    return keysym_of_character(name)


def keysym_of_character(character: str) -> int:
    """The keysym that types one character: Latin-1 directly, everything else by its Unicode keysym."""
    control = {"\n": 0xFF0D, "\r": 0xFF0D, "\t": 0xFF09, "\b": 0xFF08, "\x1b": 0xFF1B, "\x7f": 0xFFFF}
    if character in control:
        return control[character]
    code = ord(character)
    if unicodedata.category(character) in ("Cc", "Cs"):
        raise ValueError(f"the character U+{code:04X} cannot be typed on a keyboard")
    if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF:
        return code
    return 0x01000000 | code
