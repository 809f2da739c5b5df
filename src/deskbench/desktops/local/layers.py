"""Template homes as layers: one for the bare desktop, one for each application after its first run.

A desktop's home is the layers it needs, stacked under an empty upper side. A layer is written once and then only read;
a new one takes its place by a rename, so that running desktops keep the one they have.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from deskbench.core.faults import DesktopFault
from deskbench.desktops.local.home import put_file
from deskbench.desktops.local.places import own, remove_tree, state

BASE = "base"

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
    """Put a finished draft in the layer's place."""
    folder = draft.parent
    (folder / "layer.json").write_text(json.dumps(made_from, indent=1, sort_keys=True))
    place = state() / "layers" / name
    old = place.with_name(f".{name}.old.{time.monotonic_ns()}")
    try:
        os.rename(place, old)
    except FileNotFoundError:
        old = place
    os.rename(folder, place)
    if old != place:
        remove_tree(old)


def copy_layer(source: Path, draft: Path) -> None:
    """Take over the files that a desktop's upper side holds, owners and marks of deletion included."""
    for entry in os.scandir(source):
        shutil.move(entry.path, draft / entry.name)
