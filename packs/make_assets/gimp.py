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
        pen.line(at((root, 0.98), (root + lean * 0.4, 0.98 - tall * 0.6), (root + lean, 0.98 - tall)), fill=(40 + shade, 84 + shade, 44), width=big // 130)
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
        pen.polygon([(x, y), (x + 90, y - 90 * turned), (x + 92, y + 18 - 90 * turned), (x + 2, y + 18)], fill=(240, 236, 222), outline=(206, 198, 172))
    pen.rectangle([730, 1330, 1150, 1550], fill=(244, 240, 228), outline=(150, 138, 110), width=2)
    for row, (words, size) in enumerate((("Herbarium Vell Valley", 27), ("Dryopteris filix-mas", 24), ("wet ravine below the mill,", 21), ("on limestone, 412 m", 21), ("leg. I. Marrow   No. 2183", 21))):
        pen.text((752, 1346 + row * 39), words, font=font(size, "dejavu/DejaVuSerif-Bold.ttf" if row < 2 else "dejavu/DejaVuSerif.ttf"), fill=(52, 44, 34))
    for number in range(10):
        pen.rectangle([60 + number * 40, 1510, 100 + number * 40, 1530], fill=(40, 38, 36) if number % 2 == 0 else (244, 242, 236), outline=(40, 38, 36))
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
