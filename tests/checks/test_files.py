"""Files as such, and `only_changed`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from deskbench.checks import apply, arguments, files_named
from deskbench.checks.evidence import Evidence
from deskbench.core.evidence import Change
from deskbench.core.verdict import Finding

Make = Callable[..., Evidence]


def judged(evidence: Evidence, check: str, given: Any) -> Finding:
    return apply(check, arguments(check, given), evidence)


def test_a_touched_file_does_not_exist_as_a_result(evidence_of: Make) -> None:
    evidence = evidence_of({"~/a.txt": "x", "~/empty.txt": ""})
    assert judged(evidence, "files.exists", "~/a.txt").passed
    assert judged(evidence, "files.exists", "/home/user/a.txt").passed
    assert not judged(evidence, "files.exists", "~/empty.txt").passed
    assert judged(evidence, "files.exists", {"file": "~/empty.txt", "size": 0}).passed
    assert not judged(evidence, "files.exists", "~/b.txt").passed
    assert judged(evidence, "files.absent", "~/b.txt").passed
    assert not judged(evidence, "files.absent", "~/a.txt").passed


def test_a_link_out_of_the_home_is_no_file(evidence_of: Make) -> None:
    evidence = evidence_of({"~/a.txt": "x"})
    os.symlink("/etc/passwd", evidence.folder / "home" / "link.txt")
    os.symlink("/etc", evidence.folder / "home" / "etc")
    assert not judged(evidence, "files.exists", "~/link.txt").passed
    assert not judged(evidence, "files.exists", "~/etc/passwd").passed
    assert not judged(evidence, "files.absent", "~/link.txt").passed
    assert not judged(evidence, "files.tree", {"folder": "~/etc", "entries": ["passwd"], "only": False}).passed


def test_copies_are_compared_with_the_start(evidence_of: Make) -> None:
    evidence = evidence_of({"~/copy": "old", "~/a": "new", "~/made": "new"}, before={"~/a": "old", "~/gone": "old"}, unchanged={"~/same": "old"})
    for other, passes in (("~/a", True), ("~/gone", True), ("~/same", True), ("~/made", False)):
        assert judged(evidence, "files.same_as", {"file": "~/copy", "other": other}).passed is passes, other
    assert judged(evidence, "files.unchanged", "~/same").passed
    assert not judged(evidence, "files.unchanged", "~/a").passed
    assert files_named(arguments("files.same_as", {"file": "~/copy", "other": "~/a"})) == {"copy", "a"}


def test_modes(evidence_of: Make) -> None:
    evidence = evidence_of({"~/run.sh": "x"})
    (evidence.folder / "home" / "run.sh").chmod(0o754)
    assert judged(evidence, "files.mode", {"file": "~/run.sh", "mode": 754}).passed
    assert judged(evidence, "files.mode", "~/run.sh").passed
    finding = judged(evidence, "files.mode", {"file": "~/run.sh", "mode": "755"})
    assert not finding.passed and "754, not 755" in finding.sentence
    assert not judged(evidence, "files.mode", {"file": "~/run.sh", "executable": False}).passed
    with pytest.raises(ValueError):
        arguments("files.mode", {"file": "~/run.sh", "mode": "rwx"})


def test_trees(evidence_of: Make) -> None:
    evidence = evidence_of({"~/out/a/1.txt": "x", "~/out/b/2.png": "x", "~/out/b/3.png": "x"})
    assert judged(evidence, "files.tree", {"folder": "~/out", "entries": ["a/1.txt", "b/*.png"]}).passed
    assert judged(evidence, "files.tree", {"folder": "~/out", "entries": ["**/*.png"], "only": False}).passed
    assert not judged(evidence, "files.tree", {"folder": "~/out", "entries": ["a/1.txt", "b/2.png"]}).passed
    assert not judged(evidence, "files.tree", {"folder": "~/out", "entries": ["a/1.txt", "b/*.png", "c"]}).passed
    assert not judged(evidence, "files.tree", {"folder": "~/out", "entries": ["*.png"], "only": False}).passed
    assert not judged(evidence, "files.tree", {"folder": "~/nothing", "entries": []}).passed


@pytest.mark.parametrize(
    ("allowed", "passes"),
    [
        (["~/Documents/a.svg"], False),
        (["~/Documents/a.svg", "~/out/*.png"], True),
        (["~/Documents/a.svg", "~/out"], True),
        (["~/Documents/a.svg", "~/**/*.png"], True),
        (["~/Documents/a.svg", "~/*.png"], False),
        ([], False),
    ],
)
def test_only_changed(evidence_of: Make, allowed: list[str], passes: bool) -> None:
    files = {"~/Documents/a.svg": "new", "~/out/x.png": "x", "~/.config/app/rc": "x", "~/.mozilla/state": "x", "~/.bash_history": "x"}
    evidence = evidence_of({**files, "~/Documents/.~lock.a.odt#": "x"}, before={"~/Documents/a.svg": "old"})
    assert judged(evidence, "only_changed", allowed).passed is passes


def test_removed_files_and_watched_state_count(evidence_of: Make) -> None:
    evidence = evidence_of({"~/.config/app/rc": "x"}, before={"~/b.txt": "old"})
    finding = judged(evidence, "only_changed", ["~/a.txt"])
    assert not finding.passed and "~/b.txt was removed" in finding.sentence
    assert judged(evidence, "only_changed", ["~/b.txt"]).passed
    assert not judged(evidence, "only_changed", {"paths": ["~/b.txt"], "watch": ["~/.config/app"]}).passed
    assert not judged(evidence_of({"~/.bashrc": "x"}), "only_changed", []).passed


def test_a_file_written_with_its_own_content_was_not_changed(evidence_of: Make) -> None:
    assert judged(evidence_of({"~/a": "same"}, before={"~/a": "same"}), "only_changed", []).passed


def test_folders(evidence_of: Make) -> None:
    evidence = evidence_of({"~/new/deep/a.png": "x"})
    changes = [Change("new", "added", "folder"), Change("new/deep", "added", "folder"), Change("new/deep/a.png", "added", "file")]
    (evidence.folder / "changes.json").write_text(json.dumps([asdict(change) for change in changes]))
    assert judged(evidence, "only_changed", ["~/new/deep/a.png"]).passed
    assert judged(evidence, "only_changed", ["~/new/*/a.png"]).passed
    changes += [Change("extra", "added", "folder"), Change(".thunderbird", "added", "folder")]
    (evidence.folder / "changes.json").write_text(json.dumps([asdict(change) for change in changes]))
    finding = judged(Evidence(evidence.folder), "only_changed", ["~/new/deep/a.png"])
    assert not finding.passed and finding.seen == ["extra was added"]
