"""Reading what a model passes to an action: every value may be of any type, missing or absurd, and is then NotUnderstood with a reason.

Places are never moved: a point that is not on the screen is an error. Amounts that are only too large (a wait, the turns of a wheel) are cut to
what the house allows, because "as far as possible" is what they mean.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from deskbench.core.action import Key, Point, Scroll
from deskbench.core.keys import key
from deskbench.core.observation import Box
from deskbench.dialects.dialect import CannotSay
from deskbench.dialects.space import NotUnderstood, Space

A = TypeVar("A", bound=BaseModel)

MOST_SECONDS = 60.0
MOST_NOTCHES = 200
MOST_GLIDE_SECONDS = 30.0
DIRECTIONS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}


def made(kind: type[A], **fields: Any) -> A:
    """An action of this kind; NotUnderstood if the core does not allow it."""
    try:
        return kind(**fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise NotUnderstood(f"{kind.__name__.lower()} {where}: {first['msg']}") from None
    except TypeError:  # a validator of ours was given something that is not text
        raise NotUnderstood(f"{kind.__name__.lower()}: a key is named by text") from None


def shown(value: object) -> str:
    """A value for a sentence: short, and safe whatever it is."""
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number beyond all bounds"
    return f"{value!r:.60}"


def given(arguments: Mapping[str, Any], *names: str) -> Any:
    """The first of these arguments that was given; None if there is none."""
    return next((arguments[name] for name in names if arguments.get(name) is not None), None)


def text(arguments: Mapping[str, Any], *names: str, default: str | None = None) -> str:
    """An argument that is text; numbers are taken as they are written."""
    value = given(arguments, *names)
    if value is None:
        if default is None:
            raise NotUnderstood(f"{names[0]} is missing; it is text")
        return default
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NotUnderstood(f"{names[0]} is text, not {shown(value)}")
    return value if isinstance(value, str) else shown(value)


def flag(arguments: Mapping[str, Any], name: str, default: bool) -> bool:
    """An argument that is true or false."""
    value = arguments.get(name)
    if value is None:
        return default
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    if not isinstance(value, bool):
        raise NotUnderstood(f"{name} is true or false, not {shown(value)}")
    return value


def number(value: object, name: str, default: float | None = None) -> float:
    """A finite number."""
    if value is None and default is not None:
        return default
    if value is None:
        raise NotUnderstood(f"{name} is missing; it is a number")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise NotUnderstood(f"{name} is a number, not {shown(value)}")
    try:
        found = float(value)
    except (ValueError, OverflowError):
        raise NotUnderstood(f"{name} is a number, not {shown(value)}") from None
    if not math.isfinite(found):
        raise NotUnderstood(f"{name} is a finite number, not {found}")
    return found


def whole(value: object, name: str, default: int | None = None, most: int = 1 << 31) -> int:
    """A whole number; a fraction is rounded."""
    found = number(value, name, default)
    if abs(found) > most:
        raise NotUnderstood(f"{name} = {found:g} is too large; at most {most}")
    return round(found)


def seconds(value: object, name: str = "seconds", default: float | None = None, most: float = MOST_SECONDS) -> float:
    """A duration, cut to what is allowed."""
    found = number(value, name, default)
    if found < 0:
        raise NotUnderstood(f"{name} = {found:g} is less than nothing; time does not run backwards")
    return min(found, most)


def notches(value: object, name: str, default: float | None = None) -> int:
    """Turns of the wheel, cut to what is allowed; any turn at all is at least one notch."""
    found = number(value, name, default)
    turns = math.copysign(max(1, round(abs(found))), found) if found else 0
    return int(max(-MOST_NOTCHES, min(MOST_NOTCHES, turns)))


def direction(arguments: Mapping[str, Any], *names: str) -> tuple[int, int]:
    """Across and down, each -1, 0 or 1."""
    said = text(arguments, *names).strip().lower()
    if said not in DIRECTIONS:
        raise NotUnderstood(f"{names[0]} is one of {', '.join(DIRECTIONS)}, not {shown(said)}")
    return DIRECTIONS[said]


def directed(action: Scroll) -> list[tuple[str, int]]:
    """A scroll as turns in a direction, down and up before the sides."""
    turns = (("down" if action.dy > 0 else "up", action.dy), ("right" if action.dx > 0 else "left", action.dx))
    return [(name, abs(amount)) for name, amount in turns if amount] or [("down", 0)]


def point(space: Space, value: object, name: str = "coordinate") -> Point:
    """A point said as [x, y] or {"x": .., "y": ..}."""
    if isinstance(value, Mapping):
        return space.to_screen(value.get("x"), value.get("y"))
    values = numbers(value, 2, name)
    return space.to_screen(values[0], values[1])


def box(space: Space, value: object, name: str = "region") -> Box:
    """A box said by its opposite corners; it has some area."""
    x0, y0, x1, y1 = numbers(value, 4, name)
    (left, top), (right, bottom) = space.to_screen(x0, y0), space.to_screen(x1, y1)
    found = Box(left, top, right - left, bottom - top)
    if found.width <= 0 or found.height <= 0:
        raise NotUnderstood(f"{name} goes from the top left to the bottom right corner, so x1 > x0 and y1 > y0; not {shown(value)}")
    return found


def numbers(value: object, count: int, name: str) -> Sequence[object]:
    """A list of so many numbers, also if it was written as JSON within a string."""
    if isinstance(value, str):
        value = loaded(value, name)
    if not isinstance(value, list | tuple) or len(value) != count:
        raise NotUnderstood(f"{name} is a list of {count} numbers, not {shown(value) if value is not None else 'missing'}")
    return value


def loaded(written: str, name: str) -> object:
    """JSON; deep nesting is an error like any other."""
    try:
        value: object = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise NotUnderstood(f"{name} is not readable as JSON: {str(error)[:80]}") from None
    return value


def chord(said: str | Sequence[object]) -> tuple[str, ...]:
    """Keys pressed together, said as "ctrl+s" or as a list; letters count as small ones beside other keys, as in "CTRL+S"."""
    names = _split(said) if isinstance(said, str) else list(said)
    if not 1 <= len(names) <= 8:
        raise NotUnderstood(f"keys pressed together are 1 to 8 names such as ctrl+s, not {shown(said)}")
    found = [one_key(name) for name in names]
    return tuple(name.lower() if len(name) == 1 and len(found) > 1 and name.isascii() else name for name in found)


def one_key(name: object) -> str:
    """The canonical name of a key."""
    if not isinstance(name, str) or len(name) > 40:
        raise NotUnderstood(f"a key is a single character or a name such as enter, not {shown(name)}")
    try:
        return key(name)
    except ValueError as error:
        raise NotUnderstood(str(error)) from None


def _split(said: str) -> list[str]:
    said = said if len(said) == 1 else said.strip()
    if len(said) > 1 and said.endswith("+") and not said.endswith(" +"):  # the plus key itself, alone or at the end: "ctrl++"
        return [*(part.strip() for part in said[:-1].removesuffix("+").split("+") if part.strip()), "+"]
    return [part.strip() or part for part in said.split("+")] if said != "+" else ["+"]


def chords(said: str, times: int = 1) -> list[Key]:
    """A chord, or several with spaces between them, one after the other."""
    try:
        return [made(Key, keys=chord(said), times=times)]
    except NotUnderstood:
        parts = said.split()
        if not 1 < len(parts) <= 50:
            raise
        return [made(Key, keys=chord(part), times=times) for part in parts]


def modifiers(said: object) -> tuple[str, ...]:
    """Keys held during an action, said as "ctrl+shift" or as a list; none for None or an empty one."""
    if not said:
        return ()
    if not isinstance(said, str | list | tuple):
        raise NotUnderstood(f"held keys are named by text, not {shown(said)}")
    return chord(said)


def sayable(keys: Sequence[str], said: str | Sequence[str]) -> None:
    """CannotSay unless keys that were written like this are read as the same keys."""
    try:
        heard = chord(said)
    except NotUnderstood:
        heard = ()
    if heard != tuple(keys):
        raise CannotSay(f"there is no way to say the keys {'+'.join(keys)}")
