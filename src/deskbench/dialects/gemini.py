"""Gemini's computer use on a desktop: function calls on a grid from 0 to 999. The names of the browser models before it are understood too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deskbench.core.action import Action, Click, Copy, Drag, Key, KeyDown, KeyUp, Move, OpenApp, Paste, Point, Press, Release, Scroll, Type, Wait
from deskbench.core.chat import Call, Reply, Tool
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects.calls import SPOKEN_TOOLS, CallDialect, Said, told
from deskbench.dialects.dialect import CannotSay, Parsed
from deskbench.dialects.space import NotUnderstood, Space, grid

NATIVE = "computer_use"
NOTCH_PIXELS = 100
MOST_PIXELS = 999
CLICKS = {
    "click": ("left", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}
OLDER = {"hover_at": "move", "key_combination": "hotkey", "wait_5_seconds": "wait", **{f"{name}_at": name for name in (*CLICKS, "scroll")}}
CHORDS = {"go_back": ("alt", "left"), "go_forward": ("alt", "right")}
BROWSING = ("navigate", "search", "open_web_browser")


class Gemini(CallDialect):
    """Function calls on a grid."""

    name = "gemini"
    about = "Gemini computer use: function calls, also by the names of the older browser models"
    coordinates = "a grid from 0 to 999 in both directions"

    def space(self, screen: tuple[int, int]) -> Space:
        return grid(screen, 1000)

    def system(self, brief: Brief) -> str:
        return told(brief, "Use the computer's functions; x and y run from 0 to 999 over the width and the height of the screen.")

    def tools(self, screen: tuple[int, int]) -> tuple[Tool, ...]:
        return (Tool(NATIVE, native={NATIVE: {"environment": "ENVIRONMENT_DESKTOP"}}), *SPOKEN_TOOLS)

    def call(self, number: int, said: Said) -> Call:
        return Call(f"call_{number}", *said, native=NATIVE if self.own(said[0]) else "")

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        parsed = super().read(reply, space, marks)
        said = [call.arguments.get("intent") for call in reply.calls] + [_safety(call.arguments) for call in reply.calls]
        return Parsed(parsed.actions, "\n".join((parsed.thought, *(line for line in said if isinstance(line, str) and line))).strip(), parsed.looks)

    def read_call(self, call: Call, space: Space) -> Sequence[Action]:
        given = call.arguments
        match OLDER.get(call.name, call.name):
            case "take_screenshot":
                return [Wait(seconds=0)]
            case "wait":
                return [args.made(Wait, seconds=args.seconds(given.get("seconds"), "seconds", 5.0 if call.name == "wait_5_seconds" else 1.0))]
            case "type":
                return _typed(given, enter=False)
            case "type_text_at":
                return _typed_at(given, space)
            case "press_key" | "hotkey" as name:
                return [args.made(Key, keys=_chord(given, name))]
            case "key_down":
                return [args.made(KeyDown, key=args.one_key(args.text(given, "key")))]
            case "key_up":
                return [args.made(KeyUp, key=args.one_key(args.text(given, "key")))]
            case "open_app":
                return [args.made(OpenApp, app=args.text(given, "app_name", "name"))]
            case "go_back" | "go_forward" as name:
                return [Key(keys=CHORDS[name])]
            case "scroll_document":
                return [_scroll(given, {}, 800)]
            case name if name in BROWSING:
                raise NotUnderstood("this is a desktop, not a browser; use what is on the screen")
            case name:
                return [_pointed(name, given, space, 800 if call.name == "scroll_at" else 300)]

    def say(self, action: Action, space: Space) -> Sequence[Said]:
        match action:
            case Click(button=button, count=count) if action.x is not None and (button, count) in CLICKS.values():
                name = next(name for name, kind in CLICKS.items() if kind == (button, count))
                return _while_held(action.modifiers, [(name, _where(space, action))])
            case Press(button="left") | Release(button="left") if action.x is not None:
                return [("mouse_down" if isinstance(action, Press) else "mouse_up", _where(space, action))]
            case Move():
                return [("move", _where(space, action))]
            case Drag(button="left"):
                return _while_held(action.modifiers, _dragged(action, space))
            case Scroll() if action.x is not None and max(abs(action.dx), abs(action.dy)) * NOTCH_PIXELS <= MOST_PIXELS:
                return [one for turn in args.directed(action) for one in _while_held(action.modifiers, [_scrolled(turn, _where(space, action))])]
            case Type():
                return [("type", {"text": action.text, "press_enter": False})]
            case Wait():
                return [("wait", {"seconds": action.seconds})] if action.seconds else [("take_screenshot", {})]
            case OpenApp(file=None):
                return [("open_app", {"app_name": action.app})]
        return _keyed(action)


def _safety(given: Mapping[str, Any]) -> str:
    decision = given.get("safety_decision")
    return f"[safety decision {decision.get('decision')!s:.60}: {decision.get('explanation')!s:.300}]" if isinstance(decision, Mapping) else ""


def _pointed(name: str, given: Mapping[str, Any], space: Space, scroll_pixels: int) -> Action:
    if name == "drag_and_drop":
        return _drag(given, space)
    if name not in (*CLICKS, "move", "mouse_down", "mouse_up", "scroll"):
        raise NotUnderstood("there is no such function; there are click, type, press_key, hotkey, scroll, wait and others")
    x, y = space.to_screen(given.get("x"), given.get("y"))
    match name:
        case "move":
            return Move(x=x, y=y)
        case "mouse_down":
            return Press(x=x, y=y)
        case "mouse_up":
            return Release(x=x, y=y)
        case "scroll":
            return _scroll(given, {"x": x, "y": y}, scroll_pixels)
    button, count = CLICKS[name]
    return args.made(Click, x=x, y=y, button=button, count=count)


def _scroll(given: Mapping[str, Any], where: Mapping[str, int], default: int) -> Scroll:
    across, down = args.direction(given, "direction")
    pixels = args.number(args.given(given, "magnitude_in_pixels", "magnitude"), "magnitude_in_pixels", default)
    turns = abs(args.notches(pixels / NOTCH_PIXELS, "magnitude_in_pixels"))
    return args.made(Scroll, **where, dx=across * turns, dy=down * turns)


def _drag(given: Mapping[str, Any], space: Space) -> Drag:
    start = space.to_screen(args.given(given, "start_x", "x"), args.given(given, "start_y", "y"))
    end = space.to_screen(args.given(given, "end_x", "destination_x"), args.given(given, "end_y", "destination_y"))
    return args.made(Drag, path=(start, end))


def _chord(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    said = args.given(given, "keys", "key")
    if not isinstance(said, str | list | tuple):
        raise NotUnderstood(f"{'keys' if name == 'hotkey' else 'key'} names one or more keys, not {args.shown(said)}")
    return args.chord(said)


def _typed(given: Mapping[str, Any], enter: bool) -> list[Action]:
    typed = args.made(Type, text=args.text(given, "text"))
    return [typed, Key(keys=("enter",))] if args.flag(given, "press_enter", enter) else [typed]


def _typed_at(given: Mapping[str, Any], space: Space) -> list[Action]:
    x, y = space.to_screen(given.get("x"), given.get("y"))
    clear: list[Action] = [Key(keys=("ctrl", "a")), Key(keys=("backspace",))] if args.flag(given, "clear_before_typing", True) else []
    return [Click(x=x, y=y), *clear, *_typed(given, enter=True)]


def _where(space: Space, action: Click | Press | Release | Move | Scroll) -> dict[str, Any]:
    assert action.x is not None and action.y is not None
    return _place(space, (action.x, action.y))


def _place(space: Space, point: Point, prefix: str = "") -> dict[str, Any]:
    x, y = space.to_model(*point)
    return {f"{prefix}x": x, f"{prefix}y": y}


def _scrolled(turn: tuple[str, int], where: Mapping[str, Any]) -> Said:
    return "scroll", {**where, "direction": turn[0], "magnitude_in_pixels": turn[1] * NOTCH_PIXELS}


def _while_held(keys: Sequence[str], said: Sequence[Said]) -> list[Said]:
    return [*(("key_down", {"key": name}) for name in keys), *said, *(("key_up", {"key": name}) for name in reversed(keys))]


def _dragged(action: Drag, space: Space) -> list[Said]:
    if len(action.path) == 2:
        return [("drag_and_drop", {**_place(space, action.path[0], "start_"), **_place(space, action.path[1], "end_")})]
    moves: list[Said] = [("move", _place(space, point)) for point in action.path[1:-1]]
    return [("mouse_down", _place(space, action.path[0])), *moves, ("mouse_up", _place(space, action.path[-1]))]


def _keyed(action: Action) -> list[Said]:
    match action:
        case Key():
            args.sayable(action.keys, action.keys)
            return ([("press_key", {"key": action.keys[0]})] if len(action.keys) == 1 else [("hotkey", {"keys": list(action.keys)})]) * action.times
        case KeyDown():
            return [("key_down", {"key": action.key})]
        case KeyUp():
            return [("key_up", {"key": action.key})]
        case Copy(text=None):
            return [("hotkey", {"keys": ["ctrl", "c"]})]
        case Paste(text=None):
            return [("hotkey", {"keys": ["ctrl", "v"]})]
    raise CannotSay(f"there is no function for this {action.kind}")
