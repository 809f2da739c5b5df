"""Makes artifacts/blend again: the real Blender saves the files (driven by its own Python, headless), and the probe of `blend` reads them.

    python tests/checks/artifacts/make_blend.py        needs blender 3.4; takes half a minute

Each `name.blend` has the probe's `name.json` beside it, so that the tests need no Blender.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from deskbench.checks.blend_facts import PROBE

HERE = Path(__file__).parent
OUT = HERE / "blend"

START = """
import bpy, math
scene = bpy.context.scene
cube, lamp, camera = (bpy.data.objects[name] for name in ("Cube", "Light", "Camera"))
"""

RIGHT = (
    START
    + """
cube.name = "Crate"
cube.location, cube.scale = (1.5, 0, 1), (1, 2, 1)
cube.rotation_euler = (0, 0, math.radians(45))
bevel = cube.modifiers.new("Bevel", "BEVEL"); bevel.width, bevel.segments = 0.05, 3
sub = cube.modifiers.new("Subdivision", "SUBSURF"); sub.render_levels = 2
material = bpy.data.materials.new("Copper"); material.use_nodes = True
shader = material.node_tree.nodes["Principled BSDF"]
shader.inputs["Base Color"].default_value = (0.955, 0.638, 0.538, 1)
shader.inputs["Metallic"].default_value, shader.inputs["Roughness"].default_value = 1, 0.25
cube.data.materials.clear(); cube.data.materials.append(material)
lamp.data.type, lamp.data.energy, lamp.data.color = "AREA", 500, (1, 0.8, 0.6)
lamp.data.size = 2
camera.data.lens = 85
scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "CYCLES", 1280, 720
scene.cycles.samples, scene.render.film_transparent = 64, True
scene.render.fps, scene.frame_end = 30, 120
for frame, x in ((1, 0), (60, 3)):
    cube.location.x = x
    cube.keyframe_insert("location", index=0, frame=frame)
curve = bpy.data.curves.new("Title", "FONT"); curve.body, curve.extrude, curve.size = "Harbour Days", 0.1, 0.8
title = bpy.data.objects.new("Title", curve)
group = bpy.data.collections.new("Lettering"); scene.collection.children.link(group); group.objects.link(title)
title.parent = cube
track = camera.constraints.new("TRACK_TO"); track.target = cube
world = scene.world; world.use_nodes = True
world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.05, 0.1, 0.2, 1)
world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.5
picture = bpy.data.images.new("label", 8, 8); picture.pixels[:] = [0.5] * 256; picture.update(); picture.pack()
texture = material.node_tree.nodes.new("ShaderNodeTexImage"); texture.image = picture
scene.use_nodes = True
glare = scene.node_tree.nodes.new("CompositorNodeGlare"); glare.glare_type = "FOG_GLOW"
layers, composite = scene.node_tree.nodes["Render Layers"], scene.node_tree.nodes["Composite"]
scene.node_tree.links.new(layers.outputs["Image"], glare.inputs["Image"])
scene.node_tree.links.new(glare.outputs["Image"], composite.inputs["Image"])
scene.timeline_markers.new("Turn", frame=60)
"""
)

NEARLY = (
    RIGHT
    + """
material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
bevel.segments, bevel.show_render = 2, False
spare = bpy.data.materials.new("Paint")
lamp.data.energy = 50
scene.render.resolution_percentage = 50
cube.hide_render = True
"""
)

SAVE = "\nbpy.ops.wm.save_as_mainfile(filepath={path!r}, compress=True)\n"


def make(name: str, script: str, work: Path) -> None:
    path = work / "in" / f"{name}.blend"
    path.parent.mkdir(exist_ok=True)
    (work / "make.py").write_text(script + SAVE.format(path=str(path)))
    _run(["blender", "-b", "--factory-startup", "--python-exit-code", "3", "--python", str(work / "make.py")], work)
    shutil.copyfile(path, OUT / f"{name}.blend")
    out = work / "out"
    out.mkdir(exist_ok=True)
    for file, text in PROBE.files.items():
        (work / "probe").mkdir(exist_ok=True)
        (work / "probe" / file).write_text(text)
    _run([part.format(file=str(path), out=str(out)) for part in PROBE.argv], work)
    shutil.copyfile(out / "scene.json", OUT / f"{name}.json")


def _run(argv: list[str], home: Path) -> None:
    done = subprocess.run(argv, cwd=home, env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{argv[0]} ended with {done.returncode}: {done.stdout[-800:]} {done.stderr[-800:]}")


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    for name, script in {"start": START, "right": RIGHT, "nearly": NEARLY}.items():
        with tempfile.TemporaryDirectory() as folder:
            make(name, script, Path(folder))


if __name__ == "__main__":
    main()
