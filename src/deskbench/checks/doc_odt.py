"""Reads odt into the nouns of `doc_reading`."""

from __future__ import annotations

import re
from pathlib import Path

from deskbench.checks import doc_reading as d
from deskbench.checks.odf import Node, Package, attribute, count, laid_over, millimetres, plain_text, points, q, rgb, short
from deskbench.core.faults import BadArtifact

_ALIGN = {"start": "left", "end": "right"}
_FIELDS = {
    "text:page-number": "page", "text:page-count": "pages", "text:date": "date", "text:time": "time", "text:author-name": "author",
    "text:title": "title", "text:file-name": "file", "text:sequence": "sequence", "text:bookmark-ref": "reference", "text:subject": "subject",
    "text:reference-ref": "reference", "text:sequence-ref": "reference", "text:initial-creator": "author", "text:creation-date": "date",
}  # fmt: skip
_GROUPS = ("text:section", "text:index-body", "text:index-title", "text:table-of-content", "text:list-item", "text:list-header")

_OPEN = 100
"""Comments or changes that may be open at one place: more is an attack on our time."""


def read(path: Path, what: str) -> d.Document:
    """A whole odt file."""
    package = Package(path, what)
    if short(package.body.tag) != "office:text":
        raise BadArtifact(f"{what} is an OpenDocument file but not a text document")
    return _Reader(package).document()


class _Reader:
    """One document: walks the body in reading order."""

    def __init__(self, package: Package) -> None:
        self.package, self.styles = package, package.styles
        self.made = d.Document()
        self.open_comments: dict[str, list[str]] = {}
        self.open_changes: dict[str, list[str]] = {}
        self.marked: dict[str, str] = {}
        self.page_names: list[str] = []

    def document(self) -> d.Document:
        self._blocks(self.package.body, "body", None, 0)
        self.made.comments = [d.Comment(comment.author, comment.text, self.marked.get(comment.on, "")) for comment in self.made.comments]
        for region in self.package.body.iter(q("text:changed-region")):
            self._change(region)
        self.made.pages = [page for name in dict.fromkeys(self.page_names or ["Standard"]) if (page := self._page(name)) is not None]
        return self.made

    def _change(self, region: Node) -> None:
        kind = next((node for node in region), None)
        identifier = attribute(region, "text:id") or region.get("{http://www.w3.org/XML/1998/namespace}id") or ""
        if kind is None:
            return
        author = next((node.text or "" for node in kind.iter(q("dc:creator"))), "")
        name = short(kind.tag).removeprefix("text:")
        removed = "\n".join(plain_text(node) for node in kind.iter(q("text:p"), q("text:h")))
        text = removed if name == "deletion" else self.marked.get(identifier, "")
        self.made.changes.append(d.Change(name, author, text))

    def _blocks(self, holder: Node, where: str, list_style: str | None, depth: int) -> list[d.Paragraph]:
        found: list[d.Paragraph] = []
        for node in holder:
            name = short(node.tag)
            if name in ("text:p", "text:h"):
                found.append(self._paragraph(node, where, list_style, depth))
                self.made.paragraphs.append(found[-1])
            elif name == "text:list":
                found += self._blocks(node, where, attribute(node, "text:style-name") or list_style, depth + 1)
            elif name == "table:table":
                self._table(node)
            elif name == "draw:frame":
                self._frame(node)
            elif name in _GROUPS:
                if name == "text:table-of-content":
                    self.made.fields.append("contents")
                inside = "contents" if name in ("text:table-of-content", "text:index-body", "text:index-title") else where
                found += self._blocks(node, inside, list_style, depth)
        return found

    def _table(self, node: Node) -> None:
        place = len(self.made.tables)
        made = d.Table([], [])
        self.made.tables.insert(place, made)
        for row in (row for row in node.iter(q("table:table-row")) if next(row.iterancestors(q("table:table"))) is node):
            cells = [cell for cell in row if short(cell.tag) == "table:table-cell"]
            made.rows.append(["\n".join(paragraph.text for paragraph in self._blocks(cell, "table", None, 0)) for cell in cells])
            made.fills.append([self._fill(cell) for cell in cells])
            made.header_rows += next(row.iterancestors()).tag == q("table:table-header-rows")

    def _fill(self, cell: Node) -> d.Rgb | None:
        return rgb(self.styles.properties("table-cell", attribute(cell, "table:style-name"), "table-cell").get("fo:background-color"))

    def _paragraph(self, node: Node, where: str, list_style: str | None, depth: int) -> d.Paragraph:
        name = attribute(node, "text:style-name")
        shape = self.styles.properties("paragraph", name, "paragraph")
        made = d.Paragraph(style=d.plain_style(self.styles.display_name("paragraph", name)), where=where)
        level = attribute(node, "text:outline-level")
        made.heading = int(level) if short(node.tag) == "text:h" and level and level.isdecimal() else None
        align = shape.get("fo:text-align", "left")
        made.align = _ALIGN.get(align, align)
        spacing = re.fullmatch(r"(\d{1,4}(?:\.\d+)?)%", shape.get("fo:line-height", ""))
        made.line_spacing = float(spacing[1]) / 100 if spacing else None
        made.before_pt, made.after_pt = (points(shape.get(f"fo:margin-{side}")) or 0.0 for side in ("top", "bottom"))
        made.left_mm, made.right_mm = (millimetres(shape.get(f"fo:margin-{side}")) or 0.0 for side in ("left", "right"))
        made.first_line_mm = millimetres(shape.get("fo:text-indent")) or 0.0
        made.page_break = shape.get("fo:break-before") == "page" or self._new_page(name, where)
        if depth and made.heading is None:
            made.listed, made.list_level = self._list_kind(list_style, name, depth), depth
        self._inline(node, made, self.styles.properties("paragraph", name, "text"), "", None)
        return made

    def _new_page(self, name: str | None, where: str) -> bool:
        if where not in ("body", "contents"):
            return False
        chain = self.styles.chain("paragraph", name)
        page = next((said for style in chain if (said := attribute(style, "style:master-page-name"))), None)
        first = not self.page_names
        if page or first:
            self.page_names.append(page or "Standard")
        return bool(page) and not first

    def _list_kind(self, list_style: str | None, paragraph: str | None, depth: int) -> str | None:
        own = next((said for style in self.styles.chain("paragraph", paragraph) if (said := attribute(style, "style:list-style-name"))), None)
        style = self.styles.lists.get(list_style or own or "")
        for level in style if style is not None else ():
            if attribute(level, "text:level") == str(depth):
                if short(level.tag) == "text:list-level-style-number":
                    return "number" if attribute(level, "style:num-format") else None
                return "bullet"
        return None

    def _inline(self, holder: Node, made: d.Paragraph, base: dict[str, str], named: str, link: str | None) -> None:
        self._say(holder.text or "", made, base, named, link)
        for node in holder:
            name = short(node.tag)
            if name == "text:span":
                style = attribute(node, "text:style-name")
                shown = self.styles.display_name("text", style) if ("text", style or "") in self.styles.by_name else ""
                own = self.styles.properties("text", style, "text")
                self._inline(node, made, laid_over(base, own), d.plain_style(shown) if shown not in ("", "Standard") else named, link)
            elif name == "text:a":
                own = self.styles.properties("text", attribute(node, "text:style-name"), "text")
                self._inline(node, made, laid_over(base, own), named, attribute(node, "xlink:href"))
            elif name == "text:s":
                self._say(" " * count(node, "text:c", 1000), made, base, named, link)
            elif name in ("text:tab", "text:line-break"):
                self._say("\t" if name == "text:tab" else "\n", made, base, named, link)
            elif name in _FIELDS:
                self.made.fields.append(_FIELDS[name])
                self._say(plain_text(node), made, base, named, link)
            elif not self._mark(node, name):
                self._inline(node, made, base, named, link)
            self._say(node.tail or "", made, base, named, link)

    def _mark(self, node: Node, name: str) -> bool:
        """What stands in a paragraph without being its text; False if it is something else."""
        if name == "office:annotation":
            text = "\n".join(plain_text(one) for one in node.iterfind(q("text:p")))
            key = attribute(node, "office:name") or f"comment {len(self.made.comments)}"
            creator = node.find(q("dc:creator"))
            self.made.comments.append(d.Comment((creator.text or "") if creator is not None else "", text, key))
            self._start(self.open_comments, key)
        elif name == "office:annotation-end":
            self._end(self.open_comments, attribute(node, "office:name") or "")
        elif name in ("text:change-start", "text:change-end"):
            mark = self._start if name == "text:change-start" else self._end
            mark(self.open_changes, attribute(node, "text:change-id") or "")
        elif name in ("text:bookmark", "text:bookmark-start"):
            if not (attribute(node, "text:name") or "_").startswith("_"):
                self.made.bookmarks.append(attribute(node, "text:name") or "")
        elif name == "text:note":
            self.made.notes += ["\n".join(plain_text(one) for one in body.iterfind(q("text:p"))) for body in node.iterfind(q("text:note-body"))]
        elif name == "draw:frame":
            self._frame(node)
        else:
            return name in ("text:change", "text:soft-page-break", "text:bookmark-end", "text:toc-mark", "text:ruby-text")
        return True

    def _start(self, opened: dict[str, list[str]], key: str) -> None:
        if len(opened) < _OPEN:
            opened[key] = []

    def _end(self, opened: dict[str, list[str]], key: str) -> None:
        self.marked[key] = "".join(opened.pop(key, []))

    def _frame(self, frame: Node) -> None:
        image = frame.find(q("draw:image"))
        if image is not None:
            alt = frame.find(q("svg:desc"))
            if alt is None:
                alt = frame.find(q("svg:title"))
            wide, high = (millimetres(attribute(frame, f"svg:{side}")) or 0.0 for side in ("width", "height"))
            data = self.package.data(attribute(image, "xlink:href") or "")
            self.made.pictures.append(d.Picture(attribute(frame, "draw:name") or "", (alt.text or "") if alt is not None else "", wide, high, data))
        for box in frame.iterfind(q("draw:text-box")):
            self._blocks(box, "body", None, 0)

    def _say(self, text: str, made: d.Paragraph, properties: dict[str, str], named: str, link: str | None) -> None:
        if not text:
            return
        made.runs.append(d.Run(text, self._look(properties, named, link)))
        for pieces in (*self.open_comments.values(), *self.open_changes.values()):
            pieces.append(text)

    def _look(self, text: dict[str, str], named: str, link: str | None) -> d.Look:
        raised = text.get("style:text-position", "")
        caps = "all" if text.get("fo:text-transform") == "uppercase" else "small" if text.get("fo:font-variant") == "small-caps" else "none"
        return d.Look(
            bold=text.get("fo:font-weight") in ("bold", "600", "700", "800", "900"),
            italic=text.get("fo:font-style") in ("italic", "oblique"),
            underline=text.get("style:text-underline-style", "none") != "none",
            strike=text.get("style:text-line-through-style", "none") != "none",
            size=points(text.get("fo:font-size")),
            font=self.styles.font(text),
            colour=rgb(text.get("fo:color")) if text.get("style:use-window-font-color") != "true" else None,
            highlight=rgb(text.get("fo:background-color")),
            position="sub" if raised.startswith(("sub", "-")) else "super" if re.match(r"super|[1-9]", raised) else "normal",
            caps=caps,
            style=named,
            link=link,
        )

    def _page(self, name: str) -> d.Page | None:
        root = self.package.xml("styles.xml")
        if root is None:
            return None
        master = next((node for node in root.iter(q("style:master-page")) if attribute(node, "style:name") == name), None)
        layouts = {attribute(node, "style:name"): node for node in root.iter(q("style:page-layout"))}
        layout = layouts.get(attribute(master, "style:page-layout-name")) if master is not None else None
        said = layout.find(q("style:page-layout-properties")) if layout is not None else None
        if master is None or said is None:
            return None
        width, height, left, right, top, bottom = (
            millimetres(attribute(said, f"fo:{part}")) or 0.0
            for part in ("page-width", "page-height", "margin-left", "margin-right", "margin-top", "margin-bottom")
        )
        page = d.Page(width, height, left, right, top, bottom)
        columns = said.find(q("style:columns"))
        page.columns = count(columns, "fo:column-count", 100) if columns is not None else 1
        page.header, page.header_fields = self._furniture(master.find(q("style:header")))
        page.footer, page.footer_fields = self._furniture(master.find(q("style:footer")))
        return page

    def _furniture(self, node: Node | None) -> tuple[str | None, list[str]]:
        if node is None or attribute(node, "style:display") == "false":
            return None, []
        reader = _Reader(self.package)
        reader.page_names = [""]
        found = reader._blocks(node, "header", None, 0)
        self.made.pictures += reader.made.pictures
        return "\n".join(paragraph.text for paragraph in found), reader.made.fields
