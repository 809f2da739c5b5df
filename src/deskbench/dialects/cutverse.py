"""CutVerse's planner: one JSON object with an observation, a reasoning and a list of actions, all of which are carried out in order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from deskbench.core import action as a
from deskbench.core.action import Action, Point
from deskbench.core.chat import Reply, Text
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects import lenient
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.joining import joined
from deskbench.dialects.space import NotUnderstood, Space, fitted, grid

Said = dict[str, Any]

LONG_SIDE = 1280
CLICKS = {"click": ("left", 1), "right_click": ("right", 1), "middle_click": ("middle", 1), "double_click": ("left", 2), "triple_click": ("left", 3)}

PROMPT = """You operate a Linux desktop for a user, by yourself: in every answer you plan the next step and give the actions that carry it out.

## Coordinates
They run from 0 to 1000 over the width (x) and the height (y) of the screen; (0, 0) is the top left corner.

## Action types
click, right_click, middle_click, double_click, triple_click: at x, y; with keys, while these are held
move: to x, y. drag: from x, y to end_x, end_y. mouse_down, mouse_up: hold the left button and let it go
scroll: scroll_y notches of the wheel (positive is down), scroll_x (positive is right), at x, y
type: text. key: one key. hotkey: keys together. key_down, key_up: hold a key and let it go
wait: for seconds. open_app: the application called text. focus_window: the window with text in its title
ask: the user the question in text, when only the user can tell
stop: the job is done; text is the answer where one was asked for. fail: it cannot be done; text is the reason

## Answer
One JSON object and nothing else, its texts in {language}; leave out the fields that an action does not need:
{{"Observation": str, "Reasoning": str, "Action": str, "MilestoneCompleted": bool,
 "actions": [{{"action_type": str, "x": int, "y": int, "text": str, "key": str, "keys": [str], "scroll_x": int, "scroll_y": int,
              "end_x": int, "end_y": int, "seconds": float}}]}}

1. When the whole job is done: MilestoneCompleted is true, and actions is [{{"action_type": "stop"}}].
2. Otherwise MilestoneCompleted is false, and actions has one or more actions that can be done without looking in between.
3. Look at what you did before, and do not repeat what failed.
"""


class CutVerse(Dialect):
    """The planner as CutVerse runs it."""

    name: ClassVar[str] = "cutverse"
    about: ClassVar[str] = "CutVerse's planner: JSON with several actions an answer"
    coordinates: ClassVar[str] = "0 to 1000 in both directions"
    pictures: ClassVar[int] = 5

    def space(self, screen: tuple[int, int]) -> Space:
        return grid(screen, 1000)

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return fitted(screen, (LONG_SIDE, LONG_SIDE))

    def system(self, brief: Brief) -> str:
        return PROMPT.format(language=lenient.language(brief.language))

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        thinking, plan = answered(reply)
        actions = [_action(said, plan, space) for said in _listed(plan)]
        if not actions and plan.get("MilestoneCompleted") is True:
            actions = [a.Done()]
        if not actions:
            raise NotUnderstood('your answer has no actions; give at least one, such as {"action_type": "wait"}')
        return Parsed(tuple(joined(actions)), lenient.stored(reply.thinking, thinking, thoughts(plan)))

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        space = self.space(screen)
        said = [one for action in actions for one in _words(action, space)]
        if not said:
            raise CannotSay("an answer needs at least one action")
        done = any(isinstance(action, a.Done) for action in actions)
        plan = {"Observation": "", "Reasoning": thought, "Action": said[0]["action_type"], "MilestoneCompleted": done, "actions": said}
        return Reply((Text(json.dumps(plan, ensure_ascii=False)),))


def answered(reply: Reply) -> tuple[str, Mapping[str, Any]]:
    """What was thought, and the object that the answer is; NotUnderstood if it is none."""
    thinking, text = lenient.split_thinking(reply.text, "{")
    start = text.find("{")
    if start < 0:
        why = {"length": "your answer was cut off", "refused": "you declined to answer"}.get(reply.stop, "there is no JSON object in your answer")
        raise NotUnderstood(
            f"{why if text.strip() or reply.stop != 'done' else 'your answer was empty'}; answer with one JSON object and nothing else"
        )
    plan, _ = lenient.value_at(text, start, mend=reply.stop != "length")
    if not isinstance(plan, Mapping):
        raise NotUnderstood("your answer is no JSON object")
    return thinking, plan


def thoughts(plan: Mapping[str, Any]) -> str:
    """What a plan says beside its actions."""
    return "\n".join(plan[name] for name in ("Observation", "Reasoning") if isinstance(plan.get(name), str) and plan[name])


def _listed(plan: Mapping[str, Any]) -> Sequence[Any]:
    said = plan.get("actions")
    if said is None and "action_type" in plan:
        return [plan]
    said = [said] if isinstance(said, Mapping) else said
    if said is not None and not isinstance(said, list | tuple):
        raise NotUnderstood(f"actions is a list of objects, not {args.shown(said)}")
    return said or ()


def _pair(said: Mapping[str, Any], space: Space, x: str = "x", y: str = "y") -> Point | None:
    if said.get(x) is None and said.get(y) is None:
        return None
    return space.to_screen(said.get(x), said.get(y))


def _action(said: Any, plan: Mapping[str, Any], space: Space) -> Action:
    if not isinstance(said, Mapping):
        raise NotUnderstood(f"an action is an object with an action_type, not {args.shown(said)}")
    verb = args.text(said, "action_type", "action", "type").strip().lower()
    found = _pointing(verb, said, _pair(said, space), space) or _keyboard(verb, said) or _other(verb, said, plan)
    if found is None:
        raise NotUnderstood(f"there is no action_type {verb[:40]!r}; there are click, type, key, hotkey, scroll, drag, wait, ask, stop, fail, ...")
    return found


def _held(said: Mapping[str, Any]) -> tuple[str, ...]:
    return lenient.keys(said["keys"]) if said.get("keys") else ()


def _pointing(verb: str, said: Mapping[str, Any], place: Point | None, space: Space) -> Action | None:
    if verb in CLICKS:
        button, count = CLICKS[verb]
        return args.made(a.Click, **lenient.at(place), button=button, count=count, modifiers=_held(said))
    match verb:
        case "move":
            x, y = lenient.needed(place, "move")
            return args.made(a.Move, x=x, y=y)
        case "mouse_down":
            return args.made(a.Press, **lenient.at(place))
        case "mouse_up":
            return args.made(a.Release, **lenient.at(place))
        case "drag":
            end = lenient.needed(_pair(said, space, "end_x", "end_y"), "the end of a drag")
            return args.made(a.Drag, path=(lenient.needed(place, "a drag"), end), modifiers=_held(said))
        case "scroll":
            across, down = (args.notches(said.get(name), name, 0) for name in ("scroll_x", "scroll_y"))
            return args.made(a.Scroll, **lenient.at(place), dx=across, dy=down, modifiers=_held(said))
    return None


def _keyboard(verb: str, said: Mapping[str, Any]) -> Action | None:
    match verb:
        case "type":
            return args.made(a.Type, text=args.text(said, "text"))
        case "key" | "hotkey":
            keys = lenient.keys(args.given(said, "keys", "key", "text") if verb == "hotkey" else args.given(said, "key", "keys", "text"))
            return args.made(a.Key, keys=keys)
        case "key_down":
            return args.made(a.KeyDown, key=args.one_key(args.given(said, "key", "text")))
        case "key_up":
            return args.made(a.KeyUp, key=args.one_key(args.given(said, "key", "text")))
    return None


def _other(verb: str, said: Mapping[str, Any], plan: Mapping[str, Any]) -> Action | None:
    match verb:
        case "wait":
            return args.made(a.Wait, seconds=args.seconds(args.given(said, "seconds", "duration"), "seconds", 1.0))
        case "open_app":
            return args.made(a.OpenApp, app=args.text(said, "text"), file=args.text(said, "file", default="") or None)
        case "focus_window":
            return args.made(a.FocusWindow, title=args.text(said, "text"))
        case "ask":
            return args.made(a.Ask, question=args.text(said, "text"))
        case "fail":
            return args.made(a.Fail, reason=args.text(said, "text", default=""))
        case "stop" if plan.get("MilestoneCompleted") is False:  # to stop short of the goal is to give up
            return args.made(a.Fail, reason=args.text(said, "text", default="") or args.text(plan, "Reasoning", default=""))
        case "stop":
            return args.made(a.Done, answer=args.text(said, "text", default=""))
    return None


def _words(action: Action, space: Space) -> list[Said]:
    held = {"keys": list(getattr(action, "modifiers", ()))} if getattr(action, "modifiers", ()) else {}
    match action:
        case a.Click():
            verb = next((verb for verb, what in CLICKS.items() if what == (action.button, action.count)), None)
            if verb is None:
                raise CannotSay(f"CutVerse's planner has no {action.count}-fold click of the {action.button} button")
            return [{"action_type": verb, **_said(space, (action.x, action.y)), **held}]
        case a.Move():
            return [{"action_type": "move", **_said(space, (action.x, action.y))}]
        case a.Press(button="left") | a.Release(button="left"):
            return [{"action_type": "mouse_down" if isinstance(action, a.Press) else "mouse_up", **_said(space, (action.x, action.y))}]
        case a.Drag(button="left", path=(start, end)):
            return [{"action_type": "drag", **_said(space, start), **_said(space, end, "end_x", "end_y"), **held}]
        case a.Drag(button="left", modifiers=()):
            moves: list[Said] = [{"action_type": "move", **_said(space, point)} for point in action.path]
            return [moves[0], {"action_type": "mouse_down"}, *moves[1:], {"action_type": "mouse_up"}]
        case a.Scroll():
            turns = {name: by for name, by in (("scroll_x", action.dx), ("scroll_y", action.dy)) if by}
            return [{"action_type": "scroll", **_said(space, (action.x, action.y)), **(turns or {"scroll_y": 0}), **held}]
        case a.Key():
            lenient.sayable(action.keys, list(action.keys))
            one = {"action_type": "key", "key": action.keys[0]} if len(action.keys) == 1 else {"action_type": "hotkey", "keys": list(action.keys)}
            return [one] * action.times
    return [_plain(action)]


def _plain(action: Action) -> Said:
    match action:
        case a.KeyDown() | a.KeyUp():
            return {"action_type": action.kind, "key": action.key}
        case a.Type():
            return {"action_type": "type", "text": action.text}
        case a.Paste(text=None):
            return {"action_type": "hotkey", "keys": ["ctrl", "v"]}
        case a.Wait():
            return {"action_type": "wait", "seconds": action.seconds}
        case a.OpenApp():
            return {"action_type": "open_app", "text": action.app, **({"file": action.file} if action.file is not None else {})}
        case a.FocusWindow():
            return {"action_type": "focus_window", "text": action.title}
        case a.Ask():
            return {"action_type": "ask", "text": action.question}
        case a.Done():
            return {"action_type": "stop", **({"text": action.answer} if action.answer else {})}
        case a.Fail():
            return {"action_type": "fail", "text": action.reason}
    raise CannotSay(f"CutVerse's planner has no words for {action.kind} like this")


def _said(space: Space, point: tuple[int | None, int | None], x: str = "x", y: str = "y") -> Said:
    across, down = point
    return {} if across is None or down is None else dict(zip((x, y), space.to_model(across, down), strict=True))
