"""A person at the terminal who plays the client: told what the task lets the client say, free to put it otherwise."""

from __future__ import annotations

from collections.abc import Callable

from deskbench.core.faults import Misuse, UserFault
from deskbench.core.ports import Situation, Utterance
from deskbench.core.task import Phase
from deskbench.users.scripted import ScriptedUser

TERMINAL = "/dev/tty"


class HumanUser:
    """Asks the person at the terminal; an empty line says what the task would say."""

    def __init__(self, ask: Callable[[str], str] | None = None) -> None:
        self._ask = ask or at_the_terminal
        self._scripted = ScriptedUser()

    def tell(self, phase: Phase, now: Situation) -> Utterance:
        """The person's words for the message of a phase."""
        return self._said(self._scripted.tell(phase, now), "It is time to tell the agent", now)

    def answer(self, question: str, now: Situation) -> Utterance:
        """The person's answer."""
        return self._said(self._scripted.answer(question, now), f"The agent asks: {question}\nThe task would answer", now)

    def _said(self, authored: Utterance, heading: str, now: Situation) -> Utterance:
        prompt = f"\n[{now.task.id}] {heading}: {authored.text}\nYour words (an empty line says just that): "
        words = self._ask(prompt).strip()
        return Utterance(words or authored.text, authored.phase, authored.answers, note="said by a person" if words else "")


def require_terminal() -> None:
    """Misuse where there is nobody to ask."""
    try:
        with open(TERMINAL, "w", encoding="utf-8"):
            pass
    except OSError as error:
        raise Misuse("a human user answers at the terminal, and there is none here; run it from one") from error


def at_the_terminal(prompt: str) -> str:
    """What the person answers at the terminal that the run was started from, whichever process asks."""
    try:
        with open(TERMINAL, "w", encoding="utf-8", errors="replace") as terminal:
            terminal.write(prompt)
        with open(TERMINAL, encoding="utf-8", errors="replace") as terminal:
            return terminal.readline()
    except OSError as error:
        raise UserFault("there is no terminal to ask the person at; run it from one, with --desktops 1") from error
