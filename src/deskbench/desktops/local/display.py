"""The X display from outside: pointer, windows, clipboard and a way to ask a program whether it has caught up.

One connection is kept open; an action costs a fraction of a millisecond.
"""

from __future__ import annotations

import itertools
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from Xlib import X, Xatom, error
from Xlib.display import Display as XDisplay
from Xlib.ext import xtest
from Xlib.protocol import display as xprotocol
from Xlib.protocol import event as xevent

from deskbench.core.faults import BadAction, DesktopFault
from deskbench.core.observation import Box, Window
from deskbench.core.wait import TimedOut, until, until_moment

BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
WHEEL_UP, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT = 4, 5, 6, 7
WHEEL = {WHEEL_UP, WHEEL_DOWN, WHEEL_LEFT, WHEEL_RIGHT}
CLICK_MILLISECONDS = 8
"""How long the server holds a second and third click back: two clicks at the very same time are one to some programs, Chromium among them."""

MOTION_SECONDS = 0.008
"""A motion event every 8 ms, as a 125 Hz mouse sends them."""

CLIPBOARD_SECONDS = 0.5
CLIPBOARD_LIMIT = 4 << 20

_connect_lock = threading.Lock()


def connect(socket_file: Path) -> XDisplay:
    """A connection to the display behind a socket file, wherever it lies and however long its path is."""
    folder = os.open(socket_file.parent, os.O_PATH | os.O_DIRECTORY)
    end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        end.connect(f"/proc/self/fd/{folder}/{socket_file.name}")
        with _connect_lock:
            original = xprotocol.connect.get_socket
            # python-xlib only knows /tmp/.X11-unix; ours lies in the desk folder.
            xprotocol.connect.get_socket = lambda *_: end
            try:
                return XDisplay(":99")
            finally:
                xprotocol.connect.get_socket = original
    except BaseException:
        end.close()
        raise
    finally:
        os.close(folder)


class Display:
    """The one connection of a desktop to its X server."""

    def __init__(self, socket_file: Path, seconds: float = 10.0) -> None:
        def connected() -> XDisplay | None:
            try:
                return connect(socket_file)
            except (error.DisplayError, error.ConnectionClosedError, OSError):
                return None

        try:
            self._x: XDisplay = until(connected, "the X server to answer", seconds, every=0.004)
        except TimedOut:
            raise DesktopFault(f"the display did not come up within {seconds:g} s; see the log in {socket_file.parent.parent}") from None
        self._x.set_error_handler(lambda *_: None)
        self._root = self._x.screen().root
        # Qt sends its answers to pings to those who select StructureNotify, GTK to those who select SubstructureNotify.
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        self._atoms: dict[str, int] = {}
        self._pings = 0
        self._answers: set[int] = set()
        self._understands_ping: dict[int, bool] = {}
        self._reader = self._root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        self.keyboard_changed = True

    @property
    def connection(self) -> XDisplay:
        """The python-xlib display, for the keyboard."""
        return self._x

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Turn the death of the X server into a fault with a sentence."""
        try:
            yield
        except (error.ConnectionClosedError, BrokenPipeError, ConnectionError) as trouble:
            raise DesktopFault("the desktop's display is gone (its X server ended); reset the desktop") from trouble

    def atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self._x.intern_atom(name)
        return self._atoms[name]

    def window_manager_is_up(self) -> bool:
        """Whether a window manager has taken the screen."""
        return bool(self._property(self._root, "_NET_SUPPORTING_WM_CHECK", Xatom.WINDOW))

    # Pointer

    def move(self, x: int, y: int) -> None:
        xtest.fake_input(self._x, X.MotionNotify, x=x, y=y)

    def glide(self, path: list[tuple[int, int]], seconds: float) -> None:
        """Move along straight lines through `path`, in equal time per length, as a mouse would."""
        lengths = [max(1.0, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5) for (ax, ay), (bx, by) in itertools.pairwise(path)]
        whole = sum(lengths)
        began, done = time.monotonic(), 0.0
        for (ax, ay), (bx, by), length in zip(path, path[1:], lengths, strict=False):
            steps = max(4, round(seconds * length / whole / MOTION_SECONDS))
            for step in range(1, steps + 1):
                share = step / steps
                self.move(round(ax + (bx - ax) * share), round(ay + (by - ay) * share))
                self._x.flush()
                until_moment(began + seconds * (done + length * share) / whole)
            done += length

    def button(self, number: int, down: bool, after_milliseconds: int = 0) -> None:
        xtest.fake_input(self._x, X.ButtonPress if down else X.ButtonRelease, number, after_milliseconds)

    def click(self, number: int, count: int = 1) -> None:
        """Press and let go, `count` times over."""
        apart = 0 if number in WHEEL else CLICK_MILLISECONDS
        for place in range(count):
            self.button(number, True, apart if place else 0)
            self.button(number, False)

    def flush(self) -> None:
        """Send what is queued and wait until the server has taken it."""
        self._x.sync()

    @property
    def pointer(self) -> tuple[int, int]:
        reply = self._root.query_pointer()
        return reply.root_x, reply.root_y

    @property
    def modifier_state(self) -> int:
        """The modifier and group bits that the server holds now."""
        return int(self._root.query_pointer().mask)

    # Windows

    def windows(self) -> tuple[Window, ...]:
        """The managed windows from back to front."""
        ids = self._property(self._root, "_NET_CLIENT_LIST_STACKING", Xatom.WINDOW)
        active = self._property(self._root, "_NET_ACTIVE_WINDOW", Xatom.WINDOW)
        found = (self._describe(int(number), bool(len(active)) and number == active[0]) for number in ids)
        return tuple(window for window in found if window is not None)

    def _describe(self, number: int, focused: bool) -> Window | None:
        handle = self._x.create_resource_object("window", number)
        try:
            geometry = handle.get_geometry()
            corner = self._root.translate_coords(handle, 0, 0)
            states = self._property(handle, "_NET_WM_STATE", Xatom.ATOM)
            classes = handle.get_wm_class()
            title = self._title(handle)
        except error.XError:
            return None  # it went away while we looked
        box = Box(corner.x, corner.y, geometry.width, geometry.height)
        hidden = self.atom("_NET_WM_STATE_HIDDEN") in list(states)
        return Window(number, title, classes[1] if classes else "", box, focused, hidden)

    def _title(self, handle: Any) -> str:
        for name in ("_NET_WM_NAME", "WM_NAME"):
            reply = handle.get_full_property(self.atom(name), X.AnyPropertyType)
            if reply is not None and reply.value:
                value = reply.value
                return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        return ""

    def _property(self, handle: Any, name: str, kind: int) -> Any:
        reply = handle.get_full_property(self.atom(name), kind)
        return reply.value if reply is not None else ()

    def focus(self, title: str, seconds: float = 2.0) -> None:
        """Raise the frontmost window whose title contains `title`, and wait until it has the keyboard."""
        matching = [w for w in self.windows() if title.casefold() in w.title.casefold()]
        if not matching:
            titles = ", ".join(repr(w.title) for w in self.windows()) or "none"
            raise BadAction(f"no window has {title!r} in its title; the windows are: {titles}")
        wanted = matching[-1].id
        self._to_root(wanted, "_NET_ACTIVE_WINDOW", [2, X.CurrentTime, 0, 0, 0])
        try:
            until(lambda: list(self._property(self._root, "_NET_ACTIVE_WINDOW", Xatom.WINDOW)) == [wanted], "the window to be focused", seconds)
        except TimedOut:
            raise BadAction(f"the window {matching[-1].title!r} did not take the focus; another window may be modal") from None

    def close_window(self, number: int) -> None:
        """Ask a window to close, as its close button does."""
        self._to_root(number, "_NET_CLOSE_WINDOW", [X.CurrentTime, 2, 0, 0, 0])

    def maximise(self, number: int) -> None:
        """Ask the window manager to maximise a window."""
        both = [self.atom("_NET_WM_STATE_MAXIMIZED_HORZ"), self.atom("_NET_WM_STATE_MAXIMIZED_VERT")]
        self._to_root(number, "_NET_WM_STATE", [1, *both, 2, 0])

    def _to_root(self, window: int, kind: str, data: list[int]) -> None:
        handle = self._x.create_resource_object("window", window)
        message = xevent.ClientMessage(window=handle, client_type=self.atom(kind), data=(32, data))
        self._root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._x.flush()

    # Catching up

    def active(self) -> int | None:
        """The window that has the keyboard."""
        found = self._property(self._root, "_NET_ACTIVE_WINDOW", Xatom.WINDOW)
        return int(found[0]) if len(found) and found[0] else None

    def pid_of(self, window: int) -> int | None:
        """The process of a window, as it is numbered inside the desktop."""
        try:
            found = self._property(self._x.create_resource_object("window", window), "_NET_WM_PID", Xatom.CARDINAL)
        except error.XError:
            return None
        return int(found[0]) if len(found) else None

    def ping(self) -> int | None:
        """Ask the focused program to answer when it has worked off its input; None if it does not know how."""
        number = self.active()
        if number is None:
            return None
        handle = self._x.create_resource_object("window", number)
        if number not in self._understands_ping:
            try:
                protocols = self._property(handle, "WM_PROTOCOLS", Xatom.ATOM)
            except error.XError:
                return None
            self._understands_ping[number] = self.atom("_NET_WM_PING") in list(protocols)
        if not self._understands_ping[number]:
            return None
        self._pings += 1
        stamp = 0x40000000 + self._pings
        data = [self.atom("_NET_WM_PING"), stamp, number, 0, 0]
        handle.send_event(xevent.ClientMessage(window=handle, client_type=self.atom("WM_PROTOCOLS"), data=(32, data)), event_mask=0)
        self._x.flush()
        return stamp

    def answered(self, stamp: int) -> bool:
        """Whether the answer to a ping has come."""
        self._pump(lambda _: False, 0.0)
        return stamp in self._answers

    def catch_up(self, seconds: float = 5.0) -> bool:
        """Wait until the focused program has worked off its input; False if it cannot say or did not in time."""
        stamp = self.ping()
        if stamp is None:
            return False
        try:
            return until(lambda: self.answered(stamp), "the program to catch up", seconds, every=0.002)
        except TimedOut:
            return False

    def _pump(self, wanted: Callable[[Any], bool], seconds: float) -> Any | None:
        """Take events until one is wanted or the time is up; answers to pings are noted on the way."""
        deadline = time.monotonic() + seconds
        while True:
            while self._x.pending_events():
                event = self._x.next_event()
                if event.type == X.ClientMessage and event.client_type == self.atom("WM_PROTOCOLS"):
                    self._answers.add(int(event.data[1][1]))
                elif event.type == X.MappingNotify:
                    self.keyboard_changed = True
                if wanted(event):
                    return event
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return None
            select.select([self._x.fileno()], [], [], remaining)

    # Clipboard

    def clipboard(self) -> str:
        """The text on the clipboard; empty if there is none or its owner does not answer in time."""
        selection, target, place = self.atom("CLIPBOARD"), self.atom("UTF8_STRING"), self.atom("DESKBENCH_CLIPBOARD")
        if self._x.get_selection_owner(selection) == X.NONE:
            return ""
        self._pump(lambda _: False, 0.0)
        self._reader.convert_selection(selection, target, place, X.CurrentTime)
        self._x.flush()
        event = self._pump(lambda e: e.type == X.SelectionNotify and e.selection == selection, CLIPBOARD_SECONDS)
        if event is None or event.property == X.NONE:
            return ""
        reply = self._reader.get_full_property(place, X.AnyPropertyType)
        if reply is None:
            return ""
        if reply.property_type == self.atom("INCR"):
            return self._in_pieces(place)
        self._reader.delete_property(place)
        return bytes(reply.value if isinstance(reply.value, bytes) else b"").decode("utf-8", "replace")

    def _in_pieces(self, place: int) -> str:
        """A long clipboard, which its owner sends piece by piece."""
        data = bytearray()
        self._reader.delete_property(place)
        self._x.flush()
        while len(data) < CLIPBOARD_LIMIT:
            event = self._pump(lambda e: e.type == X.PropertyNotify and e.atom == place and e.state == X.PropertyNewValue, CLIPBOARD_SECONDS)
            reply = self._reader.get_full_property(place, X.AnyPropertyType) if event is not None else None
            if reply is None or not reply.value:
                break
            data += reply.value
            self._reader.delete_property(place)
            self._x.flush()
        return data.decode("utf-8", "replace")

    def close(self) -> None:
        with suppress(error.ConnectionClosedError, OSError):
            self._x.close()
