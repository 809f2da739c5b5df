"""Text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.faults import CheckFault

Make = Callable[..., Evidence]
FILE = "~/f"


@pytest.fixture
def holds(evidence_of: Make) -> Callable[..., bool]:
    def judge(check: str, left: bytes | str, before: str | None = None, /, **given: Any) -> bool:
        evidence = evidence_of({FILE: left}, before=None if before is None else {FILE: before})
        return apply(check, arguments(check, {"file": FILE, **given}), evidence).passed

    return judge


def test_content(holds: Callable[..., bool]) -> None:
    assert holds("text.content", "a\r\nb\r\n", text="a\nb")
    assert holds("text.content", "\ufeffa\nb", text="a\nb\n")
    assert holds("text.content", "ä".encode("utf-16"), text="ä")
    assert not holds("text.content", "a\nb\nc", text="a\nb")
    assert not holds("text.content", b"\xff\x00\x80", text={"contains": "a"})


def test_lines(holds: Callable[..., bool]) -> None:
    assert holds("text.lines", "b\na\n\n", lines=["b", "a"])
    assert not holds("text.lines", "b\na\n", lines=["a", "b"])
    assert holds("text.lines", "b\na\n", lines=["a", "b"], any_order=True)
    assert not holds("text.lines", "b\na\na\n", lines=["a", "b"], any_order=True)
    assert holds("text.line", "a\nb", number=-1, text="b")
    assert not holds("text.line", "a\nb", number=3, text="b")
    assert holds("text.line", "x\nport = 80", text={"matches": "^port *= *80$"})
    assert not holds("text.line", "x\nport = 8080", text={"matches": "^port *= *80$"})
    assert not holds("text.no_line", "a\nb", text="b")
    assert holds("text.no_line", "a\nb", text="c")
    assert holds("text.line_count", "a\n\nb\n", count=3)
    assert holds("text.line_count", "a\n\nb\n", count=2, blank=False)
    assert not holds("text.line_count", "a\n\nb\n", count=2)


def test_order(holds: Callable[..., bool]) -> None:
    assert holds("text.in_order", "a\nB\nc", "c\nB\na")
    assert not holds("text.in_order", "a\nc", "c\nB\na")
    assert not holds("text.in_order", "a\nc\nB", "c\nB\na")
    assert holds("text.in_order", "9\n10", "10\n9", numeric=True)
    assert not holds("text.in_order", "10\n9", "9\n10", numeric=True)
    assert not holds("text.in_order", "")


def test_replacing_and_leaving_alone(holds: Callable[..., bool]) -> None:
    assert holds("text.replaced", "a color\ncolor", "a colour\ncolour", old="colour", new="color")
    assert not holds("text.replaced", "a color\ncolour", "a colour\ncolour", old="colour", new="color")
    assert not holds("text.replaced", "color\ncolor", "a colour\ncolour", old="colour", new="color")
    with pytest.raises(CheckFault):
        holds("text.replaced", "x", "x", old="colour", new="color")
    assert holds("text.unchanged", "a\nport=2\nb", "a\nport=1\nb", **{"except": ["^port"]})
    assert not holds("text.unchanged", "a\nport=2\nc", "a\nport=1\nb", **{"except": ["^port"]})
    assert not holds("text.unchanged", "a\nb\n\nc", "a\nb\nc")


JSON = '{"a": {"b": [1, 2.5, "x"], "c.d": true}, "n": null}'


def test_json(holds: Callable[..., bool]) -> None:
    assert holds("json.value", JSON, path="a.b[1]", number={"is": 2.5})
    assert holds("json.value", JSON, path="a.b[-1]", **{"is": "x"})
    assert holds("json.value", JSON, path=["a", "c.d"], **{"is": True})
    assert not holds("json.value", JSON, path=["a", "c.d"], **{"is": 1})
    assert holds("json.value", JSON, path="a.b", **{"is": [1.0, 2.5, "x"]})
    assert not holds("json.value", JSON, path="a.b", **{"is": [1, 2.5]})
    assert holds("json.value", JSON, path="n")
    assert not holds("json.value", JSON, path="m")
    assert holds("json.value", '{"editor.tabSize": 2, // two\n}', path="editor.tabSize", **{"is": 2})
    assert holds("json.value", '{"url": "http://x", /* y */ "z": 1}', path="url", text={"contains": "//x"})
    assert holds("json.keys", JSON, keys=["a"]) and not holds("json.keys", JSON, keys=["a"], only=True)
    assert not holds("json.keys", JSON, keys=["z"])
    assert holds("json.count", JSON, path="a.b", count=3) and not holds("json.count", JSON, path="a.b[0]", count=3)
    assert holds("json.absent", JSON, path="a.z") and not holds("json.absent", JSON, path="a.b")
    assert not holds("json.absent", "{", path="a.z")


def test_json_unchanged(holds: Callable[..., bool]) -> None:
    assert holds("json.unchanged", '{"b": 2.0, "a": 5}', '{"a": 1, "b": 2}', **{"except": ["a"]})
    assert not holds("json.unchanged", '{"b": 3, "a": 5}', '{"a": 1, "b": 2}', **{"except": ["a"]})
    assert not holds("json.unchanged", '{"b": 2, "a": 1, "c": 1}', '{"a": 1, "b": 2}')


@pytest.mark.parametrize("left", ["", "[" * 200_000, '{"a": ' * 100_000, b"\x00\xff", "1" * 10_000, "NaNN", "/*" * 500_000, '"\\' * 500_000])
def test_hostile_json(holds: Callable[..., bool], left: str | bytes) -> None:
    assert not holds("json.value", left, path="a", number=1)


CSV = 'Name,Price\nAda,12.50\n"Grace, H","1,200"\n'


def test_csv(holds: Callable[..., bool]) -> None:
    assert holds("csv.cells", CSV, cells={"A1": "Name", "B2": 12.5, "B3": {"is": 1200}, "A3": {"contains": "Grace"}})
    assert not holds("csv.cells", CSV, cells={"B2": 12.6})
    assert not holds("csv.cells", CSV, cells={"C9": "x"})
    assert holds("csv.cells", "a;b\n1,5;2", cells={"A2": 1.5})
    assert holds("csv.columns", CSV, names=["Name", "Price"]) and not holds("csv.columns", CSV, names=["Price", "Name"])
    assert holds("csv.columns", CSV, names=["Price"], only=False)
    assert holds("csv.rows", CSV, count=2) and not holds("csv.rows", CSV, count=3)
    assert holds("csv.rows", CSV, equal=[["Grace, H", 1200], ["Ada", 12.5]], any_order=True)
    assert not holds("csv.rows", CSV, equal=[["Grace, H", 1200], ["Ada", 12.5]])
    assert not holds("csv.rows", CSV, equal=[["Ada", 12.5]])
    assert not holds("csv.rows", "Name,Price\n")
    assert holds("csv.row", CSV, where={"Name": "Ada"}, has={"Price": 12.5})
    assert not holds("csv.row", CSV, where={"Name": "Ada"}, has={"Price": 13})
    assert not holds("csv.row", CSV, where={"Name": "Bob"})
    assert holds("csv.column", CSV, column="Price", sum={"is": 1212.5}, unique=True)
    assert not holds("csv.column", CSV, column="Price", sum={"is": 1212})
    assert not holds("csv.column", CSV, column="Cost", unique=True)
    assert holds("csv.column", CSV, column="Price", each={"at_least": 12}) and not holds("csv.column", CSV, column="Price", each={"at_least": 13})


def test_csv_order(holds: Callable[..., bool]) -> None:
    assert holds("csv.sorted_by", "n\n9\n10\n", "n\n10\n9\n", column="n")
    assert not holds("csv.sorted_by", "n\n10\n9\n", "n\n9\n10\n", column="n")
    assert not holds("csv.sorted_by", "n\n9\n", "n\n10\n9\n", column="n")
    assert holds("csv.sorted_by", "n\nb\nA\n", "n\nA\nb\n", column="n", descending=True)
    assert holds("csv.unchanged", 'a;b\n"1";3\n', "a,b\n1,2\n", **{"except": ["b"]})
    assert not holds("csv.unchanged", "a,b\n2,2\n", "a,b\n1,2\n", **{"except": ["b"]})


@pytest.mark.parametrize("left", ["", "\0\0", b"\xff\xfe\x00", '"' + "x" * 300_000, "," * 5_100_000])
def test_hostile_csv(holds: Callable[..., bool], left: str | bytes) -> None:
    assert not holds("csv.rows", left)
    assert not holds("csv.columns", left, names=["a"])
