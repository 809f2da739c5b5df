"""Judging things by their facts: is there one among several that meets every expectation, and if not, what is wrong with the nearest?

Facts and expectations are dictionaries with the same names. An expectation is a Number, Text or Colour, or a plain value that must be equal;
None is no expectation. A fact that is a list of numbers is met by a list of Numbers, one each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator

from deskbench.checks.expect import Colour, Number, Text
from deskbench.core.verdict import Finding, failed, passed


def _either(value: Any) -> Any:
    """A number is meant where one is written (or bounds are), a switch where true or false is, a text otherwise."""
    if isinstance(value, dict):
        numeric = {"at_least", "at_most", "within"} & set(value) or isinstance(value.get("is"), int | float)
        return Number.model_validate(value) if numeric else Text.model_validate(value)
    if isinstance(value, bool | Number | Text):
        return value
    if isinstance(value, list | tuple):
        return tuple(_either(one) for one in value)
    return Number.model_validate({"is": value}) if isinstance(value, int | float) else Text.model_validate({"is": str(value)})


Value = Annotated[Number | Text | bool | tuple[Number | Text | bool, ...], BeforeValidator(_either)]
"""What some property is expected to be: a number, a text, a switch, or several of them."""

SHOWN = 8
"""So many candidates are shown in a finding; more would drown the reader."""


def judge(what: str, wanted: Mapping[str, Any], candidates: Sequence[Mapping[str, Any]]) -> Finding:
    """Whether one candidate (there must be one) meets every expectation; else the sentence tells about the nearest one."""
    asked = {name: wish for name, wish in wanted.items() if wish is not None}
    nearest = min(candidates, key=lambda facts: len(_wrong(asked, facts)))
    wrong = _wrong(asked, nearest)
    expected = {name: plain(wish) for name, wish in asked.items()}
    seen = {name: nearest.get(name) for name in asked} if asked else dict(nearest)
    if not wrong:
        return passed(f"{what} is as it should be", expected=expected, seen=seen)
    told = "; ".join(f"{name.replace('_', ' ')} is {said(nearest.get(name))}, not {said(plain(asked[name]))}" for name in wrong)
    return failed(f"{what}: {told}", expected=expected, seen=seen)


def meeting(wanted: Mapping[str, Any], candidates: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The candidates that meet every expectation."""
    asked = {name: wish for name, wish in wanted.items() if wish is not None}
    return [facts for facts in candidates if not _wrong(asked, facts)]


def count(what: str, wanted: Mapping[str, Any], candidates: Sequence[Mapping[str, Any]], number: Number) -> Finding:
    """Whether as many candidates as expected meet every expectation."""
    found = len(meeting(wanted, candidates))
    seen = {"count": found, "of": [dict(facts) for facts in candidates[:SHOWN]]}
    if number.holds(found):
        return passed(f"{what}: there are {found}", expected=str(number), seen=seen)
    return failed(f"{what}: there are {found} such, not {number}", expected=str(number), seen=seen)


def same_list(what: str, wanted: Sequence[Text], seen: Sequence[str]) -> Finding:
    """Whether names in order are exactly the expected ones."""
    expected = [str(name) for name in wanted]
    if len(seen) == len(wanted) and all(name.holds(one) for name, one in zip(wanted, seen, strict=True)):
        return passed(f"{what} are as they should be", expected=expected, seen=list(seen))
    return failed(f"{what} are {listed(seen)}, not {', '.join(expected) or 'none'}", expected=expected, seen=list(seen))


def holds(wish: Any, fact: Any) -> bool:
    """Whether one fact meets one expectation."""
    if isinstance(wish, Number):
        return isinstance(fact, int | float) and wish.holds(float(fact))
    if isinstance(wish, Text):
        return isinstance(fact, str) and wish.holds(fact)
    if isinstance(wish, Colour):
        return isinstance(fact, list | tuple) and wish.holds(tuple(fact))
    if isinstance(wish, list | tuple):
        return isinstance(fact, list | tuple) and len(fact) == len(wish) and all(holds(one, other) for one, other in zip(wish, fact, strict=True))
    return bool(wish == fact)


def plain(wish: Any) -> Any:
    """An expectation as JSON."""
    if isinstance(wish, list | tuple):
        return [plain(one) for one in wish]
    return str(wish) if isinstance(wish, Number | Text | Colour) else wish


def said(value: Any) -> str:
    """A value in a sentence."""
    if value is None:
        return "not there"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return f"({', '.join(said(one) for one in value)})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return ", ".join(repr(name) for name in names[:40]) or "none"


def _wrong(asked: Mapping[str, Any], facts: Mapping[str, Any]) -> list[str]:
    return [name for name, wish in asked.items() if not holds(wish, facts.get(name))]
