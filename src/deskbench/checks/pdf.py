"""PDF documents.

    - pdf.pages: {file: ~/report.pdf, count: 3}
    - pdf.page: {file: ~/report.pdf, page: 1, width: 210, height: 297, unit: mm, text: {contains: Summary}, images: {at_least: 1}}
    - pdf.text: {file: ~/report.pdf, text: {contains: [Total, "1,250"], not: DRAFT}}
    - pdf.fonts: {file: ~/report.pdf, includes: [Liberation Serif], embedded: true}
    - pdf.metadata: {file: ~/report.pdf, title: Annual report, author: {contains: Ada}}
    - pdf.links: {file: ~/report.pdf, includes: [{contains: example.org}]}
    - pdf.outline: {file: ~/report.pdf, titles: [Introduction, Results]}
    - pdf.security: {file: ~/report.pdf, encrypted: false}

Pages count from 1, -1 is the last. Blanks and line ends in texts count as one blank, since a PDF has lines only where they are drawn. An empty or
damaged file, or one with a password that opening asks for, is not readable.
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from typing import TYPE_CHECKING, Any, Literal

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Number, Text, Txt
from deskbench.checks.svg_style import UNITS
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

LIMIT = 128 << 20
PAGES = 2_000
CONTENT = 8 << 20
SOME = Number.model_validate({"at_least": 1})


def pages(evidence: Evidence, *, file: HomePath, count: Num = SOME) -> Finding:
    """How many pages there are; at least one."""
    compared = Comparison(f"~/{file}")
    compared.number("number of pages", count, len(_pages(_open(evidence, file), file)))
    return compared.finding()


def page(
    evidence: Evidence,
    *,
    file: HomePath,
    page: int = 1,
    width: Num | None = None,
    height: Num | None = None,
    unit: Literal["pt", "mm", "cm", "in", "px"] = "mm",
    text: Txt | None = None,
    images: Num | None = None,
    turned: Literal[0, 90, 180, 270] | None = None,
) -> Finding:
    """One page: its size as it is shown, its text, its pictures. Nothing said: something is on it."""
    there = _pages(_open(evidence, file), file)
    index = page - 1 if page > 0 else page
    if not -len(there) <= index < len(there):
        return failed(f"~/{file} has {len(there)} pages, so none with the number {page}", expected=page, seen=len(there))
    one = there[index]
    compared = Comparison(f"page {page} of ~/{file}")
    sides, rotation = _size(one, file)
    inch = UNITS["pt"] / UNITS[unit]
    compared.number("width", width, sides[0] * inch, f" {unit}")
    compared.number("height", height, sides[1] * inch, f" {unit}")
    compared.text("text", text, _text(one, file) if text is not None else None)
    compared.number("number of pictures", images, len(_images(one, file)) if images is not None else None)
    compared.value("rotation", turned, rotation)
    if not compared.expected:
        compared.holds("content", "something", "nothing", bool(_text(one, file) or _images(one, file) or _content_size(one, file)))
    return compared.finding()


def text(evidence: Evidence, *, file: HomePath, text: Txt) -> Finding:
    """The text of all pages together."""
    seen = " ".join(_text(one, file) for one in _pages(_open(evidence, file), file))
    compared = Comparison(f"~/{file}")
    compared.holds("text", str(text), seen[:2000], Text.holds(text, seen))
    return compared.finding()


def fonts(evidence: Evidence, *, file: HomePath, includes: tuple[Txt, ...] = (), embedded: bool | None = None) -> Finding:
    """The fonts in use, by name (`LiberationSerif` and `Liberation Serif` are the same). Nothing said: there is one."""
    found: dict[str, bool] = {}
    for one in _pages(_open(evidence, file), file):
        found.update(_fonts(one, file))
    names = sorted(found)
    compared = Comparison(f"~/{file}")
    for wanted in includes:
        held = any(wanted.holds(name) or _same_font(wanted, name) for name in names)
        compared.holds("fonts", str(wanted), names, held)
    compared.value("embedding of all fonts", embedded, bool(found) and all(found.values()))
    if not includes and embedded is None:
        compared.holds("fonts", "some", names, bool(names))
    return compared.finding()


def metadata(
    evidence: Evidence,
    *,
    file: HomePath,
    title: Txt | None = None,
    author: Txt | None = None,
    subject: Txt | None = None,
    keywords: Txt | None = None,
    creator: Txt | None = None,
    producer: Txt | None = None,
) -> Finding:
    """What the document says of itself. Nothing said: it has a title."""
    seen = _parsed(lambda reader: {str(key): str(value) for key, value in (reader.metadata or {}).items()}, _open(evidence, file), file)
    wanted = {"Title": title, "Author": author, "Subject": subject, "Keywords": keywords, "Creator": creator, "Producer": producer}
    compared = Comparison(f"~/{file}")
    for name, expected in wanted.items():
        compared.text(name.lower(), expected, seen.get(f"/{name}"))
    if not compared.expected:
        compared.text("title", Text.model_validate({"matches": r"\S"}), seen.get("/Title"))
    return compared.finding()


def links(evidence: Evidence, *, file: HomePath, includes: tuple[Txt, ...] = ()) -> Finding:
    """Addresses that can be clicked on. Nothing said: there is one."""
    seen = [link for one in _pages(_open(evidence, file), file) for link in _links(one, file)]
    missing = [str(wanted) for wanted in includes if not any(wanted.holds(link) for link in seen)]
    if missing or not seen:
        return failed(
            f"~/{file} has no link that is {missing[0] if missing else 'anything'}", expected=[str(one) for one in includes], seen=seen[:50]
        )
    return passed(f"~/{file} has the expected links", seen=seen[:50])


def outline(evidence: Evidence, *, file: HomePath, titles: tuple[str, ...] = (), only: bool = False) -> Finding:
    """The bookmarks, in order; with `only` there are no others. Nothing said: there is one."""
    seen = _parsed(lambda reader: _titles(reader.outline), _open(evidence, file), file)
    kept = seen if only else [title for title in seen if title in titles]
    held = bool(seen) and (not titles or kept == list(titles))
    says = f"the bookmarks of ~/{file} are {', '.join(seen)[:300] or 'none'}" + ("" if held else f", not {', '.join(titles) or 'any'}")
    return (passed if held else failed)(says, expected=list(titles), seen=seen[:100])


def security(evidence: Evidence, *, file: HomePath, encrypted: bool, password: str | None = None) -> Finding:
    """Whether the document is encrypted, and opens with this password."""
    reader = _reader(evidence, file)
    if reader.is_encrypted != encrypted:
        return failed(f"~/{file} is {'' if reader.is_encrypted else 'not '}encrypted", expected=encrypted, seen=reader.is_encrypted)
    if password is not None and encrypted:
        opened = _parsed(lambda one: bool(one.decrypt(password)), reader, file)
        return (passed if opened else failed)(f"~/{file} {'opens' if opened else 'does not open'} with the password")
    return passed(f"~/{file} is {'' if encrypted else 'not '}encrypted")


def _reader(evidence: Evidence, file: str) -> PdfReader:
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    data = evidence.read(file, LIMIT)
    if b"%PDF-" not in data[:1024]:
        raise BadArtifact(f"~/{file} is not a PDF document")
    reader: PdfReader = _parsed(lambda _: pypdf.PdfReader(io.BytesIO(data)), None, file)
    return reader


def _open(evidence: Evidence, file: str) -> PdfReader:
    reader = _reader(evidence, file)
    if reader.is_encrypted and not _parsed(lambda one: bool(one.decrypt("")), reader, file):
        raise BadArtifact(f"~/{file} asks for a password")
    return reader


def _parsed(reading: Any, of: Any, file: str) -> Any:
    """One call into the library, which raises almost anything on a damaged document."""
    try:
        return reading(of)
    except Exception as error:
        raise BadArtifact(f"~/{file} is not a readable PDF document: {type(error).__name__}: {error}") from error


def _pages(reader: PdfReader, file: str) -> list[PageObject]:
    found: list[PageObject] = _parsed(lambda one: [one.pages[at] for at in range(min(len(one.pages), PAGES + 1))], reader, file)
    if len(found) > PAGES:
        raise BadArtifact(f"~/{file} has more than {PAGES} pages")
    return found


def _size(page: PageObject, file: str) -> tuple[tuple[float, float], int]:
    """Width and height in points as a viewer shows them, and the rotation that does it."""

    def measured(one: PageObject) -> tuple[tuple[float, float], int]:
        box, turned = one.cropbox, int(one.rotation or 0) % 360
        sides = float(box.width), float(box.height)
        return (sides[::-1] if turned in (90, 270) else sides), turned

    found: tuple[tuple[float, float], int] = _parsed(measured, page, file)
    return found


def _text(page: PageObject, file: str) -> str:
    if _content_size(page, file) > CONTENT:
        raise BadArtifact(f"~/{file} has a page that is drawn by more than {CONTENT / 1e6:.0f} MB of commands")
    said = str(_parsed(lambda one: one.extract_text(), page, file))
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", said)).strip()


def _images(page: PageObject, file: str) -> list[str]:
    found: list[str] = _parsed(lambda one: list(_named_images(one)), page, file)
    return found


def _named_images(page: Any) -> list[str]:
    """Pictures that the page's resources hold, within forms as well; pictures inline in the page are counted too."""
    found: list[str] = []
    waiting = [(page.get("/Resources"), 0)]
    while waiting:
        resources, depth = waiting.pop()
        objects = (resources.get_object() if resources is not None else {}).get("/XObject")
        for name, item in (objects.get_object() if objects is not None else {}).items():
            what = item.get_object()
            if what.get("/Subtype") == "/Image":
                found.append(str(name))
            elif what.get("/Subtype") == "/Form" and depth < 5 and len(waiting) < 200:
                waiting.append((what.get("/Resources"), depth + 1))
    return found


def _content_size(page: PageObject, file: str) -> int:
    return int(_parsed(lambda one: len(one.get_contents().get_data().strip()) if one.get_contents() is not None else 0, page, file))


def _fonts(page: PageObject, file: str) -> dict[str, bool]:
    def listed(one: Any) -> dict[str, bool]:
        found: dict[str, bool] = {}
        resources: Any = one.get("/Resources")
        held = resources.get_object().get("/Font") if resources is not None else None
        for font in (held.get_object() if held is not None else {}).values():
            font = font.get_object()
            inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
            described = inner.get("/FontDescriptor")
            keys = described.get_object().keys() if described is not None else ()
            embedded = any(key in keys for key in ("/FontFile", "/FontFile2", "/FontFile3")) or font.get("/Subtype") == "/Type3"
            found[re.sub(r"^/?(?:[A-Z]{6}\+)?", "", str(font.get("/BaseFont", "")))] = embedded
        return found

    fonts: dict[str, bool] = _parsed(listed, page, file)
    return fonts


def _same_font(wanted: Text, name: str) -> bool:
    def bare(text: str) -> str:
        return re.sub(r"[\s_-]", "", text).casefold()

    return wanted.is_ is not None and bare(name).startswith(bare(wanted.is_))


def _links(page: PageObject, file: str) -> list[str]:
    def listed(one: Any) -> list[str]:
        notes = one.get("/Annots")
        actions = [note.get_object().get("/A") for note in (notes.get_object() if notes is not None else [])]
        return [str(action.get_object()["/URI"]) for action in actions if action is not None and "/URI" in action.get_object()]

    found: list[str] = _parsed(listed, page, file)
    return found


def _titles(outline: Any, depth: int = 0) -> list[str]:
    found: list[str] = []
    for item in outline:
        found += (_titles(item, depth + 1) if depth < 20 else []) if isinstance(item, list) else [str(item.title)]
    return found
