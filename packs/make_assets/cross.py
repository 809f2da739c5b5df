"""Makes the assets of the cross pack again; what other packs have already is taken from there. Our own work, CC0.

    python packs/make_assets/cross.py

It calls Blender for the scene of label-texture, which comes out the same each time, though not byte for byte.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

PACKS = Path(__file__).resolve().parents[1]
FONTS = Path("/usr/share/fonts/truetype/dejavu")

WRAP = """
import bpy, math
label = bpy.data.objects["Label"].data
points = label.uv_layers.new(name="Wrap").data
for face in label.polygons:
    middle = math.atan2(face.center.x, -face.center.y)
    for loop in face.loop_indices:
        at = label.vertices[label.loops[loop].vertex_index].co
        turn = math.atan2(at.x, -at.y)
        turn += 2 * math.pi * round((middle - turn) / (2 * math.pi))
        points[loop].uv = (turn / (2 * math.pi) + 0.5, (at.z - 0.25) / 0.35)
tree = bpy.data.materials["Label"].node_tree
paper = tree.nodes.new("ShaderNodeTexImage")
paper.location = (-320, 280)
paper.image = bpy.data.images.load({label!r})
tree.links.new(paper.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
tree.nodes.active = paper
for screen in bpy.data.screens:
    for area in screen.areas:
        if area.type == "VIEW_3D":
            area.spaces[0].shading.color_type = "TEXTURE"
bpy.ops.wm.save_as_mainfile(filepath={scene!r}, relative_remap=True, compress=True)
paper.image.filepath = "//label.png"
bpy.ops.wm.save_as_mainfile(filepath={scene!r}, relative_remap=False, compress=True)
"""


def poster() -> None:
    """The market's poster, whose texts keep the spaces that are typed into them."""
    text = (PACKS / "inkscape/title-size/poster.svg").read_text()
    (PACKS / "cross/market-poster/poster.svg").write_text(text.replace("<text ", '<text xml:space="preserve" '))


def label() -> None:
    """A paper label that goes round a scent bottle, and the bottle of bottle-rig with it on."""
    folder = PACKS / "cross/label-texture"
    wide, high = 1600, 240
    picture = Image.new("RGB", (wide, high), "#f2ead8")
    draw = ImageDraw.Draw(picture)
    for top in (0, high - 40):
        draw.rectangle((0, top, wide, top + 39), fill="#b03a48")
        for x in range(20, wide, 40):
            draw.ellipse((x - 7, top + 13, x + 7, top + 27), fill="#f2ead8")
    large, small = (ImageFont.truetype(str(FONTS / name), size) for name, size in (("DejaVuSerif-Bold.ttf", 64), ("DejaVuSerif.ttf", 26)))
    for x in (0, wide // 2, wide):
        draw.text((x, 105), "FERN & AMBER", font=large, fill="#b03a48", anchor="mm")
        draw.text((x, 165), "eau de toilette  50 ml", font=small, fill="#3a3430", anchor="mm")
    picture.save(folder / "label.png", optimize=True)
    script = WRAP.replace("{label!r}", repr(str(folder / "label.png"))).replace("{scene!r}", repr(str(folder / "flacon_v1.blend")))
    subprocess.run(["blender", "-b", str(PACKS / "blender/bottle-rig/flacon_v1.blend"), "--python-expr", script], check=True, capture_output=True)
    (folder / "flacon_v1.blend1").unlink(missing_ok=True)


if __name__ == "__main__":
    poster()
    label()
