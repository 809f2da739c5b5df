"""Deskbench as an Inspect AI task: `inspect eval deskbench/inspect.py -T tasks=inkscape/title-size --model ...`.

A sample is one task at one seed. The solver takes a seat, gives the model the hands of `runner.hands` as tools and the screen with every result,
and lets it work until the episode is over; the scorer reads the verdict. A fault of ours is an error of the sample, never a score.
"""

from __future__ import annotations

import base64
import inspect as signatures
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, Content, ContentImage, ContentText, execute_tools, get_model
from inspect_ai.scorer import Score, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolError, ToolParam, ToolParams
from inspect_ai.util import JSONSchema

from deskbench.core.action import SPOKEN
from deskbench.core.faults import DesktopFault
from deskbench.core.observation import Observation
from deskbench.pack.load import find
from deskbench.runner.hands import Hand, hands_for, told
from deskbench.runner.seat import Seat

TakeSeat = Callable[[str, int, str], Seat]

GUIDE = (
    "You work at a desktop of {width}x{height} pixels through tools; coordinates are pixels from the top left. Every result shows the screen. "
    "Call finish when the job is done, give_up with a reason if it cannot be done, ask_user if something is unclear. You have {steps} steps."
)
SILENT_LIMIT = 3
"""So many answers in a row without a call end the episode."""


@task
def deskbench(tasks: str = "", suite: str = "starter", seeds: int = 1, language: str = "en", tools: str = "", out: str = "runs/inspect") -> Task:
    """Deskbench's tasks: `tasks` names some by pattern, otherwise a suite."""
    families = find([part for part in tasks.split(",") if part], None if tasks else suite)
    samples = [
        Sample(id=f"{family.task.id}#{seed}", input=family.draw(seed).opening.says["en"], metadata={"task": family.task.id, "seed": seed})
        for family in families
        for seed in range(seeds)
    ]

    def take(name: str, seed: int, model: str) -> Seat:
        return Seat.take(name, Path(out), agent=f"inspect:{model}", seed=seed, language=language, tools=[part for part in tools.split(",") if part])

    return Task(dataset=MemoryDataset(samples, name="deskbench"), solver=sitting(take), scorer=verdict())


@solver
def sitting(take: TakeSeat) -> Solver:
    """Sits the model down at the sample's task and lets it work until the episode is over."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        seat = await anyio.to_thread.run_sync(take, state.metadata["task"], state.metadata["seed"], str(model))
        try:
            await _work(seat, state)
        finally:
            episode = await anyio.to_thread.run_sync(seat.leave)
        if episode is None or episode.verdict.fault is not None:
            why = episode.verdict.fault.sentence if episode is not None and episode.verdict.fault is not None else "it left no record"
            raise DesktopFault(f"a fault of ours ended the episode: {why}")
        state.metadata["episode"] = episode.model_dump(mode="json")
        state.completed = True
        return state

    return solve


async def _work(seat: Seat, state: TaskState) -> None:
    brief, look = seat.brief, seat.look
    guide = GUIDE.format(width=brief.screen[0], height=brief.screen[1], steps=brief.steps)
    start: list[Content] = [ContentText(text=brief.instruction), *([_picture(look)] if look is not None else [])]
    state.messages = [ChatMessageSystem(content=guide), ChatMessageUser(content=start)]
    tools = Hands(seat).tools()
    silent = 0
    while not seat.over and silent < SILENT_LIMIT:
        state.output = await get_model().generate(state.messages, tools)
        state.messages.append(state.output.message)
        if state.output.message.tool_calls:
            silent = 0
            results, _ = await execute_tools(state.messages, tools)
            state.messages.extend(results)
        else:
            silent += 1
            state.messages.append(ChatMessageUser(content="Use the tools; call finish when the job is done."))


class Hands:
    """The hands at one seat, as tools of Inspect."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._known = 0

    def tools(self) -> list[ToolDef]:
        return [ToolDef(self._tool(hand), hand.__name__, _summary(hand), _parameters(hand)) for hand in hands_for(self._seat.brief.tools)]

    def _tool(self, hand: Hand) -> Callable[..., Any]:
        async def tool(**given: Any) -> list[Content]:
            return await anyio.to_thread.run_sync(self._do, hand, given)

        return tool

    def _do(self, hand: Hand, given: dict[str, Any]) -> list[Content]:
        if self._seat.over:
            return [ContentText(text="The episode is over.")]
        try:
            action = hand(**given)
        except (TypeError, ValueError) as error:
            raise ToolError(f"that is not understood: {error}") from error
        look = self._seat.act([action])
        if look is None:
            return [ContentText(text="The episode is over.")]
        words, news = told(look, self._known)
        self._known += len(news)
        return [ContentText(text=words)] if isinstance(action, SPOKEN) else [ContentText(text=words), _picture(look)]


def _picture(look: Observation) -> ContentImage:
    return ContentImage(image="data:image/png;base64," + base64.b64encode(look.frame.png).decode())


def _summary(hand: Hand) -> str:
    return (hand.__doc__ or "").partition("\n")[0]


_TYPES = {int: "integer", float: "number", str: "string"}


def _parameters(hand: Hand) -> ToolParams:
    """The parameters of a hand, described as its docstring describes them."""
    described = dict(line.strip().split(": ", 1) for line in (hand.__doc__ or "").partition("Args:")[2].splitlines() if ": " in line)
    found: dict[str, JSONSchema] = {}
    required = []
    for name, parameter in signatures.signature(hand, eval_str=True).parameters.items():
        choices = list(getattr(parameter.annotation, "__args__", ())) or None
        kind: Any = "string" if choices else _TYPES[parameter.annotation]
        found[name] = ToolParam(type=kind, description=described.get(name, name), enum=choices)
        if parameter.default is parameter.empty:
            required.append(name)
    return ToolParams(properties=found, required=required)


@scorer(metrics=[accuracy(), stderr()])
def verdict() -> Any:
    """The score of the episode, with what was found wrong."""

    async def score(state: TaskState, target: Target) -> Score:
        episode = state.metadata["episode"]
        missed = [finding["sentence"] for finding in episode["verdict"]["findings"] if not finding["passed"]]
        return Score(value=episode["verdict"]["score"], answer=episode["answer"], explanation=" ".join(missed) or "every check holds")

    return score
