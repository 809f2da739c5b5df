"""Which elements get a number, and which number."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import EDITOR, SIZE, element, forests

from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Element, Elements, Mark, Observation, Window
from deskbench.views import ocr
from deskbench.views.marks import as_text, choose, mark, show

SCREEN = Box(0, 0, *SIZE)


def blank() -> Frame:
    return Frame(np.zeros((SIZE[1], SIZE[0], 4), np.uint8))


def chosen(*items: Element) -> list[tuple[str, str]]:
    return [(m.role, m.label) for m in choose(Elements(items), SIZE)]


def test_the_marks_of_a_small_tree() -> None:
    assert as_text(choose(EDITOR, SIZE)).splitlines() == [
        '1 menu "File"',
        '2 menu "Edit"',
        '3 push button "Save"',
        '4 spin button "Size: 12"',
        '5 text "Font: Serif"',
        '6 toggle button "Font"',
        '7 table cell "A1: Region"',
        "8 radio button",
    ]


def test_things_in_the_same_place_are_one() -> None:
    assert chosen(element("list item", "", (10, 10, 40, 40), 0), element("radio button", "", (11, 10, 40, 40), 1)) == [("radio button", "")]


def test_the_one_with_a_name_stands_for_both() -> None:
    assert chosen(element("list item", "Pen", (10, 10, 40, 40), 0), element("link", "", (10, 10, 39, 40), 0)) == [("list item", "Pen")]


def test_a_whole_gives_way_to_the_parts_that_fill_it() -> None:
    parts = element("entry", "", (10, 10, 80, 20), 1, "12"), element("push button", "Open", (90, 10, 20, 20), 1)
    assert chosen(element("combo box", "Size", (10, 10, 100, 20), 0), *parts) == [("entry", "Size: 12"), ("push button", "Open")]


def test_a_small_part_leaves_the_whole() -> None:
    found = chosen(element("list item", "Mail", (10, 10, 400, 40), 0), element("push button", "Delete", (380, 15, 20, 20), 1))
    assert found == [("list item", "Mail"), ("push button", "Delete")]


@pytest.mark.parametrize("box", [(0, 0, 800, 400), (0, 0, 800, 5), (900, 10, 50, 50), (-60, 10, 50, 50), (10, 10, 0, 0)])
def test_what_is_too_large_too_small_or_off_the_screen_gets_none(box: tuple[int, int, int, int]) -> None:
    assert chosen(element("push button", "OK", box, 0)) == []


def test_swatches_without_a_name_get_none() -> None:
    assert chosen(element("push button", "", (10, 10, 16, 16), 0)) == []
    assert chosen(element("push button", "Red", (10, 10, 16, 16), 0)) == [("push button", "Red")]


def test_containers_and_empty_cells_get_none() -> None:
    empty = element("table cell", "A1", (0, 0, 80, 20), 0, "")
    assert chosen(element("panel", "Tools", (0, 0, 90, 90), 0, None, "focusable"), empty) == []


def test_a_button_is_called_by_what_it_holds() -> None:
    assert chosen(element("push button", "", (0, 0, 90, 30), 0), element("label", "Apply", (5, 5, 50, 20), 1)) == [("push button", "Apply")]


def test_too_many_leave_those_that_say_least() -> None:
    named = [element("push button", f"B{n}", (n * 50, 300, 40, 40), 0) for n in range(5)]
    unnamed = [element("push button", "", (n * 50, 100, 40, 40), 0) for n in range(5)]
    marks = choose(Elements((*unnamed, *named)), SIZE, limit=6)
    assert [m.label for m in marks] == ["", "B0", "B1", "B2", "B3", "B4"]


def test_a_line_is_numbered_from_the_left_though_its_tops_differ() -> None:
    row = [element("push button", f"B{n}", (400 - n * 50, 100 + n % 3, 40, 40), 0) for n in range(6)]
    assert [label for _, label in chosen(*row)] == ["B5", "B4", "B3", "B2", "B1", "B0"]


@given(forests)
def test_every_mark_lies_on_the_screen_and_is_numbered_in_turn(tree: Elements) -> None:
    marks = choose(tree, SIZE)
    assert [m.id for m in marks] == list(range(1, len(marks) + 1))
    for m in marks:
        assert m.box.within(SCREEN) == m.box and m.box.area > 0
        assert SCREEN.contains(*m.box.centre)


@given(forests)
def test_no_two_marks_are_in_the_same_place(tree: Elements) -> None:
    boxes = [m.box for m in choose(tree, SIZE)]
    assert len(set(boxes)) == len(boxes)


@given(st.lists(st.tuples(st.integers(0, 700), st.integers(0, 500), st.integers(20, 60), st.integers(20, 60)), max_size=20), st.randoms())
def test_numbers_do_not_depend_on_the_order_in_which_applications_tell(boxes: list[tuple[int, int, int, int]], random: object) -> None:
    items = [element("push button", f"B{n}", box, 0) for n, box in enumerate(boxes)]
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert choose(Elements(tuple(items)), SIZE) == choose(Elements(tuple(shuffled)), SIZE)


def test_an_observation_gets_its_marks_and_keeps_the_rest() -> None:
    seen = Observation(blank(), elements=EDITOR, cursor=(3, 4))
    marked = mark(seen)
    assert marked.marks == choose(EDITOR, SIZE)
    assert (marked.frame, marked.cursor, marked.elements) == (seen.frame, (3, 4), EDITOR)
    assert seen.marks is None


def test_nothing_there_is_not_the_same_as_not_asked_for() -> None:
    assert mark(Observation(blank(), elements=Elements(()))).marks == ()
    with pytest.raises(Misuse, match="elements=True"):
        mark(Observation(blank()))


def test_a_window_without_a_tree_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_text(frame: Frame, region: Box) -> tuple[ocr.Line, ...]:
        assert region == Box(100, 50, 300, 300)
        return (
            ocr.Line("Render", Box(110, 60, 50, 15), 0.99),
            ocr.Line("", Box(200, 60, 20, 20), 0.5),
            ocr.Line("Hidden", Box(350, 300, 40, 15), 0.99),
        )

    monkeypatch.setattr(ocr, "find_text", find_text)
    windows = (Window(1, "Blender", "blender", Box(100, 50, 300, 300)), Window(2, "Editor", "editor", Box(300, 200, 300, 300)))
    tree = Elements((element("frame", "Editor", (300, 200, 300, 300), 0), element("push button", "OK", (310, 210, 60, 30), 1)))
    marked = mark(Observation(blank(), windows, elements=tree))
    assert marked.marks is not None
    assert [(m.role, m.label) for m in marked.marks] == [("text", "Render"), ("icon", ""), ("push button", "OK")]
    assert mark(Observation(blank(), windows, elements=tree), ocr=False).marks == (Mark(1, Box(310, 210, 60, 30), "OK", "push button"),)


def test_a_hidden_window_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "find_text", lambda *_: pytest.fail("a hidden window was read"))
    windows = (Window(1, "Blender", "blender", Box(100, 50, 300, 300), hidden=True),)
    assert mark(Observation(blank(), windows, elements=Elements(()))).marks == ()


def test_without_the_extra_the_command_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    ocr._engine.cache_clear()
    windows = (Window(1, "Blender", "blender", Box(100, 50, 300, 300)),)
    with pytest.raises(Misuse, match=r"pip install 'deskbench\[ocr\]'"):
        mark(Observation(blank(), windows, elements=Elements(())))


def test_the_view_shows_a_picture_and_what_the_numbers_are() -> None:
    shown = show(Observation(blank(), elements=EDITOR))
    assert shown.text.startswith('1 menu "File"')
    assert shown.frame is not None and not shown.frame.same_as(blank())


def test_a_full_sheet_is_marked_quickly_enough() -> None:
    """3,000 filled cells: comparing each pair in Python would take half a minute."""
    cells = tuple(element("table cell", f"C{n}", (n % 60 * 30, n // 60 * 20, 30, 20), 0, "x") for n in range(3000))
    assert len(choose(Elements(cells), (1920, 1080))) == 400
