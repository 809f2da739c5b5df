"""Tables too large to list: the cells that are on the screen, and no others."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deskbench.core.observation import Box
from deskbench.desktops.local.accessible import SCREEN_COORDINATES, Call, Cell, Place, Reference, Remembered, extents, get, text_of

CELL_LIMIT = 3000
ADDRESS = re.compile(r"\$?[A-Z]{1,3}\$?[0-9]+")
TOLD_TOO_HIGH = 40
"""Boxes of cells may be told too high by a menu bar (LibreOffice on GTK); what is compared on the screen reaches down that much further."""

Ask = Callable[[Sequence[Call]], Awaitable[list[Any]]]


class TableWindow:
    """Reads the visible cells of tables. `pixels` is the screen as it is at this reading."""

    def __init__(self, ask: Ask, remembered: Remembered, pixels: NDArray[np.uint8]) -> None:
        self._ask = ask
        self._remembered = remembered
        self._pixels = pixels
        self.cut = ""

    async def read(self, table: Reference, box: Box) -> list[tuple[Cell, Box]]:
        """The cells in a box of the screen: a grid between those at its corners."""
        first = await self._position(table, box.x + 2, box.y + 2)
        last = await self._position(table, box.x + box.width - 2, box.y + box.height - 2)
        if first is None:
            return []
        bottom, right = last or (first[0] + 60, first[1] + 40)
        rows, columns = range(first[0], bottom + 1), range(first[1], right + 1)
        if len(rows) * len(columns) > CELL_LIMIT:
            self.cut = f"a table shows {len(rows) * len(columns)} cells"
            rows = rows[: max(1, CELL_LIMIT // len(columns))]
        places = [(table, row, column) for row in rows for column in columns]
        await self._locate(places)
        cells = {place: self._remembered.cells[place] for place in places if place in self._remembered.cells}
        across = await self._extents({column: cells.get((table, rows[0], column)) for column in columns})
        down = await self._extents({row: cells.get((table, row, columns[0])) for row in rows})
        found = [
            (cell, Box(wide[0], high[1], wide[2], high[3]))
            for (_, row, column), cell in cells.items()
            if (wide := across.get(column)) and (high := down.get(row))
        ]
        await self._texts(table, found)
        return found

    async def _extents(self, cells: Mapping[int, Cell | None]) -> dict[int, Any]:
        """The boxes of one row or one column of cells: a cell's width is its column's, its height its row's."""
        there = {number: cell for number, cell in cells.items() if cell is not None}
        return dict(zip(there, await self._ask([extents(cell.at) for cell in there.values()]), strict=True))

    async def _texts(self, table: Reference, cells: Sequence[tuple[Cell, Box]]) -> None:
        """The texts of cells; one that lies where it lay, and looks as it did when the table was last read, is not asked again."""
        changed = self._changes(table)
        stale = [cell for cell, box in cells if cell.text is None or cell.box != box or changed(box)]
        for cell, text in zip(stale, await self._ask([text_of(cell.at) for cell in stale]), strict=True):
            cell.text = text
        for cell, box in cells:
            cell.box = box

    def _changes(self, table: Reference) -> Callable[[Box], bool]:
        """Whether the screen has changed in a box since the table was last read."""
        now = np.ascontiguousarray(self._pixels).view(np.uint32)[..., 0]
        before = self._remembered.screens.get(table)
        self._remembered.screens[table] = now.copy()
        if before is None or before.shape != now.shape:
            return lambda _: True
        differs = now != before
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        if not len(rows):
            return lambda _: False
        around = Box(int(columns[0]), int(rows[0]), int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1)

        def changed(box: Box) -> bool:
            part = Box(box.x, box.y, box.width, box.height + TOLD_TOO_HIGH).within(around)
            return bool(part.area and differs[part.y : part.y + part.height, part.x : part.x + part.width].any())

        return changed

    async def _locate(self, places: Sequence[Place]) -> None:
        """Where cells are on the bus. A place is asked for once: making one costs the application a quarter of a millisecond.

        A name that is the cell's address stays what it is; other names are asked for every time.
        """
        seen = self._remembered.cells
        known = [place for place in places if place in seen]
        alive = await self._ask([Call(seen[place].at, "Accessible", "GetRole") for place in known[:1] + known[-1:]])
        if None in alive:
            seen.clear()
        missing = [place for place in places if place not in seen]
        answers = await self._ask([Call(table, "Table", "GetAccessibleAt", "ii", (row, column)) for table, row, column in missing])
        for place, answer in zip(missing, answers, strict=True):
            if answer and not answer[1].endswith("/null"):
                seen[place] = Cell((answer[0], answer[1]))
        unnamed = [seen[place] for place in places if place in seen and not ADDRESS.fullmatch(seen[place].name)]
        for cell, name in zip(unnamed, await self._ask([get(cell.at, "Accessible", "Name") for cell in unnamed]), strict=True):
            cell.name = str(name or "")

    async def _position(self, table: Reference, x: int, y: int) -> tuple[int, int] | None:
        """Row and column of the cell at a point. An answer about a cell that lies elsewhere is not believed."""
        for _ in range(3):
            (cell,) = await self._ask([Call(table, "Component", "GetAccessibleAtPoint", "iiu", (x, y, SCREEN_COORDINATES))])
            if not cell or cell[1].endswith("/null"):
                continue
            index, box = await self._ask([Call((cell[0], cell[1]), "Accessible", "GetIndexInParent"), extents((cell[0], cell[1]))])
            if index is None or index < 0 or not box or not Box(*box).contains(x, y):
                continue
            row, column = await self._ask([Call(table, "Table", f"Get{way}AtIndex", "i", (index,)) for way in ("Row", "Column")])
            if row is not None and column is not None and row >= 0 and column >= 0:
                return row, column
        return None
