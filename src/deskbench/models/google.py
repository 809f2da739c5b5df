"""Google's generateContent, with its computer use tool or plain functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deskbench.core.chat import Call, Part, Picture, Reply, Request, Result, Text, Thinking, Tool, Turn
from deskbench.models.client import Client, CutShort
from deskbench.models.prices import Tokens, usage

COMPUTER_USE = "computer_use"
NAMELESS = "nameless-"
"""Begins the id of a call that the server gave none; it is told apart by its place."""

LENGTH = frozenset({"MAX_TOKENS"})
REFUSED = frozenset({"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"})


class GoogleClient(Client):
    """Asks a Gemini model."""

    sdk, extra = "google.genai", "google"
    home = "https://generativelanguage.googleapis.com"
    keys = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    options = frozenset({"temperature", "top_p", "thinking"})

    def connect(self, sdk: Any, secret: str) -> Any:
        self._types = sdk.types
        once = sdk.types.HttpRetryOptions(attempts=1)
        http = sdk.types.HttpOptions(base_url=self.base, timeout=round(self.seconds * 1000), retry_options=once)
        return sdk.Client(api_key=secret, vertexai=False, http_options=http)

    def send(self, request: Request) -> Reply:
        answer = self._connected.models.generate_content(model=self.model, contents=self.contents(request), config=self.config(request))
        used = self._used(answer.usage_metadata)
        blocked = getattr(answer.prompt_feedback, "block_reason", None)
        if blocked:
            return Reply((Text(f"The prompt was blocked: {_name(blocked)}."),), "refused", used)
        if not answer.candidates:
            raise CutShort("the answer has no candidates")
        candidate = answer.candidates[0]
        reason = _name(candidate.finish_reason)
        native = any(tool.native for tool in request.tools)
        own = {tool.name for tool in request.tools if not tool.native}
        found = candidate.content.parts if candidate.content and candidate.content.parts else []
        parts = tuple(part for place, sent in enumerate(found) if (part := _read(sent, place, own, native)) is not None)
        stop: Any = "length" if reason in LENGTH else "refused" if reason in REFUSED else "done"
        return Reply(parts, stop, used, wire=candidate.content if found else None)

    def _used(self, taken: Any) -> Any:
        if taken is None:
            return usage(self.model, Tokens())
        cached = taken.cached_content_token_count or 0
        output = (taken.candidates_token_count or 0) + (taken.thoughts_token_count or 0)
        return usage(self.model, Tokens((taken.prompt_token_count or 0) - cached, output, cached))

    def config(self, request: Request) -> Any:
        """Everything of a request but the conversation, as the SDK takes it."""
        types = self._types
        more: dict[str, Any] = {name: float(self.told[name]) for name in ("temperature", "top_p") if name in self.told}
        if "thinking" in self.told:
            more["thinking_config"] = types.ThinkingConfig(include_thoughts=self.told["thinking"] != "none")
        return types.GenerateContentConfig(
            system_instruction=request.system or None,
            max_output_tokens=request.output_tokens,
            tools=self._tools(request.tools) or None,
            # The SDK would otherwise try to call the functions itself.
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            **more,
        )

    def _tools(self, tools: Sequence[Tool]) -> list[Any]:
        types = self._types
        found = [types.Tool.model_validate(dict(tool.native)) for tool in tools if tool.native]
        functions = [
            types.FunctionDeclaration(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters) or None)
            for tool in tools
            if not tool.native
        ]
        return [*found, types.Tool(function_declarations=functions)] if functions else found

    def contents(self, request: Request) -> list[Any]:
        """The conversation as the SDK takes it."""
        return [self._content(turn) for turn in request.turns]

    def _content(self, turn: Turn) -> Any:
        if turn.role == "assistant" and turn.wire is not None:
            return turn.wire
        parts = [sent for part in turn.parts for sent in self._sent(part)]
        return self._types.Content(role="model" if turn.role == "assistant" else "user", parts=parts or [self._types.Part(text="(nothing)")])

    def _sent(self, part: Part) -> list[Any]:
        types = self._types
        match part:
            case Text() if part.text:
                return [types.Part(text=part.text)]
            case Picture():
                return [types.Part.from_bytes(data=part.data, mime_type=part.media_type)]
            case Call():
                return [types.Part(function_call=types.FunctionCall(id=_given(part.id), name=part.name, args=dict(part.arguments)))]
            case Result():
                return self._answered(part)
        return []

    def _answered(self, result: Result) -> list[Any]:
        """A result. Pictures belong inside it for the server's own functions, and beside it for plain ones."""
        types = self._types
        words = "\n".join(part.text for part in result.parts if isinstance(part, Text)) or "done"
        said: dict[str, Any] = {"error" if result.error else "output": words}
        if result.call.arguments.get("safety_decision"):
            # The exam hall is a sandbox, so what the server wants confirmed is confirmed.
            said["safety_acknowledgement"] = "true"
        pictures = [part for part in result.parts if isinstance(part, Picture)]
        answer = types.FunctionResponse(id=_given(result.call.id), name=result.call.name, response=said)
        if result.call.native:
            answer.parts = [types.FunctionResponsePart.from_bytes(data=p.data, mime_type=p.media_type) for p in pictures] or None
            return [types.Part(function_response=answer)]
        return [types.Part(function_response=answer), *(types.Part.from_bytes(data=p.data, mime_type=p.media_type) for p in pictures)]


def _given(id: str) -> str | None:
    return None if id.startswith(NAMELESS) else id


def _name(value: Any) -> str:
    return str(getattr(value, "value", value) or "")


def _read(sent: Any, place: int, own: set[str], native: bool) -> Part | None:
    """A part of an answer. A call of a function that is none of ours is one of the server's own tool."""
    if sent.function_call is not None:
        call = sent.function_call
        kind = COMPUTER_USE if native and call.name not in own else ""
        return Call(call.id or f"{NAMELESS}{place}", call.name or "", dict(call.args or {}), native=kind)
    if sent.text:
        return Thinking(sent.text) if sent.thought else Text(sent.text)
    return None
