"""The tabs that Chromium had open, from the newest session file of a profile (`Sessions/Session_*`, a log of commands)."""

from __future__ import annotations

import os
import stat
import struct
from dataclasses import dataclass, field
from typing import Any

from deskbench.checks.evidence import Evidence
from deskbench.core import evidence as layout
from deskbench.core.faults import BadArtifact

_SET_TAB_WINDOW, _SET_TAB_INDEX, _NAVIGATION, _SELECTED_NAVIGATION, _TAB_CLOSED, _WINDOW_CLOSED = 0, 2, 6, 7, 16, 17
_COMMANDS = 500_000


@dataclass
class _Tab:
    window: int = 0
    place: int = 0
    selected: int = 0
    pages: dict[int, tuple[str, str]] = field(default_factory=dict)


def open_tabs(evidence: Evidence, profile: str) -> list[dict[str, Any]]:
    """The open tabs as {url, title}, in their order; BadArtifact if the profile has no readable session."""
    folder = evidence.folder / layout.HOME / profile / "Sessions"
    names = sorted(name for name in (os.listdir(folder) if stat.S_ISDIR(_mode(folder)) else []) if name.startswith("Session_"))
    if not names:
        raise BadArtifact(f"the browser's profile ~/{profile} has no session in it")
    data = evidence.read(f"{profile}/Sessions/{names[-1]}", 32 << 20)
    if data[:4] != b"SNSS":
        raise BadArtifact(f"~/{profile}/Sessions/{names[-1]} is not a session of Chromium")
    tabs = _replay(data)
    shown = [(tab.window, tab.place, tab.pages.get(tab.selected) or tab.pages[max(tab.pages)]) for tab in tabs.values() if tab.pages]
    return [{"url": url, "title": title} for _, _, (url, title) in sorted(shown)]


def _mode(path: Any) -> int:
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _replay(data: bytes) -> dict[int, _Tab]:
    """The tabs left when all commands are done; a log that breaks off counts as far as it goes."""
    tabs: dict[int, _Tab] = {}
    at = 8
    for _ in range(_COMMANDS):
        if at + 3 > len(data):
            break
        (size,) = struct.unpack_from("<H", data, at)
        command, payload = data[at + 2], data[at + 3 : at + 2 + size]
        if size == 0 or len(payload) != size - 1:
            break
        at += 2 + size
        if len(payload) >= 8:
            _do(command, payload, tabs)
    return tabs


def _do(command: int, payload: bytes, tabs: dict[int, _Tab]) -> None:
    first, second = struct.unpack_from("<ii", payload)
    if command == _SET_TAB_WINDOW:
        tabs.setdefault(second, _Tab()).window = first
    elif command == _SET_TAB_INDEX:
        tabs.setdefault(first, _Tab()).place = second
    elif command == _SELECTED_NAVIGATION:
        tabs.setdefault(first, _Tab()).selected = second
    elif command == _NAVIGATION:
        found = _navigation(payload)
        if found is not None:
            tab, index, url, title = found
            tabs.setdefault(tab, _Tab()).pages[index] = url, title
    elif command == _TAB_CLOSED:
        tabs.pop(first, None)
    elif command == _WINDOW_CLOSED:
        for key in [key for key, tab in tabs.items() if tab.window == first]:
            del tabs[key]


def _navigation(payload: bytes) -> tuple[int, int, str, str] | None:
    """A pickle of tab, index, address (bytes) and title (UTF-16), each padded to four bytes."""
    if len(payload) < 16:
        return None
    tab, index, length = struct.unpack_from("<iii", payload, 4)
    end = 16 + length
    if not 0 <= length <= len(payload) - 16:
        return None
    url = payload[16:end].decode("utf-8", "replace")
    end = (end + 3) & ~3
    letters = struct.unpack_from("<i", payload, end)[0] if end + 4 <= len(payload) else 0
    title = payload[end + 4 : end + 4 + 2 * max(0, letters)].decode("utf-16-le", "replace")
    return tab, index, url, title
