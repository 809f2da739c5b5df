"""The doors on real applications: the expert passes through Gymnasium; what it did passes through MCP's client over a pipe, and through Inspect."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from mcp import Client, StdioServerParameters

from deskbench.agents.expert import Expert
from deskbench.core import action as a
from deskbench.core.ports import Brief, Wants
from deskbench.gym import DesktopEnv
from deskbench.inspect import deskbench as deskbench_task
from deskbench.runner.seat import Seat
from deskbench.store.run_folder import RunFolder

pytestmark = pytest.mark.live

TASK, SEED = "inkscape/title-size", 0


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


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_what_the_expert_does_passes_through_every_door(tmp_path: Path) -> None:
    actions, reward = through_the_gym(tmp_path / "gym")
    assert reward == 1.0
    through_mcp(actions, tmp_path / "mcp")
    through_inspect(actions, tmp_path)


def through_mcp(actions: list[a.Action], folder: Path) -> None:
    async def main() -> str:
        args = ["-m", "deskbench.cli", "mcp", TASK, "--seed", str(SEED), "--out", str(folder)]
        async with Client(StdioServerParameters(command=sys.executable, args=args), read_timeout_seconds=180) as client:
            assert "poster.svg" in str((await client.call_tool("job", {})).content)
            for action in actions:
                name, arguments = CALLS[action.kind](action)
                result = await client.call_tool(name, arguments)
                assert not result.is_error, result.content
            return str(result.content)

    assert "score of 1" in anyio.run(main)
    (episode,) = RunFolder(folder).episodes()
    assert episode.verdict.passed


def through_inspect(actions: list[a.Action], folder: Path) -> None:
    outputs = [ModelOutput.for_tool_call("mockllm/model", *CALLS[action.kind](action)) for action in actions]
    for output in outputs:  # without a count of its own, the mock model would fetch a tokenizer from the internet
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=outputs)
    task = deskbench_task(tasks=TASK, out=str(folder / "inspect"))
    (log,) = inspect_eval(task, model=model, display="none", log_dir=str(folder / "logs"), log_level="error")
    assert log.status == "success", log.error
    assert log.samples is not None and log.samples[0].scores is not None
    assert next(iter(log.samples[0].scores.values())).value == 1.0
    (episode,) = RunFolder(folder / "inspect").episodes()
    assert episode.verdict.passed
    gc.collect()
