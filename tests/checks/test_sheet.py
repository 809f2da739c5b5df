"""Spreadsheet checks on files that LibreOffice made: right, wrong, nearly right, and hostile."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments, probes_for
from deskbench.checks.evidence import Evidence
from deskbench.checks.sheet import RECALCULATED
from deskbench.checks.sheet_reading import area, number_format, opendocument_formula, parse_range, shifted
from deskbench.core.verdict import Finding

ARTIFACTS = Path(__file__).parent / "artifacts" / "sheet"
FORMATS = ("xlsx", "ods")


def left(evidence_of: Any, artifact: str, start: str | None = None, path: str = "book") -> tuple[Evidence, str]:
    """Evidence of a file as the agent left it, with what the probe wrote about it."""
    source = ARTIFACTS / artifact
    name = f"Documents/{path}{source.suffix}"
    before = {name: ARTIFACTS / start} if start else None
    evidence: Evidence = evidence_of({name: source}, before=before)
    folder = evidence.folder / "probes" / RECALCULATED.name / name
    (folder / "out").mkdir(parents=True)
    (folder / "probe.json").write_text(json.dumps({"status": 0, "timed_out": False}))
    shutil.copyfile(ARTIFACTS / "probed" / f"{artifact}.ods", folder / "out" / "recalculated.ods")
    return evidence, name


def judge(evidence: Evidence, check: str, **given: Any) -> Finding:
    return apply(check, arguments(check, given), evidence)


RIGHT: list[tuple[str, dict[str, Any]]] = [
    ("sheet.cell", {"at": "E9", "value": 3564, "formula": "=SUM(E2:E7)", "kind": "number"}),
    ("sheet.cell", {"at": "E9", "value": {"is": 3560, "within": 5}, "formula": {"contains": "SUM"}}),
    ("sheet.cell", {"at": "E10", "value": "high; very", "formula": '=IF(E9>3000,"high; very","low")'}),
    ("sheet.values", {"range": "A2:C3", "values": [["North", "Desk", 5], ["South", "Desk", 3]]}),
    ("sheet.formulas", {"range": "E2:E7", "pattern": "=C#*D#"}),
    ("sheet.formulas", {"range": "E9", "uses": ["sum"], "refers_to": ["E2:E7"]}),
    ("sheet.format", {"range": "A1:E1", "bold": True, "fill": "#1f4e79", "colour": "#ffffff", "align": "center", "size": 12}),
    ("sheet.format", {"range": "A1:E1", "font": "Liberation Serif"}),
    ("sheet.format", {"range": "D2:E9", "number": "currency", "decimals": 2, "thousands": True, "currency": "€"}),
    ("sheet.sorted", {"range": "A1:E7", "by": ["E descending"]}),
    ("sheet.filter", {"column": "A", "shows": ["North"], "range": "A1:E7"}),
    ("sheet.filter", {"rows": 2}),
    ("sheet.chart", {"kind": "column", "title": {"contains": "by product"}, "values": ["E2:E7"], "categories": ["Orders!B2:B7"]}),
    ("sheet.chart", {"x_title": "Product", "y_title": "Euro", "legend": False, "count": 1}),
    ("sheet.pivot", {"rows": ["Region"], "columns": ["Product"], "data": {"Total": "sum"}, "source": "Orders!A1:E7"}),
    ("sheet.validation", {"range": "A2:A7", "kind": "list", "values": ["North", "South", "East", "West"]}),
    ("sheet.validation", {"range": "C2:C7", "kind": "whole", "operator": "between", "values": [1, 100]}),
    ("sheet.condition", {"range": "E2:E7", "operator": ">", "values": [500], "fill": "#ffc7ce", "bold": True}),
    ("sheet.frozen", {"rows": 1}),
    ("sheet.named", {"name": "Totals", "refers_to": "Orders!$E$2:$E$7"}),
]  # fmt: skip


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize(("check", "given"), RIGHT, ids=lambda value: value if isinstance(value, str) else "")
def test_the_right_file_passes_and_the_near_miss_fails(evidence_of: Any, suffix: str, check: str, given: dict[str, Any]) -> None:
    evidence, name = left(evidence_of, f"done.{suffix}", f"start.{suffix}")
    finding = judge(evidence, check, file=name, **given)
    assert finding.passed, finding
    if given == {"rows": 2}:
        return  # both show two rows
    evidence, name = left(evidence_of, f"near.{suffix}", f"start.{suffix}")
    if given.get("kind") == "whole" or "font" in given:
        return  # the near miss is the same in this
    assert not judge(evidence, check, file=name, **given).passed


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_both_have(evidence_of: Any, suffix: str) -> None:
    evidence, name = left(evidence_of, f"done.{suffix}")
    for check, given, wrong in (
        ("sheet.cell", {"at": "G2", "value": "2024-03-01", "kind": "date"}, {"at": "G2", "value": "2024-03-02"}),
        ("sheet.cell", {"at": "A1"}, {"at": "Z99"}),
        ("sheet.cell", {"at": "E11", "kind": "error", "value": "#DIV/0!"}, {"at": "C2", "value": "5"}),
        ("sheet.format", {"range": "F2", "number": "percent", "decimals": 1}, {"range": "F2", "number": "percent", "decimals": 2}),
        ("sheet.format", {"range": "A9:E9", "italic": True}, {"range": "A8:E9", "italic": True}),
        ("sheet.columns", {"columns": "B:B", "width_mm": {"is": 40, "within": 0.5}}, {"columns": "B:B", "hidden": True}),
        ("sheet.rows", {"rows": "1:1", "height_mm": {"is": 9, "within": 0.2}}, {"rows": "3:3"}),
        ("sheet.merged", {"range": "A12:C12"}, {"range": "A12:B12"}),
        ("sheet.sheets", {"names": ["Orders", "Summary"]}, {"names": ["Summary", "Orders"]}),
        ("sheet.cell", {"at": "E9", "sheet": "Summary", "value": 3564}, {"at": "E9", "sheet": "Sheet9", "value": 3564}),
    ):
        assert judge(evidence, check, file=name, **given).passed, (check, given)
        assert not judge(evidence, check, file=name, **wrong).passed, (check, wrong)
    assert "E11 shows #DIV/0!" in judge(evidence, "sheet.no_errors", file=name).sentence


def test_a_stale_cached_value_does_not_count(evidence_of: Any) -> None:
    evidence, name = left(evidence_of, "stale.xlsx")
    assert judge(evidence, "sheet.cell", file=name, at="E9", value=3564).passed
    assert not judge(evidence, "sheet.cell", file=name, at="E9", value=9999).passed


def test_a_file_without_cached_values_is_computed(evidence_of: Any) -> None:
    evidence, name = left(evidence_of, "foreign.xlsx")
    assert judge(evidence, "sheet.cell", file=name, at="B4", value=259.5).passed
    assert judge(evidence, "sheet.no_errors", file=name).passed


def test_a_file_that_was_saved_again_is_unchanged(evidence_of: Any) -> None:
    evidence, name = left(evidence_of, "foreign-saved.xlsx", "foreign.xlsx")
    finding = judge(evidence, "sheet.unchanged", file=name)
    assert finding.passed, finding


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_changed_is_named_unless_it_is_excepted(evidence_of: Any, suffix: str) -> None:
    evidence, name = left(evidence_of, f"near.{suffix}", f"start.{suffix}")
    finding = judge(evidence, "sheet.unchanged", file=name)
    assert not finding.passed and any("E2 held" in line for line in finding.seen)
    excepted = ["E1:E9", "A1:E1", "D2:D9", "F2", "A9:A12", "Summary", "charts", "validations", "conditions", "merged", "names", "frozen"]
    finding = judge(evidence, "sheet.unchanged", file=name, **{"except": excepted})
    assert finding.passed, finding
    assert not judge(evidence, "sheet.unchanged", file=name, **{"except": excepted[1:]}).passed


def test_rows_torn_apart_are_not_sorted(evidence_of: Any, tmp_path: Path) -> None:
    torn = tmp_path / "torn.xlsx"
    with zipfile.ZipFile(ARTIFACTS / "done.xlsx") as source, zipfile.ZipFile(torn, "w") as target:
        for member in source.namelist():
            target.writestr(member, source.read(member).replace(b'<c r="C2" s="0" t="n"><v>5</v>', b'<c r="C2" s="0" t="n"><v>6</v>'))
    evidence, name = left(evidence_of, "done.xlsx", "start.xlsx")
    shutil.copyfile(torn, evidence.folder / "home" / name)
    assert "torn apart" in judge(evidence, "sheet.sorted", file=name, range="A1:E7", by=["E descending"]).sentence


def bomb() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * (300 << 20))
    return data.getvalue()


def opendocument(content: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("content.xml", content)
    return data.getvalue()


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'
ENDLESS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 ><office:body><office:spreadsheet><table:table table:name="A"><table:table-row table:number-rows-repeated="1048576"><table:table-cell
 office:value-type="float" office:value="1" table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet></office:body
 ></office:document-content>"""


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 truncated", b"name,price\n", opendocument(ENTITIES), opendocument(ENDLESS), opendocument("<x/>"), bomb()]
)
def test_hostile_files_fail_quickly(evidence_of: Any, content: bytes) -> None:
    evidence = evidence_of({"a.xlsx": content})
    for check, given in (("sheet.frozen", {}), ("sheet.sheets", {}), ("sheet.format", {"range": "A1", "bold": True})):
        assert not judge(evidence, check, file="a.xlsx", **given).passed


def test_a_document_is_no_spreadsheet_and_a_missing_file_is_said(evidence_of: Any) -> None:
    assert "no file" in judge(evidence_of({}), "sheet.sheets", file="a.xlsx").sentence
    assert not judge(evidence_of({"a.xlsx": opendocument(ENDLESS.replace("spreadsheet", "text"))}), "sheet.sheets", file="a.xlsx").passed


def test_what_needs_the_probe_says_so() -> None:
    given = arguments("sheet.cell", {"file": "~/a.xlsx", "at": "A1"})
    assert probes_for("sheet.cell", given) == [(RECALCULATED, "a.xlsx")]
    assert probes_for("sheet.frozen", arguments("sheet.frozen", "~/a.xlsx")) == []


@pytest.mark.parametrize("wrong", [{"at": "99"}, {"at": "A1:B2:C3"}, {"at": "A1", "formula": {}}, {"at": "A1", "colour": "red"}])
def test_wrong_arguments_are_refused_at_load(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        arguments("sheet.cell", {"file": "~/a.xlsx", **wrong})


def test_notations() -> None:
    assert opendocument_formula("of:=IF([$'My Data'.$A$1]>1;\"a;b\";[.B2:.B9])") == "=IF('My Data'!$A$1>1,\"a;b\",B2:B9)"
    assert shifted('A1+$B$1+SUM(C2:C3)&"A1"', 1, 1) == 'B2+$B$1+SUM(D3:D4)&"A1"'
    assert area("$Orders.$E$2:.$E$7") == area("Orders!$E$2:$E$7") == "Orders!E2:E7"
    assert str(parse_range("$B$2:A1")) == "A1:B2"
    assert [number_format(code).kind for code in ("General", "0.00", "0%", '"$"#,##0', "yyyy-mm-dd", "h:mm", "@", "0.0E+00", "[$-409]0.0%")] == [
        "general", "number", "percent", "currency", "date", "time", "text", "scientific", "percent",
    ]  # fmt: skip
