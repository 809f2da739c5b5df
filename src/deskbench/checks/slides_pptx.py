"""Reads pptx into the nouns of `slides_reading`: what a slide leaves unsaid comes from its layout and master."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from deskbench.checks.doc_reading import Look, Paragraph, Run
from deskbench.checks.ooxml import EMU_PER_MM, Node, Package, Relation, Rgb, all_of, drawing_colour, find, get, local, number
from deskbench.checks.slides_reading import Deck, Shape, Slide
from deskbench.core.faults import BadArtifact

_KINDS = {
    "title": "title",
    "ctrTitle": "title",
    "subTitle": "subtitle",
    "body": "body",
    "obj": "body",
    "dt": "date",
    "ftr": "footer",
    "sldNum": "number",
}
_ALIGN = {"l": "left", "ctr": "center", "r": "right", "just": "justify", "dist": "justify"}
_TRANSITIONS = {"pull": "uncover"}

_SLIDES = 1_000
"""Slides that are read; one part may be named as a slide any number of times."""


def read(path: Path, what: str) -> Deck:
    """A whole pptx file."""
    package = Package(path, what)
    root = package.xml(package.main)
    if local(root) != "presentation":
        raise BadArtifact(f"{what} is an Office file but not a presentation")
    size = find(root, "sldSz")
    relations = package.relations(package.main)
    parts = [relations.get(_relation_id(node)) for node in all_of(root, "sldIdLst/sldId")[:_SLIDES]]
    slides = [_Reader(package, part.target).slide() for part in parts if part is not None and part.target in package.members]
    return Deck((number(get(size, "cx")) or 0) / EMU_PER_MM, (number(get(size, "cy")) or 0) / EMU_PER_MM, slides)


def _relation_id(node: Node) -> str:
    return next((str(value) for key, value in node.attrib.items() if str(key).endswith("}id")), "")


class _Reader:
    """One slide with the layout and the master below it."""

    def __init__(self, package: Package, part: str) -> None:
        self.package, self.part = package, part
        self.relations: dict[str, Relation] = package.relations(part)
        layout = next(iter(package.related(part, "slideLayout")), None)
        master = next(iter(package.related(layout, "slideMaster")), None) if layout else None
        self.layout = package.xml(layout) if layout else None
        self.master = package.xml(master) if master else None
        self.theme = package.theme_of(master) if master else package.theme_of(package.main)

    def slide(self) -> Slide:
        root = self.package.xml(self.part)
        made = Slide(hidden=get(root, "show") in ("0", "false"))
        tree = find(root, "cSld/spTree")
        for node in tree if tree is not None else ():
            made.shapes += self._shapes(node, (1.0, 1.0, 0.0, 0.0))
        for part in self.package.related(self.part, "notesSlide"):
            made.notes = _notes(self.package.xml(part))
        made.background = next((said for holder in (root, self.layout, self.master) if (said := self._background(holder)) is not None), None)
        made.transition = _transition(root)
        made.layout, made.master = get(find(self.layout, "cSld"), "name") or "", get(find(self.master, "cSld"), "name") or ""
        made.animations = len({get(node, "spid") for node in root.iter() if local(node) == "spTgt"})
        return made

    def _background(self, holder: Node | None) -> Rgb | str | None:
        properties = find(holder, "cSld/bg/bgPr")
        if properties is None:
            reference = find(holder, "cSld/bg/bgRef")
            return drawing_colour(reference, self.theme) if reference is not None else None
        solid = find(properties, "solidFill")
        if solid is not None:
            return drawing_colour(solid, self.theme) or "other"
        if find(properties, "noFill") is not None:
            return None
        return "picture" if find(properties, "blipFill") is not None else "other"

    def _shapes(self, node: Node, frame: tuple[float, float, float, float]) -> list[Shape]:
        name = local(node)
        if name == "grpSp":
            inner = _group_frame(node, frame)
            return [shape for child in node for shape in self._shapes(child, inner)]
        if name == "AlternateContent":
            return [shape for child in all_of(node, "Choice/*")[:50] for shape in self._shapes(child, frame)]
        if name not in ("sp", "pic", "graphicFrame", "cxnSp"):
            return []
        told = next((one for one in node.iter() if local(one) == "cNvPr"), None)
        made = Shape(self._kind(node, name), get(told, "name") or "", alt=get(told, "descr") or "")
        self._place(node, made, frame)
        made.fill = drawing_colour(find(node, "spPr/solidFill"), self.theme)
        made.paragraphs = [self._paragraph(paragraph, node) for paragraph in all_of(node, "txBody/p")]
        if name == "pic":
            relation = self.relations.get(get(find(node, "blipFill/blip"), "embed") or "")
            made.data = self.package.data(relation.target) if relation and not relation.external else None
        made.rows = [[_plain(cell) for cell in all_of(row, "tc")] for row in all_of(node, "graphic/graphicData/tbl/tr")]
        return [made]

    def _kind(self, node: Node, name: str) -> str:
        if name == "pic":
            return "picture"
        if name == "cxnSp":
            return "line"
        if name == "graphicFrame":
            inner = find(node, "graphic/graphicData/*")
            return {"tbl": "table", "chart": "chart"}.get(local(inner) if inner is not None else "", "shape")
        holder = find(node, "nvSpPr/nvPr/ph")
        if holder is not None:
            return _KINDS.get(get(holder, "type") or "obj", "body")
        return "text" if get(find(node, "nvSpPr/cNvSpPr"), "txBox") in ("1", "true") else "shape"

    def _below(self, node: Node) -> list[Node]:
        """The placeholders that a placeholder inherits from, nearest first."""
        holder = find(node, "nvSpPr/nvPr/ph")
        if holder is None:
            return []
        found = []
        for root in (self.layout, self.master):
            candidates = [one for one in all_of(root, "cSld/spTree/sp") if find(one, "nvSpPr/nvPr/ph") is not None]
            same = [one for one in candidates if get(find(one, "nvSpPr/nvPr/ph"), "idx") == get(holder, "idx") and get(holder, "idx") is not None]
            kind = self._kind(node, "sp")
            same = same or [one for one in candidates if self._kind(one, "sp") == kind]
            found += same[:1]
        return found

    def _place(self, node: Node, made: Shape, frame: tuple[float, float, float, float]) -> None:
        for holder in (node, *self._below(node)):
            place = find(holder, "spPr/xfrm")
            place = place if place is not None else find(holder, "xfrm")
            offset, extent = find(place, "off"), find(place, "ext")
            if offset is not None and extent is not None:
                wide, high, left, top = frame
                made.left_mm = ((number(get(offset, "x")) or 0) * wide + left) / EMU_PER_MM
                made.top_mm = ((number(get(offset, "y")) or 0) * high + top) / EMU_PER_MM
                made.width_mm = (number(get(extent, "cx")) or 0) * wide / EMU_PER_MM
                made.height_mm = (number(get(extent, "cy")) or 0) * high / EMU_PER_MM
                return

    def _paragraph(self, node: Node, shape: Node) -> Paragraph:
        own = find(node, "pPr")
        level = int(number(get(own, "lvl")) or 0)
        layers = self._level_styles(shape, level)
        made = Paragraph(list_level=level + 1)
        for layer in (*layers, *([own] if own is not None else [])):
            made.align = _ALIGN.get(get(layer, "algn") or "", made.align)
            for child in layer:
                if local(child) in ("buNone", "buChar", "buAutoNum"):
                    made.listed = {"buNone": None, "buChar": "bullet", "buAutoNum": "number"}[local(child)]
        base = Look()
        for defaults in (find(layer, "defRPr") for layer in layers):
            base = self._applied(base, defaults)
        for part in node:
            if local(part) in ("r", "fld"):
                text = find(part, "t")
                made.runs.append(Run((text.text or "") if text is not None else "", self._applied(base, find(part, "rPr"))))
            elif local(part) == "br":
                made.runs.append(Run("\n", base))
        return made

    def _level_styles(self, shape: Node, level: int) -> list[Node]:
        """The paragraph properties of a level, furthest first: the master's text styles, then each placeholder's, then the shape's own."""
        kind = self._kind(shape, local(shape)) if local(shape) == "sp" else "shape"
        general = {"title": "titleStyle", "body": "bodyStyle", "subtitle": "bodyStyle"}.get(kind, "otherStyle")
        tag = f"lvl{min(level, 8) + 1}pPr"
        found = [find(self.master, f"txStyles/{general}/{tag}")]
        found += [find(holder, f"txBody/lstStyle/{tag}") for holder in (*reversed(self._below(shape)), shape)]
        return [node for node in found if node is not None]

    def _applied(self, look: Look, node: Node | None) -> Look:
        if node is None:
            return look
        changes: dict[str, object] = {}
        for name, attribute, off in (
            ("bold", "b", ("0", "false")),
            ("italic", "i", ("0", "false")),
            ("underline", "u", ("none",)),
            ("strike", "strike", ("noStrike",)),
        ):
            if (said := get(node, attribute)) is not None:
                changes[name] = said not in off
        if (size := number(get(node, "sz"))) is not None:
            changes["size"] = size / 100
        if (font := get(find(node, "latin"), "typeface")) is not None and not font.startswith("+"):
            changes["font"] = font
        if (fill := find(node, "solidFill")) is not None:
            changes["colour"] = drawing_colour(fill, self.theme)
        if (raised := number(get(node, "baseline"))) is not None:
            changes["position"] = "super" if raised > 0 else "sub" if raised < 0 else "normal"
        link = self.relations.get(get(find(node, "hlinkClick"), "id") or "")
        if link is not None:
            changes["link"] = link.target
        return replace(look, **changes)  # type: ignore[arg-type]


def _group_frame(node: Node, frame: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Scale and shift of a group's children, in the slide's coordinates."""
    place = find(node, "grpSpPr/xfrm")

    def pair(name: str, first: str, second: str) -> tuple[float, float]:
        found = find(place, name)
        return number(get(found, first)) or 0.0, number(get(found, second)) or 0.0

    (x, y), (wide, high) = pair("off", "x", "y"), pair("ext", "cx", "cy")
    (child_x, child_y), (child_wide, child_high) = pair("chOff", "x", "y"), pair("chExt", "cx", "cy")
    across, down = (wide / child_wide if child_wide else 1.0), (high / child_high if child_high else 1.0)
    return frame[0] * across, frame[1] * down, (x - child_x * across) * frame[0] + frame[2], (y - child_y * down) * frame[1] + frame[3]


def _plain(node: Node) -> str:
    lines = all_of(node, "txBody/p")
    return "\n".join("".join(part.text or "" for part in line.iter() if local(part) == "t") for line in lines)


def _notes(root: Node) -> str:
    shapes = [node for node in all_of(root, "cSld/spTree/sp") if get(find(node, "nvSpPr/nvPr/ph"), "type") == "body"]
    return "\n".join(_plain(node) for node in shapes)


def _transition(root: Node) -> str | None:
    for node in (one for one in root.iter() if local(one) == "transition"):
        for child in node:
            if local(child) not in ("sndAc", "extLst"):
                return _TRANSITIONS.get(local(child), local(child)).casefold()
    return None
