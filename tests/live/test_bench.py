"""The benchmark measures what it says it does: everything is there, and the comparison compares like with like."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rich.console import Console

from deskbench import apps
from deskbench.core import action as a
from deskbench.core.wait import until
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.machine import crowd
from deskbench.machine.baseline import SOCKETS, XLIB, Clicker, PropertyWalk, numbered, screenshot
from deskbench.machine.bench import SHEET, bench, in_turns, sheet, table, unseen

pytestmark = pytest.mark.live

CALC = apps.get("calc")


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    return bench(desktops=2, quick=True)


@pytest.fixture(scope="module")
def filled() -> Iterator[LocalDesktop]:
    with LocalDesktop.open(apps={"calc": CALC}) as desktop:
        crowd.prepare(desktop, CALC)
        desktop.put({SHEET: sheet()})
        desktop.launch(CALC, SHEET)
        yield desktop


def test_it_tells_everything_that_was_promised(result: dict[str, Any]) -> None:
    assert json.loads(json.dumps(result)) == result
    assert set(result["ratio"]) == {"click", "frame_png", "elements"}
    assert set(result["rss_mb"]) == {"idle", "with_app"}
    promised = {"open_seconds", "reset_seconds", "desktops", "frame_ms", "click_ms", "elements_ms", "frame_png_ms", "settle_ms", "action_drift"}
    assert promised <= set(result)
    assert all(isinstance(result[key], int | float) and result[key] > 0 for key in promised)


def test_the_numbers_hang_together(result: dict[str, Any]) -> None:
    base = result["baseline"]
    for key in ("click", "frame_png", "elements"):
        assert result["ratio"][key] == pytest.approx(base[f"{key}_ms"] / result[f"{key}_ms"], rel=0.05)
        assert result["ratio"][key] > 1
    assert result["frame_ms"] < result["frame_png_ms"]
    assert 10 < result["rss_mb"]["idle"] < result["rss_mb"]["with_app"] < 4000
    assert result["nodes"]["ours"] >= result["nodes"]["baseline"] > 100
    assert result["nodes"]["missing"] == 0
    assert result["desktops"] == 2 and result["desktops_why"] == ""


def test_it_can_be_shown_to_people(result: dict[str, Any]) -> None:
    console = Console(file=io.StringIO(), width=100)
    console.print(table(result))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "click" in text and "pyautogui" in text and "desktops held at once" in text


def test_our_elements_cover_what_the_baseline_sees(filled: LocalDesktop) -> None:
    walk = PropertyWalk(filled.desk, filled.size)
    try:
        walked = walk.walk()
    finally:
        walk.close()
    ours = filled.elements()
    assert ours.cut == ""
    assert unseen({(element.role, element.name) for element in ours.items}, walked.nodes) == set()
    assert {"table cell", "push button", "menu"} <= {node.role for node in walked.nodes}
    cells = {element.name: element.value for element in ours.items if element.role == "table cell"}
    assert cells["A3"] == "line 3" and cells["D5"] == "12"


def test_what_only_the_baseline_sees_would_be_noticed(filled: LocalDesktop) -> None:
    walk = PropertyWalk(filled.desk, filled.size)
    try:
        nodes = walk.walk().nodes
    finally:
        walk.close()
    ours = {(element.role, element.name) for element in filled.elements().items} - {("menu", "File")}
    assert unseen(ours, nodes) == {("menu", "File")}


@pytest.mark.parametrize("by", ["pyautogui", "python-xlib"])
def test_the_baseline_really_clicks(filled: LocalDesktop, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if by == "python-xlib":
        monkeypatch.setattr("deskbench.machine.baseline._succeeds", lambda _: False)
        monkeypatch.setattr("deskbench.machine.baseline.state", lambda: Path("/nonexistent"))
    clicker = Clicker(lambda _: None)
    assert clicker.means.startswith(by) and (clicker._script is XLIB) == (by == "python-xlib")
    filled.act(a.Key(keys=("ctrl", "home")))
    target = until(lambda: filled.elements().find("table cell", "C7"), "the cell C7", 10)[0].box
    before = filled.frame()
    with numbered(filled.desk) as number:
        clicker.click(number, *target.centre)
        link = SOCKETS / f"X{number}"
        assert link.is_symlink()
    assert not link.is_symlink()
    assert filled.observe().cursor == target.centre
    until(lambda: not filled.frame().same_as(before), "the cell to be chosen", 5)
    filled.settle()
    filled.act(a.Copy())
    until(lambda: filled.observe().clipboard.strip() == "12", "the cell's content", 5)


def test_the_baseline_takes_the_same_picture(filled: LocalDesktop) -> None:
    filled.act(a.Key(keys=("escape",)))  # a copied cell has ants marching round it
    filled.act(a.Move(x=0, y=0))
    filled.settle()
    with numbered(filled.desk) as number:
        picture = Image.open(io.BytesIO(screenshot(number))).convert("RGB")
    ours = filled.frame().image
    assert picture.size == ours.size
    below_the_pointer = (40, 40, *ours.size)  # ours has the pointer in it, the X protocol gives the screen without
    assert picture.crop(below_the_pointer).tobytes() == ours.crop(below_the_pointer).tobytes()


def test_desktops_are_not_added_beyond_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "available_mb", lambda: 1000.0)
    held = crowd.hold(CALC, 3, lambda _: None)
    assert held.answering == 0 and "1000 MB" in held.why


def test_turns_are_taken() -> None:
    order: list[str] = []
    ours, theirs = in_turns(2, lambda: order.append("ours"), lambda: order.append("theirs"), ours_each=2)
    assert order == ["theirs", "ours", "ours"] * 2
    assert ours > 0 and theirs > 0
