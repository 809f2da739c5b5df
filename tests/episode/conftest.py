"""A job on a fake desktop: everything of an episode but the display."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbench.core.episode import Spec
from deskbench.core.ports import Desktop, Settle
from deskbench.core.task import draw
from deskbench.desktops.fake import FakeDesktop
from deskbench.episode.play import Job
from deskbench.store.run_folder import EpisodeRecorder, RunFolder
from deskbench.users.scripted import ScriptedUser

WRITTEN: dict[str, Any] = {
    "id": "fake/task",
    "level": "L1",
    "apps": ["geany"],
    "domain": "office/text",
    "persona": "clerk",
    "source": "a test",
    "instruction": {"en": "Write hello into ~/note.txt.", "zh": "写。"},
    "checks": [{"text.content": {"file": "~/note.txt", "text": "hello"}}, {"only_changed": ["~/note.txt"]}],
    "milestones": [{"id": "there", "says": "The note is there", "probe": {"files.exists": "~/note.txt"}}],
    "procedure": [{"do": "Write it", "by": [{"type": "hello"}], "reaches": "there"}],
    "budget": {"steps": 5},
}


class WritingDesktop(FakeDesktop):
    """A fake desktop whose typing ends up in ~/note.txt."""

    def act(self, action: Any, **options: Any) -> Any:
        acted = super().act(action, **options)
        if action.kind == "type":
            self.put({"note.txt": action.text.encode()})
        return acted


@pytest.fixture(scope="session")
def job_on_fake_desktop() -> Callable[..., Job]:
    def make(*, open_desktop: Callable[[], Desktop] = WritingDesktop, spec: Spec | None = None, **written: Any) -> Job:
        task = draw({name: value for name, value in {**WRITTEN, **written}.items() if value is not None}, 0)
        return Job(
            spec=spec or Spec(task=task.id, agent="test"),
            task=task,
            digest="d",
            asset=lambda name: Path(name),
            open_desktop=open_desktop,
            open_probe=lambda _: FakeDesktop(),
            user=ScriptedUser(),
            settle=Settle(),
        )

    return make


@pytest.fixture
def recorder(tmp_path: Path) -> EpisodeRecorder:
    run = RunFolder.create(tmp_path / "run", {"plan": {}})
    recorder = run.recorder(Spec(task="fake/task", agent="test"))
    yield recorder  # type: ignore[misc]
    recorder.close()


@pytest.fixture
def job(job_on_fake_desktop: Callable[..., Job]) -> Callable[..., Job]:
    return job_on_fake_desktop
