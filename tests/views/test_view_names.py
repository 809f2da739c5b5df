"""The table of views."""

from __future__ import annotations

import pytest

from deskbench.core.faults import Misuse
from deskbench.views import READS_ELEMENTS, VIEWS, screenshot, view


def test_every_name_resolves() -> None:
    assert all(callable(view(name)) for name in VIEWS)
    assert set(VIEWS) >= READS_ELEMENTS


def test_a_view_of_ones_own_is_named_by_module_and_attribute() -> None:
    assert view("deskbench.views.screenshot:show") is screenshot.show


@pytest.mark.parametrize(
    ("name", "says"), [("x-ray", "screenshot, a11y, marks"), ("no.such:thing", "cannot be loaded"), ("deskbench.views:nothing", "cannot be loaded")]
)
def test_a_name_that_is_not_there_is_refused(name: str, says: str) -> None:
    with pytest.raises(Misuse, match=says):
        view(name)
