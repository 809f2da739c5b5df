"""Agents that need to see nothing: the ends of the scale that every task is measured against."""

from __future__ import annotations

import random

from deskbench.core.action import Action, Click, Done, Drag, Fail, Key, Scroll, Type
from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Wants

KEYS = ("enter", "tab", "escape", "delete", "up", "down", "left", "right", "space")
CHORDS = (("ctrl", "s"), ("ctrl", "z"), ("ctrl", "a"), ("ctrl", "c"), ("ctrl", "v"), ("alt", "f"))


class Noop:
    """Says that the job is done without having looked."""

    def begin(self, brief: Brief) -> None:
        pass

    def wants(self) -> Wants:
        return Wants()

    def decide(self, observation: Observation) -> Decision:
        return Decision((Done(),))


class Quitter(Noop):
    """Says that the job cannot be done without having tried."""

    def decide(self, observation: Observation) -> Decision:
        return Decision((Fail(reason="I will not try."),))


class Random(Noop):
    """Does random things; the same seed does the same things."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def decide(self, observation: Observation) -> Decision:
        return Decision((self._action(*observation.frame.size),))

    def _action(self, width: int, height: int) -> Action:
        point = self._random.randrange(width), self._random.randrange(height)
        other = self._random.randrange(width), self._random.randrange(height)
        choices: list[Action] = [
            Click(x=point[0], y=point[1]),
            Click(x=point[0], y=point[1], button="right"),
            Click(x=point[0], y=point[1], count=2),
            Drag(path=(point, other)),
            Scroll(x=point[0], y=point[1], dy=self._random.choice((-3, 3))),
            Type(text="".join(self._random.choices("abcdefgh 0123456789", k=6))),
            Key(keys=(self._random.choice(KEYS),)),
            Key(keys=self._random.choice(CHORDS)),
        ]
        return self._random.choice(choices)
