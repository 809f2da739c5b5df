"""A small web site with a memory, run inside a desktop by the machine's own Python: it imports nothing but the standard library.

    python3 site_server.py FOLDER PORT

Files of the folder are served. `data/NAME.json` there is a collection: a list of records, each with an `id`. Pages read it at
`/data/NAME.json`; forms write to it, and are sent on to the address in their field `next`:

    POST /data/NAME               a new record of the form's fields
    POST /data/NAME/ID            these fields of a record, changed
    POST /data/NAME/ID/delete     a record taken out

A field called `add:NAME` appends its text to a list in the record. What was written is on the disk before the answer is sent.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

ADDRESS = re.compile(r"^/data/([a-z][a-z0-9_-]*)(?:/([A-Za-z0-9_-]+))?(/delete)?$")
LIMIT = 1 << 20
LOCK = threading.Lock()


class Refused(Exception):
    """A request that cannot be carried out: a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Site(SimpleHTTPRequestHandler):
    """One request."""

    def do_POST(self) -> None:
        try:
            following = self.write()
        except Refused as error:
            self.send_error(error.status, str(error))
            return
        self.send_response(303)
        self.send_header("Location", following)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def write(self) -> str:
        """Carry a form out and say where to go next."""
        asked = ADDRESS.match(self.path.partition("?")[0])
        if asked is None:
            raise Refused(404, "there is nothing to write to here")
        name, number, delete = asked.groups()
        length = int(self.headers.get("Content-Length") or 0)
        if length > LIMIT:
            raise Refused(413, "that is too long")
        fields = dict(parse_qsl(self.rfile.read(length).decode("utf-8", "replace"), keep_blank_values=True))
        following = fields.pop("next", None) or self.headers.get("Referer") or "/"
        file = os.path.join(self.directory, "data", name + ".json")
        with LOCK:
            change(file, number, fields, bool(delete))
        return following if following.startswith("/") or "127.0.0.1" in following or "localhost" in following else "/"

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


def change(file: str, number: str | None, fields: dict[str, str], delete: bool) -> None:
    """Change a collection on the disk: whole or not at all."""
    try:
        with open(file, encoding="utf-8") as handle:
            records: list[dict[str, Any]] = json.load(handle)
    except FileNotFoundError:
        raise Refused(404, "there is no such collection") from None
    if number is None:
        whole = [int(record["id"]) for record in records if str(record["id"]).isdigit()]
        records.append({"id": max(whole, default=0) + 1})
        fill(records[-1], fields)
    else:
        found = next((record for record in records if str(record["id"]) == number), None)
        if found is None:
            raise Refused(404, "there is no such record")
        if delete:
            records.remove(found)
        else:
            fill(found, fields)
    draft = file + ".new"
    with open(draft, "w", encoding="utf-8") as handle:
        json.dump(records, handle, ensure_ascii=False, indent=1)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(draft, file)


def fill(record: dict[str, Any], fields: dict[str, str]) -> None:
    """Put a form's fields into a record; a browser sends CR LF in texts of several lines."""
    for name, text in fields.items():
        text = text.replace("\r\n", "\n")
        if name.startswith("add:"):
            if text.strip():
                record.setdefault(name[4:], []).append(text)
        else:
            record[name] = text


if __name__ == "__main__":
    folder, port = sys.argv[1], int(sys.argv[2])
    ThreadingHTTPServer(("127.0.0.1", port), partial(Site, directory=folder)).serve_forever()
