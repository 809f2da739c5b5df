"""Blender files, read by Blender itself in a probe: objects, modifiers, materials, lights, cameras, animation, render settings.

Rotations and angles are in degrees. Colours are written as they are picked (`"#b87333"`), while Blender keeps them linear.
`settings` are the names of Blender's Python properties in lower case (hover over a field with Python tooltips on), `inputs` are the names of
sockets as they are shown. A name may be any text expectation.

    - blend.render: {file: ~/scene.blend, engine: CYCLES, width: 1280, height: 720, samples: {at_least: 64}, frame_end: 120, transparent: true}
    - blend.object: {file: ~/scene.blend, name: Crate, type: MESH, location: [1.5, 0, 1], rotation: [0, 0, 45], material: Copper}
    - blend.no_object: {file: ~/scene.blend, name: Cube}
    - blend.objects: {file: ~/scene.blend, type: LIGHT, count: 3}
    - blend.modifier: {file: ~/scene.blend, object: Crate, type: BEVEL, settings: {segments: 3, width: {is: 0.05, within: 0.001}}}
    - blend.constraint: {file: ~/scene.blend, object: Camera, type: TRACK_TO, target: Crate}
    - blend.material: {file: ~/scene.blend, object: Crate, colour: {is: "#facebe", within: 6}, metallic: 1, roughness: {is: 0.25, within: 0.01}}
    - blend.node: {file: ~/scene.blend, tree: Copper, type: TEX_IMAGE, feeds: Base Color, image: wood.png}
    - blend.light: {file: ~/scene.blend, name: Light, type: AREA, energy: 500, colour: "#ffe7cb"}
    - blend.camera: {file: ~/scene.blend, name: Camera, active: true, lens: 85}
    - blend.world: {file: ~/scene.blend, colour: {is: "#3f597c", within: 6}, strength: 0.5}
    - blend.text: {file: ~/scene.blend, text: Harbour Days, extrude: {is: 0.1, within: 0.01}}
    - blend.animation: {file: ~/scene.blend, object: Crate, property: location, axis: x, keys: [[1, 0], [60, 3]]}
    - blend.collection: {file: ~/scene.blend, name: Lettering, holds: [Title]}
    - blend.image: {file: ~/scene.blend, name: label, packed: true}
    - blend.marker: {file: ~/scene.blend, name: Turn, frame: 60}
    - blend.unchanged: {file: ~/scene_v2.blend, of: ~/scene.blend, except: [Crate]}
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import Field

from deskbench.checks.blend_facts import (
    PROBE,
    curve_facts,
    input_of,
    judge_attached,
    named,
    object_facts,
    objects_of,
    reached,
    read,
    scene_of,
    shader_facts,
    srgb,
    tree_of,
    used_materials,
)
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Col, HomePath, Num, Number, Txt
from deskbench.checks.nearest import Value, judge, listed
from deskbench.checks.nearest import count as counted
from deskbench.core.verdict import Finding, failed, passed

Three = tuple[Num, Num, Num]


def render(
    evidence: Evidence,
    *,
    file: HomePath,
    scene: Txt | None = None,
    engine: Txt | None = None,
    width: Num | None = None,
    height: Num | None = None,
    percentage: Num | None = None,
    samples: Num | None = None,
    fps: Num | None = None,
    frame_start: Num | None = None,
    frame_end: Num | None = None,
    frame_step: Num | None = None,
    format: Txt | None = None,
    path: Txt | None = None,
    transparent: bool | None = None,
    denoise: bool | None = None,
    motion_blur: bool | None = None,
    bloom: bool | None = None,
    view_transform: Txt | None = None,
    look: Txt | None = None,
    exposure: Num | None = None,
) -> Finding:
    """The render settings of the scene that opens with the file, or of a named one. With a size but no `percentage`, that must be 100."""
    wanted = {"engine": engine, "width": width, "height": height, "percentage": percentage, "samples": samples, "fps": fps}
    wanted |= {"frame_start": frame_start, "frame_end": frame_end, "frame_step": frame_step, "format": format, "path": path}
    wanted |= {"view_transform": view_transform, "look": look, "exposure": exposure}
    switches = {"transparent": transparent, "denoise": denoise, "motion_blur": motion_blur, "bloom": bloom}
    if percentage is None and (width is not None or height is not None):
        wanted["percentage"] = Number.model_validate({"is": 100})
    return judge("the render setup", {**wanted, **switches}, [scene_of(read(evidence, file), scene)["render"]])


def object(
    evidence: Evidence,
    *,
    file: HomePath,
    name: Txt,
    type: Txt | None = None,
    location: Three | None = None,
    world_location: Three | None = None,
    rotation: Three | None = None,
    scale: Three | None = None,
    dimensions: Three | None = None,
    parent: Txt | None = None,
    collection: Txt | None = None,
    material: Txt | None = None,
    rendered: bool | None = None,
    visible: bool | None = None,
    vertices: Num | None = None,
    faces: Num | None = None,
    smooth: bool | None = None,
) -> Finding:
    """An object of that name in a scene which is as described. `smooth`: all faces are shaded smooth (or none)."""
    facts = [object_facts(one, collection, material) for one in named(read(evidence, file), name)]
    wanted: dict[str, Any] = {"type": type, "location": location, "world_location": world_location, "rotation": rotation, "scale": scale}
    wanted |= {"dimensions": dimensions, "parent": parent, "collection": collection, "material": material, "rendered": rendered}
    return judge(f"the object {name}", {**wanted, "visible": visible, "vertices": vertices, "faces": faces, "smooth": smooth}, facts)


def no_object(evidence: Evidence, *, file: HomePath, name: Txt) -> Finding:
    """No object of that name is in any scene, while others are."""
    names = [one["name"] for one in objects_of(read(evidence, file))]
    if not names:
        return failed("the file has no objects at all", seen=[])
    if any(name.holds(one) for one in names):
        return failed(f"there is still an object named {name}", expected=str(name), seen=names[:40])
    return passed(f"there is no object named {name}", seen=names[:40])


def objects(
    evidence: Evidence, *, file: HomePath, count: Num, type: Txt | None = None, name: Txt | None = None, collection: Txt | None = None
) -> Finding:
    """So many objects are of that type, name and collection."""
    facts = [{**object_facts(one, collection, None), "name": one["name"]} for one in objects_of(read(evidence, file))]
    return counted("objects", {"type": type, "name": name, "collection": collection}, facts, count)


def modifier(
    evidence: Evidence,
    *,
    file: HomePath,
    object: Txt,
    type: Txt,
    name: Txt | None = None,
    settings: dict[str, Value] | None = None,
    rendered: bool = True,
    count: Num | None = None,
) -> Finding:
    """A modifier of that type (BEVEL, SUBSURF, ARRAY, MIRROR ...) on an object, not applied yet, and switched on for rendering."""
    found = [held for one in named(read(evidence, file), object) for held in one["modifiers"]]
    return judge_attached("modifier", found, type, name, {**(settings or {}), "show_render": rendered}, count)


def constraint(
    evidence: Evidence, *, file: HomePath, object: Txt, type: Txt, target: Txt | None = None, settings: dict[str, Value] | None = None
) -> Finding:
    """A constraint of that type (TRACK_TO, COPY_LOCATION, FOLLOW_PATH ...) on an object, with that target, not muted."""
    found = [held for one in named(read(evidence, file), object) for held in one["constraints"]]
    wanted: dict[str, Any] = {**(settings or {}), "mute": False}
    return judge_attached("constraint", found, type, None, wanted | ({"target": target} if target is not None else {}), None)


def material(
    evidence: Evidence,
    *,
    file: HomePath,
    name: Txt | None = None,
    object: Txt | None = None,
    colour: Col | None = None,
    metallic: Num | None = None,
    roughness: Num | None = None,
    alpha: Num | None = None,
    transmission: Num | None = None,
    emission: Col | None = None,
    emission_strength: Num | None = None,
    image: Txt | None = None,
    inputs: dict[str, Value] | None = None,
) -> Finding:
    """A material, by its name, by the object whose faces use it, or both, with the values of its Principled BSDF.

    A value counts only where nothing is plugged into its socket; `image` is the file of the picture that feeds the base colour.
    """
    found = read(evidence, file)
    used = None if object is None else {held for one in named(found, object) for held in used_materials(one)}
    candidates = [one for one in found["materials"] if (name is None or name.holds(one["name"])) and (used is None or one["name"] in used)]
    if not candidates:
        where = f" used on {object}" if object is not None else ""
        seen = sorted(used) if used is not None else [one["name"] for one in found["materials"]]
        return failed(f"there is no material{f' {name}' if name is not None else ''}{where}; there is {listed(seen)}", seen=seen)
    wanted: dict[str, Any] = {"colour": colour, "metallic": metallic, "roughness": roughness, "alpha": alpha, "transmission": transmission}
    wanted |= {"emission": emission, "emission_strength": emission_strength, "image": image, **(inputs or {})}
    return judge("the material", wanted, [shader_facts(one, list(inputs or {})) for one in candidates])


def node(
    evidence: Evidence,
    *,
    file: HomePath,
    tree: str,
    type: Txt,
    settings: dict[str, Value] | None = None,
    inputs: dict[str, Value] | None = None,
    feeds: Txt | None = None,
    image: Txt | None = None,
) -> Finding:
    """A node of that type in a tree: a material's name, `world` or `compositor`. `feeds` is a socket that it reaches, directly or not."""
    found = tree_of(read(evidence, file), tree)
    candidates = [one for one in found["nodes"] if type.holds(one["type"]) and not one["muted"]]
    if not candidates:
        return failed(f"{tree} has no node {type}; it has {listed([one['type'] for one in found['nodes']])}", expected=str(type))
    facts = []
    for one in candidates:
        values = {socket: input_of(one, socket) for socket in inputs or {}}
        fed = [socket for socket in reached(found, one["name"]) if feeds is not None and feeds.holds(socket)]
        facts.append({**one["settings"], **values, "feeds": fed[0] if fed else None, "image": one.get("image")})
    return judge(f"the node {type}", {**(settings or {}), **(inputs or {}), "feeds": feeds, "image": image}, facts)


def light(
    evidence: Evidence,
    *,
    file: HomePath,
    name: Txt,
    type: Literal["POINT", "SUN", "SPOT", "AREA"] | None = None,
    energy: Num | None = None,
    colour: Col | None = None,
    size: Num | None = None,
    angle: Num | None = None,
) -> Finding:
    """A light: watts (or the sun's strength), colour, size (radius of points and spots, width of areas), angle of a spot's cone or of the sun."""
    facts = []
    for one in named(read(evidence, file), name, "LIGHT"):
        held = one["light"]
        size_of = held.get("size") if held["type"] == "AREA" else held.get("shadow_soft_size")
        angle_of = held.get("spot_size") if held["type"] == "SPOT" else held.get("angle")
        facts.append({"type": held["type"], "energy": held["energy"], "colour": srgb(held["color"]), "size": size_of, "angle": angle_of})
    return judge(f"the light {name}", {"type": type, "energy": energy, "colour": colour, "size": size, "angle": angle}, facts)


def camera(
    evidence: Evidence,
    *,
    file: HomePath,
    name: Txt,
    active: bool | None = None,
    type: Txt | None = None,
    lens: Num | None = None,
    ortho_scale: Num | None = None,
    dof: bool | None = None,
    focus_distance: Num | None = None,
    focus_object: Txt | None = None,
    fstop: Num | None = None,
) -> Finding:
    """A camera: millimetres of its lens, depth of field; `active`: the scene is rendered through it."""
    found = read(evidence, file)
    facts = [{**one["camera"], "active": scene_of(found, None)["camera"] == one["name"]} for one in named(found, name, "CAMERA")]
    wanted: dict[str, Any] = {"active": active, "type": type, "lens": lens, "ortho_scale": ortho_scale, "dof": dof}
    return judge(f"the camera {name}", {**wanted, "focus_distance": focus_distance, "focus_object": focus_object, "fstop": fstop}, facts)


def world(evidence: Evidence, *, file: HomePath, colour: Col | None = None, strength: Num | None = None, image: Txt | None = None) -> Finding:
    """The background of the scene: its colour and strength, or the picture that lights it."""
    found = tree_of(read(evidence, file), "world")
    background = next((one for one in found["nodes"] if one["type"] == "BACKGROUND"), None)
    if background is None:
        return failed("the world has no background node", seen=[one["type"] for one in found["nodes"]])
    pictures = [one["image"] for one in found["nodes"] if "image" in one and "Color" in reached(found, one["name"])]
    tint = input_of(background, "Color")
    facts = {
        "colour": srgb(tint) if tint is not None else None,
        "strength": input_of(background, "Strength"),
        "image": pictures[0] if pictures else None,
    }
    return judge("the world", {"colour": colour, "strength": strength, "image": image}, [facts])


def text(
    evidence: Evidence,
    *,
    file: HomePath,
    text: Txt,
    object: Txt | None = None,
    size: Num | None = None,
    extrude: Num | None = None,
    bevel: Num | None = None,
    align: Txt | None = None,
    font: Txt | None = None,
) -> Finding:
    """A text object that says that; `align` is LEFT, CENTER, RIGHT ..."""
    held = [one for one in objects_of(read(evidence, file)) if one["type"] == "FONT" and (object is None or object.holds(one["name"]))]
    facts = [{**one["font"], "bevel": one["font"]["bevel_depth"], "align": one["font"]["align_x"]} for one in held if text.holds(one["font"]["body"])]
    if not facts:
        bodies = [one["font"]["body"] for one in held]
        return failed(f"there is no text {text}; there is {listed(bodies)}", expected=str(text), seen=bodies)
    return judge(f"the text {text}", {"size": size, "extrude": extrude, "bevel": bevel, "align": align, "font": font}, facts)


def animation(
    evidence: Evidence,
    *,
    file: HomePath,
    object: Txt,
    property: str,
    axis: Literal["x", "y", "z"] | None = None,
    keys: list[tuple[Num, Num]] | None = None,
    count: Num | None = None,
    interpolation: Txt | None = None,
    cyclic: bool | None = None,
) -> Finding:
    """Keyframes of a property (location, rotation_euler, scale, hide_render, energy, lens ...) of an object or its data.

    `keys` are pairs of frame and value (rotations in degrees), each of which must be there; `interpolation` must hold for every keyframe.
    """
    found = named(read(evidence, file), object)
    curves = [curve for one in found for curve in one["animation"] + one["data_animation"] if curve["path"] == property and not curve["muted"]]
    curves = [curve for curve in curves if axis is None or curve["index"] == "xyz".index(axis)]
    curves = [curve for curve in curves if len(curve["keys"]) > 1]
    if not curves:
        paths = sorted({curve["path"] for one in found for curve in one["animation"] + one["data_animation"]})
        return failed(f"{property} of {object} is not animated; {listed(paths)} is", expected=property, seen=paths)
    facts = [curve_facts(curve, property, keys or [], interpolation) for curve in curves]
    wanted: dict[str, Any] = {"missing_keys": [], "count": count, "interpolation": interpolation, "cyclic": cyclic}
    return judge(f"the animation of {property}", wanted, facts)


def collection(evidence: Evidence, *, file: HomePath, name: Txt, holds: list[Txt] | None = None, parent: Txt | None = None) -> Finding:
    """A collection with these objects among others, within that parent."""
    found = [one for one in read(evidence, file)["collections"] if name.holds(one["name"])]
    if not found:
        return failed(f"there is no collection {name}", expected=str(name))
    facts = []
    for one in found:
        lacking = [str(wish) for wish in holds or [] if not any(wish.holds(held) for held in one["objects"])]
        facts.append({"lacking": lacking, "parent": one["parent"]})
    return judge(f"the collection {name}", {"lacking": [], "parent": parent}, facts)


def image(
    evidence: Evidence, *, file: HomePath, name: Txt, packed: bool | None = None, width: Num | None = None, height: Num | None = None
) -> Finding:
    """A picture in the file, by its name there or its file's name; `packed`: inside the .blend."""
    pictures = read(evidence, file)["images"]
    facts = [one for one in pictures if name.holds(one["name"]) or name.holds(PurePosixPath(one["path"].replace("\\", "/")).name)]
    if not facts:
        return failed(f"there is no picture {name}; there is {listed([one['name'] for one in pictures])}", expected=str(name))
    return judge(f"the picture {name}", {"packed": packed, "width": width, "height": height}, facts)


def marker(evidence: Evidence, *, file: HomePath, name: Txt, frame: Num | None = None) -> Finding:
    """A marker on the time line of the scene."""
    markers = [{"name": held[0], "frame": held[1]} for held in scene_of(read(evidence, file), None)["markers"]]
    facts = [one for one in markers if name.holds(one["name"])]
    return judge(f"the marker {name}", {"frame": frame}, facts) if facts else failed(f"there is no marker {name}", seen=markers)


def unchanged(
    evidence: Evidence, *, file: HomePath, of: HomePath, except_: Annotated[tuple[str, ...], Field(alias="except")] = (), added: bool = False
) -> Finding:
    """Objects (but those named) and their materials are as in another file; `added: true` allows further ones. Render settings are not looked at."""
    new, old = read(evidence, file), read(evidence, of)
    after, before = ({one["name"]: one for one in objects_of(found) if one["name"] not in except_} for found in (new, old))
    lost, gained = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
    if lost or (gained and not added):
        told = ([f"lost {listed(lost)}"] if lost else []) + ([f"gained {listed(gained)}"] if gained and not added else [])
        return failed(f"the scene has {' and '.join(told)}", expected=sorted(before), seen=sorted(after))
    shaders_after, shaders_before = ({one["name"]: one for one in found["materials"]} for found in (new, old))
    for name, one in before.items():
        for aspect, value in one.items():
            if aspect not in ("scenes", "hidden") and after[name].get(aspect) != value:
                return failed(f"{aspect.replace('_', ' ')} of {name} was changed", expected=value, seen=after[name].get(aspect))
        for held in one["materials"]:
            if held is not None and {**shaders_before[held], "users": 0} != {**shaders_after.get(held, {}), "users": 0}:
                return failed(f"the material {held} of {name} was changed")
    return passed("the other objects are unchanged")


_PLAIN = (render, object, no_object, objects, modifier, constraint, material, node, light, camera, world, text, animation, collection, image)
PROBES = {check.__name__: PROBE for check in (*_PLAIN, marker, unchanged)}
