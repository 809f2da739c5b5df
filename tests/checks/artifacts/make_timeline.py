"""Makes artifacts/timeline and artifacts/video again: the real Kdenlive 22.12, driven over D-Bus and by mouse, saves projects; melt renders two.

    python tests/checks/artifacts/make_timeline.py        needs kdenlive, melt, xvfb, openbox, xdotool, dbus, ffmpeg; takes three minutes

Clicks are at fixed places of a 1600x900 screen (Kdenlive's first layout), so another version of Kdenlive needs other places. Look at the
result before it replaces the fixtures: everything is written to the folder given as the argument, or to ./timeline-made.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DISPLAY = ":81"
V1, A1, A2 = 727, 790, 855
SECOND = 12
ZERO = 172
"""Pixels a second, and where the timeline begins, at the zoom of a new project."""


class Kdenlive:
    """A running Kdenlive in a home of its own."""

    def __init__(self, home: Path, project: Path | None = None) -> None:
        self.home = home
        self.environment = {**os.environ, "HOME": str(home), "DISPLAY": DISPLAY, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": str(home / "run")}
        (home / "run").mkdir(exist_ok=True, mode=0o700)
        self.parts = [subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1600x900x24"], stderr=subprocess.DEVNULL)]
        time.sleep(1)
        bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True, env=self.environment)
        assert bus.stdout is not None
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        self.parts += [bus, self._start("openbox"), self._start("kdenlive", *([str(project)] if project else []))]
        time.sleep(12)
        if project is None:
            self.keys("Return")  # the first start's report of missing optional parts
            time.sleep(8)
        names = self._bus("org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames")
        found = re.search(r"org\.kde\.kdenlive-\d+", names)
        if found is None:
            raise RuntimeError("Kdenlive did not start")
        self.service = found[0]

    def _start(self, *argv: str) -> subprocess.Popen[str]:
        return subprocess.Popen(argv, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)

    def _bus(self, service: str, path: str, method: str, *arguments: str) -> str:
        argv = ["gdbus", "call", "--session", "-d", service, "-o", path, "-m", method, *arguments]
        try:
            return subprocess.run(argv, env=self.environment, capture_output=True, text=True, timeout=3).stdout
        except subprocess.TimeoutExpired:
            return ""  # an action that opens a dialog answers only when that is closed

    def call(self, method: str, *arguments: str) -> None:
        self._bus(self.service, "/kdenlive/MainWindow_1", f"org.kde.kdenlive.MainWindow.{method}", *arguments)
        time.sleep(0.6)

    def act(self, *actions: str) -> None:
        for action in actions:
            self._bus(self.service, "/kdenlive/MainWindow_1", "org.kde.KMainWindow.activateAction", action)
            time.sleep(0.7)

    def _mouse(self, *words: object) -> None:
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)

    def keys(self, *names: str) -> None:
        self._mouse("key", *names)

    def type(self, text: str) -> None:
        self._mouse("type", "--delay", 30, text)

    def click(self, x: int, y: int) -> None:
        self._mouse("mousemove", x, y, "click", 1)
        time.sleep(0.6)

    def drag(self, x: int, y: int, to_x: int, to_y: int) -> None:
        self._mouse("mousemove", x, y, "mousedown", 1)
        for share in (0.3, 0.7, 1.0):
            time.sleep(0.2)
            self._mouse("mousemove", round(x + (to_x - x) * share), round(y + (to_y - y) * share))
        self._mouse("mousemove", to_x + 2, to_y)
        time.sleep(0.4)
        self._mouse("mouseup", 1)
        time.sleep(1)

    def save(self, name: str) -> None:
        self.act("file_save_as")
        time.sleep(1.5)
        self.keys("ctrl+a")
        self.type(str(self.home / f"{name}.kdenlive"))
        self.keys("Return")
        time.sleep(2)
        if not (self.home / f"{name}.kdenlive").exists():
            raise RuntimeError(f"Kdenlive did not save {name}")

    def close(self) -> None:
        for part in reversed(self.parts):
            part.kill()  # asked politely, Kdenlive asks back whether to save
            part.wait()


def footage(folder: Path) -> None:
    folder.mkdir()
    for name, pitch in (("red", 440), ("blue", 660)):
        sources = ["-f", "lavfi", "-i", f"color=c={name}:s=320x180:r=25:d=4", "-f", "lavfi", "-i", f"sine=frequency={pitch}:duration=4"]
        subprocess.run(["ffmpeg", "-v", "error", *sources, "-pix_fmt", "yuv420p", "-shortest", folder / f"{name}.mp4"], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=220:duration=6", folder / "music.wav"], check=True)


def two_clips(home: Path) -> None:
    """Bin only; two clips after another; the first one cut short, coloured and with a fade of its sound, before a gap."""
    kdenlive = Kdenlive(home)
    try:
        for name in ("red.mp4", "blue.mp4", "music.wav"):
            kdenlive.call("addProjectClip", str(home / "Videos" / name))
            time.sleep(2)
        kdenlive.save("bin_only")
        for y in (220, 120):
            kdenlive.click(140, y)
            kdenlive.act("insert_to_in_point")
        kdenlive.save("two")
        kdenlive.click(ZERO + 20, V1)
        for effect in ("sepia", "fadein"):
            kdenlive.call("addEffect", effect)
        kdenlive.act("seek_start", *["monitor_seek_forward-one-second"] * 2, "add_marker_guide_quickly", "monitor_seek_forward-one-second")
        kdenlive.click(ZERO + 20, V1)
        kdenlive.act("cut_timeline_clip")
        kdenlive.click(ZERO + 41, V1)
        kdenlive.act("delete_timeline_clip")
        kdenlive.save("gap")
    finally:
        kdenlive.close()


def trim(home: Path) -> Path:
    """Both clips with room to overlap: trimming by mouse is not exact enough, so this one edit is made in the file, before Kdenlive opens it."""
    text = (home / "two.kdenlive").read_text()
    at = text.index('<producer id="black_track"')
    times = iter(['in="00:00:00.000" out="00:00:02.960"', 'in="00:00:01.000" out="00:00:03.920"'] * 2)
    timeline = re.sub(r'(<entry producer="producer\d+" )in="[^"]*" out="[^"]*"', lambda found: found[1] + next(times), text[at:])
    path = home / "trim.kdenlive"
    path.write_text(re.sub(r'(?s)<property name="kdenlive:docproperties.groups">.*?</property>', "", text[:at]) + timeline)
    return path


def mixed(home: Path) -> None:
    """A mix between the two, fades, then a guide, a title on V2 and music on A2, at last muted."""
    kdenlive = Kdenlive(home, trim(home))
    try:
        kdenlive.click(ZERO + 44, V1)
        kdenlive.call("addEffect", "fade_from_black")
        kdenlive.click(1000, V1)
        kdenlive.click(ZERO + 21, V1 + 13)
        kdenlive.act("mix_clip")
        kdenlive.click(1000, V1)
        kdenlive.click(ZERO + 25, A1)
        kdenlive.call("addEffect", "fadeout")
        kdenlive.save("mix")
        kdenlive.act("seek_start", "monitor_seek_forward-one-second", "add_guide")
        time.sleep(1)
        kdenlive.type("Chorus")
        kdenlive.keys("Return")
        kdenlive.act("add_text_clip")
        time.sleep(3)
        kdenlive.click(500, 420)
        kdenlive.type("Harbour Days")
        kdenlive.click(1190, 789)
        time.sleep(2)
        kdenlive.drag(155, 180, ZERO + 3 * SECOND, 650)
        kdenlive.drag(140, 225, ZERO + 6 * SECOND, A2)
        kdenlive.save("full")
        kdenlive.click(127, 815)
        kdenlive.save("muted")
    finally:
        kdenlive.close()


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "timeline-made")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        footage(home / "Videos")
        two_clips(home)
        mixed(home)
        for name, frames in (("two", 198), ("mix", 150)):
            consumer = [f"avformat:{out / name}.mp4", "s=320x180", "vcodec=libx264", "acodec=aac", "crf=30", "preset=fast", "ab=32k"]
            melt = ["melt", f"{name}.kdenlive", "in=0", f"out={frames - 1}", "-consumer", *consumer]
            subprocess.run(melt, cwd=home, check=True, capture_output=True)
        shutil.copyfile(home / "Videos" / "blue.mp4", out / "blue.mp4")
        for project in home.glob("*.kdenlive"):
            (out / project.name).write_text(project.read_text().replace(str(home), "/home/user"))


if __name__ == "__main__":
    main()
