"""`deskbench bench`: what a desktop costs on this machine, side by side with how peers do the same.

Ours and the baseline's are measured in turns, on the same desktop, in one run; a ratio is the baseline's median over ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from statistics import median
from typing import Any

from rich.table import Table

from deskbench import apps
from deskbench.core import action as a
from deskbench.core.app import App
from deskbench.core.faults import DesktopFault
from deskbench.core.observation import Box
from deskbench.core.ports import Settle
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.machine.baseline import Clicker, PropertyWalk, Seen, Walked, numbered, screenshot
from deskbench.machine.crowd import hold, memory_mb, prepare

SPREADSHEET = "calc"
SHEET = "~/Documents/bench.fods"
NOT_WAITING = Settle(limit_seconds=0)
SLIVER_PIXELS = 4
"""A cell of which less than this peeps out at the edge is nothing that anybody sees."""


@dataclass(frozen=True)
class Rounds:
    """How often each thing is measured."""

    opens: int = 9
    clicks: int = 7
    pictures: int = 15
    walks: int = 3
    menus: int = 7
    actions: int = 1000


QUICK = Rounds(opens=3, clicks=2, pictures=3, walks=1, menus=2, actions=200)

Say = Callable[[str], None]


def bench(*, desktops: int = 16, quick: bool = False, say: Say = lambda _: None) -> dict[str, Any]:
    """Measure everything; `desktops` bounds how many are held at once. The keys are those of DESIGN.md, and more."""
    rounds = QUICK if quick else Rounds()
    app = apps.get(SPREADSHEET)
    result: dict[str, Any] = {}
    clicker = Clicker(say)
    say("opening and resetting")
    result |= _openings(rounds)
    with _with_sheet(app, say) as (desktop, idle_mb, app_mb):
        result["rss_mb"] = {"idle": round(idle_mb, 1), "with_app": round(app_mb, 1)}
        result |= _side_by_side(desktop, clicker, rounds, say)
        say("menus")
        result["settle_ms"] = _menus(desktop, rounds.menus)
        say(f"{rounds.actions} actions")
        result |= _drift(desktop, rounds.actions)
    say(f"holding up to {desktops} desktops at once")
    crowd = hold(app, desktops, say)
    result |= {"desktops": crowd.answering, "desktops_why": crowd.why}
    result |= {"desktops_seconds": round(crowd.seconds, 1), "desktop_mb": round(crowd.desktop_mb, 1)}
    return result


# One desktop


def _openings(rounds: Rounds) -> dict[str, float]:
    opened, reset = [], []
    for _ in range(rounds.opens):
        began = time.monotonic()
        with LocalDesktop.open() as desktop:
            opened.append(time.monotonic() - began)
            began = time.monotonic()
            desktop.reset()
            reset.append(time.monotonic() - began)
    return {"open_seconds": round(median(opened), 4), "reset_seconds": round(median(reset), 4)}


@contextmanager
def _with_sheet(app: App, say: Say) -> Iterator[tuple[LocalDesktop, float, float]]:
    """A desktop with a filled sheet open, and the memory it took before and after."""
    with LocalDesktop.open(apps={app.name: app}) as desktop:
        prepare(desktop, app)
        idle_mb = memory_mb(desktop)
        say(f"opening {app.title} with a filled sheet")
        desktop.put({SHEET: sheet()})
        desktop.launch(app, SHEET)
        yield desktop, idle_mb, memory_mb(desktop)


def sheet(rows: int = 40, columns: int = 12) -> bytes:
    """A spreadsheet with numbers and words in it, as a flat OpenDocument file."""
    cell = '<table:table-cell office:value-type="{}"{}><text:p>{}</text:p></table:table-cell>'
    lines = []
    for row in range(rows):
        numbers = [cell.format("float", f' office:value="{row * column}"', row * column) for column in range(1, columns)]
        lines.append(f"<table:table-row>{cell.format('string', '', f'line {row + 1}')}{''.join(numbers)}</table:table-row>")
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text"))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {names} office:version="1.2" '
        'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>'
        f'<table:table table:name="Data">{"".join(lines)}</table:table></office:spreadsheet></office:body></office:document>'
    ).encode()


# Against the baseline


def in_turns(rounds: int, ours: Callable[[], object], theirs: Callable[[], object], ours_each: int = 1) -> tuple[float, float]:
    """Medians in milliseconds of two pieces of work that take turns; ours may have several goes a turn, since it is short."""
    our_times: list[float] = []
    their_times: list[float] = []
    for _ in range(rounds):
        their_times.append(_milliseconds(theirs))
        our_times += [_milliseconds(ours) for _ in range(ours_each)]
    return median(our_times), median(their_times)


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _side_by_side(desktop: LocalDesktop, clicker: Clicker, rounds: Rounds, say: Say) -> dict[str, Any]:
    with numbered(desktop.desk) as number:
        say(f"clicks, against {clicker.means}")
        click = _clicks(desktop, clicker, number, rounds.clicks)
        say("pictures, against Pillow")
        png = in_turns(rounds.pictures, lambda: desktop.frame().png, lambda: screenshot(number), ours_each=2)
    frame_ms = median(_milliseconds(desktop.frame) for _ in range(rounds.pictures * 4))
    say("elements, against a walk property by property")
    elements, nodes, walked = _elements(desktop, rounds.walks)
    pairs = {"click": click, "frame_png": png, "elements": elements}
    return {
        "ratio": {name: round(theirs / ours, 1) for name, (ours, theirs) in pairs.items()},
        **{f"{name}_ms": round(ours, 3) for name, (ours, _) in pairs.items()},
        "frame_ms": round(frame_ms, 3),
        "nodes": nodes,
        "baseline": {
            **{f"{name}_ms": round(theirs, 3) for name, (_, theirs) in pairs.items()},
            "click_by": clicker.means,
            "element_calls": walked.calls,
            "element_visits": walked.visited,
        },
    }


def _clicks(desktop: LocalDesktop, clicker: Clicker, number: int, rounds: int) -> tuple[float, float]:
    """Clicks on the sheet, never twice at one place: a second one there would be held back so as not to make a double click."""
    places = _places(desktop.size)

    def ours() -> None:
        x, y = next(places)
        desktop.act(a.Click(x=x, y=y), settle=NOT_WAITING)

    ours()
    wanted = next(places)
    clicker.click(number, *wanted)
    if desktop.observe().cursor != wanted:
        raise DesktopFault(f"the baseline's click went elsewhere than to {wanted}, so that nothing could be compared; run it again")
    return in_turns(rounds, ours, lambda: clicker.click(number, *next(places)), ours_each=20)


def _places(size: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Points on the sheet, far enough from each other."""
    for step in count():
        yield size[0] // 4 + 40 * (step % 20), size[1] // 3 + 20 * (step % 13)


def _elements(desktop: LocalDesktop, rounds: int) -> tuple[tuple[float, float], dict[str, int], Walked]:
    """Both readings of the tree once the applications have warmed up to them, and how many nodes each shows."""
    walk = PropertyWalk(desktop.desk, desktop.size)
    try:
        desktop.elements()
        walked = walk.walk()
        medians = in_turns(rounds, desktop.elements, walk.walk, ours_each=3)
        ours = {(element.role, element.name) for element in desktop.elements().items}
        missing = unseen(ours, walked.nodes)
        nodes = {"ours": len(desktop.elements().items), "baseline": len(walked.nodes), "missing": len(missing)}
        return medians, nodes, walked
    finally:
        walk.close()


def unseen(ours: set[tuple[str, str]], theirs: list[Seen]) -> set[tuple[str, str]]:
    """What the baseline shows by role and name and we do not, slivers at an edge left aside.

    Boxes are not compared: an office program reports its own without the height of its menu bar, which ours put right.
    """
    return {(node.role, node.name) for node in theirs if not _sliver(node.box)} - ours


def _sliver(box: Box) -> bool:
    return min(box.width, box.height) < SLIVER_PIXELS


# Time


def _menus(desktop: LocalDesktop, rounds: int) -> float:
    """From the keys that open a menu to a quiet screen, in milliseconds."""
    waited = []
    for _ in range(rounds):
        began = time.monotonic()
        settled = desktop.act(a.Key(keys=("alt", "f"))).settled
        waited.append((time.monotonic() - began) * 1000)
        if not settled.quiet:
            raise DesktopFault(f"the screen did not settle after a menu opened: {settled.why}; run it again on a quieter machine")
        desktop.act(a.Key(keys=("escape",), times=2))
    return round(median(waited), 1)


def _drift(desktop: LocalDesktop, actions: int) -> dict[str, Any]:
    """The cost of an action at the beginning and at the end of many: equal if nothing piles up."""
    times = []
    for action in islice(_mixed(desktop.size), actions):
        began = time.perf_counter()
        desktop.act(action, settle=NOT_WAITING)
        times.append((time.perf_counter() - began) * 1000)
    share = max(1, min(100, actions // 2))
    first, last = median(times[:share]), median(times[-share:])
    return {"action_drift": round(last / first, 2), "action_ms": {"first": round(first, 3), "last": round(last, 3)}}


def _mixed(size: tuple[int, int]) -> Iterator[a.Action]:
    """Moves, clicks, turns of the wheel and keys, for ever."""
    for number, (x, y) in enumerate(_places(size)):
        yield (a.Move(x=x, y=y), a.Click(x=x, y=y), a.Scroll(x=x, y=y, dy=1 if number % 8 < 4 else -1), a.Key(keys=("down",)))[number % 4]


# For people


def table(result: dict[str, Any]) -> Table:
    """The result as a table."""
    shown = Table(title="Deskbench on this machine", title_justify="left")
    for column, justify in (("what", "left"), ("here", "right"), ("baseline", "right"), ("times faster", "right")):
        shown.add_column(column, justify=justify)  # type: ignore[arg-type]
    base, ratio, nodes = result["baseline"], result["ratio"], result["nodes"]
    for title, key in (("click", "click"), ("picture as PNG", "frame_png"), ("elements of a filled sheet", "elements")):
        shown.add_row(title, f"{result[f'{key}_ms']:.2f} ms", f"{base[f'{key}_ms']:.1f} ms", f"{ratio[key]:.0f}")
    shown.add_row("elements that show", str(nodes["ours"]), str(nodes["baseline"]), "")
    shown.add_section()
    for title, value in (
        ("open a desktop", f"{result['open_seconds'] * 1000:.0f} ms"),
        ("reset it", f"{result['reset_seconds'] * 1000:.0f} ms"),
        ("picture, raw", f"{result['frame_ms']:.2f} ms"),
        ("quiet after a menu opened", f"{result['settle_ms']:.0f} ms"),
        ("cost of an action, last to first", f"{result['action_drift']:.2f}"),
        ("memory of an idle desktop", f"{result['rss_mb']['idle']:.0f} MB"),
        ("memory with one application", f"{result['rss_mb']['with_app']:.0f} MB"),
        ("desktops held at once", str(result["desktops"]) + (f" ({result['desktops_why']})" if result["desktops_why"] else "")),
    ):
        shown.add_row(title, value, "", "")
    shown.caption = (
        f"baseline: a process with {base['click_by']} for each click, Pillow, a walk of {base['element_calls']} calls; medians, taken in turns"
    )
    return shown
