"""GIMP's images with their layers kept.

    - xcf.canvas: {file: ~/badge.xcf, width: 800, height: 600, base: rgb, resolution: 300}
    - xcf.layers: {file: ~/badge.xcf, names: [Title, Photo, Background]}           from the top down, as GIMP shows them
    - xcf.layer: {file: ~/badge.xcf, name: Photo, opacity: {is: 50, within: 0.5}, mode: multiply, visible: true, x: 20, y: 30, group: Artwork}
    - xcf.text: {file: ~/badge.xcf, text: Hello, font: {contains: Bold}, size: 24, colour: "#0000ff"}
    - xcf.colour: {file: ~/badge.xcf, layer: Photo, colour: "#ff0000", region: [0, 0, 10, 10], share: {at_least: 0.9}}
    - xcf.transparency: {file: ~/badge.xcf, layer: Photo, share: {at_least: 0.4}}
    - xcf.mask: {file: ~/badge.xcf, layer: Photo, hidden: {is: 0.5, within: 0.05}}
    - xcf.similar: {file: ~/badge.xcf, layer: Photo, to: ~/photo.png, similarity: {at_least: 0.95}}
    - xcf.guides: {file: ~/badge.xcf, horizontal: [60], vertical: [25]}
    - xcf.unchanged: {file: ~/badge.xcf, except: [Title]}

Opacity is in percent. Modes are named as in GIMP's menu, in lower case (`hard light`, `hsv hue`, `pass through`). Regions and shares are of the
layer's own pixels. A layer named twice is as expected if one of its name is. A visible text that was merged into pixels is no text any more.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from lxml import etree
from pydantic import Field

from deskbench.checks.comparison import Comparison, hexadecimal, reference
from deskbench.checks.evidence import Evidence, xml
from deskbench.checks.expect import Col, HomePath, Num, Number, Txt
from deskbench.checks.image_reading import Pixels, on_white, read, region_of, resized, share_near, structural_similarity
from deskbench.checks.xcf_reading import Image, Layer
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

Region = tuple[float, float, float, float]
LIMIT = 256 << 20
MOSTLY = Number.model_validate({"at_least": 0.95})
ALIKE = Number.model_validate({"at_least": 0.9})


def canvas(
    evidence: Evidence,
    *,
    file: HomePath,
    width: Num | None = None,
    height: Num | None = None,
    base: Literal["rgb", "grey", "indexed"] | None = None,
    resolution: Num | None = None,
) -> Finding:
    """The image itself. Nothing said: a readable GIMP image with a layer."""
    image = _open(evidence, file)
    compared = Comparison(f"~/{file}")
    compared.number("width", width, image.width, " px")
    compared.number("height", height, image.height, " px")
    compared.value("kind of colours", base, image.base)
    compared.number("resolution", resolution, image.resolution, " dpi")
    if not compared.expected:
        compared.holds("number of layers", "at least 1", len(image.layers), bool(image.layers))
    return compared.finding()


def layers(evidence: Evidence, *, file: HomePath, names: tuple[str, ...] | None = None, count: Num | None = None, only: bool = True) -> Finding:
    """The layers and layer groups from the top down; without `only` others may lie between them. Nothing said: more than one."""
    seen = [layer.name for layer in _open(evidence, file).layers]
    compared = Comparison(f"~/{file}")
    if names is not None:
        compared.holds("layers", list(names), seen, list(names) == (seen if only else [name for name in seen if name in names]))
    compared.number("number of layers", count or (Number.model_validate({"at_least": 2}) if names is None else None), len(seen))
    return compared.finding()


def layer(
    evidence: Evidence,
    *,
    file: HomePath,
    name: str,
    opacity: Num | None = None,
    mode: str | None = None,
    visible: bool | None = None,
    x: Num | None = None,
    y: Num | None = None,
    width: Num | None = None,
    height: Num | None = None,
    alpha: bool | None = None,
    mask: bool | None = None,
    is_group: bool | None = None,
    group: str | None = None,
    locked: bool | None = None,
    alpha_locked: bool | None = None,
) -> Finding:
    """One layer: how it is blended, where it lies, what it has, and the group (`group: ""` for none) it is in. Nothing said: it is there."""
    image = _open(evidence, file)
    tries = []
    for one in _named(image, name, file):
        compared = Comparison(f"the layer {name} in ~/{file}")
        compared.number("opacity", opacity, one.opacity, " %")
        compared.value("mode", mode, one.mode)
        compared.value("being visible", visible, one.visible and all(above.visible for above in image.layers if above.name in one.parents))
        for aspect, expected, seen in (("x", x, one.offset[0]), ("y", y, one.offset[1]), ("width", width, one.width), ("height", height, one.height)):
            compared.number(aspect, expected, seen, " px")
        compared.value("having alpha", alpha, one.has_alpha)
        compared.value("having a mask", mask, one.mask is not None)
        compared.value("being a group", is_group, one.is_group)
        compared.value("group", group, one.parents[-1] if one.parents else "")
        compared.value("being locked", locked, one.flag("lock_content"))
        compared.value("having its alpha locked", alpha_locked, one.flag("lock_alpha"))
        tries.append(compared)
    return min(tries, key=lambda compared: len(compared.wrongs)).finding()


def text(
    evidence: Evidence,
    *,
    file: HomePath,
    text: Txt | None = None,
    layer: str | None = None,
    font: Txt | None = None,
    size: Num | None = None,
    colour: Col | None = None,
    justify: Literal["left", "right", "center", "fill"] | None = None,
    visible: bool = True,
) -> Finding:
    """A text layer that can still be edited, by its layer's name or by any that is as expected. Size is in pixels unless GIMP was told otherwise."""
    image = _open(evidence, file)
    chosen = [one for one in image.layers if one.text is not None and layer in (None, one.name)]
    if not chosen:
        which = f"the layer {layer} in ~/{file} is" if layer else f"no layer of ~/{file} is"
        return failed(f"{which} {'not ' if layer else ''}a text layer", seen=[one.name for one in image.layers])
    tries = []
    for one in chosen:
        said = one.text or {}
        compared = Comparison(f"the text layer {one.name} in ~/{file}")
        compared.text("text", text, _plain(said))
        compared.text("font", font, said.get("font"))
        drawn = _drawn(said, image.resolution or 72.0)
        compared.number("size", size, drawn.size)
        compared.colour("colour", colour, drawn.colour)
        compared.value("justification", justify, said.get("justify", "left"))
        compared.value("being visible", visible, one.visible)
        tries.append(compared)
    return min(tries, key=lambda compared: len(compared.wrongs)).finding()


@dataclass(frozen=True)
class _Drawn:
    """How the letters of a text layer look; None where they do not all look the same."""

    size: float | None
    colour: tuple[int, ...] | None


def _drawn(said: dict[str, str], dots_per_inch: float) -> _Drawn:
    """Size and colour as drawn: what GIMP's box on the canvas changes stands in spans, over the layer's own settings."""
    base = _Drawn(_decimal(said.get("font-size", "")), _rgb(said.get("color", "")))
    if not said.get("markup"):
        return base
    letters: set[_Drawn] = set()

    def walk(node: etree._Element, around: _Drawn) -> None:
        size = _decimal(node.get("size", ""))
        pixels = size / 1024 * dots_per_inch / 72 if size is not None else around.size
        own = _Drawn(round(pixels, 2) if pixels is not None else None, _hexadecimal_rgb(node.get("foreground", "")) or around.colour)
        if (node.text or "").strip():
            letters.add(own)
        for child in node:
            walk(child, own)
            if (child.tail or "").strip():
                letters.add(own)

    walk(xml(said["markup"].encode(), "the markup of the text"), base)
    sizes, colours = {one.size for one in letters}, {one.colour for one in letters}
    return _Drawn(sizes.pop() if len(sizes) == 1 else None, colours.pop() if len(colours) == 1 else None)


def _hexadecimal_rgb(text: str) -> tuple[int, ...] | None:
    match = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", text)
    return tuple(int(part, 16) for part in match.groups()) if match else None


def colour(evidence: Evidence, *, file: HomePath, layer: str, colour: Col, region: Region | None = None, share: Num = MOSTLY) -> Finding:
    """How much of a layer (or of a region of it) has a colour and is not see-through, as a share from 0 to 1."""
    part = region_of(_pixels(evidence, file, layer), region, f"the layer {layer} in ~/{file}")
    seen = share_near(part, colour.rgb, colour.within)
    middle = hexadecimal(tuple(int(value) for value in np.median(on_white(part).reshape(-1, 3), axis=0)))
    says = f"{seen:.1%} of the layer {layer} in ~/{file} is {colour}" + (
        "" if share.holds(seen) else f", not {share} as a share; its middle colour is {middle}"
    )
    return (passed if share.holds(seen) else failed)(says, expected={"colour": str(colour), "share": str(share)}, seen={"share": round(seen, 4)})


def transparency(evidence: Evidence, *, file: HomePath, layer: str, share: Num, region: Region | None = None) -> Finding:
    """How much of a layer is see-through, as a share from 0 to 1."""
    part = region_of(_pixels(evidence, file, layer), region, f"the layer {layer} in ~/{file}")
    compared = Comparison(f"the layer {layer} in ~/{file}")
    compared.number("transparent share", share, float((part[..., 3] < 128).mean()))
    return compared.finding()


def mask(evidence: Evidence, *, file: HomePath, layer: str, hidden: Num | None = None, applied: bool = True) -> Finding:
    """A layer has a mask that is in use, and it hides (is black over) such a share of the layer."""
    one = _named(_open(evidence, file), layer, file)[0]
    if one.mask is None:
        return failed(f"the layer {layer} in ~/{file} has no mask")
    compared = Comparison(f"the mask of the layer {layer} in ~/{file}")
    compared.value("being in use", applied, one.mask_applied)
    if hidden is not None:
        compared.number("hidden share", hidden, float((one.mask.rgba[..., 0] < 128).mean()))
    return compared.finding()


def similar(evidence: Evidence, *, file: HomePath, layer: str, to: HomePath, similarity: Num = ALIKE) -> Finding:
    """A layer looks like a picture file, once both have one size."""
    seen = _pixels(evidence, file, layer)
    wanted = read(reference(evidence, to), f"~/{to}").rgba
    if not 0.97 < (wanted.shape[1] / wanted.shape[0]) / (seen.shape[1] / seen.shape[0]) < 1.03:
        return failed(f"the layer {layer} in ~/{file} is {seen.shape[1]} x {seen.shape[0]} px, which is not the shape of ~/{to}")
    compared = Comparison(f"the layer {layer} in ~/{file} against ~/{to}")
    compared.number("similarity", similarity, structural_similarity(seen, resized(wanted, (seen.shape[1], seen.shape[0]))))
    return compared.finding()


def guides(evidence: Evidence, *, file: HomePath, horizontal: tuple[int, ...] = (), vertical: tuple[int, ...] = ()) -> Finding:
    """The guides are exactly these, in pixels from the top and from the left."""
    seen = _open(evidence, file).guides
    compared = Comparison(f"~/{file}")
    compared.value("horizontal guides", sorted(horizontal), seen[0])
    compared.value("vertical guides", sorted(vertical), seen[1])
    return compared.finding()


def unchanged(evidence: Evidence, *, file: HomePath, except_: Annotated[tuple[str, ...], Field(alias="except")] = (), added: int = 0) -> Finding:
    """Every layer is as it was, apart from those named, and exactly `added` others are new."""
    old = Image(evidence.before(file, LIMIT).read_bytes(), f"~/{file} as it was")
    new = _open(evidence, file)
    was = [layer for layer in old.layers if layer.name not in except_]
    now = [layer for layer in new.layers if layer.name not in except_]
    wrongs, left = [], list(now)
    for one in was:
        same = next((other for other in left if other.name == one.name and _alike(one, other)), None)
        if same is not None:
            left.remove(same)
        elif any(other.name == one.name for other in left):
            left = [other for other in left if other.name != one.name]
            wrongs.append(f"the layer {one.name} changed")
        else:
            wrongs.append(f"the layer {one.name} is gone")
    if len(left) != added:
        wrongs.append(f"{len(left)} layers are new ({', '.join(layer.name for layer in left[:3]) or 'none'}), not {added}")
    if wrongs:
        return failed(f"~/{file} was changed where it should not have been: {'; '.join(wrongs[:5])}", seen=wrongs)
    return passed(f"~/{file} is otherwise as it was")


def _open(evidence: Evidence, file: str) -> Image:
    return Image(evidence.read(file, LIMIT), f"~/{file}")


def _named(image: Image, name: str, file: str) -> list[Layer]:
    found = [layer for layer in image.layers if layer.name == name]
    if not found:
        raise BadArtifact(f"~/{file} has no layer {name}; it has {', '.join(layer.name for layer in image.layers)[:300] or 'none'}")
    return found


def _pixels(evidence: Evidence, file: str, layer: str) -> Pixels:
    return _named(_open(evidence, file), layer, file)[0].rgba


def _alike(one: Layer, other: Layer) -> bool:
    def facts(layer: Layer) -> tuple[object, ...]:
        text = {key: value for key, value in (layer.text or {}).items() if key in ("text", "markup", "font", "font-size", "color")}
        return round(layer.opacity), layer.mode, layer.visible, layer.offset, layer.width, layer.height, layer.parents, layer.mask is None, text

    if facts(one) != facts(other):
        return False
    return one.is_group or bool((np.abs(one.rgba.astype(np.int16) - other.rgba) <= 2).all())


def _plain(said: dict[str, str]) -> str | None:
    """The words of a text layer, whether it is kept plain or with markup."""
    if "text" in said:
        return said["text"]
    return html.unescape(re.sub(r"<[^>]*>", "", said["markup"])) if "markup" in said else None


def _rgb(said: str) -> tuple[int, ...] | None:
    parts = said.strip("()").split()
    if parts[:1] != ["color-rgb"] or len(parts) < 4:
        return None
    channels = [_decimal(part) for part in parts[1:4]]
    return None if None in channels else tuple(round(max(0.0, min(1.0, channel or 0.0)) * 255) for channel in channels)


def _decimal(said: str) -> float | None:
    try:
        return float(said)
    except ValueError:
        return None
