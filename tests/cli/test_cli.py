"""The command line is the contract: JSON alone, exit statuses, a sentence for every mistake, an example for every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = ["doctor", "setup", "desktop", "bench", "tasks", "lint", "schema", "agents", "run", "report", "regrade"]


def deskbench(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "deskbench.cli", *args], capture_output=True, text=True, env={**os.environ, **env}, timeout=120)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str) -> None:
    ran = deskbench(command, "--help")
    assert ran.returncode == 0 and f"Example: deskbench {command}" in ran.stdout


def test_tasks_are_listed_as_json() -> None:
    rows = json.loads(deskbench("tasks", "--json").stdout)
    assert len(rows) >= 12
    assert {"id", "level", "apps", "domain", "persona", "languages", "phases", "params", "certified"} <= set(rows[0])


def test_agents_are_listed_as_json() -> None:
    rows = json.loads(deskbench("agents", "--json").stdout)
    assert {"expert", "noop", "quitter", "random"} <= {row["name"] for row in rows}
    assert all({"name", "kind", "dialect", "coordinates"} <= set(row) for row in rows)


def test_the_schema_is_a_schema() -> None:
    schema = json.loads(deskbench("schema").stdout)
    assert schema["$schema"].startswith("https://json-schema.org") and "procedure" in schema["properties"] and "values" not in schema["properties"]


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["run", "no/such-task"], "no task matches"),
        (["run", "--suite", "nosuch"], "no suite 'nosuch'"),
        (["run", "--agent", "nobody"], "no agent is called 'nobody'"),
        (["run", "--agent", "nomodule:Thing"], "cannot be loaded"),
        (["run", "--language", "fr"], "no language 'fr'"),
        (["run", "--observe", "smell"], "cannot be observed"),
        (["desktop", "--app", "nosuch"], "no application is called 'nosuch'"),
        (["desktop", "--size", "9x9"], "not a screen size"),
        (["desktop", "--file", "/nowhere"], "--file needs --app"),
        (["setup", "--apps", "nosuch"], "no application is called"),
        (["report", "/nowhere"], "is not a run"),
        (["regrade", "/nowhere"], "is not a run"),
        (["tasks", "nosuch*"], "no task matches"),
    ],
)
def test_wrong_use_is_a_sentence_and_status_2(args: list[str], word: str) -> None:
    ran = deskbench(*args)
    assert ran.returncode == 2, ran.stderr
    assert word in ran.stderr and "Traceback" not in ran.stderr and len(ran.stderr.strip().splitlines()) == 1


def test_a_state_folder_that_cannot_be_made_is_a_sentence_and_status_3(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    ran = deskbench("desktop", "--app", "geany", DESKBENCH_STATE=str(blocker / "state"))
    assert ran.returncode == 3 and "DESKBENCH_STATE" in ran.stderr and "Traceback" not in ran.stderr


def test_without_bubblewrap_it_says_what_to_install(tmp_path: Path) -> None:
    for name in ("sh", "mount"):
        (tmp_path / name).symlink_to(f"/bin/{name}")
    script = "from deskbench.desktops.local.desktop import LocalDesktop; from deskbench.core.faults import Misuse\ntry: LocalDesktop.open(layers=[])\nexcept Misuse as e: print(e)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PATH": str(tmp_path)})
    assert "bwrap is not installed" in ran.stdout and "apt-get install bubblewrap" in ran.stdout, ran.stderr


def test_mistakes_in_tasks_are_listed_with_their_lines(tmp_path: Path) -> None:
    task = tmp_path / "geany" / "bad" / "task.yaml"
    task.parent.mkdir(parents=True)
    task.write_text("id: geany/bad\nlevel: L7\n")
    ran = deskbench("lint", "--json", DESKBENCH_PACKS=str(tmp_path))
    said = json.loads(ran.stdout)
    assert ran.returncode == 1 and said["tasks"] == 1 and len(said["mistakes"]) == 1 and "task.yaml:" in said["mistakes"][0]
