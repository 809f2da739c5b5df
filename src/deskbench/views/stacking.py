"""Which elements can be seen: those that no window in front of their own covers.

Applications tell of all that their windows show, also where another window lies over it. Elements are told apart by
the window at the root of their tree. Menus and tips are windows that no window manager lists: they are in front.
"""

from __future__ import annotations

from collections.abc import Sequence

from deskbench.core.observation import Box, Element, Elements, Observation, Window

DECORATION_PX = 48
"""How far a window's frame may reach beyond its client area."""


def uncovered(observation: Observation) -> Elements | None:
    """The observation's elements without those that lie behind another window; the order is kept."""
    elements = observation.elements
    if elements is None or not observation.windows:
        return elements
    trees = split(elements.items)
    places = [place_of(tree[0], observation.windows) for tree in trees]
    popups = [(number, tree[0].box) for number, tree in enumerate(trees) if places[number] is None]
    seen: list[Element] = []
    for number, (tree, place) in enumerate(zip(trees, places, strict=True)):
        if place is None:
            seen.extend(tree)
            continue
        if observation.windows[place].hidden:
            continue
        above = in_front(place, observation.windows) + [box for other, box in popups if other != number]
        seen.extend(element for element in tree if not any(box.contains(*element.box.centre) for box in above))
    return Elements(tuple(seen), elements.cut, elements.seconds)


def split(items: Sequence[Element]) -> list[list[Element]]:
    """The trees that elements came from: each begins with an element no deeper than the one that began the last."""
    trees: list[list[Element]] = []
    for element in items:
        if not trees or element.depth <= trees[-1][0].depth:
            trees.append([])
        trees[-1].append(element)
    return trees


def place_of(root: Element, windows: Sequence[Window]) -> int | None:
    """The window that a tree belongs to, as its place in the stack; None for a menu or a tip, which no window manager lists."""
    fitting = [place for place, window in enumerate(windows) if _fits(root.box, window.box)]
    named = [place for place in fitting if root.name and root.name == windows[place].title]
    candidates = named or fitting
    return candidates[-1] if candidates else None


def in_front(place: int, windows: Sequence[Window]) -> list[Box]:
    """The boxes of the windows in front of one, hidden ones apart."""
    return [window.box for window in windows[place + 1 :] if not window.hidden]


def _fits(root: Box, client: Box) -> bool:
    """Whether a tree's root is this window, told with its decoration or without."""
    differences = (
        root.x - client.x,
        root.y - client.y,
        root.x + root.width - client.x - client.width,
        root.y + root.height - client.y - client.height,
    )
    return all(abs(difference) <= DECORATION_PX for difference in differences)
