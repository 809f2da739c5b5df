"""ProSoftArena's language: blocks ```decision, ```python and ```memory, and elements named by the numbers of their marks.

A ```message block beside the decision holds the answer, the reason or the question that goes with DONE, FAIL or ASK.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deskbench.core.action import (
    SPOKEN,
    Action,
    Ask,
    Click,
    Copy,
    Done,
    Drag,
    Fail,
    FocusWindow,
    Key,
    Move,
    OpenApp,
    Paste,
    Point,
    Scroll,
    Type,
    Wait,
)  # fmt: skip
from deskbench.core.chat import Reply, Text
from deskbench.core.observation import Box, Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects.code import Invocation, invocations
from deskbench.dialects.coded import FENCE, blocks, literal
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.gestures import Gestures, bound
from deskbench.dialects.space import NotUnderstood, Space, fractions

DECISION = re.compile(r"\b(DONE|FAIL|WAIT|COMMAND|ASK)\b")
NOTCHES = 5
"""A scroll has no length in this language."""
WAIT_SECONDS = 2.0


class ProSoftArena(Dialect):
    """Decision, code and memory, with marks."""

    name = "prosoftarena"
    about = "ProSoftArena: decision, code and memory blocks, elements by the numbers of their marks; any chat model"
    coordinates = "numbers of marks, or fractions from 0 to 1"
    pictures = 1
    marks = True

    def space(self, screen: tuple[int, int]) -> Space:
        return fractions(screen)

    def system(self, brief: Brief) -> str:
        apps = f" Installed are {', '.join(brief.apps)}." if brief.apps else ""
        return (
            f"You work at a Linux desktop for a user.{apps} You see its screen, in which the things that can be used are framed and numbered, and a "
            f"list of them. You have at most {brief.steps} actions.\n\n"
            "Say what is on the screen, whether the last action worked and whether the goal is reached. Then decide:\n"
            "```decision\nCOMMAND\n```\n"
            "COMMAND carries out the code that you give in a block ```python. WAIT lets the applications work. DONE says that all is done, FAIL "
            "that it cannot be done, ASK asks the user what only the user knows; with these three, a block ```message holds the answer, the reason "
            "or the question. What you want to remember goes into a block ```memory; you are shown it again.\n\n"
            "The code uses only these functions, a few at a time:\n"
            "computer.mouse.move_id(id=7): to the middle of the element with this number; prefer it\n"
            "computer.mouse.move_abs(x=0.22, y=0.75): to a place, in fractions of the width and the height\n"
            "computer.mouse.single_click(), double_click(), right_click(): where the pointer is\n"
            'computer.mouse.scroll(dir="down"); computer.mouse.drag(x=0.35, y=0.48): from where the pointer is\n'
            'computer.keyboard.write("text"); computer.keyboard.press("enter"), also "ctrl+s"\n'
            'computer.clipboard.copy_text("text"), copy_image(id=19, description="..."), paste()\n'
            'computer.os.open_program("name"); computer.window_manager.switch_to_application("window title")'
        )

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        found = blocks(reply.text)
        by_kind = {kind: body.strip() for kind, body in found}
        thought = "\n".join(part for part in (reply.thinking.strip(), FENCE.sub("", reply.text).strip()) if part)
        decision, comment = _decision(by_kind.get("decision"))
        message = by_kind.get("message", comment)
        code = "\n".join(body for kind, body in found if kind in ("python", "py"))
        return Parsed(self._actions(decision, message, code, space, marks, reply), thought, note=by_kind.get("memory", ""))

    def _actions(self, decision: str, message: str, code: str, space: Space, marks: Sequence[Mark], reply: Reply) -> tuple[Action, ...]:
        match decision:
            case "DONE":
                return (args.made(Done, answer=message),)
            case "FAIL":
                return (args.made(Fail, reason=message),)
            case "WAIT":
                return (Wait(seconds=WAIT_SECONDS),)
            case "ASK":
                if not message:
                    raise NotUnderstood("ASK needs the question, in a block ```message")
                return (args.made(Ask, question=message),)
        actions = _Computer(space, marks).perform(invocations(code, space.extent))
        if not actions:
            cut = "; your answer was cut off" if reply.stop == "length" else ""
            raise NotUnderstood(f"there is no decision and no code that does anything{cut}; write blocks ```decision and ```python")
        return actions

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        said = [part for part in (thought, *self._blocks(actions, self.space(screen))) if part]
        return Reply((Text("\n".join(said)),))

    def _blocks(self, actions: Sequence[Action], space: Space) -> list[str]:
        if len(actions) == 1 and isinstance(actions[0], SPOKEN):
            return _spoken(actions[0])
        if len(actions) == 1 and isinstance(actions[0], Wait):
            return ["```decision\nWAIT\n```"]
        lines = [line for action in actions for line in _lines(action, space)]
        if not lines:
            raise CannotSay("an answer needs at least one action")
        return ["```decision\nCOMMAND\n```", "```python", *lines, "```"]


def _decision(block: str | None) -> tuple[str, str]:
    """The decision and the comment about it: the word is on the last line that holds one."""
    if block is None:
        return "COMMAND", ""
    lines = block.splitlines()
    for place in range(len(lines) - 1, -1, -1):
        found = DECISION.match(lines[place].strip())
        if found:
            rest = [*lines[:place], *lines[place + 1 :]]
            return found[1], "\n".join(line.strip().lstrip("#").strip() for line in rest).strip()
    raise NotUnderstood("the decision is one of DONE, FAIL, WAIT, ASK and COMMAND, on a line of its own")


class _Computer(Gestures):
    """The functions of the `computer` module."""

    def __init__(self, space: Space, marks: Sequence[Mark]) -> None:
        super().__init__(space)
        self._marks = {mark.id: mark for mark in marks}
        self._screen = Box(0, 0, *space.screen)
        sleep = self.verbs["time.sleep"]
        mouse: dict[str, Callable[[Invocation], None]] = {
            **dict.fromkeys(("single_click", "click", "double_click", "right_click"), self._clicked),
            "move_id": self._move_id,
            "move_abs": self._move_abs,
            "scroll": self._scrolled,
            "drag": self._dragged,
        }
        self.verbs = {
            "time.sleep": sleep,
            **{f"computer.mouse.{name}": verb for name, verb in mouse.items()},
            "computer.keyboard.write": self._typed,
            "computer.keyboard.press": self._pressed,
            "computer.clipboard.copy_text": lambda call: self.add(args.made(Copy, text=args.text(bound(call, "text"), "text"))),
            "computer.clipboard.copy_image": self._copy_image,
            "computer.clipboard.paste": lambda call: self.add(Paste()),
            "computer.os.open_program": self._open,
            "computer.window_manager.switch_to_application": self._switch,
        }

    def _mark(self, number: object) -> Point:
        mark = self._marks.get(args.whole(number, "id"))
        if mark is None:
            raise NotUnderstood(f"nothing on the screen has the number {args.shown(number)}")
        visible = mark.box.within(self._screen)
        if not visible.area:
            raise NotUnderstood(f"the element with the number {mark.id} is not on the screen")
        return visible.centre

    def _move_id(self, call: Invocation) -> None:
        self.move(self._mark(bound(call, "id").get("id")), {})

    def _move_abs(self, call: Invocation) -> None:
        given = bound(call, "x", "y")
        self.move(self._space.to_screen(given.get("x"), given.get("y")), {})

    def _clicked(self, call: Invocation) -> None:
        bound(call)
        kind = call.name.rpartition(".")[2]
        self.add(Click(button="right" if kind == "right_click" else "left", count=2 if kind == "double_click" else 1))

    def _scrolled(self, call: Invocation) -> None:
        across, down = args.direction(bound(call, "dir", direction="dir"), "dir")
        self.add(Scroll(dx=across * NOTCHES, dy=down * NOTCHES))

    def _dragged(self, call: Invocation) -> None:
        given = bound(call, "x", "y")
        self.drag(self._space.to_screen(given.get("x"), given.get("y")), {})

    def _typed(self, call: Invocation) -> None:
        self.add(args.made(Type, text=args.text(bound(call, "text"), "text")))

    def _pressed(self, call: Invocation) -> None:
        keys = call.args if len(call.args) > 1 else bound(call, "key").get("key")
        if not isinstance(keys, str | list | tuple):
            raise NotUnderstood(f"press needs the name of a key, not {args.shown(keys)}")
        self.add(args.made(Key, keys=args.chord(keys)))

    def _copy_image(self, call: Invocation) -> None:
        x, y = self._mark(bound(call, "id", "description").get("id"))
        self.add(Click(x=x, y=y), (x, y))
        self.add(Copy())

    def _open(self, call: Invocation) -> None:
        given = bound(call, "program", "file", name="program")
        file = args.text(given, "file") if given.get("file") is not None else None
        self.add(args.made(OpenApp, app=args.text(given, "program"), file=file))

    def _switch(self, call: Invocation) -> None:
        self.add(args.made(FocusWindow, title=args.text(bound(call, "name", title="name"), "name")))


def _spoken(action: Ask | Done | Fail) -> list[str]:
    word, message = {"ask": "ASK", "done": "DONE", "fail": "FAIL"}[action.kind], next(iter(action.model_dump(exclude={"kind"}).values()))
    if "```" in message:
        raise CannotSay("a message cannot hold the end of a block")
    return [f"```decision\n{word}\n```", f"```message\n{message}\n```" if message else ""]


def _lines(action: Action, space: Space) -> list[str]:
    if getattr(action, "modifiers", ()):
        raise CannotSay("keys cannot be held during an action")
    match action:
        case Click(button="left", count=1 | 2) | Click(button="right", count=1):
            kind = "right_click" if action.button == "right" else ("single_click", "double_click")[action.count - 1]
            return [*_to(action, space), f"computer.mouse.{kind}()"]
        case Move():
            return _to(action, space)
        case Drag(path=(start, end), button="left"):
            return [_abs("move_abs", start, space), _abs("drag", end, space)]
        case Scroll() if abs(action.dy) + abs(action.dx) == NOTCHES and not (action.dx and action.dy):
            return [*_to(action, space), f'computer.mouse.scroll(dir="{args.directed(action)[0][0]}")']
        case Wait():
            return [f"time.sleep({action.seconds:g})"]
        case OpenApp():
            file = f", file={literal(action.file)}" if action.file is not None else ""
            return [f"computer.os.open_program({literal(action.app)}{file})"]
        case FocusWindow():
            return [f"computer.window_manager.switch_to_application({literal(action.title)})"]
    return _keyed(action)


def _keyed(action: Action) -> list[str]:
    match action:
        case Type():
            return [f"computer.keyboard.write({literal(action.text)})"]
        case Key():
            args.sayable(action.keys, "+".join(action.keys))
            return [f"computer.keyboard.press({literal('+'.join(action.keys))})"] * action.times
        case Copy(text=str() as text):
            return [f"computer.clipboard.copy_text({literal(text)})"]
        case Copy():
            return ['computer.keyboard.press("ctrl+c")']
        case Paste(text=str() as text):
            return [f"computer.clipboard.copy_text({literal(text)})", "computer.clipboard.paste()"]
        case Paste():
            return ["computer.clipboard.paste()"]
    raise CannotSay(f"there are no words for this {action.kind}")


def _to(action: Click | Move | Scroll, space: Space) -> list[str]:
    return [_abs("move_abs", (action.x, action.y), space)] if action.x is not None and action.y is not None else []


def _abs(verb: str, point: Point, space: Space) -> str:
    x, y = space.to_model(*point)
    return f"computer.mouse.{verb}(x={x}, y={y})"
