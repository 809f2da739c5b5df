"""What a verdict was made with: the versions of everything that could change it."""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import platform
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import deskbench
from deskbench import apps, checks
from deskbench.checks.entries import plain
from deskbench.core.task import CheckEntry, digest_of

_JUDGING_ALWAYS = ("entries", "evidence", "expect")


def checks_digest(entries: Sequence[CheckEntry]) -> str:
    """A digest of the code that judges these checks: their families and what those import, without comments and docstrings.

    A change to the sound checks leaves what was proven of a drawing as it was.
    """
    families = {checks.resolve(entry.name).__module__ for entry in plain(entries)}
    modules = set(_JUDGING_ALWAYS)
    for name in families:
        own = name.removeprefix("deskbench.checks.")
        modules |= _reached_from(own) if own != name else {name}
    return digest_of({name: _code_of(name) for name in sorted(modules)})[:16]


@cache
def _reached_from(module: str) -> frozenset[str]:
    """The modules of the checks that one of them imports, itself included."""
    found, left = set(), [module]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += _imported_by(name)
    return frozenset(found)


def _imported_by(module: str) -> list[str]:
    """What a module imports, and the scripts beside it that it has a probe run, which it names as files."""
    tree = ast.parse(_source_of(module))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    named = [node.module.split(".")[2] for node in imports if node.module and node.module.startswith("deskbench.checks.")]
    named += [alias.name for node in imports if node.module == "deskbench.checks" for alias in node.names]
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named += [text.removesuffix(".py") for text in texts if re.fullmatch(r"\w+\.py", text)]
    return [name for name in named if (Path(checks.__file__).parent / f"{name}.py").exists()]


@cache
def _code_of(module: str) -> str:
    """The source without blank lines, lines of comment and docstrings; as text, for Python's own dumps differ between its versions."""
    source = _source_of(module)
    texts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    without = {number for node in texts for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines = [line.rstrip() for number, line in enumerate(source.splitlines(), 1) if number not in without]
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))


def _source_of(module: str) -> str:
    own = Path(checks.__file__).parent / f"{module}.py"
    return own.read_text(encoding="utf-8") if own.exists() else inspect.getsource(import_module(module))


def app_versions(names: Sequence[str]) -> dict[str, str]:
    """The installed version of each application's first package."""
    packages = {name: apps.get(name).packages[0] for name in names if apps.get(name).packages}
    if not packages:
        return {}
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *set(packages.values())], capture_output=True, text=True, check=False
    ).stdout
    found = dict(line.split(" ", 1) for line in listed.splitlines() if " " in line)
    return {name: found.get(package, "not installed") for name, package in packages.items()}


@cache
def all_checks_digest() -> str:
    """A digest of all the files of the checks as they are: quick to make, for the record of every episode."""
    files = sorted(Path(checks.__file__).parent.glob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def versions(names: Sequence[str]) -> dict[str, object]:
    """Deskbench, the code of its checks, the applications and the machine."""
    return {
        "deskbench": deskbench.__version__,
        "checks": all_checks_digest(),
        "apps": app_versions(names),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores",
    }
