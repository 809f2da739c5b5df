"""An episode always ends in a verdict, and blames rightly."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from deskbench.agents.expert import Expert
from deskbench.agents.simple import Noop, Quitter, Random
from deskbench.core.action import Action, Ask, Click, Done, Fail, Key, Type
from deskbench.core.faults import CheckFault, DesktopFault, ModelFault
from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Wants
from deskbench.desktops.fake import FakeDesktop
from deskbench.episode import play as play_module
from deskbench.episode.play import Job, play
from deskbench.store.run_folder import EpisodeRecorder


class Says:
    """An agent that says what it was given, one decision a turn, then is done."""

    def __init__(self, *decisions: Decision | Action) -> None:
        self._left = [d if isinstance(d, Decision) else Decision((d,)) for d in decisions]
        self.seen: list[Observation] = []

    def begin(self, brief: Brief) -> None:
        self.brief = brief

    def wants(self) -> Wants:
        return Wants()

    def decide(self, observation: Observation) -> Decision:
        self.seen.append(observation)
        return self._left.pop(0) if self._left else Decision((Done(),))


JobMaker = Callable[..., Job]


def test_the_expert_passes_and_reaches_its_milestone(job: JobMaker, recorder: EpisodeRecorder) -> None:
    it = job()
    episode = play(it, lambda: Expert(it.task.procedure), recorder)
    assert episode.verdict.score == 1.0 and episode.stop == "done"
    assert episode.milestones == {"there": 1} and episode.intermediate == 1.0
    steps = [json.loads(line) for line in (recorder.folder / "steps.jsonl").read_text().splitlines()]
    assert [step["action"]["kind"] for step in steps] == ["type", "done"]
    assert steps[0]["reached"] == ["there"] and steps[0]["picture"].endswith(".jpg")


def test_doing_nothing_fails_without_a_fault(job: JobMaker, recorder: EpisodeRecorder) -> None:
    episode = play(job(), Noop, recorder)
    assert episode.verdict.score == 0.0 and episode.intermediate == 0.0 and episode.verdict.fault is None
    assert "no file" in episode.verdict.findings[0].sentence


def test_giving_up_fails_even_with_the_work_done(job: JobMaker, recorder: EpisodeRecorder) -> None:
    episode = play(job(), lambda: Says(Type(text="hello"), Fail(reason="too hard")), recorder)
    assert episode.stop == "fail" and episode.verdict.score == 0.0
    assert [f.check for f in episode.verdict.findings if not f.passed] == ["stop"]


def test_refusing_what_cannot_be_done_passes(job: JobMaker, recorder: EpisodeRecorder) -> None:
    infeasible = job(level="L4", checks=["answer.refused", {"only_changed": []}], milestones=[], procedure=[{"do": "Refuse", "by": [{"fail": "no"}]}])
    assert play(infeasible, Quitter, recorder).verdict.passed


def test_a_step_too_much_ends_the_episode(job: JobMaker, recorder: EpisodeRecorder) -> None:
    episode = play(job(), lambda: Random(3), recorder)
    assert episode.stop == "steps" and episode.steps == 5 and episode.verdict.fault is None


def test_time_ends_the_episode(job: JobMaker, recorder: EpisodeRecorder) -> None:
    episode = play(job(budget={"seconds": 0.0001}), lambda: Says(Key(keys=("a",)), Key(keys=("b",))), recorder)
    assert episode.stop == "seconds"


def test_an_agent_that_raises_is_judged_by_what_it_left(job: JobMaker, recorder: EpisodeRecorder) -> None:
    class Breaks(Says):
        def decide(self, observation: Observation) -> Decision:
            if self.seen:
                raise RuntimeError("my own bug")
            return super().decide(observation)

    episode = play(job(), lambda: Breaks(Type(text="hello")), recorder)
    assert episode.stop == "agent_broke" and "my own bug" in episode.why
    assert episode.verdict.score == 1.0, "what it left is right"


def test_answers_that_make_no_sense_are_told_back_and_end_at_last(job: JobMaker, recorder: EpisodeRecorder) -> None:
    agent = Says(*[Decision(invalid="no action in it", raw="blah")] * 12)
    episode = play(job(budget={"steps": 50}), lambda: agent, recorder)
    assert episode.stop == "agent_broke" and episode.steps == 10
    assert "no action in it" in agent.seen[1].messages[0].text


def test_an_impossible_action_is_refused_and_told(job: JobMaker, recorder: EpisodeRecorder) -> None:
    agent = Says(Click(x=5000, y=1), Type(text="hello"))
    episode = play(job(), lambda: agent, recorder)
    assert episode.verdict.passed and episode.steps == 3
    assert "not on the screen" in agent.seen[1].messages[0].text


def test_asking_takes_a_step_and_gets_an_answer(job: JobMaker, recorder: EpisodeRecorder) -> None:
    agent = Says(Ask(question="Which words?"), Type(text="hello"))
    episode = play(job(), lambda: agent, recorder)
    assert episode.verdict.passed and episode.steps == 3
    assert "all I know" in agent.seen[1].messages[0].text


def test_phases_open_in_order_and_their_messages_arrive(job: JobMaker, recorder: EpisodeRecorder) -> None:
    phases = [
        {"says": {"en": "Write something."}, "knows": [{"about": "which words", "answer": "Write hullo."}]},
        {"opens_on": {"step_count": 2}, "says": {"en": "No: write hello."}, "mode": "interruption"},
        {"opens_on": "agent_done", "says": {"en": "Leave it so."}, "mode": "refinement"},
    ]
    agent = Says(Ask(question="Which words, please?"), Type(text="hullo"), Type(text="hello"), Done())
    episode = play(job(instruction=None, phases=phases, budget={"steps": 20}), lambda: agent, recorder)
    assert agent.brief.instruction == "Write something."
    assert [m.text for m in agent.seen[-1].messages] == ["Write hullo.", "No: write hello.", "Leave it so."]
    assert episode.stop == "done" and episode.verdict.passed


@pytest.mark.parametrize(
    ("broken", "where"),
    [
        ("open", "desktop"),
        ("observe", "desktop"),
        ("act", "desktop"),
        ("collect", "desktop"),
        ("baseline", "desktop"),
    ],
)
@pytest.mark.parametrize("error", [RuntimeError("boom"), DesktopFault("the display is gone")])
def test_what_breaks_in_the_desktop_is_a_fault_and_no_score(
    broken: str, where: str, error: Exception, job: JobMaker, recorder: EpisodeRecorder
) -> None:
    opened = []

    class Broken(FakeDesktop):
        pass

    def fail(*_: Any, **__: Any) -> None:
        raise error

    def open_desktop() -> FakeDesktop:
        if broken == "open":
            fail()
        desktop = Broken()
        setattr(desktop, broken, fail)
        opened.append(desktop)
        return desktop

    episode = play(job(open_desktop=open_desktop), lambda: Says(Type(text="hello")), recorder)
    assert episode.stop == "fault" and episode.verdict.score is None
    assert episode.verdict.fault is not None and episode.verdict.fault.where == where
    for desktop in opened:
        with pytest.raises(DesktopFault):
            desktop.frame()


def test_a_model_server_that_fails_is_a_fault(job: JobMaker, recorder: EpisodeRecorder) -> None:
    class Unserved(Says):
        def decide(self, observation: Observation) -> Decision:
            raise ModelFault("the server answered 503 five times; try later")

    episode = play(job(), Unserved, recorder)
    assert episode.verdict.fault is not None and episode.verdict.fault.where == "model"


def test_a_check_that_breaks_is_a_fault(job: JobMaker, recorder: EpisodeRecorder, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise CheckFault("the check text.content broke: ZeroDivisionError")

    monkeypatch.setattr(play_module, "grade", broken)
    episode = play(job(), lambda: Says(Type(text="hello")), recorder)
    assert episode.verdict.fault is not None and episode.verdict.fault.where == "check"


def test_a_lost_expert_says_where_and_what(job: JobMaker, recorder: EpisodeRecorder, monkeypatch: pytest.MonkeyPatch) -> None:
    from deskbench.agents import expert

    monkeypatch.setattr(expert, "PATIENCE_SECONDS", 0.0)
    it = job(
        procedure=[{"do": "Press the button", "by": [{"click": {"role": "push button", "name": "Nowhere"}}], "reaches": "there"}],
        budget={"steps": 50},
    )
    episode = play(it, lambda: Expert(it.task.procedure), recorder)
    assert episode.stop == "agent_broke"
    assert "Press the button" in episode.why and "Nowhere" in episode.why and "'Fake'" in episode.why
