"""Anthropic's Messages, with its computer toolset and the single computer tools that came before it.

Answers are streamed: a model that thinks for minutes over a plain request looks like a dead connection to everything in between.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deskbench.core.chat import Call, Part, Picture, Reply, Request, Result, Text, Thinking, Tool, Turn
from deskbench.core.faults import Misuse
from deskbench.models.client import Client, CutShort, base64_of
from deskbench.models.prices import Tokens, usage
from deskbench.models.retry import Trouble

BETAS = {
    "computer_20241022": "computer-use-2024-10-22",
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
}
"""The header that each of the older computer tools needs; the toolset needs none."""

BINDING = "thinking-binding-controls-2026-08-01"

OVERLOADED = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
"""Errors that come inside a stream whose status was 200."""

STOPS = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refused"}


class AnthropicClient(Client):
    """Asks a Claude model."""

    sdk, extra = "anthropic", "anthropic"
    home = "https://api.anthropic.com"
    keys = ("ANTHROPIC_API_KEY",)
    options = frozenset({"effort", "thinking", "temperature"})

    def connect(self, sdk: Any, secret: str) -> Any:
        if self.told.get("thinking", "none") not in ("none", "adaptive"):
            raise Misuse(f"thinking={self.told['thinking']} is not known; use adaptive or none")
        return sdk.Anthropic(api_key=secret, base_url=self.base, max_retries=0, timeout=self.seconds)

    def send(self, request: Request) -> Reply:
        with self._connected.beta.messages.stream(**self.body(request)) as stream:
            message = stream.get_final_message()
        if message.stop_reason is None:
            raise CutShort("the stream ended before the answer did")
        taken = message.usage
        tokens = Tokens(taken.input_tokens, taken.output_tokens, taken.cache_read_input_tokens or 0, taken.cache_creation_input_tokens or 0)
        parts = tuple(part for block in message.content if (part := _read(block)) is not None)
        stop: Any = STOPS.get(message.stop_reason, "done")
        return Reply(parts, stop, usage(self.model, tokens), wire=[block.to_dict(mode="json") for block in message.content])

    def trouble(self, error: Exception) -> Trouble:
        judged = super().trouble(error)
        within = getattr(error, "status_code", None) == 200 and getattr(error, "type", None) in OVERLOADED
        return Trouble(judged.sentence, judged.passing or within, judged.wait_seconds)

    def body(self, request: Request) -> dict[str, Any]:
        """A request as the SDK takes it."""
        body: dict[str, Any] = {"model": self.model, "max_tokens": request.output_tokens, "messages": [_turn(turn) for turn in request.turns]}
        betas = sorted({BETAS[kind] for tool in request.tools if (kind := tool.native.get("type")) in BETAS})
        if request.system:
            body["system"] = request.system
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        if self.told.get("thinking", "none") != "none":
            body["thinking"] = self._thinking()
            betas.append(BINDING)
        if "effort" in self.told:
            body["output_config"] = {"effort": self.told["effort"]}
        if "temperature" in self.told:
            body["temperature"] = float(self.told["temperature"])
        return {**body, "betas": betas} if betas else body

    def _thinking(self) -> dict[str, Any]:
        """Thinking is bound to the conversation before it, which changes as old pictures leave: such thoughts are to be dropped, not refused."""
        return {"type": "adaptive", "display": "summarized", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}


def _tool(tool: Tool) -> dict[str, Any]:
    if tool.native:
        return dict(tool.native)
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters) or {"type": "object", "properties": {}}}


def _turn(turn: Turn) -> dict[str, Any]:
    if turn.role == "assistant" and turn.wire is not None:
        return {"role": "assistant", "content": turn.wire}
    # Results stand before everything else, or the server does not find them.
    ordered = sorted(turn.parts, key=lambda part: not isinstance(part, Result))
    return {"role": turn.role, "content": _blocks(ordered) or [{"type": "text", "text": "(nothing)"}]}


def _blocks(parts: Iterable[Part]) -> list[dict[str, Any]]:
    return [block for part in parts if (block := _block(part)) is not None]


def _block(part: Part) -> dict[str, Any] | None:
    match part:
        case Text():
            # The server refuses a block without words.
            return {"type": "text", "text": part.text} if part.text.strip() else None
        case Picture():
            return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": base64_of(part)}}
        case Thinking():
            return {"type": "thinking", "thinking": part.text, "signature": part.seal} if part.seal else None
        case Call():
            family = {"toolset_name": part.native} if part.native else {}
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": dict(part.arguments), **family}
        case Result():
            family = {"toolset_name": part.call.native} if part.call.native else {}
            return {"type": "tool_result", "tool_use_id": part.call.id, "content": _blocks(part.parts), "is_error": part.error, **family}


def _read(block: Any) -> Part | None:
    """A block of an answer. A member of a toolset is a call whose `native` is the toolset's name."""
    match block.type:
        case "text":
            return Text(block.text)
        case "thinking":
            return Thinking(block.thinking, block.signature)
        case "tool_use":
            arguments = block.input if isinstance(block.input, dict) else block.input.to_dict(mode="json")
            return Call(block.id, block.name, arguments, native=getattr(block, "toolset_name", None) or "")
    return None
