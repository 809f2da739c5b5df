"""Programs that models write, PARSED AND NEVER EXECUTED: from the syntax tree, the calls that a program would make, in order.

Understood are constants, arithmetic, assignments to names, f-strings, lists and tuples, loops over lists and ranges, `with pyautogui.hold(..)`,
imports of the modules below, and calls. Everything else is NotUnderstood, with the line and a reason. Work, sizes and numbers are bounded, so no
program takes long to be read.
"""

from __future__ import annotations

import ast
import math
import operator
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from deskbench.dialects.space import NotUnderstood

Value = Any
"""None, a bool, int, float, str, or a list or tuple of such."""

MODULES = ("pyautogui", "time", "pyperclip", "computer")
MOST_CHARACTERS = 20_000
MOST_WORK = 10_000
"""Steps of the walk; a hundred characters count as a step, so all texts together stay below a megabyte."""
MOST_CALLS = 200
MOST_DEPTH = 40
MOST_WEIGHT = 10_000
"""Parts of one value, a hundred characters being one: lists of lists of lists grow without bounds where nothing counts them."""
MOST_LEVELS = 4
BIGGEST = 10**12

_parsing = threading.Lock()

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
NUMBERS = (int, float)
FUNCTIONS: dict[str, Callable[..., Any]] = {"int": int, "float": float, "round": round, "abs": abs, "min": min, "max": max, "len": len, "str": str}
"""Each is given a single number or text, `min`, `max` and `len` a list as well: with more arguments, `round` alone could fill the memory."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call that a program makes. A bare word such as DONE is one without arguments."""

    name: str
    args: tuple[Value, ...] = ()
    named: Mapping[str, Value] | None = None
    line: int = 0


def invocations(source: str, size: tuple[float, float]) -> list[Invocation]:
    """The calls that a program makes, in order; `size` is what it is told when it asks for the size of the screen."""
    return _Walk(size).program(_tree(source))


def _tree(source: str) -> ast.Module:
    if len(source) > MOST_CHARACTERS:
        raise NotUnderstood(f"the program has {len(source)} characters; at most {MOST_CHARACTERS} are read")
    try:
        with _parsing, warnings.catch_warnings():  # what Python thinks of a model's style is nobody's concern
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise NotUnderstood(f"the code is not Python: {error.msg} in line {error.lineno}") from None
    except (ValueError, RecursionError, MemoryError):
        raise NotUnderstood("the code is not Python that can be read: it holds null characters or is nested too deeply") from None


class _Walk:
    """One reading of one program."""

    def __init__(self, size: tuple[float, float]) -> None:
        self._size = size
        self._names: dict[str, Value] = {}
        self._aliases = {name: name for name in MODULES}
        self._calls: list[Invocation] = []
        self._work = 0.0
        self._depth = 0
        self._line = 0

    def program(self, tree: ast.Module) -> list[Invocation]:
        self._block(tree.body)
        return self._calls

    # -- limits

    def _spend(self, amount: float = 1.0) -> None:
        self._work += amount
        if self._work > MOST_WORK:
            self._refuse("the program does too much; say fewer and simpler things in one answer")

    def _refuse(self, why: str) -> NoReturn:
        raise NotUnderstood(f"line {self._line}: {why}")

    # -- statements

    def _block(self, body: Sequence[ast.stmt]) -> None:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            self._refuse("the program is nested too deeply")
        for statement in body:
            self._spend()
            self._line = statement.lineno
            self._statement(statement)
        self._depth -= 1

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr():
                self._expression(statement.value)
            case ast.Assign():
                value = self._value(statement.value) if not _settings(statement.targets) else None
                for target in statement.targets:
                    self._assign(target, value)
            case ast.AnnAssign(value=ast.expr() as value):
                self._assign(statement.target, self._value(value))
            case ast.AugAssign(target=ast.Name(id=name)):
                self._names[name] = self._operate(statement.op, self._name(name), self._value(statement.value))
            case ast.For(orelse=[]):
                for item in self._items(statement.iter):
                    self._assign(statement.target, self._bounded(item))
                    self._block(statement.body)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as call, optional_vars=None)]):
                self._hold(call, statement.body)
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Pass():
                pass
            case _:
                self._refuse(
                    f"{_called(statement)} is not understood; write plain calls such as pyautogui.click(x, y), with loops over range or a list"
                )

    def _expression(self, node: ast.expr) -> None:
        match node:
            case ast.Call():
                self._invoke(node)
            case ast.Name(id=("WAIT" | "DONE" | "FAIL") as word):
                self._emit(Invocation(word, line=node.lineno))
            case ast.Constant(value=str() | None):
                pass
            case _:
                self._refuse(f"{_called(node)} does nothing by itself")

    def _emit(self, call: Invocation) -> None:
        if len(self._calls) >= MOST_CALLS:
            self._refuse(f"the program makes more than {MOST_CALLS} calls; do fewer things in one answer")
        self._calls.append(call)

    def _hold(self, call: ast.Call, body: Sequence[ast.stmt]) -> None:
        held = self._invocation(call)
        if held.name != "pyautogui.hold":
            self._refuse("only pyautogui.hold can be used in a with statement")
        keys = held.args[0] if len(held.args) == 1 and isinstance(held.args[0], list | tuple) else held.args
        for key in keys:
            self._emit(Invocation("pyautogui.keyDown", (key,), line=held.line))
        self._block(body)
        for key in reversed(keys):
            self._emit(Invocation("pyautogui.keyUp", (key,), line=held.line))

    def _assign(self, target: ast.expr, value: Value) -> None:
        self._spend()
        match target:
            case ast.Name(id=name):
                self._names[name] = value
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(value, list | tuple) and len(value) == len(parts):
                for part, one in zip(parts, value, strict=True):
                    self._assign(part, one)
            case ast.Attribute(attr="PAUSE" | "FAILSAFE") if self._path(target).startswith("pyautogui."):
                pass  # settings of a library that is not there
            case _:
                self._refuse("only plain names can be assigned to, as many as there are values")

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        module = statement.module if isinstance(statement, ast.ImportFrom) else None
        for alias in statement.names:
            name = f"{module}.{alias.name}" if isinstance(statement, ast.ImportFrom) else alias.name
            if name.partition(".")[0] not in MODULES or alias.name == "*":
                self._refuse(f"{name!r:.60} cannot be imported; there are {', '.join(MODULES)}")
            self._aliases[alias.asname or alias.name] = name

    # -- calls

    def _invoke(self, node: ast.Call) -> None:
        self._emit(self._invocation(node))

    def _invocation(self, node: ast.Call) -> Invocation:
        name = self._path(node.func)
        named = {word.arg: self._value(word.value) for word in node.keywords if word.arg not in (None, "tween")}
        if any(word.arg is None for word in node.keywords):
            self._refuse("** in a call is not understood")
        return Invocation(name, tuple(self._value(part) for part in node.args), {str(word): value for word, value in named.items()}, node.lineno)

    def _path(self, node: ast.expr) -> str:
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            self._spend()
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            self._refuse(f"a call of {_called(node)} is not understood; call functions by their names")
        return ".".join([self._aliases.get(node.id, node.id), *reversed(parts)])

    def _items(self, node: ast.expr) -> Iterator[Value]:
        match node:
            case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if 1 <= len(args) <= 3:
                bounds = [self._value(arg) for arg in args]
                if not all(isinstance(bound, int) for bound in bounds) or (len(bounds) == 3 and not bounds[2]):
                    self._refuse("range needs whole numbers, and a step that is not 0")
                return iter(range(*bounds))
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner], keywords=[]):
                return iter(enumerate(self._items(inner)))
            case ast.Call(func=ast.Name(id="zip"), args=[_, *_] as inners, keywords=[]):
                return zip(*(self._items(inner) for inner in inners), strict=False)
        value = self._value(node)
        if not isinstance(value, list | tuple | str):
            self._refuse("a loop goes over a range, a list or a text")
        return iter(value)

    # -- values

    def _value(self, node: ast.expr) -> Value:
        self._spend()
        self._depth += 1
        if self._depth > MOST_DEPTH:
            self._refuse("an expression is nested too deeply")
        value = self._bounded(self._evaluated(node))
        self._depth -= 1
        return value

    def _evaluated(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return value
            case ast.Name(id=name):
                return self._name(name)
            case ast.List(elts=parts):
                return [self._value(part) for part in parts]
            case ast.Tuple(elts=parts):
                return tuple(self._value(part) for part in parts)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=inner):
                return self._signed(sign, self._value(inner))
            case ast.BinOp():
                return self._operate(node.op, self._value(node.left), self._value(node.right))
            case ast.JoinedStr():
                return "".join(self._formatted(part) for part in node.values)
            case ast.Subscript():
                return self._item(self._value(node.value), self._value(node.slice))
            case ast.Call():
                return self._called_value(node)
        self._refuse(f"{_called(node)} is not understood; use constants, names and arithmetic")

    def _bounded(self, value: Value) -> Value:
        if isinstance(value, str | list | tuple):
            self._spend(self._weight(value, MOST_LEVELS))
        elif isinstance(value, NUMBERS) and not (math.isfinite(value) if isinstance(value, float) else abs(value) <= BIGGEST):
            self._refuse("a number is beyond all bounds")
        return value

    def _weight(self, value: Value, levels: int) -> float:
        if isinstance(value, str):
            weight = 1 + len(value) / 100
        elif isinstance(value, list | tuple):
            weight = 1.0
            for part in value:
                weight += self._weight(part, levels - 1)
                if weight > MOST_WEIGHT:
                    break
        else:
            return 1.0
        if weight > MOST_WEIGHT or levels < 0:
            self._refuse("a value is too large or nested too deeply")
        return weight

    def _name(self, name: str) -> Value:
        if name not in self._names:
            self._refuse(f"the name {name!r:.60} is not known")
        return self._names[name]

    def _signed(self, sign: ast.unaryop, value: Value) -> Value:
        if not isinstance(value, NUMBERS):
            self._refuse("only a number can have a sign")
        return -value if isinstance(sign, ast.USub) else +value

    def _operate(self, op: ast.operator, left: Value, right: Value) -> Value:
        numbers = isinstance(left, NUMBERS) and isinstance(right, NUMBERS)
        if isinstance(op, ast.Pow) and numbers and abs(left) <= 1000 and right in (0, 1, 2, 3, 4):
            return left ** int(right)
        if isinstance(op, ast.Mult) and isinstance(right, str | list) and isinstance(left, int):
            left, right = right, left
        repeats = isinstance(op, ast.Mult) and isinstance(left, str | list) and isinstance(right, int)
        joins = isinstance(op, ast.Add) and type(left) is type(right) and isinstance(left, str | list | tuple)
        if type(op) not in OPERATORS or not (numbers or repeats or joins):
            self._refuse("this arithmetic is not understood; use + - * / // % on numbers, + on texts and a text times a number")
        if repeats and len(left) * right > MOST_WEIGHT:  # before it is made
            self._refuse("a value is too large")
        try:
            return OPERATORS[type(op)](left, right)
        except (ArithmeticError, ValueError):
            self._refuse("this arithmetic has no result")

    def _formatted(self, part: ast.expr) -> str:
        match part:
            case ast.Constant(value=str() as text):
                return text
            case ast.FormattedValue(conversion=-1, format_spec=None):
                return str(self._scalar(self._value(part.value)))
        self._refuse("only plain {names} are understood in an f-string")

    def _scalar(self, value: Value) -> Value:
        if isinstance(value, list | tuple):
            self._refuse("a single number or text is needed here")
        return value

    def _item(self, values: Value, place: Value) -> Value:
        if not isinstance(values, list | tuple | str) or not isinstance(place, int) or not -len(values) <= place < len(values):
            self._refuse("only an item of a list or a text can be taken, by its number")
        return values[place]

    def _called_value(self, node: ast.Call) -> Value:
        call = self._invocation(node)
        if call.name == "pyautogui.size" and not call.args and not call.named:
            return self._size
        if call.name not in FUNCTIONS or call.named:
            self._refuse(f"{call.name[:60]} gives no value here: the program is read, not run")
        if call.name not in ("min", "max", "len"):
            self._scalar(call.args[0] if len(call.args) == 1 else call.args)
        try:
            return FUNCTIONS[call.name](*call.args)
        except (TypeError, ValueError, ArithmeticError):
            self._refuse(f"{call.name} cannot be computed here")


def _settings(targets: Sequence[ast.expr]) -> bool:
    return all(isinstance(target, ast.Attribute) for target in targets)


def _called(node: ast.AST) -> str:
    return f"{type(node).__name__.lower()!r}"
