"""What the people in the hall have said: what is new, and what of it still stands."""

from __future__ import annotations

from collections.abc import Sequence

from deskbench.core.observation import Message

STANDING_CHARS = 4000


class Heard:
    """Every message so far, told apart from what is new."""

    def __init__(self) -> None:
        self._seen: tuple[Message, ...] = ()
        self._standing: list[str] = []

    def new(self, messages: Sequence[Message], question: str = "") -> tuple[Message, ...]:
        """The messages that were not there before. What the user says stands from now on, with the question that it answers."""
        known = len(self._seen)
        fresh = tuple(messages[known:]) if tuple(messages[:known]) == self._seen else tuple(m for m in messages if m not in self._seen)
        self._seen += fresh
        for message in fresh:
            if message.by == "user":
                asked = f"(to your question: {' '.join(question.split())[:300]}) " if question else ""
                self._standing.append(asked + message.text)
        return fresh

    def standing(self) -> str:
        """What the user has said since the job was given, in order; of too much the newest. Empty if nothing was."""
        kept: list[str] = []
        room = STANDING_CHARS
        for text in reversed(self._standing):
            if kept and len(text) > room:
                kept.append(f"({len(self._standing) - len(kept)} earlier messages are left out)")
                break
            kept.append(text[:STANDING_CHARS])
            room -= len(text)
        if not kept:
            return ""
        lines = "\n".join(f"- {text}" for text in reversed(kept))
        return f"Since then the user has said this, and it holds; where two of them disagree, the later one does:\n{lines}"
