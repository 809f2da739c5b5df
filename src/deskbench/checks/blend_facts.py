"""What the probe of a .blend file says, and the facts about its objects, materials and curves that checks judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Num, Txt
from deskbench.checks.nearest import count as counted
from deskbench.checks.nearest import holds, judge, listed
from deskbench.core.faults import BadArtifact
from deskbench.core.probe import Probe
from deskbench.core.verdict import Finding, failed

PROBE = Probe(
    name="blend",
    app="blender",
    argv=("blender", "-b", "--disable-autoexec", "{file}", "--python-exit-code", "3", "--python", "probe/read.py", "--", "{file}", "{out}"),
    files={"read.py": Path(__file__).with_name("blend_reading.py").read_text(encoding="utf-8")},
    seconds=120.0,
)

JSON_LIMIT = 64 << 20


def read(evidence: Evidence, file: str) -> dict[str, Any]:
    path = evidence.probed(PROBE, file) / "scene.json"
    if not path.is_file() or path.stat().st_size > JSON_LIMIT:
        raise BadArtifact(f"~/{file} holds more than is read, or nothing")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def scene_of(found: dict[str, Any], name: Txt | None) -> dict[str, Any]:
    for one in found["scenes"]:
        if one["name"] == found["scene"] if name is None else name.holds(one["name"]):
            scene: dict[str, Any] = one
            return scene
    raise BadArtifact(f"there is no scene {name}; there is {listed([one['name'] for one in found['scenes']])}")


def objects_of(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Objects that are in a scene; Blender keeps deleted ones for a while."""
    return [one for one in found["objects"] if one["scenes"]]


def named(found: dict[str, Any], name: Txt, type: str | None = None) -> list[dict[str, Any]]:
    held = [one for one in objects_of(found) if name.holds(one["name"]) and type in (None, one["type"])]
    if not held:
        names = [one["name"] for one in objects_of(found) if type in (None, one["type"])]
        raise BadArtifact(f"there is no {(type or 'object').lower()} named {name}; there is {listed(names)}")
    return held


def object_facts(one: dict[str, Any], collection: Txt | None, material: Txt | None) -> dict[str, Any]:
    facts = {name: one[name] for name in ("type", "location", "world_location", "rotation", "scale", "dimensions", "parent")}
    mesh = one.get("mesh") or {}
    smooth = None if not mesh.get("faces") else True if mesh["smooth_faces"] == mesh["faces"] else False if not mesh["smooth_faces"] else None
    facts |= {"rendered": not one["hide_render"], "visible": not (one["hide_viewport"] or one["hidden"]), "smooth": smooth}
    facts |= {"vertices": mesh.get("vertices"), "faces": mesh.get("faces")}
    return facts | {"collection": first(collection, one["collections"]), "material": first(material, used_materials(one))}


def first(wish: Txt | None, names: list[str]) -> str | None:
    """The name that meets the wish, or one to show instead."""
    return next((name for name in names if wish is not None and wish.holds(name)), names[0] if names else None)


def used_materials(one: dict[str, Any]) -> list[str]:
    """The materials that faces really have: a slot that no face uses does not count."""
    slots = one["materials"]
    used = one["mesh"]["used_slots"] if one.get("mesh") else range(len(slots))
    return [slots[index] for index in used if index < len(slots) and slots[index] is not None]


def judge_attached(what: str, held: list[dict[str, Any]], type: Txt, name: Txt | None, wanted: dict[str, Any], count: Num | None) -> Finding:
    found = [one for one in held if type.holds(one["type"]) and (name is None or name.holds(one["name"]))]
    facts = [one["settings"] for one in found]
    if count is not None:
        return counted(f"the {what} {type}", wanted, facts, count)
    if not facts:
        return failed(f"there is no {what} {type}; there is {listed([one['type'] for one in held])}", expected=str(type))
    return judge(f"the {what} {type}", wanted, facts)


def shader_facts(one: dict[str, Any], others: list[str]) -> dict[str, Any]:
    """The Principled BSDF that reaches the material's output; a material without nodes has only its viewport colour, which is not rendered."""
    shader = next((held for held in one["nodes"] if held["type"] == "BSDF_PRINCIPLED" and "Surface" in reached(one, held["name"])), None)
    if shader is None:
        return {}
    names = {
        "metallic": "Metallic",
        "roughness": "Roughness",
        "alpha": "Alpha",
        "transmission": "Transmission",
        "emission_strength": "Emission Strength",
    }
    facts: dict[str, Any] = {fact: input_of(shader, socket) for fact, socket in names.items()}
    for fact, socket in {"colour": "Base Color", "emission": "Emission"}.items():
        value = input_of(shader, socket)
        facts[fact] = srgb(value) if value is not None else None
    pictures = [held["image"] for held in one["nodes"] if "image" in held and "Base Color" in reached(one, held["name"])]
    return facts | {"image": pictures[0] if pictures else None} | {socket: input_of(shader, socket) for socket in others}


def input_of(node: dict[str, Any], socket: str) -> Any:
    """The value of a socket, or None where there is none or something is plugged into it."""
    held = node["inputs"].get(socket)
    return None if held is None or held["linked"] else held["value"]


def reached(tree: dict[str, Any], name: str) -> set[str]:
    """The names of all sockets that a node's output reaches."""
    onward: dict[str, list[tuple[str, str]]] = {}
    for source, _, target, socket in tree["links"]:
        onward.setdefault(source, []).append((target, socket))
    sockets: set[str] = set()
    seen, waiting = {name}, [name]
    while waiting:
        for target, socket in onward.get(waiting.pop(), []):
            sockets.add(socket)
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return sockets


def tree_of(found: dict[str, Any], name: str) -> dict[str, Any]:
    scene = scene_of(found, None)
    if name == "compositor":
        tree: dict[str, Any] = scene["compositor"]
        return tree
    held = found["worlds"] if name == "world" else found["materials"]
    wanted = scene["world"] if name == "world" else name
    for one in held:
        if one["name"] == wanted:
            named: dict[str, Any] = one
            return named
    raise BadArtifact(f"there is no {'world' if name == 'world' else f'material {name!r}'} in the file")


def curve_facts(curve: dict[str, Any], property: str, keys: list[tuple[Num, Num]], interpolation: Txt | None) -> dict[str, Any]:
    turn = 57.29577951308232 if "rotation_euler" in property else 1.0
    # A degree typed in is kept in radians with single precision.
    points = [(frame, round(value * turn, 3) if turn != 1.0 else value) for frame, value, _ in curve["keys"]]
    missing = [[str(frame), str(value)] for frame, value in keys if not any(holds(frame, one) and holds(value, other) for one, other in points)]
    kinds = [kind for _, _, kind in curve["keys"]]
    odd = next((kind for kind in kinds if interpolation is not None and not interpolation.holds(kind)), kinds[0])
    return {"missing_keys": missing, "count": len(points), "interpolation": odd, "cyclic": curve["cyclic"], "keys": points}


def srgb(linear: list[float]) -> list[int]:
    """A linear colour as it is picked and shown, 0 to 255 a channel."""
    found = []
    for value in linear[:3]:
        one = min(1.0, max(0.0, value or 0.0))
        found.append(round(255 * (12.92 * one if one <= 0.0031308 else 1.055 * one ** (1 / 2.4) - 0.055)))
    return found
