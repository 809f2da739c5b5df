"""The home of one desktop: an overlay whose upper layer is the exact list of what changed.

The lower side is a stack of template layers, the upper side starts empty. `baseline` remembers the upper side after
setup, so that `changes` tells what the agent did and nothing else.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deskbench.core.evidence import BEFORE, HOME, HOME_IN_DESKTOP, Change, Kind
from deskbench.core.faults import DesktopFault, Misuse
from deskbench.desktops.local.places import own, remove_tree

FILE_LIMIT = 512 << 20
WHOLE_LIMIT = 2 << 30
ENTRY_LIMIT = 200_000
DEPTH_LIMIT = 64

OPAQUE = "user.overlay.opaque"


@dataclass(frozen=True)
class Seen:
    """What identifies an entry without reading it."""

    kind: Kind
    mode: int
    size: int
    mtime_ns: int
    inode: int


WHITEOUT = Seen("other", 0, 0, 0, 0)
"""Stands for a path of the template that setup removed."""


def kind_of(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"


def is_whiteout(status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == 0


def is_opaque(folder: Path) -> bool:
    try:
        return os.getxattr(folder, OPAQUE, follow_symlinks=False) == b"y"
    except OSError:
        return False


def inside(path: str) -> str:
    """A path below the home, relative; Misuse if it leads out of it."""
    for prefix in ("~/", HOME_IN_DESKTOP + "/"):
        path = path.removeprefix(prefix)
    clean = os.path.normpath(path)
    if os.path.isabs(clean) or clean.split("/")[0] in ("..", ".", "~"):
        raise Misuse(f"{path!r} is not a path below the home; write it as ~/Documents/file")
    return clean


class Home:
    """The two sides of a desktop's home, seen from the host."""

    def __init__(self, desk: Path, layers: Sequence[Path]) -> None:
        self.upper = desk / "upper"
        self._kept = desk / "before"
        self._layers = list(layers)
        self._baseline: dict[str, Seen] = {}
        self._last_seen: dict[str, tuple[int, int]] | None = None

    # Looking

    def now(self, path: str) -> Path | None:
        """Where the present content of a path lies on the host; None if there is nothing there, or a link on the way."""
        return self._find([self.upper, *self._layers], path)

    def at_start(self, path: str) -> Path | None:
        """Where the content of a path at the baseline lies."""
        if path in self._baseline:
            kept = self._kept / path
            return kept if os.path.lexists(kept) else None
        if self._hidden_at_start(path):
            return None
        return self._find(self._layers, path)

    def _hidden_at_start(self, path: str) -> bool:
        parts = path.split("/")
        return any(self._baseline.get("/".join(parts[:n])) is WHITEOUT for n in range(1, len(parts) + 1))

    def _find(self, sides: Sequence[Path], path: str) -> Path | None:
        parts = path.split("/")
        for side in sides:
            at = side
            for number, name in enumerate(parts):
                at = at / name
                try:
                    status = os.lstat(at)
                except (FileNotFoundError, NotADirectoryError):
                    break
                if is_whiteout(status):
                    return None
                last = number == len(parts) - 1
                if last:
                    return at
                if not stat.S_ISDIR(status.st_mode):
                    return None
                if is_opaque(at) and not os.path.lexists(side / path):
                    return None
        return None

    def is_still(self) -> bool:
        """Whether nothing has been written since the last time this was asked; application state in dot folders does not count."""
        now = {path: (status.st_size, status.st_mtime_ns) for path, _, status in walk(self.upper) if not path.startswith(".")}
        before, self._last_seen = self._last_seen, now
        return now == before

    # Remembering

    def baseline(self) -> None:
        """Remember the upper side as it is, contents included."""
        if self._kept.exists():
            remove_tree(self._kept)
        self._kept.mkdir()
        self._baseline = {}
        for path, at, status in walk(self.upper):
            if is_whiteout(status):
                self._baseline[path] = WHITEOUT
                continue
            self._baseline[path] = seen(status)
            kept = self._kept / path
            if stat.S_ISDIR(status.st_mode):
                kept.mkdir()
            elif stat.S_ISREG(status.st_mode) and status.st_size <= FILE_LIMIT:
                shutil.copyfile(at, kept, follow_symlinks=False)
            elif stat.S_ISLNK(status.st_mode):
                kept.symlink_to(os.readlink(at))

    # Comparing

    def changes(self) -> list[Change]:
        """Every path that is not as it was at the baseline, in order of the path."""
        found: dict[str, Change] = {}
        present: set[str] = set()
        for path, at, status in walk(self.upper):
            present.add(path)
            if is_whiteout(status):
                if self._baseline.get(path) is not WHITEOUT:
                    found.update({change.path: change for change in self._removed(path)})
                continue
            change = self._compare(path, at, status)
            if change is not None:
                found[path] = change
            if stat.S_ISDIR(status.st_mode) and is_opaque(at):
                found.update({change.path: change for change in self._hidden_below(path)})
        for path, was in self._baseline.items():
            if path not in present and was is not WHITEOUT:
                found[path] = Change(path, "removed", was.kind, was.size)
        return [found[path] for path in sorted(found)]

    def _compare(self, path: str, at: Path, status: os.stat_result) -> Change | None:
        kind = kind_of(status.st_mode)
        was = self._baseline.get(path)
        if was is not None and was is not WHITEOUT and was == seen(status):
            return None
        old = self.at_start(path)
        if old is None:
            return Change(path, "added", kind, status.st_size)
        if kind_of(os.lstat(old).st_mode) == kind and _same(at, old, kind, status, was):
            return None
        return Change(path, "changed", kind, status.st_size)

    def _removed(self, path: str) -> Iterator[Change]:
        old = self.at_start(path)
        if old is None:
            return
        status = os.lstat(old)
        yield Change(path, "removed", kind_of(status.st_mode), status.st_size)
        if stat.S_ISDIR(status.st_mode):
            for name in sorted(self._names_at_start(path)):
                yield from self._removed(f"{path}/{name}")

    def _hidden_below(self, path: str) -> Iterator[Change]:
        """What a folder held before it was removed and made anew."""
        for name in sorted(self._names_at_start(path)):
            if not os.path.lexists(self.upper / path / name):
                yield from self._removed(f"{path}/{name}")

    def _names_at_start(self, path: str) -> set[str]:
        names: set[str] = set()
        for side in (self._kept, *self._layers):
            folder = side / path
            if folder.is_dir() and not folder.is_symlink():
                names.update(entry.name for entry in os.scandir(folder))
        return {name for name in names if self.at_start(f"{path}/{name}") is not None}

    # Taking out

    def take_out(self, folder: Path, keep: Sequence[str]) -> list[Change]:
        """Copy what changed, and what `keep` names, to `folder`; sizes are bounded, links are not followed."""
        taken: list[Change] = []
        left = WHOLE_LIMIT
        changes = self.changes()
        for change in changes:
            at = self.now(change.path)
            kept = change.kind != "file" or change.change == "removed" or (change.size <= min(FILE_LIMIT, left) and at is not None)
            if change.kind == "file" and change.change != "removed" and kept and at is not None:
                kept = copy_file(at, folder / HOME / change.path)
                left -= change.size
            if change.kind == "folder" and change.change != "removed":
                (folder / HOME / change.path).mkdir(parents=True, exist_ok=True)
            if change.change != "added":
                old = self.at_start(change.path)
                if old is not None and kind_of(os.lstat(old).st_mode) == "file" and change.size <= left:
                    copy_file(old, folder / BEFORE / change.path)
            taken.append(Change(change.path, change.change, change.kind, change.size, kept))
        changed = {change.path for change in changes}
        for path in keep:
            self._take_unchanged(inside(path), changed, folder)
        return taken

    def _take_unchanged(self, path: str, changed: set[str], folder: Path) -> None:
        """Copy a file that nobody changed, or all such files of a folder."""
        at = self.now(path)
        if at is None:
            return
        if stat.S_ISDIR(os.lstat(at).st_mode):
            (folder / HOME / path).mkdir(parents=True, exist_ok=True)
            for name in sorted(self._names(path)):
                self._take_unchanged(f"{path}/{name}", changed, folder)
        elif path not in changed and stat.S_ISREG(os.lstat(at).st_mode) and os.lstat(at).st_size <= FILE_LIMIT:
            copy_file(at, folder / HOME / path)

    def _names(self, path: str) -> set[str]:
        """What a folder holds now."""
        sides = [side / path for side in (self.upper, *self._layers)]
        return {entry.name for side in sides if side.is_dir() and not side.is_symlink() for entry in os.scandir(side)}


def seen(status: os.stat_result) -> Seen:
    folder = stat.S_ISDIR(status.st_mode)
    return Seen(kind_of(status.st_mode), status.st_mode, 0 if folder else status.st_size, 0 if folder else status.st_mtime_ns, status.st_ino)


def _same(at: Path, old: Path, kind: str, status: os.stat_result, was: Seen | None) -> bool:
    """Whether an entry means the same as it did: content and permissions, not times."""
    mode_was = was.mode if was is not None and was is not WHITEOUT else os.lstat(old).st_mode
    if stat.S_IMODE(mode_was) != stat.S_IMODE(status.st_mode):
        return False
    if kind == "file":
        return filecmp.cmp(at, old, shallow=False)
    return kind == "folder" or (kind == "link" and os.readlink(at) == os.readlink(old))


def copy_file(source: Path, target: Path) -> bool:
    """Copy one regular file without following a link that may have taken its place; False if it is gone."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    with open(handle, "rb") as reading:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return False
        with open(target, "wb") as writing:
            shutil.copyfileobj(reading, writing, 1 << 20)
        target.chmod(stat.S_IMODE(os.fstat(handle).st_mode) & 0o777 | stat.S_IRUSR)
    return True


def walk(root: Path) -> Iterator[tuple[str, Path, os.stat_result]]:
    """Every entry below a folder, parents first, links not followed; DesktopFault beyond what any job needs."""
    stack: list[tuple[str, Path, int]] = [("", root, 0)]
    count = 0
    while stack:
        prefix, folder, depth = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
        for entry in entries:
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            count += 1
            if count > ENTRY_LIMIT:
                raise DesktopFault(f"the home has more than {ENTRY_LIMIT} new entries; something filled it, reset the desktop")
            path = prefix + entry.name
            yield path, Path(entry.path), status
            if stat.S_ISDIR(status.st_mode) and depth < DEPTH_LIMIT:
                stack.append((path + "/", Path(entry.path), depth + 1))


def put_file(upper_owner_folder: Path, path: str, content: bytes | Path) -> None:
    """Write a file and its parents into a folder, owned by the desktop's user."""
    target = upper_owner_folder / path
    missing = [parent for parent in target.parents if not parent.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    for parent in missing:
        own(parent)
    if isinstance(content, Path):
        shutil.copyfile(content, target)
    else:
        target.write_bytes(content)
    own(target)
