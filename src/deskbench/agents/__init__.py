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
from typing import Any, get_args

from deskbench.agents import presets
from deskbench.core.faults import Misuse
from deskbench.core.ports import Agent
from deskbench.core.steps import AskUser, Habit, ProcedureStep, Variation
from deskbench.core.task import Task

_HERE = "deskbench.agents"

HABITS: tuple[str, ...] = get_args(Habit)
"""Ways of not listening, played by the expert; a task says how (`plays:`)."""

_TABLE = {
    "expert": f"{_HERE}.expert:Expert",
    "noop": f"{_HERE}.simple:Noop",
    "quitter": f"{_HERE}.simple:Quitter",
    "random": f"{_HERE}.simple:Random",
    "toucher": f"{_HERE}.simple:Noop",
    **dict.fromkeys(HABITS, f"{_HERE}.expert:Expert"),
}

WITH_PROCEDURE = {name for name, where in _TABLE.items() if where.endswith(":Expert")}

ABOUT = {
    "expert": "plays the task's own procedure with the actions that any agent has",
    "noop": "says done at once",
    "quitter": "says at once that the job cannot be done",
    "random": "does seeded random things until its budget runs out",
    "toucher": "finds every file that the checks name made for it, empty or as a copy of an input, and says done",
    "never_asks": "the expert, but where it should ask it goes on with the most plausible guess",
    "ignores_message": "the expert, but it finishes what it was first told, whatever the user says later",
    "restarts": "the expert, but it begins again from the start when the user speaks; where a task says how",
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
    if name.partition("~")[0] in WITH_PROCEDURE:
        return maker(procedure_of(name, task), {phase.id: phase.opens_on for phase in task.phases[1:]})
    return maker(seed) if name == "random" else maker()


def procedure_of(name: str, task: Task) -> tuple[ProcedureStep, ...]:
    """The procedure that the expert, or a variation of it, plays."""
    if name in HABITS:
        return _by_habit(name, task)
    how, _, number = name.partition("~")[2].partition("-")
    if not how:
        return task.procedure
    variations = {"miss": task.near_misses, "other": task.alternatives}
    count = len(task.procedure) if how == "omit" else len(variations.get(how, ()))
    if not number.isdigit() or not 1 <= int(number) <= count:
        raise Misuse(f"{task.id} has no {name!r}; it has {count} of that kind")
    if how == "omit":
        return tuple(step for place, step in enumerate(task.procedure, 1) if place != int(number))
    return _varied(variations[how][int(number) - 1], task)


def _by_habit(habit: str, task: Task) -> tuple[ProcedureStep, ...]:
    """What an agent with a habit does: as the task's author wrote it, otherwise the expert's way without what the habit leaves out."""
    for variation in (*task.near_misses, *task.alternatives):
        if variation.plays == habit:
            return _varied(variation, task)
    if habit == "never_asks":
        silent = (step.model_copy(update={"by": tuple(hint for hint in step.by if not isinstance(hint, AskUser))}) for step in task.procedure)
        return _guessed(tuple(step for step in silent if step.by), task)
    if habit == "ignores_message":
        return tuple(step for step in task.procedure if step.phase in (None, task.course[0].id))
    return task.procedure


def _varied(variation: Variation, task: Task) -> tuple[ProcedureStep, ...]:
    procedure = variation.of(task.procedure)
    return _guessed(procedure, task) if variation.plays == "never_asks" else procedure


def _guessed(procedure: tuple[ProcedureStep, ...], task: Task) -> tuple[ProcedureStep, ...]:
    """The steps of one who does not ask: goes on without the answer, and never hears what would have been said after it."""
    ids = [phase.id for phase in task.course]
    unasked = next((place for place, phase in enumerate(task.course) if phase.opens_on == "agent_asks"), len(ids))
    known = (step for step in procedure if step.phase is None or ids.index(step.phase) <= unasked)
    return tuple(step.model_copy(update={"phase": None}) if step.phase in ids[unasked:] else step for step in known)
