"""Decks of slides, pptx or odp. Slides are counted from one; places are millimetres from the slide's top left corner.

- slides.count: {file: ~/a.pptx, count: 4}
- slides.order: {file: ~/a.pptx, titles: [Welcome, Agenda, Results]}
- slides.slide: {file: ~/a.pptx, slide: 2, title: Agenda, notes: {contains: short}, transition: wipe, background: "#1f4e79"}
- slides.shape: {file: ~/a.pptx, slide: 2, name: Badge, left_mm: {is: 200, within: 2}, fill: "#ffc000"}
- slides.format: {file: ~/a.pptx, slide: 1, text: Welcome, bold: true, size: 54}
- slides.table: {file: ~/a.pptx, slide: 3, values: [[Quarter, Sales], [Q1, 3564]]}
- slides.picture: {file: ~/a.pptx, slide: 3, shows: ~/logo.png}
- slides.page: {file: ~/a.pptx, ratio: "16:9"}
- slides.unchanged: {file: ~/a.pptx, except: [2, Results]}
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from deskbench.checks import slides_reading
from deskbench.checks.doc_comparison import looks_of, occurrences
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Txt
from deskbench.checks.likeness import alike
from deskbench.checks.looks import first_trouble, told
from deskbench.checks.slides_reading import Deck, Shape, Slide
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

Kind = Literal["title", "subtitle", "body", "text", "picture", "table", "chart", "line", "shape", "footer", "number", "date"]
_PLACES = ("left_mm", "top_mm", "width_mm", "height_mm")


def count(evidence: Evidence, *, file: HomePath, count: Num | None = None, hidden: Num | None = None) -> Finding:
    """How many slides there are, and how many of them are hidden. Without any: there is a slide."""
    slides = _deck(evidence, file).slides
    out_of_sight = sum(1 for slide in slides if slide.hidden)
    if not slides or (count is not None and not count.holds(len(slides))):
        return failed(f"there are {len(slides)} slides, not {count or 'any'}", expected=str(count), seen=len(slides))
    if hidden is not None and not hidden.holds(out_of_sight):
        return failed(f"{out_of_sight} slides are hidden, not {hidden}", expected=str(hidden), seen=out_of_sight)
    return passed(f"there are {len(slides)} slides", seen=len(slides))


def order(evidence: Evidence, *, file: HomePath, titles: list[Txt]) -> Finding:
    """The titles of all slides, in order."""
    seen = [slide.title for slide in _deck(evidence, file).slides]
    if len(seen) != len(titles):
        return failed(f"there are {len(seen)} slides, not {len(titles)}", expected=[str(title) for title in titles], seen=seen)
    for number, (wanted, title) in enumerate(zip(titles, seen, strict=True), 1):
        if not wanted.holds(title):
            return failed(f"slide {number} is {title!r}, not {wanted}", expected=[str(one) for one in titles], seen=seen)
    return passed("the slides are in the order expected", seen=seen)


def slide(
    evidence: Evidence,
    *,
    file: HomePath,
    slide: int,
    title: Txt | None = None,
    text: Txt | None = None,
    notes: Txt | None = None,
    background: Col | Literal["picture", "none", "other"] | None = None,
    transition: str | None = None,
    hidden: bool | None = None,
    layout: Txt | None = None,
    master: Txt | None = None,
    animations: Num | None = None,
) -> Finding:
    """One slide: its title, all its text, speaker's notes, background, transition (a name, `any` or `none`). Without any: it is there."""
    found = _slide(evidence, file, slide)
    for name, wanted in (("title", title), ("text", text), ("notes", notes), ("layout", layout), ("master", master)):
        if wanted is not None and not wanted.holds(getattr(found, name)):
            return failed(f"slide {slide} has {name} {getattr(found, name)!r}, not {wanted}", expected=str(wanted), seen=getattr(found, name))
    seen = {"background": told(found.background), "transition": found.transition, "hidden": found.hidden, "animations": found.animations}
    if background is not None and not _has_background(found, background):
        return failed(f"slide {slide} has background {seen['background']}, not {background}", expected=str(background), seen=seen)
    if transition is not None and not _has_transition(found, transition):
        return failed(f"slide {slide} has transition {found.transition}, not {transition}", expected=transition, seen=seen)
    if hidden is not None and found.hidden != hidden:
        return failed(f"slide {slide} is {'hidden' if found.hidden else 'shown'}", expected=hidden, seen=seen)
    if animations is not None and not animations.holds(found.animations):
        return failed(f"slide {slide} has {found.animations} animated objects, not {animations}", expected=str(animations), seen=seen)
    return passed(f"slide {slide} is as expected", seen=seen)


def shape(
    evidence: Evidence,
    *,
    file: HomePath,
    slide: int,
    name: str | None = None,
    kind: Kind | None = None,
    containing: str | None = None,
    left_mm: Num | None = None,
    top_mm: Num | None = None,
    width_mm: Num | None = None,
    height_mm: Num | None = None,
    fill: Col | Literal["none"] | None = None,
    alt: Txt | None = None,
    inside: bool = False,
    count: Num | None = None,
) -> Finding:
    """Things on a slide chosen by name, kind or text: where they lie, their size and fill; `inside`: wholly on the slide."""
    deck = _deck(evidence, file)
    chosen = _chosen(_slide(evidence, file, slide), name, kind, containing)
    what = " ".join(str(part) for part in (kind, name, f"with {containing!r}" if containing else None) if part) or "shape"
    if count is not None and not count.holds(len(chosen)):
        return failed(f"slide {slide} has {len(chosen)} {what}, not {count}", expected=str(count), seen=len(chosen))
    if not chosen:
        return passed(f"slide {slide} has no {what}, as expected") if count is not None else failed(f"slide {slide} has no {what}")
    wanted = {key: value for key, value in (("fill", fill), ("alt", alt)) if value is not None}
    places = {key: value for key, value in zip(_PLACES, (left_mm, top_mm, width_mm, height_mm), strict=True) if value is not None}
    troubles = [_shape_trouble(one, deck, wanted, places, inside) for one in chosen]
    if all(troubles):
        return failed(f"the {what} on slide {slide} {troubles[0]}", seen=[_place(one) for one in chosen])
    return passed(f"the {what} on slide {slide} is as expected", seen=[_place(one) for one in chosen])


def format(
    evidence: Evidence,
    *,
    file: HomePath,
    text: str | None = None,
    slide: int | None = None,
    kind: Kind | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    strike: bool | None = None,
    size: Num | None = None,
    font: str | None = None,
    colour: Col | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
    listed: Literal["bullet", "number", "none"] | None = None,
) -> Finding:
    """How a phrase (or all text of a kind, or all text) looks, on one slide or on all."""
    others = ("evidence", "file", "text", "slide", "kind", "align", "listed")
    wanted = {key: value for key, value in locals().items() if value is not None and key not in ("others", *others)}
    slides = _deck(evidence, file).slides if slide is None else [_slide(evidence, file, slide)]
    paragraphs = [line for one in slides for shape in one.shapes if kind in (None, shape.kind) for line in shape.paragraphs if line.text.strip()]
    paragraphs = [line for line in paragraphs if text is None or text in line.text]
    what = repr(text) if text is not None else f"the {kind or 'text'}"
    if not paragraphs:
        return failed(f"{what} does not occur" + (f" on slide {slide}" if slide else ""), expected=text or kind)
    for look in (look for inside, _ in occurrences(paragraphs, text) for look in looks_of(inside)):
        if trouble := first_trouble(wanted, look):
            return failed(f"{what} has {trouble[0]} {trouble[2]}, not {trouble[1]}", expected=trouble[1], seen=trouble[2])
    shapes = {key: value for key, value in (("align", align), ("listed", listed)) if value is not None}
    for line in paragraphs:
        if trouble := first_trouble(shapes, line):
            return failed(f"{line.text!r} has {trouble[0]} {trouble[2]}, not {trouble[1]}", expected=trouble[1], seen=trouble[2])
    return passed(f"{what} looks as expected")


def table(
    evidence: Evidence,
    *,
    file: HomePath,
    slide: int,
    values: list[list[Txt | None]] | None = None,
    rows: Num | None = None,
    columns: Num | None = None,
) -> Finding:
    """A table on a slide: its size, its texts (null: anything). Without any: there is one."""
    tables = [shape.rows for shape in _slide(evidence, file, slide).shapes if shape.kind == "table"]
    if not tables:
        return failed(f"slide {slide} has no table")
    troubles = []
    for seen in tables:
        wide = max((len(row) for row in seen), default=0)
        trouble = f"has {len(seen)} rows, not {rows}" if rows is not None and not rows.holds(len(seen)) else ""
        trouble = trouble or (f"has {wide} columns, not {columns}" if columns is not None and not columns.holds(wide) else "")
        for at, line in enumerate(values or []):
            for column, wanted in enumerate(line):
                held = seen[at][column].strip() if at < len(seen) and column < len(seen[at]) else None
                if wanted is not None and not wanted.holds(held):
                    trouble = trouble or f"has {held!r} in row {at + 1}, column {column + 1}, not {wanted}"
        if not trouble:
            return passed(f"slide {slide} has such a table", seen=seen)
        troubles.append(trouble)
    return failed(f"the table on slide {slide} {troubles[0]}", seen=tables[0])


def picture(
    evidence: Evidence,
    *,
    file: HomePath,
    slide: int,
    shows: HomePath | None = None,
    alt: Txt | None = None,
    left_mm: Num | None = None,
    top_mm: Num | None = None,
    width_mm: Num | None = None,
    height_mm: Num | None = None,
    inside: bool = True,
    count: Num | None = None,
) -> Finding:
    """A picture on a slide that shows a picture file of the home, where it lies, its size, its alternative text."""
    deck = _deck(evidence, file)
    pictures = [one for one in _slide(evidence, file, slide).shapes if one.kind == "picture"]
    if count is not None and not count.holds(len(pictures)):
        return failed(f"slide {slide} has {len(pictures)} pictures, not {count}", expected=str(count), seen=len(pictures))
    given = evidence.read(shows) if shows is not None else b""
    found = [one for one in pictures if shows is None or alike(one.data, given, f"~/{shows}")]
    if not found:
        empty = count is not None and shows is None
        return (
            passed(f"slide {slide} has no picture")
            if empty
            else failed(f"slide {slide} has no picture" + (f" that shows ~/{shows}" if shows else ""))
        )
    places = {key: value for key, value in zip(_PLACES, (left_mm, top_mm, width_mm, height_mm), strict=True) if value is not None}
    troubles = [_shape_trouble(one, deck, {"alt": alt} if alt is not None else {}, places, inside) for one in found]
    if all(troubles):
        return failed(f"the picture on slide {slide} {troubles[0]}", seen=[_place(one) for one in found])
    return passed(f"slide {slide} has that picture", seen=[_place(one) for one in found])


def page(
    evidence: Evidence,
    *,
    file: HomePath,
    ratio: Literal["4:3", "16:9", "16:10"] | None = None,
    width_mm: Num | None = None,
    height_mm: Num | None = None,
) -> Finding:
    """The size of the slides. Without any: the deck can be read."""
    deck = _deck(evidence, file)
    wide, high = round(deck.width_mm, 1), round(deck.height_mm, 1)
    seen = f"{wide:g} x {high:g} mm"
    if ratio is not None:
        first, second = map(int, ratio.split(":"))
        if not high or abs(wide / high - first / second) > 0.01:
            return failed(f"the slides are {seen}, not {ratio}", expected=ratio, seen=[wide, high])
    if (width_mm is not None and not width_mm.holds(wide)) or (height_mm is not None and not height_mm.holds(high)):
        return failed(f"the slides are {seen}", expected=[str(width_mm), str(height_mm)], seen=[wide, high])
    return passed(f"the slides are {seen}", seen=[wide, high])


def unchanged(
    evidence: Evidence, *, file: HomePath, except_: Annotated[tuple[int | str, ...], Field(alias="except")] = (), formats: bool = True
) -> Finding:
    """Every slide that is not excepted (by its number or its title, before or now) is as before, and in the same order."""
    before = slides_reading.read(evidence.before(file), f"~/{file} at the start")
    old, new = (_kept(deck, except_) for deck in (before, _deck(evidence, file)))
    if [one.title for one in old] != [one.title for one in new]:
        seen = [one.title for one in new]
        return failed("slides were added, removed, renamed or moved", expected=[one.title for one in old], seen=seen)
    for one, other in zip(old, new, strict=True):
        said = _slide_changes(one, other, formats)
        if said:
            return failed(f"on the slide {one.title!r} {said} changed", seen=said)
    return passed(f"the other slides of ~/{file} are as they were")


def _deck(evidence: Evidence, file: str) -> Deck:
    return slides_reading.read(evidence.file(file, 256 << 20), f"~/{file}")


def _slide(evidence: Evidence, file: str, number: int) -> Slide:
    slides = _deck(evidence, file).slides
    if not 0 < number <= len(slides):
        raise BadArtifact(f"~/{file} has no slide {number}, only {len(slides)}")
    return slides[number - 1]


def _has_background(slide: Slide, wanted: Any) -> bool:
    if isinstance(wanted, str):
        return slide.background is None if wanted == "none" else slide.background == wanted
    return isinstance(slide.background, tuple) and bool(wanted.holds(slide.background))


def _has_transition(slide: Slide, wanted: str) -> bool:
    if wanted in ("any", "none"):
        return (slide.transition is not None) == (wanted == "any")
    return slide.transition == wanted.casefold()


def _chosen(slide: Slide, name: str | None, kind: str | None, containing: str | None) -> list[Shape]:
    return [one for one in slide.shapes if name in (None, one.name) and kind in (None, one.kind) and (containing is None or containing in one.text)]


def _place(shape: Shape) -> dict[str, Any]:
    return {"kind": shape.kind, "name": shape.name, "text": shape.text[:80], **{name: round(getattr(shape, name), 1) for name in _PLACES}}


def _shape_trouble(shape: Shape, deck: Deck, wanted: dict[str, Any], places: dict[str, Any], inside: bool) -> str:
    if trouble := first_trouble(wanted, shape):
        return f"has {trouble[0]} {trouble[2]}, not {trouble[1]}"
    for name, expected in places.items():
        seen = round(getattr(shape, name), 1)
        if not expected.holds(seen):
            return f"has {name.removesuffix('_mm')} {seen:g} mm, not {expected}"
    edges = shape.left_mm, shape.top_mm, deck.width_mm - shape.left_mm - shape.width_mm, deck.height_mm - shape.top_mm - shape.height_mm
    return "reaches over the slide's edge" if inside and min(edges) < -0.5 else ""


def _kept(deck: Deck, exceptions: tuple[int | str, ...]) -> list[Slide]:
    return [slide for number, slide in enumerate(deck.slides, 1) if number not in exceptions and slide.title not in exceptions]


def _slide_changes(old: Slide, new: Slide, formats: bool) -> str:
    if old.text.strip() != new.text.strip():
        return "the text"
    if old.notes.strip() != new.notes.strip():
        return "the notes"
    pictures = [sum(1 for one in slide.shapes if one.kind == "picture") for slide in (old, new)]
    if pictures[0] != pictures[1]:
        return "the number of pictures"
    if not formats:
        return ""
    for name in ("background", "transition", "hidden"):
        if getattr(old, name) != getattr(new, name):
            return f"the {name}"
    # Empty placeholders are written by one format and left out by the other.
    shapes = [[one for one in slide.shapes if one.text.strip() or one.kind in ("picture", "shape")] for slide in (old, new)]
    for one, other in zip(*shapes, strict=False):
        if any(abs(getattr(one, place) - getattr(other, place)) > 1 for place in _PLACES):
            return f"the place of the {one.kind} {one.name}".rstrip()
        looks = [
            [(look.bold, look.italic, look.size, look.colour or (0, 0, 0)) for line in shape.paragraphs for look in looks_of(line.runs)]
            for shape in (one, other)
        ]
        if set(looks[0]) != set(looks[1]):
            return f"the formatting of the {one.kind} {one.name}".rstrip()
    return "the number of shapes" if len(shapes[0]) != len(shapes[1]) else ""
