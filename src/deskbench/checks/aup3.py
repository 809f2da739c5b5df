"""Audacity 3 projects as they were saved: tracks, clips, labels. What the tracks sound like: the checks of `audio` with `track`.

Tracks are named as in the project; `track` may be left out where any track will do. Gains in dB, pan from -1 (left) to 1 (right).

    - aup3.project: {file: ~/Music/show.aup3, rate: 44100, tracks: 2, seconds: {is: 61, within: 0.5}}
    - aup3.track: {file: ~/Music/show.aup3, name: Voice, mute: false, gain_db: {is: -6, within: 0.1}, pan: 0, clips: 2}
    - aup3.tracks: {file: ~/Music/show.aup3, names: [Voice, Music]}
    - aup3.no_track: {file: ~/Music/show.aup3, name: Scratch}
    - aup3.clip: {file: ~/Music/show.aup3, track: Music, start: {is: 4.25, within: 0.05}, seconds: {is: 1, within: 0.05}}
    - aup3.label: {file: ~/Music/show.aup3, text: Intro, start: {is: 0, within: 0.1}, end: {is: 1, within: 0.1}}
    - aup3.labels: {file: ~/Music/show.aup3, texts: [Intro, Question 1]}
    - aup3.tags: {file: ~/Music/show.aup3, tags: {TITLE: Field Notes}}
    - aup3.unchanged: {file: ~/Music/show.aup3, except: [Voice]}
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field

from deskbench.checks.audacity import Project, Track, open_project
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Txt
from deskbench.checks.nearest import judge, listed, same_list
from deskbench.checks.sound import decibels
from deskbench.core import evidence as layout
from deskbench.core.verdict import Finding, failed, passed


def project(
    evidence: Evidence,
    *,
    file: HomePath,
    rate: Num | None = None,
    tracks: Num | None = None,
    label_tracks: Num | None = None,
    seconds: Num | None = None,
) -> Finding:
    """A project that Audacity saved, with that rate, number of audio and label tracks, and length."""
    with open_project(evidence, file) as found:
        counts = {"tracks": len(found.tracks), "label_tracks": len(found.label_tracks)}
        seen = {"rate": found.rate, "seconds": round(found.seconds, 3), **counts}
    return judge("the project", {"rate": rate, "seconds": seconds, "tracks": tracks, "label_tracks": label_tracks}, [seen])


def track(
    evidence: Evidence,
    *,
    file: HomePath,
    name: Txt,
    mute: bool | None = None,
    solo: bool | None = None,
    gain_db: Num | None = None,
    pan: Num | None = None,
    channels: Num | None = None,
    rate: Num | None = None,
    clips: Num | None = None,
    start: Num | None = None,
    end: Num | None = None,
) -> Finding:
    """An audio track of that name which is as described; `start` and `end` are those of its first and last clip."""
    with open_project(evidence, file) as found:
        seen = [_track_facts(one) for one in found.tracks if name.holds(one.name)]
        names = [one.name for one in found.tracks]
    if not seen:
        return failed(f"there is no track named {name}; there is {listed(names)}", expected=str(name), seen=names)
    wanted: dict[str, Any] = {"mute": mute, "solo": solo, "gain_db": gain_db, "pan": pan, "channels": channels, "rate": rate}
    return judge(f"the track {name}", {**wanted, "clips": clips, "start": start, "end": end}, seen)


def tracks(evidence: Evidence, *, file: HomePath, names: list[Txt]) -> Finding:
    """The audio tracks, from top to bottom, are exactly these."""
    with open_project(evidence, file) as found:
        seen = [one.name for one in found.tracks]
    return same_list("the tracks", names, seen)


def no_track(evidence: Evidence, *, file: HomePath, name: Txt) -> Finding:
    """There is no audio track of that name any more (and still some other one)."""
    with open_project(evidence, file) as found:
        seen = [one.name for one in found.tracks]
    if not seen:
        return failed("the project has no tracks at all", seen=seen)
    if any(name.holds(one) for one in seen):
        return failed(f"there is still a track named {name}", expected=str(name), seen=seen)
    return passed(f"there is no track named {name}", seen=seen)


def clip(
    evidence: Evidence,
    *,
    file: HomePath,
    track: Txt | None = None,
    name: Txt | None = None,
    start: Num | None = None,
    end: Num | None = None,
    seconds: Num | None = None,
) -> Finding:
    """Some clip (on that track) which is as described; what is trimmed away is not part of it."""
    with open_project(evidence, file) as found:
        seen = [
            {"name": one.name, "start": round(one.start, 4), "end": round(one.start + one.seconds, 4), "seconds": round(one.seconds, 4)}
            for on in found.tracks
            if track is None or track.holds(on.name)
            for one in on.clips
        ]
    where = f" on the track {track}" if track is not None else ""
    if not seen:
        return failed(f"there is no clip{where}", seen=[])
    return judge(f"a clip{where}", {"name": name, "start": start, "end": end, "seconds": seconds}, seen)


def label(evidence: Evidence, *, file: HomePath, text: Txt, start: Num | None = None, end: Num | None = None, track: Txt | None = None) -> Finding:
    """A label with that text, at that time (on that label track)."""
    with open_project(evidence, file) as found:
        labels = [one for one in found.labels if track is None or track.holds(one.track)]
    seen = [{"text": one.text, "start": round(one.start, 4), "end": round(one.end, 4)} for one in labels if text.holds(one.text)]
    if not seen:
        texts = [one.text for one in labels]
        return failed(f"there is no label {text}; there is {listed(texts)}", expected=str(text), seen=texts)
    return judge(f"the label {text}", {"start": start, "end": end}, seen)


def labels(evidence: Evidence, *, file: HomePath, texts: list[Txt], track: Txt | None = None) -> Finding:
    """The labels, by time, are exactly these."""
    with open_project(evidence, file) as found:
        ordered = sorted((one for one in found.labels if track is None or track.holds(one.track)), key=lambda one: one.start)
    return same_list("the labels", texts, [one.text for one in ordered])


def tags(evidence: Evidence, *, file: HomePath, tags: dict[str, Txt]) -> Finding:
    """The project's metadata (TITLE, ARTIST, ALBUM, YEAR, GENRE ...), whatever the capitalisation of the names."""
    with open_project(evidence, file) as found:
        seen = {key.upper(): value for key, value in found.tags.items()}
    return judge("the metadata", {key.upper(): wanted for key, wanted in tags.items()}, [seen])


def unchanged(evidence: Evidence, *, file: HomePath, except_: Annotated[tuple[str, ...], Field(alias="except")] = ()) -> Finding:
    """Every audio track but those named sounds as at the start, in the same place, with the same gain, pan and mute; labels are not looked at."""
    evidence.before(file)
    with open_project(evidence, file) as new, open_project(_AtStart(evidence.folder), file) as old:
        left, right = _by_name(old, except_), _by_name(new, except_)
        missing, extra = sorted(left.keys() - right.keys()), sorted(right.keys() - left.keys())
        if missing or extra:
            told = [f"lost {listed(missing)}"] if missing else []
            told += [f"gained {listed(extra)}"] if extra else []
            return failed(f"the project has {' and '.join(told)}", expected=sorted(left), seen=sorted(right))
        for key, one in left.items():
            other = right[key]
            if _mixing(one) != _mixing(other):
                return failed(f"the track {one.name!r} has another gain, pan, mute or solo than before", expected=_mixing(one), seen=_mixing(other))
            before, after = old.sound(one).samples, new.sound(other).samples
            if before.shape != after.shape or float(np.abs(before - after).max(initial=0.0)) > 10 ** (-50 / 20):
                return failed(f"the track {one.name!r} does not sound as before")
    return passed("the other tracks are unchanged")


class _AtStart(Evidence):
    """The same evidence with the files as they were at the start."""

    def file(self, path: str, limit: int = 512 << 20) -> Any:
        return self.before(path, limit)

    def exists(self, path: str) -> bool:
        return (self.folder / layout.BEFORE / path).is_file()


def _by_name(found: Project, but: tuple[str, ...]) -> dict[str, Track]:
    return {f"{one.name} ({index})" if index else one.name: one for index, one in _numbered(found) if one.name not in but}


def _numbered(found: Project) -> list[tuple[int, Track]]:
    """Tracks of the same name are told apart by their order."""
    names = [one.name for one in found.tracks]
    return [(names[:at].count(one.name), one) for at, one in enumerate(found.tracks)]


def _mixing(one: Track) -> list[Any]:
    return [round(one.gain, 4), round(one.pan, 4), one.mute, one.solo]


def _track_facts(one: Track) -> dict[str, Any]:
    facts = {"name": one.name, "mute": one.mute, "solo": one.solo, "gain_db": round(decibels(one.gain), 3), "pan": round(one.pan, 4)}
    return facts | {"channels": one.channels, "rate": one.rate, "clips": len(one.clips), "start": round(one.start, 4), "end": round(one.end, 4)}
