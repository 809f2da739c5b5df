"""A drawing in SVG as it is seen: every node with its style, its place on the page and what it is made of.

Places and sizes are in pixels of the page (96 to the inch), whatever viewBox, units and transforms the file is written in.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from deskbench.checks.evidence import xml
from deskbench.checks.svg_geometry import (
    Contour,
    Matrix,
    Point,
    Rectangle,
    bounds,
    ellipse,
    is_straight,
    moved,
    numbers_in,
    outline,
    polygon,
    transform,
    union,
)
from deskbench.checks.svg_style import Sheet, Style, colour, computed, length, share, tag_of
from deskbench.core.faults import BadArtifact

SVG = "http://www.w3.org/2000/svg"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
SODIPODI = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}"
XLINK = "{http://www.w3.org/1999/xlink}"
LIMIT = 32 << 20
NODES = 20_000
ALL_CURVES = 200_000
SHAPES = frozenset(("rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "image", "use"))
DRAWN = SHAPES | {"text", "flowRoot", "g", "a", "svg", "switch"}
Paint = tuple[str, tuple[int, int, int] | None, float, str]
"""How something is painted: `none`, `colour`, `gradient` or `pattern`; its colour; its alpha; the id of a paint server."""


@dataclass(frozen=True)
class Gradient:
    """A gradient with its stops in order, each offset, colour and opacity; `ends` in pixels of the page or shares of its box."""

    kind: str
    stops: tuple[tuple[float, tuple[int, int, int], float], ...]
    ends: tuple[Point, Point]


@dataclass(eq=False)
class Node:
    """Something that is drawn, or a group of such things."""

    element: etree._Element
    style: Style
    matrix: Matrix
    above: tuple[Node, ...]
    drawing: Drawing = field(repr=False)
    place: int = -1
    opacity: float = 1.0
    """How opaque it is with all that it lies in, its own fill and stroke apart."""
    hidden: bool = False
    """Whether it or anything that it lies in is not displayed."""

    @property
    def tag(self) -> str:
        return tag_of(self.element)

    @property
    def id(self) -> str:
        return str(self.element.get("id", ""))

    @property
    def label(self) -> str:
        return str(self.element.get(f"{INKSCAPE}label", ""))

    @property
    def is_layer(self) -> bool:
        return self.tag == "g" and self.element.get(f"{INKSCAPE}groupmode") == "layer"

    @property
    def visible(self) -> bool:
        return not self.hidden and self.style.get("visibility", "visible") == "visible" and self.opacity > 0

    @property
    def stroke_width(self) -> float:
        if self.drawing.paint(self.style, "stroke")[0] == "none":
            return 0.0
        return (length(self.style.get("stroke-width", "1"), self.drawing.width) or 0.0) * self.matrix.scale

    @cached_property
    def contours(self) -> list[Contour]:
        """Its outline on the page; empty for text."""
        found = moved(_contours(self.element, self.drawing), self.matrix)
        self.drawing.spend(sum(len(contour) for contour in found))
        return found

    @property
    def box(self) -> Rectangle | None:
        """The box of its outline, or of all that a group holds; None where only a font could tell."""
        if self.tag in ("g", "a", "svg", "switch"):
            return self.drawing.group_boxes.get(self.place)
        return bounds(self.contours)

    @property
    def within(self) -> Iterator[Node]:
        """All that lies in it, which follows it in the order of painting."""
        for node in self.drawing.nodes[self.place + 1 :]:
            if len(node.above) <= len(self.above):
                return
            yield node

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Every kind that a person may call it: an ellipse with equal radii is a circle, however it is written."""
        return frozenset(_kinds(self))

    @cached_property
    def runs(self) -> list[tuple[str, Style, Matrix]]:
        """The parts of a text, each with its own style; a new line starts with `\\n`."""
        return list(_runs(self.element, self.style, self.drawing.sheet, self.matrix))

    @property
    def text(self) -> str:
        lines = "".join(text for text, _, _ in self.runs).split("\n")
        return "\n".join(re.sub(r"\s+", " ", line).strip() for line in lines).strip("\n")


class Drawing:
    """A whole drawing."""

    def __init__(self, data: bytes, what: str) -> None:
        self.root = xml(_unpacked(data, what), what)
        if self.root.tag != f"{{{SVG}}}svg":
            raise BadArtifact(f"{what} is not an SVG drawing: its root is {str(self.root.tag)[:80]}")
        self.ids: dict[str, etree._Element] = {}
        self.sheet = Sheet()
        self.curves = 0
        for count, node in enumerate(self.root.iter()):
            if count > NODES:
                raise BadArtifact(f"{what} has more than {NODES} nodes")
            if isinstance(node.tag, str) and node.get("id"):
                self.ids.setdefault(node.get("id", ""), node)
            if tag_of(node) == "style":
                self.sheet.read("".join(map(str, node.itertext())))
        view = numbers_in(self.root.get("viewBox", ""))
        self.view = view if len(view) == 4 and view[2] > 0 and view[3] > 0 else None
        self.width = self._side("width", 2)
        self.height = self._side("height", 3)

    @cached_property
    def nodes(self) -> list[Node]:
        """All that is drawn, in the order of painting: from the bottom up."""
        top = Node(self.root, computed(self.root, {}, self.sheet), self._viewport(), (), self)
        found: list[Node] = []
        waiting = [top]
        while waiting:
            node = waiting.pop()
            node.place = len(found) - 1
            found.append(node)
            if node.tag in ("g", "a", "svg", "switch"):
                waiting += [self._below(node, child) for child in reversed(node.element) if tag_of(child) in DRAWN]
        return found[1:]

    @cached_property
    def group_boxes(self) -> dict[int, Rectangle | None]:
        """The box of every group by its place, found in one pass from the innermost outwards."""
        found: dict[int, Rectangle | None] = {}
        for node in reversed(self.nodes):
            box = found.get(node.place) if node.tag not in SHAPES else bounds(node.contours) if node.visible else None
            holder = node.above[-1].place
            found[holder] = union((found.get(holder), box))
        return found

    def spend(self, curves: int) -> None:
        """Count what was drawn; BadArtifact when it is more than any drawing has."""
        self.curves += curves
        if self.curves > ALL_CURVES:
            raise BadArtifact(f"the drawing has more than {ALL_CURVES} segments")

    def node(self, id: str) -> Node | None:
        return next((node for node in self.nodes if node.id == id), None)

    def paint(self, style: Style, which: str) -> Paint:
        """What `fill` or `stroke` comes to; a gradient of one stop, as Inkscape keeps swatches, is a colour."""
        said = style.get(which, "black" if which == "fill" else "none")[:500]
        alpha = share(style.get(f"{which}-opacity"))
        server = re.match(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)\s*(.*)", said)
        if server is not None:
            element = self.ids.get(server[1])
            if element is None:
                said = server[2] or "none"
            elif (gradient := self.gradient(element)) is None:
                return "pattern", None, alpha, server[1]
            elif len(gradient.stops) == 1:
                return "colour", gradient.stops[0][1], alpha * gradient.stops[0][2], ""
            else:
                return "gradient", None, alpha, server[1]
        if said in ("none", "transparent", ""):
            return "none", None, 0.0, ""
        found = colour(said, style.get("color", "black"))
        return ("colour", found[0], alpha * found[1], "") if found is not None else ("none", None, 0.0, "")

    def gradient(self, element: etree._Element) -> Gradient | None:
        """A gradient with what it takes over from others; None if the element is none."""
        chain = [element]
        while (href := href_of(chain[-1])) and (link := self.ids.get(href.lstrip("#"))) is not None and link not in chain and len(chain) < 20:
            chain.append(link)
        kind = {"linearGradient": "linear", "radialGradient": "radial"}.get(tag_of(element))
        if kind is None:
            return None
        holder = next((one for one in chain if any(tag_of(child) == "stop" for child in one)), element)
        said = {
            name: one.get(name)
            for one in reversed(chain)
            for name in map(str, one.attrib)
            if tag_of(one) == tag_of(element) or name == "gradientUnits"
        }
        on_page = said.get("gradientUnits") == "userSpaceOnUse"
        names = ("x1", "y1", "x2", "y2") if kind == "linear" else ("cx", "cy", "r", "r")
        defaults = ("0%", "0%", "100%", "0%") if kind == "linear" else ("50%",) * 4
        values = [length(said.get(name) or default, self.width if on_page else 1.0) or 0.0 for name, default in zip(names, defaults, strict=True)]
        by = transform(said.get("gradientTransform"))
        end = (values[2], values[3]) if kind == "linear" else (values[0] + values[2], values[1])
        return Gradient(kind, tuple(self._stops(holder)), (by.at((values[0], values[1])), by.at(end)))

    def _stops(self, holder: etree._Element) -> Iterator[tuple[float, tuple[int, int, int], float]]:
        for stop in holder:
            if tag_of(stop) == "stop":
                style = computed(stop, {}, self.sheet)
                found = colour(style.get("stop-color", "black"), style.get("color", "black")) or ((0, 0, 0), 1.0)
                yield share(stop.get("offset", "0")), found[0], found[1] * share(style.get("stop-opacity"))

    def _side(self, name: str, at: int) -> float:
        said = self.root.get(name, "100%")
        found = length(said) if "%" not in said else None
        if found is None or found <= 0:
            found = self.view[at] if self.view else (300.0 if name == "width" else 150.0)
        return found

    def _viewport(self) -> Matrix:
        if self.view is None:
            return Matrix()
        x, y, width, height = self.view
        across, down = self.width / width, self.height / height
        if self.root.get("preserveAspectRatio", "").strip() != "none":
            across = down = min(across, down)
        return Matrix(a=across, d=down, e=(self.width - width * across) / 2 - x * across, f=(self.height - height * down) / 2 - y * down)

    def _below(self, parent: Node, child: etree._Element) -> Node:
        style = computed(child, parent.style, self.sheet)
        own = transform(style.get("transform") or child.get("transform"))
        if tag_of(child) == "svg":
            own = own @ Matrix(e=length(child.get("x")) or 0.0, f=length(child.get("y")) or 0.0)
        opacity, hidden = parent.opacity * share(style.get("opacity")), parent.hidden or style.get("display") == "none"
        return Node(child, style, parent.matrix @ own, (*parent.above, parent), self, -1, opacity, hidden)


def href_of(element: etree._Element) -> str:
    return str(element.get("href") or element.get(f"{XLINK}href") or "")


def _unpacked(data: bytes, what: str) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        reader = zlib.decompressobj(31)
        plain = reader.decompress(data, LIMIT)
    except zlib.error as error:
        raise BadArtifact(f"{what} is damaged: {error}") from error
    if reader.unconsumed_tail:
        raise BadArtifact(f"{what} unpacks to more than {LIMIT / 1e6:.0f} MB")
    return plain


def _contours(element: etree._Element, drawing: Drawing, depth: int = 0) -> list[Contour]:
    tag = tag_of(element)

    def number(name: str, whole: float = drawing.width) -> float:
        return length(element.get(name), whole) or 0.0

    if tag == "path":
        return outline(element.get("d", ""))
    if tag in ("rect", "image"):
        x, y, width, height = number("x"), number("y", drawing.height), number("width"), number("height", drawing.height)
        return [polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])] if width > 0 and height > 0 else []
    if tag in ("circle", "ellipse"):
        rx = number("r") or number("rx")
        ry = number("r") or number("ry", drawing.height)
        return [ellipse(number("cx"), number("cy", drawing.height), rx, ry)] if rx > 0 and ry > 0 else []
    if tag == "line":
        return [polygon([(number("x1"), number("y1")), (number("x2"), number("y2"))], closed=False)]
    if tag in ("polyline", "polygon"):
        numbers = numbers_in(element.get("points", ""))
        return [polygon(list(zip(numbers[::2], numbers[1::2], strict=False)), closed=tag == "polygon")]
    target = drawing.ids.get(href_of(element).lstrip("#")) if tag == "use" else None
    if target is None or depth >= 8:
        return []
    return moved(_used(target, drawing, depth), Matrix(e=number("x"), f=number("y")))


def _used(target: etree._Element, drawing: Drawing, depth: int) -> list[Contour]:
    """The outline of what a clone shows. A clone of a group of clones could grow without end: only one level of group is opened."""
    own = transform(target.get("transform"))
    if tag_of(target) not in ("g", "symbol"):
        return moved(_contours(target, drawing, depth + 1), own)
    parts = [child for child in target if tag_of(child) in SHAPES][:1000]
    return [contour for child in parts for contour in moved(_contours(child, drawing, 8), own @ transform(child.get("transform")))]


def _kinds(node: Node) -> Iterator[str]:
    tag, element = node.tag, node.element
    yield {"g": "layer" if node.is_layer else "group", "flowRoot": "text", "use": "clone", "a": "link"}.get(tag, tag)
    if tag in ("circle", "ellipse"):
        radii = [length(element.get(name)) or 0.0 for name in ("rx", "ry")]
        yield "ellipse"
        if math.isclose(radii[0], radii[1], rel_tol=1e-4):
            yield "circle"
    if tag == "line" or (tag in ("path", "polyline") and [len(contour) for contour in node.contours] == [1] and is_straight(node.contours[0][0])):
        yield "line"
    made = element.get(f"{SODIPODI}type")
    if made == "star":
        yield "polygon" if element.get(f"{INKSCAPE}flatsided") == "true" else "star"
    elif made == "spiral":
        yield "spiral"
    elif made == "arc":
        yield from ("arc", "ellipse")
        if math.isclose(*(length(element.get(f"{SODIPODI}{name}")) or 0.0 for name in ("rx", "ry")), rel_tol=1e-4):
            yield "circle"
    elif tag == "path" and len(node.contours) == 1 and len(node.contours[0]) >= 3 and all(map(is_straight, node.contours[0])):
        closed = math.dist(node.contours[0][0][0], node.contours[0][-1][3]) < 1e-6
        yield "polygon" if closed else "polyline"


def _runs(element: etree._Element, style: Style, sheet: Sheet, matrix: Matrix) -> Iterator[tuple[str, Style, Matrix]]:
    """Texts in reading order; lines are tspans that Inkscape marks as lines, paragraphs of flowed text, or tspans with their own place."""
    waiting: list[tuple[etree._Element | str, Style]] = [(element, style)]
    begun = False
    while waiting:
        item, own = waiting.pop()
        if isinstance(item, str):
            yield item, own, matrix
            begun = begun or bool(item.strip())
            continue
        if item is not element:
            own = computed(item, own, sheet)
            if begun and (item.get(f"{SODIPODI}role") == "line" or tag_of(item) == "flowPara" or (tag_of(item) == "tspan" and item.get("y"))):
                yield "\n", own, matrix
        if own.get("display") == "none" or tag_of(item) in ("flowRegion", "title", "desc"):
            continue
        following: list[tuple[etree._Element | str, Style]] = [(item.text, own)] if item.text else []
        for child in item:
            if isinstance(child.tag, str):
                following.append((child, own))
            following += [(child.tail, own)] if child.tail else []
        waiting += reversed(following)
