"""What the arguments of `computer_use` mean, in whichever of the family's dialects they were written. Slips that leave no doubt are mended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deskbench.core import action as a
from deskbench.core.action import Action, Point
from deskbench.dialects import arguments as args
from deskbench.dialects import lenient
from deskbench.dialects.space import NotUnderstood, Space

Arguments = Mapping[str, Any]

TOOL = "computer_use"
OPENED = re.compile(r"<tool_call>\s*(?:```\w*\s*)?", re.IGNORECASE)
_BARE = re.compile(r"\{\s*\{?\s*[\"'](?:name|arguments|action)[\"']\s*:")

CLICKS = {
    "left_click": ("left", 1), "right_click": ("right", 1), "middle_click": ("middle", 1), "double_click": ("left", 2), "triple_click": ("left", 3),
}  # fmt: skip
ALIASES = {
    "click": "left_click", "left_double_click": "double_click", "doubleclick": "double_click", "drag": "left_click_drag", "move": "mouse_move",
    "hotkey": "key", "press": "key", "keypress": "key", "interact": "call_user", "ask_user": "call_user", "ask": "call_user",
    "done": "answer", "finish": "answer", "finished": "answer", "fail": "give_up", "mouse_down": "left_mouse_down", "mouse_up": "left_mouse_up",
    "open": "open_app", "switch": "focus_window",
}  # fmt: skip


def written(text: str, *, mend: bool) -> Iterator[Any]:
    """The JSON of every call in an answer; where there are no tags, the one object that stands there."""
    opened, at = OPENED.search(text), 0
    if opened is None and (bare := _BARE.search(text)):
        value, _ = lenient.value_at(text, bare.start(), mend=mend)
        yield value
    while opened is not None:
        value, at = lenient.value_at(text, opened.end(), mend=mend)
        yield from value if isinstance(value, list) else (value,)
        opened = OPENED.search(text, at)


def flat(call: Any) -> Arguments:
    """The arguments of a call with the action among them, whether it stands there, is the name of the tool, or is all that there is."""
    if not isinstance(call, Mapping):
        raise NotUnderstood(f"a call is an object with a name and arguments, not {args.shown(call)}")
    inner = next((call[name] for name in ("arguments", "parameters", "args") if name in call), call)
    if isinstance(inner, str):
        inner, _ = lenient.value_at(inner, 0)
    if not isinstance(inner, Mapping):
        raise NotUnderstood(f"the arguments of a call are an object, not {args.shown(inner)}")
    name = call.get("name")
    if args.given(inner, "action") is None and isinstance(name, str) and name not in (TOOL, "computer"):
        return {**inner, "action": name}
    return inner


def meaning(verb: str, said: Arguments, space: Space) -> Sequence[Action]:
    """The actions of one call; none for a verb that does not exist."""
    verb = ALIASES.get(verb, verb)
    return _pointing(verb, said, space) or _keyboard(verb, said, space) or _talking(verb, said)


def _held(said: Arguments) -> tuple[str, ...]:
    value = args.given(said, "keys", "modifiers", "key")
    return lenient.keys(value) if value else ()


def _pointing(verb: str, said: Arguments, space: Space) -> Sequence[Action]:
    place = lenient.place(said.get("coordinate"), space)
    if verb in CLICKS:
        button, count = CLICKS[verb]
        return (args.made(a.Click, **lenient.at(place), button=button, count=count, modifiers=_held(said)),)
    match verb:
        case "mouse_move":
            x, y = lenient.needed(place, verb)
            return (args.made(a.Move, x=x, y=y),)
        case "left_click_drag":
            return _drag(said, place, space)
        case "left_mouse_down":
            return (args.made(a.Press, **lenient.at(place)),)
        case "left_mouse_up":
            return (args.made(a.Release, **lenient.at(place)),)
        case "scroll" | "hscroll":
            amount = args.notches(args.given(said, "pixels", "amount", "clicks"), "pixels")
            turn = {"dx": amount} if verb == "hscroll" else {"dy": -amount}
            return (args.made(a.Scroll, **lenient.at(place), **turn, modifiers=_held(said)),)
    return ()


def _drag(said: Arguments, place: Point | None, space: Space) -> Sequence[Action]:
    second = lenient.place(args.given(said, "coordinate2", "end_coordinate"), space)
    start = lenient.place(args.given(said, "start_coordinate", "coordinate1"), space)
    if second is not None:
        start, place = start or place, second
    end = lenient.needed(place, "a drag")
    if start is not None:
        return (args.made(a.Drag, path=(start, end), modifiers=_held(said)),)
    held = _held(said)
    downs, ups = [args.made(a.KeyDown, key=name) for name in held], [args.made(a.KeyUp, key=name) for name in reversed(held)]
    return (*downs, a.Press(), args.made(a.Move, x=end[0], y=end[1], seconds=0.5), a.Release(), *ups)


def _keyboard(verb: str, said: Arguments, space: Space) -> Sequence[Action]:
    match verb:
        case "key":
            times = args.whole(args.given(said, "times", "repeat"), "times", 1)
            return (args.made(a.Key, keys=lenient.keys(args.given(said, "keys", "key", "text")), times=times),)
        case "key_down":
            return [args.made(a.KeyDown, key=name) for name in lenient.keys(args.given(said, "keys", "key", "text"))]
        case "key_up":
            return [args.made(a.KeyUp, key=name) for name in lenient.keys(args.given(said, "keys", "key", "text"))]
        case "type":
            return _typed(said, space)
    return ()


def _typed(said: Arguments, space: Space) -> Sequence[Action]:
    """Typing: into the field at a point if one is given, in place of what is there with `clear`, with Enter afterwards with `enter`."""
    place = lenient.place(said.get("coordinate"), space)
    text = args.text(said, "text", "content")
    actions: list[Action] = [] if place is None else [args.made(a.Click, **lenient.at(place))]
    if _yes(said.get("clear")):
        actions += [a.Key(keys=("ctrl", "a")), *([] if text else [a.Key(keys=("delete",))])]
    if _yes(said.get("enter")):
        text += "\n"
    return [*actions, args.made(a.Type, text=text)] if text or not actions else actions


def _yes(value: object) -> bool:
    return value in (True, 1, "1") or (isinstance(value, str) and value.strip().lower() == "true")


def _talking(verb: str, said: Arguments) -> Sequence[Action]:
    match verb:
        case "wait":
            return (args.made(a.Wait, seconds=args.seconds(args.given(said, "time", "seconds", "duration"), "time", 1.0)),)
        case "open_app":
            return (args.made(a.OpenApp, app=args.text(said, "text", "app"), file=args.text(said, "file", default="") or None),)
        case "focus_window":
            return (args.made(a.FocusWindow, title=args.text(said, "text", "title")),)
        case "call_user":
            return (args.made(a.Ask, question=args.text(said, "text", "question", "content")),)
        case "answer":
            return (args.made(a.Done, answer=args.text(said, "text", "answer", "content", default="")),)
        case "give_up":
            return (args.made(a.Fail, reason=args.text(said, "text", "reason", "content", default="")),)
        case "terminate":
            return (_end(said),)
    return ()


def _end(said: Arguments) -> Action:
    status = args.text(said, "status", default="success").strip().lower()
    text = args.text(said, "text", "answer", "reason", "content", default="")
    if status in ("success", "succeeded", "done", "completed", "complete"):
        return args.made(a.Done, answer=text)
    if status in ("failure", "fail", "failed", "infeasible"):
        return args.made(a.Fail, reason=text)
    raise NotUnderstood(f"status is success or failure, not {args.shown(status)}")
