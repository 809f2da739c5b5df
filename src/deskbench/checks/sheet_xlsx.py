"""Reads xlsx into the nouns of `sheet_reading`."""

from __future__ import annotations

from pathlib import Path

from deskbench.checks import sheet_reading as s
from deskbench.checks.ooxml import Node, Package, all_of, brightened, find, get, local, number, on, rgb, theme_colour, value
from deskbench.core.faults import BadArtifact

_BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
    48: "0.0E+0", 49: "@", 5: '"$"#,##0', 6: '"$"#,##0', 7: '"$"#,##0.00', 8: '"$"#,##0.00', 44: '"$"#,##0.00', 42: '"$"#,##0',
}  # fmt: skip
_KINDS = {"cellIs": "cell", "expression": "formula", "colorScale": "scale", "dataBar": "bar", "iconSet": "icons"}
_CHARTS = {"barChart": "bar", "lineChart": "line", "pieChart": "pie", "areaChart": "area", "scatterChart": "scatter", "doughnutChart": "donut"}
_CHARTS |= {"radarChart": "radar", "bubbleChart": "bubble", "stockChart": "stock", "bar3DChart": "bar", "pie3DChart": "pie", "line3DChart": "line"}
_OPERATORS = {"greaterThan": ">", "lessThan": "<", "greaterThanOrEqual": ">=", "lessThanOrEqual": "<=", "equal": "=", "notEqual": "<>"}
_VALIDATIONS = {"textLength": "length"}
_MM_PER_CHARACTER = 1.958
"""As LibreOffice exports: a column of 40 mm is 20.43 characters wide, and the default one of 22.58 mm 11.535."""


def read(path: Path, what: str) -> s.Workbook:
    """A whole xlsx file."""
    package = Package(path, what)
    book = package.xml(package.main)
    if local(book) != "workbook":
        raise BadArtifact(f"{what} is an Office file but not a spreadsheet")
    relations = package.relations(package.main)
    styles, budget = _Styles(package), s.Budget(what)
    texts = [_rich(node) for part in package.related(package.main, "sharedStrings") for node in all_of(package.xml(part), "si")]
    sheets = []
    for node in all_of(book, "sheets/sheet"):
        relation = relations.get(next((str(v) for k, v in node.attrib.items() if str(k).endswith("}id")), ""))
        if relation is not None and relation.kind == "worksheet":
            sheets.append(
                _Reader(package, relation.target, styles, texts, budget, on_1904=get(find(book, "workbookPr"), "date1904") in ("1", "true")).sheet(
                    node
                )
            )
    names = {get(node, "name") or "": s.area(node.text or "") for node in all_of(book, "definedNames/definedName")}
    return s.Workbook(sheets, {name: said for name, said in names.items() if not name.startswith("_xlnm.")})


def _rich(node: Node) -> str:
    # Phonetic readings (rPh) are hints over the text, not text.
    return "".join(part.text or "" for part in all_of(node, "t") + all_of(node, "r/t") + all_of(node, "is/t") + all_of(node, "is/r/t"))


class _Styles:
    """The style table: cell formats by number, and the differential ones of conditional formats."""

    def __init__(self, package: Package) -> None:
        self.theme = package.theme_of(package.main)
        part = next(iter(package.related(package.main, "styles")), None)
        root = package.xml(part) if part else None
        self.codes = {int(get(node, "numFmtId") or -1): get(node, "formatCode") or "" for node in all_of(root, "numFmts/numFmt")}
        self.fonts, self.fills, self.borders = all_of(root, "fonts/font"), all_of(root, "fills/fill"), all_of(root, "borders/border")
        self.cells = [self._cell(node) for node in all_of(root, "cellXfs/xf")]
        self.differential = [self._differential(node) for node in all_of(root, "dxfs/dxf")]

    def cell(self, index: str | None) -> s.Style:
        at = int(index) if index and index.isdecimal() else 0
        return self.cells[at] if at < len(self.cells) else s.PLAIN

    def _cell(self, node: Node) -> s.Style:
        def part(table: list[Node], name: str) -> Node | None:
            index = get(node, name) or "0"
            return table[int(index)] if index.isdecimal() and int(index) < len(table) else None

        identifier = int(number(get(node, "numFmtId")) or 0)
        return self._style(
            part(self.fonts, "fontId"),
            part(self.fills, "fillId"),
            part(self.borders, "borderId"),
            find(node, "alignment"),
            self.codes.get(identifier, _BUILT_IN.get(identifier, "General")),
        )

    def _differential(self, node: Node) -> s.Style:
        code = get(find(node, "numFmt"), "formatCode") or "General"
        return self._style(find(node, "font"), find(node, "fill"), find(node, "border"), find(node, "alignment"), code)

    def _style(self, font: Node | None, fill: Node | None, border: Node | None, alignment: Node | None, code: str) -> s.Style:
        align = get(alignment, "horizontal")
        return s.Style(
            bold=bool(on(find(font, "b"))),
            italic=bool(on(find(font, "i"))),
            underline=bool(on(find(font, "u"))),
            size=number(value(font, "sz")),
            font=value(font, "name"),
            colour=self.colour(find(font, "color")),
            fill=self._fill(find(fill, "patternFill")),
            code=code,
            align=None if align in (None, "general") else align,
            wrap=get(alignment, "wrapText") in ("1", "true"),
            borders=frozenset(local(side) for side in (border if border is not None else ()) if get(side, "style") not in (None, "none")),
        )

    def _fill(self, pattern: Node | None) -> s.Rgb | None:
        if pattern is None or get(pattern, "patternType") == "none":
            return None
        # A differential solid fill keeps its colour in bgColor, a cell's own in fgColor.
        front, back = find(pattern, "fgColor"), find(pattern, "bgColor")
        return self.colour(front if front is not None else back)

    def colour(self, node: Node | None) -> s.Rgb | None:
        if node is None:
            return None
        theme = get(node, "theme")
        colour = theme_colour(self.theme, int(theme)) if theme and theme.isdecimal() else rgb(get(node, "rgb"))
        tint = number(get(node, "tint")) or 0.0
        if colour is None or not tint:
            return colour
        return brightened(colour, 1 + tint) if tint < 0 else brightened(colour, 1 - tint, tint)


class _Reader:
    """One worksheet part."""

    def __init__(self, package: Package, part: str, styles: _Styles, texts: list[str], budget: s.Budget, on_1904: bool) -> None:
        self.package, self.part, self.styles, self.texts, self.budget = package, part, styles, texts, budget
        self.epoch = 1462 if on_1904 else 0
        self.shared: dict[str, tuple[int, int, str]] = {}

    def sheet(self, entry: Node) -> s.Sheet:
        root = self.package.xml(self.part)
        sheet = s.Sheet(get(entry, "name") or "", hidden=(get(entry, "state") or "visible") != "visible")
        self._rows(root, sheet)
        self._columns(root, sheet)
        sheet.merged = [one for node in all_of(root, "mergeCells/mergeCell") for one in s.ranges_in(get(node, "ref") or "")]
        pane = find(root, "sheetViews/sheetView/pane")
        if pane is not None and (get(pane, "state") or "").startswith("frozen"):
            sheet.frozen = int(number(get(pane, "ySplit")) or 0), int(number(get(pane, "xSplit")) or 0)
        tables = [self.package.xml(part) for part in self.package.related(self.part, "table")]
        sheet.filters = [one for holder in (root, *tables) for node in all_of(holder, "autoFilter") for one in s.ranges_in(get(node, "ref") or "")]
        sheet.validations = [self._validation(node) for node in all_of(root, "dataValidations/dataValidation")]
        sheet.conditions = [self._condition(holder, rule) for holder in all_of(root, "conditionalFormatting") for rule in all_of(holder, "cfRule")]
        sheet.charts = [
            _chart(self.package.xml(chart))
            for drawing in self.package.related(self.part, "drawing")
            for chart in self.package.related(drawing, "chart")
        ]
        sheet.pivots = [self._pivot(part) for part in self.package.related(self.part, "pivotTable")]
        return sheet

    def _rows(self, root: Node, sheet: s.Sheet) -> None:
        row = 0
        for node in all_of(root, "sheetData/row"):
            said = get(node, "r") or ""
            row = int(said) if said.isdecimal() and len(said) < 8 else row + 1
            if get(node, "hidden") in ("1", "true"):
                sheet.hidden_rows.add(row)
            height = number(get(node, "ht"))
            if height is not None:
                sheet.heights[row] = height * 25.4 / 72
            column = 0
            for cell in node:
                at = s.ranges_in(cell.get("r") or "")
                column = at[0].left if at else column + 1
                sheet.cells[row, column] = self._cell(cell, row, column)
            self.budget.spend(len(node) + 1)

    def _cell(self, node: Node, row: int, column: int) -> s.Cell:
        style = self.styles.cell(node.get("s"))
        held, shown, formula = find(node, "v"), node.get("t") or "n", self._formula(find(node, "f"), row, column)
        text = held.text if held is not None else None
        if shown == "inlineStr":
            return s.Cell(_rich(node), "text", formula, style)
        if text is None:
            return s.Cell(None, "empty", formula, style)
        if shown == "s":
            index = int(text) if text.isdecimal() else -1
            return s.Cell(self.texts[index] if 0 <= index < len(self.texts) else "", "text", formula, style)
        if shown in ("str", "e", "b"):
            known: s.Cell = {
                "str": s.Cell(text, "text", formula, style),
                "e": s.Cell(text, "error", formula, style),
                "b": s.Cell(text in ("1", "true"), "boolean", formula, style),
            }[shown]
            return known
        figure = number(text)
        dated = s.number_format(style.code).kind in ("date", "time")
        if figure is None:
            return s.Cell(text, "text", formula, style)
        return s.Cell(figure + self.epoch if dated else figure, "date" if dated else "number", formula, style)

    def _formula(self, node: Node | None, row: int, column: int) -> str | None:
        if node is None:
            return None
        key = node.get("si")
        if node.get("t") == "shared" and key is not None:
            if node.text:
                self.shared[key] = row, column, node.text
            elif key in self.shared:
                first_row, first_column, text = self.shared[key]
                return s.plain_formula(s.shifted(text, row - first_row, column - first_column))
        return s.plain_formula(node.text) if node.text else None

    def _columns(self, root: Node, sheet: s.Sheet) -> None:
        for node in all_of(root, "cols/col")[:300]:
            first, last = int(number(get(node, "min")) or 1), int(number(get(node, "max")) or 0)
            width = number(get(node, "width"))
            for column in range(max(1, first), min(last, s.MAX_COLUMN) + 1):
                if width is not None:
                    sheet.widths[column] = width * _MM_PER_CHARACTER
                if get(node, "hidden") in ("1", "true"):
                    sheet.hidden_columns.add(column)

    def _validation(self, node: Node) -> s.Validation:
        kind, operator = get(node, "type") or "any", get(node, "operator") or "between"
        texts = [text for name in ("formula1", "formula2") if (found := find(node, name)) is not None and (text := found.text)]
        if kind == "list":
            first = texts[0] if texts else ""
            values = tuple(part.strip() for part in first.strip('"').split(",")) if first.startswith('"') else (s.area(first),)
            return s.Validation(s.ranges_in(get(node, "sqref") or ""), kind, None, values)
        values = tuple(texts[: 2 if operator in ("between", "notBetween") else 1])
        return s.Validation(s.ranges_in(get(node, "sqref") or ""), _VALIDATIONS.get(kind, kind), _OPERATORS.get(operator, operator), values)

    def _condition(self, holder: Node, rule: Node) -> s.Condition:
        kind, index = get(rule, "type") or "", int(number(get(rule, "dxfId")) or 0)
        values = tuple(node.text or "" for node in all_of(rule, "formula"))
        styled = get(rule, "dxfId") is not None and 0 <= index < len(self.styles.differential)
        operator = get(rule, "operator") or ""
        return s.Condition(
            s.ranges_in(get(holder, "sqref") or ""),
            _KINDS.get(kind, kind),
            _OPERATORS.get(operator, operator) or None if kind == "cellIs" else None,
            values if kind in ("cellIs", "expression") else (get(rule, "text") or get(rule, "rank") or "",),
            self.styles.differential[index] if styled else s.PLAIN,
        )

    def _pivot(self, part: str) -> s.Pivot:
        root = self.package.xml(part)
        cache = next((self.package.xml(one) for one in self.package.related(part, "pivotCacheDefinition")), None)
        fields = [get(node, "name") or "" for node in all_of(cache, "cacheFields/cacheField")]
        source = find(cache, "cacheSource/worksheetSource")

        def named(path: str, attribute: str) -> tuple[str, ...]:
            said = [int(number(get(node, attribute)) or 0) for node in all_of(root, path)]
            return tuple(fields[index] for index in said if 0 <= index < len(fields))

        functions = [get(node, "subtotal") or "sum" for node in all_of(root, "dataFields/dataField")]
        data = tuple(zip(named("dataFields/dataField", "fld"), functions, strict=False))
        where = f"{get(source, 'sheet') or ''}!{get(source, 'ref')}" if get(source, "ref") else get(source, "name") or ""
        return s.Pivot(
            get(root, "name") or "", where, named("rowFields/field", "x"), named("colFields/field", "x"), named("pageFields/pageField", "fld"), data
        )


def _chart(root: Node) -> s.Chart:
    plot = find(root, "chart/plotArea")
    drawn = [node for node in (plot if plot is not None else ()) if local(node) in _CHARTS]
    kinds = ["column" if local(node).startswith("bar") and value(node, "barDir") == "col" else _CHARTS[local(node)] for node in drawn]

    def references(*holders: str) -> tuple[str, ...]:
        return tuple(
            s.area(formula.text or "")
            for node in drawn
            for series in all_of(node, "ser")
            for holder in holders
            for reference in all_of(series, holder)
            for formula in all_of(reference, "numRef/f") + all_of(reference, "strRef/f") + all_of(reference, "multiLvlStrRef/f")
        )

    def title(node: Node | None) -> str | None:
        found = find(node, "title/tx/rich") if node is not None else None
        return "".join(part.text or "" for part in found.iter() if local(part) == "t") if found is not None else None

    axes = [node for node in (plot if plot is not None else ()) if local(node) in ("catAx", "dateAx", "valAx")]
    x_axis = next((axis for axis in axes if local(axis) != "valAx"), axes[0] if axes else None)
    y_axis = next((axis for axis in axes if axis is not x_axis), None)
    return s.Chart(
        "+".join(dict.fromkeys(kinds)),
        title(find(root, "chart")),
        references("val", "yVal"),
        tuple(dict.fromkeys(references("cat", "xVal"))),
        title(x_axis),
        title(y_axis),
        find(root, "chart/legend") is not None,
    )
