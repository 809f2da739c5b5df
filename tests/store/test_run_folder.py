"""The run folder: whole files only, pictures once, attempts kept, an index that can be made again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from deskbench.core.action import Type
from deskbench.core.episode import Episode, Spec, Step
from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.verdict import Blame, Verdict, passed
from deskbench.store import run_folder
from deskbench.store.run_folder import RunFolder, write_atomically


def episode(task: str = "a/b", score: float | None = 1.0, **more: object) -> Episode:
    verdict = Verdict(findings=(passed("fine"),), score=score) if score is not None else Verdict(fault=Blame(where="desktop", sentence="it died"))
    known = {"digest": "d", "level": "L1", "apps": ("x",), "domain": "d/e", "instruction": "do", "started": "now", "stop": "done", **more}
    return Episode(spec=Spec(task=task, agent="me"), verdict=verdict, **known)  # type: ignore[arg-type]


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", {"plan": {"tasks": 1}})


def test_an_episode_is_complete_when_it_is_sealed(run: RunFolder) -> None:
    it = episode()
    with run.recorder(it.spec) as recorder:
        recorder.step(Step(number=1, action=Type(text="x")))
    assert run.episode(it.spec.key) is None
    run.seal(it)
    assert run.episode(it.spec.key) == it
    assert [step.action for step in run.steps(it.spec.key)] == [Type(text="x")]


def test_a_half_written_line_or_record_is_no_step_and_no_episode(run: RunFolder) -> None:
    it = episode()
    with run.recorder(it.spec) as recorder:
        recorder.step(Step(number=1, action=Type(text="x")))
    with (recorder.folder / "steps.jsonl").open("a") as steps:
        steps.write('{"number": 2, "acti')
    (run.episode_folder(it.spec.key) / "episode.json").write_text('{"spec": {')
    assert len(run.steps(it.spec.key)) == 1
    assert run.episode(it.spec.key) is None and list(run.episodes()) == []


def test_every_attempt_is_kept(run: RunFolder) -> None:
    it = episode()
    for number in (1, 2, 3):
        with run.recorder(it.spec) as recorder:
            assert recorder.attempt == number
    assert [folder.name for folder in run.attempts(it.spec.key)] == ["attempt-1", "attempt-2", "attempt-3"]


def test_a_picture_is_kept_once(run: RunFolder) -> None:
    frames = [Frame(np.full((20, 30, 4), shade, np.uint8)) for shade in (1, 2, 1)]
    with run.recorder(episode().spec) as recorder:
        names = [recorder.picture(frame) for frame in frames]
    assert names[0] == names[2] != names[1]
    assert len([file for file in (run.folder / "pictures").rglob("*") if file.is_file()]) == 2
    assert run.picture(names[0]).exists()


def test_the_index_is_made_again_from_the_episodes(run: RunFolder) -> None:
    run.seal(episode_in(run, "a/b", 1.0))
    run.seal(episode_in(run, "a/c", None))
    rows = run.rebuild_index()
    (run.folder / "index.jsonl").write_text("rubbish")
    assert run.rebuild_index() == rows
    assert [(row["task"], row["score"]) for row in rows] == [("a/b", 1.0), ("a/c", None)]
    assert rows[1]["fault"] == "it died"


def episode_in(run: RunFolder, task: str, score: float | None) -> Episode:
    it = episode(task, score)
    run.recorder(it.spec).close()
    return it


def test_another_plan_is_refused(run: RunFolder) -> None:
    assert RunFolder.create(run.folder, {"plan": {"tasks": 1}}).folder == run.folder
    with pytest.raises(Misuse, match="another run"):
        RunFolder.create(run.folder, {"plan": {"tasks": 2}})
    with pytest.raises(Misuse, match="not a run"):
        RunFolder.open(run.folder / "episodes")


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.json"
    write_atomically(file, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run_folder.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(file, b"new")
    assert file.read_bytes() == b"old" and [f.name for f in tmp_path.iterdir()] == ["kept.json"]


def test_what_an_old_version_wrote_is_played_again(run: RunFolder) -> None:
    it = episode_in(run, "a/b", 1.0)
    data = json.loads(it.model_dump_json())
    del data["verdict"]
    (run.episode_folder(it.spec.key) / "episode.json").write_text(json.dumps(data))
    assert run.episode(it.spec.key) is None
