"""YAML with the line of every value, so that an error can say where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

Lines = dict[tuple[str | int, ...], int]

SIZE_LIMIT = 1 << 20
DEPTH_LIMIT = 40
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's, which is many times faster, where PyYAML was built with it."""


class BadYaml(Exception):
    """A sentence and the line it is about."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line


def load(file: Path) -> tuple[Any, Lines]:
    """The plain data of a YAML file and the line of every path in it. Anchors, tags and repeated keys are refused."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadYaml(1, "the file is not text in UTF-8") from error
    if len(text) > SIZE_LIMIT:
        raise BadYaml(1, f"the file has more than {SIZE_LIMIT >> 20} MB")
    try:
        loader = Loader(text)
        try:
            node = loader.get_single_node()
            lines: Lines = {}
            return (_plain(loader, node, (), lines, set()) if node is not None else None), lines
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise BadYaml(mark.line + 1 if mark else 1, f"the YAML cannot be read: {error.problem}") from error
    except yaml.YAMLError as error:
        raise BadYaml(1, f"the YAML cannot be read: {error}") from error


def _plain(loader: Any, node: yaml.Node, path: tuple[str | int, ...], lines: Lines, seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    if id(node) in seen:
        raise BadYaml(line, "anchors and aliases are not read; write the value again")
    seen.add(id(node))
    lines[path] = line
    if len(path) > DEPTH_LIMIT:
        raise BadYaml(line, f"the file is nested deeper than {DEPTH_LIMIT} levels")
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_object(node)
        return value if isinstance(value, str | int | float | bool | None) else node.value  # dates stay the text they were
    if isinstance(node, yaml.SequenceNode):
        return [_plain(loader, item, (*path, number), lines, seen) for number, item in enumerate(node.value)]
    assert isinstance(node, yaml.MappingNode)
    found: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node)
        at = key_node.start_mark.line + 1
        if not isinstance(key, str | int | float | bool):
            raise BadYaml(at, "a key must be a plain text")
        key = str(key) if not isinstance(key, str) else key
        if key in found:
            raise BadYaml(at, f"the key {key!r} stands twice")
        found[key] = _plain(loader, value_node, (*path, key), lines, seen)
        lines[(*path, key)] = at
    return found


def line_of(path: tuple[str | int, ...], lines: Lines) -> int:
    """The line of a path, or of the nearest thing around it."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
