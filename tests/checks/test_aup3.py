"""The checks of Audacity projects, on projects saved by Audacity 3.2, one of them copied while it was open."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

HERE = Path(__file__).parent / "artifacts"
NEAR = 0.01


def project(name: str, at: str = "~/show") -> dict[str, bytes]:
    """A project and its write-ahead log, if it has one, as Audacity left them on disk."""
    parts = {suffix: HERE / "aup3" / f"{name}.{suffix}.gz" for suffix in ("aup3", "aup3-wal")}
    return {f"{at}.{suffix}": gzip.decompress(path.read_bytes()) for suffix, path in parts.items() if path.exists()}


@pytest.fixture
def arranged(evidence_of: Callable[..., Evidence]) -> Evidence:
    sounds = {f"~/{name}.wav": HERE / "audio" / f"{name}.wav" for name in ("source", "jingle")}
    return evidence_of(project("arranged"), before=project("plain"), unchanged=sounds)


def check(evidence: Evidence, check_name: str, **given: Any) -> Finding:
    if "except_" in given:
        given["except"] = given.pop("except_")
    return apply(check_name, arguments(check_name, {"file": "~/show.aup3", **given}), evidence)


@pytest.mark.parametrize(
    ("name", "given", "right"),
    [
        ("aup3.project", {}, True),
        ("aup3.project", {"rate": 8000, "tracks": 2, "label_tracks": 1, "seconds": {"is": 5.25, "within": NEAR}}, True),
        ("aup3.project", {"rate": 44100}, False),
        ("aup3.project", {"tracks": 3}, False),
        ("aup3.track", {"name": "Voice", "gain_db": {"is": -6, "within": 0.01}, "pan": -0.5, "mute": False, "clips": 2, "channels": 1}, True),
        ("aup3.track", {"name": "Voice", "clips": 1}, False),
        ("aup3.track", {"name": "Voice", "gain_db": {"is": 0, "within": 0.1}}, False),
        ("aup3.track", {"name": "Jingle", "solo": True, "start": {"is": 4.25, "within": NEAR}, "end": {"is": 5.25, "within": NEAR}}, True),
        ("aup3.track", {"name": "Jingle", "mute": True}, False),
        ("aup3.track", {"name": "jingle"}, False),
        ("aup3.tracks", {"names": ["Voice", "Jingle"]}, True),
        ("aup3.tracks", {"names": ["Jingle", "Voice"]}, False),
        ("aup3.tracks", {"names": ["Voice"]}, False),
        ("aup3.no_track", {"name": "Scratch"}, True),
        ("aup3.no_track", {"name": "Voice"}, False),
        ("aup3.clip", {"track": "Jingle", "start": {"is": 4.25, "within": NEAR}, "seconds": {"is": 1, "within": NEAR}}, True),
        ("aup3.clip", {"track": "Voice", "start": {"is": 2.3, "within": NEAR}, "seconds": {"is": 1.7, "within": NEAR}}, True),
        ("aup3.clip", {"track": "Voice", "seconds": {"is": 4, "within": NEAR}}, False),
        ("aup3.label", {"text": "Intro", "start": 0, "end": 1}, True),
        ("aup3.label", {"text": "Intro", "start": 2}, False),
        ("aup3.label", {"text": "Outro"}, False),
        ("aup3.labels", {"texts": ["Intro", "Question 1"]}, True),
        ("aup3.labels", {"texts": ["Intro"]}, False),
        ("aup3.tags", {"tags": {"TITLE": "x"}}, False),
    ],
)
def test_arrangement(arranged: Evidence, name: str, given: dict[str, Any], right: bool) -> None:
    finding = check(arranged, name, **given)
    assert finding.passed is right, finding.sentence


def test_what_a_track_sounds_like(evidence_of: Callable[..., Evidence], arranged: Evidence) -> None:
    sounds = {"~/source.wav": HERE / "audio" / "source.wav"}
    fade = {"track": "Voice", "way": "out", "of": "source.wav", "seconds": {"is": 1, "within": 0.1}}
    assert check(evidence_of(project("faded"), unchanged=sounds), "audio.fade", **fade).passed
    assert not check(evidence_of(project("plain"), unchanged=sounds), "audio.fade", **fade).passed
    assert check(
        evidence_of(project("plain"), unchanged=sounds), "audio.same", track="Voice", of="source.wav", gain_db={"is": 0, "within": 0.01}
    ).passed
    assert check(arranged, "audio.silent", track="Voice", start=1.55, end=2.25, below_db=-90).passed, "the deleted middle"
    assert check(arranged, "audio.contains", track="Jingle", sound="jingle.wav", at={"is": 4.25, "within": 0.01}).passed
    assert check(arranged, "audio.level", track="Voice", start=0, end=1.5, db={"is": -24.9, "within": 0.5}).passed, "halved by its envelope"
    assert not check(arranged, "audio.peak", track="Nobody", db={"at_most": 0}).passed


def test_the_mix_honours_solo_and_mute(arranged: Evidence, evidence_of: Callable[..., Evidence]) -> None:
    assert check(arranged, "audio.silent", start=0, end=4, below_db=-90).passed, "only the soloed jingle is heard"
    plain = evidence_of(project("plain"), unchanged={"~/jingle.wav": HERE / "audio" / "jingle.wav"})
    assert not check(plain, "audio.contains", sound="jingle.wav").passed, "the jingle is muted"
    assert check(plain, "audio.balance", db={"is": 6.02, "within": 0.1}).passed, "the voice is panned half to the left"


def test_only_what_was_saved_counts_while_the_project_is_open(evidence_of: Callable[..., Evidence]) -> None:
    evidence = evidence_of(project("open"))
    assert check(evidence, "aup3.track", name="Voice", clips=2).passed
    assert check(evidence, "audio.sounds", track="Voice", start=2.35, end=2.75).passed, "the unsaved silence is not in it"


def test_the_log_of_an_open_project_is_read_along(evidence_of: Callable[..., Evidence], tmp_path: Path) -> None:
    path = tmp_path / "open.aup3"
    path.write_bytes(project("faded")["~/show.aup3"])
    database = sqlite3.connect(path)
    database.executescript("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; DELETE FROM project;")
    alone = {"~/show.aup3": path.read_bytes()}
    log = {"~/show.aup3-wal": Path(f"{path}-wal").read_bytes()}
    database.close()
    assert check(evidence_of(alone), "aup3.project").passed
    with_log = evidence_of({**alone, **log})
    assert "never saved" in check(with_log, "aup3.project").sentence
    assert (with_log.folder / "home" / "show.aup3").read_bytes() == alone["~/show.aup3"], "evidence is only read"


def test_unchanged(arranged: Evidence, evidence_of: Callable[..., Evidence]) -> None:
    assert not check(arranged, "aup3.unchanged").passed
    assert not check(arranged, "aup3.unchanged", except_=["Voice"]).passed, "the jingle was moved and soloed"
    faded = evidence_of(project("faded"), before=project("plain"))
    assert "'Voice' does not sound" in check(faded, "aup3.unchanged").sentence
    assert check(faded, "aup3.unchanged", except_=["Voice"]).passed
    assert not check(faded, "aup3.unchanged", except_=["Jingle"]).passed


def test_hostile_projects_are_failed_findings(evidence_of: Callable[..., Evidence], tmp_path: Path) -> None:
    good = project("faded")["~/show.aup3"]

    def made(script: str, name: str) -> bytes:
        with sqlite3.connect(tmp_path / name) as database:
            database.executescript(script)
        database.close()
        return (tmp_path / name).read_bytes()

    tables = "CREATE TABLE project(id INTEGER, dict BLOB, doc BLOB); CREATE TABLE sampleblocks(blockid INTEGER, sampleformat, samples BLOB);"
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT 1 AS id, x'00' AS dict, max(x) AS doc FROM n"
    hostile = {
        "empty": b"",
        "text": b"<?xml version='1.0'?><project/>",
        "truncated": good[: len(good) // 3],
        "damaged": good[:100] + b"\xff" * 60000 + good[60100:],
        "other": made("CREATE TABLE notes(x);", "other"),
        "unsaved": made(tables, "unsaved"),
        "view": made(f"CREATE VIEW project AS {endless}; CREATE TABLE sampleblocks(blockid)", "view"),
        "words": made(tables + "INSERT INTO project VALUES(1, 'dict', 'doc');", "words"),
        "garbage": made(tables + "INSERT INTO project VALUES(1, x'0004', x'010000010000ff');", "garbage"),
        "long_text": made(tables + "INSERT INTO project VALUES(1, x'00040f0000ffff', x'03');", "long_text"),
    }
    for name, content in hostile.items():
        evidence = evidence_of({"~/show.aup3": content})
        assert not check(evidence, "aup3.project").passed, name
        assert not check(evidence, "audio.peak", track="Voice", db={"at_most": 0}).passed, name
    link = evidence_of({})
    (link.folder / "home" / "show.aup3").symlink_to("/etc/passwd")
    assert not check(link, "aup3.project").passed


def test_a_stereo_track_is_one_track_of_two_channels(evidence_of: Callable[..., Evidence]) -> None:
    evidence = evidence_of(project("stereo"), unchanged={"~/source.wav": HERE / "audio" / "source.wav"})
    assert check(evidence, "aup3.tracks", names=["Room"]).passed
    assert check(evidence, "aup3.track", name="Room", channels=2, clips=1).passed
    assert check(evidence, "audio.same", track="Room", of="source.wav").passed
    assert check(evidence, "aup3.tags", tags={"title": "Field Notes", "Artist": "Mara Lindt"}).passed


@pytest.mark.parametrize(("name", "right"), [("plain", True), ("faded", False), ("arranged", False)])
def test_an_export_sounds_like_its_project(name: str, right: bool, evidence_of: Callable[..., Evidence]) -> None:
    evidence = evidence_of(project(name) | {"~/export.wav": (HERE / "audio" / "source.wav").read_bytes()})
    assert check(evidence, "audio.same", file="~/export.wav", of="~/show.aup3").passed == right
