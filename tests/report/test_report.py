"""Rates with intervals, faults apart, and a page that shows what happened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbench.core.action import Click
from deskbench.core.episode import Episode, Spec, Step
from deskbench.core.frame import Frame
from deskbench.core.verdict import Blame, Verdict, failed, passed
from deskbench.report.page import write_page
from deskbench.report.statistics import pass_at_k, pass_hat_k, success, wilson
from deskbench.report.summary import summary
from deskbench.store.run_folder import RunFolder


def test_wilson_against_known_values() -> None:
    # Wilson (1927); the figures are those of statsmodels' proportion_confint(method="wilson")
    rate = wilson(8, 10)
    assert (rate.rate, round(rate.low, 4), round(rate.high, 4)) == (0.8, 0.4902, 0.9433)
    assert round(wilson(0, 12).high, 4) == 0.2425 and wilson(0, 12).low == pytest.approx(0, abs=1e-12)
    assert wilson(0, 0).rate is None


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_rate_lies_in_its_interval(counts: tuple[int, int]) -> None:
    rate = wilson(*counts)
    assert rate.rate is not None and 0 <= rate.low <= rate.rate + 1e-12 and rate.rate <= rate.high + 1e-12 <= 1 + 1e-9


def test_pass_at_k_and_pass_hat_k() -> None:
    outcomes = {"a": [True, False, False, False], "b": [True, True, True, True]}
    assert pass_at_k(outcomes, 1) == pytest.approx(0.625)
    assert pass_at_k(outcomes, 2) == pytest.approx((0.5 + 1) / 2)
    assert pass_hat_k(outcomes, 2) == pytest.approx((0 + 1) / 2)
    assert pass_at_k(outcomes, 5) is None


def made(tmp_path: Path) -> RunFolder:
    run = RunFolder.create(tmp_path / "run", {"plan": {}})
    outcomes = {"calc/a": 1.0, "calc/b": 0.0, "gimp/c": None}
    for task, score in outcomes.items():
        finding = passed("the sum is right") if score else failed("the sum is <b>not</b> right", expected=3, seen=4)
        verdict = (
            Verdict(findings=(finding,), score=score) if score is not None else Verdict(fault=Blame(where="desktop", sentence="the display died"))
        )
        spec = Spec(task=task, agent="expert")
        with run.recorder(spec) as recorder:
            picture = recorder.picture(Frame(np.full((20, 30, 4), 90, np.uint8)))
            recorder.step(Step(number=1, action=Click(x=960, y=540), thought="Press <it>", picture=picture))
        run.seal(
            Episode(
                spec=spec,
                digest="d",
                level="L1",
                apps=(task.split("/")[0],),
                domain="office/x",
                instruction="Add <up>.",
                started="",
                stop="done" if score is not None else "fault",
                steps=1,
                milestones={"opened": 0, "saved": 1 if score else None},
                verdict=verdict,
            )
        )
    return run


def test_faults_are_in_no_denominator(tmp_path: Path) -> None:
    run = made(tmp_path)
    assert success(run.episodes()).n == 2
    data = summary([run])
    assert data["success"]["overall"]["rate"] == 0.5
    assert data["success"]["by_app"]["gimp"]["n"] == 0
    assert data["faults"] == {"episodes": 1, "retried": 0, "by_place": {"desktop": 1}}
    assert data["intermediate"] == 0.75
    assert data["stops"] == {"done": 2}


def test_the_page_shows_every_episode_and_escapes_what_strangers_wrote(tmp_path: Path) -> None:
    run = made(tmp_path)
    page = tmp_path / "elsewhere" / "report.html"
    write_page([run], page)
    text = page.read_text()
    assert "the sum is &lt;b&gt;not&lt;/b&gt; right" in text and "<b>not</b>" not in text
    assert "the display died" in text and "Press &lt;it&gt;" in text
    for source in {part.split('"')[0] for part in text.split('src="')[1:]}:
        assert (page.parent / source).resolve().exists(), source
    assert "left: 50.0%; top: 50.0%" in text
