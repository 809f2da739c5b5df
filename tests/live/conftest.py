"""Live desktops for tests, and the promise that none is left behind."""

from __future__ import annotations

import fcntl
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
            name, environment = comm.read_text().strip(), (comm.parent / "environ").read_bytes()
        except OSError:
            continue
        if name in session and b"HOME=/home/user" in environment:
            processes.add(f"{comm.parent.name} {name}")
    mounts = {line for line in Path("/proc/self/mounts").read_text().splitlines() if "/desks/" in line}
    groups = {str(group) for group in Path("/sys/fs/cgroup").rglob("deskbench-*")}
    return {"processes": processes, "desks": {desk.name for desk in (state() / "desks").iterdir()}, "mounts": mounts, "groups": groups}


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Fails if the test leaves a process, a mount, a control group or a desk folder that was not there before."""
    before = traces()
    yield
    after = traces()
    others = {desk for desk in after["desks"] if owned_by_another(desk)}
    left = {kind: {item for item in after[kind] - before[kind] if not any(desk in item for desk in others)} for kind in after}
    if others:
        del left["processes"]  # they cannot be told apart from those of another owner's desktops
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
