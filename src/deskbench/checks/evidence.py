"""Reading evidence safely: whatever the agent left, nothing outside the evidence is opened and nothing endless is read."""

from __future__ import annotations

import io
import json
import lzma
import os
import stat
import zipfile
import zlib
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from lxml import etree

from deskbench.core import evidence as layout
from deskbench.core.evidence import Change
from deskbench.core.faults import BadArtifact, CheckFault
from deskbench.core.observation import Box, Element, Window
from deskbench.core.probe import Probe

FILE_LIMIT = 512 << 20
ZIP_LIMIT = 256 << 20
ZIP_MEMBERS = 20_000


def home_path(text: str) -> str:
    """A path below the home, relative and normalised, from `~/x`, `/home/user/x` or `x`; ValueError if it leads out."""
    for prefix in ("~/", layout.HOME_IN_DESKTOP + "/"):
        if text.startswith(prefix):
            text = text[len(prefix) :]
            break
    path = PurePosixPath(os.path.normpath(text))
    if path.is_absolute() or ".." in path.parts or str(path) in (".", "~", ""):
        raise ValueError(f"{text!r} is not a path below the home; write it as ~/Documents/file")
    return str(path)


class Evidence:
    """A folder of evidence, laid out as `core.evidence` draws it. Paths are those of the desktop's home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def changes(self) -> dict[str, Change]:
        """Every path that differs from the start."""
        return {item["path"]: Change(**item) for item in self._json(layout.CHANGES, [])}

    def exists(self, path: str) -> bool:
        """Whether a path was there at the end (as far as the evidence holds it)."""
        return os.path.lexists(self._at(layout.HOME, path))

    def file(self, path: str, limit: int = FILE_LIMIT) -> Path:
        """Where a regular file of the home lies; BadArtifact if there is none, or it is a link, or too large to be read."""
        return self._regular(layout.HOME, path, limit)

    def before(self, path: str, limit: int = FILE_LIMIT) -> Path:
        """The same file as it was at the start; CheckFault if the task named one that never existed."""
        try:
            return self._regular(layout.BEFORE, path, limit)
        except BadArtifact:
            if path not in self.changes:
                return self._regular(layout.HOME, path, limit)
            raise CheckFault(f"~/{path} did not exist at the start, so nothing can be compared with it; mend the task") from None

    def read(self, path: str, limit: int = 64 << 20) -> bytes:
        """The bytes of a file."""
        return self.file(path, limit).read_bytes()

    def text(self, path: str, limit: int = 16 << 20) -> str:
        """A text file; BadArtifact if it is not UTF-8 (a byte-order mark is dropped, UTF-16 with a mark is understood)."""
        data = self.read(path, limit)
        encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            raise BadArtifact(f"~/{path} is not a text file in UTF-8") from error

    def probed(self, probe: Probe, path: str) -> Path:
        """The folder of what a probe wrote about a file; BadArtifact if the application could not read it."""
        self.file(path)
        folder = self.folder / layout.PROBES / probe.name / path
        outcome = self._json(f"{layout.PROBES}/{probe.name}/{path}/probe.json", None)
        if outcome is None:
            raise CheckFault(f"the evidence has no {probe.name} probe of ~/{path}; collect it again")
        if outcome["status"] != 0 or outcome["timed_out"]:
            why = "took too long" if outcome["timed_out"] else f"ended with status {outcome['status']}"
            raise BadArtifact(f"~/{path} could not be read by its application: it {why}")
        return folder / "out"

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """The windows at the end, from back to front."""
        return tuple(Window(**{**item, "box": Box(**item["box"])}) for item in self._json(layout.WINDOWS, []))

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """What the windows showed to assistive technology at the end."""
        items = self._json(layout.ELEMENTS, [])
        return tuple(Element(**{**item, "box": Box(**item["box"]), "states": frozenset(item["states"])}) for item in items)

    @cached_property
    def clipboard(self) -> str | None:
        """The text on the clipboard at the end, or None."""
        try:
            return (self.folder / layout.CLIPBOARD).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    @cached_property
    def processes(self) -> list[dict[str, Any]]:
        """What was running at the end: name, argv and cpu seconds of each process."""
        found: list[dict[str, Any]] = self._json(layout.PROCESSES, [])
        return found

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What the episode says: `answer`, `stop`, `asked`."""
        found: dict[str, Any] = self._json(layout.FACTS, {})
        return found

    def _at(self, part: str, path: str) -> Path:
        return self.folder / part / home_path(path)

    def _regular(self, part: str, path: str, limit: int) -> Path:
        """A path whose every parent is a real folder and which is a real file, so that nothing leads out."""
        at = self._at(part, path)
        step = self.folder / part
        for name in at.relative_to(step).parts:
            step = step / name
            try:
                mode = os.lstat(step).st_mode
            except (FileNotFoundError, NotADirectoryError):
                raise BadArtifact(f"there is no file ~/{path}") from None
            if stat.S_ISLNK(mode):
                raise BadArtifact(f"~/{path} is a link, not a file")
        if not stat.S_ISREG(mode):
            raise BadArtifact(f"~/{path} is not a file")
        size = at.stat().st_size
        if size > limit:
            raise BadArtifact(f"~/{path} has {size / 1e6:.0f} MB, more than the {limit / 1e6:.0f} MB that are read")
        return at

    def _json(self, name: str, default: Any) -> Any:
        try:
            return json.loads((self.folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return default
        except ValueError as error:
            raise CheckFault(f"the evidence file {name} is damaged: {error}") from error


def xml(data: bytes, what: str) -> etree._Element:
    """Parse XML from a stranger: no entities, no network, no external files, no giants."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BadArtifact(f"{what} is not well-formed XML: {error}") from error
    if next((node for node in root.iter() if node.tag is etree.Entity), None) is not None:
        raise BadArtifact(f"{what} uses XML entities, which are not read")
    return root


def open_zip(path: Path, what: str) -> zipfile.ZipFile:
    """Open a zip archive that unpacks to a bounded size; BadArtifact otherwise."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadArtifact(f"{what} is not a readable archive: {error}") from error
    members = archive.infolist()
    whole = sum(member.file_size for member in members)
    if len(members) > ZIP_MEMBERS or whole > ZIP_LIMIT:
        archive.close()
        raise BadArtifact(f"{what} would unpack to {len(members)} files of {whole / 1e6:.0f} MB, more than is read")
    return archive


def zip_member(archive: zipfile.ZipFile, name: str, what: str, limit: int = 64 << 20) -> bytes:
    """One member of an archive, whatever size its header claims."""
    try:
        with archive.open(name) as stream:
            data = stream.read(limit + 1)
    except KeyError:
        raise BadArtifact(f"{what} has no {name} in it") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BadArtifact(f"{name} in {what} is damaged: {error}") from error
    if len(data) > limit:
        raise BadArtifact(f"{name} in {what} unpacks to more than {limit / 1e6:.0f} MB")
    return data


def whole_zip(path: Path, what: str) -> io.BytesIO:
    """A zip archive's bytes after a trial read of every member, for libraries that unpack without a limit of their own."""
    with open_zip(path, what) as archive:
        for member in archive.infolist():
            zip_member(archive, member.filename, what) if not member.is_dir() else None
    return io.BytesIO(path.read_bytes())
