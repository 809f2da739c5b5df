"""Draws what the Inkscape tasks start from: plates, maps, labels, signs and charts, each as a designer would have left it.

    python packs/make_assets/inkscape.py

Everything is written from the numbers below, so that the same files come out again. Our own work, CC0.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

PACK = Path(__file__).resolve().parent.parent / "inkscape"


def svg(
    width: float, height: float, body: str, *, zoom: float, name: str, unit: str = "px", scale: float = 1.0, defs: str = "", view: str = ""
) -> str:
    """A drawing of so many units; `scale` user units make one of them."""
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" width="{width:g}{unit}" height="{height:g}{unit}" viewBox="0 0 {width * scale:g} {height * scale:g}" id="{name}">
  <sodipodi:namedview id="view" pagecolor="#ffffff" inkscape:document-units="{unit}" inkscape:zoom="{zoom:g}" inkscape:cx="{width * scale / 2:g}" inkscape:cy="{height * scale / 2:g}"{view}/>
  <defs id="defs">{defs}</defs>
{body.rstrip()}
</svg>
"""


def put(task: str, name: str, text: str) -> None:
    (PACK / task).mkdir(parents=True, exist_ok=True)
    (PACK / task / name).write_text(text, encoding="utf-8")


def plate() -> None:
    """A door plate for the laser cutter with three proposals for how it hangs."""
    body = """  <rect id="plate" x="80" y="90" width="640" height="320" rx="28" ry="28" style="fill:#c79a63;stroke:none"/>
  <circle id="round" cx="146" cy="250" r="26" style="fill:#f2c230;stroke:none"/>
  <rect id="slot" x="330" y="112" width="140" height="30" rx="15" ry="15" style="fill:#f2c230;stroke:none"/>
  <path id="keyhole" d="M 632,214 A 24,24 0 1 1 656,214 L 662,300 L 626,300 Z" style="fill:#f2c230;stroke:none"/>
  <text id="name" x="400" y="248" style="font-family:'DejaVu Serif';font-size:64px;font-weight:bold;text-anchor:middle;fill:#4a2f16">Studio 7</text>
  <text id="craft" x="400" y="312" style="font-family:'DejaVu Sans';font-size:26px;letter-spacing:3px;text-anchor:middle;fill:#4a2f16">Bookbinding &amp; Paper</text>
"""
    put("plate-cutout", "door-plate.svg", svg(800, 500, body, zoom=1.2, name="door-plate"))


def bars() -> None:
    """The frame of an annual report's bar chart: heading, base line, scale and the names of four branches, but no bars yet."""
    lines = "".join(
        f"""    <path id="line-{value}" d="M 90,{480 - value / 10:g} H 840" style="fill:none;stroke:#d9dde3;stroke-width:1"/>
    <text id="scale-{value}" x="80" y="{484 - value / 10:g}" style="font-family:'DejaVu Sans';font-size:13px;text-anchor:end;fill:#7a8494">{value:,}</text>
"""
        for value in (1000, 2000, 3000)
    )
    names = "".join(
        f"""    <text id="name-{at}" x="{180 + 180 * at}" y="508" style="font-family:'DejaVu Sans';font-size:17px;text-anchor:middle;fill:#27303f">{name}</text>
"""
        for at, name in enumerate(("Harbour", "Old Mill", "Northgate", "Riverside"))
    )
    body = f"""  <g id="frame" inkscape:groupmode="layer" inkscape:label="Frame" sodipodi:insensitive="true">
    <rect id="paper" x="0" y="0" width="900" height="600" style="fill:#fbfaf7"/>
    <text id="heading" x="90" y="72" style="font-family:'DejaVu Sans';font-size:30px;font-weight:bold;fill:#27303f">Loans per branch</text>
    <text id="subheading" x="90" y="104" style="font-family:'DejaVu Sans';font-size:17px;fill:#7a8494">Town libraries, spring term</text>
{lines}    <path id="base" d="M 90,480 H 840" style="fill:none;stroke:#27303f;stroke-width:2"/>
{names}    <text id="source" x="90" y="570" style="font-family:'DejaVu Sans';font-size:13px;fill:#7a8494">Source: lending desk, counted in May</text>
  </g>
  <g id="chart" inkscape:groupmode="layer" inkscape:label="Chart"/>
"""
    put("loans-chart", "loans.svg", svg(900, 600, body, zoom=1.2, name="loans", view=' inkscape:current-layer="chart"'))


def trails() -> None:
    """A hiking map of a small park: lake, wood, paths in full lines, car park and hut."""
    font = "font-family:'DejaVu Sans';fill:#2d3a2e"
    body = f"""  <rect id="land" x="0" y="0" width="900" height="600" style="fill:#e6edd3"/>
  <path id="wood" d="M 40,60 C 160,10 330,40 380,120 C 420,190 330,260 220,250 C 110,245 0,200 10,130 C 15,95 20,75 40,60 Z" style="fill:#b7cf98"/>
  <path id="lake" d="M 560,300 C 640,250 780,270 820,340 C 850,400 790,470 690,465 C 600,462 500,360 560,300 Z" style="fill:#a8d0e6;stroke:#6fa8c7;stroke-width:2"/>
  <path id="road" d="M 0,545 C 250,515 600,560 900,520" style="fill:none;stroke:#ffffff;stroke-width:14"/>
  <path id="ridge" d="M 120,505 C 90,400 110,320 190,280 C 290,230 360,260 430,180 C 480,125 560,110 640,120" style="fill:none;stroke:#8a5a2b;stroke-width:4"/>
  <path id="shore" d="M 150,500 C 260,420 420,440 520,400 C 560,470 700,520 830,440" style="fill:none;stroke:#2f6b4f;stroke-width:4"/>
  <path id="gorge" d="M 640,125 C 720,150 860,160 850,260 C 845,310 850,350 838,432" style="fill:none;stroke:#b5452f;stroke-width:4"/>
  <circle id="parking" cx="135" cy="510" r="15" style="fill:#2a5d9f"/>
  <text id="parking-sign" x="135" y="517" style="font-family:'DejaVu Sans';font-size:19px;font-weight:bold;text-anchor:middle;fill:#ffffff">P</text>
  <path id="hut" d="M 622,122 L 640,98 L 658,122 L 658,140 L 622,140 Z" style="fill:#6b4a2f"/>
  <text id="title" x="40" y="48" style="{font};font-size:26px;font-weight:bold">Ellerbeck Park, walks</text>
  <text id="ridge-name" x="230" y="238" style="{font};font-size:17px">Ridge walk</text>
  <text id="shore-name" x="285" y="470" style="{font};font-size:17px">Shore walk</text>
  <text id="gorge-name" x="724" y="222" style="{font};font-size:17px">Gorge walk</text>
  <text id="lake-name" x="690" y="380" style="font-family:'DejaVu Serif';font-style:italic;font-size:20px;text-anchor:middle;fill:#34708f">Eller Water</text>
  <text id="hut-name" x="668" y="112" style="{font};font-size:15px">Hut</text>
"""
    put("trail-dashes", "park-map.svg", svg(900, 600, body, zoom=1.2, name="park-map"))


def noise(rng: np.random.Generator, height: int, width: int, cell: float, octaves: int = 5) -> np.ndarray:
    """Smooth noise from 0 to 1."""
    total, weight = np.zeros((height, width)), 0.0
    for octave in range(octaves):
        size = cell / 2**octave
        grid = Image.fromarray(rng.random((int(height / size) + 3, int(width / size) + 3)).astype(np.float32), mode="F")
        total += np.asarray(grid.resize((width, height), Image.Resampling.BICUBIC)) / 2**octave
        weight += 1 / 2**octave
    return total / weight


def meadow(width: int = 900, height: int = 675) -> Image.Image:
    """A flowering meadow in the evening under a hazy sky, with a wood at its far end."""
    rng = np.random.default_rng(7)
    down = np.linspace(0, 1, height)[:, None, None]
    haze = noise(rng, height, width, 220)[..., None]
    sky = np.array([108, 158, 205]) * (1 - down * 2) + np.array([250, 222, 170]) * (down * 2) + (haze - 0.5) * 50
    near = np.clip((down - 0.45) / 0.55, 0, 1)
    blades = noise(rng, height, width, 26)[..., None] * 0.6 + noise(rng, height, width, 7, 3)[..., None] * 0.4
    grass = np.array([146, 158, 74]) * (1 - near) + np.array([78, 120, 40]) * near + (blades - 0.5) * (40 + 90 * near)
    skyline = 0.40 + 0.05 * noise(rng, 1, width, 60)[0] - 0.03
    picture = np.where(down > 0.45, grass, sky)
    wood = (down[..., 0] > skyline[None, :]) & (down[..., 0] <= 0.455)
    picture[wood] = (np.array([58, 84, 62]) + (noise(rng, height, width, 12)[..., None] - 0.5) * 40)[wood]
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)).convert("RGB")
    draw = ImageDraw.Draw(image)
    for _ in range(900):
        depth = rng.random() ** 0.6
        x, y, r = rng.random() * width, height * (0.47 + 0.53 * depth), 0.8 + 5.5 * depth * rng.random()
        colour = [(250, 214, 60), (245, 245, 240), (214, 96, 140), (150, 110, 190)][int(rng.integers(4))]
        draw.ellipse([x - r, y - r * 0.7, x + r, y + r * 0.7], fill=colour)
    return image.filter(ImageFilter.GaussianBlur(0.6))


def honey() -> None:
    """A jar label with a linked photo that is still a rectangle, and a circle over it that shows where the photo belongs."""
    body = f"""  <rect id="label" x="0" y="0" width="720" height="540" rx="24" ry="24" style="fill:#fff6df"/>
  <rect id="band" x="0" y="408" width="720" height="132" style="fill:#b9771e"/>
  <image id="photo" x="140" y="40" width="480" height="360" preserveAspectRatio="none" xlink:href="meadow.jpg"/>
  <circle id="spot" cx="{360}" cy="{216}" r="{150}" style="fill:#ffffff;fill-opacity:0.25;stroke:#5a3a0c;stroke-width:2"/>
  <text id="brand" x="360" y="462" style="font-family:'DejaVu Serif';font-size:40px;font-weight:bold;text-anchor:middle;fill:#fff6df">Larkfield Honey</text>
  <text id="weight" x="360" y="508" style="font-family:'DejaVu Sans';font-size:22px;text-anchor:middle;fill:#fff6df">Summer blossom, 250 g</text>
"""
    put("honey-label", "label.svg", svg(720, 540, body, zoom=1.3, name="honey"))
    meadow().save(PACK / "honey-label" / "meadow.jpg", quality=82)


def sign() -> None:
    """The template of a public building's room signs: panel, arrow, room and floor."""
    body = """  <rect id="panel" x="20" y="20" width="960" height="360" rx="30" ry="30" style="fill:#8a8f98"/>
  <rect id="field" x="50" y="50" width="220" height="300" rx="18" ry="18" style="fill:#20262e"/>
  <g id="arrow">
    <rect id="shaft" x="147" y="185" width="26" height="95" style="fill:#ffffff"/>
    <path id="head" d="M 105,190 L 160,120 L 215,190 Z" style="fill:#ffc94a"/>
  </g>
  <text id="room" xml:space="preserve" x="310" y="215" style="font-family:'DejaVu Sans';font-size:72px;font-weight:bold;fill:#ffffff">Room name</text>
  <text id="floor" xml:space="preserve" x="312" y="290" style="font-family:'DejaVu Sans';font-size:36px;fill:#ffffff">Second floor</text>
"""
    put("room-signs", "sign-template.svg", svg(1000, 400, body, zoom=0.9, name="sign"))


def fabric() -> None:
    """A sheet for a block-printed cloth with one leaf sprig in its corner, which is to be repeated."""
    body = """  <rect id="cloth" x="0" y="0" width="840" height="600" style="fill:#f4ead7"/>
  <path id="sprig" d="M 70,118 C 66,100 66,84 70,62 C 56,70 46,66 42,52 C 56,48 66,52 70,60 C 70,48 72,40 70,28 C 78,36 80,46 74,58 C 82,50 92,48 100,54 C 94,68 84,70 74,64 C 72,84 74,100 76,118 Z" style="fill:#3f6b54"/>
"""
    put("cloth-tiles", "cloth.svg", svg(840, 600, body, zoom=1.1, name="cloth-sheet"))


def shop() -> None:
    """A shop window lettering, drawn on a page that is far too large for it."""
    body = f"""  <rect id="board" x="180" y="210" width="{640}" height="220" rx="16" ry="16" style="fill:#143d36"/>
  <rect id="rule" x="220" y="348" width="560" height="4" style="fill:#e9c46a"/>
  <text id="name" xml:space="preserve" x="500" y="320" style="font-family:'DejaVu Serif';font-size:66px;font-weight:bold;text-anchor:middle;fill:#e9c46a">Quill &amp; Crumb</text>
  <text id="trade" xml:space="preserve" x="500" y="396" style="font-family:'DejaVu Sans';font-size:30px;letter-spacing:4px;text-anchor:middle;fill:#f4efe2">Bakery and Bookshop</text>
"""
    put("shop-lettering", "window.svg", svg(1000, 700, body, zoom=1, name="window"))


def main() -> None:
    plate()
    bars()
    trails()
    honey()
    sign()
    fabric()
    shop()


if __name__ == "__main__":
    main()
