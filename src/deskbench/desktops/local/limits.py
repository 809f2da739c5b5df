"""Bounds on what one desktop may use: memory and processes by cgroup where one can be made, disk and the rest by watching.

A program that goes over a bound is stopped and an incident says so; the desktop and its neighbours go on.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deskbench.core.wait import TimedOut, until
from deskbench.desktops.local.home import walk

WATCH_SECONDS = 0.5
YOUNG_SECONDS = 60.0
SESSION_PROGRAMS = {"Xvfb", "openbox", "dbus-daemon", "at-spi-bus-laun", "at-spi2-registr", "bwrap", "sh", "pulseaudio"}
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Limits:
    """What one desktop may use. `processes` counts threads too, as the kernel does."""

    memory_mb: int = 6144
    processes: int = 4096
    disk_mb: int = 4096

    @property
    def rlimits(self) -> list[str]:
        """The prefix that bounds single programs: the number of threads and the size of a file."""
        return ["prlimit", f"--nproc={self.processes}", f"--fsize={self.disk_mb << 20}", "--core=0", "--"]


class Cgroup:
    """A control group for one desktop, in version 1 or 2, or nothing where none can be made."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.folders: list[Path] = []
        self._events: Path | None = None
        for folder, settings, events in _places(name, limits):
            try:
                folder.mkdir()
                for file, value in settings.items():
                    (folder / file).write_text(value)
            except OSError:
                if folder.is_dir():
                    folder.rmdir()
                continue
            self.folders.append(folder)
            self._events = folder / events if events else self._events

    @property
    def bounds_memory(self) -> bool:
        return self._events is not None

    @property
    def enrol(self) -> list[str]:
        """The prefix that puts a command into the group."""
        if not self.folders:
            return []
        joined = " ".join(f'"{folder}/cgroup.procs"' for folder in self.folders)
        return ["/bin/sh", "-c", f'for group in {joined}; do echo $$ > "$group"; done; exec "$@"', "sh"]

    def kills(self) -> int:
        """How often the kernel has stopped something in the group for want of memory."""
        if self._events is None:
            return 0
        try:
            lines = self._events.read_text().splitlines()
        except OSError:
            return 0  # the desktop is gone, and its group with it
        for line in lines:
            name, _, value = line.partition(" ")
            if name == "oom_kill":
                return int(value)
        return 0

    def close(self) -> None:
        """Remove the group once its last process is gone."""
        for folder in self.folders:

            def removed(folder: Path = folder) -> bool:
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    return True
                except OSError:
                    return False
                return True

            with suppress(TimedOut):  # what is left is swept at the next start
                until(removed, "the control group to empty", 2.0, every=0.005)


def _places(name: str, limits: Limits) -> Iterator[tuple[Path, dict[str, str], str | None]]:
    """Where control groups could be made: (folder, settings, file that counts kills)."""
    memory = str(limits.memory_mb << 20)
    root = Path("/sys/fs/cgroup")
    if (root / "cgroup.controllers").exists():
        yield root / name, {"memory.max": memory, "memory.swap.max": "0", "pids.max": str(limits.processes)}, "memory.events"
        return
    for controller, settings, events in (
        ("memory", {"memory.limit_in_bytes": memory}, "memory.oom_control"),
        ("pids", {"pids.max": str(limits.processes)}, None),
    ):
        own = _own_group(controller)
        if own is not None:
            yield root / controller / own / name, settings, events


def _own_group(controller: str) -> str | None:
    """The path of this process's own group in a version 1 hierarchy."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path.strip("/")
    return None


def sweep_groups(prefix: str, dead: set[str], living: set[str]) -> None:
    """Remove the control groups of desks that are dead, and such as nobody knows of any more."""
    for controller in ("memory", "pids", ""):
        own = (_own_group(controller) or "") if controller else ""
        root = Path("/sys/fs/cgroup") / controller / own
        for folder in root.glob(f"{prefix}*") if root.is_dir() else ():
            name = folder.name.removeprefix(prefix)
            if name in dead:
                _end(folder)
                continue
            with suppress(OSError):
                # A young one that nobody knows may be another owner's, made and not yet entered.
                if name not in living and time.time() - folder.stat().st_mtime > YOUNG_SECONDS:
                    folder.rmdir()


def _end(group: Path) -> None:
    """Kill whoever is left in a control group, and remove it."""

    def removed() -> bool:
        with suppress(OSError):
            for pid in (group / "cgroup.procs").read_text().split():
                with suppress(ProcessLookupError):
                    os.kill(int(pid), 9)
            group.rmdir()
        return not group.exists()

    with suppress(TimedOut):
        until(removed, "the control group to empty", 3.0, every=0.01)


class Guard:
    """A thread that watches one desktop's memory and disk, stops what goes over, and keeps the incidents."""

    def __init__(self, limits: Limits, cgroup: Cgroup, upper: Path, first_pid: int) -> None:
        self._limits = limits
        self._cgroup = cgroup
        self._upper = upper
        self._namespace = _pid_namespace(first_pid)
        self._incidents: list[str] = []
        self._kills = cgroup.kills()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="deskbench-guard", daemon=True)
        self._thread.start()

    def take_incidents(self) -> tuple[str, ...]:
        """What was stopped since the last call, in sentences."""
        self._count_kills()
        taken, self._incidents = tuple(self._incidents), []
        return taken

    def host_pid(self, inner: int | None) -> int | None:
        """The host's number of a process that the desktop knows as `inner`."""
        return next((pid for pid in pids_in(self._namespace) if inner is not None and _inner_pid(pid) == inner), None)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(WATCH_SECONDS):
            self._count_kills()
            if not self._cgroup.bounds_memory:
                self._bound("memory", self._limits.memory_mb, self._memory_mb, _memory_of)
            self._bound("disk", self._limits.disk_mb, self._disk_mb, _written_by)

    def _count_kills(self) -> None:
        kills = self._cgroup.kills()
        if kills > self._kills:
            self._incidents.append(f"the memory limit of {self._limits.memory_mb} MB was reached and the kernel stopped the largest program")
            self._kills = kills

    def _bound(self, what: str, limit_mb: int, used: Callable[[], int], share: Callable[[int], int]) -> None:
        if used() <= limit_mb:
            return
        victims = [pid for pid in pids_in(self._namespace) if program(pid) not in SESSION_PROGRAMS]
        if not victims:
            return
        worst = max(victims, key=share)
        name = program(worst)
        try:
            os.kill(worst, 9)
        except ProcessLookupError:
            return
        self._incidents.append(f"the {what} limit of {limit_mb} MB was reached and {name} was stopped")

    def _memory_mb(self) -> int:
        return sum(_memory_of(pid) for pid in pids_in(self._namespace)) >> 20

    def _disk_mb(self) -> int:
        return sum(status.st_blocks for _, _, status in walk(self._upper)) * 512 >> 20


def _pid_namespace(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except OSError:
        return ""


def pids_in(namespace: str) -> list[int]:
    """The host's pids of every process in a PID namespace."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and namespace and _pid_namespace(int(name)) == namespace:
            found.append(int(name))
    return found


def _inner_pid(pid: int) -> int | None:
    """A process's number in its own namespace."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[-1]) for line in lines if line.startswith("NSpid:")), None)


PAINTERS = "llvmpipe"
"""What the threads are called that draw where there is no graphics card; the main thread only waits for them."""


def worked_by(pid: int | None) -> tuple[Path, ...]:
    """Where the state of the threads stands that handle a program's input: its main thread, and those that draw for it."""
    if pid is None:
        return ()
    threads = Path(f"/proc/{pid}/task")
    try:
        painters = [thread / "stat" for thread in threads.iterdir() if (thread / "comm").read_text().startswith(PAINTERS)]
    except OSError:
        return ()
    return (threads / str(pid) / "stat", *painters)


def is_running(thread: Path) -> bool:
    """Whether a thread is on a processor or waiting for one."""
    try:
        return thread.read_text().rpartition(")")[2].strip().startswith("R")
    except OSError:
        return False


def program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _memory_of(pid: int) -> int:
    """Resident bytes less what is shared with others: what its end would free."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0
    return (int(fields[1]) - int(fields[2])) * PAGE


def _written_by(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/io").read_text().splitlines():
            if line.startswith("wchar"):
                return int(line.split()[1])
    except OSError:
        return 0
    return 0
