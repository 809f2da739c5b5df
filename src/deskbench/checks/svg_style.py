"""The cascade of SVG: presentation attributes, style sheets, style attributes and inheritance, lengths and colours."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import tinycss2  # type: ignore[import-untyped]
import tinycss2.color3  # type: ignore[import-untyped]
from lxml import etree

from deskbench.checks.svg_geometry import NUMBER, finite
from deskbench.core.faults import BadArtifact

Style = dict[str, str]
RULES = 5_000
STYLE = 20_000
UNITS = {"px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6}
FONT_SIZES = {"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}
INHERITED = frozenset((
    "color", "fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "marker-start", "marker-mid", "marker-end", "visibility", "font-size",
    "font-family", "font-weight", "font-style", "font-stretch", "font-variant", "text-anchor", "text-align", "line-height", "letter-spacing",
    "word-spacing",
    "text-decoration", "text-decoration-line", "writing-mode", "paint-order",
))  # fmt: skip
OWN = frozenset((
    "opacity", "display", "filter", "clip-path", "mask", "stop-color", "stop-opacity", "mix-blend-mode", "transform", "shape-inside", "inline-size",
))  # fmt: skip

PRESENTED = (INHERITED | OWN) - {"transform"}
"""The properties that may stand as attributes; a transform is written differently there."""


@dataclass(frozen=True)
class Rule:
    """One selector of a style sheet with its declarations: compounds from the outermost inwards, all of them descendants."""

    compounds: tuple[str, ...]
    rank: tuple[int, int]
    declared: tuple[tuple[str, str, bool], ...]


@dataclass
class Sheet:
    """The style sheets of a document, by what the last compound of a selector asks for."""

    rules: dict[str, list[Rule]] = field(default_factory=lambda: defaultdict(list))
    count: int = 0

    def read(self, text: str) -> None:
        for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule":
                continue
            declared = tuple(_declarations(rule.content))
            for selector in tinycss2.serialize(rule.prelude).split(","):
                self._add(selector, declared)

    def _add(self, selector: str, declared: tuple[tuple[str, str, bool], ...]) -> None:
        self.count += 1
        if self.count > RULES:
            raise BadArtifact(f"the drawing has more than {RULES} style rules")
        compounds = tuple(re.sub(r"\s*[>+~]\s*", " ", selector).split())
        if not compounds or any(re.search(r"[\[:]", compound) for compound in compounds):
            return
        whole = "".join(compounds)
        weight = whole.count("#") * 10_000 + whole.count(".") * 100 + sum(re.match(r"[a-zA-Z]", compound) is not None for compound in compounds)
        key = re.findall(r"[#.]?[\w-]+|\*", compounds[-1])
        if key:
            self.rules[key[-1]].append(Rule(compounds, (weight, self.count), declared))

    def matching(self, node: etree._Element) -> list[Rule]:
        keys = ["*", tag_of(node), f"#{node.get('id', '')}", *(f".{name}" for name in node.get("class", "").split())]
        found = [rule for key in keys for rule in self.rules.get(key, ()) if _matches(rule.compounds, node)]
        return sorted(found, key=lambda rule: rule.rank)


def tag_of(node: etree._Element) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def computed(node: etree._Element, parent: Style, sheet: Sheet) -> Style:
    """All that holds for a node: what it inherits, overlaid by what is said of it."""
    style = {name: value for name, value in parent.items() if name in INHERITED}
    ordered = [(False, str(name), str(value).strip()) for name, value in node.attrib.items() if name in PRESENTED]
    for rule in sheet.matching(node):
        ordered += [(important, name, value) for name, value, important in rule.declared]
    if node.get("style"):
        ordered += [(important, name, value) for name, value, important in _style_of(node.get("style", ""))]
    for _, name, value in sorted(ordered, key=lambda one: one[0]):
        if value == "inherit":
            value = parent.get(name, "")
        if name == "font-size":
            value = f"{_font_size(value, float(parent.get('font-size', 16))):.10g}"
        style[name] = value
    return style


def length(text: str | None, whole: float = 0.0, font_size: float = 16.0) -> float | None:
    """A length in user units; `whole` is what a percentage is of. None if it is no length."""
    match = re.fullmatch(rf"\s*({NUMBER})\s*([a-zA-Z%]*)\s*", text or "")
    if match is None:
        return None
    value, unit = finite(match[1]), match[2].lower()
    if unit == "%":
        return value * whole / 100
    if unit in ("em", "ex", "rem"):
        return value * font_size * (0.5 if unit == "ex" else 1)
    return value * UNITS[unit] if unit in UNITS else (value if not unit else None)


def share(text: str | None) -> float:
    """An opacity, from 0 to 1."""
    value = length(text, whole=1.0)
    return 1.0 if value is None else min(1.0, max(0.0, value))


def colour(text: str, current: str = "black") -> tuple[tuple[int, int, int], float] | None:
    """Red, green and blue from 0 to 255, and alpha; None if the text is no colour."""
    plain = text[:200].partition("icc-color")[0].strip()
    alpha = 1.0
    if re.fullmatch(r"#[0-9a-fA-F]{8}", plain):
        plain, alpha = plain[:7], int(plain[7:], 16) / 255
    found: Any = tinycss2.color3.parse_color(plain)
    if found == "currentColor":
        found = tinycss2.color3.parse_color(current)
    if found is None or isinstance(found, str):
        return None
    red, green, blue = (round(min(1.0, max(0.0, channel)) * 255) for channel in found[:3])
    return (red, green, blue), alpha * found[3]


def weight_of(style: Style) -> float:
    """The weight of a font as a number."""
    said = style.get("font-weight", "normal")
    named = {"normal": 400.0, "bold": 700.0, "bolder": 700.0, "lighter": 300.0}
    return named.get(said) or length(said) or 400.0


def family_of(style: Style) -> str:
    """The first font family that is asked for, without quotes."""
    return style.get("font-family", "sans-serif").split(",")[0].strip().strip("'\"")


def _style_of(text: str) -> list[tuple[str, str, bool]]:
    """A style attribute; the plain ones, nearly all, are split without a CSS parser, which is a hundred times slower."""
    if len(text) > STYLE:
        raise BadArtifact(f"the drawing has a style of {len(text)} characters")
    if re.search(r"[\"'\\/!{}\[]", text):
        return _declarations(text)
    said = (part.partition(":") for part in text.split(";"))
    return [(name.strip().lower(), value.strip(), False) for name, colon, value in said if colon]


def _declarations(content: Any) -> list[tuple[str, str, bool]]:
    found = []
    for item in tinycss2.parse_declaration_list(content, skip_comments=True, skip_whitespace=True):
        if item.type == "declaration":
            found.append((item.lower_name, tinycss2.serialize(item.value).strip(), item.important))
    return found


def _matches(compounds: tuple[str, ...], node: etree._Element) -> bool:
    if not _is(compounds[-1], node):
        return False
    above = node.getparent()
    for compound in reversed(compounds[:-1]):
        while above is not None and not _is(compound, above):
            above = above.getparent()
        if above is None:
            return False
        above = above.getparent()
    return True


def _is(compound: str, node: etree._Element) -> bool:
    for part in re.findall(r"[#.]?[\w-]+|\*", compound):
        if part.startswith("#"):
            held = node.get("id") == part[1:]
        elif part.startswith("."):
            held = part[1:] in node.get("class", "").split()
        else:
            held = part in ("*", tag_of(node))
        if not held:
            return False
    return True


def _font_size(text: str, parent: float) -> float:
    if text in FONT_SIZES:
        return float(FONT_SIZES[text])
    if text in ("larger", "smaller"):
        return parent * (1.2 if text == "larger" else 1 / 1.2)
    found = length(text, whole=parent, font_size=parent)
    return parent if found is None else found
