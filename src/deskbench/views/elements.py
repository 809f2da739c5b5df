"""Accessibility elements for a language model: indented text, one line an element, or XML.

    frame "a.svg - Inkscape" [active] @0,0 1920x1080
      push button "Save" @1880,160 37x35
      spin button "X:" = "0" [disabled] @509,48 131x34

A line is role, name, value, the states that tell something, and the box as left,top and width x height. Containers that
say nothing are left out and their children moved up. What was left out for length is said in the last line.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from xml.etree import ElementTree as xml

from deskbench.core.faults import Misuse
from deskbench.core.observation import Box, Element, Elements, Observation
from deskbench.views import Shown
from deskbench.views.stacking import uncovered

LENGTH = 24_000
"""Characters: about 8,000 tokens."""

LEAST_LENGTH = 200
NAME_LENGTH = 120
NOTE_LENGTH = 150

CONTAINERS = frozenset(
    {"panel", "filler", "viewport", "scroll pane", "split pane", "root pane", "layered pane", "glass pane", "option pane", "internal frame"}
    | {"section", "grouping", "form", "page", "header", "footer", "landmark", "article", "html container", "embedded", "extended", "static"}
    | {"tool bar", "menu bar", "status bar", "page tab list", "list item", "table row", "directory pane", "separator"}
    | {"label", "paragraph", "icon", "image", "drawing area", "unknown", "invalid", "redundant object"}
)
"""Roles that mean nothing without a name, a value or a state that tells something."""

QUIET_STATES = frozenset({"focusable", "selectable", "checkable", "expandable", "multi line", "editable"})
"""States that nearly everything of a kind has, and its role already says."""


@dataclass(frozen=True, slots=True)
class Run:
    """An element, or a row of empty cells from the first to the last."""

    first: Element
    last: Element
    count: int


def as_text(elements: Elements, length: int = LENGTH, *, prune: bool = True) -> str:
    """The elements as indented lines, at most `length` characters; where some had to go, the last lines say so."""
    if length < LEAST_LENGTH:
        raise Misuse(f"elements do not fit in {length} characters; allow at least {LEAST_LENGTH}")
    runs = gathered(pruned(elements.items)) if prune else [Run(element, element, 1) for element in elements.items]
    told = f"({_clip(_plain(elements.cut), 80)}; the tree is not complete)" if elements.cut else ""
    lines = [_line(run) for run in runs]
    room = length - len(told) - 1
    note = ""
    if sum(len(line) + 1 for line in lines) > room:
        lines = list(_fitting(lines, room - NOTE_LENGTH))
        note = _note(runs[len(lines) :])
    return "\n".join([*lines, *filter(None, (note, told))])


def as_xml(elements: Elements, length: int = LENGTH * 4, *, prune: bool = True) -> str:
    """The elements as one XML document, nested as they are; `left_out` counts those that `length` did not allow."""
    runs = gathered(pruned(elements.items)) if prune else [Run(element, element, 1) for element in elements.items]
    document = _document(runs, len(runs), elements.cut)
    if len(document) <= length:
        return document
    few, many = 0, len(runs) - 1
    while few < many:
        middle = (few + many + 1) // 2
        few, many = (middle, many) if len(_document(runs, middle, elements.cut)) <= length else (few, middle - 1)
    return _document(runs, few, elements.cut)


def pruned(items: Sequence[Element]) -> tuple[Element, ...]:
    """The elements that say something, each as deep as the number of them it lies in."""
    kept: list[Element] = []
    above: list[tuple[int, Element | None]] = []
    for element in items:
        while above and above[-1][0] >= element.depth:
            above.pop()
        around = [ancestor for _, ancestor in above if ancestor is not None]
        keeps = _says_something(element) and not (around and _repeats(element, around[-1]))
        if keeps:
            kept.append(replace(element, depth=len(around)))
        above.append((element.depth, element if keeps else None))
    return tuple(kept)


def show(observation: Observation) -> Shown:
    """The view `a11y`: what can be seen of the elements, as text."""
    elements = uncovered(observation)
    if elements is None:
        raise Misuse("this observation has no elements; observe with elements=True for the view a11y")
    return Shown(text=as_text(elements))


def described(element: Element) -> str:
    """One element as one line, without indentation."""
    parts = [_plain(element.role) or "unknown"]
    if element.name:
        parts.append(_quoted(element.name))
    if element.value and element.value != element.name:
        parts.append(f"= {_quoted(element.value)}")
    if states := sorted(element.states - QUIET_STATES):
        parts.append(f"[{_plain(', '.join(states))}]")
    return f"{' '.join(parts)} {_place(element.box)}"


def _says_something(element: Element) -> bool:
    if element.role not in CONTAINERS:
        return True
    telling = element.states - QUIET_STATES - {"disabled", "active"}
    return bool(element.name.strip() or (element.value or "").strip() or telling)


def _repeats(element: Element, around: Element) -> bool:
    """Whether an element only says again, in the same place, what the one around it says."""
    return element.role in CONTAINERS and element.name == around.name and not element.value and element.box.within(around.box) == element.box


def gathered(items: Sequence[Element]) -> list[Run]:
    """The elements one by one, but neighbouring cells with nothing in them as one run."""
    runs: list[Run] = []
    for empty, group in groupby(items, key=lambda element: element.depth if _is_empty_cell(element) else None):
        cells = list(group)
        if empty is None or len(cells) < 3:
            runs.extend(Run(cell, cell, 1) for cell in cells)
        else:
            runs.append(Run(cells[0], cells[-1], len(cells)))
    return runs


def _line(run: Run) -> str:
    indent = "  " * min(run.first.depth, 30)
    if run.count == 1:
        return indent + described(run.first)
    names = f"{_quoted(run.first.name)} to {_quoted(run.last.name)} " if run.first.name and run.last.name else ""
    return f"{indent}{run.count} empty cells {names}{_place(run.first.box)} to {_place(run.last.box)}"


def _is_empty_cell(element: Element) -> bool:
    return element.role == "table cell" and not (element.value or "").strip() and not element.states - QUIET_STATES


def _fitting(lines: Iterable[str], room: int) -> Iterator[str]:
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return
        yield line


def _note(missing: Sequence[Run]) -> str:
    """What was left out, in less than `NOTE_LENGTH` characters."""
    roles: Counter[str] = Counter()
    for run in missing:
        roles[run.first.role] += run.count
    common = ", ".join(f"{count} {_clip(_plain(role), 20)}" for role, count in roles.most_common(3))
    return _clip(f"({roles.total()} more elements left out for length: {common}{', ...' if len(roles) > 3 else ''})", NOTE_LENGTH - 1)


def _place(box: Box) -> str:
    return f"@{box.x},{box.y} {box.width}x{box.height}"


def _quoted(text: str) -> str:
    return json.dumps(_clip(text, NAME_LENGTH), ensure_ascii=False)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _clip(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _document(runs: Sequence[Run], kept: int, cut: str) -> str:
    root = xml.Element("elements")
    if left_out := sum(run.count for run in runs[kept:]):
        root.set("left_out", str(left_out))
    if cut:
        root.set("cut", _printable(cut))
    above: list[tuple[int, xml.Element]] = [(-1, root)]
    for run in runs[:kept]:
        while above[-1][0] >= run.first.depth:
            above.pop()
        node = _node(above[-1][1], run.first)
        if run.count > 1:
            node.tag = "empty-cells"
            node.attrib.update(count=str(run.count), to=_printable(run.last.name), to_box=_numbers(run.last.box))
        above.append((run.first.depth, node))
    xml.indent(root, " ")
    return xml.tostring(root, encoding="unicode")


def _node(parent: xml.Element, element: Element) -> xml.Element:
    tag = element.role.replace(" ", "-")
    attributes = {} if re.fullmatch(r"[a-z][a-z-]*", tag) else {"role": _printable(element.role)}
    node = xml.SubElement(parent, "element" if attributes else tag, attributes)
    for key, text in (("name", element.name), ("value", element.value), ("states", ",".join(sorted(element.states - QUIET_STATES)))):
        if text:
            node.set(key, _printable(text))
    node.set("box", _numbers(element.box))
    return node


def _numbers(box: Box) -> str:
    return f"{box.x},{box.y},{box.width},{box.height}"


def _printable(text: str) -> str:
    """The text without what XML cannot hold: control characters and lone surrogates."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
