"""Animations: one that GIMP made of four layers, and nearly right ones."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

CHECK = "animation.frames"
FILE = "~/out.gif"
COLOURS = ("#c03020", "#20a040", "#2050c0")
STILLS = tuple(f"~/{number}.png" for number in range(3))


def still(colour: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (80, 60), colour).save(written, "PNG")
    return written.getvalue()


def moving(colours: tuple[str, ...] = COLOURS, durations: tuple[int, ...] = (200, 300, 1500), loop: int | None = 0, form: str = "GIF") -> bytes:
    frames = [Image.new("RGB", (40, 30), colour) for colour in colours]
    written = io.BytesIO()
    often = {"loop": loop} if loop is not None else {}
    frames[0].save(written, form, save_all=True, append_images=frames[1:], duration=list(durations), **often)
    return written.getvalue()


@pytest.fixture
def judged(evidence_of: Callable[..., Evidence]) -> Callable[..., Finding]:
    def judge(left: bytes | Path, /, **given: Any) -> Finding:
        evidence = evidence_of({FILE: left}, unchanged={path: still(colour) for path, colour in zip(STILLS, COLOURS, strict=True)})
        return apply(CHECK, arguments(CHECK, {"file": FILE, **given}), evidence)

    return judge


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP"])
def test_frames_durations_and_loop_as_asked_for(judged: Callable[..., Finding], form: str) -> None:
    assert judged(moving(form=form), durations=[200, 300, 1500], loops=True, shows=STILLS).passed


@pytest.mark.parametrize(
    ("left", "says"),
    [
        (moving(durations=(200, 300, 300)), "frame 3 is 300 ms"),
        (moving(loop=None), "starting again for ever"),
        (moving(colours=(COLOURS[1], COLOURS[0], COLOURS[2])), "frame 1's difference"),
        (moving(colours=COLOURS[:2], durations=(200, 300)), "number of frames is 2"),
        (still(COLOURS[0]), "number of frames is 1"),
        (b"", "empty"),
        (b"GIF89a\x10", "not a readable picture"),
    ],
)
def test_nearly_right_ones_fail_and_say_why(judged: Callable[..., Finding], left: bytes, says: str) -> None:
    found = judged(left, durations=[200, 300, 1500], loops=True, shows=STILLS)
    assert not found.passed and says in found.sentence, found.sentence


def test_nothing_said_asks_for_movement(judged: Callable[..., Finding]) -> None:
    assert judged(moving()).passed
    assert not judged(still(COLOURS[0])).passed
