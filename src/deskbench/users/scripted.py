"""A user who is the same every time: answers from what the task says it knows, and otherwise says that it does not know."""

from __future__ import annotations

import re

from deskbench.core.task import Phase

DOES_NOT_KNOW = {
    "en": "I have told you all I know about that. Please use your own judgement.",
    "zh": "这方面我知道的都已经告诉你了,请自行判断。",
}


class ScriptedUser:
    """Deterministic: the same question in the same phase gets the same answer."""

    def __init__(self, language: str) -> None:
        self._language = language

    def answer(self, question: str, phase: Phase) -> str:
        """The fact that shares most words with the question, or that there is none."""
        asked = words(question)
        shared = {number: len(asked & words(known.about)) for number, known in enumerate(phase.knows)}
        best = max(shared, key=lambda number: shared[number], default=None)
        if best is None or not shared[best]:
            return DOES_NOT_KNOW.get(self._language, DOES_NOT_KNOW["en"])
        return phase.knows[best].answer


def words(text: str) -> set[str]:
    """The words of a text; Chinese counts by character."""
    return set(re.findall(r"[a-z0-9]+|[一-鿿]", text.casefold()))
