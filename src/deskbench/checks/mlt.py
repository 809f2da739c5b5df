"""A Kdenlive project (MLT XML, as Kdenlive 22.12 writes it): what is on its timeline, and the guides and markers.

A Kdenlive track is a `tractor` of two playlists, both counted from the start of the timeline, so that neighbouring clips can overlap in a mix.
Clips that are only in the bin (`main_bin`) are not part of any track. What Kdenlive adds for itself carries `internal_added` and is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from lxml import etree

from deskbench.checks.evidence import Evidence, xml
from deskbench.core.faults import BadArtifact

PROJECT_LIMIT = 32 << 20
MANY = 5000
"""Clips, transitions or tracks beyond this are not a person's work."""

FRAMES_LIMIT = 100_000_000
"""Longer than a month at 30 frames a second: no honest time code is beyond it."""


@dataclass(frozen=True)
class Effect:
    """An effect on a clip, a track or the whole; `kind` is Kdenlive's name for it. Times are within what it is on, None from end to end."""

    kind: str
    service: str
    enabled: bool
    parameters: dict[str, str]
    seconds: float | None


@dataclass(frozen=True)
class Title:
    """One text of a title clip."""

    text: str
    font: str
    size: float
    colour: tuple[int, int, int]
    x: float
    y: float


@dataclass(frozen=True)
class Clip:
    """A clip on the timeline. `source` is the path in the project, empty for titles; `begin` is where it starts within its source."""

    name: str
    source: str
    service: str
    start: float
    seconds: float
    begin: float
    speed: float
    effects: tuple[Effect, ...]
    titles: tuple[Title, ...]
    colour: str | None

    @property
    def end(self) -> float:
        return self.start + self.seconds


@dataclass(frozen=True)
class Transition:
    """A mix between neighbours on one track, or a composition between two tracks (numbered as in Kdenlive, such as V2 over V1)."""

    kind: str
    start: float
    seconds: float
    track: str
    mix: bool
    parameters: dict[str, str]


@dataclass
class Track:
    """A track by the name given to it and the label that Kdenlive shows (A1, V1 ...)."""

    label: str
    name: str
    kind: str
    muted: bool
    hidden: bool
    locked: bool
    clips: list[Clip] = field(default_factory=list)
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A guide on the timeline, or a marker of a clip in the bin (`clip` is its name then)."""

    text: str
    at: float
    clip: str = ""


@dataclass(frozen=True)
class Timeline:
    width: int
    height: int
    fps: float
    tracks: tuple[Track, ...]
    transitions: tuple[Transition, ...]
    guides: tuple[Mark, ...]
    markers: tuple[Mark, ...]
    effects: tuple[Effect, ...]
    bin: tuple[str, ...]

    @property
    def seconds(self) -> float:
        return max((clip.end for track in self.tracks for clip in track.clips), default=0.0)


def read_timeline(evidence: Evidence, file: str, *, before: bool = False) -> Timeline:
    """The timeline of a project, or of what it was at the start; BadArtifact if it is none."""
    what = f"~/{file}"
    root = xml(evidence.before(file, PROJECT_LIMIT).read_bytes() if before else evidence.read(file, PROJECT_LIMIT), what)
    if root.tag != "mlt" or root.find("tractor") is None:
        raise BadArtifact(f"{what} is not a Kdenlive project")
    if any(len(root.findall(f".//{tag}")) > MANY for tag in ("entry", "transition", "track", "filter")):
        raise BadArtifact(f"{what} has more clips, effects or tracks than are read")
    return _Project(root, what).timeline()


class _Project:
    """Turns the elements of one document into the timeline's nouns."""

    def __init__(self, root: etree._Element, what: str) -> None:
        self.root, self.what = root, what
        self.by_id = {node.get("id", ""): node for node in root if node.get("id")}
        profile = root.find("profile")
        if profile is None:
            raise BadArtifact(f"{what} has no profile, so it is not a Kdenlive project")
        self.width, self.height = self.whole(profile.get("width")), self.whole(profile.get("height"))
        rate = self.whole(profile.get("frame_rate_num")), self.whole(profile.get("frame_rate_den"))
        if min(rate) <= 0:
            raise BadArtifact(f"{what} has a profile without a frame rate")
        self.fps = rate[0] / rate[1]

    def timeline(self) -> Timeline:
        main = self.main_tractor()
        parts = [self.by_id.get(node.get("producer", "")) for node in main.findall("track")]
        tractors = [part for part in parts if part is not None and part.tag == "tractor"]
        tracks = self.tracks(tractors)
        transitions = [mix for tractor, track in zip(tractors, tracks, strict=True) for mix in self.mixes(tractor, track)]
        transitions += self.compositions(main, [None, *tracks] if len(parts) > len(tracks) else list(tracks))
        held = self.by_id.get("main_bin")
        entries = [] if held is None else [self.by_id.get(entry.get("producer", "")) for entry in held.findall("entry")]
        members = [entry for entry in entries if entry is not None]
        guides = [] if held is None else self.marks(_properties(held).get("kdenlive:docproperties.guides", ""), "")
        markers = [mark for one in members for mark in self.marks(_properties(one).get("kdenlive:markers", ""), _name_of(_properties(one)))]
        sources = tuple(_source_of(_properties(one)) or _name_of(_properties(one)) for one in members)
        everything = (self.width, self.height, self.fps, tuple(tracks), tuple(transitions), tuple(guides), tuple(markers))
        return Timeline(*everything, self.effects(main), sources)

    def main_tractor(self) -> etree._Element:
        """The tractor that plays over the black background; a project has one."""
        for tractor in reversed(self.root.findall("tractor")):
            if any(track.get("producer") == "black_track" for track in tractor.findall("track")):
                return tractor
        raise BadArtifact(f"{self.what} has no timeline of Kdenlive's")

    def tracks(self, tractors: list[etree._Element]) -> list[Track]:
        """Kdenlive lists its tracks from the bottom up, and counts audio tracks from the one nearest to the video downwards."""
        kinds = ["audio" if _properties(tractor).get("kdenlive:audio_track") == "1" else "video" for tractor in tractors]
        found = []
        for index, (tractor, kind) in enumerate(zip(tractors, kinds, strict=True)):
            number = kinds[index:].count("audio") if kind == "audio" else kinds[: index + 1].count("video")
            said = _properties(tractor)
            hides = {track.get("hide", "") for track in tractor.findall("track")}
            silenced, unseen = hides == {"both"} and kind == "audio", hides == {"both"} and kind == "video"
            locked = said.get("kdenlive:locked_track") == "1"
            track = Track(f"{kind[0].upper()}{number}", said.get("kdenlive:track_name", ""), kind, silenced, unseen, locked)
            playlists = [self.by_id.get(part.get("producer", "")) for part in tractor.findall("track")]
            track.clips = sorted((clip for one in playlists if one is not None for clip in self.clips(one)), key=lambda clip: clip.start)
            track.effects = self.effects(tractor)
            found.append(track)
        return found

    def clips(self, playlist: etree._Element) -> list[Clip]:
        at, found = 0, []
        for node in playlist:
            if node.tag == "blank":
                at += self.frames(node.get("length"))
            elif node.tag == "entry":
                first, last = self.frames(node.get("in")), self.frames(node.get("out"))
                length = max(0, last - first + 1)
                producer = self.by_id.get(node.get("producer", ""))
                if producer is not None and length:
                    found.append(self.clip(producer, node, at, first, length))
                at += length
        return found

    def clip(self, producer: etree._Element, entry: etree._Element, at: int, first: int, length: int) -> Clip:
        said = _properties(producer)
        service = said.get("mlt_service", "")
        titles = self.titles(said.get("xmldata", "")) if service == "kdenlivetitle" else ()
        colour = said.get("resource") if service in ("color", "colour") else None
        source = "" if titles or colour else _source_of(said)
        speed = _number(said.get("warp_speed", "1")) or 1.0
        times = (at / self.fps, length / self.fps, first / self.fps)
        return Clip(_name_of(said), source, service, *times, speed, self.effects(entry), titles, colour)

    def titles(self, data: str) -> tuple[Title, ...]:
        if not data.strip():
            return ()
        found = []
        for item in xml(data.encode(), f"a title in {self.what}").iter("item"):
            content, position = item.find("content"), item.find("position")
            if item.get("type") != "QGraphicsTextItem" or content is None:
                continue
            red, green, blue, *_ = [int(_number(part) or 0) for part in f"{content.get('font-color') or ''},0,0,0".split(",")]
            place = [(_number(position.get(axis) or "") or 0.0) if position is not None else 0.0 for axis in ("x", "y")]
            size = _number(content.get("font-pixel-size") or "") or 0.0
            found.append(Title(content.text or "", content.get("font") or "", size, (red, green, blue), *place))
        return tuple(found)

    def effects(self, node: etree._Element) -> tuple[Effect, ...]:
        """Filters that the user put there; level meters and the mixer's own volume are Kdenlive's."""
        found = []
        for item in node.findall("filter"):
            said = _properties(item)
            if "internal_added" in said or "kdenlive_id" not in said:
                continue
            # Kdenlive counts an effect's in and out in frames of the source; a missing in is the source's first. It shows out - in.
            seconds = None if item.get("out") is None else (self.frames(item.get("out")) - self.frames(item.get("in"))) / self.fps
            found.append(Effect(said["kdenlive_id"], said.get("mlt_service", ""), said.get("disable") != "1", said, seconds))
        return tuple(found)

    def mixes(self, tractor: etree._Element, track: Track) -> list[Transition]:
        return [self.transition(node, track.label, True) for node in tractor.findall("transition") if "internal_added" not in _properties(node)]

    def compositions(self, main: etree._Element, tracks: list[Track | None]) -> list[Transition]:
        found = []
        for node in main.findall("transition"):
            said = _properties(node)
            if "internal_added" in said:
                continue
            above = self.whole(said.get("b_track"))
            track = tracks[above] if 0 <= above < len(tracks) else None
            found.append(self.transition(node, track.label if track is not None else "", False))
        return found

    def transition(self, node: etree._Element, track: str, mix: bool) -> Transition:
        said = _properties(node)
        first, last = self.frames(node.get("in")), self.frames(node.get("out"))
        kind = said.get("kdenlive_id") or said.get("mlt_service", "")
        # The out of a mix is one frame past the overlap of its clips, that of a composition its last frame.
        return Transition(kind, first / self.fps, (last - first + (not mix)) / self.fps, track, mix, said)

    def marks(self, text: str, clip: str) -> list[Mark]:
        if not text.strip():
            return []
        try:
            items = json.loads(text)
            return [Mark(str(item.get("comment", "")), float(item["pos"]) / self.fps, clip) for item in items]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise BadArtifact(f"{self.what} has unreadable guides or markers") from error

    def frames(self, text: str | None) -> int:
        """A time in frames, from `00:00:03.960` or a bare number of frames."""
        if not text:
            return 0
        # A fade that is longer than its clip really begins at `00:00:-0.040`.
        code = re.fullmatch(r"(?:(\d{1,4}):)?(\d{1,4}):(-?)(\d{1,4}(?:[.,]\d{1,9})?)", text)
        if code is not None:
            seconds = int(code[1] or 0) * 3600 + int(code[2]) * 60 + float(code[3] + code[4].replace(",", "."))
            found = round(seconds * self.fps)
        else:
            found = self.whole(text)
        if abs(found) > FRAMES_LIMIT:
            raise BadArtifact(f"{self.what} has a time that no project has: {text[:30]}")
        return found

    def whole(self, text: str | None) -> int:
        if text is None or not re.fullmatch(r"[+-]?\d{1,12}", text):
            raise BadArtifact(f"{self.what} has {str(text)[:30]!r} where a number should be")
        return int(text)


def _properties(node: etree._Element) -> dict[str, str]:
    return {item.get("name", ""): item.text or "" for item in node.findall("property")}


def _source_of(said: dict[str, str]) -> str:
    """The file behind a producer: the original of a proxy, and without the speed that a slowed clip's path begins with."""
    original = said.get("kdenlive:originalurl")
    source = said.get("warp_resource") or original or said.get("resource", "")
    return re.sub(r"^-?\d+(\.\d+)?:(?=.)", "", source) if said.get("mlt_service") == "timewarp" else source


def _name_of(said: dict[str, str]) -> str:
    return said.get("kdenlive:clipname") or PurePosixPath(_source_of(said)).name


def _number(text: str) -> float | None:
    """The number a parameter begins with (`75`, `20dB`, `0.5`), if any."""
    found = re.match(r"\s*([+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?)", text)
    return float(found[1]) if found else None


def numbers(parameter: str) -> list[float]:
    """The values of a parameter: one, or those of its keyframes (`00:00:00.000=0;00:00:02.000=1`)."""
    parts = [part.split("=", 1)[-1] for part in parameter.split(";")] if "=" in parameter else [parameter]
    found: list[Any] = [_number(part) for part in parts]
    return [value for value in found if value is not None]
