"""Proving tasks by live runs: the expert passes, doing nothing fails, leaving a step out fails, twice alike.

A certificate lies beside its task as `certificate.json`. It says what was run and how each run came out, and for which digest of the task and of
the checks it holds. What a certificate needs is a run of its own, with the expert's variations as agents, so that it can be stopped and gone on with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

from deskbench.core import evidence as layout
from deskbench.core.action import SPOKEN, Wait
from deskbench.core.episode import Episode, Spec
from deskbench.core.faults import Fault
from deskbench.core.frame import encode
from deskbench.core.task import Task
from deskbench.core.verdict import Blame, Verdict
from deskbench.episode.grade import grade
from deskbench.pack.certificate import is_current, stored
from deskbench.pack.job import played_digest
from deskbench.pack.load import CERTIFICATE, FIRST, LAST, Family
from deskbench.pack.versions import checks_digest, versions
from deskbench.runner.pool import Progress, run_plan
from deskbench.runner.proof import first_failure, is_mutant, objections
from deskbench.store.run_folder import RunFolder, write_atomically

PICTURE_SIZE = (640, 400)

OMISSIONS = 8
"""At most so many steps of a procedure are left out in turn, spread evenly over it."""


@dataclass(frozen=True)
class Trials:
    """The runs that prove one or several tasks; to the pool it is a plan like any other."""

    families: tuple[Family, ...]

    def specs(self) -> list[Spec]:
        return [spec for family in self.families for spec in trials(family)]

    def family(self, spec: Spec) -> Family:
        return next(family for family in self.families if family.task.id == spec.task)

    def left(self, run: RunFolder) -> list[Spec]:
        return [spec for spec in self.specs() if not self._current(run.episode(spec.key), spec)]

    def _current(self, episode: Episode | None, spec: Spec) -> bool:
        if episode is None or episode.verdict.fault is not None:
            return False
        return episode.versions.get("played") == played_digest(self.family(spec), spec)


def trials(family: Family) -> Iterator[Spec]:
    """Every run that a task's certificate needs."""
    task = family.task
    seeds = (0, 1) if task.params else (0,)
    for seed in seeds:
        yield from (Spec(task=task.id, agent="expert", seed=seed, repeat=repeat) for repeat in range(2))
    agents = ["noop", *(["quitter", "toucher"] if task.feasible else [])]
    agents += [f"expert~omit-{number}" for number in omitted(task)]
    agents += [f"expert~miss-{number}" for number in range(1, len(task.near_misses) + 1)]
    agents += [f"expert~other-{number}" for number in range(1, len(task.alternatives) + 1)]
    yield from (Spec(task=task.id, agent=agent) for agent in agents)


def omitted(task: Task) -> list[int]:
    """The steps that are left out in turn: all that are not optional, or an even sample of a long procedure."""
    needed = [number for number, step in enumerate(task.procedure, 1) if not step.optional]
    if len(needed) <= OMISSIONS:
        return needed
    return [needed[round(place * (len(needed) - 1) / (OMISSIONS - 1))] for place in range(OMISSIONS)]


@dataclass
class Certificate:
    """What live runs have proven about a task, and what they have not: `objections`, in sentences."""

    id: str
    digest: str
    checks: str
    runs: list[dict[str, Any]]
    mutants: int
    killed: int
    survivors: list[str]
    expert_steps: int
    expert_actions: int
    expert_seconds: float
    objections: list[str] = field(default_factory=list)
    versions: dict[str, Any] = field(default_factory=dict)

    @property
    def mutation_score(self) -> float:
        return self.killed / self.mutants if self.mutants else 0.0

    @property
    def granted(self) -> bool:
        return not self.objections


def judge(family: Family, run: RunFolder, specs: Sequence[Spec] | None = None) -> Certificate:
    """What the finished trials of a task say."""
    task = family.task
    specs = list(trials(family)) if specs is None else specs
    played = [judged(family, run, episode) for spec in specs if (episode := run.episode(spec.key)) is not None]
    experts = [episode for episode in played if episode.spec.agent == "expert"]
    mutants = [episode for episode in played if is_mutant(episode)]
    survivors = [episode.spec.agent for episode in mutants if episode.verdict.passed]
    return Certificate(
        id=task.id,
        digest=family.digest,
        checks=checks_digest(task.every_check),
        runs=[_row(episode) for episode in played],
        mutants=len(mutants),
        killed=len(mutants) - len(survivors),
        survivors=survivors,
        expert_steps=min((episode.steps for episode in experts), default=0),
        expert_actions=min((_actions(run, episode) for episode in experts), default=0),
        expert_seconds=round(min((episode.times.whole for episode in experts), default=0.0), 1),
        objections=objections(family, run, specs, played),
        versions=versions(task.apps),
    )


def judged(family: Family, run: RunFolder, episode: Episode) -> Episode:
    """An episode with the verdict that the checks of today give on its evidence."""
    if episode.verdict.fault is not None:
        return episode
    try:
        verdict = grade(family.draw(episode.spec.seed), run.evidence(episode.spec.key))
    except Fault as error:
        verdict = Verdict(fault=Blame(where=error.where, sentence=str(error)))
    return episode.model_copy(update={"verdict": verdict})


def _actions(run: RunFolder, episode: Episode) -> int:
    """What the expert did at the desktop, its waits not counted."""
    idle = (*SPOKEN, Wait)
    return sum(step.action is not None and not isinstance(step.action, idle) for step in run.steps(episode.spec.key))


def _row(episode: Episode) -> dict[str, Any]:
    return {
        "agent": episode.spec.agent,
        "seed": episode.spec.seed,
        "repeat": episode.spec.repeat,
        "score": episode.verdict.score,
        "failed": [f.check for f in episode.verdict.findings if not f.passed],
        "why": first_failure(episode) if not episode.verdict.passed else "",
        "stop": episode.stop,
        "steps": episode.steps,
        "seconds": round(episode.times.whole, 1),
    }


def told(family: Family, fresh: Certificate | None) -> dict[str, Any]:
    """What is known of a task's proof: from the trials just made, or from the certificate beside it."""
    known = {**asdict(fresh), "mutation_score": fresh.mutation_score} if fresh is not None else stored(family)
    row = {name: known.get(name) for name in ("mutation_score", "expert_steps", "expert_actions", "expert_seconds")}
    return {
        "id": family.task.id,
        "current": is_current(family),
        **row,
        "survivors": known.get("survivors", []),
        "objections": known.get("objections", []),
    }


def certify(
    families: Sequence[Family],
    folder: Path,
    *,
    desktops: int,
    tell: Callable[[Progress, Episode | None], None] = lambda *_: None,
) -> list[Certificate]:
    """Play what the certificates of these tasks need, and write those that are granted beside their tasks."""
    plan = Trials(tuple(families))
    run = RunFolder.create(folder, {"plan": {"certify": True}})
    run_plan(plan, run, desktops=desktops, tell=tell)
    found = [judge(family, run) for family in families]
    for family, certificate in zip(families, found, strict=True):
        data = {**asdict(certificate), "mutation_score": certificate.mutation_score}
        if certificate.granted:
            _keep_pictures(family, run)
            write_atomically(family.folder / CERTIFICATE, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())
    return found


def _keep_pictures(family: Family, run: RunFolder) -> None:
    """The first and the last thing that the expert saw, small, beside the task."""
    spec = Spec(task=family.task.id, agent="expert")
    steps = run.steps(spec.key)
    for name, file in ((FIRST, run.picture(steps[0].picture)), (LAST, run.evidence(spec.key) / layout.LAST_FRAME)):
        with Image.open(file) as picture:
            picture.thumbnail(PICTURE_SIZE, Image.Resampling.LANCZOS)
            write_atomically(family.folder / name, encode(picture.convert("RGB"), "WEBP", quality=60, method=6))
