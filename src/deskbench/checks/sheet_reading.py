"""A spreadsheet as its readers give it, whether it was xlsx or ods: cells, formulas in one notation, formats by their meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from deskbench.core.faults import BadArtifact

Rgb = tuple[int, int, int]
Kind = Literal["number", "date", "text", "boolean", "error", "empty"]

CELL_LIMIT = 1_000_000
"""Cells that are read of one file; more is nothing a person works with."""
MAX_ROW, MAX_COLUMN = 1_048_576, 16_384


@dataclass(frozen=True, slots=True)
class Range:
    """Rows and columns counted from one, ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def __contains__(self, at: tuple[int, int]) -> bool:
        return self.top <= at[0] <= self.bottom and self.left <= at[1] <= self.right

    def cells(self) -> Iterator[tuple[int, int]]:
        return ((row, column) for row in range(self.top, self.bottom + 1) for column in range(self.left, self.right + 1))

    def covers(self, other: Range) -> bool:
        return (other.top, other.left) in self and (other.bottom, other.right) in self

    @property
    def size(self) -> int:
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def __str__(self) -> str:
        first, last = address(self.top, self.left), address(self.bottom, self.right)
        return first if first == last else f"{first}:{last}"


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell looks, everything inherited resolved."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    size: float | None = None
    font: str | None = None
    colour: Rgb | None = None
    fill: Rgb | None = None
    code: str = "General"
    align: str | None = None
    wrap: bool = False
    borders: frozenset[str] = frozenset()


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: a date's value is its serial number, an error's its text."""

    value: str | float | bool | None = None
    kind: Kind = "empty"
    formula: str | None = None
    style: Style = PLAIN


@dataclass(frozen=True)
class Validation:
    """What may be entered: `list`, `whole`, `decimal`, `date`, `time`, `length` or `custom`."""

    ranges: tuple[Range, ...]
    kind: str
    operator: str | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Condition:
    """A conditional format: `cell`, `formula`, `scale`, `bar`, `icons` or the rule's own name."""

    ranges: tuple[Range, ...]
    kind: str
    operator: str | None = None
    values: tuple[str, ...] = ()
    style: Style = PLAIN


@dataclass(frozen=True)
class Chart:
    """A chart: `column`, `bar`, `line`, `pie`, `area`, `scatter`, ...; ranges as `Sheet!A1:A9`."""

    kind: str
    title: str | None
    values: tuple[str, ...]
    categories: tuple[str, ...]
    x_title: str | None = None
    y_title: str | None = None
    legend: bool = False


@dataclass(frozen=True)
class Pivot:
    """A pivot table: `data` are pairs of field and function."""

    name: str
    source: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    pages: tuple[str, ...]
    data: tuple[tuple[str, str], ...]


@dataclass
class Sheet:
    """One sheet. Widths and heights are millimetres."""

    name: str
    hidden: bool = False
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    merged: list[Range] = field(default_factory=list)
    widths: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    frozen: tuple[int, int] = (0, 0)
    filters: list[Range] = field(default_factory=list)
    validations: list[Validation] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    pivots: list[Pivot] = field(default_factory=list)

    def cell(self, row: int, column: int) -> Cell:
        return self.cells.get((row, column), Cell())


@dataclass
class Budget:
    """The cells that may still be read of a file, all sheets together."""

    what: str
    cells: int = CELL_LIMIT

    def spend(self, cells: int) -> None:
        self.cells -= cells
        if self.cells < 0:
            raise BadArtifact(f"{self.what} has more than {CELL_LIMIT:,} cells, more than are read")


@dataclass
class Workbook:
    """A whole file."""

    sheets: list[Sheet]
    names: dict[str, str] = field(default_factory=dict)

    def sheet(self, name: str | None, what: str) -> Sheet:
        """A sheet by name, the first one by default; BadArtifact if it is not there."""
        if name is None and self.sheets:
            return self.sheets[0]
        for sheet in self.sheets:
            if sheet.name == name:
                return sheet
        raise BadArtifact(f"{what} has no sheet {name!r}, only {', '.join(repr(sheet.name) for sheet in self.sheets)}")


def read(path: Path, what: str) -> Workbook:
    """A spreadsheet by what it contains, not by its suffix: a renamed file is still what it is."""
    from deskbench.checks import sheet_ods, sheet_xlsx
    from deskbench.checks.evidence import open_zip

    with open_zip(path, what) as archive:
        opendocument = "content.xml" in archive.namelist()
    return sheet_ods.read(path, what) if opendocument else sheet_xlsx.read(path, what)


def column_number(letters: str) -> int:
    total = 0
    for letter in letters.upper():
        total = total * 26 + ord(letter) - 64
    return total


def column_letters(number: int) -> str:
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def address(row: int, column: int) -> str:
    return f"{column_letters(column)}{row}"


def parse_range(text: str) -> Range:
    """`B2`, `A1:C9`, `B:D` or `2:4`, dollars allowed; ValueError otherwise."""
    ends = text.replace("$", "").split(":")
    found = [re.fullmatch(r"([A-Za-z]{0,3})(\d{0,7})", end) for end in ends]
    if len(ends) > 2 or any(end is None or not end[0] for end in found):
        raise ValueError(f"{text!r} is not a cell or range such as B2, A1:C9, B:D or 2:4")
    first, last = found[0], found[-1]
    assert first is not None and last is not None
    if (not first[1] or not first[2]) and len(ends) == 1:
        raise ValueError(f"{text!r} is not a cell; write a whole column as {text}:{text}")
    rows = int(first[2] or 1), int(last[2] or MAX_ROW)
    columns = column_number(first[1]) or 1, column_number(last[1]) or MAX_COLUMN
    if not all(0 < row <= MAX_ROW for row in rows) or not all(0 < column <= MAX_COLUMN for column in columns):
        raise ValueError(f"{text!r} lies outside a sheet")
    return Range(min(rows), min(columns), max(rows), max(columns))


def ranges_in(text: str) -> tuple[Range, ...]:
    """Ranges separated by blanks, sheet names and what cannot be read left out."""
    found = []
    for part in text.split()[:2_000]:
        try:
            found.append(parse_range(":".join(re.split(r"[.!]", end)[-1] for end in part.split(":"))))
        except ValueError:
            continue
    return tuple(found)


def area(text: str) -> str:
    """A reference as `Sheet!A1:B9`, from either format's notation, dollars and quotes dropped where they can be."""
    text = text.strip().removeprefix("of:").removeprefix("=").strip("[]").replace("$", "")
    sheet_name = r"(?:(?:'(?:[^']|'')+'|[^'!.:]*)[!.])?"
    found = re.fullmatch(rf"({sheet_name})([A-Za-z]*\d*)(?::{sheet_name}([A-Za-z]*\d*))?", text)
    if not found or not found[2]:
        return text
    sheet = found[1][:-1].strip("'").replace("''", "'")
    cells = found[2] if not found[3] or found[3] == found[2] else f"{found[2]}:{found[3]}"
    return f"{sheet}!{cells}" if sheet else cells


_QUOTED = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*')""")
_STRING = re.compile(r'("(?:[^"]|"")*")')


def plain_formula(text: str) -> str:
    """A formula in one notation: `=SUM(B2:B9)`, in capitals and without blanks except for what stands in quotes."""
    text = text.strip().removeprefix("=")
    pieces = _QUOTED.split(text)
    for index in range(0, len(pieces), 2):
        code = re.sub(r"\s+", "", pieces[index])
        pieces[index] = re.sub(r"(?i)_xlfn\.(_xlws\.)?|com\.microsoft\.", "", code).upper()
    return "=" + "".join(pieces)


def opendocument_formula(text: str) -> str:
    """The same from OpenFormula: `of:=SUM([.B2:.B9];[$Data.A1])`."""
    text = re.sub(r"^[a-z]+:(?==)", "", text.strip()).removeprefix("=")
    pieces = _STRING.split(text)
    for index in range(0, len(pieces), 2):
        code = re.sub(r"\[([^\[\]]*)\]", lambda found: _reference(found[1]), pieces[index])
        pieces[index] = code.replace(";", ",").replace("~", ",")
    return plain_formula("".join(pieces))


def _reference(text: str) -> str:
    first, *rest = re.split(r":(?=[^:]*$)", text)
    sheet, _, cell = first.rpartition(".")
    last = "".join(":" + part.rpartition(".")[2] for part in rest)
    return (f"{sheet.lstrip('$')}!" if sheet else "") + cell + last


def shifted(formula: str, rows: int, columns: int) -> str:
    """A shared formula moved by rows and columns: relative references move, those with dollars stay."""

    def move(found: re.Match[str]) -> str:
        column = found[2] if found[1] else column_letters(max(1, column_number(found[2]) + columns))
        row = found[4] if found[3] else str(max(1, int(found[4]) + rows))
        return f"{found[1]}{column}{found[3]}{row}"

    pieces = _STRING.split(formula)
    for index in range(0, len(pieces), 2):
        pieces[index] = re.sub(r"(?<![A-Za-z0-9_.])(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})(?![A-Za-z0-9_(])", move, pieces[index])
    return "".join(pieces)


def date_text(serial: float) -> str:
    """A serial number as `2024-03-01` or `2024-03-01T12:30:00`."""
    if not -600_000 < serial < 2_900_000:
        return str(serial)
    moment = datetime(1899, 12, 30) + timedelta(seconds=round(serial * 86_400))
    return moment.date().isoformat() if moment.time() == datetime.min.time() else moment.isoformat()


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What a format code means."""

    kind: str
    decimals: int
    thousands: bool
    currency: str | None


def number_format(code: str) -> NumberFormat:
    """`#,##0.00 [$€-407]` is a currency with two decimals, thousands separated, in €."""
    first = code.split(";")[0]
    symbol = re.search(r"\[\$([^\]-]+)(?:-[^\]]*)?\]", first)
    currency = symbol[1].strip() if symbol else None
    bare = re.sub(r"\[[^\]]*\]", "", first)
    quoted = re.search(r'"?([€$£¥₹])"?', bare)
    currency = currency or (quoted[1] if quoted else None)
    bare = re.sub(r'"[^"]*"|\\.|_.|\*.', "", bare)
    digits = re.search(r"[0#?]\.([0#?]+)", bare)
    return NumberFormat(_kind(bare, currency), len(digits[1]) if digits else 0, bool(re.search(r"[#0?],[#0?]", bare)), currency)


def _kind(bare: str, currency: str | None) -> str:
    lower = bare.lower()
    if lower.strip() in ("", "general", "standard"):
        return "general"
    if "%" in bare:
        return "percent"
    if currency:
        return "currency"
    if "@" in bare:
        return "text"
    if re.search(r"e[+-]", lower):
        return "scientific"
    if re.search(r"[yd]|m{3}", lower):
        return "date"
    if re.search(r"[hs]", lower):
        return "time"
    return "fraction" if re.search(r"[?#0]/[?#0\d]", bare) else "number"
