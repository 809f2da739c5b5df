"""Runs inside Blender, after the agent is gone: writes what a .blend file holds to `{out}/scene.json`.

    blender -b --disable-autoexec FILE --python-exit-code 3 --python blend_reading.py -- FILE OUT

Numbers are rounded to five digits (Blender keeps single precision), rotations are in degrees, colours linear as Blender keeps them.
Lists are cut at limits that no honest file reaches, so that a hostile one cannot fill the disk.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
from typing import Any

MANY = 5000
KEYS = 2000
SKIPPED = {"rna_type", "name", "type", "show_expanded", "is_active", "execution_time"}
LAYOUT = {"location", "width", "width_hidden", "height", "bl_idname", "select", "parent"}
"""Where a node lies on the canvas: nobody asks, and `width` would mean something else on a modifier."""


def blender() -> Any:
    """Blender's own module, which exists only inside Blender."""
    return importlib.import_module("bpy")


def plain(value: Any) -> Any:
    """A value as JSON, or None if it is nothing that a check could look at."""
    if isinstance(value, bool | str) or value is None:
        return value[:2000] if isinstance(value, str) else value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return rounded(value)
    if hasattr(value, "name") and hasattr(value, "bl_rna"):
        return value.name
    if hasattr(value, "__len__") and 0 < len(value) <= 4 and all(isinstance(part, int | float) for part in value):
        return [plain(part) for part in value]
    if isinstance(value, set):
        return sorted(str(part) for part in value)
    return None


def rounded(value: float) -> float | None:
    return round(float(value), 5) + 0.0 if math.isfinite(value) else None


def vector(values: Any) -> list[float | None]:
    return [rounded(value) for value in values]


def degrees(values: Any) -> list[float | None]:
    return [rounded(round(math.degrees(value), 4)) for value in values]


def settings(thing: Any, skipped: set[str] = SKIPPED) -> dict[str, Any]:
    """Every simple property of a modifier, constraint or node."""
    found = {}
    for property in thing.bl_rna.properties:
        if property.identifier in skipped or property.is_hidden or property.type == "COLLECTION":
            continue
        value = plain(getattr(thing, property.identifier, None))
        if value is not None:
            found[property.identifier] = value
    return found


def curves(owner: Any) -> list[dict[str, Any]]:
    """The keyframes of whatever can be animated."""
    animation = getattr(owner, "animation_data", None)
    action = animation.action if animation is not None else None
    found = []
    for curve in list(action.fcurves)[:MANY] if action is not None else []:
        keys = [[rounded(key.co[0]), rounded(key.co[1]), key.interpolation] for key in list(curve.keyframe_points)[:KEYS]]
        cyclic = any(modifier.type == "CYCLES" for modifier in curve.modifiers)
        found.append({"path": curve.data_path, "index": curve.array_index, "keys": keys, "cyclic": cyclic, "muted": curve.mute})
    return found


def nodes(tree: Any) -> dict[str, Any]:
    """A node tree: nodes with the values of their unlinked inputs, and the links."""
    if tree is None:
        return {"nodes": [], "links": []}
    found = []
    for node in list(tree.nodes)[:MANY]:
        inputs = {}
        for socket in node.inputs:
            value = plain(getattr(socket, "default_value", None))
            if socket.name not in inputs:
                inputs[socket.name] = {"value": value, "linked": socket.is_linked}
        item = {
            "name": node.name,
            "type": node.type,
            "label": node.label,
            "muted": node.mute,
            "inputs": inputs,
            "settings": settings(node, SKIPPED | LAYOUT),
        }
        image = getattr(node, "image", None)
        if image is not None:
            item["image"] = os.path.basename(image.filepath.replace("\\", "/")) or image.name
        ramp = getattr(node, "color_ramp", None)
        if ramp is not None:
            item["stops"] = [[rounded(stop.position), vector(stop.color)] for stop in ramp.elements]
        found.append(item)
    links = [[link.from_node.name, link.from_socket.name, link.to_node.name, link.to_socket.name] for link in list(tree.links)[:MANY]]
    return {"nodes": found, "links": links}


def mesh(data: Any, evaluated: Any) -> dict[str, Any]:
    smooth = sum(1 for polygon in data.polygons if polygon.use_smooth)
    used = sorted({polygon.material_index for polygon in data.polygons})
    counts: dict[str, Any] = {"vertices": len(data.vertices), "edges": len(data.edges), "faces": len(data.polygons), "smooth_faces": smooth}
    shown = evaluated.data if evaluated is not None and evaluated.type == "MESH" else None
    counts["shown_faces"] = len(shown.polygons) if shown is not None else None
    return counts | {"used_slots": used, "uv_layers": [layer.name for layer in data.uv_layers], "keys": shape_keys(data)}


def shape_keys(data: Any) -> list[list[Any]]:
    keys = getattr(data, "shape_keys", None)
    return [[key.name, rounded(key.value)] for key in keys.key_blocks] if keys is not None else []


def light(data: Any) -> dict[str, Any]:
    found = {"type": data.type, "energy": rounded(data.energy), "color": vector(data.color)}
    for name in ("shadow_soft_size", "size", "size_y", "angle", "spot_size", "spot_blend", "shape"):
        if hasattr(data, name):
            value = getattr(data, name)
            found[name] = rounded(round(math.degrees(value), 4)) if name in ("angle", "spot_size") else plain(value)
    return found


def camera(data: Any) -> dict[str, Any]:
    names = ("type", "lens", "ortho_scale", "clip_start", "clip_end", "sensor_width", "shift_x", "shift_y")
    focus = {"dof": data.dof.use_dof, "focus_distance": rounded(data.dof.focus_distance), "fstop": rounded(data.dof.aperture_fstop)}
    target = data.dof.focus_object.name if data.dof.focus_object is not None else None
    return {name: plain(getattr(data, name)) for name in names} | focus | {"focus_object": target, "fov": degrees([data.angle])[0]}


def text(data: Any) -> dict[str, Any]:
    names = ("body", "size", "extrude", "bevel_depth", "align_x", "align_y", "space_character", "space_line")
    return {name: plain(getattr(data, name)) for name in names} | {"font": data.font.name if data.font is not None else None}


def thing(item: Any, graph: Any, scenes: list[str]) -> dict[str, Any]:
    """One object."""
    evaluated = item.evaluated_get(graph) if graph is not None else None
    rotation = item.matrix_basis.to_euler("XYZ") if item.rotation_mode in ("QUATERNION", "AXIS_ANGLE") else item.rotation_euler
    found: dict[str, Any] = {"name": item.name, "type": item.type, "data": item.data.name if item.data is not None else None, "scenes": scenes}
    found |= {"location": vector(item.location), "rotation": degrees(rotation), "scale": vector(item.scale), "dimensions": vector(item.dimensions)}
    found |= {"world_location": vector(item.matrix_world.translation), "parent": item.parent.name if item.parent is not None else None}
    found |= {"collections": [group.name for group in item.users_collection], "hide_render": item.hide_render, "hide_viewport": item.hide_viewport}
    found["hidden"] = item.hide_get() if scenes and item.name in context_objects() else False
    found["materials"] = [slot.material.name if slot.material is not None else None for slot in item.material_slots]
    found["modifiers"] = [{"name": one.name, "type": one.type, "settings": settings(one)} for one in item.modifiers]
    found["constraints"] = [{"name": one.name, "type": one.type, "settings": settings(one)} for one in item.constraints]
    found["animation"] = curves(item)
    found["data_animation"] = curves(item.data) if item.data is not None else []
    found["vertex_groups"] = [group.name for group in item.vertex_groups]
    reader = {"LIGHT": light, "CAMERA": camera, "FONT": text}.get(item.type)
    if reader is not None:
        found[item.type.lower()] = reader(item.data)
    if item.type == "MESH":
        found["mesh"] = mesh(item.data, evaluated)
    return found


def context_objects() -> set[str]:
    bpy = blender()
    return {item.name for item in bpy.context.view_layer.objects}


def render(scene: Any) -> dict[str, Any]:
    setup, image = scene.render, scene.render.image_settings
    found = {"engine": setup.engine, "width": setup.resolution_x, "height": setup.resolution_y, "percentage": setup.resolution_percentage}
    found |= {
        "fps": rounded(setup.fps / setup.fps_base),
        "frame_start": scene.frame_start,
        "frame_end": scene.frame_end,
        "frame_step": scene.frame_step,
    }
    found |= {"format": image.file_format, "color_mode": image.color_mode, "path": setup.filepath, "transparent": setup.film_transparent}
    cycles, eevee = getattr(scene, "cycles", None), getattr(scene, "eevee", None)
    samples = {"CYCLES": getattr(cycles, "samples", None), "BLENDER_EEVEE": getattr(eevee, "taa_render_samples", None)}
    found |= {"samples": samples.get(setup.engine), "denoise": getattr(cycles, "use_denoising", None), "bloom": getattr(eevee, "use_bloom", None)}
    found |= {"motion_blur": setup.use_motion_blur, "codec": setup.ffmpeg.codec, "video_format": setup.ffmpeg.format}
    view = scene.view_settings
    return found | {"view_transform": view.view_transform, "look": view.look, "exposure": rounded(view.exposure), "gamma": rounded(view.gamma)}


def scene_facts(scene: Any) -> dict[str, Any]:
    return {
        "name": scene.name,
        "render": render(scene),
        "camera": scene.camera.name if scene.camera is not None else None,
        "world": scene.world.name if scene.world is not None else None,
        "frame": scene.frame_current,
        "use_nodes": scene.use_nodes,
        "compositor": nodes(scene.node_tree if scene.use_nodes else None),
        "markers": [[marker.name, marker.frame] for marker in scene.timeline_markers],
        "objects": [item.name for item in scene.collection.all_objects][:MANY],
    }


def collections() -> list[dict[str, Any]]:
    bpy = blender()
    parents = {child.name: group.name for group in bpy.data.collections for child in group.children}
    found = []
    for group in list(bpy.data.collections)[:MANY]:
        item = {"name": group.name, "parent": parents.get(group.name), "objects": [one.name for one in group.objects][:MANY]}
        found.append(item | {"hide_render": group.hide_render, "hide_viewport": group.hide_viewport})
    return found


def material(item: Any) -> dict[str, Any]:
    found = {"name": item.name, "users": item.users, "use_nodes": item.use_nodes, "diffuse": vector(item.diffuse_color)}
    found |= {"blend_method": item.blend_method, "animation": curves(item) + (curves(item.node_tree) if item.node_tree is not None else [])}
    return found | nodes(item.node_tree if item.use_nodes else None)


def image(item: Any) -> dict[str, Any]:
    found = {"name": item.name, "path": item.filepath, "packed": len(item.packed_files) > 0, "users": item.users, "source": item.source}
    return found | {"width": item.size[0], "height": item.size[1]}


def everything() -> dict[str, Any]:
    bpy = blender()
    graph = bpy.context.evaluated_depsgraph_get()
    where = {item.name: [scene.name for scene in bpy.data.scenes if item.name in scene.collection.all_objects] for item in bpy.data.objects}
    return {
        "blender": bpy.app.version_string,
        "scene": bpy.context.scene.name,
        "scenes": [scene_facts(scene) for scene in bpy.data.scenes],
        "objects": [thing(item, graph, where[item.name]) for item in list(bpy.data.objects)[:MANY]],
        "collections": collections(),
        "materials": [material(item) for item in list(bpy.data.materials)[:MANY]],
        "worlds": [{"name": item.name, "color": vector(item.color), **nodes(item.node_tree if item.use_nodes else None)} for item in bpy.data.worlds],
        "images": [image(item) for item in list(bpy.data.images)[:MANY]],
    }


def main() -> None:
    bpy = blender()
    wanted, out = sys.argv[sys.argv.index("--") + 1 :]
    # Blender goes on with its own default scene when it cannot read a file, which must not be taken for the agent's.
    if os.path.realpath(bpy.data.filepath or "") != os.path.realpath(wanted):
        sys.exit(4)
    with open(os.path.join(out, "scene.json"), "w", encoding="utf-8") as target:
        json.dump(everything(), target, ensure_ascii=False)


if __name__ == "__main__":
    main()
