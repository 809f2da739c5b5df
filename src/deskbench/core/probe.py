"""A probe: an application run headless, in a fresh sandbox, to read what only it can read.

It runs after the agent is gone. What it writes becomes evidence, so that judging again never needs the application.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Probe:
    """How one kind of artifact is read.

    The artifact, a file or a folder, is put into an empty home as `~/in/<its name>`, `files` are put below `~/probe/`, and `argv` runs from the home
    with `{file}` and `{out}` standing for the artifact and for the folder whose contents become evidence.
    A probe that exits with another status than 0, takes longer than `seconds` or writes nothing could not read the artifact.
    """

    name: str
    app: str
    """Whose template home it needs; empty for none."""
    argv: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 60.0
    display: bool = False
