"""A verdict has a score or a fault, never both and never neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deskbench.core.verdict import Blame, Finding, Verdict, failed, judge, passed

findings = st.lists(st.builds(Finding, passed=st.booleans(), sentence=st.just("x"), weight=st.floats(0.1, 10)), min_size=1, max_size=6).map(tuple)


def test_exactly_one_of_score_and_fault() -> None:
    with pytest.raises(ValidationError):
        Verdict()
    with pytest.raises(ValidationError):
        Verdict(score=1, fault=Blame(where="desktop", sentence="it died"))
    assert not Verdict(fault=Blame(where="desktop", sentence="it died")).passed


@given(findings)
def test_all_or_nothing(found: tuple[Finding, ...]) -> None:
    assert judge(found).score == (1.0 if all(f.passed for f in found) else 0.0)


@given(findings)
def test_partial_credit_never_passes_what_failed(found: tuple[Finding, ...]) -> None:
    verdict = judge(found, partial_credit=True)
    assert verdict.passed == all(f.passed for f in found)
    assert verdict.score is not None and 0 <= verdict.score <= 1


def test_partial_credit_is_the_weighted_share() -> None:
    found = (passed("a").model_copy(update={"weight": 3.0}), failed("b"))
    assert judge(found, partial_credit=True).score == pytest.approx(0.75)


def test_nothing_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="without findings"):
        judge(())
