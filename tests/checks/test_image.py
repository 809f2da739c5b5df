"""Pictures made by GIMP from one scene; and hostile ones."""

from __future__ import annotations

import io
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.faults import CheckFault
from deskbench.core.verdict import Finding

MADE = Path(__file__).parent / "artifacts" / "image"
FILE = "~/out.png"
SCENE = "~/scene.png"


@pytest.fixture
def judged(evidence_of: Callable[..., Evidence]) -> Callable[..., Finding]:
    def judge(check: str, left: str | bytes, /, **given: Any) -> Finding:
        evidence = evidence_of({FILE: MADE / left if isinstance(left, str) else left}, unchanged={SCENE: MADE / "scene.png"})
        return apply(check, arguments(check, {"file": FILE, **given}), evidence)

    return judge


def test_properties_are_of_the_content_not_the_name(judged: Callable[..., Finding]) -> None:
    assert judged("image.properties", "saved.jpg", format="jpeg", width=160, height=120, mode="colour", alpha=False).passed
    assert not judged("image.properties", "saved.jpg", format="png").passed
    assert judged("image.properties", "half.png", format="png", width=80, height=60).passed
    assert not judged("image.properties", "half.png", width=81).passed
    assert judged("image.properties", "eight.gif", format="gif", mode="indexed").passed
    assert judged("image.properties", "signed.jpg", dpi=300).passed
    assert judged("image.properties", "cut_out.png", alpha=True).passed


@pytest.mark.parametrize(
    ("name", "given", "passes"),
    [
        ("saved.jpg", {}, True),
        ("half.png", {"similarity": {"at_least": 0.85}}, True),
        ("mirrored.png", {}, False),
        ("mirrored.png", {"mirrored": "horizontally"}, True),
        ("mirrored.png", {"mirrored": "vertically"}, False),
        ("turned.png", {"turned": 90}, True),
        ("turned.png", {"turned": 270}, False),
        ("turned.png", {}, False),
        ("cropped.png", {"crop": [20, 30, 60, 60]}, True),
        ("cropped_elsewhere.png", {"crop": [20, 30, 60, 60]}, False),
        ("grey.png", {}, False),
        ("grey.png", {"grey": True}, True),
        ("inverted.png", {"inverted": True}, True),
        ("inverted.png", {}, False),
        ("brighter.png", {}, False),
        ("blurred.png", {}, False),
        ("blurred.png", {"similarity": {"at_most": 0.8}}, True),
    ],
)
def test_similar(judged: Callable[..., Finding], name: str, given: dict[str, Any], passes: bool) -> None:
    finding = judged("image.similar", name, to=SCENE, **given)
    assert finding.passed is passes, finding.sentence


def test_adjusted(judged: Callable[..., Finding]) -> None:
    assert judged("image.adjusted", "brighter.png", of=SCENE, brightness={"at_least": 1.1}).passed
    assert not judged("image.adjusted", "scene.png", of=SCENE, brightness={"at_least": 1.1}).passed
    assert judged("image.adjusted", "blurred.png", of=SCENE, sharpness={"at_most": 0.5}).passed
    assert not judged("image.adjusted", "saved.jpg", of=SCENE, sharpness={"at_most": 0.5}).passed
    assert judged("image.adjusted", "grey.png", of=SCENE, saturation={"at_most": 0.02}).passed
    assert not judged("image.adjusted", "scene.png", of=SCENE).passed
    assert judged("image.levels", "grey.png", saturation={"at_most": 1}).passed
    assert not judged("image.levels", "scene.png", saturation={"at_most": 1}).passed


def test_colours_and_places(judged: Callable[..., Finding]) -> None:
    assert judged("image.colour", "dot.png", colour="#ff0000", region=[100, 20, 30, 10]).passed
    assert not judged("image.colour", "dot.png", colour="#ff0000", region=[90, 20, 30, 10]).passed
    assert judged("image.placed", "dot.png", colour="#ff0000", x=100, y=20, width=30, height=10, centre_x=115).passed
    assert not judged("image.placed", "dot.png", colour="#ff0000", x=101).passed
    assert not judged("image.placed", "scene.png", colour="#ff0000").passed
    assert judged("image.palette", "eight.gif", colours={"at_most": 8}, indexed=True).passed
    assert not judged("image.palette", "scene.png", colours={"at_most": 8}).passed
    assert judged("image.unchanged", "dot.png", of=SCENE, **{"except": [100, 20, 30, 10]}).passed
    assert not judged("image.unchanged", "dot.png", of=SCENE).passed


def test_transparency_and_exif(judged: Callable[..., Finding]) -> None:
    assert judged("image.transparency", "cut_out.png", share={"is": 0.5, "within": 0.01}).passed
    assert not judged("image.transparency", "scene.png", share={"at_least": 0.1}).passed
    assert judged("image.exif", "signed.jpg", tag="Artist", text="Ada").passed
    assert not judged("image.exif", "signed.jpg", tag="Artist", text="Bob").passed
    assert judged("image.exif", "saved.jpg", tag="Artist", absent=True).passed
    assert not judged("image.exif", "signed.jpg", tag="Artist", absent=True).passed


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1 << 20))) + chunk(b"IEND", b"")


HOSTILE = {
    "empty": b"",
    "text": b"this is not a picture",
    "truncated": (MADE / "scene.png").read_bytes()[:5000],
    "bomb": _png(60_000, 60_000),
    "large": _png(9_000, 9_000),
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pictures_fail_quickly(judged: Callable[..., Finding], kind: str) -> None:
    started = time.process_time()
    finding = judged("image.properties", HOSTILE[kind])
    assert not finding.passed and "~/out.png" in finding.sentence
    assert not judged("image.similar", HOSTILE[kind], to=SCENE).passed
    assert time.process_time() - started < 3


def test_a_broken_picture_of_the_task_is_our_fault(evidence_of: Callable[..., Evidence]) -> None:
    evidence = evidence_of({FILE: MADE / "scene.png"}, unchanged={SCENE: b"broken"})
    with pytest.raises(CheckFault):
        apply("image.similar", arguments("image.similar", {"file": FILE, "to": SCENE}), evidence)


def test_sixteen_bits_are_read(judged: Callable[..., Finding]) -> None:
    stream = io.BytesIO()
    Image.new("I;16", (20, 20), 65535).save(stream, "PNG")
    assert judged("image.colour", stream.getvalue(), colour="#ffffff").passed
