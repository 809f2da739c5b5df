"""JSON files, with comments and trailing commas where an editor's settings have them.

    - json.value: {file: ~/settings.json, path: editor.tabSize, is: 2}
    - json.value: {file: ~/data.json, path: "items[0].price", number: {is: 9.5, within: 0.01}}
    - json.value: {file: ~/data.json, path: [a.b, name], text: {contains: x}}      a list where keys have dots
    - json.keys: {file: ~/data.json, path: items, keys: [id, name], only: true}
    - json.count: {file: ~/data.json, path: items, count: 3}
    - json.absent: {file: ~/settings.json, path: editor.fontSize}
    - json.unchanged: {file: ~/settings.json, except: [editor.tabSize]}

The empty path is the whole document. Order of keys and layout make no difference; 2 and 2.0 are equal, true and 1 are not.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from pydantic import Field

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Txt
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

JsonPath = str | tuple[str | int, ...]
LIMIT = 16 << 20
_MISSING = object()
# What is not closed ends with the text: a pattern that failed there would be tried again from every quote, for ever.
_COMMENTS = re.compile(r'"(?:\\.|[^"\\]|\\\Z)*(?:"|\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LAST_COMMAS = re.compile(r'"(?:\\.|[^"\\]|\\\Z)*(?:"|\Z)|,(?=\s*[}\]])', re.DOTALL)


def value(
    evidence: Evidence,
    *,
    file: HomePath,
    path: JsonPath = "",
    is_: Annotated[Any, Field(alias="is")] = None,
    number: Num | None = None,
    text: Txt | None = None,
) -> Finding:
    """The value at a path: equal to a JSON value, or a number or text as expected. With none of them, it is null."""
    found = _at(_read(evidence, file), path)
    where = _said(path)
    if found is _MISSING:
        return failed(f"~/{file} has no {where}")
    compared = Comparison(f"{where} in ~/{file}")
    if number is None and text is None:
        compared.holds("value", is_, _shown(found), _equal(found, is_))
    if number is not None:
        compared.number("value", number, found if isinstance(found, int | float) and not isinstance(found, bool) else None)
    compared.text("value", text, found if isinstance(found, str) else None)
    return compared.finding()


def keys(evidence: Evidence, *, file: HomePath, keys: tuple[str, ...], path: JsonPath = "", only: bool = False) -> Finding:
    """An object has these keys and, with `only`, no others."""
    found = _at(_read(evidence, file), path)
    if not isinstance(found, dict):
        return failed(f"{_said(path)} in ~/{file} is not an object", expected=list(keys))
    missing = [key for key in keys if key not in found]
    extra = [key for key in found if key not in keys] if only else []
    wrongs = [f"{key} is missing" for key in missing] + [f"{key} should not be there" for key in extra]
    says = f"{_said(path)} in ~/{file} has " + ("the expected keys" if not wrongs else f"not the expected keys: {'; '.join(wrongs[:6])}")
    return (failed if wrongs else passed)(says, expected=list(keys), seen=sorted(found)[:100])


def count(evidence: Evidence, *, file: HomePath, count: Num, path: JsonPath = "") -> Finding:
    """How many items an array, or keys an object, has."""
    found = _at(_read(evidence, file), path)
    compared = Comparison(f"{_said(path)} in ~/{file}")
    compared.number("number of items", count, len(found) if isinstance(found, list | dict) else None)
    return compared.finding()


def absent(evidence: Evidence, *, file: HomePath, path: JsonPath) -> Finding:
    """There is nothing at a path of a file that is otherwise readable."""
    found = _at(_read(evidence, file), path)
    if found is _MISSING:
        return passed(f"~/{file} has no {_said(path)}")
    return failed(f"~/{file} still has {_said(path)}", seen=_shown(found))


def unchanged(evidence: Evidence, *, file: HomePath, except_: Annotated[tuple[JsonPath, ...], Field(alias="except")] = ()) -> Finding:
    """The document means what it meant at the start, apart from what is at the `except` paths."""
    old = _parse(evidence.before(file, LIMIT).read_text(encoding="utf-8-sig"), file)
    new = _read(evidence, file)
    for path in except_:
        _drop(old, path)
        _drop(new, path)
    if _equal(old, new):
        return passed(f"~/{file} is otherwise as it was")
    return failed(f"~/{file} was changed elsewhere: {_first_difference(old, new, '')}")


def _read(evidence: Evidence, file: str) -> Any:
    return _parse(evidence.text(file, LIMIT), file)


def _parse(text: str, file: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BadArtifact(f"~/{file} is nested too deeply") from None
    except ValueError as error:
        plain = _without(_LAST_COMMAS, _without(_COMMENTS, text))
        try:
            return json.loads(plain)
        except (ValueError, RecursionError):
            raise BadArtifact(f"~/{file} is not readable JSON: {error}") from None


def _without(pattern: re.Pattern[str], text: str) -> str:
    """A text without what a pattern finds, strings kept."""
    return pattern.sub(lambda match: match[0] if match[0].startswith('"') else "", text)


def _steps(path: JsonPath) -> list[str | int]:
    if not isinstance(path, str):
        return list(path)
    return [int(index) if index else name for name, index in re.findall(r"([^.\[\]]+)|\[(-?\d+)\]", path)]


def _at(value: Any, path: JsonPath) -> Any:
    if isinstance(path, str) and isinstance(value, dict) and path in value:
        return value[path]  # editors' settings have dots in their keys
    for step in _steps(path):
        if isinstance(value, dict) and str(step) in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return _MISSING
    return value


def _drop(value: Any, path: JsonPath) -> None:
    if isinstance(path, str) and isinstance(value, dict) and path in value:
        del value[path]
        return
    *above, last = _steps(path)
    parent = _at(value, tuple(above))
    if isinstance(parent, dict):
        parent.pop(str(last), None)
    elif isinstance(parent, list) and isinstance(last, int) and -len(parent) <= last < len(parent):
        parent[last] = None


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-9 * max(1, abs(one), abs(other))
    if isinstance(one, list) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_equal(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    return bool(one == other)


def _first_difference(old: Any, new: Any, where: str) -> str:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *new]:
            if key not in new or key not in old:
                return f"{where}.{key}".lstrip(".") + (" is gone" if key in old else " is new")
            if not _equal(old[key], new[key]):
                return _first_difference(old[key], new[key], f"{where}.{key}")
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        index = next(index for index, (a, b) in enumerate(zip(old, new, strict=True)) if not _equal(a, b))
        return _first_difference(old[index], new[index], f"{where}[{index}]")
    return f"{where.lstrip('.') or 'it'} is {_shown(new)!r}, was {_shown(old)!r}"


def _said(path: JsonPath) -> str:
    return (path if isinstance(path, str) else "/".join(map(str, path))) or "the whole document"


def _shown(value: Any) -> Any:
    return value if len(said := json.dumps(value)) <= 500 else said[:500] + "…"
