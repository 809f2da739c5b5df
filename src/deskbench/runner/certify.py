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

from deskbench.core.episode import Episode, Spec
from deskbench.core.faults import Fault
from deskbench.core.task import Task
from deskbench.episode.grade import grade
from deskbench.pack.load import CERTIFICATE, Family
from deskbench.pack.versions import checks_digest, versions
from deskbench.runner.pool import Progress, run_plan
from deskbench.store.run_folder import RunFolder, write_atomically

OMISSIONS = 12
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
        family = self.family(spec)
        return episode.digest == family.digest and episode.versions.get("checks") == checks_digest(family.task.checks)


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
    expert_seconds: float
    objections: list[str] = field(default_factory=list)
    versions: dict[str, Any] = field(default_factory=dict)

    @property
    def mutation_score(self) -> float:
        return self.killed / self.mutants if self.mutants else 0.0

    @property
    def granted(self) -> bool:
        return not self.objections


def judge(family: Family, run: RunFolder) -> Certificate:
    """What the finished trials of a task say."""
    task = family.task
    episodes = {spec.key: run.episode(spec.key) for spec in trials(family)}
    played = [episode for episode in episodes.values() if episode is not None]
    experts = [e for e in played if e.spec.agent == "expert"]
    mutants = [e for e in played if _is_mutant(e)]
    survivors = [e.spec.agent for e in mutants if e.verdict.passed]
    objections = [f"{key} has not been played" for key, episode in episodes.items() if episode is None]
    objections += [f"{e.spec.agent} ended in a fault: {e.why}" for e in played if e.verdict.fault is not None]
    objections += _about_experts(experts)
    objections += [f"{name} passes" for name in survivors]
    objections += [f"{e.spec.agent} fails: {_first_failure(e)}" for e in played if "~other-" in e.spec.agent and not e.verdict.passed]
    objections += list(_about_misses(task, played))
    objections += list(_about_idlers(played))
    objections += list(_about_strangers(family, run))
    return Certificate(
        id=task.id,
        digest=family.digest,
        checks=checks_digest(task.checks),
        runs=[_row(episode) for episode in played],
        mutants=len(mutants),
        killed=len(mutants) - len(survivors),
        survivors=survivors,
        expert_steps=min((e.steps for e in experts), default=0),
        expert_seconds=min((e.times.whole for e in experts), default=0.0),
        objections=objections,
        versions=versions(task.apps, task.checks),
    )


def _is_mutant(episode: Episode) -> bool:
    return episode.spec.agent != "expert" and "~other-" not in episode.spec.agent


def _about_experts(experts: Sequence[Episode]) -> Iterator[str]:
    """The expert passes every time, alike, and reaches every milestone."""
    for episode in experts:
        if not episode.verdict.passed:
            yield f"the expert fails with seed {episode.spec.seed}: {_first_failure(episode)}"
        missed = [name for name, step in episode.milestones.items() if step is None]
        if missed:
            yield f"the expert does not reach {', '.join(missed)} with seed {episode.spec.seed}"
    for seed in {episode.spec.seed for episode in experts}:
        said = {tuple((f.check, f.passed) for f in e.verdict.findings) for e in experts if e.spec.seed == seed}
        if len(said) > 1:
            yield f"two runs of the expert with seed {seed} do not agree"


def _about_misses(task: Task, played: Sequence[Episode]) -> Iterator[str]:
    """Every near miss is caught by the check that its author named."""
    for number, miss in enumerate(task.near_misses, 1):
        episode = next((e for e in played if e.spec.agent == f"expert~miss-{number}"), None)
        failing = [f.check for f in episode.verdict.findings if not f.passed] if episode is not None else []
        if episode is not None and not episode.verdict.passed and miss.fails not in failing:
            yield f"the near miss {miss.says!r} fails on {', '.join(failing) or 'nothing'}, not on {miss.fails}"


def _about_idlers(played: Sequence[Episode]) -> Iterator[str]:
    """Whoever does nothing reaches no milestone that setup did not give."""
    for episode in played:
        if episode.spec.agent in ("noop", "quitter"):
            reached = [name for name, step in episode.milestones.items() if step]
            if reached:
                yield f"{episode.spec.agent} reaches {', '.join(reached)} without doing anything"


def _about_strangers(family: Family, run: RunFolder) -> Iterator[str]:
    """What was right for one seed is wrong for the other."""
    if not family.task.params:
        return
    for mine, other in ((0, 1), (1, 0)):
        evidence = run.evidence(Spec(task=family.task.id, agent="expert", seed=other).key)
        try:
            if (evidence / "facts.json").exists() and grade(family.draw(mine), evidence).passed:
                yield f"what the expert left with seed {other} passes with seed {mine}"
        except Fault as error:
            yield f"the evidence of seed {other} cannot be judged with seed {mine}: {error}"


def _first_failure(episode: Episode) -> str:
    return next((f.sentence for f in episode.verdict.findings if not f.passed), episode.why)


def _row(episode: Episode) -> dict[str, Any]:
    return {
        "agent": episode.spec.agent,
        "seed": episode.spec.seed,
        "repeat": episode.spec.repeat,
        "score": episode.verdict.score,
        "failed": [f.check for f in episode.verdict.findings if not f.passed],
        "stop": episode.stop,
        "steps": episode.steps,
        "seconds": round(episode.times.whole, 1),
    }


def is_current(family: Family) -> bool:
    """Whether a task has a certificate that was granted for it as it is, by the checks as they are."""
    found = stored(family)
    return bool(found.get("digest") == family.digest and found.get("checks") == checks_digest(family.task.checks) and found.get("objections") == [])


def stored(family: Family) -> dict[str, Any]:
    """What the certificate beside a task says, or nothing."""
    try:
        found: dict[str, Any] = json.loads((family.folder / CERTIFICATE).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found


def told(family: Family, fresh: Certificate | None) -> dict[str, Any]:
    """What is known of a task's proof: from the trials just made, or from the certificate beside it."""
    known = {**asdict(fresh), "mutation_score": fresh.mutation_score} if fresh is not None else stored(family)
    row = {name: known.get(name) for name in ("mutation_score", "expert_steps", "expert_seconds")}
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
            write_atomically(family.folder / CERTIFICATE, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())
    return found
