"""Sound files: format, levels, silence, fades, pitch, spectrum, and whether one sound is in another.

`file` may be a sound file, a video with sound, or an Audacity project: then `track` names the track that is measured (its clips with their
envelopes, without the track's gain and pan), and without `track` the mix is. Reference sounds (`of`, `than`, `sound`) are taken as they were at
the start of the episode, where they existed then; one that the agent made may be a project, whose mix an export should sound like. Levels in dB
below full scale, times in seconds.

    - audio.file: {file: ~/Music/intro.mp3, format: mp3, channels: 1, rate: 44100, seconds: {is: 12, within: 0.1}}
    - audio.peak: {file: ~/Music/voice.wav, db: {is: -3, within: 0.2}}
    - audio.level: {file: ~/Music/voice.wav, start: 0, end: 2, db: {at_most: -30}}
    - audio.loudness: {file: ~/Music/voice.wav, lufs: {is: -16, within: 0.5}}
    - audio.noise: {file: ~/Music/voice.wav, db: {at_most: -60}}
    - audio.silence: {file: ~/Music/voice.wav, at: start, seconds: {is: 1, within: 0.05}}
    - audio.silent: {file: ~/Music/voice.wav, start: 4, end: 5}
    - audio.sounds: {file: ~/Music/voice.wav, start: 0, end: 4}
    - audio.pauses: {file: ~/Music/voice.wav, longest: {at_most: 0.5}}
    - audio.fade: {file: ~/Music/voice.wav, way: out, of: ~/Music/raw.wav, seconds: {is: 2, within: 0.2}}
    - audio.pitch: {file: ~/Music/tone.wav, hz: {is: 440, within: 2}}
    - audio.pitch_shift: {file: ~/Music/voice.wav, of: ~/Music/raw.wav, semitones: {is: 2, within: 0.3}}
    - audio.band: {file: ~/Music/voice.wav, than: ~/Music/raw.wav, low: 20, high: 150, change_db: {at_most: -12}}
    - audio.same: {file: ~/Music/copy.flac, of: ~/Music/raw.wav, gain_db: {is: 0, within: 0.5}}
    - audio.same: {file: ~/Music/show.mp3, of: ~/Music/show.aup3, gain_db: {is: 0, within: 0.5}}
    - audio.contains: {file: ~/Music/show.wav, sound: ~/Music/jingle.wav, at: {is: 0, within: 0.1}}
    - audio.contains: {file: ~/Music/cut.wav, sound: ~/Music/raw.wav, start: 4, end: 9, at: {is: 2, within: 0.05}, gain_db: {is: -6, within: 0.5}}
    - audio.clicks: {file: ~/Music/voice.wav, count: 0}
    - audio.balance: {file: ~/Music/voice.wav, db: {is: 0, within: 0.5}}
    - audio.tags: {file: ~/Music/voice.mp3, tags: {title: Episode 1, artist: {contains: Lindt}}}
    - audio.unchanged: {file: ~/Music/voice.wav, except: [[3, 4]]}
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from deskbench.checks import sound as measure
from deskbench.checks.audacity import MAGIC, Track, open_project
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Number, Txt
from deskbench.checks.media import kind_of, open_media
from deskbench.checks.nearest import judge
from deskbench.checks.sound import Sound, read_sound
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed


def file(
    evidence: Evidence,
    *,
    file: HomePath,
    format: Txt | None = None,
    codec: Txt | None = None,
    channels: Num | None = None,
    rate: Num | None = None,
    bits: Num | None = None,
    seconds: Num | None = None,
) -> Finding:
    """A sound file that can be played to its end, of that format (wav, mp3, ogg, flac, m4a ...), codec, channels, rate and length."""
    what = f"~/{file}"
    sound = read_sound(evidence.file(file), what)
    with open_media(evidence.file(file), what) as container:
        stream = container.streams.audio[0]
        seen: dict[str, Any] = {"format": kind_of(container), "codec": stream.codec_context.name}
        depth = _bits(stream.codec_context.name, stream.format.bits)
    seen |= {"channels": sound.channels, "rate": sound.rate, "bits": depth, "seconds": round(sound.seconds, 3)}
    wanted = {"format": format, "codec": codec, "channels": channels, "rate": rate, "bits": bits, "seconds": seconds}
    return judge(f"~/{file}", wanted, [seen])


def peak(evidence: Evidence, *, file: HomePath, db: Num, start: float | None = None, end: float | None = None, track: Txt | None = None) -> Finding:
    """The highest sample, in a range or in all of the sound."""
    return _measured("the peak", measure.peak_db(_sound(evidence, file, track, start, end)), db, "dB")


def level(evidence: Evidence, *, file: HomePath, db: Num, start: float | None = None, end: float | None = None, track: Txt | None = None) -> Finding:
    """The mean (RMS) level, in a range or in all of the sound."""
    return _measured("the mean level", measure.rms_db(_sound(evidence, file, track, start, end)), db, "dB")


def loudness(evidence: Evidence, *, file: HomePath, lufs: Num, track: Txt | None = None) -> Finding:
    """The integrated loudness (ITU-R BS.1770, gated)."""
    return _measured("the loudness", measure.loudness_lufs(_sound(evidence, file, track)), lufs, "LUFS")


def noise(evidence: Evidence, *, file: HomePath, db: Num, start: float | None = None, end: float | None = None, track: Txt | None = None) -> Finding:
    """The noise floor: the mean level of the quietest tenth."""
    return _measured("the noise floor", measure.noise_floor_db(_sound(evidence, file, track, start, end)), db, "dB")


def silence(
    evidence: Evidence, *, file: HomePath, at: Literal["start", "end"], seconds: Num, below_db: float = -50.0, track: Txt | None = None
) -> Finding:
    """How long the sound is silent at its start or end."""
    sound = _sound(evidence, file, track)
    runs = measure.silences(sound, below_db)
    edge = next((run for run in runs if (run.start < 1e-6 if at == "start" else run.end > sound.seconds - 1e-3)), None)
    return _measured(f"the silence at the {at}", edge.seconds if edge else 0.0, seconds, "s")


def silent(evidence: Evidence, *, file: HomePath, start: float, end: float, below_db: float = -60.0, track: Txt | None = None) -> Finding:
    """A range in which nothing is heard; it must lie within the sound."""
    return _measured(f"the peak from {start:g} to {end:g} s", _range_peak(evidence, file, start, end, track), Number(at_most=below_db), "dB")


def sounds(evidence: Evidence, *, file: HomePath, start: float, end: float, above_db: float = -40.0, track: Txt | None = None) -> Finding:
    """A range in which something is heard."""
    return _measured(f"the peak from {start:g} to {end:g} s", _range_peak(evidence, file, start, end, track), Number(at_least=above_db), "dB")


def pauses(
    evidence: Evidence,
    *,
    file: HomePath,
    count: Num | None = None,
    longest: Num | None = None,
    below_db: float = -45.0,
    seconds: float = 0.2,
    track: Txt | None = None,
) -> Finding:
    """The pauses within the sound of at least `seconds`: how many, and how long the longest. With neither given: there are none."""
    sound = _sound(evidence, file, track)
    runs = [run for run in measure.silences(sound, below_db, seconds) if run.start > 1e-6 and run.end < sound.seconds - 0.011]
    seen = {"count": len(runs), "longest": round(max((run.seconds for run in runs), default=0.0), 3)}
    if count is None and longest is None:
        count = Number.model_validate({"is": 0})
    return judge("pauses between the first and the last sound", {"count": count, "longest": longest}, [seen])


def fade(
    evidence: Evidence,
    *,
    file: HomePath,
    way: Literal["in", "out"],
    seconds: Num | None = None,
    of: HomePath | None = None,
    track: Txt | None = None,
    at: float | None = None,
) -> Finding:
    """A gradual fade in at the start or fade out at the end (`at`: at another time instead).

    With `of`, the unfaded sound, the gain between the two is judged, whatever the sound is. Without it only the envelope can be, which suits
    steady sounds such as tones, noise and music, not speech. For a project's track, `of` may be the sound file it was made from.
    """
    sound = _sound(evidence, file, track)
    unfaded = _reference(evidence, of) if of is not None else None
    if at is not None:
        sound = sound.part(at, None) if way == "in" else sound.part(None, at)
        unfaded = None if unfaded is None else unfaded.part(at, None) if way == "in" else unfaded.part(None, at)
    found = measure.fade(sound, way, unfaded)
    if found.trouble:
        return failed(f"there is no fade {way}: {found.trouble}", seen=round(found.seconds, 2))
    if seconds is not None:
        return _measured(f"the fade {way}", found.seconds, seconds, "s")
    return passed(f"the sound fades {way} over {found.seconds:.2f} s", seen=round(found.seconds, 2))


def pitch(evidence: Evidence, *, file: HomePath, hz: Num, start: float | None = None, end: float | None = None, track: Txt | None = None) -> Finding:
    """The strongest frequency."""
    return _measured("the strongest frequency", measure.dominant_hz(_sound(evidence, file, track, start, end)), hz, "Hz")


def pitch_shift(evidence: Evidence, *, file: HomePath, of: HomePath, semitones: Num, track: Txt | None = None) -> Finding:
    """By how many semitones the sound is higher (or lower, below zero) than another; a change of tempo alone is zero."""
    shift = measure.pitch_shift_semitones(_sound(evidence, file, track), _reference(evidence, of))
    return _measured("the change of pitch", shift, semitones, "semitones")


def band(
    evidence: Evidence, *, file: HomePath, low: float, high: float, change_db: Num, than: HomePath | None = None, track: Txt | None = None
) -> Finding:
    """How much louder the band between two frequencies is than in another sound, or than in the same file at the start."""
    before = _reference(evidence, than) if than is not None else read_sound(evidence.before(file), f"~/{file} at the start")
    change = measure.band_db(_sound(evidence, file, track), low, high) - measure.band_db(before, low, high)
    return _measured(f"the change between {low:g} and {high:g} Hz", change, change_db, "dB")


def same(
    evidence: Evidence,
    *,
    file: HomePath,
    of: HomePath,
    likeness: float = 0.98,
    gain_db: Num | None = None,
    reversed: bool = False,
    within_seconds: float = 0.1,
    track: Txt | None = None,
) -> Finding:
    """The same sound as another from start to end, whatever the format, and whatever the gain unless `gain_db` says."""
    sound, other = _sound(evidence, file, track), _reference(evidence, of)
    if reversed:
        other = Sound(other.samples[:, ::-1], other.rate)
    if abs(sound.seconds - other.seconds) > within_seconds:
        return failed(f"the sound lasts {sound.seconds:.2f} s, the other {other.seconds:.2f} s", expected=other.seconds, seen=sound.seconds)
    return _judge_match(measure.find(sound, other), f"~/{of}", likeness, Number.model_validate({"is": 0, "within": within_seconds}), gain_db)


def contains(
    evidence: Evidence,
    *,
    file: HomePath,
    sound: HomePath,
    at: Num | None = None,
    likeness: float = 0.9,
    gain_db: Num | None = None,
    track: Txt | None = None,
    start: float | None = None,
    end: float | None = None,
) -> Finding:
    """Another sound, or its part from `start` to `end`, is heard in this one (at that time, that much louder).

    Under other sounds it is less alike: lower `likeness` then.
    """
    wanted = _reference(evidence, sound).part(start, end)
    part = "" if start is None and end is None else f" from {start or 0:g} s" + (f" to {end:g} s" if end is not None else " on")
    return _judge_match(measure.find(_sound(evidence, file, track), wanted), f"~/{sound}{part}", likeness, at, gain_db)


def clicks(evidence: Evidence, *, file: HomePath, count: Num | None = None, track: Txt | None = None) -> Finding:
    """How often the sound jumps within a sample or two, as at a bad cut; none, if no count is given."""
    found = measure.clicks(_sound(evidence, file, track))
    wanted = count or Number.model_validate({"is": 0})
    where = f" (at {', '.join(f'{at:.2f}' for at in found[:5])} s)" if found else ""
    return _measured(f"the number of clicks{where}", len(found), wanted, "")


def balance(evidence: Evidence, *, file: HomePath, db: Num, track: Txt | None = None) -> Finding:
    """How much louder the left channel is than the right one; a mono sound has no balance."""
    sound = _sound(evidence, file, track)
    if sound.channels != 2:
        return failed(f"the sound has {sound.channels} channel{'s' if sound.channels > 1 else ''}, not two", seen=sound.channels)
    sides = [measure.rms_db(Sound(side[None, :], sound.rate)) for side in sound.samples]
    return _measured("the left channel over the right one", sides[0] - sides[1], db, "dB")


def tags(evidence: Evidence, *, file: HomePath, tags: dict[str, Txt]) -> Finding:
    """What the file says about itself: title, artist, album, date, genre, track, comment ... in any capitalisation."""
    if not evidence.file(file).stat().st_size:
        raise BadArtifact(f"~/{file} is empty")
    with open_media(evidence.file(file), f"~/{file}") as container:
        found = {key.lower(): value for key, value in container.metadata.items()}
        for stream in container.streams.audio:  # Ogg keeps its tags with the stream
            found |= {key.lower(): value for key, value in stream.metadata.items()}
    return judge(f"~/{file}", {key.lower(): wanted for key, wanted in tags.items()}, [found])


def unchanged(
    evidence: Evidence,
    *,
    file: HomePath,
    except_: Annotated[tuple[tuple[float, float], ...], Field(alias="except")] = (),
    of: HomePath | None = None,
    within_db: float = -50.0,
) -> Finding:
    """The samples are what they were at the start (or those of another file), except in the given ranges; dither is forgiven."""
    old = _reference(evidence, of) if of is not None else read_sound(evidence.before(file), f"~/{file} at the start")
    new = read_sound(evidence.file(file), f"~/{file}")
    if (new.rate, new.channels) != (old.rate, old.channels) or abs(new.seconds - old.seconds) > 0.01:
        seen = [[one.rate, one.channels, round(one.seconds, 2)] for one in (old, new)]
        return failed("the sound has another rate, other channels or another length than before", expected=seen[0], seen=seen[1])
    length = min(new.samples.shape[1], old.samples.shape[1])
    difference = np.abs(new.samples[:, :length] - old.samples[:, :length]).max(axis=0)
    for first, last in except_:
        difference[max(0, round(first * new.rate)) : round(last * new.rate)] = 0
    worst = int(np.argmax(difference)) if length else 0
    if length and measure.decibels(float(difference[worst])) > within_db:
        return failed(f"the sound was changed at {worst / new.rate:.2f} s", seen=round(worst / new.rate, 3))
    return passed("the sound is unchanged where it should be")


def _bits(codec: str, decoded: int) -> int | None:
    """Bits per sample as they are stored: 24 are decoded to 32. Lossy codecs have none."""
    stored = re.match(r"pcm_[suf](\d+)", codec)
    if stored:
        return int(stored[1])
    return decoded if codec.startswith(("pcm_", "flac")) else None


def _sound(evidence: Evidence, file: str, track: Txt | None = None, start: float | None = None, end: float | None = None) -> Sound:
    path = evidence.file(file)
    with path.open("rb") as stream:
        is_project = stream.read(16) == MAGIC
    if not is_project:
        if track is not None:
            raise BadArtifact(f"~/{file} is not an Audacity project, so it has no tracks")
        sound = read_sound(path, f"~/{file}")
    else:
        with open_project(evidence, file) as project:
            sound = project.mix() if track is None else project.sound(_track(project.tracks, track))
    sound = sound.part(start, end)
    if not sound.samples.size:
        raise BadArtifact(f"~/{file} has no sound from {start or 0:g} s on")
    return sound


def _track(tracks: tuple[Track, ...], wanted: Txt) -> Track:
    found = [track for track in tracks if wanted.holds(track.name)]
    if not found:
        names = ", ".join(repr(track.name) for track in tracks) or "no track"
        raise BadArtifact(f"the project has no track named {wanted}; it has {names}")
    return found[0]


def _reference(evidence: Evidence, path: str) -> Sound:
    """A sound to compare with: as it was at the start, or what the agent made (the mix, if that is a project), if there was none then."""
    change = evidence.changes.get(path)
    if change is not None and change.change == "added":
        return _sound(evidence, path)
    return read_sound(evidence.before(path), f"~/{path}")


def _range_peak(evidence: Evidence, file: str, start: float, end: float, track: Txt | None) -> float:
    return measure.peak_db(_sound(evidence, file, track, start, end))


def _measured(what: str, value: float, wanted: Number, unit: str) -> Finding:
    shown = f"{value:.2f}".rstrip("0").rstrip(".") + (f" {unit}" if unit else "")
    if wanted.holds(value):
        return passed(f"{what} is {shown}", expected=str(wanted), seen=round(value, 4))
    return failed(f"{what} is {shown}, not {wanted}", expected=str(wanted), seen=round(value, 4))


def _judge_match(match: measure.Match, what: str, likeness: float, at: Number | None, gain_db: Number | None) -> Finding:
    seen = {"likeness": round(match.likeness, 3), "at": round(match.at, 3), "gain_db": round(match.gain_db, 2)}
    if match.likeness < likeness:
        return failed(f"{what} is not heard in it (likeness {match.likeness:.2f}, {likeness:g} is needed)", expected=likeness, seen=seen)
    if at is not None and not at.holds(match.at):
        return failed(f"{what} begins at {match.at:.2f} s, not {at}", expected=str(at), seen=seen)
    if gain_db is not None and not gain_db.holds(match.gain_db):
        return failed(f"{what} is heard {match.gain_db:.1f} dB louder, not {gain_db}", expected=str(gain_db), seen=seen)
    return passed(f"{what} is heard from {match.at:.2f} s", expected=likeness, seen=seen)
