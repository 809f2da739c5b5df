"""What the calls of a pyautogui-like program mean as actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deskbench.core.action import Action, Ask, Click, Copy, Done, Drag, Fail, Key, KeyDown, KeyUp, Move, Point, Press, Release, Scroll, Type, Wait
from deskbench.dialects import arguments as args
from deskbench.dialects.code import Invocation
from deskbench.dialects.joining import DRAG_SECONDS, joined
from deskbench.dialects.space import NotUnderstood, Space

KEYS = {
    **{f"num{digit}": f"kp_{digit}" for digit in range(10)},
    **{name: f"kp_{name}" for name in ("add", "subtract", "multiply", "divide", "decimal")},
    "optionleft": "alt",
    "optionright": "alt_right",
    "\\n": "enter",
    "\\t": "tab",
}
"""Names that pyautogui alone uses."""

CLICKS = {
    "click": ("left", 1),
    "leftClick": ("left", 1),
    "rightClick": ("right", 1),
    "middleClick": ("middle", 1),
    "doubleClick": ("left", 2),
    "tripleClick": ("left", 3),
}


class Gestures:
    """The actions of one program, call by call."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._pointer: Point | None = None
        self.actions: list[Action] = []
        self.verbs: dict[str, Callable[[Invocation], None]] = {
            **{f"pyautogui.{name}": self._click for name in CLICKS},
            **{f"pyautogui.{name}": self._write for name in ("write", "typewrite")},
            **{f"pyautogui.{name}": self._scroll for name in ("scroll", "vscroll", "hscroll")},
            **{f"pyautogui.{name}": self._button for name in ("mouseDown", "mouseUp")},
            **{f"pyautogui.{name}": self._key_held for name in ("keyDown", "keyUp")},
            **{f"pyautogui.{name}": self._move_by for name in ("move", "moveRel", "drag", "dragRel")},
            **dict.fromkeys(("time.sleep", "pyautogui.sleep", "computer.wait", "WAIT"), self._wait),
            "pyautogui.moveTo": self._move_to,
            "pyautogui.dragTo": self._drag_to,
            "pyautogui.press": self._press,
            "pyautogui.hotkey": self._hotkey,
            "pyautogui.screenshot": self._look,
            "pyperclip.copy": self._copy,
        }

    def perform(self, calls: Sequence[Invocation]) -> tuple[Action, ...]:
        """What these calls do, in order; NotUnderstood with the line of the first that means nothing."""
        for call in calls:
            verb = self.verbs.get(call.name)
            try:
                if verb is None:
                    raise NotUnderstood(f"there is no function {call.name!r:.60}")
                verb(call)
            except NotUnderstood as error:
                raise NotUnderstood(f"line {call.line}: {error}" if call.line else str(error)) from None
        return tuple(joined(self.actions))

    def add(self, action: Action, pointer: Point | None = None) -> None:
        """One more action; `pointer` is where it leaves the pointer, where that changes."""
        self.actions.append(action)
        self._pointer = pointer or self._pointer

    def at(self, x: object, y: object) -> Point | None:
        """A place that is given as two numbers, as a pair, or not at all."""
        if isinstance(x, list | tuple) and y is None and len(x) == 2:
            x, y = x
        if x is None and y is None:
            return None
        return self._space.to_screen(x, y)

    def _click(self, call: Invocation) -> None:
        button, count = CLICKS[call.name.rpartition(".")[2]]
        given = bound(call, "x", "y", "clicks", "interval", "button", "duration")
        place = self.at(given.get("x"), given.get("y"))
        button = button_of(given.get("button"), button)
        count = args.whole(given.get("clicks"), "clicks", count)
        self.add(args.made(Click, **where(place), button=button, count=count), place)

    def _button(self, call: Invocation) -> None:
        given = bound(call, "x", "y", "button", "duration")
        place = self.at(given.get("x"), given.get("y"))
        fields = {**where(place), "button": button_of(given.get("button"), "left")}
        self.add(args.made(Press, **fields) if call.name.endswith("Down") else args.made(Release, **fields), place)

    def _move_to(self, call: Invocation) -> None:
        given = bound(call, "x", "y", "duration")
        place = self.at(given.get("x"), given.get("y"))
        if place is None:
            raise NotUnderstood("moveTo needs x and y")
        self.move(place, given)

    def move(self, place: Point, given: Mapping[str, Any]) -> None:
        """Move the pointer there, gliding for the duration that is given."""
        seconds = args.seconds(given.get("duration"), "duration", 0.0, args.MOST_GLIDE_SECONDS)
        self.add(args.made(Move, x=place[0], y=place[1], seconds=seconds), place)

    def _drag_to(self, call: Invocation) -> None:
        given = bound(call, "x", "y", "duration", "button")
        place = self.at(given.get("x"), given.get("y"))
        if place is None:
            raise NotUnderstood("dragTo needs x and y")
        self.drag(place, given)

    def drag(self, place: Point, given: Mapping[str, Any]) -> None:
        """Drag from where the pointer is to a place."""
        button = button_of(given.get("button"), "left")
        seconds = args.seconds(given.get("duration"), "duration", 0.0, args.MOST_GLIDE_SECONDS) or DRAG_SECONDS
        if self._pointer is None:  # this program did not move it, so only the desktop knows where it is
            self.actions += [
                args.made(Press, button=button),
                args.made(Move, x=place[0], y=place[1], seconds=seconds),
                args.made(Release, button=button),
            ]
            self._pointer = place
            return
        if self.actions and isinstance(self.actions[-1], Move):
            self.actions.pop()
        self.add(args.made(Drag, path=(self._pointer, place), button=button, seconds=seconds), place)

    def _move_by(self, call: Invocation) -> None:
        given = bound(call, "xOffset", "yOffset", "duration", "button", x="xOffset", y="yOffset")
        if self._pointer is None:
            raise NotUnderstood(f"{call.name} needs to know where the pointer is; say where with moveTo or dragTo instead")
        place = self._beside(self._pointer, args.number(given.get("xOffset"), "xOffset", 0.0), args.number(given.get("yOffset"), "yOffset", 0.0))
        self.drag(place, given) if "drag" in call.name else self.move(place, given)

    def _beside(self, pointer: Point, across: float, down: float) -> Point:
        scale = [screen / extent for screen, extent in zip(self._space.screen, self._space.extent, strict=True)]
        if not self._space.whole and max(abs(across), abs(down)) > 1:  # pixels where fractions are usual
            scale = [1.0, 1.0]
        x, y = round(pointer[0] + across * scale[0]), round(pointer[1] + down * scale[1])
        if not (0 <= x < self._space.screen[0] and 0 <= y < self._space.screen[1]):
            raise NotUnderstood("that leads off the screen")
        return x, y

    def _scroll(self, call: Invocation) -> None:
        given = bound(call, "clicks", "x", "y", amount="clicks")
        place = self.at(given.get("x"), given.get("y"))
        turns = args.notches(given.get("clicks"), "clicks")
        fields = {"dx": turns} if call.name.endswith("hscroll") else {"dy": -turns}
        self.add(args.made(Scroll, **where(place), **fields), place)

    def _write(self, call: Invocation) -> None:
        given = bound(call, "message", "interval", text="message")
        message = given.get("message")
        if isinstance(message, list | tuple):
            self._press(Invocation("pyautogui.press", (message,)))
        else:
            self.add(args.made(Type, text=args.text(given, "message")))

    def _press(self, call: Invocation) -> None:
        given = bound(call, "keys", "presses", "interval", key="keys")
        keys = given.get("keys")
        times = args.whole(given.get("presses"), "presses", 1)
        for name in keys if isinstance(keys, list | tuple) else (keys,):
            self.add(args.made(Key, keys=(key_named(name),), times=times))

    def _hotkey(self, call: Invocation) -> None:
        named = {name: value for name, value in (call.named or {}).items() if name != "interval"}
        keys: Sequence[object] = [*call.args, *named.values()]
        if len(keys) == 1 and isinstance(keys[0], list | tuple):
            keys = keys[0]
        elif len(keys) == 1 and isinstance(keys[0], str) and len(keys[0]) > 1:
            keys = keys[0].split("+")  # hotkey('ctrl+s'), which pyautogui ignores and models mean
        self.add(args.made(Key, keys=args.chord([key_named(name) for name in keys])))

    def _key_held(self, call: Invocation) -> None:
        name = key_named(bound(call, "key").get("key"))
        self.add(KeyDown(key=name) if call.name.endswith("Down") else KeyUp(key=name))

    def _wait(self, call: Invocation) -> None:
        given = bound(call, "seconds", secs="seconds", duration="seconds", time="seconds")
        self.add(args.made(Wait, seconds=args.seconds(given.get("seconds"), "seconds", 1.0)))

    def _look(self, call: Invocation) -> None:
        self.add(Wait(seconds=0))

    def _copy(self, call: Invocation) -> None:
        self.add(args.made(Copy, text=args.text(bound(call, "text"), "text")))

    # -- what is said to the user

    def terminate(self, call: Invocation) -> None:
        """computer.terminate(status, answer)."""
        given = bound(call, "status", "answer", reason="answer")
        status = args.text(given, "status", default="success").lower()
        answer = args.text(given, "answer", default="")
        if status not in ("success", "failure"):
            raise NotUnderstood(f"the status is 'success' or 'failure', not {args.shown(status)}")
        self.add(args.made(Done, answer=answer) if status == "success" else args.made(Fail, reason=answer))

    def ask(self, call: Invocation) -> None:
        """call_user(question)."""
        self.add(args.made(Ask, question=args.text(bound(call, "question", content="question", text="question"), "question")))

    def triple_click(self, call: Invocation) -> None:
        """computer.triple_click(x, y)."""
        given = bound(call, "x", "y")
        place = self.at(given.get("x"), given.get("y"))
        self.add(args.made(Click, **where(place), count=3), place)


IGNORED = ("logScreenshot", "_pause", "interval", "mouseDownUp")


def bound(call: Invocation, *names: str, **aliases: str) -> dict[str, Any]:
    """The arguments of a call by name; NotUnderstood for one that the function does not have."""
    if len(call.args) > len(names):
        raise NotUnderstood(f"{call.name} takes at most {len(names)} arguments, not {len(call.args)}")
    given = dict(zip(names, call.args, strict=False))
    for name, value in (call.named or {}).items():
        name = aliases.get(name, name)
        if name not in (*names, *IGNORED):
            raise NotUnderstood(f"{call.name} has no argument {name!r:.40}; it has {', '.join(names)}")
        given[name] = value
    return given


def where(place: Point | None) -> dict[str, int]:
    """The fields of an action at a place, or where the pointer is."""
    return {"x": place[0], "y": place[1]} if place else {}


def button_of(said: object, default: str) -> str:
    """A mouse button's name."""
    name = default if said is None else str(said).lower() if isinstance(said, str) else said
    if name in ("primary", "secondary"):
        name = "left" if name == "primary" else "right"
    if name not in ("left", "middle", "right"):
        raise NotUnderstood(f"a button is 'left', 'middle' or 'right', not {args.shown(said)}")
    return str(name)


def key_named(said: object) -> str:
    """A key by the name that pyautogui or anyone else gives it."""
    return KEYS[said.lower()] if isinstance(said, str) and said.lower() in KEYS else args.one_key(said)
