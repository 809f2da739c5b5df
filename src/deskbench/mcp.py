"""An MCP server over one desktop: `deskbench mcp TASK` lets any agent that speaks the protocol sit the exam.

Its tools are the hands of `runner.hands`; each gives back what came of it in words, and the screen as a picture. `finish` and
`give_up` end the episode and tell the verdict. The record lies in the run folder like that of any other run.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Image

from deskbench.core import action as a
from deskbench.core.episode import Episode
from deskbench.runner.hands import Hand, hands_for, told
from deskbench.runner.seat import Seat

Given = list[str | Image]


def server_for(seat: Seat) -> MCPServer[Any]:
    """The server whose tools act at this seat."""
    brief = seat.brief
    width, height = brief.screen
    instructions = (
        f"You sit at a desktop of {width}x{height} pixels. The job: {brief.instruction}\n"
        f"You have {brief.steps} steps. Call finish when the job is done, give_up with a reason if it cannot be done, "
        "ask_user if something is unclear."
    )
    server: MCPServer[Any] = MCPServer(name=f"deskbench {seat.job.spec.task}", instructions=instructions)

    @server.tool(name="job", description="What the job is: read this first.", structured_output=False)
    def job() -> str:
        return instructions

    known = _Known()
    for hand in hands_for(brief.tools):
        server.add_tool(_tool(seat, hand, known), name=hand.__name__, description=_summary(hand), structured_output=False)
    return server


class _Known:
    """How many messages this client has been told."""

    count = 0


def _summary(hand: Hand) -> str:
    return (hand.__doc__ or "").partition("\n")[0]


def _tool(seat: Seat, hand: Hand, known: _Known) -> Callable[..., Awaitable[Given]]:
    """A hand as a tool: the same parameters, and what came of it as the result."""

    @functools.wraps(hand)
    async def tool(**given: Any) -> Given:
        action = hand(**given)
        return await anyio.to_thread.run_sync(_done, seat, action, known)

    signature = inspect.signature(hand, eval_str=True)
    tool.__signature__ = signature.replace(return_annotation=list)  # type: ignore[attr-defined]
    tool.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    return tool


def _done(seat: Seat, action: a.Action, known: _Known) -> Given:
    if seat.over:
        return ["The episode is over. " + _verdict(seat.episode)]
    look = seat.act([action])
    if look is None:
        return [_verdict(seat.episode)]
    words, news = told(look, known.count)
    known.count += len(news)
    return [words, Image(data=look.frame.png, format="png")]


def _verdict(episode: Episode | None) -> str:
    if episode is None or episode.verdict.fault is not None:
        return "A fault of the exam hall ended the episode; it is not counted."
    missed = [finding.sentence for finding in episode.verdict.findings if not finding.passed]
    return f"The episode ended ({episode.stop}) with a score of {episode.verdict.score:g}. " + " ".join(missed)
