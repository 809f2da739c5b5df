"""Lines such as `click(point='<point>10 20</point>')`: a small grammar of calls with named values, read by hand and never evaluated.

    calls  = call { newlines call }
    call   = name "(" [ value { "," value } ] ")"
    value  = [ name "=" ] ( 'text' | "text" | bare )

In a text, a backslash escapes quotes, backslashes and line breaks. A quote that neither a comma with a name nor the closing bracket follows
belongs to the text, because models forget to escape it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from deskbench.dialects.lenient import unescaped
from deskbench.dialects.space import NotUnderstood

_SPACE = re.compile(r"\s*")
_START = re.compile(r"[\s;`]*([A-Za-z_]\w*)[ \t]*\(")
_NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*")
_ENDS = re.compile(r"\s*(?:\)|,\s*[A-Za-z_]\w*\s*=)")
_UNCLOSED = re.compile(r"\s*(?:```)?\s*\Z")
_BARE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|<[^,()]*>|[^,()\s][^,()\n]*")

MOST_CALLS = 50


@dataclass(frozen=True, slots=True)
class CallLine:
    """A call: its name, and its values by their names; a value without one is called by its place, "0", "1" and so on."""

    name: str
    values: dict[str, str]


def calls_at(text: str, at: int, *, mend: bool = True) -> list[CallLine]:
    """The calls that stand one after the other from a place on; what is no call ends them.

    With `mend`, the last closing bracket may be missing. NotUnderstood for a call that breaks off otherwise.
    """
    calls: list[CallLine] = []
    while (found := _START.match(text, at)) and len(calls) < MOST_CALLS:
        values, at = _values(text, found.end(), found.group(1), mend)
        calls.append(CallLine(found.group(1).lower(), values))
    return calls


def starts_at(text: str, at: int) -> bool:
    """Whether a call begins here."""
    return _START.match(text, at) is not None


def _values(text: str, at: int, name: str, mend: bool) -> tuple[dict[str, str], int]:
    values: dict[str, str] = {}
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        mark = text[at : at + 1]
        if mark == ")":
            return values, at + 1
        if mark == "," and values:
            at += 1
            continue
        if values and mend and _UNCLOSED.match(text, at):
            return values, len(text)
        if mark == "":
            raise NotUnderstood(f"{name}(...) is not closed; end it with a round bracket")
        named = _NAMED.match(text, at)
        at = named.end() if named else at
        value, at = _value(text, at, name)
        values[named.group(1).lower() if named else str(len(values))] = value


def _value(text: str, at: int, name: str) -> tuple[str, int]:
    mark = text[at : at + 1]
    if mark and mark in "'\"":
        return _quoted(text, at, name)
    found = _BARE.match(text, at)
    if found is None:
        raise NotUnderstood(f"{name}(...) cannot be read at {text[at : at + 20]!r}; write name='text'")
    return found.group().strip(), found.end()


def _quoted(text: str, at: int, name: str) -> tuple[str, int]:
    quote, out = text[at], []
    at += 1
    while at < len(text):
        here = text[at]
        if here == "\\":
            piece, at = unescaped(text, at)
            out.append(piece)
            continue
        at += 1
        if here == quote and (_ENDS.match(text, at) or _UNCLOSED.match(text, at)):
            return "".join(out), at
        out.append(here)
    raise NotUnderstood(f"a text in {name}(...) has no closing quote")


def quoted(text: str) -> str:
    """A text as it is written in a call."""
    for plain, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f"'{text}'"


def line(name: str, /, **values: str | int | float | None) -> str:
    """A call as it is written; values of None are left out."""
    said = (f"{key}={quoted(value) if isinstance(value, str) else value}" for key, value in values.items() if value is not None)
    return f"{name}({', '.join(said)})"
