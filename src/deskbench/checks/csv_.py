"""Tables in text: comma, semicolon, tab or bar separated; the separator is found out unless it is said.

    - csv.cells: {file: ~/out.csv, cells: {A1: Name, C2: {is: 12.5, within: 0.01}}}
    - csv.columns: {file: ~/out.csv, names: [Name, Price], only: true}
    - csv.rows: {file: ~/out.csv, count: 120}
    - csv.rows: {file: ~/out.csv, equal: [[Ada, 36], [Grace, 45]], any_order: true}
    - csv.row: {file: ~/out.csv, where: {Name: Ada}, has: {Age: 36}}
    - csv.column: {file: ~/out.csv, column: Price, sum: {is: 990, within: 0.01}, unique: true}
    - csv.sorted_by: {file: ~/out.csv, column: Price, descending: true}
    - csv.unchanged: {file: ~/out.csv, except: [Price]}

A number in an expectation is compared as a number (`12.50`, `1,234.5` and, between semicolons, `12,5` are understood), a text as a text. The
first row names the columns unless `header: false`; columns are then letters, as they always may be. Quoting makes no difference.
"""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise
from typing import Annotated, Any

from pydantic import Field

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Number, Text, Txt
from deskbench.core.faults import BadArtifact, CheckFault
from deskbench.core.verdict import Finding, failed, passed

Cell = int | float | str | Number | Text
Table = list[list[str]]
CELLS = 5_000_000
SEPARATORS = ",;\t|"
SOME = Number.model_validate({"at_least": 1})


def cells(evidence: Evidence, *, file: HomePath, cells: dict[str, Cell], separator: str | None = None) -> Finding:
    """Cells by their spreadsheet address."""
    table = _read(evidence, file, separator)
    compared = Comparison(f"~/{file}")
    for address, wanted in cells.items():
        match = re.fullmatch(r"([A-Za-z]{1,3})([1-9]\d*)", address)
        if match is None:
            raise CheckFault(f"{address!r} is not the address of a cell, such as B2; mend the task")
        seen = _cell(table, int(match[2]) - 1, _letters(match[1]))
        compared.holds(address, str(wanted), seen, _agrees(seen, wanted))
    return compared.finding()


def columns(evidence: Evidence, *, file: HomePath, names: tuple[str, ...], only: bool = True, any_order: bool = False) -> Finding:
    """The names of the columns, in order; without `only` others may stand between them."""
    header = [name.strip() for name in (_read(evidence, file) or [[]])[0]]
    seen = header if only else [name for name in header if name in names]
    held = sorted(seen) == sorted(names) if any_order else seen == list(names)
    says = f"the columns of ~/{file} are {', '.join(header)[:300]}" + ("" if held else f", not {', '.join(names)}")
    return (passed if held else failed)(says, expected=list(names), seen=header[:100])


def rows(
    evidence: Evidence,
    *,
    file: HomePath,
    count: Num | None = None,
    equal: tuple[tuple[Cell, ...], ...] | None = None,
    any_order: bool = False,
    header: bool = True,
) -> Finding:
    """The rows below the header: how many, and what is in them. With neither, there is at least one."""
    found = _read(evidence, file)[1 if header else 0 :]
    compared = Comparison(f"~/{file}")
    if equal is None:
        compared.number("number of rows", count or SOME, len(found))
        return compared.finding()
    compared.number("number of rows", count, len(found))
    left = list(found)
    for number, wanted in enumerate(equal, start=1):
        candidates = left if any_order else found[number - 1 : number]
        match = next((row for row in candidates if _row_agrees(row, wanted)), None)
        if match is not None and any_order:
            left.remove(match)
        compared.holds(f"row {number}", [str(cell) for cell in wanted], match if any_order or not candidates else candidates[0], match is not None)
    if len(found) != len(equal):
        compared.holds("number of rows", len(equal), len(found), False)
    return compared.finding()


def row(evidence: Evidence, *, file: HomePath, where: dict[str, Cell], has: dict[str, Cell] | None = None, count: Num | None = None) -> Finding:
    """The rows whose columns are as `where` says: at least one (or `count`), and each has these other values."""
    table = _read(evidence, file)
    chosen = [line for line in table[1:] if all(_agrees(_of(table, line, name), wanted) for name, wanted in where.items())]
    said = ", ".join(f"{name} {wanted}" for name, wanted in where.items())
    compared = Comparison(f"the row with {said} in ~/{file}")
    compared.number("number of occurrences", count or SOME, len(chosen))
    for line in chosen[:100]:
        for name, wanted in (has or {}).items():
            seen = _of(table, line, name)
            compared.holds(name, str(wanted), seen, _agrees(seen, wanted))
    return compared.finding()


def column(
    evidence: Evidence,
    *,
    file: HomePath,
    column: str,
    values: tuple[Cell, ...] | None = None,
    each: Txt | Num | None = None,
    sum: Num | None = None,
    unique: bool | None = None,
) -> Finding:
    """All the values of a column below its header. With no expectation, none of them is empty."""
    table = _read(evidence, file)
    seen = [_of(table, line, column) for line in table[1:]]
    compared = Comparison(f"the column {column} of ~/{file}")
    if values is None and each is None and sum is None and unique is None:
        compared.holds("filling", "complete", "has gaps", bool(seen) and all(cell and cell.strip() for cell in seen))
    if values is not None:
        held = len(seen) == len(values) and all(_agrees(cell, wanted) for cell, wanted in zip(seen, values, strict=True))
        compared.holds("values", [str(wanted) for wanted in values], seen[:100], held)
    if each is not None:
        odd = next((cell for cell in seen if not _agrees(cell, each)), None)
        compared.holds("every value", str(each), odd, bool(seen) and odd is None)
    if sum is not None:
        numbers = [_number(cell) for cell in seen]
        compared.number("sum", sum, None if None in numbers else _total(numbers))
    if unique is not None:
        compared.value("being unique", unique, len(set(seen)) == len(seen))
    return compared.finding()


def sorted_by(evidence: Evidence, *, file: HomePath, column: str, descending: bool = False, same_rows: bool = True) -> Finding:
    """The rows are in the order of a column (of numbers if all of them are) and, with `same_rows`, are those of the start."""
    table = _read(evidence, file)
    if len(table) < 2:
        return failed(f"~/{file} has no rows")
    change = evidence.changes.get(file)
    if same_rows and change is not None and change.change != "added":
        old = _parse(evidence.before(file, 16 << 20).read_text(encoding="utf-8-sig"), file, None)
        if sorted(map(tuple, old)) != sorted(map(tuple, table)):
            return failed(f"~/{file} no longer has the rows that it had")
    seen = [_of(table, line, column) or "" for line in table[1:]]
    numbers = [_number(cell) for cell in seen]
    keys: list[Any] = [cell.casefold() for cell in seen] if None in numbers else numbers
    held = all((a >= b) if descending else (a <= b) for a, b in pairwise(keys))
    says = f"the rows of ~/{file} are {'' if held else 'not '}in {'descending' if descending else 'ascending'} order of {column}"
    return (passed if held else failed)(says, seen=seen[:100])


def unchanged(evidence: Evidence, *, file: HomePath, except_: Annotated[tuple[str, ...], Field(alias="except")] = ()) -> Finding:
    """The table is as it was, apart from the columns of these names; quoting and separators make no difference."""
    old, new = _parse(evidence.before(file, 16 << 20).read_text(encoding="utf-8-sig"), file, None), _read(evidence, file)

    def kept(table: Table) -> Table:
        dropped = [at for at, name in enumerate(table[0] if table else []) if name.strip() in except_]
        return [[cell for at, cell in enumerate(line) if at not in dropped] for line in table]

    was, now = kept(old), kept(new)
    if was == now:
        return passed(f"~/{file} is otherwise as it was")
    at = next((at for at, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now)))
    return failed(f"~/{file} was changed from row {at + 1} on", expected=was[at : at + 1], seen=now[at : at + 1])


def _read(evidence: Evidence, file: str, separator: str | None = None) -> Table:
    return _parse(evidence.text(file), file, separator)


def _parse(text: str, file: str, separator: str | None) -> Table:
    if "\0" in text:
        raise BadArtifact(f"~/{file} is not a table in text")
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = re.sub(r'"(?:""|[^"])*"', "", first)
    used = separator or max(SEPARATORS, key=bare.count)
    found: Table = []
    room = CELLS
    try:
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=used):
            if any(cell.strip() for cell in line):
                found.append(line)
                room -= len(line)
            if room < 0:
                raise BadArtifact(f"~/{file} has more than {CELLS} cells")
    except csv.Error as error:
        raise BadArtifact(f"~/{file} is not a readable table: {error}") from None
    if used == ";":
        found = [[re.sub(r"^(\s*[-+]?\d+),(\d+\s*)$", r"\1.\2", cell) for cell in line] for line in found]
    return found


def _letters(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def _cell(table: Table, line: int, at: int) -> str | None:
    return table[line][at] if line < len(table) and at < len(table[line]) else None


def _of(table: Table, line: list[str], name: str) -> str | None:
    header = [cell.strip() for cell in table[0]]
    at = header.index(name) if name in header else (_letters(name) if re.fullmatch("[A-Z]{1,2}", name) else None)
    if at is None:
        raise BadArtifact(f"the table has no column {name}; it has {', '.join(header)[:300]}")
    return line[at] if at < len(line) else None


def _number(cell: str | None) -> float | None:
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", (cell or "").strip())
    try:
        return float(plain) if re.fullmatch(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?", plain) else None
    except ValueError:
        return None


def _total(numbers: list[float | None]) -> float:
    total = 0.0
    for number in numbers:
        total += number or 0
    return total


def _agrees(cell: str | None, wanted: Cell) -> bool:
    if cell is None:
        return False
    if isinstance(wanted, Number):
        return wanted.holds(_number(cell))
    if isinstance(wanted, Text):
        return wanted.holds(cell.strip())
    if isinstance(wanted, str):
        return cell.strip() == wanted.strip()
    return Number.model_validate({"is": wanted}).holds(_number(cell))


def _row_agrees(line: list[str], wanted: tuple[Cell, ...]) -> bool:
    return len(line) == len(wanted) and all(_agrees(cell, value) for cell, value in zip(line, wanted, strict=True))
