"""The course of the conversation: whatever an agent does, phases open in order and once, and every message arrives once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deskbench.core import action as a
from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Wants
from deskbench.core.task import draw
from deskbench.episode.phases import Happened, Phases
from deskbench.episode.play import INTERRUPTED, Job, play
from deskbench.store.run_folder import RunFolder
from deskbench.users.scripted import ScriptedUser

TASK: dict[str, Any] = {
    "id": "fake/talk",
    "level": "L2",
    "apps": ["geany"],
    "domain": "office/text",
    "persona": "clerk",
    "source": "a test",
    "checks": [{"files.exists": "~/note.txt"}],
    "milestones": [{"id": "there", "says": "The note is there", "probe": {"files.exists": "~/note.txt"}}],
    "procedure": [{"do": "Write it", "by": [{"type": "hello"}]}],
}

triggers = st.one_of(
    st.sampled_from(["agent_done", "agent_asks"]),
    st.builds(lambda n: {"step_count": n}, st.integers(1, 12)),
    st.builds(lambda n: {"idle": n}, st.integers(1, 4)),
    st.builds(lambda n: {"elapsed": n}, st.integers(1, 20)),
    st.just({"milestone": "there"}),
)
moves = st.lists(st.sampled_from(["type", "click", "ask", "done", "wait"]), max_size=30)


def phased(opens: list[Any]) -> dict[str, Any]:
    said = [{"says": {"en": "message 0"}}, *({"says": {"en": f"message {n}"}, "opens_on": on} for n, on in enumerate(opens, 1))]
    return {**TASK, "phases": said}


ACTIONS: dict[str, a.Action] = {
    "type": a.Type(text="x"),
    "click": a.Click(x=1, y=1),
    "ask": a.Ask(question="What?"),
    "done": a.Done(),
    "wait": a.Wait(seconds=0.05),
}


@given(st.lists(triggers, max_size=4), moves)
def test_phases_open_in_order_and_once(opens: list[Any], doing: list[str]) -> None:
    phases = Phases(draw(phased(opens), 0), "en", ScriptedUser())
    deeds = 0
    heard = [phases.instruction]
    last, idle = "", 0
    for step, name in enumerate(doing, 1):
        idle = idle + 1 if name == last else 0
        last = name
        there = {"there": 1 if "type" in doing[:step] else None}
        deeds += name != "wait"
        said = phases.after(Happened(ACTIONS[name], deeds, float(step), idle, there))
        heard += [said.text] if said is not None else []
    messages = [text for text in heard if text.startswith("message")]
    assert messages == [f"message {number}" for number in range(len(messages))]
    assert len(messages) <= len(opens) + 1


class Playing:
    """Does what it is told, then says done for ever."""

    def __init__(self, doing: list[str]) -> None:
        self._left = list(doing)
        self.seen: list[str] = []

    def begin(self, brief: Brief) -> None:
        self.seen = [brief.instruction]

    def wants(self) -> Wants:
        return Wants()

    def decide(self, observation: Observation) -> Decision:
        self.seen = [self.seen[0], *(message.text for message in observation.messages if message.by == "user")]
        return Decision((ACTIONS[self._left.pop(0) if self._left else "done"],))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(opens=st.lists(triggers, max_size=3), doing=moves)
def test_an_episode_always_ends_and_loses_no_message(
    tmp_path_factory: Any, job_on_fake_desktop: Callable[..., Job], opens: list[Any], doing: list[str]
) -> None:
    run = RunFolder.create(Path(tmp_path_factory.mktemp("run")), {"plan": {}})
    job = job_on_fake_desktop(instruction=None, **phased(opens), budget={"steps": 40})
    agent = Playing(doing)
    with run.recorder(job.spec) as recorder:
        episode = play(job, lambda: agent, recorder)
    run.seal(episode)
    assert episode.stop in ("done", "steps")
    said = [text for step in run.steps(job.spec.key) for text in step.said]
    unheard = said[len(agent.seen) - 1 :]
    assert said[: len(agent.seen) - 1] == agent.seen[1:]
    assert len(unheard) <= 1, "only what was said after the last look can be unheard"


def test_the_rest_of_an_answer_is_dropped_when_the_user_interrupts(tmp_path: Path, job: Callable[..., Job]) -> None:
    written = phased([{"step_count": 2}])
    outcomes: list[tuple[str, ...]] = []

    class Batch(Playing):
        def decide(self, observation: Observation) -> Decision:
            outcomes.append(observation.outcomes)
            if len(outcomes) > 1:
                return Decision((a.Done(),))
            return Decision((a.Click(x=1, y=1), a.Click(x=2, y=2), a.Type(text="too late")))

    run = RunFolder.create(tmp_path / "run", {"plan": {}})
    played = job(instruction=None, **written)
    with run.recorder(played.spec) as recorder:
        episode = play(played, lambda: Batch([]), recorder)
    assert outcomes[1] == ("", "", INTERRUPTED)
    assert not episode.verdict.passed
