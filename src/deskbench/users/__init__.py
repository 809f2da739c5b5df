"""The person at the other end of a task: scripted, simulated by a model, or a human."""

from __future__ import annotations

from deskbench.core.faults import Misuse
from deskbench.core.ports import User

KINDS = ("scripted", "simulated", "human")


def make(name: str) -> User:
    """The user of this name: `scripted`, `simulated?model=NAME&base=URL`, or `human`."""
    kind, _, options = name.partition("?")
    if kind == "scripted":
        from deskbench.users.scripted import ScriptedUser

        return ScriptedUser()
    if kind == "simulated":
        from deskbench.users.simulated import simulated

        return simulated(options)
    if kind == "human":
        from deskbench.users.human import HumanUser

        return HumanUser()
    raise Misuse(f"no user is called {name!r}; there are {', '.join(KINDS)}")
