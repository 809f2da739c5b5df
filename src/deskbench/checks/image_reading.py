"""Pictures as arrays of red, green, blue and alpha, read with bounds; and how two of them compare."""

from __future__ import annotations

import struct
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from deskbench.core.faults import BadArtifact

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
PIXELS = 32_000_000
# No EPS, which would start a program, and nothing that is not a picture an application exports.
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "ICO", "PPM", "TGA", "PCX", "AVIF", "JPEG2000", "QOI", "XPM", "DDS", "SGI")
BROKEN = (UnidentifiedImageError, OSError, SyntaxError, ValueError, struct.error, zlib.error, EOFError, IndexError, KeyError, TypeError,
          OverflowError, MemoryError, AttributeError, AssertionError, Warning, Image.DecompressionBombError)  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A picture that was read whole."""

    format: str
    mode: str
    frames: int
    dpi: float | None
    colours: int | None
    exif: dict[str, str]
    rgba: Pixels

    @property
    def size(self) -> tuple[int, int]:
        return int(self.rgba.shape[1]), int(self.rgba.shape[0])

    @property
    def has_alpha(self) -> bool:
        return "A" in self.mode or "transparency" in self.mode


def read(path: Path, what: str) -> Picture:
    """Read a picture; BadArtifact for what is none, is damaged, or would unpack to more than is read."""
    if path.stat().st_size == 0:
        raise BadArtifact(f"{what} is empty")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DeprecationWarning)
            with Image.open(path, formats=FORMATS) as image:
                if image.width * image.height > PIXELS:
                    raise BadArtifact(f"{what} has {image.width} x {image.height} pixels, more than are read")
                return _picture(image)
    except BROKEN as error:
        raise BadArtifact(f"{what} is not a readable picture: {error}") from error


def _picture(image: Image.Image) -> Picture:
    form, mode, frames = image.format or "", image.mode, int(getattr(image, "n_frames", 1))
    density = image.info.get("dpi")
    exif = {_tag_name(tag): str(value) for tag, value in _exif(image)}
    colours = len(image.getcolors(256) or ()) if mode in ("P", "L", "1") else None
    transparent = mode == "P" and "transparency" in image.info
    image.seek(0)
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I") or upright.mode == "F":
        upright = _eight_bit(upright)
    rgba = np.asarray(upright.convert("RGBA"), dtype=np.uint8)
    dpi = float(density[0]) if density else None
    return Picture(form, f"{mode} with transparency" if transparent else mode, frames, dpi, colours, exif, rgba)


def _eight_bit(image: Image.Image) -> Image.Image:
    """Sixteen bits a pixel, or floats from 0 to 1, brought down to eight bits."""
    values = np.asarray(image, dtype=np.float32)
    top = 1.0 if image.mode == "F" and values.max(initial=0) <= 1.0 else 255.0 if values.max(initial=0) <= 255 else 65535.0
    return Image.fromarray((np.clip(values / top, 0, 1) * 255).round().astype(np.uint8))


def _exif(image: Image.Image) -> list[tuple[int, object]]:
    found = image.getexif()
    inner = found.get_ifd(0x8769)
    return [*found.items(), *inner.items()]


def _tag_name(tag: int) -> str:
    from PIL.ExifTags import TAGS

    return TAGS.get(tag, str(tag))


def region_of(rgba: Pixels, region: tuple[float, float, float, float] | None, what: str) -> Pixels:
    """A part of a picture: x, y, width, height in pixels."""
    if region is None:
        return rgba
    x, y, width, height = (round(value) for value in region)
    part = rgba[max(0, y) : max(0, y + height), max(0, x) : max(0, x + width)]
    if part.size == 0:
        raise BadArtifact(f"{what} is only {rgba.shape[1]} x {rgba.shape[0]} pixels: there is nothing at {x}, {y}")
    return part


def on_white(rgba: Pixels) -> Floats:
    """Red, green and blue as seen on white paper."""
    alpha = rgba[..., 3:].astype(np.float32) / np.float32(255)
    return np.asarray(rgba[..., :3] * alpha + 255 * (1 - alpha), dtype=np.float32)


def luminance(rgba: Pixels) -> Floats:
    seen: Floats = on_white(rgba) @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
    return seen


def saturation(rgba: Pixels) -> float:
    """How colourful, from 0 to 100."""
    seen = on_white(rgba)
    top, low = seen.max(axis=-1), seen.min(axis=-1)
    return float(np.mean((top - low) / np.maximum(top, 1)) * 100)


def sharpness(rgba: Pixels) -> float:
    """How much neighbouring pixels differ: the spread of the Laplacian."""
    grey = luminance(rgba)
    if min(grey.shape) < 3:
        return 0.0
    inner = 4 * grey[1:-1, 1:-1] - grey[:-2, 1:-1] - grey[2:, 1:-1] - grey[1:-1, :-2] - grey[1:-1, 2:]
    return float(inner.std())


def share_near(rgba: Pixels, rgb: tuple[int, int, int], within: int) -> float:
    """The share of pixels of a colour that are not see-through."""
    near = (np.abs(rgba[..., :3].astype(np.int16) - np.array(rgb, dtype=np.int16)) <= within).all(axis=-1)
    return float((near & (rgba[..., 3] >= 128)).mean())


def structural_similarity(one: Pixels, other: Pixels) -> float:
    """Structural similarity of two pictures of one size, from -1 to 1 (the mean over windows of 8 x 8, of each colour channel)."""
    return float(np.mean([_ssim(on_white(one)[..., channel], on_white(other)[..., channel]) for channel in range(3)]))


def _ssim(one: Floats, other: Floats) -> float:
    def mean(values: Floats) -> Floats:
        height, width = (max(1, side // 8) for side in values.shape)
        tall, wide = (min(8, side) for side in values.shape)
        cut = values[: height * tall, : width * wide]
        blocks: Floats = cut.reshape(height, tall, width, wide).mean(axis=(1, 3))
        return blocks

    a, b = mean(one), mean(other)
    variance_a, variance_b = mean(one * one) - a * a, mean(other * other) - b * b
    together = mean(one * other) - a * b
    c1, c2 = 6.5025, 58.5225
    found = ((2 * a * b + c1) * (2 * together + c2)) / ((a * a + b * b + c1) * (variance_a + variance_b + c2))
    return float(found.mean())


def resized(rgba: Pixels, size: tuple[int, int]) -> Pixels:
    return np.asarray(Image.fromarray(rgba).resize(size, Image.Resampling.LANCZOS), dtype=np.uint8)
