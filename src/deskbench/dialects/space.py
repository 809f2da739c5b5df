"""Coordinate spaces: where a model's numbers lie on the screen. Scaling happens here and nowhere else in the house."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deskbench.core.action import Point


class NotUnderstood(ValueError):
    """What a model said that is no action, in a sentence that goes back to it."""


@dataclass(frozen=True, slots=True)
class Space:
    """A model's coordinates run from 0 to `extent` over the screen; `whole` ones are integers."""

    screen: tuple[int, int]
    extent: tuple[float, float]
    whole: bool = True

    def to_screen(self, x: object, y: object) -> Point:
        """The pixel that a model means; NotUnderstood if it is not on the screen. The far edge itself counts as the last pixel."""
        return self._pixel(x, 0), self._pixel(y, 1)

    def _pixel(self, value: object, axis: int) -> int:
        extent, screen = self.extent[axis], self.screen[axis]
        number = _number(value)
        if not 0 <= number <= extent:
            raise NotUnderstood(f"{'xy'[axis]} = {number:g} is not on the screen; it runs from 0 to {extent:g}")
        return min(screen - 1, round(number * screen / extent))

    def to_model(self, x: int, y: int) -> tuple[float, float]:
        """The numbers by which a model names a pixel."""
        return self._said(x, 0), self._said(y, 1)

    def _said(self, pixel: int, axis: int) -> float:
        value = pixel * self.extent[axis] / self.screen[axis]
        return min(round(value), round(self.extent[axis]) - 1) if self.whole else round(value, 4)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise NotUnderstood(f"a coordinate is a number, not {value!r:.40}")
    try:
        number = float(value)
    except OverflowError:  # too long to be shown
        raise NotUnderstood("a coordinate is a number on the screen, not one beyond all bounds") from None
    except ValueError:
        raise NotUnderstood(f"a coordinate is a number, not {value!r:.40}") from None
    if not math.isfinite(number):
        raise NotUnderstood(f"a coordinate is a finite number, not {number}")
    return number


def pixels(screen: tuple[int, int], shown: tuple[int, int] | None = None) -> Space:
    """Pixels of the picture that was shown, or of the screen itself."""
    width, height = shown or screen
    return Space(screen, (width, height))


def grid(screen: tuple[int, int], cells: int = 1000) -> Space:
    """The same number of cells in both directions, whatever the screen: 0 to 999, or 0 to 1000."""
    return Space(screen, (cells, cells))


def fractions(screen: tuple[int, int]) -> Space:
    """Fractions of the width and the height."""
    return Space(screen, (1.0, 1.0), whole=False)


def fitted(size: tuple[int, int], limit: tuple[int, int]) -> tuple[int, int]:
    """The largest size of the same shape that fits into a limit, never enlarged."""
    scale = min(1.0, limit[0] / size[0], limit[1] / size[1])
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def smart_resized(size: tuple[int, int], factor: int, least: int, most: int) -> tuple[int, int]:
    """The size to which the Qwen family's image processor brings a picture: sides that `factor` divides, area between the limits."""
    width, height = size
    near = max(factor, round(width / factor) * factor), max(factor, round(height / factor) * factor)
    if near[0] * near[1] > most:
        shrink = math.sqrt(width * height / most)
        return max(factor, math.floor(width / shrink / factor) * factor), max(factor, math.floor(height / shrink / factor) * factor)
    if near[0] * near[1] < least:
        grow = math.sqrt(least / (width * height))
        return math.ceil(width * grow / factor) * factor, math.ceil(height * grow / factor) * factor
    return near
