"""`deskbench desktop`: a desktop with an application in it, and the page to drive it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from deskbench import apps
from deskbench.core.faults import Misuse
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.desktops.local.layers import all_built, built
from deskbench.web.live import serve


def open_page(app_name: str | None, file: str | None, size: tuple[int, int], port: int, say: Callable[[str], None]) -> None:
    """Open a desktop, start the application, and serve the page until Ctrl-C."""
    app = apps.get(app_name) if app_name is not None else None
    if app is not None and built(app.layer) is None:
        raise Misuse(f"{app.title} is not set up here; run: deskbench setup --apps {app.name}")
    if file is not None and (app is None or not Path(file).is_file()):
        raise Misuse(f"there is no file {file}" if app is not None else "--file needs --app, which opens it")
    layers = all_built()
    known = {name: apps.get(name) for name in apps.names() if apps.get(name).layer in layers}
    with LocalDesktop.open(apps=known, layers=layers, size=size) as desktop:
        if app is not None:
            inside = f"~/Documents/{Path(file).name}" if file is not None else None
            if file is not None and inside is not None:
                desktop.put({inside: Path(file)})
            say(f"starting {app.title} ...")
            desktop.launch(app, inside)
        serve(desktop, port=port, apps=sorted(known), on_ready=lambda address: say(f"open {address}   (Ctrl-C ends it)"))
