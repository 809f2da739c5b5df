"""The expert: plays a procedure through exactly the actions that any agent has, looking at what any agent may look at.

It waits until what it wants to use shows on the screen. When that does not come about it is lost, and says at which step,
what it looked for and what it saw instead.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from deskbench.core import steps as s
from deskbench.core.action import Action, Ask, Click, Copy, Done, Drag, Fail, FocusWindow, Key, Move, OpenApp, Paste, Scroll, Type, Wait
from deskbench.core.conditions import find, seen, wants_elements, window_titled
from deskbench.core.faults import Misuse
from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Wants

PATIENCE_SECONDS = 20.0
GLANCE_SECONDS = 1.0
GLANCES = 12
"""It has looked at least so often before it is lost: on a machine that is busy, seconds go by without anything being seen."""


class Lost(Exception):
    """The procedure does not fit what is on the screen."""


class Expert:
    """Plays the steps of a procedure in order, then says that it is done.

    `opens` tells for each phase of the job what opens it: a step of a phase that has not opened yet is not begun before the user
    has spoken, for which the expert says that it is done, or waits.
    """

    def __init__(self, procedure: Sequence[s.ProcedureStep], opens: Mapping[str, object] | None = None) -> None:
        self._opens = dict(opens or {})
        self._hints: list[tuple[s.ProcedureStep, s.Hint]] = [(step, hint) for step in procedure for hint in step.by]
        self._at = 0
        self._glances = 0
        self._waiting_since: float | None = None

    def begin(self, brief: Brief) -> None:
        """Start from the first step."""
        self._at = 0
        self._waiting_since = None

    def wants(self) -> Wants:
        """Elements where the next hint is about one, text recognition where it is about words on the screen."""
        coming = list(self._until_next_action())
        targets = [target for hint in coming for target in _targets(hint)]
        conditions = [hint.wait_for for hint in coming if isinstance(hint, s.WaitFor)]
        elements = any(target.element is not None for target in targets) or any(wants_elements(condition) for condition in conditions)
        return Wants(elements=elements)

    def _until_next_action(self) -> Iterator[s.Hint]:
        for _, hint in self._hints[self._at :]:
            yield hint
            if not isinstance(hint, s.WaitFor):
                return

    def decide(self, observation: Observation) -> Decision:
        """The next action, or a short wait while what it needs does not show."""
        while self._at < len(self._hints):
            step, hint = self._hints[self._at]
            if step.phase is not None and step.phase not in {message.phase for message in observation.messages} and step.phase in self._opens:
                return self._until_told(step, observation)
            if isinstance(hint, s.WaitFor):
                if not seen(hint.wait_for, observation):
                    return self._wait(step, _named(hint.wait_for), hint.wait_for.seconds, observation)
                self._next()
                continue
            action = self._action(hint, observation)
            if action is None:
                return self._wait(step, "; ".join(map(_where, _targets(hint))), PATIENCE_SECONDS, observation)
            self._next()
            return Decision((action,), thought=step.do)
        return Decision((Done(),), thought="The procedure is at its end.")

    def _until_told(self, step: s.ProcedureStep, look: Observation) -> Decision:
        """Get the user to say what a step is about: by being done with what was said so far, or by waiting for the interruption."""
        opens_on = self._opens[str(step.phase)]
        if opens_on == "agent_asks":
            raise Lost(f"lost at {step.do!r}: its phase opens when the user is asked, and the procedure has not asked")
        self._glances += 1
        if opens_on == "agent_done" or self._glances > GLANCES:
            self._glances = 0
            return Decision((Done(),), thought="Done with what was asked for so far.")
        return Decision((Wait(seconds=GLANCE_SECONDS),), thought=f"{step.do}: waiting for the user")

    def _next(self) -> None:
        self._at += 1
        self._glances = 0
        self._waiting_since = None

    def _wait(self, step: s.ProcedureStep, what: str, seconds: float, look: Observation) -> Decision:
        now = time.monotonic()
        self._waiting_since = self._waiting_since or now
        self._glances += 1
        if now - self._waiting_since > seconds and self._glances > min(GLANCES, seconds):
            titles = ", ".join(repr(window.title) for window in look.windows) or "no windows"
            raise Lost(f"lost at {step.do!r}: waited {seconds:g} s for {what}; on the screen: {titles}")
        return Decision((Wait(seconds=GLANCE_SECONDS),), thought=f"{step.do}: waiting for {what}")

    def _action(self, hint: s.Hint, look: Observation) -> Action | None:
        """What a hint means on this screen; None while its target does not show."""
        match hint:
            case s.PressKeys():
                return Key(keys=hint.key, times=hint.times)
            case s.TypeText():
                return Type(text=hint.type)
            case s.PasteText():
                return Paste(text=hint.paste)
            case s.CopyText():
                return Copy(text=hint.copy_)
            case s.OpenIt():
                return OpenApp(app=hint.open_app.app, file=hint.open_app.open)
            case s.FocusOn():
                return FocusWindow(title=hint.focus) if window_titled(look, hint.focus) else None
            case s.SayDone():
                return Done(answer=hint.done)
            case s.SayFail():
                return Fail(reason=hint.fail)
            case s.AskUser():
                return Ask(question=hint.ask)
        points = [_point(target, look) for target in _targets(hint)]
        if any(point is None for point in points):
            return None
        return _pointed(hint, [point for point in points if point is not None])


def _pointed(hint: s.Hint, points: list[tuple[int, int]]) -> Action:
    x, y = points[0]
    match hint:
        case s.ClickOn():
            return Click(x=x, y=y, button=hint.button, count=hint.count, modifiers=hint.modifiers)
        case s.MoveTo():
            return Move(x=x, y=y)
        case s.ScrollAt():
            return Scroll(x=x, y=y, dx=hint.scroll.dx, dy=hint.scroll.dy)
        case s.DragIt():
            return Drag(path=tuple(points), seconds=hint.drag.seconds, button=hint.drag.button, modifiers=hint.drag.modifiers)
    raise Misuse(f"an expert does not know how to {type(hint).__name__}")


def _targets(hint: s.Hint) -> list[s.Target]:
    match hint:
        case s.ClickOn():
            return [hint.click]
        case s.MoveTo():
            return [hint.move]
        case s.ScrollAt():
            return [hint.scroll.at]
        case s.DragIt():
            return [hint.drag.from_, hint.drag.to]
    return []


def _point(target: s.Target, look: Observation) -> tuple[int, int] | None:
    """Where a target is on this screen; None if it does not show."""
    if target.element is not None:
        element = find(look, target.element)
        point = element.box.centre if element is not None else None
    elif target.text is not None:
        point = _read(target.text, look)
    else:
        point = _in_window(target, look)
    return _on_screen((point[0] + target.dx, point[1] + target.dy), look) if point is not None else None


def _in_window(target: s.Target, look: Observation) -> tuple[int, int] | None:
    assert target.x is not None and target.y is not None
    if target.window is None:
        return round(target.x), round(target.y)
    window = window_titled(look, target.window)
    if window is None:
        return None
    across = target.x * window.box.width if 0 < target.x <= 1 else target.x
    down = target.y * window.box.height if 0 < target.y <= 1 else target.y
    return round(window.box.x + across), round(window.box.y + down)


def _read(text: str, look: Observation) -> tuple[int, int] | None:
    """The middle of a text that recognition finds on the screen."""
    from deskbench.views.ocr import find_text

    lines = [line for line in find_text(look.frame) if text.casefold() in line.text.casefold()]
    exact = [line for line in lines if line.text.strip().casefold() == text.casefold()]
    return (exact or lines)[0].box.centre if lines else None


def _on_screen(point: tuple[int, int], look: Observation) -> tuple[int, int]:
    width, height = look.frame.size
    return min(max(point[0], 0), width - 1), min(max(point[1], 0), height - 1)


def _named(condition: s.Condition) -> str:
    said = condition.model_dump(exclude_none=True, exclude={"seconds"})
    return " and ".join(f"{name.replace('_', ' ')} {value!r}" for name, value in said.items())


def _where(target: s.Target) -> str:
    said = target.model_dump(exclude_none=True, exclude_defaults=True)
    return ", ".join(f"{name} {value!r}" for name, value in said.items())
