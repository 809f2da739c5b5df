"""Every certificate holds for its task as it is and the checks as they are, and the catalogue says what they say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from deskbench.core.faults import Misuse
from deskbench.core.task import CheckEntry, Task
from deskbench.pack import versions
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


@pytest.mark.parametrize(("check", "script"), [("blend.object", "blend_reading"), ("code.tests", "code_running")])
def test_a_script_that_a_probe_runs_counts_as_code_that_judges(check: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [CheckEntry(name=check, args={})]
    before = versions.checks_digest(entries)
    source = versions._source_of
    monkeypatch.setattr(versions, "_source_of", lambda module: source(module) + ("\nmore = 1\n" if module == script else ""))
    versions._code_of.cache_clear()
    try:
        assert versions.checks_digest(entries) != before
    finally:
        versions._code_of.cache_clear()


@pytest.mark.parametrize(
    ("selector", "holds"),
    [
        ("level:L4", lambda task: not task.feasible),
        ("app:gimp", lambda task: "gimp" in task.apps),
        ("persona:accountant", lambda task: task.persona == "accountant"),
    ],
)
def test_a_selector_chooses_by_what_is_in_a_task(selector: str, holds: Callable[[Task], bool]) -> None:
    everything = [family.task for family in find()]
    assert [family.task.id for family in find([selector])] == [task.id for task in everything if holds(task)]
    with pytest.raises(Misuse, match="no task matches 'label:nowhere'"):
        find(["label:nowhere"])
