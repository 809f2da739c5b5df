"""The local desktop: the Desktop port on one bubblewrap sandbox with its own X server."""

from __future__ import annotations

import fcntl
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import IO, Self

from deskbench.core import action as a
from deskbench.core import evidence as layout
from deskbench.core.app import App, Ready, Service
from deskbench.core.evidence import HOME_IN_DESKTOP
from deskbench.core.faults import AppFault, BadAction, DesktopFault, Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Elements, Observation, Settled, TimedFrame, Window
from deskbench.core.ports import Acted, Collected, Ran, Settle
from deskbench.core.wait import TimedOut, until, until_moment
from deskbench.desktops.local import layers as template
from deskbench.desktops.local.display import BUTTONS, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT, WHEEL_UP, Display
from deskbench.desktops.local.elements import Accessibility
from deskbench.desktops.local.framebuffer import Framebuffer
from deskbench.desktops.local.home import Home, inside
from deskbench.desktops.local.keyboard import Keyboard
from deskbench.desktops.local.limits import YOUNG_SECONDS, Cgroup, Guard, Limits, is_running, sweep_groups, worked_by
from deskbench.desktops.local.places import own, remove_tree, state
from deskbench.desktops.local.quiet import wait_for_change, wait_for_quiet
from deskbench.desktops.local.sandbox import Sandbox
from deskbench.desktops.local.window_manager import OPENBOX

CGROUP_PREFIX = "deskbench-"
MERGING_SECONDS = 0.5
"""Toolkits take two clicks within 0.4 s for a double click. Clicks of two actions are two clicks."""

HOVERING = Settle(limit_seconds=2.0, quiet_seconds=0.1)
"""A program that draws in software notices only after drawing what the pointer is over, and loses a click that comes before."""

OPEN_SECONDS = 15.0
STILL_SECONDS = 5.0
"""How long evidence waits for files that are still being written."""


class LocalDesktop:
    """A live desktop on this machine. Open it with `LocalDesktop.open` and close it, or use it as a context."""

    def __init__(self, apps: Mapping[str, App], layers: Sequence[str], size: tuple[int, int], limits: Limits, network: bool) -> None:
        self.size = size
        self._apps = dict(apps)
        self._layers = list(layers)
        self._limits = limits
        self._network = network
        self._lock = threading.RLock()
        self._closed = True
        self._last_click: tuple[float, str, tuple[int, int]] = (0.0, "", (0, 0))
        self._settled: Settled | None = None
        self._threads: dict[int, tuple[Path, ...]] = {}
        self._during: tuple[TimedFrame, ...] = ()

    @classmethod
    def open(
        cls,
        *,
        apps: Mapping[str, App] | None = None,
        layers: Sequence[str] | None = None,
        size: tuple[int, int] = (1920, 1080),
        limits: Limits = Limits(),
        network: bool = False,
    ) -> Self:
        """A pristine desktop. `apps` are those that `open_app` knows; `layers` the template homes (default: all that are built)."""
        desktop = cls(apps or {}, template.all_built() if layers is None else layers, size, limits, network)
        sweep()
        desktop._open()
        return desktop

    # Opening and closing

    def _open(self) -> None:
        stacked = template.stack(self._layers)
        self._id = secrets.token_hex(4)
        self.desk = state() / "desks" / self._id
        try:
            self._owner = _lay_out(self.desk)
            self._cgroup = Cgroup(CGROUP_PREFIX + self._id, self._limits)
        except OSError as error:
            for folder in (self.desk, self.desk.with_name(f".{self._id}")):
                remove_tree(folder)
            raise DesktopFault(f"a desktop could not be laid out in {self.desk}: {error.strerror}; free some space or set DESKBENCH_STATE") from error
        self._closed = False
        self._threads.clear()
        self._parts: list[Display | Accessibility | Guard] = []
        try:
            self._sandbox = Sandbox.open(self.desk, stacked, self.size, network=self._network, enrol=self._cgroup.enrol, rlimits=self._limits.rlimits)
            self._home = Home(self.desk, stacked)
            self._guard = Guard(self._limits, self._cgroup, self._home.upper, self._sandbox.inner_pid)
            self._parts.append(self._guard)
            self._display = Display(self.desk / "x11" / "X99", OPEN_SECONDS)
            self._parts.append(self._display)
            self._keyboard = Keyboard(self._display)
            self._framebuffer = Framebuffer(self.desk / "screen" / "Xvfb_screen0")
            self._accessibility = Accessibility(self.desk / "run")
            self._parts.append(self._accessibility)
            until(self._up, "the desktop's session to come up", OPEN_SECONDS, every=0.004)
            self._home.baseline()
        except TimedOut as error:
            self.close()
            raise DesktopFault(f"{error}; see: deskbench doctor") from error
        except BaseException:
            self.close()
            raise

    def _up(self) -> bool:
        self._require_alive()
        with self._display.answering():
            return self._display.window_manager_is_up() and self._accessibility.is_up()

    def reset(self) -> None:
        """Make it pristine again, whatever state it was in."""
        with self._lock:
            self.close()
            self._open()

    def close(self) -> None:
        """End every process, remove every trace."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            sandbox = getattr(self, "_sandbox", None)
            for part in reversed(self._parts):
                part.close()
            if sandbox is not None:
                sandbox.close()
            self._cgroup.close()
            remove_tree(self.desk)
            self._owner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _require_alive(self) -> None:
        if self._closed:
            raise DesktopFault("the desktop is closed; open another")
        if not self._sandbox.alive:
            raise DesktopFault("the desktop's session ended (something in it killed its processes); reset the desktop")

    @contextmanager
    def _live(self) -> Iterator[None]:
        """Every use of the display: alone, on a living desktop, with the display's death as a fault."""
        with self._lock:
            self._require_alive()
            with self._display.answering():
                yield

    # Acting

    def act(self, action: a.Action, *, settle: Settle = Settle(), watch_fps: float = 0.0) -> Acted:
        """Carry out one action, then wait for a quiet screen."""
        if isinstance(action, a.SPOKEN + a.TOOLS):
            raise BadAction(f"{action.kind} is not for the desktop to carry out")
        self._require_on_screen(action)
        with self._live():
            began = time.monotonic()
            watch = Watch(self._framebuffer, watch_fps) if watch_fps > 0 else None
            try:
                self._carry_out(action)
                self._settled = self._after(action, settle, began)
            finally:
                self._during = watch.stop() if watch is not None else ()
            return Acted(self._settled, self._during)

    def _require_on_screen(self, action: a.Action) -> None:
        for x, y in a.points(action):
            if not (0 <= x < self.size[0] and 0 <= y < self.size[1]):
                raise BadAction(f"the point {x}, {y} is not on the screen, which is {self.size[0]} x {self.size[1]}")

    def _after(self, action: a.Action, settle: Settle, began: float) -> Settled:
        """How the screen comes to rest after an action; a wait lasts until something has changed, or its time is over."""
        if isinstance(action, a.Wait):
            if not wait_for_change(self._framebuffer.rows, action.seconds):
                return Settled(True, time.monotonic() - began, "nothing changed")
            settle = Settle(max(action.seconds, 0.05), settle.quiet_seconds)
        return self._come_to_rest(settle, began)

    def _come_to_rest(self, settle: Settle, began: float) -> Settled:
        if settle.limit_seconds <= 0:
            return Settled(False, 0.0, "not waited for")
        asked, stamp = self._display.active(), self._display.ping()

        def caught_up() -> bool | None:
            nonlocal asked, stamp
            if self._display.active() != asked:  # a splash or a dialog that closed will never answer
                asked, stamp = self._display.active(), self._display.ping()
            return None if stamp is None else self._display.answered(stamp)

        return wait_for_quiet(self._framebuffer.rows, settle, caught_up, self._busy, began)

    def _busy(self) -> bool:
        """Whether the focused program is computing or drawing at this moment."""
        return any(map(is_running, self._workers()))

    def _workers(self) -> tuple[Path, ...]:
        """The threads that handle the focused program's input and draw for it."""
        window = self._display.active()
        if window is None:
            return ()
        if window not in self._threads:
            self._threads[window] = worked_by(self._guard.host_pid(self._display.pid_of(window)))
        return self._threads[window]

    def _carry_out(self, action: a.Action) -> None:
        match action:
            case a.Move():
                self._display.glide([self._display.pointer, (action.x, action.y)], action.seconds) if action.seconds else None
                self._display.move(action.x, action.y)
                self._display.flush()
            case a.Click():
                self._click(action)
            case a.Press() | a.Release():
                self._move_to(action)
                self._display.button(BUTTONS[action.button], isinstance(action, a.Press))
                self._display.flush()
            case a.Drag():
                self._drag(action)
            case a.Scroll():
                self._scroll(action)
            case a.Type():
                self._keyboard.type(action.text)
            case a.Key():
                self._keyboard.chord(action.keys, action.times)
            case a.KeyDown():
                self._keyboard.down(action.key)
            case a.KeyUp():
                self._keyboard.up(action.key)
            case a.Copy():
                self._copy(action.text)
            case a.Paste():
                if action.text is not None:
                    self._copy(action.text)
                self._keyboard.chord(["ctrl", "v"])
            case a.OpenApp():
                self._open_app(action)
            case a.FocusWindow():
                self._display.focus(action.title)
            case a.Wait():
                pass
            case _:
                raise BadAction(f"a desktop cannot carry out {action.kind}")

    def _move_to(self, action: a.Click | a.Press | a.Release | a.Scroll) -> None:
        if action.x is None or action.y is None:
            return
        self._display.move(action.x, action.y)
        if len(self._workers()) > 1:
            self._display.flush()
            self._come_to_rest(HOVERING, time.monotonic())

    def _click(self, action: a.Click) -> None:
        self._move_to(action)
        point = (action.x, action.y) if action.x is not None and action.y is not None else self._display.pointer
        moment, button, last = self._last_click
        if button == action.button and abs(point[0] - last[0]) < 8 and abs(point[1] - last[1]) < 8:
            until_moment(moment + MERGING_SECONDS)
        with self._keyboard.holding(action.modifiers):
            self._display.click(BUTTONS[action.button], action.count)
            self._display.flush()
        self._last_click = (time.monotonic(), action.button, point)

    def _drag(self, action: a.Drag) -> None:
        self._display.move(*action.path[0])
        button = BUTTONS[action.button]
        with self._keyboard.holding(action.modifiers):
            self._display.button(button, True)
            self._display.flush()
            self._display.glide(list(action.path), action.seconds)
            self._display.button(button, False)
            self._display.flush()

    def _scroll(self, action: a.Scroll) -> None:
        self._move_to(action)
        with self._keyboard.holding(action.modifiers):
            for amount, back, forth in ((action.dy, WHEEL_UP, WHEEL_DOWN), (action.dx, WHEEL_LEFT, WHEEL_RIGHT)):
                self._display.click(forth if amount > 0 else back, abs(amount))
            self._display.flush()

    def _copy(self, text: str | None) -> None:
        if text is None:
            self._keyboard.chord(["ctrl", "c"])
            return
        ran = self.run(["xclip", "-selection", "clipboard", "-in"], stdin=text.encode(), seconds=5)
        if ran.status != 0:
            raise DesktopFault(f"the clipboard could not be set: {ran.err.decode(errors='replace').strip() or 'xclip failed'}")
        # xclip returns before its claim has reached the server; a paste at once would get what was there before.
        try:
            until(lambda: self._display.clipboard()[:4096] == text[:4096], "the clipboard to hold the text", 5, every=0.01)
        except TimedOut as error:
            raise DesktopFault(f"the clipboard could not be set: {error}") from error

    def _open_app(self, action: a.OpenApp) -> None:
        app = self._apps.get(action.app)
        if app is None:
            raise BadAction(f"no application is called {action.app!r}; there are {', '.join(sorted(self._apps)) or 'none'}")
        file = action.file
        if file is not None:
            real = self.run(["realpath", "-e", "--", f"{HOME_IN_DESKTOP}/{inside(file)}"], seconds=5)
            if real.status != 0:
                raise BadAction(f"there is no file {file}")
            found = real.out.decode(errors="replace").strip()
            file = found if found.startswith(f"{HOME_IN_DESKTOP}/") else file  # a program may show the name that a link leads to
        self._start_app(app, file, (), None)

    def _start_app(self, app: App, file: str | None, args: Sequence[str], title: str | None) -> None:
        """Start an application and wait for its window."""
        inner = None if file is None else f"{HOME_IN_DESKTOP}/{inside(file)}"
        ready = app.ready_for(file)
        known = {window.id: window.title for window in self._display.windows()}
        for service in app.beside:
            self._serve(service)
        self.start([*app.command(inner), *args], env=app.env)
        titles = (title,) if title is not None else ready.titles
        try:
            until(lambda: self._shows(titles, known, file), f"a window of {app.title}", ready.seconds, every=0.08)
        except TimedOut as error:
            raise AppFault(f"{app.title} did not open: {error}; the windows are {[w.title for w in self._display.windows()]}") from error

    def _serve(self, service: Service) -> None:
        """Start a service that does not answer yet, and wait until it does."""
        ask = ["/bin/bash", "-c", f"</dev/tcp/127.0.0.1/{service.port}"]
        if self.run(ask, seconds=5).status == 0:
            return
        self.start(service.argv)
        try:
            until(lambda: self.run(ask, seconds=5).status == 0, f"{service.argv[0]} at port {service.port}", 20, every=0.1)
        except TimedOut as error:
            raise AppFault(str(error)) from error

    def _shows(self, titles: Sequence[str], known: Mapping[int, str], file: str | None) -> Window | None:
        """A window with one of these titles: a new one, or one whose title is new or the file's, for a running program may open it there."""
        self._require_alive()
        name = None if file is None else PurePosixPath(file).name
        fresh = (w for w in self._display.windows() if known.get(w.id) != w.title or (name is not None and name in w.title))
        return next((w for w in fresh if any(title.casefold() in w.title.casefold() for title in titles)), None)

    def launch(self, app: App, file: str | None = None, *, args: Sequence[str] = (), title: str | None = None) -> None:
        """Start an application and wait until it is ready: its window, its element or its colours, a quiet screen."""
        if self.run(["which", app.argv[0]], seconds=5).status != 0:
            raise Misuse(f"{app.title} is not installed; run: deskbench setup --apps {app.name}")
        ready = app.ready_for(file)
        began = time.monotonic()
        with self._live():
            self._start_app(app, file, args, title)
        settle = Settle(ready.seconds, ready.quiet_seconds)
        settled = self.settle(settle)
        if not self._filled_in(ready):  # asked only once it is quiet: reading elements slows a program down that is still starting
            left = max(1.0, ready.seconds - (time.monotonic() - began))
            try:
                until(lambda: self._filled_in(ready), f"the contents of {app.title}", left, every=0.3)
            except TimedOut as error:
                raise AppFault(f"{app.title} is not ready: {error}") from error
            settled = self.settle(settle)
        if not settled.quiet:
            raise AppFault(f"{app.title} is not ready: {settled.why} after {ready.seconds:g} s")

    def _filled_in(self, ready: Ready) -> bool:
        """Whether a window shows more than its first, blank picture."""
        if ready.splash is not None and any(window.title == ready.splash for window in self.windows()):
            return False
        shown = self.elements() if ready.elements else None
        if shown is not None and not any(shown.find(*element) for element in ready.elements):
            return False
        return self._framebuffer.colours() >= ready.colours if ready.colours else True

    def settle(self, settle: Settle = Settle()) -> Settled:
        """Wait for a quiet screen without doing anything."""
        with self._live():
            return self._come_to_rest(settle, time.monotonic())

    # Looking

    def frame(self) -> Frame:
        """The picture alone."""
        self._require_alive()
        return self._framebuffer.copy()

    def elements(self) -> Elements:
        """What the showing windows tell assistive technology."""
        with self._live():
            return self._elements(self._display.windows())

    def _elements(self, windows: Sequence[Window]) -> Elements:
        return self._accessibility.elements(self._framebuffer.rows, covered(windows))

    def windows(self) -> tuple[Window, ...]:
        """The windows from back to front."""
        with self._live():
            return self._display.windows()

    def close_window(self, number: int) -> None:
        """Ask a window to close, as its close button does."""
        with self._live():
            self._display.close_window(number)

    def observe(self, *, elements: bool = False) -> Observation:
        """One look; the accessibility elements only on request."""
        with self._live():
            windows = self._display.windows()
            return Observation(
                frame=self._framebuffer.copy(),
                windows=windows,
                clipboard=self._display.clipboard(),
                cursor=self._display.pointer,
                elements=self._elements(windows) if elements else None,
                during=self._during,
                settled=self._settled,
                incidents=self._guard.take_incidents(),
            )

    # Commands and files

    def run(
        self,
        argv: Sequence[str],
        *,
        seconds: float = 30.0,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        output_limit: int = 1 << 20,
    ) -> Ran:
        """Run a command inside, as the user, and wait for it within a limit."""
        self._require_alive()
        return self._sandbox.run(argv, seconds=seconds, stdin=stdin, env=env or {}, output_limit=output_limit)

    def start(self, argv: Sequence[str], *, env: Mapping[str, str] | None = None) -> None:
        """Start a program inside and leave it running; the kernel stops it before the display when memory runs out."""
        self._require_alive()
        self._sandbox.start(["choom", "-n", "500", "--", *argv], env or {}, self.desk / "log")

    def put(self, files: Mapping[str, bytes | Path]) -> None:
        """Write files below the home, through the overlay, owned by the user."""
        self._require_alive()
        for path, content in files.items():
            target = f"{HOME_IN_DESKTOP}/{inside(path)}"
            data = content.read_bytes() if isinstance(content, Path) else content
            script = 'mkdir -p -- "$(dirname -- "$1")" && cat > "$1"'
            ran = self.run(["/bin/sh", "-c", script, "sh", target], stdin=data, seconds=60)
            if ran.status != 0:
                raise DesktopFault(f"{target} could not be written: {ran.err.decode(errors='replace').strip()}")

    def peek(self, path: str, *, at_start: bool = False) -> Path | None:
        """Where the content of a path of the home lies on the host, without disturbing the desktop; None if there is none."""
        return self._home.at_start(inside(path)) if at_start else self._home.now(inside(path))

    def baseline(self) -> None:
        """From here on, what changes in the home is the agent's doing."""
        self._home.baseline()

    def collect(self, folder: Path, keep: Sequence[str] = ()) -> Collected:
        """Take the evidence out: what changed and what `keep` names."""
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(TimedOut):  # what never stops writing is taken as it is
            until(self._home.is_still, "the home to be still", STILL_SECONDS, every=0.15)
        look = self.observe()
        try:
            elements = self.elements().items
        except DesktopFault:
            elements = ()
        (folder / layout.LAST_FRAME).write_bytes(look.frame.png)
        _write_json(folder / layout.WINDOWS, [asdict(window) for window in look.windows])
        _write_json(folder / layout.ELEMENTS, [{**asdict(e), "states": sorted(e.states)} for e in elements])
        _write_json(folder / layout.PROCESSES, self._processes())
        if look.clipboard:
            (folder / layout.CLIPBOARD).write_text(look.clipboard, encoding="utf-8")
        changes = self._home.take_out(folder, keep)
        _write_json(folder / layout.CHANGES, [asdict(change) for change in changes])
        return Collected(folder, tuple(changes))

    def _processes(self) -> list[dict[str, object]]:
        listed = self.run(["ps", "-eo", "pid=,times=,comm=,args="], seconds=10).out.decode(errors="replace")
        rows = [line.split(None, 3) for line in listed.splitlines()]
        return [{"pid": int(row[0]), "cpu_seconds": int(row[1]), "name": row[2], "argv": row[3]} for row in rows if len(row) == 4]


def covered(windows: Sequence[Window]) -> set[str]:
    """Titles of windows of which nothing can be seen: hidden, or wholly behind one in front of them."""
    seen: set[str] = set()
    behind: set[str] = set()
    for number, window in enumerate(windows):
        in_front = [other.box for other in windows[number + 1 :] if not other.hidden]
        out_of_sight = window.hidden or any(window.box.within(box) == window.box for box in in_front)
        (behind if out_of_sight else seen).add(window.title)
    return behind - seen


class Watch:
    """A thread that takes frames at a steady rate while an action goes on."""

    LIMIT = 300

    def __init__(self, framebuffer: Framebuffer, fps: float) -> None:
        self._framebuffer = framebuffer
        self._pause = 1.0 / min(fps, 60.0)
        self._frames: list[TimedFrame] = []
        self._stop = threading.Event()
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._take, name="deskbench-watch", daemon=True)
        self._thread.start()

    def _take(self) -> None:
        while len(self._frames) < self.LIMIT:
            self._frames.append(TimedFrame(time.monotonic() - self._began, self._framebuffer.copy()))
            if self._stop.wait(self._pause):
                return

    def stop(self) -> tuple[TimedFrame, ...]:
        """The frames taken, in order."""
        self._stop.set()
        self._thread.join()
        return tuple(self._frames)


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")


def _lay_out(desk: Path) -> IO[str]:
    """Make a desk folder and lock it; the lock goes with its owner, however that ends.

    It is made under another name, with the lock taken before anybody can see an owner, so that no sweep takes it for a dead one.
    """
    draft = desk.with_name(f".{desk.name}")
    draft.mkdir(mode=0o700)
    own(draft)
    for name in ("upper", "work", "home", "pts", "x11", "run", "screen", "etc"):
        (draft / name).mkdir(mode=0o700)
        own(draft / name)
    (draft / "etc" / "passwd").write_text(f"root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:User:{HOME_IN_DESKTOP}:/bin/bash\n")
    (draft / "etc" / "group").write_text("root:x:0:\nuser:x:1000:\n")
    (draft / "etc" / "machine-id").write_text("de5cbe0c0de5cbe0c0de5cbe0c0de5cb\n")
    (draft / "etc" / "openbox.xml").write_text(OPENBOX)
    owner = open(draft / ".owner", "w")  # noqa: SIM115  it stays open for as long as the desktop is ours
    fcntl.flock(owner, fcntl.LOCK_EX)
    (draft / ".owner").rename(draft / "owner")
    draft.rename(desk)
    return owner


def sweep() -> int:
    """Remove what killed owners left behind; the number of desks removed."""
    dead: set[str] = set()
    living: set[str] = set()
    for desk in (state() / "desks").iterdir():
        try:
            with open(desk / "owner") as owner:
                fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_tree(desk)
                dead.add(desk.name)
        except BlockingIOError:
            living.add(desk.name.lstrip("."))
        except FileNotFoundError:
            with suppress(FileNotFoundError):
                if time.time() - desk.stat().st_mtime > YOUNG_SECONDS:
                    remove_tree(desk)  # its owner died before it could lock it
    sweep_groups(CGROUP_PREFIX, dead, living)
    return len(dead)
