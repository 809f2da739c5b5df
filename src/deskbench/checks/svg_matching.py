"""Finding objects of a drawing and holding them against what a task expects of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from deskbench.checks.comparison import Comparison, hexadecimal
from deskbench.checks.expect import Col, Colour, Number, Text
from deskbench.checks.svg_geometry import Point, Rectangle, area
from deskbench.checks.svg_reading import INKSCAPE, SODIPODI, Drawing, Gradient, Node, Paint
from deskbench.checks.svg_style import Style, length
from deskbench.core.verdict import Finding, failed

Painted = Literal["none", "gradient", "pattern"] | Col


def paint_holds(expected: str | Colour, paint: Paint) -> bool:
    return expected.holds(paint[1]) and paint[0] == "colour" if isinstance(expected, Colour) else paint[0] == expected


def paint_said(paint: Paint) -> str:
    return hexadecimal(paint[1]) or paint[0]


def compare_paint(compared: Comparison, aspect: str, expected: str | Colour | None, paint: Paint) -> None:
    if expected is not None:
        compared.holds(aspect, str(expected), paint_said(paint), paint_holds(expected, paint))


def compare_box(compared: Comparison, box: Rectangle | None, one: float, unit: str, expected: dict[str, Number | None]) -> None:
    """Places and sizes, `one` unit being so many pixels."""
    seen: dict[str, float | None] = dict.fromkeys(("x", "y", "width", "height", "centre_x", "centre_y"))
    if box is not None:
        across, down = box.centre
        seen = {"x": box.x, "y": box.y, "width": box.width, "height": box.height, "centre_x": across, "centre_y": down}
    for name, wanted in expected.items():
        value = seen[name]
        compared.number(name.replace("_", " "), wanted, None if value is None else value / one, f" {unit}")


def compare_gradient(
    compared: Comparison, found: Gradient, colours: tuple[Colour, ...] | None, opacities: tuple[Number, ...] | None, angle: Number | None
) -> Comparison:
    if colours is not None:
        rgbs = [rgb for _, rgb, _ in found.stops]
        held = len(rgbs) == len(colours) and all(colour.holds(rgb) for colour, rgb in zip(colours, rgbs, strict=True))
        compared.holds("colours", [str(colour) for colour in colours], [hexadecimal(rgb) for rgb in rgbs], held)
    if opacities is not None:
        alphas = [round(alpha, 3) for _, _, alpha in found.stops]
        held = len(alphas) == len(opacities) and all(number.holds(alpha) for number, alpha in zip(opacities, alphas, strict=True))
        compared.holds("opacities", [str(number) for number in opacities], alphas, held)
    if angle is not None:
        (x0, y0), (x1, y1) = found.ends
        turned = math.degrees(math.atan2(y1 - y0, x1 - x0))
        compared.number("angle", angle, next((one for one in (turned, turned + 360, turned - 360) if angle.holds(one)), turned), "°")
    return compared


def best(drawing: Drawing, file: str, id: str | None, kind: str | None, label: Text | None, compare: Callable[[Node], Comparison]) -> Finding:
    """The finding on the object of an id, or on that object of a kind which comes nearest."""
    if id is not None:
        node = found(drawing, id, file)
        if isinstance(node, Node) and kind is not None and kind not in node.kinds:
            return failed(f"the object {id} in ~/{file} is not of the kind {kind}", expected=kind, seen=sorted(node.kinds))
        return node if isinstance(node, Finding) else compare(node).finding()
    candidates = [node for node in drawing.nodes if node.tag != "svg" and (kind is None or kind in node.kinds)]
    labelled = [node for node in candidates if label is None or label.holds(node.label)]
    if not candidates or not labelled:
        return failed(f"~/{file} has no {kind or 'object'}{'' if label is None else f' labelled {label}'}", expected=kind)
    nearest: Comparison | None = None
    for node in labelled:
        compared = compare(node)
        if nearest is None or len(compared.wrongs) < len(nearest.wrongs):
            nearest = compared
        if not nearest.wrongs:
            break
    assert nearest is not None
    if nearest.wrongs and len(labelled) > 1:
        nearest.thing = f"none of the {len(labelled)} candidates is as expected; the nearest, {nearest.thing},"
    return nearest.finding()


def found(drawing: Drawing, id: str, file: str) -> Node | Finding:
    node = drawing.node(id)
    if node is None:
        gone = "is not drawn" if id in drawing.ids else "is not there"
        return failed(f"the object {id} {gone} in ~/{file}", expected=id)
    return node


def boxes(drawing: Drawing, ids: tuple[str, ...], file: str) -> dict[str, Rectangle] | Finding:
    places: dict[str, Rectangle] = {}
    for id in ids:
        node = found(drawing, id, file)
        if isinstance(node, Finding):
            return node
        box = node.box
        if box is None:
            return failed(f"the object {id} in ~/{file} has no outline whose place could be told")
        places[id] = box
    return places


def edge(box: Rectangle, which: str) -> float:
    across, down = box.centre
    return {"left": box.x, "right": box.right, "top": box.y, "bottom": box.bottom, "centre": across, "middle": down}[which]


def part_of(node: Node, part: str | None) -> list[tuple[str, Style, float]]:
    """The runs of a text that are seen (or that a part of it lies in), each with its style and scale; one empty run if there are none."""
    runs = [(text, style, matrix.scale) for text, style, matrix in node.runs]
    if part is None:
        return [run for run in runs if run[0].strip()] or [("", node.style, node.matrix.scale)]
    start = "".join(text for text, _, _ in runs).find(part)
    chosen, at = [], 0
    for run in runs:
        if start >= 0 and at < start + len(part) and at + len(run[0]) > start and run[0].strip():
            chosen.append(run)
        at += len(run[0])
    return chosen or [("", node.style, node.matrix.scale)]


def anchor_of(node: Node) -> str:
    said = next((style.get("text-anchor") for text, style, _ in node.runs if text.strip()), None) or node.style.get("text-anchor")
    return said or {"center": "middle", "end": "end"}.get(node.style.get("text-align", ""), "start")


def text_place(node: Node) -> Point:
    """Where the first line of a text is anchored, in its own coordinates."""
    first: dict[str, float] = {}
    for element in node.element.iter("{*}text", "{*}tspan"):
        for axis in ("x", "y"):
            value = length((element.get(axis) or "").replace(",", " ").split(" ")[0])
            # A line's own place overrides that of the text around it, and the first line is the one meant.
            if value is not None and (axis not in first or (element.getparent() is node.element and f"own {axis}" not in first)):
                first[axis] = value
                if element is not node.element:
                    first[f"own {axis}"] = value
    return first.get("x", 0.0), first.get("y", 0.0)


def box_of(node: Node, which: str) -> Rectangle | None:
    box = node.box
    if box is None or which == "outline":
        return box
    half = node.stroke_width / 2
    return Rectangle(box.x - half, box.y - half, box.width + 2 * half, box.height + 2 * half)


def corners_of(node: Node) -> float | None:
    """The corners of a star or polygon; of a shape with straight sides, its nodes."""
    made = length(node.element.get(f"{SODIPODI}sides"))
    if made is not None:
        return made
    return float(len(node.contours[0])) if node.kinds & {"polygon", "rect", "polyline"} and node.contours else None


def area_of(node: Node) -> float:
    return area(node.contours)


def arrow_of(node: Node) -> str:
    start, end = (node.style.get(f"marker-{side}", "none") not in ("none", "") for side in ("start", "end"))
    return "both" if start and end else "start" if start else "end" if end else "none"


def is_locked(node: Node) -> bool:
    return node.element.get(f"{SODIPODI}insensitive") == "true"


def page_count(drawing: Drawing) -> int:
    return max(1, sum(1 for _ in drawing.root.iter(f"{INKSCAPE}page")))
