"""Marks on a picture."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from trees import boxes

from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Mark
from deskbench.views.drawing import COLOURS, draw
from deskbench.views.screenshot import scale_to


def ground(width: int, height: int, shade: int = 240) -> Frame:
    return Frame(np.full((height, width, 4), shade, np.uint8))


def changed(before: Frame, after: Frame) -> np.ndarray:
    return np.any(before.pixels[..., :3] != after.pixels[..., :3], axis=2)


@given(st.lists(boxes, max_size=12), st.integers(1, 300), st.integers(1, 300))
def test_drawing_never_raises_and_keeps_the_size(places: list[Box], width: int, height: int) -> None:
    frame = ground(width, height)
    drawn = draw(frame, [Mark(n, box, "") for n, box in enumerate(places, 995)])
    assert drawn.size == (width, height)
    assert frame.same_as(ground(width, height))


def test_a_box_is_outlined_and_tagged_at_its_bottom_right() -> None:
    frame = ground(400, 300)
    drawn = draw(frame, [Mark(7, Box(100, 80, 120, 60), "OK")])
    differs = changed(frame, drawn)
    assert differs[80, 100:220].all() and differs[80:140, 100].all()
    assert differs[131:140, 213:220].mean() > 0.9
    assert not differs[82:128, 102:210].any()
    rest = differs.copy()
    rest[80:140, 100:220] = False
    assert not rest.any()


def test_a_tag_avoids_what_the_box_shows() -> None:
    frame = ground(400, 300)
    text = np.indices((14, 60)).sum(axis=0) % 4 < 2
    frame.pixels[103:117, 100:160][text] = 0
    drawn = draw(frame, [Mark(7, Box(99, 100, 62, 20), "text")])
    assert not changed(frame, drawn)[103:117, 101:159].any()


def test_tags_do_not_hide_each_other() -> None:
    frame = ground(400, 300)
    marks = [Mark(n, Box(100 + n, 100 + n, 40, 40), "") for n in range(1, 5)]
    drawn = draw(frame, marks)
    colours = {tuple(colour) for colour in drawn.pixels.reshape(-1, 4)[:, 2::-1].tolist()}
    for m in marks:
        light = COLOURS[m.id % len(COLOURS)][0]
        assert light in colours
        filled = np.all(drawn.pixels[..., 2::-1] == light, axis=2).sum()
        assert filled > 50 + 100, m


def test_marks_on_a_dark_ground_are_bright() -> None:
    drawn = draw(ground(400, 300, 20), [Mark(1, Box(100, 80, 120, 60), "")])
    assert drawn.image.getpixel((100, 80)) == COLOURS[1][1]


def test_marks_of_the_screen_can_be_drawn_on_a_scaled_picture() -> None:
    shot = scale_to(ground(800, 600), (400, 300))
    drawn = draw(shot.frame, [Mark(1, Box(200, 160, 240, 120), "")], shot.scale)
    assert drawn.same_as(draw(ground(400, 300), [Mark(1, Box(100, 80, 120, 60), "")]))
