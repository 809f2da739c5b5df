"""Files and folders of the home as such: present, gone, equal, permitted, and nothing else touched.

    - files.exists: {file: ~/Documents/report.odt, size: {at_least: 1}}
    - files.absent: ~/Documents/old.odt
    - files.same_as: {file: ~/backup/a.txt, other: ~/a.txt}       the other as it was at the start
    - files.unchanged: ~/Documents/data.csv
    - files.mode: {file: ~/bin/run.sh, mode: "755"}
    - files.mode: {file: ~/bin/run.sh, executable: true}
    - files.tree: {folder: ~/sorted, entries: [a/1.txt, "b/*.png"]}
    - only_changed: [~/Documents/poster.svg, "~/out/*.png"]

In lists of paths `*` stands for anything within one name and `**` for anything across folders; a listed folder allows all that
is below it. `only_changed` does not look at what applications keep for themselves: dot-folders at the top of the home (unless
`watch` names them), shells' and pagers' histories there, and lock files beside open documents.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from deskbench.checks.comparison import Comparison, reference
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num
from deskbench.core import evidence as layout
from deskbench.core.evidence import Change
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

HISTORIES = frozenset((
    ".bash_history", ".lesshst", ".python_history", ".sqlite_history", ".viminfo", ".wget-hsts", ".xsession-errors", ".ICEauthority", ".Xauthority",
))  # fmt: skip
LOCKS = re.compile(r"\.~lock\..*#|\..*\.sw[a-p]|.*\.aup3-(wal|shm)|\.goutputstream-.*|\.fuse_hidden.*")
LISTED = 10_000
CHUNK = 1 << 20

Octal = Annotated[str, BeforeValidator(str), Field(pattern="^[0-7]{3,4}$")]


def exists(evidence: Evidence, *, file: HomePath, size: Num | None = None) -> Finding:
    """A regular file is there and, unless `size` allows it, is not empty."""
    seen = evidence.file(file).stat().st_size
    if size is None and seen == 0:
        return failed(f"~/{file} is there but empty", expected="a file with content", seen=0)
    compared = Comparison(f"~/{file}")
    compared.number("size", size, seen, " bytes")
    return compared.finding() if size is not None else passed(f"~/{file} is there", seen=seen)


def absent(evidence: Evidence, *, file: HomePath) -> Finding:
    """Nothing of that name is there, whatever its kind."""
    if evidence.exists(file):
        return failed(f"~/{file} is still there", expected="absent", seen="present")
    return passed(f"~/{file} is not there")


def same_as(evidence: Evidence, *, file: HomePath, other: HomePath) -> Finding:
    """A copy or a renamed file: the same bytes as another file had at the start (or has now, if the agent made it)."""
    if _same(evidence.file(file), reference(evidence, other)):
        return passed(f"~/{file} has the content of ~/{other}")
    return failed(f"~/{file} does not have the content of ~/{other}")


def unchanged(evidence: Evidence, *, file: HomePath) -> Finding:
    """A file still has the bytes that it had at the start."""
    if _same(evidence.file(file), evidence.before(file)):
        return passed(f"~/{file} is as it was")
    return failed(f"~/{file} was changed, and should not have been")


def mode(evidence: Evidence, *, file: HomePath, mode: Octal | None = None, executable: bool = True) -> Finding:
    """Permissions: an exact octal mode written as in chmod, or only whether the owner may execute it."""
    if not evidence.exists(file):
        raise BadArtifact(f"there is no ~/{file}")
    seen = stat.S_IMODE(os.lstat(evidence.folder / layout.HOME / file).st_mode)
    if mode is None:
        can = bool(seen & stat.S_IXUSR)
        says = f"~/{file} {'is' if can else 'is not'} executable for its owner"
        return (passed if can == executable else failed)(says, expected=executable, seen=can)
    wanted = int(mode, 8)
    says = f"~/{file} has the permissions {seen:03o}" + ("" if seen == wanted else f", not {wanted:03o}")
    return (passed if seen == wanted else failed)(says, expected=f"{wanted:03o}", seen=f"{seen:03o}")


def tree(evidence: Evidence, *, folder: HomePath, entries: tuple[str, ...], only: bool = True) -> Finding:
    """The files below a folder, relative to it: each entry (or pattern) is met, and with `only` there is nothing else."""
    there = _listing(evidence, folder)
    missing = [entry for entry in entries if not any(path_matches(entry, name) for name in there)]
    extra = [name for name in there if not any(path_matches(entry, name) for entry in entries)] if only else []
    if not missing and not extra:
        return passed(f"~/{folder} holds what it should", expected=list(entries), seen=there)
    wrongs = [f"{name} is missing" for name in missing[:5]] + [f"{name} should not be there" for name in extra[:5]]
    return failed(f"~/{folder} does not hold what it should: {'; '.join(wrongs)}", expected=list(entries), seen=there[:200])


def only_changed(evidence: Evidence, *, paths: tuple[HomePath, ...] = (), watch: tuple[HomePath, ...] = ()) -> Finding:
    """Nothing but the listed paths was added, changed or removed; application state is left out unless `watch` names it."""
    stray = [f"{change.path} was {change.change}" for change in evidence.changes.values() if _strays(evidence, change, paths, watch)]
    if stray:
        listed = "; ".join(f"~/{item}" for item in sorted(stray)[:5]) + (f" and {len(stray) - 5} more" if len(stray) > 5 else "")
        return failed(f"something else was touched: {listed}", expected=list(paths), seen=sorted(stray)[:200])
    return passed("nothing else was touched", expected=list(paths))


def _strays(evidence: Evidence, change: Change, paths: tuple[str, ...], watch: tuple[str, ...]) -> bool:
    if change.kind == "folder" and (change.change == "changed" or any(_leads_to(change.path, path) for path in paths)):
        return False
    if any(path_matches(path, change.path) for path in paths):
        return False
    if _is_state(change) and not any(path_matches(path, change.path) for path in watch):
        return False
    return not (change.change == "changed" and change.kind == "file" and change.kept and _touched_only(evidence, change.path))


def _touched_only(evidence: Evidence, path: str) -> bool:
    """Whether a file was written with the content that it had: an overlay lists it, but nothing came of it."""
    try:
        return _same(evidence.file(path), evidence.before(path))
    except BadArtifact:
        return False


def _is_state(change: Change) -> bool:
    first, _, rest = change.path.partition("/")
    if LOCKS.fullmatch(change.path.rpartition("/")[2]):
        return True
    return first.startswith(".") and (bool(rest) or change.kind == "folder" or first in HISTORIES)


def _leads_to(folder: str, path: str) -> bool:
    """Whether a folder lies on the way to a listed path, patterns included."""
    above = path.split("/")[:-1]
    names = folder.split("/")
    return "**" in above or (len(names) <= len(above) and path_matches("/".join(above[: len(names)]), folder))


def path_matches(pattern: str, path: str) -> bool:
    """Whether a path is the one listed or lies below it."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    says = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.fullmatch("".join(says.get(part, re.escape(part)) for part in parts) + "(?:/.*)?", path, re.DOTALL) is not None


def _listing(evidence: Evidence, folder: str) -> list[str]:
    top = evidence.folder / layout.HOME / folder
    if top.is_symlink() or not top.is_dir():
        raise BadArtifact(f"there is no folder ~/{folder}")
    found: list[str] = []
    for where, folders, names in os.walk(top):
        links = [name for name in folders if os.path.islink(os.path.join(where, name))]
        found += [os.path.relpath(os.path.join(where, name), top) for name in [*names, *links]]
        if len(found) > LISTED:
            raise BadArtifact(f"~/{folder} holds more than {LISTED} files")
    return sorted(found)


def _same(one: Path, other: Path) -> bool:
    if one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as left, other.open("rb") as right:
        while part := left.read(CHUNK):
            if part != right.read(CHUNK):
                return False
    return True
