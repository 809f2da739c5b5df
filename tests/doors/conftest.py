"""A seat at a fake desktop: everything of a door but the display."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deskbench.core.episode import Spec
from deskbench.core.ports import Settle, Wants
from deskbench.core.task import draw
from deskbench.desktops.fake import FakeDesktop
from deskbench.episode.play import Job
from deskbench.runner.seat import Seat
from deskbench.store.run_folder import RunFolder
from deskbench.users.scripted import ScriptedUser

WRITTEN: dict[str, Any] = {
    "id": "fake/note",
    "level": "L1",
    "apps": ["geany"],
    "domain": "office/text",
    "persona": "clerk",
    "source": "a test",
    "phases": [{"says": {"en": "Write hello into ~/note.txt."}, "knows": [{"about": "colour", "answer": "It is blue."}]}],
    "checks": [{"text.content": {"file": "~/note.txt", "text": "hello"}}],
    "milestones": [
        {"id": "there", "says": "The note is there", "probe": {"files.exists": "~/note.txt"}},
        {"id": "never", "says": "Never there at all", "probe": {"files.exists": "~/never.txt"}},
    ],
    "procedure": [{"do": "Write it", "by": [{"type": "hello"}]}],
    "budget": {"steps": 6},
}


class WritingDesktop(FakeDesktop):
    """A fake desktop whose typing ends up in ~/note.txt."""

    def act(self, action: Any, **options: Any) -> Any:
        acted = super().act(action, **options)
        if action.kind == "type":
            self.put({"note.txt": action.text.encode()})
        return acted


TakeSeat = Callable[..., Seat]


@pytest.fixture
def take(tmp_path: Path) -> Iterator[TakeSeat]:
    """Takes seats at a fake task, and gets up from all of them at the end."""
    run = RunFolder.create(tmp_path / "run", {"plan": {}})
    taken: list[Seat] = []

    def seat(seed: int = 0, tools: tuple[str, ...] = (), **written: Any) -> Seat:
        task = draw({**WRITTEN, **written}, seed)
        spec = Spec(task=task.id, agent="door", seed=seed, repeat=len(taken), tools=tools)
        job = Job(
            spec=spec,
            task=task,
            digest="d",
            asset=Path,
            open_desktop=WritingDesktop,
            open_probe=lambda _: FakeDesktop(),
            user=ScriptedUser(),
            settle=Settle(),
        )
        taken.append(Seat(job, run, Wants()))
        return taken[-1]

    yield seat
    for one in taken:
        one.leave()
