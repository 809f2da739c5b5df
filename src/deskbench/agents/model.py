"""The model agent: a dialect, a client and a manner of remembering. What a model says becomes actions; what became of them is told to it.

Each turn tells the model what became of every call of its last answer, what the user newly said, and what the screen shows now. An answer
that is not understood, a refusal and an empty answer are invalid decisions, whose reason goes back to the model.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from deskbench.agents import beside
from deskbench.agents.heard import Heard
from deskbench.agents.history import History
from deskbench.core.action import Ask
from deskbench.core.chat import Call, Part, Picture, Reply, Request, Result, Text, Turn
from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Observation
from deskbench.core.ports import Brief, Decision, Usage, Wants
from deskbench.dialects import Dialect, Parsed
from deskbench.models.client import Client

LOOKS = 4
"""So many looks in a row cost nothing; a model that only ever looks would never end."""

GUIDANCE = ("none", "text", "pictures", "all")
GUIDANCE_PICTURES = 16
THOUGHT_CHARS = 4000


@dataclass(frozen=True, slots=True)
class Manner:
    """How a model is led: how much it is reminded of, which guidance of its brief it is given, what else it is shown."""

    pictures: int | None = None
    """Pictures that it sees at once; None for as many as its dialect is used to."""
    tokens: int = 100_000
    """About how long a request may be."""
    exchanges: int = 0
    output_tokens: int = 4096
    guidance: str = "all"
    elements: bool = False
    """Whether it reads the accessibility elements beside the picture."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A call that waits for its result, with how many actions it meant and which parts of the screen it wants to see."""

    call: Call
    actions: int
    looks: tuple[Box, ...]


class ModelAgent:
    """A model at a desktop."""

    def __init__(self, dialect: Dialect, client: Client, manner: Manner | None = None) -> None:
        self._dialect = dialect
        self._client = client
        self._manner = manner or Manner()
        if self._manner.guidance not in GUIDANCE:
            raise Misuse(f"guidance={self._manner.guidance} is not known; use {', '.join(GUIDANCE)}")

    def begin(self, brief: Brief) -> None:
        """Take the job; nothing of an earlier one is left."""
        kept = self._dialect.pictures if self._manner.pictures is None else self._manner.pictures
        self._history = History(max(1, kept), self._manner.tokens, self._manner.exchanges)
        self._heard = Heard()
        self._granted = (*beside.lacking(self._dialect, brief.screen), *brief.tools)
        own = self._dialect.tools(brief.screen)
        self._tools = (*own, *beside.offered(self._granted)) if own else ()
        self._system = "\n".join(filter(None, (self._dialect.system(brief), "" if own else beside.in_words(self._granted))))
        self._opening = (Text(f"The job:\n{brief.instruction}"), *self._guided(brief))
        self._pending: tuple[Pending, ...] = ()
        self._last = Decision()

    def wants(self) -> Wants:
        """Marks where the dialect names them, elements where its manner says so."""
        return Wants(elements=self._manner.elements, marks=self._dialect.marks)

    def decide(self, observation: Observation) -> Decision:
        """Ask the model, again for each look that it wants first."""
        self._history.tell(self._news(observation))
        replies: list[Reply] = []
        while True:
            reply = self._client.ask(self._request())
            replies.append(reply)
            parsed = self._understood(reply, observation)
            if not parsed.invalid and not parsed.actions and len(replies) > LOOKS:
                parsed = Parsed(thought=parsed.thought, invalid=f"you have looked {LOOKS} times in a row; act now, wait, or finish")
            self._remember(reply, parsed, observation)
            if parsed.invalid or parsed.actions:
                self._last = _decision(replies, parsed)
                return self._last
            self._history.tell(self._looked(parsed, observation))

    # What is asked

    def _request(self) -> Request:
        standing = self._heard.standing()
        opening = (*self._opening, Text(standing)) if standing else self._opening
        return Request(self._system, self._history.turns(opening), self._tools, self._manner.output_tokens)

    def _guided(self, brief: Brief) -> Iterable[Part]:
        if brief.guidance and self._manner.guidance in ("text", "all"):
            yield Text(f"This is how an expert does it:\n{brief.guidance}")
        if brief.guidance_pictures and self._manner.guidance in ("pictures", "all"):
            yield Text("These pictures show an expert at this job, in order:")
            for data in _spread(brief.guidance_pictures, GUIDANCE_PICTURES):
                yield self._dialect.show(Frame.from_image(Image.open(io.BytesIO(data))))

    def _news(self, observation: Observation) -> list[Part]:
        """What became of the last answer, what was said since, and the screen now."""
        reported = self._outcomes(observation)
        asked = next((action.question for action in self._last.actions if isinstance(action, Ask)), "")
        words = [] if self._pending else [f"Not carried out: {reason}" for reason in reported if reason]
        for message in self._heard.new(observation.messages, asked):
            if message.by == "user":
                words.append(f"The user now says: {message.text}")
            elif not any(reason and reason in message.text for reason in reported):
                words.append(message.text)
        words += [f"The desktop reports: {incident}" for incident in observation.incidents]
        picture, described = self._shown(observation)
        told = [Text("\n".join(part for part in (*words, described) if part))] if words or described else []
        return [*self._results(observation, reported, picture), *told] if self._pending else [*told, picture]

    def _shown(self, observation: Observation) -> tuple[Picture, str]:
        """The picture of the screen, and the screen in words where the model reads them."""
        frame, words = observation.frame, ""
        if self._dialect.marks and (observation.marks is not None or observation.elements is not None):
            from deskbench.views.marks import show as show_marks

            shown = show_marks(observation)
            frame, words = shown.frame or frame, f"The marks:\n{shown.text}"
        elif self._manner.elements and observation.elements is not None:
            from deskbench.views.elements import show as show_elements

            words = f"The elements on the screen:\n{show_elements(observation).text}"
        return self._dialect.show(frame), words

    def _outcomes(self, observation: Observation) -> tuple[str, ...]:
        """For each action of the last answer why it was not carried out, or nothing; for an answer that was not understood, that."""
        if self._last.invalid:
            return (self._last.invalid,)
        return observation.outcomes[: len(self._last.actions)] if self._last.actions else ()

    def _results(self, observation: Observation, reported: Sequence[str], picture: Picture) -> list[Part]:
        """A result for every call of the last answer; the picture goes with the last."""
        results: list[Part] = []
        place = 0
        each = not self._last.invalid and sum(pending.actions for pending in self._pending) == len(reported)
        for number, pending in enumerate(self._pending, 1):
            own = reported[place : place + pending.actions] if each else reported
            place += pending.actions
            why = "; ".join(reason for reason in own if reason)
            seen = [self._zoomed(observation.frame, box) for box in pending.looks]
            last = [picture] if number == len(self._pending) else []
            results.append(Result(pending.call, (Text(f"Not carried out: {why}" if why else "Done."), *seen, *last), error=bool(why)))
        return results

    def _looked(self, parsed: Parsed, observation: Observation) -> list[Part]:
        """The parts of the screen that a model wants to see enlarged, before it goes on."""
        if not self._pending:
            return [Text("The part of the screen, enlarged:"), *(self._zoomed(observation.frame, look.box) for look in parsed.looks)]
        return [
            Result(pending.call, (Text("Enlarged:"), *(self._zoomed(observation.frame, box) for box in pending.looks))) for pending in self._pending
        ]

    def _zoomed(self, frame: Frame, box: Box) -> Picture:
        """A part of the screen, as large as the screen allows."""
        inside = box.within(Box(0, 0, *frame.size))
        if not inside.area:
            inside = Box(0, 0, *frame.size)
        scale = min(frame.width / inside.width, frame.height / inside.height)
        part = frame.image.crop((inside.x, inside.y, inside.x + inside.width, inside.y + inside.height))
        size = max(1, round(inside.width * scale)), max(1, round(inside.height * scale))
        return self._dialect.show(Frame.from_image(part.resize(size, Image.Resampling.LANCZOS)))

    # What is answered

    def _understood(self, reply: Reply, observation: Observation) -> Parsed:
        """What an answer means; what is no answer at all is told apart before the dialect reads it."""
        if reply.stop == "refused":
            said = f": {reply.text[:300]}" if reply.text.strip() else ""
            return Parsed(invalid=f"you declined to answer{said}. Go on with the job, or say that you give it up and why")
        if reply.stop == "length":
            return Parsed(invalid="your answer was cut off because it was too long; be shorter")
        broken = next((call for call in reply.calls if call.malformed), None)
        if broken is not None:
            return Parsed(invalid=f"the arguments of {broken.name[:40]} are no JSON object: {broken.malformed[:120]}")
        if not reply.calls and not reply.text.strip():
            return Parsed(invalid="your answer was empty; act, wait, or finish", thought=reply.thinking)
        parsed = self._read(reply, observation)
        if not (parsed.invalid or parsed.actions or parsed.looks):
            return replace(parsed, invalid="your answer holds no action; act, wait, or finish")
        return parsed

    def _read(self, reply: Reply, observation: Observation) -> Parsed:
        """What an answer means, in order: tools beside the desktop are read here, everything else by the dialect."""
        if not self._tools and (used := beside.read_text(reply, self._granted)) is not None:
            return used
        used_by_call = [beside.read_call(call, self._granted) for call in reply.calls]
        if not any(used_by_call):
            return self._dialect.parse(reply, observation.frame.size, observation.marks or ())
        each = [used or self._alone(call, observation) for call, used in zip(reply.calls, used_by_call, strict=True)]
        invalid = next((one.invalid for one in each if one.invalid), "")
        actions = tuple(action for one in each for action in one.actions)
        return Parsed((), reply.text, invalid=invalid) if invalid else Parsed(actions, reply.text, tuple(look for one in each for look in one.looks))

    def _alone(self, call: Call, observation: Observation) -> Parsed:
        used = beside.read_call(call, self._granted)
        return used or self._dialect.parse(Reply((call,)), observation.frame.size, observation.marks or ())

    def _remember(self, reply: Reply, parsed: Parsed, observation: Observation) -> None:
        alone = [self._alone(call, observation) for call in reply.calls]
        counts = [(0, ()) if parsed.invalid else (len(one.actions), tuple(look.box for look in one.looks)) for one in alone]
        self._pending = tuple(Pending(call, *count) for call, count in zip(reply.calls, counts, strict=True))
        did = ", ".join(action.kind for action in parsed.actions) or ("looked" if parsed.looks else f"not understood: {parsed.invalid}")
        gist = parsed.note or f"{(parsed.thought or reply.text)[:160]} [{did}]"
        spoken = reply.parts if reply.calls or reply.text.strip() else (*reply.parts, Text("(no answer)"))
        self._history.answer(Turn("assistant", spoken, reply.wire if spoken is reply.parts else None), gist)


def _decision(replies: Sequence[Reply], parsed: Parsed) -> Decision:
    used = [reply.usage for reply in replies]
    usage = Usage(
        sum(one.input_tokens for one in used),
        sum(one.output_tokens for one in used),
        sum(one.cost_usd for one in used),
        sum(one.model_seconds for one in used),
    )
    raw = "\n".join(_raw(reply) for reply in replies)
    thought = (parsed.thought or replies[-1].thinking)[:THOUGHT_CHARS]
    return Decision(() if parsed.invalid else parsed.actions, thought, raw, parsed.invalid, usage)


def _raw(reply: Reply) -> str:
    """An answer as it was said, calls as JSON."""
    calls = [
        json.dumps({"name": call.name, "arguments": call.malformed or dict(call.arguments)}, ensure_ascii=False, default=str) for call in reply.calls
    ]
    return "\n".join(part for part in (reply.text, *calls) if part)


def _spread(pictures: Sequence[bytes], count: int) -> list[bytes]:
    """At most so many, evenly spread, the first and the last among them."""
    if len(pictures) <= count:
        return list(pictures)
    return [pictures[round(place * (len(pictures) - 1) / (count - 1))] for place in range(count)]
