"""What a model is reminded of: the conversation so far, shortened so that it always fits.

Only the newest pictures stay; older ones become a word. What does not fit even then is folded from the oldest on: its exchanges become one
line each in the opening, which stays for ever. Nothing is thrown away here: every request is shortened afresh from the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from deskbench.core.chat import Call, Part, Picture, Result, Text, Thinking, Turn

LEFT_OUT = Text("[a picture of an earlier screen, left out]")

CHARS_PER_TOKEN = 3
TOKENS_PER_PICTURE = 1600
"""Careful guesses: servers count differently, and a request that is too long would be a fault."""

FOLDED_CHARS = 6000
GIST_CHARS = 240


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the model was told, and what it said; `gist` is what is left of both when they are folded."""

    told: tuple[Part, ...]
    said: Turn | None = None
    gist: str = ""


class History:
    """One conversation. At most `pictures` pictures and about `tokens` tokens of it are shown, and `exchanges` exchanges if that is not 0."""

    def __init__(self, pictures: int, tokens: int, exchanges: int = 0) -> None:
        self._pictures = pictures
        self._tokens = tokens
        self._exchanges = exchanges
        self._all: list[Exchange] = []

    def tell(self, parts: Iterable[Part]) -> None:
        """Begin an exchange."""
        self._all.append(Exchange(tuple(parts)))

    def answer(self, turn: Turn, gist: str) -> None:
        """End it with what the model said."""
        self._all[-1] = replace(self._all[-1], said=turn, gist=" ".join(gist.split())[:GIST_CHARS])

    def turns(self, opening: Sequence[Part]) -> tuple[Turn, ...]:
        """The conversation to send, which begins with the opening, alternates, and answers every call that it holds."""
        shown = self._with_newest_pictures()
        first = self._first_that_fits(shown, opening)
        begin = [*opening, *self._folded(first)]
        turns: list[Turn] = []
        for place, exchange in enumerate(shown[first:], first):
            told = (*begin, *_plain(exchange.told)) if place == first else exchange.told
            turns.append(Turn("user", told))
            if exchange.said is not None:
                turns.append(exchange.said)
        return tuple(turns)

    def _with_newest_pictures(self) -> list[Exchange]:
        left = self._pictures
        shown: list[Exchange] = []
        for exchange in reversed(self._all):
            told, left = _pruned(exchange.told, left)
            shown.append(replace(exchange, told=told))
        return shown[::-1]

    def _first_that_fits(self, shown: Sequence[Exchange], opening: Sequence[Part]) -> int:
        """The oldest exchange that is shown whole; the last always is."""
        room = self._tokens - tokens_of(opening) - FOLDED_CHARS // CHARS_PER_TOKEN
        count = 0
        for exchange in reversed(shown):
            room -= tokens_of(exchange.told) + tokens_of(exchange.said.parts if exchange.said else ())
            if count and (room < 0 or count == self._exchanges):
                break
            count += 1
        return len(shown) - count

    def _folded(self, count: int) -> list[Part]:
        """One line for each exchange that is no longer shown; of too many the newest."""
        lines = [f"{place}. {exchange.gist}" for place, exchange in enumerate(self._all[:count], 1) if exchange.gist]
        kept: list[str] = []
        for line in reversed(lines):
            if sum(map(len, kept)) + len(line) > FOLDED_CHARS:
                kept.append("...")
                break
            kept.append(line)
        return [Text("What you did before:\n" + "\n".join(reversed(kept)))] if kept else []


def _pruned(parts: Sequence[Part], left: int) -> tuple[tuple[Part, ...], int]:
    """The parts with the last `left` pictures of them, and how many may still be shown before."""
    kept: list[Part] = []
    for part in reversed(parts):
        if isinstance(part, Result):
            inner, left = _pruned(part.parts, left)
            kept.append(replace(part, parts=tuple(one for one in inner if isinstance(one, Text | Picture))))
        elif isinstance(part, Picture):
            kept.append(part if left > 0 else LEFT_OUT)
            left -= 1
        else:
            kept.append(part)
    return tuple(reversed(kept)), left


def _plain(parts: Sequence[Part]) -> list[Part]:
    """Results without the calls that they answer, for calls that have been folded."""
    return [inner for part in parts for inner in (part.parts if isinstance(part, Result) else (part,))]


def tokens_of(parts: Iterable[Part]) -> int:
    """About how many tokens parts take."""
    return sum(_tokens(part) for part in parts)


def _tokens(part: Part) -> int:
    match part:
        case Picture():
            return TOKENS_PER_PICTURE
        case Result():
            return tokens_of(part.parts)
        case Call():
            return math.ceil(len(str(part.arguments)) / CHARS_PER_TOKEN) + 20
        case Text() | Thinking():
            return math.ceil(len(part.text) / CHARS_PER_TOKEN)
