"""Archives: zip, and tar plain or compressed by gzip, bzip2 or xz. Nothing is ever unpacked to disk.

    - archive.members: {file: ~/site.zip, names: [index.html, "img/*.png"], only: true}
    - archive.content: {file: ~/site.zip, member: index.html, same_as: ~/site/index.html}
    - archive.content: {file: ~/logs.tar.gz, member: app.log, text: {contains: started}}
    - archive.format: {file: ~/logs.tar.gz, format: tar.gz}

`same_as` compares with the file as it was at the start, or as it was left if the agent made it. `strip` drops that many leading folders
from members' names, and `strip: any` all that all of them share. Names that lead out of the folder of unpacking make an archive unreadable.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import FileIO, RawIOBase
from pathlib import Path
from typing import BinaryIO, Literal, cast

from deskbench.checks.comparison import Comparison, reference
from deskbench.checks.evidence import ZIP_LIMIT, ZIP_MEMBERS, Evidence, open_zip, zip_member
from deskbench.checks.expect import HomePath, Num, Txt
from deskbench.checks.files import path_matches
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

Strip = int | Literal["any"]
MEMBER_LIMIT = 64 << 20
SIGNATURES = {b"PK": "zip", b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ": "xz"}
BROKEN = (tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, OverflowError)


@dataclass(frozen=True)
class Contents:
    """What an archive holds: its files' sizes by name, and one file's bytes on demand."""

    format: str
    sizes: dict[str, int]
    encrypted: bool
    read: Callable[[str], bytes]


def members(
    evidence: Evidence, *, file: HomePath, names: tuple[str, ...] = (), only: bool = True, count: Num | None = None, strip: Strip = 0
) -> Finding:
    """The files in an archive: each name (or pattern) is met, with `only` there is nothing else. Without names, it is not empty."""
    contents = _open(evidence.file(file), file)
    there = sorted(_stripped(contents, strip))
    missing = [name for name in names if not any(path_matches(name, one) for one in there)]
    extra = [one for one in there if not any(path_matches(name, one) for name in names)] if only and names else []
    wrongs = [f"{name} is missing" for name in missing] + [f"{one} should not be there" for one in extra]
    if not there and count is None:
        wrongs.append("it is empty")
    if count is not None and not count.holds(len(there)):
        wrongs.append(f"it holds {len(there)} files, not {count}")
    if wrongs:
        return failed(f"~/{file} does not hold what it should: {'; '.join(wrongs[:6])}", expected=list(names), seen=there[:200])
    return passed(f"~/{file} holds what it should", expected=list(names), seen=there[:200])


def content(
    evidence: Evidence, *, file: HomePath, member: str, same_as: HomePath | None = None, text: Txt | None = None, strip: Strip = 0
) -> Finding:
    """One file in an archive: the bytes of another file, or a text. With neither, it has some content."""
    contents = _open(evidence.file(file), file)
    name = _stripped(contents, strip).get(member)
    if name is None:
        return failed(f"~/{file} has no {member} in it", expected=member, seen=sorted(contents.sizes)[:200])
    data = contents.read(name)
    compared = Comparison(f"{member} in ~/{file}")
    if same_as is None and text is None:
        compared.holds("content", "some", "empty", bool(data))
    if same_as is not None:
        other = reference(evidence, same_as)
        compared.holds("content", f"that of ~/{same_as}", "different", other.stat().st_size == len(data) and other.read_bytes() == data)
    if text is not None:
        compared.text("text", text, data.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n"))
    return compared.finding()


def format(
    evidence: Evidence,
    *,
    file: HomePath,
    format: Literal["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"] | None = None,
    encrypted: bool | None = None,
) -> Finding:
    """What kind of archive it really is, whatever its name says; at least a readable one."""
    contents = _open(evidence.file(file), file)
    compared = Comparison(f"~/{file}")
    compared.value("format", format, contents.format)
    compared.value("being encrypted", encrypted, contents.encrypted)
    return compared.finding()


def _stripped(contents: Contents, strip: Strip) -> dict[str, str]:
    """Members' names without leading folders, with the real names."""
    parts = {name: name.split("/") for name in contents.sizes}
    if strip == "any":
        strip = 0
        while parts and all(len(names) > strip + 1 for names in parts.values()) and len({names[strip] for names in parts.values()}) == 1:
            strip += 1
    return {"/".join(names[strip:]): name for name, names in parts.items() if len(names) > strip}


def _open(path: Path, file: str) -> Contents:
    with path.open("rb") as stream:
        head = stream.read(6)
    kind = next((kind for signature, kind in SIGNATURES.items() if head.startswith(signature)), "tar")
    if kind != "zip":
        return _open_tar(path, f"~/{file}", kind)
    try:
        return _open_zip(path, f"~/{file}")
    except NotImplementedError as error:
        raise BadArtifact(f"~/{file} is not a readable archive: {error}") from error


def _open_zip(path: Path, what: str) -> Contents:
    with open_zip(path, what) as archive:
        sizes = {_safe(item.filename, what): item.file_size for item in archive.infolist() if not item.is_dir()}
        original = {_safe(item.filename, what): item.filename for item in archive.infolist()}
        encrypted = any(item.flag_bits & 1 for item in archive.infolist())

    def read(name: str) -> bytes:
        try:
            with open_zip(path, what) as archive:
                return zip_member(archive, original[name], what, MEMBER_LIMIT)
        except (zlib.error, lzma.LZMAError) as error:
            raise BadArtifact(f"{name} in {what} is damaged: {error}") from error

    return Contents("zip", sizes, encrypted, read)


def _open_tar(path: Path, what: str, kind: str) -> Contents:
    sizes: dict[str, int] = {}
    try:
        with _tar(path, what, kind) as archive:
            for item in archive:
                if not item.isdir():
                    sizes[_safe(item.name, what)] = item.size if item.isfile() else -1
                if len(sizes) > ZIP_MEMBERS:
                    raise BadArtifact(f"{what} holds more than {ZIP_MEMBERS} files")
    except BROKEN as error:
        raise BadArtifact(f"{what} is not a readable archive: {error}") from error

    def read(name: str) -> bytes:
        with _tar(path, what, kind) as archive:
            for item in archive:
                if item.isfile() and item.size <= MEMBER_LIMIT and _safe(item.name, what) == name:
                    stream = archive.extractfile(item)
                    return stream.read() if stream is not None else b""
        raise BadArtifact(f"{name} in {what} is a link, or too large to be read")

    return Contents("tar" if kind == "tar" else f"tar.{kind}", sizes, False, read)


@contextmanager
def _tar(path: Path, what: str, kind: str) -> Iterator[tarfile.TarFile]:
    unpacked: dict[str, Callable[[Path], object]] = {"gz": gzip.GzipFile, "bz2": bz2.BZ2File, "xz": lzma.LZMAFile, "tar": FileIO}
    stream = _Bounded(cast(BinaryIO, unpacked[kind](path)), what)
    # A stream ("r|") is read forwards only, so that its bound is a bound on work as well.
    with closing(stream), tarfile.open(fileobj=cast(BinaryIO, stream), mode="r|") as archive:
        yield archive


class _Bounded(RawIOBase):
    """A stream that refuses to give more than a decompressed archive may have."""

    def __init__(self, stream: BinaryIO, what: str) -> None:
        self._stream, self._what, self._left = stream, what, ZIP_LIMIT

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            self._stream.close()
            raise BadArtifact(f"{self._what} would unpack to more than {ZIP_LIMIT / 1e6:.0f} MB, more than is read")
        return data

    def close(self) -> None:
        self._stream.close()
        super().close()


def _safe(name: str, what: str) -> str:
    plain = name.replace("\\", "/")
    if plain.startswith("/") or ".." in plain.split("/") or plain[1:2] == ":":
        raise BadArtifact(f"{what} has a member that leads out of its folder: {name[:200]!r}")
    return "/".join(part for part in plain.split("/") if part not in ("", "."))
