"""Views of real programs: that what they name is where they say it is is shown by clicking on it."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as xml

import pytest

from deskbench.core import action as a
from deskbench.core.app import App, Ready
from deskbench.core.observation import Box, Element, Mark
from deskbench.core.ports import Settle
from deskbench.core.wait import until
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.views import view
from deskbench.views.elements import as_text, as_xml
from deskbench.views.marks import mark

pytestmark = pytest.mark.live

GEANY = App("geany", "Geany", ("geany",), ("geany",), Ready("Geany"))
CALC = App(
    "calc", "Calc", ("libreoffice-calc",), ("libreoffice", "--calc", "--norestore", "--nologo"), Ready("Calc", element=("table", "Sheet Sheet1"))
)
BLENDER = App("blender", "Blender", ("blender",), ("blender",), Ready("Blender"), gl=True)


@pytest.fixture
def desktop() -> Iterator[LocalDesktop]:
    with LocalDesktop.open(apps={app.name: app for app in (GEANY, CALC, BLENDER)}, layers=[]) as opened:
        yield opened


def start(desktop: LocalDesktop, app: App) -> None:
    if desktop.run(["which", app.argv[0]]).status != 0:
        pytest.skip(f"{app.title} is not installed")
    desktop.launch(app)


def marks(desktop: LocalDesktop) -> dict[str, Mark]:
    """The marks of the screen by what they are called; the first of each name."""
    observation = mark(desktop.observe(elements=True))
    assert observation.marks is not None
    screen = Box(0, 0, *desktop.size)
    assert all(m.box.within(screen) == m.box for m in observation.marks)
    return {m.label: m for m in reversed(observation.marks)}


def marks_with(desktop: LocalDesktop, beginning: str) -> dict[str, Mark]:
    """The marks, as soon as one is called something that begins so."""

    def found() -> dict[str, Mark] | None:
        named = marks(desktop)
        return named if any(label.startswith(beginning) for label in named) else None

    return until(found, f"a mark called {beginning}", 60, every=0.2)


def click(desktop: LocalDesktop, wanted: Mark) -> None:
    x, y = wanted.box.centre
    desktop.act(a.Click(x=x, y=y))


def test_a_menu_opened_by_its_mark_brings_marks_of_its_items(desktop: LocalDesktop) -> None:
    start(desktop, GEANY)
    before = marks(desktop)
    assert {"File", "Edit", "New", "Open", "Quit"} <= set(before)
    assert before["File"].id < before["Edit"].id < before["New"].id
    assert "Save As..." not in before
    click(desktop, before["File"])
    opened = marks_with(desktop, "Save As...")
    assert opened["Save As..."].role == "menu item"
    covered = opened["Save As..."].box
    assert not any(m.role == "push button" and covered.contains(*m.box.centre) for m in opened.values()), "what the menu covers has marks"


def test_what_a_sheet_tells_is_where_it_shows(desktop: LocalDesktop) -> None:
    start(desktop, CALC)
    desktop.act(a.Type(text="Region\tSales\nNorth\t120\n"))
    named = marks(desktop)
    click(desktop, named["B2: 120"])
    position = until(lambda: position_shown(desktop, "B2"), "the position B2 in the name box", 10, every=0.2)
    assert position.role == "text"
    click(desktop, named["Bold"])
    bold = until(
        lambda: next((e for e in desktop.elements().find(name="Bold") if e.states & {"checked", "pressed"}), None), "bold to be on", 10, every=0.2
    )
    assert bold.box.contains(*named["Bold"].box.centre)


def position_shown(desktop: LocalDesktop, cell: str) -> Element | None:
    return next((e for e in desktop.elements().items if e.role == "text" and e.value == cell), None)


def test_a_sheet_as_text_is_short_and_says_what_is_in_it(desktop: LocalDesktop) -> None:
    start(desktop, CALC)
    desktop.act(a.Type(text="Region\tSales\n"))
    elements = desktop.elements()
    assert len(elements.items) > 1000
    text = as_text(elements)
    assert len(text) < 8000
    assert 'table cell "A1" = "Region"' in text and 'table cell "B1" = "Sales"' in text and " empty cells " in text
    root = xml.fromstring(as_xml(elements))
    assert root.find(".//table-cell[@name='B1']").get("value") == "Sales"  # type: ignore[union-attr]


def test_a_window_in_front_leaves_no_marks_of_the_one_behind(desktop: LocalDesktop) -> None:
    start(desktop, GEANY)
    assert "Color Chooser" in marks(desktop)
    start(desktop, CALC)
    named = marks(desktop)
    assert "Wrap Text" in named and "Color Chooser" not in named
    assert "Color Chooser" not in view("a11y")(desktop.observe(elements=True)).text


def test_a_program_without_a_tree_is_read(desktop: LocalDesktop) -> None:
    pytest.importorskip("rapidocr", reason="rapidocr is not installed; run: pip install 'deskbench[ocr]'")
    start(desktop, BLENDER)
    until(lambda: drawn(desktop), "Blender to draw its window", 120, every=0.5)
    desktop.act(a.Key(keys=("escape",)), settle=Settle(20, 1.0))
    named = marks(desktop)
    assert {"File", "Edit", "Render", "Window", "Help", "Layout", "Object Mode", "Scene Collection", "Camera"} <= set(named)
    click(desktop, named["Render"])
    opened = marks_with(desktop, "Render Image")
    assert any(label.startswith("Render Animation") for label in opened)


def drawn(desktop: LocalDesktop) -> bool:
    """Whether the window shows more than its grey ground."""
    green = desktop.frame().pixels[60:, :, 1]
    return bool((green != green[40, 40]).mean() > 0.3)
