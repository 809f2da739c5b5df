"""A task: data only. What it means is decided by the rooms that read it.

This module holds the shape of `task.yaml`. Texts may name parameters as `{size}` or `{client.city}`; `draw` gives the
task with the values that a seed picks. A plain task is a task with one phase.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from deskbench.core.steps import ProcedureStep, SetupStep, Variation

Level = Literal["L1", "L2", "L3", "L4"]
Language = Literal["en", "zh"]
Said = dict[Language, str]

BUDGETS: dict[str, dict[Level, int]] = {
    "windowsworld": {"L1": 15, "L2": 25, "L3": 40, "L4": 20},
    "prosoftarena": {"L1": 35, "L2": 55, "L3": 100, "L4": 35},
    "deskcraft": {"L1": 100, "L2": 100, "L3": 100, "L4": 100},
    "workflow-gym": {"L1": 400, "L2": 400, "L3": 400, "L4": 400},
}
"""Step budgets as the papers set them, by name and level."""

DEFAULT_BUDGET = "deskcraft"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, coerce_numbers_to_str=True)


class Param(_Model):
    """What a seed picks from: one of some values, or a whole number in a range."""

    one_of: tuple[Any, ...] | None = Field(default=None, min_length=2)
    between: tuple[int, int] | None = None
    step: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.one_of is None) == (self.between is None):
            raise ValueError("say one_of: [a, b] or between: [low, high]")
        if self.between is not None and self.between[1] - self.between[0] < self.step:
            raise ValueError("between needs at least two values to pick from")
        return self

    @property
    def values(self) -> tuple[Any, ...]:
        if self.one_of is not None:
            return self.one_of
        assert self.between is not None
        return tuple(range(self.between[0], self.between[1] + 1, self.step))

    def pick(self, task: str, name: str, seed: int) -> Any:
        """The value of a seed. Neighbouring seeds pick different values, so that two runs can be told apart."""
        start = int.from_bytes(hashlib.sha256(f"{task}/{name}".encode()).digest()[:4], "big")
        return self.values[(start + seed) % len(self.values)]


class CheckEntry(_Model):
    """One line of `checks`: a check by name with its arguments, or `all` / `any` of several."""

    name: str
    args: Any = None
    parts: tuple[CheckEntry, ...] = ()
    weight: float = Field(default=1.0, gt=0)
    guard: str | None = None
    """Why a check stays although no mutant is caught by it alone."""

    @model_validator(mode="before")
    @classmethod
    def _from_yaml(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value, "args": {}}
        if not isinstance(value, Mapping) or ("name" in value and ("args" in value or "parts" in value)):
            return value
        extras = {key: value[key] for key in ("weight", "guard") if key in value}
        named = {key: inner for key, inner in value.items() if key not in extras}
        if len(named) != 1:
            raise ValueError(f"a check is one name with its arguments, as in `svg.text: {{...}}`; here are {', '.join(map(str, named)) or 'none'}")
        ((name, inner),) = named.items()
        if name in ("all", "any"):
            if not isinstance(inner, list) or len(inner) < 2:
                raise ValueError(f"`{name}` combines a list of at least two checks")
            return {"name": name, "parts": inner, **extras}
        return {"name": name, "args": {} if inner is None else inner, **extras}


class Milestone(_Model):
    """A sub-goal: a sentence, and a check that is looked at after every step. Without one, a model may judge it."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    says: str = Field(min_length=8)
    probe: CheckEntry | None = None
    phase: str | None = None
    """The phase whose message it serves."""


class Known(_Model):
    """Something the user can tell when asked about it. `about` holds the words by which a question is recognised, in any language."""

    about: str
    answer: Annotated[Said, BeforeValidator(lambda value: {"en": value} if isinstance(value, str) else value)]


Mode = Literal["clarification", "interruption", "requirement_change", "refinement", "correction", "staged"]
Trigger = Literal["agent_done", "agent_asks"] | dict[Literal["step_count", "milestone", "idle", "elapsed"], int | float | str]


class Phase(_Model):
    """A part of the job. The first opens at the start; each later one says what opens it.

    Its own checks are looked at when the agent says that it is done with it, and again at the end unless a later phase supersedes it.
    """

    id: str = Field(default="", pattern=r"^([a-z][a-z0-9_-]*)?$")
    says: Said
    opens_on: Annotated[Trigger, Field(union_mode="left_to_right")] | None = None
    mode: Mode | None = None
    knows: tuple[Known, ...] = ()
    checks: tuple[CheckEntry, ...] = ()
    supersedes: tuple[str, ...] = ()
    """Earlier phases whose checks need not hold any more at the end."""
    due: str | None = None
    """Of a phase that waits to be asked: the milestone that is reached by going on without asking."""

    def message(self, language: str) -> str:
        """What the author lets the user say."""
        return self.says.get(language) or self.says["en"]  # type: ignore[call-overload]


class Budget(_Model):
    """How long an agent may take. Steps come from a preset by level where they are not given."""

    steps: int | None = Field(default=None, ge=1, le=2000)
    preset: str = DEFAULT_BUDGET
    seconds: float = Field(default=1800.0, gt=0, le=4 * 3600)

    @field_validator("preset")
    @classmethod
    def _known_preset(cls, name: str) -> str:
        if name not in BUDGETS:
            raise ValueError(f"there is no budget called {name!r}; there are {', '.join(BUDGETS)}")
        return name

    def steps_for(self, level: Level) -> int:
        return self.steps if self.steps is not None else BUDGETS[self.preset][level]


class Reference(_Model):
    """How long a person takes."""

    steps: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)


def _phases(value: Any) -> Any:
    """A list as YAML gives it; phases without an id are called by their number."""
    if not isinstance(value, list):
        return value
    return tuple({"id": f"phase-{number}", **phase} if isinstance(phase, Mapping) else phase for number, phase in enumerate(value, 1))


class Task(_Model):
    """One job, as its author wrote it."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*/[a-z0-9][a-z0-9_-]*$")
    level: Level
    apps: tuple[str, ...] = Field(min_length=1)
    domain: str = Field(pattern=r"^[a-z0-9-]+(/[a-z0-9-]+)*$")
    persona: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    source: str = Field(min_length=3)
    labels: tuple[str, ...] = ()
    params: dict[str, Param] = Field(default_factory=dict)
    values: dict[str, Any] = Field(default_factory=dict)
    """What the seed picked; never written by an author."""
    instruction: Said | None = None
    setup: tuple[SetupStep, ...] = ()
    phases: Annotated[tuple[Phase, ...], BeforeValidator(_phases)] = ()
    checks: tuple[CheckEntry, ...] = ()
    """What must hold at the end, whatever was said on the way."""
    credit: Literal["all", "partial"] = "all"
    milestones: tuple[Milestone, ...] = Field(default=(), max_length=8)
    procedure: tuple[ProcedureStep, ...] = Field(min_length=1)
    near_misses: tuple[Variation, ...] = ()
    """Ways that look right and are wrong."""
    alternatives: tuple[Variation, ...] = ()
    """Other ways that are right."""
    tools: tuple[Literal["shell", "files"], ...] = ()
    """What the task grants beside the desktop."""
    budget: Budget = Budget()
    human: Reference = Reference()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.instruction is None) == (not self.phases):
            raise ValueError("a task has either an instruction or phases")
        if not self.standing:
            raise ValueError("a task needs at least one check that must hold at the end")
        self._check_phases()
        for said in (self.instruction, *(phase.says for phase in self.phases)):
            if said is not None and not said.get("en", "").strip():
                raise ValueError("every text needs at least the language en")
        ids = [milestone.id for milestone in self.milestones]
        if len(set(ids)) != len(ids):
            raise ValueError(f"two milestones share an id: {', '.join(sorted({i for i in ids if ids.count(i) > 1}))}")
        for step in self.procedure:
            if step.reaches is not None and step.reaches not in ids:
                raise ValueError(f"the procedure reaches {step.reaches!r}, which is no milestone; there are {', '.join(ids) or 'none'}")
        names = {entry.name for entry in self.every_check} | {part.name for entry in self.every_check for part in entry.parts} | {"stop"}
        for variation in (*self.near_misses, *self.alternatives):
            if any(not 1 <= number <= len(self.procedure) for number in variation.replace):
                raise ValueError(f"the variation {variation.says!r} replaces a step that the procedure does not have; steps count from 1")
        for miss in self.near_misses:
            if miss.fails not in names:
                raise ValueError(f"the near miss {miss.says!r} says which check catches it: fails: one of {', '.join(sorted(names))}")
        return self

    def _check_phases(self) -> None:
        ids = [phase.id for phase in self.phases]
        milestones = {milestone.id for milestone in self.milestones}
        for number, phase in enumerate(self.phases):
            if number and phase.opens_on is None:
                raise ValueError("every phase after the first says what opens it: opens_on: agent_done, agent_asks, {step_count: 5}, ...")
            if phase.id in ids[:number]:
                raise ValueError(f"two phases share the id {phase.id!r}")
            if unknown := set(phase.supersedes) - set(ids[:number]):
                raise ValueError(f"the phase {phase.id!r} supersedes {', '.join(sorted(unknown))}, which is no earlier phase")
            waited_for = phase.opens_on.get("milestone") if isinstance(phase.opens_on, dict) else None
            for name in filter(None, (waited_for, phase.due)):
                if name not in milestones:
                    raise ValueError(f"the phase {phase.id!r} names {name!r}, which is no milestone")
        used = [step.phase for step in self.procedure] + [milestone.phase for milestone in self.milestones]
        named = {phase for phase in used if phase is not None}
        if unknown := named - set(ids):
            raise ValueError(f"there is no phase called {', '.join(sorted(unknown))}; there are {', '.join(ids) or 'none'}")

    @property
    def standing(self) -> tuple[tuple[str, CheckEntry], ...]:
        """What must hold at the end, each check with the id of its phase: what no later phase superseded."""
        gone = {name for phase in self.phases for name in phase.supersedes}
        of_phases = ((phase.id, entry) for phase in self.phases if phase.id not in gone for entry in phase.checks)
        return (*(("", entry) for entry in self.checks), *of_phases)

    @property
    def every_check(self) -> tuple[CheckEntry, ...]:
        """The checks of the task and of all its phases."""
        return (*self.checks, *(entry for phase in self.phases for entry in phase.checks))

    @property
    def feasible(self) -> bool:
        return self.level != "L4"

    @property
    def opening(self) -> Phase:
        """The first phase."""
        return self.phases[0] if self.phases else Phase(says=self.instruction or {"en": ""})

    @property
    def course(self) -> tuple[Phase, ...]:
        """All phases in order; a plain task has one."""
        return self.phases or (self.opening,)

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages in which every text of the task exists."""
        texts = [phase.says for phase in self.phases] or [self.opening.says]
        return tuple(language for language in ("en", "zh") if all(text.get(language) for text in texts))


class _Params(_Model):
    params: dict[str, Param]


def draw(written: Mapping[str, Any], seed: int) -> Task:
    """The task that a seed makes of what an author wrote: values first, then validation, so that a parameter may stand anywhere."""
    params = _Params.model_validate({"params": written.get("params") or {}}).params
    values = {name: param.pick(str(written.get("id")), name, seed) for name, param in params.items()}
    rest = {key: value for key, value in written.items() if key != "params"}
    return Task.model_validate({**fill(rest, values), "params": params, "values": values})


PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)\}")


def fill(value: Any, values: Mapping[str, Any]) -> Any:
    """Put values in the place of `{names}`. A text that is one name alone becomes the value itself, number or not.

    `{{` and `}}` stand for braces; KeyError carries the name of a parameter that does not exist, and a sentence.
    """
    if isinstance(value, str):
        return _fill_text(value, values)
    if isinstance(value, Mapping):
        return {_fill_text(key, values) if isinstance(key, str) else key: fill(inner, values) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(fill(inner, values) for inner in value)
    return value


def _fill_text(text: str, values: Mapping[str, Any]) -> Any:
    whole = PLACEHOLDER.fullmatch(text)
    if whole and whole[1]:
        return look_up(whole[1], values)

    def part(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0][0]
        return str(look_up(match[1], values))

    return PLACEHOLDER.sub(part, text)


def look_up(name: str, values: Mapping[str, Any]) -> Any:
    """The value of `size` or of `client.city`."""
    found: Any = values
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            known = ", ".join(values) or "none"
            raise KeyError(name, f"there is no parameter {name!r}; there are {known}; write {{{{{name}}}}} for the text itself")
        found = found[part]
    return found


def digest_of(data: Any) -> str:
    """A digest of plain data, the same for the same meaning."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()
