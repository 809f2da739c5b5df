"""What the agent said at the end: its answer, or its refusal.

    - answer.text: {contains: Lisbon}
    - answer.text: {text: {matches: '\\bLisbon\\b', any_case: true}}
    - answer.number: 1250
    - answer.number: {number: {is: 12.5, within: 0.05}, among: 3}
    - answer.items: {items: [Ada, Grace], not: [Alan]}
    - answer.refused: {reason: {contains: template, any_case: true}}

A number counts wherever it stands in the answer, however it is grouped (1250, 1,250, 1 250.00), but not in an answer that rattles off more
than `among` numbers. A refusal is the action `fail`, never a word in a text.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Num, Text, Txt
from deskbench.core.verdict import Finding, failed, passed

Several = str | tuple[str, ...]
_NUMBER = re.compile(r"(?<![\w.,])[-−]?\$?€?£?\d+(?:[ ,.'\u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)?(?![\d])")


def text(
    evidence: Evidence, *, text: Txt | None = None, contains: Several | None = None, matches: str | None = None, any_case: bool = False
) -> Finding:
    """The answer as a text. With no expectation, there is one."""
    wanted = text or _expected(contains, matches, any_case)
    said = _answer(evidence)
    compared = Comparison("the answer")
    compared.text("text", wanted or Text.model_validate({"matches": r"\S"}), said)
    return compared.finding()


def number(evidence: Evidence, *, number: Num, among: int = 8) -> Finding:
    """A number occurs in the answer, among at most so many."""
    said = _answer(evidence)
    found = _numbers(said or "")
    right = [one for readings in found for one in readings if number.holds(one)]
    if right and len(found) > among:
        return failed(f"the answer lists {len(found)} numbers, so that the right one among them says nothing", expected=str(number), seen=said)
    says = f"the answer has the number {right[0]:g}" if right else f"the answer does not have the number {number}"
    return (passed if right else failed)(says, expected=str(number), seen=said)


def items(
    evidence: Evidence,
    *,
    items: tuple[str, ...],
    not_: Annotated[tuple[str, ...], Field(alias="not")] = (),
    any_case: bool = True,
    in_order: bool = False,
) -> Finding:
    """Each of these occurs in the answer as a word of its own, none of those does."""
    said = _answer(evidence) or ""
    places = {item: _place(item, said, any_case) for item in items}
    wrongs = [f"{item} is missing" for item, place in places.items() if place is None]
    wrongs += [f"{item} should not be there" for item in not_ if _place(item, said, any_case) is not None]
    order = [place for place in places.values() if place is not None]
    if in_order and not wrongs and order != sorted(order):
        wrongs.append("the order is wrong")
    says = f"the answer is not right: {'; '.join(wrongs)}" if wrongs else "the answer names what it should"
    return (failed if wrongs else passed)(says, expected=list(items), seen=said[:2000])


def refused(evidence: Evidence, *, reason: Txt | None = None) -> Finding:
    """The agent said that the task cannot be done (and, with `reason`, said why)."""
    stop = evidence.facts.get("stop")
    if stop != "fail":
        return failed(f"the agent did not say that the task cannot be done; it ended by {stop or 'nothing'}", expected="fail", seen=stop)
    if reason is not None:
        compared = Comparison("the refusal")
        compared.text("reason", reason, _answer(evidence))
        return compared.finding()
    return passed("the agent said that the task cannot be done", expected="fail", seen=stop)


def _answer(evidence: Evidence) -> str | None:
    said = evidence.facts.get("answer")
    return said.strip() if isinstance(said, str) else None


def _expected(contains: Several | None, matches: str | None, any_case: bool) -> Text | None:
    if contains is None and matches is None:
        return None
    return Text.model_validate({"contains": contains, "matches": matches, "any_case": any_case})


def _place(item: str, said: str, any_case: bool) -> int | None:
    pattern = rf"(?<!\w){re.escape(item)}(?!\w)" if item.isascii() else re.escape(item)
    match = re.search(pattern, said, re.IGNORECASE if any_case else 0)
    return match.start() if match else None


def _numbers(said: str) -> list[set[float]]:
    """Every number, as the values that it may be read as: `1,250` is 1250, or 1.25 where a comma is the decimal sign."""
    found = []
    for match in _NUMBER.finditer(said[:100_000]):
        digits = re.sub(r"[ '$€£\u00a0\u202f]", "", match[0]).replace("−", "-")
        readings = {digits.replace(",", ""), digits.replace(".", "").replace(",", ".")}
        found.append({float(one) for one in readings if re.fullmatch(r"-?\d+(?:\.\d+)?", one)})
    return found
