"""What one process does: play one episode to its end and seal it. Faults are tried again as whole episodes."""

from __future__ import annotations

import signal
from pathlib import Path

from deskbench import agents
from deskbench.core.episode import Episode, Spec
from deskbench.core.faults import Misuse
from deskbench.episode.play import play
from deskbench.pack.job import job_for
from deskbench.pack.load import read
from deskbench.runner.guidance import guided
from deskbench.store.run_folder import RunFolder


def play_and_seal(task_file: Path, spec: Spec, run_folder: Path, tries: int) -> Episode:
    """Play an episode, again if a fault of ours ended it, and write its record."""
    run = RunFolder(run_folder)
    job = guided(job_for(read(task_file), spec))
    faults: list[str] = []
    while True:
        with run.recorder(spec) as recorder:
            episode = play(job, lambda: agents.make(spec.agent, task=job.task, seed=spec.seed), recorder)
            attempt = recorder.attempt
        episode = episode.model_copy(update={"attempt": attempt, "faults": tuple(faults)})
        if episode.verdict.fault is None or len(faults) + 1 >= tries:
            run.seal(episode)
            return episode
        faults.append(episode.verdict.fault.sentence)


def work(task_file: Path, spec: Spec, run_folder: Path, tries: int) -> None:
    """The body of a worker process. Asked to stop, it closes its desktop and leaves the episode to be played another time."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        play_and_seal(task_file, spec, run_folder, tries)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Misuse as error:
        log = run_folder / "log"
        with open(log, "a", encoding="utf-8") as handle:
            handle.write(f"{spec.key}: {error}\n")
        raise SystemExit(2) from None
