"""Dialects of code: what they share. An answer holds a block of pyautogui-like Python, which is read (`code`), given its meaning (`gestures`) and
written here."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import ClassVar

from deskbench.core.action import (
    SPOKEN,
    Action,
    Ask,
    Click,
    Copy,
    Done,
    Drag,
    Fail,
    Key,
    KeyDown,
    KeyUp,
    Move,
    Paste,
    Press,
    Release,
    Scroll,
    Type,
    Wait,
)
from deskbench.core.chat import Reply
from deskbench.core.observation import Mark
from deskbench.dialects import arguments as args
from deskbench.dialects.code import invocations
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.gestures import KEYS, Gestures, key_named
from deskbench.dialects.space import NotUnderstood, Space

FENCE = re.compile(r"```[ \t]*((?:python|py|code)\b|(?!WAIT|DONE|FAIL)[A-Za-z0-9_+-]*(?=[ \t]*\n)|)(.*?)(?:```|\Z)", re.DOTALL)
BARE = re.compile(
    r"^[ \t]*(?:pyautogui\.|pyperclip\.|computer\.|time\.sleep|import |from |call_user\(|ask_user\(|done\(|fail\(|(?:DONE|FAIL|WAIT)[ \t]*$)", re.M
)

SPELLED = {
    "page_up": "pageup", "page_down": "pagedown", "print_screen": "printscreen", "caps_lock": "capslock", "num_lock": "numlock",
    "scroll_lock": "scrolllock", "ctrl_right": "ctrlright", "shift_right": "shiftright", "alt_right": "altright", "super": "win",
    "super_right": "winright", "menu": "apps", **{canonical: name for name, canonical in KEYS.items() if canonical.startswith("kp_")},
}  # fmt: skip


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of an answer: what each is marked as, and what it holds. One that is not closed goes on to the end."""
    return [(match[1].lower(), textwrap.dedent(match[2].lstrip(" \t").removeprefix("\n"))) for match in FENCE.finditer(text)]


class CodeDialect(Dialect):
    """A dialect whose answers hold a program."""

    last_block: ClassVar[bool] = False
    """Whether only the last of several blocks counts, rather than all of them in order."""

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        code, said = self.code_of(reply)
        gestures = self.gestures(space, marks)
        actions = gestures.perform(invocations(code, space.extent))
        if not actions:
            raise NotUnderstood("the code does nothing")
        return Parsed(actions, "\n".join(part for part in (reply.thinking.strip(), said.strip()) if part))

    def gestures(self, space: Space, marks: Sequence[Mark]) -> Gestures:
        """What this dialect's programs may call."""
        gestures = Gestures(space)
        gestures.verbs |= {
            "computer.terminate": gestures.terminate,
            "computer.triple_click": gestures.triple_click,
            "computer.tripleClick": gestures.triple_click,
            **dict.fromkeys(("call_user", "ask_user", "computer.call_user"), gestures.ask),
        }
        return gestures

    def code_of(self, reply: Reply) -> tuple[str, str]:
        """The program of an answer and the words around it."""
        text = reply.text
        found = [body for language, body in blocks(text) if language in ("", "python", "py", "code")]
        if found:
            said = FENCE.sub("", text)
            return (found[-1] if self.last_block else "\n".join(found)), said
        bare = BARE.search(text)
        if bare is None:
            cut = "; your answer was cut off" if reply.stop == "length" else ""
            raise NotUnderstood(f"there is no code in your answer{cut}; write a block between ```python and ```")
        return text[bare.start() :], text[: bare.start()]

    def program(self, actions: Sequence[Action], space: Space) -> str:
        """The program that does this; CannotSay for what the language lacks."""
        lines = [line for action in actions for line in self.lines(action, space)]
        if not lines:
            raise CannotSay("an answer needs at least one action")
        return "\n".join(lines)

    def lines(self, action: Action, space: Space) -> list[str]:
        """The lines that do one thing."""
        if isinstance(action, SPOKEN):
            return [self.spoken(action)]
        held = getattr(action, "modifiers", ())
        downs = [f"pyautogui.keyDown({spelled(name)})" for name in held]
        ups = [f"pyautogui.keyUp({spelled(name)})" for name in reversed(held)]
        return [line for group in _bare_lines(action, space) for line in (*downs, *group, *ups)]

    def spoken(self, action: Ask | Done | Fail) -> str:
        """The line that says something to the user."""
        match action:
            case Ask():
                return f"call_user(question={literal(action.question)})"
            case Done():
                return f"computer.terminate(status='success'{_answer(action.answer)})"
        return f"computer.terminate(status='failure'{_answer(action.reason)})"


def _answer(text: str) -> str:
    return f", answer={literal(text)}" if text else ""


def literal(text: str) -> str:
    """A text as Python writes it, without anything that would end a block."""
    return repr(text).replace("`", "\\x60")


def spelled(name: str) -> str:
    """A key as pyautogui writes it."""
    said = SPELLED.get(name, name)
    if key_named(said) != name:
        raise CannotSay(f"pyautogui has no name for the key {name}")
    return repr(said).replace("`", "\\x60")


def place(action: Click | Press | Release | Scroll | Move, space: Space) -> str:
    """The arguments that say where."""
    if action.x is None or action.y is None:
        return ""
    x, y = space.to_model(action.x, action.y)
    return f"x={x}, y={y}"


def _bare_lines(action: Action, space: Space) -> list[list[str]]:
    """The lines of an action without its modifiers; each group needs them anew."""
    if getattr(action, "button", "left") not in ("left", "middle", "right"):
        raise CannotSay(f"pyautogui has no {getattr(action, 'button', '')} button")
    match action:
        case Click():
            return [[_click(action, space)]]
        case Press() | Release():
            button = [f"button={action.button!r}"] if action.button != "left" else []
            return [[f"pyautogui.mouse{'Down' if isinstance(action, Press) else 'Up'}({_arguments(place(action, space), *button)})"]]
        case Move():
            return [[f"pyautogui.moveTo({_arguments(place(action, space), _duration(action.seconds))})"]]
        case Drag():
            return [_drag(action, space)]
        case Scroll():
            return _scrolls(action, space)
        case Type():
            return [[f"pyautogui.write({literal(action.text)})"]]
        case Wait():
            return [[f"time.sleep({action.seconds:g})"]]
    return [_keys(action)]


def _keys(action: Action) -> list[str]:
    match action:
        case Key(keys=(name,)):
            return [f"pyautogui.press({_arguments(spelled(name), f'presses={action.times}' if action.times > 1 else '')})"]
        case Key():
            args.sayable(action.keys, action.keys)
            return [f"pyautogui.hotkey({', '.join(spelled(name) for name in action.keys)})"] * action.times
        case KeyDown():
            return [f"pyautogui.keyDown({spelled(action.key)})"]
        case KeyUp():
            return [f"pyautogui.keyUp({spelled(action.key)})"]
        case Copy() | Paste():
            chord = f"pyautogui.hotkey('ctrl', {'c' if isinstance(action, Copy) else 'v'!r})"
            copied = [f"pyperclip.copy({literal(action.text)})"] if action.text is not None else []
            return copied if copied and isinstance(action, Copy) else [*copied, chord]
    raise CannotSay(f"pyautogui has no words for {action.kind}")


def _click(action: Click, space: Space) -> str:
    names = {("left", 1): "click", ("left", 2): "doubleClick", ("left", 3): "tripleClick", ("right", 1): "rightClick", ("middle", 1): "middleClick"}
    name = names.get((action.button, action.count))
    if name is not None:
        return f"pyautogui.{name}({place(action, space)})"
    return f"pyautogui.click({_arguments(place(action, space), f'clicks={action.count}', f'button={action.button!r}')})"


def _drag(action: Drag, space: Space) -> list[str]:
    button = f"button={action.button!r}"
    first, *others = (space.to_model(*point) for point in action.path)
    begin = f"pyautogui.moveTo(x={first[0]}, y={first[1]})"
    if len(others) == 1:
        (x, y) = others[0]
        return [begin, f"pyautogui.dragTo({_arguments(f'x={x}, y={y}', _duration(action.seconds), button)})"]
    each = _duration(round(action.seconds / len(others), 3))
    moves = [f"pyautogui.moveTo({_arguments(f'x={x}, y={y}', each)})" for x, y in others]
    return [begin, f"pyautogui.mouseDown({button})", *moves, f"pyautogui.mouseUp({button})"]


def _scrolls(action: Scroll, space: Space) -> list[list[str]]:
    turns = [("scroll", -action.dy)] * bool(action.dy or not action.dx) + [("hscroll", action.dx)] * bool(action.dx)
    return [[f"pyautogui.{name}({_arguments(str(amount), place(action, space))})"] for name, amount in turns]


def _duration(seconds: float) -> str:
    return f"duration={seconds:g}" if seconds else ""


def _arguments(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
