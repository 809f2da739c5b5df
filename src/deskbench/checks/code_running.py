"""Run inside a fresh sandbox: the author's tests on a folder of code, or a command in it; what came of it is written as JSON.

Imports nothing but the standard library. The code under test runs in a process of its own, so that it can end itself but not this.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

LIMIT = 200_000

TESTS = """
import json, sys, unittest
folder, tests, out = sys.argv[1:]
sys.path[:0] = [folder]
sys.dont_write_bytecode = True
import os
os.chdir(folder)
import importlib.util
spec = importlib.util.spec_from_file_location("author_tests", tests)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
suite = unittest.defaultTestLoader.loadTestsFromModule(module)
result = unittest.TextTestRunner(verbosity=0).run(suite)
wrong = [f"{test.id().partition('.')[2]}: {said.strip().splitlines()[-1]}" for test, said in result.failures + result.errors]
with open(out, "w", encoding="utf-8") as handle:
    json.dump({"ran": result.testsRun, "wrong": wrong}, handle)
"""


def run_tests(folder: str, out: str) -> dict[str, Any]:
    probe = os.path.join(os.environ["HOME"], "probe")
    result = os.path.join(probe, "result.json")
    asked = [sys.executable, "-c", TESTS, folder, os.path.join(probe, "author_tests.py"), result]
    said = run(asked, folder, "", 60)
    try:
        with open(result, encoding="utf-8") as handle:
            outcome: dict[str, Any] = json.load(handle)
    except (OSError, ValueError):
        outcome = {"ran": 0, "wrong": []}
    return {**outcome, "said": said["errors"]}


def run(command: list[str], folder: str, given: str, seconds: float) -> dict[str, Any]:
    try:
        ran = subprocess.run(command, cwd=folder, input=given.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"status": None, "output": "", "errors": f"took more than {seconds:g} s"}
    except OSError as error:
        return {"status": None, "output": "", "errors": str(error)}
    return {
        "status": ran.returncode,
        "output": ran.stdout[:LIMIT].decode("utf-8", "replace"),
        "errors": ran.stderr[-LIMIT:].decode("utf-8", "replace"),
    }


if __name__ == "__main__":
    code, place = sys.argv[1:]
    with open(os.path.join(os.environ["HOME"], "probe", "asked.json"), encoding="utf-8") as handle:
        asked = json.load(handle)
    outcome = run_tests(code, place) if asked.get("tests") else run(asked["command"], code, asked["input"], asked["seconds"])
    with open(os.path.join(place, "outcome.json"), "w", encoding="utf-8") as handle:
        json.dump(outcome, handle)
