"""The live page's server: who may enter, what input becomes, and what nonsense does."""

from __future__ import annotations

import io
import json
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import pytest
from PIL import Image
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from deskbench.core import action as a
from deskbench.core.faults import DesktopFault, Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Observation
from deskbench.core.ports import Acted, Settle
from deskbench.core.wait import until
from deskbench.desktops.fake import FakeDesktop
from deskbench.web.live import serve
from deskbench.web.live_messages import MESSAGE_LIMIT_BYTES

TOKEN = "a-token-for-the-tests"


class Recorder(FakeDesktop):
    """A fake desktop that also notes how it was asked to settle, and can be made to fail or to hang."""

    def __init__(self) -> None:
        super().__init__(size=(400, 300))
        self.settles: list[Settle] = []
        self.trouble: DesktopFault | None = None
        self.hold = threading.Event()
        self.hold.set()
        self.resets = 0

    def act(self, action: a.Action, *, settle: Settle = Settle(), watch_fps: float = 0.0) -> Acted:
        self.settles.append(settle)
        assert self.hold.wait(10)
        if self.trouble:
            raise self.trouble
        return super().act(action, settle=settle, watch_fps=watch_fps)

    def frame(self) -> Frame:
        if self.trouble:
            raise self.trouble
        return super().frame()

    def observe(self, *, elements: bool = False) -> Observation:
        if self.trouble:
            raise self.trouble
        return super().observe(elements=elements)

    def reset(self) -> None:
        self.resets += 1
        self.trouble = None
        super().reset()


@contextmanager
def served(desktop: FakeDesktop, **given: Any) -> Iterator[str]:
    """The address of a page that is served in another thread."""
    ready, closed = threading.Event(), threading.Event()
    addresses: list[str] = []
    failures: list[BaseException] = []

    def on_ready(address: str) -> None:
        addresses.append(address)
        ready.set()

    def work() -> None:
        try:
            serve(desktop, token=TOKEN, apps=["editor"], on_ready=on_ready, until_closed=closed, **given)
        except BaseException as error:
            failures.append(error)
            ready.set()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert ready.wait(10)
        yield addresses[0]
    finally:
        closed.set()
        thread.join(15)
        assert not thread.is_alive()
        assert not failures, failures


@pytest.fixture
def desktop() -> Iterator[Recorder]:
    with Recorder() as one:
        yield one


@pytest.fixture
def address(desktop: Recorder) -> Iterator[str]:
    with served(desktop) as one:
        yield one


class Page:
    """What a page would be: one connection, read until something wanted comes."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def say(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def next(self, kind: str, seconds: float = 5) -> dict[str, Any]:
        """The next message of a kind; pictures on the way are acknowledged."""
        while True:
            message = self.connection.recv(timeout=seconds)
            if isinstance(message, bytes):
                self.say(kind="shown", update=struct.unpack_from(">I", message)[0])
            elif (said := json.loads(message))["kind"] == kind:
                return dict(said)

    def picture(self, seconds: float = 5) -> bytes:
        while True:
            message = self.connection.recv(timeout=seconds)
            if isinstance(message, bytes):
                return message


@contextmanager
def page(address: str, origin: str | None = "same", path: str = "socket", **given: Any) -> Iterator[Page]:
    parts = urlsplit(address)
    own = f"http://{parts.netloc}"
    with connect(f"ws://{parts.netloc}{parts.path}{path}", origin=own if origin == "same" else origin, **given) as connection:  # type: ignore[arg-type]
        yield Page(connection)


def done(desktop: Recorder, count: int) -> list[a.Action]:
    until(lambda: len(desktop.actions) >= count, f"{count} actions", 5)
    return desktop.actions


# Who may enter


def test_the_page_and_its_files_are_served_behind_the_token(address: str) -> None:
    assert address.endswith(f"/{TOKEN}/") and urlsplit(address).hostname == "127.0.0.1"
    for name, media in (("", "text/html"), ("live.js", "text/javascript"), ("keys.js", "text/javascript"), ("live.css", "text/css")):
        answer = httpx.get(address + name)
        assert answer.status_code == 200 and answer.headers["content-type"].startswith(media)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer" and answer.headers["cache-control"] == "no-store"
    assert httpx.get(address.rstrip("/"), follow_redirects=True).status_code == 200


@pytest.mark.parametrize("path", ["/", "/live.js", "/wrong/", f"/{TOKEN[:-1]}/", f"/{TOKEN}x/", "/%C3%A9/", f"//{TOKEN}/", "/../etc/passwd"])
def test_nothing_is_answered_without_the_token(address: str, path: str) -> None:
    answer = httpx.get(f"http://{urlsplit(address).netloc}{path}")
    assert answer.status_code == 404
    assert TOKEN not in answer.text


@pytest.mark.parametrize("name", ["../live.py", "..%2flive.py", "nothing", "live.html"])
def test_only_the_listed_files_are_served(address: str, name: str) -> None:
    assert httpx.get(address + name).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "0.0.0.0", "", "[::1", "192.168.1.4"])
def test_a_foreign_host_name_is_refused(address: str, host: str) -> None:
    """A name of somebody else's that was made to resolve to this machine."""
    assert httpx.get(address, headers={"Host": host}).status_code == 404


def test_a_forwarded_port_may_have_another_number(address: str) -> None:
    assert httpx.get(address, headers={"Host": "localhost:4711"}).status_code == 200


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "http://localhost"])
def test_another_web_page_cannot_connect(address: str, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused, page(address, origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_a_connection_needs_the_token(address: str) -> None:
    netloc = urlsplit(address).netloc
    for path in ("/socket", "/wrong/socket", f"/{TOKEN}/elsewhere"):
        with pytest.raises(InvalidStatus), connect(f"ws://{netloc}{path}", origin=f"http://{netloc}"):  # type: ignore[arg-type]
            pass


def test_it_listens_on_the_loopback_address_only(address: str) -> None:
    port = urlsplit(address).port
    assert port is not None
    with socket.socket() as other, pytest.raises(OSError):
        other.bind(("127.0.0.1", port))
    with socket.socket() as other:
        other.bind(("127.0.0.2", port))  # free: nothing listens on all addresses


def test_a_taken_port_is_wrong_use(desktop: Recorder, address: str) -> None:
    with pytest.raises(Misuse, match="choose another"):
        serve(desktop, port=urlsplit(address).port or 0, on_ready=lambda _: None)


def test_more_pages_than_a_person_has_are_turned_away(address: str) -> None:
    with connected(address, 8), pytest.raises((InvalidStatus, ConnectionClosed)), page(address) as ninth:
        ninth.next("hello")
    with page(address) as again:
        again.next("hello")


@contextmanager
def connected(address: str, count: int) -> Iterator[None]:
    if count == 0:
        yield
        return
    with page(address) as one:
        one.next("hello")
        with connected(address, count - 1):
            yield


# What input becomes


def test_input_becomes_core_actions_in_order_without_settling(desktop: Recorder, address: str) -> None:
    sent = [
        {"kind": "press", "button": "left", "x": 10, "y": 20},
        {"kind": "move", "x": 30, "y": 40},
        {"kind": "release", "button": "left", "x": 30, "y": 40},
        {"kind": "click", "x": 399, "y": 299, "count": 2, "modifiers": ["Control_L"]},
        {"kind": "drag", "path": [[0, 0], [5, 5]], "seconds": 0},
        {"kind": "scroll", "dx": -1, "dy": 3, "x": 1, "y": 1},
        {"kind": "key", "keys": ["ctrl", "Return"]},
        {"kind": "type", "text": "你好 😀"},
        {"kind": "copy", "text": "from the browser"},
        {"kind": "focus_window", "title": "Fake"},
    ]
    with page(address) as viewer:
        assert viewer.next("hello") == {"kind": "hello", "size": [400, 300], "apps": ["editor"]}
        for message in sent:
            viewer.say(**message)
        actions = done(desktop, len(sent))
    assert actions == [
        a.Press(button="left", x=10, y=20),
        a.Move(x=30, y=40),
        a.Release(button="left", x=30, y=40),
        a.Click(x=399, y=299, count=2, modifiers=("ctrl",)),
        a.Drag(path=((0, 0), (5, 5)), seconds=0),
        a.Scroll(dx=-1, dy=3, x=1, y=1),
        a.Key(keys=("ctrl", "enter")),
        a.Type(text="你好 😀"),
        a.Copy(text="from the browser"),
        a.FocusWindow(title="Fake"),
    ]
    assert {settle.limit_seconds for settle in desktop.settles} == {0}


def test_moves_that_pile_up_become_the_last_one(desktop: Recorder, address: str) -> None:
    desktop.hold.clear()
    with page(address) as viewer:
        viewer.say(kind="move", x=0, y=0)
        until(lambda: desktop.settles, "the hand to be busy", 5)
        for x in range(1, 200):
            viewer.say(kind="move", x=x, y=0)
        viewer.say(kind="press", x=200, y=0)
        viewer.say(kind="move", x=201, y=0)
        viewer.say(kind="ping", stamp=1)
        viewer.next("pong")  # all of it has been read, while the hand was still at the first
        desktop.hold.set()
        actions = done(desktop, 4)
    assert actions[:4] == [a.Move(x=0, y=0), a.Move(x=199, y=0), a.Press(x=200, y=0), a.Move(x=201, y=0)]


def test_a_character_is_typed_as_itself_whatever_is_held(desktop: Recorder, address: str) -> None:
    """On a German keyboard a slash is Shift and 7; with Shift held, an American one would give a question mark."""
    with page(address) as viewer:
        viewer.say(kind="key_down", key="shift")
        viewer.say(kind="tap", key="/", text=True)
        viewer.say(kind="tap", key="Left")
        viewer.say(kind="key_up", key="shift")
        actions = done(desktop, 7)
    assert [(action.kind, getattr(action, "key", None) or getattr(action, "keys", None)) for action in actions] == [
        ("key_down", "shift"),
        ("key_up", "shift"),
        ("key", ("/",)),
        ("key_down", "shift"),
        ("key_down", "left"),
        ("key_up", "left"),
        ("key_up", "shift"),
    ]


@pytest.mark.parametrize("ending", ["look away", "leave"])
def test_what_is_held_is_let_go_when_the_viewer_is_gone(desktop: Recorder, address: str, ending: str) -> None:
    with page(address) as viewer:
        viewer.say(kind="key_down", key="ctrl")
        viewer.say(kind="press", button="right", x=1, y=1)
        done(desktop, 2)
        if ending == "look away":
            viewer.say(kind="release_all")
            done(desktop, 4)
    assert done(desktop, 4)[2:] == [a.Release(button="right"), a.KeyUp(key="ctrl")]


def test_reset_makes_the_desktop_pristine(desktop: Recorder, address: str) -> None:
    with page(address) as viewer:
        viewer.say(kind="key_down", key="ctrl")
        done(desktop, 1)
        viewer.say(kind="reset")
        assert viewer.next("done")["what"] == "reset"
    assert desktop.resets == 1
    assert desktop.actions == []  # and the key that the old desktop held is not let go on the new one


# What comes back


def test_windows_and_clipboard_are_told_when_they_change(desktop: Recorder, address: str) -> None:
    with page(address) as viewer:
        first = viewer.next("state")
        assert first["windows"] == [{"id": 1, "title": "Fake", "focused": True, "hidden": False}] and first["clipboard"] == ""
        viewer.say(kind="copy", text="ünï")
        assert viewer.next("state")["clipboard"] == "ünï"


def test_a_picture_is_sent_when_it_changed_and_only_then(desktop: Recorder, address: str) -> None:
    with page(address) as viewer:
        number, x, y, width, height, form, last = struct.unpack_from(">IHHHHBB", message := viewer.picture())
        assert (number, x, y, width, height, last) == (1, 0, 0, 400, 300, 1)
        viewer.say(kind="shown", update=1)
        lossless = viewer.picture() if form == 0 else message
        assert lossless[12] == 1
        pixels = np.asarray(Image.open(io.BytesIO(lossless[16:])).convert("RGB"))
        assert (pixels == desktop.frame().pixels[..., 2::-1]).all()
        viewer.say(kind="shown", update=2)
        with pytest.raises(TimeoutError):
            viewer.picture(seconds=0.8)
        viewer.say(kind="move", x=7, y=7)  # a fake desktop looks different after every action
        assert viewer.picture(seconds=2)[12] == 0


def test_a_page_that_does_not_draw_is_not_sent_more(desktop: Recorder, address: str) -> None:
    with page(address) as viewer:
        for step in range(12):
            viewer.say(kind="click", x=step, y=0)
        done(desktop, 12)
        viewer.picture()
        viewer.picture()
        with pytest.raises(TimeoutError):
            viewer.picture(seconds=0.6)
        viewer.say(kind="shown", update=1)
        viewer.picture()


def test_a_hidden_page_is_sent_nothing(desktop: Recorder, address: str) -> None:
    with page(address) as viewer:
        viewer.say(kind="watching", watching=False)
        drain(viewer, seconds=0.6)
        viewer.say(kind="click", x=2, y=2)
        done(desktop, 1)
        assert drain(viewer, seconds=0.6) == 0
        viewer.say(kind="watching", watching=True)
        viewer.picture()


def drain(viewer: Page, seconds: float) -> int:
    """How many pictures came until nothing came for a while."""
    count = 0
    while True:
        try:
            viewer.picture(seconds)
            count += 1
            viewer.say(kind="shown", update=count)
        except TimeoutError:
            return count


# Trouble


@pytest.mark.parametrize(
    "text",
    [
        "not json",
        "",
        "[]",
        "{}",
        '{"kind": "format_disk"}',
        '{"kind": "wait", "seconds": 60}',
        '{"kind": "done"}',
        '{"kind": "move", "x": 1}',
        '{"kind": "move", "x": -1, "y": 0}',
        '{"kind": "move", "x": 1e99, "y": 0}',
        '{"kind": "move", "x": "NaN", "y": 0}',
        '{"kind": "move", "x": 1, "y": 1, "extra": 1}',
        '{"kind": "tap", "key": "no such key"}',
        '{"kind": "copy", "text": "\\ud800"}',
        '{"kind": "scroll", "dx": 100000}',
        "[" * 100_000,
    ],
)
def test_nonsense_is_answered_with_a_sentence_and_nothing_happens(desktop: Recorder, address: str, text: str) -> None:
    with page(address) as viewer:
        viewer.connection.send(text)
        assert "not understood" in viewer.next("trouble")["text"]
        viewer.say(kind="move", x=1, y=1)
        assert done(desktop, 1) == [a.Move(x=1, y=1)]


def test_bytes_are_not_understood(address: str) -> None:
    with page(address) as viewer:
        viewer.connection.send(b"\x00\x01")
        assert "not understood" in viewer.next("trouble")["text"]


def test_a_page_that_only_talks_nonsense_is_cut_off(address: str) -> None:
    with page(address) as viewer:
        for _ in range(40):
            viewer.connection.send("nonsense")
        with pytest.raises(ConnectionClosed) as cut:
            viewer.next("never")
    assert cut.value.rcvd is not None and cut.value.rcvd.code == 1008


def test_a_message_beyond_the_limit_ends_the_connection(address: str) -> None:
    with page(address) as viewer, pytest.raises(ConnectionClosed) as cut:
        viewer.connection.send(json.dumps({"kind": "type", "text": "x" * MESSAGE_LIMIT_BYTES}))
        viewer.next("never")
    assert cut.value.rcvd is not None and cut.value.rcvd.code == 1009


def test_what_the_desktop_cannot_do_is_told(desktop: Recorder, address: str) -> None:
    with page(address) as viewer:
        viewer.say(kind="click", x=4000, y=1)
        assert "not on the screen" in viewer.next("trouble")["text"]
        viewer.say(kind="open_app", app="nothing")
        assert "nothing" in viewer.next("trouble")["text"]


def test_a_dead_desktop_is_told_once_and_a_reset_brings_it_back(desktop: Recorder, address: str) -> None:
    with page(address) as viewer:
        viewer.next("state")
        desktop.trouble = DesktopFault("the desktop's display is gone; reset the desktop")
        assert "reset the desktop" in viewer.next("trouble")["text"]
        with pytest.raises(TimeoutError):
            viewer.next("trouble", seconds=0.8)
        viewer.say(kind="reset")
        viewer.next("done")
        viewer.say(kind="click", x=3, y=3)
        viewer.picture()
        assert done(desktop, 1) == [a.Click(x=3, y=3)]


def test_a_busy_hand_does_not_stop_the_picture_or_the_server(desktop: Recorder, address: str) -> None:
    with page(address) as viewer, page(address) as other:
        desktop.hold.clear()
        viewer.say(kind="click", x=1, y=1)
        until(lambda: desktop.settles, "the hand to be busy", 5)
        other.picture()
        other.say(kind="ping", stamp=42)
        assert other.next("pong")["stamp"] == 42
        assert httpx.get(address).status_code == 200
        desktop.hold.set()


# Ending


def test_closing_tells_the_pages(desktop: Recorder) -> None:
    with pytest.raises(ConnectionClosed) as ended:
        with served(desktop) as address:
            viewer = page(address)
            held = viewer.__enter__()
            held.next("hello")
        held.next("never")
    viewer.__exit__(None, None, None)
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1001
    assert desktop.frame()  # still open: closing it is its owner's business


SCRIPT = """
from deskbench.desktops.fake import FakeDesktop
from deskbench.web.live import serve
with FakeDesktop() as desktop:
    serve(desktop, on_ready=lambda address: print(address, flush=True))
    desktop.frame()
print("closed", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("watched", [False, True])
def test_a_signal_ends_it_cleanly_and_silently(number: signal.Signals, watched: bool, tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-W", "error", "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert len(urlsplit(address).path) > 30  # a token that cannot be guessed
        viewers = [page(address)] if watched else []
        for viewer in viewers:
            viewer.__enter__().next("hello")
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
        for viewer in viewers:
            viewer.__exit__(None, None, None)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out, err) == (0, "closed\n", "")
