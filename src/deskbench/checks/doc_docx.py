"""Reads docx into the nouns of `doc_reading`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from deskbench.checks import doc_reading as d
from deskbench.checks.ooxml import EMU_PER_MM, Node, Package, Rgb, all_of, find, get, local, number, on, rgb, value
from deskbench.core.faults import BadArtifact

_MM_PER_TWIP = 25.4 / 1440
_ALIGN = {"both": "justify", "distribute": "justify", "start": "left", "end": "right"}
_FIELDS = {"PAGE": "page", "NUMPAGES": "pages", "TOC": "contents", "FILENAME": "file", "SEQ": "sequence", "REF": "reference", "PAGEREF": "reference"}
_HIGHLIGHTS = {"yellow": "FFFF00", "green": "00FF00", "cyan": "00FFFF", "magenta": "FF00FF", "blue": "0000FF", "red": "FF0000", "black": "000000",
               "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000", "darkMagenta": "800080", "darkRed": "800000",
               "darkYellow": "808000", "darkGray": "808080", "lightGray": "C0C0C0", "white": "FFFFFF"}  # fmt: skip

_OPEN = 100
"""Comments that may be open at one place, and below it sections whose pages are read: more is an attack on our time."""
_SECTIONS = 200


def read(path: Path, what: str) -> d.Document:
    """A whole docx file."""
    package = Package(path, what)
    root = package.xml(package.main)
    body = find(root, "body")
    if local(root) != "document" or body is None:
        raise BadArtifact(f"{what} is an Office file but not a text document")
    return _Reader(package).document(body)


class _Styles:
    """Style chains, nearest first, and the document's defaults."""

    def __init__(self, package: Package) -> None:
        part = next(iter(package.related(package.main, "styles")), None)
        root = package.xml(part) if part else None
        self.by_id = {get(node, "styleId") or "": node for node in all_of(root, "style")}
        defaults = [key for key, node in self.by_id.items() if get(node, "type") == "paragraph" and get(node, "default") in ("1", "true")]
        self.default = defaults[0] if defaults else None
        self.run, self.paragraph = find(root, "docDefaults/rPrDefault/rPr"), find(root, "docDefaults/pPrDefault/pPr")

    def chain(self, identifier: str | None) -> list[Node]:
        found: list[Node] = []
        while identifier in self.by_id and len(found) < 40:
            found.append(self.by_id[identifier])
            identifier = value(found[-1], "basedOn")
        return found

    def name(self, identifier: str | None) -> str:
        node = self.by_id.get(identifier or "")
        return d.plain_style(value(node, "name") or identifier or "default")


class _Reader:
    """One document: walks the body in reading order."""

    def __init__(self, package: Package) -> None:
        self.package, self.styles = package, _Styles(package)
        self.theme = package.theme_of(package.main)
        self.relations = package.relations(package.main)
        self.numbering = self._numbering()
        self.made = d.Document()
        self.open_comments: dict[str, list[str]] = {}
        self.commented: dict[str, str] = {}
        self.field_depth: list[str] = []
        self.in_contents = 0
        self.break_pending = False

    def document(self, body: Node) -> d.Document:
        self._blocks(body, "body")
        for part in self.package.related(self.package.main, "comments"):
            for node in all_of(self.package.xml(part), "comment"):
                text = "\n".join(_text(paragraph) for paragraph in all_of(node, "p"))
                self.made.comments.append(d.Comment(get(node, "author") or "", text, self.commented.get(get(node, "id") or "", "")))
        for kind in ("footnotes", "endnotes"):
            for part in self.package.related(self.package.main, kind):
                notes = [node for node in self.package.xml(part) if get(node, "type") in (None, "normal")]
                self.made.notes += ["\n".join(_text(paragraph) for paragraph in all_of(node, "p")).strip() for node in notes]
        sections = [node for node in body.iter() if local(node) == "sectPr" and local_parent(node) in ("body", "pPr")]
        self.made.pages = [self._page(node) for node in sections[:_SECTIONS]]
        return self.made

    def _blocks(self, holder: Node, where: str) -> list[d.Paragraph]:
        found: list[d.Paragraph] = []
        for node in holder:
            name = local(node)
            if name == "p":
                found.append(self._paragraph(node, where))
                self.made.paragraphs.append(found[-1])
            elif name == "tbl":
                self._table(node)
            elif name in ("sdt", "sdtContent", "ins", "smartTag", "customXml"):
                gallery = value(node, "sdtPr/docPartObj/docPartGallery")
                self.in_contents += gallery == "Table of Contents"
                found += self._blocks(node, where)
                self.in_contents -= gallery == "Table of Contents"
        return found

    def _table(self, node: Node) -> None:
        rows: list[list[str]] = []
        fills: list[list[Rgb | None]] = []
        place = len(self.made.tables)
        for row in all_of(node, "tr"):
            cells = all_of(row, "tc")
            rows.append(["\n".join(paragraph.text for paragraph in self._blocks(cell, "table")) for cell in cells])
            fills.append([rgb(get(find(cell, "tcPr/shd"), "fill")) for cell in cells])
        headers = sum(1 for row in all_of(node, "tr") if on(find(row, "trPr/tblHeader")))
        self.made.tables.insert(place, d.Table(rows, fills, headers))

    def _paragraph(self, node: Node, where: str) -> d.Paragraph:
        own = find(node, "pPr")
        identifier = value(own, "pStyle") or self.styles.default
        chain = self.styles.chain(identifier)
        made = self._shape(own, chain)
        made.style = self.styles.name(identifier)
        outline = next((said for holder in (own, *[find(style, "pPr") for style in chain]) if (said := value(holder, "outlineLvl"))), None)
        heading = re.fullmatch(r"heading (\d)", made.style)
        made.heading = int(heading[1]) if heading else int(outline) + 1 if outline and outline.isdecimal() and int(outline) < 9 else None
        made.listed, made.list_level = self._listed(own, chain)
        base = [self.styles.run, *[find(style, "rPr") for style in reversed(chain)]]
        self.break_pending, broken = False, self.break_pending
        contents_before = self.in_contents or "TOC" in self.field_depth
        self._inline(node, made, [part for part in base if part is not None], None)
        made.page_break = made.page_break or broken
        made.where = "contents" if contents_before or (self.in_contents or "TOC" in self.field_depth) else where
        return made

    def _inline(self, holder: Node, made: d.Paragraph, base: list[Node], link: str | None) -> None:
        for node in holder:
            name = local(node)
            if name == "r":
                self._run(node, made, base, link)
            elif name == "hyperlink":
                relation = self.relations.get(get(node, "id") or "")
                self._inline(node, made, base, relation.target if relation else f"#{get(node, 'anchor') or ''}")
            elif name in ("ins", "moveTo"):
                start = len(made.runs)
                self._inline(node, made, base, link)
                added = "".join(run.text for run in made.runs[start:])
                self.made.changes.append(d.Change("insertion", get(node, "author") or "", added))
            elif name in ("del", "moveFrom"):
                self.made.changes.append(d.Change("deletion", get(node, "author") or "", _text(node)))
            elif name == "fldSimple":
                self._field(get(node, "instr") or "")
                self._inline(node, made, base, link)
            elif name == "commentRangeStart":
                self.open_comments.setdefault(get(node, "id") or "", []) if len(self.open_comments) < _OPEN else None
            elif name == "commentRangeEnd":
                key = get(node, "id") or ""
                self.commented[key] = "".join(self.open_comments.pop(key, []))
            elif name == "bookmarkStart" and not (get(node, "name") or "_").startswith("_"):
                self.made.bookmarks.append(get(node, "name") or "")
            elif name in ("sdt", "sdtContent", "smartTag", "customXml"):
                self._inline(node, made, base, link)

    def _run(self, node: Node, made: d.Paragraph, base: list[Node], link: str | None) -> None:
        text = ""
        for part in node:
            name = local(part)
            text += {"t": part.text or "", "tab": "\t", "cr": "\n", "noBreakHyphen": "-"}.get(name, "")
            if name == "br" and get(part, "type") == "page":
                made.page_break, self.break_pending = made.page_break or not (made.runs or text), bool(made.runs or text)
            elif name == "br":
                text += "\n"
            elif name == "instrText":
                self._field(part.text or "")
            elif name == "fldChar":
                self._field_mark(get(part, "fldCharType") or "")
            elif name in ("drawing", "AlternateContent"):
                self._pictures(part)
        if text:
            made.runs.append(d.Run(text, self._look(base, find(node, "rPr"), link)))
            for pieces in self.open_comments.values():
                pieces.append(text)

    def _field_mark(self, kind: str) -> None:
        if kind == "begin":
            self.field_depth.append("")
        elif kind == "end" and self.field_depth:
            self.field_depth.pop()

    def _field(self, instruction: str) -> None:
        name = (instruction.split() or [""])[0].upper()
        if name:
            self.made.fields.append(_FIELDS.get(name, name.casefold()))
            if self.field_depth:
                self.field_depth[-1] = name

    def _pictures(self, node: Node) -> None:
        for frame in (one for one in node.iter() if local(one) in ("inline", "anchor")):
            if any(local(above) == "Fallback" for above in frame.iterancestors()):
                continue
            blip = next((one for one in frame.iter() if local(one) == "blip"), None)
            relation = self.relations.get(get(blip, "embed") or "")
            if blip is not None:
                told, extent = find(frame, "docPr"), find(frame, "extent")
                wide, high = ((number(get(extent, side)) or 0) / EMU_PER_MM for side in ("cx", "cy"))
                data = self.package.data(relation.target) if relation else None
                self.made.pictures.append(d.Picture(get(told, "name") or "", get(told, "descr") or "", wide, high, data))

    def _look(self, base: list[Node], own: Node | None, link: str | None) -> d.Look:
        named = value(own, "rStyle")
        chain = [part for style in reversed(self.styles.chain(named)) if (part := find(style, "rPr")) is not None]
        look = d.Look(style=self.styles.name(named) if named else "", link=link)
        for properties in [*base, *chain, *([own] if own is not None else [])]:
            look = self._applied(look, properties)
        return look

    def _applied(self, look: d.Look, node: Node) -> d.Look:
        changes: dict[str, object] = {}
        for name, tag in (("bold", "b"), ("italic", "i"), ("underline", "u"), ("strike", "strike")):
            if (said := on(find(node, tag))) is not None:
                changes[name] = said
        if (size := number(value(node, "sz"))) is not None:
            changes["size"] = size / 2
        if (font := get(find(node, "rFonts"), "ascii")) is not None:
            changes["font"] = font
        colour = find(node, "color")
        if colour is not None:
            changes["colour"] = rgb(get(colour, "val"))
        if (marked := value(node, "highlight")) is not None:
            changes["highlight"] = rgb(_HIGHLIGHTS.get(marked))
        elif (shade := get(find(node, "shd"), "fill")) is not None:
            changes["highlight"] = rgb(shade)
        if (position := value(node, "vertAlign")) is not None:
            changes["position"] = {"superscript": "super", "subscript": "sub"}.get(position, "normal")
        for name in ("caps", "smallCaps"):
            if (said := on(find(node, name))) is not None:
                changes["caps"] = name.removesuffix("Caps") if said else "none"
        return replace(look, **changes)  # type: ignore[arg-type]

    def _shape(self, own: Node | None, chain: list[Node]) -> d.Paragraph:
        made = d.Paragraph()
        layers = [self.styles.paragraph, *[find(style, "pPr") for style in reversed(chain)], own]
        for layer in (layer for layer in layers if layer is not None):
            if (align := value(layer, "jc")) is not None:
                made.align = _ALIGN.get(align, align)
            spacing, indent = find(layer, "spacing"), find(layer, "ind")
            if (line := number(get(spacing, "line"))) is not None:
                made.line_spacing = line / 240 if get(spacing, "lineRule") in (None, "auto") else None
            made.before_pt = _of(spacing, "before", 1 / 20, made.before_pt)
            made.after_pt = _of(spacing, "after", 1 / 20, made.after_pt)
            made.left_mm = _of(indent, "left", _MM_PER_TWIP, _of(indent, "start", _MM_PER_TWIP, made.left_mm))
            made.right_mm = _of(indent, "right", _MM_PER_TWIP, _of(indent, "end", _MM_PER_TWIP, made.right_mm))
            made.first_line_mm = _of(indent, "firstLine", _MM_PER_TWIP, made.first_line_mm)
            made.first_line_mm = _of(indent, "hanging", -_MM_PER_TWIP, made.first_line_mm) or 0.0
            if (breaks := on(find(layer, "pageBreakBefore"))) is not None:
                made.page_break = breaks
        return made

    def _numbering(self) -> dict[str, dict[str, str]]:
        part = next(iter(self.package.related(self.package.main, "numbering")), None)
        root = self.package.xml(part) if part else None
        abstract = {get(node, "abstractNumId"): {get(level, "ilvl") or "0": value(level, "numFmt") or "decimal" for level in all_of(node, "lvl")}
                    for node in all_of(root, "abstractNum")}  # fmt: skip
        return {get(node, "numId") or "": abstract.get(value(node, "abstractNumId"), {}) for node in all_of(root, "num")}

    def _listed(self, own: Node | None, chain: list[Node]) -> tuple[str | None, int]:
        for holder in (own, *[find(style, "pPr") for style in chain]):
            identifier = value(holder, "numPr/numId")
            if identifier is not None:
                level = value(holder, "numPr/ilvl") or "0"
                form = self.numbering.get(identifier, {}).get(level, "none")
                kind = None if form == "none" else "bullet" if form == "bullet" else "number"
                return kind, int(number(level) or 0) + 1 if kind else 0
        return None, 0

    def _page(self, node: Node) -> d.Page:
        size, margin = find(node, "pgSz"), find(node, "pgMar")
        page = d.Page(
            _of(size, "w", _MM_PER_TWIP), _of(size, "h", _MM_PER_TWIP), _of(margin, "left", _MM_PER_TWIP), _of(margin, "right", _MM_PER_TWIP)
        )
        page.columns = int(number(get(find(node, "cols"), "num")) or 1)
        page.header, page.header_fields = self._furniture(node, "headerReference")
        page.footer, page.footer_fields = self._furniture(node, "footerReference")
        # With a header, the distance that a person sets is the one from the paper's edge to the header.
        page.top_mm = _of(margin, "top" if page.header is None else "header", _MM_PER_TWIP)
        page.bottom_mm = _of(margin, "bottom" if page.footer is None else "footer", _MM_PER_TWIP)
        return page

    def _furniture(self, section: Node, kind: str) -> tuple[str | None, list[str]]:
        references = sorted(all_of(section, kind), key=lambda node: get(node, "type") != "default")
        relation = self.relations.get(get(references[0], "id") or "") if references else None
        if relation is None:
            return None, []
        reader = _Reader(self.package)
        reader.relations = self.package.relations(relation.target)
        found = reader._blocks(self.package.xml(relation.target), "header")
        self.made.pictures += reader.made.pictures
        return "\n".join(paragraph.text for paragraph in found), reader.made.fields


def local_parent(node: Node) -> str:
    parent = node.getparent()
    return local(parent) if parent is not None else ""


def _text(node: Node) -> str:
    return "".join((part.text or "") if local(part) in ("t", "delText") else "\t" if local(part) == "tab" else "" for part in node.iter())


def _of(node: Node | None, name: str, scale: float, otherwise: float = 0.0) -> float:
    said = number(get(node, name))
    return otherwise if said is None else said * scale
