"""Makes the browser profile in web/ with Chromium itself: `python tests/checks/artifacts/make_web.py` (as root it runs without its sandbox).

Pages come from a server on loopback; bookmarks and settings are made by the browser's own pages over its debugging protocol.
"""

from __future__ import annotations

import http.server
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

HERE = Path(__file__).parent / "web"
SERVER, DEBUG = 8765, 9765
KEPT = ("Bookmarks", "History", "Preferences", "Cookies")


class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        if self.path == "/prices.csv":
            self.send_header("Content-Disposition", "attachment; filename=prices.csv")
        if self.path == "/shop":
            self.send_header("Set-Cookie", "basket=lamp; Max-Age=86400")
        self.send_header("Content-Type", "text/csv" if self.path.endswith("csv") else "text/html")
        self.end_headers()
        title = self.path.strip("/").title() or "Home"
        self.wfile.write(b"a,b\n1,2\n" if self.path.endswith("csv") else f"<title>{title}</title><h1>{title}</h1>".encode())

    def log_message(self, *_: Any) -> None:
        return


class Browser:
    """A browser driven over its debugging protocol."""

    def __init__(self, home: Path) -> None:
        argv = ["chromium", "--headless=new", "--no-first-run", "--password-store=basic", f"--remote-debugging-port={DEBUG}", "about:blank"]
        argv += [f"--user-data-dir={home}/.config/chromium"]
        argv += ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(argv, env={**os.environ, "HOME": str(home)}, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while True:
            try:
                self.tabs()
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def tabs(self) -> list[dict[str, Any]]:
        with urllib.request.urlopen(f"http://127.0.0.1:{DEBUG}/json") as answer:
            return [tab for tab in json.load(answer) if tab["type"] == "page"]

    def call(self, method: str, tab: str | None = None, **parameters: Any) -> dict[str, Any]:
        if tab is None:
            with urllib.request.urlopen(f"http://127.0.0.1:{DEBUG}/json/version") as answer:
                address = json.load(answer)["webSocketDebuggerUrl"]
        else:
            address = f"ws://127.0.0.1:{DEBUG}/devtools/page/{tab}"
        with connect(address, max_size=None) as socket:
            socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
            while "id" not in (answer := json.loads(socket.recv(timeout=30))):
                pass
        return dict(answer.get("result", answer))

    def open(self, url: str) -> str:
        tab = str(self.call("Target.createTarget", url=url)["targetId"])
        time.sleep(1.0)
        return tab

    def run(self, tab: str, script: str) -> Any:
        return self.call("Runtime.evaluate", tab, expression=script, awaitPromise=True, returnByValue=True)

    def close(self) -> None:
        self.call("Browser.close")
        self.process.wait(30)


def main() -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", SERVER), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "Downloads").mkdir()
        browser = Browser(home)
        browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(home / "Downloads"))
        for page in ("wiki", "shop", "prices.csv"):
            browser.open(f"http://127.0.0.1:{SERVER}/{page}")
        tab = browser.open("chrome://bookmarks")
        script = """(async () => {
          const folder = await chrome.bookmarks.create({parentId: '1', title: 'Work'});
          await chrome.bookmarks.create({parentId: folder.id, title: 'Wiki', url: 'http://127.0.0.1:8765/wiki'});
          await chrome.bookmarks.create({parentId: '2', title: 'Shop', url: 'http://127.0.0.1:8765/shop'});
          return 'ok' })()"""
        print(browser.run(tab, script))  # noqa: T201
        tab = browser.open("chrome://settings")
        script = """(async () => { await chrome.settingsPrivate.setPref('bookmark_bar.show_on_all_tabs', true);
          await chrome.settingsPrivate.setPref('homepage', 'http://127.0.0.1:8765/wiki');
          await chrome.settingsPrivate.setPref('homepage_is_newtabpage', false); return 'ok' })()"""
        print(browser.run(tab, script))  # noqa: T201
        time.sleep(3)
        browser.close()
        profile = next(home.glob(".config/*/Default"))
        shutil.rmtree(HERE, ignore_errors=True)
        for name in KEPT:
            if (profile / name).exists():
                (HERE / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(profile / name, HERE / name)
        for session in (profile / "Sessions").glob("Session_*"):
            (HERE / "Sessions").mkdir(exist_ok=True)
            shutil.copyfile(session, HERE / "Sessions" / session.name)
    server.shutdown()


if __name__ == "__main__":
    main()
