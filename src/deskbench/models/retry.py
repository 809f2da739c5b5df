"""Trying again: what is the server's passing trouble is waited out, within limits of tries and of seconds.

The SDKs' own retries are switched off, so that these are the only ones and every one is counted.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from deskbench.core.faults import DeskbenchError, ModelFault
from deskbench.core.wait import until_moment

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong at a server. `passing` trouble may be gone in a moment; `wait_seconds` is what the server asked for."""

    sentence: str
    passing: bool
    wait_seconds: float | None = None


def pause(seconds: float) -> None:
    """Let time pass; a server's trouble is no condition that could be looked at."""
    until_moment(time.monotonic() + seconds)


@dataclass(frozen=True, slots=True)
class Retry:
    """At most `tries` tries, begun within `seconds`; the waits between them double from `first_seconds` up to `longest_seconds`."""

    tries: int = 6
    seconds: float = 600.0
    first_seconds: float = 1.0
    longest_seconds: float = 60.0
    pause: Callable[[float], None] = pause
    chance: Callable[[], float] = random.random

    def run(self, call: Callable[[], T], trouble_of: Callable[[Exception], Trouble]) -> T:
        """What `call` gives in the end; ModelFault when it does not come about. The cause is not chained: it may hold a key."""
        began = time.monotonic()
        number = 0
        while True:
            number += 1
            try:
                return call()
            except DeskbenchError:
                raise
            except Exception as error:
                trouble = trouble_of(error)
            delay = self._delay(number, trouble)
            reason = self._given_up(number, trouble, time.monotonic() - began, delay)
            if reason:
                raise ModelFault(f"{trouble.sentence} ({reason})")
            self.pause(delay)

    def _given_up(self, number: int, trouble: Trouble, elapsed: float, delay: float) -> str:
        if not trouble.passing:
            return "trying again would not help"
        if number >= self.tries:
            return f"tried {number} times in {elapsed:.0f} s"
        if elapsed + delay > self.seconds:
            return f"tried {number} times in {elapsed:.0f} s; another wait of {delay:.0f} s would exceed the limit of {self.seconds:g} s"
        return ""

    def _delay(self, number: int, trouble: Trouble) -> float:
        """What the server asked for and a little more, or half to the whole of the doubling wait: many episodes must not come back at once."""
        if trouble.wait_seconds is not None:
            return trouble.wait_seconds * (1 + 0.1 * self.chance())
        longest: float = min(self.longest_seconds, self.first_seconds * 2.0 ** (number - 1))
        return longest * (0.5 + 0.5 * self.chance())
