"""A picture of the screen: pixels first, encoded only when someone needs the bytes."""

from __future__ import annotations

import io
import threading
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

try:
    import fpng as _fpng
except ImportError:  # the wheel exists for common platforms only; Pillow writes the same picture 15 times slower
    _fpng = None


_scratch = threading.local()


class Frame:
    """One screenful. `pixels` is height x width x 4, in the display's own order: blue, green, red, unused."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        if pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8:
            raise ValueError(f"a frame needs height x width x 4 bytes, not {pixels.shape} of {pixels.dtype}")
        self.pixels = pixels

    @classmethod
    def from_image(cls, image: Image.Image) -> Frame:
        """The frame that shows `image`."""
        rgb = np.asarray(image.convert("RGB"))
        pixels = np.full((*rgb.shape[:2], 4), 255, np.uint8)
        pixels[..., :3] = rgb[..., ::-1]
        return cls(pixels)

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def size(self) -> tuple[int, int]:
        return self.width, self.height

    @cached_property
    def image(self) -> Image.Image:
        """The frame as a Pillow image."""
        return Image.frombuffer("RGB", self.size, self.rgb, "raw", "RGB", 0, 1)

    @property
    def rgb(self) -> bytes:
        """The colours alone, red first."""
        # Read as RGBA and written as BGR, the channels change places in one pass; Pillow's own BGRX reader takes seven times as long.
        contiguous = np.ascontiguousarray(self.pixels)
        return Image.frombuffer("RGBA", self.size, contiguous, "raw", "RGBA", 0, 1).tobytes("raw", "BGR")

    def _rgb_in_place(self) -> NDArray[np.uint8]:
        """The colours, red first, in memory that this thread uses again: fresh pages for every picture cost more than the copy."""
        place = getattr(_scratch, "rgb", None)
        if place is None or place.shape[:2] != self.pixels.shape[:2]:
            place = _scratch.rgb = np.empty((self.height, self.width, 3), np.uint8)
        for channel in range(3):
            place[..., channel] = self.pixels[..., 2 - channel]
        rgb: NDArray[np.uint8] = place
        return rgb

    @cached_property
    def png(self) -> bytes:
        """The frame as PNG, without loss."""
        if _fpng is not None:
            return bytes(_fpng.from_ndarray(self._rgb_in_place()))
        return encode(self.image, "PNG", compress_level=1)

    def jpeg(self, quality: int = 80) -> bytes:
        """The frame as JPEG."""
        return encode(self.image, "JPEG", quality=quality)

    def webp(self, quality: int = 80) -> bytes:
        """The frame as lossy WebP."""
        return encode(self.image, "WEBP", quality=quality, method=0)

    def same_as(self, other: Frame) -> bool:
        """Whether both show the same colours everywhere."""
        return self.size == other.size and bool(np.array_equal(self.pixels[..., :3], other.pixels[..., :3]))


def encode(image: Image.Image, form: str, **options: Any) -> bytes:
    """An image as bytes in one of Pillow's formats."""
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()
