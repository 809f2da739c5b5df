"""Program code: what it does when it is run, and what is in it. It is run in a fresh sandbox, never on this machine, and its outcome kept.

    - code.tests: {folder: ~/Projects/gauge, tests: "import unittest...", passed: 4}
    - code.runs: {folder: ~/Projects/gauge, command: [python3, gauge.py, "3"], output: {contains: 3.0 bar}}
    - code.names: {file: ~/Projects/gauge/gauge.py, defines: [to_bar], absent: [toBar]}
    - code.imports: {file: ~/Projects/gauge/gauge.py, modules: [csv], unused: 0}
    - code.lint: {file: ~/Projects/gauge/gauge.py}

`tests` is a module of unittest, written by the task's author and never seen by the agent; it is run in the folder, whose modules it can import.
`names` looks at the syntax tree of Python, so that a word in a comment or a text does not count.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field
from pyflakes.checker import Checker

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Number, Txt
from deskbench.core import evidence as layout
from deskbench.core.faults import BadArtifact, CheckFault
from deskbench.core.probe import Probe
from deskbench.core.verdict import Finding, failed, passed

SOURCE_LIMIT = 1 << 20
SECONDS = 60.0
RUNNER = Path(__file__).with_name("code_running.py").read_text(encoding="utf-8")


def tests(evidence: Evidence, *, folder: HomePath, tests: str, passed: int | None = None) -> Finding:
    """The author's tests pass on the code in a folder: all of them, and as many as `passed` says."""
    outcome = _outcome(evidence, folder, _tests_probe(tests))
    compared = Comparison(f"the code in ~/{folder}")
    compared.value("number of tests run", passed, outcome["ran"])
    if outcome["wrong"]:
        first = outcome["wrong"][0]
        return failed(f"the code in ~/{folder} fails {len(outcome['wrong'])} of {outcome['ran']} tests: {first}", seen=outcome)
    if not outcome["ran"]:
        return failed(f"no test could be run on the code in ~/{folder}: {outcome['said'][-300:]}", seen=outcome)
    return compared.finding()


def runs(
    evidence: Evidence,
    *,
    folder: HomePath,
    command: Annotated[tuple[str, ...], Field(min_length=1)],
    input: str = "",
    output: Txt | None = None,
    errors: Txt | None = None,
    status: int = 0,
) -> Finding:
    """What a command that is run in a folder prints, and the status with which it ends."""
    outcome = _outcome(evidence, folder, _command_probe(command, input))
    compared = Comparison(f"{' '.join(command)} in ~/{folder}")
    compared.value("status", status, outcome["status"])
    compared.text("output", output, outcome["output"])
    compared.text("error output", errors, outcome["errors"])
    return compared.finding()


def names(evidence: Evidence, *, file: HomePath, defines: tuple[str, ...] = (), uses: tuple[str, ...] = (), absent: tuple[str, ...] = ()) -> Finding:
    """Names in Python code: functions, classes and variables that it defines, names that it uses, and names that it must not hold any more."""
    tree = _tree(evidence, file)
    defined, used = set(_defined(tree)), set(_used(tree))
    compared = Comparison(f"~/{file}")
    for name in defines:
        compared.holds(f"definition of {name}", True, name in defined, name in defined)
    for name in uses:
        compared.holds(f"use of {name}", True, name in used, name in used)
    for name in absent:
        compared.holds(f"mention of {name}", False, name in defined | used, name not in defined | used)
    return compared.finding()


def imports(evidence: Evidence, *, file: HomePath, modules: tuple[str, ...] = (), absent: tuple[str, ...] = (), unused: Num | None = None) -> Finding:
    """What Python code imports, and how many of its imports it does not use."""
    tree = _tree(evidence, file)
    imported = dict(_imported(tree))
    used = set(_used(tree))
    compared = Comparison(f"~/{file}")
    for module in modules:
        compared.holds(f"import of {module}", True, module in imported.values(), module in imported.values())
    for module in absent:
        compared.holds(f"import of {module}", False, module in imported.values(), module not in imported.values())
    compared.number("number of unused imports", unused, sum(name not in used for name in imported))
    return compared.finding()


def lint(evidence: Evidence, *, file: HomePath, findings: Num | None = None) -> Finding:
    """What Pyflakes objects to in Python code (undefined and unused names, imports hidden by others, ...): nothing, or as many as said."""
    try:
        said = sorted(Checker(_tree(evidence, file), filename=file).messages, key=lambda one: (one.lineno, one.col))
    except RecursionError as error:
        raise BadArtifact(f"~/{file} is nested too deeply to be read") from error
    told = [f"line {one.lineno}: {one.message % one.message_args}" for one in said]
    expected = findings or Number(is_=0)
    if expected.holds(len(told)):
        return passed(f"~/{file} has {len(told)} findings of Pyflakes", seen=told)
    return failed(
        f"~/{file} has {len(told)} findings of Pyflakes, not {expected}: {'; '.join(told[:3]) or 'none'}", expected=str(expected), seen=told
    )


# The syntax tree


def _tree(evidence: Evidence, file: str) -> ast.Module:
    try:
        return ast.parse(evidence.read(file, SOURCE_LIMIT))
    except (SyntaxError, ValueError) as error:
        raise BadArtifact(f"~/{file} is not Python that can be read: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise BadArtifact(f"~/{file} is nested too deeply to be read") from error


def _defined(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.arg():
                yield node.arg


def _used(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Load()):
                yield node.id
            case ast.Attribute(ctx=ast.Load()):
                yield node.attr
            case ast.keyword(arg=str(name)):
                yield name
            case ast.ImportFrom():
                yield from (alias.name for alias in node.names)


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The name that each import binds, and the module that it comes from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name.partition(".")[0], alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, node.module or ".") for alias in node.names)


# Running


def _tests_probe(source: str) -> Probe:
    return _probe("tests", {"author_tests.py": source, "asked.json": json.dumps({"tests": True})})


def _command_probe(command: tuple[str, ...], given: str) -> Probe:
    return _probe("runs", {"asked.json": json.dumps({"command": command, "input": given, "seconds": SECONDS})})


def _probe(kind: str, files: dict[str, str]) -> Probe:
    digest = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]
    argv = ("/usr/bin/python3", "-I", "~/probe/run.py", "{file}", "{out}")
    return Probe(f"code-{kind}-{digest}", "", argv, files={**files, "run.py": RUNNER}, seconds=2 * SECONDS)


def _outcome(evidence: Evidence, folder: str, probe: Probe) -> dict[str, Any]:
    at = evidence.folder / layout.HOME / folder
    if not at.is_dir() or at.is_symlink():
        raise BadArtifact(f"there is no folder ~/{folder}")
    kept = evidence.folder / layout.PROBES / probe.name / folder
    if not (kept / "probe.json").is_file():
        raise CheckFault(f"the evidence has no run of the code in ~/{folder}; collect it again")
    try:
        outcome: dict[str, Any] = json.loads((kept / "out" / "outcome.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadArtifact(f"the code in ~/{folder} took too long or broke off") from error
    return outcome


def _needs(checked: BaseModel) -> list[tuple[Probe, str]]:
    given = checked.model_dump()
    probe = _tests_probe(given["tests"]) if "tests" in given else _command_probe(tuple(given["command"]), given["input"])
    return [(probe, given["folder"])]


PROBES = {"tests": _needs, "runs": _needs}
