"""One sitting: what was asked for, what was done step by step, and what came of it."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from deskbench.core.action import Action
from deskbench.core.task import Mode
from deskbench.core.verdict import Verdict

Stop = Literal["done", "fail", "steps", "seconds", "agent_broke", "fault"]
"""Why an episode ended: the agent said so (done, fail), a budget ran out (steps, seconds), the agent raised, or a fault of ours."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Spec(_Model):
    """What makes an episode this one and no other."""

    task: str
    agent: str
    seed: int = 0
    repeat: int = 0
    language: Literal["en", "zh"] = "en"
    observe: tuple[Literal["screenshot", "a11y", "marks"], ...] = ("screenshot",)
    steps: int | None = None
    """A step budget that overrides the task's."""
    tools: tuple[Literal["shell", "files"], ...] = ()
    """What the run grants beside the desktop."""
    guidance: str = ""
    """What the run gives beside the job: text, or pictures=DIR."""
    user: str = "scripted"
    """Who is at the other end: scripted, simulated?model=NAME&base=URL, or human."""

    @property
    def key(self) -> str:
        """The name of its folder."""
        agent = self.agent.replace("/", "_").replace(":", "_")
        if "?" in agent:  # the options of a model can be as long as an address
            agent = f"{agent.partition('?')[0]}-{hashlib.sha256(self.agent.encode()).hexdigest()[:8]}"
        tools = f"--{'+'.join(self.tools)}" if self.tools else ""
        guidance = f"--{self.guidance.partition('=')[0]}" if self.guidance else ""
        user = f"--{self.user.partition('?')[0]}" if self.user != "scripted" else ""
        return f"{self.task.replace('/', '__')}--{agent}--s{self.seed}--r{self.repeat}{tools}{guidance}{user}"


class Step(_Model):
    """One action, as it was recorded. `picture` names the frame that the agent decided on."""

    number: int
    action: Action | None
    invalid: str = ""
    thought: str = ""
    raw: str = ""
    picture: str = ""
    moment: float = 0.0
    """Seconds since the agent sat down."""
    decide_seconds: float = 0.0
    act_seconds: float = 0.0
    settled: bool | None = None
    settle_seconds: float = 0.0
    refused: str = ""
    """Why the desktop would not carry it out."""
    said: tuple[str, ...] = ()
    """What the user said to it."""
    opened: str = ""
    """The phase that this opened."""
    answered: Literal["", "fact", "nothing"] = ""
    """To a question that opened no phase: whether the user had anything to tell."""
    note: str = ""
    """How the user's words came about, where there is something to say."""
    fallback: bool = False
    """A model's words for the user could not be used."""
    reached: tuple[str, ...] = ()
    """Milestones first seen after this step."""
    incidents: tuple[str, ...] = ()
    during: tuple[str, ...] = ()


class Times(_Model):
    """Where the seconds went."""

    prepare: float = 0.0
    launch: float = 0.0
    """Of preparing: waiting for applications to be ready."""
    observe: float = 0.0
    """What the agent asked to see: the picture is quick, elements are not."""
    decide: float = 0.0
    act: float = 0.0
    settle: float = 0.0
    """Of acting: waiting for the screen to be quiet."""
    probe: float = 0.0
    """Looking at milestones."""
    record: float = 0.0
    collect: float = 0.0
    grade: float = 0.0
    reading: float = 0.0
    """Of grading: applications that were started to read what the agent left."""
    whole: float = 0.0

    @property
    def overhead(self) -> float:
        """What the harness itself took: neither an application at work nor the agent looking, thinking and acting."""
        return self.whole - self.launch - self.observe - self.decide - self.act - self.reading


class PhaseSeen(_Model):
    """A phase of the job, and the step after which it opened; None if it never did."""

    id: str
    mode: Mode | None = None
    opened: int | None = None


class Conduct(_Model):
    """How an agent dealt with the person at the other end, in figures that need nobody's opinion."""

    questions: int = 0
    asked_when_needed: bool | None = None
    """None where nothing had to be asked."""
    asked_late: bool | None = None
    """Asked only after having gone on without the answer; None if it never asked or nobody says when it is due."""
    asked_when_not_needed: int = 0
    """Questions that opened nothing and to which the user had nothing to tell."""
    steps_to_serve: dict[str, int | None] = Field(default_factory=dict)
    """For each phase that opened on the way: the steps from its message to the first that served it."""
    kept: float | None = None
    """The share of what earlier phases asked for, and no later one took back, that holds at the end."""
    redone: int = 0
    """Actions after a message that repeat, three or more in a row, what was done before it."""
    restarts: int = 0
    """Messages after which the agent began again from the start."""
    fallbacks: int = 0
    """How often a simulated user's words could not be used."""


class Episode(_Model):
    """The record of a sitting, written last: where it is, the episode is complete."""

    spec: Spec
    digest: str
    level: str
    apps: tuple[str, ...]
    domain: str
    instruction: str
    started: str
    stop: Stop
    why: str = ""
    """In words, where the stop needs them."""
    steps: int = 0
    tool_uses: int = 0
    """Of the steps: those that used a tool beside the desktop."""
    tools: tuple[str, ...] = ()
    """What was granted beside the desktop, by the task or by the run."""
    answer: str = ""
    milestones: dict[str, int | None] = Field(default_factory=dict)
    """The step after which each was first seen; 0 is what setup gave, None never."""
    phases: tuple[PhaseSeen, ...] = ()
    """The course of a task with people in it."""
    conduct: Conduct | None = None
    verdict: Verdict
    times: Times = Times()
    usage: dict[str, float] = Field(default_factory=dict)
    versions: dict[str, Any] = Field(default_factory=dict)
    attempt: int = 1
    faults: tuple[str, ...] = ()
    """The sentences of earlier attempts that ended in a fault."""

    @property
    def intermediate(self) -> float | None:
        """The share of milestones reached, or None for a task without any."""
        if not self.milestones:
            return None
        return sum(step is not None for step in self.milestones.values()) / len(self.milestones)
