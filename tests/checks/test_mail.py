"""Mail checks on a profile that Thunderbird wrote, on a Maildir, and on hostile files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments, files_named
from deskbench.checks.evidence import Evidence
from deskbench.checks.mork import summary
from deskbench.core.verdict import Finding

ARTIFACTS = Path(__file__).parent / "artifacts" / "mail"
LOCAL = ".thunderbird/p/Mail/Local Folders"
FILES = {f"{LOCAL}/{name}": ARTIFACTS / name for name in ("Inbox", "Inbox.msf", "Drafts", "Drafts.msf", "msgFilterRules.dat")}
FILES |= {"abook.sqlite": ARTIFACTS / "abook.sqlite", "totals.csv": ARTIFACTS / "totals.csv"}


def judge(evidence: Evidence, check: str, **given: Any) -> Finding:
    return apply(check, arguments(check, given), evidence)


DRAFT = {"folder": f"{LOCAL}/Drafts"}
INBOX = {"folder": f"{LOCAL}/Inbox"}
RULES = {"file": f"{LOCAL}/msgFilterRules.dat"}
BOOK = {"file": "abook.sqlite"}
CASES: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("mail.message", DRAFT, {"subject": "Summe für März", "to": ["bob@shop.local", "Finance@desk.local"]}, {"to": ["finance@desk.local"]}),
    ("mail.message", DRAFT, {"body": {"contains": "3564"}, "cc": ["eve@desk.local"], "bcc": []}, {"body": {"contains": "3546"}}),
    ("mail.message", DRAFT, {"attachments": ["totals.csv"], "attached": ["~/totals.csv"]}, {"attachments": []}),
    ("mail.message", DRAFT, {"from": {"contains": "Ada"}}, {"from": "bob@shop.local"}),
    (
        "mail.message",
        INBOX,
        {"subject": "Invoice 12", "from": "bob@shop.local", "read": True, "starred": True},
        {"subject": "Invoice 12", "read": False},
    ),
    ("mail.message", INBOX, {"subject": "Invoice 12", "tags": ["$label1"]}, {"subject": "Grüße", "tags": ["$label1"]}),
    ("mail.message", INBOX, {"subject": "Grüße", "read": False, "starred": False}, {"subject": "Gruesse"}),
    ("mail.message", INBOX, {"body": {"contains": ">From here on"}}, {"body": {"contains": ">>From here on"}}),
    ("mail.message", INBOX, {"subject": "Lunch", "count": 0}, {"subject": "Lunch"}),
    ("mail.message", INBOX, {"count": 2}, {"count": 3}),
    ("mail.filter", RULES, {"name": "Invoices", "conditions": [["subject", "contains", "invoice"]]}, {"name": "Invoices", "conditions": []}),
    ("mail.filter", RULES, {"actions": {"Move to folder": "Invoices"}}, {"actions": {"Move to folder": "Bills"}}),
    ("mail.filter", RULES, {"name": "Star Bob", "enabled": False, "actions": {"Mark flagged": None}}, {"name": "Star Bob"}),
    ("mail.filter", RULES, {"count": 2}, {"count": 1}),
    ("mail.contact", BOOK, {"name": "Bob Builder", "email": "BOB@shop.local", "fields": {"tel": "555-1"}}, {"name": "Bob Builder", "email": "bob@x"}),
    ("mail.contact", BOOK, {"name": "Eve", "count": 0}, {"name": "Eve"}),
    ("mail.contact_list", BOOK, {"name": "Payments", "members": ["bob@shop.local", "finance@desk.local"]}, {"name": "Payments", "members": []}),
    ("mail.contact_list", BOOK, {"name": "Payments"}, {"name": "Friends"}),
]


@pytest.mark.parametrize(("check", "where", "right", "wrong"), CASES)
def test_right_and_wrong(evidence_of: Any, check: str, where: dict[str, Any], right: dict[str, Any], wrong: dict[str, Any]) -> None:
    evidence = evidence_of(FILES)
    finding = judge(evidence, check, **where, **right)
    assert finding.passed, finding
    assert not judge(evidence, check, **where, **wrong).passed


def test_an_attachment_of_other_content_is_not_the_file(evidence_of: Any) -> None:
    evidence = evidence_of({**FILES, "totals.csv": b"region,total\nNorth,3546\n"})
    assert "as it is" in judge(evidence, "mail.message", **DRAFT, attached=["~/totals.csv"]).sentence
    assert files_named(arguments("mail.message", {**DRAFT, "attached": ["~/totals.csv"]})) == {"totals.csv", f"{LOCAL}/Drafts"}


def test_an_outdated_summary_does_not_hide_messages(evidence_of: Any) -> None:
    more = (ARTIFACTS / "Inbox").read_bytes() + b"From - Sun Nov 15 22:41:02 2026\nSubject: Fresh\n\nNew\n\n"
    evidence = evidence_of({**FILES, f"{LOCAL}/Inbox": more})
    assert judge(evidence, "mail.message", **INBOX, subject="Fresh").passed


def test_the_summary_lists_what_is_left() -> None:
    found = summary((ARTIFACTS / "Inbox.msf").read_bytes(), "it")
    assert [cells["subject"] for cells in found.messages.values()] == ["Invoice 12", "=?utf-8?B?R3LDvMOfZQ==?="]
    assert found.size == (ARTIFACTS / "Inbox").stat().st_size


def test_messages_that_went_missing_are_named(evidence_of: Any) -> None:
    inbox = f"{LOCAL}/Inbox"
    evidence = evidence_of(FILES, before={inbox: ARTIFACTS / "Inbox"})
    assert "'Lunch' is gone" in judge(evidence, "mail.unchanged", folder=inbox).sentence
    assert judge(evidence, "mail.unchanged", folder=inbox, **{"except": ["Lunch"]}).passed


def test_a_maildir(evidence_of: Any) -> None:
    one = b"Subject: One\r\nTo: a@x, b@x\r\nContent-Type: text/html\r\n\r\n<p>Hi &amp; bye</p>"
    files = {"Maildir/cur/1.x:2,FS": one, "Maildir/new/2.x": b"Subject: Two\n\nText", "Maildir/cur/3.x:2,T": b"Subject: Trash\n\n"}
    before = {"Maildir/new/1.x": one, "Maildir/cur/4.x:2,S": b"Subject: Four\n\n"}
    evidence = evidence_of(files, before=before)
    assert judge(evidence, "mail.message", folder="Maildir", subject="One", body="Hi & bye", read=True, starred=True, to=["b@x", "a@x"]).passed
    assert judge(evidence, "mail.message", folder="Maildir", subject="Two", read=False).passed
    assert judge(evidence, "mail.message", folder="Maildir", count=2).passed
    assert "'Four' is gone" in judge(evidence, "mail.unchanged", folder="Maildir").sentence
    assert judge(evidence, "mail.unchanged", folder="Maildir", **{"except": ["Four"]}).passed


def test_a_folder_that_is_not_there_has_no_messages(evidence_of: Any) -> None:
    evidence = evidence_of({})
    assert judge(evidence, "mail.message", folder="Sent", count=0).passed
    assert not judge(evidence, "mail.message", folder="Sent", subject="x").passed


@pytest.mark.timeout(30)
def test_hostile_files_fail(evidence_of: Any) -> None:
    start = b"From - Sun Nov 15 22:41:02 2026\n"
    nested = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (depth, depth) for depth in range(3000))
    charset = b"Subject: =?nonsense?B?eA==?= =?utf-8?B?\xff?=\nContent-Type: text/plain; charset=nonsense\n\nx"
    for content in (b"just text", start, start + b"\0" * 1000, start + nested, start + charset):
        assert not judge(evidence_of({"Inbox": content}), "mail.message", folder="Inbox", subject="Wanted").passed
    for index in (b"", b'// <!-- <mdb:mork:z v="1.4"/> -->\n' + b"{" * 5000 + b"(" * 5000 + b"<" * 5000):
        evidence = evidence_of({"Inbox": start + b"Subject: x\n\n", "Inbox.msf": index})
        assert not judge(evidence, "mail.message", folder="Inbox", subject="Wanted").passed
    assert not judge(evidence_of({"a": b"\xff\xfe\0"}), "mail.filter", file="a", name="x").passed
    assert not judge(evidence_of({"a": b"x" * 100}), "mail.contact", file="a", name="x").passed


def test_a_link_out_of_the_home_is_not_followed(evidence_of: Any, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("From - Sun Nov 15 22:41:02 2026\nSubject: Secret\n\n")
    evidence = evidence_of({"Maildir/cur/1": b"Subject: One\n\n"})
    (evidence.folder / "home" / "Maildir" / "cur" / "2").symlink_to(tmp_path / "secret")
    (evidence.folder / "home" / "Inbox").symlink_to(tmp_path / "secret")
    assert not judge(evidence, "mail.message", folder="Maildir", subject="Secret").passed
    assert not judge(evidence, "mail.message", folder="Inbox", subject="Secret").passed
