"""A desktop without a display: a folder, a picture and the same contract. For tests of everything that stands above.

It is no sandbox: commands run on the host, in its folder. Programs that it "starts" are remembered, not run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np

from deskbench.core import action as a
from deskbench.core import evidence as layout
from deskbench.core.app import App
from deskbench.core.evidence import Change
from deskbench.core.faults import BadAction, DesktopFault, Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Element, Elements, Observation, Settled, TimedFrame, Window
from deskbench.core.ports import Acted, Collected, Ran, Settle


class FakeDesktop:
    """A desktop of any size that writes down what is done to it. The picture changes with every action."""

    def __init__(self, size: tuple[int, int] = (320, 200), template: Mapping[str, bytes] | None = None) -> None:
        self.size = size
        self.actions: list[a.Action] = []
        self.started: list[tuple[str, ...]] = []
        self.elements: tuple[Element, ...] = (Element("frame", "Fake", Box(0, 0, *size), 0),)
        self.windows: tuple[Window, ...] = (Window(1, "Fake", "Fake", Box(0, 0, *size), True),)
        self._template = dict(template or {"Documents/welcome.txt": b"welcome\n"})
        self._closed = True
        self._open()

    def _open(self) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="deskbench-fake-"))
        for path, data in self._template.items():
            self._write(path, data)
        self.actions.clear()
        self.started.clear()
        self._clipboard = ""
        self._cursor = (self.size[0] // 2, self.size[1] // 2)
        self._during: tuple[TimedFrame, ...] = ()
        self._closed = False
        self.baseline()

    def _require_open(self) -> None:
        if self._closed:
            raise DesktopFault("the desktop is closed; open another")

    def _inside(self, path: str) -> Path:
        clean = path.removeprefix("~/").removeprefix(layout.HOME_IN_DESKTOP + "/")
        target = (self._home / clean).resolve()
        if not target.is_relative_to(self._home.resolve()) or target == self._home.resolve():
            raise Misuse(f"{path!r} is not a path below the home; write it as ~/Documents/file")
        return target

    def _write(self, path: str, data: bytes) -> None:
        target = self._inside(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)

    def act(self, action: a.Action, *, settle: Settle = Settle(), watch_fps: float = 0.0) -> Acted:
        """Write the action down; what the clipboard and the pointer would do, they do."""
        self._require_open()
        if isinstance(action, a.SPOKEN + a.TOOLS):
            raise BadAction(f"{action.kind} is not for the desktop to carry out")
        for x, y in a.points(action):
            if not (0 <= x < self.size[0] and 0 <= y < self.size[1]):
                raise BadAction(f"the point {x}, {y} is not on the screen, which is {self.size[0]} x {self.size[1]}")
            self._cursor = (x, y)
        if isinstance(action, a.FocusWindow) and not any(action.title in window.title for window in self.windows):
            raise BadAction(f"no window has {action.title!r} in its title")
        if isinstance(action, a.OpenApp):
            raise BadAction(f"no application is called {action.app!r}; a fake desktop has none")
        if isinstance(action, a.Copy | a.Paste) and action.text is not None:
            self._clipboard = action.text
        self.actions.append(action)
        self._during = (TimedFrame(0.0, self.frame()),) if watch_fps > 0 else ()
        return Acted(Settled(settle.limit_seconds > 0, 0.0, "nothing moves here"), self._during)

    def settle(self, settle: Settle = Settle()) -> Settled:
        """Nothing moves here."""
        self._require_open()
        return Settled(True, 0.0, "nothing moves here")

    def frame(self) -> Frame:
        """A picture that depends on everything done so far."""
        self._require_open()
        shade = crc32(repr(self.actions).encode())
        pixels = np.zeros((self.size[1], self.size[0], 4), np.uint8)
        pixels[..., :3] = [shade & 255, shade >> 8 & 255, shade >> 16 & 255]
        return Frame(pixels)

    def observe(self, *, elements: bool = False) -> Observation:
        """One look."""
        return Observation(
            frame=self.frame(),
            windows=self.windows,
            clipboard=self._clipboard,
            cursor=self._cursor,
            elements=Elements(self.elements) if elements else None,
            during=self._during,
        )

    def run(
        self, argv: Sequence[str], *, seconds: float = 30.0, stdin: bytes = b"", env: Mapping[str, str] | None = None, output_limit: int = 1 << 20
    ) -> Ran:
        """Run a command in the folder that stands for the home."""
        self._require_open()
        began = time.monotonic()
        environment = {"HOME": str(self._home), "PATH": "/usr/bin:/bin", **(env or {})}
        try:
            done = subprocess.run(list(argv), input=stdin, capture_output=True, timeout=seconds, cwd=self._home, env=environment)
        except subprocess.TimeoutExpired as late:
            return Ran(-9, late.stdout or b"", late.stderr or b"", time.monotonic() - began, timed_out=True)
        except FileNotFoundError:
            return Ran(127, b"", b"not found", time.monotonic() - began)
        cut = max(len(done.stdout), len(done.stderr)) > output_limit
        return Ran(done.returncode, done.stdout[:output_limit], done.stderr[:output_limit], time.monotonic() - began, cut=cut)

    def start(self, argv: Sequence[str], *, env: Mapping[str, str] | None = None) -> None:
        """Remember that a program was to be started."""
        self._require_open()
        self.started.append(tuple(argv))

    def put(self, files: Mapping[str, bytes | Path]) -> None:
        """Write files below the home."""
        self._require_open()
        for path, content in files.items():
            self._write(path, content.read_bytes() if isinstance(content, Path) else content)

    def launch(self, app: App, file: str | None = None, *, args: Sequence[str] = (), title: str | None = None) -> None:
        """Show a window with the application's title, as if it were ready."""
        self.start([*app.command(file), *args])
        titles = title or app.ready.titles[0]
        self.windows = (*self.windows, Window(len(self.windows) + 1, titles, app.name, Box(0, 0, *self.size), True))

    def peek(self, path: str, *, at_start: bool = False) -> Path | None:
        """Where a file of the home lies; what it was at the start is written out to be looked at."""
        target = self._inside(path)
        if at_start:
            relative = str(target.relative_to(self._home.resolve()))
            if relative not in self._start:
                return None
            target = self._home.with_name(self._home.name + "-start") / relative
            _put(target, self._start[relative])
        return target if target.exists() else None

    def _contents(self) -> dict[str, bytes]:
        files = (file for file in sorted(self._home.rglob("*")) if file.is_file() and not file.is_symlink())
        return {str(file.relative_to(self._home)): file.read_bytes() for file in files}

    def baseline(self) -> None:
        """Remember the home as it is."""
        self._start = self._contents()

    def collect(self, folder: Path, keep: Sequence[str] = ()) -> Collected:
        """Take the evidence out."""
        self._require_open()
        now, start = self._contents(), self._start
        changes = [
            Change(path, "removed" if path not in now else "changed" if path in start else "added", "file", len(now.get(path, b"")))
            for path in sorted({*now, *start})
            if now.get(path) != start.get(path)
        ]
        kept = {str(self._inside(path).relative_to(self._home.resolve())) for path in keep}
        for change in changes:
            if change.path in start:
                _put(folder / layout.BEFORE / change.path, start[change.path])
        for path in {change.path for change in changes} | kept:
            if path in now:
                _put(folder / layout.HOME / path, now[path])
        _put(folder / layout.LAST_FRAME, self.frame().png)
        _put(folder / layout.CHANGES, json.dumps([asdict(change) for change in changes]).encode())
        _put(folder / layout.WINDOWS, json.dumps([asdict(window) for window in self.windows]).encode())
        _put(folder / layout.ELEMENTS, json.dumps([{**asdict(e), "states": sorted(e.states)} for e in self.elements]).encode())
        _put(folder / layout.PROCESSES, b"[]")
        if self._clipboard:
            _put(folder / layout.CLIPBOARD, self._clipboard.encode())
        return Collected(folder, tuple(changes))

    def reset(self) -> None:
        """Make it pristine again."""
        self.close()
        self._open()

    def close(self) -> None:
        """Remove the folder."""
        if not self._closed:
            self._closed = True
            shutil.rmtree(self._home)
            shutil.rmtree(self._home.with_name(self._home.name + "-start"), ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _put(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
