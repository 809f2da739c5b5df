"""Chat Completions, as OpenAI and nearly everyone else serves it: vLLM, SGLang, Ollama, and most vendors of open models.

Answers are not streamed: the streaming parsers for tool calls of compatible servers differ from their plain ones, and lose calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from deskbench.core.chat import Call, Part, Picture, Reply, Request, Result, Text, Thinking, Tool, Turn
from deskbench.models.client import Client, CutShort, called, data_address
from deskbench.models.prices import Tokens, usage

STOPS = {"length": "length", "content_filter": "refused"}
NUMBERS = frozenset({"temperature", "top_p", "presence_penalty", "frequency_penalty"})


class ChatClient(Client):
    """Asks a model behind a server that speaks Chat Completions."""

    sdk, extra = "openai", "openai"
    home = "https://api.openai.com/v1"
    keys = ("OPENAI_API_KEY",)
    options = frozenset({*NUMBERS, "effort", "seed", "detail"})

    def connect(self, sdk: Any, secret: str) -> Any:
        return sdk.OpenAI(api_key=secret, base_url=self.base, max_retries=0, timeout=self.seconds)

    def send(self, request: Request) -> Reply:
        answer = self._connected.chat.completions.create(**self.body(request))
        if not getattr(answer, "choices", None):
            raise CutShort(f"the answer has no choices: {str(answer)[:200]}")
        choice = answer.choices[0]
        stop: Any = "refused" if getattr(choice.message, "refusal", None) else STOPS.get(choice.finish_reason, "done")
        return Reply(tuple(_read(choice.message)), stop, self._used(answer.usage))

    def _used(self, taken: Any) -> Any:
        if taken is None:
            return usage(self.model, Tokens())
        cached = getattr(getattr(taken, "prompt_tokens_details", None), "cached_tokens", 0) or 0
        return usage(self.model, Tokens((taken.prompt_tokens or 0) - cached, taken.completion_tokens or 0, cached))

    def body(self, request: Request) -> dict[str, Any]:
        """A request as the SDK takes it."""
        messages = [{"role": "system", "content": request.system}] if request.system else []
        messages += [message for turn in request.turns for message in _messages(turn, self.told.get("detail", "high"))]
        # The vendor's newer models refuse `max_tokens`, and compatible servers may not know the new name.
        limit = "max_completion_tokens" if self.base == self.home else "max_tokens"
        body: dict[str, Any] = {"model": self.model, "messages": messages, limit: request.output_tokens}
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        body |= {name: float(self.told[name]) for name in sorted(NUMBERS & self.told.keys())}
        if "effort" in self.told:
            body["reasoning_effort"] = self.told["effort"]
        if "seed" in self.told:
            body["seed"] = int(self.told["seed"])
        return body


def _tool(tool: Tool) -> dict[str, Any]:
    if tool.native:
        return dict(tool.native)
    schema = dict(tool.parameters) or {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": schema}}


def _messages(turn: Turn, detail: str) -> Iterator[dict[str, Any]]:
    if turn.role == "assistant":
        yield _said(turn)
        return
    # A tool's message takes words alone; the pictures of results follow as the user's.
    rest: list[Part] = []
    for part in turn.parts:
        if isinstance(part, Result):
            words = "\n".join(inner.text for inner in part.parts if isinstance(inner, Text))
            yield {"role": "tool", "tool_call_id": part.call.id, "content": words or "done"}
            rest += [inner for inner in part.parts if isinstance(inner, Picture)]
        else:
            rest.append(part)
    content = _content(rest, detail)
    if content:
        yield {"role": "user", "content": content}


def _said(turn: Turn) -> dict[str, Any]:
    words = "\n".join(part.text for part in turn.parts if isinstance(part, Text))
    calls = [part for part in turn.parts if isinstance(part, Call)]
    message: dict[str, Any] = {"role": "assistant", "content": words if words or not calls else None}
    if calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments), ensure_ascii=False)}}
            for call in calls
        ]
    return message


def _content(parts: Iterable[Part], detail: str) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, Text) and part.text.strip():
            content.append({"type": "text", "text": part.text})
        elif isinstance(part, Picture):
            content.append({"type": "image_url", "image_url": {"url": data_address(part), "detail": detail}})
    return content


def _read(message: Any) -> Iterator[Part]:
    """The parts of an answer. What a model thought is not of the standard; servers call it one of two names."""
    thought = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    if isinstance(thought, str) and thought:
        yield Thinking(thought)
    said = message.content or getattr(message, "refusal", None)
    if said:
        yield Text(said)
    for number, call in enumerate(message.tool_calls or ()):
        if call.type == "function" or getattr(call, "function", None) is not None:
            yield called(call.id or f"call-{number}", call.function.name, call.function.arguments)
