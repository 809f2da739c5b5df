"""A user whose words a model finds: the persona's way of saying what the author wrote.

The model chooses words, never moments: what opens a phase is decided without it. Its words are said only if they carry every fact of the author's
message, tell nothing of what comes later and are in the right language; otherwise, and when its server fails or its answer cannot be read, the
author's own words are said, and that is counted. So nothing that it does wrong can cost an agent anything.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deskbench import models
from deskbench.core.chat import Picture, Request, Text, Turn
from deskbench.core.faults import Misuse, ModelFault
from deskbench.core.frame import encode
from deskbench.core.ports import Situation, Utterance
from deskbench.core.task import Phase
from deskbench.models.client import Client
from deskbench.models.retry import Retry
from deskbench.users.guard import leak, objection
from deskbench.users.scripted import ScriptedUser

LANGUAGES = {"en": "English", "zh": "Simplified Chinese"}
SECONDS = 60.0
TRIES = 2
PICTURE_WIDTH = 1280

PERSONA = """You play the client of somebody who works at a computer for you. You are a {persona}; your field is {domain}.
You speak {language}, briefly and naturally, as such a person does in a chat with a colleague: {style}. You know the work you want,
not the program it is done with.

Answer with one JSON object and nothing else:
{{"message": "<what you say>",
  "completed": <true or false: judging by the picture and the reply, is what you asked for so far done?>,
  "reason": "<why you think so, in a sentence>"}}"""

STYLES = ("direct and in a hurry", "friendly and a little wordy", "precise and matter-of-fact")

TELL = """So far:
{said}

Now tell your colleague this, in your own words, with every name, number, file, colour and value exactly as it stands here,
and nothing that is not in it:
{message}"""

ANSWER = """So far:
{said}

Your colleague asks: {question}

All that you know about it: {fact}
Answer in your own words, with every name, number and value exactly as it stands there; if you know nothing about it, say so and leave it to them."""


class Spoken(BaseModel):
    """What the model must answer."""

    model_config = ConfigDict(extra="ignore", strict=True)

    message: str = Field(min_length=1, max_length=8000)
    completed: bool
    reason: str = Field(default="", max_length=4000)


class SimulatedUser:
    """Says what a scripted user would, in words of a model's."""

    def __init__(self, client: Client, style: str = STYLES[0]) -> None:
        self._client = client
        self._style = style
        self._scripted = ScriptedUser()

    def tell(self, phase: Phase, now: Situation) -> Utterance:
        """The author's message in the persona's words."""
        authored = self._scripted.tell(phase, now)
        asked = TELL.format(said=_conversation(now), message=authored.text)
        return self._worded(asked, authored, now, lambda words: objection(words, phase, now))

    def answer(self, question: str, now: Situation) -> Utterance:
        """What a scripted user would answer, in the persona's words."""
        authored = self._scripted.answer(question, now)
        fact = authored.text if authored.answers == "fact" else "nothing more than you have said already"
        asked = ANSWER.format(said=_conversation(now), question=question[:2000], fact=fact)
        as_phase = Phase(says={"en": authored.text}) if authored.answers == "fact" else None
        return self._worded(asked, authored, now, lambda words: objection(words, as_phase, now) if as_phase else leak(words, now))

    def _worded(self, asked: str, authored: Utterance, now: Situation, object_to: Any) -> Utterance:
        try:
            spoken = self._spoken(asked, now)
        except _Unusable as why:
            return _instead(authored, str(why))
        except ModelFault as error:
            return _instead(authored, f"the model did not answer: {error}")
        if against := object_to(spoken.message):
            return _instead(authored, against)
        thought = f"thinks that what was asked for is {'done' if spoken.completed else 'not done'}: {spoken.reason}".rstrip(": ")
        return Utterance(spoken.message.strip(), authored.phase, authored.answers, note=thought)

    def _spoken(self, asked: str, now: Situation) -> Spoken:
        persona = PERSONA.format(
            persona=now.task.persona.replace("-", " "),
            domain=now.task.domain.replace("/", ", "),
            language=LANGUAGES.get(now.language, now.language),
            style=self._style,
        )
        parts: list[Text | Picture] = [Text(asked)]
        if now.frame is not None:
            picture = now.frame.image.convert("RGB")
            picture.thumbnail((PICTURE_WIDTH, PICTURE_WIDTH))
            parts.append(Picture(encode(picture, "JPEG", quality=80), "image/jpeg", picture.size))
        reply = self._client.ask(Request(persona, (Turn("user", tuple(parts)),), output_tokens=1024))
        if reply.stop == "refused":
            raise _Unusable("the model refused to speak")
        return read(reply.text)


class _Unusable(Exception):
    """An answer that says nothing that a user could say."""


def read(text: str) -> Spoken:
    """The JSON object in a model's answer."""
    found = re.search(r"\{.*\}", text, re.DOTALL)
    if found is None:
        raise _Unusable("the model's answer holds no JSON object")
    try:
        return Spoken.model_validate(json.loads(found[0]))
    except (ValueError, RecursionError, ValidationError) as error:
        raise _Unusable(f"the model's answer is not the JSON that was asked for: {' '.join(str(error).split())[:200]}") from error


def _instead(authored: Utterance, why: str) -> Utterance:
    return Utterance(authored.text, authored.phase, authored.answers, note=f"in the task's own words: {why}", fallback=True)


def _conversation(now: Situation) -> str:
    return "\n".join(f"{'You' if by == 'user' else 'Colleague'}: {text[:2000]}" for by, text in now.said)


def simulated(options: str) -> SimulatedUser:
    """The user that `simulated?model=NAME&base=URL` means."""
    try:
        told = dict(parse_qsl(options, strict_parsing=True)) if options else {}
    except ValueError:
        raise Misuse(f"the options of the simulated user cannot be read: {options!r}; write them as simulated?model=NAME&base=URL") from None
    style = told.pop("style", "0")
    if style not in ("0", "1", "2"):
        raise Misuse(f"style={style} is not known; use 0 ({STYLES[0]}), 1 ({STYLES[1]}) or 2 ({STYLES[2]})")
    client = told.pop("client", "openai-chat")
    settings: dict[str, Any] = {name: told.pop(name) for name in ("base", "key") if name in told}
    model = told.pop("model", "")
    settings |= {"seconds": _seconds(told.pop("timeout", str(SECONDS))), "retry": Retry(tries=TRIES), "options": told}
    return SimulatedUser(models.get(client, model, **settings), STYLES[int(style)])


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 600:
        raise Misuse(f"timeout={value} is not a number of seconds up to 600")
    return seconds
