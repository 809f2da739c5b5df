"""`deskbench setup`: install the chosen applications and build their template homes.

It can be run again at any time and does only what is left to do. A template that is being built takes the place of the old
one when it is complete, and not before.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from deskbench import apps as room
from deskbench.core.app import App
from deskbench.core.faults import Misuse
from deskbench.desktops.local.layers import sweep_layers
from deskbench.desktops.local.places import state
from deskbench.machine import packages, templates
from deskbench.machine.packages import Say


def chosen(apps: Sequence[str]) -> list[App]:
    """The applications of these names; none stands for all that Debian has."""
    if apps:
        return [room.get(name) for name in dict.fromkeys(apps)]
    return [app for app in map(room.get, room.names()) if not app.how_to_add]


def missing_packages(apps: Sequence[str]) -> list[str]:
    """The packages that a bare desktop and these applications need and that are not installed."""
    return packages.missing((*packages.BASE, *(package for app in chosen(apps) for package in app.packages)))


def layer_is_current(app: App | str) -> bool:
    """Whether the template home of an application is built and up to date."""
    return templates.layer_is_current(room.get(app) if isinstance(app, str) else app)


def setup(apps: Sequence[str] = (), *, rebuild: bool = False, say: Say = print) -> None:
    """Make this machine ready for these applications (none stands for all that Debian has).

    Misuse says what a person must do first; a Fault says what went wrong, and the same command goes on from there.
    """
    wanted = chosen(apps)
    with _alone():
        packages.install(missing_packages([app.name for app in wanted] if apps else ()), say)
        require_added(wanted)
        sweep_layers()
        stale = [app for app in _one_a_layer(wanted) if rebuild or not templates.layer_is_current(app)]
        for number, app in enumerate(stale, 1):
            say(f"{app.title}: building its template ({number} of {len(stale)})")
            templates.build_layer(app, say)
    say(f"ready: {', '.join(app.name for app in wanted)}")


def require_added(apps: Iterable[App]) -> None:
    """Misuse if one is not there that only a person can add."""
    for app in apps:
        if app.how_to_add and shutil.which(app.argv[0]) is None:
            raise Misuse(f"{app.title} is not in Debian; {app.how_to_add}")


def _one_a_layer(apps: Iterable[App]) -> list[App]:
    """The first application of each layer."""
    first: dict[str, App] = {}
    for app in apps:
        first.setdefault(app.layer, app)
    return list(first.values())


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other setup is at work on this machine."""
    with open(state() / "setup.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
