"""Looks of cells and text: whether one aspect is as expected, how it is said, which fonts are the same."""

from __future__ import annotations

from typing import Any

ALIKE_FONTS = (
    {"liberation sans", "arial"},
    {"liberation serif", "times new roman"},
    {"liberation mono", "courier new"},
    {"carlito", "calibri"},
    {"caladea", "cambria"},
)
"""Metric twins: LibreOffice writes the one for the other when it exports."""


def same_font(one: str | None, other: str | None) -> bool:
    """Whether two font names mean the same font."""
    first, second = (one or "").casefold(), (other or "").casefold()
    return first == second or any(first in twins and second in twins for twins in ALIKE_FONTS)


def fits(expected: Any, found: Any, name: str) -> bool:
    """Whether one aspect of a look is as expected. No colour at all is black."""
    if name == "font":
        return same_font(expected, found)
    if name == "borders":
        return set(expected) == set(found)
    if expected == "none":
        return found in (None, "none")
    if name == "colour" and found is None:
        found = (0, 0, 0)
    return bool(expected.holds(found)) if hasattr(expected, "holds") else bool(expected == found)


def told(value: Any) -> Any:
    """One aspect of a look, or what is expected of it, in words."""
    if isinstance(value, tuple) and len(value) == 3:
        return "#{:02x}{:02x}{:02x}".format(*value)
    if isinstance(value, frozenset | list):
        return ", ".join(sorted(value)) or "none"
    return value if isinstance(value, bool | int | float | str) or value is None else str(value)


def first_trouble(wanted: dict[str, Any], look: Any) -> tuple[str, Any, Any] | None:
    """The first aspect of a look that is not as wanted: its name, what is wanted, what is there."""
    for name, expected in wanted.items():
        if not fits(expected, getattr(look, name), name):
            return name, told(expected), told(getattr(look, name))
    return None
