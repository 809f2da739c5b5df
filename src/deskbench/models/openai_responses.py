"""OpenAI's Responses, with its computer tool and the preview of it.

The conversation is sent whole each time, so that it is ours to shorten: thoughts travel sealed, nothing is kept at the server. Answers are
streamed, because a model may think for minutes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from deskbench.core.chat import Call, Part, Picture, Reply, Request, Result, Text, Thinking, Tool, Turn
from deskbench.models.client import Client, CutShort, called, data_address
from deskbench.models.prices import Tokens, usage
from deskbench.models.retry import Trouble

COMPUTER_CALL = "computer_call"
PASSING_CODES = frozenset({"server_error", "rate_limit_exceeded", "vector_store_timeout"})
SHORTENED_CHARS = 600


class Failed(Exception):
    """The server says inside an answer that it failed."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class ResponsesClient(Client):
    """Asks an OpenAI model."""

    sdk, extra = "openai", "openai"
    home = "https://api.openai.com/v1"
    keys = ("OPENAI_API_KEY",)
    options = frozenset({"effort", "temperature"})

    def connect(self, sdk: Any, secret: str) -> Any:
        return sdk.OpenAI(api_key=secret, base_url=self.base, max_retries=0, timeout=self.seconds)

    def send(self, request: Request) -> Reply:
        response = None
        with self._connected.responses.create(**self.body(request), stream=True) as events:
            for event in events:
                if event.type == "error":
                    raise Failed(event.code or "error", event.message)
                if event.type in ("response.completed", "response.incomplete", "response.failed"):
                    response = event.response
        if response is None:
            raise CutShort("the stream ended before the answer did")
        if response.status == "failed":
            raise Failed(getattr(response.error, "code", "error"), getattr(response.error, "message", ""))
        items = [item.to_dict(mode="json") for item in response.output]
        return Reply(tuple(part for item in items for part in _read(item)), _stop(response, items), self._used(response.usage), wire=items)

    def trouble(self, error: Exception) -> Trouble:
        if isinstance(error, Failed):
            return Trouble(f"{self!r} failed: {self.scrubbed(str(error))[:500]}", error.kind in PASSING_CODES)
        return super().trouble(error)

    def _used(self, taken: Any) -> Any:
        if taken is None:
            return usage(self.model, Tokens())
        cached = getattr(taken.input_tokens_details, "cached_tokens", 0) or 0
        return usage(self.model, Tokens(taken.input_tokens - cached, taken.output_tokens, cached))

    def body(self, request: Request) -> dict[str, Any]:
        """A request as the SDK takes it."""
        kinds = {tool.native.get("type") for tool in request.tools}
        body: dict[str, Any] = {"model": self.model, "input": _items(request.turns), "max_output_tokens": request.output_tokens, "truncation": "auto"}
        if request.system:
            body["instructions"] = request.system
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        if "computer_use_preview" not in kinds and not self.model.startswith("gpt-4"):
            # Models that think want their thoughts back; sealed ones need no copy at the server. The older ones know neither.
            body |= {"store": False, "include": ["reasoning.encrypted_content"]}
            body["reasoning"] = {"summary": "auto", **({"effort": self.told["effort"]} if "effort" in self.told else {})}
        if "temperature" in self.told:
            body["temperature"] = float(self.told["temperature"])
        return body


# What is sent


def _tool(tool: Tool) -> dict[str, Any]:
    if tool.native:
        return dict(tool.native)
    schema = dict(tool.parameters) or {"type": "object", "properties": {}}
    return {"type": "function", "name": tool.name, "description": tool.description, "parameters": schema, "strict": False}


def _items(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """The whole conversation. A computer call must be answered with a picture; one whose picture has left the conversation is told in words."""
    blind = {part.call.id for turn in turns if not _pictures(turn) for part in turn.parts if isinstance(part, Result) and _of_computer(part.call)}
    items: list[dict[str, Any]] = []
    for turn in turns:
        if turn.role == "assistant":
            items += _said(turn, blind)
        else:
            items += _told(turn, blind)
    return items


def _of_computer(call: Call) -> bool:
    return call.native == COMPUTER_CALL


def _pictures(turn: Turn) -> list[Picture]:
    inside = [inner for part in turn.parts if isinstance(part, Result) for inner in part.parts]
    return [part for part in (*turn.parts, *inside) if isinstance(part, Picture)]


def _said(turn: Turn, blind: set[str]) -> list[dict[str, Any]]:
    calls = [part for part in turn.parts if isinstance(part, Call)]
    if turn.wire is not None and not any(call.id in blind for call in calls):
        return list(turn.wire)
    words = [part.text for part in turn.parts if isinstance(part, Text) and part.text.strip()]
    words += [_in_words(call) for call in calls if _of_computer(call)]
    items: list[dict[str, Any]] = [{"role": "assistant", "content": "\n".join(words)}] if words else []
    functions = [call for call in calls if not _of_computer(call)]
    return items + [{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": json.dumps(dict(c.arguments))} for c in functions]


def _in_words(call: Call) -> str:
    return f"[{call.name}: {json.dumps(dict(call.arguments), ensure_ascii=False)[:SHORTENED_CHARS]}]"


def _told(turn: Turn, blind: set[str]) -> list[dict[str, Any]]:
    pictures = _pictures(turn)
    items: list[dict[str, Any]] = []
    words: list[Part] = []
    for part in turn.parts:
        if not isinstance(part, Result):
            words.append(part)
        elif not _of_computer(part.call):
            items.append({"type": "function_call_output", "call_id": part.call.id, "output": _content(part.parts)})
        else:
            words += [inner for inner in part.parts if isinstance(inner, Text)]
            if part.call.id not in blind:
                own = [inner for inner in part.parts if isinstance(inner, Picture)]
                items.append(_screen(part.call, (own or pictures)[-1]))
    content = _content(words)
    return [*items, {"role": "user", "content": content}] if content else items


def _screen(call: Call, picture: Picture) -> dict[str, Any]:
    """The screen after a computer call; the exam hall is a sandbox, so what the server wants confirmed is confirmed."""
    shown = {"type": "computer_screenshot", "image_url": data_address(picture)}
    checks = call.arguments.get("pending_safety_checks")
    acknowledged = {"acknowledged_safety_checks": checks} if checks else {}
    return {"type": "computer_call_output", "call_id": call.id, "output": shown, **acknowledged}


def _content(parts: Iterable[Part]) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, Text) and part.text.strip():
            content.append({"type": "input_text", "text": part.text})
        elif isinstance(part, Picture):
            content.append({"type": "input_image", "image_url": data_address(part), "detail": "high"})
    return content


# What is answered


def _read(item: dict[str, Any]) -> list[Part]:
    match item.get("type"):
        case "message":
            return [Text(part.get("text") or part.get("refusal") or "") for part in item["content"]]
        case "reasoning":
            return [Thinking("\n".join(part["text"] for part in item.get("summary") or ()), item.get("encrypted_content") or "")]
        case "function_call":
            return [called(item["call_id"], item["name"], item["arguments"])]
        case "computer_call":
            arguments = {name: item[name] for name in ("actions", "action", "pending_safety_checks") if item.get(name) is not None}
            return [Call(item["call_id"], "computer", arguments, native=COMPUTER_CALL)]
    return []


def _stop(response: Any, items: list[dict[str, Any]]) -> Any:
    if any(part.get("type") == "refusal" for item in items if item.get("type") == "message" for part in item["content"]):
        return "refused"
    reason = getattr(response.incomplete_details, "reason", None)
    return {"content_filter": "refused", "max_output_tokens": "length"}.get(reason or "", "done")
