"""What an agent is shown. None means that it was not asked for; empty means that there is nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from deskbench.core.frame import Frame


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in screen pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y + self.height // 2

    @property
    def area(self) -> int:
        return max(0, self.width) * max(0, self.height)

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def within(self, other: Box) -> Box:
        """The part of this box that lies in another; of no area if there is none."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Box(left, top, max(0, right - left), max(0, bottom - top))


@dataclass(frozen=True, slots=True)
class Window:
    """A window that the window manager knows, in stacking order from the back. `box` is the client area without decoration."""

    id: int
    title: str
    app_class: str
    box: Box
    focused: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the screen as its application describes it to assistive technology."""

    role: str
    name: str
    box: Box
    depth: int
    value: str | None = None
    states: frozenset[str] = frozenset()
    app: str = ""


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements that show, in reading order of their tree; `cut` says why some are missing, or is empty."""

    items: tuple[Element, ...]
    cut: str = ""
    seconds: float = 0.0

    def find(self, role: str | None = None, name: str | None = None) -> list[Element]:
        """Elements of this role and exactly this name, either of which may be left open."""
        return [e for e in self.items if (role is None or e.role == role) and (name is None or e.name == name)]


@dataclass(frozen=True, slots=True)
class Mark:
    """A numbered box that an agent can name instead of a point."""

    id: int
    box: Box
    label: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """Something that was said to the agent once `step` steps were done: by the user, or by the exam hall about its last answer."""

    text: str
    step: int = 0
    by: Literal["user", "hall"] = "user"
    phase: str | None = None
    """The part of the job that this opened; None for an answer."""


@dataclass(frozen=True, slots=True)
class Settled:
    """How the screen came to rest after an action: whether it did, after how long, and why it was believed."""

    quiet: bool
    seconds: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class TimedFrame:
    """A frame taken `seconds` after an action began."""

    seconds: float
    frame: Frame


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the desktop."""

    frame: Frame
    windows: tuple[Window, ...] = ()
    clipboard: str | None = None
    cursor: tuple[int, int] = (0, 0)
    elements: Elements | None = None
    marks: tuple[Mark, ...] | None = None
    messages: tuple[Message, ...] = ()
    during: tuple[TimedFrame, ...] = ()
    settled: Settled | None = None
    outcomes: tuple[str, ...] = ()
    """For each action of the last decision: nothing if it was carried out, otherwise why it was not."""
    incidents: tuple[str, ...] = field(default=())
    """What the desktop's own limits had to stop since the last look, in sentences."""

    @property
    def focused(self) -> Window | None:
        """The window that has the keyboard."""
        return next((w for w in self.windows if w.focused), None)
