"""A client without a server: it plays recorded answers in order. For tests, and for playing a model's answers again.

A recording is a file of JSON lines, one answer each, as `write` makes them; `base` is its path.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from deskbench.core.chat import Call, Part, Reply, Request, Text, Thinking
from deskbench.core.faults import Misuse, ModelFault
from deskbench.core.ports import Usage
from deskbench.models.client import Client


class ReplayClient(Client):
    """Plays the answers of a recording, or those that it was given; ModelFault when it is asked for more. `asked` keeps every request."""

    def __init__(self, model: str = "recording", *, replies: Iterable[Reply] | None = None, **settings: Any) -> None:
        super().__init__(model, **settings)
        self.asked: list[Request] = []
        self._replies = list(replies) if replies is not None else load(Path(self.base))

    def connect(self, sdk: Any, secret: str) -> Any:
        return None

    def send(self, request: Request) -> Reply:
        self.asked.append(request)
        if len(self.asked) > len(self._replies):
            raise ModelFault(f"the recording has {len(self._replies)} answers and was asked for one more")
        return self._replies[len(self.asked) - 1]


def load(path: Path) -> list[Reply]:
    """The answers of a recording."""
    try:
        return [read(json.loads(line)) for line in path.expanduser().read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Misuse(f"the recording {path} cannot be read: {error}; it takes one answer a line, as deskbench.models.replay makes them") from error


def write(reply: Reply) -> dict[str, Any]:
    """An answer as JSON, without what its server alone understands."""
    parts: list[dict[str, Any]] = []
    for part in reply.parts:
        if isinstance(part, Text):
            parts.append({"text": part.text})
        elif isinstance(part, Thinking):
            parts.append({"thinking": part.text})
        elif isinstance(part, Call):
            parts.append({"call": {"id": part.id, "name": part.name, "arguments": dict(part.arguments), "native": part.native}})
    used = reply.usage
    return {"parts": parts, "stop": reply.stop, "input_tokens": used.input_tokens, "output_tokens": used.output_tokens, "cost_usd": used.cost_usd}


def read(written: dict[str, Any]) -> Reply:
    """The answer that `write` wrote."""
    used = Usage(int(written.get("input_tokens", 0)), int(written.get("output_tokens", 0)), float(written.get("cost_usd", 0.0)))
    return Reply(tuple(_part(part) for part in written["parts"]), written.get("stop", "done"), used)


def _part(written: dict[str, Any]) -> Part:
    if "call" in written:
        return Call(**written["call"])
    return Thinking(written["thinking"]) if "thinking" in written else Text(written["text"])
