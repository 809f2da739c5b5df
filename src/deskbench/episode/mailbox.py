"""What a mail program has before anybody sits down at it: letters in the inbox, people in the address book, appointments in the calendar.

Pure functions from bytes to bytes, in the formats that Thunderbird keeps.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC
from email.message import EmailMessage
from pathlib import Path, PurePosixPath
from uuid import UUID, uuid5
from zlib import crc32

from deskbench.core.steps import Event, Letter, Person

DESK = UUID("6f1d5b5e-3f0e-4b60-9a55-0d6f3c1b7a10")
"""What identifiers of people and appointments are derived from, so that they are the same in every run."""

ADDRESS_BOOK = """
CREATE TABLE IF NOT EXISTS properties (card TEXT, name TEXT, value TEXT);
CREATE TABLE IF NOT EXISTS lists (uid TEXT PRIMARY KEY, name TEXT, nickName TEXT, description TEXT);
CREATE TABLE IF NOT EXISTS list_cards (list TEXT, card TEXT, PRIMARY KEY(list, card));
CREATE INDEX IF NOT EXISTS properties_card ON properties(card);
CREATE INDEX IF NOT EXISTS properties_name ON properties(name);
PRAGMA user_version = 4;
"""


def with_letter(inbox: bytes, letter: Letter, asset: Callable[[str], Path]) -> bytes:
    """A mailbox file with one letter more."""
    message = EmailMessage()
    for name, value in (("From", letter.from_), ("To", letter.to), ("Subject", letter.subject), ("Date", letter.date)):
        message[name] = value
    message["Message-ID"] = f"<{crc32(letter.model_dump_json().encode()):x}@desk.example>"
    message.set_content(letter.body)
    for name in letter.attach:
        message.add_attachment(asset(name).read_bytes(), maintype="application", subtype="octet-stream", filename=PurePosixPath(name).name)
    body = message.as_bytes().replace(b"\nFrom ", b"\n>From ")
    return inbox + b"From - Mon Mar  2 09:00:00 2026\nX-Mozilla-Status: 0000\n" + body + b"\n\n"


def with_people(book: bytes, people: Iterable[Person]) -> bytes:
    """An address book with people more; an empty one is made."""
    with _database(book) as (connection, changed):
        connection.executescript(ADDRESS_BOOK)
        for person in people:
            uid = str(uuid5(DESK, person.email))
            lines = ["BEGIN:VCARD", "VERSION:4.0", f"FN:{_escaped(person.name)}", f"EMAIL;PREF=1:{person.email}"]
            lines += [f"ORG:{_escaped(person.organisation)}"] if person.organisation else []
            lines += [f"TITLE:{_escaped(person.role)}"] if person.role else []
            lines += [f"TEL;VALUE=TEXT:{person.phone}"] if person.phone else []
            card = "\r\n".join([*lines, f"UID:{uid}", "END:VCARD", ""])
            said = {
                "DisplayName": person.name,
                "PrimaryEmail": person.email,
                "LastModifiedDate": "1772442000",
                "PopularityIndex": "0",
                "_vCard": card,
            }
            connection.executemany("INSERT INTO properties VALUES (?, ?, ?)", [(uid, name, value) for name, value in said.items()])
        return changed()


def with_events(calendar: bytes, calendar_id: str, events: Sequence[Event]) -> bytes:
    """A calendar file of Thunderbird, which must be there already, with appointments more."""
    with _database(calendar) as (connection, changed):
        for event in events:
            uid = str(uuid5(DESK, f"{event.title} {event.start}"))
            start, end = (int(when.replace(tzinfo=UTC).timestamp()) * 1_000_000 for when in (event.start, event.end))
            connection.execute(
                "INSERT INTO cal_events (cal_id, id, time_created, last_modified, title, flags, event_start, event_end, event_stamp, event_start_tz,"
                " event_end_tz) VALUES (?, ?, ?, ?, ?, 4, ?, ?, ?, 'UTC', 'UTC')",
                (calendar_id, uid, start, start, event.title, start, end, start),
            )
            if event.location:
                connection.execute(
                    "INSERT INTO cal_properties (item_id, key, value, cal_id) VALUES (?, 'LOCATION', ?, ?)", (uid, event.location, calendar_id)
                )
        return changed()


@contextmanager
def _database(data: bytes) -> Iterator[tuple[sqlite3.Connection, Callable[[], bytes]]]:
    """A database to change, and what gives its bytes afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "database")
        file.write_bytes(data)
        with closing(sqlite3.connect(file)) as connection:

            def changed() -> bytes:
                connection.commit()
                connection.execute("PRAGMA journal_mode = DELETE")
                return file.read_bytes()

            yield connection, changed


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")
