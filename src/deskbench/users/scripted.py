"""A user who is the same every time: says what the task says, answers from what it knows, and otherwise says that it does not know."""

from __future__ import annotations

import re

from deskbench.core.ports import Situation, Utterance
from deskbench.core.task import Known, Phase

DOES_NOT_KNOW = {
    "en": "I have told you all I know about that. Please use your own judgement.",
    "zh": "这方面我知道的都已经告诉你了,请自行判断。",
}


class ScriptedUser:
    """Deterministic: the same question at the same point gets the same answer."""

    def tell(self, phase: Phase, now: Situation) -> Utterance:
        """The author's words."""
        return Utterance(phase.message(now.language), phase.id)

    def answer(self, question: str, now: Situation) -> Utterance:
        """The fact that shares most words with the question, or that there is none."""
        fact = known(question, now)
        if fact is None:
            return Utterance(DOES_NOT_KNOW.get(now.language, DOES_NOT_KNOW["en"]), answers="nothing")
        return Utterance(told(fact, now.language), answers="fact")


def known(question: str, now: Situation) -> Known | None:
    """What the user knows about a question, from the phases that have opened: the newest where two fit equally."""
    asked = words(question)
    facts = [fact for phase in reversed(now.told) for fact in phase.knows]
    best = max(facts, key=lambda fact: len(asked & words(fact.about)), default=None)
    return best if best is not None and asked & words(best.about) else None


def told(fact: Known, language: str) -> str:
    """A fact in a language, or in English."""
    return fact.answer.get(language) or fact.answer["en"]  # type: ignore[call-overload]


def words(text: str) -> set[str]:
    """The words of a text; Chinese counts by character."""
    return set(re.findall(r"[a-z0-9]+|[一-鿿]", text.casefold()))
