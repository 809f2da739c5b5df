"""Dialects of tool calls: what they share. Each call is read by itself, so an answer's actions are those of its calls one after the other.

Asking, finishing and giving up are functions beside the model's own tools; an answer without any call says that the job is finished.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from deskbench.core.action import SPOKEN, Action, Ask, Done, Fail
from deskbench.core.chat import Call, Part, Reply, Text, Tool
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects.arguments import made, text
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed, Zoom
from deskbench.dialects.space import NotUnderstood, Space

Said = tuple[str, dict[str, Any]]
"""A call to be written: its name and its arguments."""


def _function(name: str, description: str, argument: str, about: str) -> Tool:
    properties = {argument: {"type": "string", "description": about}}
    return Tool(name, description, {"type": "object", "properties": properties, "required": [argument]})


SPOKEN_TOOLS = (
    _function("ask_user", "Ask the user something that you need to know and cannot find out by yourself.", "question", "What you want to know."),
    _function("finish", "Say that the job is finished.", "answer", "The answer, where the job asks for one; otherwise a short summary."),
    _function("give_up", "Say that the job cannot be done.", "reason", "Why it cannot be done."),
)


def spoken(name: str, arguments: Mapping[str, Any]) -> Action | None:
    """What is said to the user by a call of one of the functions above; None for any other call."""
    match name:
        case "ask_user" | "call_user":
            return made(Ask, question=text(arguments, "question", "text", "content"))
        case "finish" | "done":
            return made(Done, answer=text(arguments, "answer", "text", "content", default=""))
        case "give_up" | "fail":
            return made(Fail, reason=text(arguments, "reason", "text", "content", default=""))
    return None


def spoken_call(action: Ask | Done | Fail) -> Said:
    """The call that says this."""
    match action:
        case Ask():
            return "ask_user", {"question": action.question}
        case Done():
            return "finish", {"answer": action.answer}
    return "give_up", {"reason": action.reason}


def told(brief: Brief, how: str) -> str:
    """The system prompt of a dialect of tool calls: the situation, `how` to act, and how to ask, finish and give up."""
    apps = f" These applications are installed: {', '.join(brief.apps)}." if brief.apps else ""
    return (
        f"You work at a Linux desktop for a user. You see its screen in pictures and use its mouse and keyboard.{apps}\n{how}\n"
        "Look at every new picture to see whether your last action did what you wanted before you go on. Save your work where the job needs it.\n"
        "If the job leaves something open that only the user knows, call ask_user. When everything is done, call finish with the answer or a short "
        "summary. If the job cannot be done, call give_up and say why; do not pretend.\n"
        f"You have at most {brief.steps} actions."
    )


class CallDialect(Dialect):
    """A dialect whose answers are tool calls."""

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        thought = "\n".join(part for part in (reply.thinking, reply.text) if part).strip()
        if not reply.calls:
            return Parsed((_finished(reply),), thought)
        actions: list[Action] = []
        looks: list[Zoom] = []
        for place, call in enumerate(reply.calls, 1):
            try:
                found = self._read_one(call, space)
            except NotUnderstood as error:
                which = f", call {place} of {len(reply.calls)}" if len(reply.calls) > 1 else ""
                raise NotUnderstood(f"{call.name[:40]!r}{which}: {error}. Nothing of this answer was carried out") from None
            actions += [one for one in found if not isinstance(one, Zoom)]
            looks += [one for one in found if isinstance(one, Zoom)]
        return Parsed(tuple(actions), thought, tuple(looks))

    def _read_one(self, call: Call, space: Space) -> Sequence[Action | Zoom]:
        if call.malformed or not isinstance(call.arguments, Mapping):
            raise NotUnderstood("its arguments are no JSON object")
        said = spoken(call.name, call.arguments)
        return (said,) if said is not None else self.read_call(call, space)

    @abstractmethod
    def read_call(self, call: Call, space: Space) -> Sequence[Action | Zoom]:
        """What one call means, at least one thing; NotUnderstood for a call that means nothing."""

    def own(self, name: str) -> bool:
        """Whether a tool is the model's own rather than one of the functions above."""
        return all(tool.name != name for tool in SPOKEN_TOOLS)

    @abstractmethod
    def say(self, action: Action, space: Space) -> Sequence[Said]:
        """The calls that do this; CannotSay if there are none. Never asked about what is spoken."""

    def call(self, number: int, said: Said) -> Call:
        """A call as the model's server would carry it."""
        return Call(f"call_{number}", *said)

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        space = self.space(screen)
        said: list[Said] = []
        for action in actions:
            said += [spoken_call(action)] if isinstance(action, SPOKEN) else self.say(action, space)
        if not said:
            raise CannotSay("an answer needs at least one action")
        parts: list[Part] = [Text(thought)] if thought else []
        return Reply((*parts, *(self.call(number, one) for number, one in enumerate(said, 1))))


def _finished(reply: Reply) -> Action:
    answer = reply.text.strip()
    if reply.stop == "length":
        raise NotUnderstood("your answer was cut off before it called anything; be shorter")
    if reply.stop == "refused":
        raise NotUnderstood("you declined to answer; call give_up with the reason if you will not do the job")
    if not answer:
        raise NotUnderstood("your answer was empty; act, or call finish when everything is done")
    return made(Done, answer=answer)
