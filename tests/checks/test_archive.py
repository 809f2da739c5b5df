"""Archives, made by the tools that people use and by people who mean harm."""

from __future__ import annotations

import gzip
import io
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

Make = Callable[..., Evidence]
FILE = "~/a.archive"


@pytest.fixture
def judged(evidence_of: Make) -> Callable[..., Finding]:
    def judge(check: str, left: bytes | Path, /, **given: Any) -> Finding:
        evidence = evidence_of({FILE: left}, unchanged={"~/site/index.html": "hello\n"})
        return apply(check, arguments(check, {"file": FILE, **given}), evidence)

    return judge


def _zip(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def _tar(members: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for item, data in members:
            item.size = len(data)
            archive.addfile(item, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize(("option", "format"), [("", "tar"), ("z", "tar.gz"), ("j", "tar.bz2"), ("J", "tar.xz"), ("zip", "zip")])
def test_real_archives(judged: Callable[..., Finding], tmp_path: Path, option: str, format: str) -> None:
    folder = tmp_path / "site"
    (folder / "img").mkdir(parents=True)
    (folder / "index.html").write_text("hello\n")
    (folder / "img" / "a.png").write_bytes(b"x")
    made = tmp_path / "made"
    if option == "zip":
        made.write_bytes(_zip({f"site/{name}": (folder / name).read_bytes() for name in ("index.html", "img/a.png")}))
    else:
        subprocess.run(["tar", f"c{option}f", made, "site"], cwd=tmp_path, check=True)
    assert judged("archive.format", made, format=format).passed
    assert not judged("archive.format", made, format="zip" if format != "zip" else "tar").passed
    assert judged("archive.members", made, names=["site/index.html", "site/img/*.png"]).passed
    assert judged("archive.members", made, names=["index.html", "img/a.png"], strip="any", count=2).passed
    assert not judged("archive.members", made, names=["site/index.html"]).passed
    assert not judged("archive.members", made, names=["site/index.html", "site/img/a.png", "site/b"]).passed
    assert judged("archive.content", made, member="index.html", strip=1, same_as="~/site/index.html").passed
    assert not judged("archive.content", made, member="img/a.png", strip=1, same_as="~/site/index.html").passed
    assert judged("archive.content", made, member="site/index.html", text="hello").passed
    assert not judged("archive.content", made, member="site/other.html", text="hello").passed


def test_names_that_lead_out_are_refused(judged: Callable[..., Finding]) -> None:
    for name in ("../evil", "/etc/passwd", "a/../../b", "..\\evil", "C:\\evil"):
        assert "leads out" in judged("archive.members", _zip({name: b"x"}), names=["*"]).sentence
        assert "leads out" in judged("archive.members", _tar([(tarfile.TarInfo(name), b"x")]), names=["*"]).sentence


def test_links_are_never_followed(judged: Callable[..., Finding]) -> None:
    link = tarfile.TarInfo("index.html")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    assert not judged("archive.content", _tar([(link, b"")]), member="index.html", text={"contains": "root"}).passed


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "text": b"hello",
    "no_members": _zip({}),
    "cut_zip": _zip({"index.html": b"hello" * 99})[:60],
    "cut_gzip": gzip.compress(_tar([(tarfile.TarInfo("index.html"), bytes(range(256)) * 40)]))[:150],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives_fail_quickly(judged: Callable[..., Finding], kind: str) -> None:
    started = time.process_time()
    assert not judged("archive.content", HOSTILE[kind], member="index.html", text="hello").passed
    assert not judged("archive.members", HOSTILE[kind]).passed
    assert time.process_time() - started < 3


def test_damaged_bytes_never_break_the_check(judged: Callable[..., Finding]) -> None:
    whole = _zip({"index.html": bytes(range(256)) * 8 + b"hello" * 50})
    for at in range(0, len(whole), 3):
        judged("archive.content", whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :], member="index.html")


def test_bombs(judged: Callable[..., Finding], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deskbench.checks.archive.ZIP_LIMIT", 20 << 20)
    monkeypatch.setattr("deskbench.checks.evidence.ZIP_LIMIT", 20 << 20)
    big = tarfile.TarInfo("big")
    big.size = 30 << 20
    data = gzip.compress(big.tobuf() + bytes(30 << 20), 1)
    assert "more than is read" in judged("archive.members", data, names=["big"]).sentence
    assert "more than is read" in judged("archive.members", _zip({"big": bytes(30 << 20)}), names=["big"]).sentence
