"""Drawings in SVG, as they look: styles resolved through the cascade, places through viewBox and transforms.

    - svg.text: {file: ~/poster.svg, id: title, text: Summer, font_size: {is: 48, within: 0.5}, family: Lato, bold: true, fill: "#ff0000"}
    - svg.shape: {file: ~/logo.svg, kind: circle, fill: "#00aa00", width: {is: 40, within: 0.5}, unit: mm}
    - svg.count: {file: ~/logo.svg, kind: path, count: 3}
    - svg.gradient: {file: ~/logo.svg, id: sky, kind: linear, colours: ["#0000ff", "#ffffff"], angle: {is: 90, within: 3}}
    - svg.layers: {file: ~/map.svg, names: [Base, Roads, Labels]}            from the bottom up
    - svg.layer: {file: ~/map.svg, name: Roads, visible: false, locked: true, holds: [road1]}
    - svg.group: {file: ~/logo.svg, members: [disc, star]}
    - svg.order: {file: ~/logo.svg, from_bottom: [disc, star]}
    - svg.aligned: {file: ~/logo.svg, ids: [a, b, c], line: left}
    - svg.spaced: {file: ~/logo.svg, ids: [a, b, c], along: x, gap: {is: 20, within: 0.5}}
    - svg.page: {file: ~/card.svg, width: 85, height: 55, unit: mm}
    - svg.effect: {file: ~/logo.svg, id: disc, clipped: true}
    - svg.image: {file: ~/card.svg, embedded: true}
    - svg.link: {file: ~/card.svg, href: {contains: example.org}, holds: title}
    - svg.unchanged: {file: ~/poster.svg, except: [title], added: 1}

Sizes are in `unit` (px of 96 to the inch by default), places from the page's top left corner; `font_size` is the size as drawn, which Inkscape's
text tool shows. Opacity counts the object's own, that of its fill and that of all it lies in. Without an id, some visible object must be as said.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Txt
from deskbench.checks.svg_comparison import differences
from deskbench.checks.svg_geometry import Rectangle
from deskbench.checks.svg_matching import (
    Painted,
    anchor_of,
    area_of,
    arrow_of,
    best,
    box_of,
    boxes,
    compare_box,
    compare_gradient,
    compare_paint,
    corners_of,
    edge,
    found,
    is_locked,
    page_count,
    paint_holds,
    paint_said,
    part_of,
    text_place,
)
from deskbench.checks.svg_reading import LIMIT, SODIPODI, Drawing, Gradient, Node, href_of
from deskbench.checks.svg_style import UNITS, family_of, length, weight_of
from deskbench.core.verdict import Finding, failed, passed

Unit = Literal["px", "pt", "mm", "cm", "in"]
Edge = Literal["left", "right", "top", "bottom", "centre", "middle"]


def text(
    evidence: Evidence,
    *,
    file: HomePath,
    id: str | None = None,
    text: Txt | None = None,
    part: str | None = None,
    font_size: Num | None = None,
    family: Txt | None = None,
    weight: Num | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underlined: bool | None = None,
    fill: Painted | None = None,
    opacity: Num | None = None,
    anchor: Literal["start", "middle", "end"] | None = None,
    letter_spacing: Num | None = None,
    x: Num | None = None,
    y: Num | None = None,
    rotation: Num | None = None,
    visible: bool = True,
    unit: Unit = "px",
) -> Finding:
    """A text and how all of it (or only `part` of it) is set. `x` and `y` are those of the anchor of its first line."""
    drawing = _open(evidence, file)

    def compare(node: Node) -> Comparison:
        compared = Comparison(f"the text {node.id or node.text[:40]!r} in ~/{file}")
        if text is not None:
            held = text.holds(node.text) or (text.not_ is None and text.holds(node.text.replace("\n", " ")))
            compared.holds("text", str(text), node.text, held)
        compared.value("being visible", visible, node.visible)
        for run, style, grown in part_of(node, part):
            scale = grown / UNITS[unit]
            compared.number("font size", font_size, float(style.get("font-size", 16)) * scale, f" {unit}")
            compared.text("font family", family, family_of(style))
            compared.number("font weight", weight, weight_of(style))
            compared.value("being bold", bold, weight_of(style) >= 600)
            compared.value("being italic", italic, style.get("font-style", "normal") in ("italic", "oblique"))
            compared.value("being underlined", underlined, "underline" in style.get("text-decoration-line", style.get("text-decoration", "")))
            compared.number("letter spacing", letter_spacing, (length(style.get("letter-spacing")) or 0.0) * scale, f" {unit}")
            paint = drawing.paint(style, "fill")
            compare_paint(compared, "fill", fill, paint)
            compared.number("opacity", opacity, node.opacity * paint[2])
            if part is not None and not run:
                compared.holds("part", part, "not there", False)
        compared.value("anchor", anchor, anchor_of(node))
        place = node.matrix.at(text_place(node))
        compared.number("x", x, place[0] / UNITS[unit], f" {unit}")
        compared.number("y", y, place[1] / UNITS[unit], f" {unit}")
        compared.number("rotation", rotation, node.matrix.rotation, "°")
        return compared

    return best(drawing, file, id, "text", None, compare)


def shape(
    evidence: Evidence,
    *,
    file: HomePath,
    id: str | None = None,
    label: Txt | None = None,
    kind: str | None = None,
    fill: Painted | None = None,
    stroke: Painted | None = None,
    stroke_width: Num | None = None,
    dashed: bool | None = None,
    opacity: Num | None = None,
    x: Num | None = None,
    y: Num | None = None,
    width: Num | None = None,
    height: Num | None = None,
    centre_x: Num | None = None,
    centre_y: Num | None = None,
    rotation: Num | None = None,
    corner_radius: Num | None = None,
    corners: Num | None = None,
    area: Num | None = None,
    contours: Num | None = None,
    nodes: Num | None = None,
    arrow: Literal["start", "end", "both", "none"] | None = None,
    visible: bool = True,
    box: Literal["outline", "with_stroke"] = "outline",
    unit: Unit = "px",
) -> Finding:
    """An object: rect, circle, ellipse, line, polygon, star, arc, spiral, path, image, clone, group. `corners` are a star's or polygon's."""
    drawing = _open(evidence, file)
    one = UNITS[unit]
    placed = {"x": x, "y": y, "width": width, "height": height, "centre_x": centre_x, "centre_y": centre_y}

    def compare(node: Node) -> Comparison:
        compared = Comparison(f"the {kind or node.tag} {node.id} in ~/{file}")
        compared.text("label", label, node.label)
        if kind is not None:
            compared.holds("kind", kind, sorted(node.kinds), kind in node.kinds)
        compared.value("being visible", visible, node.visible)
        paint = drawing.paint(node.style, "fill")
        outline = drawing.paint(node.style, "stroke")
        compare_paint(compared, "fill", fill, paint)
        compare_paint(compared, "stroke", stroke, outline)
        compared.number("stroke width", stroke_width, node.stroke_width / one, f" {unit}")
        compared.value("being dashed", dashed, node.style.get("stroke-dasharray", "none") not in ("none", "0"))
        own = 1.0 if node.tag in ("g", "image", "use", "a") else (paint[2] if paint[0] != "none" else outline[2])
        compared.number("opacity", opacity, node.opacity * own)
        compare_box(compared, box_of(node, box) if any(placed.values()) else None, one, unit, placed)
        compared.number("rotation", rotation, node.matrix.rotation, "°")
        radius = max(length(node.element.get(side)) or 0.0 for side in ("rx", "ry")) if node.tag == "rect" else None
        compared.number("corner radius", corner_radius, None if radius is None else radius * node.matrix.scale / one, f" {unit}")
        compared.number("number of corners", corners, corners_of(node))
        compared.number("area", area, area_of(node) / one / one if area is not None else None)
        compared.number("number of contours", contours, len(node.contours))
        compared.number("number of nodes", nodes, sum(len(contour) for contour in node.contours))
        compared.value("arrow", arrow, arrow_of(node))
        return compared

    return best(drawing, file, id, kind, label, compare)


def count(evidence: Evidence, *, file: HomePath, kind: str, count: Num, fill: Painted | None = None, within: str | None = None) -> Finding:
    """How many visible objects of a kind there are (of a fill, in the group or layer `within`)."""
    drawing = _open(evidence, file)
    chosen = [node for node in drawing.nodes if kind in node.kinds and node.visible]
    if within is not None:
        chosen = [node for node in chosen if any(within in (above.id, above.label) for above in node.above)]
    if fill is not None:
        chosen = [node for node in chosen if paint_holds(fill, drawing.paint(node.style, "fill"))]
    compared = Comparison(f"~/{file}")
    compared.number(f"number of {kind} objects", count, len(chosen))
    return compared.finding()


def gradient(
    evidence: Evidence,
    *,
    file: HomePath,
    id: str,
    of: Literal["fill", "stroke"] = "fill",
    kind: Literal["linear", "radial"] | None = None,
    colours: tuple[Col, ...] | None = None,
    opacities: tuple[Num, ...] | None = None,
    angle: Num | None = None,
) -> Finding:
    """The gradient that fills an object: its colours from start to end, and its direction (0 to the right, 90 down)."""
    drawing = _open(evidence, file)
    node = found(drawing, id, file)
    if isinstance(node, Finding):
        return node
    server = drawing.paint(node.style, of)
    seen = drawing.gradient(drawing.ids[server[3]]) if server[0] == "gradient" else None
    if seen is None:
        return failed(f"the {of} of {id} in ~/{file} is no gradient but {paint_said(server)}", expected="gradient", seen=paint_said(server))
    # A gradient turned round, with its stops turned round as well, looks the same.
    turned = Gradient(seen.kind, tuple((1 - at, rgb, alpha) for at, rgb, alpha in reversed(seen.stops)), (seen.ends[1], seen.ends[0]))
    tries = []
    for one in (seen, turned):
        compared = Comparison(f"the gradient of {id} in ~/{file}")
        compared.value("kind", kind, one.kind)
        tries.append(compare_gradient(compared, one, colours, opacities, angle))
    return (tries[1] if tries[0].wrongs and not tries[1].wrongs and seen.kind == "linear" else tries[0]).finding()


def layers(evidence: Evidence, *, file: HomePath, names: tuple[str, ...], only: bool = True) -> Finding:
    """The layers by name from the bottom up; without `only` others may lie between them."""
    seen = [node.label for node in _open(evidence, file).nodes if node.is_layer]
    held = list(names) == (seen if only else [name for name in seen if name in names])
    says = f"the layers of ~/{file} are, from the bottom, {', '.join(seen) or 'none'}" + ("" if held else f", not {', '.join(names)}")
    return (passed if held else failed)(says, expected=list(names), seen=seen)


def layer(
    evidence: Evidence,
    *,
    file: HomePath,
    name: str,
    visible: bool | None = None,
    locked: bool | None = None,
    opacity: Num | None = None,
    holds: tuple[str, ...] = (),
    count: Num | None = None,
) -> Finding:
    """A layer: what it is like and which objects (by id) lie in it. Nothing said: it is there."""
    drawing = _open(evidence, file)
    node = next((node for node in drawing.nodes if node.is_layer and node.label == name), None)
    if node is None:
        seen = [node.label for node in drawing.nodes if node.is_layer]
        return failed(f"~/{file} has no layer {name}; it has {', '.join(seen) or 'none'}", expected=name, seen=seen)
    inside = list(node.within)
    compared = Comparison(f"the layer {name} in ~/{file}")
    compared.value("being visible", visible, node.visible)
    compared.value("being locked", locked, is_locked(node))
    compared.number("opacity", opacity, node.opacity)
    for id in holds:
        compared.holds(f"object {id}", "in it", "elsewhere", any(one.id == id for one in inside))
    compared.number("number of objects", count, sum(one.above[-1] is node for one in inside))
    return compared.finding()


def group(evidence: Evidence, *, file: HomePath, members: tuple[str, ...], grouped: bool = True, only: bool = True) -> Finding:
    """Objects lie together in one group (that is not a layer) with nothing else in it; or, `grouped: false`, none lies in any."""
    drawing = _open(evidence, file)
    chains: list[list[str]] = []
    for id in members:
        node = found(drawing, id, file)
        if isinstance(node, Finding):
            return node
        chains.append([str(at) for at, above in enumerate(drawing.nodes) if above in node.above and above.tag == "g" and not above.is_layer])
    if not grouped:
        loose = not any(chains)
        return (passed if loose else failed)(f"{', '.join(members)} {'lie' if loose else 'do not all lie'} outside of groups")
    shared = [at for at in chains[0] if all(at in chain for chain in chains)] if chains else []
    if not shared:
        return failed(f"{', '.join(members)} do not lie together in a group", expected=list(members))
    holder = drawing.nodes[int(shared[-1])]
    others = [node.id for node in drawing.nodes if node.above and node.above[-1] is holder and node.id not in members]
    direct = sum(node.above[-1] is holder for node in drawing.nodes if node.id in members)
    if only and others and direct:
        return failed(f"the group of {', '.join(members)} also holds {', '.join(others[:5])}", expected=list(members), seen=others)
    return passed(f"{', '.join(members)} lie together in the group {holder.id}")


def order(evidence: Evidence, *, file: HomePath, from_bottom: tuple[str, ...]) -> Finding:
    """Which objects cover which: by id, from the bottom up."""
    drawing = _open(evidence, file)
    seen = [node.id for node in drawing.nodes if node.id in from_bottom]
    held = seen == list(from_bottom)
    says = f"from the bottom up, ~/{file} has {', '.join(seen)}" + ("" if held else f", not {', '.join(from_bottom)}")
    return (passed if held else failed)(says, expected=list(from_bottom), seen=seen)


def aligned(evidence: Evidence, *, file: HomePath, ids: tuple[str, ...], line: Edge, within: float = 0.5, to_page: bool = False) -> Finding:
    """Objects share an edge or a centre line: `centre` is the vertical one, `middle` the horizontal one; `to_page`: the page's own."""
    drawing = _open(evidence, file)
    there = boxes(drawing, ids, file)
    if isinstance(there, Finding):
        return there
    if to_page:
        there = {**there, "the page": Rectangle(0, 0, drawing.width, drawing.height)}
    places = {id: edge(box, line) for id, box in there.items()}
    held = max(places.values()) - min(places.values()) <= within
    says = f"{', '.join(places)} in ~/{file} are {'' if held else 'not '}aligned at their {line}"
    return (passed if held else failed)(says, seen={id: round(place, 3) for id, place in places.items()})


def spaced(
    evidence: Evidence, *, file: HomePath, ids: tuple[str, ...], along: Literal["x", "y"], gap: Num | None = None, within: float = 0.5
) -> Finding:
    """Objects stand with equal gaps between them (or gaps of this size), in the order of `ids`."""
    there = boxes(_open(evidence, file), ids, file)
    if isinstance(there, Finding):
        return there
    gaps = [b.x - a.right if along == "x" else b.y - a.bottom for a, b in pairwise(there.values())]
    equal = max(gaps) - min(gaps) <= within
    held = equal if gap is None else all(gap.holds(one) for one in gaps)
    shown = [round(one, 3) for one in gaps]
    says = f"the gaps between {', '.join(ids)} in ~/{file} are {', '.join(f'{one:g}' for one in shown)} px" + ("" if held else ", which is not right")
    return (passed if held else failed)(says, expected=str(gap) if gap else "equal gaps", seen=shown)


def page(
    evidence: Evidence,
    *,
    file: HomePath,
    width: Num | None = None,
    height: Num | None = None,
    unit: Unit = "px",
    pages: Num | None = None,
    background: Col | None = None,
) -> Finding:
    """The page: its size, how many there are, and the colour Inkscape gives it. Nothing said: a readable drawing."""
    drawing = _open(evidence, file)
    compared = Comparison(f"the page of ~/{file}")
    compared.number("width", width, drawing.width / UNITS[unit], f" {unit}")
    compared.number("height", height, drawing.height / UNITS[unit], f" {unit}")
    compared.number("number of pages", pages, page_count(drawing))
    if background is not None:
        view = next(drawing.root.iter(f"{SODIPODI}namedview"), None)
        said = drawing.paint({"fill": view.get("pagecolor", "#ffffff")}, "fill") if view is not None else None
        compared.colour("background", background, said[1] if said else None)
    return compared.finding()


def effect(
    evidence: Evidence, *, file: HomePath, id: str, clipped: bool | None = None, masked: bool | None = None, blur: Num | None = None
) -> Finding:
    """What is laid on an object: a clip, a mask, a blur (its radius in px of the page). Nothing said: any filter."""
    drawing = _open(evidence, file)
    node = found(drawing, id, file)
    if isinstance(node, Finding):
        return node
    used = {name: drawing.ids.get(node.style.get(name, "")[5:-1].strip("'\"")) for name in ("clip-path", "mask", "filter")}
    compared = Comparison(f"the object {id} in ~/{file}")
    compared.value("being clipped", clipped, used["clip-path"] is not None and len(used["clip-path"]) > 0)
    compared.value("being masked", masked, used["mask"] is not None and len(used["mask"]) > 0)
    if blur is not None:
        blurs = [] if used["filter"] is None else [one.get("stdDeviation", "0") for one in used["filter"].iter("{*}feGaussianBlur")]
        compared.number("blur", blur, (length(blurs[0].split()[0]) or 0.0) * node.matrix.scale if blurs else 0.0, " px")
    if clipped is None and masked is None and blur is None:
        compared.value("having a filter", True, used["filter"] is not None)
    return compared.finding()


def image(evidence: Evidence, *, file: HomePath, id: str | None = None, embedded: bool | None = None, href: Txt | None = None) -> Finding:
    """A picture in the drawing: kept in the file itself, or linked by such an address."""
    drawing = _open(evidence, file)

    def compare(node: Node) -> Comparison:
        source = href_of(node.element)
        compared = Comparison(f"the picture {node.id} in ~/{file}")
        compared.value("being embedded", embedded, source.startswith("data:image/") and len(source) > 100)
        compared.text("address", href, source[:500])
        compared.value("being visible", True, node.visible and bool(source))
        return compared

    return best(drawing, file, id, "image", None, compare)


def link(evidence: Evidence, *, file: HomePath, href: Txt, holds: str | None = None) -> Finding:
    """A link to such an address, around the object `holds`."""
    drawing = _open(evidence, file)
    links = [node for node in drawing.nodes if node.tag == "a" and href.holds(href_of(node.element))]
    seen = [href_of(node.element) for node in drawing.nodes if node.tag == "a"]
    if links and (holds is None or any(node.id == holds and any(one in node.above for one in links) for node in drawing.nodes)):
        return passed(f"~/{file} links to {href}", seen=seen)
    where = f" around {holds}" if holds else ""
    return failed(f"~/{file} has no link to {href}{where}", expected=str(href), seen=seen)


def unchanged(
    evidence: Evidence,
    *,
    file: HomePath,
    except_: Annotated[tuple[str, ...], Field(alias="except")] = (),
    added: int = 0,
    aspects: tuple[Literal["shape", "place", "style", "text", "order"], ...] = ("shape", "place", "style", "text", "order"),
    within: float = 0.1,
) -> Finding:
    """All objects look as they did, apart from these ids and what lies in them, and exactly `added` new ones (groups do not count)."""
    old = Drawing(evidence.before(file, LIMIT).read_bytes(), f"~/{file} as it was")
    wrongs = differences(old, _open(evidence, file), frozenset(except_), added, frozenset(aspects), within)
    if wrongs:
        more = f" and {len(wrongs) - 5} more" if len(wrongs) > 5 else ""
        return failed(f"~/{file} was changed where it should not have been: {'; '.join(wrongs[:5])}{more}", seen=wrongs[:50])
    return passed(f"~/{file} is otherwise as it was")


def _open(evidence: Evidence, file: str) -> Drawing:
    return Drawing(evidence.read(file, LIMIT), f"~/{file}")
