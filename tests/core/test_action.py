"""Actions are data: they round-trip, and what cannot be is refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deskbench.core.action import ACTION, Action, Click, Drag, Key, KeyDown, Scroll, Type, points
from deskbench.core.keys import ALIASES, NAMED, key, keysym, keysym_of_character

pixels = st.integers(0, 4000)
keys = st.sampled_from([*NAMED, "a", "Z", "<", "é", "你"])
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, x=pixels, y=pixels, button=st.sampled_from(["left", "right", "middle"]), count=st.integers(1, 3)),
    st.builds(Drag, path=st.lists(st.tuples(pixels, pixels), min_size=2, max_size=5).map(tuple), seconds=st.floats(0, 30)),
    st.builds(Scroll, dx=st.integers(-200, 200), dy=st.integers(-200, 200)),
    st.builds(Type, text=st.text(max_size=50)),
    st.builds(Key, keys=st.lists(keys, min_size=1, max_size=4).map(tuple)),
    st.builds(KeyDown, key=keys),
)


@given(actions)
def test_actions_round_trip_through_json(action: Action) -> None:
    assert ACTION.validate_json(ACTION.dump_json(action)) == action


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ({"kind": "click", "x": 3}, "both x and y"),
        ({"kind": "click", "x": -1, "y": 3}, "greater than or equal"),
        ({"kind": "key", "keys": ["nokey"]}, "no key is called"),
        ({"kind": "click", "x": 1, "y": 1, "modifiers": ["enter"]}, "not a modifier"),
        ({"kind": "drag", "path": [[1, 1]]}, "at least 2"),
        ({"kind": "exec", "code": "1"}, "does not match any"),
        ({"kind": "type", "text": "x", "speed": 3}, "Extra inputs"),
    ],
)
def test_impossible_actions_say_why(data: dict[str, object], word: str) -> None:
    with pytest.raises(ValidationError, match=word):
        ACTION.validate_python(data)


def test_points_of_an_action() -> None:
    assert points(Click(x=1, y=2)) == ((1, 2),)
    assert points(Click()) == ()
    assert points(Drag(path=((1, 2), (3, 4)))) == ((1, 2), (3, 4))


@pytest.mark.parametrize(
    ("said", "meant"), [("Return", "enter"), ("Control_L", "ctrl"), ("PageDown", "page_down"), ("cmd", "super"), (" ", "space"), ("F5", "f5")]
)
def test_spellings_of_keys(said: str, meant: str) -> None:
    assert key(said) == meant


def test_every_alias_names_a_key() -> None:
    for alias, name in ALIASES.items():
        assert name in NAMED or len(name) == 1, alias
        assert key(alias) == name


@given(st.characters(exclude_categories=["Cc", "Cs"]))
def test_every_character_has_a_keysym_of_its_own(character: str) -> None:
    number = keysym_of_character(character)
    code = number & 0xFFFFFF if number & 0x01000000 else number
    assert chr(code) == character


def test_named_keysyms_are_those_of_x() -> None:
    from Xlib import XK

    for name, spelled in {
        "enter": "Return",
        "ctrl": "Control_L",
        "page_up": "Prior",
        "f12": "F12",
        "kp_7": "KP_7",
        "menu": "Menu",
        "alt_gr": "ISO_Level3_Shift",
    }.items():
        XK.load_keysym_group("xkb")
        assert keysym(name) == XK.string_to_keysym(spelled), name
