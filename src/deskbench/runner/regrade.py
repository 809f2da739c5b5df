"""Judging stored evidence again: no desktop, no application, the same verdict for ever."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from deskbench.core.episode import Episode
from deskbench.core.faults import Fault, Misuse
from deskbench.core.verdict import Blame, Verdict
from deskbench.episode.grade import grade
from deskbench.pack.load import Family
from deskbench.store.run_folder import RunFolder


@dataclass(frozen=True)
class Regraded:
    """One episode judged again. `note` says why it could not be, or what else changed."""

    key: str
    before: Verdict
    after: Verdict | None
    note: str = ""

    @property
    def changed(self) -> bool:
        return self.after is not None and (self.before.score != self.after.score or _outcomes(self.before) != _outcomes(self.after))

    def told(self) -> dict[str, object]:
        """As plain data."""
        after = self.after.score if self.after is not None else None
        return {"key": self.key, "changed": self.changed, "before": self.before.score, "after": after, "note": self.note}


def _outcomes(verdict: Verdict) -> list[tuple[str, bool]]:
    return [(finding.check, finding.passed) for finding in verdict.findings]


def regrade(run: RunFolder, family_of: Callable[[str], Family], *, write: bool) -> list[Regraded]:
    """Judge every episode of a run again; with `write`, the new verdicts take the place of the old ones."""
    found = []
    for episode in run.episodes():
        again = _again(run, episode, family_of)
        found.append(again)
        if write and again.changed and again.after is not None:
            run.seal(episode.model_copy(update={"verdict": again.after}))
    if write:
        run.rebuild_index()
    return found


def _again(run: RunFolder, episode: Episode, family_of: Callable[[str], Family]) -> Regraded:
    evidence = run.evidence(episode.spec.key)
    if not (evidence / "facts.json").exists():
        return Regraded(episode.spec.key, episode.verdict, None, "it left no evidence")
    try:
        family = family_of(episode.spec.task)
        note = "" if family.digest == episode.digest else "the task has changed since"
        verdict = grade(family.draw(episode.spec.seed), evidence)
    except Misuse as error:
        return Regraded(episode.spec.key, episode.verdict, None, str(error))
    except Fault as error:
        verdict, note = Verdict(fault=Blame(where=error.where, sentence=str(error))), str(error)
    return Regraded(episode.spec.key, episode.verdict, verdict, note)
