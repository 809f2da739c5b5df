"""Makes artifacts/audio and artifacts/aup3 again: the real Audacity 3.2, driven over its script pipe under Xvfb, saves and exports them.

    python tests/checks/artifacts/make_audio.py        needs audacity, xvfb, ffmpeg; takes half a minute

Only `source.wav` and `jingle.wav` are synthesised here; everything else was written by Audacity. Projects are kept gzipped because
SQLite pads them with empty pages; `open.aup3.gz` and `open.aup3-wal.gz` were copied while Audacity still had the project open.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tempfile
import time
import wave
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
RATE = 8000
DISPLAY = ":78"
PIPES = [Path(f"/tmp/audacity_script_pipe.{way}.{os.getuid()}") for way in ("to", "from")]

CONFIG = """PrefsVersion=1.1.1r1
[Update]
DefaultUpdatesChecking=0
[Version]
Major=3
Minor=2
Micro=4
[Module]
mod-script-pipe=1
[ModulePath]
mod-script-pipe=/usr/lib/audacity/modules/mod-script-pipe.so
[ModuleDateTime]
mod-script-pipe={stamp}
[SamplingRate]
DefaultProjectSampleRate=8000
DefaultProjectSampleFormatChoice=Format16Bit
[GUI]
ShowSplashScreen=0
[Directories]
TempDir={temporary}
"""


def write_wav(path: Path, samples: np.ndarray) -> None:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes((samples * 32767).astype("<i2").tobytes())


def voice() -> np.ndarray:
    """Four seconds of bursts of a buzzing tone with a pause from 1.5 to 2.3 s, over a faint noise."""
    rng = np.random.default_rng(7)
    t = np.arange(4 * RATE) / RATE
    pitch = 180 + 25 * np.sin(2 * np.pi * 0.7 * t)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    buzz = sum(np.sin(n * phase) / n for n in range(1, 9))
    speaking = (0.55 + 0.45 * np.sin(2 * np.pi * 3 * t)) * ((t < 1.5) | (t > 2.3))
    return np.asarray(0.2 * buzz * speaking + 0.001 * rng.standard_normal(len(t)))


def jingle() -> np.ndarray:
    t = np.arange(RATE) / RATE
    return np.asarray(0.4 * np.sin(2 * np.pi * (500 + 600 * t) * t) * np.exp(-2 * t))


class Audacity:
    """A running Audacity that takes commands over its pipe."""

    def __init__(self, home: Path) -> None:
        config = home / ".audacity-data" / "audacity.cfg"
        config.parent.mkdir(parents=True)
        module = Path("/usr/lib/audacity/modules/mod-script-pipe.so")
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(int(module.stat().st_mtime)))
        config.write_text(CONFIG.format(stamp=stamp, temporary=home / "temporary"))
        for pipe in PIPES:
            pipe.unlink(missing_ok=True)
        self.display = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1280x800x24"], stderr=subprocess.DEVNULL)
        environment = {**os.environ, "HOME": str(home), "DISPLAY": DISPLAY}
        time.sleep(1)
        # A first start scans plug-ins in processes of their own, which replace the pipes that the main process waits at.
        for attempt in range(2):
            self.process = subprocess.Popen(["audacity"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + 30
            while not all(pipe.exists() for pipe in PIPES):
                if time.monotonic() > until:
                    raise TimeoutError("Audacity did not open its script pipe")
                time.sleep(0.2)
            time.sleep(5)
            if attempt == 0:
                self.process.terminate()
                self.process.wait()
                shutil.rmtree(home / "temporary", ignore_errors=True)
                for pipe in PIPES:
                    pipe.unlink()
        self.to, self.answers = PIPES[0].open("w"), PIPES[1].open()

    def __call__(self, *commands: str) -> None:
        for command in commands:
            self.to.write(command + "\n")
            self.to.flush()
            answer = ""
            while (line := self.answers.readline()) not in ("", "\n") or not answer:
                answer += line
            if "finished: OK" not in answer:
                raise RuntimeError(f"{command}: {answer}")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.display.terminate()
        self.display.wait()


def sounds(do: Audacity, out: Path) -> None:
    source = out / "source.wav"

    def export(name: str, *commands: str, sound: Path = source, channels: int = 1) -> None:
        do("SelectAll:", "RemoveTracks:", f'Import2: Filename="{sound}"', "SelectAll:", *commands, "SelectAll:")
        do(f'Export2: Filename="{out / name}" NumChannels={channels}')

    last = "SelectTime: Start={} End=4"
    export("faded.wav", last.format(3), "FadeOut:")
    export("faded_half.wav", last.format(3.5), "FadeOut:")
    export("faded_middle.wav", "SelectTime: Start=2.5 End=3.2", "FadeOut:")
    export("cut.wav", last.format(3), "Silence:")
    export("quieter_end.wav", last.format(3), "Amplify: Ratio=0.5")
    export("fade_in.wav", "SelectTime: Start=0 End=1", "FadeIn:")
    export("normalized.wav", "Normalize: PeakLevel=-3 ApplyGain=1 RemoveDcOffset=1")
    export("higher.wav", "ChangePitch: Percentage=12.2462 SBSMS=0")
    export("faster.wav", "ChangeTempo: Percentage=25 SBSMS=0")
    export("bass.wav", "BassAndTreble: Bass=9 Treble=0 Gain=-6")
    export("shorter_pause.wav", 'TruncateSilence: Threshold=-40 Action="Truncate Detected Silence" Minimum=0.5 Truncate=0.2 Independent=0')
    export("backwards.wav", "Reverse:")
    joined = (f'Import2: Filename="{out / "jingle.wav"}"', "SelectAll:", "Align_EndToEnd:")
    export("joined.wav", *joined)
    tagged = out / "tagged.flac"
    words = ["-metadata", "title=Field Notes", "-metadata", "artist=Mara Lindt", "-metadata", "album=Season One"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, *words, tagged], check=True)
    export("tagged.mp3", sound=tagged)
    export("tagged.ogg", sound=tagged)
    export("stereo.flac", sound=tagged, channels=2)
    tagged.unlink()


def projects(do: Audacity, out: Path, work: Path) -> None:
    source, jingle_file = HERE / "audio" / "source.wav", HERE / "audio" / "jingle.wav"
    do("New:", f'Import2: Filename="{source}"', f'Import2: Filename="{jingle_file}"')
    do("SelectTracks: Track=0 TrackCount=1", 'SetTrackStatus: Track=0 Name="Voice"', "SetTrackAudio: Gain=-6 Pan=-50")
    do("SelectTracks: Track=1 TrackCount=1", 'SetTrackStatus: Track=1 Name="Jingle"', "SetTrackAudio: Gain=0 Pan=0 Mute=1")
    do("SelectTime: Start=0 End=1", "AddLabel:", 'SetLabel: Label=0 Text="Intro" Start=0 End=1')
    do("SelectTime: Start=2.5 End=2.5", "AddLabel:", 'SetLabel: Label=1 Text="Question 1" Start=2.5 End=2.5')
    save(do, work, out, "plain")
    do("SelectTracks: Track=0 TrackCount=1", "SelectTime: Start=3 End=4", "FadeOut:")
    save(do, work, out, "faded")
    do("SelectTracks: Track=1 TrackCount=1", "SetClip: At=0.5 Start=4.25", "SetTrackAudio: Gain=0 Pan=0 Mute=0 Solo=1")
    do("SelectTracks: Track=0 TrackCount=1", "SelectTime: Start=1.5 End=2.3", "SplitDelete:")
    do("SetEnvelope: Time=0.25 Value=0.5 Delete=0")
    save(do, work, out, "arranged")
    do("SelectTime: Start=2.3 End=2.8", "SelectTracks: Track=0 TrackCount=1", "Silence:")
    keep(work / "arranged.aup3", out / "open.aup3.gz")
    keep(work / "arranged.aup3-wal", out / "open.aup3-wal.gz")
    do("New:", f'Import2: Filename="{HERE / "audio" / "stereo.flac"}"', 'SetTrackStatus: Track=0 Name="Room"')
    save(do, work, out, "stereo")


def save(do: Audacity, work: Path, out: Path, name: str) -> None:
    """Save under a name; the checkpoint that empties the write-ahead log comes when another name is saved or the project closes."""
    do(f'SaveProject2: Filename="{work / name}.aup3"')
    time.sleep(1)
    keep(work / f"{name}.aup3", out / f"{name}.aup3.gz")
    log = work / f"{name}.aup3-wal"
    if log.exists() and log.stat().st_size:
        keep(log, out / f"{name}.aup3-wal.gz")


def keep(path: Path, at: Path) -> None:
    at.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


def main() -> None:
    for family in ("audio", "aup3"):
        shutil.rmtree(HERE / family, ignore_errors=True)
        (HERE / family).mkdir()
    write_wav(HERE / "audio" / "source.wav", voice())
    write_wav(HERE / "audio" / "jingle.wav", jingle())
    with tempfile.TemporaryDirectory() as folder:
        home, work = Path(folder) / "home", Path(folder) / "work"
        work.mkdir()
        audacity = Audacity(home)
        try:
            sounds(audacity, HERE / "audio")
            projects(audacity, HERE / "aup3", work)
        finally:
            audacity.close()


if __name__ == "__main__":
    main()
