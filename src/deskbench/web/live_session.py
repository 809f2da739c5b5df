"""One browser at one desktop: pictures go out, input comes in.

Three things go on at once: input is carried out in the order it came, the picture is sent whenever it differs from what
the page has drawn, and windows and clipboard are told when they change.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from deskbench.core import action as a
from deskbench.core.faults import DeskbenchError, Fault
from deskbench.core.observation import Observation
from deskbench.web.live_hand import Held, Inbox, Workplace
from deskbench.web.live_messages import Input, Ping, ReleaseAll, Reset, Shown, Tap, Watching, parse
from deskbench.web.live_picture import Picture, Tile

FRAME_SECONDS = 1 / 15
IDLE_SECONDS = 0.2
"""Between looks at a screen that rests; input ends the rest at once."""

RESTS_AFTER_SECONDS = 1.0
TELL_SECONDS = 0.5
TELL_SHARE = 0.1
"""At most this share of the hand's time goes into windows and clipboard; a program may be slow to hand its clipboard over."""

UNDRAWN_LIMIT = 2
"""Updates on their way to a page at once: a slow one is sent fewer, never older, pictures."""

INBOX_LIMIT = 2000
NONSENSE_LIMIT = 20
CLIPBOARD_CHARACTERS = 200_000


class Session:
    """One connected page."""

    def __init__(self, socket: WebSocket, place: Workplace) -> None:
        self._socket = socket
        self._place = place
        self._inbox = Inbox()
        self._held = Held(place.desktop)
        self._picture = Picture()
        self._updates = 0
        self._undrawn: dict[int, float] = {}
        self._drawing_seconds = 0.0
        self._stirred = asyncio.Event()
        self._drawn = asyncio.Event()
        self._changed = asyncio.Event()
        self._watched = asyncio.Event()
        self._watched.set()
        self._moved_at = time.monotonic()
        self._fault = ""

    async def run(self) -> None:
        """Serve the page until it goes, or until the whole place closes."""
        await self._socket.accept()
        await self._say("hello", size=list(self._place.desktop.size), apps=self._place.apps)
        parts: list[Coroutine[Any, Any, Any]] = [self._listen(), self._work(), self._show(), self._tell(), self._place.closing.wait()]
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if self._place.closing.is_set():
                await self._socket.close(1001, "the desktop is closed")
        except WebSocketDisconnect:
            pass
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._let_go()

    async def _let_go(self) -> None:
        try:
            await self._place.by_hand(self._held.release)
        except DeskbenchError:
            self._held.forget()  # the desktop died, and with it what was held

    async def _say(self, kind: str, **more: Any) -> None:
        await self._socket.send_json({"kind": kind, **more})

    async def _complain(self, sentence: str) -> None:
        await self._say("trouble", text=sentence)

    async def _not_answering(self, fault: Fault) -> None:
        """Tell once that the desktop does not answer, unless it is being reset."""
        if not self._place.resetting and str(fault) != self._fault:
            self._fault = str(fault)
            await self._complain(self._fault)

    # Input

    async def _listen(self) -> None:
        """Take what the page says; end with a close code when it talks nonsense or faster than anybody can type."""
        nonsense = 0
        while True:
            event = await self._socket.receive()
            if event["type"] == "websocket.disconnect":
                return
            try:
                await self._hear(event.get("text") or "")
            except ValueError as error:
                nonsense += 1
                await self._complain(str(error))
            if nonsense > NONSENSE_LIMIT or len(self._inbox) > INBOX_LIMIT:
                await self._socket.close(1008, "too many messages that cannot be followed")
                return

    async def _hear(self, text: str) -> None:
        message = parse(text)
        match message:
            case Shown():
                sent = self._undrawn.pop(message.update, None)
                if sent is not None:
                    self._drawing_seconds += 0.3 * (time.monotonic() - sent - self._drawing_seconds)
                self._drawn.set()
            case Ping():
                await self._say("pong", stamp=message.stamp)
            case Watching():
                self._watched.set() if message.watching else self._watched.clear()
            case _:
                self._inbox.put(message)

    async def _work(self) -> None:
        while True:
            message = await self._inbox.take()
            try:
                await self._place.by_hand(self._perform, message)
            except DeskbenchError as error:
                await self._complain(str(error))
            if isinstance(message, Reset | a.OpenApp | a.FocusWindow):
                await self._say("done", what=message.kind)
            self._moved_at = time.monotonic()
            self._stirred.set()
            self._changed.set()

    def _perform(self, message: Input) -> None:
        match message:
            case Tap():
                self._held.tap(message.key, message.text)
            case ReleaseAll():
                self._held.release()
            case Reset():
                self._held.forget()
                self._place.reset()
            case _:
                self._held.act(message)

    # Pictures

    async def _show(self) -> None:
        while True:
            began = time.monotonic()
            await self._watched.wait()
            while len(self._undrawn) >= UNDRAWN_LIMIT:
                self._drawn.clear()
                await self._drawn.wait()
            try:
                tiles = await self._place.by_eye(self._look)
            except Fault as error:
                await self._not_answering(error)
                self._stirred.clear()
                await _happens(self._stirred, IDLE_SECONDS)
                continue
            self._fault = ""
            if tiles:
                await self._send(tiles)
            await self._pace(began)

    def _look(self) -> list[Tile]:
        return self._picture.update(self._place.desktop.frame(), quality(self._drawing_seconds), time.monotonic())

    async def _send(self, tiles: list[Tile]) -> None:
        self._moved_at = time.monotonic()
        self._changed.set()
        self._updates += 1
        self._undrawn[self._updates] = self._moved_at
        for tile in tiles:
            await self._socket.send_bytes(tile.message(self._updates, tile is tiles[-1]))

    async def _pace(self, began: float) -> None:
        """Wait for the next look: a frame's time while things move, longer at rest unless input stirs it."""
        await _happens(self._place.closing, began + FRAME_SECONDS - time.monotonic())
        if time.monotonic() - self._moved_at > RESTS_AFTER_SECONDS:
            self._stirred.clear()
            await _happens(self._stirred, IDLE_SECONDS)

    # Windows and clipboard

    async def _tell(self) -> None:
        told: dict[str, Any] = {}
        self._changed.set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self._watched.wait()
            began = time.monotonic()
            try:
                state, incidents = await self._place.by_hand(self._state)
            except Fault as error:
                await self._not_answering(error)
            else:
                for incident in incidents:
                    await self._complain(incident)
                if state != told:
                    told = state
                    await self._say("state", **state)
            took = time.monotonic() - began
            await _happens(self._place.closing, max(TELL_SECONDS, took / TELL_SHARE))

    def _state(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        look: Observation = self._place.desktop.observe()
        windows = [{"id": w.id, "title": w.title, "focused": w.focused, "hidden": w.hidden} for w in look.windows]
        return {"windows": windows, "clipboard": (look.clipboard or "")[:CLIPBOARD_CHARACTERS]}, look.incidents


def quality(drawing_seconds: float) -> int:
    """The JPEG quality for a page that takes this long from sent to drawn."""
    if drawing_seconds < 0.2:
        return 82
    return 60 if drawing_seconds < 0.5 else 38


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event within a limit."""
    if seconds <= 0:
        return event.is_set()
    try:
        async with asyncio.timeout(seconds):  # wait_for of Python 3.11 loses a cancellation that comes together with the event
            await event.wait()
    except TimeoutError:
        return False
    return True
