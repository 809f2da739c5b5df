"""OS-Atlas-Pro: thoughts, then actions in capitals, such as `CLICK <point>[[x,y]]</point>` and `TYPE [text]`, on a grid of 0 to 1000.

Its language has a few basic actions and takes others that the prompt defines. A text stands between square brackets as it is: it ends at the
bracket after which the line ends and nothing or another action follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from deskbench.core import action as a
from deskbench.core.action import Action, Point
from deskbench.core.chat import Reply, Text
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects import lenient
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.joining import joined
from deskbench.dialects.space import NotUnderstood, Space, grid

NOTCHES = 5
WAIT_SECONDS = 1.0

CLICKS = {"CLICK": ("left", 1), "DOUBLE_CLICK": ("left", 2), "TRIPLE_CLICK": ("left", 3), "RIGHT_CLICK": ("right", 1), "MIDDLE_CLICK": ("middle", 1)}
KEYS = {"ENTER": "enter", "PRESS_ENTER": "enter", "PRESS_SPACE": "space", "PRESS_DOWN": "down"}
VERBS = (
    *CLICKS, *KEYS, "MOVE", "DRAG", "TYPE", "SCROLL", "HOTKEY", "KEY_DOWN", "KEY_UP", "OPEN_APP", "FOCUS_WINDOW", "WAIT", "ASK",
    "COMPLETE", "FAIL", "IMPOSSIBLE",
)  # fmt: skip
_NAMES = "|".join(sorted(VERBS, key=len, reverse=True))
_HEAD = re.compile(r"^[ \t*#]*actions?[ \t*]*[:：][ \t*]*", re.IGNORECASE | re.MULTILINE)
_LABEL = re.compile(r"^[ \t*#]*thoughts?[ \t*]*[:：][\s*]*", re.IGNORECASE | re.MULTILINE)
_LINE = re.compile(r"[\s`]*([A-Z][A-Z_]+)(?![A-Za-z_])[ \t]*")
_POINT = re.compile(r"(?:<point>)?\s*\[*\s*\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]\s*\]*\s*(?:</point>)?")
_CLOSE = re.compile(rf"\](?=[ \t`]*(?:\Z|\n[\s`]*(?:\Z|(?:{_NAMES})(?![A-Za-z_]))))")

PROMPT = """You work in executable grounding mode: you operate a Linux desktop for a user by actions that are carried out at once.

1. Basic actions
CLICK <point>[[x,y]]</point>: click there.
TYPE [text]: type the text; a line break presses Enter.
SCROLL [DOWN]: turn the wheel; UP, DOWN, LEFT or RIGHT.

2. Custom actions
DOUBLE_CLICK, TRIPLE_CLICK, RIGHT_CLICK, MIDDLE_CLICK, MOVE <point>[[x,y]]</point>: the same with another click, or with none.
DRAG <point>[[x,y]]</point> <point>[[x,y]]</point>: hold the left button from the first point to the second.
SCROLL [DOWN 3] <point>[[x,y]]</point>: so many notches of the wheel, at a point.
ENTER: press Enter.
HOTKEY [CTRL+S]: press keys together. KEY_DOWN [SHIFT] and KEY_UP [SHIFT]: hold a key and let it go.
OPEN_APP [name]: start an application. FOCUS_WINDOW [title]: bring a window to the front.
WAIT: wait a second; WAIT [5]: five.
ASK [question]: ask the user what only the user can tell you.
COMPLETE: the job is done; COMPLETE [answer] where an answer was asked for.
FAIL [reason]: the job cannot be done.

x and y run from 0 to 1000 over the width and the height of the screen.

Answer like this, in {language}, with one action:
thoughts:
what you see and what to do next
actions:
CLICK <point>[[101,872]]</point>
"""


class OsAtlas(Dialect):
    """OS-Atlas-Pro on a desktop."""

    name: ClassVar[str] = "os-atlas"
    about: ClassVar[str] = "OS-Atlas-Pro: thoughts and actions in capitals"
    coordinates: ClassVar[str] = "0 to 1000 in both directions"
    pictures: ClassVar[int] = 1

    def space(self, screen: tuple[int, int]) -> Space:
        return grid(screen, 1000)

    def system(self, brief: Brief) -> str:
        return PROMPT.format(language=lenient.language(brief.language))

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        thinking, text = lenient.split_thinking(reply.text.rstrip().removesuffix("<|im_end|>").rstrip(), "actions:")
        head = _HEAD.search(text)
        at, actions = (head.end() if head else _first(text)), list[Action]()
        while (found := _LINE.match(text, at)) and (not actions or found.group(1) in VERBS):
            action, at = _action(found.group(1), text, found.end(), space)
            actions.append(action)
        if not actions:
            raise NotUnderstood("there is no action in your answer; after the line actions: write one such as CLICK <point>[[500,500]]</point>")
        return Parsed(tuple(joined(actions)), lenient.stored(reply.thinking, thinking, _LABEL.sub("", text[: head.start() if head else 0])))

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        space = self.space(screen)
        said = [line for action in actions for line in _words(action, space)]
        if not said:
            raise CannotSay("an answer needs at least one action")
        thoughts = f"thoughts:\n{lenient.one_line(thought, without=('</think>', '</thinking>'))}\n" if thought else ""
        return Reply((Text(f"{thoughts}actions:\n" + "\n".join(said)),))


def _first(text: str) -> int:
    """Where an action begins in an answer without its heading."""
    found = re.search(rf"^[ \t`]*(?:{_NAMES})(?![A-Za-z_])", text, re.MULTILINE)
    if found is None:
        raise NotUnderstood("there is no line actions: in your answer" if text.strip() else "your answer was empty; it needs a line actions:")
    return found.start()


def _action(verb: str, text: str, at: int, space: Space) -> tuple[Action, int]:
    """One action and where it ends."""
    if verb in KEYS:
        return args.made(a.Key, keys=(KEYS[verb],)), at
    if verb in CLICKS or verb in ("MOVE", "DRAG"):
        return _pointing(verb, text, at, space)
    if verb not in VERBS:
        raise NotUnderstood(f"there is no action {verb[:40]!r}; there are CLICK, TYPE, SCROLL, HOTKEY, WAIT, ASK, COMPLETE, FAIL, ...")
    said, at = _bracketed(verb, text, at)
    if verb != "SCROLL":
        return _worded(verb, said), at
    place, at = _point(text, at, space)
    way, _, amount = (said or "DOWN").partition(" ")
    across, down = args.direction({"direction": way}, "direction")
    notches = args.notches(amount.strip() or None, "the notches of a scroll", NOTCHES)
    return args.made(a.Scroll, **lenient.at(place), dx=across * notches, dy=down * notches), at


def _pointing(verb: str, text: str, at: int, space: Space) -> tuple[Action, int]:
    place, at = _point(text, at, space)
    if verb in CLICKS:
        button, count = CLICKS[verb]
        return args.made(a.Click, **lenient.at(lenient.needed(place, verb)), button=button, count=count), at
    x, y = lenient.needed(place, verb)
    if verb == "MOVE":
        return args.made(a.Move, x=x, y=y), at
    end, at = _point(text, at, space)
    return args.made(a.Drag, path=((x, y), lenient.needed(end, "the end of a drag"))), at


def _point(text: str, at: int, space: Space) -> tuple[Point | None, int]:
    at = re.compile(r"[ \t]*").match(text, at).end()  # type: ignore[union-attr]
    found = _POINT.match(text, at)
    return (space.to_screen(*found.groups()), found.end()) if found else (None, at)


def _bracketed(verb: str, text: str, at: int) -> tuple[str | None, int]:
    """The text in square brackets; None if there are none."""
    if text[at : at + 1] != "[":
        return None, at
    if verb == "SCROLL":
        end = text.find("]", at)
        if end < 0:
            raise NotUnderstood("SCROLL [...] is not closed")
        return text[at + 1 : end].strip(), end + 1
    found = _CLOSE.search(text, at)
    if found is None:
        raise NotUnderstood(f"{verb} [...] is not closed; end it with a square bracket at the end of the line")
    return text[at + 1 : found.start()], found.end()


def _worded(verb: str, said: str | None) -> Action:
    if said is None and verb not in ("WAIT", "COMPLETE", "FAIL", "IMPOSSIBLE"):
        raise NotUnderstood(f"{verb} needs something in square brackets, such as {verb} [...]")
    said = said or ""
    match verb:
        case "TYPE":
            return args.made(a.Type, text=said)
        case "HOTKEY":
            return args.made(a.Key, keys=lenient.keys(said))
        case "KEY_DOWN":
            return args.made(a.KeyDown, key=args.one_key(said))
        case "KEY_UP":
            return args.made(a.KeyUp, key=args.one_key(said))
        case "OPEN_APP":
            return args.made(a.OpenApp, app=said.strip())
        case "FOCUS_WINDOW":
            return args.made(a.FocusWindow, title=said)
        case "WAIT":
            return args.made(a.Wait, seconds=args.seconds(said or None, "WAIT", WAIT_SECONDS))
        case "ASK":
            return args.made(a.Ask, question=said)
        case "COMPLETE":
            return args.made(a.Done, answer=said)
    return args.made(a.Fail, reason=said)


def _words(action: Action, space: Space) -> list[str]:
    held = getattr(action, "modifiers", ())
    said = _pointed(action, space) or [_said(action)]
    downs, ups = [f"KEY_DOWN [{name}]" for name in held], [f"KEY_UP [{name}]" for name in reversed(held)]
    return [part for line in said for part in (*downs, line, *ups)]


def _pointed(action: Action, space: Space) -> list[str]:
    match action:
        case a.Click(x=int(x), y=int(y)):
            verb = next((verb for verb, what in CLICKS.items() if what == (action.button, action.count)), None)
            return [f"{verb} {_tag(space, (x, y))}"] if verb else []
        case a.Move():
            return [f"MOVE {_tag(space, (action.x, action.y))}"]
        case a.Drag(button="left", path=(start, end)):
            return [f"DRAG {_tag(space, start)} {_tag(space, end)}"]
        case a.Scroll():
            where = "" if action.x is None or action.y is None else " " + _tag(space, (action.x, action.y))
            return [f"SCROLL [{way.upper()}{'' if by == NOTCHES else f' {by}'}]{where}" for way, by in args.directed(action)]
    return []


def _said(action: Action) -> str:
    match action:
        case a.Type():
            return _bracket("TYPE", action.text)
        case a.Key():
            said = "+".join(action.keys)
            lenient.sayable(action.keys, said)
            return "\n".join(["ENTER" if action.keys == ("enter",) else f"HOTKEY [{said}]"] * action.times)
        case a.KeyDown() | a.KeyUp():
            return f"{action.kind.upper()} [{action.key}]"
        case a.Paste(text=None):
            return "HOTKEY [ctrl+v]"
        case a.OpenApp(file=None):
            return _bracket("OPEN_APP", action.app)
        case a.FocusWindow():
            return _bracket("FOCUS_WINDOW", action.title)
        case a.Wait():
            return "WAIT" if action.seconds == WAIT_SECONDS else f"WAIT [{action.seconds:g}]"
        case a.Ask():
            return _bracket("ASK", action.question)
        case a.Done():
            return _bracket("COMPLETE", action.answer) if action.answer else "COMPLETE"
        case a.Fail():
            return _bracket("FAIL", action.reason) if action.reason else "FAIL"
    raise CannotSay(f"OS-Atlas has no words for {action.kind} like this")


def _bracket(verb: str, text: str) -> str:
    if _CLOSE.search(f"[{text}\n{verb} x"):
        raise CannotSay("OS-Atlas cannot say a text that looks like the end of one")
    return f"{verb} [{text}]"


def _tag(space: Space, point: Point) -> str:
    x, y = space.to_model(*point)
    return f"<point>[[{x},{y}]]</point>"
