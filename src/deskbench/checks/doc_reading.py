"""A text document as its readers give it, whether it was docx or odt: paragraphs with their looks resolved, and all that hangs on them.

Text is as it reads with tracked changes accepted. Lengths are millimetres, font sizes and paragraph spacing points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

Rgb = tuple[int, int, int]

STYLE_NAMES = {
    "normal": "default",
    "standard": "default",
    "default paragraph style": "default",
    "default style": "default",
    "body text": "text body",
    "textbody": "text body",
    "list paragraph": "list",
    "quotations": "quote",
}
"""The same style under the names that the two formats give it."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a stretch of text looks, everything inherited resolved."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    size: float | None = None
    font: str | None = None
    colour: Rgb | None = None
    highlight: Rgb | None = None
    position: str = "normal"
    caps: str = "none"
    style: str = ""
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    text: str
    look: Look


@dataclass
class Paragraph:
    """A paragraph. `where` is body, table, header, footer, note or contents; `listed` is bullet or number."""

    runs: list[Run] = field(default_factory=list)
    style: str = "default"
    heading: int | None = None
    listed: str | None = None
    list_level: int = 0
    align: str = "left"
    line_spacing: float | None = None
    before_pt: float = 0.0
    after_pt: float = 0.0
    left_mm: float = 0.0
    right_mm: float = 0.0
    first_line_mm: float = 0.0
    page_break: bool = False
    where: str = "body"

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass
class Table:
    """A table's texts row by row, and the paragraphs in each cell."""

    rows: list[list[str]]
    fills: list[list[Rgb | None]]
    header_rows: int = 0


@dataclass
class Page:
    """One section's paper, with the texts and fields of its header and footer."""

    width_mm: float = 0.0
    height_mm: float = 0.0
    left_mm: float = 0.0
    right_mm: float = 0.0
    top_mm: float = 0.0
    bottom_mm: float = 0.0
    columns: int = 1
    header: str | None = None
    footer: str | None = None
    header_fields: list[str] = field(default_factory=list)
    footer_fields: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Comment:
    author: str
    text: str
    on: str


@dataclass(frozen=True)
class Change:
    kind: str
    author: str
    text: str


@dataclass(frozen=True)
class Picture:
    name: str
    alt: str
    width_mm: float
    height_mm: float
    data: bytes | None


@dataclass
class Document:
    """A whole document. `fields` are the kinds of fields in the body: page, pages, date, contents, ..."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    bookmarks: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The body's text, one paragraph a line, the table of contents left out."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs if paragraph.where in ("body", "table"))

    @property
    def contents(self) -> list[str]:
        """The entries of the tables of contents, page numbers cut off; empty where the contents are only typed in."""
        lines = [paragraph.text for paragraph in self.paragraphs if paragraph.where == "contents" and paragraph.style != "contents heading"]
        return [re.sub(r"\s*\t\s*[\divxlc]+\s*$", "", line).strip() for line in lines if line.strip()]


def plain_style(name: str) -> str:
    """A style's name, the same for both formats: small letters, `toc 1` as `contents 1`."""
    bare = re.sub(r"\s+", " ", name.strip().casefold())
    bare = re.sub(r"^toc (\d+)$", r"contents \1", bare)
    bare = {"toc heading": "contents heading"}.get(bare, bare)
    return STYLE_NAMES.get(bare, bare)


def read(path: Path, what: str) -> Document:
    """A document by what it contains, not by its suffix."""
    from deskbench.checks import doc_docx, doc_odt
    from deskbench.checks.evidence import open_zip

    with open_zip(path, what) as archive:
        opendocument = "content.xml" in archive.namelist()
    return doc_odt.read(path, what) if opendocument else doc_docx.read(path, what)
