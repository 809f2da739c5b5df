"""Every application with a built template comes up ready, alone and maximised, in a fresh desktop."""

from __future__ import annotations

import pytest

from deskbench import apps
from deskbench.core.app import App
from deskbench.desktops.local import layers
from deskbench.desktops.local.desktop import LocalDesktop

pytestmark = pytest.mark.live

FRAME_HEIGHT = 30
"""More than the title bar that the window manager adds."""

BLANK_COLOURS = 500
"""A title bar, a pointer and an empty window have about 410 colours; a terminal with one prompt has 725."""


def built() -> list[App]:
    return [app for app in map(apps.get, apps.names()) if layers.built(app.layer) is not None]


@pytest.mark.parametrize("app", [pytest.param(app, id=app.name) for app in built()])
def test_it_comes_up_alone_and_maximised(app: App) -> None:
    with LocalDesktop.open(apps={app.name: app}, layers=[app.layer]) as desktop:
        desktop.launch(app)
        look = desktop.observe(elements=app.accessible)
        assert len(look.windows) == 1, f"something is in the way: {[window.title for window in look.windows]}"
        [main] = look.windows
        assert main.focused and not main.hidden
        assert main.box.width == desktop.size[0] and main.box.height >= desktop.size[1] - FRAME_HEIGHT
        assert len(look.frame.image.getcolors(1 << 24) or ()) > BLANK_COLOURS, "the window is still blank"
        if app.accessible:
            assert look.elements is not None and len(look.elements.items) > 5
