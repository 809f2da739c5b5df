"""Checks as a task lists them: lines of names and arguments, some of them combined by `all` and `any`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel

from deskbench.checks import apply, arguments, files_named, probes_for
from deskbench.checks.evidence import Evidence
from deskbench.core.probe import Probe
from deskbench.core.task import CheckEntry
from deskbench.core.verdict import Finding


def plain(entries: Sequence[CheckEntry]) -> Iterator[CheckEntry]:
    """Every single check among entries, those inside `all` and `any` too."""
    for entry in entries:
        if entry.parts:
            yield from plain(entry.parts)
        else:
            yield entry


def given(entry: CheckEntry) -> BaseModel:
    """The validated arguments of a single check."""
    return arguments(entry.name, entry.args)


def files_of(entries: Sequence[CheckEntry]) -> list[str]:
    """Every file that checks name: they belong in the evidence whether they changed or not."""
    return sorted({path for entry in plain(entries) for path in files_named(given(entry))})


def probes_of(entries: Sequence[CheckEntry]) -> list[tuple[Probe, str]]:
    """Every probe that checks need, each with its file, once."""
    needed = {(probe.name, path): (probe, path) for entry in plain(entries) for probe, path in probes_for(entry.name, given(entry))}
    return [needed[key] for key in sorted(needed)]


def find_out(entry: CheckEntry, evidence: Evidence) -> Finding:
    """What one line of a task's checks says about the evidence."""
    if not entry.parts:
        return apply(entry.name, given(entry), evidence).model_copy(update={"weight": entry.weight})
    parts = tuple(find_out(part, evidence) for part in entry.parts)
    holds = all(part.passed for part in parts) if entry.name == "all" else any(part.passed for part in parts)
    telling = [part.sentence for part in parts if part.passed == holds]
    sentence = telling[0] if entry.name == "any" and holds else "; ".join(telling)
    return Finding(passed=holds, sentence=sentence, check=entry.name, weight=entry.weight, parts=parts)
