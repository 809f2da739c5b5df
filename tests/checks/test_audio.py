"""The checks of sounds, on files exported by Audacity: right, wrong and nearly right ones, and hostile ones."""

from __future__ import annotations

import io
import struct
import time
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.checks.sound import Sound, loudness_lufs
from deskbench.core.verdict import Finding

HERE = Path(__file__).parent / "artifacts" / "audio"
SECOND = {"is": 1, "within": 0.1}


@pytest.fixture
def sounds(evidence_of: Callable[..., Evidence]) -> Evidence:
    made = {f"~/{path.name}": path for path in HERE.iterdir() if path.name not in ("source.wav", "jingle.wav")}
    return evidence_of(made, unchanged={"~/source.wav": HERE / "source.wav", "~/jingle.wav": HERE / "jingle.wav"})


def check(evidence: Evidence, name: str, **given: Any) -> Finding:
    if "except_" in given:
        given["except"] = given.pop("except_")
    return apply(name, arguments(name, given), evidence)


def wav(samples: np.ndarray, rate: int = 44100) -> bytes:
    """A 16-bit file of samples (length,) or (length, channels)."""
    out = io.BytesIO()
    with wave.open(out, "wb") as target:
        target.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        target.setsampwidth(2)
        target.setframerate(rate)
        target.writeframes((samples * 32767).astype("<i2").tobytes())
    return out.getvalue()


@pytest.mark.parametrize(
    ("file", "given", "right"),
    [
        ("faded.wav", {"format": "wav", "codec": "pcm_s16le", "channels": 1, "rate": 8000, "seconds": 4, "bits": 16}, True),
        ("stereo.flac", {"format": "flac", "channels": 2}, True),
        ("tagged.mp3", {"format": "mp3", "seconds": {"is": 4, "within": 0.1}}, True),
        ("tagged.ogg", {"format": "ogg", "codec": "vorbis"}, True),
        ("tagged.ogg", {"format": "mp3"}, False),
        ("faster.wav", {"seconds": {"is": 3.2, "within": 0.02}}, True),
        ("faster.wav", {"seconds": 4}, False),
        ("stereo.flac", {"channels": 1}, False),
        ("stereo.flac", {"bits": {"at_least": 32}}, False),
    ],
)
def test_format(sounds: Evidence, file: str, given: dict[str, Any], right: bool) -> None:
    assert check(sounds, "audio.file", file=file, **given).passed is right


@pytest.mark.parametrize(
    ("file", "way", "seconds", "says"),
    [
        ("faded.wav", "out", SECOND, None),
        ("fade_in.wav", "in", SECOND, None),
        ("faded_half.wav", "out", SECOND, "is 0.4"),
        ("source.wav", "out", None, "does not fall"),
        ("faded_middle.wav", "out", None, "does not fall"),
        ("cut.wav", "out", None, "cut off"),
        ("quieter_end.wav", "out", None, "50%"),
        ("fade_in.wav", "out", None, "does not fall"),
        ("backwards.wav", "out", None, "no fade out"),
    ],
)
def test_fade_against_the_unfaded_sound(sounds: Evidence, file: str, way: str, seconds: Any, says: str | None) -> None:
    finding = check(sounds, "audio.fade", file=file, way=way, of="source.wav", seconds=seconds)
    assert finding.passed is (says is None), finding.sentence
    assert says is None or says in finding.sentence


def test_fade_by_its_envelope(evidence_of: Callable[..., Evidence]) -> None:
    t = np.arange(4 * 44100) / 44100
    tone = 0.5 * np.sin(2 * np.pi * 440 * t)
    ramp = np.clip((4 - t) / 1.5, 0, 1)
    evidence = evidence_of({"~/faded.wav": wav(tone * ramp), "~/plain.wav": wav(tone), "~/stop.wav": wav(tone * (t < 2.5))})
    assert check(evidence, "audio.fade", file="faded.wav", way="out", seconds={"is": 1.5, "within": 0.2}).passed
    assert not check(evidence, "audio.fade", file="plain.wav", way="out").passed
    assert not check(evidence, "audio.fade", file="stop.wav", way="out").passed
    assert not check(evidence, "audio.fade", file="faded.wav", way="in").passed


def test_levels(sounds: Evidence) -> None:
    assert check(sounds, "audio.peak", file="normalized.wav", db={"is": -3, "within": 0.05}).passed
    assert not check(sounds, "audio.peak", file="source.wav", db={"is": -3, "within": 0.5}).passed
    assert check(sounds, "audio.level", file="source.wav", start=1.6, end=2.2, db={"at_most": -55}).passed
    assert not check(sounds, "audio.level", file="source.wav", db={"at_most": -55}).passed
    assert check(sounds, "audio.noise", file="source.wav", db={"is": -60, "within": 1}).passed
    assert not check(sounds, "audio.noise", file="normalized.wav", db={"at_most": -58}).passed


@pytest.mark.parametrize(("file", "lufs"), [("source.wav", -20.0), ("normalized.wav", -13.5), ("joined.wav", -19.1), ("stereo.flac", -17.0)])
def test_loudness_is_what_ffmpegs_ebur128_says(sounds: Evidence, file: str, lufs: float) -> None:
    assert check(sounds, "audio.loudness", file=file, lufs={"is": lufs, "within": 0.06}).passed
    assert not check(sounds, "audio.loudness", file=file, lufs={"is": lufs + 1, "within": 0.5}).passed


def test_loudness_of_the_standards_reference_tone() -> None:
    tone = np.sin(2 * np.pi * 997 * np.arange(48000 * 12) / 48000).astype(np.float32)
    assert loudness_lufs(Sound(tone[None, :], 48000)) == pytest.approx(-3.01, abs=0.02)


def test_silence(sounds: Evidence) -> None:
    assert check(sounds, "audio.silence", file="cut.wav", at="end", seconds={"is": 1, "within": 0.03}).passed
    assert not check(sounds, "audio.silence", file="faded.wav", at="end", seconds={"is": 1, "within": 0.3}).passed
    assert check(sounds, "audio.silence", file="source.wav", at="start", seconds={"at_most": 0.02}).passed
    assert check(sounds, "audio.silent", file="cut.wav", start=3.1, end=3.9).passed
    assert not check(sounds, "audio.silent", file="faded.wav", start=3.1, end=3.9).passed
    assert not check(sounds, "audio.silent", file="source.wav", start=9, end=10).passed, "what is not there is not silent"
    assert check(sounds, "audio.sounds", file="source.wav", start=3, end=4).passed
    assert not check(sounds, "audio.sounds", file="cut.wav", start=3.1, end=3.9).passed


def test_pauses(sounds: Evidence) -> None:
    assert check(sounds, "audio.pauses", file="source.wav", count=1, longest={"is": 0.8, "within": 0.05}).passed
    assert check(sounds, "audio.pauses", file="shorter_pause.wav", longest={"at_most": 0.25}).passed
    assert not check(sounds, "audio.pauses", file="source.wav", longest={"at_most": 0.25}).passed
    assert not check(sounds, "audio.pauses", file="source.wav").passed


def test_pitch(sounds: Evidence) -> None:
    shift = {"of": "source.wav", "semitones": {"is": 2, "within": 0.2}}
    assert check(sounds, "audio.pitch_shift", file="higher.wav", **shift).passed
    assert not check(sounds, "audio.pitch_shift", file="faster.wav", **shift).passed, "a change of tempo is none of pitch"
    assert not check(sounds, "audio.pitch_shift", file="source.wav", **shift).passed
    assert check(sounds, "audio.pitch", file="jingle.wav", hz={"at_least": 400, "at_most": 1800}).passed
    assert not check(sounds, "audio.pitch", file="jingle.wav", hz={"at_most": 300}).passed


def test_band(sounds: Evidence) -> None:
    highs = {"low": 1500, "high": 3500, "than": "source.wav"}
    assert check(sounds, "audio.band", file="bass.wav", **highs, change_db={"is": -5.7, "within": 0.5}).passed
    assert not check(sounds, "audio.band", file="quieter_end.wav", **highs, change_db={"at_most": -5}).passed
    assert check(sounds, "audio.band", file="source.wav", low=100, high=400, change_db=0).passed, "without `than`: as at the start"


def test_same(sounds: Evidence) -> None:
    for file in ("normalized.wav", "tagged.mp3", "tagged.ogg", "stereo.flac"):
        assert check(sounds, "audio.same", file=file, of="source.wav").passed, file
    for file in ("faded.wav", "cut.wav", "faster.wav", "higher.wav", "backwards.wav", "joined.wav", "bass.wav"):
        assert not check(sounds, "audio.same", file=file, of="source.wav").passed, file
    assert check(sounds, "audio.same", file="backwards.wav", of="source.wav", reversed=True).passed
    assert not check(sounds, "audio.same", file="source.wav", of="source.wav", reversed=True).passed
    assert check(sounds, "audio.same", file="normalized.wav", of="source.wav", gain_db={"is": 6.5, "within": 0.3}).passed
    assert not check(sounds, "audio.same", file="normalized.wav", of="source.wav", gain_db={"is": 0, "within": 0.3}).passed


def test_contains(sounds: Evidence) -> None:
    assert check(sounds, "audio.contains", file="joined.wav", sound="jingle.wav", at={"is": 4, "within": 0.05}).passed
    assert not check(sounds, "audio.contains", file="joined.wav", sound="jingle.wav", at={"is": 0, "within": 0.05}).passed
    assert not check(sounds, "audio.contains", file="source.wav", sound="jingle.wav").passed


def test_contains_a_part(sounds: Evidence) -> None:
    last = {"sound": "source.wav", "start": 2.3, "end": 4}
    found = check(sounds, "audio.contains", file="shorter_pause.wav", **last)
    assert found.passed and 1.6 < found.seen["at"] < 1.95, "the pause before it was cut short"
    assert not check(sounds, "audio.contains", file="shorter_pause.wav", at={"is": 2.3, "within": 0.1}, **last).passed
    assert check(sounds, "audio.contains", file="quieter_end.wav", sound="source.wav", start=3, end=4, gain_db={"is": -6, "within": 0.3}).passed
    assert check(sounds, "audio.contains", file="quieter_end.wav", sound="source.wav", end=1.5, gain_db={"is": 0, "within": 0.3}).passed
    assert "from 3 s to 4 s" in check(sounds, "audio.contains", file="cut.wav", sound="source.wav", start=3, end=4).sentence


def test_bits_are_those_of_the_file(evidence_of: Callable[..., Evidence]) -> None:
    out = io.BytesIO()
    with wave.open(out, "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(3)
        target.setframerate(8000)
        target.writeframes(bytes([0, 0, 40]) * 8000)
    evidence = evidence_of({"deep.wav": out.getvalue()})
    assert check(evidence, "audio.file", file="deep.wav", bits=24).passed


def test_clicks_and_balance(sounds: Evidence, evidence_of: Callable[..., Evidence]) -> None:
    assert check(sounds, "audio.clicks", file="faded.wav").passed
    assert "3.00 s" in check(sounds, "audio.clicks", file="cut.wav").sentence
    assert check(sounds, "audio.clicks", file="cut.wav", count=1).passed
    assert check(sounds, "audio.balance", file="stereo.flac", db={"is": 0, "within": 0.1}).passed
    assert not check(sounds, "audio.balance", file="source.wav", db=0).passed
    t = np.arange(44100) / 44100
    sides = np.stack([0.5 * np.sin(2000 * t), 0.25 * np.sin(2000 * t)], axis=1)
    left = evidence_of({"~/left.wav": wav(sides)})
    assert check(left, "audio.balance", file="left.wav", db={"is": 6.02, "within": 0.1}).passed


@pytest.mark.parametrize("file", ["tagged.mp3", "tagged.ogg", "stereo.flac"])
def test_tags(sounds: Evidence, file: str) -> None:
    assert check(sounds, "audio.tags", file=file, tags={"TITLE": "Field Notes", "artist": {"contains": "Lindt"}}).passed
    assert not check(sounds, "audio.tags", file=file, tags={"title": "Field notes"}).passed
    assert not check(sounds, "audio.tags", file=file, tags={"composer": {"matches": "."}}).passed


def test_unchanged(sounds: Evidence) -> None:
    assert check(sounds, "audio.unchanged", file="faded.wav", of="source.wav", except_=[[3, 4]]).passed
    assert not check(sounds, "audio.unchanged", file="faded.wav", of="source.wav", except_=[[3.6, 4]]).passed
    assert not check(sounds, "audio.unchanged", file="normalized.wav", of="source.wav").passed
    assert not check(sounds, "audio.unchanged", file="joined.wav", of="source.wav").passed
    assert check(sounds, "audio.unchanged", file="source.wav").passed


def test_hostile_files_are_failed_findings(evidence_of: Callable[..., Evidence]) -> None:
    good = (HERE / "faded.wav").read_bytes()
    hostile = {
        "~/empty.wav": b"",
        "~/text.mp3": b"this is not a sound" * 100,
        "~/header_only.wav": good[:44],
        "~/half_header.wav": good[:20],
        "~/liar.wav": good[:24] + struct.pack("<I", 4_000_000_000) + good[28:],
        "~/playlist.mp3": b"#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
        "~/concat.wav": b"ffconcat version 1.0\nfile /etc/passwd\n",
        "~/flac.flac": (HERE / "stereo.flac").read_bytes()[:300],
        "~/database.wav": b"SQLite format 3\0" + b"\0" * 5000,
    }
    evidence = evidence_of({**hostile, "~/good.wav": good})
    for path in [*hostile, "~/missing.wav"]:
        for name, given in (("audio.file", {"seconds": 4}), ("audio.peak", {"db": {"at_most": 0}}), ("audio.tags", {"tags": {"title": "x"}})):
            assert not check(evidence, name, file=path, **given).passed, path
    silent = evidence_of({"~/silent.wav": wav(np.zeros(44100))}, unchanged={"~/source.wav": HERE / "source.wav"})
    for name, given in (("audio.pitch", {"hz": 440}), ("audio.same", {"of": "source.wav"}), ("audio.fade", {"way": "out"})):
        assert not check(silent, name, file="silent.wav", **given).passed


def test_an_endless_sound_is_not_unpacked(evidence_of: Callable[..., Evidence]) -> None:
    header = io.BytesIO()
    with wave.open(header, "wb") as target:
        target.setnchannels(2)
        target.setsampwidth(1)
        target.setframerate(48000)
        target.writeframes(b"\x80" * 40_000_000)
    evidence = evidence_of({"~/long.wav": header.getvalue()})
    begin = time.monotonic()
    finding = check(evidence, "audio.peak", file="long.wav", db={"at_most": 0})
    assert not finding.passed and "longer" in finding.sentence
    assert time.monotonic() - begin < 8
