"""Findings and verdicts: what the judging of one episode says."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Finding(BaseModel):
    """One check's outcome, in words a person understands.

    `check` names the check as the task wrote it; `expected` and `seen` are plain JSON; `parts` are the findings
    of a compound check. `weight` is the share it has where a task gives partial credit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    passed: bool
    sentence: str
    expected: Any = None
    seen: Any = None
    check: str = ""
    weight: float = Field(1.0, gt=0)
    parts: tuple[Finding, ...] = ()
    phase: str = ""
    """The phase that asked for it."""
    early: bool = False
    """Looked at when that phase ended, not at the end."""


def passed(sentence: str, *, expected: Any = None, seen: Any = None) -> Finding:
    """A finding that holds."""
    return Finding(passed=True, sentence=sentence, expected=expected, seen=seen)


def failed(sentence: str, *, expected: Any = None, seen: Any = None) -> Finding:
    """A finding that does not hold; the sentence says what was wrong."""
    return Finding(passed=False, sentence=sentence, expected=expected, seen=seen)


class Blame(BaseModel):
    """A fault of ours, by the boundary at which it happened."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    where: str
    sentence: str
    detail: str = ""


class Verdict(BaseModel):
    """The judgement: a score or a fault, exactly one of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    findings: tuple[Finding, ...] = ()
    score: float | None = Field(None, ge=0, le=1)
    fault: Blame | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.score is None) == (self.fault is None):
            raise ValueError("a verdict has a score or a fault, never both and never neither")
        return self

    @property
    def passed(self) -> bool:
        return self.score == 1.0


def judge(findings: tuple[Finding, ...], *, partial_credit: bool = False) -> Verdict:
    """The verdict of a set of findings: all or nothing, or the weighted share where the task gives partial credit."""
    if not findings:
        raise ValueError("a task without findings cannot be judged")
    if all(finding.passed for finding in findings):
        return Verdict(findings=findings, score=1.0)
    if not partial_credit:
        return Verdict(findings=findings, score=0.0)
    whole = sum(finding.weight for finding in findings)
    share = sum(finding.weight for finding in findings if finding.passed) / whole
    return Verdict(findings=findings, score=min(share, 1 - 1e-9))
