"""Video files: streams, and what is seen at a time. How they sound: the checks of `audio`, which take videos too.

Times in seconds. `region` is (left, top, width, height) as shares of the frame, so that it holds at any size. A reference (`like`) is taken as it
was at the start of the episode, where it existed then.

    - video.file: {file: ~/Videos/out.mp4, container: mp4, codec: h264, width: 1280, height: 720, fps: 25, seconds: {is: 7, within: 0.1}, sounds: 1}
    - video.colour: {file: ~/Videos/out.mp4, at: 1, colour: {is: "#ff0000", within: 12}}
    - video.black: {file: ~/Videos/out.mp4, at: 6.9}
    - video.frame: {file: ~/Videos/out.mp4, at: 3, like: ~/Videos/blue.mp4, like_at: 1}
    - video.cuts: {file: ~/Videos/out.mp4, times: [3, 5.5], within: 0.1}
    - video.fade: {file: ~/Videos/out.mp4, way: out, seconds: {is: 1, within: 0.2}}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Txt
from deskbench.checks.media import kind_of, open_media
from deskbench.checks.nearest import judge
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

Picture = NDArray[np.uint8]
Share = Annotated[float, Field(ge=0, le=1)]
Region = tuple[Share, Share, Share, Share]

WIDTH, HEIGHT = 160, 90
"""Frames are judged at this size: enough for colour and likeness, and little memory."""

PIXEL_LIMIT = 8192 * 8192
FRAME_LIMIT = 60_000
"""Forty minutes at 25 frames a second; a longer video is not looked through."""

WORK_LIMIT = 3e10
"""Pixels that are decoded in all: eight minutes of 1080p at 30 frames a second, about a minute of work."""

BLACK = 24


@dataclass(frozen=True)
class _Frame:
    at: float
    picture: Picture


def file(
    evidence: Evidence,
    *,
    file: HomePath,
    container: Txt | None = None,
    codec: Txt | None = None,
    width: Num | None = None,
    height: Num | None = None,
    fps: Num | None = None,
    seconds: Num | None = None,
    frames: Num | None = None,
    sounds: Num | None = None,
    sound_codec: Txt | None = None,
    kilobits: Num | None = None,
) -> Finding:
    """A video that can be played to its end. `sounds` counts sound streams; `kilobits` are those of the whole file per second."""
    path = evidence.file(file)
    shown, last = 0, 0.0
    for frame in _frames(path, f"~/{file}", keep=False):
        shown, last = shown + 1, frame.at
    with open_media(path, f"~/{file}") as opened:
        stream = opened.streams.video[0]
        rate = float(stream.average_rate or 0)
        length = last + (1 / rate if rate else 0)
        seen: dict[str, Any] = {"container": kind_of(opened), "codec": stream.codec_context.name, "fps": round(rate, 3)}
        seen |= {"width": stream.codec_context.width, "height": stream.codec_context.height, "seconds": round(length, 3), "frames": shown}
        audio = opened.streams.audio
        seen |= {"sounds": len(audio), "sound_codec": audio[0].codec_context.name if audio else None}
    seen["kilobits"] = round(path.stat().st_size * 8 / 1000 / length, 1) if length else None
    wanted = {"container": container, "codec": codec, "width": width, "height": height, "fps": fps, "seconds": seconds, "frames": frames}
    return judge(f"~/{file}", {**wanted, "sounds": sounds, "sound_codec": sound_codec, "kilobits": kilobits}, [seen])


def colour(evidence: Evidence, *, file: HomePath, at: float, colour: Col, region: Region | None = None) -> Finding:
    """The mean colour of the frame at a time, or of a region of it."""
    picture = _cut(_frame_at(evidence.file(file), f"~/{file}", at), region)
    red, green, blue = (round(float(value)) for value in picture.reshape(-1, 3).mean(axis=0))
    shown = f"#{red:02x}{green:02x}{blue:02x}"
    if colour.holds((red, green, blue)):
        return passed(f"at {at:g} s the picture is {shown}", expected=str(colour), seen=shown)
    return failed(f"at {at:g} s the picture is {shown}, not {colour}", expected=str(colour), seen=shown)


def black(evidence: Evidence, *, file: HomePath, at: float, is_black: bool = True) -> Finding:
    """Whether the frame at a time is black (or, with `is_black: false`, shows something)."""
    picture = _frame_at(evidence.file(file), f"~/{file}", at)
    brightest = int(np.percentile(picture.max(axis=2), 99))
    if (brightest <= BLACK) == is_black:
        return passed(f"at {at:g} s the picture is {'black' if is_black else 'not black'}", seen=brightest)
    return failed(f"at {at:g} s the picture is {'not black' if is_black else 'black'}", expected="black" if is_black else "a picture", seen=brightest)


def frame(
    evidence: Evidence,
    *,
    file: HomePath,
    at: float,
    like: HomePath,
    like_at: float = 0.0,
    likeness: float = 0.9,
    region: Region | None = None,
) -> Finding:
    """The frame at a time looks like a picture, or like a frame of another video; 1 is the same, 0 as different as black and white."""
    change = evidence.changes.get(like)
    reference = evidence.file(like) if change is not None and change.change == "added" else evidence.before(like)
    ours = _cut(_frame_at(evidence.file(file), f"~/{file}", at), region)
    theirs = _cut(_frame_at(reference, f"~/{like}", like_at), region)
    seen = _likeness(ours, theirs)
    if seen >= likeness:
        return passed(f"at {at:g} s it looks like ~/{like} ({seen:.2f})", expected=likeness, seen=round(seen, 3))
    return failed(f"at {at:g} s it does not look like ~/{like} (likeness {seen:.2f}, {likeness:g} is needed)", expected=likeness, seen=round(seen, 3))


def cuts(evidence: Evidence, *, file: HomePath, times: list[float], within: float = 0.1, change: float = 0.15) -> Finding:
    """The picture changes at once at exactly these times; `change` is the share of black-to-white that counts as a cut."""
    seen: list[float] = []
    before: Picture | None = None
    for one in _frames(evidence.file(file), f"~/{file}"):
        if before is not None and 1 - _likeness(one.picture, before) > change:
            seen.append(round(one.at, 3))
        before = one.picture
    if len(seen) == len(times) and all(abs(one - other) <= within for one, other in zip(sorted(times), seen, strict=True)):
        return passed("the cuts are where they should be", expected=sorted(times), seen=seen)
    told = ", ".join(f"{one:.2f}" for one in seen[:20]) or "nowhere"
    return failed(f"there are cuts at {told} s, not at {', '.join(f'{one:g}' for one in times) or 'none'}", expected=sorted(times), seen=seen[:100])


def fade(evidence: Evidence, *, file: HomePath, way: Literal["in", "out"], seconds: Num | None = None) -> Finding:
    """The picture comes up from black at the start, or goes down to black at the end, gradually."""
    levels = [(one.at, float(one.picture.mean())) for one in _frames(evidence.file(file), f"~/{file}")]
    if way == "in":
        levels = levels[::-1]
    brightness = np.array([level for _, level in levels])
    if float(brightness[-1]) > BLACK:
        return failed(f"the video does not {'start' if way == 'in' else 'end'} in black", seen=round(float(brightness[-1])))
    top = float(np.percentile(brightness, 80))
    full = np.flatnonzero(brightness >= 0.93 * top)
    ends = np.flatnonzero(brightness <= 0.07 * top)
    ends = ends[ends > full[-1]]
    length = abs(levels[int(ends[0])][0] - levels[int(full[-1])][0]) if top > BLACK and len(ends) else 0.0
    between = brightness[int(full[-1]) + 1 : int(ends[0])] if len(ends) else brightness[:0]
    if len(between) < 3 or np.any(np.diff(between) > 0.1 * top):
        return failed(f"the picture does not fade {way}, it is cut", seen=round(length, 2))
    return judge(f"the fade {way}", {"seconds": seconds}, [{"seconds": round(length, 3)}])


def _frames(path: Path, what: str, keep: bool = True) -> Iterator[_Frame]:
    """The frames in order, small; BadArtifact if there are none, too many, or too large ones."""
    count, work = 0, 0
    empty: Picture = np.zeros((0, 0, 3), dtype=np.uint8)
    with open_media(path, what) as container:
        if not container.streams.video:
            raise BadArtifact(f"{what} has no picture in it")
        stream = container.streams.video[0]
        if stream.codec_context.width * stream.codec_context.height > PIXEL_LIMIT:
            raise BadArtifact(f"{what} has frames of {stream.codec_context.width}x{stream.codec_context.height}, more than is read")
        stream.codec_context.thread_count = 2
        start = float((stream.start_time or 0) * stream.time_base) if stream.time_base else 0.0
        for frame in container.decode(stream):
            count, work = count + 1, work + frame.width * frame.height
            if count > FRAME_LIMIT or work > WORK_LIMIT:
                raise BadArtifact(f"{what} is longer than is read")
            picture = frame.reformat(WIDTH, HEIGHT, "rgb24").to_ndarray() if keep else empty
            yield _Frame(max(0.0, float(frame.time or 0.0) - start), np.asarray(picture, dtype=np.uint8))
    if not count:
        raise BadArtifact(f"{what} has no frames in it")


def _frame_at(path: Path, what: str, at: float) -> Picture:
    """What is seen at a time: the last frame shown by then; BadArtifact if the video is over."""
    found: _Frame | None = None
    gap = 0.0
    for one in _frames(path, what):
        if found is not None and one.at > at + 1e-6:
            return found.picture
        gap = one.at - found.at if found is not None else gap
        found = one
    if found is None or (at > found.at + max(gap, 0.05) + 1e-3 and found.at > 0):
        raise BadArtifact(f"{what} is over before {at:g} s")
    return found.picture


def _cut(picture: Picture, region: Region | None) -> Picture:
    if region is None:
        return picture
    left, top = round(region[0] * WIDTH), round(region[1] * HEIGHT)
    part = picture[top : max(top + 1, round((region[1] + region[3]) * HEIGHT)), left : max(left + 1, round((region[0] + region[2]) * WIDTH))]
    if not part.size:
        return picture[-1:, -1:]
    return part


def _likeness(one: Picture, other: Picture) -> float:
    """One minus the mean difference as a share of black to white, which scaling and compression hardly touch."""
    return 1 - float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean()) / 255
