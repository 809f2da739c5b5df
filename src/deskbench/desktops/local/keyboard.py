"""Keys and text over XTEST, whatever the layout.

A character that the active layout has on a plain or shifted key is typed with that key. Every other character is put
on a spare keycode first, many at once, and the spare is only put to another use after the focused program has
answered that it has worked off its input: a toolkit looks a key up when it gets round to it, not when it was pressed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from Xlib import X
from Xlib.ext import xtest

from deskbench.core.faults import BadAction
from deskbench.core.keys import NAMED, keysym, keysym_of_character
from deskbench.desktops.local.display import Display

FIRST_KEYCODE, LAST_KEYCODE = 8, 255
VENDOR_KEYSYMS = range(0x1008FF00, 0x10090000)
"""Keysyms of media and vendor keys. Nobody presses them here, so their keycodes serve as spares."""

COMMAND_KEYCODES = frozenset({*range(136, 147), 158, *range(163, 168), *range(180, 183), 189, 190, 225})
"""Keycodes that a browser takes for a command (stop, undo, copy, paste, cut, back, home, reload, ...), whatever symbol stands on them."""

REPEAT_MILLISECONDS = 3
"""How long the server holds back a key that was let go just before: a key that goes up and down within a millisecond is
taken for a held key's repetition by some programs, Blender among them, and dropped."""


class Keyboard:
    """The keyboard of one display."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._x = display.connection
        self._held: list[int] = []
        self._plain: dict[int, int] = {}
        self._shifted: dict[int, int] = {}
        self._spares: list[int] = []
        self._lent: dict[int, int] = {}
        self._released: int | None = None

    # Keys

    def chord(self, keys: Sequence[str], times: int = 1) -> None:
        """Press keys together and let them go in reverse order, `times` over."""
        self._refresh()
        codes = self._codes(keys)
        for _ in range(times):
            for code in codes:
                self._send(code, True)
            for code in reversed(codes):
                self._send(code, False)
        self._display.flush()

    def down(self, key: str) -> None:
        """Hold a key."""
        self._refresh()
        code = self._codes([key])[-1]
        self._send(code, True)
        self._held.append(code)
        self._display.flush()

    def up(self, key: str) -> None:
        """Let a key go."""
        self._refresh()
        code = self._codes([key])[-1]
        self._send(code, False)
        if code in self._held:
            self._held.remove(code)
        self._display.flush()

    @contextmanager
    def holding(self, modifiers: Sequence[str]) -> Iterator[None]:
        """Hold modifiers around something else."""
        if not modifiers:
            yield
            return
        self._refresh()
        codes = self._codes(modifiers)
        for code in codes:
            self._send(code, True)
        try:
            yield
        finally:
            for code in reversed(codes):
                self._send(code, False)
            self._display.flush()

    def _codes(self, keys: Sequence[str]) -> list[int]:
        """Keycodes for a chord; a shifted character brings Shift along, a foreign one a spare keycode."""
        codes: list[int] = []
        for name in keys:
            symbol = keysym(name)
            if symbol in self._plain:
                codes.append(self._plain[symbol])
            elif symbol in self._shifted:
                shift = self._plain[NAMED["shift"]]
                codes += [code for code in (shift, self._shifted[symbol]) if code not in codes]
            else:
                self._lend([symbol])
                codes.append(self._lent[symbol])
        return codes

    # Text

    def type(self, text: str) -> None:
        """Type a text exactly."""
        symbols = []
        for character in text.replace("\r\n", "\n"):
            try:
                symbols.append(keysym_of_character(character))
            except ValueError as error:
                raise BadAction(str(error)) from None
        self._refresh()
        with self._neutral_locks():
            for batch in self._batches(symbols):
                self._lend(batch)
                for symbol in batch:
                    self._tap(symbol)
                self._display.flush()
        self._display.catch_up()

    def _batches(self, symbols: list[int]) -> Iterator[list[int]]:
        """Runs of symbols whose foreign characters fit on the spare keycodes together."""
        batch: list[int] = []
        foreign: set[int] = set()
        for symbol in symbols:
            if not self._native(symbol):
                if symbol not in foreign and len(foreign) == len(self._spares):
                    yield batch
                    batch, foreign = [], set()
                foreign.add(symbol)
            batch.append(symbol)
        if batch:
            yield batch

    def _native(self, symbol: int) -> bool:
        return symbol in self._plain or symbol in self._shifted

    def _tap(self, symbol: int) -> None:
        if symbol in self._plain or symbol not in self._shifted:
            code = self._plain.get(symbol) or self._lent[symbol]
            self._press_and_release(code)
            return
        shift = self._plain[NAMED["shift"]]
        for code, pressed in ((shift, True), (self._shifted[symbol], True), (self._shifted[symbol], False), (shift, False)):
            self._send(code, pressed)

    def _lend(self, symbols: Sequence[int]) -> None:
        """Put foreign symbols on spare keycodes, in one change of the mapping."""
        wanted = [symbol for symbol in dict.fromkeys(symbols) if not self._native(symbol)]
        missing = [symbol for symbol in wanted if symbol not in self._lent]
        if not missing:
            return
        free = [code for code in self._spares if code not in self._lent.values()]
        if len(free) < len(missing):
            self._display.catch_up()
            for symbol in [symbol for symbol in self._lent if symbol not in wanted]:
                free.append(self._lent.pop(symbol))
        for symbol, code in zip(missing, free, strict=False):
            self._lent[symbol] = code
        self._write(sorted(self._lent[symbol] for symbol in missing))

    def _write(self, codes: list[int]) -> None:
        """Tell the server what stands on these keycodes, one request for each run of neighbours."""
        symbol_of = {code: symbol for symbol, code in self._lent.items()}
        runs: list[list[int]] = []
        for code in codes:
            if runs and runs[-1][-1] == code - 1:
                runs[-1].append(code)
            else:
                runs.append([code])
        for run in runs:
            self._x.change_keyboard_mapping(run[0], [(symbol_of[code],) * 2 for code in run])
        self._x.sync()
        self._display.answered(0)  # take our own mapping notices off the queue
        self._display.keyboard_changed = False

    # State

    def _refresh(self) -> None:
        """Read the layout anew if something changed it since."""
        self._display.answered(0)
        group = self._display.modifier_state >> 13 & 3  # the active layout group
        if not self._display.keyboard_changed and group == 0 and self._plain:
            return
        mapping = self._x.get_keyboard_mapping(FIRST_KEYCODE, LAST_KEYCODE - FIRST_KEYCODE + 1)
        self._plain, self._shifted = {}, {}
        lent = {code: symbol for symbol, code in self._lent.items()}
        spares = []
        for code, row in enumerate(mapping, FIRST_KEYCODE):
            symbols = [int(symbol) for symbol in row]
            if code in lent:
                if lent[code] not in symbols:
                    del self._lent[lent[code]]
                spares.append(code)
                continue
            if all(symbol == 0 or symbol in VENDOR_KEYSYMS for symbol in symbols):
                if code not in COMMAND_KEYCODES:
                    spares.append(code)
                continue
            self._note(code, symbols, group)
        self._spares = spares
        self._display.keyboard_changed = False

    def _note(self, code: int, symbols: list[int], group: int) -> None:
        """Remember what a key gives, plain and with Shift, in the active group."""
        start = 2 * group if 2 * group + 1 < len(symbols) and symbols[2 * group] else 0
        plain = symbols[start]
        shifted = symbols[start + 1] if len(symbols) > start + 1 else 0
        if 0x61 <= plain <= 0x7A and not shifted:
            shifted = plain - 0x20
        if plain:
            self._plain.setdefault(plain, code)
        if shifted and not 0xFFB0 <= shifted <= 0xFFB9:  # keypad digits depend on Num Lock
            self._shifted.setdefault(shifted, code)

    @contextmanager
    def _neutral_locks(self) -> Iterator[None]:
        """Caps Lock would turn letters round; let it be off while typing."""
        caps = bool(self._display.modifier_state & X.LockMask)
        code = self._plain.get(NAMED["caps_lock"])
        if not caps or code is None:
            yield
            return
        self._press_and_release(code)
        try:
            yield
        finally:
            self._press_and_release(code)

    def _press_and_release(self, code: int) -> None:
        self._send(code, True)
        self._send(code, False)

    def _send(self, code: int, pressed: bool) -> None:
        again = pressed and code == self._released
        self._released = None if pressed else code
        xtest.fake_input(self._x, X.KeyPress if pressed else X.KeyRelease, code, REPEAT_MILLISECONDS if again else 0)
