"""The port of the room: a client asks a model and gives its answer, or raises a ModelFault for what the server did wrong.

A client derives from `Client` and says three things: which SDK it stands on, how one request is sent, and what it answers for
another server's peculiarities. Keys come from the environment; they are handed to the SDK and kept nowhere else.
"""

from __future__ import annotations

import email.utils
import json
import os
import re
import time
import weakref
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, ClassVar
from urllib.parse import urlsplit

from deskbench.core.chat import Call, Picture, Reply, Request
from deskbench.core.faults import Misuse
from deskbench.models.retry import Retry, Trouble

PASSING = frozenset({408, 409, 425, 429, *range(500, 600)})
"""HTTP statuses that may be gone in a moment: timeouts, conflicts, limits and the server's own failures."""

TRANSPORT = frozenset({"APIError", "TransportError", "TimeoutException", "StreamError", "ConnectionError", "TimeoutError"})
"""Names of the exceptions, of SDKs and of what they stand on, that mean a connection that failed, stalled or was cut."""

GARBLED = frozenset({"JSONDecodeError", "ValidationError", "APIResponseValidationError", "UnicodeDecodeError", "UnknownApiResponseError", "CutShort"})
"""Names of those that mean an answer that is not what the server promised."""

SECRETS = re.compile(r"(sk-|AIza|xai-|gsk_|hf_|Bearer\s+)[\w.*-]{6,}")
NO_KEY = "none"


class CutShort(Exception):
    """An answer that ended before it was whole."""


class Client(ABC):
    """Someone who asks a model. `base` is the server's address, `key` names the environment variable that holds its key."""

    sdk: ClassVar[str] = ""
    """The module of the SDK, and in `extra` the extra of deskbench that installs it."""
    extra: ClassVar[str] = ""
    home: ClassVar[str] = ""
    """The vendor's own address."""
    keys: ClassVar[tuple[str, ...]] = ()
    """The environment variables that hold the key for it, in order."""
    options: ClassVar[frozenset[str]] = frozenset()
    """What else it can be told, by name."""

    def __init__(
        self,
        model: str,
        *,
        base: str = "",
        key: str = "",
        seconds: float = 300.0,
        retry: Retry | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        if not model:
            raise Misuse(f"{self._name} needs the name of a model; write it as ?model=NAME")
        self.model = model
        self.base = base or self.home
        self.seconds = seconds
        self.retry = retry or Retry()
        self.told = dict(options or {})
        unknown = sorted(self.told.keys() - self.options)
        if unknown:
            raise Misuse(f"{self._name} has no option {', '.join(unknown)}; it has {', '.join(sorted(self.options)) or 'none'}")
        module = self._module()
        self._secret = self._key(base, key)
        self._connected = self.connect(module, self._secret)
        close = getattr(self._connected, "close", None)
        self._finish = weakref.finalize(self, close) if close is not None else None

    @property
    def _name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return f"{self._name}({self.model!r} at {urlsplit(self.base).hostname or 'no server'})"

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError(f"{self._name} holds a connection and a key; make another where it is needed instead of copying it")

    # What a client says

    @abstractmethod
    def connect(self, sdk: Any, secret: str) -> Any:
        """The SDK's own client, without retries of its own."""

    @abstractmethod
    def send(self, request: Request) -> Reply:
        """Ask once. Whatever the SDK raises is judged by `trouble`."""

    def trouble(self, error: Exception) -> Trouble:
        """What an exception means: every SDK tells the status of an answer, and a transport's failure by a class of a known name."""
        status = getattr(error, "status_code", None) or getattr(error, "code", None)
        said = self.scrubbed(str(getattr(error, "message", None) or error))[:500]
        if isinstance(status, int):
            headers = getattr(getattr(error, "response", None), "headers", None) or {}
            return Trouble(f"{self!r} answered {status}: {said}", status in PASSING, waiting(headers))
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if kinds & GARBLED:
            return Trouble(f"{self!r} gave an answer that cannot be read: {type(error).__name__}: {said}", True)
        if kinds & TRANSPORT:
            return Trouble(f"{self!r} could not be reached or broke off: {type(error).__name__}: {said}", True)
        return Trouble(f"asking {self!r} broke: {type(error).__name__}: {said}", False)

    # What every client does

    def ask(self, request: Request) -> Reply:
        """The model's answer with what it cost; ModelFault when there is none after all tries."""
        began = time.monotonic()
        reply = self.retry.run(lambda: self.send(request), self.trouble)
        return replace(reply, usage=replace(reply.usage, model_seconds=time.monotonic() - began))

    def close(self) -> None:
        """Let the connections go; a client that is forgotten does so by itself."""
        if self._finish is not None:
            self._finish()

    def scrubbed(self, text: str) -> str:
        """A text without anything that is, or looks like, a key."""
        if len(self._secret) > 4:
            text = text.replace(self._secret, "[key]")
        return SECRETS.sub("[key]", text)

    def _module(self) -> Any:
        if not self.sdk:
            return None
        try:
            return import_module(self.sdk)
        except ImportError as error:
            raise Misuse(f"{self._name} needs the package {self.sdk}: pip install 'deskbench[{self.extra}]'") from error

    def _key(self, base: str, named: str) -> str:
        """The key for the vendor's own server, or for any other the one that is named: a key never goes where it was not meant to."""
        if named and not re.fullmatch(r"[A-Z_][A-Z0-9_]*", named):
            raise Misuse("key= takes the name of an environment variable such as MY_SERVER_KEY, never a key itself")
        if not named and (base or not self.keys):
            return NO_KEY
        places = (named,) if named else self.keys
        found = next((value for place in places if (value := os.environ.get(place, "").strip())), "")
        if not found:
            raise Misuse(f"{self._name} needs a key: put it into the environment variable {' or '.join(places)}")
        return found


def waiting(headers: Mapping[str, str]) -> float | None:
    """For how many seconds a server asks to be left alone: `retry-after-ms`, or `Retry-After` in seconds or as a date."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name)
        if said is None:
            continue
        try:
            return max(0.0, float(said) * scale)
        except ValueError:
            pass
        try:
            return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - time.time())
        except (TypeError, ValueError):
            continue
    return None


def base64_of(picture: Picture) -> str:
    """A picture as most servers take it."""
    return b64encode(picture.data).decode("ascii")


def data_address(picture: Picture) -> str:
    """A picture as an address that holds it."""
    return f"data:{picture.media_type};base64,{base64_of(picture)}"


def called(id: str, name: str, written: str | None, native: str = "") -> Call:
    """A call whose arguments a model wrote as JSON, rightly or not."""
    try:
        arguments = json.loads(written or "{}")
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        return Call(id, name, {}, native, malformed=str(written)[:2000])
    return Call(id, name, arguments, native)
