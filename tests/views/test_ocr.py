"""Reading text off a frame, with the real recogniser."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from deskbench.core.frame import Frame
from deskbench.core.observation import Box
from deskbench.views import ocr

pytest.importorskip("rapidocr", reason="rapidocr is not installed; run: pip install 'deskbench[ocr]'")


def picture(*texts: tuple[int, int, str]) -> Frame:
    image = Image.new("RGB", (480, 240), "white")
    pen = ImageDraw.Draw(image)
    for x, y, text in texts:
        pen.text((x, y), text, "black", ImageFont.load_default(18))
    return Frame.from_image(image)


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    ocr._engine.cache_clear()
    ocr.forget()


def test_lines_are_found_where_they_are() -> None:
    found = ocr.find_text(picture((40, 30, "Open Recent"), (200, 150, "Render Image")))
    assert [line.text for line in found] == ["Open Recent", "Render Image"]
    assert found[0].box.contains(80, 40) and found[1].box.contains(250, 160)
    assert all(line.confidence > 0.8 and line.box.height < 40 for line in found)


def test_only_the_region_is_read_and_boxes_are_those_of_the_frame() -> None:
    (line,) = ocr.find_text(picture((40, 30, "Open Recent"), (200, 150, "Render Image")), Box(180, 120, 300, 120))
    assert line.text == "Render Image" and line.box.contains(250, 160)


@pytest.mark.parametrize("region", [None, Box(1000, 1000, 50, 50), Box(0, 0, 0, 0)])
def test_nothing_to_read_gives_nothing(region: Box | None) -> None:
    assert ocr.find_text(picture(), region) == ()


def test_what_was_read_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ocr.find_text(picture((40, 30, "Open Recent")))
    engine = ocr._engine()
    read: list[int] = []
    recognise = engine.recognize_txt
    monkeypatch.setattr(engine, "recognize_txt", lambda crops: read.append(len(crops)) or recognise(crops))
    assert ocr.find_text(picture((40, 30, "Open Recent"))) == first
    assert read == []
    changed = ocr.find_text(picture((40, 30, "Open Recent"), (200, 150, "Render Image")))
    assert [line.text for line in changed] == ["Open Recent", "Render Image"]
    assert read == [1]


def test_an_answer_does_not_depend_on_what_was_read_before() -> None:
    both = picture((40, 30, "Open Recent"), (200, 150, "Render Image"), (40, 90, "1.000"))
    alone = ocr.find_text(both)
    ocr.forget()
    ocr.find_text(picture((200, 150, "Render Image"), (40, 90, "A rather longer line of text")))
    assert [line.text for line in ocr.find_text(both)] == [line.text for line in alone]
