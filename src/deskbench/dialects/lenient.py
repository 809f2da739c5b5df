"""Reading what models really write: JSON with slips, keys in any spelling, numbers as text. Nothing here is ever evaluated."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from deskbench.core.action import Point
from deskbench.core.keys import key
from deskbench.dialects import arguments as args
from deskbench.dialects.dialect import CannotSay
from deskbench.dialects.space import NotUnderstood, Space

DEPTH_LIMIT = 40

_STRICT = json.JSONDecoder(strict=False)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_BARE = re.compile(r"[^\s,:=\"'{}\[\]()<>`]+")
_SPACE = re.compile(r"\s*")
_CLOSES = re.compile(r"\s*(?:[,:}\])<`]|$)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'"}
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}


def value_at(text: str, start: int, *, mend: bool = True) -> tuple[Any, int]:
    """The JSON value at a place in a text, and where it ends.

    With `mend`, also what is nearly JSON: single quotes, trailing commas, doubled braces, closing braces left out at the end.
    NotUnderstood for the rest.
    """
    start = _SPACE.match(text, start).end()  # type: ignore[union-attr]
    try:
        return _STRICT.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        if not mend:
            raise NotUnderstood(f"the JSON cannot be read: {error}"[:200]) from None
    reader = _Mender(text, start)
    return reader.value(0), reader.at


class _Mender:
    """A small reader of nearly-JSON. It never gives a string or a list that was cut off, only objects without their last braces."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at

    def _peek(self) -> str:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        return self.text[self.at : self.at + 1]

    def _wrong(self, wanted: str) -> NotUnderstood:
        seen = self.text[self.at : self.at + 20] or "the end of the answer"
        return NotUnderstood(f"the JSON cannot be read: {wanted} was expected where there is {seen!r}")

    def value(self, depth: int) -> Any:
        if depth > DEPTH_LIMIT:
            raise NotUnderstood(f"the JSON is nested more than {DEPTH_LIMIT} deep")
        mark = self._peek()
        if mark == "{":
            self.at += 1
            return self._object(depth)
        if mark and mark in "[(":
            self.at += 1
            return self._list(depth)
        if mark and mark in "\"'":
            return self.string()
        return self._bare()

    def _bare(self) -> Any:
        found = _BARE.match(self.text, self.at)
        if found is None:
            raise self._wrong("a value")
        self.at = found.end()
        word = found.group()
        if word in _WORDS:
            return _WORDS[word]
        try:
            return float(word) if len(word) < 40 else word
        except ValueError:
            return word

    def _object(self, depth: int) -> dict[str, Any]:
        if self._peek() == "{":
            inner = self.value(depth + 1)
            if self._peek() == "}":
                self.at += 1
            return inner if isinstance(inner, dict) else {}
        members: dict[str, Any] = {}
        while (mark := self._peek()) != "}":
            if mark == "," and members:
                self.at += 1
                continue
            if members and mark in ("", "<", "`"):
                return members
            name = self.string() if mark and mark in "\"'" else self._bare()
            if self._peek() not in (":", "="):
                raise self._wrong("a colon")
            self.at += 1
            members[str(name)] = self.value(depth + 1)
        self.at += 1
        return members

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        while (mark := self._peek()) not in ("]", ")"):
            if mark == "," and items:
                self.at += 1
                continue
            items.append(self.value(depth + 1))
        self.at += 1
        return items

    def string(self) -> str:
        """A string in either quote. A quote that nothing closing follows belongs to the text: models forget to escape them."""
        quote, out = self.text[self.at], []
        self.at += 1
        while self.at < len(self.text):
            here = self.text[self.at]
            if here == "\\":
                piece, self.at = unescaped(self.text, self.at)
                out.append(piece)
                continue
            self.at += 1
            if here == quote and _CLOSES.match(self.text, self.at):
                return "".join(out)
            out.append(here)
        raise NotUnderstood("the JSON cannot be read: a text has no closing quote")


def unescaped(text: str, at: int) -> tuple[str, int]:
    """What the backslash at a place stands for, and where the text goes on; a backslash of no meaning is itself."""
    mark = text[at + 1 : at + 2]
    if mark in _ESCAPES:
        return _ESCAPES[mark], at + 2
    if mark == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", text[at + 2 : at + 6]):
        return chr(int(text[at + 2 : at + 6], 16)), at + 6
    return "\\", at + 1


def place(value: Any, space: Space) -> Point | None:
    """The pixel that a pair of numbers means, however it is written; of a box, its middle. None if nothing was said."""
    while isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, Mapping):
        value = (value.get("x"), value.get("y"))
    elif isinstance(value, str):
        value = (_NUMBER.findall(value) or [value[:40]]) if value.strip() else None
    if value is None or (isinstance(value, list | tuple) and not value):
        return None
    if isinstance(value, list | tuple) and len(value) == 4:
        left, top, right, bottom = (args.number(part, "a coordinate") for part in value)
        return space.to_screen((left + right) / 2, (top + bottom) / 2)
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise NotUnderstood(f"a point is two numbers [x, y], not {args.shown(value)}")
    return space.to_screen(*value)


def needed(found: Point | None, what: str) -> Point:
    """A point that cannot be left out."""
    if found is None:
        raise NotUnderstood(f"{what} needs a point")
    return found


def at(found: Point | None) -> dict[str, int]:
    """A point as the fields of an action that may do without one."""
    return {} if found is None else {"x": found[0], "y": found[1]}


def keys(value: Any) -> tuple[str, ...]:
    """Keys pressed together: a list, or one text such as `ctrl+c`, `ctrl c`, `ctrl-alt-t`. NotUnderstood for keys that do not exist."""
    if isinstance(value, list | tuple):
        return args.chord([name for part in value for name in _split(part)])
    return args.chord(_split(value))


def _split(said: object) -> list[str]:
    if not isinstance(said, str) or len(said) > 100:
        raise NotUnderstood(f"a key is named by text, not {args.shown(said)}")
    # Some models put the whole argument into the list: ["keys=['ctrl'", "'c']"].
    text = said if len(said) <= 1 else re.sub(r"^\[(?=['\"])|(?<=['\"])\]$", "", said.strip().removeprefix("keys="))
    text = text[1:-1] if len(text) > 2 and text[0] == text[-1] and text[0] in "'\"" else text
    if _is_key(text):
        return [text]
    for separator in "+ -":
        parts = [part.strip() for part in text.split(separator)]
        if separator == "+" and text.endswith("+"):
            parts = [*filter(None, parts), "+"]
        if len(parts) > 1 and all(map(_is_key, parts)):
            return parts
    return [text]


def _is_key(name: str) -> bool:
    try:
        key(name)
    except ValueError:
        return False
    return True


def sayable(wanted: Sequence[str], said: object) -> None:
    """CannotSay unless keys that were written like this are read as the same keys."""
    try:
        heard = keys(said)
    except NotUnderstood:
        heard = ()
    if heard != tuple(wanted):
        raise CannotSay(f"there is no way to say the keys {'+'.join(wanted)}")


def split_thinking(text: str, before: str) -> tuple[str, str]:
    """What stands in think tags at the start of an answer, and the rest. The opening tag may be missing, if `before` has not come yet."""
    found = re.search(r"</think(?:ing)?>", text)
    if found is None or (not re.match(r"\s*<think(?:ing)?>", text) and before in text[: found.start()]):
        return "", text
    return re.sub(r"^\s*<think(?:ing)?>", "", text[: found.start()]).strip(), text[found.end() :]


def stored(*pieces: str) -> str:
    """Thoughts put together, as text that can be stored."""
    return "\n".join(piece.strip() for piece in pieces if piece.strip()).encode("utf-8", "replace").decode("utf-8")


def one_line(thought: str, *, without: Sequence[str] = ()) -> str:
    """A thought on one line, in which the marks of a language do not occur."""
    for mark in without:
        thought = thought.replace(mark, mark.strip("<>:"))
    return " ".join(thought.split())


LANGUAGES = {"en": "English", "zh": "Chinese", "de": "German", "fr": "French", "es": "Spanish", "ja": "Japanese"}


def language(code: str) -> str:
    """The name of a language for a prompt."""
    return LANGUAGES.get(code, code)
