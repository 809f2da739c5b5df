"""The frame of the checks: names, arguments, blame, evidence that cannot be escaped from."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from deskbench import checks
from deskbench.checks import FAMILIES, apply, arguments, arguments_of, files_named, functions_of, resolve
from deskbench.checks.entries import find_out
from deskbench.checks.evidence import Evidence, home_path, open_zip, xml
from deskbench.core.faults import BadArtifact, CheckFault
from deskbench.core.task import CheckEntry
from deskbench.core.verdict import Finding, passed

Maker = Callable[..., Evidence]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_loads_and_every_check_is_documented(family: str) -> None:
    module = importlib.import_module(checks._module_of(family))
    names = functions_of(module)
    assert names, f"{family} has no checks"
    for name in names:
        arguments_of(f"{family}.{name}")
        documented = f"{family}.{name}" in (module.__doc__ or "") or (
            (family, name) == ("files", "only_changed") and "only_changed" in (module.__doc__ or "")
        )
        assert documented, f"the docstring of {family} has no example of {name}"
    assert f"`{family}`" in (ROOT / "docs" / "checks.md").read_text(), f"docs/checks.md does not name {family}"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("svg.nosuch", "svg has"),
        ("nosuch.text", "the families are"),
        ("os:system2", "no check"),
        ("svg._open", "no check"),
        ("nomodule:x", "cannot be loaded"),
    ],
)
def test_unknown_names_say_what_there_is(name: str, word: str) -> None:
    with pytest.raises(LookupError, match=word):
        resolve(name)


def test_arguments_are_validated_from_the_signature() -> None:
    given = arguments("files.exists", "~/a/b.txt")
    assert files_named(given) == {"a/b.txt"}
    with pytest.raises(ValidationError):
        arguments("files.exists", {"file": "~/a", "colour": "red"})
    with pytest.raises(ValidationError):
        arguments("files.exists", {"file": "../../etc/passwd"})


def test_a_strangers_broken_file_is_a_finding_and_our_own_bug_a_fault(evidence_of: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    from deskbench.checks import text

    evidence = evidence_of({"~/a.txt": b"\xff\xfe\x00\xd8"})
    finding = apply("text.content", arguments("text.content", {"file": "~/a.txt", "text": "x"}), evidence)
    assert not finding.passed and finding.check == "text.content"

    def broken(evidence: Evidence, *, file: str, text: object) -> Finding:
        raise ZeroDivisionError("ours")

    broken.__module__ = text.__name__
    given = arguments("text.content", {"file": "~/a.txt", "text": "x"})
    monkeypatch.setattr(text, "content", broken)
    resolve.cache_clear()
    with pytest.raises(CheckFault, match="ZeroDivisionError"):
        apply("text.content", given, evidence)
    monkeypatch.undo()
    resolve.cache_clear()


def test_all_and_any(evidence_of: Maker) -> None:
    evidence = evidence_of({"~/a": b"1"})

    def found(**entry: object) -> Finding:
        return find_out(CheckEntry.model_validate(entry), evidence)

    yes, no = {"files.exists": "~/a"}, {"files.exists": "~/b"}
    assert found(any=[no, yes]).passed and not found(all=[no, yes]).passed
    assert found(all=[yes, {"any": [no, yes]}], weight=3).weight == 3
    assert len(found(any=[no, yes]).parts) == 2


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "~", "", "~/..", "/home/user/../root"])
def test_paths_stay_below_the_home(path: str) -> None:
    with pytest.raises(ValueError, match="below the home"):
        home_path(path)


def test_links_are_not_followed_out_of_the_evidence(evidence_of: Maker, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("hidden")
    evidence = evidence_of({"~/real.txt": b"x"})
    home = evidence.folder / "home"
    (home / "link").symlink_to(secret / "key")
    (home / "folder").symlink_to(secret)
    os.mkfifo(home / "pipe")
    for path in ("link", "folder/key", "pipe", "real.txt/x", "missing"):
        with pytest.raises(BadArtifact):
            evidence.read(path)
    with pytest.raises(BadArtifact, match="MB"):
        evidence.file("real.txt", limit=0)


def test_xml_of_strangers(tmp_path: Path) -> None:
    laughs = b'<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><l>&b;</l>'
    outside = b'<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>'
    for data in (laughs, outside, b"<a>", b"", b"<a><b></a></b>"):
        with pytest.raises(BadArtifact):
            xml(data, "the drawing")
    assert xml(b"<a><b/></a>", "it").tag == "a"


def test_zip_bombs(tmp_path: Path) -> None:
    import zipfile

    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(30):
            archive.writestr(f"{number}", b"\0" * (10 << 20))
    with pytest.raises(BadArtifact, match="more than is read"):
        open_zip(bomb, "it")
    (tmp_path / "no.zip").write_bytes(b"PK\x03\x04rubbish")
    with pytest.raises(BadArtifact, match="not a readable archive"):
        open_zip(tmp_path / "no.zip", "it")


def own_check(evidence: Evidence, *, file: str) -> Finding:
    return passed(file)


def test_a_check_of_ones_own(evidence_of: Maker) -> None:
    name = f"{__name__}:own_check"
    assert apply(name, arguments(name, {"file": "x"}), evidence_of({})).passed
