"""What a tool-calling agent can do at a seat, as plain functions that give an action: one vocabulary for every door.

A door makes its tools from these signatures and docstrings. Coordinates are screen pixels from the top left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from deskbench.core import action as a
from deskbench.core.observation import Message, Observation

Hand = Callable[..., a.Action]


def screenshot() -> a.Action:
    """Look at the screen without doing anything."""
    return a.Wait(seconds=0)


def click(x: int, y: int, button: Literal["left", "middle", "right"] = "left", count: int = 1, modifiers: str = "") -> a.Action:
    """Click at a point.

    Args:
        x: pixels from the left edge
        y: pixels from the top edge
        button: which mouse button
        count: 2 for a double click, 3 for a triple click
        modifiers: keys held meanwhile, such as ctrl or ctrl+shift
    """
    return a.Click(x=x, y=y, button=button, count=count, modifiers=_keys(modifiers))


def move(x: int, y: int) -> a.Action:
    """Move the pointer to a point.

    Args:
        x: pixels from the left edge
        y: pixels from the top edge
    """
    return a.Move(x=x, y=y)


def drag(x: int, y: int, to_x: int, to_y: int, modifiers: str = "") -> a.Action:
    """Press the left button at one point and release it at another.

    Args:
        x: where to press, pixels from the left edge
        y: where to press, pixels from the top edge
        to_x: where to release, pixels from the left edge
        to_y: where to release, pixels from the top edge
        modifiers: keys held meanwhile, such as shift
    """
    return a.Drag(path=((x, y), (to_x, to_y)), modifiers=_keys(modifiers))


def scroll(x: int, y: int, down: int = 0, right: int = 0) -> a.Action:
    """Turn the mouse wheel over a point.

    Args:
        x: pixels from the left edge
        y: pixels from the top edge
        down: notches down; negative is up
        right: notches to the right; negative is to the left
    """
    return a.Scroll(x=x, y=y, dy=down, dx=right)


def type_text(text: str) -> a.Action:
    """Type text where the keyboard is; a line break presses Enter.

    Args:
        text: what to type
    """
    return a.Type(text=text)


def press_keys(keys: str, times: int = 1) -> a.Action:
    """Press a key or a chord.

    Args:
        keys: such as enter, ctrl+s or ctrl+shift+e
        times: how often
    """
    return a.Key(keys=_keys(keys), times=times)


def wait(seconds: float = 1.0) -> a.Action:
    """Let the applications work.

    Args:
        seconds: at most so long; it ends as soon as the screen has changed and come to rest
    """
    return a.Wait(seconds=seconds)


def open_app(app: str, file: str = "") -> a.Action:
    """Start one of the task's applications.

    Args:
        app: its name
        file: a file to open with it
    """
    return a.OpenApp(app=app, file=file or None)


def focus_window(title: str) -> a.Action:
    """Bring a window to the front.

    Args:
        title: part of its title
    """
    return a.FocusWindow(title=title)


def ask_user(question: str) -> a.Action:
    """Ask the client something about the job.

    Args:
        question: what you need to know
    """
    return a.Ask(question=question)


def finish(answer: str = "") -> a.Action:
    """Say that the job is finished.

    Args:
        answer: what was asked for, if the job was a question
    """
    return a.Done(answer=answer)


def give_up(reason: str) -> a.Action:
    """Say that the job cannot be done.

    Args:
        reason: why not
    """
    return a.Fail(reason=reason)


HANDS: tuple[Hand, ...] = (
    screenshot, click, move, drag, scroll, type_text, press_keys, wait, open_app, focus_window, ask_user, finish, give_up,
)  # fmt: skip


def run_command(command: str, seconds: float = 30.0) -> a.Action:
    """Run a command in a shell inside the desktop.

    Args:
        command: what bash runs, from the home folder
        seconds: at most so long
    """
    return a.Shell(command=command, seconds=seconds)


def read_file(path: str) -> a.Action:
    """Read a text file inside the desktop.

    Args:
        path: such as ~/Documents/notes.txt
    """
    return a.ReadFile(path=path)


def write_file(path: str, text: str) -> a.Action:
    """Write a text file inside the desktop.

    Args:
        path: such as ~/Documents/notes.txt
        text: all of its content
    """
    return a.WriteFile(path=path, text=text)


TOOL_HANDS: dict[str, tuple[Hand, ...]] = {"shell": (run_command,), "files": (read_file, write_file)}


def hands_for(granted: Iterable[str]) -> tuple[Hand, ...]:
    """The hands at the desktop, and the tools that are granted beside it."""
    return (*HANDS, *(hand for group in granted for hand in TOOL_HANDS[group]))


def _keys(chord: str) -> tuple[str, ...]:
    """The keys of `ctrl+shift+e`; a plus at the end is the plus key itself."""
    if not chord:
        return ()
    if chord.endswith("+"):
        return (*_keys(chord[:-1].removesuffix("+")), "+")
    return tuple(part.strip() for part in chord.split("+"))


def told(look: Observation, known: int) -> tuple[str, tuple[Message, ...]]:
    """What to tell an agent beside the picture: how its action went, and what was said since it knew of `known` messages."""
    news = look.messages[known:]
    refused = next((outcome for outcome in look.outcomes if outcome), "")
    said = [f"The client says: {message.text}" if message.by == "user" else message.text for message in news if message.by == "user" or not refused]
    where = f"The front window is {look.focused.title!r}." if look.focused is not None else "No window is in front."
    return "\n".join([f"Not done: {refused}" if refused else "Done.", *said, where]), news
