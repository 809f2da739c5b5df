"""What leaves the desktop before anything is judged, as it lies in a folder.

    evidence/
      changes.json      every path below the home that differs from the start, and how
      home/             the changed files as they were left
      before/           the same files as they were at the start
      windows.json      the windows at the end
      elements.json     what they showed to assistive technology, where it could be read
      clipboard.txt     the clipboard, where it held text
      processes.json    what was running
      last.png          the last frame
      facts.json        said by the episode: answer, stop reason, messages
      probes/           what the applications themselves read from their files, as JSON
      phases/ID/        the same again, as it was when the agent said that it was done with a phase

Paths in changes.json are relative to the home, with forward slashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CHANGES = "changes.json"
HOME = "home"
BEFORE = "before"
WINDOWS = "windows.json"
ELEMENTS = "elements.json"
CLIPBOARD = "clipboard.txt"
PROCESSES = "processes.json"
LAST_FRAME = "last.png"
FACTS = "facts.json"
PROBES = "probes"
PHASES = "phases"

HOME_IN_DESKTOP = "/home/user"

Kind = Literal["file", "folder", "link", "other"]


@dataclass(frozen=True, slots=True)
class Change:
    """One path that is not as it was at the start. `kept` is false where a size limit left the content out."""

    path: str
    change: Literal["added", "changed", "removed"]
    kind: Kind
    size: int = 0
    kept: bool = True
