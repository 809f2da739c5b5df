"""The geometry of SVG: matrices, outlines made of cubic curves, and what they measure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from deskbench.core.faults import BadArtifact

Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]
Contour = list[Curve]
CURVES = 100_000
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ARC = (re.compile(rf"[\s,]*({NUMBER})"), re.compile(r"[\s,]*([01])"))
"""A number and a flag, each read on from where the last one ended."""
_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


@dataclass(frozen=True)
class Matrix:
    """An affine map, as SVG writes it."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __matmul__(self, inner: Matrix) -> Matrix:
        return Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            self.a * inner.e + self.c * inner.f + self.e,
            self.b * inner.e + self.d * inner.f + self.f,
        )

    def at(self, point: Point) -> Point:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    @property
    def scale(self) -> float:
        """By how much lengths grow, on the whole."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))

    @property
    def rotation(self) -> float:
        """Degrees clockwise on the screen, from -180 (not included) to 180."""
        degrees = math.degrees(math.atan2(self.b, self.a))
        return 180.0 if math.isclose(degrees, -180.0) else degrees


@dataclass(frozen=True)
class Rectangle:
    """Left, top, width and height in pixels of the page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2


def finite(number: str) -> float:
    """A number of a drawing; BadArtifact for one that no drawing has and that arithmetic would overflow on."""
    value = float(number)
    if not abs(value) < 1e12:
        raise BadArtifact(f"the drawing has the absurd number {number[:40]}")
    return value


def numbers_in(text: str) -> list[float]:
    return [finite(number) for number in re.findall(NUMBER, text)]


def transform(text: str | None) -> Matrix:
    """The value of a transform attribute; what cannot be read is left out, as browsers do."""
    whole = Matrix()
    for name, arguments in re.findall(r"(?<![a-zA-Z])([a-zA-Z]{1,12})\s{0,9}\(([^()]*)\)", text or ""):
        numbers = numbers_in(arguments)
        if (one := _one_transform(name, numbers)) is not None:
            whole = whole @ one
    return whole


def _one_transform(name: str, v: list[float]) -> Matrix | None:
    if name == "matrix" and len(v) == 6:
        return Matrix(*v)
    if name == "translate" and v:
        return Matrix(e=v[0], f=v[1] if len(v) > 1 else 0.0)
    if name == "scale" and v:
        return Matrix(a=v[0], d=v[1] if len(v) > 1 else v[0])
    if name == "rotate" and v:
        turned = math.radians(v[0])
        turn = Matrix(math.cos(turned), math.sin(turned), -math.sin(turned), math.cos(turned))
        return Matrix(e=v[1], f=v[2]) @ turn @ Matrix(e=-v[1], f=-v[2]) if len(v) > 2 else turn
    if name == "skewX" and v:
        return Matrix(c=math.tan(math.radians(v[0])))
    if name == "skewY" and v:
        return Matrix(b=math.tan(math.radians(v[0])))
    return None


def line(start: Point, end: Point) -> Curve:
    return start, _between(start, end, 1 / 3), _between(start, end, 2 / 3), end


def is_straight(curve: Curve, within: float = 1e-6) -> bool:
    (ax, ay), (dx, dy) = curve[0], curve[3]
    size = max(abs(dx - ax), abs(dy - ay), 1e-12)
    return all(abs((dx - ax) * (y - ay) - (dy - ay) * (x - ax)) <= within * size * size for x, y in curve[1:3])


def polygon(points: list[Point], closed: bool = True) -> Contour:
    ends = points[1:] + points[:1] if closed else points[1:]
    return [line(start, end) for start, end in zip(points, ends, strict=False)]


def ellipse(cx: float, cy: float, rx: float, ry: float) -> Contour:
    quarters = [(cx + rx, cy), (cx, cy + ry), (cx - rx, cy), (cx, cy - ry), (cx + rx, cy)]
    return [curve for start, end in pairwise(quarters) for curve in _arc(start, [rx, ry, 0, 0, 1, *end])]


def outline(d: str) -> list[Contour]:
    """The contours of path data, each a run of cubic curves; drawing stops at the first mistake, as the standard says."""
    pen = _Pen()
    for command, numbers in _commands(d):
        pen.draw(command, numbers)
        if pen.curves > CURVES:
            raise BadArtifact(f"a path has more than {CURVES} segments")
    return [contour for contour in pen.contours if contour]


def moved(contours: Iterable[Contour], by: Matrix) -> list[Contour]:
    return [[(by.at(a), by.at(b), by.at(c), by.at(d)) for a, b, c, d in contour] for contour in contours]


def bounds(contours: Iterable[Contour]) -> Rectangle | None:
    """The tight box around outlines; None if there are none."""
    xs: list[float] = []
    ys: list[float] = []
    for contour in contours:
        for curve in contour:
            for values, axis in ((xs, 0), (ys, 1)):
                values += _extremes([point[axis] for point in curve])
    if not xs:
        return None
    return Rectangle(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def union(boxes: Iterable[Rectangle | None]) -> Rectangle | None:
    there = [box for box in boxes if box is not None]
    if not there:
        return None
    left, top = min(box.x for box in there), min(box.y for box in there)
    return Rectangle(left, top, max(box.right for box in there) - left, max(box.bottom for box in there) - top)


def area(contours: Iterable[Contour]) -> float:
    """The area that is enclosed; a hole (a contour the other way round) is taken off."""
    total = 0.0
    for contour in contours:
        points = [_on(curve, step / 16) for curve in contour for step in range(16)]
        total += sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True)) / 2
    return abs(total)


class _Pen:
    """Follows path commands."""

    def __init__(self) -> None:
        self.contours: list[Contour] = [[]]
        self.at: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.mirror: tuple[str, Point] = ("", (0.0, 0.0))
        self.curves = 0

    def draw(self, command: str, v: list[float]) -> None:
        kind, (x, y) = command.lower(), self.at
        if command.islower() and kind not in "az":
            v = [value + (y if (kind == "v" or (kind != "h" and index % 2)) else x) for index, value in enumerate(v)]
        elif command == "a":
            v = [*v[:5], v[5] + x, v[6] + y]
        if kind == "m":
            self.contours.append([])
            self.at = self.start = (v[0], v[1])
        elif kind == "z":
            if self.at != self.start:
                self._add([line(self.at, self.start)])
            self.at = self.start
            self.contours.append([])
        else:
            self._add(self._curves(kind, v))

    def _curves(self, kind: str, v: list[float]) -> list[Curve]:
        x, y = self.at
        mirrored = self.mirror
        self.mirror = ("", (0.0, 0.0))
        if kind == "a":
            return _arc(self.at, v)
        if kind in "lhv":
            return [line(self.at, {"l": lambda: (v[0], v[1]), "h": lambda: (v[0], y), "v": lambda: (x, v[0])}[kind]())]
        kin = "c" if kind in "cs" else "q"
        reflected = (2 * x - mirrored[1][0], 2 * y - mirrored[1][1]) if mirrored[0] == kin else self.at
        if kin == "c":
            first = (v[0], v[1]) if kind == "c" else reflected
            second, end = (v[-4], v[-3]), (v[-2], v[-1])
            self.mirror = (kin, second)
            return [(self.at, first, second, end)]
        control, end = (v[0], v[1]) if kind == "q" else reflected, (v[-2], v[-1])
        self.mirror = (kin, control)
        return [(self.at, _between(self.at, control, 2 / 3), _between(end, control, 2 / 3), end)]

    def _add(self, curves: list[Curve]) -> None:
        self.contours[-1] += curves
        self.curves += len(curves)
        if curves:
            self.at = curves[-1][3]


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    for command, arguments in re.findall(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)", d):
        numbers = _arc_numbers(arguments) if command in "Aa" else numbers_in(arguments)
        size = _COUNTS[command.lower()]
        if size == 0:
            yield command, []
        for at in range(0, len(numbers) - size + 1 if size else 0, size or 1):
            following = {"m": "l", "M": "L"}.get(command, command) if at else command
            yield following, numbers[at : at + size]


def _arc_numbers(arguments: str) -> list[float]:
    """An arc's two flags may stand without anything between them and what follows."""
    found: list[float] = []
    at = 0
    while (match := _ARC[len(found) % 7 in (3, 4)].match(arguments, at)) is not None:
        found.append(finite(match[1]))
        at = match.end()
    return found


def _arc(start: Point, v: list[float]) -> list[Curve]:
    """An elliptical arc as curves of at most a quarter turn each (SVG, implementation notes, F.6)."""
    end = (v[5], v[6])
    rx, ry, turn = abs(v[0]), abs(v[1]), math.radians(v[2])
    if start == end:
        return []
    if rx < 1e-12 or ry < 1e-12:
        return [line(start, end)]
    cos, sin = math.cos(turn), math.sin(turn)
    hx, hy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    px, py = cos * hx + sin * hy, -sin * hx + cos * hy
    grow = math.sqrt(max(1.0, (px / rx) ** 2 + (py / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    below = (rx * py) ** 2 + (ry * px) ** 2
    factor = math.sqrt(max(0.0, (rx * ry) ** 2 - below) / below) * (-1 if bool(v[3]) == bool(v[4]) else 1)
    qx, qy = factor * rx * py / ry, -factor * ry * px / rx
    frame = Matrix(cos, sin, -sin, cos, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2) @ Matrix(a=rx, d=ry, e=qx, f=qy)
    first = math.atan2((py - qy) / ry, (px - qx) / rx)
    sweep = math.atan2((-py - qy) / ry, (-px - qx) / rx) - first
    if v[4] and sweep < 0:
        sweep += 2 * math.pi
    elif not v[4] and sweep > 0:
        sweep -= 2 * math.pi
    pieces = max(1, math.ceil(abs(sweep) / (math.pi / 2) - 1e-9))
    step = sweep / pieces
    bow = 4 / 3 * math.tan(step / 4)
    curves: list[Curve] = []
    for piece in range(pieces):
        a, b = first + piece * step, first + (piece + 1) * step
        points = [
            (math.cos(a), math.sin(a)),
            (math.cos(a) - bow * math.sin(a), math.sin(a) + bow * math.cos(a)),
            (math.cos(b) + bow * math.sin(b), math.sin(b) - bow * math.cos(b)),
            (math.cos(b), math.sin(b)),
        ]
        p0, p1, p2, p3 = (frame.at(point) for point in points)
        curves.append((p0, p1, p2, p3))
    return curves


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _on(curve: Curve, t: float) -> Point:
    u = 1 - t
    weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
    return sum(w * p[0] for w, p in zip(weights, curve, strict=True)), sum(w * p[1] for w, p in zip(weights, curve, strict=True))


def _extremes(p: list[float]) -> list[float]:
    """The ends of one coordinate of a curve and where it turns between them."""
    a, b, c = 3 * (p[3] - 3 * p[2] + 3 * p[1] - p[0]), 6 * (p[2] - 2 * p[1] + p[0]), 3 * (p[1] - p[0])
    roots: list[float] = []
    if abs(a) > 1e-12 and (inside := b * b - 4 * a * c) >= 0:
        roots = [(-b + sign * math.sqrt(inside)) / (2 * a) for sign in (1, -1)]
    elif abs(a) <= 1e-12 and abs(b) > 1e-12:
        roots = [-c / b]
    turned = [_on(((p[0], 0.0), (p[1], 0.0), (p[2], 0.0), (p[3], 0.0)), t)[0] for t in roots if 0 < t < 1]
    return [p[0], p[3], *turned]
