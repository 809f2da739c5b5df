"""Drawings made by Inkscape from one poster, right and nearly right; and hostile ones."""

from __future__ import annotations

import csv
import gzip
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.checks.svg_reading import Drawing
from deskbench.core.verdict import Finding

MADE = Path(__file__).parent / "artifacts" / "svg"
FILE = "~/poster.svg"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">{}</svg>'


@pytest.fixture
def judged(evidence_of: Callable[..., Evidence]) -> Callable[..., Finding]:
    def judge(check: str, name: str | bytes, /, **given: Any) -> Finding:
        left = MADE / name if isinstance(name, str) else name
        evidence = evidence_of({FILE: left}, before={FILE: MADE / "poster.svg"})
        return apply(check, arguments(check, {"file": FILE, **given}), evidence)

    return judge


@pytest.mark.parametrize(
    ("name", "passes"),
    [("title.svg", True), ("title_by_scale.svg", True), ("title_nearly.svg", False), ("poster.svg", False), ("resaved.svg", False)],
)
def test_the_size_of_a_text_is_the_one_that_is_seen(judged: Callable[..., Finding], name: str, passes: bool) -> None:
    finding = judged("svg.text", name, id="title", font_size={"is": 64, "within": 0.5})
    assert finding.passed is passes
    assert judged("svg.text", name, id="title", font_size={"is": 48, "within": 0.4}, unit="pt").passed is passes


def test_a_wrong_size_is_said_in_words(judged: Callable[..., Finding]) -> None:
    assert (
        "its font size is 60.16 px, not 64 within 0.5 px"
        in judged("svg.text", "title_nearly.svg", font_size={"is": 64, "within": 0.5}, id="title").sentence
    )


def test_text_and_style_come_through_the_cascade(judged: Callable[..., Finding]) -> None:
    assert judged("svg.text", "resaved.svg", text="Summer fair\nin July", family="DejaVu Sans", bold=True, anchor="middle").passed
    assert judged("svg.text", "resaved.svg", text="Summer fair in July").passed
    assert not judged("svg.text", "resaved.svg", text="Summer fair").passed
    assert not judged("svg.text", "resaved.svg", id="plain").passed
    assert judged("svg.text", "resaved.svg", id="note", fill="#336699", bold=False, font_size={"is": 18.9, "within": 0.1}).passed
    assert judged("svg.text", "resaved.svg", id="title", part="July", fill="#ff8800", italic=True).passed
    assert not judged("svg.text", "resaved.svg", id="title", fill="#ff8800").passed
    assert not judged("svg.text", "resaved.svg", id="title", part="August", fill="#ff8800").passed
    assert judged("svg.text", "resaved.svg", id="title", x={"is": 105, "within": 0.01}, y={"is": 40, "within": 0.01}, unit="mm").passed


def test_fills_and_opacity(judged: Callable[..., Finding]) -> None:
    assert judged("svg.shape", "red.svg", id="disc", kind="circle", fill="#cc0000").passed
    assert not judged("svg.shape", "resaved.svg", id="disc", fill="#cc0000").passed
    assert judged("svg.shape", "resaved.svg", id="disc", opacity={"is": 0.5, "within": 0.01}, fill="#00ff00").passed
    assert judged("svg.shape", "resaved.svg", id="right", opacity={"is": 0.25, "within": 0.01}).passed
    assert judged("svg.shape", "resaved.svg", id="cross", fill="none", stroke="#800080", dashed=True).passed
    assert not judged("svg.shape", "resaved.svg", id="plain", fill="none").passed
    assert judged("svg.shape", "resaved.svg", id="band", fill="gradient").passed


def test_a_hidden_object_does_not_pass_unless_asked_for(judged: Callable[..., Finding]) -> None:
    assert not judged("svg.shape", "hidden.svg", id="disc", kind="circle").passed
    assert judged("svg.shape", "hidden.svg", id="disc", visible=False).passed


def test_places_agree_with_what_inkscape_says() -> None:
    drawing = Drawing((MADE / "resaved.svg").read_bytes(), "x")
    said = {row[0]: [float(value) for value in row[1:]] for row in csv.reader((MADE / "boxes.csv").read_text().splitlines())}
    for id in ("band", "plain", "disc", "left", "right", "pair", "cross"):
        node = drawing.node(id)
        assert node is not None and node.box is not None
        half = node.stroke_width / 2 if id != "pair" else 0
        seen = [node.box.x - half, node.box.y - half, node.box.width + 2 * half, node.box.height + 2 * half]
        assert seen == pytest.approx(said[id], abs=0.02), id


def test_moved_and_turned(judged: Callable[..., Finding]) -> None:
    at = {"x": {"is": 115.59, "within": 0.1}, "y": {"is": 294.36, "within": 0.1}, "width": {"is": 113.39, "within": 0.1}}
    assert judged("svg.shape", "moved.svg", kind="rect", fill="#ff0000", **at).passed
    assert not judged("svg.shape", "resaved.svg", kind="rect", fill="#ff0000", **at).passed
    assert judged("svg.shape", "resaved.svg", id="plain", x=20, y=80, width=30, height=20, unit="mm").passed
    assert judged("svg.shape", "resaved.svg", id="plain", width=32, unit="mm", box="with_stroke").passed
    assert judged("svg.shape", "turned.svg", id="plain", rotation={"is": 30, "within": 0.1}).passed
    assert not judged("svg.shape", "resaved.svg", id="plain", rotation={"is": 30, "within": 0.1}).passed


def test_groups_layers_and_order(judged: Callable[..., Finding]) -> None:
    assert judged("svg.group", "grouped.svg", members=["plain", "disc"]).passed
    assert not judged("svg.group", "resaved.svg", members=["plain", "disc"]).passed
    assert not judged("svg.group", "resaved.svg", members=["left"]).passed
    assert judged("svg.group", "ungrouped.svg", members=["left", "right"], grouped=False).passed
    assert not judged("svg.group", "resaved.svg", members=["left", "right"], grouped=False).passed
    assert judged("svg.layers", "resaved.svg", names=["Base", "Words"]).passed
    assert not judged("svg.layers", "resaved.svg", names=["Words", "Base"]).passed
    assert judged("svg.layer", "resaved.svg", name="Words", holds=["title", "note"], count=2, visible=True, locked=False).passed
    assert not judged("svg.layer", "resaved.svg", name="Words", holds=["plain"]).passed
    assert judged("svg.order", "raised.svg", from_bottom=["plain", "band"]).passed
    assert not judged("svg.order", "resaved.svg", from_bottom=["plain", "band"]).passed


def test_paths(judged: Callable[..., Finding]) -> None:
    assert judged("svg.count", "path.svg", kind="path", count=2).passed
    assert judged("svg.count", "resaved.svg", kind="path", count=1).passed
    area = {"is": 30 * 20 + 2 * 20 * 20, "within": 2}
    assert judged("svg.shape", "union.svg", kind="path", contours=3, area=area, unit="mm").passed
    assert not judged("svg.shape", "resaved.svg", kind="path", contours=3).passed
    assert judged("svg.shape", "path.svg", id="disc", area={"is": 3.14159 * 225, "within": 2}, unit="mm").passed


def test_gradients(judged: Callable[..., Finding]) -> None:
    given = {"id": "band", "kind": "linear", "opacities": [1, {"is": 0.5, "within": 0.01}]}
    assert judged("svg.gradient", "resaved.svg", **given, colours=["#0000ff", "#ffffff"], angle={"is": 90, "within": 1}).passed
    assert not judged("svg.gradient", "resaved.svg", **given, colours=["#ffffff", "#0000ff"], angle={"is": 90, "within": 1}).passed
    assert judged("svg.gradient", "resaved.svg", id="band", colours=["#ffffff", "#0000ff"], angle={"is": -90, "within": 1}).passed
    assert not judged("svg.gradient", "resaved.svg", id="plain", kind="linear").passed


def test_alignment_and_gaps(judged: Callable[..., Finding]) -> None:
    assert judged("svg.aligned", "resaved.svg", ids=["left", "right"], line="top").passed
    assert not judged("svg.aligned", "resaved.svg", ids=["left", "plain"], line="left").passed
    assert judged("svg.spaced", "resaved.svg", ids=["left", "right"], along="x", gap={"is": 75.59, "within": 0.1}).passed
    assert not judged("svg.spaced", "resaved.svg", ids=["left", "right"], along="x", gap={"is": 70, "within": 0.1}).passed


def test_page_effects_and_links(judged: Callable[..., Finding]) -> None:
    assert judged("svg.page", "resaved.svg", width=210, height=297, unit="mm", background="#ffffee", pages=1).passed
    assert not judged("svg.page", "resaved.svg", width=200, unit="mm").passed
    assert judged("svg.effect", "resaved.svg", id="clipped", clipped=True, masked=False).passed
    assert not judged("svg.effect", "resaved.svg", id="plain", clipped=True).passed
    linked = SVG.format('<a xlink:href="https://example.org/"><rect id="r" width="9" height="9"/></a>').encode()
    assert judged("svg.link", linked, href={"contains": "example.org"}, holds="r").passed
    assert not judged("svg.link", linked, href={"contains": "example.com"}).passed
    picture = SVG.format('<image id="p" width="9" height="9" href="photo.png"/>').encode()
    assert judged("svg.image", picture, embedded=False, href="photo.png").passed
    assert not judged("svg.image", picture, embedded=True).passed


@pytest.mark.parametrize(
    ("name", "given", "passes"),
    [
        ("resaved.svg", {}, True),
        ("ungrouped.svg", {}, True),
        ("grouped.svg", {}, True),
        ("raised.svg", {"aspects": ["shape", "place", "style", "text"]}, True),
        ("path.svg", {}, True),
        ("title.svg", {"except": ["title"]}, True),
        ("title.svg", {}, False),
        ("red.svg", {"except": ["title"]}, False),
        ("red.svg", {"except": ["disc"]}, True),
        ("moved.svg", {}, False),
        ("turned.svg", {}, False),
        ("deleted.svg", {}, False),
        ("hidden.svg", {}, False),
        ("raised.svg", {}, False),
        ("doubled.svg", {}, False),
        ("doubled.svg", {"added": 1}, True),
        ("resaved.svg", {"added": 1}, False),
    ],
)
def test_unchanged(judged: Callable[..., Finding], name: str, given: dict[str, Any], passes: bool) -> None:
    finding = judged("svg.unchanged", name, **given)
    assert finding.passed is passes, finding.sentence


def test_a_text_made_into_a_path_is_not_the_text(judged: Callable[..., Finding]) -> None:
    poster = (MADE / "poster.svg").read_bytes()
    start, end = poster.index(b'<text id="note"'), poster.index(b"Entry is free</text>") + len(b"Entry is free</text>")
    drawn = poster[:start] + b'<path id="note" d="M20 250h9v-3z" style="fill:#336699"/>' + poster[end:]
    assert "text of note" in judged("svg.unchanged", drawn).sentence
    assert not judged("svg.text", drawn, text="Entry is free").passed


HOSTILE = {
    "empty": b"",
    "text": b"not a drawing",
    "html": b"<html/>",
    "laughs": b'<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>' + SVG.format("<text>&b;</text>").encode(),
    "external": b'<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + SVG.format('<text id="title">&a;</text>').encode(),
    "truncated": (MADE / "poster.svg").read_bytes()[:900],
    "infinite": SVG.format('<rect id="title" width="1e999" height="5"/>').encode(),
    "deep": SVG.format("<g>" * 5000 + "</g>" * 5000).encode(),
    "bomb": gzip.compress(b"<svg>" + b" " * (80 << 20)),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_drawings_fail_quickly(judged: Callable[..., Finding], kind: str) -> None:
    started = time.process_time()
    for check in ("svg.shape", "svg.text", "svg.unchanged", "svg.page"):
        given = {"id": "title", "width": 5} if check == "svg.shape" else {"id": "title"} if check == "svg.text" else {}
        finding = judged(check, HOSTILE[kind], **given)
        if not (kind in ("infinite", "deep") and check == "svg.page"):
            assert not finding.passed, (check, finding.sentence)
    assert time.process_time() - started < 5


SLOW = {
    "transform": f'<rect id="title" width="9" height="9" transform="{"a" * 5_000_000}"/>',
    "brackets": f'<rect id="title" width="9" height="9" transform="{"a(" * 2_000_000}"/>',
    "arc": f'<path id="title" d="M0 0A{" " * 500_000}{"1" * 500}"/>',
    "digits": f'<path id="title" d="M0 0a{"1 " * 500_000}"/>',
    "url": f'<rect id="title" width="9" height="9" fill="url(#{" " * 2_000_000}"/>',
    "style": f'<rect id="title" width="9" height="9" style="{"fill:red;" * 200_000}"/>',
    "groups": "<g>" * 200 + '<g><rect width="1" height="1"/></g>' * 5_000 + "</g>" * 200,
    "curves": '<path d="M0 0' + "h1v1" * 300_000 + '"/>',
    "styles": "".join(f'<rect style="fill:#{n:06x};stroke:url(#a)" width="1" height="1"/>' for n in range(19_000)),
}


@pytest.mark.parametrize("kind", SLOW)
def test_what_takes_long_to_read_is_bounded(judged: Callable[..., Finding], kind: str) -> None:
    started = time.process_time()
    assert not judged("svg.shape", SVG.format(SLOW[kind]).encode(), width=77).passed
    assert not judged("svg.unchanged", SVG.format(SLOW[kind]).encode()).passed
    assert time.process_time() - started < 12


def test_clones_of_clones_do_not_grow(judged: Callable[..., Finding]) -> None:
    groups = '<rect id="g0" width="9" height="9"/>' + "".join(f'<g id="g{n}">' + f'<use href="#g{n - 1}"/>' * 10 + "</g>" for n in range(1, 12))
    loop = '<use id="me" href="#me"/>'
    started = time.process_time()
    assert not judged("svg.shape", SVG.format(groups + loop).encode(), kind="clone", width=77).passed
    assert time.process_time() - started < 3


def test_a_colour_may_be_written_in_any_way(judged: Callable[..., Finding]) -> None:
    for said in ("red", "#f00", "rgb(255,0,0)", "rgb(100%, 0%, 0%)", "#FF0000FF", "currentColor"):
        drawn = SVG.format(f'<g color="red"><rect id="r" width="9" height="9" style="fill:{said}"/></g>').encode()
        assert judged("svg.shape", drawn, id="r", fill="#ff0000").passed, said
    classy = SVG.format('<style>rect.a{fill:blue} .a{fill:red}</style><rect id="r" class="a" width="9" height="9" fill="lime"/>').encode()
    assert judged("svg.shape", classy, id="r", fill="#0000ff").passed


def test_arcs_are_measured(judged: Callable[..., Finding]) -> None:
    half = SVG.format('<path id="p" d="M10 50a40 40 0 0180 0z"/>').encode()
    assert judged("svg.shape", half, id="p", x=10, y={"is": 10, "within": 0.02}, width=80, height={"is": 40, "within": 0.02}).passed
    assert judged("svg.shape", half, id="p", area={"is": 2513.3, "within": 10}).passed
