"""Browser checks on a profile that Chromium wrote, and on hostile ones."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments, files_named, sqlite_reading
from deskbench.checks.evidence import Evidence
from deskbench.checks.web import PROFILE
from deskbench.core.verdict import Finding

ARTIFACTS = Path(__file__).parent / "artifacts" / "web"


def judge(evidence: Evidence, check: str, **given: Any) -> Finding:
    return apply(check, arguments(check, given), evidence)


@pytest.fixture
def browser(evidence_of: Any) -> Evidence:
    files = {f"{PROFILE}/{path.relative_to(ARTIFACTS)}": path for path in ARTIFACTS.rglob("*") if path.is_file()}
    evidence: Evidence = evidence_of(files)
    return evidence


CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("web.bookmark", {"name": "Wiki", "folder": "Bookmarks bar/Work"}, {"name": "Wiki", "folder": "Bookmarks bar"}),
    ("web.bookmark", {"url": "http://127.0.0.1:8765/wiki/"}, {"url": "http://127.0.0.1:8765/wik"}),
    ("web.bookmark", {"count": 2}, {"count": 1}),
    ("web.bookmarks", {"folder": "Bookmarks bar/Work", "names": ["Wiki"]}, {"folder": "Bookmarks bar/Work", "names": ["Wiki", "Shop"]}),
    ("web.bookmarks", {"folder": "Other bookmarks"}, {"folder": "Work"}),
    ("web.visited", {"url": {"contains": "/wiki"}, "title": "Wiki"}, {"url": {"contains": "/wiki"}, "title": "Shop"}),
    ("web.visited", {"url": {"contains": "/basket"}, "count": 0}, {"count": 0}),
    ("web.downloaded", {"name": "prices.csv", "url": {"contains": ":8765/prices"}}, {"name": "prices.pdf"}),
    ("web.setting", {"key": "bookmark_bar.show_on_all_tabs", "value": True}, {"key": "bookmark_bar.show_on_all_tabs", "value": False}),
    ("web.setting", {"key": "homepage", "text": {"contains": "wiki"}}, {"key": "homepage", "absent": True}),
    ("web.setting", {"key": "no.such.key", "absent": True}, {"key": "no.such.key"}),
    ("web.cookie", {"host": "127.0.0.1", "name": "basket"}, {"host": "127.0.0.1", "name": "session"}),
    ("web.cookie", {"host": "example.org", "present": False}, {"host": "127.0.0.1", "present": False}),
    ("web.tab", {"url": {"contains": "/shop"}, "title": "Shop", "count": 1}, {"url": {"contains": "/basket"}}),
]


@pytest.mark.parametrize(("check", "right", "wrong"), CASES)
def test_right_and_wrong(browser: Evidence, check: str, right: dict[str, Any], wrong: dict[str, Any]) -> None:
    finding = judge(browser, check, **right)
    assert finding.passed, finding
    assert not judge(browser, check, **wrong).passed


def test_recorded_tabs_go_before_the_session(evidence_of: Any) -> None:
    evidence = evidence_of({}, facts={"tabs": [{"url": "http://shop.local/", "title": "Shop"}]})
    assert judge(evidence, "web.tab", url="http://shop.local").passed
    assert not judge(evidence, "web.tab", url="http://wiki.local").passed
    assert not judge(evidence_of({}), "web.tab", url="http://wiki.local").passed


def test_no_bookmarks_file_means_no_bookmarks(evidence_of: Any) -> None:
    evidence = evidence_of({})
    assert judge(evidence, "web.bookmark", count=0).passed
    assert not judge(evidence, "web.bookmark", name="Wiki").passed


def test_other_bookmarks_must_stay(evidence_of: Any) -> None:
    old = json.loads((ARTIFACTS / "Bookmarks").read_text())
    new = json.loads(json.dumps(old))
    new["roots"]["other"]["children"].append({"type": "url", "name": "Extra", "url": "http://x/"})
    file = f"{PROFILE}/Bookmarks"
    evidence = evidence_of({file: json.dumps(new)}, before={file: json.dumps(old)})
    assert judge(evidence, "web.bookmarks_unchanged", **{"except": ["Extra"]}).passed
    assert "'Extra' is new" in judge(evidence, "web.bookmarks_unchanged").sentence
    evidence = evidence_of({file: json.dumps(old)}, before={file: json.dumps(new)})
    assert "gone" in judge(evidence, "web.bookmarks_unchanged").sentence


def test_what_is_only_in_the_write_ahead_log_counts(evidence_of: Any, tmp_path: Path) -> None:
    path = tmp_path / "History"
    shutil.copyfile(ARTIFACTS / "History", path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("INSERT INTO urls (url, title, visit_count, hidden, last_visit_time) VALUES ('http://new/', 'New', 1, 0, 0)")
    connection.commit()
    file = f"{PROFILE}/History"
    evidence = evidence_of({file: path, file + "-wal": Path(f"{path}-wal")})
    connection.close()
    assert judge(evidence, "web.visited", url="http://new").passed


@pytest.mark.timeout(30)
def test_hostile_files_fail(evidence_of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_reading, "_SECONDS", 0.3)
    endless = tmp_path / "endless"
    connection = sqlite3.connect(endless)
    numbers = "WITH RECURSIVE n(url) AS (SELECT 1 UNION ALL SELECT url + 1 FROM n) SELECT url, url AS title, 1 AS visit_count"
    connection.execute(f"CREATE VIEW urls AS {numbers}, 1 AS hidden, 0 AS last_visit_time FROM n")
    connection.commit()
    connection.close()
    for content in (b"", b"x" * 5000, (ARTIFACTS / "History").read_bytes()[:9000], endless):
        assert not judge(evidence_of({f"{PROFILE}/History": content}), "web.visited", url="http://x").passed
    deep = b'{"roots":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    for content in (b"", b"[]", b"{}", deep, b'{"roots": {"bar": {"type": "folder", "children": [1, null]}}}'):
        assert not judge(evidence_of({f"{PROFILE}/Bookmarks": content}), "web.bookmark", name="x").passed
        assert not judge(evidence_of({f"{PROFILE}/Preferences": content}), "web.setting", key="a.b").passed
    for content in (b"", b"SNSS\x03\0\0\0\xff\xff\x06", b"SNSS\x03\0\0\0" + b"\x15\x00\x06" + b"\xff" * 20):
        assert not judge(evidence_of({f"{PROFILE}/Sessions/Session_1": content}), "web.tab", title="x").passed


def test_the_profile_belongs_to_the_evidence() -> None:
    assert files_named(arguments("web.bookmark", {"name": "Wiki"})) == {f"{PROFILE}/Bookmarks"}
