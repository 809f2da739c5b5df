"""Clients: whoever carries a conversation to a model's server and back, each a small file on that server's own SDK.

    anthropic          Messages, with its computer tools                 extra `anthropic`
    openai-responses   Responses, with its computer tools                extra `openai`
    openai-chat        Chat Completions, and so vLLM, SGLang, Ollama...  extra `openai`
    google             generateContent, with its computer use tool       extra `google`
    replay             plays recorded answers

`module:Class` names a client of a user's own, derived from `client.Client`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deskbench.core.faults import Misuse
from deskbench.models.client import Client

_HERE = "deskbench.models"

_TABLE = {
    "anthropic": f"{_HERE}.anthropic:AnthropicClient",
    "google": f"{_HERE}.google:GoogleClient",
    "openai-chat": f"{_HERE}.openai_chat:ChatClient",
    "openai-responses": f"{_HERE}.openai_responses:ResponsesClient",
    "replay": f"{_HERE}.replay:ReplayClient",
}


def names() -> tuple[str, ...]:
    """The names of the built-in clients."""
    return tuple(sorted(_TABLE))


def find(name: str) -> type[Client]:
    """The class of the client of this name; Misuse if there is none."""
    module, _, attribute = _TABLE.get(name, name).partition(":")
    if not attribute:
        raise Misuse(f"no client is called {name!r}; there are {', '.join(names())}, and module:Class names one of your own")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Misuse(f"the client {name!r} cannot be loaded: {error}; write it as module:Class of a class that Python can import") from error
    if not (isinstance(found, type) and issubclass(found, Client)):
        raise Misuse(f"{name!r} is not a client; derive its class from deskbench.models.client.Client")
    return found


def get(name: str, model: str, **settings: Any) -> Client:
    """A client ready to ask `model`; the settings are those of `Client`. Misuse if its SDK or its key is missing."""
    return find(name)(model, **settings)
