"""The checks of Blender files, on files saved by Blender 3.4 and what the probe read from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments, functions_of, probes_for
from deskbench.checks import blend as family
from deskbench.checks.blend_facts import PROBE
from deskbench.checks.evidence import Evidence
from deskbench.core import evidence as layout
from deskbench.core.faults import CheckFault
from deskbench.core.verdict import Finding

HERE = Path(__file__).parent / "artifacts" / "blend"


def probe(evidence: Evidence, path: str, status: int, scene: bytes | None) -> None:
    """Lays a probe's outcome where the episode would."""
    folder = evidence.folder / layout.PROBES / PROBE.name / path
    (folder / "out").mkdir(parents=True)
    (folder / "probe.json").write_text(json.dumps({"status": status, "timed_out": False}))
    if scene is not None:
        (folder / "out" / "scene.json").write_bytes(scene)


@pytest.fixture
def scenes(evidence_of: Callable[..., Evidence]) -> Evidence:
    evidence = evidence_of({f"~/{path.name}": path for path in HERE.glob("*.blend")})
    for path in HERE.glob("*.json"):
        probe(evidence, f"{path.stem}.blend", 0, path.read_bytes())
    return evidence


def check(evidence: Evidence, check_name: str, scene: str, **given: Any) -> Finding:
    if "except_" in given:
        given["except"] = given.pop("except_")
    name = f"blend.{check_name}"
    return apply(name, arguments(name, {"file": f"~/{scene}.blend", **given}), evidence)


SIZE = [{"is": length, "within": 0.01} for length in (2, 4, 2)]
CRATE = {
    "name": "Crate",
    "type": "MESH",
    "rotation": [0, 0, 45],
    "scale": [1, 2, 1],
    "material": "Copper",
    "rendered": True,
    "collection": "Collection",
}


@pytest.mark.parametrize(
    ("name", "scene", "given", "right"),
    [
        (
            "render",
            "right",
            {"engine": "CYCLES", "width": 1280, "height": 720, "samples": 64, "frame_end": 120, "transparent": True},
            True,
        ),
        ("render", "start", {"engine": "CYCLES"}, False),
        ("render", "nearly", {"width": 1280}, False),
        ("render", "nearly", {"width": 1280, "percentage": 50}, True),
        ("render", "right", {"samples": {"at_least": 128}}, False),
        ("object", "right", CRATE, True),
        ("object", "nearly", CRATE, False),
        ("object", "start", {"name": "Crate"}, False),
        ("object", "right", {"name": "Title", "parent": "Crate", "collection": "Lettering", "type": "FONT"}, True),
        ("object", "right", {"name": "Title", "parent": "Camera"}, False),
        ("object", "right", {"name": "Crate", "rotation": [0, 0, 40]}, False),
        ("object", "right", {"name": "Crate", "dimensions": SIZE, "smooth": False, "faces": 6}, True),
        ("no_object", "right", {"name": "Cube"}, True),
        ("no_object", "start", {"name": "Cube"}, False),
        ("objects", "right", {"type": "LIGHT", "count": 1}, True),
        ("objects", "right", {"type": "MESH", "count": 2}, False),
        ("modifier", "right", {"object": "Crate", "type": "BEVEL", "settings": {"segments": 3, "width": {"is": 0.05, "within": 0.001}}}, True),
        (
            "modifier",
            "right",
            {"object": "Crate", "type": "BEVEL", "settings": {"limit_method": "ANGLE", "use_clamp_overlap": True}},
            True,
        ),
        ("modifier", "right", {"object": "Crate", "type": "BEVEL", "settings": {"use_clamp_overlap": False}}, False),
        ("modifier", "nearly", {"object": "Crate", "type": "BEVEL"}, False),
        ("modifier", "start", {"object": "Cube", "type": "BEVEL"}, False),
        ("modifier", "right", {"object": "Crate", "type": "SUBSURF", "settings": {"render_levels": 3}}, False),
        ("constraint", "right", {"object": "Camera", "type": "TRACK_TO", "target": "Crate"}, True),
        ("constraint", "right", {"object": "Camera", "type": "TRACK_TO", "target": "Light"}, False),
        ("material", "right", {"object": "Crate", "colour": {"is": "#fad1c1", "within": 6}, "metallic": 1, "roughness": 0.25}, True),
        ("material", "right", {"object": "Crate", "name": "Copper", "roughness": 0.5}, False),
        ("material", "nearly", {"object": "Crate", "colour": {"is": "#fad1c1", "within": 6}}, False),
        ("material", "nearly", {"object": "Crate", "image": "label"}, True),
        ("material", "right", {"object": "Crate", "image": "label"}, False),
        ("material", "nearly", {"object": "Crate", "name": "Paint"}, False),
        ("material", "right", {"name": "Copper", "inputs": {"Specular": 0.5}}, True),
        ("node", "right", {"tree": "compositor", "type": "GLARE", "settings": {"glare_type": "FOG_GLOW"}, "feeds": "Image"}, True),
        ("node", "right", {"tree": "compositor", "type": "BLUR"}, False),
        ("node", "nearly", {"tree": "Copper", "type": "TEX_IMAGE", "feeds": "Base Color", "image": "label"}, True),
        ("node", "right", {"tree": "Copper", "type": "TEX_IMAGE", "feeds": "Base Color"}, False),
        ("light", "right", {"name": "Light", "type": "AREA", "energy": 500, "colour": {"is": "#ffe7cb", "within": 3}, "size": 2}, True),
        ("light", "nearly", {"name": "Light", "energy": 500}, False),
        ("light", "start", {"name": "Light", "type": "AREA"}, False),
        ("light", "right", {"name": "Camera"}, False),
        ("camera", "right", {"name": "Camera", "active": True, "lens": 85}, True),
        ("camera", "start", {"name": "Camera", "lens": 85}, False),
        ("world", "right", {"colour": {"is": "#3f597c", "within": 3}, "strength": 0.5}, True),
        ("world", "start", {"strength": 0.5}, False),
        ("text", "right", {"text": "Harbour Days", "extrude": 0.1, "size": 0.8}, True),
        ("text", "right", {"text": "Harbour Day"}, False),
        ("text", "start", {"text": "Harbour Days"}, False),
        ("animation", "right", {"object": "Crate", "property": "location", "axis": "x", "keys": [[1, 0], [60, 3]], "interpolation": "BEZIER"}, True),
        ("animation", "right", {"object": "Crate", "property": "location", "axis": "x", "keys": [[1, 0], [50, 3]]}, False),
        ("animation", "right", {"object": "Crate", "property": "location", "axis": "y"}, False),
        ("animation", "right", {"object": "Crate", "property": "location", "interpolation": "LINEAR"}, False),
        ("animation", "start", {"object": "Cube", "property": "location"}, False),
        ("collection", "right", {"name": "Lettering", "holds": ["Title"]}, True),
        ("collection", "right", {"name": "Lettering", "holds": ["Crate"]}, False),
        ("image", "right", {"name": "label", "packed": True, "width": 8}, True),
        ("image", "right", {"name": "label", "packed": False}, False),
        ("marker", "right", {"name": "Turn", "frame": 60}, True),
        ("marker", "right", {"name": "Turn", "frame": 61}, False),
    ],
)
def test_scenes(scenes: Evidence, name: str, scene: str, given: dict[str, Any], right: bool) -> None:
    finding = check(scenes, name, scene, **given)
    assert finding.passed is right, finding.sentence


def test_unchanged(scenes: Evidence) -> None:
    assert check(scenes, "unchanged", "right", of="~/right.blend").passed
    assert not check(scenes, "unchanged", "nearly", of="~/right.blend", except_=["Crate"]).passed, "the light is weaker"
    assert check(scenes, "unchanged", "nearly", of="~/right.blend", except_=["Crate", "Light"]).passed
    assert not check(scenes, "unchanged", "right", of="~/start.blend", except_=["Crate", "Light", "Camera", "Cube"]).passed, "a title was added"
    assert check(scenes, "unchanged", "right", of="~/start.blend", except_=["Crate", "Light", "Camera", "Cube"], added=True).passed


def test_every_check_asks_for_the_probe_of_every_file() -> None:
    assert sorted(family.PROBES) == functions_of(family)
    asked = probes_for("blend.unchanged", arguments("blend.unchanged", {"file": "~/b.blend", "of": "~/a.blend"}))
    assert [path for _, path in asked] == ["a.blend", "b.blend"]


def test_what_blender_cannot_read_is_a_failed_finding_and_a_missing_probe_is_ours(evidence_of: Callable[..., Evidence]) -> None:
    evidence = evidence_of({"~/broken.blend": b"BLENDER", "~/empty.blend": b"", "~/unprobed.blend": b"BLENDER"})
    probe(evidence, "broken.blend", 4, None)
    probe(evidence, "empty.blend", 0, None)
    for name in ("broken", "empty", "missing"):
        assert not check(evidence, "render", name).passed
    with pytest.raises(CheckFault):
        check(evidence, "render", "unprobed")
