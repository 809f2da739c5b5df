"""An application, as one file in `apps/` describes it: everything a desktop must know to install, start and trust it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Ready:
    """When an application counts as ready: a window whose title contains `title` (any of them) and a quiet screen.

    `{name}` and `{stem}` in a title stand for the name of the file it opened, with and without its suffix.
    For programs whose first picture is a blank one, `element` adds an accessible element, as (role, name), `or_element` one
    that may show instead of it, and `colours` the number of different colours that the screen must have. `splash` is the exact
    title of a window that must be gone.
    """

    title: str | tuple[str, ...]
    seconds: float = 60.0
    quiet_seconds: float = 0.25
    element: tuple[str, str] | None = None
    or_element: tuple[str, str] | None = None
    colours: int = 0
    splash: str | None = None

    @property
    def titles(self) -> tuple[str, ...]:
        return (self.title,) if isinstance(self.title, str) else self.title

    @property
    def elements(self) -> tuple[tuple[str, str], ...]:
        """The accessible elements of which one must show; none where it does not matter."""
        return tuple(element for element in (self.element, self.or_element) if element is not None)

    def of(self, file: str) -> Ready:
        """The same condition with the names of a file filled in."""
        path = PurePosixPath(file)
        return replace(self, title=tuple(title.replace("{name}", path.name).replace("{stem}", path.stem) for title in self.titles))


@dataclass(frozen=True)
class Mailbox:
    """Where a mail program keeps what it has, below the home: a mailbox file, an address book, a calendar and that calendar's own id."""

    inbox: str
    contacts: str
    calendar: str
    calendar_id: str


@dataclass(frozen=True)
class Service:
    """A program that an application needs beside it, and the port on the desktop's loopback at which it answers."""

    argv: tuple[str, ...]
    port: int


@dataclass(frozen=True)
class App:
    """One application.

    `argv` starts it without a file; `argv_with_file` with one, `{file}` standing for its path.
    `profile` holds the quiet settings: files below the home with their contents, written before the first run.
    `first_run` are commands that run once in the template, before the application is started there with its window.
    `leave` is the key chord that ends it cleanly; empty where closing its window does.
    A template keeps what the first run left behind, less `forget`: shell patterns of paths below the home.
    `layer` names the template; programs that share one profile share one layer, and otherwise it is the application's own name.
    """

    name: str
    title: str
    packages: tuple[str, ...]
    argv: tuple[str, ...]
    ready: Ready
    argv_with_file: tuple[str, ...] | None = None
    ready_with_file: Ready | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    profile: Mapping[str, str] = field(default_factory=dict)
    first_run: tuple[tuple[str, ...], ...] = ()
    leave: tuple[str, ...] = ("ctrl", "q")
    forget: tuple[str, ...] = ()
    layer: str = ""
    gl: bool = False
    accessible: bool = True
    opens_addresses: bool = False
    """A browser: it takes web addresses as arguments, and another call opens another tab."""
    mailbox: Mailbox | None = None
    """Of a mail program."""
    beside: tuple[Service, ...] = ()
    """What is started with it, once a desktop."""
    how_to_add: str = ""
    """Set where Debian has no package: what a person does to add it."""

    def __post_init__(self) -> None:
        if not self.layer:
            object.__setattr__(self, "layer", self.name)

    def command(self, file: str | None = None) -> tuple[str, ...]:
        """The argv that starts the application, with a file where one is given."""
        if file is None:
            return self.argv
        template = self.argv_with_file or (*self.argv, "{file}")
        return tuple(part.replace("{file}", file) for part in template)

    def ready_for(self, file: str | None = None) -> Ready:
        """When it counts as ready, started with or without a file."""
        return self.ready if file is None else (self.ready_with_file or self.ready).of(file)

    @property
    def recipe(self) -> str:
        """A digest of what the template depends on; equal for programs that share a layer."""
        parts = [self.layer, dict(self.env), dict(self.profile), self.first_run, self.leave, self.forget]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
