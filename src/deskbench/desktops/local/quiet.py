"""When a screen has come to rest.

The picture is compared with itself every few milliseconds. It is quiet when nothing changed for a while after the
focused program said that it had worked off its input. A spot that keeps moving (a spinner, a fast caret) does not
count for ever: when all that moved lately lies in one small box, the rest of the screen is what matters.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from deskbench.core.observation import Box, Settled
from deskbench.core.ports import Settle
from deskbench.core.wait import SHARE, until_moment

LOOK_SECONDS = 0.015
LONGEST_PAUSE_SECONDS = 0.1
SPOT_SECONDS = 0.7
SPOT_SHARE = 0.004
UNSURE_SECONDS = 0.25
"""How long the screen must be quiet when the program cannot say whether it has caught up."""

BUSY_LOOKS = 8
BUSY_SECONDS = 3.0
"""A program that is computing in most of the last looks is still at work on what it was told: some take input in long before
they draw it. Programs that always compute are believed after this time."""

ROW_STEP = 4
"""Every fourth row is compared: text, carets and widgets are all taller than that."""


class Motion:
    """Where the screen has changed since the last look."""

    def __init__(self, rows: NDArray[np.uint8]) -> None:
        self._live = rows.view(np.uint32)[::ROW_STEP, :, 0]
        self._last = self._live.copy()

    def look(self) -> Box | None:
        """The box around everything that changed since the last look."""
        now = self._live.copy()
        changed = now != self._last
        rows = np.flatnonzero(changed.any(axis=1))
        if not len(rows):
            return None
        columns = np.flatnonzero(changed[rows[0] : rows[-1] + 1].any(axis=0))
        self._last = now
        top, bottom = int(rows[0]) * ROW_STEP, (int(rows[-1]) + 1) * ROW_STEP
        return Box(int(columns[0]), top, int(columns[-1] - columns[0]) + 1, bottom - top)


def wait_for_quiet(
    rows: NDArray[np.uint8],
    settle: Settle,
    caught_up: Callable[[], bool | None],
    busy: Callable[[], bool] = lambda: False,
    began: float | None = None,
) -> Settled:
    """Watch until the screen is quiet or the limit is reached.

    `caught_up` says True, False, or None if it cannot be known; `busy` whether the program is computing at this moment.
    """
    began = time.monotonic() if began is None else began
    if settle.limit_seconds <= 0:
        return Settled(False, 0.0, "not waited for")
    motion = Motion(rows)
    screen_area = rows.shape[0] * rows.shape[1]
    moves: deque[tuple[float, Box]] = deque()
    start = quiet_since = time.monotonic()
    answered = False
    work: deque[bool] = deque(maxlen=BUSY_LOOKS)
    while True:
        now = time.monotonic()
        work.append(busy())
        if sum(work) > BUSY_LOOKS // 2 and now - start < BUSY_SECONDS:
            quiet_since = now
        box = motion.look()
        if box is not None:
            moves.append((now, box))
            quiet_since = now
        while moves and moves[0][0] < now - SPOT_SECONDS:
            moves.popleft()
        if not answered:
            known = caught_up()
            if known:
                answered, quiet_since = True, max(quiet_since, now)
            needed = settle.quiet_seconds if known is not None else max(settle.quiet_seconds, UNSURE_SECONDS)
            ready = known is None
        else:
            needed, ready = settle.quiet_seconds, True
        if ready and now - quiet_since >= needed:
            return Settled(True, now - began, "quiet")
        if ready and now - start >= SPOT_SECONDS + needed and moves and _one_spot(moves, screen_area):
            return Settled(True, now - began, "quiet but for a spot that keeps moving")
        if now - began >= settle.limit_seconds:
            return Settled(False, now - began, "the screen still moves" if ready else "the program has not answered")
        until_moment(_next_look(now))


def _next_look(began: float) -> float:
    """When to look again after a look that began then: less often where looking takes long, for then the machine is busy."""
    now = time.monotonic()
    return max(began + LOOK_SECONDS, now + min(SHARE * (now - began), LONGEST_PAUSE_SECONDS))


def wait_for_change(rows: NDArray[np.uint8], seconds: float) -> bool:
    """Watch until anything on the screen changes; False if nothing does in time."""
    motion, deadline = Motion(rows), time.monotonic() + seconds
    while time.monotonic() < deadline:
        began = time.monotonic()
        if motion.look() is not None:
            return True
        until_moment(min(_next_look(began), deadline))
    return False


def _one_spot(moves: deque[tuple[float, Box]], screen_area: int) -> bool:
    left = min(box.x for _, box in moves)
    top = min(box.y for _, box in moves)
    right = max(box.x + box.width for _, box in moves)
    bottom = max(box.y + box.height for _, box in moves)
    return (right - left) * (bottom - top) <= SPOT_SHARE * screen_area
