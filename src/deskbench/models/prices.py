"""What tokens cost: a table of US dollars for a million tokens, which a user's own file overrides.

$DESKBENCH_PRICES names that file, YAML or JSON, one entry for each model:

    my-model: {input: 0.5, output: 2.0, cached: 0.05, written: 0.6}

`cached` is input that the server read from its cache (without it: as `input`), `written` input that it put there (the same).
A model that is in neither costs 0, and is said to once in the log.
"""

from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from deskbench.core.faults import Misuse
from deskbench.core.ports import Usage

ENVIRONMENT = "DESKBENCH_PRICES"
MILLION = 1_000_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    cached: float | None = None
    written: float | None = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """What an answer took: fresh input, input read from and put into the server's cache, and output with thinking."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0


# List prices that the vendors' own pages showed in October 2026; the short-context rate where there are two.
TABLE = {
    "claude-fable-5-1": Price(10.0, 50.0, 1.0, 12.5),
    "claude-opus-5-5": Price(4.0, 20.0, 0.2, 5.0),
    "claude-sonnet-5-5": Price(2.0, 10.0, 0.2, 2.5),
    "claude-opus-5": Price(5.0, 25.0, 0.5, 6.25),
    "claude-sonnet-5": Price(2.0, 10.0, 0.2, 2.5),
    "claude-opus-4-7": Price(5.0, 25.0, 0.5, 6.25),
    "claude-opus-4-6": Price(5.0, 25.0, 0.5, 6.25),
    "claude-opus-4-5": Price(5.0, 25.0, 0.5, 6.25),
    "claude-sonnet-4-6": Price(3.0, 15.0, 0.3, 3.75),
    "claude-sonnet-4-5": Price(3.0, 15.0, 0.3, 3.75),
    "claude-haiku-4-5": Price(1.0, 5.0, 0.1, 1.25),
    "gpt-5.5": Price(5.0, 30.0, 0.5),
    "gpt-5.4": Price(2.5, 15.0, 0.25),
    "gpt-5.4-mini": Price(0.75, 4.5, 0.075),
    "gpt-5.4-nano": Price(0.2, 1.25, 0.02),
    "computer-use-preview": Price(3.0, 12.0),
    "gemini-2.5-computer-use-preview": Price(1.25, 10.0),
    "gemini-2.5-pro": Price(1.25, 10.0, 0.125),
    "gemini-2.5-flash": Price(0.3, 2.5, 0.03),
}

_DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4})$")
"""How vendors date a model: -20251101, -2026-03-17, -10-2025."""


def price(model: str) -> Price | None:
    """The price of a model by its name, with or without a date and whoever serves it (`vendor/name`); None if nobody says."""
    own = _own(os.environ.get(ENVIRONMENT, ""))
    for name in (model, model.rpartition("/")[2], _DATED.sub("", model.rpartition("/")[2])):
        found = own.get(name) or TABLE.get(name)
        if found is not None:
            return found
    return None


def usage(model: str, tokens: Tokens) -> Usage:
    """What an answer cost."""
    whole = tokens.input + tokens.cached + tokens.written
    rate = price(model)
    if rate is None:
        _say_unknown(model)
        return Usage(whole, tokens.output)
    dearer = rate.input if rate.written is None else rate.written
    cheaper = rate.input if rate.cached is None else rate.cached
    dollars = tokens.input * rate.input + tokens.cached * cheaper + tokens.written * dearer + tokens.output * rate.output
    return Usage(whole, tokens.output, dollars / MILLION)


@lru_cache
def _say_unknown(model: str) -> None:
    _log.warning("no price is known for %s, so it is counted as costing 0; $%s can name a file with prices", model, ENVIRONMENT)


@lru_cache(maxsize=8)
def _own(path: str) -> dict[str, Price]:
    """The prices of a user's own file."""
    if not path:
        return {}
    try:
        written = yaml.safe_load(Path(path).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise Misuse(f"${ENVIRONMENT} names {path}, which cannot be read: {error}") from error
    if not isinstance(written, dict):
        raise Misuse(f"${ENVIRONMENT} names {path}, which is no table of models; write lines such as my-model: {{input: 1.0, output: 5.0}}")
    return {str(name): _entry(path, name, entry) for name, entry in written.items()}


def _entry(path: str, name: object, entry: Any) -> Price:
    fields = Price.__dataclass_fields__
    right = isinstance(entry, dict) and {"input", "output"} <= entry.keys() <= fields.keys()
    if not right or not all(isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 for value in entry.values()):
        raise Misuse(f"{path}: the price of {name} is {entry!r}; write {{input: DOLLARS, output: DOLLARS}}, and cached and written if you like")
    return Price(**{key: float(value) for key, value in entry.items()})
