"""Makes the footage, sound and projects of the Kdenlive tasks.

    python packs/make_assets/kdenlive.py [name of a task ...]

Pictures are computed frame by frame, sound by synthesis, voices by espeak-ng; ffmpeg encodes. Projects are written as Kdenlive 22.12 writes them.
Nothing is downloaded and nothing is random but for fixed seeds. Our own work, CC0.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

PACK = Path(__file__).resolve().parent.parent / "kdenlive"
FPS = 25
RATE = 48000
Array = np.ndarray
Shot = Callable[[float], Image.Image]
SANS = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


# Pictures


def noise(seed: int, height: int, width: int, cell: float, octaves: int = 4, stretch: float = 1.0) -> Array:
    """Smooth noise from 0 to 1, `stretch` times wider than high."""
    rng = np.random.default_rng(seed)
    total, weight = np.zeros((height, width)), 0.0
    for octave in range(octaves):
        size = cell / 2**octave
        grid = Image.fromarray(rng.random((int(height / size) + 3, int(width / size / stretch) + 3)).astype(np.float32), mode="F")
        total += np.asarray(grid.resize((width, height), Image.Resampling.BICUBIC)) / 2**octave
        weight += 1 / 2**octave
    return total / weight


def sky(width: int, height: int, top: tuple[int, int, int], bottom: tuple[int, int, int]) -> Array:
    share = np.linspace(0, 1, height)[:, None, None]
    return np.broadcast_to(np.array(top) * (1 - share) + np.array(bottom) * share, (height, width, 3)).copy()


def ridge(seed: int, width: int, base: float, rise: float) -> Array:
    line = noise(seed, 4, width, width / 5, 5)[1]
    return base - rise * (line - line.min()) / (line.max() - line.min())


def below(line: Array, height: int) -> Array:
    """1 below a skyline, 0 above it, with a soft edge."""
    return np.clip(np.arange(height)[:, None] - line[None, :], 0, 1)


def painted(picture: Array, colour: tuple[int, int, int] | Array, share: Array) -> Array:
    return picture * (1 - share[..., None]) + np.asarray(colour) * share[..., None]


def image(picture: Array) -> Image.Image:
    return Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))


def water(seed: int, width: int, height: int, colour: tuple[int, int, int], glint: tuple[int, int, int]) -> Callable[[float], Array]:
    """Waves that move: two sheets of noise that slide over each other."""
    one, two = noise(seed, height, width * 2, 14, 3, 5), noise(seed + 1, height, width * 2, 9, 3, 6)

    def at(seconds: float) -> Array:
        left, right = int(18 * seconds) % width, int(width - 11 * seconds) % width
        waves = (one[:, left : left + width] + two[:, right : right + width]) / 2
        light = np.clip((waves - 0.5) * 7, 0, 1)
        depth = np.linspace(0.75, 1.1, height)[:, None, None]
        return painted(np.ones((height, width, 3)) * np.array(colour) * depth, glint, light * 0.7)

    return at


def harbour(width: int = 640, height: int = 360) -> Shot:
    horizon = 190
    back = sky(width, horizon, (64, 98, 150), (246, 190, 140))
    back = painted(back, (255, 226, 190), np.clip(noise(3, horizon, width, 60, 4, 4) * 2.4 - 1.2, 0, 0.7))
    back = painted(back, (70, 84, 112), below(ridge(5, width, horizon - 4, 40), horizon))
    sea = water(7, width, height - horizon, (58, 88, 118), (250, 205, 160))

    def at(seconds: float) -> Image.Image:
        whole = image(np.concatenate([back, sea(seconds)]))
        draw = ImageDraw.Draw(whole)
        for x, y, size, phase in ((120, 232, 1.0, 0.0), (250, 216, 0.7, 1.4), (500, 262, 1.5, 2.3)):
            roll = 0.06 * np.sin(1.7 * seconds + phase)
            down = y + 3 * np.sin(1.3 * seconds + phase) * size
            hull = [(-46, 0), (44, 0), (32, 17), (-36, 17)]
            draw.polygon([(x + a * size - b * roll, down + b * size + a * roll) for a, b in hull], fill=(42, 38, 44))
            draw.polygon(
                [(x + a * size - b * roll, down + b * size + a * roll) for a, b in [(-16, 0), (14, 0), (14, -13), (-16, -13)]], fill=(214, 208, 196)
            )
            top = (x + 110 * size * roll, down - 96 * size)
            draw.line([(x, down), top], fill=(30, 28, 34), width=max(2, round(3 * size)))
            draw.line([top, (x - 42 * size, down)], fill=(30, 28, 34), width=1)
            draw.line([top, (x + 40 * size, down)], fill=(30, 28, 34), width=1)
        return whole

    return at


def lighthouse(width: int = 640, height: int = 360) -> Shot:
    horizon = 236
    back = sky(width, horizon, (16, 22, 52), (120, 70, 98))
    sea = water(17, width, height - horizon, (24, 32, 62), (130, 110, 150))
    rock = below(ridge(19, width, horizon + 30, 90) + np.abs(np.arange(width) - 440) * 0.28, height)

    def at(seconds: float) -> Image.Image:
        picture = painted(np.concatenate([back, sea(seconds)]), (26, 22, 30), rock)
        whole = image(picture)
        tower = ImageDraw.Draw(whole)
        tower.polygon([(424, 212), (456, 212), (450, 92), (430, 92)], fill=(208, 200, 196))
        for y in (118, 158, 196):
            tower.rectangle([427, y, 453, y + 14], fill=(168, 52, 46))
        tower.rectangle([430, 74, 450, 92], fill=(60, 60, 72))
        tower.polygon([(426, 74), (454, 74), (440, 58)], fill=(120, 40, 38))
        angle = 1.5 * seconds
        reach, open_ = 520 * np.cos(angle), 26 + 60 * abs(np.cos(angle))
        beam = Image.new("L", whole.size, 0)
        ImageDraw.Draw(beam).polygon([(440, 83), (440 + reach, 83 - open_), (440 + reach, 83 + open_)], fill=120)
        beam = beam.filter(ImageFilter.GaussianBlur(7))
        whole.paste(Image.new("RGB", whole.size, (255, 240, 190)), mask=beam)
        glow = 9 + 5 * max(0.0, np.sin(angle))
        ImageDraw.Draw(whole).ellipse([440 - glow, 83 - glow, 440 + glow, 83 + glow], fill=(255, 246, 214))
        return whole

    return at


def ferry(width: int = 640, height: int = 360) -> Shot:
    horizon = 170
    back = sky(width, horizon, (96, 156, 214), (214, 232, 244))
    back = painted(back, (255, 255, 255), np.clip(noise(31, horizon, width, 70, 4, 3) * 3 - 1.6, 0, 0.9))
    back = painted(back, (92, 126, 104), below(ridge(33, width, horizon - 2, 56), horizon))
    sea = water(37, width, height - horizon, (38, 112, 138), (190, 226, 232))

    def at(seconds: float) -> Image.Image:
        whole = image(np.concatenate([back, sea(seconds)]))
        draw, x, y = ImageDraw.Draw(whole), -60 + 70 * seconds, 214 + 2 * np.sin(2 * seconds)
        draw.polygon([(x - 110, y), (x + 120, y), (x + 96, y + 34), (x - 104, y + 34)], fill=(186, 44, 40))
        draw.rectangle([x - 96, y - 28, x + 84, y], fill=(244, 244, 240))
        draw.rectangle([x - 60, y - 50, x + 40, y - 28], fill=(232, 232, 228))
        draw.rectangle([x - 30, y - 78, x - 6, y - 50], fill=(32, 60, 92))
        for window in range(-84, 76, 20):
            draw.rectangle([x + window, y - 20, x + window + 11, y - 9], fill=(58, 84, 110))
        for puff in range(5):
            size = 6 + 4 * puff
            draw.ellipse(
                [x - 18 - 26 * puff - size, y - 86 - 7 * puff - size, x - 18 - 26 * puff + size, y - 86 - 7 * puff + size], fill=(206, 214, 220)
            )
        return whole

    return at


def bouncing_ball(width: int = 640, height: int = 360) -> Shot:
    """A rubber ball dropped beside a metre rule, in front of a wall."""
    wall = sky(width, 300, (206, 204, 192), (184, 180, 168)) + (noise(41, 300, width, 40) - 0.5)[..., None] * 18
    table = sky(width, 60, (126, 86, 52), (92, 60, 36)) + (noise(43, 60, width, 30, 4, 8) - 0.5)[..., None] * 40
    still = image(np.concatenate([wall, table]))
    draw, font = ImageDraw.Draw(still), ImageFont.truetype(SANS, 11)
    draw.rectangle([96, 40, 122, 300], fill=(236, 214, 132))
    for mark in range(11):
        y = 300 - 25 * mark
        draw.line([96, y, 108, y], fill=(40, 36, 30), width=2)
        draw.text((126, y - 7), f"{mark * 10}", fill=(60, 56, 50), font=font)
    draw.text((470, 22), "Lab 2   rubber ball   drop 1.0 m", fill=(70, 66, 60), font=font, anchor="mt")

    def at(seconds: float) -> Image.Image:
        time, speed, flight = seconds - 0.4, 0.0, 0.0
        fall, keep = 0.62, 0.78
        if time < 0:
            up = 1.0
        elif time < fall:
            up = 1 - (time / fall) ** 2
        else:
            time, flight, speed = time - fall, 2 * fall * keep, keep
            while time > flight and flight > 0.05:
                time, flight, speed = time - flight, flight * keep, speed * keep
            share = time / flight if flight > 0.05 else 0.0
            up = speed**2 * 4 * share * (1 - share)
        x, y = 250 + 48 * max(0.0, seconds - 0.4), 300 - 20 - 232 * up
        whole = still.copy()
        pen = ImageDraw.Draw(whole)
        wide = 24 - 12 * up
        pen.ellipse([x - wide, 304, x + wide, 310], fill=(78, 50, 30))
        pen.ellipse([x - 20, y - 20, x + 20, y + 20], fill=(196, 40, 44))
        pen.ellipse([x - 11, y - 14, x - 2, y - 6], fill=(244, 150, 144))
        return whole

    return at


def station_clock(width: int = 640, height: int = 360) -> Shot:
    """The clock of a platform, whose minutes run fast."""
    wall = sky(width, height, (112, 74, 58), (86, 54, 44))
    for row in range(0, height, 18):
        wall[row : row + 2] *= 0.72
        for x in range((row // 18 % 2) * 22, width, 44):
            wall[row : row + 18, x : x + 2] *= 0.76
    still = image(wall + (noise(51, height, width, 50) - 0.5)[..., None] * 46)
    draw, font = ImageDraw.Draw(still), ImageFont.truetype(SANS, 15)
    draw.ellipse([206, 34, 434, 262], fill=(34, 36, 40))
    draw.ellipse([216, 44, 424, 252], fill=(240, 238, 228))
    for hour in range(60):
        angle = hour / 60 * 2 * np.pi
        inner = 84 if hour % 5 == 0 else 94
        a, b = np.sin(angle), -np.cos(angle)
        draw.line([(320 + inner * a, 148 + inner * b), (320 + 99 * a, 148 + 99 * b)], fill=(24, 24, 26), width=6 if hour % 5 == 0 else 2)
    draw.rectangle([230, 282, 410, 318], fill=(24, 58, 92))
    draw.text((320, 300), "PLATFORM 3", fill=(244, 244, 240), font=font, anchor="mm")

    def at(seconds: float) -> Image.Image:
        whole = still.copy()
        pen, minutes = ImageDraw.Draw(whole), 8 * 60 + 12 + 2.5 * seconds
        for turn, length, wide in ((minutes / 720, 54, 9), (minutes / 60, 82, 6)):
            a, b = np.sin(turn * 2 * np.pi), -np.cos(turn * 2 * np.pi)
            pen.line([(320 - 14 * a, 148 - 14 * b), (320 + length * a, 148 + length * b)], fill=(24, 24, 26), width=wide)
        a, b = np.sin(seconds * 0.9), -np.cos(seconds * 0.9)
        pen.line([(320, 148), (320 + 78 * a, 148 + 78 * b)], fill=(196, 40, 36), width=3)
        pen.ellipse([312, 140, 328, 156], fill=(24, 24, 26))
        return whole

    return at


def steam_train(width: int = 640, height: int = 360) -> Shot:
    horizon = 250
    back = sky(width, horizon, (150, 176, 204), (228, 226, 214))
    back = painted(back, (120, 140, 110), below(ridge(61, width, horizon - 8, 90), horizon))
    ground = sky(width, height - horizon, (110, 118, 70), (74, 80, 48)) + (noise(63, height - horizon, width, 12, 3, 3) - 0.5)[..., None] * 60
    still = image(np.concatenate([back, ground]))
    pen = ImageDraw.Draw(still)
    pen.rectangle([0, 284, width, 289], fill=(70, 62, 58))
    for x in range(0, width, 22):
        pen.rectangle([x, 289, x + 11, 295], fill=(86, 66, 48))

    def at(seconds: float) -> Image.Image:
        whole = still.copy()
        draw, x = ImageDraw.Draw(whole), 700 - 96 * seconds
        for puff in range(9):
            size = 10 + 5 * puff
            y = 172 - 9 * puff + 4 * np.sin(3 * seconds + puff)
            draw.ellipse(
                [x + 24 + 34 * puff - size, y - size, x + 24 + 34 * puff + size, y + size], fill=(236 - 3 * puff, 236 - 3 * puff, 238 - 3 * puff)
            )
        draw.rectangle([x, 216, x + 120, 256], fill=(30, 74, 52))
        draw.rectangle([x + 12, 188, x + 30, 216], fill=(24, 24, 26))
        draw.rectangle([x + 110, 192, x + 160, 262], fill=(26, 62, 46))
        draw.rectangle([x + 120, 202, x + 146, 224], fill=(208, 214, 190))
        for coach in range(3):
            left = x + 172 + 168 * coach
            draw.rectangle([left, 206, left + 158, 264], fill=(122, 36, 40))
            for window in range(6):
                draw.rectangle([left + 10 + 24 * window, 216, left + 26 + 24 * window, 236], fill=(226, 214, 176))
        for wheel in range(20):
            left = x + 6 + 33 * wheel
            draw.ellipse([left, 258, left + 28, 286], fill=(36, 32, 32))
            a = -4 * seconds
            draw.line([(left + 14, 272), (left + 14 + 11 * np.cos(a), 272 + 11 * np.sin(a))], fill=(170, 40, 36), width=3)
        return whole

    return at


def mountains(width: int = 640, height: int = 360) -> Shot:
    """A slow pan over three ranges in the morning."""
    wide = width + 260
    layers = [
        (ridge(71, wide, 190, 120), (128, 146, 176), 0.35),
        (ridge(73, wide, 250, 110), (84, 108, 136), 0.65),
        (ridge(75, wide, 330, 110), (40, 62, 62), 1.0),
    ]
    air = sky(width, height, (86, 140, 206), (250, 226, 196))

    def at(seconds: float) -> Image.Image:
        picture = air
        for line, colour, pace in layers:
            left = int(30 * seconds * pace) % 260
            picture = painted(picture, colour, below(line[left : left + width], height))
        return image(picture)

    return at


def meadow(width: int = 640, height: int = 360) -> Shot:
    """Grass in the wind, with poppies."""
    rng = np.random.default_rng(81)
    blades = sorted((rng.uniform(0, 1) ** 0.6, rng.uniform(-20, width + 20), rng.uniform(0, 6.3), rng.uniform(0.75, 1.25)) for _ in range(900))
    flowers = sorted((rng.uniform(0.15, 1), rng.uniform(0, width), rng.uniform(0, 6.3)) for _ in range(46))
    air = image(sky(width, height, (130, 186, 226), (214, 232, 206)))

    def at(seconds: float) -> Image.Image:
        whole = air.copy()
        draw = ImageDraw.Draw(whole)
        for near, x, phase, tall in blades:
            y, size = 168 + 200 * near, (22 + 76 * near) * tall
            lean = size * (0.18 + 0.16 * np.sin(2.1 * seconds + phase / 4 + x / 120))
            draw.line([(x, y), (x + lean, y - size)], fill=(int(112 - 60 * near), int(166 - 40 * near * tall), 62), width=1 + round(3 * near))
        for near, x, phase in flowers:
            y, size = 150 + 190 * near, 3 + 9 * near
            x += 10 * near * np.sin(2.1 * seconds + phase / 4 + x / 120)
            draw.ellipse([x - size, y - size * 0.8, x + size, y + size * 0.8], fill=(214, 46, 38))
            draw.ellipse([x - size / 3, y - size / 3, x + size / 3, y + size / 3], fill=(40, 26, 26))
        return whole

    return at


def night_sky(width: int = 640, height: int = 360) -> Shot:
    """Stars turning above a ridge, a tent with a light."""
    rng = np.random.default_rng(91)
    stars = [(rng.uniform(0, 460), rng.uniform(0, 6.3), rng.uniform(0.6, 1.9), int(rng.uniform(130, 255))) for _ in range(420)]
    base = painted(sky(width, height, (8, 12, 34), (34, 42, 78)), (96, 92, 140), np.clip(noise(93, height, width, 90, 4, 1.6) * 2 - 1.1, 0, 0.4))
    hill = below(ridge(95, width, 340, 90), height)
    mask = Image.fromarray((hill * 255).astype(np.uint8))
    ground = Image.new("RGB", (width, height), (10, 12, 16))
    air = image(base)

    def at(seconds: float) -> Image.Image:
        whole = air.copy()
        draw = ImageDraw.Draw(whole)
        for far, angle, size, light in stars:
            turn = angle + 0.05 * seconds
            x, y = 400 + far * np.cos(turn), 120 + far * np.sin(turn)
            draw.ellipse([x - size, y - size, x + size, y + size], fill=(light, light, min(255, light + 12)))
        whole.paste(ground, mask=mask)
        glow = 0.85 + 0.15 * np.sin(5 * seconds)
        draw.polygon([(150, 318), (214, 318), (182, 274)], fill=(int(236 * glow), int(150 * glow), 60))
        draw.polygon([(176, 318), (190, 318), (182, 288)], fill=(92, 50, 26))
        return whole

    return at


def growth_chart(width: int = 640, height: int = 360) -> Shot:
    """A curve of a culture's growth that is drawn while it is measured."""
    still = Image.new("RGB", (width, height), (250, 250, 246))
    draw, font, big = ImageDraw.Draw(still), ImageFont.truetype(SANS, 12), ImageFont.truetype(SANS, 18)
    draw.text((60, 18), "Culture B   optical density at 600 nm", fill=(40, 44, 52), font=big)
    for step in range(6):
        y = 310 - 48 * step
        draw.line([70, y, 600, y], fill=(218, 220, 224), width=1)
        draw.text((60, y), f"{step * 0.4:.1f}", fill=(80, 84, 92), font=font, anchor="rm")
    for hour in range(0, 25, 4):
        x = 70 + 530 * hour / 24
        draw.line([x, 310, x, 316], fill=(80, 84, 92), width=2)
        draw.text((x, 320), f"{hour} h", fill=(80, 84, 92), font=font, anchor="mt")
    draw.line([(70, 60), (70, 310), (604, 310)], fill=(40, 44, 52), width=2)
    hours = np.linspace(0, 24, 240)
    density = 1.85 / (1 + np.exp(-(hours - 11) * 0.55)) + noise(101, 4, 240, 9)[1] * 0.06
    points = [(70 + 530 * hour / 24, 310 - 120 * value) for hour, value in zip(hours, density, strict=True)]

    def at(seconds: float) -> Image.Image:
        whole = still.copy()
        shown = points[: max(2, int(len(points) * min(1.0, (seconds + 0.2) / 6)))]
        pen = ImageDraw.Draw(whole)
        pen.line(shown, fill=(24, 112, 150), width=4)
        x, y = shown[-1]
        pen.ellipse([x - 6, y - 6, x + 6, y + 6], fill=(214, 84, 40))
        return whole

    return at


def microscope(width: int = 640, height: int = 360) -> Shot:
    """Cells that drift in the round field of a microscope."""
    rng = np.random.default_rng(111)
    cells = [
        (rng.uniform(120, 520), rng.uniform(10, 350), rng.uniform(10, 26), rng.uniform(-8, 8), rng.uniform(-6, 6), rng.uniform(0, 6.3))
        for _ in range(34)
    ]
    field_ = image(sky(width, height, (206, 214, 176), (184, 200, 160)) + (noise(113, height, width, 24) - 0.5)[..., None] * 30)
    round_ = Image.new("L", (width, height), 0)
    ImageDraw.Draw(round_).ellipse([146, 6, 494, 354], fill=255)

    def at(seconds: float) -> Image.Image:
        whole = field_.copy()
        draw = ImageDraw.Draw(whole)
        for x, y, size, right, down, phase in cells:
            x, y = x + right * seconds, y + down * seconds
            wide, tall = size * (1 + 0.12 * np.sin(2 * seconds + phase)), size * (1 - 0.12 * np.sin(2 * seconds + phase))
            draw.ellipse([x - wide, y - tall, x + wide, y + tall], fill=(148, 182, 128), outline=(58, 96, 66), width=2)
            draw.ellipse([x - size / 3, y - size / 3, x + size / 3, y + size / 3], fill=(52, 84, 104))
        black = Image.new("RGB", whole.size, (6, 6, 8))
        black.paste(whole, mask=round_)
        return black

    return at


def bench_clock(width: int = 640, height: int = 360) -> Shot:
    """A timer on the bench, with a flask."""
    back = image(sky(width, height, (176, 194, 206), (214, 220, 222)) + (noise(121, height, width, 60) - 0.5)[..., None] * 12)
    draw = ImageDraw.Draw(back)
    draw.rectangle([0, 290, width, height], fill=(92, 98, 104))
    draw.rectangle([330, 190, 540, 290], fill=(36, 38, 44))
    draw.rectangle([346, 206, 524, 268], fill=(170, 186, 158))
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", 46)

    def at(seconds: float) -> Image.Image:
        whole = back.copy()
        pen = ImageDraw.Draw(whole)
        pen.text((435, 237), f"{int(24 - seconds):02d}:{int((60 - seconds * 12) % 60):02d}", fill=(28, 34, 26), font=font, anchor="mm")
        pen.polygon([(150, 288), (260, 288), (222, 190), (188, 190)], fill=(226, 232, 236))
        level = 232 + 2 * np.sin(4 * seconds)
        pen.polygon([(152, 286), (258, 286), (240, level), (170, level)], fill=(206, 120, 52))
        pen.rectangle([190, 140, 220, 190], fill=(226, 232, 236))
        for bubble in range(7):
            rise = (seconds * 0.6 + bubble * 0.37) % 1
            x, y = 178 + 9 * bubble, 282 - 46 * rise
            pen.ellipse([x - 3, y - 3, x + 3, y + 3], fill=(240, 190, 130))
        return whole

    return at


def height_table(width: int = 640, height: int = 360) -> Shot:
    """The class's readings, a row at a time."""
    rows = (("Bounce", "Height", "Share kept"), ("0", "1.00 m", ""), ("1", "0.61 m", "61 %"), ("2", "0.37 m", "61 %"), ("3", "0.23 m", "62 %"))
    font = ImageFont.truetype(SANS, 24)

    def at(seconds: float) -> Image.Image:
        whole = Image.new("RGB", (width, height), (28, 66, 54))
        draw = ImageDraw.Draw(whole)
        draw.rectangle([8, 8, width - 9, height - 9], outline=(150, 112, 70), width=8)
        for number, row in enumerate(rows[: 2 + int(seconds)]):
            for x, text in zip((70, 240, 420), row, strict=True):
                draw.text((x, 44 + 56 * number), text, fill=(236, 240, 232), font=font)
        draw.line([60, 84, 590, 84], fill=(236, 240, 232), width=2)
        return whole

    return at


# Sound


def waves_sound(seconds: float, seed: int = 201) -> Array:
    """Surf: noise that swells and falls."""
    rng = np.random.default_rng(seed)
    count = int(seconds * RATE)
    rough = np.convolve(rng.normal(0, 1, count), np.ones(24) / 24, "same")
    time = np.arange(count) / RATE
    return rough * (0.35 + 0.3 * np.sin(2 * np.pi * time / 3.1) ** 2) * 0.6


def music(seconds: float, root: float = 220.0) -> Array:
    """Plucked chords over a slow bass, in four bars that come again."""
    time = np.arange(int(seconds * RATE)) / RATE
    total = np.zeros_like(time)
    chords = ((0, 4, 7), (9, 12, 16), (5, 9, 12), (7, 11, 14))
    for beat in range(int(seconds / 0.4) + 1):
        start = beat * 0.4
        tone = chords[beat // 5 % 4][beat % 3]
        since = np.clip(time - start, 0, None)
        pluck = np.exp(-since * 4.5) * (time >= start)
        pitch = root * 2 ** (tone / 12)
        total += 0.22 * pluck * (np.sin(2 * np.pi * pitch * since) + 0.4 * np.sin(4 * np.pi * pitch * since))
        if beat % 5 == 0:
            low = root / 2 * 2 ** (chords[beat // 5 % 4][0] / 12)
            total += 0.2 * np.exp(-since * 1.1) * (time >= start) * np.sin(2 * np.pi * low * since)
    return np.tanh(total)


def voice(text: str, name: str, folder: Path) -> Path:
    """A voice by espeak-ng, at our rate."""
    out = folder / name
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["espeak-ng", "-v", "en-gb", "-s", "150", "-w", f"{place}/voice.wav", text], check=True)
        subprocess.run([*FFMPEG, "-i", f"{place}/voice.wav", "-ar", str(RATE), "-ac", "1", str(out)], check=True)
    return out


# Files

FFMPEG = ["ffmpeg", "-v", "error", "-y", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"]


def sound(samples: Array, path: Path, *arguments: str) -> None:
    data = (np.clip(samples, -1, 1) * 32000).astype("<i2").tobytes()
    source = ["-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-"]
    subprocess.run([*FFMPEG, *source, *arguments, "-map_metadata", "-1", str(path)], input=data, check=True)


def film(shot: Shot, seconds: float, path: Path, *, quality: int = 27, samples: Array | None = None) -> None:
    """Encodes a shot, with sound where there is any."""
    with tempfile.TemporaryDirectory() as folder:
        extra: list[str] = []
        if samples is not None:
            sound(samples, Path(folder) / "sound.wav")
            extra = ["-i", f"{folder}/sound.wav", "-c:a", "aac", "-b:a", "64k", "-shortest"]
        size = shot(0).size
        source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(FPS), "-i", "-"]
        coding = [
            "-c:v",
            "libx264",
            "-threads",
            "1",
            "-crf",
            str(quality),
            "-preset",
            "slow",
            "-pix_fmt",
            "yuv420p",
            "-g",
            "25",
            "-movflags",
            "+faststart",
        ]
        command = [*FFMPEG, *source, *extra, *coding, "-map_metadata", "-1", str(path)]
        frames = b"".join(shot(number / FPS).tobytes() for number in range(round(seconds * FPS)))
        subprocess.run(command, input=frames, check=True)


# Projects


@dataclass
class Media:
    """A file in the bin. `kind`: 0 picture and sound, 1 sound, 2 picture only, 4 colour."""

    name: str
    seconds: float
    kind: int = 2
    colour: str = ""
    label: str = ""


@dataclass
class Piece:
    """A clip on the timeline, in frames."""

    media: Media
    start: int
    frames: int
    begin: int = 0


@dataclass
class Row:
    """A track; `kind` audio or video."""

    kind: str
    pieces: list[Piece] = field(default_factory=list)
    name: str = ""


@dataclass
class Project:
    media: list[Media]
    rows: list[Row]
    width: int = 640
    height: int = 360
    guides: list[tuple[int, str]] = field(default_factory=list)
    zoom: int = 5


def code(frames: int) -> str:
    whole, rest = divmod(frames, FPS)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}.{rest * 1000 // FPS:03d}"


def properties(pairs: dict[str, object], indent: int = 2) -> str:
    return "".join(f'{" " * indent}<property name="{name}">{escape(str(value))}</property>\n' for name, value in pairs.items())


def producer(number: int, media: Media, ident: int, plays: str = "") -> str:
    frames = round(media.seconds * FPS)
    said: dict[str, object] = {"length": frames, "eof": "pause"}
    if media.kind == 4:
        said |= {"resource": media.colour, "aspect_ratio": 1, "mlt_service": "color", "kdenlive:duration": code(frames), "mlt_image_format": "rgb"}
    else:
        said |= {"resource": media.name, "seekable": 1, "audio_index": {0: 1, 1: 0, 2: -1}[media.kind], "video_index": -1 if media.kind == 1 else 0}
        said |= {"mute_on_pause": 0, "mlt_service": "avformat-novalidate" if plays else "avformat"}
    said |= {"kdenlive:clipname": media.label, "kdenlive:clip_type": media.kind, "kdenlive:folderid": -1, "kdenlive:id": ident}
    if plays:
        said |= {"xml": "was here", "set.test_audio": int(plays == "video"), "set.test_image": int(plays == "audio")}
    return f' <producer id="producer{number}" in="00:00:00.000" out="{code(frames - 1)}">\n{properties(said)} </producer>\n'


METERS = (
    {"window": 75, "max_gain": "20dB", "mlt_service": "volume", "internal_added": 237, "disable": 1},
    {"channel": -1, "mlt_service": "panner", "internal_added": 237, "start": 0.5, "disable": 1},
    {"iec_scale": 0, "mlt_service": "audiolevel", "dbpeak": 1, "disable": 1},
)


def written(project: Project, ident: int) -> str:
    """The project as a file."""
    ids = {id(one): number for number, one in enumerate(project.media, 2)}
    parts = [producer(number, one, ids[id(one)]) for number, one in enumerate(project.media)]
    number = len(project.media)
    videos = [index for index, row in enumerate(project.rows) if row.kind == "video"]
    audios = [index for index, row in enumerate(project.rows) if row.kind == "audio"]
    groups = [
        {"children": [{"data": f"{index}:{piece.start}", "leaf": "clip", "type": "Leaf"} for index in (video, audio)], "type": "AVSplit"}
        for video in videos
        for piece in project.rows[video].pieces
        for audio in audios
        if any(other.media is piece.media and other.start == piece.start for other in project.rows[audio].pieces)
    ]
    active = videos[0] if videos else 0
    doc: dict[str, object] = {
        "activeTrack": active, "audioChannels": 2, "audioTarget": -1, "compositing": 1, "disablepreview": 0, "documentid": ident, "enableTimelineZone": 0,
        "enableexternalproxy": 0, "enableproxy": 0, "generateimageproxy": 0, "generateproxy": 0, "kdenliveversion": "22.12.3", "position": 0,
        "profile": PROFILE_NAME, "scrollPos": 0, "seekOffset": 30000, "version": 1.04, "verticalzoom": 1, "videoTarget": -1, "zonein": 0, "zoneout": 75,
        "zoom": project.zoom, "guides": json.dumps([{"comment": text, "pos": at, "type": 0} for at, text in project.guides]), "groups": json.dumps(groups),
    }  # fmt: skip
    entries = "".join(
        f'  <entry producer="producer{n}" in="00:00:00.000" out="{code(round(one.seconds * FPS) - 1)}"/>\n' for n, one in enumerate(project.media)
    )
    held = properties({f"kdenlive:docproperties.{name}": value for name, value in doc.items()} | {"kdenlive:documentnotes": "", "xml_retain": 1})
    parts.append(f' <playlist id="main_bin">\n{held}{entries} </playlist>\n')
    black = {
        "length": 2147483647,
        "eof": "continue",
        "resource": "black",
        "aspect_ratio": 1,
        "mlt_service": "color",
        "mlt_image_format": "rgba",
        "set.test_audio": 0,
    }
    parts.append(f' <producer id="black_track" in="00:00:00.000" out="00:20:00.000">\n{properties(black)} </producer>\n')
    filters = 0
    for index, row in enumerate(project.rows):
        clips, at = "", 0
        for piece in row.pieces:
            if piece.media.kind == 4:
                used = project.media.index(piece.media)
            else:
                parts.append(producer(number, piece.media, ids[id(piece.media)], row.kind))
                used, number = number, number + 1
            clips += f'  <blank length="{code(piece.start - at)}"/>\n' if piece.start > at else ""
            clips += f'  <entry producer="producer{used}" in="{code(piece.begin)}" out="{code(piece.begin + piece.frames - 1)}">\n'
            clips += properties({"kdenlive:id": ids[id(piece.media)]}, 3) + "  </entry>\n"
            at = piece.start + piece.frames
        audio = properties({"kdenlive:audio_track": 1}) if row.kind == "audio" else ""
        parts.append(
            f' <playlist id="playlist{2 * index}">\n{audio}{clips} </playlist>\n <playlist id="playlist{2 * index + 1}">\n{audio} </playlist>\n'
        )
        named = properties({"kdenlive:track_name": row.name}) if row.name else ""
        look = (
            audio
            + named
            + properties(
                {
                    "kdenlive:trackheight": 67,
                    "kdenlive:timeline_active": 1,
                    "kdenlive:collapsed": 0,
                    "kdenlive:thumbs_format": "",
                    "kdenlive:audio_rec": "",
                }
            )
        )
        hide = "video" if row.kind == "audio" else "audio"
        meters = ""
        for meter in METERS if row.kind == "audio" else ():
            meters += f'  <filter id="filter{filters}">\n{properties(meter, 3)}  </filter>\n'
            filters += 1
        out = f' out="{code(at - 1)}"' if at else ""
        tracks = "".join(f'  <track hide="{hide}" producer="playlist{2 * index + half}"/>\n' for half in (0, 1))
        parts.append(f' <tractor id="tractor{index}" in="00:00:00.000"{out}>\n{look}{tracks}{meters} </tractor>\n')
    tracks = '  <track producer="black_track"/>\n' + "".join(f'  <track producer="tractor{index}"/>\n' for index in range(len(project.rows)))
    joins = ""
    for index, row in enumerate(project.rows):
        said: dict[str, object] = {"a_track": 0, "b_track": index + 1}
        if row.kind == "audio":
            said |= {"mlt_service": "mix", "kdenlive_id": "mix", "internal_added": 237, "always_active": 1, "accepts_blanks": 1, "sum": 1}
        else:
            said |= {
                "compositing": 0,
                "distort": 0,
                "rotate_center": 0,
                "mlt_service": "qtblend",
                "kdenlive_id": "qtblend",
                "internal_added": 237,
                "always_active": 1,
            }
        joins += f'  <transition id="transition{index}">\n{properties(said, 3)}  </transition>\n'
    last = len(project.rows)
    parts.append(f' <tractor id="tractor{last}" in="00:00:00.000" out="00:20:00.000">\n{tracks}{joins} </tractor>\n')
    profile = (
        f' <profile description="Web 360p 25 fps" width="{project.width}" height="{project.height}" progressive="1" sample_aspect_num="1" sample_aspect_den="1" '
        f'display_aspect_num="16" display_aspect_den="9" frame_rate_num="25" frame_rate_den="1" colorspace="709"/>\n'
    )
    head = '<?xml version=\'1.0\' encoding=\'utf-8\'?>\n<mlt LC_NUMERIC="C" producer="main_bin" version="7.12.0" root="/home/user/Videos">\n'
    return head + profile + "".join(parts) + "</mlt>\n"


PROFILE_NAME = "/home/user/.local/share/kdenlive/profiles/web360"


def save(project: Project, path: Path, ident: int) -> None:
    path.write_text(written(project, ident), encoding="utf-8")


# Tasks


def trim(folder: Path) -> None:
    """coast-trim: three shots in a row, each with its sound; the last one is too long."""
    shots = [("harbour", harbour(), 5.0), ("ferry", ferry(), 6.0), ("lighthouse", lighthouse(), 8.0)]
    media, at = [], 0
    pictures, sounds = Row("video"), Row("audio")
    for number, (name, shot, seconds) in enumerate(shots):
        film(shot, seconds, folder / f"{name}.mp4", samples=waves_sound(seconds, 201 + number))
        media.append(Media(f"{name}.mp4", seconds, 0))
        for row in (pictures, sounds):
            row.pieces.append(Piece(media[-1], at, round(seconds * FPS)))
        at += round(seconds * FPS)
    save(Project(media, [Row("audio"), sounds, pictures, Row("video")]), folder / "coast.kdenlive", 1794780000001)


def slow(folder: Path) -> None:
    """ball-slow-motion: one shot of an experiment, and the next one after a pause."""
    film(bouncing_ball(), 5.0, folder / "ball-drop.mp4")
    film(height_table(), 4.0, folder / "readings.mp4")
    ball, readings = Media("ball-drop.mp4", 5.0), Media("readings.mp4", 4.0)
    pictures = Row("video", [Piece(readings, 0, 100), Piece(ball, 100, 125)])
    save(Project([ball, readings], [Row("audio"), Row("audio"), pictures, Row("video")]), folder / "lesson.kdenlive", 1794780000002)


def teaser(folder: Path) -> None:
    """reserve-teaser: everything in the bin, nothing on the timeline yet."""
    shots = [("meadow", meadow()), ("mountains", mountains()), ("night", night_sky())]
    for name, shot in shots:
        film(shot, 8.0, folder / f"{name}.mp4", quality=31)
    media = [Media(f"{name}.mp4", 8.0) for name, _ in shots]
    save(Project(media, [Row("audio"), Row("audio"), Row("video"), Row("video")]), folder / "teaser.kdenlive", 1794780000003)


def report(folder: Path) -> None:
    """lab-report: a rough cut with a shot too many, and a narration that is only in the bin."""
    shots = [("microscope", microscope(), 6.0), ("bench", bench_clock(), 5.0), ("growth", growth_chart(), 6.0)]
    media, at, pictures = [], 0, Row("video")
    for name, shot, seconds in shots:
        film(shot, seconds, folder / f"{name}.mp4")
        media.append(Media(f"{name}.mp4", seconds))
        pictures.pieces.append(Piece(media[-1], at, round(seconds * FPS)))
        at += round(seconds * FPS)
    text = "These are the cells of culture B, after one day. In twenty four hours, their density rose from nearly nothing to one point eight."
    voice(text, "narration.flac", folder)
    length = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(folder / "narration.flac")],
                                  capture_output=True, text=True, check=True).stdout)  # fmt: skip
    media.append(Media("narration.flac", int(length * FPS) / FPS, 1))
    save(Project(media, [Row("audio"), Row("audio"), pictures, Row("video")]), folder / "report.kdenlive", 1794780000004)


def bed(folder: Path) -> None:
    """ferry-music: a cut of two shots with the sound of the sea, and music in the bin that is longer than the picture."""
    sound(music(24.0), folder / "theme.ogg", "-c:a", "libvorbis", "-q:a", "2", "-serial_offset", "1")
    first, second, theme = Media("ferry.mp4", 6.0, 0), Media("harbour.mp4", 5.0, 0), Media("theme.ogg", 24.0, 1)
    rows = [Row(kind, [Piece(first, 0, 150), Piece(second, 150, 125)]) for kind in ("audio", "video")]
    save(Project([first, second, theme], [Row("audio"), rows[0], rows[1], Row("video")]), folder / "timetable.kdenlive", 1794780000005)


def title(folder: Path) -> None:
    """railway-title: two shots, over the second of which a title is wanted."""
    film(station_clock(), 5.0, folder / "clock.mp4", quality=30)
    film(steam_train(), 9.0, folder / "train.mp4", quality=30)
    clock, train = Media("clock.mp4", 5.0), Media("train.mp4", 9.0)
    pictures = Row("video", [Piece(clock, 0, 125), Piece(train, 125, 225)])
    save(Project([clock, train], [Row("audio"), Row("audio"), pictures, Row("video")]), folder / "open-day.kdenlive", 1794780000006)


def placeholder(folder: Path) -> None:
    """missing-interview: a cut with a grey placeholder where an interview should be, which is nowhere."""
    incoming = folder / "incoming"
    incoming.mkdir(exist_ok=True)
    film(ferry(), 4.0, incoming / "pier-wide.mp4", quality=31, samples=waves_sound(4.0, 231))
    film(harbour(), 4.0, incoming / "pier-boats.mp4", quality=31, samples=waves_sound(4.0, 232))
    first, second = Media("incoming/pier-wide.mp4", 4.0, 0), Media("incoming/pier-boats.mp4", 4.0, 0)
    gap = Media("interview", 5.0, 4, "0x808080ff", "PLACEHOLDER harbour master")
    pictures = Row("video", [Piece(first, 0, 100), Piece(gap, 100, 125), Piece(second, 225, 100)])
    sounds = Row("audio", [Piece(first, 0, 100), Piece(second, 225, 100)])
    save(Project([first, second, gap], [Row("audio"), sounds, pictures, Row("video")]), folder / "pier-story.kdenlive", 1794780000007)
    lines = ["Camera report, pier story, Tuesday", "", "pier-wide.mp4     ferry leaving, wide          good", "pier-boats.mp4    boats at the pier, dawn     good",
             "", "Interview with the harbour master: not recorded, he was called away.", "New date to be agreed with his office.", ""]  # fmt: skip
    (incoming / "camera-report.txt").write_text("\n".join(lines), encoding="utf-8")


TASKS: dict[str, Callable[[Path], None]] = {
    "coast-trim": trim,
    "ball-slow-motion": slow,
    "reserve-teaser": teaser,
    "lab-report": report,
    "ferry-music": bed,
    "railway-title": title,
    "missing-interview": placeholder,
}


def main() -> None:
    for name in sys.argv[1:] or TASKS:
        folder = PACK / name
        folder.mkdir(parents=True, exist_ok=True)
        TASKS[name](folder)
        print(name, sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) // 1024, "KB")


if __name__ == "__main__":
    main()
