"""Draws the pictures of the GIMP tasks: an embroidered crest, a herbarium sheet, a mug, frames of a seedling, a shop front, a jug, a garden plan.

    python packs/make_assets/gimp.py

Everything is computed with fixed seeds, so that the same files come out again. Our own work, CC0.
"""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

import numpy as np
from photos import blend, finish, noise, ramp
from PIL import Image, ImageDraw, ImageFilter, ImageFont

PACK = Path(__file__).resolve().parent.parent / "gimp"
FONTS = Path("/usr/share/fonts/truetype")
Array = np.ndarray


def font(size: int, name: str = "dejavu/DejaVuSans-Bold.ttf") -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / name), size)


def place(task: str, name: str) -> Path:
    target = PACK / task / name
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def told(target: Path, size: tuple[int, int]) -> None:
    print(target.relative_to(PACK), size, target.stat().st_size)


def rgb(*values: float) -> Array:
    return np.array(values, dtype=float)


# GIMP's own format, as much of it as the tasks need: layers one above the other, and saved channels.


def xcf(size: tuple[int, int], layers: list[tuple[str, Array, tuple[int, int]]], channels: list[tuple[str, Array]] = []) -> bytes:  # noqa: B006
    """An image with layers from the top down (red, green, blue, perhaps alpha) and channels, its tiles packed with zlib."""
    width, height = size
    head = b"gimp xcf v008\0" + struct.pack(">IIII", width, height, 0, 150)
    head += struct.pack(">II", 17, 1) + b"\2" + struct.pack(">IIff", 19, 8, 72.0, 72.0) + struct.pack(">II", 0, 0)
    at = len(head) + 4 * (len(layers) + 1 + len(channels) + 1)
    body, layer_places, channel_places = b"", [], []
    for name, pixels, offset in layers:
        layer_places.append(at + len(body))
        body += _drawable(name, pixels, at + len(body), offset, active=not body)
    for name, pixels in channels:
        channel_places.append(at + len(body))
        body += _drawable(name, pixels[..., None], at + len(body), None, active=False)
    return head + struct.pack(f">{len(layers)}II", *layer_places, 0) + struct.pack(f">{len(channels)}II", *channel_places, 0) + body


def _drawable(name: str, pixels: Array, at: int, offset: tuple[int, int] | None, *, active: bool) -> bytes:
    height, width, deep = pixels.shape
    said = name.encode() + b"\0"
    head = struct.pack(">II", width, height) + (struct.pack(">I", 1 if deep == 4 else 0) if offset is not None else b"")
    head += struct.pack(">I", len(said)) + said
    if active:
        head += struct.pack(">II", 2, 0)
    head += struct.pack(">III", 6, 4, 255) + struct.pack(">III", 8, 4, 1 if offset is not None else 0)
    if offset is not None:
        head += struct.pack(">III", 7, 4, 28) + struct.pack(">IIii", 15, 8, *offset)
    else:
        head += struct.pack(">II", 16, 3) + bytes((0, 0, 0))
    head += struct.pack(">II", 0, 0)
    pointers = 8 if offset is not None else 4
    hierarchy = at + len(head) + pointers
    head += struct.pack(">I", hierarchy) + (struct.pack(">I", 0) if offset is not None else b"")
    level = hierarchy + 12 + 8
    head += struct.pack(">IIIII", width, height, deep, level, 0)
    tiles = [
        zlib.compress(np.ascontiguousarray(np.moveaxis(pixels[y : y + 64, x : x + 64], -1, -1)).astype(np.uint8).tobytes(), 9)
        for y in range(0, height, 64)
        for x in range(0, width, 64)
    ]
    first = level + 8 + 4 * (len(tiles) + 1)
    places, whole = [], b""
    for tile in tiles:
        places.append(first + len(whole))
        whole += tile
    return head + struct.pack(">II", width, height) + struct.pack(f">{len(places)}II", *places, 0) + whole


# Pictures


def crest(side: int = 600) -> Image.Image:
    """The crest of a rowing club: a heron before reeds and a setting sun, with shaded colours."""
    big = side * 2
    y, x = np.mgrid[0:big, 0:big] / big
    sky = ramp([(0, (28, 62, 110)), (0.45, (216, 120, 84)), (0.62, (248, 206, 120))], y)
    far = np.hypot(x - 0.56, y - 0.5)
    sky = blend(sky, np.broadcast_to(rgb(255, 240, 190), sky.shape), np.clip((0.14 - far) * 80, 0, 1))
    sea = ramp([(0.62, (120, 150, 150)), (1, (16, 58, 84))], y) + 14 * np.sin(y * 190 + 2 * np.sin(x * 23))[..., None]
    inside = blend(sky, sea, (y > 0.62).astype(float))
    picture = Image.fromarray(np.clip(inside, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(picture)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(px * big, py * big) for px, py in points]

    rng = np.random.default_rng(5)
    for root in np.linspace(0.12, 0.9, 26):
        lean, tall = rng.normal(0, 0.03), rng.uniform(0.12, 0.3)
        if 0.33 < root < 0.6:
            tall *= 0.35
        shade = int(rng.integers(0, 40))
        pen.line(
            at((root, 0.98), (root + lean * 0.4, 0.98 - tall * 0.6), (root + lean, 0.98 - tall)), fill=(40 + shade, 84 + shade, 44), width=big // 130
        )
    body = [(0.37, 0.60), (0.42, 0.55), (0.50, 0.54), (0.58, 0.60), (0.66, 0.70), (0.57, 0.69), (0.48, 0.69), (0.40, 0.66)]
    pen.polygon(at(*body), fill=(92, 112, 138))
    pen.polygon(at((0.44, 0.58), (0.55, 0.60), (0.66, 0.70), (0.52, 0.67)), fill=(60, 76, 104))
    pen.line(at((0.40, 0.61), (0.36, 0.52), (0.41, 0.44), (0.37, 0.36), (0.38, 0.33)), fill=(214, 220, 228), width=big // 38, joint="curve")
    pen.ellipse([*at((0.35, 0.295))[0], *at((0.42, 0.355))[0]], fill=(224, 230, 236))
    pen.polygon(at((0.36, 0.31), (0.24, 0.345), (0.365, 0.345)), fill=(232, 160, 44))
    pen.line(at((0.39, 0.315), (0.47, 0.345)), fill=(34, 44, 62), width=big // 90)
    pen.ellipse([*at((0.372, 0.315))[0], *at((0.384, 0.327))[0]], fill=(20, 24, 30))
    for foot in (0.47, 0.51):
        pen.line(at((foot, 0.68), (foot - 0.01, 0.80), (foot, 0.93)), fill=(180, 120, 52), width=big // 90)
    round_ = np.asarray(picture).astype(float)
    middle = np.hypot(x - 0.5, y - 0.5)
    ring = ramp([(0, (24, 52, 46)), (1, (58, 108, 90))], np.clip((x + y) / 2, 0, 1))
    whole = blend(round_, ring, np.clip((middle - 0.375) * big / 2, 0, 1))
    gold = rgb(206, 166, 84) * (0.82 + 0.3 * np.clip(1 - (x + y) / 1.6, 0, 1))[..., None]
    for edge, wide in ((0.375, 0.008), (0.484, 0.009)):
        whole = blend(whole, gold, np.clip((wide - np.abs(middle - edge)) * big / 2, 0, 1))
    whole = blend(whole, np.full_like(whole, 250.0), np.clip((middle - 0.492) * big / 2, 0, 1))
    picture = Image.fromarray(np.clip(whole, 0, 255).astype(np.uint8))
    for words, start, radius, turn in (("HERON REACH", -90, 0.432, 1), ("ROWING CLUB", 90, 0.432, -1)):
        step = 10.2
        for number, letter in enumerate(words):
            angle = math.radians(start + turn * (number - (len(words) - 1) / 2) * step)
            tile = Image.new("L", (big // 8, big // 8))
            ImageDraw.Draw(tile).text((big // 16, big // 16), letter, font=font(big // 18), fill=255, anchor="mm")
            tile = tile.rotate(-math.degrees(angle) - 90 if turn == 1 else -math.degrees(angle) + 90, resample=Image.Resampling.BICUBIC)
            place_ = round(big * (0.5 + radius * math.cos(angle)) - big / 16), round(big * (0.5 + radius * math.sin(angle)) - big / 16)
            picture.paste((236, 206, 130), place_, tile)
    return picture.resize((side, side), Image.Resampling.LANCZOS)


def herbarium(width: int = 1200, height: int = 1600) -> Image.Image:
    """A pressed fern on a yellowed sheet, with its label and a scale bar."""
    rng = np.random.default_rng(19)
    paper = ramp([(0, (236, 228, 206)), (1, (226, 214, 186))], np.mgrid[0:height, 0:width][0] / height)
    paper += (noise(rng, height, width, 260, 6)[..., None] - 0.5) * 22 + rng.normal(0, 1.5, (height, width, 1))
    sheet = Image.fromarray(np.clip(paper, 0, 255).astype(np.uint8))
    plant = Image.new("RGBA", (width, height))
    pen = ImageDraw.Draw(plant)

    def frond(x: float, y: float, angle: float, length: float, depth: int) -> None:
        """A stem that bends a little, with leaflets in pairs that shorten towards the tip."""
        count = 34 if depth else 13
        bend = rng.normal(0, 0.0035 if depth else 0.02)
        for number in range(count):
            share = number / count
            step = length / count
            to = x + step * math.cos(angle), y - step * math.sin(angle)
            green = (78 + int(rng.integers(-14, 14)), 92 + int(rng.integers(-12, 16)), 44)
            pen.line([(x, y), to], fill=(86, 74, 40) if depth else green, width=max(1, round((6 if depth else 3) * (1 - share))))
            x, y = to
            angle += bend
            reach = length * (0.30 if depth else 0.20) * math.sin(math.pi * (0.12 + 0.86 * share)) ** 0.8 * (1.12 - share * 0.5)
            for side in (1, -1):
                out = angle + side * (1.15 - 0.3 * share)
                if depth:
                    if number > 2:
                        frond(x, y, out, reach, 0)
                else:
                    tip = x + reach * math.cos(out), y - reach * math.sin(out)
                    mid = (x + tip[0]) / 2 + 2.4 * math.sin(out), (y + tip[1]) / 2 + 2.4 * math.cos(out)
                    low = (x + tip[0]) / 2 - 2.4 * math.sin(out), (y + tip[1]) / 2 - 2.4 * math.cos(out)
                    pen.polygon([(x, y), mid, tip, low], fill=green)

    frond(600, 1330, 1.63, 1130, 1)
    shadow = Image.new("RGBA", plant.size, (70, 56, 30, 0))
    shadow.putalpha(plant.getchannel("A").filter(ImageFilter.GaussianBlur(5)).point(lambda value: value * 0.45))
    sheet.paste(shadow, (5, 7), shadow)
    sheet.paste(plant, (0, 0), plant)
    pen = ImageDraw.Draw(sheet)
    for x, y, turned in ((560, 1240, 0.1), (560, 860, -0.05), (585, 480, 0.08)):
        pen.polygon(
            [(x, y), (x + 90, y - 90 * turned), (x + 92, y + 18 - 90 * turned), (x + 2, y + 18)], fill=(240, 236, 222), outline=(206, 198, 172)
        )
    pen.rectangle([730, 1330, 1150, 1550], fill=(244, 240, 228), outline=(150, 138, 110), width=2)
    for row, (words, size) in enumerate(
        (
            ("Herbarium Vell Valley", 27),
            ("Dryopteris filix-mas", 24),
            ("wet ravine below the mill,", 21),
            ("on limestone, 412 m", 21),
            ("leg. I. Marrow   No. 2183", 21),
        )
    ):
        pen.text(
            (752, 1346 + row * 39), words, font=font(size, "dejavu/DejaVuSerif-Bold.ttf" if row < 2 else "dejavu/DejaVuSerif.ttf"), fill=(52, 44, 34)
        )
    for number in range(10):
        pen.rectangle(
            [60 + number * 40, 1510, 100 + number * 40, 1530], fill=(40, 38, 36) if number % 2 == 0 else (244, 242, 236), outline=(40, 38, 36)
        )
    pen.text((60, 1540), "0", font=font(18), fill=(40, 38, 36))
    pen.text((420, 1540), "10 cm", font=font(18), fill=(40, 38, 36))
    return sheet.filter(ImageFilter.GaussianBlur(0.5))


def mug(width: int = 960, height: int = 720) -> tuple[Array, Array]:
    """An enamel mug on a wooden table before a sage wall; and where its red enamel is, from 0 to 255."""
    rng = np.random.default_rng(47)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    edge = 430
    wall = np.broadcast_to(rgb(146, 158, 136), (height, width, 3)) * (1.08 - 0.28 * np.hypot(x / width - 0.3, y / height - 0.2))[..., None]
    wall = wall + (noise(rng, height, width, 90, 5)[..., None] - 0.5) * 10
    grain = noise(rng, height, width, 26, 5, 14) + 0.25 * np.sin(noise(rng, height, width, 120, 3, 6) * 60)
    table = blend(np.broadcast_to(rgb(118, 82, 50), wall.shape), np.broadcast_to(rgb(178, 134, 86), wall.shape), np.clip(grain, 0, 1))
    table = table * (0.86 + 0.24 * np.clip((y - edge) / 290, 0, 1))[..., None]
    for seam in (520, 640):
        table = table * (1 - 0.45 * np.exp(-(((y - seam) / 1.6) ** 2)))[..., None]
    picture = blend(wall, table, np.clip(y - edge, 0, 1))
    middle, half, top, foot, tilt = 450.0, 130.0, 190.0, 540.0, 0.20
    shadow = np.exp(-((np.clip(np.abs(x - middle - 70) - 120, 0, None) / 60) ** 2) - (((y - foot - 6) / 26) ** 2))
    picture = picture * (1 - 0.62 * shadow)[..., None]
    across = np.clip((x - middle) / half, -1, 1)
    curve = half * tilt * np.sqrt(1 - across**2)
    body = np.clip(half - np.abs(x - middle) + 0.5, 0, 1) * np.clip(y - (top + 0 * curve), 0, 1) * np.clip(foot + curve - y + 0.5, 0, 1)
    rim = np.clip(1 - np.hypot((x - middle) / half, (y - top) / (half * tilt)), -1, 1) * half * tilt
    lid = np.clip(rim + 0.5, 0, 1)
    body = np.maximum(body, lid)
    ringed = np.hypot((x - (middle + half + 8)) / 1.0, (y - 352) / 1.25)
    handle = np.clip(19 - np.abs(ringed - 74) + 0.5, 0, 1) * (x > middle + half - 12)
    turned = np.clip((ringed - 74) / 19, -1, 1)
    glow = 0.62 + 0.42 * np.sqrt(np.clip(1 - (across + 0.35) ** 2, 0, 1)) - 0.12 * np.clip(across, 0, 1)
    shine = 0.55 * np.exp(-(((across + 0.55) / 0.06) ** 2)) * np.clip((y - top - 60) / 40, 0, 1) * np.clip((foot - 50 - y) / 40, 0, 1)
    enamel = rgb(186, 44, 38)
    face = enamel * glow[..., None] + 255 * shine[..., None] * 0.6
    loop = enamel * (0.66 + 0.4 * np.sqrt(np.clip(1 - (turned + 0.25) ** 2, 0, 1)))[..., None]
    picture = blend(picture, loop, handle)
    picture = blend(picture, face, body)
    cream = rgb(236, 228, 210) * (0.72 + 0.28 * np.clip((y - top) / (half * tilt), -1, 1))[..., None]
    well = np.clip(rim - 4.5, 0, 1)
    picture = blend(picture, cream, well)
    tea = np.clip(1 - np.hypot((x - middle) / (half * 0.9), (y - top - 9) / (half * tilt * 0.78)), -1, 1) * half * tilt
    picture = blend(picture, np.broadcast_to(rgb(94, 52, 24), picture.shape) * (0.9 + 0.25 * (across + 1) / 2)[..., None], np.clip(tea, 0, 1) * well)
    base = np.clip(6 - np.abs(y - foot - curve + 3), 0, 1) * np.clip(half - np.abs(x - middle) + 0.5, 0, 1)
    picture = blend(picture, np.broadcast_to(rgb(34, 40, 52), picture.shape), base)
    red = np.clip(np.maximum(body, handle) - well - base, 0, 1)
    return np.asarray(finish(rng, picture)), (red * 255).round().astype(np.uint8)


def jug(width: int = 800, height: int = 900) -> Image.Image:
    """A stoneware jug with two handles, photographed before a blue paper backdrop that shows through the handles."""
    rng = np.random.default_rng(83)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    paper = np.broadcast_to(rgb(70, 128, 176), (height, width, 3)) + (noise(rng, height, width, 300, 3)[..., None] - 0.5) * 8
    middle = width / 2
    outline = [
        (150, 62),
        (172, 74),
        (190, 56),
        (240, 46),
        (300, 60),
        (380, 138),
        (470, 176),
        (560, 172),
        (660, 128),
        (740, 88),
        (770, 84),
        (786, 96),
        (800, 96),
    ]
    half = np.interp(y, [row for row, _ in outline], [wide for _, wide in outline], left=0, right=0)
    smooth = np.convolve(np.pad(half[:, 0], 9, mode="edge"), np.ones(19) / 19, mode="same")[9:-9]
    half = np.where((y >= 150) & (y < 800), np.maximum(smooth[:, None], 30), 0.0)
    body = np.clip(half - np.abs(x - middle) + 0.5, 0, 1) * (half > 0)
    across = np.clip((x - middle) / np.maximum(half, 1), -1, 1)
    clay = blend(np.broadcast_to(rgb(176, 118, 74), paper.shape), np.broadcast_to(rgb(146, 88, 52), paper.shape), noise(rng, height, width, 50, 5, 3))
    clay = clay + (np.sin(y / 3.1 + 2 * noise(rng, height, width, 90, 2)) * 3)[..., None]
    for low, high in ((420, 434), (446, 452), (600, 612)):
        clay = np.where(((y > low + 10 * np.sqrt(1 - across**2)) & (y < high + 10 * np.sqrt(1 - across**2)))[..., None], rgb(52, 38, 30), clay)
    waves = np.abs(y - (524 + 12 * np.sqrt(1 - across**2) + 18 * np.sin(np.arcsin(across) * 9))) < 6
    clay = np.where(waves[..., None], rgb(58, 42, 34), clay)
    light = 0.42 + 0.72 * np.sqrt(np.clip(1 - (across + 0.38) ** 2 / 1.9, 0, 1)) - 0.2 * np.clip(across, 0, 1)
    picture = paper
    for side in (-1, 1):
        ring = np.hypot((x - (middle + side * 96)) / 0.82, y - 300)
        loop = np.clip(17 - np.abs(ring - 84) + 0.5, 0, 1) * (side * (x - middle) > 30)
        shade = 0.5 + 0.5 * np.sqrt(np.clip(1 - ((ring - 84) / 17 + 0.3) ** 2, 0, 1)) * (1.0 if side < 0 else 0.78)
        picture = blend(picture, clay * shade[..., None], loop)
    picture = blend(picture, clay * light[..., None], body)
    mouth = np.clip(1 - np.hypot((x - middle) / 56, (y - 158) / 9), 0, 1)
    picture = blend(picture, np.broadcast_to(rgb(48, 32, 24), picture.shape), np.clip(mouth * 8, 0, 1))
    grain = rng.normal(0, 1.2, (height, width, 1))
    return Image.fromarray(np.clip(picture + grain, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.6))


def shop_front(tilt: float, width: int = 1500, height: int = 1000) -> Image.Image:
    """A bakery seen from across the street by somebody who held the camera askew. The board above the window is one even green."""
    big = 1900, 1500
    rng = np.random.default_rng(61)
    y, x = np.mgrid[0 : big[1], 0 : big[0]].astype(float)
    row = np.floor(y / 26)
    shift = (row % 2) * 34
    mortar = ((y % 26) < 3) | (((x + shift) % 68) < 3)
    shade = rng.random((int(big[1] / 26) + 2, int(big[0] / 68) + 3))[row.astype(int), np.floor((x + shift) / 68).astype(int)]
    brick = rgb(150, 92, 74) * (0.82 + 0.3 * shade)[..., None] + (noise(rng, big[1], big[0], 12, 3)[..., None] - 0.5) * 26
    wall = np.where(mortar[..., None], rgb(172, 160, 146) + (noise(rng, big[1], big[0], 30, 3)[..., None] - 0.5) * 20, brick)
    ground = 1130
    pave = rgb(128, 126, 122) * (0.86 + 0.3 * noise(rng, big[1], big[0], 10, 3, 3))[..., None]
    pave = np.where((((y - ground) % 60 < 3) | ((x + (y - ground) * 0.25) % 150 < 3))[..., None], rgb(92, 90, 88), pave)
    scene = Image.fromarray(np.clip(np.where((y > ground)[..., None], pave, wall), 0, 222).astype(np.uint8))
    pen = ImageDraw.Draw(scene)
    for left in (470, 780, 1090):
        pen.rectangle([left, 250, left + 220, 500], fill=(206, 200, 186))
        for column in range(2):
            for line in range(2):
                pane = [left + 14 + column * 100, 264 + line * 116, left + 106 + column * 100, 370 + line * 116]
                pen.rectangle(pane, fill=(74 + line * 14, 92 + line * 12, 108 + column * 12))
                pen.polygon([(pane[0], pane[3] - 30), (pane[2] - 20, pane[1]), (pane[2], pane[1]), (pane[0], pane[3])], fill=(104, 122, 136))
        pen.rectangle([left - 12, 500, left + 232, 520], fill=(188, 180, 164))
    pen.rectangle([450, 570, 1450, 650], fill=(30, 92, 70))
    pen.text((950, 610), "ROOK LANE BAKERY", font=font(52, "dejavu/DejaVuSerif-Bold.ttf"), fill=(222, 206, 160), anchor="mm")
    pen.rectangle([480, 690, 1100, 1070], fill=(64, 44, 32))
    for pane in range(3):
        pen.rectangle([496 + pane * 202, 706, 684 + pane * 202, 1054], fill=(120, 104, 78))
        for shelf in range(2):
            pen.rectangle([496 + pane * 202, 850 + shelf * 130, 684 + pane * 202, 860 + shelf * 130], fill=(88, 62, 42))
            for loaf in range(4):
                middle = 522 + pane * 202 + loaf * 45, 832 + shelf * 130
                tone = int(rng.integers(-18, 18))
                pen.ellipse([middle[0] - 21, middle[1] - 17, middle[0] + 21, middle[1] + 18], fill=(190 + tone, 134 + tone, 70 + tone // 2))
                pen.line([middle[0] - 9, middle[1] - 9, middle[0] + 7, middle[1] + 5], fill=(216, 176, 116), width=3)
        pen.polygon(
            [(496 + pane * 202, 960), (600 + pane * 202, 706), (640 + pane * 202, 706), (530 + pane * 202, 1054), (496 + pane * 202, 1054)],
            fill=None,
            outline=(142, 128, 104),
        )
    pen.rectangle([480, 1070, 1100, 1130], fill=(84, 70, 58))
    pen.rectangle([1150, 690, 1400, 1130], fill=(62, 68, 98))
    pen.rectangle([1180, 720, 1370, 930], fill=(96, 108, 110))
    pen.rectangle([1180, 960, 1370, 1100], outline=(42, 46, 72), width=6)
    pen.ellipse([1360, 940, 1382, 962], fill=(196, 166, 92))
    pen.rectangle([1215, 790, 1335, 850], fill=(214, 208, 194))
    pen.text((1275, 820), "OPEN", font=font(30), fill=(120, 42, 36), anchor="mm")
    seen = scene.rotate(tilt, resample=Image.Resampling.BICUBIC, center=(950, 750))
    cut = seen.crop((950 - width // 2, 750 - height // 2, 950 + width // 2, 750 + height // 2)).filter(ImageFilter.GaussianBlur(0.5))
    grain = rng.normal(0, 1.6, (height, width, 1))
    return Image.fromarray(np.clip(np.asarray(cut) + grain, 0, 232).astype(np.uint8))


def seedling(days: int, width: int = 640, height: int = 480) -> Image.Image:
    """A bean in a jar, so many days after it was sown."""
    rng = np.random.default_rng(29)
    big = 2
    y, x = np.mgrid[0 : height * big, 0 : width * big].astype(float) / big
    room = ramp([(0, (196, 214, 222)), (0.78, (224, 226, 212)), (0.781, (188, 150, 110)), (1, (150, 112, 78))], y / height)
    soil = rgb(78, 56, 42) * (0.7 + 0.6 * noise(rng, height * big, width * big, 16, 4))[..., None]
    jar = (np.abs(x - 320) < 105) & (y > 210) & (y < 430)
    room = np.where((jar & (y > 290))[..., None], soil, np.where(jar[..., None], room * 0.94, room))
    scene = Image.fromarray(np.clip(room, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(scene)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(px * big, py * big) for px, py in points]

    grown = {0: 0.0, 4: 0.25, 8: 0.6, 12: 1.0}[days]
    bean = 330
    for number in range(round(9 * grown)):
        lean = (number - 4) * 14
        pen.line(at((320, bean + 8), (320 + lean * 0.4, bean + 8 + 40 * grown), (320 + lean, bean + 20 + 70 * grown)), fill=(226, 214, 186), width=4)
    pen.ellipse([*at((304, bean - 9))[0], *at((336, bean + 11))[0]], fill=(168, 92, 66), outline=(120, 60, 44))
    if grown:
        tip = bean - 290 * grown
        bend = 26 * (1 - grown)
        pen.line(
            at((322, bean), (318, bean - 90 * grown), (324, bean - 190 * grown), (320 + bend, tip)),
            fill=(98, 150, 66),
            width=round(10 + 6 * grown),
            joint="curve",
        )
        for number, (share, side) in enumerate(((0.55, -1), (0.68, 1), (0.84, -1), (0.98, 1))):
            if grown < 0.3 * number:
                break
            size = 64 * grown * (1 - 0.12 * number)
            px, py = 320, bean - 290 * grown * share
            leaf = [
                (px, py),
                (px + side * size * 0.5, py - size * 0.55),
                (px + side * size * 1.15, py - size * 0.35),
                (px + side * size * 0.7, py + size * 0.12),
            ]
            pen.polygon(at(*leaf), fill=(86, 146, 58), outline=(58, 110, 42))
            pen.line(at((px, py), (px + side * size * 0.95, py - size * 0.3)), fill=(132, 178, 92), width=4)
    pen.rounded_rectangle([*at((215, 205))[0], *at((425, 432))[0]], radius=24, outline=(236, 244, 246), width=8)
    pen.rectangle([*at((210, 196))[0], *at((430, 212))[0]], outline=(226, 236, 240), width=6)
    pen.line(at((238, 226), (238, 400)), fill=(250, 252, 252), width=7)
    pen.rounded_rectangle([*at((470, 300))[0], *at((600, 360))[0]], radius=10, fill=(246, 240, 220), outline=(160, 140, 104), width=3)
    pen.text(at((535, 330))[0], f"Day {days}", font=font(26 * big), fill=(60, 50, 40), anchor="mm")
    return scene.resize((width, height), Image.Resampling.LANCZOS)


def allotment(width: int = 900, height: int = 600) -> tuple[Array, Array]:
    """A photo of allotments cut to the middle, and a caption bar with alpha that lies over it."""
    rng = np.random.default_rng(37)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    horizon = 210
    sky = ramp([(0, (118, 164, 206)), (1, (222, 226, 220))], np.clip(y / horizon, 0, 1))
    clouds = np.clip(noise(rng, height, width, 120, 6, 2.6) * 3 - 1.5, 0, 0.85)
    picture = blend(sky, np.full_like(sky, 246.0), clouds)
    depth = np.clip((y - horizon) / (height - horizon), 0.02, 1)
    rows = np.sin((x - width * 0.42) / depth / 21)
    beds = blend(
        np.broadcast_to(rgb(104, 78, 54), picture.shape),
        np.broadcast_to(rgb(82, 124, 52), picture.shape),
        np.clip(rows * 1.8 + noise(rng, height, width, 14, 4) * 1.6 - 0.6, 0, 1),
    )
    beds = beds * (0.72 + 0.4 * noise(rng, height, width, 8, 3))[..., None]
    picture = blend(picture, beds, (y > horizon).astype(float))
    hedge = horizon - 22 - 26 * noise(rng, 2, width, 40, 5)[0]
    leaves = rgb(54, 82, 44) * (0.5 + 0.9 * noise(rng, height, width, 12, 4))[..., None]
    picture = blend(picture, leaves, ((y > hedge[None, :]) & (y < horizon + 6)).astype(float))
    scene = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(scene)
    pen.rectangle([610, 150, 760, 290], fill=(122, 84, 58))
    for plank in range(610, 760, 15):
        pen.line([plank, 150, plank, 290], fill=(96, 64, 44), width=2)
    pen.polygon([(595, 155), (685, 92), (775, 155)], fill=(88, 58, 48))
    pen.rectangle([700, 200, 745, 290], fill=(70, 96, 90))
    pen.rectangle([630, 190, 675, 230], fill=(168, 190, 196), outline=(226, 222, 206), width=4)
    for post in (90, 230, 370):
        pen.line([post, 330, post + 6, 190], fill=(148, 118, 82), width=7)
    pen.line([90, 210, 380, 208], fill=(148, 118, 82), width=4)
    photo = np.asarray(finish(rng, np.asarray(scene).astype(float)))
    bar = Image.new("RGBA", (width, 90), (30, 54, 40, 225))
    ImageDraw.Draw(bar).text((32, 45), "Mill Lane Allotments  -  open day, Saturday 6 June", font=font(30), fill=(244, 238, 214, 255), anchor="lm")
    return photo, np.asarray(bar)


if __name__ == "__main__":
    picture = crest()
    picture.save(place("thread-palette", "club-crest.png"), optimize=True)
    told(place("thread-palette", "club-crest.png"), picture.size)
    picture = herbarium()
    picture.save(place("journal-resolution", "fern-2183.jpg"), quality=84, dpi=(72, 72))
    told(place("journal-resolution", "fern-2183.jpg"), picture.size)
    shot, outline = mug()
    target = place("mug-variants", "mug.xcf")
    target.write_bytes(xcf((shot.shape[1], shot.shape[0]), [("Red", shot, (0, 0))], [("Enamel", outline)]))
    told(target, (shot.shape[1], shot.shape[0]))
    Image.fromarray(shot).save(place("mug-variants", "mug-red.jpg"), quality=90, dpi=(72, 72))
    told(place("mug-variants", "mug-red.jpg"), (shot.shape[1], shot.shape[0]))
    picture = jug()
    picture.save(place("jug-cutout", "jug.jpg"), quality=92, dpi=(72, 72))
    told(place("jug-cutout", "jug.jpg"), picture.size)
    for name, tilt in (("bakery-monday", -3.4), ("bakery-tuesday", 2.8)):
        picture = shop_front(tilt)
        picture.save(place("level-shop-front", f"{name}.jpg"), quality=84, dpi=(72, 72))
        told(place("level-shop-front", f"{name}.jpg"), picture.size)
    for day in (0, 4, 8, 12):
        picture = seedling(day)
        picture.save(place("bean-animation", f"day-{day:02}.png"), optimize=True)
        told(place("bean-animation", f"day-{day:02}.png"), picture.size)
    photo, bar = allotment()
    target = place("uncropped-banner", "open-day-banner.xcf")
    target.write_bytes(xcf((900, 600), [("Caption", bar, (0, 510)), ("Photo", photo, (0, 0))]))
    told(target, (900, 600))
