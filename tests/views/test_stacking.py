"""What lies behind another window is not there to be pointed at."""

from __future__ import annotations

import numpy as np
from trees import element

from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Elements, Observation, Window
from deskbench.views.stacking import uncovered

FRAME = Frame(np.zeros((600, 800, 4), np.uint8))
BACK = Window(1, "Back", "a", Box(0, 20, 800, 580))
FRONT = Window(2, "Front", "b", Box(200, 200, 300, 200))
TREE = (
    element("frame", "Back", (0, 0, 800, 600), 0),
    element("push button", "Seen", (10, 30, 40, 40), 1),
    element("push button", "Covered", (250, 250, 40, 40), 1),
    element("frame", "Front", (200, 180, 300, 220), 0),
    element("push button", "In front", (250, 250, 40, 40), 1),
)


def seen(windows: tuple[Window, ...], *items: object) -> list[str]:
    found = uncovered(Observation(FRAME, windows, elements=Elements(items)))  # type: ignore[arg-type]
    assert found is not None
    return [e.name for e in found.items if e.role != "frame" and e.role != "window"]


def test_the_window_in_front_hides_what_is_behind() -> None:
    assert seen((BACK, FRONT), *TREE) == ["Seen", "In front"]


def test_the_window_behind_hides_nothing() -> None:
    assert seen((FRONT, BACK), *TREE) == ["Seen", "Covered"]


def test_a_hidden_window_neither_hides_nor_shows() -> None:
    hidden = Window(2, "Front", "b", FRONT.box, hidden=True)
    assert seen((BACK, hidden), *TREE) == ["Seen", "Covered"]


def test_a_menu_is_in_front_of_every_window() -> None:
    menu = (element("window", "", (0, 20, 100, 100), 0), element("menu item", "Save", (0, 30, 100, 20), 1))
    assert seen((BACK,), *TREE[:3], *menu) == ["Covered", "Save"]


def test_without_windows_everything_is_kept() -> None:
    assert seen((), *TREE) == ["Seen", "Covered", "In front"]


def test_elements_that_were_not_asked_for_stay_so() -> None:
    assert uncovered(Observation(FRAME, (BACK,))) is None


def test_what_the_tree_said_of_itself_is_kept() -> None:
    found = uncovered(Observation(FRAME, (BACK,), elements=Elements(TREE, "too many", 0.5)))
    assert found is not None and (found.cut, found.seconds) == ("too many", 0.5)
