"""OpenAI's computer tools in the Responses API: `computer`, whose calls carry a list of actions, and before it `computer_use_preview` with one.

A call of the tool is `Call(native="computer_call")` with the wire's own fields as arguments: `actions` or `action`, and `pending_safety_checks`,
which the client acknowledges and which are kept here as part of the thought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deskbench.core.action import SPOKEN, Action, Click, Copy, Drag, Key, KeyDown, KeyUp, Move, Paste, Scroll, Type, Wait
from deskbench.core.chat import Call, Part, Reply, Text, Tool
from deskbench.core.keys import MODIFIERS
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects.calls import SPOKEN_TOOLS, CallDialect, Said, spoken_call, told
from deskbench.dialects.dialect import CannotSay, Parsed
from deskbench.dialects.space import NotUnderstood, Space

NATIVE = "computer_call"
NOTCH_PIXELS = 100
"""What a notch of the wheel scrolls: this language counts in pixels."""
WAIT_SECONDS = 2.0
"""A wait has no length in this language."""
BUTTONS = {"left": "left", "right": "right", "wheel": "middle", "middle": "middle", "back": "back", "forward": "forward"}
MOST_ACTIONS = 100


class OpenAI(CallDialect):
    """The `computer` tool: a call carries several actions."""

    name = "openai"
    about = "OpenAI's computer tool (Responses API): several actions a call, held keys, safety checks"
    coordinates = "screen pixels"
    pictures = 10
    tool = "computer"

    def system(self, brief: Brief) -> str:
        return told(brief, "Use the computer tool; the actions of a call are carried out in order, and you see the screen after the last.")

    def tools(self, screen: tuple[int, int]) -> tuple[Tool, ...]:
        return (Tool(self.tool, native={"type": "computer"}), *SPOKEN_TOOLS)

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        parsed = super().read(reply, space, marks)
        checks = [line for call in reply.calls for line in _checks(call.arguments)]
        return Parsed(parsed.actions, "\n".join((parsed.thought, *checks)).strip(), parsed.looks)

    def read_call(self, call: Call, space: Space) -> Sequence[Action]:
        if call.native != NATIVE and call.name not in ("computer", "computer_use_preview"):
            raise NotUnderstood("there is no such tool; there are the computer, ask_user, finish and give_up")
        wanted = args.given(call.arguments, "actions", "action")
        wanted = [wanted] if isinstance(wanted, Mapping) else wanted
        if not isinstance(wanted, list | tuple) or not 1 <= len(wanted) <= MOST_ACTIONS:
            raise NotUnderstood(f"a call holds 1 to {MOST_ACTIONS} actions, not {args.shown(wanted)}")
        return [action for one in wanted for action in _read(one, space)]

    def say(self, action: Action, space: Space) -> Sequence[Said]:
        return [("computer", said) for said in _say(action, space)]

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        space = self.space(screen)
        calls: list[Call] = []
        batch: list[dict[str, Any]] = []
        for action in (*actions, None):
            if batch and (action is None or isinstance(action, SPOKEN)):
                calls.append(self._batch(len(calls) + 1, batch))
                batch = []
            if isinstance(action, SPOKEN):
                calls.append(Call(f"call_{len(calls) + 1}", *spoken_call(action)))
            elif action is not None:
                batch += _say(action, space)
        if not calls:
            raise CannotSay("an answer needs at least one action")
        parts: list[Part] = [Text(thought)] if thought else []
        return Reply((*parts, *calls))

    def _batch(self, number: int, batch: list[dict[str, Any]]) -> Call:
        return Call(f"call_{number}", self.tool, {"actions": batch, "pending_safety_checks": []}, NATIVE)


class OpenAIPreview(OpenAI):
    """The `computer_use_preview` tool: one action a call."""

    name = "openai-preview"
    about = "OpenAI's computer_use_preview (Responses API): one action a call"
    tool = "computer_use_preview"

    def tools(self, screen: tuple[int, int]) -> tuple[Tool, ...]:
        native = {"type": "computer_use_preview", "display_width": screen[0], "display_height": screen[1], "environment": "linux"}
        return (Tool(self.tool, native=native), *SPOKEN_TOOLS)

    def _batch(self, number: int, batch: list[dict[str, Any]]) -> Call:
        if len(batch) > 1 or number > 1:
            raise CannotSay("an answer holds one action only")
        if batch[0].get("keys") and batch[0]["type"] != "keypress":
            raise CannotSay("keys cannot be held during an action")
        return Call(f"call_{number}", self.tool, {"action": batch[0], "pending_safety_checks": []}, NATIVE)


def _checks(given: Mapping[str, Any]) -> list[str]:
    checks = given.get("pending_safety_checks") if isinstance(given, Mapping) else None
    if not isinstance(checks, list | tuple):
        return []
    return [f"[safety check {check.get('code')!s:.60}: {check.get('message')!s:.300}]" for check in checks[:10] if isinstance(check, Mapping)]


def _read(given: object, space: Space) -> Sequence[Action]:
    if not isinstance(given, Mapping):
        raise NotUnderstood(f"an action is an object with a type, not {args.shown(given)}")
    match given.get("type"):
        case "screenshot":
            return [Wait(seconds=0)]
        case "wait":
            return [Wait(seconds=WAIT_SECONDS)]
        case "type":
            return [args.made(Type, text=args.text(given, "text"))]
        case "keypress":
            return _keypress(given.get("keys"))
        case "click" | "double_click" | "move" | "scroll" | "drag" as kind:
            return _held(args.modifiers(given.get("keys")), _pointed(kind, given, space))
    raise NotUnderstood(f"the computer has no action {args.shown(given.get('type'))}")


def _pointed(kind: str, given: Mapping[str, Any], space: Space) -> Click | Move | Scroll | Drag:
    if kind == "drag":
        path = given.get("path")
        if not isinstance(path, list | tuple) or len(path) > 1000:
            raise NotUnderstood(f"a path is a list of points, not {args.shown(path)}")
        return args.made(Drag, path=tuple(args.point(space, place, "path") for place in path))
    x, y = space.to_screen(given.get("x"), given.get("y"))
    match kind:
        case "move":
            return Move(x=x, y=y)
        case "scroll":
            dx, dy = (args.notches(args.number(given.get(name), name, 0.0) / NOTCH_PIXELS, name) for name in ("scroll_x", "scroll_y"))
            return args.made(Scroll, x=x, y=y, dx=dx, dy=dy)
        case "double_click":
            return Click(x=x, y=y, count=2)
    button = args.text(given, "button", default="left")
    if button not in BUTTONS:
        raise NotUnderstood(f"a button is one of {', '.join(BUTTONS)}, not {args.shown(button)}")
    return args.made(Click, x=x, y=y, button=BUTTONS[button])


def _held(keys: Sequence[str], action: Click | Move | Scroll | Drag) -> Sequence[Action]:
    if not keys:
        return [action]
    if not isinstance(action, Move) and all(name.removesuffix("_right") in MODIFIERS for name in keys):
        return [action.model_copy(update={"modifiers": tuple(keys)})]
    downs = [args.made(KeyDown, key=name) for name in keys]
    return [*downs, action, *(KeyUp(key=down.key) for down in reversed(downs))]


def _keypress(said: object) -> Sequence[Action]:
    keys = [said] if isinstance(said, str) else said
    if not isinstance(keys, list | tuple) or not 1 <= len(keys) <= 50:
        raise NotUnderstood(f"keys is a list of names, not {args.shown(said)}")
    if len(keys) == 1 and isinstance(keys[0], str):
        return args.chords(keys[0])
    names = [args.one_key(name) for name in keys]
    if len(set(names)) < len(names):  # the same key twice cannot be held down together: one after the other
        return [args.made(Key, keys=(name,)) for name in names]
    return [args.made(Key, keys=args.chord(names))]


def _say(action: Action, space: Space) -> list[dict[str, Any]]:
    match action:
        case Click(count=1 | 2) if action.x is not None and action.y is not None:
            return [{**_click(action), **_where(space, action.x, action.y), **_keys(action.modifiers)}]
        case Move():
            return [{"type": "move", **_where(space, action.x, action.y)}]
        case Drag(button="left"):
            return [{"type": "drag", "path": [_where(space, *place) for place in action.path], **_keys(action.modifiers)}]
        case Scroll() if action.x is not None and action.y is not None:
            turns = {"scroll_x": action.dx * NOTCH_PIXELS, "scroll_y": action.dy * NOTCH_PIXELS}
            return [{"type": "scroll", **_where(space, action.x, action.y), **turns, **_keys(action.modifiers)}]
        case Type():
            return [{"type": "type", "text": action.text}]
        case Key():
            return [{"type": "keypress", **_keys(action.keys)}] * action.times
        case Copy(text=None):
            return [{"type": "keypress", "keys": ["CTRL", "C"]}]
        case Paste(text=None):
            return [{"type": "keypress", "keys": ["CTRL", "V"]}]
        case Wait():
            return [{"type": "wait" if action.seconds else "screenshot"}]
    raise CannotSay(f"the computer tool has no words for this {action.kind}")


def _click(action: Click) -> dict[str, Any]:
    if action.count == 1:
        return {"type": "click", "button": "wheel" if action.button == "middle" else action.button}
    if action.button != "left":
        raise CannotSay(f"the computer tool has no double click with the {action.button} button")
    return {"type": "double_click"}


def _where(space: Space, x: int, y: int) -> dict[str, Any]:
    return dict(zip("xy", space.to_model(x, y), strict=True))


def _keys(keys: Sequence[str]) -> dict[str, Any]:
    said = [name.upper() if len(name) > 1 or (len(keys) > 1 and name.isascii()) else name for name in keys]
    args.sayable(keys, said)
    return {"keys": said} if keys else {}
