"""CutVerse's JSON for Claude: one flat object with one action, in pixels of a picture that is always 1280 by 720."""

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
from deskbench.dialects.cutverse import answered, thoughts
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.space import NotUnderstood, Space

Said = dict[str, Any]

SHOWN = (1280, 720)
NOTCHES = 3
CLICKS = {
    "left_click": ("left", 1), "right_click": ("right", 1), "middle_click": ("middle", 1), "double_click": ("left", 2), "triple_click": ("left", 3),
}  # fmt: skip

PROMPT = """You operate a Linux desktop for a user. You are shown the screen and the job; choose the one action that brings the job forward most.

Answer with one JSON object and nothing else, without code fences, its texts in {language}:
{{
  "Observation": "what the screen shows",
  "Reasoning": "why this action comes next",
  "Action": "one of the names below",
  "Coordinate": [x, y],
  "Text": "a text or keys",
  "ScrollDirection": "up|down|left|right",
  "ScrollAmount": 3,
  "StartCoordinate": [x, y],
  "MilestoneCompleted": false
}}
Leave out the fields that the action does not need.

left_click, right_click, middle_click, double_click, triple_click: Coordinate; Text may name keys held meanwhile, such as "ctrl"
mouse_move: Coordinate
drag: StartCoordinate, Coordinate (its end)
type: Text
key: Text, such as "enter" or "ctrl+c"; Repeat, where it is pressed several times
scroll: Coordinate, ScrollDirection, ScrollAmount (notches of the wheel)
wait: Text may be the seconds
ask: Text is a question to the user, about what only the user can tell
done: the whole job is done; MilestoneCompleted is true, and Text is the answer where one was asked for
fail: the job cannot be done; Text is the reason

Coordinates are pixels of a picture that is 1280 wide and 720 high; [0, 0] is its top left corner.
"""


class CutVerseClaude(Dialect):
    """The agent as CutVerse runs it; of a screen of another shape, the picture is stretched."""

    name: ClassVar[str] = "cutverse-claude"
    about: ClassVar[str] = "CutVerse's JSON for Claude: one action an answer"
    coordinates: ClassVar[str] = "pixels of a picture of 1280x720"
    pictures: ClassVar[int] = 10

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return SHOWN

    def system(self, brief: Brief) -> str:
        return PROMPT.format(language=lenient.language(brief.language))

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        thinking, said = answered(reply)
        return Parsed((_action(said, space),), lenient.stored(reply.thinking, thinking, thoughts(said)))

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        if len(actions) != 1:
            raise CannotSay("CutVerse's JSON for Claude says one action at a time")
        said = {
            "Observation": "",
            "Reasoning": thought,
            **_words(actions[0], self.space(screen)),
            "MilestoneCompleted": isinstance(actions[0], a.Done),
        }
        return Reply((Text(json.dumps(said, ensure_ascii=False)),))


def _action(said: Mapping[str, Any], space: Space) -> Action:
    verb = args.text(said, "Action", "action", default="done" if said.get("MilestoneCompleted") is True else None).strip().lower()
    place = lenient.place(said.get("Coordinate"), space)
    if verb in CLICKS:
        button, count = CLICKS[verb]
        held = lenient.keys(said["Text"]) if said.get("Text") else ()
        return args.made(a.Click, **lenient.at(place), button=button, count=count, modifiers=held)
    match verb:
        case "mouse_move":
            x, y = lenient.needed(place, verb)
            return args.made(a.Move, x=x, y=y)
        case "drag" | "left_click_drag":
            start = lenient.needed(lenient.place(said.get("StartCoordinate"), space), "the start of a drag")
            return args.made(a.Drag, path=(start, lenient.needed(place, "the end of a drag")))
        case "scroll":
            across, down = args.direction({"ScrollDirection": args.given(said, "ScrollDirection") or "down"}, "ScrollDirection")
            amount = args.notches(said.get("ScrollAmount"), "ScrollAmount", NOTCHES)
            return args.made(a.Scroll, **lenient.at(place), dx=across * amount, dy=down * amount)
        case "key":
            return args.made(a.Key, keys=lenient.keys(args.given(said, "Text")), times=args.whole(said.get("Repeat"), "Repeat", 1))
        case "type":
            return args.made(a.Type, text=args.text(said, "Text"))
    return _spoken(verb, said)


def _spoken(verb: str, said: Mapping[str, Any]) -> Action:
    text = args.text(said, "Text", default="")
    match verb:
        case "wait":
            return args.made(a.Wait, seconds=args.seconds(text or None, "Text of a wait", 1.0))
        case "ask":
            return args.made(a.Ask, question=args.text(said, "Text"))
        case "done":
            return args.made(a.Done, answer=text)
        case "fail":
            return args.made(a.Fail, reason=text or args.text(said, "Reasoning", default=""))
    raise NotUnderstood(
        f"there is no Action {verb[:40]!r}; there are {', '.join(CLICKS)}, mouse_move, drag, type, key, scroll, wait, ask, done, fail"
    )


def _words(action: Action, space: Space) -> Said:
    match action:
        case a.Click():
            verb = next((verb for verb, what in CLICKS.items() if what == (action.button, action.count)), None)
            held = "+".join(action.modifiers)
            if verb is None:
                raise CannotSay(f"CutVerse's JSON for Claude has no {action.count}-fold click of the {action.button} button")
            return {"Action": verb, **_at(space, (action.x, action.y)), **({"Text": held} if held else {})}
        case a.Move():
            return {"Action": "mouse_move", **_at(space, (action.x, action.y))}
        case a.Drag(button="left", path=(start, end), modifiers=()):
            return {"Action": "drag", "StartCoordinate": list(space.to_model(*start)), **_at(space, end)}
        case a.Scroll(modifiers=()) if not (action.dx and action.dy):
            ((way, by),) = args.directed(action)
            return {"Action": "scroll", **_at(space, (action.x, action.y)), "ScrollDirection": way, "ScrollAmount": by}
        case a.Key():
            said = "+".join(action.keys)
            lenient.sayable(action.keys, said)
            return {"Action": "key", "Text": said, **({"Repeat": action.times} if action.times > 1 else {})}
        case a.Paste(text=None):
            return {"Action": "key", "Text": "ctrl+v"}
    return _plain(action)


def _plain(action: Action) -> Said:
    match action:
        case a.Type():
            return {"Action": "type", "Text": action.text}
        case a.Wait():
            return {"Action": "wait", "Text": f"{action.seconds:g}"}
        case a.Ask():
            return {"Action": "ask", "Text": action.question}
        case a.Done():
            return {"Action": "done", **({"Text": action.answer} if action.answer else {})}
        case a.Fail():
            return {"Action": "fail", "Text": action.reason}
    raise CannotSay(f"CutVerse's JSON for Claude has no words for {action.kind} like this")


def _at(space: Space, point: Point | tuple[int | None, int | None]) -> Said:
    x, y = point
    return {} if x is None or y is None else {"Coordinate": list(space.to_model(x, y))}
