"""The course of the conversation: which phase is open, what opens the next, and what the user says.

Phases open in order, each at most once. What opens one is decided here and nowhere else, so that the same behaviour
of an agent always meets the same user.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from deskbench.core.action import Action, Ask, Done
from deskbench.core.task import Phase, Task


class User(Protocol):
    """The person at the other end."""

    def answer(self, question: str, phase: Phase) -> str:
        """Answer a question while a phase is open."""
        ...


@dataclass
class Happened:
    """What the last step brought, as far as it can open a phase."""

    action: Action | None
    step: int
    elapsed_seconds: float
    idle_steps: int
    reached: dict[str, int | None]


class Phases:
    """The phases of one task, played through once."""

    def __init__(self, task: Task, language: str, user: User) -> None:
        self._phases = (task.opening, *task.phases[1:])
        self._language = language
        self._user = user
        self._open = 0

    @property
    def instruction(self) -> str:
        """What the user says at the start."""
        return self._said(self._phases[0])

    @property
    def all_open(self) -> bool:
        return self._open == len(self._phases) - 1

    def _said(self, phase: Phase) -> str:
        return phase.says.get(self._language) or phase.says["en"]  # type: ignore[call-overload]

    def after(self, happened: Happened) -> list[str]:
        """What the user says after a step: the message of a phase that opens now, an answer, or nothing."""
        following = self._phases[self._open + 1] if not self.all_open else None
        if following is not None and _opens(following, happened):
            self._open += 1
            return [self._said(following)]
        if isinstance(happened.action, Ask):
            return [self._user.answer(happened.action.question, self._phases[self._open])]
        return []


def _opens(phase: Phase, happened: Happened) -> bool:
    if phase.opens_on == "agent_done":
        return isinstance(happened.action, Done)
    if phase.opens_on == "agent_asks":
        return isinstance(happened.action, Ask)
    if not isinstance(phase.opens_on, dict):
        return False
    ((trigger, value),) = phase.opens_on.items()
    if trigger == "step_count":
        return happened.step >= int(value)
    if trigger == "elapsed":
        return happened.elapsed_seconds >= float(value)
    if trigger == "idle":
        return happened.idle_steps >= int(value)
    return happened.reached.get(str(value)) is not None
