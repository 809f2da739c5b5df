"""Element trees for these tests: one made by hand, and any that hypothesis can think of."""

from __future__ import annotations

from hypothesis import strategies as st

from deskbench.core.observation import Box, Element, Elements

SIZE = (800, 600)


def element(role: str, name: str, box: tuple[int, int, int, int], depth: int, value: str | None = None, *states: str) -> Element:
    return Element(role, name, Box(*box), depth, value, frozenset(states), "editor")


EDITOR = Elements(
    (
        element("frame", "notes.txt - Editor", (0, 0, 800, 600), 0, None, "active"),
        element("filler", "", (0, 20, 800, 580), 1),
        element("menu bar", "", (0, 20, 800, 24), 2),
        element("menu", "File", (0, 20, 40, 24), 3, None, "selectable"),
        element("menu", "Edit", (40, 20, 40, 24), 3, None, "selectable"),
        element("panel", "", (0, 44, 800, 36), 2),
        element("push button", "Save", (4, 46, 32, 32), 3, None, "focusable", "disabled"),
        element("panel", "", (40, 46, 100, 32), 3),
        element("label", "Size:", (40, 46, 30, 32), 4),
        element("spin button", "", (74, 46, 66, 32), 4, "12", "focusable", "editable"),
        element("separator", "", (144, 46, 2, 32), 3),
        element("panel", "Font", (150, 46, 120, 32), 3),
        element("text", "", (150, 46, 90, 32), 4, "Serif", "editable", "focusable"),
        element("toggle button", "", (240, 46, 30, 32), 4, None, "focusable"),
        element("scroll pane", "", (0, 80, 800, 400), 2),
        element("text", "", (0, 80, 780, 400), 3, 'Dear "Ann",\nhello', "focused", "editable", "multi line"),
        element("table", "Results", (0, 480, 800, 100), 2),
        element("table cell", "A1", (0, 480, 80, 20), 3, "Region"),
        element("table cell", "B1", (80, 480, 80, 20), 3, ""),
        element("table cell", "C1", (160, 480, 80, 20), 3, ""),
        element("table cell", "D1", (240, 480, 80, 20), 3, ""),
        element("list item", "", (400, 480, 32, 32), 3, None, "focusable"),
        element("radio button", "", (400, 480, 32, 32), 4, None, "focusable", "checked"),
        element("status bar", "Line 1", (0, 580, 800, 20), 2),
    )
)

texts = st.text(max_size=40)
boxes = st.builds(Box, st.integers(-2000, 3000), st.integers(-2000, 3000), st.integers(0, 3000), st.integers(0, 3000))
roles = st.sampled_from(["frame", "panel", "push button", "text", "table cell", "label", "menu item", "list item", "spin button"]) | texts
elements = st.builds(
    Element,
    role=roles,
    name=texts,
    box=boxes,
    depth=st.integers(0, 6),
    value=st.none() | texts,
    states=st.frozensets(st.sampled_from(["focusable", "focused", "disabled", "selected"]) | texts, max_size=3),
)
forests = st.builds(Elements, st.lists(elements, max_size=40).map(tuple), cut=texts)
