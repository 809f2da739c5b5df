"""Builds the scenes of the Blender tasks from nothing but numbers, with Blender itself.

    blender -b --factory-startup --python packs/make_assets/blender.py [-- desk trophy ...]

The scenes come out the same each time, though not byte for byte: Blender writes memory addresses into its files. Our own work, CC0.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import bpy  # type: ignore[import-not-found]

PACK = Path(__file__).resolve().parent.parent / "blender"


def fresh() -> Any:
    """An empty scene with Blender's own windows and render settings that a processor can manage."""
    bpy.ops.wm.read_factory_settings(use_empty=False)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    for kind in (bpy.data.meshes, bpy.data.materials, bpy.data.lights, bpy.data.cameras, bpy.data.collections):
        for item in list(kind):
            kind.remove(item)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 8
    scene.cycles.use_denoising = False
    scene.cycles.seed = 0
    scene.render.resolution_x, scene.render.resolution_y = 480, 270
    scene.view_settings.view_transform = "Standard"
    background(0.35, 0.37, 0.4)
    return scene


def background(red: float, green: float, blue: float, strength: float = 1.0) -> None:
    node = bpy.context.scene.world.node_tree.nodes["Background"]
    node.inputs["Color"].default_value = (red, green, blue, 1)
    node.inputs["Strength"].default_value = strength


def linear(code: str) -> tuple[float, float, float, float]:
    """A colour as it is picked, as Blender keeps it."""
    parts = [int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue, 1.0


def material(name: str, code: str, roughness: float = 0.5, metallic: float = 0.0) -> Any:
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.diffuse_color = linear(code)
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = linear(code)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Metallic"].default_value = metallic
    return made


def collection(name: str) -> Any:
    made = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(made)
    return made


def place(name: str, data: Any, where: Any, at: tuple[float, ...] = (0, 0, 0), turned: tuple[float, ...] = (0, 0, 0), look: Any = None) -> Any:
    item = bpy.data.objects.new(name, data)
    item.location = at
    item.rotation_euler = [math.radians(angle) for angle in turned]
    where.objects.link(item)
    if look is not None:
        data.materials.append(look)
    return item


def mesh(name: str, points: list[Any], faces: list[Any], smooth: bool = False) -> Any:
    made = bpy.data.meshes.new(name)
    made.from_pydata(points, [], faces)
    made.update()
    if smooth:
        made.polygons.foreach_set("use_smooth", [True] * len(made.polygons))
    return made


def box(name: str, where: Any, size: tuple[float, float, float], at: tuple[float, ...], look: Any, turned: tuple[float, ...] = (0, 0, 0)) -> Any:
    """A block around its own middle."""
    x, y, z = (side / 2 for side in size)
    points = [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return place(name, mesh(name, points, faces), where, at, turned, look)


def lathe(name: str, where: Any, profile: list[tuple[float, float]], at: tuple[float, ...], look: Any, around: int = 32) -> Any:
    """A turned body: a profile of radius and height, from its foot up, closed at both ends."""
    points, faces = [], []
    for radius, height in profile:
        points += [(radius * math.cos(2 * math.pi * n / around), radius * math.sin(2 * math.pi * n / around), height) for n in range(around)]
    for ring in range(len(profile) - 1):
        for n in range(around):
            low, high, after = ring * around, (ring + 1) * around, (n + 1) % around
            faces.append((low + n, low + after, high + after, high + n))
    faces.append(tuple(reversed(range(around))))
    faces.append(tuple(range((len(profile) - 1) * around, len(profile) * around)))
    return place(name, mesh(name, points, faces, smooth=True), where, at, (0, 0, 0), look)


def lamp(name: str, where: Any, kind: str, watts: float, at: tuple[float, ...], turned: tuple[float, ...] = (0, 0, 0), size: float = 1.0) -> Any:
    data = bpy.data.lights.new(name, kind)
    data.energy = watts
    if kind == "AREA":
        data.size = size
    return place(name, data, where, at, turned)


def camera(name: str, where: Any, at: tuple[float, float, float], to: tuple[float, float, float], lens: float = 50) -> Any:
    from mathutils import Vector  # type: ignore[import-not-found]

    data = bpy.data.cameras.new(name)
    data.lens = lens
    data.display_size = 0.3
    item = place(name, data, where, at)
    item.rotation_euler = (Vector(to) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.camera = item
    return item


def keep(path: str, at: tuple[float, float, float] = (0, 0, 0.6), distance: float = 6.0) -> None:
    """Save with every viewport looking at the middle of things from the front right."""
    from mathutils import Euler, Vector

    for screen in bpy.data.screens:
        for area in screen.areas:
            for space in area.spaces:
                if space.type == "VIEW_3D":
                    space.region_3d.view_location = Vector(at)
                    space.region_3d.view_distance = distance
                    space.region_3d.view_rotation = Euler((math.radians(66), 0, math.radians(32))).to_quaternion()
                    space.shading.color_type = "MATERIAL"
    target = PACK / path
    target.parent.mkdir(parents=True, exist_ok=True)
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=str(target), compress=True, check_existing=False)


def desk() -> None:
    """A writing desk of a furniture maker, in metres."""
    fresh()
    oak, steel, felt = material("Oak", "b98a5a", 0.55), material("Steel", "4a4f55", 0.35, 1), material("Floor", "c9c4bb", 0.8)
    room, piece = collection("Room"), collection("Desk")
    box("Floor", room, (6, 6, 0.02), (0, 0, -0.01), felt)
    box("Tabletop", piece, (1.6, 0.8, 0.036), (0, 0, 0.732), oak)
    for number, (x, y) in enumerate([(-0.72, -0.34), (0.72, -0.34), (-0.72, 0.34), (0.72, 0.34)], 1):
        box(f"Leg {number}", piece, (0.05, 0.05, 0.714), (x, y, 0.357), steel)
    box("Drawer", piece, (0.6, 0.5, 0.12), (0.3, -0.1, 0.65), oak)
    box("Drawer Front", piece, (0.62, 0.02, 0.13), (0.3, -0.36, 0.65), oak)
    lamp("Window Light", room, "AREA", 120, (-2, -1.5, 2.4), (40, 0, -50), 1.5)
    camera("Camera", room, (2.1, -2.4, 1.6), (0, 0, 0.5), 42)
    keep("round-edges/desk_v1.blend", (0, 0, 0.45), 3.4)


def loft() -> None:
    """A living room before its furniture is placed."""
    fresh()
    plaster, boards = material("Plaster", "e9e4da", 0.9), material("Boards", "a9835b", 0.6)
    wool, wood, cloth, brass = (
        material("Wool", "3f5a6b", 0.95),
        material("Walnut", "5e4030", 0.5),
        material("Linen", "c8bfae", 0.95),
        material("Brass", "c9a24a", 0.3, 1),
    )
    shell, furniture = collection("Shell"), collection("Furniture")
    box("Floor", shell, (6, 5, 0.1), (0, 0, -0.05), boards)
    box("Wall North", shell, (6, 0.1, 2.7), (0, 2.55, 1.35), plaster)
    box("Wall West", shell, (0.1, 5, 2.7), (-3.05, 0, 1.35), plaster)
    box("Rug", furniture, (2.4, 1.7, 0.02), (0, 0, 0.01), wool)
    box("Coffee Table", furniture, (1.1, 0.6, 0.38), (0, 0, 0.21), wood)
    points, faces = [], []
    for size, at in (
        ((2.1, 0.9, 0.42), (0, 0, 0.21)),
        ((2.1, 0.22, 0.42), (0, 0.34, 0.63)),
        ((0.2, 0.9, 0.2), (-0.95, 0, 0.52)),
        ((0.2, 0.9, 0.2), (0.95, 0, 0.52)),
    ):
        start = len(points)
        points += [(at[0] + a * size[0] / 2, at[1] + b * size[1] / 2, at[2] + c * size[2] / 2) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        faces += [tuple(start + n for n in face) for face in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))]
    place("Sofa", mesh("Sofa", points, faces), furniture, (0, 0, 0), (0, 0, 0), cloth)
    lathe("Floor Lamp", furniture, [(0.16, 0), (0.16, 0.03), (0.015, 0.04), (0.015, 1.4), (0.2, 1.38), (0.13, 1.7)], (-2.4, 1.9, 0), brass, 24)
    box("Sideboard", furniture, (1.8, 0.42, 0.7), (1.6, 2.28, 0.35), wood)
    lamp("Ceiling", shell, "AREA", 200, (0, 0, 2.6), (0, 0, 0), 2)
    camera("Camera", shell, (3.4, -4.2, 2.3), (-0.4, 0.4, 0.7), 28)
    keep("sofa-placement/loft.blend", (0, 0.2, 0.6), 9)


def flacon() -> None:
    """A scent bottle on a table for a shop's pictures."""
    fresh()
    stage, product = collection("Stage"), collection("Product")
    glass, cap, paper, table = (
        material("Amber", "b5641f", 0.12),
        material("Cap", "23252a", 0.4),
        material("Label", "f2ead8", 0.8),
        material("Table", "d9d5ce", 0.7),
    )
    box("Table", stage, (8, 8, 0.1), (0, 0, -0.05), table)
    lathe("Bottle", product, [(0.34, 0), (0.37, 0.03), (0.37, 0.75), (0.33, 0.84), (0.14, 0.9), (0.13, 1.0)], (0, 0, 0), glass, 40)
    lathe("Cap", product, [(0.17, 1.0), (0.17, 1.28), (0.14, 1.31)], (0, 0, 0), cap, 40)
    lathe("Label", product, [(0.374, 0.25), (0.374, 0.6)], (0, 0, 0), paper, 40)
    lamp("Softbox", stage, "AREA", 180, (-1.6, -1.8, 2.4), (42, 0, -42), 1.6)
    camera("Camera", stage, (0, -4.2, 1.25), (0, 0, 0.66), 50)
    background(0.5, 0.52, 0.55)
    keep("bottle-rig/flacon_v1.blend", (0, 0, 0.6), 5)


def exhibit() -> None:
    """A show case as somebody left it: things named as Blender names them."""
    fresh()
    things = collection("Collection")
    oak, glass, stone, clay = (
        material("Oak", "8a6239", 0.5),
        material("Glass", "cfe3e8", 0.05),
        material("Sandstone", "c7b08a", 0.9),
        material("Terracotta", "b0623d", 0.8),
    )
    box("Cube", things, (1.4, 0.7, 0.9), (0, 0, 0.45), oak)
    box("Cube.001", things, (0.3, 0.3, 0.12), (-0.4, 0, 0.96), stone)
    box("Cube.002", things, (0.3, 0.3, 0.2), (0.4, 0, 1.0), stone)
    lathe("Cylinder", things, [(0.06, 0), (0.13, 0.12), (0.15, 0.22), (0.07, 0.36), (0.05, 0.4), (0.08, 0.43)], (-0.4, 0, 1.02), clay)
    lathe("Cylinder.001", things, [(0.07, 0), (0.03, 0.04), (0.03, 0.1), (0.17, 0.17), (0.18, 0.2)], (0.4, 0, 1.1), clay)
    lathe("Sphere", things, [(0.01, -0.12), (0.09, -0.08), (0.12, 0), (0.09, 0.08), (0.01, 0.12)], (1.6, -0.9, 0.12), glass)
    lamp("Light", things, "AREA", 90, (-1, -1.6, 2.6), (35, 0, -30), 1)
    camera("Camera", things, (1.9, -3.3, 1.9), (0, 0, 0.9), 45)
    for name in ("Exhibits", "Finds", "Loans"):
        collection(name)
    keep("showcase-tidy/showcase_v1.blend", (0.2, 0, 0.8), 4.2)


def tableware() -> None:
    """A potter's set; every piece is of the same unglazed clay."""
    fresh()
    bench, pieces = collection("Bench"), collection("Tableware")
    wood, clay = material("Bench Wood", "9c7a54", 0.7), material("Bisque", "d8cbb8", 0.9)
    box("Bench", bench, (3, 1.4, 0.08), (0, 0, -0.04), wood)
    vase = lathe("Vase", pieces, [(0.14, 0), (0.24, 0.15), (0.28, 0.35), (0.2, 0.6), (0.09, 0.78), (0.13, 0.9)], (-0.55, 0.1, 0), clay)
    bowl = lathe("Bowl", pieces, [(0.12, 0), (0.28, 0.12), (0.36, 0.28), (0.33, 0.28), (0.25, 0.14), (0.02, 0.06)], (0.35, 0.1, 0), clay)
    lathe("Cup", pieces, [(0.1, 0), (0.12, 0.05), (0.13, 0.24), (0.115, 0.24), (0.1, 0.06), (0.02, 0.03)], (0.0, -0.4, 0), clay)
    assert vase.data.materials[0] == bowl.data.materials[0]
    lamp("Window", bench, "AREA", 110, (-1.6, -1.6, 2), (45, 0, -45), 1.4)
    camera("Camera", bench, (1.2, -2.8, 1.4), (0, 0, 0.3), 48)
    keep("glaze-vase/tableware_v1.blend", (0, 0, 0.35), 3.2)


def trophy() -> None:
    """A cup with an enamel crest at its side, so that its turning shows, on a round plinth."""
    scene = fresh()
    stage, product = collection("Stage"), collection("Product")
    gold, slate, paper = material("Gold", "d9a93a", 0.3), material("Slate", "3a4047", 0.6), material("Backdrop", "e6e4df", 0.9)
    box("Backdrop", stage, (12, 12, 0.1), (0, 0, -0.05), paper)
    lathe("Plinth", stage, [(0.5, 0), (0.5, 0.16), (0.46, 0.2)], (0, 0, 0), slate, 48)
    cup = lathe(
        "Trophy",
        product,
        [(0.26, 0), (0.24, 0.05), (0.06, 0.12), (0.05, 0.3), (0.2, 0.42), (0.32, 0.62), (0.36, 0.9), (0.33, 0.9), (0.28, 0.62), (0.02, 0.44)],
        (0, 0, 0.2),
        gold,
        40,
    )
    enamel = material("Enamel", "000000", 0.5)
    enamel.node_tree.nodes["Principled BSDF"].inputs["Emission"].default_value = linear("c8202c")
    enamel.node_tree.nodes["Principled BSDF"].inputs["Specular"].default_value = 0
    enamel.diffuse_color = linear("c8202c")
    crest = box("Crest", product, (0.34, 0.07, 0.4), (0.46, 0, 0.66), enamel)
    crest.parent = cup
    crest.location = (0.46, 0, 0.66)
    lamp("Softbox", stage, "AREA", 220, (-2, -2.2, 2.8), (42, 0, -42), 2)
    camera("Camera", stage, (0, -5, 1.9), (0, 0, 0.65), 50)
    scene.render.fps = 24
    scene.frame_end = 250
    scene.render.film_transparent = False
    keep("turntable/trophy_v1.blend", (0, 0, 0.6), 5)


def speaker() -> None:
    """A small loudspeaker that waits in the dark for its lights."""
    scene = fresh()
    stage, product = collection("Stage"), collection("Product")
    shell, cone, ring, sweep = (
        material("Shell", "c8553d", 0.45),
        material("Cone", "26282c", 0.6),
        material("Ring", "d8d8d4", 0.25, 1),
        material("Sweep", "8d9299", 0.9),
    )
    box("Sweep", stage, (14, 14, 0.1), (0, 0, -0.05), sweep)
    box("Cabinet", product, (0.9, 0.75, 1.4), (0, 0, 0.7), shell)
    for name, height, radius in (("Woofer", 0.48, 0.32), ("Tweeter", 1.08, 0.16)):
        disc = lathe(name, product, [(radius, 0), (radius * 0.95, 0.035), (radius * 0.35, 0.015), (0.01, 0.03)], (0, -0.375, height), cone, 36)
        disc.rotation_euler = (math.radians(90), 0, 0)
    rim = lathe("Ring", product, [(0.36, 0), (0.36, 0.006), (0.34, 0.01)], (0, -0.375, 0.48), ring, 36)
    rim.rotation_euler = (math.radians(90), 0, 0)
    camera("Camera", stage, (1.6, -4.6, 1.7), (0, 0, 0.68), 50)
    background(0.02, 0.02, 0.025)
    scene.render.resolution_x, scene.render.resolution_y = 320, 240
    keep("three-point-light/speaker_v1.blend", (0, 0, 0.6), 6)


chosen = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
for build in (desk, loft, flacon, exhibit, tableware, trophy, speaker):
    if not chosen or build.__name__ in chosen:
        build()
