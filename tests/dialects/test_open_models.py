"""What is special about the dialects of open models: the sizes of their pictures, escaping, slips that are mended, and what is never guessed."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest

from deskbench import dialects
from deskbench.core import action as a
from deskbench.core.chat import Call, Reply, Text
from deskbench.core.frame import Frame
from deskbench.core.ports import Brief
from deskbench.dialects import CannotSay, NotUnderstood, lenient
from deskbench.dialects.call_line import calls_at, line, quoted

SCREEN = (1920, 1080)
WORDED = ("cutverse", "cutverse-claude", "evocua", "gui-owl", "os-atlas", "qwen2.5-vl", "qwen3-vl", "ui-tars", "ui-tars-1000", "ui-tars-thinking")
"""Those with a prompt of their own."""
TOOL_CALLS = ("qwen2.5-vl", "qwen3-vl", "evocua", "gui-owl")
TARS = ("ui-tars", "ui-tars-thinking", "ui-tars-1000")


def said(name: str, text: str, stop: Any = "done") -> dialects.Parsed:
    return dialects.get(name).parse(Reply((Text(text),), stop), SCREEN)


def tool_call(**arguments: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': 'computer_use', 'arguments': arguments})}\n</tool_call>"


# -- pictures


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("qwen2.5-vl", ((1932, 1092), (1288, 728), (2548, 1428))),
        ("ui-tars", ((1932, 1092), (1288, 728), (2548, 1428))),
        ("ui-tars-thinking", ((1932, 1092), (1288, 728), (2548, 1428))),
        ("gui-owl", ((1932, 1092), (1288, 728), (2548, 1428))),
        ("qwen3-vl", ((1920, 1088), (1280, 704), (2560, 1440))),
        ("evocua", ((1920, 1088), (1280, 704), (2560, 1440))),
        ("evocua-s1", ((1920, 1088), (1280, 704), (2560, 1440))),
        ("cutverse", ((1280, 720), (1280, 720), (1280, 720))),
        ("cutverse-claude", ((1280, 720), (1280, 720), (1280, 720))),
        ("os-atlas", ((1920, 1080), (1280, 720), (2560, 1440))),
    ],
)
def test_the_picture_is_sent_in_the_size_that_the_models_processor_would_give_it(name: str, sizes: tuple[tuple[int, int], ...]) -> None:
    dialect = dialects.get(name)
    for screen, size in zip((SCREEN, (1280, 720), (2560, 1440)), sizes, strict=True):
        assert dialect.shown_size(screen) == size
    assert dialect.show(Frame(np.zeros((1080, 1920, 4), np.uint8))).size == sizes[0]


@pytest.mark.parametrize("name", ["qwen2.5-vl", "ui-tars", "gui-owl"])
def test_a_point_in_the_picture_is_the_same_place_on_the_screen(name: str) -> None:
    space = dialects.get(name).space((2560, 1440))
    assert space.to_screen(1274, 714) == (1280, 720)
    assert space.to_screen(2548, 1428) == (2559, 1439)
    with pytest.raises(NotUnderstood):
        space.to_screen(2549, 0)


def test_the_grid_of_qwen_ends_at_999_and_that_of_the_others_at_1000() -> None:
    for name in ("qwen3-vl", "evocua", "evocua-s1"):
        assert dialects.get(name).space(SCREEN).to_screen(999, 999) == (1919, 1079)
        with pytest.raises(NotUnderstood):
            dialects.get(name).space(SCREEN).to_screen(1000, 0)
    for name in ("ui-tars-1000", "os-atlas", "cutverse"):
        assert dialects.get(name).space(SCREEN).to_screen(1000, 1000) == (1919, 1079)


@pytest.mark.parametrize(
    ("name", "told"), [("qwen2.5-vl", "1932x1092"), ("qwen3-vl", "1000x1000"), ("ui-tars", "1932 wide"), ("ui-tars-1000", "0 to 1000")]
)
def test_the_model_is_told_the_coordinates_that_it_is_read_by(name: str, told: str) -> None:
    assert told in dialects.get(name).system(Brief("Do it.", "en", SCREEN, (), 50, 600.0))


@pytest.mark.parametrize("name", WORDED)
def test_the_model_is_told_the_language_to_think_in(name: str) -> None:
    assert "Chinese" in dialects.get(name).system(Brief("做吧。", "zh", SCREEN, (), 50, 600.0))


# -- the text of a call line


TEXTS = [
    "it's",
    'say "hi"',
    "a\\nb",
    "two\nlines\n",
    "tab\there",
    "\\",
    "\\'",
    "ends with '",
    "')",
    "', key='x",
    "C:\\users\\new",
    "漢字",
    "a)b(c",
    "\\u4e2d",
    "",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back_from_a_call_line_as_it_was(text: str) -> None:
    (call,) = calls_at(line("type", content=text, more="x"), 0)
    assert call.values == {"content": text, "more": "x"}
    assert "\n" not in quoted(text)


@pytest.mark.parametrize("name", TARS)
@pytest.mark.parametrize("text", [text for text in TEXTS if text])
def test_typing_any_text_in_ui_tars(name: str, text: str) -> None:
    dialect = dialects.get(name)
    assert dialect.parse(dialect.write([a.Type(text=text)], SCREEN), SCREEN).actions == (a.Type(text=text),)


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        (r"type(content='don\'t')", "don't"),
        ("type(content='don't')", "don't"),
        ('type(content="don\'t")', "don't"),
        (r"type(content='a\nb\n')", "a\nb\n"),
        (r"type(content='C:\data')", r"C:\data"),
        (r"type(content='C:\\new')", r"C:\new"),
        (r"type(content='\u4e2d')", "中"),
        ("type(content='f(x), g(y)')", "f(x), g(y)"),
        ("type('by place')", "by place"),
    ],
)
def test_escapes_of_a_model_in_a_call_line(written: str, typed: str) -> None:
    assert said("ui-tars", f"Action: {written}").actions == (a.Type(text=typed),)


def test_what_looks_like_python_in_a_call_line_is_only_text() -> None:
    assert said("ui-tars", "Action: type(content=__import__)").actions == (a.Type(text="__import__"),)
    assert said("ui-tars", "Action: click(point=int('5'))").invalid


# -- nearly JSON


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": [2, 3]}', {"a": 1, "b": [2, 3]}),
        ("{'a': 'it\\'s', 'b': (1, 2), 'c': None, 'd': True}", {"a": "it's", "b": [1, 2], "c": None, "d": True}),
        ('{"a": 1,}', {"a": 1}),
        ('{{"a": {{"b": 1}}}}', {"a": {"b": 1}}),
        ('{"a": {"b": 1}', {"a": {"b": 1}}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ('{"a": "say "hi" to"}', {"a": 'say "hi" to'}),
        ('{"a": "\\ud83d\\ude00",}', {"a": "\ud83d\ude00"}),
        ("{a: b}", {"a": "b"}),
    ],
)
def test_slips_in_json_are_mended(text: str, value: object) -> None:
    assert lenient.value_at(text, 0)[0] == value


@pytest.mark.parametrize("text", ["", "{", '{"a"', '{"a": ', '{"a": [1, 2', '{"a": "cut', "[" * 10_000, '{"a":' * 10_000, "}", '{"a" 1}'])
def test_json_that_was_cut_is_not_guessed(text: str) -> None:
    with pytest.raises(NotUnderstood):
        lenient.value_at(text, 0)


@pytest.mark.parametrize("name", TOOL_CALLS)
def test_a_call_that_ran_out_of_tokens_is_not_completed_for_the_model(name: str) -> None:
    cut = '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click"'
    assert said(name, cut).actions == (a.Click(),)
    assert said(name, cut, "length").invalid


LONG = {
    "quotes": '<tool_call>{"a":"' + '" ' * 20_000,
    "quotes in a call": "Action: type(content='" + "' " * 20_000,
    "tags": "<tool_call>" * 5_000,
    "brackets": "actions:\nTYPE [" + "] \n \n" * 8_000,
    "fences": "actions:\nTYPE [x]" + "`\n " * 20_000 + "x",
    "spaces": " " * 50_000 + "x",
    "labels": "Action: " * 5_000,
    "braces": "{" * 20_000,
    "thinking": "<think>" * 9_000,
    "stars": "*" * 40_000,
    "digits": "Action: click(point='" + "1" * 50_000 + "')",
}


@pytest.mark.parametrize("kind", LONG)
def test_no_long_answer_takes_long_to_read(kind: str) -> None:
    for name in WORDED:
        began = time.process_time()
        said(name, LONG[kind])
        assert time.process_time() - began < 2.0, name


# -- tool calls


@pytest.mark.parametrize("name", TOOL_CALLS)
def test_calls_that_the_server_has_parsed_are_read_as_well(name: str) -> None:
    reply = Reply((Call("call_1", "computer_use", {"action": "key", "keys": ["enter"]}),))
    assert dialects.get(name).parse(reply, SCREEN).actions == (a.Key(keys=("enter",)),)


@pytest.mark.parametrize("name", TOOL_CALLS)
def test_positive_scrolls_up_and_hscroll_to_the_right(name: str) -> None:
    assert said(name, tool_call(action="scroll", pixels=4)).actions == (a.Scroll(dy=-4),)
    assert said(name, tool_call(action="hscroll", pixels=4)).actions == (a.Scroll(dx=4),)


def test_a_click_with_modifiers_is_one_call_where_keys_cannot_be_held_and_three_where_they_can() -> None:
    click = a.Click(x=10, y=10, modifiers=("ctrl",))
    for name, count in (("qwen3-vl", 1), ("evocua", 3)):
        reply = dialects.get(name).write([click], SCREEN)
        assert reply.text.count("<tool_call>") == count
        (back,) = dialects.get(name).parse(reply, SCREEN).actions
        assert isinstance(back, a.Click) and back.modifiers == ("ctrl",)


def test_holding_a_key_is_a_word_of_evocua_only() -> None:
    assert "key_down" in dialects.get("evocua").write([a.KeyDown(key="shift")], SCREEN).text
    for name in ("qwen2.5-vl", "qwen3-vl", "gui-owl"):
        with pytest.raises(CannotSay):
            dialects.get(name).write([a.KeyDown(key="shift")], SCREEN)


def test_gui_owl_keeps_its_conclusion_as_a_note() -> None:
    dialect = dialects.get("gui-owl")
    parsed = dialect.parse(dialect.write([a.Key(keys=("enter",))], SCREEN, thought="The dialog is confirmed."), SCREEN)
    assert parsed.note == parsed.thought == "The dialog is confirmed."


def test_a_closing_tag_in_a_text_does_not_end_gui_owls_call() -> None:
    text = "</tool_call><conclusion>no</conclusion>"
    parsed = said("gui-owl", f"{tool_call(action='type', text=text)}\n<conclusion>yes</conclusion>")
    assert parsed.actions == (a.Type(text=text),) and parsed.note == "yes"


# -- what the whole starter suite needs


@pytest.mark.parametrize("name", ["qwen3-vl", "ui-tars"])
@pytest.mark.parametrize(
    "action",
    [
        a.Click(x=10, y=20, modifiers=("ctrl",)),
        a.Click(x=10, y=20, button="right"),
        a.Key(keys=("down",), times=6),
        a.Key(keys=("ctrl", "shift", "f")),
        a.OpenApp(app="writer", file="~/Documents/a.odt"),
        a.FocusWindow(title="report.ods"),
        a.Drag(path=((10, 10), (300, 200))),
        a.Wait(seconds=1),
        a.Fail(reason="There is no such file."),
        a.Ask(question="Which one?"),
    ],
    ids=lambda action: action.kind,
)
def test_an_experts_action_is_one_action_when_it_is_read_back(name: str, action: a.Action) -> None:
    dialect = dialects.get(name)
    (back,) = dialect.parse(dialect.write([action], SCREEN), SCREEN).actions
    assert back.kind == action.kind
    assert back.model_dump(exclude={"x", "y", "path"}) == action.model_dump(exclude={"x", "y", "path"})


# -- CutVerse and OS-Atlas


def test_the_planner_says_several_actions_in_one_answer() -> None:
    dialect = dialects.get("cutverse")
    actions = (a.Click(x=960, y=540), a.Type(text="a"), a.Key(keys=("enter",)))
    reply = dialect.write(actions, SCREEN)
    assert len(json.loads(reply.text)["actions"]) == 3
    assert dialect.parse(reply, SCREEN).actions == actions


def test_the_planner_finishes_with_a_milestone_and_a_stop() -> None:
    plan = json.loads(dialects.get("cutverse").write([a.Done(answer="42")], SCREEN).text)
    assert plan["MilestoneCompleted"] is True and plan["actions"] == [{"action_type": "stop", "text": "42"}]


def test_cutverse_claude_says_one_action_at_a_time() -> None:
    with pytest.raises(CannotSay):
        dialects.get("cutverse-claude").write([a.Wait(), a.Wait()], SCREEN)


def test_os_atlas_does_not_say_a_text_that_looks_like_the_end_of_one() -> None:
    with pytest.raises(CannotSay):
        dialects.get("os-atlas").write([a.Type(text="x]\nENTER")], SCREEN)
    assert said("os-atlas", "actions:\nTYPE [x]\nENTER").actions == (a.Type(text="x"), a.Key(keys=("enter",)))
