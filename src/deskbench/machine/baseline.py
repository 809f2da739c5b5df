"""How peers act and look, written plainly, to measure against on the same desktop.

A click is a fresh Python process with pyautogui. A picture is taken through the X protocol and saved by Pillow as it does
by default. The accessibility tree is walked property by property, one blocking call after another, going only below what
shows; a table is read up to its first 1,024 children. None of it is slowed down: pyautogui's pauses are off.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.auth import AuthExternal
from PIL import ImageGrab

from deskbench.core.faults import DesktopFault
from deskbench.core.observation import Box
from deskbench.desktops.local.credentials import thread_as
from deskbench.desktops.local.places import inner_owner, state
from deskbench.desktops.local.roles import SHOWING, VISIBLE, bits, role_name

SOCKETS = Path("/tmp/.X11-unix")
FIRST_NUMBER = 7000
INSTALL_SECONDS = 300
CLICK_SECONDS = 30

PYAUTOGUI = "import sys, pyautogui\npyautogui.PAUSE = 0\npyautogui.click(int(sys.argv[1]), int(sys.argv[2]))\n"
XLIB = (
    "import sys\nfrom Xlib import X, display\nfrom Xlib.ext import xtest\nd = display.Display()\nx, y = int(sys.argv[1]), int(sys.argv[2])\n"
    "d.screen().root.warp_pointer(x, y)\nd.sync()\n"
    "for kind in (X.ButtonPress, X.ButtonRelease):\n    xtest.fake_input(d, kind, 1)\n    d.sync()\n"
)


@contextmanager
def numbered(desk: Path) -> Iterator[int]:
    """A display number under which ordinary X programs of this machine find a desktop, for as long as the context lasts."""
    made = not SOCKETS.exists()
    SOCKETS.mkdir(mode=0o1777, exist_ok=True)
    number = FIRST_NUMBER + os.getpid() % 10_000
    while (SOCKETS / f"X{number}").is_symlink() or (SOCKETS / f"X{number}").exists():
        number += 1
    link = SOCKETS / f"X{number}"
    link.symlink_to(desk / "x11" / "X99")
    try:
        yield number
    finally:
        link.unlink(missing_ok=True)
        if made:
            with suppress(OSError):  # another program has its socket there by now
                SOCKETS.rmdir()


class Clicker:
    """Clicks as peers do: a Python process for each."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._python, self._script, self.means = self._prepare(state() / "baseline", say)

    @staticmethod
    def _prepare(folder: Path, say: Callable[[str], None]) -> tuple[str, str, str]:
        """An interpreter with pyautogui, made once; without a network, python-xlib does the same in the same shape."""
        python = folder / "bin" / "python"
        if not python.exists() or not _imports(python):
            say("preparing the baseline: a virtual environment with pyautogui")
            made = _succeeds([sys.executable, "-m", "venv", "--clear", str(folder)])
            if not made or not _succeeds([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pyautogui"]):
                return sys.executable, XLIB, "python-xlib in the shape of pyautogui, which could not be installed"
        return str(python), PYAUTOGUI, "pyautogui"

    def click(self, number: int, x: int, y: int) -> None:
        """One click on the display of this number."""
        environment = {**os.environ, "DISPLAY": f":{number}", "XAUTHORITY": os.devnull}
        ran = subprocess.run([self._python, "-c", self._script, str(x), str(y)], env=environment, capture_output=True, timeout=CLICK_SECONDS)
        if ran.returncode != 0:
            raise DesktopFault(f"the baseline's click failed: {ran.stderr.decode(errors='replace').strip().splitlines()[-1:]}; remove {self._python}")


def _imports(python: Path) -> bool:
    return _succeeds([str(python), "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('pyautogui') is None)"])


def _succeeds(argv: list[str]) -> bool:
    try:
        return subprocess.run(argv, capture_output=True, timeout=INSTALL_SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def screenshot(number: int) -> bytes:
    """A picture of the display, taken through the X protocol and saved to a file as PNG, as Pillow does by default."""
    image = ImageGrab.grab(xdisplay=f":{number}")
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        image.save(file.name)
        return Path(file.name).read_bytes()


A11Y = "org.a11y.atspi."
PROPERTIES = "org.freedesktop.DBus.Properties"
CHILD_LIMIT = 1024
DEPTH_LIMIT = 50

Reference = tuple[str, str]


@dataclass(frozen=True)
class Seen:
    """One node that shows, with its box on the screen."""

    role: str
    name: str
    box: Box


@dataclass
class Walked:
    """What one walk gave, and what it took."""

    nodes: list[Seen] = field(default_factory=list)
    visited: int = 0
    calls: int = 0


class PropertyWalk:
    """The accessibility tree of one desktop, one property of one node at a time."""

    def __init__(self, desk: Path, size: tuple[int, int]) -> None:
        self._folder = desk / "run" / "at-spi"
        self._screen = Box(0, 0, *size)
        self._loop = asyncio.new_event_loop()
        self._bus = self._loop.run_until_complete(self._connect())
        self._walked = Walked()

    async def _connect(self) -> MessageBus:
        folder = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)
        try:
            with thread_as(inner_owner()):
                return await MessageBus(bus_address=f"unix:path=/proc/self/fd/{folder}/bus_99", auth=AuthExternal(1000)).connect()
        finally:
            os.close(folder)

    def close(self) -> None:
        """End the connection."""
        self._bus.disconnect()
        self._loop.run_until_complete(self._bus.wait_for_disconnect())  # type: ignore[no-untyped-call]
        self._loop.close()

    def walk(self) -> Walked:
        """Every node that shows."""
        self._walked = Walked()
        self._loop.run_until_complete(self._from_the_registry())
        return self._walked

    async def _from_the_registry(self) -> None:
        for application in await self._children(("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")):
            for window in await self._children(application):
                await self._node(window, 0)

    async def _call(self, at: Reference, interface: str, member: str, signature: str = "", *body: Any) -> Any:
        self._walked.calls += 1
        reply = await self._bus.call(Message(destination=at[0], path=at[1], interface=interface, member=member, signature=signature, body=list(body)))
        answered = reply is not None and reply.message_type is MessageType.METHOD_RETURN and reply.body
        return reply.body[0] if reply is not None and answered else None

    async def _property(self, at: Reference, interface: str, name: str) -> Any:
        variant = await self._call(at, PROPERTIES, "Get", "ss", A11Y + interface, name)
        return variant.value if isinstance(variant, Variant) else None

    async def _children(self, at: Reference) -> list[Reference]:
        count = int(await self._property(at, "Accessible", "ChildCount") or 0)
        found = []
        for index in range(min(count, CHILD_LIMIT)):
            child = await self._call(at, A11Y + "Accessible", "GetChildAtIndex", "i", index)
            if child and not child[1].endswith("/null"):
                found.append((child[0], child[1]))
        return found

    async def _node(self, at: Reference, depth: int) -> None:
        """Read a node and what is below it, unless it does not show."""
        self._walked.visited += 1
        states = bits(await self._call(at, A11Y + "Accessible", "GetState") or [])
        if not (states >> SHOWING & 1 and states >> VISIBLE & 1):
            return
        name = await self._property(at, "Accessible", "Name")
        role = await self._call(at, A11Y + "Accessible", "GetRole")
        await self._call(at, A11Y + "Accessible", "GetAttributes")
        box = await self._details(at)
        if box is not None and box.within(self._screen).area:
            self._walked.nodes.append(Seen(role_name(role or 0), str(name or ""), box.within(self._screen)))
        if depth < DEPTH_LIMIT:
            for child in await self._children(at):
                await self._node(child, depth + 1)

    async def _details(self, at: Reference) -> Box | None:
        """Everything that peers put beside role and name: box, text, value and actions."""
        offered = [entry.removeprefix(A11Y) for entry in await self._call(at, A11Y + "Accessible", "GetInterfaces") or []]
        extents = await self._call(at, A11Y + "Component", "GetExtents", "u", 0) if "Component" in offered else None
        if "Text" in offered:
            length = await self._property(at, "Text", "CharacterCount")
            await self._call(at, A11Y + "Text", "GetText", "ii", 0, int(length or 0))
        if "Value" in offered:
            for name in ("CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement"):
                await self._property(at, "Value", name)
        if "Action" in offered:
            for index in range(int(await self._property(at, "Action", "NActions") or 0)):
                for member in ("GetName", "GetDescription", "GetKeyBinding"):
                    await self._call(at, A11Y + "Action", member, "i", index)
        return Box(*extents) if extents else None
