"""Template homes: an application's first run, had once, so that no desktop has it again.

A layer is made in a desktop on nothing but the bare home: the quiet profile is put there, the application started, waited
for and left. What its home holds then, less junk, is published as the layer.
"""

from __future__ import annotations

import time
from dataclasses import replace

from deskbench.core import action as a
from deskbench.core.app import App
from deskbench.core.faults import AppFault
from deskbench.core.ports import Settle
from deskbench.core.wait import TimedOut, until
from deskbench.desktops.local import layers
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.desktops.local.home import walk
from deskbench.desktops.local.places import remove_tree
from deskbench.machine.packages import Say, installed

EDITION = 1
"""Goes up when layers are made in another way, so that all are made anew."""

AT_REST = Settle(10.0, 1.0)
"""What is drawn and cached only after the first quiet moment belongs to the template too."""

FIRST_RUN_SECONDS = 180.0
LEAVE_SECONDS = 10.0
CLOSE_SECONDS = 20.0


def layer_is_current(app: App) -> bool:
    """Whether the application's layer was made from what the application says now and the packages that are installed now."""
    made_from = layers.built(app.layer)
    if made_from is None or made_from.get("recipe") != app.recipe or made_from.get("edition") != EDITION:
        return False
    recorded = made_from.get("packages")
    return isinstance(recorded, dict) and recorded == dict(installed(recorded))


def build_layer(app: App, say: Say) -> None:
    """Make the application's layer; the old one stays in its place until the new one is complete."""
    began = time.monotonic()
    with LocalDesktop.open(apps={app.name: app}, layers=[]) as desktop:
        desktop.put({path: text.encode() for path, text in app.profile.items()})
        _first_run(desktop, app)
        desktop.launch(replace(app, beside=()))
        ready_seconds = time.monotonic() - began
        desktop.settle(AT_REST)
        leave(desktop, app)
        draft = layers.new_draft(app.layer)
        try:
            layers.adopt(desktop.desk / "upper", draft, app.forget)
            layers.publish(app.layer, draft, made_from(app))
        except BaseException:
            remove_tree(draft.parent)
            raise
    sizes = [status.st_size for _, _, status in walk(layers.layer_home(app.layer))]
    say(
        f"{app.title}: template built in {time.monotonic() - began:.1f} s (ready after {ready_seconds:.1f} s), "
        f"{len(sizes)} entries, {sum(sizes) / 1e6:.1f} MB"
    )


def made_from(app: App) -> dict[str, object]:
    """What is recorded of a layer, to tell later whether it is current."""
    return {"app": app.name, "edition": EDITION, "recipe": app.recipe, "packages": dict(installed(app.packages)) if app.packages else {}}


def _first_run(desktop: LocalDesktop, app: App) -> None:
    for argv in app.first_run:
        ran = desktop.run(argv, seconds=FIRST_RUN_SECONDS, env=app.env)
        if ran.status != 0 or ran.timed_out:
            said = (ran.err or ran.out).decode(errors="replace").strip().splitlines()
            raise AppFault(
                f"the first run of {app.title} failed: {said[-1] if said else f'{argv[0]} exited with {ran.status}'}; see: deskbench doctor"
            )


def leave(desktop: LocalDesktop, app: App) -> None:
    """End an application as a person would: by its chord, and by closing its windows if that does not do."""
    if app.leave:
        desktop.act(a.Key(keys=app.leave), settle=Settle(0.0))
        if _ended(desktop, LEAVE_SECONDS):
            return
    for window in reversed(desktop.windows()):
        desktop.close_window(window.id)
    if not _ended(desktop, CLOSE_SECONDS):
        titles = [window.title for window in desktop.windows()]
        raise AppFault(f"{app.title} did not end after its first run (its windows: {titles}); what it asks must be answered in its profile")


def _ended(desktop: LocalDesktop, seconds: float) -> bool:
    try:
        return until(lambda: not _programs(desktop), "the application to end", seconds, every=0.1)
    except TimedOut:
        return False


def _programs(desktop: LocalDesktop) -> set[int]:
    """The processes that were started from outside the session, and those that they started."""
    listed = desktop.run(["ps", "-eo", "pid=,ppid=,comm="], seconds=10).out.decode(errors="replace")
    rows = [line.split(None, 2) for line in listed.splitlines()]
    found = {int(pid) for pid, parent, name in rows if parent == "0" and pid != "1" and name != "ps"}
    grown = True
    while grown:
        below = {int(pid) for pid, parent, _ in rows if int(parent) in found} - found
        found |= below
        grown = bool(below)
    return found
