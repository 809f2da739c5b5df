"""What looks different between two states of one drawing, object by object, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deskbench.checks.svg_matching import anchor_of, paint_said, text_place
from deskbench.checks.svg_reading import SHAPES, Drawing, Node, href_of
from deskbench.checks.svg_style import family_of, length, weight_of

TEXTS = frozenset(("text", "flowRoot"))
LEAVES = SHAPES | TEXTS
STYLES = ("stroke-linecap", "stroke-linejoin", "stroke-dasharray", "marker-start", "marker-end", "mix-blend-mode", "fill-rule")
DEFAULTS = {"stroke-linecap": "butt", "stroke-linejoin": "miter", "mix-blend-mode": "normal", "fill-rule": "nonzero"}


def differences(old: Drawing, new: Drawing, excepted: frozenset[str], added: int, aspects: frozenset[str], within: float) -> list[str]:
    """Every difference that is not excepted. Objects are the same by their id, or, where they had none, by being alike."""
    was, now = _objects(old, excepted), _objects(new, excepted)
    pairs, gone, fresh = _paired(was, now, aspects, within)
    wrongs = [f"{_name(node)} is gone" for node in gone]
    for one, other in pairs:
        wrongs += [f"the {aspect} of {_name(one)} changed" for aspect in _changed(one, other, aspects, within)]
    if len(fresh) != added:
        listed = ", ".join(_name(node) for node in fresh[:3])
        wrongs.append(f"{len(fresh)} objects are new ({listed or 'none'}), not {added}")
    if "order" in aspects and not wrongs:
        places = [other.place for _, other in pairs]
        if places != sorted(places):
            wrongs.append("the order from bottom to top changed")
    if "place" in aspects and (abs(old.width - new.width) > within or abs(old.height - new.height) > within):
        wrongs.append("the size of the page changed")
    return wrongs


def _objects(drawing: Drawing, excepted: frozenset[str]) -> list[Node]:
    def apart(node: Node) -> bool:
        return any(one.id in excepted or (one.label and one.label in excepted) for one in (*node.above, node))

    return [node for node in drawing.nodes if node.tag in LEAVES and not apart(node)]


def _paired(was: list[Node], now: list[Node], aspects: frozenset[str], within: float) -> tuple[list[tuple[Node, Node]], list[Node], list[Node]]:
    by_id = {node.id: node for node in now if node.id}
    pairs = [(node, by_id.pop(node.id)) for node in was if node.id in by_id]
    taken = {id(other.element) for _, other in pairs}
    left = [node for node in now if id(node.element) not in taken]
    gone: list[Node] = []
    kept = {id(node) for node, _ in pairs}
    for node in was:
        if id(node) in kept:
            continue
        alike = (
            next((other for other in left if node.tag == other.tag and not list(_changed(node, other, aspects, within))), None)
            if not node.id
            else None
        )
        if alike is None:
            gone.append(node)
        else:
            pairs.append((node, alike))
            left.remove(alike)
    order = {id(node): at for at, node in enumerate(was)}
    return sorted(pairs, key=lambda pair: order[id(pair[0])]), gone, left


def _changed(one: Node, other: Node, aspects: frozenset[str], within: float) -> Iterator[str]:
    if "shape" in aspects and not _same_shape(one, other, within):
        yield "shape"
    elif "place" in aspects and not _same_place(one, other, within):
        yield "place"
    if "text" in aspects and (one.text != other.text or (one.tag in TEXTS) != (other.tag in TEXTS)):
        yield "text"
    if "style" in aspects:
        then, now = _look(one), _look(other)
        yield from (name for name, value in then.items() if name in now and not _alike(value, now[name]))


def _same_shape(one: Node, other: Node, within: float) -> bool:
    first, second = one.box, other.box
    if first is None or second is None:
        return first is second
    same = [len(contour) for contour in one.contours] == [len(contour) for contour in other.contours]
    return same and abs(first.width - second.width) <= within and abs(first.height - second.height) <= within


def _same_place(one: Node, other: Node, within: float) -> bool:
    if one.tag in TEXTS:
        return math.dist(one.matrix.at(text_place(one)), other.matrix.at(text_place(other))) <= within
    ours = [point for contour in one.contours for curve in contour for point in curve]
    theirs = [point for contour in other.contours for curve in contour for point in curve]
    return len(ours) == len(theirs) and all(math.dist(a, b) <= within for a, b in zip(ours, theirs, strict=True))


def _look(node: Node) -> dict[str, object]:
    """How an object is painted and set, in comparable words and numbers."""
    look: dict[str, object] = {"visibility": node.visible, "opacity": node.opacity, "stroke width": node.stroke_width}
    for which in ("fill", "stroke"):
        paint = node.drawing.paint(node.style, which)
        look[which] = paint_said(paint)
        look[f"{which} opacity"] = paint[2]
        if paint[0] == "gradient":
            found = node.drawing.gradient(node.drawing.ids[paint[3]])
            look[f"{which} gradient"] = found and (found.kind, tuple((round(at, 3), rgb, round(alpha, 2)) for at, rgb, alpha in found.stops))
        else:
            look[f"{which} gradient"] = None
    for name in STYLES:
        look[name] = node.style.get(name) or DEFAULTS.get(name, "none")
    look["effects"] = tuple(bool(node.style.get(name, "none") != "none") for name in ("clip-path", "mask", "filter"))
    if node.tag in TEXTS:
        runs = [(style, matrix) for text, style, matrix in node.runs if text.strip()]
        look["font"] = tuple({(family_of(style), weight_of(style), style.get("font-style", "normal")): 0 for style, _ in runs})
        look["font size"] = tuple(round(float(style.get("font-size", 16)) * matrix.scale, 2) for style, matrix in runs)
        look["text colour"] = tuple(paint_said(node.drawing.paint(style, "fill")) for style, _ in runs)
        look["letter spacing"] = tuple(round(length(style.get("letter-spacing")) or 0.0, 3) for style, _ in runs)
        look["anchor"] = anchor_of(node)
    if node.tag == "image":
        look["picture"] = href if (href := href_of(node.element)).startswith("data:") else href.rpartition("/")[2]
    return look


def _alike(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 0.005 * max(1.0, abs(one))
    return one == other


def _name(node: Node) -> str:
    return node.id or (repr(node.text[:30]) if node.text else f"a {node.tag}")
