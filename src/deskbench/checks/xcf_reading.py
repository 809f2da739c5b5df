"""GIMP's own format, read directly: the image, its layers and channels, their properties, and pixels tile by tile.

The layout is that of GIMP's developer documentation (xcf.txt), versions 0 to 14. Written by hand because the libraries that read it are
young or copyleft; its readings are held against GIMP's own in the tests.
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from deskbench.checks.image_reading import PIXELS, Pixels
from deskbench.core.faults import BadArtifact

LAYERS = 2_000
TILE = 64
TEXT = 64 << 10
PROPERTIES = {
    1: "colormap", 2: "active", 6: "opacity", 7: "mode", 8: "visible", 9: "linked", 10: "lock_alpha", 11: "apply_mask", 15: "offsets",
    17: "compression", 18: "guides", 19: "resolution", 21: "parasites", 28: "lock_content", 29: "group", 30: "path", 32: "lock_position",
    33: "float_opacity", 34: "colour_tag",
}  # fmt: skip
MODES = (
    "normal", "dissolve", "behind", "multiply", "screen", "overlay", "difference", "addition", "subtract", "darken only", "lighten only",
    "hsv hue", "hsv saturation", "hsl color", "hsv value", "divide", "dodge", "burn", "hard light", "soft light", "grain extract", "grain merge",
    "color erase", "overlay", "lch hue", "lch chroma", "lch color", "lch lightness", "normal", "behind", "multiply", "screen", "difference",
    "addition", "subtract", "darken only", "lighten only", "hsv hue", "hsv saturation", "hsl color", "hsv value", "divide", "dodge", "burn",
    "hard light", "soft light", "grain extract", "grain merge", "vivid light", "pin light", "linear light", "hard mix", "exclusion",
    "linear burn", "luma darken only", "luma lighten only", "luminance", "color erase", "erase", "merge", "split", "pass through",
)  # fmt: skip
"""The names GIMP shows, by number; the first 23 numbers are the older, perceptual variants of the same names."""


@dataclass
class Layer:
    """One layer, layer group or mask."""

    name: str
    width: int
    height: int
    has_alpha: bool
    properties: dict[str, bytes]
    parasites: dict[str, bytes]
    hierarchy: int
    image: Image = field(repr=False)
    mask: Layer | None = None
    parents: tuple[str, ...] = ()

    @property
    def opacity(self) -> float:
        """In percent, as GIMP shows it."""
        if (exact := self.properties.get("float_opacity")) is not None:
            return float(struct.unpack(">f", exact)[0]) * 100
        return self._number("opacity", 255) / 255 * 100

    @property
    def mode(self) -> str:
        number = self._number("mode", 28)
        return MODES[number] if number < len(MODES) else f"mode {number}"

    @property
    def visible(self) -> bool:
        return bool(self._number("visible", 1))

    @property
    def is_group(self) -> bool:
        return "group" in self.properties

    @property
    def offset(self) -> tuple[int, int]:
        x, y = struct.unpack(">ii", self.properties.get("offsets", bytes(8)))
        return int(x), int(y)

    @property
    def mask_applied(self) -> bool:
        return self.mask is not None and bool(self._number("apply_mask", 1))

    def flag(self, name: str) -> bool:
        return bool(self._number(name, 0))

    @cached_property
    def text(self) -> dict[str, str] | None:
        """What GIMP keeps of a text layer; None for other layers."""
        return _text_of(self.parasites["gimp-text-layer"]) if "gimp-text-layer" in self.parasites else None

    @cached_property
    def rgba(self) -> Pixels:
        """The pixels; a mask's are grey."""
        return self.image.pixels(self)

    def _number(self, name: str, default: int) -> int:
        return int.from_bytes(self.properties[name][:4], "big") if name in self.properties else default


class Image:
    """An image as it was saved."""

    def __init__(self, data: bytes, what: str) -> None:
        self.data, self.what = data, what
        try:
            self._read()
        except (struct.error, IndexError, ValueError, OverflowError) as error:
            raise BadArtifact(f"{what} is a damaged GIMP image: {error}") from error

    def pixels(self, layer: Layer) -> Pixels:
        try:
            return self._pixels(layer)
        except (struct.error, IndexError, ValueError, OverflowError, zlib.error) as error:
            raise BadArtifact(f"the pixels of {layer.name!r} in {self.what} are damaged: {error}") from error

    @property
    def resolution(self) -> float | None:
        return float(struct.unpack(">ff", self.properties["resolution"])[0]) if "resolution" in self.properties else None

    @property
    def guides(self) -> tuple[list[int], list[int]]:
        """The places of horizontal and of vertical guides."""
        said = self.properties.get("guides", b"")
        found: tuple[list[int], list[int]] = ([], [])
        for at in range(0, len(said) - 4, 5):
            place, direction = struct.unpack_from(">iB", said, at)
            found[0 if direction == 1 else 1].append(place)
        return sorted(found[0]), sorted(found[1])

    def _read(self) -> None:
        if self.data[:9] != b"gimp xcf ":
            raise BadArtifact(f"{self.what} is not a GIMP image")
        mark = self.data[9:13]
        self.version = 0 if mark == b"file" else int(mark[1:])
        self.width, self.height, base = struct.unpack_from(">III", self.data, 14)
        self.base = ("rgb", "grey", "indexed")[base]
        at = 26
        self.precision = 150
        if self.version >= 4:
            self.precision = struct.unpack_from(">I", self.data, at)[0]
            at += 4
        self.wide = self.version >= 11
        self.properties, self.parasites, at = self._properties(at)
        self.compression = self.properties.get("compression", b"\1")[0]
        offsets, at = self._offsets(at, LAYERS)
        self.layers = self._nested([self._layer(offset) for offset in offsets])
        self.channels = [self._channel(offset) for offset in self._offsets(at, LAYERS)[0]]
        # Properties of a wrong size show here, where what is damaged is told from what is ours.
        _ = self.resolution, self.guides, [(layer.opacity, layer.mode, layer.offset) for layer in self.layers]

    def _offsets(self, at: int, limit: int) -> tuple[list[int], int]:
        """Pointers up to a zero."""
        form, size = (">Q", 8) if self.wide else (">I", 4)
        found: list[int] = []
        while (offset := struct.unpack_from(form, self.data, at)[0]) != 0:
            found.append(offset)
            at += size
            if len(found) > limit:
                raise BadArtifact(f"{self.what} has more than {limit} parts")
        return found, at + size

    def _properties(self, at: int) -> tuple[dict[str, bytes], dict[str, bytes], int]:
        found: dict[str, bytes] = {}
        parasites: dict[str, bytes] = {}
        while True:
            kind, size = struct.unpack_from(">II", self.data, at)
            at += 8
            if kind == 0:
                return found, parasites, at
            value = self.data[at : at + size]
            if len(value) < size:
                raise ValueError("it ends too early")
            at += size
            if kind == 21:
                parasites.update(_parasites(value))
            else:
                found[PROPERTIES.get(kind, str(kind))] = value

    def _string(self, at: int) -> tuple[str, int]:
        size = struct.unpack_from(">I", self.data, at)[0]
        return self.data[at + 4 : at + 4 + size].rstrip(b"\0").decode("utf-8", "replace"), at + 4 + size

    def _layer(self, at: int) -> Layer:
        width, height, kind = struct.unpack_from(">III", self.data, at)
        name, at = self._string(at + 12)
        properties, parasites, at = self._properties(at)
        form = ">QQ" if self.wide else ">II"
        hierarchy, mask = struct.unpack_from(form, self.data, at)
        layer = Layer(name, width, height, kind % 2 == 1, properties, parasites, hierarchy, self)
        layer.mask = self._channel(mask) if mask else None
        return layer

    def _channel(self, at: int) -> Layer:
        width, height = struct.unpack_from(">II", self.data, at)
        name, at = self._string(at + 8)
        properties, parasites, at = self._properties(at)
        hierarchy = struct.unpack_from(">Q" if self.wide else ">I", self.data, at)[0]
        return Layer(name, width, height, False, properties, parasites, hierarchy, self)

    def _nested(self, layers: list[Layer]) -> list[Layer]:
        """Tell each layer which groups it lies in; the file says so by a path of places counted from the top."""
        groups: dict[tuple[int, ...], str] = {}
        tops = 0
        for layer in layers:
            said = layer.properties.get("path")
            path = struct.unpack(f">{len(said) // 4}I", said) if said else (tops,)
            tops += len(path) == 1
            groups[path] = layer.name
            layer.parents = tuple(groups.get(path[:depth], "") for depth in range(1, len(path)))
        return layers

    def _pixels(self, layer: Layer) -> Pixels:
        if layer.width * layer.height > PIXELS:
            raise BadArtifact(f"{layer.name!r} in {self.what} has {layer.width} x {layer.height} pixels, more than are read")
        width, height, deep = struct.unpack_from(">III", self.data, layer.hierarchy)
        level = struct.unpack_from(">Q" if self.wide else ">I", self.data, layer.hierarchy + 12)[0]
        if (width, height) != (layer.width, layer.height) or not 0 < deep <= 32:
            raise ValueError("its size is contradictory")
        across = -(-width // TILE)
        offsets, _ = self._offsets(level + 8, across * -(-height // TILE))
        whole = np.zeros((height, width, deep), dtype=np.uint8)
        for number, offset in enumerate(offsets):
            x, y = number % across * TILE, number // across * TILE
            wide, tall = min(TILE, width - x), min(TILE, height - y)
            whole[y : y + tall, x : x + wide] = self._tile(offset, wide * tall, deep).reshape(tall, wide, deep)
        return self._colours(whole)

    def _tile(self, at: int, count: int, deep: int) -> NDArray[np.uint8]:
        if self.compression == 0:
            return np.frombuffer(self.data, np.uint8, count * deep, at).reshape(count, deep)
        if self.compression == 2:
            plain = zlib.decompressobj().decompress(memoryview(self.data)[at:], count * deep)
            return np.frombuffer(plain, np.uint8, count * deep).reshape(count, deep)
        planes = []
        for _ in range(deep):
            plane, at = _unpacked(self.data, at, count)
            planes.append(np.frombuffer(plane, np.uint8))
        return np.stack(planes, axis=-1)

    def _colours(self, whole: NDArray[np.uint8]) -> Pixels:
        """Stored samples as eight bits of red, green, blue and alpha."""
        samples = self._eight_bit(whole)
        if self.base == "indexed" and samples.shape[2] <= 2 and (said := self.properties.get("colormap")) is not None:
            table = np.zeros((256, 3), dtype=np.uint8)
            entries = np.frombuffer(said[4:], np.uint8)[: 256 * 3].reshape(-1, 3)
            table[: len(entries)] = entries
            colours = table[samples[..., 0]]
        else:
            colours = samples[..., :3] if samples.shape[2] >= 3 else np.repeat(samples[..., :1], 3, axis=-1)
        alpha = samples[..., -1:] if samples.shape[2] in (2, 4) else np.full_like(samples[..., :1], 255)
        return np.concatenate([colours, alpha], axis=-1)

    def _eight_bit(self, whole: NDArray[np.uint8]) -> NDArray[np.uint8]:
        # Version 4 numbered precisions 0 to 4; later ones are hundreds by type, with 50 added for values that are not linear.
        precision = (150, 250, 300, 500, 600)[self.precision] if self.version == 4 else self.precision
        linear = precision % 100 == 0
        kind = {1: "u1", 2: "u2", 3: "u4", 5: "f2", 6: "f4", 7: "f8"}.get(precision // 100)
        if kind is None:
            raise ValueError(f"the precision {self.precision} is unknown")
        values = whole.copy().view(np.dtype(kind).newbyteorder(">" if self.version >= 12 else "<"))
        if kind == "u1" and not linear:
            return whole
        scaled = values.astype(np.float32) / (1.0 if kind[0] == "f" else float(np.iinfo(kind).max))
        scaled = np.clip(np.nan_to_num(scaled), 0, 1)
        if linear and self.base != "indexed":
            colours = scaled.shape[2] - (scaled.shape[2] in (2, 4))
            part = scaled[..., :colours]
            scaled[..., :colours] = np.where(part <= 0.0031308, part * 12.92, 1.055 * part ** (1 / 2.4) - 0.055)
        return np.asarray((scaled * 255).round(), dtype=np.uint8)


def _unpacked(data: bytes, at: int, count: int) -> tuple[bytes, int]:
    """Run-length coding of one plane."""
    plane = bytearray()
    while len(plane) < count:
        code = data[at]
        at += 1
        if code in (127, 128):
            size = data[at] << 8 | data[at + 1]
            at += 2
        else:
            size = code + 1 if code < 127 else 256 - code
        if code < 128:
            plane += data[at : at + 1] * size
            at += 1
        else:
            plane += data[at : at + size]
            at += size
        if size == 0 or at > len(data):
            raise ValueError("a run has no end")
    if len(plane) != count:
        raise ValueError("a tile is too long")
    return bytes(plane), at


def _parasites(value: bytes) -> dict[str, bytes]:
    found, at = {}, 0
    while at + 4 <= len(value):
        size = struct.unpack_from(">I", value, at)[0]
        name = value[at + 4 : at + 4 + size].rstrip(b"\0").decode("utf-8", "replace")
        at += 4 + size + 4
        length = struct.unpack_from(">I", value, at)[0]
        found[name] = value[at + 4 : at + 4 + length]
        at += 4 + length
    return found


def _text_of(parasite: bytes) -> dict[str, str]:
    """The settings of a text layer, from lines such as (font "Sans") or (color (color-rgb 1 0 0))."""
    said = parasite[:TEXT].rstrip(b"\0").decode("utf-8", "replace")
    found = {}
    for name, quoted, bare in re.findall(r'\(([a-z-]+) (?:"((?:\\.|[^"\\])*)"|((?:[^()"]|\([^()]*\))*))\)', said):
        plain = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), quoted)
        found[name] = re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), plain) if quoted else bare.strip()
    return found
