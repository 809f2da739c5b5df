"""What a verdict was made with: the versions of everything that could change it."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import deskbench
from deskbench import apps, checks


@cache
def checks_digest() -> str:
    """A digest of the code that judges."""
    folder = Path(checks.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


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


def versions(names: Sequence[str]) -> dict[str, object]:
    """Deskbench, its checks, the applications and the machine."""
    return {
        "deskbench": deskbench.__version__,
        "checks": checks_digest(),
        "apps": app_versions(names),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores",
    }
