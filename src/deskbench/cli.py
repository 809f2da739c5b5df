"""The command line. It parses, calls one room, prints, and turns every trouble into a sentence and an exit status.

Exit status: 0 done, 1 the work says no, 2 wrong use, 3 a fault of ours.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table

import deskbench
from deskbench.core.faults import DeskbenchError, Misuse

app = typer.Typer(
    name="deskbench",
    help="The exam hall for computer-use agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def show_json(value: Any) -> None:
    """The one JSON document of a command."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def teller(quiet: bool) -> Callable[[str], None]:
    """Where progress goes: plain lines on standard error, or nowhere."""
    return (lambda _: None) if quiet else lambda line: err.print(line, markup=False)


def chosen_apps(text: str | None) -> list[str]:
    """The application names of a comma-separated option, each known; all of them where none is given."""
    from deskbench import apps

    names = apps.names() if text is None else [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        apps.get(name)
    return [name for name in names if text is not None or not apps.get(name).how_to_add]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        out.print(deskbench.__version__)
        raise typer.Exit


@app.command()
def doctor(json_: Json = False) -> None:
    """What this machine has and lacks, and the command that mends it.

    Example: deskbench doctor
    """
    from deskbench.machine.doctor import Examined, examine_all

    def tell(item: Examined) -> None:
        if not json_:
            sign = "[green]ok  [/green]" if item.ok else "[red]no  [/red]" if item.required else "[yellow]--  [/yellow]"
            out.print(f"{sign}{item.name:18}", end=" ")
            out.print(item.seen + ("" if item.ok else f"\n      -> {item.mend}"), markup=False)

    found = examine_all(chosen_apps(None), tell)
    fine = all(item.ok for item in found if item.required)
    if json_:
        show_json({"ok": fine, "checks": [asdict(item) for item in found]})
    elif fine:
        out.print("This machine can hold desktops.")
    raise typer.Exit(0 if fine else 1)


@app.command()
def setup(
    apps: Annotated[str | None, typer.Option(help="Applications, separated by commas; all if none is given.")] = None,
    suite: Annotated[str | None, typer.Option(help="The applications that a suite needs.")] = None,
    rebuild: Annotated[bool, typer.Option(help="Build template homes anew even if they are current.")] = False,
) -> None:
    """Install applications with apt and build their template homes; can be run again at any time.

    Example: deskbench setup --apps inkscape,calc
    """
    from deskbench.machine.setup import setup as run_setup
    from deskbench.pack.load import find

    names = chosen_apps(apps) if suite is None else sorted({name for family in find([], suite) for name in family.task.apps})
    run_setup(names, rebuild=rebuild, say=teller(False))


@app.command()
def desktop(
    app_name: Annotated[str | None, typer.Option("--app", help="An application to open in it.")] = None,
    file: Annotated[str | None, typer.Option(help="A file of this machine to put into Documents and open.")] = None,
    size: Annotated[str, typer.Option(help="Width x height of the screen.")] = "1920x1080",
    port: Annotated[int, typer.Option(help="The port of the page; 0 takes a free one.")] = 0,
) -> None:
    """Open a desktop to look at and drive by hand, in a page on this machine.

    Example: deskbench desktop --app inkscape
    """
    from deskbench.web.open import open_page

    open_page(app_name, file, parsed_size(size), port, say=teller(False))


@app.command()
def bench(
    desktops: Annotated[int, typer.Option(min=1, max=256, help="How many desktops to hold at once.")] = 16,
    quick: Annotated[bool, typer.Option(help="Fewer repetitions.")] = False,
    json_: Json = False,
) -> None:
    """Measure this machine against a plain baseline written as peers do it, in one run.

    Example: deskbench bench --json
    """
    from deskbench.machine.bench import bench as run_bench
    from deskbench.machine.bench import table

    result = run_bench(desktops=desktops, quick=quick, say=teller(json_))
    show_json(result) if json_ else out.print(table(result))


Patterns = Annotated[
    list[str] | None,
    typer.Argument(help="Task ids, patterns such as calc/*, or selectors such as level:L4, label:branches, app:gimp; all tasks if none is given."),
]
Suite = Annotated[str | None, typer.Option(help="A named selection of tasks.")]


@app.command()
def tasks(
    patterns: Patterns = None,
    suite: Suite = None,
    certified: Annotated[bool, typer.Option("--certified", help="Only those with a current certificate.")] = False,
    pages: Annotated[Path | None, typer.Option(help="Write a page per task and an index into this folder instead.")] = None,
    json_: Json = False,
) -> None:
    """What there is to sit.

    Example: deskbench tasks "inkscape/*"
    """
    from deskbench.pack.certificate import is_current
    from deskbench.pack.listing import row
    from deskbench.pack.load import find
    from deskbench.pack.pages import write_pages

    families = [family for family in find(patterns or [], suite) if not certified or is_current(family)]
    if pages is not None:
        changed = write_pages(families, pages)
        out.print(f"{len(families)} tasks, {len(changed)} pages changed in {pages}", markup=False)
        return
    rows = [row(family) for family in families]
    if json_:
        show_json(rows)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "level", "apps", "persona", "languages", "what is asked"):
        table.add_column(heading, no_wrap=heading in ("id", "level"))
    for item in rows:
        table.add_row(item["id"], item["level"], ", ".join(item["apps"]), item["persona"], " ".join(item["languages"]), item["instruction"])
    Console(highlight=False).print(table)


@app.command()
def lint(patterns: Patterns = None, suite: Suite = None, json_: Json = False) -> None:
    """Look for mistakes in task files: one sentence each, with file and line.

    Example: deskbench lint "calc/*"
    """
    from deskbench.pack.listing import mistakes

    found, count = mistakes(patterns or [], suite)
    if json_:
        show_json({"tasks": count, "mistakes": found})
    else:
        for sentence in found:
            out.print(sentence, markup=False)
        out.print(f"{count} tasks, {len(found)} mistakes")
    raise typer.Exit(1 if found else 0)


@app.command()
def schema() -> None:
    """Print the JSON Schema of task.yaml, for editors that complete and check.

    Example: deskbench schema > task.schema.json
    """
    from deskbench.pack.listing import task_schema

    show_json(task_schema())


@app.command()
def agents(json_: Json = False) -> None:
    """Who can sit the exam.

    Example: deskbench agents
    """
    from deskbench import agents as room

    rows = room.listing()
    if json_:
        show_json(rows)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "about", "dialect", "coordinates"):
        table.add_column(heading, no_wrap=heading == "name")
    for item in rows:
        table.add_row(item["name"], item["about"], item["dialect"] or "", item["coordinates"])
    table.add_row("module:attr", "an agent of your own; docs/agents.md shows one in twenty lines", "", "")
    Console(highlight=False).print(table)
    out.print("A model takes options after its name: 'qwen3-vl?model=NAME&base=http://127.0.0.1:8000/v1'. docs/models.md lists them.", markup=False)


@app.command()
def run(
    patterns: Patterns = None,
    suite: Suite = None,
    agent: Annotated[str, typer.Option(help="Who sits the exam; deskbench agents lists them.")] = "expert",
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="How often each task is sat.")] = 1,
    desktops: Annotated[int | None, typer.Option(min=1, max=256, help="How many at once; by memory and cores if not given.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Which values a task's parameters take.")] = 0,
    folder: Annotated[Path | None, typer.Option("--out", help="The run folder; the same one goes on where it stopped.")] = None,
    observe: Annotated[str, typer.Option(help="What the agent is shown: screenshot, a11y, marks.")] = "screenshot",
    language: Annotated[str, typer.Option(help="en or zh.")] = "en",
    steps: Annotated[int | None, typer.Option(min=1, max=2000, help="A step budget instead of the tasks' own.")] = None,
    tools: Annotated[str, typer.Option(help="Tools granted beside the desktop: shell, files. Another setting, reported as such.")] = "",
    guidance: Annotated[str, typer.Option(help="A tutorial beside the job: text, or pictures=DIR with a run of the expert.")] = "",
    user: Annotated[str, typer.Option(help="Who is at the other end: scripted, simulated?model=NAME&base=URL, or human.")] = "scripted",
    tries: Annotated[int, typer.Option(min=1, max=10, help="How often an episode that ended in a fault of ours is played.")] = 3,
    json_: Json = False,
) -> None:
    """Sit an agent at tasks. Run again, the same command goes on where it stopped.

    Example: deskbench run --suite starter --agent expert
    """
    from deskbench.report.summary import summary
    from deskbench.runner.command import run_command
    from deskbench.store.run_folder import RunFolder

    result = run_command(
        patterns or [],
        suite,
        agent=agent,
        repeats=repeats,
        desktops=desktops,
        seed=seed,
        folder=folder,
        observe=observe,
        language=language,
        steps=steps,
        tools=tools,
        guidance=guidance,
        user=user,
        tries=tries,
        console=err,
        quiet=json_,
    )
    numbers = summary([RunFolder.open(Path(result["run"]))])
    result |= {"success": numbers["success"]["overall"], "intermediate": numbers["intermediate"]}
    if json_:
        show_json(result)
    else:
        rate = result["success"]
        share = "-" if rate["rate"] is None else f"{100 * rate['rate']:.0f} % ({100 * rate['low']:.0f}-{100 * rate['high']:.0f})"
        out.print(
            f"{result['passed']} passed, {result['failed']} failed, {result['faults']} faults: success {share} in {result['seconds']:.0f} s",
            markup=False,
        )
        out.print(f"{result['run']}   (deskbench report {result['run']})", markup=False)
    raise typer.Exit(3 if result["faults"] else 0)


@app.command()
def report(
    folders: Annotated[list[Path], typer.Argument(help="Run folders.")],
    html: Annotated[Path | None, typer.Option(help="Where the page goes; report.html in the first run folder if not given.")] = None,
    json_: Json = False,
) -> None:
    """What runs say: success with intervals, steps, time, faults apart; and a page with every step's picture.

    Example: deskbench report runs/starter-expert-1 runs/starter-noop-1 --html report.html
    """
    from deskbench.report.page import write_page
    from deskbench.report.summary import default_page, summary
    from deskbench.report.tables import tables
    from deskbench.store.run_folder import open_runs

    runs = open_runs(folders)
    page = html or default_page(runs)
    write_page(runs, page)
    if json_:
        show_json({**summary(runs), "page": str(page)})
    else:
        Console(highlight=False).print(tables(summary(runs)))
        out.print(f"page: {page}", markup=False)


@app.command()
def regrade(
    folder: Annotated[Path, typer.Argument(help="A run folder.")],
    write: Annotated[bool, typer.Option(help="Let the new verdicts take the place of the old ones.")] = False,
    json_: Json = False,
) -> None:
    """Judge stored evidence again, and say what changed.

    Example: deskbench regrade runs/starter-expert-1
    """
    from deskbench.pack.load import find
    from deskbench.runner.regrade import regrade as again
    from deskbench.store.run_folder import RunFolder

    found = again(RunFolder.open(folder), lambda task: find([task])[0], write=write)
    changed = [item for item in found if item.changed]
    if json_:
        told = [
            {"key": i.key, "changed": i.changed, "before": i.before.score, "after": i.after.score if i.after else None, "note": i.note} for i in found
        ]
        show_json({"episodes": len(found), "changed": len(changed), "verdicts": told})
    else:
        for item in found:
            if item.changed or item.note:
                after = item.after.score if item.after else "not judged"
                out.print(f"{item.key}: {item.before.score} -> {after} {item.note}", markup=False)
        out.print(f"{len(found)} episodes judged again, {len(changed)} changed")
    raise typer.Exit(1 if changed else 0)


@app.command()
def certify(
    patterns: Patterns = None,
    suite: Suite = None,
    check: Annotated[bool, typer.Option("--check", help="Only tell whether the certificates are current.")] = False,
    spot: Annotated[bool, typer.Option("--spot", help="Make a few runs of each certificate again, and compare.")] = False,
    desktops: Annotated[int | None, typer.Option(min=1, max=256, help="How many at once; by memory and cores if not given.")] = None,
    again: Annotated[bool, typer.Option(help="Prove also what has a current certificate.")] = False,
    folder: Annotated[Path, typer.Option("--out", help="Where the runs go; the same one goes on where it stopped.")] = Path("runs/certify"),
    json_: Json = False,
) -> None:
    """Prove tasks by live runs: the expert passes, idlers fail, every step left out and every near miss fails, alternatives pass.

    Example: deskbench certify "inkscape/*"
    """
    if spot:
        raise typer.Exit(_spot_check(patterns, suite, folder, desktops, json_))
    from deskbench.pack.certificate import is_current
    from deskbench.pack.load import find
    from deskbench.runner.certify import certify as prove
    from deskbench.runner.certify import told
    from deskbench.runner.command import require_apps, teller
    from deskbench.runner.pool import sensible_desktops

    families = find(patterns or [], suite)
    wanted = [] if check else [family for family in families if again or not is_current(family)]
    require_apps(wanted)
    with teller(err, json_) as tell:
        proven = {c.id: c for c in prove(wanted, folder, desktops=desktops or sensible_desktops(), tell=tell)} if wanted else {}
    rows = [told(family, proven.get(family.task.id)) for family in families]
    certified = sum(bool(row["current"]) for row in rows)
    if json_:
        show_json({"total": len(rows), "certified": certified, "tasks": rows})
    else:
        for row in rows:
            out.print(f"{'certified    ' if row['current'] else 'not certified'} {row['id']}", markup=False)
            for sentence in row["objections"]:
                out.print(f"                {sentence}", markup=False)
        out.print(f"{certified} of {len(rows)} certified", markup=False)
    raise typer.Exit(0 if certified == len(rows) else 1)


def _spot_check(patterns: list[str] | None, suite: str | None, folder: Path, desktops: int | None, json_: bool) -> int:
    from deskbench.pack.load import find
    from deskbench.runner.command import require_apps, teller
    from deskbench.runner.pool import sensible_desktops
    from deskbench.runner.spot import spot_check

    families = find(patterns or [], suite)
    require_apps(families)
    with teller(err, json_) as tell:
        rows = spot_check(families, folder, desktops=desktops or sensible_desktops(), tell=tell)
    wrong = [row for row in rows if not row["agrees"]]
    if json_:
        show_json({"runs": len(rows), "agree": len(rows) - len(wrong), "differ": wrong})
    else:
        for row in wrong:
            out.print(
                f"{row['task']} {row['agent']}: the certificate says {row['certificate']}, here it is {row['here']}: {row['why']}", markup=False
            )
        out.print(f"{len(rows) - len(wrong)} of {len(rows)} runs came out as their certificates say", markup=False)
    return 1 if wrong else 0


@app.command()
def mcp(
    task: Annotated[str, typer.Argument(help="The task to sit.")],
    folder: Annotated[Path, typer.Option("--out", help="Where the record goes.")] = Path("runs/mcp"),
    seed: Annotated[int, typer.Option(min=0, help="Which values the task's parameters take.")] = 0,
    language: Annotated[str, typer.Option(help="en or zh.")] = "en",
    tools: Annotated[str, typer.Option(help="Tools granted beside the desktop: shell, files.")] = "",
) -> None:
    """Let an agent that speaks MCP sit a task, over standard input and output.

    Example: deskbench mcp inkscape/title-size
    """
    from deskbench.runner.seat import Seat

    try:
        from deskbench.mcp import server_for
    except ImportError as error:
        raise Misuse(f"the MCP door needs its package ({error}); run: pip install 'deskbench[mcp]'") from error
    with Seat.take(task, folder, agent="mcp", seed=seed, language=language, tools=[part for part in tools.split(",") if part]) as seat:
        server_for(seat).run("stdio")


def parsed_size(text: str) -> tuple[int, int]:
    """Width and height from 1920x1080."""
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 320 <= int(width) <= 7680 and 200 <= int(height) <= 4320):
        raise Misuse(f"{text!r} is not a screen size; write it as 1920x1080")
    return int(width), int(height)


def main() -> NoReturn:
    """Run the command line; no trouble of a known kind ends in a traceback."""
    try:
        app()
    except DeskbenchError as trouble:
        err.print(f"deskbench: {trouble}", markup=False)
        sys.exit(trouble.exit_status)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as trouble:
        err.print(f"deskbench: {trouble.strerror or trouble}: {trouble.filename or ''}".rstrip(": "), markup=False)
        sys.exit(3)
    sys.exit(0)


if __name__ == "__main__":
    main()
