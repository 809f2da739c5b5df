"""Questions to accessibles over D-Bus, and what is remembered of the answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from dbus_fast import Message
from numpy.typing import NDArray

from deskbench.core.observation import Box

A11Y = "org.a11y.atspi."
REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
SCREEN_COORDINATES = 0

Reference = tuple[str, str]
"""A name on the bus and a path."""

Place = tuple[Reference, int, int]
"""A table, a row and a column."""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to one accessible."""

    at: Reference
    interface: str
    member: str
    signature: str = ""
    body: tuple[Any, ...] = ()

    def message(self) -> Message:
        interface = self.interface if self.interface.startswith("org.") else A11Y + self.interface
        return Message(
            destination=self.at[0], path=self.at[1], interface=interface, member=self.member, signature=self.signature, body=list(self.body)
        )


def get(at: Reference, interface: str, name: str) -> Call:
    return Call(at, "org.freedesktop.DBus.Properties", "Get", "ss", (A11Y + interface, name))


def extents(at: Reference) -> Call:
    return Call(at, "Component", "GetExtents", "u", (SCREEN_COORDINATES,))


def text_of(at: Reference) -> Call:
    # To the end (-1) and cut by whoever reads it: LibreOffice answers a range beyond the end with nothing.
    return Call(at, "Text", "GetText", "ii", (0, -1))


@dataclass(slots=True)
class Cell:
    """A cell of a table: where it is on the bus, its name, and its text with the place on the screen where it was read."""

    at: Reference
    name: str = ""
    text: str | None = None
    box: Box | None = None


@dataclass
class Remembered:
    """What stays true between two readings of a tree, so that it is asked for once."""

    cells: dict[Place, Cell] = field(default_factory=dict)
    screens: dict[Reference, NDArray[np.uint32]] = field(default_factory=dict)
    """What the screen showed when a table was last read."""
    kinds: dict[Reference, tuple[str, list[str]]] = field(default_factory=dict)
    """Role and interfaces of accessibles that no cache told of."""
    heavy: set[str] = field(default_factory=set)
    """Applications whose cache holds the cells of a table: walking past them is faster than having them all told."""
