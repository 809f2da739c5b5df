"""The course of the conversation: which phase is open, what opens the next, and what the user says.

Phases open in order, each at most once. What opens one is decided here and nowhere else, so that the same behaviour
of an agent always meets the same user.
"""

from __future__ import annotations

from dataclasses import dataclass

from deskbench.core.action import Action, Ask, Done
from deskbench.core.frame import Frame
from deskbench.core.ports import Situation, User, Utterance
from deskbench.core.task import Phase, Task


@dataclass(frozen=True)
class Happened:
    """What the last step brought, as far as it can open a phase."""

    action: Action | None
    deeds: int
    """Steps so far, waits not counted."""
    elapsed_seconds: float
    idle_steps: int
    reached: dict[str, int | None]
    frame: Frame | None = None


class Phases:
    """The phases of one task, played through once."""

    def __init__(self, task: Task, language: str, user: User) -> None:
        self._task = task
        self._language = language
        self._user = user
        self._open = 0
        self._said: list[tuple[str, str]] = [("user", self.instruction)]

    @property
    def instruction(self) -> str:
        """What the user says at the start: the author's words, whoever the user is."""
        return self._task.course[0].message(self._language)

    @property
    def current(self) -> Phase:
        """The phase that is open."""
        return self._task.course[self._open]

    @property
    def following(self) -> Phase | None:
        """The phase that comes next."""
        return self._task.course[self._open + 1] if self._open + 1 < len(self._task.course) else None

    def ends_with(self, action: Action) -> bool:
        """Whether the agent says with this that it is done with the open phase, and another follows."""
        return isinstance(action, Done) and self.following is not None and self.following.opens_on != "agent_asks"

    def after(self, happened: Happened) -> Utterance | None:
        """What the user says after a step: the message of a phase that opens now, an answer, or nothing."""
        reply = _words(happened.action)
        if reply:
            self._said.append(("agent", reply))
        following = self.following
        if following is not None and _opens(following, happened):
            self._open += 1
            said = self._user.tell(following, self._situation(happened, reply))
        elif isinstance(happened.action, Ask):
            said = self._user.answer(happened.action.question, self._situation(happened, reply))
        else:
            return None
        self._said.append(("user", said.text))
        return said

    def _situation(self, happened: Happened, reply: str) -> Situation:
        return Situation(self._task, self._language, self._open, tuple(self._said), happened.frame, reply)


def _words(action: Action | None) -> str:
    if isinstance(action, Ask):
        return action.question
    return action.answer if isinstance(action, Done) else ""


def _opens(phase: Phase, happened: Happened) -> bool:
    """Whether what happened opens a phase. Who is done before it is interrupted hears then what the interruption would have been."""
    if phase.opens_on == "agent_asks":
        return isinstance(happened.action, Ask)
    if isinstance(happened.action, Done):
        return True
    if not isinstance(phase.opens_on, dict):
        return False
    ((trigger, value),) = phase.opens_on.items()
    if trigger == "step_count":
        return happened.deeds >= int(value)
    if trigger == "elapsed":
        return happened.elapsed_seconds >= float(value)
    if trigger == "idle":
        return happened.idle_steps >= int(value)
    return happened.reached.get(str(value)) is not None
