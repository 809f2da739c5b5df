"""How agents dealt with the people at the other end: success and conduct by the mode of a job's phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from deskbench.core.action import Ask, Done
from deskbench.core.episode import Conduct, Episode, Step
from deskbench.report.statistics import by, middle

ALL = "all"


def modes(episode: Episode) -> list[str]:
    """The modes of the phases after the first; none for a plain task."""
    return sorted({phase.mode for phase in episode.phases[1:] if phase.mode is not None})


def by_mode(episodes: Sequence[Episode]) -> dict[str, Any]:
    """Success and conduct for each mode and overall; empty where nobody spoke to anybody."""
    with_people = [episode for episode in episodes if len(episode.phases) > 1]
    rates = by(with_people, lambda episode: [*modes(episode), ALL])
    judged = [episode for episode in with_people if episode.verdict.fault is None]
    return {
        mode: {**asdict(rate), **figures([e.conduct for e in judged if e.conduct is not None and (mode == ALL or mode in modes(e))])}
        for mode, rate in rates.items()
    }


def figures(conducts: Sequence[Conduct]) -> dict[str, Any]:
    """What a set of episodes says about manners."""
    served = [steps for conduct in conducts for steps in conduct.steps_to_serve.values()]
    return {
        "asked_when_needed": _share([conduct.asked_when_needed for conduct in conducts]),
        "asked_late": _share([conduct.asked_late for conduct in conducts]),
        "asked_when_not_needed": sum(conduct.asked_when_not_needed for conduct in conducts),
        "steps_to_serve": middle(steps for steps in served if steps is not None),
        "never_served": sum(steps is None for steps in served),
        "kept": _mean([conduct.kept for conduct in conducts]),
        "redone": sum(conduct.redone for conduct in conducts),
        "restarts": sum(conduct.restarts for conduct in conducts),
        "fallbacks": sum(conduct.fallbacks for conduct in conducts),
    }


def _share(answers: Sequence[bool | None]) -> float | None:
    known = [answer for answer in answers if answer is not None]
    return sum(known) / len(known) if known else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def conversation(episode: Episode, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Everything that was said, in order; empty if nobody said anything after the start."""
    lines: list[dict[str, Any]] = []
    for step in steps:
        spoken = step.action.question if isinstance(step.action, Ask) else step.action.answer if isinstance(step.action, Done) else ""
        if spoken or (step.said and isinstance(step.action, Done)):
            lines.append({"by": "agent", "step": step.number, "text": spoken or "(done)", "note": ""})
        mode = next((phase.mode for phase in episode.phases if phase.id == step.opened), None) if step.opened else None
        note = "; ".join(part for part in ((mode or "").replace("_", " "), step.note) if part)
        lines += [{"by": "user", "step": step.number, "text": text, "note": note} for text in step.said]
    if not any(line["by"] == "user" for line in lines):
        return []
    return [{"by": "user", "step": 0, "text": episode.instruction, "note": ""}, *lines]


def manners(conduct: Conduct | None) -> list[str]:
    """The conduct of one episode, in a few words each."""
    if conduct is None:
        return []
    said = [f"{conduct.questions} question{'' if conduct.questions == 1 else 's'}"]
    if conduct.asked_when_needed is not None:
        said.append("asked when needed" if conduct.asked_when_needed else "did not ask although needed")
    if conduct.asked_late:
        said.append("asked too late")
    if conduct.asked_when_not_needed:
        said.append(f"asked {conduct.asked_when_not_needed} times in vain")
    said += [f"{phase}: {'never served' if steps is None else f'served after {steps} steps'}" for phase, steps in conduct.steps_to_serve.items()]
    if conduct.kept is not None:
        said.append(f"{conduct.kept:.0%} of earlier requirements kept")
    said += [f"{count} {name}" for count, name in ((conduct.redone, "actions redone"), (conduct.restarts, "restarts")) if count]
    if conduct.fallbacks:
        said.append(f"{conduct.fallbacks} messages in the task's own words")
    return said
