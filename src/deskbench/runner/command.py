"""`deskbench run`: from patterns and options to a finished run, with progress on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from rich.console import Console
from rich.live import Live
from rich.table import Table

from deskbench import agents, apps, users
from deskbench.core.episode import Episode
from deskbench.core.faults import Misuse, Stopped
from deskbench.desktops.local.layers import built
from deskbench.pack.load import Family, find
from deskbench.pack.versions import versions
from deskbench.runner.guidance import check_guidance
from deskbench.runner.plan import Plan, ToolGroup, View, check_languages, default_folder
from deskbench.runner.pool import Progress, run_plan, sensible_desktops
from deskbench.store.run_folder import RunFolder
from deskbench.users.human import require_terminal

RUNS = Path("runs")


def run_command(
    patterns: Sequence[str],
    suite: str | None,
    *,
    agent: str,
    repeats: int,
    desktops: int | None,
    seed: int,
    folder: Path | None,
    observe: str,
    language: str,
    steps: int | None,
    tools: str = "",
    guidance: str = "",
    user: str = "scripted",
    tries: int,
    console: Console,
    quiet: bool,
) -> dict[str, Any]:
    """Run what was asked for and say how it came out."""
    began = time.monotonic()
    agents.find(agent)
    families = find(patterns, suite)
    if language not in ("en", "zh"):
        raise Misuse(f"there is no language {language!r}; there are en and zh")
    check_languages(families, language)
    require_apps(families)
    views = tuple(cast(View, part.strip()) for part in observe.split(",") if part.strip())
    if not views or set(views) - set(get_args(View)):
        raise Misuse(f"{observe!r} cannot be observed; choose among screenshot, a11y, marks, separated by commas")
    granted = tuple(cast(ToolGroup, part.strip()) for part in tools.split(",") if part.strip())
    if set(granted) - set(get_args(ToolGroup)):
        raise Misuse(f"{tools!r} cannot be granted; choose among shell, files, separated by commas")
    plan = Plan(tuple(families), agent, repeats, seed, cast(Any, language), views, steps, granted, guidance, user)
    check_guidance(plan.specs(), guidance)
    users.make(user)
    if user == "human":
        require_terminal()
        desktops = 1
    place = folder or default_folder(plan, suite or (patterns[0] if len(patterns) == 1 else "tasks"), RUNS)
    names = sorted({app for family in families for app in family.task.apps})
    run = RunFolder.create(place, {"plan": plan.data(), "versions": versions(names), "agent": agent, "suite": suite, "patterns": list(patterns)})
    try:
        with teller(console, quiet) as tell:
            progress = run_plan(plan, run, desktops=desktops or sensible_desktops(), tries=tries, tell=tell)
    except KeyboardInterrupt:
        raise Stopped(f"stopped; the same command goes on where it stopped ({place})") from None
    return {
        "run": str(place),
        "episodes": progress.complete,
        "passed": progress.passed,
        "failed": progress.failed,
        "faults": progress.faults,
        "seconds": round(time.monotonic() - began, 1),
    }


def require_apps(families: Sequence[Family]) -> None:
    """Misuse if an application's template home has not been built here."""
    needed = {name: apps.get(name) for family in families for name in family.task.apps}
    missing = sorted(name for name, app in needed.items() if built(app.layer) is None)
    if missing:
        raise Misuse(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set up here; run: deskbench setup --apps {','.join(missing)}")


class teller:
    """Progress: a live table on a terminal, a line an episode elsewhere, nothing where only JSON is wanted."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self._console = console
        self._quiet = quiet
        self._live = Live(console=console, refresh_per_second=4, transient=True) if console.is_terminal and not quiet else None

    def __enter__(self) -> Callable[[Progress, Episode | None], None]:
        if self._live is not None:
            self._live.start()
        return self._tell

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def _tell(self, progress: Progress, episode: Episode | None) -> None:
        if self._quiet:
            return
        if episode is not None:
            self._console.print(line_of(progress, episode), markup=False)
        if self._live is not None:
            self._live.update(standing(progress))


def line_of(progress: Progress, episode: Episode) -> str:
    """One finished episode in a line."""
    word = "fault " if episode.verdict.fault else "passed" if episode.verdict.passed else "failed"
    why = ""
    if episode.verdict.fault is not None:
        why = f"  {episode.verdict.fault.sentence}"
    elif not episode.verdict.passed:
        why = "  " + next((finding.sentence for finding in episode.verdict.findings if not finding.passed), episode.why)
    done = f"[{progress.complete}/{progress.total}]"
    return f"{done:>9} {word} {episode.spec.task:34} {episode.steps:3} steps {episode.times.whole:6.1f} s{why}"


def standing(progress: Progress) -> Table:
    """How far a run is."""
    left = progress.seconds_left
    title = f"{progress.complete}/{progress.total}: {progress.passed} passed, {progress.failed} failed, {progress.faults} faults"
    table = Table(title=title + (f", about {left:.0f} s left" if left else ""), title_justify="left", box=None, show_header=False)
    for key, began in progress.running.items():
        table.add_row("  running", key, f"{time.monotonic() - began:.0f} s")
    return table
