"""Claude's computer tools: `computer_toolset_20260801`, where each action is a tool of its own, and before it one tool called `computer`.

Coordinates are pixels of the picture that was sent. We scale it ourselves, because what the server scales down moves every coordinate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from deskbench.core.action import Action, Click, Copy, Drag, Key, KeyDown, KeyUp, Move, Paste, Point, Press, Release, Scroll, Type, Wait
from deskbench.core.chat import Call, Tool
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects.calls import SPOKEN_TOOLS, CallDialect, Said, told
from deskbench.dialects.dialect import CannotSay, Zoom
from deskbench.dialects.space import NotUnderstood, Space, fitted

LONG_SIDE, SHORT_SIDE = 1280, 800
"""Below every limit from which on a server scales pictures down by itself."""

CLICKS = {
    "left_click": ("left", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}

SPELLED = {
    "enter": "Return", "tab": "Tab", "escape": "Escape", "backspace": "BackSpace", "delete": "Delete", "insert": "Insert",
    "home": "Home", "end": "End", "page_up": "Page_Up", "page_down": "Page_Down", "up": "Up", "down": "Down", "left": "Left", "right": "Right",
    "menu": "Menu",
    "print_screen": "Print", "ctrl_right": "Control_R", "shift_right": "Shift_R", "alt_right": "Alt_R", "super_right": "Super_R",
    "alt_gr": "ISO_Level3_Shift", **{f"f{number}": f"F{number}" for number in range(1, 25)},
}  # fmt: skip


class Anthropic(CallDialect):
    """The toolset: every action is a tool of its own."""

    name = "anthropic"
    about = "Claude, computer_toolset_20260801: each action its own tool, zoom included"
    coordinates = "pixels of the picture, at most 1280x800"
    pictures = 10
    zooms: ClassVar[bool] = True

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return fitted(screen, (LONG_SIDE, SHORT_SIDE) if screen[0] >= screen[1] else (SHORT_SIDE, LONG_SIDE))

    def system(self, brief: Brief) -> str:
        return told(brief, "Use the computer's tools; several in one answer are carried out in order until one fails, then you see the screen.")

    def tools(self, screen: tuple[int, int]) -> tuple[Tool, ...]:
        return (Tool("computer", native={"type": "computer_toolset_20260801"}), *SPOKEN_TOOLS)

    def call(self, number: int, said: Said) -> Call:
        return Call(f"call_{number}", *said, native="computer" if self.own(said[0]) else "")

    def read_call(self, call: Call, space: Space) -> Sequence[Action | Zoom]:
        if call.name == "computer":
            return self._read(args.text(call.arguments, "action"), call.arguments, space)
        return self._read(call.name, call.arguments, space)

    def _read(self, member: str, given: Mapping[str, Any], space: Space) -> Sequence[Action | Zoom]:
        match member:
            case "screenshot" | "cursor_position":
                return [Wait(seconds=0)]
            case "wait":
                return [args.made(Wait, seconds=args.seconds(given.get("duration"), "duration", 1.0))]
            case "zoom" if self.zooms:
                return [Zoom(args.box(space, given.get("region")))]
            case "key":
                return args.chords(args.text(given, "text"), args.whole(given.get("repeat"), "repeat", 1))
            case "hold_key":
                return _hold(args.chord(args.text(given, "text")), args.seconds(given.get("duration"), "duration", 1.0))
            case "type":
                return [args.made(Type, text=args.text(given, "text"))]
            case _:
                return _pointed(member, given, space)

    def say(self, action: Action, space: Space) -> Sequence[Said]:
        match action:
            case Click():
                return [self._click(action, space)]
            case Move():
                return [("mouse_move", {"coordinate": _said(space, (action.x, action.y))})]
            case Press() | Release() if action.button == "left":
                move = [("mouse_move", _where(action, space))] if action.x is not None else []
                return [*move, ("left_mouse_down" if isinstance(action, Press) else "left_mouse_up", {})]
            case Drag() if action.button == "left":
                return _dragged(action, space)
            case Scroll():
                more = {**_where(action, space), **_held(action.modifiers)}
                return [("scroll", {**more, "scroll_direction": way, "scroll_amount": amount}) for way, amount in args.directed(action)]
            case Type():
                return [("type", {"text": action.text})]
            case Key():
                return self._key(action)
            case Copy(text=None):
                return [("key", {"text": "ctrl+c"})]
            case Paste(text=None):
                return [("key", {"text": "ctrl+v"})]
            case Wait():
                return [("wait", {"duration": action.seconds})] if action.seconds else [("screenshot", {})]
        raise CannotSay(f"the computer tools have no words for {action.kind}")

    def _click(self, action: Click, space: Space) -> Said:
        for member, (button, count) in CLICKS.items():
            if (button, count) == (action.button, action.count):
                return member, {**_where(action, space), **_held(action.modifiers)}
        raise CannotSay(f"the computer tools have no {action.button} click {action.count} times")

    def _key(self, action: Key) -> Sequence[Said]:
        repeat = {"repeat": action.times} if action.times > 1 else {}
        return [("key", {"text": _keys(action.keys), **repeat})]


class Anthropic20251124(Anthropic):
    """One tool `computer` for every action, with zoom."""

    name = "anthropic-20251124"
    about = "Claude, computer_20251124: one tool for every action, zoom included"
    native: ClassVar[Mapping[str, Any]] = {"type": "computer_20251124", "enable_zoom": True}

    def tools(self, screen: tuple[int, int]) -> tuple[Tool, ...]:
        width, height = self.shown_size(screen)
        native = {**self.native, "name": "computer", "display_width_px": width, "display_height_px": height}
        return (Tool("computer", native=native), *SPOKEN_TOOLS)

    def call(self, number: int, said: Said) -> Call:
        name, given = said
        return Call(f"call_{number}", "computer", {"action": name, **given}) if self.own(name) else Call(f"call_{number}", name, given)

    def read_call(self, call: Call, space: Space) -> Sequence[Action | Zoom]:
        if call.name != "computer":
            raise NotUnderstood("there is no such tool; the tools are computer, ask_user, finish and give_up")
        return super().read_call(call, space)

    def _key(self, action: Key) -> Sequence[Said]:
        return [("key", {"text": _keys(action.keys)})] * action.times


class Anthropic20250124(Anthropic20251124):
    """One tool `computer` for every action."""

    name = "anthropic-20250124"
    about = "Claude, computer_20250124: one tool for every action"
    native: ClassVar[Mapping[str, Any]] = {"type": "computer_20250124"}
    zooms = False


def _pointed(member: str, given: Mapping[str, Any], space: Space) -> Sequence[Action]:
    place = given.get("coordinate")
    where = dict(zip("xy", args.point(space, place), strict=True)) if place is not None else {}
    if member in CLICKS:
        button, count = CLICKS[member]
        return [args.made(Click, **where, button=button, count=count, modifiers=args.modifiers(given.get("text")))]
    match member:
        case "mouse_move":
            x, y = args.point(space, place)
            return [Move(x=x, y=y)]
        case "left_mouse_down":
            return [args.made(Press, **where)]
        case "left_mouse_up":
            return [args.made(Release, **where)]
        case "scroll":
            across, down = args.direction(given, "scroll_direction")
            amount = abs(args.notches(given.get("scroll_amount"), "scroll_amount", 3))
            return [args.made(Scroll, **where, dx=across * amount, dy=down * amount, modifiers=args.modifiers(given.get("text")))]
        case "left_click_drag":
            return _drag(given, args.point(space, place), space)
    raise NotUnderstood(f"the computer has no action {args.shown(member)}; it has key, type, mouse_move, left_click, scroll, wait and others")


def _drag(given: Mapping[str, Any], end: Point, space: Space) -> Sequence[Action]:
    if given.get("start_coordinate") is None:  # from where the pointer is
        return [Press(), Move(x=end[0], y=end[1]), Release()]
    start = args.point(space, given["start_coordinate"], "start_coordinate")
    return [args.made(Drag, path=(start, end), modifiers=args.modifiers(given.get("text")))]


def _hold(keys: Sequence[str], seconds: float) -> Sequence[Action]:
    downs = [args.made(KeyDown, key=name) for name in keys]
    return [*downs, Wait(seconds=seconds), *(KeyUp(key=down.key) for down in reversed(downs))]


def _dragged(action: Drag, space: Space) -> Sequence[Said]:
    first, *others = (_said(space, place) for place in action.path)
    if len(others) == 1:
        return [("left_click_drag", {"start_coordinate": first, "coordinate": others[0], **_held(action.modifiers)})]
    if action.modifiers:
        raise CannotSay("keys cannot be held along a path of more than two points")
    return [
        ("mouse_move", {"coordinate": first}),
        ("left_mouse_down", {}),
        *(("mouse_move", {"coordinate": place}) for place in others),
        ("left_mouse_up", {}),
    ]


def _said(space: Space, place: Point) -> list[float]:
    return list(space.to_model(*place))


def _where(action: Click | Press | Release | Scroll, space: Space) -> dict[str, Any]:
    return {"coordinate": _said(space, (action.x, action.y))} if action.x is not None and action.y is not None else {}


def _held(modifiers: Sequence[str]) -> dict[str, Any]:
    return {"text": _keys(modifiers)} if modifiers else {}


def _keys(keys: Sequence[str]) -> str:
    said = "+".join(SPELLED.get(name, name) for name in keys)
    args.sayable(keys, said)
    return said
