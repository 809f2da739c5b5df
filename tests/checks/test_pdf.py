"""Documents exported by LibreOffice and Inkscape; and hostile ones."""

from __future__ import annotations

import io
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

MADE = Path(__file__).parent / "artifacts" / "pdf"
FILE = "~/report.pdf"


@pytest.fixture
def judged(evidence_of: Callable[..., Evidence]) -> Callable[..., Finding]:
    def judge(check: str, left: str | bytes, /, **given: Any) -> Finding:
        evidence = evidence_of({FILE: MADE / left if isinstance(left, str) else left})
        return apply(check, arguments(check, {"file": FILE, **given}), evidence)

    return judge


def test_pages_and_text(judged: Callable[..., Finding]) -> None:
    assert judged("pdf.pages", "report.pdf", count=2).passed
    assert not judged("pdf.pages", "draft.pdf", count=2).passed
    assert judged("pdf.text", "report.pdf", text={"contains": ["The total is 1,250 euros", "Nothing else was found."], "not": "1,260"}).passed
    assert not judged("pdf.text", "draft.pdf", text={"contains": "1,250"}).passed
    assert judged("pdf.page", "report.pdf", page=2, text={"contains": "Results", "not": "Introduction"}).passed
    assert judged("pdf.page", "report.pdf", page=-1, text={"contains": "Results"}).passed
    assert not judged("pdf.page", "report.pdf", page=1, text={"contains": "Results"}).passed
    assert not judged("pdf.page", "report.pdf", page=3).passed


def test_sizes_and_pictures(judged: Callable[..., Finding]) -> None:
    assert judged(
        "pdf.page", "poster.pdf", width={"is": 210, "within": 0.2}, height={"is": 297, "within": 0.2}, text={"contains": "Summer fair"}
    ).passed
    assert not judged("pdf.page", "poster.pdf", width={"is": 216, "within": 0.2}).passed
    assert judged("pdf.page", "report.pdf", images=1).passed
    assert not judged("pdf.page", "draft.pdf", images=1).passed


def test_what_it_says_of_itself(judged: Callable[..., Finding]) -> None:
    assert judged("pdf.metadata", "report.pdf", title="Annual report", author="Ada Byron", producer={"contains": "LibreOffice"}).passed
    assert not judged("pdf.metadata", "report.pdf", title="Report").passed
    assert judged("pdf.fonts", "report.pdf", includes=["Liberation Serif"], embedded=True).passed
    assert not judged("pdf.fonts", "report.pdf", includes=["Comic Sans"]).passed
    assert judged("pdf.links", "report.pdf", includes=[{"contains": "example.org/data"}]).passed
    assert not judged("pdf.links", "poster.pdf").passed
    assert judged("pdf.outline", "report.pdf", titles=["Introduction", "Results"], only=True).passed
    assert not judged("pdf.outline", "report.pdf", titles=["Results", "Introduction"]).passed
    assert judged("pdf.security", "report.pdf", encrypted=False).passed
    assert not judged("pdf.security", "report.pdf", encrypted=True).passed


def _with_content(content: bytes) -> bytes:
    """A page whose drawing commands are these, compressed."""
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(100, 100)
    stream = pypdf.generic.EncodedStreamObject()
    stream._data = zlib.compress(content, 9)
    stream[pypdf.generic.NameObject("/Filter")] = pypdf.generic.NameObject("/FlateDecode")
    page[pypdf.generic.NameObject("/Contents")] = writer._add_object(stream)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


REAL = (MADE / "report.pdf").read_bytes()
HOSTILE = {
    "empty": b"",
    "text": b"hello",
    "signature": b"%PDF-1.7\n",
    "half": REAL[: len(REAL) // 2].replace(b"/Pages", b"/Pxges").replace(b"obj", b"obk"),
    "bomb": _with_content(b" " * (80 << 20)),
    "long": _with_content(b"BT (x) Tj ET\n" * (1 << 20)),
    "blank": _with_content(b""),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_documents_fail_quickly(judged: Callable[..., Finding], kind: str) -> None:
    started = time.process_time()
    assert not judged("pdf.text", HOSTILE[kind], text={"contains": "total"}).passed
    assert not judged("pdf.page", HOSTILE[kind]).passed
    assert time.process_time() - started < 5


def test_an_encrypted_document_asks_for_its_password(judged: Callable[..., Finding]) -> None:
    pytest.importorskip("cryptography")
    writer = pypdf.PdfWriter(clone_from=MADE / "report.pdf")
    writer.encrypt("secret", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    assert "password" in judged("pdf.text", out.getvalue(), text={"contains": "total"}).sentence
    assert judged("pdf.security", out.getvalue(), encrypted=True, password="secret").passed
    assert not judged("pdf.security", out.getvalue(), encrypted=True, password="wrong").passed
