"""Answers, windows, the clipboard, processes and elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

Make = Callable[..., Evidence]
BOX = {"x": 0, "y": 0, "width": 9, "height": 9}


def judged(evidence: Evidence, check: str, given: Any) -> Finding:
    return apply(check, arguments(check, given), evidence)


@pytest.mark.parametrize(
    ("answer", "number", "passes"),
    [
        ("The total is 1,250.00 EUR", 1250, True),
        ("1 250", 1250, True),
        ("1.250,5", 1250.5, True),
        ("about −12.5 %", -12.5, True),
        ("$1250", 1250, True),
        ("It is 12500.", 1250, False),
        ("11250", 1250, False),
        ("no idea", 1250, False),
        ("v1250b", 1250, False),
        ("1 2 3 4 5 6 7 8 9 1250", 1250, False),
        ("", 0, False),
    ],
)
def test_numbers_in_answers(evidence_of: Make, answer: str, number: float, passes: bool) -> None:
    assert judged(evidence_of({}, facts={"answer": answer, "stop": "done"}), "answer.number", number).passed is passes


def test_texts_in_answers(evidence_of: Make) -> None:
    evidence = evidence_of({}, facts={"answer": "Ada and Grace, in that order", "stop": "done"})
    assert judged(evidence, "answer.text", {"contains": "Grace"}).passed
    assert judged(evidence, "answer.text", {"text": {"contains": "ADA", "any_case": True}}).passed
    assert not judged(evidence, "answer.text", "Ada").passed
    assert judged(evidence, "answer.items", {"items": ["ada", "Grace"], "not": ["Alan"], "in_order": True}).passed
    assert not judged(evidence, "answer.items", {"items": ["Grace", "Ada"], "in_order": True}).passed
    assert not judged(evidence, "answer.items", {"items": ["Ada"], "not": ["Grace"]}).passed
    assert not judged(evidence, "answer.items", ["Ad"]).passed
    assert not judged(evidence_of({}), "answer.text", {}).passed


def test_a_refusal_is_an_action_not_a_word(evidence_of: Make) -> None:
    refusal = evidence_of({}, facts={"answer": "there is no template", "stop": "fail"})
    assert judged(refusal, "answer.refused", None).passed
    assert judged(refusal, "answer.refused", {"reason": {"contains": "template"}}).passed
    assert not judged(refusal, "answer.refused", {"reason": {"contains": "licence"}}).passed
    assert not judged(evidence_of({}, facts={"answer": "fail: it is infeasible", "stop": "done"}), "answer.refused", {}).passed
    assert not judged(evidence_of({}), "answer.refused", {}).passed


def test_windows(evidence_of: Make) -> None:
    windows = [
        {"id": 1, "title": "poster.svg - Inkscape", "app_class": "Inkscape", "box": BOX, "focused": False},
        {"id": 2, "title": "Preferences", "app_class": "Inkscape", "box": BOX, "focused": True, "hidden": False},
    ]
    evidence = evidence_of({}, windows=windows)
    assert judged(evidence, "window.title", {"contains": "poster.svg"}).passed
    assert judged(evidence, "window.title", "Preferences").passed
    assert judged(evidence, "window.title", {"title": "Preferences", "app": "Inkscape", "focused": True}).passed
    assert not judged(evidence, "window.title", {"contains": "poster.svg", "focused": True}).passed
    assert not judged(evidence, "window.title", {"contains": "card.svg"}).passed
    assert judged(evidence, "window.count", {"count": 2, "app": {"contains": "inkscape", "any_case": True}}).passed
    assert not judged(evidence, "window.count", {"count": 1}).passed
    assert judged(evidence, "window.closed", {"title": "Save"}).passed
    assert not judged(evidence, "window.closed", {"title": "Preferences"}).passed


def test_clipboard(evidence_of: Make) -> None:
    evidence = evidence_of({}, clipboard="4711\n")
    assert judged(evidence, "clipboard.text", 4711).passed
    assert judged(evidence, "clipboard.text", {"contains": "71"}).passed
    assert not judged(evidence, "clipboard.text", "471").passed
    assert not judged(evidence, "clipboard.empty", {}).passed
    assert judged(evidence_of({}), "clipboard.empty", {}).passed
    assert not judged(evidence_of({}), "clipboard.text", {}).passed


def test_processes(evidence_of: Make) -> None:
    evidence = evidence_of({}, processes=[{"name": "python3", "argv": ["python3", "server.py"], "cpu": 0.1}])
    assert judged(evidence, "process.running", "python3").passed
    assert judged(evidence, "process.running", {"name": "python3", "argv": {"contains": "server.py"}, "count": 1}).passed
    assert not judged(evidence, "process.running", {"name": "python3", "argv": {"contains": "client.py"}}).passed
    assert not judged(evidence, "process.not_running", "python3").passed
    assert judged(evidence, "process.not_running", "vlc").passed


def test_elements(evidence_of: Make) -> None:
    box = {"role": "check box", "name": "Dark mode", "box": BOX, "depth": 3, "states": ["checked", "enabled"], "app": "files"}
    field = {"role": "text", "name": "Search", "box": BOX, "depth": 3, "value": "lens", "states": [], "app": "files"}
    evidence = evidence_of({}, elements=[box, field])
    assert judged(evidence, "element.shown", {"role": "check box", "name": "Dark mode", "states": ["checked"]}).passed
    assert not judged(evidence, "element.shown", {"role": "check box", "without": ["checked"]}).passed
    assert judged(evidence, "element.shown", {"name": {"contains": "Sea"}, "value": "lens"}).passed
    assert not judged(evidence, "element.shown", {"name": "Search", "value": "bulb"}).passed
    assert not judged(evidence, "element.shown", {"role": "dialog"}).passed
    assert judged(evidence, "element.shown", {"app": "files", "count": 2}).passed
    assert judged(evidence, "element.absent", {"role": "dialog"}).passed
    assert not judged(evidence, "element.absent", {"role": "text"}).passed
