"""What differs between two spreadsheets, by meaning: a file that LibreOffice saved again is the same file."""

from __future__ import annotations

from collections.abc import Iterator

from deskbench.checks.looks import ALIKE_FONTS
from deskbench.checks.sheet_reading import Cell, Range, Sheet, Style, Workbook, address, number_format, parse_range

OBJECTS = ("charts", "pivots", "validations", "conditions", "merged", "names", "sheets", "frozen")
"""What belongs to a workbook besides its cells; each can be excepted by this name."""


class Exceptions:
    """What may have changed: `Orders!E2:E9`, `E2:E9` (on every sheet), a sheet's name, or one of OBJECTS."""

    def __init__(self, said: list[str]) -> None:
        self.objects = {item for item in said if item in OBJECTS}
        self.whole: set[str] = set()
        self.ranges: list[tuple[str | None, Range]] = []
        for item in (item for item in said if item not in OBJECTS):
            sheet, mark, cells = item.rpartition("!")
            try:
                self.ranges.append((sheet if mark else None, parse_range(cells)))
            except ValueError:
                self.whole.add(item)

    def allow(self, sheet: str, at: tuple[int, int]) -> bool:
        return sheet in self.whole or any(at in cells for name, cells in self.ranges if name in (None, sheet))


def differences(before: Workbook, after: Workbook, exceptions: Exceptions, formats: bool) -> Iterator[str]:
    """A phrase for everything that changed and may not have."""
    old = {sheet.name: sheet for sheet in before.sheets if sheet.name not in exceptions.whole}
    new = {sheet.name: sheet for sheet in after.sheets if sheet.name not in exceptions.whole}
    if "sheets" not in exceptions.objects:
        yield from (f"the sheet {name!r} is gone" for name in old if name not in new)
        yield from (f"the sheet {name!r} is new" for name in new if name not in old)
    if "names" not in exceptions.objects:
        yield from (f"the named range {name} was changed" for name in before.names if before.names[name] != after.names.get(name))
    for name in old.keys() & new.keys():
        yield from _cells(old[name], new[name], exceptions, formats)
        yield from _objects(old[name], new[name], exceptions)


def _cells(old: Sheet, new: Sheet, exceptions: Exceptions, formats: bool) -> Iterator[str]:
    for at in sorted(old.cells.keys() | new.cells.keys()):
        if exceptions.allow(old.name, at):
            continue
        was, now = old.cell(*at), new.cell(*at)
        where = f"{old.name}!{address(*at)}"
        if content(was) != content(now):
            yield f"{where} held {_said(was)} and now {_said(now)}"
        elif formats and (was.kind != "empty" or now.kind != "empty") and (changed := _look_changes(was.style, now.style)):
            yield f"the format of {where} was changed ({', '.join(changed)})"


def _objects(old: Sheet, new: Sheet, exceptions: Exceptions) -> Iterator[str]:
    told = {
        "charts": ({(c.kind, c.title, c.values) for c in old.charts}, {(c.kind, c.title, c.values) for c in new.charts}),
        "pivots": ({(p.rows, p.columns, p.data) for p in old.pivots}, {(p.rows, p.columns, p.data) for p in new.pivots}),
        "validations": ({(v.kind, v.operator, v.values) for v in old.validations}, {(v.kind, v.operator, v.values) for v in new.validations}),
        "conditions": ({(c.kind, c.operator, c.values) for c in old.conditions}, {(c.kind, c.operator, c.values) for c in new.conditions}),
        "merged": (set(old.merged), set(new.merged)),
        "frozen": ({old.frozen}, {new.frozen}),
    }
    for name, (was, now) in told.items():
        if name not in exceptions.objects and was != now:
            yield f"on {old.name} the {name} were changed"


def content(cell: Cell) -> tuple[str, object]:
    """What a cell holds: its formula, or its constant (a date that lost its format is still that number)."""
    if cell.formula is not None:
        return "formula", cell.formula.replace("$", "")
    if cell.kind in ("number", "date"):
        return "number", round(float(cell.value), 9) if isinstance(cell.value, float | int) else None
    return cell.kind, cell.value


def _said(cell: Cell) -> str:
    if cell.formula is not None:
        return cell.formula
    return "nothing" if cell.value is None else repr(cell.value)


def _look(style: Style) -> dict[str, object]:
    form = number_format(style.code)
    font = (style.font or "").casefold()
    return {
        "bold": style.bold,
        "italic": style.italic,
        "underline": style.underline,
        "size": style.size,
        "font": next((sorted(twins)[0] for twins in ALIKE_FONTS if font in twins), font),
        "colour": style.colour or (0, 0, 0),
        "fill": None if style.fill == (255, 255, 255) else style.fill,
        "number format": form,
        "alignment": style.align,
        "borders": style.borders,
    }


def _look_changes(was: Style, now: Style) -> list[str]:
    old, new = _look(was), _look(now)
    # A font or size that was left unsaid is written out when an application saves the file.
    unsaid = {name for name in ("size", "font") if not old[name]}
    return [name for name in old if old[name] != new[name] and name not in unsaid]
