"""The MCP door, through the official client."""

from __future__ import annotations

import base64
import io
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp import Client
from PIL import Image

from deskbench.mcp import server_for
from deskbench.runner.hands import HANDS
from deskbench.runner.seat import Seat

TakeSeat = Callable[..., Seat]


def through(seat: Seat, talk: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        async with Client(server_for(seat)) as client:
            await talk(client)

    anyio.run(main)


def words(result: Any) -> str:
    return " ".join(part.text for part in result.content if part.type == "text")


def test_the_tools_are_the_hands(take: TakeSeat) -> None:
    async def talk(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {hand.__name__ for hand in HANDS} | {"job"}
        schema = tools["click"].input_schema
        assert set(schema["required"]) == {"x", "y"}
        assert schema["properties"]["button"]["enum"] == ["left", "middle", "right"]

    through(take(), talk)


def test_a_client_completes_a_task(take: TakeSeat) -> None:
    seat = take()

    async def talk(client: Client) -> None:
        assert "Write hello into" in words(await client.call_tool("job", {}))
        looked = await client.call_tool("screenshot", {})
        picture = next(part for part in looked.content if part.type == "image")
        assert Image.open(io.BytesIO(base64.b64decode(picture.data))).size == (320, 200)
        await client.call_tool("type_text", {"text": "hello"})
        asked = words(await client.call_tool("ask_user", {"question": "Which colour is it?"}))
        assert "It is blue." in asked
        assert "It is blue." not in words(await client.call_tool("wait", {"seconds": 0}))
        assert "score of 1" in words(await client.call_tool("finish", {}))
        assert "over" in words(await client.call_tool("click", {"x": 1, "y": 1}))

    through(seat, talk)
    assert seat.episode is not None and seat.episode.verdict.passed


def test_wrong_arguments_are_an_error_of_the_tool_and_cost_no_step(take: TakeSeat) -> None:
    seat = take()

    async def talk(client: Client) -> None:
        for arguments in ({"x": -5, "y": 1}, {"x": "left"}, {"x": 1, "y": 1, "button": "third"}):
            assert (await client.call_tool("click", arguments)).is_error
        assert (await client.call_tool("press_keys", {"keys": "hyper+zz"})).is_error
        assert "Not done" in words(await client.call_tool("click", {"x": 5000, "y": 5000}))

    through(seat, talk)
    episode = seat.leave()
    assert episode is not None and episode.steps == 1
