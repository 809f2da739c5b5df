"""Trying a certificate out: a few of its runs are made again on this machine, and must come out as it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deskbench.core.episode import Episode, Spec
from deskbench.core.faults import Misuse
from deskbench.pack.certificate import is_current, stored
from deskbench.pack.load import Family
from deskbench.runner.certify import Trials, trials
from deskbench.runner.pool import Progress, run_plan
from deskbench.store.run_folder import RunFolder

KINDS = ("expert", "noop", "expert~omit", "expert~miss", "expert~other")


@dataclass(frozen=True)
class Sample(Trials):
    """One run of each kind that a certificate needs."""

    def specs(self) -> list[Spec]:
        return [spec for family in self.families for spec in sampled(family)]


def sampled(family: Family) -> Iterator[Spec]:
    """The first of each kind: the expert, the idler, a step left out, a near miss, another right way."""
    first: dict[str, Spec] = {}
    for spec in trials(family):
        first.setdefault(spec.agent.partition("-")[0], spec)
    yield from (first[kind] for kind in KINDS if kind in first)


def spot_check(
    families: Sequence[Family],
    folder: Path,
    *,
    desktops: int,
    tell: Callable[[Progress, Episode | None], None] = lambda *_: None,
) -> list[dict[str, Any]]:
    """Play the sample of each task's certificate; a row for each run, with `agrees` and what the two of them say."""
    for family in families:
        if not is_current(family):
            raise Misuse(f"{family.task.id} has no current certificate to try out; run: deskbench certify {family.task.id}")
    plan = Sample(tuple(families))
    run = RunFolder.create(folder, {"plan": {"spot": True}})
    run_plan(plan, run, desktops=desktops, tell=tell)
    return [_compared(stored(plan.family(spec)), spec, run.episode(spec.key)) for spec in plan.specs()]


def _compared(certificate: Mapping[str, Any], spec: Spec, episode: Episode | None) -> dict[str, Any]:
    known = next(row for row in certificate["runs"] if (row["agent"], row["seed"], row["repeat"]) == (spec.agent, spec.seed, spec.repeat))
    said = {"score": known["score"], "failed": known["failed"]}
    seen: dict[str, Any] = {"score": None, "failed": []}
    if episode is not None:
        seen = {"score": episode.verdict.score, "failed": [f.check for f in episode.verdict.findings if not f.passed]}
    why = "" if episode is None else episode.why or next((f.sentence for f in episode.verdict.findings if not f.passed), "")
    return {"task": spec.task, "agent": spec.agent, "agrees": said == seen, "certificate": said, "here": seen, "why": why}
