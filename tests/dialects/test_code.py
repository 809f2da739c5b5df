"""Programs are read, never run: what a hostile or a careless program costs, and that nothing in the room could run one."""

from __future__ import annotations

import ast
import time
import tracemalloc
from pathlib import Path

import pytest

import deskbench.dialects
from deskbench.dialects.code import MOST_CALLS, Invocation, invocations
from deskbench.dialects.space import NotUnderstood

SIZE = (1920.0, 1080.0)

BOMBS = {
    "power": "x = 9 ** 9 ** 9 ** 9",
    "power by steps": "x = 10\nfor i in range(1000):\n    x = x ** 4",
    "product by steps": "x = 10\nfor i in range(100000):\n    x = x * x",
    "long text": "x = 'a' * 10000 * 10000 * 10000",
    "doubled text": "x = 'ab'\nfor i in range(1000):\n    x = x + x",
    "doubled f-string": "x = 'ab'\nfor i in range(1000):\n    x = f'{x}{x}{x}'",
    "doubled list": "x = [1, 2]\nfor i in range(1000):\n    x = x + x",
    "nested list": "x = [1]\nfor i in range(100000):\n    x = [x]",
    "list of lists": "x = [1, 2, 3, 4]\nfor i in range(100):\n    x = [x, x, x, x, x, x, x, x]\ny = str(x)",
    "many names": "\n".join(f"a{i} = 'x' * 9999" for i in range(900)),
    "round": "x = round(7, -10000000000)",
    "endless loop": "while True:\n    pass",
    "long loop": "for i in range(10 ** 4 * 10 ** 4 * 10 ** 4):\n    pass",
    "loop in loop": "for i in range(99999):\n    for j in range(99999):\n        for k in range(99999):\n            x = i",
    "many calls": "for i in range(99999):\n    pyautogui.click(1, 1)",
    "recursion": "def f():\n    f()\nf()",
    "deep brackets": "x = " + "(" * 5000 + ")" * 5000,
    "deep signs": "x = " + "-" * 15000 + "1",
    "deep attributes": "x" + ".a" * 8000 + "()",
    "deep arithmetic": "x = " + "1+" * 9000 + "1",
    "deep blocks": "\n".join(" " * i + "for a in range(2):" for i in range(99)) + "\n" + " " * 99 + "pass",
    "huge number": "x = 0x" + "f" * 15000,
    "huge decimal": "x = " + "9" * 15000,
    "null": "x = '\0'",
    "too long": "x = 1\n" * 20000,
    "enumerate": "for i in " + "enumerate(" * 90 + "range(9)" + ")" * 90 + ":\n    x = i",
    "zip": "for i in zip(" + ", ".join(["range(10 ** 4 * 10 ** 4)"] * 500) + "):\n    pass",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_soon_and_in_little_memory(name: str) -> None:
    tracemalloc.start()
    began = time.process_time()
    try:
        with pytest.raises(NotUnderstood):
            invocations(BOMBS[name], SIZE)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < 2.0
    assert peak < 40e6


@pytest.mark.parametrize(
    "program",
    [
        "__import__('os').system('touch /tmp/deskbench-was-here')",
        "open('/tmp/deskbench-was-here', 'w')",
        "exec('1')",
        "pyautogui.write(''.__class__.__mro__)",
        "pyautogui.write(f'{().__class__}')",
        "x = [].append",
        "[print(1) for i in range(2)]",
        "print(1)\nimport sys",
        "import pyautogui, os",
        "from os import system as click",
        "del pyautogui",
        "global x",
        "assert False",
        "raise ValueError",
        "try:\n    pass\nexcept Exception:\n    pass",
        "class A:\n    pass",
        "async def f():\n    pass",
        "x = yield",
        "x = 1 if True else 2",
        "x = {1: 2}",
        "x = b'1'",
        "x = 1j",
        "x = ...",
        "x[0] = 1",
        "pyautogui.click = 1",
        "f(*[1])",
        "f(**{})",
        "f'{1!r}' + f'{1:>9}'",
        "with open('x') as f:\n    pass",
        "x: int",
        "a = b = c",
        "a, b = 1",
        "for i in 7:\n    pass",
        "for i in range(1.5):\n    pass",
        "for i in range(1, 2, 0):\n    pass",
        "x = -'a'",
        "x = 'a' % 1",
        "x = 'abc'[7]",
        "x = 'abc'[0:1]",
    ],
)
def test_what_is_not_on_the_list_is_refused_with_the_line(program: str) -> None:
    with pytest.raises(NotUnderstood, match="line"):
        calls = invocations("pyautogui.press('a')\n" + program, SIZE)
        unknown = next(call for call in calls[1:])  # a call of anything is read; what it is called decides later
        raise NotUnderstood(f"line {unknown.line}")
    assert not Path("/tmp/deskbench-was-here").exists()


def test_calls_come_in_order_with_their_values() -> None:
    program = "import pyautogui as p\nx, y = 3, [4, 5]\nx += 1\nfor i, t in enumerate(('a', 'b')):\n    p.write(t * 2, interval=x * i)\np.click(y[-1], max(y), button='left')"
    assert invocations(program, SIZE) == [
        Invocation("pyautogui.write", ("aa",), {"interval": 0}, 5),
        Invocation("pyautogui.write", ("bb",), {"interval": 4}, 5),
        Invocation("pyautogui.click", (5, 5), {"button": "left"}, 6),
    ]


def test_as_many_calls_as_are_allowed() -> None:
    assert len(invocations(f"for i in range({MOST_CALLS}):\n    f(i)", SIZE)) == MOST_CALLS


def test_nothing_in_the_room_can_run_a_text() -> None:
    for path in Path(deskbench.dialects.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            assert name not in ("eval", "exec", "compile", "__import__"), f"{path.name}:{node.lineno}"  # type: ignore[attr-defined]
