"""The command line. It parses, calls one room, prints, and turns every trouble into a sentence and an exit status.

Exit status: 0 done, 1 the work says no, 2 wrong use, 3 a fault of ours.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

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
    rebuild: Annotated[bool, typer.Option(help="Build template homes anew even if they are current.")] = False,
) -> None:
    """Install applications with apt and build their template homes; can be run again at any time.

    Example: deskbench setup --apps inkscape,calc
    """
    from deskbench.machine.setup import setup as run_setup

    run_setup(chosen_apps(apps), rebuild=rebuild, say=teller(False))


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


def parsed_size(text: str) -> tuple[int, int]:
    """Width and height from 1920x1080."""
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 320 <= int(width) <= 7680 and 200 <= int(height) <= 4320):
        raise Misuse(f"{text!r} is not a screen size; write it as 1920x1080")
    return int(width), int(height)


def main() -> NoReturn:
    """Run the command line; no trouble of a known kind ends in a traceback."""
    try:
        app(standalone_mode=True)
    except DeskbenchError as trouble:
        err.print(f"deskbench: {trouble}", markup=False)
        sys.exit(trouble.exit_status)
    except KeyboardInterrupt:
        err.print("deskbench: stopped; the same command goes on where it stopped", markup=False)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as trouble:
        err.print(f"deskbench: {trouble.strerror or trouble}: {trouble.filename or ''}".rstrip(": "), markup=False)
        sys.exit(3)
    sys.exit(0)


if __name__ == "__main__":
    main()
