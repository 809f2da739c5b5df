"""Phases with checks of their own, and what is measured of an agent's manners."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deskbench import agents
from deskbench.core.episode import Episode, Spec
from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.desktops.fake import FakeDesktop
from deskbench.episode.grade import grade
from deskbench.episode.play import Job, play
from deskbench.store.run_folder import RunFolder


def note(text: str) -> dict[str, Any]:
    return {"text.content": {"file": "~/note.txt", "text": text}}


CHANGED: dict[str, Any] = {
    "instruction": None,
    "level": "L2",
    "checks": [{"only_changed": ["~/note.txt"]}],
    "phases": [
        {"id": "draft", "says": {"en": "Write hello."}, "checks": [note("hello")], "knows": [{"about": "language greeting", "answer": "English."}]},
        {
            "id": "change",
            "says": {"en": "Make it goodbye."},
            "opens_on": "agent_done",
            "mode": "requirement_change",
            "checks": [note("goodbye")],
            "supersedes": ["draft"],
        },
    ],
    "procedure": [{"do": "Write hello", "by": [{"type": "hello"}]}, {"do": "Write goodbye", "by": [{"type": "goodbye"}], "phase": "change"}],
    "near_misses": [{"says": "Leaves it at hello", "replace": {2: [{"type": "hello"}]}, "fails": "text.content", "plays": "ignores_message"}],
    "budget": {"steps": 20},
}

CLARIFIED: dict[str, Any] = {
    "instruction": None,
    "level": "L2",
    "phases": [
        {"id": "brief", "says": {"en": "Write the greeting into ~/note.txt."}},
        {"id": "wording", "says": {"en": "It is hello."}, "opens_on": "agent_asks", "mode": "clarification", "due": "there"},
    ],
    "procedure": [
        {"do": "Ask for the wording", "by": [{"ask": "Which greeting?"}]},
        {"do": "Write it", "by": [{"type": "hello"}], "phase": "wording"},
    ],
    "near_misses": [{"says": "Guesses a greeting", "replace": {1: [], 2: [{"type": "good day"}]}, "fails": "text.content", "plays": "never_asks"}],
    "budget": {"steps": 20},
}


@pytest.fixture
def played(tmp_path: Path, job: Callable[..., Job]) -> Callable[..., tuple[Episode, RunFolder]]:
    def by(agent: str, **written: Any) -> tuple[Episode, RunFolder]:
        run = RunFolder.create(tmp_path / agent.replace("~", "-"), {"plan": {}})
        made = job(spec=Spec(task="fake/task", agent=agent), **written)
        with run.recorder(made.spec) as recorder:
            episode = play(made, lambda: agents.make(agent, task=made.task, seed=0), recorder)
        run.seal(episode)
        return episode, run

    return by


def failing(episode: Episode) -> list[tuple[str, str, bool]]:
    return [(finding.check, finding.phase, finding.early) for finding in episode.verdict.findings if not finding.passed]


def test_a_superseded_phase_is_judged_when_it_ended_and_not_at_the_end(played: Callable[..., Any]) -> None:
    episode, run = played("expert", **CHANGED)
    assert episode.verdict.passed
    assert [(f.phase, f.early) for f in episode.verdict.findings] == [("", False), ("change", False), ("draft", True)]
    assert [(phase.id, phase.opened) for phase in episode.phases] == [("draft", 0), ("change", 2)]
    assert (run.evidence(episode.spec.key) / "phases" / "draft" / "home" / "note.txt").read_text() == "hello"


def test_it_is_judged_again_from_the_evidence_alone(played: Callable[..., Any], job: Callable[..., Job]) -> None:
    episode, run = played("expert", **CHANGED)
    task = job(**CHANGED).task
    assert grade(task, run.evidence(episode.spec.key)) == episode.verdict
    (run.evidence(episode.spec.key) / "phases" / "draft" / "home" / "note.txt").write_text("hullo")
    assert not grade(task, run.evidence(episode.spec.key)).passed


def test_a_standing_requirement_is_judged_at_the_end_too(played: Callable[..., Any]) -> None:
    phases = [CHANGED["phases"][0], {**CHANGED["phases"][1], "supersedes": []}]
    episode, _ = played("expert", **{**CHANGED, "phases": phases})
    assert failing(episode) == [("text.content", "draft", False)]
    assert episode.conduct is not None and episode.conduct.kept == 0.0


def test_who_ignores_the_message_fails(played: Callable[..., Any]) -> None:
    episode, _ = played("ignores_message", **CHANGED)
    assert failing(episode) == [("text.content", "change", False)]


def test_who_never_asks_fails_and_who_asks_is_told(played: Callable[..., Any]) -> None:
    expert, _ = played("expert", **CLARIFIED)
    assert expert.verdict.passed and expert.conduct is not None
    assert (expert.conduct.asked_when_needed, expert.conduct.asked_late, expert.conduct.asked_when_not_needed) == (True, False, 0)
    silent, _ = played("never_asks", **CLARIFIED)
    assert not silent.verdict.passed and silent.conduct is not None
    assert (silent.conduct.asked_when_needed, silent.conduct.asked_late) == (False, None)
    assert silent.phases[1].opened is None


def test_asking_late_and_asking_needlessly_are_counted(played: Callable[..., Any]) -> None:
    late = [
        {"do": "Guess", "by": [{"type": "good day"}]},
        {"do": "Ask", "by": [{"ask": "Which greeting?"}, {"ask": "And the weather?"}]},
        {"do": "Write it", "by": [{"type": "hello"}], "phase": "wording"},
    ]
    episode, _ = played("expert", **{**CLARIFIED, "procedure": late, "near_misses": None})
    assert episode.verdict.passed and episode.conduct is not None
    assert episode.conduct.asked_late is True and episode.conduct.asked_when_not_needed == 1 and episode.conduct.questions == 2


def test_done_too_early_hears_what_the_interruption_would_have_been(played: Callable[..., Any]) -> None:
    phases = [CHANGED["phases"][0], {**CHANGED["phases"][1], "opens_on": {"step_count": 15}}]
    procedure = [{"do": "Write", "by": [{"type": "hello"}, {"done": "ready"}, {"type": "goodbye"}]}]
    episode, run = played("expert", **{**CHANGED, "phases": phases, "procedure": procedure, "near_misses": None})
    assert episode.verdict.passed, failing(episode)
    assert [step.opened for step in run.steps(episode.spec.key) if step.opened] == ["change"]


def test_waiting_is_no_step_towards_an_interruption(played: Callable[..., Any]) -> None:
    phases = [CHANGED["phases"][0], {**CHANGED["phases"][1], "opens_on": {"step_count": 2}}]
    episode, run = played("expert", **{**CHANGED, "phases": phases})
    opened = next(step for step in run.steps(episode.spec.key) if step.opened)
    assert opened.action is not None and opened.action.kind == "done", "it waited for the message and then said done"


def test_work_redone_and_starting_again_are_counted(played: Callable[..., Any]) -> None:
    first = [{"click": {"x": 5, "y": 5}}, {"key": "ctrl+n"}, {"type": "hello"}]
    procedure = [{"do": "Write hello", "by": first}, {"do": "Once more", "by": [*first, {"type": "goodbye"}], "phase": "change"}]
    episode, _ = played("expert", **{**CHANGED, "procedure": procedure})
    assert episode.conduct is not None
    assert (episode.conduct.redone, episode.conduct.restarts) == (3, 1)
    plain, _ = played("expert", **CHANGED)
    assert plain.conduct is not None and (plain.conduct.redone, plain.conduct.restarts) == (0, 0)
    assert plain.conduct.steps_to_serve == {"change": 1}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"phases": [CHANGED["phases"][0], {**CHANGED["phases"][1], "supersedes": ["nothing"]}]}, "no earlier phase"),
        ({"phases": [CHANGED["phases"][0], {**CHANGED["phases"][1], "opens_on": {"milestone": "nowhere"}}]}, "no milestone"),
        ({"phases": [CHANGED["phases"][0], {**CHANGED["phases"][1], "id": "draft"}]}, "share the id"),
        ({"procedure": [{"do": "Write", "by": [{"type": "x"}], "phase": "later"}], "near_misses": []}, "no phase called later"),
        ({"checks": [], "phases": [{"says": {"en": "Write hello."}}]}, "at least one check"),
    ],
)
def test_malformed_phases_get_a_sentence(job: Callable[..., Job], change: dict[str, Any], says: str) -> None:
    from pydantic import ValidationError

    with pytest.raises(ValidationError, match=says):
        job(**{**CHANGED, **change})


def test_unknown_users_get_a_sentence() -> None:
    from deskbench import users

    here = "simulated?model=x&base=http://127.0.0.1:1"
    for name, says in (("nobody", "no user is called"), ("simulated?model", "cannot be read"), (f"{here}&style=9", "style=9")):
        with pytest.raises(Misuse, match=says):
            users.make(name)


def test_a_plain_task_has_no_conduct(played: Callable[..., Any]) -> None:
    episode, _ = played("expert")
    assert episode.conduct is None and episode.phases == ()


def test_the_habits_of_a_task_without_people_are_the_experts_way(job: Callable[..., Job]) -> None:
    task = job().task
    for habit in ("never_asks", "ignores_message", "restarts"):
        assert agents.procedure_of(habit, task) == task.procedure


class Still(FakeDesktop):
    """A desktop on which nothing ever shows, though what is typed is written down."""

    def act(self, action: Any, **options: Any) -> Any:
        acted = super().act(action, **options)
        if action.kind == "type":
            self.put({"note.txt": action.text.encode()})
        return acted

    def frame(self) -> Frame:
        return Frame(np.zeros((self.size[1], self.size[0], 4), np.uint8))


@pytest.mark.parametrize(
    ("doing", "more"),
    [([{"key": "ctrl+n"}] * 4, {}), ([{"key": f"f{n}"} for n in range(2, 6)], {"open_desktop": Still})],
    ids=["the same action", "the same screen"],
)
def test_idleness_is_the_same_action_or_the_same_screen(played: Callable[..., Any], doing: list[Any], more: dict[str, Any]) -> None:
    phases = [CHANGED["phases"][0], {**CHANGED["phases"][1], "opens_on": {"idle": 3}}]
    procedure = [
        {"do": "Write and dawdle", "by": [{"type": "hello"}, *doing]},
        {"do": "Write goodbye", "by": [{"type": "goodbye"}], "phase": "change"},
    ]
    episode, run = played("expert", **{**CHANGED, "phases": phases, "procedure": procedure, "near_misses": None, **more})
    opened = next(step for step in run.steps(episode.spec.key) if step.opened)
    assert opened.action is not None and opened.action.kind == "key", "it came while the agent dawdled"
