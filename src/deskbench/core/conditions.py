"""Whether something that is waited for shows in an observation, and which element is meant by a description."""

from __future__ import annotations

from deskbench.core.observation import Element, Observation, Window
from deskbench.core.steps import Condition, Seen


def wants_elements(condition: Condition) -> bool:
    return condition.element is not None or condition.no_element is not None


def seen(condition: Condition, look: Observation) -> bool:
    """Whether a condition that shows on the screen holds."""
    if condition.window is not None:
        return window_titled(look, condition.window) is not None
    if condition.no_window is not None:
        return window_titled(look, condition.no_window) is None
    if condition.focused is not None:
        return look.focused is not None and condition.focused.casefold() in look.focused.title.casefold()
    if condition.element is not None:
        return find(look, condition.element) is not None
    if condition.no_element is not None:
        return find(look, condition.no_element) is None
    if condition.quiet is not None:
        return look.settled is not None and look.settled.quiet
    return False


def window_titled(look: Observation, title: str) -> Window | None:
    """The frontmost window with this in its title."""
    matching = [window for window in look.windows if title.casefold() in window.title.casefold()]
    return matching[-1] if matching else None


def find(look: Observation, wanted: Seen) -> Element | None:
    """The element that is meant, or None if it does not show."""
    items = look.elements.items if look.elements is not None else ()
    area = None
    if wanted.window is not None:
        window = window_titled(look, wanted.window)
        if window is None:
            return None
        area = window.box
    matching = [
        element
        for element in items
        if (wanted.role is None or element.role == wanted.role)
        and (wanted.name is None or element.name == wanted.name)
        and (wanted.contains is None or wanted.contains in element.name)
        and (wanted.value is None or element.value == wanted.value)
        and (wanted.state is None or wanted.state in element.states)
        and (area is None or area.contains(*element.box.centre))
    ]
    place = wanted.nth - 1 if wanted.nth > 0 else wanted.nth
    return matching[place] if -len(matching) <= place < len(matching) else None
