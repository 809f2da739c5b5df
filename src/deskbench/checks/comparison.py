"""Comparing the aspects of one thing with what a task expects of them, into one finding.

An expectation of None was not stated and is not looked at.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Colour, Number, Text
from deskbench.core.verdict import Finding, failed, passed


def hexadecimal(rgb: tuple[int, ...] | None) -> str | None:
    """A colour as `#rrggbb`."""
    return None if rgb is None else "#" + "".join(f"{channel:02x}" for channel in rgb[:3])


def reference(left: Evidence, path: str) -> Path:
    """A file to compare with: as the task gave it, or as the agent left it where the task did not give it."""
    change = left.changes.get(path)
    return left.file(path) if change is not None and change.change == "added" else left.before(path)


class Comparison:
    """What was expected and seen of one thing, aspect by aspect. `wrongs` says in words what did not hold."""

    def __init__(self, thing: str) -> None:
        self.thing = thing
        self.expected: dict[str, Any] = {}
        self.seen: dict[str, Any] = {}
        self.wrongs: list[str] = []

    def number(self, aspect: str, expected: Number | None, seen: float | None, unit: str = "") -> None:
        if expected is None:
            return
        value = None if seen is None else round(float(seen), 4)
        # Files keep numbers in decimals or single precision: what is exact to a thousandth was meant.
        held = expected.holds(seen) or (seen is not None and expected.holds(round(float(seen), 3)))
        self._note(aspect, str(expected), value, held, "nothing" if value is None else f"{value:g}{unit}", f"{expected}{unit}")

    def text(self, aspect: str, expected: Text | None, seen: str | None) -> None:
        if expected is not None:
            self._note(aspect, str(expected), seen, expected.holds(seen), "nothing" if seen is None else repr(_short(seen)), str(expected))

    def colour(self, aspect: str, expected: Colour | None, seen: tuple[int, ...] | None) -> None:
        if expected is not None:
            shown = hexadecimal(seen)
            self._note(aspect, str(expected), shown, expected.holds(seen), shown or "no plain colour", str(expected))

    def value(self, aspect: str, expected: Any, seen: Any) -> None:
        """Anything that is simply equal or not."""
        if expected is not None:
            self._note(aspect, expected, seen, expected == seen, _said(seen), _said(expected))

    def holds(self, aspect: str, expected: Any, seen: Any, held: bool) -> None:
        """An aspect that was judged elsewhere."""
        self._note(aspect, expected, seen, held, _said(seen), _said(expected))

    def finding(self) -> Finding:
        if self.wrongs:
            return failed(f"{self.thing} is not right: {'; '.join(self.wrongs)}", expected=self.expected, seen=self.seen)
        return passed(f"{self.thing} is as expected", expected=self.expected, seen=self.seen)

    def _note(self, aspect: str, expected: Any, seen: Any, held: bool, seen_words: str, expected_words: str) -> None:
        self.expected[aspect.replace(" ", "_")] = expected
        self.seen[aspect.replace(" ", "_")] = seen
        if not held:
            self.wrongs.append(f"its {aspect} is {seen_words}, not {expected_words}")


def _said(value: Any) -> str:
    if value is True or value is False:
        return "yes" if value else "no"
    return "nothing" if value is None else _short(str(value))


def _short(text: str, length: int = 200) -> str:
    return text if len(text) <= length else text[:length] + "…"
