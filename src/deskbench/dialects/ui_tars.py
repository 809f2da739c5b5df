"""UI-TARS: a thought and a call such as `click(point='<point>x y</point>')`. It points at pixels of the resized picture, or at 0 to 1000."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from deskbench.core import action as a
from deskbench.core.action import Action, Point
from deskbench.core.chat import Reply, Text
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects import lenient
from deskbench.dialects.call_line import CallLine, calls_at, line, starts_at
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed
from deskbench.dialects.joining import joined
from deskbench.dialects.space import NotUnderstood, Space, grid, smart_resized

NOTCHES = 5
"""A scroll without an amount, as in the runner these models were measured with."""
WAIT_SECONDS = 5.0

CLICKS = {"click": ("left", 1), "left_single": ("left", 1), "left_double": ("left", 2), "right_single": ("right", 1)}
_ACTION = re.compile(r"^[ \t]*(?:Action|动作|行动)[ \t]*[:：][ \t]*", re.MULTILINE | re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:Thought|思考)\s*[:：]\s*", re.MULTILINE | re.IGNORECASE)
_TAGS = re.compile(r"<\|?/?(?:point|bbox|box_start|box_end)\|?>")

PROMPT = """You operate a Linux desktop for a user. You are given a job, what you did so far, and pictures of the screen; choose the next action.

## Answer
{layout}

## Actions
click(point='<point>x y</point>')
left_double(point='<point>x y</point>')
right_single(point='<point>x y</point>')
drag(start_point='<point>x y</point>', end_point='<point>x y</point>')
hotkey(key='ctrl c') # up to four keys together, with spaces between them
type(content='...') # write \\' \\" \\\\ and \\n for quotes, backslashes and line breaks; a line break presses Enter
scroll(point='<point>x y</point>', direction='down') # down, up, right or left
wait() # waits 5 seconds and looks again
call_user(content='...') # asks the user what only the user can tell you
finished(content='...') # when all of it is done; content is the answer, where one was asked for
failed(content='...') # when it cannot be done; content is the reason

These are possible too: move(point=...), click(point=..., button='middle', count=3), hold='ctrl shift' in any mouse action for keys held meanwhile,
hotkey(key='down', times=4), scroll(..., amount=3) in notches of the wheel, wait(seconds=2), key_down(key='shift'), key_up(key='shift'),
mouse_down(point=...), mouse_up(point=...), open_app(name='...', file='...'), focus_window(title='...'), paste(content='...').

## Coordinates
{coordinates}

## Notes
- Write the thought in {language}.
- If an action had no effect, try another way rather than the same again.
"""


class UiTars(Dialect):
    """UI-TARS 1.5 without long thinking, in pixels of the picture as its processor sees it."""

    name: ClassVar[str] = "ui-tars"
    about: ClassVar[str] = "UI-TARS 1.5: a thought and a call"
    coordinates: ClassVar[str] = "pixels of the smart-resized picture (factor 28)"
    pictures: ClassVar[int] = 5
    layout: ClassVar[str] = "Thought: a short plan, and in one sentence what you do next and with what\nAction: one call of the list below"

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return smart_resized(screen, 28, 100 * 28 * 28, 16384 * 28 * 28)

    def counting(self, brief: Brief) -> str:
        """How coordinates count, for the prompt."""
        width, height = self.shown_size(brief.screen)
        return f"Points are pixels of the picture, which is {width} wide and {height} high; 0 0 is the top left corner."

    def system(self, brief: Brief) -> str:
        return PROMPT.format(layout=self.layout, coordinates=self.counting(brief), language=lenient.language(brief.language))

    # -- reading

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        thinking, text = lenient.split_thinking(reply.text, "Action:")
        begins = next((found for found in _ACTION.finditer(text) if starts_at(text, found.end())), None)
        start, end = (begins.start(), begins.end()) if begins else _bare(text)
        actions = [action for call in calls_at(text, end, mend=reply.stop != "length") for action in meaning(call, space)]
        return Parsed(tuple(joined(actions)), lenient.stored(reply.thinking, thinking, _LABEL.sub("", text[:start]).replace("```", "")))

    # -- writing

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        space = self.space(screen)
        calls = "\n\n".join(said for action in actions for said in words(action, space))
        if not calls:
            raise CannotSay("an answer needs at least one action")
        return Reply((Text(self.laid_out(lenient.one_line(thought, without=("</think>", "</thinking>")), calls)),))

    def laid_out(self, thought: str, calls: str) -> str:
        """The whole answer."""
        return f"Thought: {thought}\nAction: {calls}"


class UiTarsThinking(UiTars):
    """The same with its reasoning in think tags before the answer."""

    name: ClassVar[str] = "ui-tars-thinking"
    about: ClassVar[str] = "UI-TARS 1.5 with long thinking: think tags, a thought and a call"
    layout: ClassVar[str] = (
        "Reason in think tags first, then answer:\n<think>your reasoning at length</think>\n"
        "Thought: a short plan, and in one sentence what you do next and with what\nAction: one call of the list below"
    )

    def laid_out(self, thought: str, calls: str) -> str:
        return f"<think>{thought}</think>\n{super().laid_out(thought, calls)}"


class UiTars1000(UiTars):
    """A deployment that points at 0 to 1000 instead of at pixels."""

    name: ClassVar[str] = "ui-tars-1000"
    about: ClassVar[str] = "UI-TARS 1.5 where it is deployed with relative coordinates"
    coordinates: ClassVar[str] = "0 to 1000 in both directions"

    def space(self, screen: tuple[int, int]) -> Space:
        return grid(screen, 1000)

    def counting(self, brief: Brief) -> str:
        return "Points run from 0 to 1000 across and down, whatever the size of the picture; 0 0 is the top left corner."


def _bare(text: str) -> tuple[int, int]:
    """Where calls begin in an answer that has no action line."""
    found = re.search(rf"(?:^|(?<=[\s`]))(?:{'|'.join(sorted(VERBS))})[ \t]*\(", text)
    if found is None:
        raise NotUnderstood(
            "there is no action in your answer; end it with a line such as Action: click(point='<point>100 200</point>')"
            if text.strip()
            else "your answer was empty; it needs a line that begins with Action:"
        )
    return found.start(), found.start()


def _said(call: CallLine, *names: str, default: str | None = None) -> str:
    value = next((call.values[name] for name in (*names, "0") if name in call.values), default)
    if value is None:
        raise NotUnderstood(f"{call.name}(...) needs {names[0]}='...'")
    return value


def _point(call: CallLine, space: Space, *names: str) -> Point | None:
    value = next((call.values[name] for name in names if name in call.values), "")
    return lenient.place(_TAGS.sub(" ", value), space)


def _held(call: CallLine) -> tuple[str, ...]:
    return lenient.keys(call.values["hold"]) if call.values.get("hold") else ()


POINTING = (*CLICKS, "move", "hover", "mouse_down", "mouse_up", "drag", "select", "scroll")
VERBS = (
    *POINTING, "hotkey", "press", "key_down", "keydown", "key_up", "keyup", "release", "type", "paste", "copy", "wait", "open_app", "focus_window",
    "finished", "failed", "call_user",
)  # fmt: skip


def meaning(call: CallLine, space: Space) -> Sequence[Action]:
    """The actions of one call."""
    if call.name not in VERBS:
        raise NotUnderstood(
            f"there is no action {call.name[:40]!r}; there are click, left_double, right_single, drag, hotkey, type, scroll, wait, ..."
        )
    return (_pointing(call, space) or _keyboard(call) or _other(call),)


def _pointing(call: CallLine, space: Space) -> Action | None:
    if call.name not in POINTING:
        return None
    place = _point(call, space, "point", "start_point", "start_box", "box", "0")
    match call.name:
        case name if name in CLICKS:
            button, count = CLICKS[name]
            count = args.whole(call.values.get("count"), "count", count)
            return args.made(a.Click, **lenient.at(place), button=call.values.get("button", button), count=count, modifiers=_held(call))
        case "move" | "hover":
            x, y = lenient.needed(place, call.name)
            return args.made(a.Move, x=x, y=y)
        case "mouse_down":
            return args.made(a.Press, **lenient.at(place), button=call.values.get("button", "left"))
        case "mouse_up":
            return args.made(a.Release, **lenient.at(place), button=call.values.get("button", "left"))
        case "drag" | "select":
            path = [
                lenient.needed(place, "the start of a drag"),
                lenient.needed(_point(call, space, "end_point", "end_box", "1"), "the end of a drag"),
            ]
            return args.made(a.Drag, path=tuple(path), button=call.values.get("button", "left"), modifiers=_held(call))
        case "scroll":
            across, down = args.direction({"direction": call.values.get("direction", call.values.get("1", "down"))}, "direction")
            amount = args.notches(call.values.get("amount"), "amount", NOTCHES)
            return args.made(a.Scroll, **lenient.at(place), dx=across * amount, dy=down * amount, modifiers=_held(call))
    return None


def _keyboard(call: CallLine) -> Action | None:
    match call.name:
        case "hotkey" | "press":
            keys = lenient.keys(_said(call, "key", "hotkey", "keys"))
            return args.made(a.Key, keys=keys, times=args.whole(call.values.get("times"), "times", 1))
        case "key_down" | "keydown":
            return args.made(a.KeyDown, key=args.one_key(_said(call, "key")))
        case "key_up" | "keyup" | "release":
            return args.made(a.KeyUp, key=args.one_key(_said(call, "key")))
        case "type":
            return args.made(a.Type, text=_said(call, "content", "text"))
        case "paste":
            return args.made(a.Paste, text=_said(call, "content", "text", default="") or None)
        case "copy":
            return args.made(a.Copy, text=_said(call, "content", "text", default="") or None)
    return None


def _other(call: CallLine) -> Action:
    match call.name:
        case "open_app":
            return args.made(a.OpenApp, app=_said(call, "name", "app_name", "app"), file=call.values.get("file") or None)
        case "focus_window":
            return args.made(a.FocusWindow, title=_said(call, "title"))
        case "call_user":
            return args.made(a.Ask, question=_said(call, "content", "question", default="") or "I need your help.")
        case "finished":
            return args.made(a.Done, answer=_said(call, "content", "answer", default=""))
        case "failed":
            return args.made(a.Fail, reason=_said(call, "content", "reason", default=""))
    return args.made(a.Wait, seconds=args.seconds(call.values.get("seconds", call.values.get("time")), "seconds", WAIT_SECONDS))


def words(action: Action, space: Space) -> list[str]:
    """The calls that do this."""
    hold = " ".join(getattr(action, "modifiers", ())) or None
    match action:
        case a.Click():
            name = next((verb for verb, what in CLICKS.items() if what == (action.button, action.count)), "")
            if name:
                return [line(name, point=_tagged(space, action), hold=hold)]
            return [line("click", point=_tagged(space, action), button=action.button, count=action.count, hold=hold)]
        case a.Move():
            return [line("move", point=_tagged(space, action))]
        case a.Press() | a.Release():
            name = "mouse_down" if isinstance(action, a.Press) else "mouse_up"
            return [line(name, point=_tagged(space, action), button=action.button if action.button != "left" else None)]
        case a.Drag():
            return _dragged(action, space, hold)
        case a.Scroll():
            point = _tagged(space, action)
            return [line("scroll", point=point, direction=way, amount=None if by == NOTCHES else by, hold=hold) for way, by in args.directed(action)]
    return [_plain(action)]


def _dragged(action: a.Drag, space: Space, hold: str | None) -> list[str]:
    """A drag in one call; along several points, in parts."""
    button = action.button if action.button != "left" else None
    start, *others = (_point_tag(space, point) for point in action.path)
    if len(others) == 1:
        return [line("drag", start_point=start, end_point=others[0], button=button, hold=hold)]
    downs = [line("key_down", key=name) for name in action.modifiers]
    ups = [line("key_up", key=name) for name in reversed(action.modifiers)]
    moves = [line("move", point=point) for point in others]
    return [*downs, line("mouse_down", point=start, button=button), *moves, line("mouse_up", button=button), *ups]


def _plain(action: Action) -> str:
    match action:
        case a.Key():
            said = " ".join(action.keys)
            lenient.sayable(action.keys, said)
            return line("hotkey", key=said, times=action.times if action.times > 1 else None)
        case a.KeyDown() | a.KeyUp():
            return line(action.kind, key=action.key)
        case a.Type():
            return line("type", content=action.text)
        case a.Paste() | a.Copy():
            return line(action.kind, content=action.text)
        case a.Wait():
            return line("wait", seconds=None if action.seconds == WAIT_SECONDS else action.seconds)
        case a.OpenApp():
            return line("open_app", name=action.app, file=action.file)
        case a.FocusWindow():
            return line("focus_window", title=action.title)
        case a.Ask():
            return line("call_user", content=action.question)
        case a.Done():
            return line("finished", content=action.answer)
        case a.Fail():
            return line("failed", content=action.reason)
    raise CannotSay(f"UI-TARS has no words for {action.kind}")


def _tagged(space: Space, action: a.Click | a.Press | a.Release | a.Scroll | a.Move) -> str | None:
    return None if action.x is None or action.y is None else _point_tag(space, (action.x, action.y))


def _point_tag(space: Space, point: Point) -> str:
    x, y = space.to_model(*point)
    return f"<point>{x} {y}</point>"
