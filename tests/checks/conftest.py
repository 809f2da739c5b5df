"""Evidence folders made by hand, for checks that need no desktop."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks.evidence import Evidence, home_path
from deskbench.core import evidence as layout
from deskbench.core.evidence import Change

Files = Mapping[str, bytes | str | Path]


def _write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        at = folder / home_path(name)
        at.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, at)
        else:
            at.write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.fixture
def evidence_of(tmp_path: Path) -> Callable[..., Evidence]:
    """`evidence_of({"~/a.txt": b"new"}, before={"~/a.txt": b"old"}, clipboard="x", facts={...}, windows=[...])`."""
    count = 0

    def make(files: Files, before: Files | None = None, unchanged: Files | None = None, **extras: Any) -> Evidence:
        nonlocal count
        count += 1
        folder = tmp_path / f"evidence-{count}"
        (folder / layout.HOME).mkdir(parents=True)
        (folder / layout.BEFORE).mkdir()
        before = before or {}
        _write(folder / layout.HOME, {**files, **(unchanged or {})})
        _write(folder / layout.BEFORE, before)
        old, new = {home_path(name) for name in before}, {home_path(name) for name in files}
        changes = [Change(path, "changed" if path in old else "added", "file") for path in sorted(new)]
        changes += [Change(path, "removed", "file") for path in sorted(old - new)]
        (folder / layout.CHANGES).write_text(json.dumps([asdict(change) for change in changes]))
        if "clipboard" in extras:
            (folder / layout.CLIPBOARD).write_text(extras.pop("clipboard"), encoding="utf-8")
        for name, value in extras.items():
            (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
        return Evidence(folder)

    return make
