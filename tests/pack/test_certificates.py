"""Every certificate holds for its task as it is and the checks as they are, and the catalogue says what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from deskbench.pack.certificate import is_current, stored
from deskbench.pack.load import CERTIFICATE, FIRST, LAST, find, packs_root, suites
from deskbench.pack.pages import pages

CATALOGUE = Path(__file__).parents[2] / "docs/catalogue"
CERTIFIED = sorted(file.parent.relative_to(packs_root()).as_posix() for file in packs_root().glob(f"*/*/{CERTIFICATE}"))


@pytest.mark.parametrize("task", CERTIFIED)
def test_a_certificate_holds(task: str) -> None:
    (family,) = find([task], None)
    assert is_current(family), f"the certificate of {task} no longer holds; run: deskbench certify {task}"
    proof = stored(family)
    assert proof["survivors"] == []
    assert proof["mutation_score"] == 1.0
    for picture in (FIRST, LAST):
        with Image.open(family.folder / picture) as shown:
            assert shown.size == (640, 360)


def test_every_task_is_certified() -> None:
    unproven = sorted(family.task.id for family in find([], None) if not is_current(family))
    assert not unproven, f"without a current certificate: {', '.join(unproven)}; run: deskbench certify"


def test_a_task_without_a_certificate_is_in_no_suite() -> None:
    named = {family.task.id for suite in suites(packs_root()) for family in find([], suite)}
    assert named
    assert named <= set(CERTIFIED)


def test_the_catalogue_is_current() -> None:
    families = [family for family in find([], None) if is_current(family)]
    for path, text in pages(families, CATALOGUE).items():
        assert path.exists() and path.read_text(encoding="utf-8") == text, f"{path} is stale; run: make catalogue"
