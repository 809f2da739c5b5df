"""The plan of a run: tasks x repeats. It is recomputed, never stored as a queue: what is left is the plan less what is complete."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from deskbench.core.episode import Spec
from deskbench.core.faults import Misuse
from deskbench.core.task import digest_of
from deskbench.pack.load import Family
from deskbench.store.run_folder import RunFolder

View = Literal["screenshot", "a11y", "marks"]
ToolGroup = Literal["shell", "files"]


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    families: tuple[Family, ...]
    agent: str
    repeats: int = 1
    seed: int = 0
    language: Literal["en", "zh"] = "en"
    observe: tuple[View, ...] = ("screenshot",)
    steps: int | None = None
    tools: tuple[ToolGroup, ...] = ()
    guidance: str = ""
    user: str = "scripted"

    def specs(self) -> list[Spec]:
        """Every episode, tasks first, so that a run that is stopped early has seen every task once."""
        return [
            Spec(
                task=family.task.id,
                agent=self.agent,
                seed=self.seed + repeat if family.task.params else self.seed,
                repeat=repeat,
                language=self.language,
                observe=self.observe,
                steps=self.steps,
                tools=self.tools,
                guidance=self.guidance,
                user=self.user,
            )
            for repeat in range(self.repeats)
            for family in self.families
        ]

    def family(self, spec: Spec) -> Family:
        return next(family for family in self.families if family.task.id == spec.task)

    def data(self) -> dict[str, Any]:
        """What identifies the run: the episodes, and the digest of every task."""
        tasks = {family.task.id: family.digest for family in self.families}
        return {"tasks": tasks, "specs": [spec.model_dump(mode="json") for spec in self.specs()]}

    def left(self, run: RunFolder) -> list[Spec]:
        """The episodes that are not complete. One that ended in a fault is complete: it was tried again as often as was allowed."""
        return [spec for spec in self.specs() if not _is_current(run, spec, self.family(spec))]


def _is_current(run: RunFolder, spec: Spec, family: Family) -> bool:
    episode = run.episode(spec.key)
    return episode is not None and episode.digest == family.digest


def check_languages(families: Sequence[Family], language: str) -> None:
    """Misuse if a task does not speak the language."""
    silent = [family.task.id for family in families if language not in family.task.languages]
    if silent:
        raise Misuse(f"{', '.join(silent[:3])}{' and others' if len(silent) > 3 else ''} cannot be run in {language!r}: the text is missing")


def default_folder(plan: Plan, name: str, root: Path) -> Path:
    """Where a run goes if nobody says: the newest folder of this name if it holds the same plan and is not finished, else a new one."""
    slug = re.sub(r"[^a-z0-9]+", "-", f"{name}-{plan.agent}".lower()).strip("-")[:60]
    numbered = sorted((int(match[1]), folder) for folder in root.glob(f"{slug}-*") if (match := re.fullmatch(rf"{slug}-(\d+)", folder.name)))
    if numbered:
        newest = numbered[-1][1]
        if _same_plan(newest, plan) and plan.left(RunFolder(newest)):
            return newest
    return root / f"{slug}-{(numbered[-1][0] if numbered else 0) + 1}"


def _same_plan(folder: Path, plan: Plan) -> bool:
    try:
        stored = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return False
    return digest_of(stored.get("plan")) == digest_of(plan.data())
