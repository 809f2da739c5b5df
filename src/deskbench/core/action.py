"""What an agent can do: a closed union.

Coordinates are screen pixels with the origin at the top left; any other coordinate space is a dialect's
business. An action is data: it round-trips through JSON and never carries code.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from deskbench.core.keys import MODIFIERS, key

Button = Literal["left", "middle", "right", "back", "forward"]
Pixel = Annotated[int, Field(ge=0, le=32767)]
Point = tuple[Pixel, Pixel]
KeyName = Annotated[str, BeforeValidator(key)]


def _modifier(name: str) -> str:
    canonical = key(name)
    if canonical.removesuffix("_right") not in MODIFIERS:
        raise ValueError(f"{name!r} is not a modifier; use one of {', '.join(MODIFIERS)}")
    return canonical


Modifier = Annotated[str, BeforeValidator(_modifier)]


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Pointed(_Action):
    x: Pixel | None = None
    y: Pixel | None = None

    @model_validator(mode="after")
    def _whole_point(self) -> Self:
        if (self.x is None) != (self.y is None):
            raise ValueError("give both x and y, or neither to act where the pointer is")
        return self


class Move(_Action):
    """Move the pointer, gliding for `seconds` where that is asked for."""

    kind: Literal["move"] = "move"
    x: Pixel
    y: Pixel
    seconds: float = Field(0.0, ge=0, le=30)


class Click(_Pointed):
    """Click a button `count` times; without a point, where the pointer is."""

    kind: Literal["click"] = "click"
    button: Button = "left"
    count: int = Field(1, ge=1, le=5)
    modifiers: tuple[Modifier, ...] = ()


class Press(_Pointed):
    """Press a mouse button and hold it."""

    kind: Literal["press"] = "press"
    button: Button = "left"


class Release(_Pointed):
    """Release a mouse button."""

    kind: Literal["release"] = "release"
    button: Button = "left"


class Drag(_Action):
    """Hold a button along a path of at least two points."""

    kind: Literal["drag"] = "drag"
    path: tuple[Point, ...] = Field(min_length=2, max_length=1000)
    button: Button = "left"
    seconds: float = Field(0.3, ge=0, le=30)
    modifiers: tuple[Modifier, ...] = ()


class Scroll(_Pointed):
    """Turn the wheel: `dy` notches down, `dx` notches to the right; negative is up and left."""

    kind: Literal["scroll"] = "scroll"
    dx: int = Field(0, ge=-200, le=200)
    dy: int = Field(0, ge=-200, le=200)
    modifiers: tuple[Modifier, ...] = ()


class Type(_Action):
    """Type text, any Unicode; a line break presses Enter."""

    kind: Literal["type"] = "type"
    text: str = Field(max_length=100_000)


class Key(_Action):
    """Press keys together, in order, and let them go; `times` over."""

    kind: Literal["key"] = "key"
    keys: tuple[KeyName, ...] = Field(min_length=1, max_length=8)
    times: int = Field(1, ge=1, le=100)


class KeyDown(_Action):
    """Hold a key down until `key_up`."""

    kind: Literal["key_down"] = "key_down"
    key: KeyName


class KeyUp(_Action):
    """Let a held key go."""

    kind: Literal["key_up"] = "key_up"
    key: KeyName


class Wait(_Action):
    """Let the applications work for `seconds`, or until the screen has changed and come to rest."""

    kind: Literal["wait"] = "wait"
    seconds: float = Field(1.0, ge=0, le=60)


class Copy(_Action):
    """Put `text` on the clipboard; without a text, press the copy chord."""

    kind: Literal["copy"] = "copy"
    text: str | None = None


class Paste(_Action):
    """Paste: `text` where it is given, otherwise what the clipboard holds."""

    kind: Literal["paste"] = "paste"
    text: str | None = None


class OpenApp(_Action):
    """Start an application by its name, with a file where one is given."""

    kind: Literal["open_app"] = "open_app"
    app: str
    file: str | None = None


class FocusWindow(_Action):
    """Bring the window whose title contains `title` to the front."""

    kind: Literal["focus_window"] = "focus_window"
    title: str = Field(min_length=1)


class Ask(_Action):
    """Ask the user something; the desktop is not touched."""

    kind: Literal["ask"] = "ask"
    question: str


class Done(_Action):
    """Say that the job is finished, with an answer where one was asked for."""

    kind: Literal["done"] = "done"
    answer: str = ""


class Fail(_Action):
    """Say that the job cannot be done, and why."""

    kind: Literal["fail"] = "fail"
    reason: str = ""


class Shell(_Action):
    """Run a command in a shell inside the desktop, where the exam grants one."""

    kind: Literal["shell"] = "shell"
    command: str = Field(min_length=1, max_length=100_000)
    seconds: float = Field(30.0, gt=0, le=120)


class ReadFile(_Action):
    """Read a text file inside the desktop, where the exam grants it."""

    kind: Literal["read_file"] = "read_file"
    path: str = Field(min_length=1, max_length=4096)


class WriteFile(_Action):
    """Write a text file inside the desktop, where the exam grants it."""

    kind: Literal["write_file"] = "write_file"
    path: str = Field(min_length=1, max_length=4096)
    text: str = Field(max_length=1_000_000)


Action = Annotated[
    Move
    | Click
    | Press
    | Release
    | Drag
    | Scroll
    | Type
    | Key
    | KeyDown
    | KeyUp
    | Wait
    | Copy
    | Paste
    | OpenApp
    | FocusWindow
    | Ask
    | Done
    | Fail
    | Shell
    | ReadFile
    | WriteFile,
    Field(discriminator="kind"),
]

SPOKEN = (Ask, Done, Fail)
"""Actions said to the user or the examiner; a desktop never sees them."""

ToolUse = Shell | ReadFile | WriteFile
TOOLS = (Shell, ReadFile, WriteFile)
"""Actions beside the desktop; a desktop never sees them either, and they are counted apart."""

ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def points(action: Action) -> tuple[Point, ...]:
    """Every screen point that an action names."""
    if isinstance(action, Drag):
        return action.path
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    return ((x, y),) if x is not None and y is not None else ()
