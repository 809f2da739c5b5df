"""The hand at a desktop: what waits to be done, what is held down, and the threads on which it happens.

Desktop calls block, so they run on two threads: the hand acts, the eye only copies and encodes frames. A program that takes
seconds to open does not freeze the picture.
"""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from deskbench.core import action as a
from deskbench.core.ports import Desktop, Settle
from deskbench.web.live_messages import Input

NOT_WAITING = Settle(limit_seconds=0)

T = TypeVar("T")


class Workplace:
    """A desktop with the two threads that may touch it, shared by its sessions."""

    def __init__(self, desktop: Desktop, apps: Sequence[str]) -> None:
        self.desktop = desktop
        self.apps = list(apps)
        self.closing = asyncio.Event()
        self.sessions = 0
        self.deserted = asyncio.Event()
        self.deserted.set()
        self.resetting = False
        self._hand = ThreadPoolExecutor(1, "deskbench-hand")
        self._eye = ThreadPoolExecutor(1, "deskbench-eye")

    @contextmanager
    def visited(self) -> Iterator[None]:
        """Count a session for as long as it lasts."""
        self.sessions += 1
        self.deserted.clear()
        try:
            yield
        finally:
            self.sessions -= 1
            if not self.sessions:
                self.deserted.set()

    async def by_hand(self, work: Callable[..., T], *given: Any) -> T:
        """Do something to the desktop; one thing after another."""
        return await asyncio.get_running_loop().run_in_executor(self._hand, functools.partial(work, *given))

    async def by_eye(self, work: Callable[..., T], *given: Any) -> T:
        """Look at the desktop."""
        return await asyncio.get_running_loop().run_in_executor(self._eye, functools.partial(work, *given))

    def reset(self) -> None:
        """Make the desktop pristine; until then, that it does not answer is no news."""
        self.resetting = True
        try:
            self.desktop.reset()
        finally:
            self.resetting = False

    def close(self) -> None:
        """Let both threads finish what they are at."""
        for worker in (self._hand, self._eye):
            worker.shutdown(cancel_futures=True)


class Inbox:
    """Input that waits for the hand. A move that comes on the heels of another replaces it."""

    def __init__(self) -> None:
        self._waiting: deque[Input] = deque()
        self._filled = asyncio.Event()

    def put(self, message: Input) -> None:
        if isinstance(message, a.Move) and self._waiting and isinstance(self._waiting[-1], a.Move):
            self._waiting.pop()
        self._waiting.append(message)
        self._filled.set()

    def __len__(self) -> int:
        return len(self._waiting)

    async def take(self) -> Input:
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        return self._waiting.popleft()


class Held:
    """The keys and buttons that one viewer holds down on a desktop."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop
        self._keys: list[str] = []
        self._buttons: list[a.Button] = []

    def act(self, action: a.Action) -> None:
        """Carry out an action without waiting for the screen, and remember what it holds."""
        self._desktop.act(action, settle=NOT_WAITING)
        match action:
            case a.KeyDown() if action.key not in self._keys:
                self._keys.append(action.key)
            case a.KeyUp() if action.key in self._keys:
                self._keys.remove(action.key)
            case a.Press() if action.button not in self._buttons:
                self._buttons.append(action.button)
            case a.Release() if action.button in self._buttons:
                self._buttons.remove(action.button)

    def tap(self, key: str, text: bool) -> None:
        """Press and let go of one key; for text, what is held is lifted meanwhile, for it would change the character."""
        if not text:
            self._desktop.act(a.KeyDown(key=key), settle=NOT_WAITING)
            self._desktop.act(a.KeyUp(key=key), settle=NOT_WAITING)
            return
        held = list(self._keys)
        for name in reversed(held):
            self._desktop.act(a.KeyUp(key=name), settle=NOT_WAITING)
        self._desktop.act(a.Key(keys=(key,)), settle=NOT_WAITING)
        for name in held:
            self._desktop.act(a.KeyDown(key=name), settle=NOT_WAITING)

    def release(self) -> None:
        """Let go of everything."""
        while self._buttons:
            self._desktop.act(a.Release(button=self._buttons.pop()), settle=NOT_WAITING)
        while self._keys:
            self._desktop.act(a.KeyUp(key=self._keys.pop()), settle=NOT_WAITING)

    def forget(self) -> None:
        """Hold nothing: the desktop that knew of it is gone."""
        self._keys.clear()
        self._buttons.clear()
