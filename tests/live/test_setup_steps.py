"""Setup steps, live: pages on the desktop's own loopback, mail in the inbox, archives, texts; all without a network."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.action import Key, Type
from deskbench.core.faults import DesktopFault
from deskbench.core.ports import Settle
from deskbench.core.task import draw
from deskbench.core.wait import until
from deskbench.episode.prepare import Preparation
from deskbench.pack.job import open_for

pytestmark = pytest.mark.live

WRITTEN: dict[str, Any] = {
    "id": "chromium/pages",
    "level": "L1",
    "domain": "office/web",
    "persona": "clerk",
    "source": "a test",
    "params": {"city": {"one_of": ["Bergen", "Porto"]}},
    "instruction": {"en": "Look at {city}."},
    "checks": [{"files.exists": "~/a"}],
    "procedure": [{"do": "Look", "by": [{"key": "tab"}]}],
}


def prepared(tmp_path: Path, apps: list[str], setup: list[dict[str, Any]]) -> Any:
    task = draw({**WRITTEN, "apps": apps, "setup": setup}, 0)
    desktop = open_for(task.apps)
    try:
        Preparation(desktop, task, lambda name: tmp_path / name).run()
    except BaseException:
        desktop.close()
        raise
    return task, desktop


def test_pages_files_and_texts(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    (site / "index.html").write_text("<title>Ferry times</title><h1>Ferries</h1><a href='sub/two.html'>two</a>")
    (site / "sub" / "two.html").write_text("<title>Second page</title><p>two</p>")
    with zipfile.ZipFile(tmp_path / "papers.zip", "w") as archive:
        archive.writestr("one.txt", "1")
        archive.writestr("inner/two.txt", "2")
    setup: list[dict[str, Any]] = [
        {"unpack": {"papers.zip": "~/Documents/papers"}},
        {"write": {"~/Documents/brief.txt": "Go to {city}.\n"}},
        {"run": ["sh", "-c", "cp Documents/brief.txt copy.txt"]},
        {"wait_until": {"file": "~/copy.txt"}},
        {"serve": "site", "port": 8080},
        {"tab": "http://localhost:8080/"},
        {"tab": "http://localhost:8080/sub/two.html"},
        {"wait_until": {"window": "Second page"}},
        {"wait_until": {"quiet": 0.3}},
    ]
    task, desktop = prepared(tmp_path, ["chromium"], setup)
    with desktop:
        assert desktop.run(["cat", "copy.txt"]).out.decode() == f"Go to {task.values['city']}.\n"
        assert desktop.run(["cat", "Documents/papers/inner/two.txt"]).out == b"2"
        tabs = until(lambda: [e.name for e in desktop.elements().items if e.role == "page tab"], "the tabs", 10, every=0.2)
        assert len(tabs) >= 2 and any("Ferry times" in name for name in tabs), tabs
        assert desktop.collect(tmp_path / "evidence").changes is not None


def test_an_office_has_mail_contacts_appointments_and_a_post_office(tmp_path: Path) -> None:
    (tmp_path / "bill.txt").write_text("12.50")
    setup: list[dict[str, Any]] = [
        {
            "mail": {
                "from": "Rosa Lind <rosa@example.org>",
                "subject": "Bill for {city}",
                "body": "From here:\nFrom the start.",
                "attach": ["bill.txt"],
            }
        },
        {"mail": {"from": "Otto <otto@example.org>", "subject": "Second letter", "body": "Hello."}},
        {"contacts": [{"name": "Rosa Lind", "email": "rosa@example.org", "organisation": "Lind, Sons"}]},
        {"events": [{"title": "Stocktaking", "start": "2031-05-05T09:00:00", "end": "2031-05-05T10:00:00", "location": "Store"}]},
        {"launch": "thunderbird"},
    ]
    task, desktop = prepared(tmp_path, ["thunderbird"], setup)
    with desktop:
        subject = f"Bill for {task.values['city']}"

        def shown() -> bool:
            names = " ".join(f"{e.name} {e.value or ''}" for e in desktop.elements().items)
            return subject in names and "Second letter" in names

        assert until(shown, "both letters to be listed", 15, every=0.3)
        inbox = desktop.run(["cat", ".thunderbird/desk/Mail/mail.example.com/Inbox"]).out.decode()
        assert inbox.count("\nSubject: ") == 2 and subject in inbox and ">From the start" in inbox and "bill.txt" in inbox
        desktop.act(Key(keys=("ctrl", "n")))
        until(lambda: any(window.title.startswith("Write:") for window in desktop.windows()), "the window to write in", 15)
        desktop.settle(Settle(10, 0.5))
        for text, key in (("rosa@example.org", "enter"), ("", "tab"), ("About the bill", "tab"), ("Paid today.", "tab")):
            desktop.act(Type(text=text)) if text else None
            desktop.act(Key(keys=(key,)))
        desktop.act(Key(keys=("ctrl", "enter")))
        until(lambda: desktop.run(["sh", "-c", "ls .post/new/*"]).status == 0, "the letter in the post", 15, every=0.2)
        until(lambda: not any(window.title.startswith("Write:") for window in desktop.windows()), "the window to close", 15)
        desktop.collect(tmp_path / "evidence", [".thunderbird/desk/calendar-data/local.sqlite", ".thunderbird/desk/abook.sqlite"])
    evidence = Evidence(tmp_path / "evidence")
    sent = {"to": ["rosa@example.org"], "bcc": [], "subject": "About the bill", "body": "Paid today.", "count": 1}
    event = {"title": "Stocktaking", "start": "2031-05-05 09:00", "end": "2031-05-05 10:00", "location": "Store"}
    expected: list[tuple[str, dict[str, Any]]] = [
        ("mail.message", {"folder": ".post", **sent}),
        ("mail.message", {"folder": ".thunderbird/desk/Mail/mail.example.com/Sent", **sent}),
        ("mail.contact", {"file": ".thunderbird/desk/abook.sqlite", "name": "Rosa Lind", "fields": {"ORG": "Lind, Sons"}}),
        ("calendar.event", event),
        ("calendar.unchanged", {}),
    ]
    for check, given in expected:
        finding = apply(check, arguments(check, given), evidence)
        assert finding.passed, finding.sentence


def test_a_condition_that_does_not_come_about_is_a_fault_of_ours(tmp_path: Path) -> None:
    with pytest.raises(DesktopFault, match="setup step 1"):
        prepared(tmp_path, ["geany"], [{"wait_until": {"window": "Nowhere", "seconds": 0.5}}])
