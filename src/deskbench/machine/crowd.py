"""Many desktops at once: how many this machine holds, whether each of them answers, and what memory they take."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from deskbench.core import action as a
from deskbench.core.app import App
from deskbench.core.faults import Fault
from deskbench.desktops.local import layers
from deskbench.desktops.local.desktop import LocalDesktop

SPARE_MB = 1500
"""What stays free for the machine while desktops are added."""

DESKTOP_MB = 600
OPENING_AT_ONCE = 4


@dataclass(frozen=True)
class Crowd:
    """How many desktops were held at once and answered, how long it took to open them, the memory of one, and why there were not more."""

    answering: int
    seconds: float
    desktop_mb: float
    why: str = ""


def hold(app: App, wanted: int, say: Callable[[str], None]) -> Crowd:
    """Open as many desktops as are wanted and memory allows, the application open in each, and ask each while all are held."""
    opened: list[LocalDesktop] = []
    began = time.monotonic()
    with ExitStack() as held, ThreadPoolExecutor(OPENING_AT_ONCE) as pool:

        def add(_: int) -> None:
            desktop = LocalDesktop.open(apps={app.name: app})
            held.callback(desktop.close)
            prepare(desktop, app)
            desktop.launch(app)
            opened.append(desktop)

        why = ""
        while len(opened) < wanted and not why:
            batch = min(OPENING_AT_ONCE, wanted - len(opened))
            if available_mb() < SPARE_MB + batch * DESKTOP_MB:
                why = f"{available_mb():.0f} MB of memory are left"
                break
            try:
                list(pool.map(add, range(batch)))
            except Fault as fault:
                why = str(fault)
            say(f"{len(opened)} desktops are open")
        seconds = time.monotonic() - began
        one_mb = median(memory_mb(desktop) for desktop in opened) if opened else 0.0
        return Crowd(sum(answers(desktop) for desktop in opened), seconds, one_mb, why)


def prepare(desktop: LocalDesktop, app: App) -> None:
    """Give the home the application's quiet settings, where no template brings them."""
    if layers.built(app.layer) is None:
        desktop.put({path: text.encode() for path, text in app.profile.items()})


def answers(desktop: LocalDesktop) -> bool:
    """Whether a desktop does what it is told, shows it, and tells its elements."""
    try:
        before = desktop.frame()
        desktop.act(a.Type(text="1234\n"))
        look = desktop.observe(elements=True)
    except Fault:
        return False
    return not look.frame.same_as(before) and look.focused is not None and bool(look.elements and look.elements.items)


def memory_mb(desktop: LocalDesktop) -> float:
    """The memory of all processes in a desktop, what they share counted once; resident memory where the kernel will not tell shares."""
    namespace = os.readlink(f"/proc/{desktop._sandbox.inner_pid}/ns/pid")
    whole_kb = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "ns" / "pid") == namespace:
                whole_kb += _share_kb(process)
        except OSError:
            continue  # it ended, or it is none of ours
    return whole_kb / 1024


def _share_kb(process: Path) -> int:
    try:
        text, wanted = (process / "smaps_rollup").read_text(), "Pss:"
    except PermissionError:
        text, wanted = (process / "status").read_text(), "VmRSS:"
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith(wanted))


def available_mb() -> float:
    """Memory that the machine can still give."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("MemAvailable:")), 0.0)
