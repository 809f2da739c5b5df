"""An Audacity 3 project (.aup3): SQLite with a binary XML document in the table `project` and the samples in `sampleblocks`.

Only what was *saved* is read: unsaved changes lie in the table `autosave`. While Audacity has the project open, the newest
commits lie in a write-ahead log beside it (`name.aup3-wal`), which is read along.
"""

from __future__ import annotations

import math
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from deskbench.checks.evidence import Evidence
from deskbench.checks.sound import RATES, SAMPLE_LIMIT, Curve, Samples, Sound
from deskbench.core.faults import BadArtifact

DOCUMENT_LIMIT = 32 << 20
DEPTH_LIMIT = 64
SQLITE_STEPS = 50_000_000
"""SQLite's virtual machine stops there (a few seconds): a project needs a few thousand steps, a hostile schema may loop."""

MAGIC = b"SQLite format 3\0"


@dataclass
class Node:
    """An element of the document."""

    tag: str
    attributes: dict[str, Any] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def all(self, tag: str) -> list[Node]:
        return [child for child in self.children if child.tag == tag]

    def number(self, name: str, default: float = 0.0) -> float:
        value = self.attributes.get(name, default)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise BadArtifact(f"the Audacity project says {name}={str(value)[:40]!r}, which is not a number")
        return number


@dataclass(frozen=True)
class Clip:
    """A clip as it is seen: what is trimmed away does not count."""

    name: str
    start: float
    seconds: float
    node: Node


@dataclass(frozen=True)
class Track:
    """An audio track; a stereo track has two sides with clips of their own."""

    name: str
    mute: bool
    solo: bool
    gain: float
    pan: float
    rate: int
    sides: tuple[tuple[Clip, ...], ...]

    @property
    def clips(self) -> tuple[Clip, ...]:
        return self.sides[0]

    @property
    def channels(self) -> int:
        return len(self.sides)

    @property
    def start(self) -> float:
        return min((clip.start for clip in self.clips), default=0.0)

    @property
    def end(self) -> float:
        return max((clip.start + clip.seconds for clip in self.clips), default=0.0)


@dataclass(frozen=True)
class Label:
    text: str
    start: float
    end: float
    track: str


@dataclass(frozen=True)
class Project:
    """A saved project; `sound` needs its database, so it works only while the project is open."""

    rate: float
    tracks: tuple[Track, ...]
    labels: tuple[Label, ...]
    label_tracks: tuple[str, ...]
    tags: dict[str, str]
    database: sqlite3.Connection

    @property
    def seconds(self) -> float:
        return max((track.end for track in self.tracks), default=0.0)

    def sound(self, track: Track) -> Sound:
        """What the track's clips hold, with their envelopes, from the start of the project; its gain and pan are not applied."""
        length = round(track.end * track.rate)
        claimed = sum(_claimed(clip) for clips in track.sides for clip in clips)
        if max(length * track.channels, claimed / 4) > SAMPLE_LIMIT or length < 0:
            raise BadArtifact(f"the track {track.name!r} is longer than is read")
        samples = np.zeros((track.channels, max(1, length)), dtype=np.float32)
        for row, clips in zip(samples, track.sides, strict=True):
            for clip in clips:
                part = _samples_of(self.database, clip, track.rate)
                first = round(clip.start * track.rate)
                part = part[max(0, -first) :]
                first = max(0, first)
                row[first : first + len(part)] = part[: max(0, len(row) - first)]
        return Sound(samples, track.rate)

    def mix(self) -> Sound:
        """What is heard: solo and mute, gain and pan as Audacity's mixer applies them; the tracks must share the project's rate."""
        solo = [track for track in self.tracks if track.solo]
        heard = solo or [track for track in self.tracks if not track.mute]
        rate = round(self.rate)
        if rate not in RATES or sum(track.end * rate * track.channels for track in heard) > 4 * SAMPLE_LIMIT:
            raise BadArtifact("the Audacity project is longer than is read")
        parts = [(track, self.sound(track).resampled(rate).samples) for track in heard]
        length = max((part.shape[1] for _, part in parts), default=0)
        if not length:
            raise BadArtifact("the Audacity project has nothing that can be heard")
        whole = np.zeros((2, length), dtype=np.float32)
        for track, part in parts:
            whole[0, : part.shape[1]] += part[0] * (track.gain * min(1.0, 1 - track.pan))
            whole[1, : part.shape[1]] += part[-1] * (track.gain * min(1.0, 1 + track.pan))
        return Sound(whole, rate)


@contextmanager
def open_project(evidence: Evidence, file: str) -> Iterator[Project]:
    """A saved project; BadArtifact if it is none."""
    path, what = evidence.file(file), f"~/{file}"
    with path.open("rb") as stream:
        if stream.read(16) != MAGIC:
            raise BadArtifact(f"{what} is not an Audacity 3 project")
    with tempfile.TemporaryDirectory(prefix="deskbench-aup3-") as folder:
        at = f"file:{_quoted(path)}?mode=ro&immutable=1"
        if evidence.exists(file + "-wal"):
            copy = Path(folder) / "project.aup3"
            shutil.copyfile(path, copy)
            shutil.copyfile(evidence.file(file + "-wal"), f"{copy}-wal")
            at = f"file:{_quoted(copy)}"
        database = sqlite3.connect(at, uri=True)
        try:
            _harden(database)
            yield _project(database, what)
        except (sqlite3.Error, OverflowError) as error:
            raise BadArtifact(f"{what} is a damaged Audacity project: {error}") from error
        finally:
            database.close()


def _quoted(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _harden(database: sqlite3.Connection) -> None:
    """A stranger's database: no functions from its schema, no view in place of a table, no endless query."""
    steps = 0

    def tick() -> int:
        nonlocal steps
        steps += 1
        return int(steps * 10_000 > SQLITE_STEPS)

    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 256 << 20)
    database.set_progress_handler(tick, 10_000)
    database.execute("PRAGMA trusted_schema=OFF")
    kinds = dict(database.execute("SELECT name, type FROM sqlite_master WHERE name IN ('project', 'sampleblocks')"))
    if kinds != {"project": "table", "sampleblocks": "table"}:
        raise sqlite3.DatabaseError("it has no tables of an Audacity project")


def _project(database: sqlite3.Connection, what: str) -> Project:
    found = database.execute("SELECT dict, doc FROM project WHERE length(doc) + length(dict) < ? ORDER BY id LIMIT 1", (DOCUMENT_LIMIT,)).fetchone()
    if found is None:
        raise BadArtifact(f"{what} was never saved by Audacity")
    if not all(isinstance(part, bytes) for part in found):
        raise BadArtifact(f"{what} is a damaged Audacity project: its document is not binary")
    root = _decode(found[0], found[1], what)
    label_tracks = root.all("labeltrack")
    tags = {str(tag.attributes.get("name", "")): str(tag.attributes.get("value", "")) for group in root.all("tags") for tag in group.all("tag")}
    labels = tuple(_label(node, str(track.attributes.get("name", ""))) for track in label_tracks for node in track.all("label"))
    names = tuple(str(track.attributes.get("name", "")) for track in label_tracks)
    return Project(root.number("rate"), tuple(_tracks(root, what)), labels, names, tags, database)


def _label(node: Node, track: str) -> Label:
    return Label(str(node.attributes.get("title", "")), node.number("t"), node.number("t1"), track)


def _tracks(root: Node, what: str) -> Iterator[Track]:
    """Audio tracks; a linked one takes the following as its right side."""
    nodes = iter(root.all("wavetrack"))
    for node in nodes:
        right = next(nodes, None) if node.number("linked") else None
        rate = node.number("rate")
        if round(rate) not in RATES:
            raise BadArtifact(f"{what} has a track with a rate of {rate:g} Hz")
        sides = tuple(_clips(side, round(rate)) for side in (node, right) if side is not None)
        switches = bool(node.number("mute")), bool(node.number("solo"))
        yield Track(str(node.attributes.get("name", "")), *switches, node.number("gain", 1.0), node.number("pan"), round(rate), sides)


def _clips(track: Node, rate: int) -> tuple[Clip, ...]:
    found = []
    for node in track.all("waveclip"):
        length = sum(sequence.number("numsamples") for sequence in node.all("sequence")) / rate
        left, right = node.number("trimLeft"), node.number("trimRight")
        found.append(Clip(str(node.attributes.get("name", "")), node.number("offset") + left, max(0.0, length - left - right), node))
    return tuple(sorted(found, key=lambda clip: clip.start))


def _claimed(clip: Clip) -> int:
    """How many samples reading a clip would touch at most: its silence, and a quarter of a million in each block, as Audacity makes them."""
    blocks = [int(block.number("blockid")) for sequence in clip.node.all("sequence") for block in sequence.all("waveblock")]
    return sum(-number if number <= 0 else 1 << 18 for number in blocks)


def _samples_of(database: sqlite3.Connection, clip: Clip, rate: int) -> Samples:
    parts: list[Samples] = []
    for block in (block for sequence in clip.node.all("sequence") for block in sequence.all("waveblock")):
        number = int(block.number("blockid"))
        # A number below zero stands for so many samples of silence.
        parts.append(np.zeros(-number, dtype=np.float32) if number <= 0 else _block(database, number))
    samples = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
    samples = samples * _envelope(clip.node, len(samples), rate)
    first = round(clip.node.number("trimLeft") * rate)
    return np.asarray(samples[first : first + round(clip.seconds * rate)], dtype=np.float32)


def _block(database: sqlite3.Connection, number: int) -> Samples:
    found = database.execute("SELECT sampleformat, samples FROM sampleblocks WHERE blockid = ?", (number,)).fetchone()
    kinds = {0x00020001: ("<i2", 2**15), 0x00040001: ("<i4", 2**23), 0x0004000F: ("<f4", 1)}
    if found is None or found[0] not in kinds or not isinstance(found[1], bytes):
        raise BadArtifact(f"the Audacity project lacks the sample block {number}")
    kind, scale = kinds[found[0]]
    if len(found[1]) % int(kind[-1]):
        raise BadArtifact(f"the sample block {number} of the Audacity project is damaged")
    return np.asarray(np.nan_to_num(np.frombuffer(found[1], dtype=kind).astype(np.float32) / np.float32(scale)), dtype=np.float32)


def _envelope(clip: Node, length: int, rate: int) -> Curve | float:
    """The gain drawn over a clip; Audacity interpolates between its points in decibels."""
    points = [(point.number("t"), point.number("val", 1.0)) for envelope in clip.all("envelope") for point in envelope.all("controlpoint")]
    if not points:
        return 1.0
    times, values = zip(*sorted(points), strict=True)
    logarithms = np.log(np.maximum(values, 1e-7))
    return np.asarray(np.exp(np.interp(np.arange(length) / rate, times, logarithms)))


def _decode(names: bytes, document: bytes, what: str) -> Node:
    """The document's tree. It is a stream of typed fields; names are numbers from the dictionary that comes first."""
    try:
        root = _Reader(names + document).tree()
    except (struct.error, KeyError, IndexError, UnicodeDecodeError) as error:
        raise BadArtifact(f"{what} is a damaged Audacity project: its document cannot be read ({error})") from error
    found = next((child for child in root.children if child.tag == "project"), None)
    if found is None:
        raise BadArtifact(f"{what} has no Audacity project in it")
    return found


class _Reader:
    """Reads the fields of Audacity's ProjectSerializer: 0 width of characters, 1/2 start/end of an element, 3-10 attributes,
    11/12 text, 13/14 nested dictionaries, 15 a name."""

    SCALARS = {4: "<i", 5: "<?", 6: "<i", 7: "<q", 8: "<I", 9: "<f", 10: "<d"}  # noqa: RUF012
    ENCODINGS = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}  # noqa: RUF012

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.encoding = data, 0, "utf-32-le"
        self.names: dict[int, str] = {}

    def take(self, layout: str) -> Any:
        value = struct.unpack_from(layout, self.data, self.at)[0]
        self.at += struct.calcsize(layout)
        return value

    def text(self, length_layout: str) -> str:
        length = self.take(length_layout)
        if length < 0 or self.at + length > len(self.data):
            raise IndexError("a text is longer than the document")
        self.at += length
        return self.data[self.at - length : self.at].decode(self.encoding)

    def tree(self) -> Node:
        root = Node("")
        open_nodes = [root]
        while self.at < len(self.data):
            kind = self.take("<B")
            if kind == 0:
                self.encoding = self.ENCODINGS[self.take("<B")]
            elif kind == 15:
                number = self.take("<H")
                self.names[number] = self.text("<H")
            elif kind in (11, 12):
                self.text("<i")
            elif kind not in (13, 14):
                self.element(kind, self.names[self.take("<H")], open_nodes)
        return root

    def element(self, kind: int, name: str, open_nodes: list[Node]) -> None:
        if kind == 1:
            if len(open_nodes) > DEPTH_LIMIT:
                raise IndexError("it is nested too deeply")
            open_nodes[-1].children.append(Node(name))
            open_nodes.append(open_nodes[-1].children[-1])
        elif kind == 2:
            if len(open_nodes) < 2 or open_nodes.pop().tag != name:
                raise IndexError("an element ends that never began")
        else:
            open_nodes[-1].attributes[name] = self.text("<i") if kind == 3 else self.take(self.SCALARS[kind])
            if kind in (9, 10):
                self.take("<i")
