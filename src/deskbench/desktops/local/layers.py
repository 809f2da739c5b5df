"""Template homes as layers: one for the bare desktop, one for each application after its first run.

A desktop's home is the layers it needs, stacked under an empty upper side. A layer is written once and then only read;
a new one takes its place by a rename, so that running desktops keep the one they have.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import stat
import time
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from deskbench.core.faults import DesktopFault
from deskbench.desktops.local.home import put_file, walk
from deskbench.desktops.local.places import own, remove_tree, state

BASE = "base"
RETIRED = ".retired."

AT_FDCWD = -100
RENAME_EXCHANGE = 2
_libc = ctypes.CDLL(None, use_errno=True)

FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Templates", "Videos")

BASE_FILES = {
    ".config/user-dirs.dirs": "".join(f'XDG_{name.upper()}_DIR="$HOME/{name}"\n' for name in FOLDERS if name != "Downloads")
    + 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\nXDG_PUBLICSHARE_DIR="$HOME"\n',
    ".config/gtk-3.0/settings.ini": "[Settings]\ngtk-theme-name=Adwaita\ngtk-icon-theme-name=Adwaita\ngtk-font-name=DejaVu Sans 10\n"
    "gtk-cursor-blink=false\ngtk-enable-animations=false\ngtk-recent-files-enabled=true\n",
    ".gtkrc-2.0": 'gtk-cursor-blink = 0\ngtk-icon-theme-name = "Adwaita"\ngtk-font-name = "DejaVu Sans 10"\n',
    ".config/kdeglobals": "[KDE]\nAnimationDurationFactor=0\nCursorBlinkRate=0\nSingleClick=false\n",
    ".bashrc": "PS1='\\u@\\h:\\w\\$ '\nalias ls='ls --color=auto'\n",
    ".profile": '[ -n "$BASH_VERSION" ] && [ -f ~/.bashrc ] && . ~/.bashrc\n',
}


def layer_home(name: str) -> Path:
    """Where a layer's files are."""
    return state() / "layers" / name / "home"


def built(name: str) -> Mapping[str, object] | None:
    """What a layer was made from, or None if it has not been built."""
    try:
        found: Mapping[str, object] = json.loads((state() / "layers" / name / "layer.json").read_text())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return found


def stack(names: Sequence[str]) -> list[Path]:
    """The layers of these applications over the base, topmost first; DesktopFault names one that is missing."""
    ensure_base()
    for name in names:
        if built(name) is None:
            raise DesktopFault(f"the template home of {name} has not been built; run: deskbench setup --apps {name}")
    return [layer_home(name) for name in (*reversed(list(names)), BASE)]


def all_built() -> list[str]:
    """The names of every application layer on this machine."""
    folders = sorted((state() / "layers").iterdir())
    return [f.name for f in folders if f.name != BASE and not f.name.startswith(".") and built(f.name) is not None]


def ensure_base() -> None:
    """Make the bare home if this machine has none yet, or an older one."""
    made_from: dict[str, object] = {"folders": list(FOLDERS), "files": BASE_FILES}
    seen = built(BASE)
    if seen is not None and {key: seen.get(key) for key in made_from} == made_from:
        return
    draft = new_draft(BASE)
    for folder in FOLDERS:
        (draft / folder).mkdir()
        own(draft / folder)
    for path, text in BASE_FILES.items():
        put_file(draft, path, text.encode())
    publish(BASE, draft, made_from)


def new_draft(name: str) -> Path:
    """An empty folder in which a layer can be made."""
    folder = state() / "layers" / f".{name}.{os.getpid()}.{time.monotonic_ns()}"
    (folder / "home").mkdir(parents=True, mode=0o755)
    own(folder / "home")
    return folder / "home"


def publish(name: str, draft: Path, made_from: Mapping[str, object]) -> None:
    """Put a finished draft in the layer's place, in one step that nobody sees half done."""
    folder = draft.parent
    (folder / "layer.json").write_text(json.dumps(made_from, indent=1, sort_keys=True))
    place = state() / "layers" / name
    try:
        os.rename(folder, place)
    except OSError:  # there is one already
        _exchange(folder, place)
        os.rename(folder, place.with_name(f".{name}{RETIRED}{time.monotonic_ns()}"))
    sweep_layers()


def _exchange(one: Path, other: Path) -> None:
    """Let two folders swap names, atomically."""
    if _libc.renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) != 0:
        number = ctypes.get_errno()
        raise DesktopFault(f"{one} could not take the place of {other}: {os.strerror(number)}; set DESKBENCH_STATE to a folder on a local disk")


def sweep_layers() -> None:
    """Remove drafts whose maker is gone, and old layers once every desktop that may stand on them is closed."""
    opened = [owner.stat().st_mtime for owner in (state() / "desks").glob("*/owner")]
    for folder in (state() / "layers").glob(".*"):
        if RETIRED in folder.name:
            if all(moment > folder.stat().st_ctime for moment in opened):
                remove_tree(folder)
        elif not Path(f"/proc/{folder.name.split('.')[-2]}").exists():
            remove_tree(folder)


JUNK = (
    *("**/.nfs*", "**/*.lock", "**/lock", "**/.parentlock", "**/*.pid", "**/*.log", "**/core"),
    *(".local/share/recently-used.xbel*", ".local/share/RecentDocuments", ".local/share/gvfs-metadata", ".local/share/Trash"),
    *(
        ".cache/openbox",
        ".cache/thumbnails",
        ".cache/event-sound-cache*",
        ".dbus",
        ".ICEauthority",
        ".Xauthority",
        ".xsession-errors",
        ".bash_history",
    ),
    *(".config/pulse/cookie", ".config/pulse/*-runtime", ".config/pulse/*.tdb", ".config/pulse/*-default-*"),
)
"""What any program may leave behind and none needs at its next start, as patterns of paths below the home."""


def adopt(upper: Path, draft: Path, forget: Sequence[str] = ()) -> None:
    """Copy into a draft what a desktop's upper side holds, less junk, sockets and marks of deletion.

    The overlay's own attributes stay behind: it calls every new folder opaque, and opaque folders would hide those of the
    other layers. Times are kept, because caches are judged by them.
    """
    dropped = tuple(PathPattern(pattern) for pattern in (*JUNK, *forget))
    gone: set[str] = set()
    folders: list[tuple[Path, os.stat_result]] = []
    for path, at, status in walk(upper):
        if path.rpartition("/")[0] in gone or any(pattern.matches(path) for pattern in dropped):
            gone.add(path)
            continue
        target = draft / path
        if stat.S_ISDIR(status.st_mode):
            target.mkdir()
            folders.append((target, status))
        elif stat.S_ISREG(status.st_mode):
            shutil.copyfile(at, target, follow_symlinks=False)
            _liken(target, status)
        elif stat.S_ISLNK(status.st_mode):
            target.symlink_to(os.readlink(at))
            own(target)
    for target, status in reversed(folders):
        _liken(target, status)


def _liken(target: Path, status: os.stat_result) -> None:
    """Owner, mode and times as they were in the desktop."""
    own(target)
    os.chmod(target, stat.S_IMODE(status.st_mode))
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


class PathPattern:
    """A shell pattern of a path in which `*` stops at a slash and a leading `**/` stands for any folder."""

    def __init__(self, pattern: str) -> None:
        self._anywhere = pattern.startswith("**/")
        self._parts = pattern.removeprefix("**/").split("/")

    def matches(self, path: str) -> bool:
        parts = path.split("/")
        if self._anywhere:
            parts = parts[-len(self._parts) :]
        return len(parts) == len(self._parts) and all(fnmatchcase(part, wanted) for part, wanted in zip(parts, self._parts, strict=True))
