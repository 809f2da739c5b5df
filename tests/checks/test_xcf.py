"""GIMP images made by GIMP; the reader is held against what GIMP says of them and exports from them."""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.checks.xcf_reading import MODES, Image
from deskbench.core.verdict import Finding

MADE = Path(__file__).parent / "artifacts" / "xcf"
FILE = "~/badge.xcf"
TITLE = 'Hello "World" ...'


@pytest.fixture
def judged(evidence_of: Callable[..., Evidence]) -> Callable[..., Finding]:
    def judge(check: str, left: str | bytes, /, **given: Any) -> Finding:
        files = {FILE: MADE / left if isinstance(left, str) else left}
        evidence = evidence_of(
            files, before={FILE: MADE / "badge.xcf"}, unchanged={"~/red.png": MADE / "red_box.png", "~/flat.png": MADE / "flat.png"}
        )
        return apply(check, arguments(check, {"file": FILE, **given}), evidence)

    return judge


def test_layers_are_what_gimp_says_they_are() -> None:
    image = Image((MADE / "badge.xcf").read_bytes(), "x")
    tops = {layer.name: layer for layer in image.layers if not layer.parents}
    said = (MADE / "badge.said.txt").read_text().splitlines()
    assert len(said) == len(tops) == 4
    for line in said:
        name, numbers = re.fullmatch(r'\("(.*)" ([-\d. ]+)\)', line).groups()  # type: ignore[union-attr]
        opacity, mode, visible, x, y, width, height = (float(number) for number in numbers.split())
        layer = tops[name.replace('\\"', '"')]
        assert layer.opacity == pytest.approx(opacity, abs=0.001)
        assert layer.mode == MODES[int(mode)]
        assert (layer.visible, layer.offset, layer.width, layer.height) == (bool(visible), (x, y), width, height)


@pytest.mark.parametrize("file", ["badge.xcf", "deep.xcf", "sixteen.xcf"])
def test_pixels_are_those_gimp_exports(file: str) -> None:
    image = Image((MADE / file).read_bytes(), "x")
    layers = {layer.name: layer for layer in image.layers}
    for name, picture in (("Red box", "red_box.png"), ("Blue half", "blue_half.png")):
        exported = np.asarray(Pillow.open(MADE / picture).convert("RGBA")).astype(int)
        seen = layers[name].rgba.astype(int)
        # GIMP writes whatever colour fully transparent pixels have; only the visible ones must agree.
        # The mask is black, so all of `Blue half` is hidden.
        shown = np.broadcast_to(seen[..., 3:] > 0, seen.shape) if name == "Red box" else np.zeros(seen.shape, bool)
        assert np.abs(seen - exported)[shown].max(initial=0) <= 1
    assert (layers["Blue half"].rgba[:, :45] == (0, 0, 200, 255)).all()
    assert (layers["Blue half"].rgba[:, 46:, 3] == 0).all()


def test_indexed_pixels_go_through_the_palette() -> None:
    seen = Image((MADE / "indexed.xcf").read_bytes(), "x").layers[0].rgba
    assert (seen == np.asarray(Pillow.open(MADE / "indexed.png").convert("RGBA"))).all()


def test_layer_properties(judged: Callable[..., Finding]) -> None:
    given: dict[str, Any] = {
        "name": "Red box",
        "opacity": 40,
        "mode": "multiply",
        "x": 20,
        "y": 30,
        "width": 70,
        "height": 50,
        "visible": True,
        "alpha": True,
    }
    assert judged("xcf.layer", "badge.xcf", **given).passed
    assert judged("xcf.layer", "deep.xcf", **given).passed
    nearly = judged("xcf.layer", "nearly.xcf", **given)
    assert not nearly.passed
    assert "opacity is 45 %, not 40 %" in nearly.sentence and "mode is screen, not multiply" in nearly.sentence and "x is 24 px" in nearly.sentence
    assert judged("xcf.layer", "badge.xcf", name="Blue half", visible=False, mask=True, group="Artwork").passed
    assert not judged("xcf.layer", "badge.xcf", name="Red box", group="Artwork").passed
    assert judged("xcf.layer", "badge.xcf", name="Artwork", is_group=True).passed
    assert not judged("xcf.layer", "badge.xcf", name="Green box").passed


def test_order_canvas_and_guides(judged: Callable[..., Finding]) -> None:
    names = [TITLE, "Artwork", "Blue half", "Red box", "Background"]
    assert judged("xcf.layers", "badge.xcf", names=names).passed
    assert not judged("xcf.layers", "badge.xcf", names=names[::-1]).passed
    assert judged("xcf.layers", "badge.xcf", names=["Artwork", "Background"], only=False).passed
    assert not judged("xcf.layers", "indexed.xcf").passed
    assert judged("xcf.canvas", "badge.xcf", width=200, height=120, base="rgb", resolution=300).passed
    assert not judged("xcf.canvas", "indexed.xcf", base="rgb").passed
    assert judged("xcf.guides", "badge.xcf", horizontal=[60], vertical=[25]).passed
    assert not judged("xcf.guides", "badge.xcf", horizontal=[25], vertical=[60]).passed


def test_texts(judged: Callable[..., Finding]) -> None:
    assert judged("xcf.text", "badge.xcf", text='Hello "World"\nzwei', font={"contains": "Bold"}, size=24, colour="#0000ff").passed
    assert not judged("xcf.text", "badge.xcf", text={"contains": "Hello"}, size=25).passed
    assert not judged("xcf.text", "badge.xcf", layer="Red box").passed
    assert not judged("xcf.text", "indexed.xcf", text={"contains": "Hello"}).passed


def test_pixels_and_masks(judged: Callable[..., Finding]) -> None:
    assert judged("xcf.colour", "badge.xcf", layer="Red box", colour="#ff0000").passed
    assert not judged("xcf.colour", "badge.xcf", layer="Red box", colour="#00ff00").passed
    assert judged("xcf.transparency", "badge.xcf", layer="Blue half", share={"is": 0.5, "within": 0.01}).passed
    assert not judged("xcf.transparency", "badge.xcf", layer="Red box", share={"at_least": 0.1}).passed
    assert judged("xcf.mask", "badge.xcf", layer="Blue half", hidden=1).passed
    assert not judged("xcf.mask", "badge.xcf", layer="Red box").passed
    assert judged("xcf.similar", "badge.xcf", layer="Red box", to="~/red.png").passed
    assert not judged("xcf.similar", "badge.xcf", layer="Background", to="~/flat.png", similarity={"at_least": 0.97}).passed


def test_unchanged(judged: Callable[..., Finding]) -> None:
    assert judged("xcf.unchanged", "badge.xcf").passed
    assert judged("xcf.unchanged", "deep.xcf").passed
    assert judged("xcf.unchanged", "nearly.xcf", **{"except": ["Red box"]}).passed
    assert not judged("xcf.unchanged", "nearly.xcf").passed
    assert not judged("xcf.unchanged", "indexed.xcf").passed


REAL = (MADE / "badge.xcf").read_bytes()
HOSTILE = {
    "empty": b"",
    "png": (MADE / "red_box.png").read_bytes(),
    "header": REAL[:40],
    "half": REAL[: len(REAL) // 2],
    "giant": REAL.replace(struct.pack(">II", 70, 50), struct.pack(">II", 2**31 - 1, 2**31 - 1)),
    "loop": b"gimp xcf v011\0" + struct.pack(">IIII", 9, 9, 0, 150) + struct.pack(">II", 0, 0) + struct.pack(">Q", 30) * 100_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_images_fail_quickly(judged: Callable[..., Finding], kind: str) -> None:
    started = time.process_time()
    assert not judged("xcf.colour", HOSTILE[kind], layer="Red box", colour="#ff0000").passed
    assert not judged("xcf.layer", HOSTILE[kind], name="Red box", width=70).passed
    assert time.process_time() - started < 3


def test_damaged_bytes_never_break_the_check(judged: Callable[..., Finding]) -> None:
    random = np.random.default_rng(3)
    for _ in range(60):
        data = bytearray(REAL)
        for at in random.integers(0, len(data), 12):
            data[at] = random.integers(0, 256)
        judged("xcf.colour", bytes(data), layer="Red box", colour="#ff0000")
        judged("xcf.unchanged", bytes(data))


def test_letters_changed_on_the_canvas_count_as_they_are_drawn() -> None:
    from deskbench.checks.xcf import _drawn

    base = {"font-size": "62.0", "color": "(color-rgb 1 1 1)"}
    assert (_drawn(base, 72).size, _drawn(base, 72).colour) == (62.0, (255, 255, 255))
    whole = {**base, "markup": '<markup><span size="65536" foreground="#ff0000">Hello</span></markup>'}
    assert (_drawn(whole, 72).size, _drawn(whole, 72).colour) == (64.0, (255, 0, 0))
    assert _drawn(whole, 144).size == 128.0
    half = {**base, "markup": '<markup>Hel<span size="65536">lo</span></markup>'}
    assert _drawn(half, 72).size is None, "letters of two sizes have no one size"
