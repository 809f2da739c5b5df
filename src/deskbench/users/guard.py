"""Whether words that a model wrote for a user may be said: they carry what the author wrote and tell nothing of what comes later."""

from __future__ import annotations

import re

from deskbench.core.ports import Situation
from deskbench.core.task import Phase

LONGEST = 4
"""A message may be so many times as long as the author's."""

FACTS = re.compile(
    r"""
    ~?/[\w./\-]+\w                    # a path
    | \#[0-9a-fA-F]{3,8}\b            # a colour
    | \b[\w\-]+\.[a-zA-Z][a-zA-Z0-9]{1,4}\b   # a file name
    | ["“”«»「」『』‘]([^"“”«»「」『』’]{1,80})["“”«»「」『』’]   # what is quoted
    | \d+(?:[.,:]\d+)*                # a number
    | \b[A-Z][\w\-]*[A-Z0-9][\w\-]*\b # PDF, CamelCase, B2
    """,
    re.VERBOSE,
)
NAMES = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-zà-ÿ]{2,}\b")
"""A word with a capital that does not begin a sentence."""

HAN = re.compile(r"[一-鿿]")
LATIN_WORD = re.compile(r"\b[a-z]{2,}\b")


def facts(text: str) -> set[str]:
    """What a message says that must not get lost: numbers, names, colours, files, quoted words."""
    found = {match[1] or match[0] for match in FACTS.finditer(text)}
    found |= {match[0] for match in NAMES.finditer(text)}
    return {fact.casefold().strip(".,:") for fact in found}


def objection(words: str, phase: Phase, now: Situation) -> str:
    """Why these words may not open a phase; nothing if they may."""
    authored = phase.message(now.language)
    if not words.strip():
        return "it said nothing"
    if len(words) > LONGEST * len(authored) + 80:
        return f"it said {len(words)} characters where the task says {len(authored)}"
    if wrong := _wrong_language(words, now.language):
        return wrong
    said = words.casefold()
    if missing := sorted(fact for fact in facts(authored) if not _holds(said, fact)):
        return f"it left out {', '.join(missing)}"
    return leak(words, now)


def leak(words: str, now: Situation) -> str:
    """What words tell that only a later phase is to tell; nothing if they tell none of it."""
    course = now.task.course
    told = " ".join(text for phase in course[: now.open + 1] for text in phase.says.values()).casefold()
    told += " ".join(text for phase in course[: now.open + 1] for fact in phase.knows for text in fact.answer.values()).casefold()
    told += " ".join(text for by, text in now.said).casefold()
    later = {fact for phase in course[now.open + 1 :] for text in phase.says.values() for fact in facts(text)}
    said = words.casefold()
    early = sorted(fact for fact in later if not _holds(told, fact) and _holds(said, fact))
    return f"it told {', '.join(early)}, which only comes later" if early else ""


def _holds(text: str, fact: str) -> bool:
    """Whether a fact stands in a text, by itself: the 2 of 12 does not."""
    edges = (r"(?<![\w.])" if re.match(r"\w", fact) else "", r"(?!\w)(?![.,]\d)" if re.search(r"[a-z0-9]$", fact) else "")
    if HAN.search(fact):
        edges = ("", "")
    return re.search(f"{edges[0]}{re.escape(fact)}{edges[1]}", text) is not None


def _wrong_language(words: str, language: str) -> str:
    han, latin = len(HAN.findall(words)), len(LATIN_WORD.findall(words))
    if language == "zh" and han < 4 and latin > 2:
        return "it did not speak Chinese"
    if language == "en" and han > latin:
        return "it did not speak English"
    return ""
