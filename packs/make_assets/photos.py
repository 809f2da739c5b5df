"""Computes the photo-like pictures of the GIMP tasks: a mountain lake in the morning and a coast at dusk.

    python packs/make_assets/photos.py

They are drawn from noise alone, with fixed seeds, so that the same files come out again. Our own work, CC0.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

PACKS = Path(__file__).resolve().parent.parent
Array = np.ndarray


def noise(rng: np.random.Generator, height: int, width: int, cell: float, octaves: int = 5, stretch: float = 1.0) -> Array:
    """Smooth noise from 0 to 1: grids of random numbers, each finer than the last and weaker, `stretch` times wider than high."""
    total, weight = np.zeros((height, width)), 0.0
    for octave in range(octaves):
        size = cell / 2**octave
        across, down = int(width / size / stretch) + 3, int(height / size) + 3
        grid = Image.fromarray(rng.random((down, across)).astype(np.float32), mode="F")
        total += np.asarray(grid.resize((width, height), Image.Resampling.BICUBIC)) / 2**octave
        weight += 1 / 2**octave
    return total / weight


def ridge(rng: np.random.Generator, width: int, base: float, rise: float, cell: float) -> Array:
    """The height of a skyline at each column, from the top: sharp where two slopes meet."""
    line = np.zeros(width)
    for octave in range(7):
        points = rng.random(int(width / cell * 2**octave) + 3)
        at = np.linspace(0, len(points) - 2, width)
        line += (1 - np.abs(2 * np.interp(at, np.arange(len(points)), points) - 1)) / 2**octave
    return base - rise * (line / 2)


def blend(under: Array, over: Array, share: Array) -> Array:
    return under * (1 - share[..., None]) + over * share[..., None]


def ramp(stops: list[tuple[float, tuple[int, int, int]]], at: Array) -> Array:
    """Colours between stops."""
    places = [place for place, _ in stops]
    return np.stack([np.interp(at, places, [rgb[channel] for _, rgb in stops]) for channel in range(3)], axis=-1)


def finish(rng: np.random.Generator, picture: Array) -> Image.Image:
    """A lens darkens towards the corners, a sensor adds grain."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    far = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) / 0.5
    grain = rng.normal(0, 2.2, (height, width, 1))
    return Image.fromarray(np.clip(picture * (1 - 0.22 * far[..., None]) + grain, 0, 255).astype(np.uint8))


def lake(width: int = 1600, height: int = 1000) -> Image.Image:
    """Snowy mountains behind a still lake, with a dark wooded shore."""
    rng = np.random.default_rng(71)
    shore = int(height * 0.58)
    y, x = np.mgrid[0:shore, 0:width].astype(float)
    sky = ramp([(0, (74, 124, 180)), (0.6, (158, 190, 214)), (1, (236, 214, 190))], y / shore)
    clouds = np.clip(noise(rng, shore, width, 180, 6, 2.6) * 3.2 - 1.65, 0, 0.8) * np.clip(1.15 - y / shore, 0, 1)
    land = blend(sky, np.full_like(sky, 244.0), clouds)
    layers = ((0.98, 1.0, 420, (112, 126, 150), 0.34, 0.35), (1.0, 0.74, 300, (86, 100, 116), 0.2, 0.1), (0.99, 0.44, 240, (66, 84, 84), 0.1, -2.0))
    for base, rise, cell, rock, haze, cover in layers:
        top = ridge(rng, width, shore * base, shore * rise * 0.74, cell)
        inside = np.clip(y - top[None, :], 0, 1)
        depth = (y - top[None, :]) / (shore * 0.5)
        # Gullies run down the slopes: creased noise, pushed sideways by broader noise, lit from the left.
        push = (noise(rng, shore, width, 160, 3) - 0.5) * 100
        crease = 1 - np.abs(noise(rng, shore, width + 200, 90, 6, 0.55) * 2 - 1)
        crease = np.take_along_axis(crease, (x + push + 100).astype(int), axis=1)
        lit = np.clip(0.5 + np.gradient(crease, axis=1) * 16 + np.gradient(crease, axis=0) * 7, 0, 1)
        stone = np.array(rock) * (0.5 + 0.75 * lit)[..., None]
        snow = np.clip((cover - depth + (crease - 0.72) * 2.6) * 5, 0, 1)
        face = blend(stone, np.array([236, 242, 252]) * (0.66 + 0.36 * lit)[..., None], snow)
        misty = blend(face, np.broadcast_to(np.array([198.0, 208, 218]), face.shape), np.clip(haze * (0.6 + depth), 0, 0.8))
        land = blend(land, misty, inside)
    trees = ridge(rng, width, shore * 0.985, 22, 150) - np.repeat(rng.random(width // 4) * 9, 4)[:width] - rng.random(width) * 3
    wood = np.array([28, 46, 40]) * (0.55 + 0.9 * noise(rng, shore, width, 14, 3))[..., None]
    land = blend(land, wood, np.clip(y - trees[None, :], 0, 1))
    deep = height - shore
    rows = np.arange(deep)
    mirror = land[np.clip(shore - 1 - (rows * shore / deep * 0.92).astype(int), 0, shore - 1)]
    ripple = noise(rng, deep, width, 16, 4, 9) - 0.5
    shift = (ripple * (4 + rows[:, None] * 0.10)).astype(int)
    water = mirror[np.clip(rows[:, None] + shift, 0, deep - 1), np.arange(width)[None, :]]
    water = water * 0.74 + np.array([18, 38, 52]) * 0.32 + ripple[..., None] * 34
    picture = np.concatenate([land, water])
    yy, xx = np.mgrid[0:height, 0:width].astype(float)
    bank = height * 0.93 - 60 * np.exp(-(((xx - 120) / 340) ** 2)) + 20 * (noise(rng, height, width, 120, 4) - 0.5) + 26
    pebbles = np.array([92, 88, 80]) * (0.35 + 1.1 * noise(rng, height, width, 11, 3, 1.7))[..., None]
    return finish(rng, blend(picture, pebbles, np.clip((yy - bank) / 3, 0, 1)))


def coast(width: int = 1200, height: int = 800) -> Image.Image:
    """A lighthouse on a headland, the sea under an evening sky. Nothing in it is brighter than 235."""
    rng = np.random.default_rng(23)
    horizon = int(height * 0.64)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    sky = ramp([(0, (38, 52, 96)), (0.45, (104, 92, 136)), (0.8, (214, 134, 110)), (1, (236, 178, 118))], y / horizon)
    bands = np.clip(noise(rng, height, width, 150, 6, 4.5) * 3 - 1.45, 0, 0.75) * np.clip(1.25 - y / horizon, 0, 1)
    picture = blend(sky, ramp([(0, (64, 66, 108)), (0.6, (196, 124, 124)), (1, (232, 170, 130))], y / horizon), bands)
    glow = np.exp(-(((x - width * 0.3) / 300) ** 2) - ((y - horizon) / 120) ** 2)
    picture = blend(picture, np.broadcast_to(np.array([228.0, 196, 150]), picture.shape), glow * 0.75)
    far = ridge(rng, width, horizon + 4, 46, 380) + np.clip((x[0] - 700) / 12, 0, 60)
    picture = blend(picture, np.broadcast_to(np.array([92.0, 78, 108]), picture.shape), np.clip(y - far[None, :], 0, 1))
    waves = noise(rng, height, width, 22, 5, 7) - 0.5
    down = np.clip((y - horizon) / (height - horizon), 0, 1)
    sea = ramp([(0, (196, 142, 118)), (0.25, (112, 96, 122)), (1, (34, 48, 78))], down) + waves[..., None] * (26 + 90 * down[..., None])
    path = np.exp(-(((x - width * 0.3) / (60 + 190 * down)) ** 2)) * np.clip(waves * 6 + 0.3, 0, 1)
    sea = blend(sea, np.broadcast_to(np.array([230.0, 186, 138]), sea.shape), path * 0.7)
    picture = blend(picture, sea, (y >= horizon).astype(float))
    head = horizon - 74 + np.clip((900 - x[0]) * 0.55, 0, 900) + 16 * (noise(rng, 2, width, 90, 4)[0] - 0.5)
    rock = np.array([44, 42, 52]) * (0.4 + 1.2 * noise(rng, height, width, 34, 6))[..., None]
    picture = blend(picture, rock, np.clip((y - head[None, :]) / 2, 0, 1))
    foot, top, middle = horizon - 66, horizon - 262, 1010.0
    half = np.interp(y, [top, foot], [15, 26])
    tower = np.clip(half - np.abs(x - middle) + 0.5, 0, 1) * ((y > top) & (y < foot + 10))
    round_ = 0.62 + 0.30 * np.clip((middle - x) / half, -1, 1)
    striped = np.where((((y - top) // 49) % 2 == 0)[..., None], np.array([214.0, 204, 196]), np.array([158.0, 58, 52])) * round_[..., None]
    picture = blend(picture, striped, tower)
    for low, high, wide, shade in (
        (top - 6, top, 24, (40, 38, 46)),
        (top - 34, top - 6, 13, (226, 196, 128)),
        (top - 42, top - 34, 17, (60, 40, 44)),
    ):
        box = np.clip(wide - np.abs(x - middle) + 0.5, 0, 1) * ((y >= low) & (y < high))
        picture = blend(picture, np.broadcast_to(np.array(shade, dtype=float), picture.shape), box)
    roof = np.clip((y - (top - 60)) * 0.9 - np.abs(x - middle) + 0.5, 0, 1) * (y < top - 42)
    picture = blend(picture, np.broadcast_to(np.array([60.0, 40, 44]), picture.shape), roof)
    halo = np.exp(-(((x - middle) / 46) ** 2) - ((y - (top - 20)) / 40) ** 2)
    picture = blend(picture, np.broadcast_to(np.array([232.0, 204, 146]), picture.shape), halo * 0.55)
    return finish(rng, np.clip(picture, 0, 228))


if __name__ == "__main__":
    for picture, place in ((lake(), "gimp/scale-export/mountain-lake.jpg"), (coast(), "gimp/layered-card/headland.jpg")):
        target = PACKS / place
        target.parent.mkdir(parents=True, exist_ok=True)
        picture.save(target, quality=88, dpi=(72, 72))
        print(target, picture.size, target.stat().st_size)
