"""Agents: whoever can sit at a desktop. Built-ins by name; `module:attr` names one of a user's own.

An agent of a user's own is a class with `begin`, `wants` and `decide` (see `core.ports.Agent`), made without arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from deskbench.core.faults import Misuse
from deskbench.core.ports import Agent
from deskbench.core.steps import ProcedureStep

_HERE = "deskbench.agents"

_TABLE = {
    "expert": f"{_HERE}.expert:Expert",
    "noop": f"{_HERE}.simple:Noop",
    "quitter": f"{_HERE}.simple:Quitter",
    "random": f"{_HERE}.simple:Random",
}

ABOUT = {
    "expert": "plays the task's own procedure with the actions that any agent has",
    "noop": "says done at once",
    "quitter": "says at once that the job cannot be done",
    "random": "does seeded random things until its budget runs out",
}


def names() -> tuple[str, ...]:
    """The names of the built-in agents."""
    return tuple(_TABLE)


def find(name: str) -> Callable[..., Agent]:
    """What makes the agent of this name; Misuse if there is none."""
    module, _, attribute = _TABLE.get(name, name).partition(":")
    if not attribute:
        raise Misuse(f"no agent is called {name!r}; there are {', '.join(_TABLE)}, and module:attr names one of your own")
    try:
        found: Callable[..., Agent] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Misuse(f"the agent {name!r} cannot be loaded: {error}; write it as module:attr of a class that Python can import") from error
    return found


def make(name: str, *, procedure: Sequence[ProcedureStep], seed: int) -> Agent:
    """An agent ready to begin. Only the expert is given the procedure, only the random one the seed."""
    maker = find(name)
    if name == "expert":
        return maker(procedure)
    return maker(seed) if name == "random" else maker()
