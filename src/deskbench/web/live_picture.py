"""What one viewer has been sent of a screen, and the tiles that bring it up to date.

While the screen moves, large tiles go out as JPEG; once it rests, the parts that were sent so are sent again without
loss. Small tiles (a caret, the pointer, a menu item) are lossless at once.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from deskbench.core.frame import Frame
from deskbench.core.observation import Box

REFINE_SECONDS = 0.35
"""How long the screen rests before its lossy parts are sent again; shorter would do it between two typed letters."""

SMALL_PIXELS = 40_000
ROW_GAP = 48
"""Changes this many rows apart travel as tiles of their own, so that a clock and a caret do not make a whole screen."""

TILE_LIMIT = 6

_HEADER = struct.Struct(">IHHHHBBxx")


class Form(IntEnum):
    """How a tile is encoded, as the page is told."""

    JPEG = 0
    PNG = 1


@dataclass(frozen=True, slots=True)
class Tile:
    """A rectangle of the screen, encoded."""

    box: Box
    form: Form
    data: bytes

    def message(self, number: int, last: bool) -> bytes:
        """The tile as the page expects it: update number, x, y, width, height, form and whether it ends the update, then the picture."""
        box = self.box
        return _HEADER.pack(number, box.x, box.y, box.width, box.height, self.form, last) + self.data


class Picture:
    """What one viewer has of the screen."""

    def __init__(self) -> None:
        self._sent: NDArray[np.uint8] | None = None
        self._lossy: Box | None = None
        self._moved_at = 0.0

    def update(self, frame: Frame, quality: int, now: float) -> list[Tile]:
        """The tiles that show `frame` to the viewer; none if it has them already. `now` is a moment of the monotonic clock."""
        boxes = self._changed(frame)
        if boxes:
            self._sent = frame.pixels
            self._moved_at = now
            tiles = [self._tile(frame, box, quality) for box in boxes]
            for tile in tiles:
                if tile.form is Form.JPEG:
                    self._lossy = tile.box if self._lossy is None else _around(self._lossy, tile.box)
            return tiles
        if self._lossy is None or now - self._moved_at < REFINE_SECONDS:
            return []
        box, self._lossy = self._lossy, None
        return [Tile(box, Form.PNG, _cut(frame, box).png)]

    def _changed(self, frame: Frame) -> list[Box]:
        whole = Box(0, 0, frame.width, frame.height)
        if self._sent is None or self._sent.shape != frame.pixels.shape:
            return [whole]
        return changed_boxes(self._sent, frame.pixels)

    def _tile(self, frame: Frame, box: Box, quality: int) -> Tile:
        part = _cut(frame, box)
        if box.area <= SMALL_PIXELS:
            return Tile(box, Form.PNG, part.png)
        return Tile(box, Form.JPEG, part.jpeg(quality))


def changed_boxes(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> list[Box]:
    """Boxes around what differs between two screens of one size, from top to bottom."""
    differs = np.ascontiguousarray(before).view(np.uint32)[..., 0] != np.ascontiguousarray(after).view(np.uint32)[..., 0]
    rows = np.flatnonzero(differs.any(axis=1))
    if not len(rows):
        return []
    gaps = np.flatnonzero(np.diff(rows) > ROW_GAP)
    if len(gaps) >= TILE_LIMIT:
        gaps = gaps[:0]
    bands = np.split(rows, gaps + 1)
    return [_box_of_band(differs, int(band[0]), int(band[-1])) for band in bands]


def _box_of_band(differs: NDArray[np.bool_], top: int, bottom: int) -> Box:
    columns = np.flatnonzero(differs[top : bottom + 1].any(axis=0))
    left, right = int(columns[0]), int(columns[-1])
    return Box(left, top, right - left + 1, bottom - top + 1)


def _around(one: Box, other: Box) -> Box:
    left, top = min(one.x, other.x), min(one.y, other.y)
    right = max(one.x + one.width, other.x + other.width)
    bottom = max(one.y + one.height, other.y + other.height)
    return Box(left, top, right - left, bottom - top)


def _cut(frame: Frame, box: Box) -> Frame:
    return Frame(frame.pixels[box.y : box.y + box.height, box.x : box.x + box.width])
