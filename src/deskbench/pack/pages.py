"""A page per task and an index of all of them, written from the task files and their certificates."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from deskbench.core.task import CheckEntry, Task, Trigger
from deskbench.pack.certificate import stored
from deskbench.pack.load import FIRST, LAST, Family

NOTICE = "<!-- Written by `deskbench tasks --pages`; change the task, not this page. -->"


def pages(families: Sequence[Family], folder: Path) -> dict[Path, str]:
    """What every page says, by its place below `folder`."""
    written = {folder / f"{family.task.id}.md": _page(family, folder / f"{family.task.id}.md") for family in families}
    return {folder / "README.md": _index(families), **written}


def write_pages(families: Sequence[Family], folder: Path) -> list[Path]:
    """Write the pages, remove those of tasks that are gone, and tell which changed."""
    wanted = pages(families, folder)
    stale = [path for path in folder.rglob("*.md") if path not in wanted]
    for path in stale:
        path.unlink()
    changed = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    return [*stale, *changed]


def _page(family: Family, at: Path) -> str:
    task, proof = family.task, stored(family)
    parts = [
        NOTICE,
        f"# {task.id}",
        _facts(task, proof),
        _pictures(family, at),
        "## What the client says",
        *(_conversation(task) if len(task.phases) > 1 else [f"> {text}" for language in ("en", "zh") for text in _said(task, language)]),
        "The values in this text are those of seed 0; other seeds ask for other values." if task.params else "",
        "## What is checked",
        "\n".join(_check(entry) for entry in task.checks),
        *_checks_of_phases(task),
        "## Milestones",
        "\n".join(f"{number}. {milestone.says}" for number, milestone in enumerate(task.milestones, 1)),
        "## The expert's way",
        "\n".join(f"{number}. {step.do}" for number, step in enumerate(task.procedure, 1)),
        *_variations("Nearly right, and caught", [f"{miss.says} (`{miss.fails}`)" for miss in task.near_misses]),
        *_variations("Other right ways", [other.says for other in task.alternatives]),
        *_trials(proof),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(task: Task, proof: Mapping[str, Any]) -> str:
    rows = {
        "level": task.level,
        "applications": ", ".join(task.apps),
        "domain": task.domain,
        "persona": task.persona,
        "labels": ", ".join(task.labels) or "none",
        "languages": ", ".join(task.languages),
        "grounded in": task.source,
        "parameters": ", ".join(f"{name} ({len(param.values)} values)" for name, param in task.params.items()) or "none",
        "expert": f"{proof['expert_actions']} actions, {proof['expert_seconds']} s" if proof else "not certified",
        "mutants caught": f"{proof['killed']} of {proof['mutants']}" if proof else "not certified",
    }
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in rows.items())


def _pictures(family: Family, at: Path) -> str:
    shown = [(title, family.folder / name) for title, name in (("first frame", FIRST), ("last frame", LAST)) if (family.folder / name).exists()]
    return "\n".join(f"![{title}]({os.path.relpath(path, at.parent)})" for title, path in shown)


def _said(task: Task, language: str) -> list[str]:
    texts = [phase.says for phase in task.phases] or [task.opening.says]
    return [" ".join(str(text[language]).split()) for text in texts if language in text]


def _conversation(task: Task) -> list[str]:
    """What is said when, phase by phase."""
    lines = []
    for phase in task.phases:
        when = "At the start" if phase.opens_on is None else f"When {_trigger(phase.opens_on)}"
        mode = f" ({phase.mode.replace('_', ' ')})" if phase.mode else ""
        lines += [f"**{when}{mode}:**", *(f"> {' '.join(text.split())}" for text in phase.says.values())]
        lines += [f"- asked about {fact.about}: {fact.answer['en']}" for fact in phase.knows]
    return lines


TRIGGERS = {
    "step_count": "{} steps are done",
    "milestone": "the milestone `{}` is reached",
    "idle": "nothing has changed for {} steps",
    "elapsed": "{} seconds have passed",
}


def _trigger(opens_on: Trigger) -> str:
    if isinstance(opens_on, dict):
        ((name, value),) = opens_on.items()
        return TRIGGERS[name].format(value)
    return "the agent says that it is done" if opens_on == "agent_done" else "the agent asks"


def _checks_of_phases(task: Task) -> list[str]:
    gone = {name for phase in task.phases for name in phase.supersedes}
    lines = []
    for phase in task.phases:
        if phase.checks:
            when = "when it ends; a later phase takes it back" if phase.id in gone else "when it ends and at the end"
            lines += [f"For the phase `{phase.id}`, {when}:", "\n".join(_check(entry) for entry in phase.checks)]
    return lines


def _check(entry: CheckEntry) -> str:
    if entry.parts:
        inner = "; ".join(f"`{part.name}`" for part in entry.parts)
        line = f"- {'all' if entry.name == 'all' else 'any'} of {inner}"
    else:
        shown = (
            yaml.safe_dump(entry.args, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False).strip().removesuffix("...").strip()
        )
        line = f"- `{entry.name}`" + (f": `{shown}`" if entry.args else "")
    return f"{line}\n  - a guard: {entry.guard}" if entry.guard else line


def _variations(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}", "\n".join(f"- {line}" for line in lines)] if lines else []


def _trials(proof: Mapping[str, Any]) -> list[str]:
    if not proof:
        return []
    rows = [
        f"| {run['agent']} | {run['seed']} | {'passed' if run['score'] == 1 else 'failed'} | {run['steps']} | {_cell(run['why'])} |"
        for run in proof["runs"]
    ]
    return ["## The trials of its certificate", "| who | seed | verdict | steps | why |\n|---|---|---|---|---|\n" + "\n".join(rows)]


def _verdict(run: Mapping[str, Any]) -> str:
    return "passed" if run["score"] == 1 else "failed"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


COUNTED: Mapping[str, Callable[[Task], Iterable[str]]] = {
    "level": lambda task: (task.level,),
    "application": lambda task: task.apps,
    "domain": lambda task: (task.domain.partition("/")[0],),
    "persona": lambda task: (task.persona,),
    "label": lambda task: task.labels,
    "language": lambda task: task.languages,
}


def _index(families: Sequence[Family]) -> str:
    tasks = [family.task for family in families]
    certified = sum(bool(stored(family)) for family in families)
    with_params = sum(bool(task.params) for task in tasks)
    parts = [
        NOTICE,
        "# The tasks",
        f"{len(tasks)} tasks, {certified} of them with a certificate; {with_params} are families from which a seed draws; "
        f"{sum(len(task.apps) > 1 for task in tasks)} need two applications or more.",
        *(f"**By {name}**: " + _counts(value for task in tasks for value in of(task)) for name, of in COUNTED.items()),
        "| task | level | applications | expert | persona |\n|---|---|---|---|---|\n" + "\n".join(_row(family) for family in families),
    ]
    return "\n\n".join(parts) + "\n"


def _counts(values: Iterable[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(Counter(values).items()))


def _row(family: Family) -> str:
    task, proof = family.task, stored(family)
    expert = f"{proof['expert_actions']} actions" if proof else "not certified"
    return f"| [{task.id}]({task.id}.md) | {task.level} | {', '.join(task.apps)} | {expert} | {task.persona} |"
