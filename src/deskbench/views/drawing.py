"""Marks drawn on a frame: a thin box in one of a few colours, and its number on a tag at the bottom right corner.

A tag is put where it hides least: at that corner, inside the box or out, whichever place has the fewest edges of the picture
and no other tag under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import ImageDraw, ImageFont

from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Mark
from deskbench.views.screenshot import Scale

Colour = tuple[int, int, int]

COLOURS: tuple[tuple[Colour, Colour], ...] = (
    ((205, 30, 40), (255, 120, 120)),
    ((20, 100, 190), (110, 185, 255)),
    ((0, 125, 50), (95, 225, 120)),
    ((140, 50, 190), (215, 150, 255)),
    ((185, 85, 0), (255, 170, 70)),
    ((0, 120, 125), (70, 225, 225)),
    ((190, 20, 120), (255, 140, 210)),
    ((95, 90, 0), (230, 225, 80)),
)
"""For a light ground, under white numbers, and for a dark one, under black numbers; neighbours in reading order never share one."""

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
EDGE = np.uint8(48)
NOISE = 8
"""A step in green that is an edge in full, and one that the eye does not see; dimmed text is between them."""

DARK = 100
"""A ground whose green is below this on average is a dark one."""

LONG_SIDE_PER_LETTER = 160
"""A number is this part of the picture's longer side high: 12 pixels at 1920."""

SMALLEST_LETTER_PX = 9
TAG_COST = 1000.0
"""A hidden number cannot be read at all; anything in the picture is better to hide."""

FOREIGN_COST = 12.0
"""A number inside another mark's box looks like that one's."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A mark as it is drawn."""

    number: int
    box: Box
    colour: Colour
    ink: Colour


def draw(frame: Frame, marks: Sequence[Mark], scale: Scale | None = None) -> Frame:
    """A copy of the frame with the marks on it. With `scale`, the frame is a picture of that scale and the marks are the screen's."""
    image = frame.image.copy()
    pen = ImageDraw.Draw(image)
    screen = Box(0, 0, *image.size)
    boxes = [(m.id, (scale.box_in_picture(m.box) if scale else m.box).within(screen)) for m in marks]
    shown = [Shape(number, box, *_colours(number, frame, box)) for number, box in boxes if box.area]
    for shape in sorted(shown, key=lambda shape: -shape.box.area):
        pen.rectangle(_corners(shape.box), outline=shape.colour)
    letter_px = max(SMALLEST_LETTER_PX, round(max(image.size) / LONG_SIDE_PER_LETTER))
    _write(pen, shown, Ground(frame, [shape.box for shape in shown]), _font(letter_px))
    return Frame.from_image(image)


def _write(pen: ImageDraw.ImageDraw, shown: Sequence[Shape], ground: Ground, font: ImageFont.FreeTypeFont) -> None:
    """The numbers, the smallest boxes first: they have the least choice."""
    for shape in sorted(shown, key=lambda shape: (shape.box.area, shape.number)):
        left, top, right, bottom = font.getbbox(str(shape.number))
        size = (round(right - left) + 4, round(bottom - top) + 3)
        tag = ground.place(shape.box, size)
        pen.rectangle(_corners(tag), fill=shape.colour)
        pen.text((tag.x + 2 - left, tag.y + 1 - top), str(shape.number), shape.ink, font)


class Ground:
    """What is already on the picture where a tag may go: its edges, the boxes of marks, other tags."""

    def __init__(self, frame: Frame, boxes: Sequence[Box]) -> None:
        self._screen = Box(0, 0, *frame.size)
        self._edges = _edges(frame)
        self._marks = np.zeros(self._edges.shape, np.int16)
        self._tags = np.zeros(self._edges.shape, np.int16)
        for box in boxes:
            self._marks[_part(box)] += 1

    def place(self, box: Box, size: tuple[int, int]) -> Box:
        """The best place for the tag of a box, which is then taken."""
        tag = min(_places(box, size, self._screen), key=lambda entry: entry[0] + self._cost(entry[1], box))[1]
        self._tags[_part(tag)] += 1
        return tag

    def _cost(self, tag: Box, own: Box) -> float:
        """What a tag would hide of the picture, in edges per hundred pixels, and worse than that."""
        part = _part(tag)
        foreign = int(self._marks[part].sum()) - tag.within(own).area
        hidden = 100.0 * float(self._edges[part].sum()) / EDGE
        return (hidden + FOREIGN_COST * foreign + TAG_COST * int(self._tags[part].sum())) / max(1, tag.area)


def _part(box: Box) -> tuple[slice, slice]:
    return slice(box.y, box.y + box.height), slice(box.x, box.x + box.width)


def _corners(box: Box) -> tuple[int, int, int, int]:
    return box.x, box.y, box.x + box.width - 1, box.y + box.height - 1


def _places(box: Box, size: tuple[int, int], screen: Box) -> Iterator[tuple[float, Box]]:
    """Where a tag may go, with what each place costs by itself: at the bottom right corner inside, astride and
    outside; at the bottom left only where the screen ends."""
    width, height = size
    right, bottom = box.x + box.width, box.y + box.height
    places = (
        (0.0, right - width, bottom - height),
        (1.0, right - width, bottom - height // 2),
        (1.0, right - width // 2, bottom - height),
        (2.0, right - width // 2, bottom - height // 2),
        (3.0, right - width, bottom),
        (3.0, right, bottom - height),
        (40.0, box.x - width, bottom - height),
    )
    for cost, x, y in places:
        yield cost, Box(min(max(x, 0), max(0, screen.width - width)), min(max(y, 0), max(0, screen.height - height)), width, height)


def _edges(frame: Frame) -> NDArray[np.uint8]:
    """How clearly each pixel differs from the one before it or above it, up to `EDGE`."""
    green = frame.pixels[..., 1]
    step = np.zeros(green.shape, np.uint8)
    for after, before in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:, :], np.s_[:-1, :])):
        difference = np.maximum(green[after], green[before]) - np.minimum(green[after], green[before])
        np.maximum(step[after], difference, out=step[after])
    step[step < NOISE] = 0
    return np.minimum(step, EDGE)


def _colours(number: int, frame: Frame, box: Box) -> tuple[Colour, Colour]:
    """The colour of a mark and of its number, by the ground it stands on."""
    ground = frame.pixels[box.y : box.y + box.height : 2, box.x : box.x + box.width : 2, 1]
    dark = bool(ground.mean() < DARK)
    return COLOURS[number % len(COLOURS)][dark], BLACK if dark else WHITE


@cache
def _font(height_px: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(height_px)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
