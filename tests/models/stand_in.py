"""A server on 127.0.0.1 that stands in for four vendors: it speaks their wire formats and objects, as they do, to a conversation that is not one.

It is given answers, one for each request, or a function that makes them: a `Reply` is put into the words of whichever format the request came in;
a `Trouble` is what a server does instead of answering.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from deskbench.core.chat import Call, Reply, Text, Thinking

INPUT_TOKENS, OUTPUT_TOKENS = 1000, 50
BETAS = {"computer_20250124": "computer-use-2025-01-24", "computer_20251124": "computer-use-2025-11-24"}


@dataclass
class Asked:
    """A request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Trouble:
    """A status instead of an answer; `cut` breaks the connection off in the middle of one, `garbled` answers with no JSON."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "trouble"
    cut: bool = False
    garbled: bool = False


Answer = Reply | Trouble


class Objection(Exception):
    """What a real server would refuse with a 400."""


class QuietServer(ThreadingHTTPServer):
    """A client that has lost patience and gone is no news."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class StandIn:
    """The server. `asked` keeps every request in order."""

    def __init__(self, answers: Callable[[Asked], Answer] | Iterable[Answer]) -> None:
        self.asked: list[Asked] = []
        self._answers = answers if callable(answers) else _in_order(answers)
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                stand_in._handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = QuietServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def base(self, client: str) -> str:
        """The address that a client is given."""
        return f"{self.root}/v1" if client.startswith("openai") else self.root

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        asked = Asked(handler.path, {name.lower(): value for name, value in handler.headers.items()}, body)
        self.asked.append(asked)
        wire = next(wire for wire in WIRES if wire.mine(handler.path))
        try:
            wire.check(asked)
            answer = self._answers(asked)
        except Objection as objection:
            answer = Trouble(400, message=str(objection))
        if isinstance(answer, Trouble):
            _trouble(handler, wire, answer)
        elif wire.streams:
            _send(handler, 200, _events(wire.stream(answer, len(self.asked))), "text/event-stream")
        else:
            _send(handler, 200, json.dumps(wire.answer(answer, len(self.asked))).encode())


@contextmanager
def standing_in(answers: Callable[[Asked], Answer] | Iterable[Answer]) -> Iterator[StandIn]:
    server = StandIn(answers)
    try:
        yield server
    finally:
        server.close()


def _in_order(answers: Iterable[Answer]) -> Callable[[Asked], Answer]:
    left = iter(answers)
    return lambda _: next(left, Trouble(400, message="there are no more answers"))


def _send(handler: BaseHTTPRequestHandler, status: int, data: bytes, kind: str = "application/json", **headers: str) -> None:
    handler.send_response(status)
    for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


def _trouble(handler: BaseHTTPRequestHandler, wire: Any, trouble: Trouble) -> None:
    kind = "text/event-stream" if wire.streams else "application/json"
    if trouble.cut:
        whole = (
            _events(wire.stream(Reply((Text("half an answer"),)), 1)) if wire.streams else json.dumps(wire.answer(Reply((Text("half"),)), 1)).encode()
        )
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(whole)))
        handler.end_headers()
        handler.wfile.write(whole[: len(whole) // 2])
        handler.close_connection = True
    elif trouble.garbled:
        _send(handler, 200, b'event: nonsense\ndata: {"type": \n\n' if wire.streams else b'{"choices": [', kind)
    else:
        _send(handler, trouble.status, json.dumps(wire.error(trouble)).encode(), **trouble.headers)


def _events(events: Iterable[dict[str, Any]]) -> bytes:
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def _need(condition: object, why: str) -> None:
    if not condition:
        raise Objection(why)


class AnthropicWire:
    """POST /v1/messages, as a stream."""

    streams = True

    def mine(self, path: str) -> bool:
        return path.startswith("/v1/messages")

    def check(self, asked: Asked) -> None:
        body = asked.body
        _need(asked.headers.get("x-api-key") or asked.headers.get("authorization"), "no key")
        _need(body.get("stream") and body.get("max_tokens"), "stream and max_tokens are required here")
        for tool in body.get("tools", ()):
            needed = BETAS.get(tool.get("type", ""))
            _need(needed is None or needed in asked.headers.get("anthropic-beta", ""), f"{tool.get('type')} needs the beta header {needed}")
        roles = [message["role"] for message in body["messages"]]
        _need(roles[::2] == ["user"] * len(roles[::2]) and roles[1::2] == ["assistant"] * len(roles[1::2]), f"roles must alternate: {roles}")
        waiting: list[tuple[str, Any]] = []
        for message in body["messages"]:
            blocks = message["content"]
            _need(blocks and all(block.get("text", "x").strip() for block in blocks), "text content blocks must be non-empty")
            results = [block for block in blocks if block["type"] == "tool_result"]
            answered = [(block["tool_use_id"], block.get("toolset_name")) for block in results]
            _need(answered == waiting and blocks[: len(results)] == results, f"tool_use {waiting} is answered by {answered}")
            waiting = [(block["id"], block.get("toolset_name")) for block in blocks if block["type"] == "tool_use"]

    def stream(self, reply: Reply, number: int) -> Iterator[dict[str, Any]]:
        started = {"input_tokens": INPUT_TOKENS, "output_tokens": 1, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "stand-in", "content": [], "stop_reason": None}
        yield {"type": "message_start", "message": {**message, "stop_sequence": None, "usage": started}}
        for index, part in enumerate(reply.parts):
            start, delta = self._block(part, number, index)
            yield {"type": "content_block_start", "index": index, "content_block": start}
            for one in delta:
                yield {"type": "content_block_delta", "index": index, "delta": one}
            yield {"type": "content_block_stop", "index": index}
        stop = {"length": "max_tokens", "refused": "refusal"}.get(reply.stop, "tool_use" if reply.calls else "end_turn")
        yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": OUTPUT_TOKENS}}
        yield {"type": "message_stop"}

    def _block(self, part: Any, number: int, index: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        if isinstance(part, Text):
            return {"type": "text", "text": ""}, [{"type": "text_delta", "text": part.text}]
        if isinstance(part, Thinking):
            deltas = [{"type": "thinking_delta", "thinking": part.text}, {"type": "signature_delta", "signature": part.seal}]
            return {"type": "thinking", "thinking": "", "signature": ""}, deltas
        family = {"toolset_name": part.native} if part.native else {}
        start = {"type": "tool_use", "id": f"toolu_{number}_{index}", "name": part.name, "input": {}, **family}
        return start, [{"type": "input_json_delta", "partial_json": part.malformed or json.dumps(dict(part.arguments))}]

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return {"type": "error", "error": {"type": "api_error", "message": trouble.message}}


class ResponsesWire:
    """POST /v1/responses, as a stream. Every computer call comes with a safety check that must be acknowledged."""

    streams = True

    def mine(self, path: str) -> bool:
        return path == "/v1/responses"

    def check(self, asked: Asked) -> None:
        _need(asked.headers.get("authorization", "").startswith("Bearer "), "no bearer token")
        waiting: dict[str, dict[str, Any]] = {}
        items = asked.body["input"]
        for place, item in enumerate(items):
            kind = item.get("type", "message")
            if kind == "reasoning":
                _need(items[place + 1].get("type") in ("computer_call", "function_call", "message"), "reasoning without its following item")
            elif kind in ("computer_call", "function_call"):
                waiting[item["call_id"]] = item
            elif kind in ("computer_call_output", "function_call_output"):
                call = waiting.pop(item["call_id"], None)
                _need(call is not None and kind == f"{call['type']}_output", f"no call for the output {item['call_id']}")
                if kind == "computer_call_output":
                    _need(item["output"]["image_url"].startswith("data:image/"), "a computer call is answered with a screenshot")
                    _need(item.get("acknowledged_safety_checks") == call["pending_safety_checks"], "pending safety checks must be acknowledged")
        _need(not waiting, f"no output for {list(waiting)}")

    def stream(self, reply: Reply, number: int) -> Iterator[dict[str, Any]]:
        items = [self._item(part, reply, number, place) for place, part in enumerate(reply.parts)]
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        used = {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS, "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS, **details}
        response = {"id": f"resp_{number}", "object": "response", "created_at": 1, "model": "stand-in", "status": "in_progress", "output": []}
        response |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "incomplete_details": None, "error": None}
        yield {"type": "response.created", "sequence_number": 0, "response": response}
        short = reply.stop == "length"
        response = {**response, "output": items, "usage": used, "status": "incomplete" if short else "completed"}
        response["incomplete_details"] = {"reason": "max_output_tokens"} if short else None
        yield {"type": f"response.{response['status']}", "sequence_number": 1, "response": response}

    def _item(self, part: Any, reply: Reply, number: int, place: int) -> dict[str, Any]:
        name = f"{number}_{place}"
        if isinstance(part, Text):
            inner = (
                {"type": "refusal", "refusal": part.text}
                if reply.stop == "refused"
                else {"type": "output_text", "text": part.text, "annotations": []}
            )
            return {"type": "message", "id": f"msg_{name}", "role": "assistant", "status": "completed", "content": [inner]}
        if isinstance(part, Thinking):
            return {"type": "reasoning", "id": f"rs_{name}", "summary": [{"type": "summary_text", "text": part.text}], "encrypted_content": part.seal}
        if part.native:
            checks = [{"id": f"cu_sc_{name}", "code": "malicious_instructions", "message": "Look out."}]
            call = {"type": "computer_call", "id": f"cu_{name}", "call_id": f"call_{name}", "status": "completed", "pending_safety_checks": checks}
            return {**part.arguments, **call}
        written = part.malformed or json.dumps(dict(part.arguments))
        return {
            "type": "function_call",
            "id": f"fc_{name}",
            "call_id": f"call_{name}",
            "name": part.name,
            "arguments": written,
            "status": "completed",
        }

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return {"error": {"message": trouble.message, "type": "server_error", "code": None, "param": None}}


class ChatWire:
    """POST /v1/chat/completions."""

    streams = False

    def mine(self, path: str) -> bool:
        return path == "/v1/chat/completions"

    def check(self, asked: Asked) -> None:
        _need(asked.headers.get("authorization", "").startswith("Bearer "), "no bearer token")
        waiting: list[str] = []
        for message in asked.body["messages"]:
            if message["role"] == "tool":
                _need(isinstance(message["content"], str), "a tool message holds text")
                _need(message["tool_call_id"] in waiting, f"no call {message['tool_call_id']}")
                waiting.remove(message["tool_call_id"])
                continue
            _need(not waiting, f"tool calls without an answer: {waiting}")
            waiting = [call["id"] for call in message.get("tool_calls") or ()]
            for call in message.get("tool_calls") or ():
                _need(isinstance(json.loads(call["function"]["arguments"]), dict), "arguments must be an object")
        _need(not waiting, f"tool calls without an answer: {waiting}")
        _need(asked.body["messages"][-1]["role"] in ("user", "tool"), "the last message is the user's")

    def answer(self, reply: Reply, number: int) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
        if reply.stop == "refused":
            message |= {"content": None, "refusal": reply.text}
        if reply.thinking:
            message["reasoning_content"] = reply.thinking
        if reply.calls:
            message["tool_calls"] = [self._call(call, number, place) for place, call in enumerate(reply.calls)]
        reason = "length" if reply.stop == "length" else "tool_calls" if reply.calls else "stop"
        used = {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS, "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS}
        choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
        return {"id": f"c_{number}", "object": "chat.completion", "created": 1, "model": "stand-in", "choices": [choice], "usage": used}

    def _call(self, call: Call, number: int, place: int) -> dict[str, Any]:
        written = call.malformed or json.dumps(dict(call.arguments))
        return {"id": f"call_{number}_{place}", "type": "function", "function": {"name": call.name, "arguments": written}}

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return {"error": {"message": trouble.message, "type": "server_error", "code": None, "param": None}}


class GoogleWire:
    """POST /v1beta/models/NAME:generateContent. Every call of its own functions wants a safety decision acknowledged, and is signed."""

    streams = False

    def mine(self, path: str) -> bool:
        return path.partition("?")[0].endswith(":generateContent")

    def check(self, asked: Asked) -> None:
        _need(asked.headers.get("x-goog-api-key"), "no key")
        waiting: list[dict[str, Any]] = []
        for content in asked.body["contents"]:
            answers = [part["functionResponse"] for part in content["parts"] if "functionResponse" in part]
            _need([a["name"] for a in answers] == [call["name"] for call in waiting], "the function responses do not fit the function calls")
            for call, answer in zip(waiting, answers, strict=True):
                risky = "safety_decision" in call.get("args", {})
                _need(not risky or answer["response"].get("safety_acknowledgement") == "true", "the safety decision is not acknowledged")
            signed = [part for part in content["parts"] if "functionCall" in part and content["role"] == "model"]
            _need(all(part.get("thoughtSignature") for part in signed), "a function call lost its thought signature")
            waiting = [part["functionCall"] for part in signed]
        _need(not waiting, "function calls without a response")

    def answer(self, reply: Reply, number: int) -> dict[str, Any]:
        used = {"promptTokenCount": INPUT_TOKENS, "candidatesTokenCount": OUTPUT_TOKENS - 10, "thoughtsTokenCount": 10}
        reason = {"length": "MAX_TOKENS", "refused": "SAFETY"}.get(reply.stop, "STOP")
        content = {"role": "model", "parts": [self._part(part) for part in reply.parts]} if reply.parts else {"role": "model"}
        return {"candidates": [{"content": content, "finishReason": reason, "index": 0}], "usageMetadata": used, "modelVersion": "stand-in"}

    def _part(self, part: Any) -> dict[str, Any]:
        if isinstance(part, Text):
            return {"text": part.text}
        if isinstance(part, Thinking):
            return {"text": part.text, "thought": True}
        decision = {"safety_decision": {"decision": "require_confirmation", "explanation": "Look out."}} if part.native else {}
        return {"functionCall": {"name": part.name, "args": {**part.arguments, **decision}}, "thoughtSignature": "c2lnbmVk"}

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return {"error": {"code": trouble.status, "message": trouble.message, "status": "UNAVAILABLE"}}


WIRES: tuple[Any, ...] = (AnthropicWire(), ResponsesWire(), ChatWire(), GoogleWire())
