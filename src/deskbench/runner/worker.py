"""What one process does: play one episode to its end and seal it. Faults are tried again as whole episodes."""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path

from deskbench import agents, apps
from deskbench.core.app import App
from deskbench.core.episode import Episode, Spec
from deskbench.core.faults import Misuse
from deskbench.core.ports import Desktop, Settle
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.desktops.local.layers import built
from deskbench.episode.play import Job, play
from deskbench.pack.load import Family, read
from deskbench.runner.versions import versions
from deskbench.store.run_folder import RunFolder
from deskbench.users.scripted import ScriptedUser

SCREEN = (1920, 1080)


def open_for(names: tuple[str, ...]) -> Desktop:
    """A pristine desktop with these applications."""
    known: dict[str, App] = {name: apps.get(name) for name in names}
    return LocalDesktop.open(apps=known, layers=sorted({app.layer for app in known.values()}), size=SCREEN)


def open_for_probe(name: str) -> Desktop:
    """A pristine desktop in which an application reads an artifact; its template makes it start quickly."""
    layer = apps.get(name).layer
    return LocalDesktop.open(layers=[layer] if built(layer) is not None else [], size=(1280, 800))


def job_for(family: Family, spec: Spec) -> Job:
    """Everything that playing an episode needs."""
    task = family.draw(spec.seed)
    return Job(
        spec=spec,
        task=task,
        digest=family.digest,
        asset=family.asset,
        open_desktop=partial(open_for, task.apps),
        open_probe=open_for_probe,
        user=ScriptedUser(spec.language),
        settle=Settle(),
        versions=versions(task.apps),
    )


def play_and_seal(task_file: Path, spec: Spec, run_folder: Path, tries: int) -> Episode:
    """Play an episode, again if a fault of ours ended it, and write its record."""
    run = RunFolder(run_folder)
    job = job_for(read(task_file), spec)
    faults: list[str] = []
    while True:
        with run.recorder(spec) as recorder:
            episode = play(job, lambda: agents.make(spec.agent, procedure=job.task.procedure, seed=spec.seed), recorder)
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
