"""Agents: whoever can sit at a desktop. Built-ins by name; `module:attr` names one of a user's own.

An agent of a user's own is a class with `begin`, `wants` and `decide` (see `core.ports.Agent`), made without arguments.

The expert has variations, which prove that a task's checks can tell: `expert~omit-3` leaves step 3 of the procedure out, `expert~miss-1` plays
the first near miss, `expert~other-1` the first alternative.

A preset names a model at a desktop, with options: `claude`, `qwen3-vl?model=NAME&base=URL` (see `agents.presets`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from deskbench.agents import presets
from deskbench.core.faults import Misuse
from deskbench.core.ports import Agent
from deskbench.core.steps import ProcedureStep
from deskbench.core.task import Task

_HERE = "deskbench.agents"

_TABLE = {
    "expert": f"{_HERE}.expert:Expert",
    "noop": f"{_HERE}.simple:Noop",
    "quitter": f"{_HERE}.simple:Quitter",
    "random": f"{_HERE}.simple:Random",
    "toucher": f"{_HERE}.simple:Noop",
}

ABOUT = {
    "expert": "plays the task's own procedure with the actions that any agent has",
    "noop": "says done at once",
    "quitter": "says at once that the job cannot be done",
    "random": "does seeded random things until its budget runs out",
    "toucher": "finds every file that the checks name made for it, empty or as a copy of an input, and says done",
    **presets.about(),
}


def names() -> tuple[str, ...]:
    """The names of the built-in agents."""
    return (*_TABLE, *presets.PRESETS)


def listing() -> list[dict[str, Any]]:
    """Every built-in agent: its name, its kind, and for a model its dialect, coordinate space, client and default model."""
    own = {"kind": "built-in", "dialect": None, "coordinates": "screen pixels", "client": None, "model": None}
    return [*({"name": name, **own, "about": ABOUT[name]} for name in _TABLE), *presets.listing()]


def find(name: str) -> Callable[..., Agent]:
    """What makes the agent of this name; Misuse if there is none, or if it lacks what it needs."""
    if presets.is_preset(name):
        presets.made(name)
        return partial(presets.made_to_play, name)
    module, _, attribute = _TABLE.get(name.partition("~")[0], name).partition(":")
    if not attribute:
        raise Misuse(f"no agent is called {name!r}; there are {', '.join(names())}, and module:attr names one of your own")
    try:
        found: Callable[..., Agent] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Misuse(f"the agent {name!r} cannot be loaded: {error}; write it as module:attr of a class that Python can import") from error
    return found


def make(name: str, *, task: Task, seed: int) -> Agent:
    """An agent ready to begin. Only the expert is given a procedure, only the random one the seed; none is given the task."""
    if presets.is_preset(name):
        return presets.made_to_play(name)
    maker = find(name)
    if name.partition("~")[0] == "expert":
        return maker(procedure_of(name, task))
    return maker(seed) if name == "random" else maker()


def procedure_of(name: str, task: Task) -> tuple[ProcedureStep, ...]:
    """The procedure that the expert, or a variation of it, plays."""
    how, _, number = name.partition("~")[2].partition("-")
    if not how:
        return task.procedure
    variations = {"miss": task.near_misses, "other": task.alternatives}
    count = len(task.procedure) if how == "omit" else len(variations.get(how, ()))
    if not number.isdigit() or not 1 <= int(number) <= count:
        raise Misuse(f"{task.id} has no {name!r}; it has {count} of that kind")
    if how == "omit":
        return tuple(step for place, step in enumerate(task.procedure, 1) if place != int(number))
    return variations[how][int(number) - 1].of(task.procedure)
