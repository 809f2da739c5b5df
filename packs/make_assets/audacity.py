"""Makes the sounds of the Audacity tasks: voices by espeak-ng, music, birds and noise by synthesis.

    python packs/make_assets/audacity.py        needs espeak-ng and numpy, and soundfile for FLAC

Every random number comes from a fixed seed, so that the same files come out again. Our own work, CC0.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np
import soundfile

PACK = Path(__file__).resolve().parent.parent / "audacity"
RATE = 44100
Array = np.ndarray


def seconds(length: float, rate: int = RATE) -> Array:
    return np.arange(round(length * rate)) / rate


def hertz(key: float) -> float:
    """The frequency of a MIDI key."""
    return float(440 * 2 ** ((key - 69) / 12))


def mallet(key: float, length: float, strength: float = 1.0) -> Array:
    """A wooden bar struck: three partials that die at their own pace."""
    t, pitch = seconds(length), hertz(key)
    partials = [(1.0, 1.0, 4.0), (3.93, 0.35, 9.0), (9.2, 0.12, 18.0)]
    tone = sum(share * np.sin(2 * np.pi * pitch * ratio * t) * np.exp(-decay * t) for ratio, share, decay in partials)
    return strength * np.asarray(tone) * np.minimum(1, t / 0.002)


def piano(key: float, length: float, strength: float = 1.0) -> Array:
    """A struck string: harmonics, slightly stretched, the high ones dying first."""
    t, pitch = seconds(length), hertz(key)
    tone = np.zeros(len(t))
    for n in range(1, 13):
        ratio = n * np.sqrt(1 + 0.0004 * n * n)
        if pitch * ratio < 9000:
            tone += np.sin(2 * np.pi * pitch * ratio * t + n) / n**1.4 * np.exp(-(1.2 + 0.5 * n) * t)
    return strength * tone * np.minimum(1, t / 0.004) * np.clip((length - t) / 0.03, 0, 1)


def pad(keys: list[float], length: float) -> Array:
    """A soft chord that swells and stays."""
    t = seconds(length)
    tone = np.zeros(len(t))
    for key in keys:
        for detune in (-0.06, 0.06):
            tone += sum(np.sin(2 * np.pi * hertz(key + detune) * n * t + key * n) / n**2 for n in (1, 2, 3))
    return tone / len(keys) * np.clip(np.minimum(t / 0.15, (length - t) / 0.15), 0, 1)


def lay(into: Array, sound: Array, at: float, gain: float = 1.0, rate: int = RATE) -> None:
    first = round(at * rate)
    part = sound[: max(0, len(into) - first)]
    into[first : first + len(part)] += gain * part


def room(sound: Array, rng: np.random.Generator, wet: float = 0.15, length: float = 0.5) -> Array:
    """The sound in a small room: convolved with noise that dies away."""
    t = seconds(length)
    echo = rng.standard_normal(len(t)) * np.exp(-9 * t)
    size = 1 << (len(sound) + len(t)).bit_length()
    tail = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(echo, size), size)[: len(sound)]
    return np.asarray(sound + wet * tail / (np.abs(tail).max() + 1e-9) * np.abs(sound).max())


def level(sound: Array, peak_db: float) -> Array:
    return np.asarray(sound / np.abs(sound).max() * 10 ** (peak_db / 20))


def say(text: str, voice: str, speed: int = 150, pitch: int = 45) -> Array:
    """A sentence by espeak-ng without the silence around it, at 44.1 kHz, the top of its band cut off as a microphone's would be."""
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "voice.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "-w", wav, text], check=True)
        samples, rate = soundfile.read(wav)
    heard = np.flatnonzero(np.abs(samples) > 0.01)
    samples = samples[max(0, heard[0] - 200) : heard[-1] + 800]
    spectrum = np.fft.rfft(samples)
    length = round(len(samples) * RATE / rate)
    wide = np.zeros(length // 2 + 1, dtype=complex)
    wide[: len(spectrum)] = spectrum[: len(wide)]
    edge = np.minimum(30, len(samples))
    shaped = np.fft.irfft(wide, length) * length / len(samples)
    return np.asarray(shaped * np.clip(np.minimum(np.arange(length), np.arange(length)[::-1]) / edge, 0, 1))


def write(task: str, name: str, sound: Array, rate: int = RATE) -> None:
    """16 bit; a sound of two rows is stereo."""
    folder = PACK / task
    folder.mkdir(parents=True, exist_ok=True)
    soundfile.write(folder / name, np.clip(sound, -1, 1).T, rate, subtype="PCM_16")
    print(f"{task}/{name}: {sound.shape[-1] / rate:.3f} s, {(folder / name).stat().st_size / 1024:.0f} kB")


def jingle() -> None:
    """A station's call: a rising figure of marimba, more of it on the left, over a chord."""
    rng = np.random.default_rng(11)
    left, right = np.zeros(round(4.5 * RATE)), np.zeros(round(4.5 * RATE))
    for place, key in enumerate([67, 71, 74, 79, 78, 74, 76, 79]):
        note = mallet(key, 1.6, 0.9 if place % 4 == 0 else 0.7)
        lay(left, note, 0.1 + 0.28 * place, 1.0)
        lay(right, note, 0.1 + 0.28 * place, 0.5)
    last = sum(mallet(key, 2.0, 0.5) for key in (55, 67, 71, 79))
    lay(left, last, 2.4)
    lay(right, last, 2.4, 0.7)
    chord = pad([55, 62, 67, 71], 4.2)
    lay(left, chord, 0.1, 0.18)
    lay(right, chord, 0.1, 0.22)
    both = np.stack([room(left, rng), room(right, rng)])
    both[:, -2000:] *= np.linspace(1, 0, 2000)
    write("jingle-peak", "jingle.wav", level(both, -11.3))


def etude() -> None:
    """Eight bars of a broken-chord study for the piano, with the odd uneven finger."""
    rng = np.random.default_rng(5)
    sound = np.zeros(round(12 * RATE))
    chords = [
        (48, 64, 67, 72),
        (45, 64, 69, 72),
        (50, 65, 69, 74),
        (43, 62, 67, 71),
        (48, 64, 67, 76),
        (53, 65, 69, 77),
        (43, 65, 71, 74),
        (48, 64, 67, 72),
    ]
    for bar, (bass, *upper) in enumerate(chords):
        lay(sound, piano(bass, 1.46, 0.9), 0.05 + bar * 1.46)
        for place in range(5):
            lay(sound, piano(upper[[0, 1, 2, 1, 0][place]], 0.7, 0.55 + 0.1 * rng.random()), 0.05 + bar * 1.46 + 0.292 * place + 0.008 * rng.random())
    write("practice-tempo", "etude.flac", level(room(sound, rng, 0.1), -5))


def chapter() -> None:
    """A reader's take: five sentences, with a cough after the second and a dropped book after the fourth."""
    rng = np.random.default_rng(23)
    lines = [
        "The ferry came late that evening, and nobody was waiting on the pier.",
        "Ines counted the lamps along the shore, as she had done every autumn.",
        "There were eleven of them now. One had gone out.",
        "She took the letter from her coat and read the last line again.",
        "Then she walked up to the house at the end of the street.",
    ]
    sound = np.zeros(round(30 * RATE))
    at, marks = 0.6, []
    for place, line in enumerate(lines):
        voice = level(say(line, "en-gb", 165, 40), -11 if place % 2 else -10)
        lay(sound, voice, at)
        at += len(voice) / RATE + 0.55
        if place in (1, 3):
            start = round(at, 2)
            bang = cough(rng) if place == 1 else thump(rng)
            lay(sound, bang, start + 0.12)
            end = round(start + len(bang) / RATE + 0.3, 2)
            marks.append((start, end, "cough" if place == 1 else "book dropped"))
            at = end + 0.25
    sound = sound[: round((at + 0.3) * RATE)]
    sound += 10 ** (-74 / 20) * rng.standard_normal(len(sound))
    write("cough-cut", "chapter3.flac", sound)
    (PACK / "cough-cut" / "marks.txt").write_text("".join(f"{a:.6f}\t{b:.6f}\t{text}\n" for a, b, text in marks))
    print(marks)


def cough(rng: np.random.Generator) -> Array:
    sound = np.zeros(round(1.1 * RATE))
    for start, gain in ((0.0, 1.0), (0.42, 0.7)):
        t = seconds(0.5)
        burst = np.convolve(rng.standard_normal(len(t)), np.hanning(24), "same") * np.minimum(1, t / 0.01) * np.exp(-9 * t)
        lay(sound, burst, start, gain)
    return level(sound, -7)


def thump(rng: np.random.Generator) -> Array:
    t = seconds(0.8)
    sound = np.sin(2 * np.pi * (70 + 60 * np.exp(-30 * t)) * t) * np.exp(-12 * t) + 0.25 * rng.standard_normal(len(t)) * np.exp(-40 * t)
    return level(sound * np.minimum(1, t / 0.002), -5)


def dawn() -> None:
    """A warbler at dawn, recorded with the hiss of the microphone: two seconds of it alone, then the song."""
    rng = np.random.default_rng(31)
    sound = np.zeros(round(12 * RATE))
    at = 2.3
    while at < 10.8:
        for _ in range(int(rng.integers(3, 7))):
            length = float(rng.uniform(0.07, 0.16))
            t = seconds(length)
            base, sweep, trill = rng.uniform(2500, 4200), rng.uniform(-1500, 1800), rng.uniform(0, 250)
            pitch = base + sweep * t / length + trill * np.sin(2 * np.pi * 45 * t)
            chirp = np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * np.sin(np.pi * t / length) ** 0.7
            if at + length < 11.3:
                lay(sound, chirp, at, float(rng.uniform(0.25, 0.45)))
            at += length + float(rng.uniform(0.03, 0.07))
        at += float(rng.uniform(0.45, 0.8))
    sound = room(sound, rng, 0.08, 0.8)
    hiss = rng.standard_normal(len(sound))
    hiss = 0.7 * hiss + 0.5 * np.convolve(rng.standard_normal(len(sound)), np.hanning(40) / 5, "same")
    write("field-noise", "warbler.wav", level(sound, -6) + 10 ** (-38 / 20) * hiss / hiss.std())


def announcement() -> None:
    """A studio take of a telephone announcement, with the speaker off the middle and long gaps between the sentences."""
    rng = np.random.default_rng(41)
    lines = [
        ("Thank you for calling the Harbour Street clinic.", 1.7),
        ("Our lines are open from eight to five, Monday to Friday.", 2.4),
        ("To renew a prescription, press one.", 1.2),
        ("To speak to a nurse, press two.", 2.0),
        ("Or stay on the line, and we will be with you shortly.", 0.8),
    ]
    parts = [np.zeros(round(0.4 * RATE))]
    for line, gap in lines:
        parts += [level(say(line, "en-gb-x-rp+f3", 158, 55), -8), np.zeros(round(gap * RATE))]
    voice = np.concatenate(parts)
    voice += 10 ** (-78 / 20) * rng.standard_normal(len(voice))
    both = np.stack([voice, 0.7 * voice])
    write("phone-prompt", "prompt-take2.flac", both)


def podcast() -> None:
    """A host's welcome and a theme of plucked notes over a slow bass."""
    rng = np.random.default_rng(53)
    lines = [
        ("Hello, and welcome to Low Tide, the show about life between land and sea.", 0.5),
        ("I am your host. Today we follow the eel, on its long way home.", 0.5),
        ("Stay with us.", 0.0),
    ]
    voice = np.concatenate([np.concatenate([level(say(line, "en-us+f2", 165, 50), -7), np.zeros(round(gap * RATE))]) for line, gap in lines])
    write("podcast-opening", "welcome.flac", voice)
    left, right = np.zeros(round(20 * RATE)), np.zeros(round(20 * RATE))
    for bar, (bass, chord) in enumerate([(45, (57, 60, 64, 69)), (41, (57, 60, 65, 69)), (48, (55, 60, 64, 67)), (43, (55, 59, 62, 67))] * 3):
        start = bar * 1.6667
        for place in range(8):
            note = mallet(chord[[0, 2, 1, 3, 2, 1, 3, 2][place]] + 12 * (place == 3), 1.2, 0.5 + 0.1 * rng.random())
            lay(left, note, start + place * 0.2083, 0.9 if place % 2 else 0.6)
            lay(right, note, start + place * 0.2083, 0.6 if place % 2 else 0.9)
        for side in (left, right):
            lay(side, piano(bass, 1.7, 0.8), start)
            lay(side, pad([key - 12 for key in chord], 1.75), start, 0.25)
    write("podcast-opening", "theme.flac", level(np.stack([room(left, rng, 0.1), room(right, rng, 0.1)]), -6))


def course() -> None:
    """Four phrases of Italian, read one after the other with hardly a breath between."""
    rng = np.random.default_rng(61)
    lines = ["Buongiorno, vorrei un caffè.", "Quanto costa il biglietto?", "A che ora parte il treno?", "Grazie mille, a presto."]
    at, sound, times = 0.5, np.zeros(round(30 * RATE)), []
    for line in lines:
        voice = level(say(line, "it+f4", 140, 50), -6)
        lay(sound, voice, at)
        end = at + len(voice) / RATE
        times.append((round(at, 3), round(end, 3)))
        at = float(np.ceil((end + 0.45) * 2)) / 2
    sound = sound[: round(at * RATE)]
    sound += 10 ** (-70 / 20) * rng.standard_normal(len(sound))
    write("course-units", "unit4.flac", sound)
    print(times)


def main() -> None:
    for make in (jingle, etude, chapter, dawn, announcement, podcast, course):
        make()


if __name__ == "__main__":
    main()
