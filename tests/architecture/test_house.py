"""The rules of the house that a machine can check."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "deskbench"

LAYERS = [
    {"core"},
    {"desktops", "apps", "views", "checks", "dialects", "models"},
    {"episode", "agents", "users", "judges"},
    {"pack", "store"},
    {"machine", "runner", "report"},
    {"web", "author"},
    {"gym", "inspect", "mcp"},
    {"cli"},
]
RANK = {room: rank for rank, layer in enumerate(LAYERS) for room in layer}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively; write the whole name"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found += [(node.lineno, name.split(".")[1]) for name in names if name.startswith("deskbench.")]
    return [(line, room) for line, room in found if room in RANK]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_only_downward(path: Path) -> None:
    room = room_of(path)
    if room in ("__init__", "__main__"):
        return
    assert room in RANK, f"{room} has no place in the house; DESIGN.md names the rooms"
    wrong = [f"{path.name}:{line} imports {other}" for line, other in imported_rooms(path) if other != room and RANK[other] >= RANK[room]]
    assert not wrong, wrong


def test_time_passes_only_in_core_wait() -> None:
    sleepers = []
    for path in MODULES:
        if path.relative_to(PACKAGE).as_posix() == "core/wait.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "sleep":
                zero = False
                sleepers.append(f"{path.relative_to(PACKAGE)}:{node.lineno}") if not zero else None
    allowed = {"desktops/local/elements.py"}  # asyncio.sleep(0): lets a closing connection finish, takes no time
    assert {place.split(":")[0] for place in sleepers} <= allowed, sleepers


def test_no_application_is_named_outside_the_plural_rooms() -> None:
    names = {"inkscape", "gimp", "audacity", "kdenlive", "thunderbird", "libreoffice"}
    closed = {"core", "episode", "pack", "store", "runner", "report", "cli"}
    found = []
    for path in MODULES:
        if room_of(path) not in closed:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in names:
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {node.value}")
    assert not found, found


def test_every_module_imports_alone() -> None:
    """Each in a fresh fork of an interpreter that has only the outside libraries."""
    names = [".".join(("deskbench", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__") for path in MODULES]
    script = (
        "import sys, os, warnings; warnings.simplefilter('error')\n"
        "import numpy, PIL.Image, pydantic, lxml.etree, typer, rich.console\n"
        "bad = []\n"
        "for name in sys.argv[1:]:\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        try:\n"
        "            __import__(name)\n"
        "        except BaseException as error:\n"
        "            print(name, repr(error), flush=True)\n"
        "            os._exit(1)\n"
        "        os._exit(0)\n"
        "    if os.waitpid(pid, 0)[1]: bad.append(name)\n"
        "sys.exit(bool(bad))\n"
    )
    ran = subprocess.run([sys.executable, "-c", script, *names], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
