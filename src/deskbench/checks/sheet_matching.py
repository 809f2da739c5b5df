"""Whether cells, looks, ranges and orders are what a task expects, and how each is said in a sentence."""

from __future__ import annotations

from collections import Counter
from typing import Any

from deskbench.checks.expect import Number, Text
from deskbench.checks.ooxml import number as parsed_number
from deskbench.checks.sheet_comparison import content
from deskbench.checks.sheet_reading import Cell, Range, Sheet, Style, Workbook, area, column_letters, date_text, number_format, plain_formula
from deskbench.core.verdict import Finding, failed, passed


def rows_of(where: Range, sheet: Sheet) -> list[int]:
    """The rows of a range as far as the sheet has anything in it."""
    filled = (row for (row, column), cell in sheet.cells.items() if where.left <= column <= where.right and cell.kind != "empty")
    return list(range(where.top, min(where.bottom, max(filled, default=0)) + 1))


def bounded(where: Range, sheet: Sheet) -> list[tuple[int, int]]:
    """Every cell of a range; of whole rows and columns only those that hold something."""
    if where.size <= 10_000:
        return list(where.cells())
    return [at for at, found in sheet.cells.items() if at in where and found.kind != "empty"]


def holds(wanted: bool | Number | Text | None, seen: Cell) -> bool:
    """Whether a cell has a value; None stands for an empty cell."""
    if wanted is None:
        return seen.kind == "empty" or seen.value == ""
    if isinstance(wanted, bool):
        return seen.kind == "boolean" and seen.value == wanted
    if isinstance(wanted, Number):
        return seen.kind in ("number", "date") and isinstance(seen.value, int | float) and wanted.holds(float(seen.value))
    # A figure that was typed in as text must not pass for the figure, nor the other way round.
    return seen.kind in ("text", "date", "error") and wanted.holds(said(seen, quoted=False))


def said(cell: Cell, quoted: bool = True) -> str:
    """A cell's value in words."""
    if cell.kind == "date" and isinstance(cell.value, int | float):
        return date_text(float(cell.value))
    if cell.kind == "number" and isinstance(cell.value, int | float):
        return f"{cell.value:.12g}"
    if cell.kind in ("boolean", "error"):
        return str(cell.value).upper()
    if cell.value is None:
        return "empty" if quoted else ""
    return repr(cell.value) if quoted else str(cell.value)


def plain(cell: Cell) -> Any:
    """A cell's value as JSON."""
    return date_text(cell.value) if cell.kind == "date" and isinstance(cell.value, float) else cell.value


def wanted(value: bool | Number | Text | None) -> str:
    """An expectation in words."""
    return "empty" if value is None else str(value).upper() if isinstance(value, bool) else str(value)


def and_more(items: list[str]) -> str:
    return f" (and {len(items) - 1} more)" if len(items) > 1 else ""


def seen(style: Style, name: str) -> Any:
    """One aspect of a look."""
    form = number_format(style.code)
    numbers = {"number": form.kind, "decimals": form.decimals, "thousands": form.thousands, "currency": form.currency}
    return numbers[name] if name in numbers else getattr(style, name)


def order(cell: Cell, descending: bool) -> tuple[int, Any]:
    """A key by which cells sort as in Calc: figures, then text whatever its case, then truths; empty cells always last."""
    if cell.kind == "empty" or cell.value in (None, ""):
        return 9, 0
    group = {"number": 1, "date": 1, "text": 2, "boolean": 3}.get(cell.kind, 4)
    value = str(cell.value).casefold() if group in (2, 4) else float(cell.value or 0)
    if descending:
        # An empty cell stays last; everything else turns round.
        return -group, [-ord(letter) for letter in value] + [1] if isinstance(value, str) else -value
    return group, [ord(letter) for letter in value] if isinstance(value, str) else value


def row_trouble(before: Workbook, after: Workbook, sheet: str | None, where: Range) -> str | None:
    """What is wrong if the rows of a range are not the rows it had at the start, each kept together."""
    old, new = before.sheet(sheet, "the file at the start"), after.sheet(sheet, "the file")
    computed = {column for table in (old, new) for (_, column), cell in table.cells.items() if cell.formula is not None}
    kept = [column for column in range(where.left, min(where.right, where.left + 500) + 1) if column not in computed]

    def lines(table: Sheet) -> Counter[tuple[Any, ...]]:
        found = Counter(tuple(content(table.cell(row, column)) for column in kept) for row in rows_of(where, table))
        blank = tuple(content(Cell()) for _ in kept)
        return Counter({line: times for line, times in found.items() if line != blank})

    lost = lines(old) - lines(new)
    if not lost:
        return None
    values = ", ".join(str(value) for _, value in next(iter(lost)) if value is not None)
    return f"the row {values} is no longer there as it was: rows were torn apart or changed"


def same_ranges(wanted_ranges: list[str], found: tuple[str, ...]) -> bool:
    """Whether references are the same set; one without a sheet's name fits any sheet."""

    def fits_one(want: str, have: str) -> bool:
        want, have = area(want), area(have)
        return have == want or ("!" not in want and have.rpartition("!")[2] == want)

    return len(wanted_ranges) == len(found) and all(any(fits_one(want, have) for have in found) for want in wanted_ranges)


def same_operands(wanted_values: list[str | float], found: tuple[str, ...]) -> bool:
    """Whether limits or choices are the same, figures by value."""

    def alike(want: str | float, have: str) -> bool:
        figure = parsed_number(have)
        if isinstance(want, int | float):
            return figure is not None and abs(figure - want) < 1e-9
        bare = have.strip().removeprefix("=").strip('"')
        if want.startswith("="):
            return plain_formula(bare).replace("$", "") == plain_formula(want).replace("$", "")
        return bare == want

    return len(wanted_values) == len(found) and all(alike(want, have) for want, have in zip(wanted_values, found, strict=True))


def lines(noun: str, first: int, last: int, hidden: set[int], sizes: dict[int, float], size: Number | None, hide: bool, usual: float) -> Finding:
    """Whether rows or columns are shown and as large as expected."""
    for at in range(first, min(last, first + 2_000) + 1):
        name = column_letters(at) if noun == "column" else str(at)
        if (at in hidden) != hide:
            return failed(f"{noun} {name} is {'hidden' if at in hidden else 'shown'}", expected=hide, seen=at in hidden)
        found = round(sizes.get(at, usual), 2)
        if size is not None and not size.holds(found):
            return failed(f"{noun} {name} measures {found:g} mm, not {size}", expected=str(size), seen=found)
    return passed(f"the {noun}s are as expected")
