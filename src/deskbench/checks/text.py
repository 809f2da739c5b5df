"""Plain text files. Line ends and a missing last line end make no difference.

- text.content: {file: ~/note.txt, text: "Hello\nWorld"}
- text.content: {file: ~/note.txt, text: {contains: [alpha, beta], not: gamma}}
- text.lines: {file: ~/names.txt, lines: [Ada, Grace], any_order: true}
- text.line: {file: ~/names.txt, number: 1, text: Ada}        -1 is the last one
- text.line: {file: ~/app.conf, text: {matches: '^port *= *8080$'}}        any line
- text.no_line: {file: ~/app.conf, text: {contains: debug}}
- text.line_count: {file: ~/names.txt, count: 12}
- text.in_order: {file: ~/names.txt, numeric: false, descending: false}
- text.replaced: {file: ~/draft.txt, old: colour, new: color}
- text.unchanged: {file: ~/app.conf, except: ['^port']}
"""

from __future__ import annotations

import difflib
import re
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Txt
from deskbench.core.faults import CheckFault
from deskbench.core.verdict import Finding, failed, passed

SHOWN = 2_000


def content(evidence: Evidence, *, file: HomePath, text: Txt) -> Finding:
    """The whole text."""
    seen = "\n".join(_lines(evidence.text(file)))
    compared = Comparison(f"~/{file}")
    compared.holds("text", str(text), seen[:SHOWN], text.holds(seen) or (text.is_ is not None and text.holds(seen + "\n")))
    return compared.finding()


def lines(evidence: Evidence, *, file: HomePath, lines: tuple[str, ...], any_order: bool = False) -> Finding:
    """Exactly these lines; blank lines at the end and blanks at the ends of lines do not count."""
    seen = [line.rstrip() for line in _lines(evidence.text(file))]
    wanted = [line.rstrip() for line in lines]
    if (sorted(seen) == sorted(wanted)) if any_order else seen == wanted:
        return passed(f"~/{file} has the expected {len(wanted)} lines")
    return failed(f"~/{file} does not have the expected lines: {_difference(wanted, seen)}", expected=wanted[:100], seen=seen[:100])


def line(evidence: Evidence, *, file: HomePath, text: Txt, number: int | None = None) -> Finding:
    """One line, by its number (1 is the first, -1 the last), or any line."""
    seen = _lines(evidence.text(file))
    if number is None:
        found = any(text.holds(one) for one in seen)
        return (passed if found else failed)(f"~/{file} has {'a' if found else 'no'} line that is {text}", expected=str(text))
    index = number - 1 if number > 0 else number
    one = seen[index] if -len(seen) <= index < len(seen) else None
    compared = Comparison(f"line {number} of ~/{file}")
    compared.text("text", text, one)
    return compared.finding()


def no_line(evidence: Evidence, *, file: HomePath, text: Txt) -> Finding:
    """No line is like this."""
    found = next((one for one in _lines(evidence.text(file)) if text.holds(one)), None)
    if found is not None:
        return failed(f"~/{file} still has a line that is {text}: {found[:200]!r}", seen=found[:SHOWN])
    return passed(f"~/{file} has no line that is {text}")


def line_count(evidence: Evidence, *, file: HomePath, count: Num, blank: bool = True) -> Finding:
    """How many lines there are; with `blank: false` only those with something in them."""
    seen = [one for one in _lines(evidence.text(file)) if blank or one.strip()]
    compared = Comparison(f"~/{file}")
    compared.number("number of lines", count, len(seen))
    return compared.finding()


def in_order(evidence: Evidence, *, file: HomePath, numeric: bool = False, descending: bool = False, of_before: bool = True) -> Finding:
    """The lines are in order and, unless `of_before` is false, are those that the file had at the start."""
    seen = [one for one in _lines(evidence.text(file)) if one.strip()]
    if of_before and _was_there(evidence, file):
        old = [one for one in _lines(_text_before(evidence, file)) if one.strip()]
        if _counted(old) != _counted(seen):
            return failed(f"~/{file} no longer has the lines that it had: {_difference(old, seen)}")
    if numeric:
        numbers = [_leading_number(one) for one in seen]
        ordered = all((a >= b) if descending else (a <= b) for a, b in pairwise(numbers))
    else:
        # Locales differ in whether case and punctuation count; an order that is right either way is right.
        ordered = any(
            all((key(a) >= key(b)) if descending else (key(a) <= key(b)) for a, b in pairwise(seen))
            for key in (str, str.casefold, lambda one: re.sub(r"\W", "", one).casefold())
        )
    if not seen:
        return failed(f"~/{file} has no lines")
    return (passed if ordered else failed)(f"the lines of ~/{file} are {'' if ordered else 'not '}in order", seen=seen[:100])


def replaced(evidence: Evidence, *, file: HomePath, old: str, new: str) -> Finding:
    """Every occurrence of a text was replaced and nothing else was changed."""
    before = "\n".join(_lines(_text_before(evidence, file)))
    if old not in before:
        raise CheckFault(f"{old!r} does not occur in ~/{file} at the start; mend the task")
    seen = _lines(evidence.text(file))
    wanted = before.replace(old, new).split("\n")
    if seen == wanted:
        return passed(f"{old!r} was replaced by {new!r} all through ~/{file}")
    return failed(f"~/{file} is not the old text with {old!r} replaced by {new!r}: {_difference(wanted, seen)}")


def unchanged(evidence: Evidence, *, file: HomePath, except_: Annotated[tuple[str, ...], Field(alias="except")] = ()) -> Finding:
    """The text is as it was, apart from lines that match one of the `except` patterns."""
    patterns = [re.compile(pattern) for pattern in except_]

    def kept(text: str) -> list[str]:
        return [one for one in _lines(text) if not any(pattern.search(one) for pattern in patterns)]

    old, seen = kept(_text_before(evidence, file)), kept(evidence.text(file))
    if old == seen:
        return passed(f"~/{file} is otherwise as it was")
    return failed(f"~/{file} was changed where it should not have been: {_difference(old, seen)}")


def _lines(text: str) -> list[str]:
    """Lines without their ends; blank ones at the end of the file dropped."""
    found = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while found and not found[-1].strip():
        found.pop()
    return found


def _text_before(evidence: Evidence, file: str) -> str:
    data = evidence.before(file, 16 << 20).read_bytes()
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")


def _was_there(evidence: Evidence, file: str) -> bool:
    change = evidence.changes.get(file)
    return change is None or change.change != "added"


def _counted(found: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in found:
        counts[one] = counts.get(one, 0) + 1
    return counts


def _leading_number(one: str) -> float:
    match = re.match(r"\s*[-+]?\d+(?:\.\d+)?", one)
    return float(match[0]) if match else 0.0


def _difference(wanted: list[str], seen: list[str]) -> str:
    """The first few lines that differ, in words; only compared where that is quick."""
    if len(wanted) + len(seen) > 4_000:
        at = next((n for n, (a, b) in enumerate(zip(wanted, seen, strict=False)) if a != b), min(len(wanted), len(seen)))
        return f"they differ from line {at + 1} on"
    said = []
    for one in difflib.ndiff(wanted, seen) if len(wanted) + len(seen) <= 400 else difflib.unified_diff(wanted, seen, n=0, lineterm=""):
        if one[:1] in "+-" and not one.startswith(("+++", "---")):
            said.append(("missing " if one[0] == "-" else "unexpected ") + repr(one[1:].strip()[:80]))
    return "; ".join(said[:4]) + (f"; and {len(said) - 4} more" if len(said) > 4 else "")
