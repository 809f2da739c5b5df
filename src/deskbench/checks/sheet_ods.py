"""Reads ods into the nouns of `sheet_reading`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from deskbench.checks import sheet_reading as s
from deskbench.checks.odf import Node, Package, Styles, attribute, count, millimetres, plain_text, points, q, rgb, short
from deskbench.checks.ooxml import number
from deskbench.core.faults import BadArtifact

_CHARTS = {"circle": "pie", "ring": "donut", "bar": "column"}
_EMPTY_RUN = 1_000
"""Empty cells alike in a row, or empty rows alike, that are still told one by one; a run to the sheet's end is not."""
_PARTS = {"year": "yy", "month": "mm", "day": "dd", "hours": "hh", "minutes": "mm", "seconds": "ss", "am-pm": "AM/PM", "day-of-week": "ddd"}


def read(path: Path, what: str) -> s.Workbook:
    """A whole ods file."""
    package = Package(path, what)
    if short(package.body.tag) != "office:spreadsheet":
        raise BadArtifact(f"{what} is an OpenDocument file but not a spreadsheet")
    styles, budget = _CellStyles(package.styles), s.Budget(what)
    rules = {attribute(node, "table:name"): attribute(node, "table:condition") or "" for node in package.body.iter(q("table:content-validation"))}
    sheets = [_Reader(package, styles, rules, budget).sheet(node) for node in package.body.iterfind(q("table:table"))]
    by_name = {sheet.name: sheet for sheet in sheets}
    _views(package, by_name)
    _filters_and_pivots(package.body, by_name)
    names = {
        attribute(node, "table:name") or "": s.area(attribute(node, "table:cell-range-address") or "")
        for node in package.body.iterfind(f"{q('table:named-expressions')}/{q('table:named-range')}")
    }
    return s.Workbook(sheets, names)


class _CellStyles:
    """Cell styles by name, each resolved once."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self.known: dict[str | None, s.Style] = {}

    def cell(self, name: str | None) -> s.Style:
        if name not in self.known:
            self.known[name] = self._resolve(name)
        return self.known[name]

    def _resolve(self, name: str | None) -> s.Style:
        look = self.styles.properties
        text, cell, paragraph = (look("table-cell", name, group) for group in ("text", "table-cell", "paragraph"))
        whole = cell.get("fo:border", "none")
        sides = [side for side in ("left", "right", "top", "bottom") if not cell.get(f"fo:border-{side}", whole).startswith("none")]
        align = {"start": "left", "end": "right"}.get(paragraph.get("fo:text-align", ""), paragraph.get("fo:text-align"))
        return s.Style(
            bold=text.get("fo:font-weight") in ("bold", "600", "700", "800", "900"),
            italic=text.get("fo:font-style") in ("italic", "oblique"),
            underline=text.get("style:text-underline-style", "none") != "none",
            size=points(text.get("fo:font-size")),
            font=self.styles.font(text),
            colour=rgb(text.get("fo:color")),
            fill=rgb(cell.get("fo:background-color")),
            code=self._code(name),
            align=align if cell.get("style:text-align-source") != "value-type" else None,
            wrap=cell.get("fo:wrap-option") == "wrap",
            borders=frozenset(sides),
        )

    def _code(self, name: str | None) -> str:
        for node in self.styles.chain("table-cell", name):
            data = attribute(node, "style:data-style-name")
            if data is not None:
                return _code(self.styles.numbers.get(data))
        return "General"


def _code(style: Node | None) -> str:
    """A number style as the format code that a person would type."""
    if style is None:
        return "General"
    parts = []
    for node in style:
        name = short(node.tag).removeprefix("number:")
        if name in ("number", "scientific-number", "fraction"):
            parts.append(_digits(node, name, general=len(style) == 1))
        elif name == "currency-symbol":
            parts.append(f"[${node.text or ''}]")
        elif name == "text":
            parts.append("%" if (node.text or "").strip() == "%" else f'"{node.text}"' if (node.text or "").strip() else " ")
        elif name in _PARTS:
            long = attribute(node, "number:style") == "long"
            parts.append("mmmm" if attribute(node, "number:textual") == "true" else _PARTS[name] * (2 if name == "year" and long else 1))
    return "@" if short(style.tag) == "number:text-style" else "".join(parts) or "General"


def _digits(node: Node, name: str, general: bool) -> str:
    if name == "fraction":
        return "# ?/?"
    places = int(number(attribute(node, "number:decimal-places")) or 0)
    if general and attribute(node, "number:decimal-places") is None and name == "number":
        return "General"
    whole = "#,##0" if attribute(node, "number:grouping") == "true" else "0"
    return whole + ("." + "0" * min(places, 20) if places > 0 else "") + ("E+00" if name == "scientific-number" else "")


class _Reader:
    """One table."""

    def __init__(self, package: Package, styles: _CellStyles, rules: dict[str | None, str], budget: s.Budget) -> None:
        self.package, self.styles, self.rules, self.budget = package, styles, rules, budget
        self.column_styles: dict[int, str | None] = {}
        self.ruled: dict[str, list[s.Range]] = {}

    def sheet(self, table: Node) -> s.Sheet:
        display = self.package.styles.properties("table", attribute(table, "table:style-name"), "table").get("table:display")
        sheet = s.Sheet(attribute(table, "table:name") or "", hidden=display == "false")
        self._columns(table, sheet)
        row = 1
        for node in _within(table, "table:table-row"):
            repeated = count(node, "table:number-rows-repeated", s.MAX_ROW)
            self._row(node, row, repeated, sheet)
            row += repeated
        sheet.validations = [_validation(tuple(ranges), self.rules[name]) for name, ranges in self.ruled.items() if name in self.rules]
        sheet.conditions = [self._condition(holder, node) for holder in table.iter(q("calcext:conditional-format")) for node in holder]
        sheet.charts = [chart for node in table.iter(q("draw:object")) if (chart := self._chart(node)) is not None]
        return sheet

    def _columns(self, table: Node, sheet: s.Sheet) -> None:
        column = 1
        for node in _within(table, "table:table-column"):
            repeated = count(node, "table:number-columns-repeated", s.MAX_COLUMN)
            width = millimetres(
                self.package.styles.properties("table-column", attribute(node, "table:style-name"), "table-column").get("style:column-width")
            )
            for at in range(column, min(column + repeated, s.MAX_COLUMN + 1)):
                self.column_styles[at] = attribute(node, "table:default-cell-style-name")
                if width is not None:
                    sheet.widths[at] = width
                if attribute(node, "table:visibility") in ("collapse", "filter"):
                    sheet.hidden_columns.add(at)
            column += repeated

    def _row(self, node: Node, row: int, repeated: int, sheet: s.Sheet) -> None:
        height = millimetres(self.package.styles.properties("table-row", attribute(node, "table:style-name"), "table-row").get("style:row-height"))
        rows = range(row, min(row + repeated, s.MAX_ROW + 1))
        if attribute(node, "table:visibility") in ("collapse", "filter"):
            sheet.hidden_rows.update(rows)
        if height is not None and repeated <= _EMPTY_RUN:
            sheet.heights.update(dict.fromkeys(rows, height))
        column = 1
        for cell in node:
            if short(cell.tag) in ("table:table-cell", "table:covered-table-cell"):
                across = count(cell, "table:number-columns-repeated", s.MAX_COLUMN)
                self._cells(
                    cell, s.Range(row, column, row + repeated - 1, column + across - 1), attribute(node, "table:default-cell-style-name"), sheet
                )
                column += across

    def _cells(self, node: Node, where: s.Range, row_style: str | None, sheet: s.Sheet) -> None:
        rule = attribute(node, "table:content-validation-name")
        if rule is not None:
            self.ruled.setdefault(rule, []).append(where)
        wide, high = count(node, "table:number-columns-spanned", s.MAX_COLUMN), count(node, "table:number-rows-spanned", s.MAX_ROW)
        if wide > 1 or high > 1:
            sheet.merged.append(s.Range(where.top, where.left, where.top + high - 1, where.left + wide - 1))
        own = attribute(node, "table:style-name") or row_style
        cell = _cell(node)
        if cell.kind == "empty" and cell.formula is None and (where.bottom - where.top >= _EMPTY_RUN or where.right - where.left >= _EMPTY_RUN):
            return
        self.budget.spend(where.size)
        for row, column in where.cells():
            style = self.styles.cell(own or self.column_styles.get(column))
            if cell.kind != "empty" or cell.formula is not None or style != self.styles.cell("Default"):
                sheet.cells[row, column] = s.Cell(cell.value, cell.kind, cell.formula, style)

    def _condition(self, holder: Node, node: Node) -> s.Condition:
        ranges = s.ranges_in(attribute(holder, "calcext:target-range-address") or "")
        kind = {"color-scale": "scale", "data-bar": "bar", "icon-set": "icons"}.get(short(node.tag).removeprefix("calcext:"))
        if kind is not None:
            return s.Condition(ranges, kind)
        said = attribute(node, "calcext:value") or ""
        style = self.styles.cell((attribute(node, "calcext:apply-style-name") or "").replace(" ", "_20_"))
        compared = re.fullmatch(r"(<=|>=|<>|!=|<|>|=)(.*)", said, re.DOTALL)
        if compared:
            return s.Condition(ranges, "cell", compared[1].replace("!=", "<>"), (_operand(compared[2]),), style)
        called = re.fullmatch(r"([a-z-]+)\((.*)\)", said, re.DOTALL)
        name, inside = (called[1], called[2]) if called else (said, "")
        if name in ("between", "not-between"):
            return s.Condition(ranges, "cell", "between" if name == "between" else "notBetween", tuple(map(_operand, inside.split(","))), style)
        kind = {"formula-is": "formula", "contains-text": "containsText", "begins-with": "beginsWith", "ends-with": "endsWith"}.get(name)
        kind = kind or {"duplicate": "duplicateValues", "unique": "uniqueValues", "top-elements": "top10"}.get(name, name)
        return s.Condition(ranges, kind, None, (_operand(inside).strip('"'),), style)

    def _chart(self, node: Node) -> s.Chart | None:
        root = self.package.xml((attribute(node, "xlink:href") or "").removeprefix("./") + "/content.xml")
        chart = next(root.iter(q("chart:chart")), None) if root is not None else None
        if root is None or chart is None:
            return None
        styles = Styles([root])
        plot = chart.find(q("chart:plot-area"))
        series = list(chart.iter(q("chart:series")))
        upright = styles.properties("chart", attribute(plot, "chart:style-name"), "chart").get("chart:vertical") if plot is not None else None
        classes = [attribute(one, "chart:class") or attribute(chart, "chart:class") or "" for one in series] or [
            attribute(chart, "chart:class") or ""
        ]
        kinds = [name.removeprefix("chart:") for name in classes]
        domains = [attribute(domain, "table:cell-range-address") or "" for one in series for domain in one.iterfind(q("chart:domain"))]
        categories = [attribute(one, "table:cell-range-address") or "" for one in chart.iter(q("chart:categories"))]
        axes = {attribute(axis, "chart:dimension"): _title(axis) for axis in reversed(list(chart.iter(q("chart:axis"))))}
        return s.Chart(
            "+".join(dict.fromkeys("bar" if kind == "bar" and upright == "true" else _CHARTS.get(kind, kind) for kind in kinds)),
            _title(chart),
            tuple(s.area(attribute(one, "chart:values-cell-range-address") or "") for one in series),
            tuple(dict.fromkeys(s.area(text) for text in (domains or categories) if text)),
            axes.get("x"),
            axes.get("y"),
            chart.find(q("chart:legend")) is not None,
        )


def _within(table: Node, name: str) -> Iterator[Node]:
    """Rows or columns of a table, those in groups and headers included, those of tables in cells not."""
    for node in table:
        if node.tag == q(name):
            yield node
        elif short(node.tag).startswith(("table:table-row-", "table:table-column-", "table:table-header-")) or short(node.tag) in (
            "table:table-rows",
            "table:table-columns",
        ):
            yield from _within(node, name)


def _cell(node: Node) -> s.Cell:
    said = attribute(node, "table:formula")
    formula = s.opendocument_formula(said) if said else None
    kind = attribute(node, "office:value-type")
    text = "\n".join(plain_text(paragraph) for paragraph in node.iterfind(q("text:p")))
    if attribute(node, "calcext:value-type") == "error" or (formula and text.startswith(("#", "Err:")) and kind in ("string", None) and text):
        return s.Cell(text, "error", formula)
    if kind in ("float", "percentage", "currency"):
        return s.Cell(number(attribute(node, "office:value")), "number", formula)
    if kind == "date":
        return s.Cell(_serial(attribute(node, "office:date-value") or ""), "date", formula)
    if kind == "time":
        return s.Cell(_duration(attribute(node, "office:time-value") or ""), "date", formula)
    if kind == "boolean":
        return s.Cell(attribute(node, "office:boolean-value") == "true", "boolean", formula)
    if kind == "string":
        exact = attribute(node, "office:string-value")
        return s.Cell(exact if exact is not None else text, "text", formula)
    return s.Cell(None, "empty", formula)


def _serial(text: str) -> float | None:
    try:
        since = datetime.fromisoformat(text[:26]).replace(tzinfo=None) - datetime(1899, 12, 30)
    except ValueError:
        return None
    return since.total_seconds() / 86_400


def _duration(text: str) -> float | None:
    found = re.fullmatch(r"PT(\d{1,6})H(\d{1,6})M(\d{1,6}(?:\.\d+)?)S", text)
    return (int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3])) / 86_400 if found else None


def _operand(text: str) -> str:
    """A number or text as written; a reference without its brackets."""
    return s.opendocument_formula(text).removeprefix("=") if "[" in text else text.strip()


def _validation(ranges: tuple[s.Range, ...], said: str) -> s.Validation:
    said = re.sub(r"^[a-z]+:", "", said)
    listed = re.match(r"cell-content-is-in-list\((.*)\)$", said, re.DOTALL)
    if listed:
        inside = listed[1]
        values = [part.strip('"') for part in re.findall(r'"(?:[^"]|"")*"', inside)] if inside.startswith('"') else [s.area(inside)]
        return s.Validation(ranges, "list", None, tuple(values))
    custom = re.match(r"is-true-formula\((.*)\)$", said, re.DOTALL)
    if custom:
        return s.Validation(ranges, "custom", None, (_operand(custom[1]),))
    kinds = {"whole-number": "whole", "decimal-number": "decimal", "is-date": "date", "is-time": "time", "text-length": "length"}
    kind = next((name for mark, name in kinds.items() if mark in said), "any")
    between = re.search(r"is-(not-)?between\(([^,]*),([^)]*)\)", said)
    if between:
        return s.Validation(ranges, kind, "notBetween" if between[1] else "between", (_operand(between[2]), _operand(between[3])))
    compared = re.search(r"(?:cell-content|cell-content-text-length)\(\)\s*(<=|>=|!=|<|>|=)(.*)$", said)
    return s.Validation(ranges, kind, compared[1].replace("!=", "<>"), (_operand(compared[2]),)) if compared else s.Validation(ranges, kind)


def _title(holder: Node) -> str | None:
    found = holder.find(q("chart:title"))
    return "\n".join(plain_text(node) for node in found.iterfind(q("text:p"))) if found is not None else None


def _views(package: Package, sheets: dict[str, s.Sheet]) -> None:
    """Frozen panes, which the format keeps among the settings of the view."""
    root = package.xml("settings.xml")
    tables = [node for node in root.iter(q("config:config-item-map-named")) if attribute(node, "config:name") == "Tables"] if root is not None else []
    for entry in (entry for table in tables for entry in table):
        said = {attribute(item, "config:name"): item.text or "" for item in entry.iterfind(q("config:config-item"))}
        sheet = sheets.get(attribute(entry, "config:name") or "")
        if sheet is not None:
            rows = int(number(said.get("VerticalSplitPosition")) or 0) if said.get("VerticalSplitMode") == "2" else 0
            columns = int(number(said.get("HorizontalSplitPosition")) or 0) if said.get("HorizontalSplitMode") == "2" else 0
            sheet.frozen = rows, columns


def _filters_and_pivots(body: Node, sheets: dict[str, s.Sheet]) -> None:
    for node in body.iter(q("table:database-range")):
        where = s.area(attribute(node, "table:target-range-address") or "").rpartition("!")
        if attribute(node, "table:display-filter-buttons") == "true" and where[0] in sheets:
            sheets[where[0]].filters.extend(s.ranges_in(where[2]))
    for node in body.iter(q("table:data-pilot-table")):
        name = s.area(attribute(node, "table:target-range-address") or "").rpartition("!")[0]
        if name in sheets:
            sheets[name].pivots.append(_pivot(node))


def _pivot(node: Node) -> s.Pivot:
    source = node.find(q("table:source-cell-range"))
    fields: dict[str, list[str]] = {}
    data = []
    for one in node.iterfind(q("table:data-pilot-field")):
        name, function = attribute(one, "table:source-field-name") or "", attribute(one, "table:function") or "sum"
        fields.setdefault(attribute(one, "table:orientation") or "hidden", []).append(name)
        if attribute(one, "table:orientation") == "data":
            data.append((name, function))
    rows, columns, pages = (tuple(name for name in fields.get(part, []) if name) for part in ("row", "column", "page"))
    return s.Pivot(
        attribute(node, "table:name") or "",
        s.area(attribute(source, "table:cell-range-address") or "") if source is not None else "",
        rows,
        columns,
        pages,
        tuple(data),
    )
