"""Office Open XML packages: parts, relationships, and colours resolved through the theme."""

from __future__ import annotations

import colorsys
import posixpath
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lxml import etree

from deskbench.checks.evidence import open_zip, xml, zip_member
from deskbench.core.faults import BadArtifact

Node = etree._Element
Rgb = tuple[int, int, int]

EMU_PER_MM = 36_000
_THEME_ORDER = ("lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink", "folHlink")
_DEFAULT_THEME = dict(
    zip(
        _THEME_ORDER,
        ("FFFFFF", "000000", "EEECE1", "1F497D", "4F81BD", "C0504D", "9BBB59", "8064A2", "4BACC6", "F79646", "0000FF", "800080"),
        strict=True,
    )
)
_NAMED = {"black": "000000", "white": "FFFFFF", "red": "FF0000", "green": "008000", "blue": "0000FF", "yellow": "FFFF00"}


def local(node: Node) -> str:
    """The tag without its namespace: strict and transitional files differ in nothing else."""
    return str(node.tag).rpartition("}")[2]


def get(node: Node | None, name: str) -> str | None:
    """An attribute by its local name, whatever its namespace."""
    if node is None:
        return None
    found = node.get(name)
    if found is None:
        found = next((str(value) for key, value in node.attrib.items() if str(key).rpartition("}")[2] == name), None)
    return found


def value(node: Node | None, path: str) -> str | None:
    """`val` of the first element at a path of local names."""
    return get(find(node, path), "val")


def find(node: Node | None, path: str) -> Node | None:
    """The first element at a path of local names such as `rPr/sz`."""
    return None if node is None else node.find("/".join(f"{{*}}{step}" for step in path.split("/")))


def all_of(node: Node | None, path: str) -> list[Node]:
    """Every element at a path of local names."""
    return [] if node is None else list(node.iterfind("/".join(f"{{*}}{step}" for step in path.split("/"))))


def on(node: Node | None) -> bool | None:
    """An on/off element: None if it is absent, and on without a value."""
    return None if node is None else (get(node, "val") or "true").lower() not in ("0", "false", "off", "none")


def number(text: str | None) -> float | None:
    """A number, or None for anything else."""
    return float(text) if text is not None and re.fullmatch(r"\s*[-+]?(\d{1,18}(\.\d*)?|\.\d+)([eE][-+]?\d{1,2})?\s*", text) else None


def rgb(text: str | None) -> Rgb | None:
    """`RRGGBB` or `AARRGGBB`."""
    found = re.fullmatch(r"(?:[0-9a-fA-F]{2})?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", text or "")
    return (int(found[1], 16), int(found[2], 16), int(found[3], 16)) if found else None


def brightened(colour: Rgb, scale: float, offset: float = 0.0) -> Rgb:
    """A colour with its luminance scaled and shifted."""
    hue, light, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
    red, green, blue = colorsys.hls_to_rgb(hue, max(0.0, min(1.0, light * scale + offset)), saturation)
    return round(red * 255), round(green * 255), round(blue * 255)


@dataclass(frozen=True)
class Relation:
    """One relationship of a part; `target` is a part's name, or an address where `external`."""

    kind: str
    target: str
    external: bool


class Package:
    """An Office Open XML file, its parts parsed when asked for."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = what
        self.path = path
        self._pictures: dict[str, bytes] = {}
        with open_zip(path, what) as archive:
            self.members = set(archive.namelist())
            self._data = {name: zip_member(archive, name, what) for name in self.members if name.endswith((".xml", ".rels"))}
        self._parsed: dict[str, Node] = {}

    @cached_property
    def main(self) -> str:
        """The part that the package is about."""
        found = [relation.target for relation in self.relations("").values() if relation.kind == "officeDocument"]
        if not found or found[0] not in self._data:
            raise BadArtifact(f"{self.what} is not an Office file: it has no main document in it")
        return found[0]

    def xml(self, part: str) -> Node:
        """A part parsed; BadArtifact if there is none."""
        if part not in self._parsed:
            if part not in self._data:
                raise BadArtifact(f"{self.what} has no {part} in it")
            self._parsed[part] = xml(self._data[part], f"{part} in {self.what}")
        return self._parsed[part]

    def data(self, part: str) -> bytes | None:
        """A part's bytes, for instance a picture's; None if there is none."""
        if part not in self.members:
            return None
        if part not in self._pictures:
            with open_zip(self.path, self.what) as archive:
                self._pictures[part] = zip_member(archive, part, self.what)
        return self._pictures[part]

    def relations(self, part: str) -> dict[str, Relation]:
        """The relationships of a part by their ids (`""` is the package itself)."""
        folder, name = posixpath.split(part)
        where = posixpath.join(folder, "_rels", name + ".rels")
        if where not in self._data:
            return {}
        found: dict[str, Relation] = {}
        for node in all_of(self.xml(where), "Relationship"):
            external, target = get(node, "TargetMode") == "External", get(node, "Target") or ""
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[get(node, "Id") or ""] = Relation((get(node, "Type") or "").rpartition("/")[2], target, external)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """The parts related to a part in one way, as far as they exist."""
        return [item.target for item in self.relations(part).values() if item.kind == kind and not item.external and item.target in self.members]

    def theme_of(self, part: str) -> dict[str, Rgb]:
        """The colours of a part's theme by their names, with Office's own where it has none."""
        colours = {name: rgb(code) or (0, 0, 0) for name, code in _DEFAULT_THEME.items()}
        for theme in self.related(part, "theme")[:1]:
            for node in all_of(self.xml(theme), "themeElements/clrScheme/*"):
                inner = next(iter(node), None)
                said = rgb(get(inner, "lastClr") or get(inner, "val"))
                if said is not None:
                    colours[local(node)] = said
        return colours


def theme_colour(theme: dict[str, Rgb], index: int) -> Rgb | None:
    """A theme's colour by the number that spreadsheets use."""
    return theme.get(_THEME_ORDER[index]) if 0 <= index < len(_THEME_ORDER) else None


def drawing_colour(fill: Node | None, theme: dict[str, Rgb]) -> Rgb | None:
    """The colour inside a DrawingML `solidFill`, its luminance changes applied."""
    node = next(iter(fill), None) if fill is not None else None
    if node is None:
        return None
    said = get(node, "val") or ""
    alias = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}.get(said, said)
    by_kind = {"srgbClr": rgb(said), "schemeClr": theme.get(alias), "sysClr": rgb(get(node, "lastClr")), "prstClr": rgb(_NAMED.get(said))}
    colour = by_kind.get(local(node))
    scale, offset = number(value(node, "lumMod")), number(value(node, "lumOff"))
    if colour is not None and (scale is not None or offset is not None):
        return brightened(colour, (scale if scale is not None else 1e5) / 1e5, (offset or 0.0) / 1e5)
    return colour
