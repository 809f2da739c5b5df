"""The steps of a task: what setup does before the agent sits down, and how the expert goes about the job.

Both are lists of small mappings in YAML; a mapping's first key says what kind of step it is.

    setup:
      - put: {poster.svg: ~/Documents/poster.svg}
      - launch: {app: inkscape, open: ~/Documents/poster.svg}
    procedure:
      - do: Save the drawing
        by: [{key: ctrl+s}, {wait_for: {no_window: Save}}]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

from deskbench.core.action import Button, KeyName, Modifier
from deskbench.core.evidence import HOME_IN_DESKTOP


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, coerce_numbers_to_str=True)


def _below_home(text: str) -> str:
    if not text.startswith("~/") and not text.startswith(HOME_IN_DESKTOP + "/"):
        raise ValueError(f"{text!r} is not a path below the home; write it as ~/Documents/file")
    relative = text.removeprefix("~/").removeprefix(HOME_IN_DESKTOP + "/")
    if ".." in PurePosixPath(os.path.normpath(relative)).parts or os.path.normpath(relative) == ".":
        raise ValueError(f"{text!r} leads out of the home")
    return f"~/{os.path.normpath(relative)}"


InHome = Annotated[str, AfterValidator(_below_home)]
Asset = Annotated[str, Field(min_length=1)]
"""A file beside the task, relative to its folder."""


# Conditions


class Seen(_Model):
    """An accessible element by role and name; the `nth` of several."""

    role: str | None = None
    name: str | None = None
    contains: str | None = None
    """A part of the name instead of the whole."""
    nth: int = 1
    """Which of several, from 1; negative counts from the last."""
    window: str | None = None
    """Only elements that lie in the window with this in its title."""
    value: str | None = None
    state: str | None = None

    @model_validator(mode="after")
    def _says_which(self) -> Self:
        if all(part is None for part in (self.role, self.name, self.contains, self.value)):
            raise ValueError("say which element: its role, its name, or a part of its name as contains")
        if self.nth == 0:
            raise ValueError("nth counts from 1")
        return self


class Condition(_Model):
    """What is waited for; exactly one of these."""

    window: str | None = None
    no_window: str | None = None
    focused: str | None = None
    element: Seen | None = None
    no_element: Seen | None = None
    file: InHome | None = None
    port: int | None = Field(default=None, ge=1, le=65535)
    quiet: float | None = Field(default=None, gt=0, le=60)
    """In setup: the screen stood still so many seconds. In a procedure: what was done last has come to rest."""
    seconds: float = Field(default=20.0, gt=0, le=300)
    """The limit."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        named = [name for name in type(self).model_fields if name != "seconds" and getattr(self, name) is not None]
        if len(named) != 1:
            raise ValueError("wait for exactly one of window, no_window, focused, element, no_element, file, port, quiet")
        return self


# Setup


class Put(_Model):
    put: dict[Asset, InHome] = Field(min_length=1)


class Unpack(_Model):
    unpack: dict[Asset, InHome] = Field(min_length=1)


class Write(_Model):
    write: dict[InHome, str] = Field(min_length=1)


class LaunchWhat(_Model):
    app: str
    open: InHome | None = None
    args: tuple[str, ...] = ()
    title: str | None = None
    """What the window's title contains, where the application's own condition does not fit."""


class Launch(_Model):
    launch: Annotated[LaunchWhat, BeforeValidator(lambda value: {"app": value} if isinstance(value, str) else value)]


class Run(_Model):
    run: Annotated[tuple[str, ...], Field(min_length=1)]
    seconds: float = Field(default=30.0, gt=0, le=300)


class WaitUntil(_Model):
    wait_until: Condition


class Focus(_Model):
    focus: str = Field(min_length=1)


class Tab(_Model):
    tab: str = Field(min_length=1)
    """An address for the browser of the task."""


class Letter(_Model):
    from_: str = Field(alias="from")
    to: str = "alex.reed@example.com"
    subject: str
    body: str
    date: str = "Mon, 02 Mar 2026 09:00:00 +0000"
    attach: tuple[Asset, ...] = ()


class Mail(_Model):
    mail: Letter


class Person(_Model):
    name: str = Field(min_length=1)
    email: str = Field(pattern=r"^[^@\s]+@[^@\s]+$")
    organisation: str = ""
    role: str = ""
    phone: str = ""


class Contacts(_Model):
    """People in the address book of the task's mail program."""

    contacts: tuple[Person, ...] = Field(min_length=1)


class Event(_Model):
    """An appointment, in the desktop's own time (UTC)."""

    title: str = Field(min_length=1)
    start: datetime
    end: datetime
    location: str = ""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"{self.title!r} ends before it starts")
        return self


class Events(_Model):
    """Appointments in the calendar of the task's mail program."""

    events: tuple[Event, ...] = Field(min_length=1)


class Serve(_Model):
    """A web site inside the desktop, on its loopback: a folder, or several laid over one another.

    Collections in its `data/*.json` can be changed by forms; they lie in ~/.pages/PORT/data.
    """

    serve: Annotated[tuple[Asset, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value), Field(min_length=1)]
    port: int = Field(default=8000, ge=1024, le=65535)


_SETUP = {"put": Put, "unpack": Unpack, "write": Write, "launch": Launch, "run": Run, "wait_until": WaitUntil, "focus": Focus,
          "tab": Tab, "mail": Mail, "contacts": Contacts, "events": Events, "serve": Serve}  # fmt: skip


def _which(kinds: Mapping[str, type]) -> Discriminator:
    def kind(value: Any) -> str | None:
        if isinstance(value, BaseModel):
            return next((name for name, model in kinds.items() if type(value) is model), None)
        if isinstance(value, Mapping):
            return next((str(key) for key in value if key in kinds), str(next(iter(value), "")))
        return None

    return Discriminator(
        kind,
        custom_error_type="unknown_step",
        custom_error_message=f"a step is one of {', '.join(kinds)}",
    )


SetupStep = Annotated[
    Annotated[Put, Tag("put")]
    | Annotated[Unpack, Tag("unpack")]
    | Annotated[Write, Tag("write")]
    | Annotated[Launch, Tag("launch")]
    | Annotated[Run, Tag("run")]
    | Annotated[WaitUntil, Tag("wait_until")]
    | Annotated[Focus, Tag("focus")]
    | Annotated[Tab, Tag("tab")]
    | Annotated[Mail, Tag("mail")]
    | Annotated[Contacts, Tag("contacts")]
    | Annotated[Events, Tag("events")]
    | Annotated[Serve, Tag("serve")],
    _which(_SETUP),
]


# Procedure


class Target(_Model):
    """Where on the screen: an element, a text that OCR finds, a point in a window, or a bare point. `dx`, `dy` shift it."""

    element: Seen | None = None
    text: str | None = None
    window: str | None = None
    x: float | None = None
    y: float | None = None
    dx: int = 0
    dy: int = 0

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        point = self.x is not None and self.y is not None
        if (self.x is None) != (self.y is None):
            raise ValueError("give both x and y")
        if sum((self.element is not None, self.text is not None, point)) != 1:
            raise ValueError(
                "say where: element: {role, name}, text: ..., or x and y (with window: to count from its corner; 0 to 1 is a share of it)"
            )
        if self.window is not None and not point:
            raise ValueError("window goes with x and y")
        return self


def _target(value: Any) -> Any:
    """Short forms: [x, y] is a point, a mapping with role, name or contains is an element."""
    if isinstance(value, list | tuple) and len(value) == 2:
        return {"x": value[0], "y": value[1]}
    if isinstance(value, Mapping) and {"role", "name", "contains"} & set(value):
        element = {key: inner for key, inner in value.items() if key in Seen.model_fields}
        rest = {key: inner for key, inner in value.items() if key not in element}
        return {"element": element, **rest}
    return value


Where = Annotated[Target, BeforeValidator(_target)]


def _keys(value: Any) -> Any:
    """`ctrl+shift+s` is a chord; a lone + is the key itself."""
    if isinstance(value, str):
        if value.endswith("+"):
            return [*filter(None, value[:-1].split("+")), "+"]
        return value.split("+")
    return value


class PressKeys(_Model):
    key: Annotated[tuple[KeyName, ...], BeforeValidator(_keys), Field(min_length=1)]
    times: int = Field(default=1, ge=1, le=100)


class TypeText(_Model):
    type: str


class ClickOn(_Model):
    click: Where
    button: Button = "left"
    count: int = Field(default=1, ge=1, le=5)
    modifiers: tuple[Modifier, ...] = ()


class MoveTo(_Model):
    move: Where


class DragWhat(_Model):
    from_: Where = Field(alias="from")
    to: Where
    seconds: float = Field(default=0.4, ge=0, le=10)
    button: Button = "left"
    modifiers: tuple[Modifier, ...] = ()


class DragIt(_Model):
    drag: DragWhat


class ScrollWhat(_Model):
    at: Where
    dx: int = 0
    dy: int = 0


class ScrollAt(_Model):
    scroll: ScrollWhat


class WaitFor(_Model):
    wait_for: Condition

    @model_validator(mode="after")
    def _shows_on_the_screen(self) -> Self:
        unseen = [name for name in ("file", "port") if getattr(self.wait_for, name) is not None]
        if unseen:
            raise ValueError(f"an expert sees the screen, not a {unseen[0]}; wait for a window or an element")
        return self


class PasteText(_Model):
    paste: str | None = None


class CopyText(_Model):
    copy_: str | None = Field(default=None, alias="copy")


class OpenIt(_Model):
    open_app: Annotated[LaunchWhat, BeforeValidator(lambda value: {"app": value} if isinstance(value, str) else value)]


class FocusOn(_Model):
    focus: str = Field(min_length=1)


class SayDone(_Model):
    done: str


class SayFail(_Model):
    fail: str


class AskUser(_Model):
    ask: str


_HINTS = {"key": PressKeys, "type": TypeText, "click": ClickOn, "move": MoveTo, "drag": DragIt, "scroll": ScrollAt, "wait_for": WaitFor,
          "paste": PasteText, "copy": CopyText, "open_app": OpenIt, "focus": FocusOn, "done": SayDone, "fail": SayFail, "ask": AskUser}  # fmt: skip

Hint = Annotated[
    Annotated[PressKeys, Tag("key")]
    | Annotated[TypeText, Tag("type")]
    | Annotated[ClickOn, Tag("click")]
    | Annotated[MoveTo, Tag("move")]
    | Annotated[DragIt, Tag("drag")]
    | Annotated[ScrollAt, Tag("scroll")]
    | Annotated[WaitFor, Tag("wait_for")]
    | Annotated[PasteText, Tag("paste")]
    | Annotated[CopyText, Tag("copy")]
    | Annotated[OpenIt, Tag("open_app")]
    | Annotated[FocusOn, Tag("focus")]
    | Annotated[SayDone, Tag("done")]
    | Annotated[SayFail, Tag("fail")]
    | Annotated[AskUser, Tag("ask")],
    _which(_HINTS),
]


class ProcedureStep(_Model):
    """One step of the expert's way: in words, and by actions that survive small differences."""

    do: str = Field(min_length=3)
    by: tuple[Hint, ...] = Field(min_length=1)
    reaches: str | None = None
    optional: bool = False
    phase: str | None = None
    """The phase that must have opened before this step: the expert makes it open, or waits for it."""


Habit = Literal["never_asks", "ignores_message", "restarts"]


class Variation(_Model):
    """The procedure done another way: steps by their number, from 1, with other hints in their place; an empty list leaves a step out.

    A near miss names the check that must catch it; an alternative must pass.
    """

    says: str = Field(min_length=8)
    replace: dict[int, tuple[Hint, ...]] = Field(min_length=1)
    fails: str | None = None
    plays: Habit | None = None
    """The habit of some agents that this variation plays; `--agent never_asks` then does this."""

    def of(self, procedure: Sequence[ProcedureStep]) -> tuple[ProcedureStep, ...]:
        """The varied procedure."""
        varied = (
            step.model_copy(update={"by": self.replace[number]}) if number in self.replace else step for number, step in enumerate(procedure, 1)
        )
        return tuple(step for step in varied if step.by)
