"""Judging: a pure function of a task and a folder of evidence, the same for ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deskbench.checks.entries import find_out
from deskbench.checks.evidence import Evidence
from deskbench.core.evidence import PHASES
from deskbench.core.task import Task
from deskbench.core.verdict import Finding, Verdict, failed, judge


def grade(task: Task, folder: Path) -> Verdict:
    """The verdict on what an episode left. CheckFault if a check itself breaks."""
    evidence = Evidence(folder)
    findings = (find_out(entry, evidence).model_copy(update={"phase": phase}) for phase, entry in task.standing)
    return judge((*findings, *on_the_way(task, folder), *gave_up(task, evidence)), partial_credit=task.credit == "partial")


def on_the_way(task: Task, folder: Path) -> Iterator[Finding]:
    """What each phase had to show for itself when the agent said that it was done with it."""
    for phase in task.phases:
        kept = folder / PHASES / phase.id
        if phase.checks and kept.is_dir():
            for entry in phase.checks:
                yield find_out(entry, Evidence(kept)).model_copy(update={"phase": phase.id, "early": True})


def gave_up(task: Task, evidence: Evidence) -> tuple[Finding, ...]:
    """Saying that a job cannot be done, when it can, is wrong whatever lies on the desktop."""
    if not task.feasible or evidence.facts.get("stop") != "fail":
        return ()
    reason = str(evidence.facts.get("answer", ""))
    finding = failed("the agent said that the job cannot be done, but it can", expected="done", seen=reason)
    return (finding.model_copy(update={"check": "stop"}),)
