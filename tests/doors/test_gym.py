"""The Gymnasium door."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

from deskbench.core import action as a
from deskbench.core.faults import DesktopFault, Misuse
from deskbench.gym import DesktopEnv
from deskbench.runner.seat import Seat

TakeSeat = Callable[..., Seat]

SIZE = (320, 200)


@pytest.fixture
def env(take: TakeSeat) -> Iterator[DesktopEnv]:
    made = DesktopEnv(take=take, screen=SIZE, render_mode="rgb_array")
    yield made
    made.close()


def test_gymnasiums_own_checker_finds_nothing(env: DesktopEnv) -> None:
    check_env(env, skip_render_check=True)


def test_it_can_be_made_by_name(take: TakeSeat) -> None:
    env = gymnasium.make("deskbench/Desktop-v0", take=take, screen=SIZE)
    screen, info = env.reset(seed=3)
    assert screen.shape == (200, 320, 3)
    assert info["seed"] == 3
    env.close()


def test_the_reward_is_the_verdict(env: DesktopEnv) -> None:
    _, info = env.reset(seed=0)
    assert info["instruction"] == "Write hello into ~/note.txt."
    _, reward, terminated, truncated, info = env.step(env.encode(a.Type(text="hello")))
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["milestones"]["there"] == 1
    _, reward, terminated, truncated, info = env.step(env.encode(a.Done()))
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["episode"]["verdict"]["score"] == 1.0


def test_milestones_can_be_rewarded_as_they_come(take: TakeSeat) -> None:
    env = DesktopEnv(take=take, screen=SIZE, reward="milestones")
    env.reset(seed=0)
    assert env.step(a.Type(text="wrong"))[1] == 0.5
    assert env.step(a.Done())[1] == 0.0


def test_a_spent_budget_truncates(env: DesktopEnv) -> None:
    env.reset(seed=0)
    for _ in range(5):
        assert env.step(a.Key(keys=("a",)))[3] is False
    _, _, terminated, truncated, _ = env.step(a.Key(keys=("a",)))
    assert (terminated, truncated) == (False, True)
    with pytest.raises(Misuse, match="call reset"):
        env.step(a.Wait())


def test_a_fault_is_raised_and_never_a_reward(take: TakeSeat) -> None:
    broken = {"checks": [{"text.content": {"file": "~/note.txt", "text": "hello"}}], "setup": [{"run": ["false"]}]}
    env = DesktopEnv(take=lambda seed: take(seed, **broken), screen=SIZE)
    with pytest.raises(DesktopFault, match="a fault of ours"):
        env.reset(seed=0)


def test_several_sit_side_by_side(take: TakeSeat) -> None:
    envs = gymnasium.vector.SyncVectorEnv([lambda: DesktopEnv(take=take, screen=SIZE) for _ in range(3)])
    screens, _ = envs.reset(seed=[1, 2, 3])
    assert screens.shape == (3, 200, 320, 3)
    _, rewards, _, _, _ = envs.step(envs.action_space.sample())
    assert rewards.shape == (3,)
    envs.close()


pixel = st.tuples(st.integers(0, SIZE[0] - 1), st.integers(0, SIZE[1] - 1))
held = st.sets(st.sampled_from(["ctrl", "shift", "alt", "super"])).map(
    lambda names: tuple(n for n in ("ctrl", "shift", "alt", "super") if n in names)
)
actions = st.one_of(
    st.builds(lambda p: a.Move(x=p[0], y=p[1]), pixel),
    st.builds(lambda p, m: a.Click(x=p[0], y=p[1], modifiers=m), pixel, held),
    st.builds(lambda p, q, m: a.Drag(path=(p, q), modifiers=m), pixel, pixel, held),
    st.builds(lambda p, dx, dy: a.Scroll(x=p[0], y=p[1], dx=dx, dy=dy), pixel, st.integers(-10, 10), st.integers(-10, 10)),
    st.builds(lambda text: a.Type(text=text), st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=50)),
    st.builds(lambda key, m: a.Key(keys=(*m, key)), st.sampled_from(["enter", "s", "f5", "page_down"]), held),
)


@given(actions)
def test_what_the_space_can_say_comes_back(action: a.Action) -> None:
    env = DesktopEnv(screen=SIZE, take=lambda seed: pytest.fail("nobody sits down here"))
    encoded = env.encode(action)
    assert env.action_space.contains({**encoded, "kind": np.int64(encoded["kind"])})
    assert env.decode(encoded) == action
