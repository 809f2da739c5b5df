"""Reading a stranger's SQLite file: from a private copy with its journal, within limits of size, time and rows."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from deskbench.checks.evidence import Evidence
from deskbench.core.faults import BadArtifact, CheckFault

_SIZE = 128 << 20
_ROWS = 200_000
_SECONDS = 10.0
_VALUE = 16 << 20


def rows(evidence: Evidence, file: str, query: str, parameters: tuple[Any, ...] = (), *, before: bool = False) -> list[tuple[Any, ...]]:
    """What a query finds in a database of the home, as it is or was `before`; BadArtifact if it is none, has not those tables, or takes too long.

    The copy is opened for writing: only so does SQLite take in what an application left in its write-ahead log or rolled-back journal.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "database")
        look = evidence.before if before else evidence.file
        shutil.copyfile(look(file, _SIZE), copy)
        for suffix in ("-wal", "-journal"):
            with suppress(BadArtifact, CheckFault):  # there is none
                shutil.copyfile(look(file + suffix, _SIZE), f"{copy}{suffix}")
        if copy.stat().st_size == 0 and not Path(f"{copy}-wal").exists():
            raise BadArtifact(f"~/{file} is empty")
        try:
            with closing(sqlite3.connect(copy)) as connection:
                return _ask(connection, query, parameters, file)
        except sqlite3.Error as error:
            raise BadArtifact(f"~/{file} is not a readable database of that kind: {error}") from error


def _ask(connection: sqlite3.Connection, query: str, parameters: tuple[Any, ...], file: str) -> list[tuple[Any, ...]]:
    until = time.monotonic() + _SECONDS
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    # A view or trigger in the file could otherwise call functions of ours, or never end.
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
    found = connection.execute(query, parameters).fetchmany(_ROWS + 1)
    if len(found) > _ROWS:
        raise BadArtifact(f"~/{file} has more than {_ROWS:,} rows, more than are read")
    return found
