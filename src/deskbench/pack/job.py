"""From a task of a family to a job that can be played on a local desktop."""

from __future__ import annotations

from functools import partial

from deskbench import apps, users
from deskbench.agents import WITH_PROCEDURE, procedure_of
from deskbench.checks.entries import files_of, probes_of
from deskbench.core.app import App
from deskbench.core.episode import Spec
from deskbench.core.ports import Desktop, Settle
from deskbench.core.steps import ProcedureStep, Put
from deskbench.core.task import Task, digest_of
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.desktops.local.layers import built
from deskbench.episode.play import Job
from deskbench.pack.load import Family
from deskbench.pack.versions import versions

SCREEN = (1920, 1080)


def open_for(names: tuple[str, ...]) -> Desktop:
    """A pristine desktop with these applications."""
    known: dict[str, App] = {name: apps.get(name) for name in names}
    return LocalDesktop.open(apps=known, layers=sorted({app.layer for app in known.values()}), size=SCREEN)


def open_for_probe(name: str) -> Desktop:
    """A pristine desktop in which an application reads an artifact; its template makes it start quickly."""
    layers = [layer for layer in [apps.get(name).layer if name else ""] if layer and built(layer) is not None]
    return LocalDesktop.open(layers=layers, size=(1280, 800))


def job_for(family: Family, spec: Spec) -> Job:
    """Everything that playing an episode needs."""
    task = family.draw(spec.seed)
    return Job(
        spec=spec,
        task=task,
        digest=family.digest,
        asset=family.asset,
        open_desktop=partial(open_touched, task, family) if spec.agent == "toucher" else partial(open_for, task.apps),
        open_probe=open_for_probe,
        user=users.make(spec.user),
        settle=Settle(),
        versions={**versions(task.apps), "played": played_digest(family, spec)},
    )


def played_digest(family: Family, spec: Spec) -> str:
    """Covers everything that can change what an episode leaves behind, and nothing that only judges it or words it.

    While it holds, a change of the checks needs no new run: the evidence is judged again.
    """
    task = family.draw(spec.seed)
    procedure = procedure_of(spec.agent, task) if spec.agent.partition("~")[0] in WITH_PROCEDURE else ()
    return digest_of(
        {
            "agent": spec.agent,
            "apps": task.apps,
            "assets": family.contents,
            "setup": [step.model_dump(mode="json") for step in task.setup],
            "phases": [phase.model_dump(mode="json", exclude={"says", "checks", "supersedes", "mode", "due"}) for phase in task.phases],
            "milestones": [milestone.model_dump(mode="json", exclude={"says", "phase"}) for milestone in task.milestones],
            "budget": task.budget.model_dump(mode="json"),
            "procedure": [_doing(step) for step in procedure],
            "kept": files_of(task.every_check),
            "probes": [[str(probe), path] for probe, path in probes_of(task.every_check)],
        }
    )


def _doing(step: ProcedureStep) -> dict[str, object]:
    unimportant = {"do", "reaches", "optional", *(() if step.phase else ("phase",))}
    return step.model_dump(mode="json", exclude=unimportant)


class TouchedDesktop(LocalDesktop):
    """A desktop on which, once the task is set up, somebody has made every file that the checks name, without doing the work."""

    touched: dict[str, bytes]

    def baseline(self) -> None:
        super().baseline()
        missing = {path: data for path, data in getattr(self, "touched", {}).items() if self.peek(path) is None}
        if missing:
            self.put(missing)


def open_touched(task: Task, family: Family) -> Desktop:
    """A desktop for the toucher: files that are named like an input become a copy of one, the others are empty."""
    inputs = [family.asset(name) for step in task.setup if isinstance(step, Put) for name in step.put]
    inputs = [path for path in inputs if path.is_file()]
    known: dict[str, App] = {name: apps.get(name) for name in task.apps}
    desktop = TouchedDesktop.open(apps=known, layers=sorted({app.layer for app in known.values()}), size=SCREEN)
    desktop.touched = {}
    named = files_of(task.every_check)
    for path in named:
        if any(other.startswith(f"{path}/") for other in named):
            continue  # a folder, which comes about with what is put into it
        alike = next((source for source in inputs if source.suffix == "." + path.rpartition(".")[2]), None)
        desktop.touched[path] = alike.read_bytes() if alike is not None else b""
    return desktop
