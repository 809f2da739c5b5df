"""What the scripts of the office assets share: files with fixed times, text documents, and the look of a sheet."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

PACKS = Path(__file__).parents[1]
WHEN = datetime(2026, 1, 12, 9, 30)
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
<manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
"""


def repacked(data: bytes, when: datetime = WHEN) -> bytes:
    """A zip with fixed times, so that the same content is the same file."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            item = zipfile.ZipInfo(name, when.timetuple()[:6])
            item.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            new.writestr(item, old.read(name))
    return out.getvalue()


def keep(path: str, data: bytes) -> None:
    """Write an asset at its place below the packs."""
    target = PACKS / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def keep_book(path: str, book: Workbook) -> None:
    """Write a workbook, the same bytes every time."""
    book.properties.creator = "Office"
    book.properties.created = WHEN
    out = io.BytesIO()
    book.save(out)
    data = out.getvalue()
    # openpyxl writes the present time as the time of change whatever the properties say.
    now = book.properties.modified.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    fixed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(fixed, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content.replace(now, WHEN.strftime("%Y-%m-%dT%H:%M:%SZ").encode()) if name == "docProps/core.xml" else content)
    keep(path, repacked(fixed.getvalue()))


def text_document(content: str, styles: str, when: datetime = WHEN) -> bytes:
    """An odt of its two parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        packed.writestr("content.xml", content)
        packed.writestr("styles.xml", styles)
        packed.writestr("META-INF/manifest.xml", MANIFEST)
    return repacked(out.getvalue(), when)


@dataclass(frozen=True)
class Look:
    """How the tables of a sheet look: the colour of their head and of the line below a row."""

    head: str
    line: str
    vertical: str | None = None
    font: str = "Carlito"

    def put(self, sheet: Any, at: str, value: Any, number: str | None = None, **font: Any) -> Any:
        """A cell's value, number format and font."""
        cell = sheet[at]
        cell.value = value
        cell.font = Font(name=self.font, **{"size": 11, **font})
        if number is not None:
            cell.number_format = number
        return cell

    def heads(self, sheet: Any, row: int, names: list[str], left: int = 1) -> None:
        """The head of a table."""
        for column, name in enumerate(names, left):
            cell = sheet.cell(row, column, name)
            cell.font = Font(name=self.font, size=11, bold=True, color="FFFFFF")
            cell.fill = PatternFill("solid", fgColor=self.head)
            cell.alignment = Alignment(horizontal="center", vertical=self.vertical)

    def rows(self, sheet: Any, first: int, lines: list[list[Any]], formats: dict[int, str] | None = None) -> None:
        """The rows of a table, with number formats by column."""
        for row, line in enumerate(lines, first):
            for column, value in enumerate(line, 1):
                cell = sheet.cell(row, column, value)
                cell.font = Font(name=self.font, size=11)
                cell.border = Border(bottom=Side(style="thin", color=self.line))
                if formats and column in formats:
                    cell.number_format = formats[column]


def widths(sheet: Any, **said: float) -> None:
    """The widths of columns by their letters."""
    for column, width in said.items():
        sheet.column_dimensions[column].width = width
