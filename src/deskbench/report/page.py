"""A report as one page: figures, bars with intervals, and every episode with the picture of each step.

The page refers to the pictures of the run folder, relative to where it lies, so that folder and page can be moved together.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from deskbench.core.action import Action, Drag
from deskbench.core.episode import Episode, Step
from deskbench.report.people import conversation, manners
from deskbench.report.summary import outcome, overhead, summary
from deskbench.report.tables import people, percent
from deskbench.store.run_folder import RunFolder, write_atomically


def write_page(runs: Sequence[RunFolder], file: Path) -> None:
    """Write the page of one or several runs."""
    environment = Environment(loader=PackageLoader("deskbench.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["percent"] = percent
    data = summary(runs)
    episodes = [told(run, episode, file.parent) for run in runs for episode in run.episodes()]
    order = {"fault": 0, "failed": 1, "passed": 2}
    episodes.sort(key=lambda item: (item["agent"], order[item["outcome"]], item["task"]))
    page = environment.get_template("report.html").render(data=data, episodes=episodes, bars=bars(data), people=people(data["agents"]))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, page.encode())


def told(run: RunFolder, episode: Episode, beside: Path) -> dict[str, Any]:
    """One episode as the page shows it."""
    key = episode.spec.key
    steps = run.steps(key)
    width, height = 1920, 1080
    last = run.evidence(key) / "last.png"
    return {
        "key": key,
        "task": episode.spec.task,
        "agent": episode.spec.agent,
        "seed": episode.spec.seed,
        "repeat": episode.spec.repeat,
        "level": episode.level,
        "apps": episode.apps,
        "outcome": outcome(episode),
        "score": episode.verdict.score,
        "instruction": episode.instruction,
        "stop": episode.stop,
        "why": episode.why,
        "answer": episode.answer,
        "seconds": episode.times.whole,
        "overhead": overhead(episode),
        "findings": episode.verdict.findings,
        "fault": episode.verdict.fault,
        "faults": episode.faults,
        "milestones": episode.milestones,
        "conversation": conversation(episode, steps),
        "manners": manners(episode.conduct),
        "steps": [shown(run, step, beside, width, height) for step in steps],
        "last": os.path.relpath(last, beside) if last.exists() else None,
    }


def shown(run: RunFolder, step: Step, beside: Path, width: int, height: int) -> dict[str, Any]:
    """One step as the page shows it, with the place it points at as shares of the picture."""
    x, y = getattr(step.action, "x", None), getattr(step.action, "y", None)
    if isinstance(step.action, Drag):
        x, y = step.action.path[0]
    point = None if x is None or y is None else (100 * x / width, 100 * y / height)
    return {
        "number": step.number,
        "words": words(step.action) if step.action is not None else f"not understood: {step.invalid}",
        "thought": step.thought,
        "picture": os.path.relpath(run.picture(step.picture), beside) if step.picture else None,
        "point": point,
        "reached": step.reached,
        "refused": step.refused,
        "said": step.said,
        "seconds": step.act_seconds,
        "settled": step.settled,
    }


def words(action: Action) -> str:
    """An action in a few words."""
    said = action.model_dump(exclude_defaults=True, exclude={"kind"})
    if "keys" in said:
        return f"{action.kind} {'+'.join(said['keys'])}" + (f" x{said['times']}" if "times" in said else "")
    inner = ", ".join(f"{name} {value!r}" if isinstance(value, str) else f"{name} {value}" for name, value in said.items())
    return f"{action.kind} {inner}".strip()


def bars(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Success of each agent at each level, as bars with whiskers."""
    found = []
    for agent, numbers in data["agents"].items():
        for label, rate in {"all": numbers["success"]["overall"], **numbers["success"]["by_level"]}.items():
            if rate["rate"] is not None:
                found.append({"agent": agent, "label": label, **rate})
    return found
