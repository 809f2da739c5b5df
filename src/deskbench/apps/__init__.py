"""The applications: one file each, with everything a desktop must know to install, start and trust it.

A file defines `APP`. Its name here is the name a task, the command line and an agent use; wherever a name is accepted,
`module:attr` names an application that lives elsewhere.
"""

from __future__ import annotations

from importlib import import_module

from deskbench.core.app import App
from deskbench.core.faults import Misuse

_HERE = "deskbench.apps"

_TABLE = {
    "audacity": f"{_HERE}.audacity:APP",
    "blender": f"{_HERE}.blender:APP",
    "calc": f"{_HERE}.calc:APP",
    "chromium": f"{_HERE}.chromium:APP",
    "files": f"{_HERE}.files:APP",
    "geany": f"{_HERE}.geany:APP",
    "gimp": f"{_HERE}.gimp:APP",
    "impress": f"{_HERE}.impress:APP",
    "inkscape": f"{_HERE}.inkscape:APP",
    "kdenlive": f"{_HERE}.kdenlive:APP",
    "terminal": f"{_HERE}.terminal:APP",
    "thunderbird": f"{_HERE}.thunderbird:APP",
    "vscode": f"{_HERE}.vscode:APP",
    "writer": f"{_HERE}.writer:APP",
}


def names() -> tuple[str, ...]:
    """The names of the built-in applications, in order."""
    return tuple(_TABLE)


def get(name: str) -> App:
    """The application of this name, or of this `module:attr`; Misuse if there is none."""
    module, _, attribute = _TABLE.get(name, name).partition(":")
    if not attribute:
        raise Misuse(f"no application is called {name!r}; there are {', '.join(_TABLE)}, and module:attr names one of your own")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Misuse(f"the application {name!r} cannot be loaded: {error}; write it as module:attr of an App that Python can import") from error
    if not isinstance(found, App):
        raise Misuse(f"{name!r} is a {type(found).__name__}; it must be an App of deskbench.core.app")
    return found
