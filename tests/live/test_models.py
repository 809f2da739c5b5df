"""Models, live: a server plays the expert's actions in a model's own format and coordinates, through the vendor's SDK, on the real application."""

from __future__ import annotations

import json
import queue
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "models"))
from stand_in import Answer, Asked, Trouble, standing_in

from deskbench import dialects
from deskbench.agents import beside, presets
from deskbench.agents.expert import Expert
from deskbench.agents.model import ModelAgent
from deskbench.core.action import Action
from deskbench.core.chat import Reply, Text
from deskbench.core.episode import Episode, Spec
from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Wants
from deskbench.dialects import CannotSay, Dialect
from deskbench.episode.play import play
from deskbench.pack.job import SCREEN, job_for
from deskbench.pack.load import find
from deskbench.store.run_folder import RunFolder

pytestmark = pytest.mark.live

PRESETS = ["claude", "openai-computer", "gemini", "qwen3-vl"]
"""One for each client."""

SECRET = "sk-live-0123456789"

SAID = queue.Queue[tuple[tuple[Action, ...], str]]


class Prompted:
    """A model agent whose model knows what the expert would do on the same screen. `added` is what the agent took beside its model."""

    def __init__(self, expert: Expert, agent: ModelAgent, said: SAID) -> None:
        self._expert, self._agent, self._said = expert, agent, said
        self.added: list[float] = []

    def begin(self, brief: Brief) -> None:
        self._expert.begin(brief)
        self._agent.begin(brief)

    def wants(self) -> Wants:
        return Wants(elements=self._expert.wants().elements or self._agent.wants().elements, marks=self._agent.wants().marks)

    def decide(self, observation: Observation) -> Decision:
        if self._said.empty():  # an answer that was lost is still to be said
            wise = self._expert.decide(observation)
            self._said.put((wise.actions, wise.thought))
        began = time.monotonic()
        decision = self._agent.decide(observation)
        self.added.append(time.monotonic() - began - decision.usage.model_seconds)
        return decision


def answers(said: SAID, dialect: Dialect, troubles: dict[int, Answer]) -> Callable[[Asked], Answer]:
    """Each request is answered with what the expert did; those in `troubles`, by number, with that instead."""
    count = 0

    def answer(_: Asked) -> Answer:
        nonlocal count
        count += 1
        if count in troubles:
            return troubles[count]
        actions, thought = said.get(timeout=30)
        try:
            return dialect.write(actions, SCREEN, thought)
        except CannotSay:
            return beside.said(actions[0], as_call=bool(dialect.tools(SCREEN)))

    return answer


def sit(task: str, preset: str, folder: Path, troubles: dict[int, Answer] | None = None) -> tuple[Episode, list[dict[str, Any]], list[float]]:
    """An episode of a model that is played by the expert, its steps, and what the agent added to each answer in seconds."""
    (family,) = find([task])
    spec = Spec(task=task, agent=preset)
    job = job_for(family, spec)
    said: SAID = queue.Queue()
    chosen = presets.PRESETS[preset]
    with standing_in(answers(said, dialects.get(chosen.dialect), troubles or {})) as server:
        agent = Prompted(Expert(job.task.procedure), presets.made(f"{preset}?base={server.base(chosen.client)}&key=A_KEY"), said)
        with RunFolder.create(folder, {"plan": {}}).recorder(spec) as recorder:
            episode = play(job, lambda: agent, recorder)
            steps = [json.loads(line) for line in (recorder.folder / "steps.jsonl").read_text().splitlines()]
    return episode, steps, agent.added


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", SECRET)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_model_passes_on_the_real_application(preset: str, tmp_path: Path) -> None:
    """Through limits, failures, a cut connection, an empty answer and a refusal: nothing is lost, and the key is kept nowhere."""
    troubles: dict[int, Answer] = {2: Trouble(429, {"Retry-After": "0"}), 3: Trouble(cut=True), 4: Trouble(500)}
    wrong = {6: Reply(()), 8: Reply((Text("I would rather not."),), "refused")}
    episode, steps, added = sit("inkscape/title-size", preset, tmp_path / "run", {**troubles, **wrong})
    assert episode.verdict.score == 1.0 and episode.stop == "done", (episode.why, episode.verdict)
    invalid = [step["invalid"] for step in steps if step["action"] is None]
    assert len(invalid) == 2 and "empty" in invalid[0] and "declined" in invalid[1], invalid
    assert episode.usage["input_tokens"] == 1000 * len(added)
    kept = b"".join(path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert SECRET.encode() not in kept


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("preset", ["claude", "openai-computer", "qwen3-vl", "ui-tars"])
def test_the_starter_suite_through_four_dialects(preset: str, tmp_path: Path) -> None:
    """Every task passes, and what the agent and the harness add to the model's own latency stays under 0.3 s a step at the median."""
    overheads: list[float] = []
    for number, family in enumerate(find(suite="starter")):
        episode, steps, added = sit(family.task.id, preset, tmp_path / str(number))
        assert episode.verdict.score == 1.0, (family.task.id, episode.why, episode.verdict)
        harness = (episode.times.record + episode.times.probe) / len(steps)
        overheads += [one + harness for one in added]
    assert statistics.median(overheads) < 0.3, overheads
