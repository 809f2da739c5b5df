"""Moving pictures in one file, frame by frame: GIF, animated PNG and WebP.

    - animation.frames: {file: ~/out.gif, durations: [500, 500, 2000], loops: true, shows: [~/a.png, ~/b.png, ~/c.png]}

`durations` are milliseconds, one for each frame; `loops` says whether it is played for ever. `shows` names a picture for each frame; both are
brought to the frame's size, and `difference` is the mean of each channel from 0 to 255. A frame is judged as it shows on the screen, whatever
part of it is stored.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from deskbench.checks.comparison import Comparison, reference
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Number
from deskbench.checks.image_reading import BROKEN, PIXELS, Pixels, on_white, read, resized
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding

FORMATS = ("GIF", "PNG", "WEBP")
FRAMES = 500
ALIKE = Number.model_validate({"at_most": 12})


@dataclass(frozen=True)
class Frames:
    """The frames as they show, how long each does, and whether they start again for ever."""

    pixels: tuple[Pixels, ...]
    milliseconds: tuple[float, ...]
    loops: bool


def frames(
    evidence: Evidence,
    *,
    file: HomePath,
    durations: tuple[Num, ...] | None = None,
    loops: bool | None = None,
    shows: tuple[HomePath, ...] | None = None,
    difference: Num = ALIKE,
) -> Finding:
    """The frames of an animation: how many, how long, again and again or once, and what each shows. Nothing said: more than one frame."""
    seen = _frames(evidence.file(file), f"~/{file}")
    compared = Comparison(f"~/{file}")
    count = len(durations or shows or ())
    compared.number("number of frames", Number.model_validate({"is": count} if count else {"at_least": 2}), len(seen.pixels))
    compared.value("starting again for ever", loops, seen.loops)
    for number, (expected, lasts) in enumerate(zip(durations or (), seen.milliseconds, strict=False), 1):
        compared.number(f"frame {number}", expected, lasts, " ms")
    for number, (path, frame) in enumerate(zip(shows or (), seen.pixels, strict=False), 1):
        wanted = resized(read(reference(evidence, path), f"~/{path}").rgba, (frame.shape[1], frame.shape[0]))
        compared.number(f"frame {number}'s difference from ~/{path}", difference, float(np.abs(on_white(frame) - on_white(wanted)).mean()))
    return compared.finding()


def _frames(path: Path, what: str) -> Frames:
    if path.stat().st_size == 0:
        raise BadArtifact(f"{what} is empty")
    pixels, milliseconds = [], []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DeprecationWarning)
            with Image.open(path, formats=FORMATS) as image:
                count = int(getattr(image, "n_frames", 1))
                if count > FRAMES or image.width * image.height * count > PIXELS:
                    raise BadArtifact(f"{what} has {count} frames of {image.width} x {image.height} pixels, more than are read")
                loops = image.info.get("loop") == 0
                for number in range(count):
                    image.seek(number)
                    pixels.append(np.asarray(image.convert("RGBA"), dtype=np.uint8))
                    milliseconds.append(float(image.info.get("duration", 0)))
    except BROKEN as error:
        raise BadArtifact(f"{what} is not a readable picture: {error}") from error
    return Frames(tuple(pixels), tuple(milliseconds), loops)
