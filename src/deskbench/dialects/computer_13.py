"""OSWorld's `computer_13`: one JSON object an action, `{"action_type": .., "parameters": {..}}`, in screen pixels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deskbench.core.action import Action, Ask, Click, Copy, Done, Drag, Fail, Key, KeyDown, KeyUp, Move, Paste, Press, Release, Scroll, Type, Wait
from deskbench.core.chat import Reply, Text
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects.code import Invocation
from deskbench.dialects.coded import SPELLED
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.gestures import Gestures, key_named
from deskbench.dialects.space import NotUnderstood, Space

VERBS = {
    "MOVE_TO": "moveTo",
    "CLICK": "click",
    "MOUSE_DOWN": "mouseDown",
    "MOUSE_UP": "mouseUp",
    "RIGHT_CLICK": "rightClick",
    "DOUBLE_CLICK": "doubleClick",
    "DRAG_TO": "dragTo",
    "TYPING": "write",
    "PRESS": "press",
    "KEY_DOWN": "keyDown",
    "KEY_UP": "keyUp",
}
RENAMED = {"num_clicks": "clicks", "text": "message"}
WORDS = ("WAIT", "DONE", "FAIL")
MOST_CHARACTERS = 100_000
MOST_OBJECTS = 50
WAIT_SECONDS = 1.0

MEANT = re.compile(r"\{\s*[\"']action_type")

Said = dict[str, Any]


class Computer13(Dialect):
    """JSON objects of OSWorld's thirteen kinds of action, with ASK beside them."""

    name = "computer-13"
    about = "OSWorld's computer_13: one JSON object an action; any chat model"
    coordinates = "screen pixels"

    def system(self, brief: Brief) -> str:
        width, height = brief.screen
        apps = f" Installed are {', '.join(brief.apps)}." if brief.apps else ""
        return (
            f"You work at a Linux desktop for a user. You see its screen, {width} pixels wide and {height} high, origin at the top left.{apps} "
            f"You have at most {brief.steps} actions.\n\n"
            "First say briefly what you see and what you want to do next; then give your actions, each as a block of JSON between ```json and ```:\n"
            '{"action_type": "CLICK", "parameters": {"button": "left", "x": 100, "y": 200, "num_clicks": 1}}\n'
            "The kinds and their parameters: MOVE_TO (x, y), CLICK (button, x, y, num_clicks; each may be left out), MOUSE_DOWN, MOUSE_UP (button), "
            "RIGHT_CLICK and DOUBLE_CLICK (x, y), DRAG_TO (x, y; from where the pointer is), SCROLL (dx, dy; notches, positive is right and up), "
            "TYPING (text), PRESS (key), KEY_DOWN and KEY_UP (key), HOTKEY (keys, a list), WAIT.\n"
            'To ask the user what only the user knows: {"action_type": "ASK", "parameters": {"question": "..."}}. '
            'When everything is done: {"action_type": "DONE", "parameters": {"answer": "..."}}, the answer only where one is asked for. '
            'If it cannot be done: {"action_type": "FAIL", "parameters": {"reason": "..."}}.'
        )

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        text = reply.text[:MOST_CHARACTERS]
        thought = text
        gestures = _Kinds(space)
        found = list(_objects(text))
        for written, said in found:
            thought = thought.replace(written, "", 1)
            gestures.take(said)
        if not found:
            gestures.take({"action_type": _word(reply)})
        actions = gestures.perform(())
        words = thought.replace("```json", "").replace("```", "").strip()
        return Parsed(actions, "\n".join(part for part in (reply.thinking.strip(), words) if part))

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        said = [one for action in actions for one in _said(action, self.space(screen))]
        if not said:
            raise CannotSay("an answer needs at least one action")
        written = "\n".join(f"```json\n{json.dumps(one, ensure_ascii=False)}\n```" for one in said)
        return Reply((Text(f"{thought}\n{written}".lstrip()),))


class _Kinds(Gestures):
    """The kinds of action, by what they do as calls of pyautogui."""

    def take(self, said: Mapping[str, Any]) -> None:
        kind = args.text(said, "action_type").strip().upper()
        inner = said.get("parameters")
        given = (
            dict(inner) if isinstance(inner, Mapping) else {name: value for name, value in said.items() if name not in ("action_type", "parameters")}
        )
        try:
            self._take(kind, {name: value for name, value in given.items() if value is not None})
        except NotUnderstood as error:
            raise NotUnderstood(f"{kind[:40]}: {error}") from None

    def _take(self, kind: str, given: dict[str, Any]) -> None:
        match kind:
            case "SCROLL":
                across, up = (args.notches(given.get(name), name, 0.0) for name in ("dx", "dy"))
                self.add(args.made(Scroll, dx=across, dy=-up))
            case "HOTKEY":
                keys = given.get("keys")
                self.verbs["pyautogui.hotkey"](Invocation("pyautogui.hotkey", tuple(keys) if isinstance(keys, list | tuple) else (keys,)))
            case "WAIT":
                self.add(args.made(Wait, seconds=args.seconds(args.given(given, "seconds", "time"), "seconds", WAIT_SECONDS)))
            case "ASK":
                self.add(args.made(Ask, question=args.text(given, "question")))
            case "DONE":
                self.add(args.made(Done, answer=args.text(given, "answer", default="")))
            case "FAIL":
                self.add(args.made(Fail, reason=args.text(given, "reason", default="")))
            case _ if kind in VERBS:
                verb = f"pyautogui.{VERBS[kind]}"
                self.verbs[verb](Invocation(verb, named={RENAMED.get(name, name): value for name, value in given.items()}))
            case _:
                raise NotUnderstood(f"there is no such action_type; there are {', '.join(VERBS)}, SCROLL, HOTKEY, WAIT, ASK, DONE and FAIL")


def _objects(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON objects with an action_type, in order, each as it is written and as it reads."""
    decoder = json.JSONDecoder()
    place = text.find("{")
    count = 0
    while place >= 0 and count < MOST_OBJECTS:
        end = place + 1
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            value = None
            _complain(text, place)
        if isinstance(value, dict) and "action_type" in value:
            count += 1
            yield text[place:end], value
        place = text.find("{", end)


def _complain(text: str, place: int) -> None:
    """NotUnderstood for what was meant as an action but cannot be read."""
    if MEANT.match(text, place):
        raise NotUnderstood(f"this is not readable as JSON: {args.shown(text[place : place + 60])}")


def _word(reply: Reply) -> str:
    lines = [line.strip(" \t`*.") for line in reply.text.strip().splitlines()]
    last = next((line for line in reversed(lines) if line), "")
    if last in WORDS:
        return last
    cut = "; your answer was cut off" if reply.stop == "length" else ""
    raise NotUnderstood(f"there is no action in your answer{cut}; give a JSON object with an action_type")


def _said(action: Action, space: Space) -> list[Said]:
    if getattr(action, "button", "left") not in ("left", "middle", "right"):
        raise CannotSay("there are only the left, middle and right buttons")
    held = [_key(name) for name in getattr(action, "modifiers", ())]
    downs = [_kind("KEY_DOWN", key=name) for name in held]
    ups = [_kind("KEY_UP", key=name) for name in reversed(held)]
    return [*downs, *_bare(action, space), *ups]


def _bare(action: Action, space: Space) -> list[Said]:
    match action:
        case Click():
            count = {"num_clicks": action.count} if action.count > 1 else {}
            return [_kind("CLICK", button=action.button, **_where(space, action), **count)]
        case Move():
            return [_kind("MOVE_TO", **_where(space, action))]
        case Press() | Release():
            return [*_moved(space, action), _kind("MOUSE_DOWN" if isinstance(action, Press) else "MOUSE_UP", button=action.button)]
        case Drag():
            return _dragged(action, space)
        case Scroll():
            return [*_moved(space, action), _kind("SCROLL", dx=action.dx, dy=-action.dy)]
        case Type():
            return [_kind("TYPING", text=action.text)]
        case Wait():
            return [_kind("WAIT", **({"seconds": action.seconds} if action.seconds != WAIT_SECONDS else {}))]
        case Ask():
            return [_kind("ASK", question=action.question)]
        case Done():
            return [_kind("DONE", **({"answer": action.answer} if action.answer else {}))]
        case Fail():
            return [_kind("FAIL", **({"reason": action.reason} if action.reason else {}))]
    return _keyed(action)


def _keyed(action: Action) -> list[Said]:
    match action:
        case Key(keys=(name,)):
            return [_kind("PRESS", key=_key(name))] * action.times
        case Key():
            args.sayable(action.keys, action.keys)
            return [_kind("HOTKEY", keys=[_key(name) for name in action.keys])] * action.times
        case KeyDown():
            return [_kind("KEY_DOWN", key=_key(action.key))]
        case KeyUp():
            return [_kind("KEY_UP", key=_key(action.key))]
        case Copy(text=None):
            return [_kind("HOTKEY", keys=["ctrl", "c"])]
        case Paste(text=None):
            return [_kind("HOTKEY", keys=["ctrl", "v"])]
    raise CannotSay(f"computer_13 has no words for {action.kind}")


def _kind(kind: str, **parameters: Any) -> Said:
    return {"action_type": kind, "parameters": parameters} if parameters else {"action_type": kind}


def _key(name: str) -> str:
    said = SPELLED.get(name, name)
    if key_named(said) != name:
        raise CannotSay(f"there is no name for the key {name}")
    return said


def _where(space: Space, action: Click | Move | Press | Release | Scroll) -> Said:
    return dict(zip("xy", space.to_model(action.x, action.y), strict=True)) if action.x is not None and action.y is not None else {}


def _moved(space: Space, action: Press | Release | Scroll) -> list[Said]:
    return [_kind("MOVE_TO", **_where(space, action))] if action.x is not None else []


def _dragged(action: Drag, space: Space) -> list[Said]:
    first, *others = (dict(zip("xy", space.to_model(*point), strict=True)) for point in action.path)
    if len(others) == 1 and action.button == "left":
        return [_kind("MOVE_TO", **first), _kind("DRAG_TO", **others[0])]
    moves = [_kind("MOVE_TO", **place) for place in others]
    return [_kind("MOVE_TO", **first), _kind("MOUSE_DOWN", button=action.button), *moves, _kind("MOUSE_UP", button=action.button)]
