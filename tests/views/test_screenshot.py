"""Scaled frames, and points that find their way back."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Box
from deskbench.views.screenshot import MEDIA_TYPES, Scale, encode, fit, scale_to, scale_to_long_side

sides = st.integers(1, 5000)
sizes = st.tuples(sides, sides)


@st.composite
def scaled_points(draw: st.DrawFn) -> tuple[Scale, int, int]:
    scale = Scale(draw(sizes), draw(sizes))
    return scale, draw(st.integers(0, scale.screen[0] - 1)), draw(st.integers(0, scale.screen[1] - 1))


def test_a_frame_scaled_to_its_own_size_is_the_same_frame() -> None:
    frame = Frame(np.zeros((4, 6, 4), np.uint8))
    assert scale_to(frame, (6, 4)).frame is frame


def test_scaling_keeps_the_colours_in_their_places() -> None:
    pixels = np.zeros((100, 200, 4), np.uint8)
    pixels[:, :100] = (255, 0, 0, 0)
    pixels[:, 100:] = (0, 0, 255, 0)
    small = scale_to(Frame(pixels), (50, 25)).frame
    assert small.size == (50, 25)
    assert small.image.getpixel((5, 12)) == (0, 0, 255)
    assert small.image.getpixel((45, 12)) == (255, 0, 0)


@given(scaled_points())
def test_a_screen_point_comes_back_from_the_picture(case: tuple[Scale, int, int]) -> None:
    scale, x, y = case
    assert scale.to_screen(*scale.to_picture(x, y)) == (x, y)


@given(scaled_points())
def test_a_rounded_picture_point_comes_back_within_a_pixel(case: tuple[Scale, int, int]) -> None:
    """Within a pixel of the coarser of the two grids: a picture pixel stands for `ratio` screen pixels."""
    scale, x, y = case
    across, down = scale.to_picture(x, y)
    back = scale.to_screen(round(across), round(down))
    for came, went, ratio in zip(back, (x, y), scale.ratio, strict=True):
        assert abs(came - went) <= max(1.0, ratio / 2 + 0.5)


@given(sizes, sizes, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_no_point_leaves_the_screen(screen: tuple[int, int], picture: tuple[int, int], x: float, y: float) -> None:
    left, top = Scale(screen, picture).to_screen(x, y)
    assert 0 <= left < screen[0] and 0 <= top < screen[1]


@given(sizes, sizes, st.tuples(sides, sides, sides, sides))
def test_no_box_leaves_the_picture(screen: tuple[int, int], picture: tuple[int, int], box: tuple[int, int, int, int]) -> None:
    whole = Box(0, 0, *picture)
    seen = Scale(screen, picture).box_in_picture(Box(*box))
    assert seen.area > 0 and seen.within(whole) == seen


@given(sizes, st.integers(1, 3000))
def test_fitting_keeps_proportions_and_never_enlarges(size: tuple[int, int], long_side_px: int) -> None:
    fitted = fit(size, long_side_px)
    assert max(fitted) == min(max(size), long_side_px)
    assert all(0 < side <= of for side, of in zip(fitted, size, strict=True))
    shrunk = max(fitted) / max(size)
    assert all(abs(side - of * shrunk) <= 1 for side, of in zip(fitted, size, strict=True))


def test_a_full_screen_fits_a_long_side_of_1280() -> None:
    shot = scale_to_long_side(Frame(np.zeros((1080, 1920, 4), np.uint8)), 1280)
    assert shot.frame.size == (1280, 720)
    assert shot.scale.to_screen(640, 360) == (960, 540)


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (-1, 5)])
def test_a_picture_without_area_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(Misuse, match="at least 1"):
        scale_to(Frame(np.zeros((4, 6, 4), np.uint8)), size)


def test_a_long_side_of_nothing_is_refused() -> None:
    with pytest.raises(Misuse, match="at least 1"):
        fit((10, 10), 0)


@pytest.mark.parametrize("form", MEDIA_TYPES)
def test_every_form_opens_again_at_the_same_size(form: str) -> None:
    frame = Frame(np.full((30, 40, 4), 77, np.uint8))
    with Image.open(io.BytesIO(encode(frame, form))) as image:  # type: ignore[arg-type]
        assert image.size == (40, 30)
        assert image.get_format_mimetype() == MEDIA_TYPES[form]  # type: ignore[index, attr-defined]


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(Misuse, match="png, jpeg, webp"):
        encode(Frame(np.zeros((4, 6, 4), np.uint8)), "gif")  # type: ignore[arg-type]
