"""The checks of videos, on files rendered by melt (which renders for Kdenlive) from projects saved by Kdenlive, and on small made-up ones."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

HERE = Path(__file__).parent / "artifacts" / "video"


def check(evidence: Evidence, check_name: str, video: str, **given: Any) -> Finding:
    return apply(check_name, arguments(check_name, {"file": f"~/{video}", **given}), evidence)


def clip(levels: Iterator[int], container: str = "matroska") -> bytes:
    """Grey frames of those levels, 25 a second."""
    out = io.BytesIO()
    with av.open(out, "w", format=container) as target:
        stream = target.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = 64, 48, "yuv420p", 400_000
        for level in levels:
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), level, dtype=np.uint8), format="rgb24")
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    return out.getvalue()


@pytest.fixture
def videos(evidence_of: Callable[..., Evidence]) -> Evidence:
    picture = io.BytesIO()
    Image.new("RGB", (640, 360), "#0000fe").save(picture, "PNG")
    given = {"~/blue.mp4": HERE / "blue.mp4", "~/blue.png": picture.getvalue()}
    return evidence_of({"~/two.mp4": HERE / "two.mp4", "~/mix.mp4": HERE / "mix.mp4"}, unchanged=given)


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({}, True),
        ({"container": "mp4", "codec": "h264", "width": 320, "height": 180, "fps": 25, "seconds": {"is": 7.92, "within": 0.05}, "frames": 198}, True),
        ({"sounds": 1, "sound_codec": "aac", "kilobits": {"at_most": 100}}, True),
        ({"sounds": 0}, False),
        ({"width": 1920}, False),
        ({"container": "webm"}, False),
        ({"fps": 30}, False),
        ({"kilobits": {"at_least": 1000}}, False),
    ],
)
def test_streams(videos: Evidence, given: dict[str, Any], right: bool) -> None:
    assert check(videos, "video.file", "two.mp4", **given).passed is right


def test_what_is_seen(videos: Evidence) -> None:
    middle = [0.25, 0.25, 0.5, 0.5]
    assert check(videos, "video.colour", "two.mp4", at=1, colour={"is": "#ff0000", "within": 8}, region=middle).passed
    assert not check(videos, "video.colour", "two.mp4", at=5, colour={"is": "#ff0000", "within": 8}, region=middle).passed
    assert "is over" in check(videos, "video.colour", "two.mp4", at=9, colour="#ff0000").sentence
    assert check(videos, "video.frame", "two.mp4", at=5, like="~/blue.mp4", like_at=1, likeness=0.95).passed
    assert check(videos, "video.frame", "two.mp4", at=5, like="~/blue.png", likeness=0.95).passed
    assert not check(videos, "video.frame", "two.mp4", at=3, like="~/blue.png").passed
    assert not check(videos, "video.black", "two.mp4", at=5).passed
    assert check(videos, "video.black", "mix.mp4", at=5.98).passed
    assert check(videos, "video.black", "two.mp4", at=5, is_black=False).passed


def test_cuts(videos: Evidence) -> None:
    assert check(videos, "video.cuts", "two.mp4", times=[3.96]).passed
    assert not check(videos, "video.cuts", "two.mp4", times=[3]).passed
    assert not check(videos, "video.cuts", "two.mp4", times=[]).passed
    assert check(videos, "video.cuts", "blue.mp4", times=[]).passed


def test_sound_of_a_video(videos: Evidence) -> None:
    assert check(videos, "audio.pitch", "two.mp4", hz={"is": 440, "within": 1}, start=0, end=3).passed
    assert not check(videos, "audio.pitch", "two.mp4", hz={"is": 440, "within": 1}, start=5, end=7).passed


def test_fades(evidence_of: Callable[..., Evidence]) -> None:
    slowly = [*[200] * 50, *range(200, 0, -8), *[0] * 5]
    at_once = [*[200] * 60, *[0] * 20]
    evidence = evidence_of({"~/slowly.mkv": clip(iter(slowly)), "~/rising.mkv": clip(iter(slowly[::-1])), "~/at_once.mkv": clip(iter(at_once))})
    assert check(evidence, "video.fade", "slowly.mkv", way="out", seconds={"is": 0.9, "within": 0.2}).passed
    assert not check(evidence, "video.fade", "slowly.mkv", way="out", seconds={"is": 3, "within": 0.2}).passed
    assert check(evidence, "video.fade", "rising.mkv", way="in").passed
    assert not check(evidence, "video.fade", "slowly.mkv", way="in").passed
    assert not check(evidence, "video.fade", "at_once.mkv", way="out").passed
    assert check(evidence, "video.cuts", "at_once.mkv", times=[2.4]).passed


def test_hostile_videos_are_failed_findings(evidence_of: Callable[..., Evidence]) -> None:
    good = (HERE / "two.mp4").read_bytes()
    sound = (HERE.parent / "audio" / "source.wav").read_bytes()
    hostile = {
        "empty.mp4": b"",
        "text.mp4": b"frames" * 1000,
        "sound.mp4": sound,
        "no_index.mp4": good[: len(good) // 2],
        "list.mp4": b"#EXTM3U\n#EXTINF:1,\n/etc/hostname\n",
        "concat.mp4": b"ffconcat version 1.0\nfile '/etc/passwd'\n",
    }
    evidence = evidence_of({f"~/{name}": content for name, content in hostile.items()})
    for name in [*hostile, "missing.mp4"]:
        assert not check(evidence, "video.file", name).passed, name
        assert not check(evidence, "video.black", name, at=0).passed, name
        assert not check(evidence, "video.fade", name, way="in").passed, name
