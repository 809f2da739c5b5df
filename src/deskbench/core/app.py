"""An application, as one file in `apps/` describes it: everything a desktop must know to install, start and trust it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ready:
    """When an application counts as ready: a window whose title contains `title` (any of them) and a quiet screen.

    `element` adds an accessible element, as (role, name), for programs whose first picture is a blank one.
    """

    title: str | tuple[str, ...]
    seconds: float = 60.0
    quiet_seconds: float = 0.25
    element: tuple[str, str] | None = None

    @property
    def titles(self) -> tuple[str, ...]:
        return (self.title,) if isinstance(self.title, str) else self.title


@dataclass(frozen=True)
class App:
    """One application.

    `argv` starts it without a file; `argv_with_file` with one, `{file}` standing for its path.
    `profile` holds the quiet settings: files below the home with their contents, written before the first run.
    `leave` is the key chord that ends it cleanly; a template keeps what the first run left behind, less `forget`.
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
    first_run: tuple[str, ...] | None = None
    leave: tuple[str, ...] = ("ctrl", "q")
    forget: tuple[str, ...] = ()
    gl: bool = False
    accessible: bool = True
    how_to_add: str = ""
    """Set where Debian has no package: what a person does to add it."""

    def command(self, file: str | None = None) -> tuple[str, ...]:
        """The argv that starts the application, with a file where one is given."""
        if file is None:
            return self.argv
        template = self.argv_with_file or (*self.argv, "{file}")
        return tuple(part.replace("{file}", file) for part in template)
