"""Elements as text and as XML."""

from __future__ import annotations

from xml.etree import ElementTree as xml

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import EDITOR, element, forests

from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Elements, Observation
from deskbench.views.elements import LEAST_LENGTH, as_text, as_xml, pruned, show

GOLDEN_TEXT = """\
frame "notes.txt - Editor" [active] @0,0 800x600
  menu "File" @0,20 40x24
  menu "Edit" @40,20 40x24
  push button "Save" [disabled] @4,46 32x32
  label "Size:" @40,46 30x32
  spin button = "12" @74,46 66x32
  panel "Font" @150,46 120x32
    text = "Serif" @150,46 90x32
    toggle button @240,46 30x32
  text = "Dear \\"Ann\\",\\nhello" [focused] @0,80 780x400
  table "Results" @0,480 800x100
    table cell "A1" = "Region" @0,480 80x20
    3 empty cells "B1" to "D1" @80,480 80x20 to @240,480 80x20
    radio button [checked] @400,480 32x32
  status bar "Line 1" @0,580 800x20"""

GOLDEN_XML = """\
<elements>
 <frame name="notes" states="active" box="0,0,9,9">
  <push-button name="A &amp; &lt;B&gt;" box="1,1,2,2" />
  <table box="0,5,9,2">
   <empty-cells name="A1" box="0,5,3,2" count="3" to="C1" to_box="6,5,3,2" />
  </table>
  <element role="Ünknown" value="v" box="0,7,9,2" />
 </frame>
</elements>"""


def test_a_small_tree_as_text() -> None:
    assert as_text(EDITOR) == GOLDEN_TEXT


def test_a_small_tree_as_xml() -> None:
    tree = Elements(
        (
            element("frame", "notes", (0, 0, 9, 9), 0, None, "active"),
            element("panel", "", (0, 0, 9, 9), 1),
            element("push button", "A & <B>", (1, 1, 2, 2), 2),
            element("table", "", (0, 5, 9, 2), 1),
            *(element("table cell", name, (x, 5, 3, 2), 2, "") for name, x in (("A1", 0), ("B1", 3), ("C1", 6))),
            element("Ünknown", "", (0, 7, 9, 2), 1, "v"),
        )
    )
    assert as_xml(tree) == GOLDEN_XML


def test_unpruned_text_has_a_line_for_every_element() -> None:
    assert len(as_text(EDITOR, prune=False).splitlines()) == len(EDITOR.items)


def test_a_disabled_container_still_says_nothing() -> None:
    assert pruned((element("panel", "", (0, 0, 5, 5), 0, None, "disabled"),)) == ()


def test_a_container_that_repeats_the_name_around_it_is_left_out() -> None:
    kept = pruned(
        (element("panel", "Styles", (0, 0, 50, 50), 0), element("tool bar", "Styles", (0, 0, 40, 40), 1), element("entry", "", (0, 0, 9, 9), 2))
    )
    assert [(e.role, e.depth) for e in kept] == [("panel", 0), ("entry", 1)]


def test_what_is_cut_is_said() -> None:
    many = Elements(tuple(element("push button", f"Button {n}", (n, 0, 5, 5), 0) for n in range(100)))
    text = as_text(many, 1000)
    kept = text.count('push button "')
    assert 10 < kept < 100
    assert text.splitlines()[-1] == f"({100 - kept} more elements left out for length: {100 - kept} push button)"


def test_cells_in_a_run_are_counted_when_they_are_cut() -> None:
    many = Elements(
        (
            *(element("push button", "Button" * 5, (n, 0, 5, 5), 0) for n in range(10)),
            *(element("table cell", "A1", (n, 0, 5, 5), 0, "") for n in range(50)),
        )
    )
    assert "50 table cell" in as_text(many, 300).splitlines()[-1]


def test_an_incomplete_tree_is_said_to_be_so() -> None:
    assert as_text(Elements(EDITOR.items, cut="there are more than 6000 nodes")).endswith(
        "(there are more than 6000 nodes; the tree is not complete)"
    )


@given(forests, st.integers(LEAST_LENGTH, 3000), st.booleans())
def test_text_stays_within_its_bound(tree: Elements, length: int, prune: bool) -> None:
    assert len(as_text(tree, length, prune=prune)) <= length


@given(forests)
def test_an_element_is_never_more_than_a_line(tree: Elements) -> None:
    lines = as_text(tree, 1_000_000, prune=False).split("\n")
    assert len(lines) == max(1, len(tree.items) + bool(tree.cut))


@given(forests, st.integers(300, 3000))
def test_xml_is_well_formed_and_counts_what_it_leaves_out(tree: Elements, length: int) -> None:
    text = as_xml(tree, length, prune=False)
    root = xml.fromstring(text)
    assert len(list(root.iter())) - 1 + int(root.get("left_out", "0")) == len(tree.items)
    assert len(text) <= length or len(root) == 0


def test_too_little_room_is_refused() -> None:
    with pytest.raises(Misuse, match="at least 200"):
        as_text(EDITOR, 50)


def test_the_view_needs_elements() -> None:
    frame = Frame(np.zeros((600, 800, 4), np.uint8))
    assert show(Observation(frame, elements=EDITOR)).text == GOLDEN_TEXT
    with pytest.raises(Misuse, match="elements=True"):
        show(Observation(frame))
