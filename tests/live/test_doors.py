"""The doors on real applications: the expert passes through Gymnasium, and what it did passes through MCP's official client over a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from mcp import Client, StdioServerParameters

from deskbench.agents.expert import Expert
from deskbench.core import action as a
from deskbench.core.ports import Brief, Wants
from deskbench.gym import DesktopEnv
from deskbench.runner.seat import Seat
from deskbench.store.run_folder import RunFolder

pytestmark = pytest.mark.live

TASK, SEED = "inkscape/title-size", 1


def through_the_gym(folder: Path) -> tuple[list[a.Action], float]:
    """Everything that the expert did at a live desktop, and its reward."""
    seats: list[Seat] = []

    def take(seed: int) -> Seat:
        seats.append(Seat.take(TASK, folder, agent="gym", seed=seed, wants=Wants(elements=True)))
        return seats[-1]

    env = DesktopEnv(take=take)
    screen, info = env.reset(seed=SEED)
    assert screen.shape == (1080, 1920, 3)
    assert np.ptp(screen) > 0
    expert = Expert(seats[0].job.task.procedure)
    expert.begin(Brief(info["instruction"], "en", (1920, 1080), ("inkscape",), 100, 600))
    done: list[a.Action] = []
    reward, over = 0.0, False
    while not over:
        assert seats[0].look is not None
        done += expert.decide(seats[0].look).actions
        _, got, over, truncated, _ = env.step(done[-1])
        reward = float(got)
        assert not truncated
    env.close()
    return done, reward


CALLS: dict[str, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    "key": lambda action: ("press_keys", {"keys": "+".join(action.keys), "times": action.times}),
    "type": lambda action: ("type_text", {"text": action.text}),
    "click": lambda action: ("click", {"x": action.x, "y": action.y, "button": action.button, "count": action.count}),
    "wait": lambda action: ("wait", {"seconds": action.seconds}),
    "done": lambda action: ("finish", {"answer": action.answer}),
}


def test_the_expert_passes_through_the_gym_and_through_mcp(tmp_path: Path) -> None:
    actions, reward = through_the_gym(tmp_path / "gym")
    assert reward == 1.0

    async def main() -> str:
        args = ["-m", "deskbench.cli", "mcp", TASK, "--seed", str(SEED), "--out", str(tmp_path / "mcp")]
        async with Client(StdioServerParameters(command=sys.executable, args=args), read_timeout_seconds=180) as client:
            assert "poster.svg" in str((await client.call_tool("job", {})).content)
            for action in actions:
                name, arguments = CALLS[action.kind](action)
                result = await client.call_tool(name, arguments)
                assert not result.is_error, result.content
            return str(result.content)

    assert "score of 1" in anyio.run(main)
    (episode,) = RunFolder(tmp_path / "mcp").episodes()
    assert episode.verdict.passed
