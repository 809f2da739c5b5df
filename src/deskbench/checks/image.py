"""Pictures: what kind of file, and what is to be seen on it.

    - image.properties: {file: ~/out.png, format: png, width: 800, height: 600, alpha: true, dpi: 300}
    - image.colour: {file: ~/out.png, region: [10, 10, 50, 50], colour: "#ff0000", share: {at_least: 0.95}}
    - image.levels: {file: ~/out.png, brightness: {at_least: 100, at_most: 150}, saturation: {at_most: 2}}
    - image.adjusted: {file: ~/out.png, of: ~/in.png, brightness: {at_least: 1.1}, sharpness: {at_most: 0.6}}       ratios
    - image.similar: {file: ~/out.png, to: ~/in.png, turned: 90, crop: [100, 0, 300, 300], similarity: {at_least: 0.9}}
    - image.transparency: {file: ~/out.png, share: {at_least: 0.3}}
    - image.placed: {file: ~/out.png, colour: "#ff0000", x: {is: 20, within: 2}, width: 40}
    - image.palette: {file: ~/out.gif, colours: {at_most: 16}}
    - image.exif: {file: ~/out.jpg, tag: Artist, text: Ada}
    - image.unchanged: {file: ~/out.png, except: [0, 0, 200, 100]}

Regions are x, y, width, height in pixels from the top left. What another file is compared with is that file as it was at the start, if it was there.
`similar` does to the other picture what the task asked for (crop, mirror, turn clockwise, grey, invert, in this order), brings it to the same
size, and compares: `similarity` is structural and near 1 for what looks the same, `difference` the mean of each channel from 0 to 255.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from deskbench.checks.comparison import Comparison, hexadecimal, reference
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Number, Txt
from deskbench.checks.image_reading import (
    Picture,
    Pixels,
    luminance,
    on_white,
    read,
    region_of,
    resized,
    saturation,
    share_near,
    sharpness,
    structural_similarity,
)
from deskbench.core.faults import BadArtifact, CheckFault
from deskbench.core.verdict import Finding, failed, passed

Region = tuple[float, float, float, float]
Format = Literal["png", "jpeg", "gif", "bmp", "tiff", "webp", "ico", "avif", "tga", "ppm", "jpeg2000", "qoi"]
MOSTLY = Number.model_validate({"at_least": 0.95})
ALIKE = Number.model_validate({"at_least": 0.9})
SAME_COLOURS = Number.model_validate({"at_most": 8})


def properties(
    evidence: Evidence,
    *,
    file: HomePath,
    format: Format | None = None,
    width: Num | None = None,
    height: Num | None = None,
    mode: Literal["colour", "grey", "indexed", "bilevel"] | None = None,
    alpha: bool | None = None,
    dpi: Num | None = None,
    frames: Num | None = None,
    bytes: Num | None = None,
) -> Finding:
    """What kind of file it really is. Nothing said: a readable picture. `alpha` asks for a channel, used or not."""
    picture = _open(evidence, file)
    compared = Comparison(f"~/{file}")
    compared.value("format", format, picture.format.lower())
    compared.number("width", width, picture.size[0], " px")
    compared.number("height", height, picture.size[1], " px")
    compared.value("mode", mode, _mode(picture))
    compared.value("having alpha", alpha, picture.has_alpha)
    compared.number("resolution", dpi, picture.dpi, " dpi")
    compared.number("number of frames", frames, picture.frames)
    compared.number("size", bytes, evidence.file(file).stat().st_size, " bytes")
    return compared.finding()


def colour(evidence: Evidence, *, file: HomePath, colour: Col, region: Region | None = None, share: Num = MOSTLY) -> Finding:
    """How much of a region (or of the whole) has a colour, as a share from 0 to 1."""
    part = region_of(_open(evidence, file).rgba, region, f"~/{file}")
    seen = share_near(part, colour.rgb, colour.within)
    middle = hexadecimal(tuple(int(value) for value in np.median(on_white(part).reshape(-1, 3), axis=0)))
    held = share.holds(seen)
    where = f"of {list(region)} in ~/{file}" if region else f"of ~/{file}"
    says = f"{seen:.1%} {where} is {colour}" + ("" if held else f", not {share} as a share; the middle colour there is {middle}")
    return (passed if held else failed)(says, expected={"colour": str(colour), "share": str(share)}, seen={"share": round(seen, 4), "middle": middle})


def levels(
    evidence: Evidence,
    *,
    file: HomePath,
    region: Region | None = None,
    brightness: Num | None = None,
    contrast: Num | None = None,
    saturation: Num | None = None,
    sharpness: Num | None = None,
    red: Num | None = None,
    green: Num | None = None,
    blue: Num | None = None,
) -> Finding:
    """Means over a region: brightness and channels from 0 to 255, contrast their spread, saturation from 0 to 100. Or: not all one colour."""
    part = region_of(_open(evidence, file).rgba, region, f"~/{file}")
    seen = _levels(part)
    means = on_white(part).reshape(-1, 3).mean(axis=0)
    compared = Comparison(f"~/{file}")
    wanted = {"brightness": brightness, "contrast": contrast, "saturation": saturation, "sharpness": sharpness}
    for name, expected in wanted.items():
        compared.number(name, expected, seen[name])
    for name, expected, value in zip(("red", "green", "blue"), (red, green, blue), means, strict=True):
        compared.number(name, expected, float(value))
    if not compared.expected:
        compared.holds("look", "more than one colour", "one colour", bool(np.ptp(part[..., :3], axis=(0, 1)).any()))
    return compared.finding()


def adjusted(
    evidence: Evidence,
    *,
    file: HomePath,
    of: HomePath | None = None,
    brightness: Num | None = None,
    contrast: Num | None = None,
    saturation: Num | None = None,
    sharpness: Num | None = None,
    region: Region | None = None,
) -> Finding:
    """By what factor a picture became brighter, richer in contrast, more colourful, sharper than another (or than it was); or that it changed."""
    new = region_of(_open(evidence, file).rgba, region, f"~/{file}")
    old = region_of(_other(evidence, of or file).rgba, region, f"~/{of or file}")
    now, was = _levels(new), _levels(old)
    compared = Comparison(f"~/{file} against ~/{of or file}")
    wanted = {"brightness": brightness, "contrast": contrast, "saturation": saturation, "sharpness": sharpness}
    for name, expected in wanted.items():
        compared.number(f"factor of {name}", expected, now[name] / max(was[name], 1e-6))
    if not compared.expected:
        compared.holds("look", "changed", "the same", old.shape != new.shape or bool((np.abs(old.astype(int) - new) > 3).mean() > 0.001))
    return compared.finding()


def similar(
    evidence: Evidence,
    *,
    file: HomePath,
    to: HomePath | None = None,
    crop: Region | None = None,
    mirrored: Literal["horizontally", "vertically"] | None = None,
    turned: Literal[0, 90, 180, 270] = 0,
    grey: bool = False,
    inverted: bool = False,
    region: Region | None = None,
    similarity: Num = ALIKE,
    difference: Num | None = None,
) -> Finding:
    """A picture looks like another (or like itself at the start) to which this was done."""
    seen = _open(evidence, file).rgba
    wanted = _made(region_of(_other(evidence, to or file).rgba, crop, f"~/{to or file}"), mirrored, turned, grey, inverted)
    shape = wanted.shape[1] / wanted.shape[0] / (seen.shape[1] / seen.shape[0])
    if not 0.97 < shape < 1.03:
        sides = f"{seen.shape[1]} x {seen.shape[0]}", f"{wanted.shape[1]} x {wanted.shape[0]}"
        return failed(f"~/{file} is {sides[0]} px, which is not the shape of {sides[1]} px", expected=sides[1], seen=sides[0])
    if wanted.shape != seen.shape:
        smaller = min(wanted.shape[1], seen.shape[1]), min(wanted.shape[0], seen.shape[0])
        wanted, seen = resized(wanted, smaller), resized(seen, smaller)
    one, other = region_of(seen, region, f"~/{file}"), region_of(wanted, region, f"~/{file}")
    compared = Comparison(f"~/{file} against ~/{to or file}")
    compared.number("similarity", similarity, structural_similarity(one, other))
    if difference is None and similarity.at_least is not None:
        difference = SAME_COLOURS
    compared.number("difference", difference, float(np.abs(on_white(one) - on_white(other)).mean()))
    return compared.finding()


def transparency(evidence: Evidence, *, file: HomePath, share: Num, region: Region | None = None, below: int = 128) -> Finding:
    """How much of a region (or of the whole) is see-through: pixels whose alpha is below 128 (of 255), as a share from 0 to 1."""
    part = region_of(_open(evidence, file).rgba, region, f"~/{file}")
    compared = Comparison(f"~/{file}")
    compared.number("transparent share", share, float((part[..., 3] < below).mean()))
    return compared.finding()


def placed(
    evidence: Evidence,
    *,
    file: HomePath,
    colour: Col | None = None,
    x: Num | None = None,
    y: Num | None = None,
    width: Num | None = None,
    height: Num | None = None,
    centre_x: Num | None = None,
    centre_y: Num | None = None,
) -> Finding:
    """Where the pixels of a colour (or, without one, all that is not see-through) lie: the box around them. Nothing said: there are some."""
    rgba = _open(evidence, file).rgba
    there = rgba[..., 3] >= 128
    if colour is not None:
        there &= (np.abs(rgba[..., :3].astype(np.int16) - np.array(colour.rgb, dtype=np.int16)) <= colour.within).all(axis=-1)
    rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    if not rows.size:
        return failed(f"~/{file} has no pixel {f'of {colour}' if colour else 'that is not see-through'}", expected=str(colour))
    left, top, right, bottom = int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
    compared = Comparison(f"what is {colour or 'not see-through'} in ~/{file}")
    seen = {"x": left, "y": top, "width": right - left, "height": bottom - top, "centre x": (left + right) / 2, "centre y": (top + bottom) / 2}
    for (name, value), expected in zip(seen.items(), (x, y, width, height, centre_x, centre_y), strict=True):
        compared.number(name, expected, value, " px")
    return compared.finding()


def palette(
    evidence: Evidence, *, file: HomePath, colours: Num | None = None, includes: tuple[Col, ...] = (), indexed: bool | None = None
) -> Finding:
    """The different colours of the pixels: how many, and which are among them. Nothing said: more than one."""
    picture = _open(evidence, file)
    packed = np.unique(picture.rgba[..., :3].astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32))
    distinct = np.stack([packed >> 16, (packed >> 8) & 255, packed & 255], axis=-1)
    compared = Comparison(f"~/{file}")
    compared.number(
        "number of colours", colours or (None if includes or indexed is not None else Number.model_validate({"at_least": 2})), len(distinct)
    )
    for wanted in includes:
        near = bool((np.abs(distinct.astype(int) - np.array(wanted.rgb)) <= wanted.within).all(axis=1).any())
        compared.holds(f"colour {wanted}", "there", "there" if near else "missing", near)
    compared.value("being indexed", indexed, _mode(picture) == "indexed")
    return compared.finding()


def exif(evidence: Evidence, *, file: HomePath, tag: str | None = None, text: Txt | None = None, absent: bool = False) -> Finding:
    """What a camera or a person wrote into a picture, by the name of the tag (Artist, DateTimeOriginal); `absent`: nothing (of that tag) is there."""
    seen = _open(evidence, file).exif
    found = seen.get(tag) if tag is not None else ("something" if seen else None)
    compared = Comparison(f"~/{file}")
    if absent or text is None:
        compared.value(f"having {tag or 'EXIF data'}", not absent, found is not None)
    else:
        compared.text(tag or "EXIF data", text, found)
    return compared.finding()


def unchanged(
    evidence: Evidence,
    *,
    file: HomePath,
    of: HomePath | None = None,
    except_: Annotated[Region | None, Field(alias="except")] = None,
    within: int = 12,
    share: float = 0.002,
) -> Finding:
    """Outside of a region the pixels are those of another picture (or of this one at the start), but for a small share and for compression."""
    new, old = _open(evidence, file).rgba, _other(evidence, of or file).rgba
    if new.shape != old.shape:
        sides = f"{new.shape[1]} x {new.shape[0]}", f"{old.shape[1]} x {old.shape[0]}"
        return failed(f"~/{file} is now {sides[0]} px, not {sides[1]}", expected=sides[1], seen=sides[0])
    changed = np.asarray((np.abs(on_white(new) - on_white(old)) > within).any(axis=-1))
    if except_ is not None:
        x, y, width, height = (max(0, round(value)) for value in except_)
        changed[y : y + height, x : x + width] = False
    seen = float(changed.mean())
    says = f"{seen:.2%} of the pixels of ~/{file} {'outside of the region ' if except_ else ''}differ"
    return (passed if seen <= share else failed)(says, expected=share, seen=round(seen, 5))


def _open(evidence: Evidence, file: str) -> Picture:
    return read(evidence.file(file), f"~/{file}")


def _other(evidence: Evidence, file: str) -> Picture:
    change = evidence.changes.get(file)
    path = reference(evidence, file)
    try:
        return read(path, f"~/{file}")
    except BadArtifact as error:
        if change is None or change.change != "added":
            raise CheckFault(f"the picture to compare with cannot be read: {error}; mend the task") from error
        raise


def _mode(picture: Picture) -> str:
    kind = picture.mode.split()[0]
    return {"1": "bilevel", "P": "indexed", "PA": "indexed", "L": "grey", "LA": "grey", "I": "grey", "I;16": "grey", "F": "grey"}.get(kind, "colour")


def _levels(rgba: Pixels) -> dict[str, float]:
    grey = luminance(rgba)
    return {"brightness": float(grey.mean()), "contrast": float(grey.std()), "saturation": saturation(rgba), "sharpness": sharpness(rgba)}


def _made(rgba: Pixels, mirrored: str | None, turned: int, grey: bool, inverted: bool) -> Pixels:
    if mirrored is not None:
        rgba = rgba[:, ::-1] if mirrored == "horizontally" else rgba[::-1]
    rgba = np.rot90(rgba, -turned // 90)
    if grey:
        level = luminance(rgba)[..., None].round().astype(np.uint8)
        rgba = np.concatenate([level, level, level, np.full_like(level, 255)], axis=-1)
    if inverted:
        rgba = np.concatenate([255 - rgba[..., :3], rgba[..., 3:]], axis=-1)
    return np.ascontiguousarray(rgba)
