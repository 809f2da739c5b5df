"""Messages of a mail folder: a file of many (mbox, as Thunderbird keeps it) or a folder of one file each (Maildir)."""

from __future__ import annotations

import email
import email.errors
import email.header
import email.message
import email.utils
import os
import re
import stat
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from deskbench.checks.evidence import Evidence
from deskbench.checks.mork import Summary, summary
from deskbench.core import evidence as layout
from deskbench.core.faults import BadArtifact

_MESSAGES = 20_000
_FOLDER = 256 << 20
_PARTS = 2_000
_READ, _REPLIED, _STARRED, _EXPUNGED, _FORWARDED = 0x1, 0x2, 0x4, 0x8, 0x1000
_START = re.compile(rb"^From [^\r\n]*\d{4}\r?$", re.MULTILINE)


@dataclass
class Message:
    subject: str
    sender: str
    to: list[str]
    cc: list[str]
    bcc: list[str]
    body: str
    identifier: str
    answers: str
    attachments: dict[str, bytes] = field(default_factory=dict)
    read: bool = False
    starred: bool = False
    tags: set[str] = field(default_factory=set)


def messages(evidence: Evidence, folder: str, part: str = layout.HOME) -> list[Message]:
    """The messages that a mail program would show in a folder. A folder that does not exist has none."""
    at = evidence.folder / part / folder
    mode = _mode(at)
    if stat.S_ISDIR(mode):
        return [message for _, message in maildir(evidence, folder, part)]
    if not mode:
        return []
    path = evidence.file(folder, _FOLDER) if part == layout.HOME else evidence.before(folder, _FOLDER)
    index = folder + ".msf"
    known = _summary(evidence, index) if part == layout.HOME and evidence.exists(index) else None
    return mbox(path.read_bytes(), known, f"~/{folder}")


def _summary(evidence: Evidence, index: str) -> Summary | None:
    try:
        return summary(evidence.read(index, _FOLDER), f"~/{index}")
    except BadArtifact:
        # Thunderbird throws a damaged summary away and reads the folder's file anew; so do we.
        return None


def mbox(data: bytes, known: Summary | None, what: str) -> list[Message]:
    """Messages of one file. A summary counts only if it speaks of this very file: else Thunderbird would make it anew."""
    starts = [found.start() for found in _START.finditer(data)]
    if data.strip() and not starts:
        raise BadArtifact(f"{what} is not a mail folder")
    if len(starts) > _MESSAGES:
        raise BadArtifact(f"{what} has more than {_MESSAGES:,} messages, more than are read")
    current = known if known is not None and known.size == len(data) else None
    found = []
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        cells = current.messages.get(str(start)) if current is not None else {}
        if cells is None:
            continue
        raw = data[data.index(b"\n", start) + 1 : end] if b"\n" in data[start:end] else b""
        parsed = _parsed(re.sub(rb"^>(>*From )", rb"\1", raw, flags=re.MULTILINE), what)
        said = str(parsed.get("X-Mozilla-Status") or "0").strip()
        flags = int(cells.get("flags") or said, 16) if re.fullmatch(r"[0-9a-fA-F]{1,8}", cells.get("flags") or said) else 0
        if not flags & _EXPUNGED:
            message = _message(parsed)
            message.read, message.starred = bool(flags & _READ), bool(flags & _STARRED)
            message.tags = set((cells.get("keywords") or str(parsed.get("X-Mozilla-Keys") or "")).split())
            found.append(message)
    return found


def maildir(evidence: Evidence, folder: str, part: str = layout.HOME) -> list[tuple[str, Message]]:
    """Messages of a Maildir with the names of their files, flags cut off; those marked as trash are left out."""
    found: list[tuple[str, Message]] = []
    size = 0
    for inner in ("cur", "new"):
        at = evidence.folder / part / folder / inner
        for name in sorted(os.listdir(at)) if stat.S_ISDIR(_mode(at)) else []:
            base, _, flags = name.partition(":2,")
            if not stat.S_ISREG(_mode(at / name)) or "T" in flags:
                continue
            size += (at / name).stat().st_size
            if len(found) >= _MESSAGES or size > _FOLDER:
                raise BadArtifact(f"~/{folder} has more messages than are read")
            message = _message(_parsed((at / name).read_bytes(), f"~/{folder}/{inner}/{name}"))
            message.read, message.starred = "S" in flags, "F" in flags
            found.append((base, message))
    return found


def _mode(path: Path) -> int:
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _parsed(data: bytes, what: str) -> email.message.Message:
    try:
        return email.message_from_bytes(data)
    except (RecursionError, ValueError, LookupError) as error:
        raise BadArtifact(f"a message in {what} cannot be read: {error}") from error


def _message(parsed: email.message.Message) -> Message:
    plain, formatted, attachments = "", "", {}
    for count, part in enumerate(parsed.walk()):
        if count > _PARTS:
            raise BadArtifact("a message has more parts than are read")
        if part.is_multipart():
            continue
        data = part.get_payload(decode=True)
        data = data if isinstance(data, bytes) else b""
        name = part.get_filename()
        if name or part.get_content_disposition() == "attachment":
            attachments[_decoded(name or "")] = data
        elif part.get_content_type() == "text/html":
            formatted += _text(part, data)
        elif part.get_content_maintype() == "text":
            plain += _text(part, data)
    body = plain or unescape(re.sub(r"<[^<>]{0,5000}>", "", re.sub(r"(?i)<br\s*/?>|</p>|</div>", "\n", formatted)))
    to, cc, bcc = (_addresses(parsed, name) for name in ("To", "Cc", "Bcc"))
    # A post office keeps the envelope's recipients; who is on it and not in the letter was copied blindly.
    bcc += [one for one in _addresses(parsed, "X-RcptTo") if one not in {*to, *cc, *bcc}]
    return Message(
        subject=_decoded(parsed.get("Subject")),
        sender=_decoded(parsed.get("From")),
        to=to,
        cc=cc,
        bcc=bcc,
        body=body.replace("\r\n", "\n").strip(),
        identifier=str(parsed.get("Message-ID") or "").strip(),
        answers=str(parsed.get("In-Reply-To") or "").strip(),
        attachments=attachments,
    )


def _text(part: email.message.Message, data: bytes) -> str:
    try:
        return data.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _decoded(value: object) -> str:
    """A header's text, encoded words decoded; as it stands where that cannot be done."""
    text = re.sub(r"\r?\n[ \t]", " ", str(value or "")).strip()
    try:
        return str(email.header.make_header(email.header.decode_header(text)))
    except (LookupError, ValueError, email.errors.HeaderParseError):
        return text


def _addresses(parsed: email.message.Message, name: str) -> list[str]:
    found = email.utils.getaddresses([_decoded(value) for value in parsed.get_all(name) or []])
    return [address.casefold() for _, address in found if address]
