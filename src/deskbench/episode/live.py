"""Evidence from a desktop that is still at work: what milestones are looked at with. Reading it disturbs nothing."""

from __future__ import annotations

import os
import stat
from functools import cached_property
from pathlib import Path
from typing import Any

from deskbench.checks.evidence import FILE_LIMIT, Evidence, home_path
from deskbench.core.evidence import Change
from deskbench.core.faults import BadArtifact, CheckFault
from deskbench.core.observation import Element, Observation, Window
from deskbench.core.ports import Desktop


class LiveEvidence(Evidence):
    """The same questions as to a folder of evidence, answered by the desktop as it is now."""

    def __init__(self, desktop: Desktop, look: Observation) -> None:
        super().__init__(Path(os.devnull))
        self._desktop = desktop
        self._look = look

    @cached_property
    def changes(self) -> dict[str, Change]:
        raise CheckFault("a milestone cannot ask for everything that changed; look at one file")

    def exists(self, path: str) -> bool:
        return self._desktop.peek(home_path(path)) is not None

    def file(self, path: str, limit: int = FILE_LIMIT) -> Path:
        return self._readable(self._desktop.peek(home_path(path)), path, limit)

    def before(self, path: str, limit: int = FILE_LIMIT) -> Path:
        return self._readable(self._desktop.peek(home_path(path), at_start=True), path, limit)

    def _readable(self, at: Path | None, path: str, limit: int) -> Path:
        if at is None:
            raise BadArtifact(f"there is no file ~/{path}")
        try:
            status = os.lstat(at)
        except FileNotFoundError:
            raise BadArtifact(f"there is no file ~/{path}") from None
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            raise BadArtifact(f"~/{path} is not a file that can be read")
        return at

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        return self._look.windows

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        return self._look.elements.items if self._look.elements is not None else ()

    @cached_property
    def clipboard(self) -> str | None:
        return self._look.clipboard or None

    @cached_property
    def processes(self) -> list[dict[str, Any]]:
        listed = self._desktop.run(["ps", "-eo", "comm=,args="], seconds=5).out.decode(errors="replace")
        rows = (line.split(None, 1) for line in listed.splitlines())
        return [{"name": row[0], "argv": row[1]} for row in rows if len(row) == 2]

    @cached_property
    def facts(self) -> dict[str, Any]:
        return {}
