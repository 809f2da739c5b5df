"""OpenDocument packages: their XML, their lengths in millimetres, and styles resolved through what they inherit from."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from lxml import etree

from deskbench.checks.evidence import open_zip, xml, zip_member
from deskbench.core.faults import BadArtifact

Node = etree._Element

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
NAMESPACES = {
    "office": _URN + "office:1.0",
    "style": _URN + "style:1.0",
    "text": _URN + "text:1.0",
    "table": _URN + "table:1.0",
    "draw": _URN + "drawing:1.0",
    "fo": _URN + "xsl-fo-compatible:1.0",
    "svg": _URN + "svg-compatible:1.0",
    "chart": _URN + "chart:1.0",
    "number": _URN + "datastyle:1.0",
    "presentation": _URN + "presentation:1.0",
    "config": _URN + "config:1.0",
    "anim": _URN + "animation:1.0",
    "smil": _URN + "smil-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
    "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
}
_PREFIXES = {uri: prefix for prefix, uri in NAMESPACES.items()}
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "px": 25.4 / 96}


def q(name: str) -> str:
    """The qualified form of `prefix:local`."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def short(tag: object) -> str:
    """`prefix:local` of a qualified name; the local name alone where the namespace is none of ours."""
    uri, _, local = str(tag).rpartition("}")
    prefix = _PREFIXES.get(uri[1:])
    return f"{prefix}:{local}" if prefix else local


def attribute(node: Node, name: str) -> str | None:
    """An attribute by its short name."""
    return node.get(q(name))


def count(node: Node, name: str, limit: int) -> int:
    """A repetition such as `table:number-rows-repeated`, at least one and at most `limit`."""
    said = attribute(node, name) or "1"
    return max(1, min(int(said), limit)) if said.isdecimal() and len(said) < 10 else 1


def millimetres(length: str | None) -> float | None:
    """A length such as `0.889in`."""
    found = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?|-?\.\d+)\s*(mm|cm|in|pt|pc|px)\s*", length or "")
    return float(found[1]) * _MILLIMETRES[found[2]] if found else None


def points(length: str | None) -> float | None:
    """The same in points, as font sizes are said."""
    found = millimetres(length)
    return None if found is None else round(found * 72 / 25.4, 3)


def rgb(colour: str | None) -> tuple[int, int, int] | None:
    """`#rrggbb`; None for `transparent` and anything else."""
    found = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", colour or "")
    return (int(found[1], 16), int(found[2], 16), int(found[3], 16)) if found else None


def plain_text(node: Node, skip: frozenset[str] = frozenset({"office:annotation", "text:note", "text:tracked-changes"})) -> str:
    """The text of a paragraph: spaces, tabs and line breaks spelt out; comments and notes left out."""
    parts = [node.text or ""]
    for child in node:
        name = short(child.tag)
        if name == "text:s":
            parts.append(" " * count(child, "text:c", 1000))
        elif name == "text:tab":
            parts.append("\t")
        elif name == "text:line-break":
            parts.append("\n")
        elif name not in skip:
            parts.append(plain_text(child, skip))
        parts.append(child.tail or "")
    return "".join(parts)


def laid_over(base: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Properties with nearer ones over them: a size in percent is a share of the base's, a colour ends the automatic one."""
    size = _scaled(own.get("fo:font-size", ""), base.get("fo:font-size"))
    merged = {**base, **own, **({"fo:font-size": size} if size else {})}
    if "fo:color" in own and own.get("style:use-window-font-color") != "true":
        merged.pop("style:use-window-font-color", None)
    return merged


def _scaled(size: str, parent: str | None) -> str:
    """A font size; one in percent is a share of what is inherited."""
    share = re.fullmatch(r"(\d{1,4}(?:\.\d+)?)%", size)
    whole = points(parent)
    return f"{whole * float(share[1]) / 100:g}pt" if share and whole else size


class Package:
    """An OpenDocument file, its members parsed when asked for."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = what
        with open_zip(path, what) as archive:
            self.members = set(archive.namelist())
            self._data = {
                name: zip_member(archive, name, what) for name in self.members if name.endswith((".xml", "mimetype")) and name.count("/") <= 1
            }
        self.path = path
        self._pictures: dict[str, bytes] = {}
        if "content.xml" not in self.members:
            raise BadArtifact(f"{what} is not an OpenDocument file: it has no content.xml in it")

    def xml(self, name: str) -> Node | None:
        """A member parsed; None if there is none."""
        return xml(self._data[name], f"{name} in {self.what}") if name in self._data else None

    def data(self, name: str) -> bytes | None:
        """A member's bytes, for instance a picture's."""
        if name not in self.members:
            return None
        if name not in self._pictures:
            with open_zip(self.path, self.what) as archive:
                self._pictures[name] = zip_member(archive, name, self.what)
        return self._pictures[name]

    @cached_property
    def content(self) -> Node:
        return xml(self._data["content.xml"], f"content.xml in {self.what}")

    @cached_property
    def body(self) -> Node:
        """The one element below office:body."""
        found = self.content.find(f"{q('office:body')}/*")
        if found is None:
            raise BadArtifact(f"{self.what} has no body")
        return found

    @cached_property
    def styles(self) -> Styles:
        roots = [root for root in (self.xml("styles.xml"), self.content) if root is not None]
        return Styles(roots)


class Styles:
    """Styles by family and name. Automatic styles hide common ones of the same name, as the format has it."""

    def __init__(self, roots: list[Node]) -> None:
        self.by_name: dict[tuple[str, str], Node] = {}
        self.defaults: dict[str, Node] = {}
        self.numbers: dict[str, Node] = {}
        self.lists: dict[str, Node] = {}
        self.fonts: dict[str, str] = {}
        for node in (node for root in roots for node in root.iter(*_STYLES)):
            self._add(node)

    def _add(self, node: Node) -> None:
        name, tag = attribute(node, "style:name") or "", short(node.tag)
        if tag == "style:style":
            self.by_name[attribute(node, "style:family") or "", name] = node
        elif tag == "style:default-style":
            self.defaults[attribute(node, "style:family") or ""] = node
        elif tag == "text:list-style":
            self.lists[name] = node
        elif tag == "style:font-face":
            self.fonts[name] = (attribute(node, "svg:font-family") or name).strip("'\"")
        else:
            self.numbers[name] = node

    def chain(self, family: str, name: str | None) -> list[Node]:
        """A style and what it inherits from, nearest first, the family's default last."""
        found: list[Node] = []
        while name is not None and len(found) < 40 and (node := self.by_name.get((family, name))) is not None:
            found.append(node)
            name = attribute(node, "style:parent-style-name")
        return [*found, self.defaults[family]] if family in self.defaults else found

    def properties(self, family: str, name: str | None, group: str) -> dict[str, str]:
        """All attributes of one group (`text`, `paragraph`, `table-cell`, ...) after inheritance, by short name."""
        merged: dict[str, str] = {}
        for node in reversed(self.chain(family, name)):
            for properties in node.iterfind(f"{{*}}{group}-properties"):
                said = {short(key): str(value) for key, value in properties.attrib.items()}
                merged = laid_over(merged, said)
        return merged

    def display_name(self, family: str, name: str | None) -> str:
        """The name a person sees: of the nearest style with one, since automatic styles have none of their own."""
        for node in self.chain(family, name):
            own = attribute(node, "style:name")
            if own is not None and (parent := node.getparent()) is not None and short(parent.tag) == "office:styles":
                return attribute(node, "style:display-name") or own.replace("_20_", " ")
        return "Standard"

    def font(self, text: dict[str, str]) -> str | None:
        """The font family among text properties."""
        named = text.get("style:font-name")
        return self.fonts.get(named, named) if named else (text.get("fo:font-family") or "").strip("'\"") or None


_STYLES = [q(name) for name in ("style:style", "style:default-style", "text:list-style", "style:font-face")] + [
    q(f"number:{kind}-style") for kind in ("number", "currency", "percentage", "date", "time", "boolean", "text")
]
