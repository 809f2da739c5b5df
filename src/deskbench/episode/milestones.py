"""Milestones: looked at after every step, whatever their order, at a price that stays small.

A milestone about files is looked at again only when one of its files changed. All looking together may take a twentieth
of the episode's time; what does not fit waits, and at the end everything is looked at once more.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from deskbench.checks.entries import files_of, find_out, plain
from deskbench.core.faults import BadArtifact
from deskbench.core.observation import Observation
from deskbench.core.ports import Desktop, Wants
from deskbench.core.task import CheckEntry, Milestone, Task
from deskbench.episode.live import LiveEvidence

SHARE = 0.05
ALLOWANCE_SECONDS = 0.3
SCREEN_FAMILIES = {"window", "element", "clipboard", "process"}


class Milestones:
    """Which milestones of a task have been seen, and after which step first."""

    def __init__(self, task: Task, desktop: Desktop) -> None:
        self._desktop = desktop
        self._open = [milestone for milestone in task.milestones if milestone.probe is not None]
        self._seen_files: dict[str, tuple[object, ...]] = {}
        self._began = time.monotonic()
        self.reached: dict[str, int | None] = {milestone.id: None for milestone in task.milestones}
        self.seconds = 0.0

    def look_at(self, step: int, observe: Callable[[Wants], Observation], *, last: bool = False) -> list[str]:
        """The milestones first seen now, of those worth a look. At the end all are looked at, whatever it costs."""
        began = time.monotonic()
        due = [m for m in self._open if last or (self._affordable() and self._worth_a_look(m))]
        if not due:
            return []
        evidence = LiveEvidence(self._desktop, observe(Wants(elements=any("element" in _families(m) for m in due))))
        found = [milestone for milestone in due if self._holds(milestone, evidence)]
        for milestone in found:
            self.reached[milestone.id] = step
            self._open.remove(milestone)
        self.seconds += time.monotonic() - began
        return [milestone.id for milestone in found]

    def _affordable(self) -> bool:
        return self.seconds <= ALLOWANCE_SECONDS + SHARE * (time.monotonic() - self._began)

    def _worth_a_look(self, milestone: Milestone) -> bool:
        assert milestone.probe is not None
        if _families(milestone) & SCREEN_FAMILIES:
            return True
        now = tuple(self._stamp(path) for path in files_of([milestone.probe]))
        if not now:
            return True
        if self._seen_files.get(milestone.id) == now:
            return False
        self._seen_files[milestone.id] = now
        return True

    def _stamp(self, path: str) -> object:
        at = self._desktop.peek(path)
        try:
            status = os.lstat(at) if at is not None else None
        except FileNotFoundError:
            return None
        return (status.st_mtime_ns, status.st_size, status.st_ino) if status is not None else None

    def _holds(self, milestone: Milestone, evidence: LiveEvidence) -> bool:
        assert milestone.probe is not None
        try:
            return find_out(milestone.probe, evidence).passed
        except BadArtifact:
            return False


def _families(milestone: Milestone) -> set[str]:
    entries: list[CheckEntry] = list(plain([milestone.probe])) if milestone.probe is not None else []
    return {entry.name.partition(".")[0] for entry in entries}
