"""What a run may give an agent beside the job."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from deskbench.core.action import Wait
from deskbench.core.episode import Episode, Spec, Step
from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.verdict import Verdict
from deskbench.pack.load import find
from deskbench.runner.guidance import check_guidance, recorded, tutorial
from deskbench.store.run_folder import RunFolder

TASK = "inkscape/title-size"


def recording(folder: Path, *, passed: bool = True) -> None:
    run = RunFolder.create(folder, {"plan": {}})
    spec = Spec(task=TASK, agent="expert")
    with run.recorder(spec) as recorder:
        for number, shade in enumerate((10, 10, 200), 1):
            name = recorder.picture(Frame(np.full((20, 30, 4), shade, np.uint8)))
            recorder.step(Step(number=number, action=Wait(), picture=name))
    verdict = Verdict(score=1.0 if passed else 0.0)
    run.seal(Episode(spec=spec, digest="d", level="L1", apps=("inkscape",), domain="x", instruction="x", started="", stop="done", verdict=verdict))


def test_the_tutorial_is_the_procedure_with_its_values() -> None:
    task = find([TASK], None)[0].draw(1)
    lines = tutorial(task).splitlines()
    assert len(lines) == len(task.procedure)
    assert lines[0].startswith("1. ")
    assert "{" not in tutorial(task)


def test_pictures_come_from_the_experts_recording_each_once(tmp_path: Path) -> None:
    recording(tmp_path / "run")
    assert len(recorded(tmp_path / "run", Spec(task=TASK, agent="claude"))) == 2


def test_guidance_that_is_not_there_is_said_before_anything_is_played(tmp_path: Path) -> None:
    recording(tmp_path / "failed", passed=False)
    spec = Spec(task=TASK, agent="claude")
    with pytest.raises(Misuse, match="holds no passed run of the expert"):
        check_guidance([spec], f"pictures={tmp_path / 'failed'}")
    with pytest.raises(Misuse, match="there is no guidance 'video'"):
        check_guidance([spec], "video")


def test_a_guided_run_is_another_episode() -> None:
    assert Spec(task=TASK, agent="a").key != Spec(task=TASK, agent="a", guidance="text").key
