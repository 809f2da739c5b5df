"""What there is to sit, and what is wrong with it."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import Any

from deskbench.core.task import Task
from deskbench.pack.certificate import is_current
from deskbench.pack.load import Family, TaskError, is_selector, packs_root, read, suites, task_files


def row(family: Family) -> dict[str, Any]:
    """One task as a listing shows it."""
    task = family.task
    return {
        "id": task.id,
        "level": task.level,
        "apps": list(task.apps),
        "domain": task.domain,
        "persona": task.persona,
        "labels": list(task.labels),
        "languages": list(task.languages),
        "phases": max(1, len(task.phases)),
        "params": {name: list(param.values) for name, param in task.params.items()},
        "certified": is_current(family),
        "milestones": len(task.milestones),
        "instruction": task.opening.says["en"],
        "digest": family.digest,
    }


def mistakes(patterns: Sequence[str], suite: str | None) -> tuple[list[str], int]:
    """Every mistake in the chosen task files, and how many files were read."""
    root = packs_root()
    wanted = [*patterns, *(suites(root).get(suite, ["*/*"]) if suite else [])] or ["*/*"]
    found: list[str] = []
    count = 0
    for file in task_files(root):
        name = f"{file.parent.parent.name}/{file.parent.name}"
        # What a selector would choose is known only of a task that can be read, so all are looked at.
        if not any(is_selector(pattern) or fnmatch.fnmatchcase(name, pattern) for pattern in wanted):
            continue
        count += 1
        try:
            read(file)
        except TaskError as error:
            found.append(str(error))
    return found, count


def task_schema() -> dict[str, Any]:
    """The JSON Schema of a task file, less what an author never writes."""
    schema = Task.model_json_schema(by_alias=True)
    schema["properties"].pop("values", None)
    # An author writes a check as its name with its arguments, which the model only knows after reading it.
    entry = schema["$defs"]["CheckEntry"]
    schema["$defs"]["CheckEntry"] = {
        "description": entry.get("description", ""),
        "anyOf": [{"type": "string"}, {"type": "object", "minProperties": 1, "maxProperties": 3}],
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Deskbench task", **schema}
