"""A deck as its readers give it, whether it was pptx or odp: slides with their shapes, places in millimetres."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from deskbench.checks.doc_reading import Paragraph, Rgb


@dataclass
class Shape:
    """Something on a slide. `kind` is title, subtitle, body, text, picture, table, chart, line, footer, number, date or shape."""

    kind: str
    name: str = ""
    paragraphs: list[Paragraph] = field(default_factory=list)
    left_mm: float = 0.0
    top_mm: float = 0.0
    width_mm: float = 0.0
    height_mm: float = 0.0
    fill: Rgb | None = None
    rows: list[list[str]] = field(default_factory=list)
    alt: str = ""
    data: bytes | None = None

    @property
    def text(self) -> str:
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass
class Slide:
    """One slide. `background` is a colour, `picture`, `other` or None; `transition` a name or None."""

    shapes: list[Shape] = field(default_factory=list)
    notes: str = ""
    background: Rgb | str | None = None
    transition: str | None = None
    hidden: bool = False
    layout: str = ""
    master: str = ""
    animations: int = 0

    @property
    def title(self) -> str:
        return next((shape.text.strip() for shape in self.shapes if shape.kind == "title"), "")

    @property
    def text(self) -> str:
        said = [shape.text for shape in self.shapes if shape.text.strip()]
        return "\n".join(said + ["\n".join(row) for shape in self.shapes for row in shape.rows])


@dataclass
class Deck:
    width_mm: float
    height_mm: float
    slides: list[Slide]


def read(path: Path, what: str) -> Deck:
    """A deck by what it contains, not by its suffix."""
    from deskbench.checks import slides_odp, slides_pptx
    from deskbench.checks.evidence import open_zip

    with open_zip(path, what) as archive:
        opendocument = "content.xml" in archive.namelist()
    return slides_odp.read(path, what) if opendocument else slides_pptx.read(path, what)
