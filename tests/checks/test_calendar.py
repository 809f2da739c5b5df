"""The calendar's checks, on a database of the tables that Thunderbird uses."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.calendar import FILE
from deskbench.checks.evidence import Evidence
from deskbench.core.steps import Event
from deskbench.episode.mailbox import with_events

MEETING = Event(title="Budget review", start=datetime(2027, 3, 5, 14), end=datetime(2027, 3, 5, 15, 30), location="Room 2")
LUNCH = Event(title="Lunch", start=datetime(2027, 3, 5, 12), end=datetime(2027, 3, 5, 13))


def calendar(tmp_path: Path, *events: Event) -> bytes:
    file = tmp_path / "empty.sqlite"
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            "CREATE TABLE cal_events (cal_id, id, time_created, last_modified, title, priority, privacy, ical_status, flags, event_start, event_end,"
            " event_stamp, event_start_tz, event_end_tz); CREATE TABLE cal_properties (item_id, key, value, recurrence_id, recurrence_id_tz, cal_id);"
        )
    return with_events(file.read_bytes(), "work", events)


@pytest.mark.parametrize(
    ("given", "holds"),
    [
        ({"title": "Budget review", "start": "2027-03-05 14:00", "end": "2027-03-05 15:30", "location": "Room 2"}, True),
        ({"title": "Budget review", "start": "2027-03-05 15:00"}, False),
        ({"title": "Budget review", "end": "2027-03-05 15:00"}, False),
        ({"title": "Budget review", "location": {"contains": "Hall"}}, False),
        ({"title": "Dinner"}, False),
        ({"title": "Dinner", "count": 0}, True),
        ({"count": 2}, True),
        ({"count": 3}, False),
    ],
)
def test_an_appointment_is_found_by_what_is_said_of_it(
    tmp_path: Path, evidence_of: Callable[..., Evidence], given: dict[str, Any], holds: bool
) -> None:
    evidence = evidence_of({FILE: calendar(tmp_path, MEETING, LUNCH)})
    assert apply("calendar.event", arguments("calendar.event", given), evidence).passed is holds


@pytest.mark.parametrize(
    ("after", "excepted", "said"),
    [
        ((MEETING, LUNCH), (), "as they were"),
        ((MEETING,), (), "'Lunch' was changed: it is gone"),
        ((MEETING, LUNCH, Event(title="Dinner", start=LUNCH.start, end=LUNCH.end)), (), "'Dinner' is new"),
        ((MEETING, LUNCH, Event(title="Dinner", start=LUNCH.start, end=LUNCH.end)), ("Dinner",), "as they were"),
        ((MEETING.model_copy(update={"location": "Hall"}), LUNCH), (), "'Budget review' was changed: it is {"),
    ],
)
def test_what_else_the_calendar_had_is_compared(
    tmp_path: Path, evidence_of: Callable[..., Evidence], after: tuple[Event, ...], excepted: tuple[str, ...], said: str
) -> None:
    evidence = evidence_of({FILE: calendar(tmp_path, *after)}, before={FILE: calendar(tmp_path, MEETING, LUNCH)})
    assert said in apply("calendar.unchanged", arguments("calendar.unchanged", {"except": list(excepted)}), evidence).sentence


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\x00" + b"\xff" * 200])
def test_what_is_no_calendar_fails_with_a_sentence(evidence_of: Callable[..., Evidence], data: bytes) -> None:
    finding = apply("calendar.event", arguments("calendar.event", {"title": "x"}), evidence_of({FILE: data}))
    assert not finding.passed and FILE in finding.sentence
