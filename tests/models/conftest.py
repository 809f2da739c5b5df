"""A job on a fake desktop, small dialects, and observations."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deskbench.core.action import ACTION, Action
from deskbench.core.chat import Call, Tool
from deskbench.core.episode import Spec
from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Message, Observation
from deskbench.core.ports import Brief
from deskbench.core.task import draw
from deskbench.desktops.fake import FakeDesktop
from deskbench.dialects import NotUnderstood, Space, Zoom
from deskbench.dialects.calls import SPOKEN_TOOLS, CallDialect, Said
from deskbench.episode.play import Job
from deskbench.store.run_folder import EpisodeRecorder, RunFolder
from deskbench.users.scripted import ScriptedUser

ROOT = Path(__file__).parents[2]

WRITTEN: dict[str, Any] = {
    "id": "fake/task",
    "level": "L1",
    "apps": ["geany"],
    "domain": "office/text",
    "persona": "clerk",
    "source": "a test",
    "instruction": {"en": "Write hello into ~/note.txt.", "zh": "写。"},
    "checks": [{"text.content": {"file": "~/note.txt", "text": "hello"}}],
    "milestones": [{"id": "there", "says": "The note is there", "probe": {"files.exists": "~/note.txt"}}],
    "procedure": [{"do": "Write it", "by": [{"type": "hello"}], "reaches": "there"}],
    "budget": {"steps": 30},
}


class WritingDesktop(FakeDesktop):
    """A fake desktop whose typing ends up in ~/note.txt."""

    def act(self, action: Any, **options: Any) -> Any:
        acted = super().act(action, **options)
        if action.kind == "type":
            self.put({"note.txt": action.text.encode()})
        return acted


@pytest.fixture
def job() -> Callable[..., Job]:
    def make(**written: Any) -> Job:
        task = draw({**WRITTEN, **written}, 0)
        desktop = WritingDesktop
        return Job(Spec(task=task.id, agent="test"), task, "d", Path, desktop, lambda _: FakeDesktop(), ScriptedUser(), settle=_settle())

    return make


def _settle() -> Any:
    from deskbench.core.ports import Settle

    return Settle()


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[EpisodeRecorder]:
    recorder = RunFolder.create(tmp_path / "run", {"plan": {}}).recorder(Spec(task="fake/task", agent="test"))
    yield recorder
    recorder.close()


class Functions(CallDialect):
    """Plain functions: `do` with core actions in screen pixels, `look` with a box."""

    name, about, coordinates, pictures = "functions", "for tests", "screen pixels", 3

    def system(self, brief: Brief) -> str:
        return "Call do or look."

    def tools(self, screen: tuple[int, int]) -> tuple[Tool, ...]:
        anything = {"type": "object", "properties": {"actions": {"type": "array", "items": {"type": "object"}}}}
        return (Tool("do", "Do things.", anything), Tool("look", "Look closer.", {"type": "object", "properties": {}}), *SPOKEN_TOOLS)

    def read_call(self, call: Call, space: Space) -> Sequence[Action | Zoom]:
        try:
            if call.name == "look":
                return [Zoom(Box(*call.arguments["box"]))]
            return [ACTION.validate_python(one) for one in call.arguments["actions"]]
        except (KeyError, TypeError, ValueError) as error:
            raise NotUnderstood(f"no action: {error}") from error

    def say(self, action: Action, space: Space) -> Sequence[Said]:
        return [("do", {"actions": [action.model_dump(mode="json")]})]


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The dialect of docs/models.md, as a user has it: a module that Python can import."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "models.md").read_text(), re.S)
    assert code is not None
    (tmp_path / "mydialect.py").write_text(code[1])
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield "mydialect:Lines"
    sys.modules.pop("mydialect", None)


BRIEF = Brief("Write hello.", "en", (320, 200), ("geany",), 30, 600.0)


def look(number: int = 0, *, outcomes: tuple[str, ...] = (), messages: tuple[Message, ...] = (), **more: Any) -> Observation:
    """An observation whose picture tells its number."""
    pixels = np.full((200, 320, 4), number % 256, np.uint8)
    return Observation(Frame(pixels), outcomes=outcomes, messages=messages, **more)
