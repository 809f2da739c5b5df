"""Every implementation of the Desktop port keeps the contract."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from deskbench.core.ports import Desktop
from deskbench.desktops.contract import QUESTIONS
from deskbench.desktops.fake import FakeDesktop
from deskbench.desktops.local.desktop import LocalDesktop

MAKERS: dict[str, Callable[[], AbstractContextManager[Desktop]]] = {
    "fake": FakeDesktop,
    "local": lambda: LocalDesktop.open(layers=[], size=(1280, 720)),
}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
@pytest.mark.parametrize("name", ["fake", pytest.param("local", marks=pytest.mark.live)])
def test_contract(name: str, question: Callable[[Desktop], None]) -> None:
    with MAKERS[name]() as desktop:
        assert isinstance(desktop, Desktop)
        question(desktop)
