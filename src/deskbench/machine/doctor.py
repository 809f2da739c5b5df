"""What this machine has and lacks for live desktops, and the command that mends each lack."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from deskbench.core.faults import DeskbenchError
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.desktops.local.limits import Cgroup, Limits
from deskbench.desktops.local.places import own, remove_tree, state
from deskbench.desktops.local.sandbox import explain_refusal, unprivileged
from deskbench.machine.setup import layer_is_current, missing_packages

PROGRAMS = {
    "bwrap": "bubblewrap",
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "dbus-daemon": "dbus",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
    "xclip": "xclip",
    "setpriv": "util-linux",
    "nsenter": "util-linux",
    "prlimit": "util-linux",
    "choom": "util-linux",
    "mount": "mount",
    "ps": "procps",
}

FREE_DISK_GB = 3
FREE_MEMORY_GB = 1


@dataclass(frozen=True)
class Examined:
    """One precondition: whether it holds, what was seen, and what mends it. What is not required only narrows what can be run."""

    name: str
    ok: bool
    seen: str
    mend: str = ""
    required: bool = True


def examine(apps: list[str]) -> Iterator[Examined]:
    """Look at every precondition in turn; later ones are only tried where the earlier ones hold."""
    version = platform.python_version()
    yield Examined("python", sys.version_info >= (3, 11), version, "install Python 3.11 or newer")
    yield Examined("linux", sys.platform == "linux", f"{platform.system()} {platform.release()}", "use a Linux machine; Debian 12 is what is tested")
    programs = [_program(name, package) for name, package in PROGRAMS.items()]
    yield from programs
    yield _state()
    able = all(item.ok for item in programs)
    namespaces = _namespaces()
    yield namespaces
    yield _overlay() if able and namespaces.ok else Examined("overlay home", False, "not tried", "mend what is named above first")
    yield _memory()
    yield _limits()
    yield _desktop() if able and namespaces.ok else Examined("a desktop", False, "not tried", "mend what is named above first")
    for name in apps:
        yield _app(name)


def _program(name: str, package: str) -> Examined:
    found = shutil.which(name)
    return Examined(Path(name).name, found is not None, found or "not found", f"deskbench setup   (or: apt-get install {package})")


def _state() -> Examined:
    try:
        folder = state()
    except DeskbenchError as error:
        return Examined("state folder", False, str(error), "set DESKBENCH_STATE to a folder on a disk with some space")
    free = shutil.disk_usage(folder).free / 1e9
    return Examined("state folder", free >= FREE_DISK_GB, f"{folder}, {free:.0f} GB free", f"free {FREE_DISK_GB} GB there, or set DESKBENCH_STATE")


def _namespaces() -> Examined:
    command = [*unprivileged(), "unshare", "--user", "--map-root-user", "--mount", "--", "true"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Examined("user namespaces", False, str(error), "apt-get install util-linux")
    said = ran.stderr.strip()
    mend = explain_refusal(said).partition("run: ")[2] or "sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000"
    return Examined("user namespaces", ran.returncode == 0, "allowed" if ran.returncode == 0 else said, mend)


def _overlay() -> Examined:
    try:
        trial = Path(tempfile.mkdtemp(prefix=".trial", dir=state()))
    except (OSError, DeskbenchError) as error:
        return Examined("overlay home", False, str(error), "set DESKBENCH_STATE to a folder you can write to")
    own(trial)
    try:
        for name in ("lower", "upper", "work", "merged"):
            (trial / name).mkdir()
            own(trial / name)
        options = f"lowerdir={trial}/lower,upperdir={trial}/upper,workdir={trial}/work,userxattr"
        script = f'mount -t overlay trial -o "{options}" "{trial}/merged"'
        command = [*unprivileged(), "unshare", "--user", "--map-root-user", "--mount", "--", "sh", "-c", script]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=10)
    finally:
        remove_tree(trial)
    seen = "works" if ran.returncode == 0 else ran.stderr.strip()
    return Examined("overlay home", ran.returncode == 0, seen, "use a kernel of 5.11 or newer, and a state folder on ext4, xfs or btrfs")


def _memory() -> Examined:
    lines = Path("/proc/meminfo").read_text().splitlines()
    available = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) / 1e6
    seen = f"{available:.1f} GB available, {os.cpu_count()} cores"
    return Examined("memory", available >= FREE_MEMORY_GB, seen, f"free {FREE_MEMORY_GB} GB of memory")


def _limits() -> Examined:
    group = Cgroup(f"deskbench-doctor-{os.getpid()}", Limits())
    try:
        kernel = group.bounds_memory
    finally:
        group.close()
    seen = "memory and processes by control group" if kernel else "memory by watching, processes by rlimit (no control group can be written)"
    return Examined("limits", True, seen, required=False)


def _desktop() -> Examined:
    began = time.monotonic()
    try:
        with LocalDesktop.open(layers=[], size=(640, 480)) as desktop:
            opened = time.monotonic() - began
            desktop.frame()
    except DeskbenchError as error:
        return Examined("a desktop", False, str(error), "see the sentence before")
    return Examined("a desktop", True, f"opened in {opened:.2f} s")


def _app(name: str) -> Examined:
    missing = missing_packages([name])
    mend = f"deskbench setup --apps {name}"
    if missing:
        return Examined(name, False, f"not installed: {', '.join(missing)}", mend, required=False)
    if not layer_is_current(name):
        return Examined(name, False, "installed, its template home is not built or not current", mend, required=False)
    return Examined(name, True, "installed, template home built", required=False)


def examine_all(apps: list[str], tell: Callable[[Examined], None] = lambda _: None) -> list[Examined]:
    """Every precondition, each told as it is known."""
    found = []
    for item in examine(apps):
        tell(item)
        found.append(item)
    return found
