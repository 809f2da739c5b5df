"""An agent whose decisions come from somewhere else: another loop, another process, a person at a protocol.

The episode asks it and waits; whoever drives it is handed each observation and hands back a decision. Neither knows the other.
"""

from __future__ import annotations

import queue

from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Wants


class Left(Exception):
    """Whoever drove the agent got up and went away."""


class External:
    """Hands every observation out, and waits for the decision that comes back."""

    def __init__(self, wants: Wants) -> None:
        self._wants = wants
        self._seen: queue.Queue[Observation | None] = queue.Queue()
        self._decided: queue.Queue[Decision | None] = queue.Queue()
        self.brief: Brief | None = None

    def begin(self, brief: Brief) -> None:
        """Take the job."""
        self.brief = brief

    def wants(self) -> Wants:
        """What the driver asked to see."""
        return self._wants

    def decide(self, observation: Observation) -> Decision:
        """Hand the observation out and wait for the driver."""
        self._seen.put(observation)
        decision = self._decided.get()
        if decision is None:
            raise Left("whoever drove this agent left before the job was finished")
        return decision

    def next_look(self) -> Observation | None:
        """For the driver: the next observation, or None once the episode is over."""
        return self._seen.get()

    def answer(self, decision: Decision) -> None:
        """For the driver: what to do."""
        self._decided.put(decision)

    def leave(self) -> None:
        """For the driver: no more decisions will come."""
        self._decided.put(None)

    def over(self) -> None:
        """For the episode: there is nothing more to see."""
        self._seen.put(None)
