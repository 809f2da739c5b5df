"""Waiting for a condition: the only place in the house where time is allowed to pass.

Nothing sleeps for a fixed time. Whoever needs the world to reach a state names the state and a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class TimedOut(Exception):
    """The condition did not hold within its limit; the message names the condition."""


SHARE = 4.0
"""Between two looks at least so many times as long passes as a look takes: whoever waits must not starve what it waits for."""


def until(condition: Callable[[], T | None], what: str, seconds: float, every: float = 0.01) -> T:
    """The first truthy value of `condition`, asked again every `every` seconds; TimedOut after `seconds`.

    On a busy machine, where looking takes its time, it is asked less often.
    """
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        value = condition()
        if value:
            return value
        now = time.monotonic()
        if now >= deadline:
            raise TimedOut(f"waited {seconds:g} s for {what}")
        time.sleep(min(max(every, SHARE * (now - began)), 1.0, max(0.0, deadline - now)))


def until_moment(moment: float) -> None:
    """Return at `moment` of the monotonic clock: for motion that must take its time and samples at a steady rate."""
    delay = moment - time.monotonic()
    if delay > 0:
        time.sleep(delay)
