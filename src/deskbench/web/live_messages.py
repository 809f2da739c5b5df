"""What the page of a live desktop may say: the actions that input stands for, and a few words of its own.

A message is one JSON object with a `kind`. Whatever is not in this closed union is refused with a sentence.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from deskbench.core import action as a
from deskbench.core.action import KeyName

MESSAGE_LIMIT_BYTES = 1 << 20


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Tap(_Message):
    """A key of the viewer's keyboard, down and up. As `text` it gives exactly this character, whatever is held; otherwise it joins what is held."""

    kind: Literal["tap"] = "tap"
    key: KeyName
    text: bool = False


class ReleaseAll(_Message):
    """The viewer looked away: let go of every key and button."""

    kind: Literal["release_all"] = "release_all"


class Reset(_Message):
    """Make the desktop pristine."""

    kind: Literal["reset"] = "reset"


class Shown(_Message):
    """The page has drawn an update."""

    kind: Literal["shown"] = "shown"
    update: int = Field(ge=0)


class Ping(_Message):
    """The page measures the way there and back."""

    kind: Literal["ping"] = "ping"
    stamp: float


class Watching(_Message):
    """Whether anybody sees the page at the moment; a hidden one is sent nothing."""

    kind: Literal["watching"] = "watching"
    watching: bool


Input = (
    a.Move
    | a.Click
    | a.Press
    | a.Release
    | a.Drag
    | a.Scroll
    | a.Type
    | a.Key
    | a.KeyDown
    | a.KeyUp
    | a.Copy
    | a.Paste
    | a.OpenApp
    | a.FocusWindow
    | Tap
    | ReleaseAll
    | Reset
)
Message = Annotated[Input | Shown | Ping | Watching, Field(discriminator="kind")]

MESSAGE: TypeAdapter[Message] = TypeAdapter(Message)


def parse(text: str) -> Message:
    """The message in a text, or ValueError with a sentence."""
    try:
        return MESSAGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"the page sent a message that is not understood ({where + ': ' if where else ''}{first['msg']}); reload it") from None
