"""Text documents, docx or odt. Formatting is looked at as a reader sees it, through styles or set directly.

- doc.text: {file: ~/a.docx, text: {contains: twelve percent, not: TODO}}
- doc.paragraph: {file: ~/a.docx, containing: Sales grew, align: justify, line_spacing: 1.5, style: Text body}
- doc.format: {file: ~/a.docx, text: twelve percent, bold: true, size: 14, colour: "#c00000", only: true}
- doc.headings: {file: ~/a.docx, headings: [[1, Overview], [2, Method]]}
- doc.listed: {file: ~/a.docx, items: [Lamps, Desks], kind: bullet}
- doc.table: {file: ~/a.docx, values: [[Region, Total], [North, 3564]]}
- doc.header: {file: ~/a.docx, text: Acme GmbH}
- doc.footer: {file: ~/a.docx, text: {contains: Page}, fields: [page, pages]}
- doc.field: {file: ~/a.docx, kind: date}
- doc.comment: {file: ~/a.docx, text: {contains: right}, on: every branch, author: Ada}
- doc.tracked: {file: ~/a.docx, kind: insertion, text: dropped}
- doc.contents: {file: ~/a.docx, levels: 2}
- doc.page: {file: ~/a.docx, orientation: portrait, left_mm: {is: 25, within: 0.5}}
- doc.picture: {file: ~/a.docx, shows: ~/logo.png, width_mm: {is: 30, within: 1}, alt: A red dot}
- doc.note: {file: ~/a.docx, text: {contains: In May}}
- doc.link: {file: ~/a.docx, text: north, address: https://example.org/north}
- doc.bookmark: {file: ~/a.docx, name: results}
- doc.unchanged: {file: ~/a.docx, except: [Sales grew]}
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from deskbench.checks import doc_reading
from deskbench.checks.doc_comparison import differences, looks_of, occurrences
from deskbench.checks.doc_reading import Document, Page
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Txt
from deskbench.checks.likeness import alike
from deskbench.checks.looks import first_trouble
from deskbench.core.verdict import Finding, failed, passed

Where = Literal["body", "header", "footer", "notes"]


def text(evidence: Evidence, *, file: HomePath, text: Txt | None = None, where: Where = "body") -> Finding:
    """What the document says, a paragraph a line, tracked changes accepted. Without a text: it is a readable document that says something."""
    found = _document(evidence, file)
    furniture: dict[str, list[Any]] = {
        "header": [page.header for page in found.pages],
        "footer": [page.footer for page in found.pages],
        "notes": found.notes,
    }
    seen = found.text if where == "body" else "\n".join(line or "" for line in furniture[where])
    if text is None:
        return passed(f"~/{file} can be read") if seen.strip() else failed(f"~/{file} says nothing")
    return _say(text.holds(seen), f"the {where} of ~/{file}", str(text), seen[:2000])


def paragraph(
    evidence: Evidence,
    *,
    file: HomePath,
    containing: str,
    style: str | None = None,
    heading: int | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
    line_spacing: Num | None = None,
    before_pt: Num | None = None,
    after_pt: Num | None = None,
    left_mm: Num | None = None,
    right_mm: Num | None = None,
    first_line_mm: Num | None = None,
    page_break: bool | None = None,
    list_level: int | None = None,
) -> Finding:
    """Every paragraph with a phrase in it: its style (Standard and Normal are `default`) and shape. Without any: there is one."""
    wanted = _given(locals(), "file", "containing")
    if style is not None:
        wanted["style"] = doc_reading.plain_style(style)
    matching = [one for one in _document(evidence, file).paragraphs if containing in one.text and one.where in ("body", "table")]
    if not matching:
        return failed(f"no paragraph has {containing!r} in it", expected=containing)
    for one in matching:
        rounded = {name: round(getattr(one, name), 1) for name in ("before_pt", "after_pt", "left_mm", "right_mm", "first_line_mm")}
        trouble = first_trouble(wanted, _Rounded(one, rounded))
        if trouble:
            name, expected, seen = trouble
            return failed(f"the paragraph with {containing!r} has {name.replace('_', ' ')} {seen}, not {expected}", expected=expected, seen=seen)
    return passed(f"the paragraph with {containing!r} is as expected")


def format(
    evidence: Evidence,
    *,
    file: HomePath,
    text: str | None = None,
    in_style: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    strike: bool | None = None,
    size: Num | None = None,
    font: str | None = None,
    colour: Col | None = None,
    highlight: Col | Literal["none"] | None = None,
    position: Literal["normal", "super", "sub"] | None = None,
    caps: Literal["none", "all", "small"] | None = None,
    only: bool = False,
) -> Finding:
    """How a phrase looks wherever it occurs; or all text in a style; or all text. `only`: and nothing else in its paragraphs looks so."""
    wanted = _given(locals(), "file", "text", "in_style", "only")
    found = [one for one in _document(evidence, file).paragraphs if one.where in ("body", "table")]
    if in_style is not None:
        found = [one for one in found if one.style == doc_reading.plain_style(in_style)]
    pieces = occurrences(found, text)
    what = repr(text) if text is not None else f"the text in {in_style}" if in_style else "the text"
    if not pieces:
        return failed(f"{what} does not occur", expected=text or in_style)
    for inside, _ in pieces:
        for look in looks_of(inside):
            if trouble := first_trouble(wanted, look):
                return failed(f"{what} has {trouble[0]} {trouble[2]}, not {trouble[1]}", expected=trouble[1], seen=trouble[2])
    if only and any(first_trouble(wanted, look) is None for _, outside in pieces for look in looks_of(outside)):
        return failed(f"not only {what} looks so, but other text of its paragraph too", expected="only " + what)
    return passed(f"{what} looks as expected")


def headings(evidence: Evidence, *, file: HomePath, headings: list[tuple[int, str]] | None = None) -> Finding:
    """All headings with their levels, in order: real ones, not bold text. Without a list: there are some."""
    seen = [
        (one.heading, one.text.strip()) for one in _document(evidence, file).paragraphs if one.heading and one.where == "body" and one.text.strip()
    ]
    if headings is None:
        return passed(f"there are {len(seen)} headings", seen=seen) if seen else failed("there is no heading")
    if seen != headings:
        missing = [f"{text!r} is not a heading of level {level}" for level, text in headings if (level, text) not in seen]
        return failed(missing[0] if missing else "the headings are others, or in another order", expected=headings, seen=seen)
    return passed("the headings are as expected", seen=seen)


def listed(
    evidence: Evidence, *, file: HomePath, items: list[str], kind: Literal["bullet", "number"] | None = None, level: int | None = None
) -> Finding:
    """Paragraphs that are items of a real list, in this order."""
    found = _document(evidence, file).paragraphs
    at = 0
    for item in items:
        place = next((index for index in range(at, len(found)) if found[index].text.strip() == item), None)
        if place is None:
            return failed(f"{item!r} is no paragraph of its own, or out of order", expected=items)
        seen = found[place].listed
        if seen is None or (kind is not None and seen != kind):
            what = "is not in a list" if seen is None else f"is in a {seen} list, not a {kind} list"
            return failed(f"{item!r} {what}", expected=kind, seen=seen)
        if level is not None and found[place].list_level != level:
            return failed(f"{item!r} is on level {found[place].list_level} of the list, not {level}", expected=level, seen=found[place].list_level)
        at = place + 1
    return passed(f"{', '.join(items)} are list items")


def table(
    evidence: Evidence,
    *,
    file: HomePath,
    number: int | None = None,
    rows: Num | None = None,
    columns: Num | None = None,
    values: list[list[Txt | None]] | None = None,
    header_rows: int | None = None,
    fill: dict[int, Col] | None = None,
    count: Num | None = None,
) -> Finding:
    """A table (the number-th, or any): its size, its texts (null: anything), rows repeated as header, fills by row number."""
    tables = _document(evidence, file).tables
    if count is not None and not count.holds(len(tables)):
        return failed(f"there are {len(tables)} tables, not {count}", expected=str(count), seen=len(tables))
    chosen = tables if number is None else tables[number - 1 : number]
    if not chosen:
        return (
            passed("there is no table, as expected") if count is not None and number is None else failed(f"there is no table {number or ''}".strip())
        )
    troubles = []
    for one in chosen:
        wide = max((len(row) for row in one.rows), default=0)
        trouble = f"has {len(one.rows)} rows, not {rows}" if rows is not None and not rows.holds(len(one.rows)) else ""
        trouble = trouble or (f"has {wide} columns, not {columns}" if columns is not None and not columns.holds(wide) else "")
        trouble = trouble or (f"repeats {one.header_rows} rows" if header_rows is not None and one.header_rows != header_rows else "")
        for row, colour in (fill or {}).items():
            if not 0 < row <= len(one.fills) or not one.fills[row - 1] or not all(colour.holds(seen) for seen in one.fills[row - 1]):
                trouble = trouble or f"has no row {row} filled with {colour}"
        trouble = trouble or _cell_trouble(one.rows, values or [])
        if not trouble:
            return passed("there is such a table", seen=one.rows)
        troubles.append(trouble)
    return failed(f"the table {troubles[0]}", seen=chosen[0].rows)


def header(evidence: Evidence, *, file: HomePath, text: Txt | None = None, fields: list[str] | None = None, section: int | None = None) -> Finding:
    """The header of every page style in use (or of the section-th): its text, its fields. Without any: there is one."""
    return _furniture(_pages(evidence, file, section), "header", text, fields)


def footer(evidence: Evidence, *, file: HomePath, text: Txt | None = None, fields: list[str] | None = None, section: int | None = None) -> Finding:
    """The footer, likewise; `fields: [page]` wants a page number that counts, not a typed one."""
    return _furniture(_pages(evidence, file, section), "footer", text, fields)


def field(evidence: Evidence, *, file: HomePath, kind: str, count: Num | None = None) -> Finding:
    """A field in the body: page, pages, date, time, author, title, file, sequence, reference, contents, ..."""
    seen = _document(evidence, file).fields
    enough = count.holds(seen.count(kind)) if count is not None else kind in seen
    return _say(enough, f"the number of {kind} fields", str(count or "at least 1"), seen.count(kind))


def comment(
    evidence: Evidence, *, file: HomePath, text: Txt | None = None, on: str | None = None, author: str | None = None, count: Num | None = None
) -> Finding:
    """Comments with a text, on a phrase, by an author: at least one, or as many as `count` says."""
    comments = _document(evidence, file).comments
    found = [
        one for one in comments
        if (text is None or text.holds(one.text)) and (on is None or on in one.on) and (author is None or author == one.author)
    ]  # fmt: skip
    seen = [{"author": one.author, "text": one.text, "on": one.on} for one in comments]
    return _counted(len(found), count, "such comments", seen)


def tracked(
    evidence: Evidence,
    *,
    file: HomePath,
    kind: Literal["insertion", "deletion", "format-change"] | None = None,
    text: str | None = None,
    author: str | None = None,
    count: Num | None = None,
) -> Finding:
    """Tracked changes still open: at least one, or as many as `count` says (0: all were accepted or rejected)."""
    changes = [one for one in _document(evidence, file).changes if one.text or one.kind == "format-change"]
    found = [
        one for one in changes
        if (kind is None or kind == one.kind) and (text is None or text == one.text.strip()) and (author is None or author == one.author)
    ]  # fmt: skip
    return _counted(len(found), count, "such tracked changes", [[one.kind, one.text] for one in changes])


def contents(evidence: Evidence, *, file: HomePath, levels: int = 3, entries: list[str] | None = None) -> Finding:
    """A real table of contents that lists the headings down to a level, as they are now; or given entries."""
    found = _document(evidence, file)
    if "contents" not in found.fields:
        return failed("there is no table of contents that the application made")
    headings_now = [
        one.text.strip() for one in found.paragraphs if one.heading and one.heading <= levels and one.where == "body" and one.text.strip()
    ]
    wanted = entries if entries is not None else headings_now
    seen = found.contents
    missing = [entry for entry in wanted if not any(entry in line for line in seen)]
    if missing or not seen:
        return failed(f"the table of contents lacks {', '.join(map(repr, missing)) or 'any entry'}", expected=wanted, seen=seen)
    return passed("the table of contents lists the headings", seen=seen)


def page(
    evidence: Evidence,
    *,
    file: HomePath,
    section: int | None = None,
    orientation: Literal["portrait", "landscape"] | None = None,
    width_mm: Num | None = None,
    height_mm: Num | None = None,
    left_mm: Num | None = None,
    right_mm: Num | None = None,
    top_mm: Num | None = None,
    bottom_mm: Num | None = None,
    columns: int | None = None,
) -> Finding:
    """The paper of every section (or of the section-th). Top and bottom are measured to the header and footer where there are any."""
    wanted = _given(locals(), "file", "section", "orientation")
    for one in _pages(evidence, file, section):
        seen = "landscape" if one.width_mm > one.height_mm else "portrait"
        if orientation is not None and seen != orientation:
            return failed(f"the page is {seen}, not {orientation}", expected=orientation, seen=seen)
        rounded = {name: round(getattr(one, name), 1) for name in vars(one) if name.endswith("_mm")}
        if trouble := first_trouble(wanted, _Rounded(one, rounded)):
            what = trouble[0].replace("_mm", "")
            return failed(f"the page's {what} is {trouble[2]}, not {trouble[1]}", expected=trouble[1], seen=trouble[2])
    return passed("the page is set up as expected")


def picture(
    evidence: Evidence,
    *,
    file: HomePath,
    shows: HomePath | None = None,
    alt: Txt | None = None,
    width_mm: Num | None = None,
    height_mm: Num | None = None,
    count: Num | None = None,
) -> Finding:
    """Pictures that show a picture file of the home, with an alternative text, of a size: at least one, or as many as `count` says."""
    pictures = _document(evidence, file).pictures
    given = evidence.read(shows) if shows is not None else b""
    found = [
        one for one in pictures
        if (alt is None or alt.holds(one.alt)) and (width_mm is None or width_mm.holds(round(one.width_mm, 1)))
        and (height_mm is None or height_mm.holds(round(one.height_mm, 1))) and (shows is None or alike(one.data, given, f"~/{shows}"))
    ]  # fmt: skip
    seen = [{"name": one.name, "alt": one.alt, "mm": [round(one.width_mm, 1), round(one.height_mm, 1)]} for one in pictures]
    return _counted(len(found), count, "such pictures", seen)


def note(evidence: Evidence, *, file: HomePath, text: Txt | None = None, count: Num | None = None) -> Finding:
    """Footnotes and endnotes with a text: at least one, or as many as `count` says."""
    notes = _document(evidence, file).notes
    return _counted(sum(1 for one in notes if text is None or text.holds(one)), count, "such notes", notes)


def link(evidence: Evidence, *, file: HomePath, text: str, address: Txt) -> Finding:
    """A phrase that leads to an address."""
    pieces = occurrences(_document(evidence, file).paragraphs, text)
    seen = sorted({look.link or "nowhere" for inside, _ in pieces for look in looks_of(inside)})
    right = bool(pieces) and any(
        all(address.holds((look.link or "").rstrip("/")) or address.holds(look.link) for look in looks_of(inside)) for inside, _ in pieces
    )
    return _say(right, f"the link of {text!r}", str(address), ", ".join(seen) or "none, for the text does not occur")


def bookmark(evidence: Evidence, *, file: HomePath, name: str) -> Finding:
    """A bookmark by name."""
    seen = _document(evidence, file).bookmarks
    return passed(f"there is a bookmark {name}", seen=seen) if name in seen else failed(f"there is no bookmark {name}", expected=name, seen=seen)


def unchanged(
    evidence: Evidence,
    *,
    file: HomePath,
    except_: Annotated[tuple[str, ...], Field(alias="except")] = (),
    formats: bool = True,
) -> Finding:
    """Every paragraph without an excepted phrase in it (before or now) is there as before, in its order; and as many pictures, tables, notes.

    `pictures`, `tables`, `notes`, `comments`, `pages`, `headers` and `footers` can be excepted too.
    """
    before = doc_reading.read(evidence.before(file), f"~/{file} at the start")
    wrong = differences(before, _document(evidence, file), set(except_), formats)
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return failed(f"{wrong[0]}{more}", seen=wrong[:20]) if wrong else passed(f"the rest of ~/{file} is as it was")


class _Rounded:
    """Something with some of its lengths rounded, so that a twip's difference between formats is none."""

    def __init__(self, thing: object, rounded: dict[str, float]) -> None:
        self._thing, self._rounded = thing, rounded

    def __getattr__(self, name: str) -> Any:
        return self._rounded[name] if name in self._rounded else getattr(self._thing, name)


def _document(evidence: Evidence, file: str) -> Document:
    return doc_reading.read(evidence.file(file, 128 << 20), f"~/{file}")


def _given(arguments: dict[str, Any], *others: str) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None and name not in ("evidence", *others)}


def _pages(evidence: Evidence, file: str, section: int | None) -> list[Page]:
    pages = _document(evidence, file).pages
    return pages if section is None else pages[section - 1 : section]


def _say(right: bool, what: str, expected: Any, seen: Any) -> Finding:
    if right:
        return passed(f"{what} is as expected", expected=expected, seen=seen)
    return failed(f"{what} is {str(seen)[:200]!r}, not {expected}", expected=expected, seen=seen)


def _counted(found: int, count: Any, what: str, seen: Any) -> Finding:
    if count is None:
        return passed(f"there are {what}", seen=seen) if found else failed(f"there are no {what}", seen=seen)
    return passed(f"there are {found} {what}", seen=seen) if count.holds(found) else failed(f"there are {found} {what}, not {count}", seen=seen)


def _cell_trouble(rows: list[list[str]], values: list[list[Any]]) -> str:
    for at, line in enumerate(values):
        for column, wanted in enumerate(line):
            seen = rows[at][column].strip() if at < len(rows) and column < len(rows[at]) else None
            if wanted is not None and not wanted.holds(seen):
                return f"has {seen!r} in row {at + 1}, column {column + 1}, not {wanted}"
    return ""


def _furniture(pages: list[Page], kind: str, text: Any, fields: list[str] | None) -> Finding:
    if not pages:
        return failed("there is no such section")
    for one in pages:
        said, marks = getattr(one, kind), getattr(one, f"{kind}_fields")
        if not (said or "").strip() and not marks:
            return failed(f"there is no {kind}")
        if text is not None and not text.holds(said):
            return failed(f"the {kind} says {said!r}, not {text}", expected=str(text), seen=said)
        missing = [name for name in fields or [] if name not in marks]
        if missing:
            return failed(f"the {kind} has no {', '.join(missing)} field", expected=fields, seen=marks)
    return passed(f"the {kind} is as expected", seen=getattr(pages[0], kind))
