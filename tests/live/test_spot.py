"""One task of each application is proven again, live: its certificate's runs come out here as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskbench.pack.load import find
from deskbench.runner.spot import sampled, spot_check

ONE_EACH = (
    "audacity/jingle-peak",
    "blender/round-edges",
    "chromium/ticket-stages",
    "calc/quarter-total",
    "files/release-archive",
    "gimp/thread-palette",
    "inkscape/plate-cutout",
    "kdenlive/coast-trim",
    "writer/heading-styles",
)


@pytest.mark.live
@pytest.mark.timeout(1500)
def test_one_certificate_of_each_application_holds_here(tmp_path: Path) -> None:
    families = find(ONE_EACH, None)
    assert {family.task.id for family in families} == set(ONE_EACH)
    rows = spot_check(families, tmp_path / "spot", desktops=2)
    assert len(rows) == sum(len(list(sampled(family))) for family in families) == 5 * len(ONE_EACH)
    assert not [row for row in rows if not row["agrees"]]
