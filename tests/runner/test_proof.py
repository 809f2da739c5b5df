"""What stands against a certificate: every objection can be raised, and a sound set of trials raises none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deskbench.core.episode import Episode, Spec
from deskbench.core.verdict import Finding, judge
from deskbench.pack.load import Family, read
from deskbench.runner.certify import omitted, trials
from deskbench.runner.proof import objections
from deskbench.store.run_folder import RunFolder

TASK = """
id: files/two-notes
level: L1
apps: [files]
domain: office/notes
persona: clerk
source: a test
instruction: {en: Write two notes., zh: 写两张便条。}
setup: []
checks:
  - files.exists: {file: ~/a.txt}
  - files.exists: {file: ~/b.txt}
milestones:
  - {id: one, says: The first note is there, probe: {files.exists: {file: ~/a.txt}}}
  - {id: two, says: The second note is there, probe: {files.exists: {file: ~/b.txt}}}
  - {id: both, says: Both notes are there, probe: {files.exists: {file: ~/b.txt}}}
procedure:
  - {do: Write the first note, by: [{key: a}]}
  - {do: Write the second note, by: [{key: b}]}
near_misses:
  - {says: Writes the first note only, replace: {2: []}, fails: files.exists}
  - {says: Writes the second note only, replace: {1: []}, fails: files.exists}
alternatives:
  - {says: The other way round, replace: {1: [{key: b}], 2: [{key: a}]}}
"""


@pytest.fixture
def family(tmp_path: Path) -> Family:
    folder = tmp_path / "packs/files/two-notes"
    folder.mkdir(parents=True)
    (folder / "task.yaml").write_text(TASK, encoding="utf-8")
    return read(folder / "task.yaml")


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", {"plan": {}})


def episode(family: Family, spec: Spec, passed: tuple[bool, bool], **more: Any) -> Episode:
    findings = tuple(Finding(passed=ok, sentence=f"note {number}", check="files.exists") for number, ok in enumerate(passed))
    reached = {"one": 1 if passed[0] else None, "two": 2 if passed[1] else None, "both": 2 if all(passed) else None}
    base: dict[str, Any] = {"milestones": reached, "verdict": judge(findings), "stop": "done", **more}
    return Episode(
        spec=spec, digest=family.digest, level="L1", apps=("files",), domain="x", instruction="x", started="", why="", answer="", steps=2, **base
    )


LEFT = {
    "expert": (True, True),
    "expert~other-1": (True, True),
    "expert~omit-1": (False, True),
    "expert~omit-2": (True, False),
    "expert~miss-1": (True, False),
    "expert~miss-2": (False, True),
}


def sound(family: Family, **instead: tuple[bool, bool]) -> list[Episode]:
    """The trials of a good task, some of them coming out as `instead` says."""
    named = {name.replace("__", "~").replace("_", "-"): left for name, left in instead.items()}
    left = {**LEFT, **named}
    return [episode(family, spec, left.get(spec.agent, (False, False))) for spec in trials(family)]


def test_a_sound_set_of_trials_raises_nothing(family: Family, run: RunFolder) -> None:
    assert objections(family, run, list(trials(family)), sound(family)) == []


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ({"expert": (True, False)}, "the expert fails with seed 0: note 1"),
        ({"expert": (True, False)}, "the expert does not reach two, both"),
        ({"noop": (True, True)}, "noop passes"),
        ({"noop": (True, False)}, "noop reaches one without doing anything"),
        ({"expert__omit_1": (True, True)}, "expert~omit-1 passes: without 'Write the first note'"),
        ({"expert__miss_2": (True, True)}, "expert~miss-2 passes: Writes the second note only"),
        ({"expert__other_1": (True, False)}, "the other right way 'The other way round' fails: note 1"),
        ({"expert__omit_1": (False, False), "expert__miss_2": (False, False)}, "check 1, files.exists, catches nobody alone"),
    ],
)
def test_what_is_wrong_is_said(family: Family, run: RunFolder, instead: dict[str, tuple[bool, bool]], said: str) -> None:
    found = objections(family, run, list(trials(family)), sound(family, **instead))
    assert any(said in sentence for sentence in found), found


def test_a_trial_that_was_not_played_is_missed(family: Family, run: RunFolder) -> None:
    found = objections(family, run, list(trials(family)), sound(family)[:-1])
    assert found == ["files/two-notes has not been played"] or "has not been played" in found[0]


def test_a_dialog_in_the_way_at_the_start_is_seen(family: Family, run: RunFolder, tmp_path: Path) -> None:
    written = TASK.replace("setup: []", "setup: [{launch: {app: files}}]")
    family.file.write_text(written, encoding="utf-8")
    opened = read(family.file)
    folder = run.evidence(Spec(task=opened.task.id, agent="noop").key)
    folder.mkdir(parents=True)
    (folder / "windows.json").write_text('[{"title": "Files", "hidden": false}, {"title": "Tip of the day", "hidden": false}]')
    found = objections(opened, run, list(trials(opened)), sound(opened))
    assert any("2 windows are open at the start" in sentence for sentence in found), found


def test_long_procedures_are_sampled_from_end_to_end(family: Family) -> None:
    many = family.task.model_copy(update={"procedure": family.task.procedure * 20})
    chosen = omitted(many)
    assert len(chosen) == 8
    assert chosen[0] == 1
    assert chosen[-1] == 40
