"""A real Chromium without a window, driven over the DevTools protocol: what a person at the page would do."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from deskbench.core.wait import until

FLAGS = (
    *("--headless=new", "--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--hide-scrollbars", "--remote-debugging-port=0", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SHIFT = 8
CTRL = 2


class Browser:
    """One tab."""

    def __init__(self, connection: ClientConnection, session: str) -> None:
        self._connection = connection
        self._session = session
        self._numbers = count(1000)
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One DevTools command; what the page complains about meanwhile is kept."""
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters, "sessionId": self._session}))
        while True:
            message = json.loads(self._connection.recv(timeout=30))
            if message.get("id") == number:
                assert "error" not in message, (method, message["error"])
                return dict(message["result"])
            if message.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(message["params"]["exceptionDetails"])[:500])
            if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] in ("error", "warning"):
                self.complaints.append(message["params"]["entry"]["text"])

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)

    def evaluate(self, script: str) -> Any:
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def until(self, script: str, what: str, seconds: float = 15) -> Any:
        return until(lambda: self.evaluate(script), what, seconds, every=0.05)

    def resize(self, width: int, height: int, ratio: float = 1) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def mouse(self, kind: str, x: float, y: float, button: str = "none", clicks: int = 0, **more: Any) -> None:
        held = 1 if button == "left" and kind != "mouseReleased" else 0
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=held, clickCount=clicks, **more)

    def click(self, x: float, y: float) -> None:
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, "left", 1)
        self.mouse("mouseReleased", x, y, "left", 1)

    def key(self, key: str, code: str, number: int, modifiers: int = 0, text: str = "", commands: tuple[str, ...] = ()) -> None:
        """A key down and up, as the keyboard sends it."""
        named = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, commands=list(commands), **named)
        self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    @contextmanager
    def holding(self, key: str, code: str, number: int, modifier: int) -> Iterator[None]:
        named = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="rawKeyDown", modifiers=modifier, **named)
        try:
            yield
        finally:
            self.call("Input.dispatchKeyEvent", type="keyUp", modifiers=0, **named)


@contextmanager
def browser(program: str = "chromium") -> Iterator[Browser]:
    """A tab of a browser that is gone afterwards, profile and all."""
    with tempfile.TemporaryDirectory(prefix="deskbench-browser-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        try:
            assert process.stderr is not None
            found = next(m for line in process.stderr if (m := re.search(r"DevTools listening on (ws://\S+)", line)))
            with connect(found[1], max_size=None) as connection:
                yield _tab(connection)
        finally:
            process.terminate()
            process.communicate(timeout=15)


def _tab(connection: ClientConnection) -> Browser:
    def ask(number: int, method: str, **parameters: Any) -> dict[str, Any]:
        connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := json.loads(connection.recv(timeout=30))).get("id") != number:
            pass
        return dict(message["result"])

    target = ask(1, "Target.createTarget", url="about:blank")["targetId"]
    return Browser(connection, ask(2, "Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
