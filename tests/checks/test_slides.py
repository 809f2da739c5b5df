"""Deck checks on files that LibreOffice made: right, nearly right, and hostile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pptx
import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

ARTIFACTS = Path(__file__).parent / "artifacts" / "slides"
FORMATS = ("pptx", "odp")


def judge(evidence: Evidence, check: str, **given: Any) -> Finding:
    return apply(check, arguments(check, given), evidence)


def left(evidence_of: Any, name: str, start: str | None = None) -> tuple[Evidence, str]:
    path = f"Documents/deck.{name.rpartition('.')[2]}"
    files = {path: ARTIFACTS / name, "dot.png": ARTIFACTS / "dot.png"}
    return evidence_of(files, before={path: ARTIFACTS / start} if start else None), path


RIGHT: list[tuple[str, dict[str, Any]]] = [
    ("slides.count", {"count": 4, "hidden": 1}),
    ("slides.order", {"titles": ["Welcome", "Agenda", {"contains": "Result"}, "Backup"]}),
    ("slides.slide", {"slide": 2, "title": "Agenda", "text": {"contains": "Second"}}),
    ("slides.slide", {"slide": 2, "notes": "Keep this short."}),
    ("slides.slide", {"slide": 2, "transition": "wipe"}),
    ("slides.slide", {"slide": 2, "transition": "any"}),
    ("slides.slide", {"slide": 1, "background": "#1f4e79"}),
    ("slides.slide", {"slide": 4, "hidden": True}),
    ("slides.shape", {"slide": 2, "name": "Badge", "left_mm": {"is": 200, "within": 1}, "fill": "#ffc000", "inside": True}),
    ("slides.format", {"slide": 1, "text": "Welcome", "bold": True, "size": 54, "colour": "#ffffff"}),
    ("slides.format", {"slide": 3, "kind": "body", "align": "center"}),
    ("slides.table", {"slide": 3, "values": [["Quarter", "Sales"], [None, "3564"]], "rows": 2, "columns": 2}),
    ("slides.picture", {"slide": 3, "shows": "~/dot.png", "width_mm": {"is": 45, "within": 1}, "alt": "A red dot"}),
]  # fmt: skip


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize(("check", "given"), RIGHT, ids=lambda value: value if isinstance(value, str) else "")
def test_the_right_deck_passes_and_the_near_miss_fails(evidence_of: Any, suffix: str, check: str, given: dict[str, Any]) -> None:
    evidence, name = left(evidence_of, f"done.{suffix}")
    finding = judge(evidence, check, file=name, **given)
    assert finding.passed, finding
    evidence, name = left(evidence_of, f"near.{suffix}")
    assert not judge(evidence, check, file=name, **given).passed


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_both_have(evidence_of: Any, suffix: str) -> None:
    evidence, name = left(evidence_of, f"done.{suffix}")
    for check, given, wrong in (
        ("slides.page", {"ratio": "16:9", "width_mm": {"is": 280, "within": 0.1}}, {"ratio": "4:3"}),
        ("slides.slide", {"slide": 1, "layout": "Title Slide"}, {"slide": 1, "layout": "Blank Slide"}),
        ("slides.slide", {"slide": 1, "transition": "none", "animations": 0}, {"slide": 9}),
        ("slides.picture", {"slide": 3, "left_mm": {"is": 200, "within": 1}}, {"slide": 3, "left_mm": {"is": 100, "within": 1}}),
        ("slides.picture", {"slide": 1, "count": 0}, {"slide": 1}),
        ("slides.format", {"text": "Agenda", "bold": False}, {"text": "Agenda", "bold": True}),
    ):
        assert judge(evidence, check, file=name, **given).passed, (check, given)
        assert not judge(evidence, check, file=name, **wrong).passed, (check, wrong)


def test_another_picture_is_not_that_picture(evidence_of: Any) -> None:
    other = (Path(__file__).parent / "artifacts" / "doc" / "dot.png").read_bytes()[:60]
    evidence = evidence_of({"a.pptx": ARTIFACTS / "done.pptx", "other.png": other})
    assert not judge(evidence, "slides.picture", file="a.pptx", slide=3, shows="other.png").passed


@pytest.mark.parametrize(("old", "new"), [("done.odp", "done.pptx"), ("done.pptx", "done.odp"), ("start.pptx", "start.odp")])
def test_saving_in_the_other_format_changes_nothing(evidence_of: Any, old: str, new: str) -> None:
    evidence = evidence_of({"a.pptx": ARTIFACTS / new}, before={"a.pptx": ARTIFACTS / old})
    finding = judge(evidence, "slides.unchanged", file="a.pptx")
    assert finding.passed, finding


@pytest.mark.parametrize("suffix", FORMATS)
def test_changes_are_found_and_can_be_excepted(evidence_of: Any, suffix: str) -> None:
    evidence, name = left(evidence_of, f"near.{suffix}", f"start.{suffix}")
    assert "background" in judge(evidence, "slides.unchanged", file=name).sentence
    assert not judge(evidence, "slides.unchanged", file=name, **{"except": ["Welcome"]}).passed
    assert judge(evidence, "slides.unchanged", file=name, **{"except": [1, "Results", "Agenda"]}).passed
    evidence, name = left(evidence_of, f"done.{suffix}", f"start.{suffix}")
    assert "moved" in judge(evidence, "slides.unchanged", file=name).sentence


def test_placeholders_inherit_from_the_layout(evidence_of: Any, tmp_path: Path) -> None:
    deck = pptx.Presentation()
    made = deck.slides.add_slide(deck.slide_layouts[1])
    made.shapes.title.text = "Plan"
    made.placeholders[1].text = "First"
    deck.save(str(tmp_path / "a.pptx"))
    evidence = evidence_of({"a.pptx": tmp_path / "a.pptx"})
    assert judge(evidence, "slides.format", file="a.pptx", kind="title", size=44, align="center").passed
    assert judge(evidence, "slides.format", file="a.pptx", text="First", listed="bullet").passed
    assert judge(evidence, "slides.shape", file="a.pptx", slide=1, kind="title", width_mm={"at_least": 100}, inside=True).passed
    assert not judge(evidence, "slides.format", file="a.pptx", kind="title", size=20).passed


def test_hostile_files_fail(evidence_of: Any) -> None:
    whole = (ARTIFACTS / "done.pptx").read_bytes()
    document = (ARTIFACTS.parent / "doc" / "start.odt").read_bytes()
    for content in (b"", b"x" * 1000, whole[:5000], document):
        evidence = evidence_of({"a.pptx": content})
        assert not judge(evidence, "slides.count", file="a.pptx").passed
        assert not judge(evidence, "slides.slide", file="a.pptx", slide=1).passed
