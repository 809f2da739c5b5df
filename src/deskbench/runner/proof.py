"""What the trials of a task prove, and what they do not: objections, in sentences.

A task is proven when its expert passes every time alike and reaches every milestone, when everyone who did less fails, when every check is the
only one to catch somebody (or says why it stays), and when another right way passes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from deskbench import apps
from deskbench.core import evidence as layout
from deskbench.core.episode import Episode, Spec
from deskbench.core.faults import Fault
from deskbench.core.steps import Habit, Launch, Tab
from deskbench.core.task import Task
from deskbench.core.verdict import Verdict
from deskbench.episode.grade import grade
from deskbench.pack.load import Family
from deskbench.store.run_folder import RunFolder

MEASURED = re.compile(r"-?\d+\.\d+")
"""What was measured may differ in its last digits from run to run: sound is dithered, pictures are compressed."""

NEAR_MISSES = 2
"""So many near misses every feasible task needs."""


def is_mutant(episode: Episode) -> bool:
    """Whether this one did less than the job, or something else."""
    return episode.spec.agent != "expert" and "~other-" not in episode.spec.agent


def first_failure(episode: Episode) -> str:
    """Why an episode did not pass, in a sentence."""
    return next((finding.sentence for finding in episode.verdict.findings if not finding.passed), episode.why)


def objections(family: Family, run: RunFolder, specs: Sequence[Spec], played: Sequence[Episode]) -> list[str]:
    """Everything that stands against a certificate: `specs` are the trials that it needs, `played` those that were made."""
    task = family.task
    missing = {spec.key for spec in specs} - {episode.spec.key for episode in played}
    strangers = dict(_strangers(family, run))
    return [
        *(f"{key} has not been played" for key in sorted(missing)),
        *(f"{episode.spec.agent} ended in a fault: {fault.sentence}" for episode in played if (fault := episode.verdict.fault) is not None),
        *_about_experts(task, [episode for episode in played if episode.spec.agent == "expert"]),
        *(f"{episode.spec.agent} passes: {_meant(task, episode)}" for episode in played if is_mutant(episode) and episode.verdict.passed),
        *(f"the other right way {_meant(task, e)!r} fails: {first_failure(e)}" for e in played if "~other-" in e.spec.agent and not e.verdict.passed),
        *_about_misses(task, played),
        *_about_omissions(task, played),
        *_about_idlers(played),
        *(f"what the expert left for one seed passes for another: seed {seed}" for seed, verdict in strangers.items() if verdict.passed),
        *_about_checks(task, [*(e.verdict for e in played if is_mutant(e)), *strangers.values()]),
        *_about_the_start(task, run),
        *_about_authoring(task),
    ]


def _meant(task: Task, episode: Episode) -> str:
    """What a variation of the expert did, in its author's words."""
    how, _, number = episode.spec.agent.partition("~")[2].partition("-")
    if how == "omit":
        return f"without {task.procedure[int(number) - 1].do!r}"
    variations = {"miss": task.near_misses, "other": task.alternatives}.get(how)
    return variations[int(number) - 1].says if variations else "it did nothing of the job"


def _about_experts(task: Task, experts: Sequence[Episode]) -> Iterator[str]:
    """The expert passes every time, alike, and reaches every milestone."""
    for episode in experts:
        if not episode.verdict.passed:
            yield f"the expert fails with seed {episode.spec.seed}: {first_failure(episode)}"
        missed = [name for name, step in episode.milestones.items() if step is None]
        if missed:
            yield f"the expert does not reach {', '.join(missed)} with seed {episode.spec.seed}"
    for seed in {episode.spec.seed for episode in experts}:
        said = {tuple((f.check, f.passed, MEASURED.sub("0", f.sentence)) for f in e.verdict.findings) for e in experts if e.spec.seed == seed}
        if len(said) > 1:
            yield f"two runs of the expert with seed {seed} do not agree in their findings"


def _about_misses(task: Task, played: Sequence[Episode]) -> Iterator[str]:
    """Every near miss is caught by the check that its author named."""
    for number, miss in enumerate(task.near_misses, 1):
        for episode in played:
            failing = [finding.check for finding in episode.verdict.findings if not finding.passed]
            if episode.spec.agent == f"expert~miss-{number}" and not episode.verdict.passed and miss.fails not in failing:
                yield f"the near miss {miss.says!r} fails on {', '.join(failing) or 'nothing'}, not on {miss.fails}"


def _about_omissions(task: Task, played: Sequence[Episode]) -> Iterator[str]:
    """Leaving a step out shows in what was left behind, not only in the expert having got lost."""
    for episode in played:
        failing = {finding.check for finding in episode.verdict.findings if not finding.passed}
        if "~omit-" in episode.spec.agent and not episode.verdict.passed and not failing - {"stop"}:
            yield f"{episode.spec.agent} fails on nothing that it left: {_meant(task, episode)}"


def _about_idlers(played: Sequence[Episode]) -> Iterator[str]:
    """Whoever does nothing reaches no milestone that setup did not give."""
    for episode in played:
        reached = [name for name, step in episode.milestones.items() if step]
        if episode.spec.agent in ("noop", "quitter") and reached:
            yield f"{episode.spec.agent} reaches {', '.join(reached)} without doing anything"


def _strangers(family: Family, run: RunFolder) -> Iterator[tuple[int, Verdict]]:
    """The verdict of each seed on what the expert left for the other: what was right for one must be wrong for the other."""
    if not family.task.params:
        return
    for mine, other in ((0, 1), (1, 0)):
        evidence = run.evidence(Spec(task=family.task.id, agent="expert", seed=other).key)
        if (evidence / layout.FACTS).exists():
            try:
                yield mine, grade(family.draw(mine), evidence)
            except Fault:
                continue  # a probe of this seed's own file name was never run: there is nothing to read


def _about_checks(task: Task, mutants: Sequence[Verdict]) -> Iterator[str]:
    """Every check is the only failing one of somebody, or says why it stays."""
    alone = {failing.pop() for verdict in mutants if len(failing := _failing(verdict)) == 1}
    lists = [("", task.checks), *((phase.id, phase.checks) for phase in task.phases)]
    for phase, entries in lists:
        for number, entry in enumerate(entries, 1):
            if (phase, number) not in alone and entry.guard is None:
                name = f"check {number}{f' of the phase {phase}' if phase else ''}, {entry.name},"
                yield f"{name} catches nobody alone: write a near miss that only it catches, or say why it stays (guard: ...)"


def _failing(verdict: Verdict) -> set[tuple[str, int]]:
    """The checks that failed, by phase and place; one that is looked at twice is one check."""
    places: Counter[tuple[str, bool]] = Counter()
    failing = set()
    for finding in verdict.findings:
        places[finding.phase, finding.early] += 1
        if not finding.passed:
            failing.add((finding.phase, places[finding.phase, finding.early]))
    return failing


def _about_the_start(task: Task, run: RunFolder) -> Iterator[str]:
    """The first frame shows the applications that setup opened, and no dialog in the way."""
    seen = run.evidence(Spec(task=task.id, agent="noop").key) / layout.WINDOWS
    if not seen.exists():
        return
    titles = [window["title"] for window in json.loads(seen.read_text(encoding="utf-8")) if not window.get("hidden")]
    launched = [step.launch.app for step in task.setup if isinstance(step, Launch)]
    by_address = any(isinstance(step, Tab) for step in task.setup) and not any(apps.get(name).opens_addresses for name in launched)
    opened = len(launched) + by_address
    if len(titles) > opened and opened:
        yield f"{len(titles)} windows are open at the start where setup opened {opened}: {', '.join(titles)}"


def _about_authoring(task: Task) -> Iterator[str]:
    """What an author has to bring."""
    if task.feasible and len(task.near_misses) < NEAR_MISSES:
        yield f"there are {len(task.near_misses)} near misses; a task needs at least {NEAR_MISSES}"
    if task.level in ("L1", "L2") and not task.alternatives:
        yield "there is no other right way; an L1 or L2 task needs at least one under `alternatives`"
    if not 3 <= len(task.milestones) <= 8:
        yield f"there are {len(task.milestones)} milestones; a task has three to eight"
    yield from _about_people(task)
    if set(task.languages) != {"en", "zh"}:
        yield "its texts are not in English and Chinese"


NEEDED_HABITS: dict[str, Habit] = {
    "clarification": "never_asks",
    "interruption": "ignores_message",
    "requirement_change": "ignores_message",
}


def _about_people(task: Task) -> Iterator[str]:
    """Where an agent should listen, it is shown that one which does not fails."""
    played = {miss.plays for miss in task.near_misses}
    for mode in dict.fromkeys(phase.mode for phase in task.phases[1:]):
        habit = NEEDED_HABITS.get(mode or "")
        if habit is not None and habit not in played:
            yield f"a {str(mode).replace('_', ' ')} needs a near miss of an agent that does not heed it: plays: {habit}"
    for phase in task.phases[1:]:
        if phase.mode is None:
            yield f"the phase {phase.id} does not say what kind it is: mode: clarification, interruption, ..."
        if phase.opens_on == "agent_asks" and phase.mode != "clarification":
            yield f"the phase {phase.id} waits to be asked, so that its mode is clarification"
