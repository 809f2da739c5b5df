"""Code: right, wrong and nearly right, run by the very script that runs in the sandbox; and once in a real sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments, probes_for
from deskbench.checks.evidence import Evidence
from deskbench.core import evidence as layout
from deskbench.core.verdict import Finding
from deskbench.episode.probes import run_probes
from deskbench.pack.job import open_for_probe

GAUGE = """import csv
import json


def to_bar(pascal):
    return pascal / 100_000


if __name__ == "__main__":
    import sys

    print(f"{to_bar(float(sys.argv[1])):.1f} bar")
"""
TESTS = """
import unittest
from gauge import to_bar

class Gauge(unittest.TestCase):
    def test_one(self):
        self.assertEqual(to_bar(100_000), 1)
    def test_none(self):
        self.assertEqual(to_bar(0), 0)
"""
FOLDER = "~/Projects/gauge"


def probed(evidence: Evidence, name: str, given: dict[str, Any], home: Path) -> None:
    """What `run_probes` does, with this machine in the place of a sandbox: the code is our own."""
    for probe, path in probes_for(name, arguments(name, given)):
        out = evidence.folder / layout.PROBES / probe.name / path / "out"
        out.mkdir(parents=True)
        (home / "probe").mkdir(parents=True, exist_ok=True)
        for file, text in probe.files.items():
            (home / "probe" / file).write_text(text)
        asked = [sys.executable, "-I", str(home / "probe/run.py"), str(evidence.folder / layout.HOME / path), str(out)]
        subprocess.run(asked, env={**os.environ, "HOME": str(home)}, check=True, timeout=60)
        (out.parent / "probe.json").write_text(json.dumps({"status": 0, "timed_out": False}))


@pytest.fixture
def judged(evidence_of: Callable[..., Evidence], tmp_path: Path) -> Callable[..., Finding]:
    def judge(name: str, source: str | None, **given: Any) -> Finding:
        files = {f"{FOLDER}/gauge.py": source} if source is not None else {}
        evidence = evidence_of(files)
        probed(evidence, name, given, tmp_path / "home") if source is not None else None
        return apply(name, arguments(name, given), evidence)

    return judge


@pytest.mark.parametrize(
    ("source", "passes"),
    [
        (GAUGE, True),
        (GAUGE.replace("100_000", "10_000"), False),
        (GAUGE.replace("def to_bar", "def toBar"), False),
        ("def to_bar(pascal:\n", False),
        ("raise SystemExit(0)", False),
        ("import os; os._exit(0)", False),
        (None, False),
    ],
)
def test_the_author_s_tests(judged: Callable[..., Finding], source: str | None, passes: bool) -> None:
    found = judged("code.tests", source, folder=FOLDER, tests=TESTS, passed=2)
    assert found.passed == passes, found.sentence


def test_a_missing_test_shows(judged: Callable[..., Finding]) -> None:
    assert not judged("code.tests", GAUGE, folder=FOLDER, tests=TESTS, passed=3).passed


@pytest.mark.parametrize(
    ("given", "passes"),
    [
        ({"command": ["python3", "gauge.py", "250000"], "output": "2.5 bar\n"}, True),
        ({"command": ["python3", "gauge.py", "250000"], "output": {"contains": "2.5"}}, True),
        ({"command": ["python3", "gauge.py", "250000"], "output": "2.5"}, False),
        ({"command": ["python3", "gauge.py"], "status": 1, "errors": {"contains": "IndexError"}}, True),
        ({"command": ["python3", "gauge.py"]}, False),
        ({"command": ["no-such-program"]}, False),
    ],
)
def test_what_a_command_prints(judged: Callable[..., Finding], given: dict[str, Any], passes: bool) -> None:
    assert judged("code.runs", GAUGE, folder=FOLDER, **given).passed == passes


@pytest.mark.parametrize(
    ("name", "given", "passes"),
    [
        ("code.names", {"defines": ["to_bar", "pascal"], "uses": ["argv"], "absent": ["toBar"]}, True),
        ("code.names", {"defines": ["toBar"]}, False),
        ("code.names", {"absent": ["to_bar"]}, False),
        ("code.imports", {"modules": ["csv"], "unused": 2}, True),
        ("code.imports", {"unused": 0}, False),
        ("code.imports", {"absent": ["csv"]}, False),
        ("code.lint", {"findings": 2}, True),
        ("code.lint", {}, False),
    ],
)
def test_what_is_in_it(judged: Callable[..., Finding], name: str, given: dict[str, Any], passes: bool) -> None:
    assert judged(name, GAUGE, file=f"{FOLDER}/gauge.py", **given).passed == passes


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\n", ""),
        ("print(y)\n", "undefined name 'y'"),
        ("def f():\n    z = 1\n", "'z' is assigned to but never used"),
        ("import os\n", "'os' imported but"),
    ],
)
def test_lint_says_what_is_wrong_and_where(judged: Callable[..., Finding], source: str, said: str) -> None:
    finding = judged("code.lint", source, file=f"{FOLDER}/gauge.py")
    assert finding.passed is not bool(said) and said in finding.sentence


def test_a_word_in_a_comment_does_not_count(judged: Callable[..., Finding]) -> None:
    assert judged("code.names", '# toBar was here\nx = "toBar"\n', file=f"{FOLDER}/gauge.py", absent=["toBar"]).passed


@pytest.mark.parametrize("source", ["(" * 5000, "x = " + "-" * 100_000 + "1", "\x00", "def f(:\n"])
def test_hostile_source_is_a_failed_finding(judged: Callable[..., Finding], source: str) -> None:
    assert not judged("code.names", source, file=f"{FOLDER}/gauge.py", defines=["f"]).passed
    assert not judged("code.lint", source, file=f"{FOLDER}/gauge.py").passed


@pytest.mark.live
def test_code_runs_in_a_sandbox_of_its_own(evidence_of: Callable[..., Evidence]) -> None:
    given = {"folder": FOLDER, "command": ["sh", "-c", "python3 gauge.py 250000; ls /work /root 2>&1; id -u"], "output": {"contains": "2.5 bar"}}
    evidence = evidence_of({f"{FOLDER}/gauge.py": GAUGE})
    checked = arguments("code.runs", given)
    run_probes(probes_for("code.runs", checked), evidence.folder, lambda: open_for_probe(""))
    found = apply("code.runs", checked, evidence)
    assert "2.5 bar" in found.seen["output"]
    assert "pyproject.toml" not in found.seen["output"], "the host's own folders are not there"
    checked = arguments("code.tests", {"folder": FOLDER, "tests": TESTS, "passed": 2})
    run_probes(probes_for("code.tests", checked), evidence.folder, lambda: open_for_probe(""))
    assert apply("code.tests", checked, evidence).passed
