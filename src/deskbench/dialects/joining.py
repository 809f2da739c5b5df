"""What belongs together: models say in parts what is one action, and as one action it costs one step.

Moving and then clicking is a click at that point, keys held around a click are its modifiers, pressing, moving and releasing is a drag, copying a
text and pressing ctrl+v pastes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deskbench.core.action import Action, Click, Copy, Drag, Key, KeyDown, KeyUp, Move, Paste, Press, Release, Scroll
from deskbench.core.keys import MODIFIERS

PASTE_CHORD = ("ctrl", "v")
DRAG_SECONDS = 0.3
"""Applications do not notice a drag that takes no time at all."""
MOST_SECONDS = 30.0


def joined(actions: Sequence[Action]) -> list[Action]:
    """The same doings in as few actions as possible."""
    return list(_with_modifiers(list(_with_drags(list(_with_points(list(_with_pastes(actions))))))))


def _with_pastes(actions: Sequence[Action]) -> Iterator[Action]:
    held: Copy | None = None
    for action in actions:
        if held is not None and isinstance(action, Key) and action.keys == PASTE_CHORD and action.times == 1:
            yield Paste(text=held.text)
            held = None
            continue
        if held is not None:
            yield held
        held = action if isinstance(action, Copy) and action.text is not None else None
        if held is None:
            yield action
    if held is not None:
        yield held


def _with_points(actions: Sequence[Action]) -> Iterator[Action]:
    waiting: Move | None = None
    for action in actions:
        if waiting is not None and isinstance(action, Click | Press | Scroll) and action.x is None and not getattr(action, "modifiers", ()):
            yield action.model_copy(update={"x": waiting.x, "y": waiting.y})
            waiting = None
            continue
        if waiting is not None:
            yield waiting
        waiting = action if isinstance(action, Move) else None
        if waiting is None:
            yield action
    if waiting is not None:
        yield waiting


def _with_drags(actions: Sequence[Action]) -> Iterator[Action]:
    place = 0
    while place < len(actions):
        end = place + 1
        while end < len(actions) and isinstance(actions[end], Move):
            end += 1
        drag = _drag_of(actions[place : end + 1])
        yield drag or actions[place]
        place = end + 1 if drag else place + 1


def _drag_of(run: Sequence[Action]) -> Drag | None:
    press, release = run[0], run[-1]
    if not (
        isinstance(press, Press) and isinstance(release, Release) and press.button == release.button and press.x is not None and press.y is not None
    ):
        return None
    moves = [action for action in run[1:-1] if isinstance(action, Move)]
    last = [(release.x, release.y)] if release.x is not None and release.y is not None else []
    path = ((press.x, press.y), *((move.x, move.y) for move in moves), *last)
    seconds = min(MOST_SECONDS, sum(move.seconds for move in moves)) or DRAG_SECONDS
    return Drag(path=path, button=press.button, seconds=seconds) if len(path) > 1 else None


def _with_modifiers(actions: Sequence[Action]) -> Iterator[Action]:
    place = 0
    while place < len(actions):
        end = place
        while end < len(actions) and isinstance(actions[end], KeyDown):
            end += 1
        count = end - place
        whole = _held(actions[place : end + 1 + count], count) if count else None
        yield whole or actions[place]
        place = end + 1 + count if whole else place + 1


def _held(run: Sequence[Action], count: int) -> Action | None:
    downs = [action.key for action in run[:count] if isinstance(action, KeyDown)]
    ups = [action.key for action in run[count + 1 :] if isinstance(action, KeyUp)]
    middle = run[count] if len(run) > count else None
    known = all(name.removesuffix("_right") in MODIFIERS for name in downs)
    if not isinstance(middle, Click | Scroll | Drag) or middle.modifiers or not known or ups != downs[::-1]:
        return None
    return middle.model_copy(update={"modifiers": tuple(downs)})
