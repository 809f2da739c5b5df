"""What an agent is shown: pure functions of an observation.

    screenshot   the frame, scaled, with the way back from picture to screen
    a11y         the accessibility elements as indented text (or XML)
    marks        set-of-marks: numbered boxes on the frame, and what the numbers stand for

A view turns an observation into `Shown`. `VIEWS` says where each is; `module:attr` names one of your own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Observation

VIEWS = {
    "screenshot": "deskbench.views.screenshot:show",
    "a11y": "deskbench.views.elements:show",
    "marks": "deskbench.views.marks:show",
}

READS_ELEMENTS = frozenset({"a11y", "marks"})
"""Views that need an observation with elements."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one view contributes to a turn: a picture, a text, or both."""

    frame: Frame | None = None
    text: str = ""


View = Callable[[Observation], Shown]


def view(name: str) -> View:
    """The view of this name, or the one at `module:attr`."""
    address = VIEWS.get(name, name)
    module, _, attribute = address.partition(":")
    if not attribute:
        raise Misuse(f"no view is called {name!r}; use {', '.join(VIEWS)}, or module:attr for one of your own")
    try:
        found: View = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Misuse(f"the view {name!r} cannot be loaded ({error}); check the module and the attribute") from error
    return found
