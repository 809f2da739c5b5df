"""Kdenlive projects: what is on the *timeline*. A clip that is only in the bin is nowhere.

Clips are told by `clip`: the name of their file (`red.mp4`), or a name they were given; titles by their text. `track` is Kdenlive's label (V1, A2)
or the name given to the track. Times in seconds on the timeline. A clip with picture and sound lies on a video and on an audio track.

    - timeline.project: {file: ~/Videos/cut.kdenlive, width: 1920, height: 1080, fps: 25, seconds: {is: 7, within: 0.1}}
    - timeline.track: {file: ~/Videos/cut.kdenlive, track: A2, muted: true}
    - timeline.clip: {file: ~/Videos/cut.kdenlive, clip: red.mp4, track: V1, start: 0, seconds: {is: 3, within: 0.05}, begin: 0}
    - timeline.no_clip: {file: ~/Videos/cut.kdenlive, clip: outtake.mp4}
    - timeline.order: {file: ~/Videos/cut.kdenlive, track: V1, clips: [red.mp4, blue.mp4]}
    - timeline.gapless: {file: ~/Videos/cut.kdenlive, track: V1}
    - timeline.transition: {file: ~/Videos/cut.kdenlive, between: [red.mp4, blue.mp4], seconds: {is: 1, within: 0.1}}
    - timeline.effect: {file: ~/Videos/cut.kdenlive, clip: red.mp4, effect: sepia, parameters: {u: 75}}
    - timeline.no_effect: {file: ~/Videos/cut.kdenlive, clip: red.mp4, effect: sepia}
    - timeline.fade: {file: ~/Videos/cut.kdenlive, clip: red.mp4, of: audio, way: in, seconds: {is: 2, within: 0.1}}
    - timeline.title: {file: ~/Videos/cut.kdenlive, text: Harbour Days, start: {is: 3, within: 0.1}, size: 54, colour: "#ffffff"}
    - timeline.guide: {file: ~/Videos/cut.kdenlive, text: Chorus, at: {is: 1, within: 0.05}}
    - timeline.marker: {file: ~/Videos/cut.kdenlive, clip: red.mp4, text: Splash}
    - timeline.unchanged: {file: ~/Videos/cut.kdenlive, except: [blue.mp4, guides]}
    - timeline.unchanged: {file: ~/Videos/final.kdenlive, of: ~/Videos/cut.kdenlive, except: [transitions]}
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import Field

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Number, Txt
from deskbench.checks.mlt import Clip, Effect, Timeline, Track, numbers, read_timeline
from deskbench.checks.nearest import Value, judge, listed, same_list
from deskbench.checks.nearest import count as counted
from deskbench.core.verdict import Finding, failed, passed


def project(
    evidence: Evidence,
    *,
    file: HomePath,
    width: Num | None = None,
    height: Num | None = None,
    fps: Num | None = None,
    seconds: Num | None = None,
    video_tracks: Num | None = None,
    audio_tracks: Num | None = None,
) -> Finding:
    """A Kdenlive project with that profile and number of tracks; `seconds` is when the last clip ends."""
    found = read_timeline(evidence, file)
    kinds = [track.kind for track in found.tracks]
    seen = {"width": found.width, "height": found.height, "fps": round(found.fps, 4), "seconds": round(found.seconds, 3)}
    seen |= {"video_tracks": kinds.count("video"), "audio_tracks": kinds.count("audio")}
    wanted = {"width": width, "height": height, "fps": fps, "seconds": seconds, "video_tracks": video_tracks, "audio_tracks": audio_tracks}
    return judge("the project", wanted, [seen])


def track(
    evidence: Evidence,
    *,
    file: HomePath,
    track: Txt,
    muted: bool | None = None,
    hidden: bool | None = None,
    locked: bool | None = None,
    kind: Literal["audio", "video"] | None = None,
    clips: Num | None = None,
) -> Finding:
    """A track with that label or name which is muted (audio), hidden (video) or locked, or holds that many clips."""
    found = read_timeline(evidence, file)
    seen = [
        {"muted": one.muted, "hidden": one.hidden, "locked": one.locked, "kind": one.kind, "clips": len(one.clips)}
        for one in found.tracks
        if _is_track(one, track)
    ]
    if not seen:
        names = [one.name or one.label for one in found.tracks]
        return failed(f"there is no track {track}; there is {listed(names)}", expected=str(track), seen=names)
    return judge(f"the track {track}", {"muted": muted, "hidden": hidden, "locked": locked, "kind": kind, "clips": clips}, seen)


def clip(
    evidence: Evidence,
    *,
    file: HomePath,
    clip: Txt,
    track: Txt | None = None,
    kind: Literal["audio", "video"] | None = None,
    start: Num | None = None,
    end: Num | None = None,
    seconds: Num | None = None,
    begin: Num | None = None,
    speed: Num | None = None,
    count: Num | None = None,
) -> Finding:
    """A clip on the timeline which is as described; `begin` is where it starts within its source; with `count`, so many are."""
    found = read_timeline(evidence, file)
    seen = [_clip_facts(one, on) for on, one in _clips(found, clip, None)]
    if not seen and count is None:
        where = "it is only in the bin" if any(clip.holds(PurePosixPath(source).name) for source in found.bin) else _whats_there(found)
        return failed(f"{clip} is not on the timeline; {where}", expected=str(clip), seen=_names(found))
    wanted = {"kind": kind, "start": start, "end": end, "seconds": seconds, "begin": begin, "speed": speed}
    on_track = [facts for facts in seen if track is None or track.holds(facts["track"]) or track.holds(facts["track_name"])]
    if count is not None:
        return counted(f"the clip {clip}", wanted, on_track, count)
    if not on_track:
        return failed(f"{clip} is not on the track {track}, but on {listed([facts['track'] for facts in seen])}", expected=str(track), seen=seen[:8])
    return judge(f"the clip {clip}", wanted, on_track)


def no_clip(evidence: Evidence, *, file: HomePath, clip: Txt, track: Txt | None = None) -> Finding:
    """That clip is not on the timeline (or not on that track), while something else is."""
    found = read_timeline(evidence, file)
    if not _names(found):
        return failed("the timeline is empty", seen=[])
    there = [_clip_facts(one, on) for on, one in _clips(found, clip, track)]
    if there:
        return failed(f"{clip} is on the timeline, on {there[0]['track']} at {there[0]['start']:g} s", expected=str(clip), seen=there[:8])
    return passed(f"{clip} is not on the timeline", seen=_names(found))


def order(evidence: Evidence, *, file: HomePath, track: Txt, clips: list[Txt]) -> Finding:
    """The clips of a track, one after another, are exactly these."""
    found = read_timeline(evidence, file)
    return same_list(f"the clips on {track}", clips, [_shown(one) for on in found.tracks if _is_track(on, track) for one in on.clips])


def gapless(evidence: Evidence, *, file: HomePath, track: Txt, start: Num | None = None) -> Finding:
    """The clips of a track follow each other without a gap, from the start of the timeline (or from `start`)."""
    found = read_timeline(evidence, file)
    clips = [one for on in found.tracks if _is_track(on, track) for one in on.clips]
    if not clips:
        return failed(f"there is no clip on {track}", seen=[])
    wanted = start or Number.model_validate({"is": 0, "within": 0.5 / found.fps})
    if not wanted.holds(clips[0].start):
        return failed(f"the first clip on {track} starts at {clips[0].start:g} s, not {wanted}", expected=str(wanted), seen=clips[0].start)
    until = clips[0].end
    for one in clips[1:]:
        if one.start > until + 0.5 / found.fps:
            return failed(f"there is a gap from {until:.2f} to {one.start:.2f} s before {_shown(one)}", seen=[round(until, 3), round(one.start, 3)])
        until = max(until, one.end)
    return passed(f"the {len(clips)} clips on {track} follow each other without a gap")


def transition(
    evidence: Evidence,
    *,
    file: HomePath,
    between: tuple[Txt, Txt] | None = None,
    kind: Txt | None = None,
    track: Txt | None = None,
    start: Num | None = None,
    seconds: Num | None = None,
    mix: bool | None = None,
    count: Num | None = None,
) -> Finding:
    """A transition: a mix of neighbours on one track (`mix: true`) or a composition of two tracks; `between` names the clips that overlap in it."""
    found = read_timeline(evidence, file)
    names = {one.label: one.name for one in found.tracks}
    facts: list[dict[str, Any]] = []
    for one in found.transitions:
        under = [_shown(held) for on in found.tracks for held in on.clips if held.start < one.start + one.seconds and held.end > one.start]
        seen = {"kind": one.kind, "track": one.track, "start": round(one.start, 3), "seconds": round(one.seconds, 3), "mix": one.mix}
        fits = between is None or all(any(name.holds(other) for other in under) for name in between)
        on_track = track is None or track.holds(one.track) or track.holds(names.get(one.track))
        facts += [seen] if fits and on_track else []
    wanted = {"kind": kind, "start": start, "seconds": seconds, "mix": mix}
    if count is not None:
        return counted("transitions", wanted, facts, count)
    if not facts:
        where = f" between {between[0]} and {between[1]}" if between is not None else ""
        return failed(f"there is no transition{where}", seen=[one.kind for one in found.transitions])
    return judge("the transition", wanted, facts)


def effect(
    evidence: Evidence,
    *,
    file: HomePath,
    effect: Txt,
    clip: Txt | None = None,
    track: Txt | None = None,
    parameters: dict[str, Value] | None = None,
    count: Num | None = None,
) -> Finding:
    """An enabled effect on a clip; without `clip`, on the track itself; without both, anywhere. Keyframed numbers must all be as expected."""
    found = read_timeline(evidence, file)
    candidates = _effects(found, clip, track)
    named = [one for one in candidates if _is_effect(one, effect)]
    if count is not None:
        return counted(f"the effect {effect}", {}, [{"effect": one.kind} for one in named if one.enabled], count)
    if not named:
        kinds = [one.kind for one in candidates]
        return failed(f"there is no effect {effect}; there is {listed(kinds)}", expected=str(effect), seen=kinds)
    if not any(one.enabled for one in named):
        return failed(f"the effect {effect} is there, but switched off", expected=str(effect))
    wanted = parameters or {}
    facts = [{name: _parameter(one, name, wish) for name, wish in wanted.items()} for one in named if one.enabled]
    return judge(f"the effect {effect}", wanted, facts)


def no_effect(evidence: Evidence, *, file: HomePath, effect: Txt, clip: Txt | None = None, track: Txt | None = None) -> Finding:
    """That effect is not (or no longer) there, or switched off; the clip itself must be on the timeline."""
    found = read_timeline(evidence, file)
    if clip is not None and not _clips(found, clip, track):
        return failed(f"{clip} is not on the timeline", expected=str(clip), seen=_names(found))
    there = [one.kind for one in _effects(found, clip, track) if one.enabled and _is_effect(one, effect)]
    return failed(f"there is an effect {effect}", seen=there) if there else passed(f"there is no effect {effect}")


def fade(
    evidence: Evidence,
    *,
    file: HomePath,
    clip: Txt,
    of: Literal["audio", "video"],
    way: Literal["in", "out"],
    seconds: Num | None = None,
    track: Txt | None = None,
) -> Finding:
    """A clip's sound or picture fades in or out, over that time."""
    found = read_timeline(evidence, file)
    kind = {("audio", "in"): "fadein", ("audio", "out"): "fadeout", ("video", "in"): "fade_from_black", ("video", "out"): "fade_to_black"}[of, way]
    clips = _clips(found, clip, track)
    if not clips:
        return failed(f"{clip} is not on the timeline", expected=str(clip), seen=_names(found))
    fades = [one for _, held in clips for one in held.effects if one.kind == kind and one.enabled]
    if not fades:
        return failed(f"the {of} of {clip} does not fade {way}", seen=[one.kind for _, held in clips for one in held.effects])
    return judge(f"the fade {way} of {clip}", {"seconds": seconds}, [{"seconds": one.seconds} for one in fades])


def title(
    evidence: Evidence,
    *,
    file: HomePath,
    text: Txt,
    track: Txt | None = None,
    start: Num | None = None,
    end: Num | None = None,
    seconds: Num | None = None,
    font: Txt | None = None,
    size: Num | None = None,
    colour: Col | None = None,
    x: Num | None = None,
    y: Num | None = None,
) -> Finding:
    """A title clip on the timeline with that text; `size` is in pixels of the project's frame, `x` and `y` its top left corner there."""
    found = read_timeline(evidence, file)
    titles = [(on, held, one) for on in found.tracks for held in on.clips for one in held.titles if track is None or _is_track(on, track)]
    seen = [
        {**_clip_facts(held, on), "font": one.font, "size": one.size, "colour": list(one.colour), "x": one.x, "y": one.y}
        for on, held, one in titles
        if text.holds(one.text)
    ]
    if not seen:
        texts = [one.text for _, _, one in titles]
        return failed(f"there is no title {text} on the timeline; there is {listed(texts)}", expected=str(text), seen=texts)
    wanted = {"start": start, "end": end, "seconds": seconds, "font": font, "size": size, "colour": colour, "x": x, "y": y}
    return judge(f"the title {text}", wanted, seen)


def guide(evidence: Evidence, *, file: HomePath, text: Txt | None = None, at: Num | None = None, count: Num | None = None) -> Finding:
    """A guide on the timeline (a marker of the project), with that text, at that time; or so many of them."""
    found = read_timeline(evidence, file)
    return _marked("guide", [{"text": mark.text, "at": round(mark.at, 3)} for mark in found.guides], text, at, count)


def marker(evidence: Evidence, *, file: HomePath, clip: Txt, text: Txt | None = None, at: Num | None = None, count: Num | None = None) -> Finding:
    """A marker of a clip, with that text, at that time of its source; or so many of them."""
    found = read_timeline(evidence, file)
    marks = [{"text": mark.text, "at": round(mark.at, 3)} for mark in found.markers if clip.holds(mark.clip)]
    return _marked(f"marker of {clip}", marks, text, at, count)


def unchanged(
    evidence: Evidence, *, file: HomePath, of: HomePath | None = None, except_: Annotated[tuple[Txt, ...], Field(alias="except")] = ()
) -> Finding:
    """All the rest of a project is as it was at the start (`of`: as that project was).

    `except` names clips (or titles, by their text) that may differ, and what may: profile, tracks, transitions, guides, markers, bin, effects.
    """
    now, then = _said(read_timeline(evidence, file), except_), _said(read_timeline(evidence, of or file, before=True), except_)
    changed = []
    for part, facts in then.items():
        gone, come = [one for one in facts if one not in now[part]], [one for one in now[part] if one not in facts]
        changed += [f"{part}: {one} is no longer there" for one in gone] + [f"{part}: {one} is new" for one in come]
    if changed:
        told = "; ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        return failed(f"something else in the project is different: {told}", expected=[str(one) for one in except_], seen=changed[:40])
    return passed("the rest of the project is as it was", expected=[str(one) for one in except_])


def _said(found: Timeline, but: tuple[Txt, ...]) -> dict[str, list[str]]:
    """The parts of a project as sentences which are equal when their meaning is."""

    def at(seconds: float) -> str:
        return f"{round(seconds * found.fps)}"

    def effects(several: tuple[Effect, ...]) -> str:
        names = [one.kind + ("" if one.enabled else " (off)") + "".join(f" {value:g}" for value in _strength(one)) for one in several]
        return f" with {', '.join(names)}" if names and not _excepted("effects", but) else ""

    clips = [
        f"{_shown(one)} on {on.label} from frame {at(one.start)} for {at(one.seconds)} beginning at {at(one.begin)} speed {one.speed:g}"
        f"{''.join(f' saying {title.text!r}' for title in one.titles)}{effects(one.effects)}"
        for on in found.tracks
        for one in on.clips
        if not any(_is_clip(one, name) for name in but)
    ]
    tracks = [
        f"{one.label} {one.name!r}{' muted' * one.muted}{' hidden' * one.hidden}{' locked' * one.locked}{effects(one.effects)}"
        for one in found.tracks
    ]
    parts = {
        "profile": [f"{found.width}x{found.height} at {found.fps:g}"],
        "tracks": tracks,
        "clips": clips,
        "transitions": [f"{one.kind} on {one.track} at frame {at(one.start)} for {at(one.seconds)}" for one in found.transitions],
        "guides": [f"{mark.text!r} at frame {at(mark.at)}" for mark in found.guides],
        "markers": [f"{mark.text!r} at frame {at(mark.at)} of {mark.clip}" for mark in found.markers],
        "bin": sorted(PurePosixPath(source).name for source in found.bin),
    }
    return {name: facts for name, facts in parts.items() if not _excepted(name, but)}


def _excepted(part: str, but: tuple[Txt, ...]) -> bool:
    return any(name.holds(part) for name in but)


def _strength(one: Effect) -> list[float]:
    """The numbers that an effect is set to, in the order of their names; Kdenlive's own notes about it are none."""
    own = {"in", "out", "disable", "mlt_service", "kdenlive_id", "version"}
    return [
        value for name in sorted(one.parameters) if name not in own and not name.startswith("kdenlive") for value in numbers(one.parameters[name])
    ]


def _marked(what: str, marks: list[dict[str, Any]], text: Txt | None, at: Num | None, count: Num | None) -> Finding:
    wanted = {"text": text, "at": at}
    if count is not None:
        return counted(f"the {what}", wanted, marks, count)
    return judge(f"the {what}", wanted, marks) if marks else failed(f"there is no {what}", seen=[])


def _is_track(one: Track, wanted: Txt) -> bool:
    return wanted.holds(one.label) or (bool(one.name) and wanted.holds(one.name))


def _is_effect(one: Effect, wanted: Txt) -> bool:
    return wanted.holds(one.kind) or wanted.holds(one.service)


def _clips(found: Timeline, wanted: Txt, track: Txt | None) -> list[tuple[Track, Clip]]:
    return [(on, one) for on in found.tracks if track is None or _is_track(on, track) for one in on.clips if _is_clip(one, wanted)]


def _is_clip(one: Clip, wanted: Txt) -> bool:
    return wanted.holds(one.name) or wanted.holds(PurePosixPath(one.source).name) or any(wanted.holds(title.text) for title in one.titles)


def _shown(one: Clip) -> str:
    return PurePosixPath(one.source).name or one.name


def _clip_facts(one: Clip, on: Track) -> dict[str, Any]:
    facts: dict[str, Any] = {"clip": _shown(one), "track": on.label, "track_name": on.name or None, "kind": on.kind, "start": round(one.start, 3)}
    return facts | {"end": round(one.end, 3), "seconds": round(one.seconds, 3), "begin": round(one.begin, 3), "speed": one.speed}


def _effects(found: Timeline, clip: Txt | None, track: Txt | None) -> list[Effect]:
    tracks = [on for on in found.tracks if track is None or _is_track(on, track)]
    if clip is not None:
        return [one for on in tracks for held in on.clips if _is_clip(held, clip) for one in held.effects]
    if track is not None:
        return [one for on in tracks for one in on.effects]
    anywhere = [one for on in tracks for one in on.effects] + [one for on in tracks for held in on.clips for one in held.effects]
    return anywhere + list(found.effects)


def _parameter(one: Effect, name: str, wish: Any) -> Any:
    """A parameter as the expectation needs it; of several keyframes the one that is wrong, if any."""
    said = one.parameters.get(name)
    if said is None or not isinstance(wish, Number):
        return said
    values = numbers(said)
    return next((value for value in values if not wish.holds(value)), values[0] if values else None)


def _names(found: Timeline) -> list[str]:
    return [_shown(one) for on in found.tracks for one in on.clips]


def _whats_there(found: Timeline) -> str:
    return f"there is {listed(list(dict.fromkeys(_names(found))))}"
