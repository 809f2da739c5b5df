"""Document checks on files that LibreOffice made: right, nearly right, stripped of formatting, and hostile."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

ARTIFACTS = Path(__file__).parent / "artifacts" / "doc"
FORMATS = ("docx", "odt")


def judge(evidence: Evidence, check: str, **given: Any) -> Finding:
    return apply(check, arguments(check, given), evidence)


def left(evidence_of: Any, name: str, start: str | None = None) -> tuple[Evidence, str]:
    suffix = name.rpartition(".")[2]
    path = f"Documents/report.{suffix}"
    files = {path: ARTIFACTS / name, "dot.png": ARTIFACTS / "dot.png"}
    return evidence_of(files, before={path: ARTIFACTS / start} if start else None), path


RIGHT: list[tuple[str, dict[str, Any]]] = [
    ("doc.headings", {"headings": [[1, "Overview"], [2, "Method"], [1, "Results"]]}),
    ("doc.headings", {}),
    ("doc.format", {"text": "twelve percent", "bold": True, "size": 14, "colour": "#c00000", "font": "Liberation Mono"}),
    ("doc.format", {"text": "twelve percent", "size": 14, "only": True}),
    ("doc.paragraph", {"containing": "Annual", "style": "Title", "align": "center"}),
    ("doc.paragraph", {"containing": "Overview", "heading": 1, "style": "Heading 1"}),
    ("doc.paragraph", {"containing": "Results", "page_break": True}),
    ("doc.listed", {"items": ["Lamps", "Desks"], "kind": "bullet", "level": 1}),
    ("doc.table", {"values": [["Region", "Total"], [None, "3564"]], "rows": 2, "columns": 2}),
    ("doc.footer", {"fields": ["page", "pages"]}),
    ("doc.field", {"kind": "contents"}),
    ("doc.contents", {"levels": 2}),
    ("doc.comment", {"text": {"contains": "right"}, "on": "every branch", "author": "Ada", "count": 1}),
    ("doc.tracked", {"kind": "insertion", "text": "dropped"}),
    ("doc.tracked", {"kind": "deletion", "text": "fell", "count": 1}),
    ("doc.page", {"orientation": "portrait", "left_mm": {"is": 25, "within": 0.2}, "columns": 1}),
    ("doc.picture", {"shows": "~/dot.png", "width_mm": {"is": 30, "within": 0.5}, "alt": "A red dot"}),
    ("doc.note", {"text": "In May and June."}),
    ("doc.bookmark", {"name": "results"}),
    ("doc.text", {"text": {"contains": "costs dropped slightly"}}),
]  # fmt: skip


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize(("check", "given"), RIGHT, ids=lambda value: value if isinstance(value, str) else "")
def test_the_right_document_passes_and_others_fail(evidence_of: Any, suffix: str, check: str, given: dict[str, Any]) -> None:
    evidence, name = left(evidence_of, f"done.{suffix}")
    finding = judge(evidence, check, file=name, **given)
    assert finding.passed, finding
    for other in ("near", "stripped") if check not in ("doc.text", "doc.page") else ("near",):
        evidence, name = left(evidence_of, f"{other}.{suffix}")
        assert not judge(evidence, check, file=name, **given).passed, other


@pytest.mark.parametrize("suffix", FORMATS)
def test_looks_that_the_near_miss_shares(evidence_of: Any, suffix: str) -> None:
    evidence, name = left(evidence_of, f"done.{suffix}")
    for check, given, wrong in (
        ("doc.format", {"text": "slightly", "italic": True, "underline": True, "highlight": "#ffff00"}, {"text": "slightly", "highlight": "#00ff00"}),
        ("doc.format", {"text": "slightly", "bold": False, "caps": "none"}, {"text": "Sales grew by twelve", "bold": True}),
        (
            "doc.paragraph",
            {"containing": "Sales", "align": "justify", "line_spacing": 1.5, "first_line_mm": 5},
            {"containing": "Sales", "align": "left"},
        ),
        ("doc.paragraph", {"containing": "Sales", "before_pt": 6, "after_pt": 12, "style": "Body Text"}, {"containing": "Sales", "before_pt": 7}),
        ("doc.header", {"text": "Acme GmbH"}, {"text": "ACME"}),
        ("doc.link", {"text": "north", "address": "https://example.org/north"}, {"text": "costs", "address": "https://example.org/north"}),
        ("doc.text", {"text": {"contains": "twice", "not": "TODO"}}, {"text": {"not": "twice"}}),
        ("doc.text", {"where": "notes", "text": {"contains": "June"}}, {"where": "footer", "text": {"contains": "June"}}),
        ("doc.table", {"count": 1}, {"number": 2}),
    ):
        assert judge(evidence, check, file=name, **given).passed, (check, given)
        assert not judge(evidence, check, file=name, **wrong).passed, (check, wrong)


@pytest.mark.parametrize("suffix", FORMATS)
def test_formatting_that_is_gone_is_a_change(evidence_of: Any, suffix: str) -> None:
    evidence, name = left(evidence_of, f"stripped.{suffix}", f"done.{suffix}")
    assert not judge(evidence, "doc.unchanged", file=name).passed
    evidence, name = left(evidence_of, f"done.{suffix}", f"done.{suffix}")
    assert judge(evidence, "doc.unchanged", file=name).passed


@pytest.mark.parametrize(("old", "new"), [("done.odt", "done.docx"), ("start.docx", "start.odt")])
def test_saving_in_the_other_format_changes_nothing(evidence_of: Any, old: str, new: str) -> None:
    evidence = evidence_of({"a.docx": ARTIFACTS / new}, before={"a.docx": ARTIFACTS / old})
    finding = judge(evidence, "doc.unchanged", file="a.docx")
    assert finding.passed, finding


def test_a_word_changed_elsewhere_is_found_and_can_be_excepted(evidence_of: Any, tmp_path: Path) -> None:
    made = docx.Document(ARTIFACTS / "start.docx")
    next(one for one in made.paragraphs if "every branch" in one.text).runs[0].text = "We asked nobody."
    made.save(tmp_path / "new.docx")
    evidence = evidence_of({"a.docx": tmp_path / "new.docx"}, before={"a.docx": ARTIFACTS / "start.docx"})
    assert "every branch" in judge(evidence, "doc.unchanged", file="a.docx").sentence
    assert judge(evidence, "doc.unchanged", file="a.docx", **{"except": ["We asked"]}).passed


def test_a_document_from_another_program(evidence_of: Any, tmp_path: Path) -> None:
    made = docx.Document()
    made.add_heading("Plan", 1)
    made.add_paragraph("First", style="List Number")
    made.add_paragraph().add_run("loud").bold = True
    made.save(tmp_path / "new.docx")
    evidence = evidence_of({"a.docx": tmp_path / "new.docx"})
    assert judge(evidence, "doc.headings", file="a.docx", headings=[[1, "Plan"]]).passed
    assert judge(evidence, "doc.listed", file="a.docx", items=["First"], kind="number").passed
    assert judge(evidence, "doc.format", file="a.docx", text="loud", bold=True).passed
    assert not judge(evidence, "doc.format", file="a.docx", text="First", bold=True).passed


def packed(**members: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml").replace("_rels", "_rels/.rels"), content)
    return data.getvalue()


ENTITIES = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
DEEP = "<a>" * 5000 + "</a>" * 5000


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "content",
    [b"", b"plain text", b"PK\x05\x06" + b"\0" * 18, packed(content_xml=ENTITIES), packed(content_xml=DEEP), packed(content_xml=" " * (70 << 20))],
)
def test_hostile_files_fail_quickly(evidence_of: Any, content: bytes) -> None:
    evidence = evidence_of({"a.docx": content})
    assert not judge(evidence, "doc.text", file="a.docx").passed
    assert not judge(evidence, "doc.format", file="a.docx", text="x", bold=True).passed


def test_a_truncated_document_and_a_spreadsheet_fail(evidence_of: Any) -> None:
    whole = (ARTIFACTS / "done.docx").read_bytes()
    sheet = (ARTIFACTS.parent / "sheet" / "start.xlsx").read_bytes()
    for content in (whole[: len(whole) // 2], sheet):
        assert not judge(evidence_of({"a.docx": content}), "doc.text", file="a.docx").passed


def test_wrong_arguments_are_refused_at_load() -> None:
    for wrong in ({"containing": "x", "align": "middle"}, {}, {"containing": "x", "colour": "red"}):
        with pytest.raises(ValueError):
            arguments("doc.paragraph", {"file": "~/a.docx", **wrong})


ODT_TABLE = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><table:table>'
    "<table:table-header-rows>{head}</table:table-header-rows>{rows}</table:table></office:text></office:body></office:document-content>"
)
ODT_ROW = "<table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row>"


@pytest.mark.parametrize("heads", [1, 2])
def test_heading_rows_of_an_odt_table_are_counted_every_time_alike(evidence_of: Callable[..., Evidence], heads: int) -> None:
    content = ODT_TABLE.format(head="".join(map(ODT_ROW.format, range(heads))), rows="".join(map(ODT_ROW.format, range(40))))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)
    evidence = evidence_of({"a.odt": packed.getvalue()})
    for _ in range(8):
        for header_rows in (heads, heads + 1):
            given = arguments("doc.table", {"file": "a.odt", "header_rows": header_rows})
            assert apply("doc.table", given, evidence).passed is (header_rows == heads)
