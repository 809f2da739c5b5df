"""Spreadsheets, xlsx or ods. Values are those that LibreOffice computes anew, never the ones that lie in the file.

- sheet.cell: {file: ~/a.xlsx, at: E9, value: {is: 3564, within: 0.01}, formula: {contains: SUM}}
- sheet.values: {file: ~/a.xlsx, range: A1:B2, values: [[Region, Units], [North, 12]]}
- sheet.formulas: {file: ~/a.xlsx, range: E2:E7, pattern: "=C#*D#"}       # stands for the row
- sheet.no_errors: ~/a.xlsx
- sheet.format: {file: ~/a.xlsx, range: A1:E1, bold: true, fill: "#1f4e79", number: currency, decimals: 2}
- sheet.sorted: {file: ~/a.xlsx, range: A1:E7, by: [E descending, A]}
- sheet.filter: {file: ~/a.xlsx, column: A, shows: [North]}
- sheet.chart: {file: ~/a.xlsx, kind: column, title: {contains: Totals}, values: ["E2:E7"], categories: ["B2:B7"]}
- sheet.pivot: {file: ~/a.xlsx, rows: [Region], columns: [Product], data: {Total: sum}}
- sheet.validation: {file: ~/a.xlsx, range: A2:A7, kind: list, values: [North, South]}
- sheet.condition: {file: ~/a.xlsx, range: E2:E7, operator: ">", values: [500], fill: "#ffc7ce"}
- sheet.frozen: {file: ~/a.xlsx, rows: 1}
- sheet.columns: {file: ~/a.xlsx, columns: "B:B", width_mm: {is: 40, within: 1}}
- sheet.rows: {file: ~/a.xlsx, rows: "1:1", height_mm: {at_least: 8}}
- sheet.merged: {file: ~/a.xlsx, range: A12:C12}
- sheet.sheets: {file: ~/a.xlsx, names: [Orders, Summary]}
- sheet.named: {file: ~/a.xlsx, name: Totals, refers_to: Orders!E2:E7}
- sheet.unchanged: {file: ~/a.xlsx, except: [Orders!E2:E9, charts]}
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from deskbench.checks import sheet_matching as m
from deskbench.checks import sheet_reading
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Number, Text, Txt
from deskbench.checks.looks import fits, told
from deskbench.checks.sheet_comparison import Exceptions, differences
from deskbench.checks.sheet_reading import Sheet, Workbook, address, column_number, parse_range
from deskbench.core.faults import BadArtifact
from deskbench.core.probe import Probe
from deskbench.core.verdict import Finding, failed, passed

_ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
_RECALCULATE = """
set -e
profile="$HOME/.config/libreoffice/4/user"
mkdir -p "$profile" "$2"
cp "$HOME/probe/registrymodifications.xcu" "$profile/"
soffice --headless --norestore --nologo --convert-to ods --outdir "$2" "$1"
cd "$2"
mv -- *.ods recalculated.ods
"""
RECALCULATED = Probe(
    name="sheet-recalculated",
    app="calc",
    argv=("sh", "-c", _RECALCULATE, "sh", "{file}", "{out}"),
    files={"registrymodifications.xcu": _ALWAYS_RECALCULATE},
)
PROBES = dict.fromkeys(("cell", "values", "no_errors", "sorted", "filter"), RECALCULATED)


def _checked_range(text: str) -> str:
    parse_range(text)
    return text


def _value(given: Any) -> Any:
    """A number, a text, true or false; {is: ...} and the like by what is in it."""
    if isinstance(given, bool | Number | Text):
        return given
    if isinstance(given, int | float):
        return Number.model_validate({"is": given})
    if isinstance(given, dict):
        numeric = {"within", "at_least", "at_most"} & given.keys() or isinstance(given.get("is"), int | float)
        return (Number if numeric else Text).model_validate(given)
    return Text.model_validate({"is": str(given)})


Cells = Annotated[str, AfterValidator(_checked_range)]
Value = Annotated[bool | Number | Text, BeforeValidator(_value)]
SortKey = Annotated[str, Field(pattern=r"^[A-Z]{1,3}( ascending| descending)?$")]


def cell(
    evidence: Evidence,
    *,
    file: HomePath,
    at: Cells,
    sheet: str | None = None,
    value: Value | None = None,
    formula: Txt | None = None,
    kind: Literal["number", "date", "text", "boolean", "error", "empty"] | None = None,
) -> Finding:
    """A cell's value, its formula (capitals, no blanks or dollars), its kind. Without any of these: it is not empty."""
    where = parse_range(at)
    own = _book(evidence, file).sheet(sheet, f"~/{file}").cell(where.top, where.left)
    seen = _recalculated(evidence, file).sheet(sheet, f"~/{file}").cell(where.top, where.left)
    facts = {"value": m.plain(seen), "formula": own.formula, "kind": seen.kind}
    if value is not None and not m.holds(value, seen):
        return failed(f"{at} is {m.said(seen)}, not {m.wanted(value)}", expected=m.wanted(value), seen=facts)
    if formula is not None and not formula.holds(own.formula and own.formula.replace("$", "")):
        held = own.formula or "no formula"
        return failed(f"{at} has {held}, not {formula}", expected=str(formula), seen=facts)
    if kind is not None and seen.kind != kind:
        return failed(f"{at} holds {m.said(seen)}, which is {seen.kind}, not {kind}", expected=kind, seen=facts)
    if value is None and formula is None and kind is None and seen.kind == "empty":
        return failed(f"{at} is empty", seen=facts)
    return passed(f"{at} is {m.said(seen)}", seen=facts)


def values(evidence: Evidence, *, file: HomePath, range: Cells, values: list[list[Value | None]], sheet: str | None = None) -> Finding:
    """The values of a range, row by row; null stands for an empty cell."""
    where = parse_range(range)
    found = _recalculated(evidence, file).sheet(sheet, f"~/{file}")
    _book(evidence, file)
    wrong = []
    for row, line in enumerate(values, where.top):
        for column, wanted in enumerate(line, where.left):
            seen = found.cell(row, column)
            if not m.holds(wanted, seen):
                wrong.append(f"{address(row, column)} is {m.said(seen)}, not {m.wanted(wanted)}")
    if wrong:
        return failed(f"{wrong[0]}{m.and_more(wrong)}", seen=wrong[:20])
    return passed(f"{range} holds the values expected")


def formulas(
    evidence: Evidence,
    *,
    file: HomePath,
    range: Cells,
    sheet: str | None = None,
    pattern: str | None = None,
    uses: list[str] | None = None,
    refers_to: list[str] | None = None,
) -> Finding:
    """Every cell of a range is a formula (not a typed-in result), of a pattern, with functions, or with references."""
    found = _book(evidence, file).sheet(sheet, f"~/{file}")
    for row, column in m.bounded(parse_range(range), found):
        formula, where = found.cell(row, column).formula, address(row, column)
        if formula is None:
            return failed(f"{where} holds {m.said(found.cell(row, column))}, which is no formula", seen=m.plain(found.cell(row, column)))
        bare = formula.replace("$", "")
        wanted = sheet_reading.plain_formula(pattern.replace("#", str(row))).replace("$", "") if pattern else bare
        if bare != wanted:
            return failed(f"{where} has {formula}, not {wanted}", expected=wanted, seen=formula)
        missing = [name for name in uses or [] if not re.search(rf"\b{re.escape(name.upper())}\(", bare)]
        missing += [name for name in refers_to or [] if name.upper().replace("$", "").replace("#", str(row)) not in bare]
        if missing:
            return failed(f"{where} has {formula}, without {', '.join(missing)}", expected=missing, seen=formula)
    return passed(f"{range} holds formulas as expected")


def no_errors(evidence: Evidence, *, file: HomePath) -> Finding:
    """No cell shows an error such as #REF! or #DIV/0!."""
    _book(evidence, file)
    wrong = [
        f"{sheet.name}!{address(*at)} shows {found.value}"
        for sheet in _recalculated(evidence, file).sheets
        for at, found in sheet.cells.items()
        if found.kind == "error"
    ]
    return failed(f"{wrong[0]}{m.and_more(wrong)}", seen=wrong[:20]) if wrong else passed("no cell shows an error")


def format(
    evidence: Evidence,
    *,
    file: HomePath,
    range: Cells,
    sheet: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    size: Num | None = None,
    font: str | None = None,
    colour: Col | None = None,
    fill: Col | Literal["none"] | None = None,
    number: Literal["general", "number", "percent", "currency", "date", "time", "scientific", "fraction", "text"] | None = None,
    decimals: int | None = None,
    thousands: bool | None = None,
    currency: str | None = None,
    align: Literal["left", "center", "right", "justify", "none"] | None = None,
    wrap: bool | None = None,
    borders: list[Literal["left", "right", "top", "bottom"]] | None = None,
) -> Finding:
    """How every cell of a range looks. Without any expectation: they all look alike."""
    wanted = {name: value for name, value in locals().items() if name not in ("evidence", "file", "range", "sheet") and value is not None}
    found = _book(evidence, file).sheet(sheet, f"~/{file}")
    looks = {at: found.cell(*at).style for at in m.bounded(parse_range(range), found)}
    if not wanted:
        alike = len(set(looks.values())) <= 1
        return passed(f"{range} looks alike throughout") if alike else failed(f"the cells of {range} do not look alike")
    for at, style in looks.items():
        for name, expected in wanted.items():
            seen = m.seen(style, name)
            if not fits(expected, seen, name):
                return failed(f"{address(*at)} has {name} {told(seen)}, not {told(expected)}", expected=told(expected), seen=told(seen))
    return passed(f"{range} looks as expected", expected={name: told(value) for name, value in wanted.items()})


def sorted(
    evidence: Evidence, *, file: HomePath, range: Cells, by: list[SortKey], sheet: str | None = None, header: bool = True, same_rows: bool = True
) -> Finding:
    """A range's rows are in order, and (if the file was there before) they are the same rows as before, each kept together."""
    where = parse_range(range)
    table = _recalculated(evidence, file).sheet(sheet, f"~/{file}")
    rows = [row for row in m.rows_of(where, table) if not (header and row == where.top)]
    keys = [(column_number(key.split()[0]), key.endswith("descending")) for key in by]
    for upper, lower in pairwise(rows):
        for column, descending in keys:
            first, second = m.order(table.cell(upper, column), descending), m.order(table.cell(lower, column), descending)
            if first > second:
                what = f"{address(upper, column)} ({m.said(table.cell(upper, column))}) stands before {m.said(table.cell(lower, column))}"
                return failed(f"{range} is not sorted by {', '.join(by)}: {what}", expected=by)
            if first < second:
                break
    change = evidence.changes.get(file)
    if same_rows and (change is None or change.change != "added"):
        moved = m.row_trouble(sheet_reading.read(evidence.before(file), f"~/{file}"), _book(evidence, file), sheet, where)
        if moved:
            return failed(moved)
    return passed(f"{range} is sorted by {', '.join(by)}", expected=by)


def filter(
    evidence: Evidence,
    *,
    file: HomePath,
    sheet: str | None = None,
    range: Cells | None = None,
    column: Annotated[str, Field(pattern=r"^[A-Z]{1,3}$")] | None = None,
    shows: list[Value] | None = None,
    rows: Num | None = None,
) -> Finding:
    """An autofilter is set; the values it lets through in a column (all rows with them, and no others); how many rows it shows."""
    own, table = _book(evidence, file).sheet(sheet, f"~/{file}"), _recalculated(evidence, file).sheet(sheet, f"~/{file}")
    covering = [one for one in own.filters if range is None or one.covers(parse_range(range))]
    if not covering:
        return failed(f"there is no filter on {range or own.name}", expected=range, seen=[str(one) for one in own.filters])
    area = covering[0]
    data = [row for row in m.rows_of(area, table) if row != area.top]
    visible = [row for row in data if row not in own.hidden_rows]
    if shows is not None and column is not None:
        at = column_number(column)
        for row in data:
            wanted, seen = any(m.holds(value, table.cell(row, at)) for value in shows), row in visible
            if wanted != seen:
                what = f"row {row} with {m.said(table.cell(row, at))} in column {column}"
                return failed(f"{what} is {'shown' if seen else 'hidden'}", expected=[m.wanted(value) for value in shows])
        if not visible:
            return failed("the filter shows no row at all")
    if rows is not None and not rows.holds(len(visible)):
        return failed(f"the filter shows {len(visible)} rows, not {rows}", expected=str(rows), seen=len(visible))
    return passed(f"the filter on {area} shows {len(visible)} of {len(data)} rows", seen=len(visible))


def chart(
    evidence: Evidence,
    *,
    file: HomePath,
    sheet: str | None = None,
    kind: str | None = None,
    title: Txt | None = None,
    values: list[str] | None = None,
    categories: list[str] | None = None,
    x_title: Txt | None = None,
    y_title: Txt | None = None,
    legend: bool | None = None,
    count: Num | None = None,
) -> Finding:
    """A chart of a kind (column, bar, line, pie, area, scatter, donut, ...), with titles, drawn from given ranges."""
    charts = [chart for one in _sheets(_book(evidence, file), sheet, file) for chart in one.charts]
    seen = [{"kind": one.kind, "title": one.title, "values": one.values, "categories": one.categories} for one in charts]
    if count is not None and not count.holds(len(charts)):
        return failed(f"there are {len(charts)} charts, not {count}", expected=str(count), seen=seen)
    if not charts and count is None:
        return failed("there is no chart")
    best: list[str] = []
    for one in charts:
        trouble = [f"is a {one.kind} chart, not a {kind} chart"] if kind is not None and one.kind != kind else []
        for name, wanted in (("title", title), ("x_title", x_title), ("y_title", y_title)):
            if wanted is not None and not wanted.holds(getattr(one, name)):
                trouble.append(f"has {name.replace('_', ' axis ')} {getattr(one, name)!r}, not {wanted}")
        for name, ranges in (("values", values), ("categories", categories)):
            drawn = getattr(one, name)
            if ranges is not None and not m.same_ranges(ranges, drawn):
                trouble.append(f"takes its {name} from {', '.join(drawn) or 'nothing'}, not {', '.join(ranges)}")
        if legend is not None and one.legend != legend:
            trouble.append(f"has {'a' if one.legend else 'no'} legend")
        if not trouble:
            return passed(f"there is such a {one.kind} chart", seen=seen)
        best = min(best, trouble, key=len) if best else trouble
    return failed(f"the chart {' and '.join(best)}", seen=seen) if best else passed("there is no chart, as expected")


def pivot(
    evidence: Evidence,
    *,
    file: HomePath,
    sheet: str | None = None,
    rows: list[str] | None = None,
    columns: list[str] | None = None,
    pages: list[str] | None = None,
    data: dict[str, str] | None = None,
    source: str | None = None,
) -> Finding:
    """A pivot table with its fields; `data` maps a field to its function (sum, count, average, ...)."""
    tables = [table for one in _sheets(_book(evidence, file), sheet, file) for table in one.pivots]
    if not tables:
        return failed("there is no pivot table")
    seen = [{"rows": one.rows, "columns": one.columns, "pages": one.pages, "data": dict(one.data), "source": one.source} for one in tables]
    for one in seen:
        wanted = {"rows": rows, "columns": columns, "pages": pages}
        fields = all(fields is None or set(fields) == set(one[name]) for name, fields in wanted.items())
        if fields and (data is None or data == one["data"]) and (source is None or m.same_ranges([source], (str(one["source"]),))):
            return passed("there is such a pivot table", seen=one)
    wanted_all = {"rows": rows, "columns": columns, "pages": pages, "data": data, "source": source}
    expected = {name: value for name, value in wanted_all.items() if value is not None}
    what = "; ".join(f"{name} {seen[0][name]}, not {value}" for name, value in expected.items() if list(value) != list(seen[0][name]))
    return failed(f"no pivot table is as expected: the first has {what or 'other functions'}", expected=expected, seen=seen)


def validation(
    evidence: Evidence,
    *,
    file: HomePath,
    range: Cells,
    sheet: str | None = None,
    kind: Literal["list", "whole", "decimal", "date", "time", "length", "custom"] | None = None,
    operator: Literal["between", "notBetween", "=", "<>", "<", ">", "<=", ">="] | None = None,
    values: list[str | float] | None = None,
) -> Finding:
    """What may be entered into every cell of a range: the choices of a list, or the limits."""
    rules = [rule for rule in _book(evidence, file).sheet(sheet, f"~/{file}").validations if rule.kind != "any"]
    covering = [rule for rule in rules if all(any(at in one for one in rule.ranges) for at in parse_range(range).cells())]
    if not covering:
        return failed(f"there is no one validation on all of {range}", seen=[rule.kind for rule in rules])
    rule = covering[0]
    seen = {"kind": rule.kind, "operator": rule.operator, "values": rule.values}
    if kind is not None and rule.kind != kind:
        return failed(f"{range} is validated as {rule.kind}, not as {kind}", expected=kind, seen=seen)
    if operator is not None and rule.operator != operator:
        return failed(f"{range} is validated by {rule.operator}, not by {operator}", expected=operator, seen=seen)
    if values is not None and not m.same_operands(values, rule.values):
        return failed(f"the validation of {range} has {', '.join(rule.values)}, not {', '.join(map(str, values))}", expected=values, seen=seen)
    return passed(f"{range} is validated as expected", seen=seen)


def condition(
    evidence: Evidence,
    *,
    file: HomePath,
    range: Cells,
    sheet: str | None = None,
    kind: str | None = None,
    operator: Literal["between", "notBetween", "=", "<>", "<", ">", "<=", ">="] | None = None,
    values: list[str | float] | None = None,
    fill: Col | None = None,
    colour: Col | None = None,
    bold: bool | None = None,
) -> Finding:
    """A conditional format on a range: cell, formula, scale, bar, icons, ...; its limits; the look it gives."""
    rules = _book(evidence, file).sheet(sheet, f"~/{file}").conditions
    covering = [rule for rule in rules if all(any(at in one for one in rule.ranges) for at in parse_range(range).cells())]
    if not covering:
        return failed(f"there is no conditional format on all of {range}", seen=[[str(one) for one in rule.ranges] for rule in rules])
    trouble = ""
    for rule in covering:
        trouble = ""
        if kind is not None and rule.kind != kind:
            trouble = f"is of the kind {rule.kind}, not {kind}"
        elif operator is not None and rule.operator != operator:
            trouble = f"compares by {rule.operator}, not by {operator}"
        elif values is not None and not m.same_operands(values, rule.values):
            trouble = f"compares with {', '.join(rule.values)}, not {', '.join(map(str, values))}"
        for name, wanted in (("fill", fill), ("colour", colour), ("bold", bold)):
            if not trouble and wanted is not None and not fits(wanted, getattr(rule.style, name), name):
                trouble = f"gives {name} {told(getattr(rule.style, name))}, not {told(wanted)}"
        if not trouble:
            return passed(f"{range} has that conditional format")
    return failed(f"the conditional format of {range} {trouble}")


def frozen(evidence: Evidence, *, file: HomePath, sheet: str | None = None, rows: int = 0, columns: int = 0) -> Finding:
    """How many rows and columns stay in view; none by default."""
    seen = _book(evidence, file).sheet(sheet, f"~/{file}").frozen
    what = f"{seen[0]} rows and {seen[1]} columns are frozen"
    if seen != (rows, columns):
        return failed(f"{what}, not {rows} and {columns}", expected=[rows, columns], seen=list(seen))
    return passed(what, seen=list(seen))


def columns(
    evidence: Evidence, *, file: HomePath, columns: Cells, sheet: str | None = None, width_mm: Num | None = None, hidden: bool = False
) -> Finding:
    """Columns that are shown (or hidden), and how wide they are."""
    where, found = parse_range(columns), _book(evidence, file).sheet(sheet, f"~/{file}")
    return m.lines("column", where.left, where.right, found.hidden_columns, found.widths, width_mm, hidden, 22.58)


def rows(evidence: Evidence, *, file: HomePath, rows: Cells, sheet: str | None = None, height_mm: Num | None = None, hidden: bool = False) -> Finding:
    """Rows that are shown (or hidden), and how high they are."""
    where, found = parse_range(rows), _book(evidence, file).sheet(sheet, f"~/{file}")
    return m.lines("row", where.top, where.bottom, found.hidden_rows, found.heights, height_mm, hidden, 4.52)


def merged(evidence: Evidence, *, file: HomePath, range: Cells, sheet: str | None = None, merged: bool = True) -> Finding:
    """A range is merged into one cell, or it is not."""
    seen = [str(one) for one in _book(evidence, file).sheet(sheet, f"~/{file}").merged]
    is_merged = str(parse_range(range)) in seen
    what = f"{range} is {'' if is_merged else 'not '}merged"
    return passed(what, seen=seen) if is_merged == merged else failed(what, expected=merged, seen=seen)


def sheets(
    evidence: Evidence, *, file: HomePath, names: list[str] | None = None, has: list[str] | None = None, lacks: list[str] | None = None
) -> Finding:
    """The visible sheets: all in their order (`names`), some that must or must not be there. Without any: it can be read."""
    seen = [sheet.name for sheet in _book(evidence, file).sheets if not sheet.hidden]
    if names is not None and seen != names:
        return failed(f"the sheets are {', '.join(seen)}, not {', '.join(names)}", expected=names, seen=seen)
    missing, extra = [name for name in has or [] if name not in seen], [name for name in lacks or [] if name in seen]
    if missing or extra:
        what = [f"there is no sheet {name}" for name in missing] + [f"there is still a sheet {name}" for name in extra]
        return failed(" and ".join(what), expected={"has": has, "lacks": lacks}, seen=seen)
    return passed(f"the sheets are {', '.join(seen)}", seen=seen)


def named(evidence: Evidence, *, file: HomePath, name: str, refers_to: str | None = None) -> Finding:
    """A named range, and what it stands for."""
    names = {key.casefold(): said for key, said in _book(evidence, file).names.items()}
    said = names.get(name.casefold())
    if said is None:
        return failed(f"there is no named range {name}", expected=name, seen=list(names))
    if refers_to is not None and not m.same_ranges([refers_to], (said,)):
        return failed(f"{name} stands for {said}, not {refers_to}", expected=refers_to, seen=said)
    return passed(f"{name} stands for {said}", seen=said)


def unchanged(
    evidence: Evidence, *, file: HomePath, except_: Annotated[tuple[str, ...], Field(alias="except")] = (), formats: bool = True
) -> Finding:
    """Everything but what is excepted (ranges, sheets, charts, pivots, validations, conditions, merged, names, sheets, frozen) is as before."""
    before = sheet_reading.read(evidence.before(file), f"~/{file} at the start")
    wrong = list(islice(differences(before, _book(evidence, file), Exceptions(list(except_)), formats), 50))
    return failed(f"{wrong[0]}{m.and_more(wrong)}", seen=wrong[:20]) if wrong else passed(f"the rest of ~/{file} is as it was")


def _book(evidence: Evidence, file: str) -> Workbook:
    return sheet_reading.read(evidence.file(file, 64 << 20), f"~/{file}")


def _recalculated(evidence: Evidence, file: str) -> Workbook:
    path = evidence.probed(RECALCULATED, file) / "recalculated.ods"
    if not path.is_file():
        raise BadArtifact(f"~/{file} could not be opened by LibreOffice")
    return sheet_reading.read(path, f"~/{file} as LibreOffice computes it")


def _sheets(book: Workbook, name: str | None, file: str) -> list[Sheet]:
    return book.sheets if name is None else [book.sheet(name, f"~/{file}")]
