"""Reading the screen with rapidocr: lines of text and where they are. An extra: deskbench[ocr].

Finding where text is takes most of a second on a whole screen, and reading it four times that. So what is read is kept: a picture
that was seen is answered at once, and on one that changed only the lines that are new are read. A line is read by itself, at
a width that depends on nothing but the line, so that the answer does not depend on what was read before.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Box

CONFIDENCE = 0.8
"""Below this a reading is not believed: mostly it was an icon, which stays as a line without text."""

LONE_CONFIDENCE = 0.95
LEAST_CONFIDENCE = 0.3
PICTURES_KEPT = 64
LINES_KEPT = 20_000
LINE_HEIGHT_PX = 48
"""What the recogniser was trained on."""

WIDTH_STEP_PX = 96
MARGIN_PX = 2
STANDS_OUT = 24
GREY = 127
"""What the recogniser takes for nothing."""

Pixels = NDArray[np.uint8]
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of text on the screen; without a text, something that looks like one and is more likely an icon."""

    text: str
    box: Box
    confidence: float


class Kept(Generic[K, V]):
    """The last so many answers."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._answers: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        if key not in self._answers:
            return None
        self._answers.move_to_end(key)
        return self._answers[key]

    def put(self, key: K, value: V) -> None:
        self._answers[key] = value
        self._answers.move_to_end(key)
        if len(self._answers) > self._limit:
            self._answers.popitem(last=False)

    def clear(self) -> None:
        self._answers.clear()


_pictures: Kept[bytes, tuple[Line, ...]] = Kept(PICTURES_KEPT)
_readings: Kept[bytes, tuple[str, float]] = Kept(LINES_KEPT)
_lock = threading.Lock()


def find_text(frame: Frame, region: Box | None = None) -> tuple[Line, ...]:
    """The lines of text in a frame, or in a region of it, from the top; boxes are in pixels of the frame.

    Misuse, with the command that mends it, if the extra is not installed.
    """
    whole = Box(0, 0, *frame.size)
    box = whole if region is None else region.within(whole)
    if not box.area:
        return ()
    engine = _engine()
    pixels = np.ascontiguousarray(frame.pixels[box.y : box.y + box.height, box.x : box.x + box.width, :3])
    key = _digest(pixels)
    with _lock:
        lines = _pictures.get(key)
        if lines is None:
            lines = _lines(engine, pixels)
            _pictures.put(key, lines)
    return tuple(Line(line.text, Box(line.box.x + box.x, line.box.y + box.y, line.box.width, line.box.height), line.confidence) for line in lines)


def forget() -> None:
    """Drop what is kept, for measurements."""
    with _lock:
        _pictures.clear()
        _readings.clear()


@cache
def _engine() -> Any:
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise Misuse("reading text off the screen needs an extra that is not installed; run: pip install 'deskbench[ocr]'") from error
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Global.use_cls": False,
            "Rec.rec_img_shape": [3, LINE_HEIGHT_PX, WIDTH_STEP_PX],
        }
    )


def _lines(engine: Any, pixels: Pixels) -> tuple[Line, ...]:
    corners = engine(pixels, use_det=True, use_cls=False, use_rec=False).boxes
    if corners is None:
        return ()
    whole = Box(0, 0, pixels.shape[1], pixels.shape[0])
    boxes = [_ink(pixels, box) for quad in corners if (box := _around(quad).within(whole)).area]
    readings = _readings_of(engine, [pixels[b.y : b.y + b.height, b.x : b.x + b.width] for b in boxes])
    lines = [
        Line(text.strip() if _is_text(text.strip(), confidence) else "", box, confidence)
        for box, (text, confidence) in zip(boxes, readings, strict=True)
        if confidence >= LEAST_CONFIDENCE
    ]
    return tuple(sorted(lines, key=lambda line: (line.box.y, line.box.x)))


def _is_text(text: str, confidence: float) -> bool:
    """Whether a reading is believed. Icons are read as single signs, often with confidence."""
    if len(text) == 1:
        return confidence >= LONE_CONFIDENCE and text.isascii() and text.isalnum()
    return confidence >= CONFIDENCE


def _around(quad: NDArray[np.float32]) -> Box:
    """The upright box around four corners."""
    left, top = np.floor(quad.min(axis=0)).astype(int).tolist()
    right, bottom = np.ceil(quad.max(axis=0)).astype(int).tolist()
    return Box(left, top, right - left, bottom - top)


def _ink(pixels: Pixels, box: Box) -> Box:
    """A box drawn in to what stands out in it, and a little margin.

    Where the detector draws its boxes moves by a pixel or two with what is elsewhere on the screen; the ink does not.
    """
    crop = pixels[box.y : box.y + box.height, box.x : box.x + box.width].astype(np.int16)
    rim = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    stands_out = np.abs(crop - np.median(rim, axis=0).astype(np.int16)).max(axis=2) > STANDS_OUT
    rows, columns = np.flatnonzero(stands_out.any(axis=1)), np.flatnonzero(stands_out.any(axis=0))
    if not len(rows):
        return box
    left, right = max(0, int(columns[0]) - MARGIN_PX), min(box.width, int(columns[-1]) + 1 + MARGIN_PX)
    top, bottom = max(0, int(rows[0]) - MARGIN_PX), min(box.height, int(rows[-1]) + 1 + MARGIN_PX)
    return Box(box.x + left, box.y + top, right - left, bottom - top)


def _readings_of(engine: Any, crops: Sequence[Pixels]) -> list[tuple[str, float]]:
    """Text and confidence of each crop; only those that were not read before are read, in batches of one width."""
    keys = [_digest(np.ascontiguousarray(crop)) for crop in crops]
    new: dict[int, dict[bytes, Pixels]] = {}
    known: dict[bytes, tuple[str, float]] = {}
    for key, crop in zip(keys, crops, strict=True):
        reading = _readings.get(key)
        if reading is not None:
            known[key] = reading
        else:
            strip = _strip(crop)
            new.setdefault(strip.shape[1], {})[key] = strip
    for strips in new.values():
        answer = engine.recognize_txt(list(strips.values()))
        for key, text, confidence in zip(strips, answer.txts or (), answer.scores or (), strict=True):
            known[key] = (str(text), float(confidence))
            _readings.put(key, known[key])
    return [known[key] for key in keys]


def _strip(crop: Pixels) -> Pixels:
    """A crop at the recogniser's height, filled up to a multiple of the width step."""
    width = max(1, round(crop.shape[1] * LINE_HEIGHT_PX / crop.shape[0]))
    line = np.asarray(Image.fromarray(crop).resize((width, LINE_HEIGHT_PX), Image.Resampling.BICUBIC))
    strip = np.full((LINE_HEIGHT_PX, -(-width // WIDTH_STEP_PX) * WIDTH_STEP_PX, 3), GREY, np.uint8)
    strip[:, :width] = line
    return strip


def _digest(pixels: Pixels) -> bytes:
    return hashlib.blake2b(pixels.tobytes() + repr(pixels.shape).encode(), digest_size=16).digest()
