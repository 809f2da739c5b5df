"""Guidance: what a run may give an agent beside the job, as in a study of how much a tutorial helps.

`text` is the expert's procedure in its own words. `pictures=DIR` are the pictures of the expert's recording in a run folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deskbench.core.episode import Spec
from deskbench.core.faults import Misuse
from deskbench.core.task import Task
from deskbench.episode.play import Job
from deskbench.store.run_folder import RunFolder

PICTURES = "pictures="


def guided(job: Job) -> Job:
    """The job with the guidance that its spec asks for; Misuse if there is none of that kind."""
    wanted = job.spec.guidance
    if not wanted:
        return job
    if wanted == "text":
        return replace(job, guidance=tutorial(job.task))
    return replace(job, guidance_pictures=recorded(Path(wanted.removeprefix(PICTURES)), job.spec))


def check_guidance(specs: Sequence[Spec], wanted: str) -> None:
    """Misuse before anything is played, if the guidance is not there for every episode."""
    if wanted.startswith(PICTURES):
        for spec in specs:
            recorded(Path(wanted.removeprefix(PICTURES)), spec)
    elif wanted not in ("", "text"):
        raise Misuse(f"there is no guidance {wanted!r}; say text, or pictures=DIR with a run of the expert in DIR")


def tutorial(task: Task) -> str:
    """The procedure as a text, step by step."""
    return "\n".join(f"{number}. {step.do}" for number, step in enumerate(task.procedure, 1))


def recorded(folder: Path, spec: Spec) -> tuple[bytes, ...]:
    """What the expert saw at this task, each picture once, in order."""
    run = RunFolder.open(folder)
    own = [episode for episode in run.episodes() if episode.spec.task == spec.task and episode.spec.agent == "expert" and episode.verdict.passed]
    chosen = next((episode for episode in own if episode.spec.seed == spec.seed), own[0] if own else None)
    if chosen is None:
        raise Misuse(f"{folder} holds no passed run of the expert at {spec.task}; make one: deskbench run {spec.task} --agent expert --out {folder}")
    names = dict.fromkeys(step.picture for step in run.steps(chosen.spec.key))
    return tuple(run.picture(name).read_bytes() for name in names)
