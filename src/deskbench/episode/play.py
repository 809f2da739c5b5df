"""The whole of one episode, from an open desktop to a verdict.

Every call through a port is made inside a boundary: what breaks in the desktop, in an application or in a check is a fault
of ours and carries no score; what breaks in the agent ends its episode, which is then judged by what it left.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from deskbench.checks.entries import files_of, probes_of
from deskbench.core import evidence as layout
from deskbench.core.action import SPOKEN, TOOLS, Action, Done, Fail, ToolUse, Wait
from deskbench.core.episode import Episode, PhaseSeen, Spec, Step, Stop, Times
from deskbench.core.faults import BadAction, CheckFault, DesktopFault, Fault, UserFault
from deskbench.core.observation import Message, Observation, Settled
from deskbench.core.ports import Acted, Agent, Brief, Decision, Desktop, Recorder, Settle, User, Utterance, Wants
from deskbench.core.task import CheckEntry, Phase, Task
from deskbench.core.verdict import Blame, Verdict
from deskbench.episode.boundary import AgentBroke, ours, the_agents
from deskbench.episode.conduct import conduct
from deskbench.episode.grade import grade
from deskbench.episode.milestones import Milestones
from deskbench.episode.phases import Happened, Phases
from deskbench.episode.prepare import Preparation
from deskbench.episode.probes import run_probes
from deskbench.episode.tools import use

T = TypeVar("T")

AT_THE_END = Settle(limit_seconds=10.0, quiet_seconds=0.25)
"""An application may still be writing what it was told to when the agent says that it is done."""

NOT_TRIED = "not tried, because an earlier action of the same answer could not be carried out"

INTERRUPTED = "not tried, because the user said something first"

INVALID_LIMIT = 10
"""So many answers in a row that cannot be understood end an episode: the agent broke."""


@dataclass(frozen=True)
class Job:
    """Everything that an episode needs to be played. `asset` finds the task's files, `open_probe` a desktop for an application's probe."""

    spec: Spec
    task: Task
    digest: str
    asset: Callable[[str], Path]
    open_desktop: Callable[[], Desktop]
    open_probe: Callable[[str], Desktop]
    user: User
    settle: Settle
    versions: dict[str, object] | None = None
    guidance: str = ""
    guidance_pictures: tuple[bytes, ...] = ()

    @property
    def tools(self) -> tuple[str, ...]:
        """What is granted beside the desktop, by the task or by the run."""
        return tuple(sorted({*self.task.tools, *self.spec.tools}))


class Clock:
    """Seconds by what they were spent on."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._began = time.monotonic()

    def add(self, name: str, seconds: float) -> None:
        self.spent[name] = self.spent.get(name, 0.0) + seconds

    def times(self) -> Times:
        rounded = {name: round(seconds, 3) for name, seconds in self.spent.items()}
        return Times(**rounded, whole=round(time.monotonic() - self._began, 3))


@dataclass
class Ending:
    """How the loop ended."""

    stop: Stop
    why: str = ""
    answer: str = ""


class Sitting:
    """One agent at one desktop, step by step until something ends it."""

    def __init__(self, job: Job, desktop: Desktop, agent: Agent, recorder: Recorder, clock: Clock) -> None:
        self._job = job
        self._desktop = desktop
        self._agent = agent
        self._recorder = recorder
        self._clock = clock
        self._phases = Phases(job.task, job.spec.language, job.user)
        self.milestones = Milestones(job.task, desktop)
        self._budget = job.spec.steps or job.task.budget.steps_for(job.task.level)
        self._began = time.monotonic()
        self._messages: list[Message] = []
        self._outcomes: list[str] = []
        self._heard = 0
        self._repeated = 0
        self._unmoved = 0
        self._deeds = 0
        self._invalid = 0
        self._last: Action | None = None
        self._last_screen = b""
        self.steps = 0
        self.taken: list[Step] = []
        self.tool_uses = 0
        self.usage = {"input_tokens": 0.0, "output_tokens": 0.0, "cost_usd": 0.0, "model_seconds": 0.0}

    @property
    def instruction(self) -> str:
        return self._phases.instruction

    def play(self) -> Ending:
        """Until the agent says that it is done or gives up, or a budget is spent, or it breaks."""
        task = self._job.task
        brief = Brief(
            instruction=self.instruction,
            language=self._job.spec.language,
            screen=self._desktop.size,
            apps=task.apps,
            steps=self._budget,
            seconds=task.budget.seconds,
            guidance=self._job.guidance,
            guidance_pictures=self._job.guidance_pictures,
            tools=self._job.tools,
        )
        try:
            with the_agents("the agent's begin"):
                self._agent.begin(brief)
            _timed(self._clock, "probe", lambda: self.milestones.look_at(0, self._observe))
            while True:
                ending = self._turn()
                if ending is not None:
                    return ending
        except AgentBroke as error:
            return Ending("agent_broke", str(error))

    def look_for_the_last_time(self) -> None:
        """All milestones once more, at the end."""
        _timed(self._clock, "probe", lambda: self.milestones.look_at(self.steps, self._observe, last=True))

    def _turn(self) -> Ending | None:
        """Look, decide, act; an ending if this was the last turn."""
        with the_agents("the agent's wants"):
            wants = self._agent.wants()
        look = _timed(self._clock, "observe", lambda: self._observe(wants))
        began = time.monotonic()
        with the_agents("the agent's decide"):
            decision = self._agent.decide(look)
        decided = time.monotonic() - began
        self._clock.add("decide", decided)
        self._count(decision)
        if decision.invalid or not decision.actions:
            return self._not_understood(decision, look, decided)
        self._invalid = 0
        self._outcomes = []
        heard = self._heard
        for number, action in enumerate(decision.actions):
            if any(self._outcomes) or self._heard != heard:
                self._outcomes.append(NOT_TRIED if any(self._outcomes) else INTERRUPTED)
                continue
            ending = self._do(action, decision if number == 0 else Decision(), look, decided if number == 0 else 0.0, wants)
            if ending is not None:
                return ending
            if number + 1 < len(decision.actions):
                look = self._observe(Wants())
        return None

    def _observe(self, wants: Wants) -> Observation:
        with ours(DesktopFault, "looking at the desktop"):
            look = self._desktop.observe(elements=wants.elements or wants.marks)
        if wants.marks:
            from deskbench.views.marks import mark

            look = mark(look)
        return replace(look, messages=tuple(self._messages), outcomes=tuple(self._outcomes))

    def _count(self, decision: Decision) -> None:
        for name in self.usage:
            self.usage[name] += getattr(decision.usage, name)

    def _not_understood(self, decision: Decision, look: Observation, decided: float) -> Ending | None:
        why = decision.invalid or "the agent decided nothing"
        self._write(None, decision, look, decided, Acted(_unsettled()), invalid=why)
        self._invalid += 1
        self._messages.append(Message(f"Your last answer could not be understood: {why}", self.steps, "hall"))
        if self._invalid >= INVALID_LIMIT:
            return Ending("agent_broke", f"{INVALID_LIMIT} answers in a row could not be understood; the last: {why}")
        return self._out_of_budget()

    def _do(self, action: Action, decision: Decision, look: Observation, decided: float, wants: Wants) -> Ending | None:
        acted, refused, took = Acted(_unsettled()), "", 0.0
        if isinstance(action, SPOKEN):
            self._outcomes.append("")
        else:
            began = time.monotonic()
            try:
                with ours(DesktopFault, f"carrying out {action.kind}"):
                    acted = self._use(action) if isinstance(action, TOOLS) else self._act(action, wants)
            except BadAction as error:
                refused = str(error)
                self._messages.append(Message(f"That could not be done: {refused}", self.steps + 1, "hall"))
            self._outcomes.append(refused)
            took = time.monotonic() - began
            self._clock.add("act", took)
            self._clock.add("settle", acted.settled.seconds)
        self._note_idleness(action, look)
        reached = self._reached(action)
        said = self._converse(action, look)
        self._write(action, decision, look, decided, acted, took, refused=refused, reached=tuple(reached), **_heard(said))
        if isinstance(action, Done) and said is None:
            return Ending("done", answer=action.answer)
        if isinstance(action, Fail):
            return Ending("fail", answer=action.reason)
        return self._out_of_budget()

    def _act(self, action: Action, wants: Wants) -> Acted:
        return self._desktop.act(action, settle=self._job.settle, watch_fps=wants.watch_fps)

    def _use(self, tool: ToolUse) -> Acted:
        """A tool's output comes with the next look, as the hall's words."""
        self.tool_uses += 1
        self._messages.append(Message(use(tool, self._desktop, self._job.tools), self.steps + 1, "hall"))
        return Acted(self._desktop.settle(self._job.settle))

    def _converse(self, action: Action, look: Observation) -> Utterance | None:
        """What the user says to this step. What the agent leaves when it says that it is done with a phase is kept."""
        self._deeds += not isinstance(action, Wait)
        if self._phases.ends_with(action) and self._phases.current.checks:
            self._keep(self._phases.current)
        happened = Happened(
            action, self._deeds, time.monotonic() - self._began, max(self._repeated, self._unmoved), self.milestones.reached, look.frame
        )
        with ours(UserFault, "the user's answer"):
            said = self._phases.after(happened)
        if said is not None:
            self._messages.append(Message(said.text, self.steps + 1, phase=said.phase))
            self._heard += 1
        return said

    def _keep(self, phase: Phase) -> None:
        folder = self._recorder.folder / "evidence" / layout.PHASES / phase.id
        with ours(DesktopFault, "waiting for the applications to finish"):
            _timed(self._clock, "collect", lambda: self._desktop.settle(AT_THE_END))
        _timed(self._clock, "collect", lambda: _collect(self._desktop, Ending("done"), folder, phase.checks))

    def _note_idleness(self, action: Action, look: Observation) -> None:
        """How many times in a row the same was done, or the screen was the same; the larger of the two."""
        screen = look.frame.pixels[::16, ::16].tobytes()
        self._repeated = self._repeated + 1 if self._last == action else 0
        self._unmoved = self._unmoved + 1 if self._last_screen == screen else 0
        self._last, self._last_screen = action, screen

    def _reached(self, action: Action) -> list[str]:
        if isinstance(action, SPOKEN):
            return []
        return _timed(self._clock, "probe", lambda: self.milestones.look_at(self.steps + 1, self._observe))

    def _write(
        self, action: Action | None, decision: Decision, look: Observation, decided: float, acted: Acted, took: float = 0.0, **more: Any
    ) -> None:
        self.steps += 1
        began = time.monotonic()
        step = Step(
            number=self.steps,
            action=action,
            thought=decision.thought,
            raw=decision.raw,
            picture=self._recorder.picture(look.frame),
            moment=round(time.monotonic() - self._began, 3),
            decide_seconds=round(decided, 4),
            act_seconds=round(took, 4),
            settled=acted.settled.quiet if took else None,
            settle_seconds=round(acted.settled.seconds, 4),
            incidents=look.incidents,
            during=tuple(self._recorder.picture(timed.frame) for timed in acted.during),
            **more,
        )
        self._recorder.step(step)
        self.taken.append(step)
        self._clock.add("record", time.monotonic() - began)

    def _out_of_budget(self) -> Ending | None:
        if self.steps >= self._budget:
            return Ending("steps", f"the budget of {self._budget} steps is spent")
        if time.monotonic() - self._began >= self._job.task.budget.seconds:
            return Ending("seconds", f"the budget of {self._job.task.budget.seconds:g} s is spent")
        return None


def _heard(said: Utterance | None) -> dict[str, Any]:
    """What a step's record keeps of the user's words."""
    if said is None:
        return {}
    return {"said": (said.text,), "opened": said.phase or "", "answered": said.answers or "", "note": said.note, "fallback": said.fallback}


def _unsettled() -> Settled:
    return Settled(False, 0.0)


def play(job: Job, make_agent: Callable[[], Agent], recorder: Recorder) -> Episode:
    """Play one episode. It always ends in a verdict: a score, or the fault that prevented one."""
    clock = Clock()
    started = datetime.now(UTC).isoformat(timespec="seconds")
    sitting: Sitting | None = None
    ending = Ending("fault")
    try:
        with the_agents("making the agent"):
            agent = make_agent()
        desktop = _timed(clock, "prepare", lambda: _opened(job))
        try:
            preparation = Preparation(desktop, job.task, job.asset)
            with ours(DesktopFault, "preparing the desktop"):
                _timed(clock, "prepare", preparation.run)
            clock.add("launch", preparation.launch_seconds)
            sitting = Sitting(job, desktop, agent, recorder, clock)
            ending = sitting.play()
            with ours(DesktopFault, "waiting for the applications to finish"):
                _timed(clock, "collect", lambda: desktop.settle(AT_THE_END))
            sitting.look_for_the_last_time()
            _timed(clock, "collect", lambda: _collect(desktop, ending, recorder.folder / "evidence", job.task.every_check))
        finally:
            desktop.close()
        verdict = _timed(clock, "grade", lambda: _judge(job, recorder.folder, clock))
    except AgentBroke as error:
        ending, verdict = Ending("agent_broke", str(error)), Verdict(score=0.0)
    except Fault as error:
        recorder.log(f"{error.where}: {error}")
        ending = Ending("fault", str(error))
        verdict = Verdict(fault=Blame(where=error.where, sentence=str(error), detail=repr(error.__cause__ or "")))
    return Episode(
        spec=job.spec,
        digest=job.digest,
        level=job.task.level,
        apps=job.task.apps,
        domain=job.task.domain,
        instruction=sitting.instruction if sitting else job.task.opening.says["en"],
        started=started,
        stop=ending.stop,
        why=ending.why,
        answer=ending.answer,
        steps=sitting.steps if sitting else 0,
        tool_uses=sitting.tool_uses if sitting else 0,
        tools=job.tools,
        milestones=sitting.milestones.reached if sitting else {milestone.id: None for milestone in job.task.milestones},
        phases=_course(job.task, sitting),
        conduct=conduct(job.task, sitting.taken, sitting.milestones.reached, verdict) if sitting else None,
        verdict=verdict,
        times=clock.times(),
        usage={name: value for name, value in (sitting.usage if sitting else {}).items() if value},
        versions=job.versions or {},
    )


def _course(task: Task, sitting: Sitting | None) -> tuple[PhaseSeen, ...]:
    """The phases of a task with people in it, and when each opened."""
    opened = {step.opened: step.number for step in (sitting.taken if sitting else ()) if step.opened}
    opened[task.course[0].id] = 0
    return tuple(PhaseSeen(id=phase.id, mode=phase.mode, opened=opened.get(phase.id)) for phase in task.phases)


def _opened(job: Job) -> Desktop:
    with ours(DesktopFault, "opening a desktop"):
        return job.open_desktop()


def _collect(desktop: Desktop, ending: Ending, evidence: Path, checks: Sequence[CheckEntry]) -> None:
    with ours(DesktopFault, "collecting the evidence"):
        desktop.collect(evidence, files_of(checks))
        facts = {"stop": ending.stop, "why": ending.why, "answer": ending.answer}
        (evidence / layout.FACTS).write_text(json.dumps(facts, ensure_ascii=False, indent=1), encoding="utf-8")


def _judge(job: Job, folder: Path, clock: Clock) -> Verdict:
    evidence = folder / "evidence"
    with ours(CheckFault, "reading the evidence with its applications"):
        for place, checks in _places(job.task, evidence):
            for probe, path in probes_of(checks):
                read = partial(run_probes, [(probe, path)], place, partial(job.open_probe, probe.app))
                _timed(clock, "reading", read)
    return grade(job.task, evidence)


def _places(task: Task, evidence: Path) -> Iterator[tuple[Path, Sequence[CheckEntry]]]:
    """Where evidence lies, each place with the checks that are made there."""
    yield evidence, [entry for _, entry in task.standing]
    for phase in task.phases:
        if (evidence / layout.PHASES / phase.id).is_dir():
            yield evidence / layout.PHASES / phase.id, phase.checks


def _timed(clock: Clock, name: str, call: Callable[[], T]) -> T:
    began = time.monotonic()
    try:
        return call()
    finally:
        clock.add(name, time.monotonic() - began)
