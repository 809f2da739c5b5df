"""What is left is the plan less what is complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskbench.core.episode import Episode
from deskbench.core.verdict import Verdict, passed
from deskbench.pack.load import Family, read
from deskbench.runner.plan import Plan, default_folder
from deskbench.store.run_folder import RunFolder

TASK = """\
id: geany/{name}
level: L1
apps: [geany]
domain: office/text
persona: clerk
source: a test
{params}instruction: {{en: "Write it {use}."}}
checks: [{{files.exists: ~/a}}]
procedure: [{{do: Write, by: [{{type: x}}]}}]
"""


@pytest.fixture
def families(tmp_path: Path) -> tuple[Family, ...]:
    found = []
    for name, params, use in (("one", "", ""), ("two", "params: {n: {one_of: [1, 2, 3]}}\n", "{n}")):
        file = tmp_path / "packs" / "geany" / name / "task.yaml"
        file.parent.mkdir(parents=True)
        file.write_text(TASK.format(name=name, params=params, use=use))
        found.append(read(file))
    return tuple(found)


def sealed(run: RunFolder, plan: Plan, number: int, digest: str | None = None) -> None:
    spec = plan.specs()[number]
    family = plan.family(spec)
    run.recorder(spec).close()
    verdict = Verdict(findings=(passed("x"),), score=1.0)
    known = {"level": "L1", "apps": ("geany",), "domain": "d", "instruction": "i", "started": "", "stop": "done"}
    run.seal(Episode(spec=spec, digest=digest or family.digest, verdict=verdict, **known))  # type: ignore[arg-type]


def test_repeats_of_a_task_with_parameters_take_other_values(families: tuple[Family, ...]) -> None:
    plan = Plan(families, "noop", repeats=2)
    assert [(s.task, s.seed, s.repeat) for s in plan.specs()] == [("geany/one", 0, 0), ("geany/two", 0, 0), ("geany/one", 0, 1), ("geany/two", 1, 1)]
    assert len({spec.key for spec in plan.specs()}) == 4


def test_what_is_complete_is_not_left(families: tuple[Family, ...], tmp_path: Path) -> None:
    plan = Plan(families, "noop")
    run = RunFolder.create(tmp_path / "run", {"plan": plan.data()})
    assert len(plan.left(run)) == 2
    sealed(run, plan, 0)
    assert [spec.task for spec in plan.left(run)] == ["geany/two"]
    sealed(run, plan, 1, digest="of an older task")
    assert [spec.task for spec in plan.left(run)] == ["geany/two"], "the task has changed since"


def test_the_same_command_goes_on_and_a_finished_run_gets_a_new_folder(families: tuple[Family, ...], tmp_path: Path) -> None:
    plan = Plan(families, "noop")
    first = default_folder(plan, "geany/*", tmp_path)
    assert first.name == "geany-noop-1"
    run = RunFolder.create(first, {"plan": plan.data()})
    sealed(run, plan, 0)
    assert default_folder(plan, "geany/*", tmp_path) == first
    sealed(run, plan, 1)
    assert default_folder(plan, "geany/*", tmp_path).name == "geany-noop-2"
    assert default_folder(Plan(families, "noop", repeats=2), "geany/*", tmp_path).name == "geany-noop-2"


def test_the_digest_covers_what_was_written_and_the_assets(families: tuple[Family, ...]) -> None:
    one = families[0]
    before = one.digest
    one.file.write_text(one.file.read_text().replace("Write it", "Write them"))
    assert read(one.file).digest != before
    text = one.file.read_text()
    one.file.write_text(text.replace("checks:", "setup: [{put: {a.txt: ~/a.txt}}]\nchecks:"))
    (one.folder / "a.txt").write_text("1")
    with_asset = read(one.file).digest
    (one.folder / "a.txt").write_text("2")
    assert read(one.file).digest != with_asset
