"""A seat in the exam hall that is driven from outside: take a task, look, act, and get a record at the end.

This is what the doors share (Gymnasium, MCP, Inspect). It is an episode like any other, with the same budgets, recording and
verdict: only the decisions come from the other side of the door.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from deskbench.agents.external import External
from deskbench.core.action import Action
from deskbench.core.episode import Episode, Spec, Step
from deskbench.core.faults import DeskbenchError, Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Recorder, Wants
from deskbench.episode.play import Job, play
from deskbench.pack.job import job_for
from deskbench.pack.load import find
from deskbench.store.run_folder import RunFolder


class _Noting:
    """A recorder that also notes the milestones as they are reached."""

    def __init__(self, recorder: Recorder, reached: dict[str, int | None]) -> None:
        self._recorder = recorder
        self._reached = reached
        self.folder = recorder.folder

    def picture(self, frame: Frame) -> str:
        return self._recorder.picture(frame)

    def step(self, step: Step) -> None:
        self._reached.update(dict.fromkeys(step.reached, step.number))
        self._recorder.step(step)

    def log(self, line: str) -> None:
        self._recorder.log(line)


class Seat:
    """One episode driven from outside. `look` is what there is to see now; `episode` is the record once it is over."""

    def __init__(self, job: Job, run: RunFolder, wants: Wants) -> None:
        self.job = job
        self.run = run
        self.episode: Episode | None = None
        self.milestones: dict[str, int | None] = {milestone.id: None for milestone in job.task.milestones}
        """The step at which each was first seen; what setup gave is known only at the end, as 0."""
        self._trouble: BaseException | None = None
        self._agent = External(wants)
        self._thread = threading.Thread(target=self._play, name=f"seat {job.spec.key}", daemon=True)
        self._thread.start()
        self.look: Observation | None = None
        self._see()

    @classmethod
    def take(
        cls, task: str, folder: Path, *, agent: str, seed: int = 0, language: str = "en", tools: Sequence[str] = (), wants: Wants | None = None
    ) -> Self:
        """Sit down at a task; its record goes into the run folder `folder`, as another repeat if it was sat there before."""
        families = find([task], None)
        if len(families) != 1:
            raise Misuse(f"{task!r} names {len(families)} tasks; a seat is taken at one: deskbench tasks lists them")
        run = RunFolder.create(folder, {"plan": {"seat": agent}})
        spec = Spec(task=families[0].task.id, agent=agent, seed=seed, language=language, tools=tuple(tools))
        while run.attempts(spec.key):
            spec = spec.model_copy(update={"repeat": spec.repeat + 1})
        return cls(job_for(families[0], spec), run, wants or Wants())

    def _play(self) -> None:
        try:
            with self.run.recorder(self.job.spec) as recorder:
                episode = play(self.job, lambda: self._agent, _Noting(recorder, self.milestones))
                attempt = recorder.attempt
            self.episode = episode.model_copy(update={"attempt": attempt})
            self.milestones.update(episode.milestones)
            self.run.seal(self.episode)
        except BaseException as trouble:
            self._trouble = trouble
        finally:
            self._agent.over()

    @property
    def brief(self) -> Brief:
        """What the agent is told when it sits down."""
        if self._agent.brief is None:
            raise DeskbenchError(f"the seat at {self.job.spec.task} could not be taken: {self.episode.why if self.episode else self._trouble}")
        return self._agent.brief

    @property
    def over(self) -> bool:
        return self.look is None

    def act(self, actions: Sequence[Action], *, thought: str = "", raw: str = "", invalid: str = "") -> Observation | None:
        """Decide, and see what came of it; None once the episode is over. Nothing to do and no reason for it is a decision that says so."""
        if self.over:
            raise Misuse("the episode is over; take another seat")
        self._agent.answer(Decision(tuple(actions), thought=thought, raw=raw, invalid=invalid))
        return self._see()

    def _see(self) -> Observation | None:
        self.look = self._agent.next_look()
        if self.look is None:
            self._thread.join()
            if self._trouble is not None:
                raise self._trouble
        return self.look

    def leave(self) -> Episode | None:
        """Get up, whether the job is done or not; the desktop is closed, and what there was is judged."""
        while not self.over:
            self._agent.leave()
            self._see()
        return self.episode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()
