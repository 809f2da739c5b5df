"""A seat is an episode like any other, driven from outside."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from deskbench.core import action as a
from deskbench.core.faults import Misuse
from deskbench.runner.seat import Seat

TakeSeat = Callable[..., Seat]


def test_a_job_done_from_outside_is_judged_and_kept(take: TakeSeat) -> None:
    seat = take()
    assert seat.brief.instruction == "Write hello into ~/note.txt."
    assert seat.look is not None
    assert seat.act([a.Type(text="hello")]) is not None
    assert seat.milestones == {"there": 1, "never": None}
    assert seat.act([a.Done()]) is None
    assert seat.episode is not None and seat.episode.verdict.passed
    assert seat.run.episode(seat.job.spec.key) == seat.episode


def test_getting_up_early_is_judged_by_what_there_is(take: TakeSeat) -> None:
    seat = take()
    episode = seat.leave()
    assert episode is not None and episode.stop == "agent_broke" and not episode.verdict.passed
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("seat ")]


def test_nobody_acts_after_the_end(take: TakeSeat) -> None:
    seat = take()
    seat.act([a.Done()])
    with pytest.raises(Misuse, match="the episode is over"):
        seat.act([a.Wait()])


def test_the_budget_ends_it(take: TakeSeat) -> None:
    seat = take()
    for _ in range(5):
        assert seat.act([a.Key(keys=("a",))]) is not None
    assert seat.act([a.Key(keys=("a",))]) is None
    assert seat.episode is not None and seat.episode.stop == "steps"


def test_what_follows_a_refused_action_is_not_tried(take: TakeSeat) -> None:
    seat = take()
    look = seat.act([a.Click(x=5, y=5), a.Click(x=30_000, y=5), a.Type(text="hello")])
    assert look is not None
    assert look.outcomes[0] == ""
    assert "30000" in look.outcomes[1]
    assert "not tried" in look.outcomes[2]
    assert seat.milestones["there"] is None


def test_tools_are_granted_or_refused_and_counted_apart(take: TakeSeat) -> None:
    granted = take(tools=("shell", "files"))
    look = granted.act([a.Shell(command="echo from the shell; exit 3")])
    assert look is not None and "status 3" in look.messages[-1].text and "from the shell" in look.messages[-1].text
    granted.act([a.Click(x=1, y=1)])
    granted.act([a.Done()])
    assert granted.episode is not None
    assert (granted.episode.tool_uses, granted.episode.steps, granted.episode.tools) == (1, 3, ("files", "shell"))
    refused = take()
    look = refused.act([a.Shell(command="true")])
    assert look is not None and "grants no shell" in look.outcomes[0]
