"""Live desktops for tests, and the promise that none is left behind."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.desktops.local.places import state


@pytest.fixture
def bare() -> Iterator[LocalDesktop]:
    """A desktop without applications."""
    with LocalDesktop.open(layers=[], size=(1280, 720)) as desktop:
        yield desktop


def traces() -> dict[str, set[str]]:
    """Everything that a desktop of ours could leave behind on this machine."""
    session = {"Xvfb", "openbox", "bwrap", "dbus-daemon", "at-spi-bus-laun", "nsenter"}
    processes = set()
    for comm in Path("/proc").glob("[0-9]*/comm"):
        try:
            name, mounted = comm.read_text().strip(), (comm.parent / "mountinfo").read_text()
        except OSError:
            continue
        desks = re.findall(rf"{re.escape(str(state()))}/desks/(\w+)/", mounted)
        if name in session and desks:
            processes.add(f"{desks[0]} {comm.parent.name} {name}")
    mounts = {line for line in Path("/proc/self/mounts").read_text().splitlines() if "/desks/" in line}
    deserted = {str(group) for group in Path("/sys/fs/cgroup").rglob("deskbench-*") if is_empty(group)}
    return {"processes": processes, "desks": {desk.name for desk in (state() / "desks").iterdir()}, "mounts": mounts, "groups": deserted}


def is_empty(group: Path) -> bool:
    """Whether a control group is there and nobody is in it."""
    try:
        return not (group / "cgroup.procs").read_text().strip()
    except OSError:
        return False


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Fails if the test leaves a process, a mount, a control group or a desk folder that was not there before."""
    before = traces()
    yield
    after = traces()
    others = {desk for desk in after["desks"] if owned_by_another(desk)}
    left = {kind: {item for item in after[kind] - before[kind] if not any(desk in item for desk in others)} for kind in after}
    assert not any(left.values()), left


def owned_by_another(desk: str) -> bool:
    """Whether a desk belongs to a living process that is not this one."""
    try:
        with open(state() / "desks" / desk / "owner") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False
