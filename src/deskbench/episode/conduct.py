"""How an agent dealt with the person at the other end: read off its steps and the verdict, by rules and not by opinion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deskbench.core.action import SPOKEN, Ask, Wait
from deskbench.core.episode import Conduct, Step
from deskbench.core.task import Phase, Task
from deskbench.core.verdict import Verdict

RUN = 3
"""So many actions in a row, made again, count as work redone; so many first ones as having begun again."""


def conduct(task: Task, steps: Sequence[Step], milestones: Mapping[str, int | None], verdict: Verdict) -> Conduct | None:
    """The figures of one episode; None where there was nobody to talk to: a plain task in which nothing was asked."""
    questions = [step for step in steps if isinstance(step.action, Ask)]
    if len(task.course) == 1 and not questions:
        return None
    opened = {step.opened: step.number for step in steps if step.opened}
    due = next((phase for phase in task.course if phase.opens_on == "agent_asks"), None)
    return Conduct(
        questions=len(questions),
        asked_when_needed=due.id in opened if due is not None else None,
        asked_late=_late(due, opened, milestones) if due is not None else None,
        asked_when_not_needed=sum(step.answered == "nothing" for step in questions),
        steps_to_serve={phase.id: _steps_to_serve(task, phase, opened[phase.id], steps, milestones) for phase in task.course if phase.id in opened},
        kept=_kept(task, verdict),
        redone=_redone(steps),
        restarts=_restarts(steps),
        fallbacks=sum(step.fallback for step in steps),
    )


def _late(due: Phase, opened: Mapping[str, int], milestones: Mapping[str, int | None]) -> bool | None:
    """Whether the milestone that is reached by guessing was there before the question."""
    if due.id not in opened or due.due is None:
        return None
    reached = milestones.get(due.due)
    return reached is not None and reached < opened[due.id]


def _steps_to_serve(task: Task, phase: Phase, said: int, steps: Sequence[Step], milestones: Mapping[str, int | None]) -> int | None:
    """From a message to the first milestone of its phase, or to the first thing done at all where none belongs to it."""
    own = [milestone.id for milestone in task.milestones if milestone.phase == phase.id]
    reached = [step for name in own if (step := milestones.get(name)) is not None and step > said]
    if own:
        return min(reached) - said if reached else None
    return next((step.number - said for step in steps if step.number > said and _is_deed(step)), None)


def _kept(task: Task, verdict: Verdict) -> float | None:
    """Of what the phases before the last asked for."""
    earlier = {phase.id for phase in task.course[:-1]}
    findings = [finding for finding in verdict.findings if finding.phase in earlier and finding.phase and not finding.early]
    return round(sum(finding.passed for finding in findings) / len(findings), 3) if findings else None


def _is_deed(step: Step) -> bool:
    return step.action is not None and not isinstance(step.action, (*SPOKEN, Wait)) and not step.refused


def _deeds(steps: Sequence[Step]) -> list[str]:
    return [step.action.model_dump_json() for step in steps if step.action is not None and _is_deed(step)]


def _after_messages(steps: Sequence[Step]) -> list[tuple[Sequence[Step], Sequence[Step]]]:
    """For each message that opened a phase: what came before it, and what came from there to the next."""
    marks = [place for place, step in enumerate(steps, 1) if step.opened]
    return [(steps[:mark], steps[mark:following]) for mark, following in zip(marks, [*marks[1:], len(steps)], strict=False)]


def _redone(steps: Sequence[Step]) -> int:
    redone = 0
    for before, after in _after_messages(steps):
        earlier, now = _deeds(before), _deeds(after)
        known = {tuple(earlier[place : place + RUN]) for place in range(len(earlier) - RUN + 1)}
        repeated = {place + more for place in range(len(now) - RUN + 1) if tuple(now[place : place + RUN]) in known for more in range(RUN)}
        redone += len(repeated)
    return redone


def _restarts(steps: Sequence[Step]) -> int:
    """After how many messages the agent did its first things again, or had its first picture before it again."""
    restarts = 0
    for before, after in _after_messages(steps):
        first, now = _deeds(before)[:RUN], _deeds(after)
        again = len(first) == RUN and any(now[place : place + RUN] == first for place in range(len(now) - RUN + 1))
        moved_on = bool(after) and bool(steps[0].picture) and after[0].picture != steps[0].picture
        restarts += again or (moved_on and any(step.picture == steps[0].picture for step in after))
    return restarts
