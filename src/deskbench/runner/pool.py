"""The local pool: one process an episode, as many at once as the machine bears.

Processes are forked from a server that has the code loaded already, so one costs tens of milliseconds and a crash in one is
a crash of that episode only. What is complete is read from the run folder; the pool keeps nothing that a kill could lose.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Protocol

from deskbench.core.episode import Episode, Spec
from deskbench.core.verdict import Blame, Verdict
from deskbench.pack.load import Family
from deskbench.runner.worker import work
from deskbench.store.run_folder import RunFolder

MEMORY_PER_DESKTOP_MB = 1500
TRIES = 3


def sensible_desktops() -> int:
    """As many desktops as memory and cores bear: two a core, 1.5 GB each."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    available_mb = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) // 1024
    return max(1, min(2 * (os.cpu_count() or 1), available_mb // MEMORY_PER_DESKTOP_MB))


@dataclass
class Progress:
    """How far a run is."""

    total: int
    complete: int = 0
    passed: int = 0
    failed: int = 0
    faults: int = 0
    running: dict[str, float] = field(default_factory=dict)
    """The keys of episodes under way and when each began."""
    began: float = field(default_factory=time.monotonic)
    fresh: int = 0

    def count(self, episode: Episode) -> None:
        self.complete += 1
        if episode.verdict.fault is not None:
            self.faults += 1
        elif episode.verdict.passed:
            self.passed += 1
        else:
            self.failed += 1

    @property
    def seconds_left(self) -> float | None:
        """A guess from the pace so far."""
        if not self.fresh:
            return None
        return (time.monotonic() - self.began) / self.fresh * (self.total - self.complete)


class Planned(Protocol):
    """What the pool needs of a plan."""

    def specs(self) -> list[Spec]: ...

    def family(self, spec: Spec) -> Family: ...

    def left(self, run: RunFolder) -> list[Spec]: ...


def run_plan(
    plan: Planned,
    run: RunFolder,
    *,
    desktops: int,
    tries: int = TRIES,
    tell: Callable[[Progress, Episode | None], None] = lambda *_: None,
) -> Progress:
    """Play what is left of a plan. KeyboardInterrupt stops the workers cleanly and passes on."""
    left = plan.left(run)
    progress = Progress(len(plan.specs()))
    pending = {spec.key for spec in left}
    for spec in plan.specs():
        episode = run.episode(spec.key) if spec.key not in pending else None
        if episode is not None:
            progress.count(episode)
    tell(progress, None)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["deskbench.runner.worker"])
    running: dict[ForkServerProcess, Spec] = {}
    crashes: dict[str, int] = {}
    queue = list(left)
    try:
        while queue or running:
            while queue and len(running) < desktops:
                spec = queue.pop(0)
                process = context.Process(target=work, args=(plan.family(spec).file, spec, run.folder, tries), daemon=False)
                process.start()
                running[process] = spec
                progress.running[spec.key] = time.monotonic()
            tell(progress, None)
            wait([process.sentinel for process in running], timeout=0.5)
            for process in [process for process in running if process.exitcode is not None]:
                spec = running.pop(process)
                progress.running.pop(spec.key)
                process.join()
                again = _ended(plan, run, spec, process.exitcode or 0, crashes, tries, progress, tell)
                queue += [spec] if again else []
                process.close()
    finally:
        _stop(list(running))
    run.rebuild_index()
    return progress


def _ended(
    plan: Planned,
    run: RunFolder,
    spec: Spec,
    status: int,
    crashes: dict[str, int],
    tries: int,
    progress: Progress,
    tell: Callable[[Progress, Episode | None], None],
) -> bool:
    """Take note of an episode whose process ended; True if it has to be played again."""
    episode = run.episode(spec.key)
    if episode is None or status not in (0,):
        crashes[spec.key] = crashes.get(spec.key, 0) + 1
        if crashes[spec.key] < tries and status != 2:
            return True
        episode = _crashed(plan, spec, status)
        run.episode_folder(spec.key).mkdir(parents=True, exist_ok=True)
        run.seal(episode)
    progress.fresh += 1
    progress.count(episode)
    tell(progress, episode)
    return False


def _crashed(plan: Planned, spec: Spec, status: int) -> Episode:
    """The record of an episode whose process died again and again: a fault of ours."""
    family = plan.family(spec)
    task = family.draw(spec.seed)
    sentence = f"the process that played it ended with status {status}; see the log of the run"
    return Episode(
        spec=spec,
        digest=family.digest,
        level=task.level,
        apps=task.apps,
        domain=task.domain,
        instruction=task.opening.says["en"],
        started="",
        stop="fault",
        why=sentence,
        milestones={milestone.id: None for milestone in task.milestones},
        verdict=Verdict(fault=Blame(where="runner", sentence=sentence)),
    )


def _stop(processes: list[ForkServerProcess]) -> None:
    """Ask workers to stop; the kernel takes the desktops of those that do not."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(10)
        if process.exitcode is None:
            process.kill()
            process.join()
