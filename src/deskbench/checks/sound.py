"""A sound as samples, read from a file, and everything that is measured on it.

Levels are in dB relative to full scale, loudness in LUFS (ITU-R BS.1770-4), times in seconds, frequencies in Hz.
Measures work on bounded blocks, so that memory stays a small multiple of the samples themselves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from deskbench.checks.media import open_media
from deskbench.core.faults import BadArtifact

if TYPE_CHECKING:
    from av import AudioFrame, AudioResampler

Samples = NDArray[np.float32]
Curve = NDArray[np.float64]

SAMPLE_LIMIT = 30_000_000
"""Five minutes of stereo at 48 kHz, 120 MB as floats. A compressed silence of a week is not unpacked."""

ALIGN_LIMIT = 16_000_000
"""Half an hour at 8 kHz: the transforms of a comparison then take some 500 MB."""

RATES = range(1000, 768_001)

FLOOR_DB = -120.0
ALIGN_RATE = 8000


@dataclass(frozen=True)
class Sound:
    """Samples of shape (channels, length) between -1 and 1, and their rate."""

    samples: Samples
    rate: int

    @property
    def channels(self) -> int:
        return int(self.samples.shape[0])

    @property
    def seconds(self) -> float:
        return float(self.samples.shape[1] / self.rate)

    @property
    def mono(self) -> Samples:
        return np.asarray(self.samples.mean(axis=0), dtype=np.float32)

    def part(self, start: float | None, end: float | None) -> Sound:
        """What sounds from `start` to `end`."""
        first = max(0, round((start or 0.0) * self.rate))
        last = self.samples.shape[1] if end is None else max(first, round(end * self.rate))
        return Sound(self.samples[:, first:last], self.rate)

    def resampled(self, rate: int) -> Sound:
        """The same sound at another rate."""
        if rate == self.rate or not self.samples.size:
            return Sound(self.samples, rate)
        if self.samples.size * rate / self.rate > SAMPLE_LIMIT:
            raise BadArtifact("the sound is too long to be compared")
        import av

        rows = []
        for channel in self.samples:
            resampler = av.AudioResampler(format="fltp", layout="mono", rate=rate)
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(channel[None, :], dtype=np.float32), format="fltp", layout="mono")
            frame.sample_rate = self.rate
            pieces = [piece.to_ndarray() for piece in [*resampler.resample(frame), *resampler.resample(None)]]
            rows.append(np.concatenate(pieces, axis=1)[0])
        return Sound(np.stack(rows), rate)


def read_sound(path: Path, what: str) -> Sound:
    """The first sound stream of a file, at its own rate; BadArtifact if there is none, or it is empty or endless."""
    import av

    pieces: list[Samples] = []
    count = 0
    with open_media(path, what) as container:
        if not container.streams.audio:
            raise BadArtifact(f"{what} has no sound in it")
        stream = container.streams.audio[0]
        resampler = av.AudioResampler(format="fltp")
        for frame in container.decode(stream):
            for piece in _resample(resampler, frame, what):
                pieces.append(np.asarray(piece.to_ndarray(), dtype=np.float32))
                count += pieces[-1].size
            if count > SAMPLE_LIMIT:
                raise BadArtifact(f"{what} is longer than the {SAMPLE_LIMIT / 96000 / 60:.0f} minutes that are read")
        rate = int(stream.rate)
    if rate not in RATES:
        raise BadArtifact(f"{what} has a rate of {rate} Hz")
    if not count or len({piece.shape[0] for piece in pieces}) != 1:
        raise BadArtifact(f"{what} has no samples in it" if not count else f"{what} changes its number of channels")
    samples = np.concatenate(pieces, axis=1)
    return Sound(np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0), rate)


def _resample(resampler: AudioResampler, frame: AudioFrame, what: str) -> list[AudioFrame]:
    try:
        return resampler.resample(frame)
    except ValueError as error:
        raise BadArtifact(f"{what} changes its format midway") from error


def decibels(amplitude: float) -> float:
    """An amplitude in dB, not below the floor."""
    return max(FLOOR_DB, 20 * math.log10(amplitude)) if amplitude > 0 else FLOOR_DB


def peak_db(sound: Sound) -> float:
    return decibels(float(np.abs(sound.samples).max(initial=0.0)))


def rms_db(sound: Sound) -> float:
    return decibels(_rms(sound.samples))


def _rms(samples: Samples) -> float:
    return math.sqrt(float(np.mean(np.square(samples, dtype=np.float64)))) if samples.size else 0.0


def block_levels(sound: Sound, seconds: float, *, peak: bool = False) -> Curve:
    """The level of each block of that length (RMS, or the peak), over all channels; the last block may be shorter."""
    size = max(1, round(seconds * sound.rate))
    length = sound.samples.shape[1]
    starts = np.arange(0, length, size)
    if not len(starts):
        return np.zeros(0)
    if peak:
        return np.asarray(np.maximum.reduceat(np.abs(sound.samples).max(axis=0), starts), dtype=np.float64)
    power = np.add.reduceat(np.square(sound.samples, dtype=np.float64).mean(axis=0), starts)
    return np.asarray(np.sqrt(power / np.diff(np.append(starts, length))))


def noise_floor_db(sound: Sound) -> float:
    """The level of the quietest tenth of the sound, in blocks of 50 ms (whole digital silence does not count as noise floor)."""
    levels = block_levels(sound, 0.05)
    return decibels(float(np.percentile(levels, 10))) if len(levels) else FLOOR_DB


@dataclass(frozen=True)
class Silence:
    start: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.start


def silences(sound: Sound, below_db: float, seconds: float = 0.0) -> list[Silence]:
    """Every stretch of at least that length whose peaks stay below a level, to 10 ms."""
    block = 0.01
    quiet = block_levels(sound, block, peak=True) <= 10 ** (below_db / 20)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], quiet.astype(np.int8), [0]))))
    runs = [Silence(first * block, min(last * block, sound.seconds)) for first, last in zip(edges[::2], edges[1::2], strict=True)]
    return [run for run in runs if run.seconds >= seconds]


def loudness_lufs(sound: Sound) -> float:
    """Integrated loudness with both gates; the floor where everything is below the absolute gate."""
    hop = round(0.1 * sound.rate)
    weights = np.array([1.41 if sound.channels > 5 and index in (4, 5) else 1.0 for index in range(sound.channels)])
    power = np.concatenate([weights @ np.square(block) for block in _k_weighted(sound)] or [np.zeros(0)])
    steps = len(power) // hop
    if steps < 4:
        steps, power = 4, np.resize(power, 4 * hop) if len(power) else np.zeros(4 * hop)
    tenths = power[: steps * hop].reshape(steps, hop).mean(axis=1)
    blocks = np.convolve(tenths, np.full(4, 0.25), mode="valid")
    heard = blocks[blocks > _power_of(-70.0)]
    if not len(heard):
        return FLOOR_DB
    heard = heard[heard > heard.mean() * 10 ** (-10 / 10)]
    return float(-0.691 + 10 * math.log10(heard.mean()))


def _power_of(lufs: float) -> float:
    return float(10 ** ((lufs + 0.691) / 10))


def _k_weighted(sound: Sound) -> Iterator[Curve]:
    """The K-weighted samples in blocks of ten seconds; a second of run-up is enough for the 38 Hz high pass to settle."""
    block, run_up = 10 * sound.rate, sound.rate
    for first in range(0, sound.samples.shape[1], block):
        before = min(first, run_up)
        piece = sound.samples[:, first - before : first + block].astype(np.float64)
        size = 2 * piece.shape[1]
        spectrum = np.fft.rfft(piece, size, axis=1) * _k_response(size, sound.rate)
        yield np.fft.irfft(spectrum, size, axis=1)[:, before : piece.shape[1]]


def _k_response(size: int, rate: int) -> NDArray[np.complex128]:
    """The two filters of BS.1770 at any rate: a high shelf of +4 dB and a high pass (analogue prototypes as in EBU's tables)."""
    z = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    k, q, high = math.tan(math.pi * 1681.974450955533 / rate), 0.7071752369554196, 10 ** (3.999843853973347 / 20)
    band = high**0.4996667741545416
    shelf = ((high + band * k / q + k * k) + 2 * (k * k - high) * z + (high - band * k / q + k * k) * z**2) / (
        (1 + k / q + k * k) + 2 * (k * k - 1) * z + (1 - k / q + k * k) * z**2
    )
    k, q = math.tan(math.pi * 38.13547087602444 / rate), 0.5003270373238773
    norm = 1 + k / q + k * k
    high_pass = (1 - 2 * z + z**2) / (1 + 2 * (k * k - 1) / norm * z + (1 - k / q + k * k) / norm * z**2)
    return np.asarray(shelf * high_pass)


def spectrum(sound: Sound, size: int = 8192) -> tuple[Curve, Curve]:
    """Frequencies and the mean power at each, over half-overlapping windows."""
    mono = sound.mono
    size = min(size, max(16, len(mono)))
    window = np.hanning(size)
    power, count = np.zeros(size // 2 + 1), 0
    for first in range(0, max(1, len(mono) - size + 1), size // 2):
        piece = np.zeros(size)
        part = mono[first : first + size]
        piece[: len(part)] = part
        power += np.abs(np.fft.rfft(piece * window)) ** 2
        count += 1
    return np.arange(size // 2 + 1, dtype=np.float64) * (sound.rate / size), power / (count * float(np.sum(window**2)) * size)


def band_db(sound: Sound, low: float, high: float) -> float:
    """The level of everything between two frequencies."""
    frequencies, power = spectrum(sound)
    inside = power[(frequencies >= low) & (frequencies < high)]
    return max(FLOOR_DB, 10 * math.log10(float(inside.sum()))) if inside.sum() > 0 else FLOOR_DB


def dominant_hz(sound: Sound) -> float:
    """The strongest frequency above 20 Hz, between the bins of the spectrum by a parabola through the peak."""
    frequencies, power = spectrum(sound, 16384)
    audible = np.where(frequencies >= 20, power, 0.0)
    top = int(np.argmax(audible))
    if audible[top] <= 1e-12:
        raise BadArtifact("the sound is silent, so it has no pitch")
    if 0 < top < len(power) - 1:
        left, middle, right = np.log(power[top - 1 : top + 2] + 1e-30)
        top_at = top + 0.5 * (left - right) / (left - 2 * middle + right)
    else:
        top_at = float(top)
    return float(top_at * (frequencies[1] - frequencies[0]))


def pitch_shift_semitones(sound: Sound, reference: Sound) -> float:
    """By how much the spectrum is moved along the logarithmic axis, within two octaves."""
    rate = min(sound.rate, reference.rate)
    steps = 20
    axis = 60 * 2 ** (np.arange(0, 12 * steps * math.log2(0.45 * rate / 60)) / (12 * steps))

    def shape(one: Sound) -> Curve:
        frequencies, power = spectrum(one, 16384)
        level = np.interp(axis, frequencies, np.log(power + 1e-9 * float(power.max(initial=0.0)) + 1e-20))
        return np.asarray(level - level.mean())

    new, old = shape(sound), shape(reference)
    reach = min(24 * steps, len(axis) // 2)
    scores = [_correlation(new[max(0, by) : len(new) + min(0, by)], old[max(0, -by) : len(old) - max(0, by)]) for by in range(-reach, reach + 1)]
    return (int(np.argmax(scores)) - reach) / steps


def _correlation(one: Curve, other: Curve) -> float:
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale > 0 else 0.0


@dataclass(frozen=True)
class Match:
    """Where one sound lies in another: from when, how alike (1 is the same apart from gain), and how much louder."""

    at: float
    likeness: float
    gain_db: float


def find(sound: Sound, wanted: Sound) -> Match:
    """The best place of one sound in another, by normalised cross-correlation of both at 8 kHz in mono."""
    long = sound.resampled(ALIGN_RATE).mono.astype(np.float64)
    short = wanted.resampled(ALIGN_RATE).mono.astype(np.float64)
    energy = float(short @ short)
    if energy <= 1e-9 * len(short) or not len(long):
        raise BadArtifact("a silent sound cannot be compared with another")
    if len(long) + 2 * len(short) > ALIGN_LIMIT:
        raise BadArtifact("the sound is too long to be compared")
    padded = np.concatenate((np.zeros(len(short) - 1), long, np.zeros(len(short) - 1)))
    size = 1 << (len(padded) - 1).bit_length()
    products = np.fft.irfft(np.fft.rfft(padded, size) * np.conj(np.fft.rfft(short, size)), size)[: len(long) + len(short) - 1]
    sums = np.concatenate(([0.0], np.cumsum(padded**2)))
    local = sums[len(short) : len(short) + len(products)] - sums[: len(products)]
    # A few faint samples at an edge must not look like a perfect match, so a place needs a thousandth of the loudest place's energy.
    likeness = products / np.sqrt(np.maximum(local, 1e-3 * float(local.max()) + 1e-12) * energy)
    best = int(np.argmax(likeness))
    gain = products[best] / energy
    return Match((best - len(short) + 1) / ALIGN_RATE, float(likeness[best]), decibels(float(abs(gain))))


@dataclass(frozen=True)
class Fade:
    """How the gain falls towards one end: for how long, and why it is no fade, if it is none."""

    seconds: float
    trouble: str | None


def fade(sound: Sound, end: Literal["in", "out"], reference: Sound | None = None) -> Fade:
    """The fade at one end of a sound: against the unfaded sound where there is one, else by the shape of its envelope."""
    block = 0.02 if reference is not None else 0.05
    levels = _towards_end(block_levels(sound, block), end)
    if reference is None:
        gain, slack = levels, 0.2
    else:
        unfaded = _towards_end(block_levels(reference, block), end)
        length = min(len(levels), len(unfaded))
        levels, unfaded = levels[-length:], unfaded[-length:]
        heard = unfaded > 10 ** (-40 / 20) * unfaded.max(initial=1e-9)
        if heard.sum() < 4:
            raise BadArtifact("the sound that the fade is compared with is silent")
        gain, slack = np.interp(np.arange(length), np.flatnonzero(heard), levels[heard] / unfaded[heard]), 0.1
    body = float(np.percentile(gain, 80)) if len(gain) else 0.0
    if body <= 1e-6:
        return Fade(0.0, "the sound is silent")
    return _fade_of(gain / body, block, slack)


def _towards_end(levels: Curve, end: Literal["in", "out"]) -> Curve:
    return levels[::-1] if end == "in" else levels


def _fade_of(gain: Curve, block: float, slack: float) -> Fade:
    """Judges a gain curve that should fall to nothing at its right end."""
    full = np.flatnonzero(gain >= 1 - slack / 2)
    tail = gain[int(full[-1]) + 1 :] if len(full) else gain
    seconds = len(tail) * block
    if len(tail) < 4:
        return Fade(seconds, "the level does not fall towards the end")
    if float(tail[-1]) > 0.2:
        return Fade(seconds, f"the level ends at {tail[-1]:.0%} instead of nothing")
    if np.mean(tail < 0.05) > 0.6:
        return Fade(seconds, "the sound is cut off, not faded")
    parts = np.array([part.mean() for part in np.array_split(tail, min(8, len(tail)))])
    if np.any(np.diff(parts) > slack):
        return Fade(seconds, "the level rises again within the fade")
    if len(tail) >= 8 and float(np.abs(np.diff(tail)).max()) > 0.6:
        return Fade(seconds, "the level drops at once, not gradually")
    return Fade(seconds, None)


def clicks(sound: Sound) -> list[float]:
    """When the sound jumps: where the second difference is far beyond what is usual in the 50 ms around it; not at the very ends."""
    mono = sound.mono.astype(np.float64)
    bend = np.abs(np.diff(mono, 2))
    size = max(16, round(0.05 * sound.rate))
    found: list[float] = []
    for first in range(0, len(bend), size):
        near = bend[max(0, first - size) : first + 2 * size]
        usual = float(np.percentile(near, 90))
        jumps = np.flatnonzero(bend[first : first + size] > max(8 * usual, 0.02))
        for jump in jumps:
            at = (first + int(jump)) / sound.rate
            if 0.005 < at < sound.seconds - 0.005 and (not found or at - found[-1] > 0.005):
                found.append(at)
    return found
