"""Set-of-marks: numbers an agent can name instead of points.

`choose` picks from the accessibility tree what one would point at: not the containers, not the same thing twice, nothing too
small to hit, nothing behind another window. Numbers run from 1 in reading order, so the same screen gets the same numbers.
Windows of programs that expose no tree are read with OCR instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deskbench.core.faults import Misuse
from deskbench.core.observation import Box, Element, Elements, Mark, Observation
from deskbench.views import Shown
from deskbench.views.stacking import in_front, uncovered

Boxes = NDArray[np.int64]

LIMIT = 400
"""Marks beyond this number cannot be told apart on one picture."""

SMALLEST_PX = 6
SMALLEST_UNNAMED_PX = 18
"""A thing without a name that is smaller than its own number would be: colour swatches, by the hundred."""

LARGEST_SHARE = 0.5
"""Of the screen; what is larger is where things are, not a thing."""

SAME_SHARE = 0.7
"""Two boxes that share so much of their area are one thing, and so is one that is filled so far by what it holds."""

LABEL_LENGTH = 80
LINE_PX = 40
NEAR_PX = 60
TIGHT = 8
"""How many times larger a holder may be to lend its name."""

UNTOLD_VALUES = frozenset({"scroll bar", "slider", "progress bar", "level bar"})
FIELDS = frozenset({"text", "entry", "password text", "spin button", "combo box", "slider"})

INTERACTIVE = frozenset(
    {"push button", "toggle button", "push button menu", "check box", "radio button", "combo box", "spin button", "slider", "dial", "link"}
    | {"menu", "menu item", "check menu item", "radio menu item", "tearoff menu item", "popup menu item", "page tab", "list item", "tree item"}
    | {"text", "entry", "password text", "editbar", "autocomplete", "date editor", "terminal", "icon", "desktop icon", "rating", "switch"}
    | {"column header", "row header", "table column header", "table row header", "table cell", "calendar", "color chooser", "scroll bar"}
)
READABLE = frozenset({"paragraph", "heading", "image", "drawing area", "canvas", "chart", "caption", "video"})
"""Not made to be clicked, but things one points at; only with a name or a text."""

ACTIVE_STATES = frozenset({"focusable", "editable", "checkable", "selectable", "has popup"})
HOLDERS = frozenset(
    {"panel", "filler", "frame", "window", "dialog", "tool bar", "menu bar", "status bar", "page tab list", "scroll pane", "viewport", "split pane"}
    | {"separator", "table", "tree", "tree table", "list", "list box", "root pane", "application", "file chooser", "alert", "label", "section"}
    | {"document frame", "document web", "document spreadsheet", "document text", "document presentation", "layered pane", "internal frame"}
)
"""Roles that are never a thing to point at, whatever their states say."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may become a mark; `rank` is the better the higher."""

    box: Box
    label: str
    role: str
    rank: int
    depth: int = 0


def mark(observation: Observation, *, ocr: bool = True, limit: int = LIMIT) -> Observation:
    """The observation with its marks: from the elements, and by OCR in windows that have none (Misuse if that is not installed)."""
    elements = uncovered(observation)
    if elements is None:
        raise Misuse("this observation has no elements; observe with elements=True for marks")
    screen = Box(0, 0, *observation.frame.size)
    found = candidates(elements, screen)
    if ocr:
        found += _read(observation, found, screen)
    return replace(observation, marks=number(found, limit))


def choose(elements: Elements, size: tuple[int, int], limit: int = LIMIT) -> tuple[Mark, ...]:
    """The marks of a tree on a screen of this size."""
    return number(candidates(elements, Box(0, 0, *size)), limit)


def number(found: Iterable[Candidate], limit: int = LIMIT) -> tuple[Mark, ...]:
    """Marks from 1 on in reading order; where there are too many, those that say least are left out."""
    kept = sorted(distinct(found), key=lambda c: (-c.rank, c.box.y, c.box.x))[:limit]
    return tuple(Mark(place, c.box, c.label, c.role) for place, c in enumerate(in_reading_order(kept), 1))


def as_text(marks: Sequence[Mark]) -> str:
    """What the numbers stand for, one line each: number, role, label."""
    return "\n".join(f"{m.id} {m.role} {json.dumps(m.label, ensure_ascii=False) if m.label else ''}".rstrip() for m in marks)


def show(observation: Observation) -> Shown:
    """The view `marks`: the frame with numbered boxes, and what they stand for."""
    from deskbench.views.drawing import draw

    marked = observation if observation.marks is not None else mark(observation)
    assert marked.marks is not None
    return Shown(frame=draw(marked.frame, marked.marks), text=as_text(marked.marks))


# Choosing


def candidates(elements: Elements, screen: Box) -> list[Candidate]:
    """Every element that one could point at, with the name it has or borrows."""
    items = elements.items
    named = _labels(items)
    found = []
    for element, label in zip(items, named, strict=True):
        box = element.box.within(screen)
        rank = _rank(element, label)
        if rank and _fits(box, screen, bool(label)):
            found.append(Candidate(box, label[:LABEL_LENGTH], element.role, rank, element.depth))
    return found


def _rank(element: Element, label: str) -> int:
    """How surely an element is something to point at; 0 for not at all."""
    has_text = bool((element.value or "").strip())
    if element.role in HOLDERS:
        return 0
    if element.role == "table cell":
        return 3 if has_text or (element.name and element.value is None) or element.states & {"selected", "focused"} else 0
    if element.role in INTERACTIVE:
        return 4 if label else 2
    if element.role in READABLE:
        return 1 if has_text or element.name else 0
    return 1 if element.states & ACTIVE_STATES and label else 0


def _fits(box: Box, screen: Box, is_named: bool) -> bool:
    if not is_named and max(box.width, box.height) < SMALLEST_UNNAMED_PX:
        return False
    return min(box.width, box.height) >= SMALLEST_PX and box.area <= LARGEST_SHARE * screen.area


def _labels(items: Sequence[Element]) -> list[str]:
    """What to call each element: its name and its text. Without a name it borrows one: of a label beside it, of what it holds,
    or of what tightly holds it."""
    names = [_plain(element.name) for element in items]
    values = ["" if element.role in UNTOLD_VALUES else _plain(element.value or "") for element in items]
    holders = _holders(items)
    for place, element in enumerate(items):
        for holder in holders[place]:
            if names[place] and element.name and not names[holder] and items[holder].role not in HOLDERS:
                names[holder] = names[place]
    beside = _beside(items, holders)
    told = []
    for place, element in enumerate(items):
        tight = (names[h] for h in reversed(holders[place]) if items[h].name and items[h].box.area <= TIGHT * element.box.area)
        name = names[place] or beside.get(place, "") or next(tight, "")
        told.append(": ".join(dict.fromkeys(filter(None, (name.removesuffix(":"), values[place])))))
    return told


def _holders(items: Sequence[Element]) -> list[tuple[int, ...]]:
    """For each element, the places of those it lies in, from the outermost."""
    above: list[int] = []
    holders = []
    for place, element in enumerate(items):
        while above and items[above[-1]].depth >= element.depth:
            above.pop()
        holders.append(tuple(above))
        above.append(place)
    return holders


def _beside(items: Sequence[Element], holders: Sequence[tuple[int, ...]]) -> dict[int, str]:
    """Fields without a name that have the same holder as a label just left of them, and that label's name."""
    labels: dict[tuple[int, ...], list[Element]] = {}
    for place, element in enumerate(items):
        if element.role == "label" and element.name:
            labels.setdefault(holders[place], []).append(element)
    found = {}
    for place, element in enumerate(items):
        if element.name or element.role not in FIELDS:
            continue
        near = [
            (element.box.x - label.box.x - label.box.width, label) for label in labels.get(holders[place], ()) if _on_a_line(label.box, element.box)
        ]
        near = [(gap, label) for gap, label in near if -2 <= gap <= NEAR_PX]
        if near:
            found[place] = _plain(min(near, key=lambda entry: entry[0])[1].name)
    return found


def _on_a_line(one: Box, other: Box) -> bool:
    return one.y <= other.centre[1] < one.y + one.height or other.y <= one.centre[1] < other.y + other.height


def _plain(text: str) -> str:
    return " ".join(text.split())


def distinct(found: Iterable[Candidate]) -> list[Candidate]:
    """One candidate for each thing: of two in the same place the better, and the parts instead of a whole that they fill."""
    ranked = sorted(found, key=lambda c: (-c.rank, c.box.area, -c.depth, c.box.y, c.box.x, c.label, c.role))
    boxes = np.array([(c.box.x, c.box.y, c.box.width, c.box.height) for c in ranked], np.int64).reshape(-1, 4)
    kept: list[int] = []
    for place, candidate in enumerate(ranked):
        common, areas = _overlap(boxes[place], boxes[kept])
        if not np.any(common >= SAME_SHARE * (areas + candidate.box.area - common)):
            kept.append(place)
    return [ranked[place] for place in kept if not _filled(boxes[place], boxes[kept])]


def _overlap(box: Boxes, others: Boxes) -> tuple[Boxes, Boxes]:
    """The area that a box has in common with each of the others, and their own areas."""
    ends = np.minimum(box[:2] + box[2:], others[:, :2] + others[:, 2:])
    sides = np.clip(ends - np.maximum(box[:2], others[:, :2]), 0, None)
    return sides[:, 0] * sides[:, 1], others[:, 2] * others[:, 3]


def _filled(box: Boxes, others: Boxes) -> bool:
    """Whether at least two smaller boxes inside fill a box."""
    common, areas = _overlap(box, others)
    parts = areas[(common == areas) & (areas < box[2] * box[3])]
    return len(parts) > 1 and bool(parts.sum() >= SAME_SHARE * box[2] * box[3])


def in_reading_order(found: Sequence[Candidate]) -> list[Candidate]:
    """By lines from the top, each from the left; a line is what begins above the middle of its first."""
    waiting = sorted(found, key=lambda c: (c.box.y, c.box.x, c.box.width, c.box.height, c.label, c.role))
    ordered: list[Candidate] = []
    while waiting:
        first = waiting[0].box
        middle = first.y + min(first.height, LINE_PX) // 2
        line = [c for c in waiting if c.box.y <= middle]
        ordered += sorted(line, key=lambda c: (c.box.x, c.box.y))
        waiting = waiting[len(line) :]
    return ordered


# Programs without a tree


def _read(observation: Observation, found: Sequence[Candidate], screen: Box) -> list[Candidate]:
    """What OCR finds in the windows that nothing was told of."""
    read: list[Candidate] = []
    for place, window in enumerate(observation.windows):
        box = window.box.within(screen)
        front = in_front(place, observation.windows)
        told = any(box.contains(*c.box.centre) and not any(f.contains(*c.box.centre) for f in front) for c in found)
        if window.hidden or told or not box.area or any(box.within(f) == box for f in front):
            continue
        from deskbench.views.ocr import find_text  # it costs a second to load, and an extra to have

        for line in find_text(observation.frame, box):
            if not any(f.contains(*line.box.centre) for f in front):
                read.append(Candidate(line.box, line.text[:LABEL_LENGTH], "text" if line.text else "icon", 3 if line.text else 1))
    return [c for c in read if _fits(c.box, screen, True)]
