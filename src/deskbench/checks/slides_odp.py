"""Reads odp into the nouns of `slides_reading`."""

from __future__ import annotations

from pathlib import Path

from deskbench.checks.doc_reading import Look, Paragraph, Rgb, Run
from deskbench.checks.odf import Node, Package, attribute, count, laid_over, millimetres, plain_text, points, q, rgb, short
from deskbench.checks.slides_reading import Deck, Shape, Slide
from deskbench.core.faults import BadArtifact

_KINDS = {"title": "title", "subtitle": "subtitle", "outline": "body", "object": "body", "text": "body", "footer": "footer",
          "page-number": "number", "date-time": "date", "notes": "notes"}  # fmt: skip
_TRANSITIONS = {"barwipe": "wipe", "pushwipe": "push", "slidewipe": "cover", "barndoorwipe": "split", "randombarwipe": "randombar",
                "checkerboardwipe": "checker", "blindswipe": "blinds", "irisWipe": "zoom", "pinwheelwipe": "wheel"}  # fmt: skip
_LAYOUTS = {"0": "Title Slide", "1": "Title, Content", "3": "Title, 2 Content", "19": "Title Only", "20": "Blank Slide", "32": "Centered Text"}
"""Impress numbers its layouts; these are the names it gives them when it writes pptx."""
_SHAPES = (
    "draw:rect",
    "draw:ellipse",
    "draw:circle",
    "draw:custom-shape",
    "draw:line",
    "draw:connector",
    "draw:polygon",
    "draw:path",
    "draw:polyline",
)


def read(path: Path, what: str) -> Deck:
    """A whole odp file."""
    package = Package(path, what)
    if short(package.body.tag) != "office:presentation":
        raise BadArtifact(f"{what} is an OpenDocument file but not a presentation")
    reader = _Reader(package)
    pages = list(package.body.iterfind(q("draw:page")))
    width, height = reader.size(pages[0]) if pages else (0.0, 0.0)
    return Deck(width, height, [reader.slide(node) for node in pages])


class _Reader:
    def __init__(self, package: Package) -> None:
        self.package, self.styles = package, package.styles
        self.root = package.xml("styles.xml")
        self.masters = {attribute(node, "style:name"): node for node in (self.root.iter(q("style:master-page")) if self.root is not None else ())}

    def size(self, page: Node) -> tuple[float, float]:
        master = self.masters.get(attribute(page, "draw:master-page-name"))
        layouts = {attribute(node, "style:name"): node for node in (self.root.iter(q("style:page-layout")) if self.root is not None else ())}
        layout = layouts.get(attribute(master, "style:page-layout-name")) if master is not None else None
        said = layout.find(q("style:page-layout-properties")) if layout is not None else None
        if said is None:
            return 0.0, 0.0
        return millimetres(attribute(said, "fo:page-width")) or 0.0, millimetres(attribute(said, "fo:page-height")) or 0.0

    def slide(self, page: Node) -> Slide:
        drawn = self.styles.properties("drawing-page", attribute(page, "draw:style-name"), "drawing-page")
        made = Slide(hidden=drawn.get("presentation:visibility") == "hidden")
        for node in page:
            made.shapes += self._shapes(node)
        notes = page.find(q("presentation:notes"))
        if notes is not None:
            frames = [node for node in notes.iter(q("draw:frame")) if attribute(node, "presentation:class") == "notes"]
            made.notes = "\n".join(plain_text(line) for frame in frames for line in frame.iter(q("text:p")))
        made.master = attribute(page, "draw:master-page-name") or ""
        layout = attribute(page, "presentation:presentation-page-layout-name") or ""
        made.layout = _LAYOUTS.get(layout.rpartition("T")[2], layout)
        made.background = self._background(drawn)
        if made.background is None and drawn.get("draw:fill") is None:
            master = self.masters.get(made.master)
            made.background = self._background(
                self.styles.properties("drawing-page", attribute(master, "draw:style-name") if master is not None else None, "drawing-page")
            )
        kind = drawn.get("smil:type", "").casefold()
        made.transition = _TRANSITIONS.get(kind, kind) or None
        targets = (attribute(node, "smil:targetElement") for node in page.iter() if isinstance(node.tag, str))
        made.animations = len({target for target in targets if target})
        return made

    def _background(self, drawn: dict[str, str]) -> Rgb | str | None:
        fill = drawn.get("draw:fill")
        if fill in (None, "none"):
            return None
        if fill == "solid":
            return rgb(drawn.get("draw:fill-color")) or "other"
        return "picture" if fill == "bitmap" else "other"

    def _shapes(self, node: Node) -> list[Shape]:
        name = short(node.tag)
        if name == "draw:g":
            return [shape for child in node for shape in self._shapes(child)]
        if name != "draw:frame" and name not in _SHAPES:
            return []
        if attribute(node, "presentation:placeholder") == "true":
            return []
        alt = next((found for found in (node.find(q("svg:desc")), node.find(q("svg:title"))) if found is not None), None)
        made = Shape(self._kind(node, name), attribute(node, "draw:name") or "", alt=(alt.text or "") if alt is not None else "")
        made.left_mm, made.top_mm, made.width_mm, made.height_mm = (
            millimetres(attribute(node, f"svg:{side}")) or 0.0 for side in ("x", "y", "width", "height")
        )
        family = "presentation" if attribute(node, "presentation:style-name") else "graphic"
        style = attribute(node, f"{'presentation' if family == 'presentation' else 'draw'}:style-name")
        drawn = self.styles.properties(family, style, "graphic")
        made.fill = rgb(drawn.get("draw:fill-color")) if drawn.get("draw:fill", "solid") == "solid" and made.kind != "picture" else None
        self._content(node, made, family, style)
        return [made]

    def _content(self, node: Node, made: Shape, family: str, style: str | None) -> None:
        table, image = node.find(q("table:table")), node.find(q("draw:image"))
        if table is not None:
            cells = [[cell for cell in row if short(cell.tag) == "table:table-cell"] for row in table.iter(q("table:table-row"))]
            made.rows = [["\n".join(plain_text(line) for line in cell.iter(q("text:p"))) for cell in row] for row in cells]
        elif image is not None:
            made.data = self.package.data((attribute(image, "xlink:href") or "").removeprefix("./"))
        else:
            box = node.find(q("draw:text-box"))
            base, shape = self.styles.properties(family, style, "text"), self.styles.properties(family, style, "paragraph")
            self._paragraphs(box if box is not None else node, made, base, shape, 0)

    def _kind(self, node: Node, name: str) -> str:
        if node.find(q("table:table")) is not None:
            return "table"
        href = next((attribute(one, "xlink:href") or "" for one in node.iterfind(q("draw:object"))), None)
        if href is not None:
            return "chart"
        if node.find(q("draw:image")) is not None:
            return "picture"
        said = attribute(node, "presentation:class")
        if said is not None:
            return _KINDS.get(said, "body")
        if name in ("draw:line", "draw:connector"):
            return "line"
        return "text" if name == "draw:frame" else "shape"

    def _paragraphs(self, holder: Node, made: Shape, base: dict[str, str], shape: dict[str, str], depth: int) -> None:
        for node in holder:
            name = short(node.tag)
            if name in ("text:list", "text:list-item", "text:list-header"):
                self._paragraphs(node, made, base, shape, depth + (name == "text:list"))
            elif name in ("text:p", "text:h"):
                own = attribute(node, "text:style-name")
                look = laid_over(base, self.styles.properties("paragraph", own, "text") if own else {})
                align = (self.styles.properties("paragraph", own, "paragraph") if own else {}).get("fo:text-align") or shape.get(
                    "fo:text-align", "left"
                )
                paragraph = Paragraph(align={"start": "left", "end": "right"}.get(align, align), list_level=max(1, depth))
                paragraph.listed = "bullet" if depth else None
                self._inline(node, paragraph, look, None)
                made.paragraphs.append(paragraph)

    def _inline(self, holder: Node, made: Paragraph, base: dict[str, str], link: str | None) -> None:
        def say(text: str | None) -> None:
            if text:
                made.runs.append(Run(text, self._look(base, link)))

        say(holder.text)
        for node in holder:
            name = short(node.tag)
            if name == "text:s":
                say(" " * count(node, "text:c", 1000))
            elif name in ("text:tab", "text:line-break"):
                say("\t" if name == "text:tab" else "\n")
            elif name != "office:annotation":
                own = self.styles.properties("text", attribute(node, "text:style-name"), "text") if attribute(node, "text:style-name") else {}
                self._inline(node, made, laid_over(base, own), attribute(node, "xlink:href") or link)
            say(node.tail)

    def _look(self, text: dict[str, str], link: str | None) -> Look:
        raised = text.get("style:text-position", "")
        return Look(
            bold=text.get("fo:font-weight") in ("bold", "600", "700", "800", "900"),
            italic=text.get("fo:font-style") in ("italic", "oblique"),
            underline=text.get("style:text-underline-style", "none") != "none",
            strike=text.get("style:text-line-through-style", "none") != "none",
            size=points(text.get("fo:font-size")),
            font=self.styles.font(text),
            colour=rgb(text.get("fo:color")) if text.get("style:use-window-font-color") != "true" else None,
            position="sub" if raised.startswith(("sub", "-")) else "super" if raised[:1] in "s123456789" and raised else "normal",
            link=link,
        )
