"""Where the local desktops keep things on the host.

<state>/                  /var/lib/deskbench for root, ~/.local/share/deskbench otherwise, or $DESKBENCH_STATE
  layers/<name>/          template homes, one layer an application, read-only once published
    home/                 the layer's files
    layer.json            what it was made from
  desks/<id>/             one running desktop; owned by whoever holds the lock on `owner`
    owner                 locked for as long as the owning process lives
    upper/  work/         the overlay's writable side
    home/                 where the overlay is mounted, inside the sandbox's own mount namespace
    x11/  run/  screen/   sockets and the framebuffer, shared with the sandbox
    etc/                  passwd, group and machine-id as the sandbox sees them
    log                   what the display and the session said
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path

from deskbench.core.faults import DesktopFault

SANDBOX_UID = 2000
"""When the owner is root, sandboxes run as this unprivileged uid of the host."""


def inner_owner() -> int:
    """The host uid that the desktop's user is mapped to."""
    return SANDBOX_UID if os.geteuid() == 0 else os.geteuid()


def state() -> Path:
    """The state folder, made if it is not there, reachable for the sandbox's uid."""
    chosen = os.environ.get("DESKBENCH_STATE")
    if chosen:
        folder = Path(chosen).absolute()
    elif os.geteuid() == 0:
        folder = Path("/var/lib/deskbench")
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "deskbench"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o755)
        for sub in ("layers", "desks"):
            (folder / sub).mkdir(exist_ok=True, mode=0o755)
    except OSError as error:
        raise DesktopFault(f"cannot make the state folder {folder}: {error.strerror}; set DESKBENCH_STATE to a folder you can write to") from error
    closed = closed_to_sandbox(folder)
    if closed is not None:
        raise DesktopFault(
            f"the desktop's user (uid {SANDBOX_UID}) cannot reach {folder} because {closed} is closed to others; "
            f"set DESKBENCH_STATE to a folder elsewhere, or run: chmod o+x {closed}"
        )
    return folder


def closed_to_sandbox(folder: Path) -> Path | None:
    """The first parent that the sandbox's uid may not enter; only a matter when the owner is root."""
    if os.geteuid() != 0:
        return None
    for part in (*reversed(folder.parents), folder):
        status = part.stat()
        if status.st_uid != SANDBOX_UID and not status.st_mode & stat.S_IXOTH:
            return part
    return None


def own(path: Path) -> None:
    """Give a path to the sandbox's uid, when the owner is root."""
    if os.geteuid() == 0:
        os.chown(path, SANDBOX_UID, SANDBOX_UID, follow_symlinks=False)


def remove_tree(folder: Path) -> None:
    """Remove a folder whatever its modes; the overlay leaves folders that nobody may read."""

    def reopen(function: object, path: str, error: BaseException) -> None:
        parent = os.path.dirname(path)
        for name in (parent, path):
            if not os.path.islink(name) and os.path.isdir(name):
                os.chmod(name, 0o700)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)

    def on_error(function: object, path: str, info: object) -> None:
        with contextlib.suppress(FileNotFoundError):
            reopen(function, path, OSError())

    shutil.rmtree(folder, onerror=on_error)
