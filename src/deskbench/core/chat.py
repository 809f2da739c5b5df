"""What is said between us and a model, whoever serves it: dialects write and read it, clients carry it over the wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from deskbench.core.ports import Usage

NOTHING_USED = Usage()


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture; `size` is its width and height in pixels."""

    data: bytes
    media_type: Literal["image/png", "image/jpeg", "image/webp"]
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a model thought before it spoke. `seal` is what its server wants back with it, unread."""

    text: str
    seal: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that the model calls. `native` names the server's own kind of call where it is not a plain function.

    `malformed` holds the arguments as the model wrote them where they are no JSON object; `arguments` is then empty.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    native: str = ""
    malformed: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave; it answers the call of the same id."""

    call: Call
    parts: tuple[Text | Picture, ...]
    error: bool = False


Part = Text | Picture | Thinking | Call | Result


@dataclass(frozen=True, slots=True)
class Turn:
    """One side's words. `wire` is the server's own form of an answer, for a client that must send it back unaltered."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]
    wire: Any = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model may call: a function with a JSON schema, or with `native` a tool that its server knows by itself."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    native: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked: the whole conversation so far."""

    system: str
    turns: tuple[Turn, ...]
    tools: tuple[Tool, ...] = ()
    output_tokens: int = 4096


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `stop` says why it stopped: it was done, ran out of tokens, or refused."""

    parts: tuple[Part, ...]
    stop: Literal["done", "length", "refused"] = "done"
    usage: Usage = NOTHING_USED
    wire: Any = None

    @property
    def text(self) -> str:
        """The words alone."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def thinking(self) -> str:
        return "\n".join(part.text for part in self.parts if isinstance(part, Thinking))

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(part for part in self.parts if isinstance(part, Call))
