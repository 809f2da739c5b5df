"""The built wheel carries everything: installed elsewhere, it runs the starter suite without a checkout."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.live, pytest.mark.slow]

ROOT = Path(__file__).parents[2]


def test_the_wheel_runs_the_starter_suite(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([str(tmp_path / "venv/bin/pip"), "install", "-q", str(wheel)], check=True)
    command = [str(tmp_path / "venv/bin/deskbench"), "run", "--suite", "starter", "--agent", "expert", "--out", str(tmp_path / "run"), "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    said = json.loads(ran.stdout)
    assert (said["passed"], said["failed"], said["faults"]) == (12, 0, 0), ran.stderr
