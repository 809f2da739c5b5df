"""A frame gives the same picture in every encoding that keeps it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from deskbench.core import frame as frame_module
from deskbench.core.frame import Frame


def noise(width: int = 63, height: int = 41) -> Frame:
    return Frame(np.random.default_rng(1).integers(0, 256, (height, width, 4), dtype=np.uint8))


@pytest.mark.parametrize("fast", [True, False])
def test_png_is_lossless_by_either_encoder(fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not fast:
        monkeypatch.setattr(frame_module, "_fpng", None)
    frame = noise()
    back = Image.open(io.BytesIO(frame.png))
    assert back.size == frame.size
    assert np.array_equal(np.asarray(back.convert("RGB")), frame.pixels[..., 2::-1])


def test_lossy_encodings_are_what_they_say() -> None:
    frame = noise()
    assert Image.open(io.BytesIO(frame.jpeg())).format == "JPEG"
    assert Image.open(io.BytesIO(frame.webp())).format == "WEBP"


def test_an_image_and_its_frame_are_the_same() -> None:
    image = Image.new("RGB", (5, 4), (10, 20, 30))
    frame = Frame.from_image(image)
    assert frame.pixels[0, 0, :3].tolist() == [30, 20, 10]
    assert frame.same_as(Frame.from_image(frame.image))
    assert not frame.same_as(noise())


def test_a_frame_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="height x width x 4"):
        Frame(np.zeros((3, 3, 3), np.uint8))
