"""Every dialect, by the same rules: round trips, golden files, fuzz. A new dialect is covered as soon as it is in the table.

THE FORMAT OF A GOLDEN FILE: tests/dialects/golden/<dialect>.yaml is a list of at least 20 entries, right and malformed (at least 5 of each),
every entry one answer of a model and what it means:

    - say: |                       # the words of the answer; or
        Thought: ...
      calls:                       # the tool calls of the answer (both may be given: the words come first)
        - {name: left_click, arguments: {coordinate: [10, 20]}}            # `native: computer_call` where a call is the server's own kind,
                                                                           # `malformed: '{"x": 1'` where its arguments were no JSON object
      thinking: ...                # optional: a Thinking part, first of all
      stop: length                 # optional: done (default), length, refused
      screen: [1920, 1080]         # optional: this is the default
      marks: [[7, 10, 20, 30, 40]] # optional: id, x, y, width, height of the marks on show

      actions:                     # exactly these core actions, defaults left out; or
        - {kind: click, x: 10, y: 20}
      invalid: part of the reason  # a part, whatever its case, of why it is not understood
      looks: [[0, 0, 640, 360]]    # optional: the boxes of zooms (x, y, width, height in screen pixels); with `actions: []` if there is no action
      thought: part of it          # optional: a part of the thought
      note: part of it             # optional: a part of the note

ROUND TRIPS compare actions *spelled out*: `spelled_out` below breaks what is compound into its parts (a click with modifiers is keys held around a
click, a drag is press, moves and release, pasting a text is copying it and pressing ctrl+v), so that a language without drags may say one in parts.
Points may differ by a pixel or by one cell of the dialect's own space; seconds may be lost where a language has no words for them.
`write` must be deterministic (call ids too), and says CannotSay for what the language lacks.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from deskbench import dialects
from deskbench.core import action as a
from deskbench.core.chat import Call, Part, Reply, Text, Thinking
from deskbench.core.frame import Frame
from deskbench.core.keys import MODIFIERS, NAMED
from deskbench.core.observation import Box, Mark
from deskbench.core.ports import Brief
from deskbench.dialects import CannotSay, Dialect, Parsed

GOLDEN = Path(__file__).parent / "golden"
NAMES = dialects.names()
SCREEN = (1920, 1080)

every_dialect = pytest.mark.parametrize("name", NAMES)


# -- round trips


def spelled_out(actions: Sequence[a.Action]) -> list[a.Action]:
    """The same doings in their smallest parts."""
    return [part for action in actions for whole in _straight(action) for part in _parts(whole)]


def _straight(action: a.Action) -> Iterator[a.Action]:
    """A scroll in both directions as one down and one across."""
    if isinstance(action, a.Scroll) and action.dx and action.dy:
        yield from (action.model_copy(update={"dx": 0}), action.model_copy(update={"dy": 0}))
    else:
        yield action


def _parts(action: a.Action) -> Iterator[a.Action]:
    held = getattr(action, "modifiers", ())
    yield from (a.KeyDown(key=name) for name in held)
    match action:
        case a.Click() | a.Press() | a.Release() | a.Scroll():
            if action.x is not None and action.y is not None:
                yield a.Move(x=action.x, y=action.y)
            yield from _unpointed(action)
        case a.Drag():
            (x, y), *others = action.path
            yield from (a.Move(x=x, y=y), a.Press(button=action.button))
            yield from (a.Move(x=x, y=y) for x, y in others)
            yield a.Release(button=action.button)
        case a.Paste():
            if action.text is not None:
                yield a.Copy(text=action.text)
            yield a.Key(keys=("ctrl", "v"))
        case a.Copy(text=None):
            yield a.Key(keys=("ctrl", "c"))
        case a.Key():
            yield from (a.Key(keys=action.keys) for _ in range(action.times))
        case a.Move():
            yield a.Move(x=action.x, y=action.y)
        case _:
            yield action
    yield from (a.KeyUp(key=name) for name in reversed(held))


def _unpointed(action: a.Click | a.Press | a.Release | a.Scroll) -> Iterator[a.Action]:
    match action:
        case a.Click():
            yield a.Click(button=action.button, count=action.count)
        case a.Press():
            yield a.Press(button=action.button)
        case a.Release():
            yield a.Release(button=action.button)
        case a.Scroll():
            yield a.Scroll(dx=action.dx, dy=action.dy)


def _same(dialect: Dialect, said: Sequence[a.Action], heard: Sequence[a.Action], screen: tuple[int, int]) -> None:
    wanted, got = spelled_out(said), spelled_out(heard)
    assert [part.kind for part in wanted] == [part.kind for part in got], f"{said} became {heard}"
    cell = _cell(dialect, screen)
    for one, other in zip(wanted, got, strict=True):
        if isinstance(one, a.Move) and isinstance(other, a.Move):
            assert abs(one.x - other.x) <= cell[0] and abs(one.y - other.y) <= cell[1], f"{said} became {heard}"
        elif isinstance(one, a.Wait) and isinstance(other, a.Wait):
            assert one.seconds == other.seconds or _timeless(dialect, screen), f"{said} became {heard}"
        elif isinstance(one, a.SPOKEN):
            assert _stripped(one) == _stripped(other), f"{said} became {heard}"
        else:
            assert one == other, f"{said} became {heard}"


def _stripped(action: BaseModel) -> list[object]:
    return [value.strip() if isinstance(value, str) else value for value in action.model_dump().values()]


def _cell(dialect: Dialect, screen: tuple[int, int]) -> tuple[int, int]:
    extent = dialect.space(screen).extent
    whole = dialect.space(screen).whole
    width, height = (max(1, math.ceil(screen[axis] / extent[axis])) if whole else 1 for axis in (0, 1))
    return width, height


def _timeless(dialect: Dialect, screen: tuple[int, int]) -> bool:
    """Whether the language says every wait with the same words."""
    return dialect.write([a.Wait(seconds=2)], screen) == dialect.write([a.Wait(seconds=5)], screen)


SCREENS = st.tuples(st.integers(640, 3840), st.integers(480, 2160))
NASTY = (
    'it\'s "so"',
    "a\\b\\n",
    "two\nlines\n",
    "```",
    "</tool_call>",
    "{'x': 1}",
    "(1, 2)",
    "$HOME %s {x} [y]",
    "naïve 漢字 😀",
    "'''",
    "DONE",
    "<point>1 2</point>",
)
TEXTS = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=40)
WORDS = st.sampled_from(("What colour?", "It can't be done: there's no file.", "42", 'the "Save" button\nand the next line'))
MODIFIER = st.lists(st.sampled_from(list(MODIFIERS)[:4]), max_size=2, unique=True).map(tuple)
KEY = st.sampled_from(sorted(NAMED)) | st.sampled_from("abcxyzAZ0189,./;'[]\\-=`<>?:\"{}|_+!@#$%^&*()~é")
CHORD = st.tuples(MODIFIER, KEY).map(lambda parts: (*parts[0], parts[1]) if parts[1] not in parts[0] else (parts[1],))
BUTTON = st.sampled_from(("left", "middle", "right", "back", "forward"))
SECONDS = st.sampled_from((0.5, 1.0, 2.0, 5.0, 10.0))


def _kinds(point: st.SearchStrategy[tuple[int, int]]) -> dict[str, st.SearchStrategy[a.Action]]:
    """Every kind of action, with points from there."""
    there = point.map(lambda place: {"x": place[0], "y": place[1]})
    where: st.SearchStrategy[dict[str, int]] = there | there | st.just({})
    notches = st.integers(-10, 10)
    return {
        "move": st.builds(lambda place, seconds: a.Move(**place, seconds=seconds), there, st.sampled_from((0.0, 0.5))),
        "click": st.builds(lambda place, **more: a.Click(**place, **more), where, button=BUTTON, count=st.integers(1, 3), modifiers=MODIFIER),
        "press": st.builds(lambda place, **more: a.Press(**place, **more), where, button=BUTTON),
        "release": st.builds(lambda place, **more: a.Release(**place, **more), where, button=BUTTON),
        "drag": st.builds(a.Drag, path=st.lists(point, min_size=2, max_size=5).map(tuple), button=BUTTON, seconds=SECONDS, modifiers=MODIFIER),
        "scroll": st.builds(
            lambda place, dx, dy, **more: a.Scroll(**place, dx=dx, dy=dy or 3, **more), where, st.just(0) | notches, notches, modifiers=MODIFIER
        ),
        "type": st.builds(a.Type, text=TEXTS),
        "key": st.builds(a.Key, keys=CHORD, times=st.integers(1, 3)),
        "key_down": st.builds(a.KeyDown, key=KEY),
        "key_up": st.builds(a.KeyUp, key=KEY),
        "wait": st.builds(a.Wait, seconds=SECONDS),
        "copy": st.builds(a.Copy, text=st.none() | TEXTS),
        "paste": st.builds(a.Paste, text=st.none() | TEXTS),
        "open_app": st.builds(a.OpenApp, app=st.just("gimp"), file=st.none() | st.just("~/a b.png")),
        "focus_window": st.builds(a.FocusWindow, title=WORDS),
        "ask": st.builds(a.Ask, question=WORDS),
        "done": st.builds(a.Done, answer=st.just("") | WORDS),
        "fail": st.builds(a.Fail, reason=WORDS),
    }


@st.composite
def screens_and_actions(draw: st.DrawFn, most: int = 1) -> tuple[tuple[int, int], list[a.Action]]:
    """A screen, and actions of any kind on it; points are scaled to it afterwards, so that the strategies are made only once."""
    screen = draw(SCREENS)
    actions = draw(st.lists(ANY_ACTION, min_size=1, max_size=most))
    return screen, [_scaled(action, screen) for action in actions]


ANY_ACTION = st.one_of(*_kinds(st.tuples(st.integers(0, 32767), st.integers(0, 32767))).values())


def _scaled(action: a.Action, screen: tuple[int, int]) -> a.Action:
    def on(place: tuple[int, int]) -> tuple[int, int]:
        return place[0] * screen[0] // 32768, place[1] * screen[1] // 32768

    if isinstance(action, a.Drag):
        return action.model_copy(update={"path": tuple(on(place) for place in action.path)})
    points = a.points(action)
    return action.model_copy(update=dict(zip("xy", on(points[0]), strict=True))) if points else action


def _read_back(name: str, screen: tuple[int, int], actions: list[a.Action]) -> None:
    dialect = dialects.get(name)
    try:
        reply = dialect.write(actions, screen)
    except CannotSay:
        return
    parsed = dialect.parse(reply, screen)
    assert not parsed.invalid, f"{actions} was written as {reply.parts}, which is not understood: {parsed.invalid}"
    _same(dialect, actions, parsed.actions, screen)


@every_dialect
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=screens_and_actions())
def test_what_is_written_is_read_back(name: str, case: tuple[tuple[int, int], list[a.Action]]) -> None:
    _read_back(name, *case)


@pytest.mark.slow
@every_dialect
@settings(max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=screens_and_actions())
def test_what_is_written_is_read_back_at_length(name: str, case: tuple[tuple[int, int], list[a.Action]]) -> None:
    _read_back(name, *case)


@every_dialect
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=screens_and_actions(most=4))
def test_several_actions_are_written_in_order_or_not_at_all(name: str, case: tuple[tuple[int, int], list[a.Action]]) -> None:
    screen, actions = case
    silent = [action for action in actions if not isinstance(action, a.SPOKEN)]
    if silent:
        _read_back(name, screen, silent)


NEEDED: dict[str, list[a.Action]] = {
    "click": [a.Click(x=100, y=200)],
    "type": [a.Type(text="hello, world")],
    "key": [a.Key(keys=("enter",))],
    "scroll": [a.Scroll(dy=notches) for notches in range(1, 11)] + [a.Scroll(x=500, y=400, dy=notches) for notches in range(1, 11)],
    "wait": [a.Wait(seconds=seconds) for seconds in (1, 2, 3, 5)],
    "done": [a.Done(answer="It is 42.")],
    "fail": [a.Fail(reason="There is no such file.")],
    "ask": [a.Ask(question="Which colour?")],
}


@every_dialect
@pytest.mark.parametrize("kind", NEEDED)
def test_what_every_language_must_be_able_to_say(name: str, kind: str) -> None:
    dialect = dialects.get(name)
    said = [action for action in NEEDED[kind] if _can_say(dialect, action)]
    assert said, f"{name} has no words for {NEEDED[kind][0]}"
    parsed = dialect.parse(dialect.write(said[:1], SCREEN, thought="I see the dialog."), SCREEN)
    assert "I see the dialog." in parsed.thought
    _same(dialect, said[:1], parsed.actions, SCREEN)


def _can_say(dialect: Dialect, action: a.Action) -> bool:
    try:
        dialect.write([action], SCREEN)
    except CannotSay:
        return False
    return True


# -- what the model is told


@every_dialect
def test_a_dialect_introduces_itself(name: str) -> None:
    dialect = dialects.get(name)
    assert dialect.name == name and dialect.about and dialect.coordinates
    brief = Brief("Make the title larger.", "en", SCREEN, ("inkscape",), 50, 600.0)
    told = dialect.system(brief) + json.dumps(
        [[tool.name, tool.description, tool.parameters, tool.native] for tool in dialect.tools(SCREEN)], default=dict
    )
    assert len(dialect.system(brief)) > 100
    assert "ask" in told.casefold() or "call_user" in told


@every_dialect
@pytest.mark.parametrize("screen", [(640, 480), (1920, 1080), (1080, 1920), (3840, 2160)])
def test_the_picture_has_the_promised_size(name: str, screen: tuple[int, int]) -> None:
    import numpy as np

    dialect = dialects.get(name)
    shown = dialect.show(Frame(np.zeros((screen[1], screen[0], 4), np.uint8)))
    assert shown.size == dialect.shown_size(screen)


# -- golden files


@cache
def golden(name: str) -> list[dict[str, Any]]:
    path = GOLDEN / f"{name}.yaml"
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else []
    return entries


def reply_of(entry: dict[str, Any]) -> Reply:
    parts: list[Part] = [Thinking(entry["thinking"])] if "thinking" in entry else []
    parts += [Text(entry["say"])] if "say" in entry else []
    for number, call in enumerate(entry.get("calls", ()), 1):
        parts.append(Call(f"call_{number}", call["name"], call.get("arguments", {}), call.get("native", ""), call.get("malformed", "")))
    return Reply(tuple(parts), entry.get("stop", "done"))


def heard(name: str, entry: dict[str, Any]) -> Parsed:
    screen = tuple(entry.get("screen", SCREEN))
    marks = [Mark(number, Box(*box), f"mark {number}") for number, *box in entry.get("marks", ())]
    return dialects.get(name).parse(reply_of(entry), (screen[0], screen[1]), marks)


CASES = [(name, number) for name in NAMES for number in range(len(golden(name)))]


@pytest.mark.parametrize(("name", "number"), CASES, ids=[f"{name}-{number}" for name, number in CASES])
def test_golden(name: str, number: int) -> None:
    entry = golden(name)[number]
    unknown = set(entry) - {"say", "calls", "thinking", "stop", "screen", "marks", "actions", "invalid", "looks", "thought", "note"}
    assert not unknown and ("actions" in entry) != ("invalid" in entry), f"entry {number} is not of the format: {entry}"
    parsed = heard(name, entry)
    if "invalid" in entry:
        assert entry["invalid"] and entry["invalid"].casefold() in parsed.invalid.casefold(), f"{entry} gave {parsed}"
        assert not parsed.actions and not parsed.looks
        return
    assert not parsed.invalid, f"{entry} gave {parsed}"
    assert list(parsed.actions) == [a.ACTION.validate_python(action) for action in entry["actions"]]
    assert [[look.box.x, look.box.y, look.box.width, look.box.height] for look in parsed.looks] == entry.get("looks", [])
    assert entry.get("thought", "") in parsed.thought
    assert entry.get("note", "") in parsed.note


@every_dialect
def test_each_call_is_read_by_itself(name: str) -> None:
    """An agent answers every call with what its own actions did, so it must know which those are."""
    dialect = dialects.get(name)
    for entry in golden(name):
        reply = reply_of(entry)
        if "actions" in entry and reply.calls and "screen" not in entry:
            alone = [dialect.parse(Reply((call,)), SCREEN) for call in reply.calls]
            assert [action for one in alone for action in one.actions] == list(dialect.parse(reply, SCREEN).actions)


@every_dialect
def test_there_are_enough_golden_answers(name: str) -> None:
    entries = golden(name)
    assert len(entries) >= 20
    assert sum("invalid" in entry for entry in entries) >= 5
    assert sum("actions" in entry for entry in entries) >= 5


# -- fuzz


JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 1, 99999, 10**30, -0.5, 0.5, 1e308, float("nan"), float("inf"), "", "0", "left", "x" * 300, "\x00", "\ud800", "ctrl+s", "１２", [], [1], [1, 2], [1, 2, 3, 4],
    [[1, 2], [3, 4]], [None, None], ["10", "20"], {}, {"x": 1, "y": 2}, {"type": "click"}, [{"type": "click", "x": 5, "y": 5}], [[[]]], b"bytes", (1, 2),
)  # fmt: skip
SPLINTERS = (
    "```", "```python\n", "<tool_call>", "</tool_call>", "<point>", "{", "}", "[", "]", "(", ")", "'", '"', "\\", "\n", ",", ":", "-", "9" * 30, "1e999", "nan", "inf", "0x", "**", "10**10**10",
    "'a'*10**9", "range(10**9)", "for i in range(1000): ", "while True: ", "lambda: 0", "__import__('os')", "pyautogui.", "computer.", "Action:", "DONE", "FAIL", "WAIT", "\x00", "\ud800", "漢", "😀", " ", "\t", "((((((((", "[[[[[[[[", "-----",
)  # fmt: skip


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _mutated_text(dice: random.Random, text: str, others: Sequence[str]) -> str:
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.choice((0, 1, 1, 2, 5, 20)))
        match dice.randrange(8):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + dice.choice(SPLINTERS) + text[end:]
            case 2:
                text = text[:start] + text[start:end] * dice.randint(2, 5) + text[end:]
            case 3:
                other = dice.choice(others) if others else ""
                text = text[:start] + other[dice.randint(0, len(other)) :]
            case 4:
                text = text[:start] + "".join(dice.choice("0123456789.-e,() \n'\"[]{}<>") for _ in range(dice.randint(1, 8))) + text[end:]
            case 5:
                text = text[:start] + chr(dice.choice((dice.randrange(32), dice.randrange(128), dice.randrange(0x11000)))) + text[end:]
            case _:  # another number in the place of one, which leaves the rest as it was
                found = [*NUMBER.finditer(text)]
                start, end = dice.choice(found).span() if found else (start, end)
                other = dice.choice(
                    (str(dice.randint(-5, 4000)), f"{dice.random():.4f}", "0", "1", "999", "1000", "1e400", "-0.0", "00", "9" * 30, "None", "'7'")
                )
                text = text[:start] + other + text[end:]
    return text[:20_000]


def _mutated_value(dice: random.Random, value: Any) -> Any:
    if dice.random() < 0.3:
        return dice.choice(JUNK)
    if isinstance(value, dict) and value:
        changed = dict(value)
        name = dice.choice(list(changed))
        match dice.randrange(4):
            case 0:
                del changed[name]
            case 1:
                changed[dice.choice(("x", "text", "action", "type", name + "s"))] = changed.pop(name)
            case _:
                changed[name] = _mutated_value(dice, changed[name])
        return changed
    if isinstance(value, list) and value:
        place = dice.randrange(len(value))
        return [*value[:place], *([] if dice.random() < 0.3 else [_mutated_value(dice, value[place])]), *value[place + 1 :]]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return dice.choice((-value, value * 1000, value + 0.5, str(value), 0, 1, 999, 1000, 1e18))
    return _mutated_text(dice, value, ()) if isinstance(value, str) else dice.choice(JUNK)


def _fuzzed(dice: random.Random, entries: Sequence[dict[str, Any]]) -> Reply:
    if dice.random() < 0.1 or not entries:
        return Reply(
            (Text("".join(dice.choice((*SPLINTERS, chr(dice.randrange(0x250)), "click", "x=1", "12")) for _ in range(dice.randint(0, 30)))),)
        )
    entry = dict(dice.choice(entries))
    if "say" in entry:
        entry["say"] = _mutated_text(dice, entry["say"], [other["say"] for other in entries if "say" in other])
    calls = [call for other in dice.choices(entries, k=2) for call in other.get("calls", ())] + list(entry.get("calls", ()))
    if calls:
        entry["calls"] = [_mutated_call(dice, call) for call in dice.choices(calls, k=dice.randint(1, 3))]
    entry["stop"] = dice.choice(("done", "done", "done", "length", "refused"))
    return reply_of(entry)


def _mutated_call(dice: random.Random, call: dict[str, Any]) -> dict[str, Any]:
    changed = {**call, "arguments": _mutated_value(dice, dict(call.get("arguments", {})))}
    if not isinstance(changed["arguments"], dict):
        changed["arguments"] = {"arguments": changed["arguments"]}
    if dice.random() < 0.1:
        changed["name"] = _mutated_text(dice, call["name"], ())
    return changed


def _fuzz(name: str, count: int, seed: int) -> None:
    dialect = dialects.get(name)
    entries = golden(name)
    dice = random.Random(f"{name} {seed}")
    for _ in range(count):
        screen = dice.choice((SCREEN, (640, 480), (1280, 800), (3840, 2160), (dice.randint(640, 3840), dice.randint(480, 2160))))
        marks = [Mark(number, Box(10 * number, 5, 8, 8), "") for number in range(dice.choice((0, 0, 40)))]
        reply = _fuzzed(dice, entries)
        parsed = dialect.parse(reply, screen, marks)
        told = f"{reply.parts} on {screen} gave {parsed}"
        assert bool(parsed.invalid) != bool(parsed.actions or parsed.looks), told
        for x, y in (point for action in parsed.actions for point in a.points(action)):
            assert 0 <= x < screen[0] and 0 <= y < screen[1], told
        for box in (look.box for look in parsed.looks):
            assert box.area > 0 and box.within(Box(0, 0, *screen)) == box, told


@every_dialect
def test_fuzz(name: str) -> None:
    _fuzz(name, 1000, seed=1)


@pytest.mark.slow
@every_dialect
def test_fuzz_at_length(name: str) -> None:
    _fuzz(name, 100_000, seed=2)
