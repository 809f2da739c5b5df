"""The frame, scaled for a model, and the way back from its points to the screen.

A point names a pixel; what is mapped is the pixel's middle. So a picture point lands in the middle of the screen
area that it shows, and a screen point that was mapped into a picture comes back to where it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PIL import Image

from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Observation
from deskbench.views import Shown

Size = tuple[int, int]
Form = Literal["png", "jpeg", "webp"]

MEDIA_TYPES: dict[Form, str] = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}


@dataclass(frozen=True, slots=True)
class Scale:
    """How a picture of one size shows a screen of another."""

    screen: Size
    picture: Size

    @property
    def ratio(self) -> tuple[float, float]:
        """Screen pixels per picture pixel, across and down."""
        return self.screen[0] / self.picture[0], self.screen[1] / self.picture[1]

    def to_screen(self, x: float, y: float) -> tuple[int, int]:
        """The screen pixel that a picture point shows; a point beyond the picture gives the pixel at the edge."""
        across, down = self.ratio
        return _pixel((x + 0.5) * across - 0.5, self.screen[0]), _pixel((y + 0.5) * down - 0.5, self.screen[1])

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """Where in the picture a screen pixel shows, exactly; round it for a pixel of the picture."""
        across, down = self.ratio
        return (x + 0.5) / across - 0.5, (y + 0.5) / down - 0.5

    def box_in_picture(self, box: Box) -> Box:
        """A box of the screen as it shows in the picture, at least a pixel large and never beyond the picture."""
        across, down = self.ratio
        left, right = _span(box.x / across, (box.x + box.width) / across, self.picture[0])
        top, bottom = _span(box.y / down, (box.y + box.height) / down, self.picture[1])
        return Box(left, top, right - left, bottom - top)


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A scaled frame and its scale."""

    frame: Frame
    scale: Scale


def scale_to(frame: Frame, size: Size) -> Screenshot:
    """The frame at exactly this size; the sides may be stretched differently."""
    if min(size) < 1:
        raise Misuse(f"a picture cannot be {size[0]} x {size[1]}; give a width and a height of at least 1")
    scale = Scale(frame.size, size)
    if size == frame.size:
        return Screenshot(frame, scale)
    # RGBX keeps the display's four bytes a pixel: no copy into RGB and back, and no alpha to weigh by.
    # Bicubic: letters stay as legible as with Lanczos, in two thirds of the time.
    contiguous = np.ascontiguousarray(frame.pixels)
    whole = Image.frombuffer("RGBX", frame.size, contiguous, "raw", "RGBX", 0, 1)
    resized = whole.resize(size, Image.Resampling.BICUBIC)
    return Screenshot(Frame(np.asarray(resized)), scale)


def scale_to_long_side(frame: Frame, long_side_px: int) -> Screenshot:
    """The frame with its longer side at most this long, in its own proportions; never enlarged."""
    return scale_to(frame, fit(frame.size, long_side_px))


def fit(size: Size, long_side_px: int) -> Size:
    """The largest size of the same proportions whose longer side is at most this long; never larger than it was."""
    if long_side_px < 1:
        raise Misuse(f"a longer side of {long_side_px} pixels cannot be; give at least 1")
    longer = max(size)
    if longer <= long_side_px:
        return size
    return max(1, round(size[0] * long_side_px / longer)), max(1, round(size[1] * long_side_px / longer))


def encode(frame: Frame, form: Form = "png", quality: int = 80) -> bytes:
    """The frame as bytes; `quality` counts for jpeg and webp."""
    match form:
        case "png":
            return frame.png
        case "jpeg":
            return frame.jpeg(quality)
        case "webp":
            return frame.webp(quality)
    raise Misuse(f"no picture form is called {form!r}; use {', '.join(MEDIA_TYPES)}")


def show(observation: Observation) -> Shown:
    """The view `screenshot`: the frame as it is."""
    return Shown(frame=observation.frame)


def _pixel(position: float, length: int) -> int:
    return min(max(round(position), 0), length - 1)


def _span(start: float, end: float, length: int) -> tuple[int, int]:
    first = min(max(round(start), 0), length - 1)
    return first, min(max(round(end), first + 1), length)
