"""What a task expects of a value: numbers with a tolerance, texts, colours. Written short or long in YAML.

size: 48                        exactly (numbers: to a billionth)
size: {is: 48, within: 0.5}     with a tolerance
size: {at_least: 3, at_most: 5}
name: Title                     exactly
name: {contains: Tit}           also: is, matches (a regular expression), one_of, not; any_case: true
fill: "#ff0000"                 within 2 of 255 a channel; {is: "#ff0000", within: 12}
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from deskbench.checks.evidence import home_path

HomePath = Annotated[str, BeforeValidator(home_path)]
"""A file below the home, as an argument of a check: it is taken into the evidence even if nobody changed it."""


class _Expectation(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Number(_Expectation):
    """A number, with a tolerance or between bounds."""

    is_: float | None = Field(None, alias="is")
    within: float = Field(1e-9, ge=0)
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.is_ is None and self.at_least is None and self.at_most is None:
            raise ValueError("say which number is expected: a number, {is: 48, within: 0.5} or {at_least: 3, at_most: 5}")
        return self

    def holds(self, value: float | None) -> bool:
        """Whether a value is as expected; a missing value never is."""
        if value is None or value != value:
            return False
        if self.is_ is not None and abs(value - self.is_) > self.within:
            return False
        if self.at_least is not None and value < self.at_least:
            return False
        return self.at_most is None or value <= self.at_most

    def __str__(self) -> str:
        said = [f"{self.is_:g}" + (f" within {self.within:g}" if self.within > 1e-9 else "")] if self.is_ is not None else []
        said += [f"at least {self.at_least:g}"] if self.at_least is not None else []
        said += [f"at most {self.at_most:g}"] if self.at_most is not None else []
        return " and ".join(said)


class Text(_Expectation):
    """A text, whole or in part."""

    is_: str | None = Field(None, alias="is")
    contains: str | tuple[str, ...] | None = None
    matches: str | None = None
    one_of: tuple[str, ...] | None = None
    not_: str | tuple[str, ...] | None = Field(None, alias="not")
    any_case: bool = False

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if all(part is None for part in (self.is_, self.contains, self.matches, self.one_of, self.not_)):
            raise ValueError("say which text is expected: a text, or {contains: ...}, {matches: ...}, {one_of: [...]}, {not: ...}")
        if self.matches is not None:
            try:
                re.compile(self.matches)
            except re.error as error:
                raise ValueError(f"{self.matches!r} is not a regular expression: {error}") from None
        return self

    def holds(self, value: str | None) -> bool:
        """Whether a text is as expected; a missing one never is. `not` forbids texts that occur anywhere in it."""
        if value is None:
            return False

        def fold(text: str) -> str:
            return text.casefold() if self.any_case else text

        seen = fold(value)
        if self.is_ is not None and seen != fold(self.is_):
            return False
        if any(fold(part) not in seen for part in _several(self.contains)):
            return False
        if self.matches is not None and not re.search(self.matches, value, re.IGNORECASE if self.any_case else 0):
            return False
        if self.one_of is not None and seen not in [fold(choice) for choice in self.one_of]:
            return False
        return not any(fold(part) in seen for part in _several(self.not_))

    def __str__(self) -> str:
        said = [repr(self.is_)] if self.is_ is not None else []
        said += [f"a text with {part!r}" for part in _several(self.contains)]
        said += [f"a text matching {self.matches!r}"] if self.matches is not None else []
        said += [f"one of {', '.join(map(repr, self.one_of))}"] if self.one_of is not None else []
        said += [f"a text without {part!r}" for part in _several(self.not_)]
        return " and ".join(said)


class Colour(_Expectation):
    """A colour, with a tolerance a channel."""

    is_: str = Field(alias="is", pattern=r"^#[0-9a-fA-F]{6}$")
    within: int = Field(2, ge=0, le=255)

    @property
    def rgb(self) -> tuple[int, int, int]:
        return int(self.is_[1:3], 16), int(self.is_[3:5], 16), int(self.is_[5:7], 16)

    def holds(self, value: tuple[int, ...] | None) -> bool:
        """Whether red, green and blue are each near enough."""
        return value is not None and all(abs(a - b) <= self.within for a, b in zip(self.rgb, value[:3], strict=True))

    def __str__(self) -> str:
        return self.is_ + (f" within {self.within}" if self.within > 2 else "")


def _several(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _short(value: Any) -> Any:
    """A bare value stands for {is: value}; YAML reads some texts as numbers, which a text expectation takes back."""
    return value if isinstance(value, dict | BaseModel) else {"is": value}


def _short_text(value: Any) -> Any:
    if isinstance(value, bool | int | float):
        value = str(value)
    return _short(value)


Num = Annotated[Number, BeforeValidator(_short)]
Txt = Annotated[Text, BeforeValidator(_short_text)]
Col = Annotated[Colour, BeforeValidator(_short)]
