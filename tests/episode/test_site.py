"""The web site inside a desktop: forms change its collections on the disk, and nothing else can be written."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

from deskbench.episode.site_server import Site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    (tmp_path / "data").mkdir()
    (tmp_path / "index.html").write_text("<h1>Tickets</h1>")
    (tmp_path / "data" / "tickets.json").write_text(
        json.dumps([{"id": 7, "title": "Lamp broken", "status": "open"}, {"id": "a-1", "status": "open"}])
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", tmp_path / "data" / "tickets.json"
    server.shutdown()
    server.server_close()
    thread.join()


def post(address: str, **fields: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, urlencode(fields).encode(), timeout=5) as answer:
            return answer.status, answer.url
    except urllib.error.HTTPError as error:
        return error.code, ""


def test_a_form_changes_a_record_adds_one_and_takes_one_out(site: tuple[str, Path]) -> None:
    base, file = site
    assert post(f"{base}/data/tickets/7", status="closed", note="a\r\nb", next="/index.html", **{"add:comments": "Done."}) == (
        200,
        f"{base}/index.html",
    )
    assert json.loads(file.read_text())[0] == {"id": 7, "title": "Lamp broken", "status": "closed", "note": "a\nb", "comments": ["Done."]}
    post(f"{base}/data/tickets", title="新灯", next="/")
    assert json.loads(file.read_text())[-1] == {"id": 8, "title": "新灯"}
    post(f"{base}/data/tickets/a-1/delete", next="/")
    assert [record["id"] for record in json.loads(file.read_text())] == [7, 8]
    assert not list(file.parent.glob("*.new"))


@pytest.mark.parametrize("path", ["/data/nothing", "/data/tickets/99", "/index.html", "/data/../index.html", "/data/tickets/7/rename"])
def test_what_cannot_be_written_is_refused(site: tuple[str, Path], path: str) -> None:
    base, file = site
    before = file.read_text()
    assert post(f"{base}{path}", status="closed")[0] in (404, 501)
    assert file.read_text() == before


def test_it_sends_nobody_elsewhere(site: tuple[str, Path]) -> None:
    base, _ = site
    assert post(f"{base}/data/tickets/7", status="closed", next="https://example.com/")[1] == f"{base}/"
