"""The calendar of a mail program: appointments in the file in which Thunderbird keeps them.

- calendar.event: {title: Budget review, start: "2027-03-05 14:00", end: "2027-03-05 15:30", location: {contains: Room 2}}
- calendar.unchanged: {except: [Budget review]}

Times are the desktop's own, which is UTC.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Txt
from deskbench.checks.sqlite_reading import rows
from deskbench.core.verdict import Finding, failed, passed

FILE = ".thunderbird/desk/calendar-data/local.sqlite"
_QUERY = """SELECT events.title, events.event_start, events.event_end, coalesce(places.value, ''), events.id FROM cal_events AS events
LEFT JOIN cal_properties AS places ON places.item_id = events.id AND places.key = 'LOCATION'"""
_FORMAT = "%Y-%m-%d %H:%M"
_MICROSECONDS = 1_000_000


@dataclass(frozen=True)
class _Event:
    title: str
    start: str
    end: str
    location: str
    id: str


def event(
    evidence: Evidence,
    *,
    title: Txt | None = None,
    start: str | None = None,
    end: str | None = None,
    location: Txt | None = None,
    count: Num | None = None,
    file: HomePath = FILE,
) -> Finding:
    """Appointments that are as said: at least one, or as many as `count` says (0: none is left)."""
    events = _events(evidence, file)
    found = [
        one
        for one in events
        if (title is None or title.holds(one.title))
        and (start is None or one.start == start)
        and (end is None or one.end == end)
        and (location is None or location.holds(one.location))
    ]
    seen = [{"title": one.title, "start": one.start, "end": one.end, "location": one.location} for one in events[:50]]
    if count is not None:
        told = f"the calendar has {len(found)} such appointments"
        return passed(told, seen=seen) if count.holds(len(found)) else failed(f"{told}, not {count}", expected=str(count), seen=seen)
    return passed("the calendar has such an appointment", seen=seen) if found else failed("the calendar has no such appointment", seen=seen)


def unchanged(evidence: Evidence, *, except_: Annotated[tuple[str, ...], Field(alias="except")] = (), file: HomePath = FILE) -> Finding:
    """Every appointment is as it was at the start and none came, those with an excepted title aside."""
    before, after = ({one.id: one for one in _events(evidence, file, then) if one.title not in except_} for then in (True, False))
    for name, one in before.items():
        if after.get(name) != one:
            now = f"is {asdict(after[name])}" if name in after else "is gone"
            return failed(f"the appointment {one.title!r} was changed: it {now}", seen=now)
    new = [one.title for name, one in after.items() if name not in before]
    return failed(f"the appointment {new[0]!r} is new", seen=new) if new else passed("the other appointments are as they were")


def _events(evidence: Evidence, file: str, before: bool = False) -> list[_Event]:
    return [
        _Event(str(title or ""), _when(start), _when(end), str(location), str(uid))
        for title, start, end, location, uid in rows(evidence, file, _QUERY, before=before)
    ]


def _when(microseconds: object) -> str:
    """A moment as the desktop's clock shows it; what no calendar can hold is shown as it stands."""
    try:
        return datetime.fromtimestamp(int(str(microseconds)) / _MICROSECONDS, UTC).strftime(_FORMAT)
    except (ValueError, OverflowError, OSError):
        return str(microseconds)
