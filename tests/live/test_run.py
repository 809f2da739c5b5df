"""A run, live: verdicts that repeat, kills that lose nothing, evidence that is enough, agents of one's own."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from deskbench.pack.load import find, packs_root
from deskbench.runner.regrade import regrade
from deskbench.store.run_folder import RunFolder

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]


def deskbench(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "deskbench.cli", *args], capture_output=True, text=True, env={**os.environ, **env}, timeout=900)


def verdicts(folder: Path) -> dict[str, tuple[float | None, list[tuple[str, bool]]]]:
    episodes = RunFolder.open(folder).episodes()
    return {e.spec.key: (e.verdict.score, [(f.check, f.passed) for f in e.verdict.findings]) for e in episodes}


@pytest.mark.parametrize("task", ["writer/letter-pdf", "files/missing-minutes"])
def test_the_expert_passes_and_doing_nothing_fails(task: str, tmp_path: Path) -> None:
    ran = deskbench("run", task, "--agent", "expert", "--out", str(tmp_path / "expert"), "--json")
    said = json.loads(ran.stdout)
    assert (said["passed"], said["failed"], said["faults"], said["intermediate"]) == (1, 0, 0, 1.0), ran.stderr + ran.stdout
    nothing = json.loads(deskbench("run", task, "--agent", "noop", "--out", str(tmp_path / "noop"), "--json").stdout)
    assert (nothing["passed"], nothing["failed"], nothing["faults"]) == (0, 1, 0)
    assert nothing["intermediate"] < 0.5


def test_regrading_needs_nothing_but_the_evidence(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert deskbench("run", "calc/quarter-total", "--agent", "expert", "--out", str(folder)).returncode == 0
    before = verdicts(folder)
    ran = deskbench("regrade", str(folder), "--json", PATH="/nonexistent", DESKBENCH_STATE="/nonexistent")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["changed"] == 0
    evidence = RunFolder.open(folder).evidence(next(iter(before)))
    sheet = next(evidence.glob("probes/*/**/probe.json"))
    sheet.write_text(sheet.read_text().replace('"status": 0', '"status": 1'))
    again = regrade(RunFolder.open(folder), lambda task: find([task])[0], write=False)
    assert again[0].changed, "a verdict that does not depend on the evidence"


def test_a_run_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        "deskbench.cli",
        "run",
        "files/missing-minutes",
        "files/sort-downloads",
        "--agent",
        "quitter",
        "--repeats",
        "3",
        "--desktops",
        "2",
        "--out",
        str(folder),
    ]
    chance = random.Random(7)
    for _ in range(5):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + chance.uniform(0.8, 4.0)
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.05)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert subprocess.run(command, capture_output=True).returncode == 0
    found = verdicts(folder)
    assert len(found) == 6
    assert {key.split("--")[0]: score for key, (score, _) in found.items()} == {"files__missing-minutes": 1.0, "files__sort-downloads": 0.0}
    assert len(RunFolder.open(folder).rebuild_index()) == 6


def test_ctrl_c_stops_cleanly(tmp_path: Path, nothing_left: None) -> None:
    command = [sys.executable, "-m", "deskbench.cli", "run", "inkscape/title-size", "--agent", "expert", "--out", str(tmp_path / "run")]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job in the background begins with Ctrl-C ignored
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heard)
    while not list((tmp_path / "run").glob("episodes/*/attempt-1")) and process.poll() is None:
        time.sleep(0.05)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "goes on where it stopped" in said and "Traceback" not in said


def test_the_agent_of_the_documentation_runs(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "agents.md").read_text(), re.S)
    assert code is not None
    (tmp_path / "myagent.py").write_text(code[1])
    ran = deskbench("run", "calc/quarter-total", "--agent", "myagent:Saver", "--out", str(tmp_path / "run"), "--json", PYTHONPATH=str(tmp_path))
    said = json.loads(ran.stdout)
    assert (said["failed"], said["faults"]) == (1, 0), ran.stderr
    (episode,) = RunFolder.open(tmp_path / "run").episodes()
    assert episode.stop == "done" and episode.steps == 2


def test_packs_of_ones_own(tmp_path: Path) -> None:
    task = packs_root() / "files" / "missing-minutes"
    target = tmp_path / "files" / "missing-minutes"
    target.parent.mkdir()
    subprocess.run(["cp", "-r", str(task), str(target)], check=True)
    said = json.loads(deskbench("tasks", "--json", DESKBENCH_PACKS=str(tmp_path)).stdout)
    assert [row["id"] for row in said] == ["files/missing-minutes"]


@pytest.mark.slow
def test_the_starter_suite_three_times_alike(tmp_path: Path) -> None:
    found = []
    for number in range(3):
        said = json.loads(deskbench("run", "--suite", "starter", "--agent", "expert", "--out", str(tmp_path / str(number)), "--json").stdout)
        assert (said["passed"], said["failed"], said["faults"]) == (12, 0, 0)
        found.append(verdicts(tmp_path / str(number)))
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_the_starter_suite_killed_and_resumed_ends_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "deskbench.cli", "run", "--suite", "starter", "--agent", "expert", "--desktops", "2", "--out", str(folder)]
    chance = random.Random(11)
    for _ in range(5):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + chance.uniform(3, 20)
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.05)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert subprocess.run(command, capture_output=True).returncode == 0
    assert [score for score, _ in verdicts(folder).values()] == [1.0] * 12
