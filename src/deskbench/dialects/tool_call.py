"""Dialects that write tool calls as JSON between XML tags: `<tool_call>{"name": "computer_use", "arguments": {...}}</tool_call>`.

All of them are read alike, whoever says it; `verbs` is what a dialect is told of and what it writes. One unit of `pixels` is one notch of the
wheel, as in the runner these models were measured with: positive is up, and in `hscroll` to the right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from deskbench.core import action as a
from deskbench.core.action import Action, Point
from deskbench.core.chat import Reply, Text
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects import lenient
from deskbench.dialects.computer_use import CLICKS, OPENED, TOOL, Arguments, flat, meaning, written
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.joining import joined
from deskbench.dialects.space import NotUnderstood, Space

Said = dict[str, Any]

_LABEL = re.compile(r"^\s*(?:Action|Thought|动作|思考)\s*[:：]\s*", re.IGNORECASE | re.MULTILINE)
_FENCE = re.compile(r"```\w*")

VERBS = {
    "key": "Press the keys in `keys` together and let them go, `times` over where that is given.",
    "key_down": "Hold the keys in `keys` down until `key_up`.",
    "key_up": "Let the held keys in `keys` go.",
    "type": "Type `text` where the keyboard is; a line break presses Enter.",
    "mouse_move": "Move the pointer to `coordinate`.",
    "left_click": "Click at `coordinate`; with `keys`, while these are held.",
    "right_click": "Click the right button at `coordinate`.",
    "middle_click": "Click the middle button at `coordinate`.",
    "double_click": "Double-click at `coordinate`.",
    "triple_click": "Triple-click at `coordinate`.",
    "left_click_drag": "Drag with the left button to `coordinate`, from `start_coordinate` or else from where the pointer is.",
    "drag": "Drag with the left button from `coordinate` to `coordinate2`.",
    "left_mouse_down": "Press the left button and hold it.",
    "left_mouse_up": "Let the left button go.",
    "scroll": "Turn the wheel by `pixels` notches at `coordinate`; positive is up, negative is down.",
    "hscroll": "Turn the wheel sideways by `pixels` notches; positive is right, negative is left.",
    "wait": "Wait for `time` seconds.",
    "open_app": "Start the application called `text`, with the file `file` where one is given.",
    "focus_window": "Bring the window with `text` in its title to the front.",
    "call_user": "Ask the user the question in `text`, when you need to know what only the user can say.",
    "interact": "Ask the user the question in `text`, when you need to know what only the user can say.",
    "terminate": "End the job: with `status` success when all of it is done, and the answer in `text` if one was asked for; "
    "with `status` failure when it cannot be done, and the reason in `text`.",
}
ARGUMENTS: dict[str, Said] = {
    "keys": {"type": "array", "items": {"type": "string"}, "description": "Names of keys, such as ctrl, shift, enter, page_down, a."},
    "times": {"type": "integer", "description": "How many times over a key is pressed."},
    "text": {"type": "string"},
    "coordinate": {"type": "array", "description": "[x, y]"},
    "start_coordinate": {"type": "array", "description": "[x, y]"},
    "coordinate2": {"type": "array", "description": "[x, y]"},
    "pixels": {"type": "number"},
    "time": {"type": "number", "description": "Seconds."},
    "file": {"type": "string"},
    "status": {"type": "string", "enum": ["success", "failure"]},
}


class ToolCallXml(Dialect):
    """What the family shares."""

    pictures: ClassVar[int] = 4
    verbs: ClassVar[tuple[str, ...]] = (
        "key", "type", "mouse_move", "left_click", "left_click_drag", "right_click", "middle_click", "double_click", "triple_click",
        "left_mouse_down", "left_mouse_up", "scroll", "hscroll", "wait", "open_app", "focus_window", "call_user", "terminate",
    )  # fmt: skip
    asking: ClassVar[str] = "call_user"
    lead: ClassVar[str] = "Action: "

    def resolution(self, brief: Brief) -> str:
        """The size of the screen, as this model is told it."""
        width, height = self.shown_size(brief.screen)
        return f"{width}x{height}"

    def system(self, brief: Brief) -> str:
        told = {name: what for name, what in ARGUMENTS.items() if any(f"`{name}`" in VERBS[verb] for verb in self.verbs)}
        actions = "\n".join(f"* `{verb}`: {VERBS[verb]}" for verb in self.verbs)
        description = (
            "The mouse and the keyboard of a Linux desktop. You see the screen in the picture; its size is "
            f"{self.resolution(brief)}, and (0, 0) is its top left corner. Programs may need a moment: wait and look again if nothing happened. "
            "Point at the middle of what you mean."
        )
        parameters = {
            "type": "object",
            "properties": {"action": {"type": "string", "enum": list(self.verbs), "description": actions}, **told},
            "required": ["action"],
        }
        signature = {"type": "function", "function": {"name": TOOL, "description": description, "parameters": parameters}}
        return (
            "# Tools\n\nYou work on a desktop for a user, and call this function to do so:\n<tools>\n"
            f"{json.dumps(signature, ensure_ascii=False)}\n</tools>\n\n{self.format(brief)}\n\n"
            f"Ask the user (action={self.asking}) only about what you cannot find out yourself. When the job is done or cannot be done, say so with "
            "action=terminate; never claim what you have not seen on the screen."
        )

    def format(self, brief: Brief) -> str:
        """How an answer is laid out."""
        return (
            "# Answers\n\nEvery answer has two parts, and nothing else:\n"
            f"1) Action: one short sentence in {lenient.language(brief.language)} that says what you do and why.\n"
            f'2) <tool_call>\n{{"name": "{TOOL}", "arguments": {{"action": ..., ...}}}}\n</tool_call>'
        )

    # -- reading

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        thinking, text = lenient.split_thinking(reply.text, "<tool_call>")
        calls = [*written(text, mend=reply.stop != "length"), *({"name": call.name, "arguments": call.arguments} for call in reply.calls)]
        if not calls:
            raise NotUnderstood(_nothing(reply, text))
        actions = [action for call in calls for action in self.actions(flat(call), space)]
        before = text[: opened.start()] if (opened := OPENED.search(text)) else "" if "{" in text else text
        return Parsed(tuple(joined(actions)), lenient.stored(reply.thinking, thinking, _LABEL.sub("", _FENCE.sub("", before))))

    def actions(self, said: Arguments, space: Space) -> Sequence[Action]:
        """The actions of one call."""
        verb = args.text(said, "action").strip().lower()
        actions = meaning(verb, said, space)
        if not actions:
            raise NotUnderstood(f"there is no action {verb[:40]!r}; there are {', '.join(self.verbs)}")
        return actions

    # -- writing

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        space = self.space(screen)
        calls = [_block(said) for action in actions for said in self.words(action, space)]
        if not calls:
            raise CannotSay("an answer needs at least one action")
        return Reply((Text(self.laid_out(lenient.one_line(thought, without=("<tool_call>", "</think>", "</thinking>")), "\n".join(calls))),))

    def laid_out(self, thought: str, calls: str) -> str:
        """The whole answer."""
        return f"{self.lead}{thought}\n{calls}" if thought else calls

    def words(self, action: Action, space: Space) -> list[Said]:
        """The calls that do this, one after the other."""
        held = list(getattr(action, "modifiers", ()))
        said = self._said(action, space)
        if any(call["action"] not in self.verbs for call in said):
            raise CannotSay(f"{self.name} has no words for {action.kind} like this")
        if not held:
            return said
        lenient.sayable(held, held)
        if "key_down" in self.verbs:
            down, up = {"action": "key_down", "keys": held}, {"action": "key_up", "keys": held[::-1]}
            return [call for turn in said for call in (down, turn, up)] if isinstance(action, a.Scroll) else [down, *said, up]
        if len(said) > 1 and not isinstance(action, a.Scroll):
            raise CannotSay(f"{self.name} cannot hold keys during several calls")
        return [{**call, "keys": held} for call in said]

    def _said(self, action: Action, space: Space) -> list[Said]:
        match action:
            case a.Move():
                return [{"action": "mouse_move", **_at(space, (action.x, action.y))}]
            case a.Click():
                verb = next((verb for verb, what in CLICKS.items() if what == (action.button, action.count)), "")
                return [{"action": verb, **_where(space, action)}]
            case a.Press(button="left") | a.Release(button="left"):
                verb = "left_mouse_down" if isinstance(action, a.Press) else "left_mouse_up"
                return [{"action": verb, **_where(space, action)}]
            case a.Drag(button="left"):
                return self.dragged(action, space)
            case a.Scroll():
                return _turns(action, space)
            case a.Key():
                lenient.sayable(action.keys, list(action.keys))
                return [{"action": "key", "keys": list(action.keys), **({"times": action.times} if action.times > 1 else {})}]
            case a.KeyDown() | a.KeyUp():
                lenient.sayable([action.key], [action.key])
                return [{"action": action.kind, "keys": [action.key]}]
            case a.Paste(text=None):
                return [{"action": "key", "keys": ["ctrl", "v"]}]
        return self._plain(action)

    def _plain(self, action: Action) -> list[Said]:
        """Words without a point or a key."""
        match action:
            case a.Type():
                return [{"action": "type", "text": action.text}]
            case a.Wait():
                return [{"action": "wait", "time": action.seconds}]
            case a.OpenApp():
                return [{"action": "open_app", "text": action.app, **({"file": action.file} if action.file is not None else {})}]
            case a.FocusWindow():
                return [{"action": "focus_window", "text": action.title}]
            case a.Ask():
                return [{"action": self.asking, "text": action.question}]
            case a.Done():
                return [{"action": "terminate", "status": "success", **({"text": action.answer} if action.answer else {})}]
            case a.Fail():
                return [{"action": "terminate", "status": "failure", **({"text": action.reason} if action.reason else {})}]
        raise CannotSay(f"{self.name} has no words for {action.kind}")

    def dragged(self, action: a.Drag, space: Space) -> list[Said]:
        """A drag in one call; along several points, in parts."""
        start, *others = action.path
        if len(others) == 1:
            return [{"action": "left_click_drag", "start_coordinate": list(space.to_model(*start)), **_at(space, others[0])}]
        moves: list[Said] = [{"action": "mouse_move", **_at(space, point)} for point in action.path]
        return [moves[0], {"action": "left_mouse_down"}, *moves[1:], {"action": "left_mouse_up"}]


def _nothing(reply: Reply, text: str) -> str:
    if reply.stop == "length":
        return "your answer was cut off before its <tool_call> came; be shorter"
    if reply.stop == "refused":
        return "you declined to answer; use action=terminate with status failure and the reason if you will not do the job"
    return "there is no <tool_call> in your answer" if text.strip() else "your answer was empty; it needs a <tool_call>"


def _block(said: Said) -> str:
    return f"<tool_call>\n{json.dumps({'name': TOOL, 'arguments': said}, ensure_ascii=False)}\n</tool_call>"


def _at(space: Space, point: Point) -> Said:
    return {"coordinate": list(space.to_model(*point))}


def _where(space: Space, action: a.Click | a.Press | a.Release | a.Scroll) -> Said:
    return {} if action.x is None or action.y is None else _at(space, (action.x, action.y))


def _turns(action: a.Scroll, space: Space) -> list[Said]:
    where = _where(space, action)
    said: list[Said] = [{"action": "scroll", "pixels": -action.dy, **where}] if action.dy or not action.dx else []
    return [*said, {"action": "hscroll", "pixels": action.dx, **where}] if action.dx else said
