"""Who is at the other end: the scripted user's answers, what the guard lets through, and a simulated user whose server misbehaves."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbench.core.action import Click, Done
from deskbench.core.chat import Reply, Text
from deskbench.core.episode import Spec
from deskbench.core.faults import Misuse, UserFault
from deskbench.core.observation import Observation
from deskbench.core.ports import Brief, Decision, Settle, Situation, Wants
from deskbench.core.task import Budget, Task, draw
from deskbench.desktops.fake import FakeDesktop
from deskbench.episode.play import Job, play
from deskbench.store.run_folder import RunFolder
from deskbench.users import make
from deskbench.users.guard import facts, leak, objection
from deskbench.users.human import HumanUser, at_the_terminal, require_terminal
from deskbench.users.scripted import ScriptedUser
from deskbench.users.simulated import SimulatedUser, read

sys.path.insert(0, str(Path(__file__).parents[1] / "models"))
from stand_in import StandIn, Trouble

TASK: Task = draw(
    {
        "id": "fake/talk",
        "level": "L2",
        "apps": ["geany"],
        "domain": "office/text",
        "persona": "shop-owner",
        "source": "a test",
        "checks": [{"files.exists": "~/note.txt"}],
        "procedure": [{"do": "Write it", "by": [{"type": "hello"}]}],
        "phases": [
            {
                "id": "brief",
                "says": {"en": "Please set the price list in ~/Documents/prices.odt.", "zh": "请排版 ~/Documents/prices.odt 价目表。"},
                "knows": [
                    {"about": "font typeface 字体", "answer": {"en": "Use Carlito in 11 pt.", "zh": "用 Carlito 11 磅。"}},
                    {"about": "paper size 纸张", "answer": "A5, please."},
                ],
            },
            {
                "id": "colour",
                "says": {"en": "Make the heading #aa3311 and 18 pt high.", "zh": "标题改成 #aa3311,18 磅。"},
                "opens_on": {"step_count": 3},
                "mode": "interruption",
            },
            {
                "id": "export",
                "says": {"en": "Then export it as Prices-Spring.pdf for Marlow.", "zh": "然后导出为 Prices-Spring.pdf 给 Marlow。"},
                "opens_on": "agent_done",
                "mode": "refinement",
            },
        ],
    },
    0,
)
COLOUR = TASK.phases[1]


def now(language: str = "en", place: int = 1) -> Situation:
    return Situation(TASK, language, place, (("user", TASK.phases[0].message(language)),))


def test_the_scripted_user_says_what_is_written_and_answers_from_what_it_knows() -> None:
    user = ScriptedUser()
    assert user.tell(COLOUR, now()).text == COLOUR.says["en"]
    assert user.tell(COLOUR, now("zh")).text == COLOUR.says["zh"]
    assert user.answer("Which font should I take?", now()).text == "Use Carlito in 11 pt."
    assert user.answer("用什么字体?", now("zh")).text == "用 Carlito 11 磅。"
    assert user.answer("纸张多大?", now("zh")).text == "A5, please.", "what is not there in Chinese is said in English"
    shrug = user.answer("What is the weather like?", now())
    assert shrug.answers == "nothing" and "all I know" in shrug.text


@given(st.text(max_size=60))
def test_the_same_question_gets_the_same_answer(question: str) -> None:
    assert ScriptedUser().answer(question, now()) == ScriptedUser().answer(question, now())


def test_facts_are_numbers_names_colours_and_files() -> None:
    assert facts("Make the heading #aa3311 and 18 pt high.") == {"#aa3311", "18"}
    assert facts("Then export it as Prices-Spring.pdf for Marlow.") >= {"prices-spring.pdf", "marlow"}
    assert facts("Call the layer “Old Mill” and put it at 12.5 mm in ~/Pictures/a.png") >= {"old mill", "12.5", "~/pictures/a.png"}


@pytest.mark.parametrize(
    ("words", "language", "against"),
    [
        ("Hang on, the heading should be #AA3311, and 18 pt high.", "en", ""),
        ("等等,标题用 #aa3311,字号 18 磅。", "zh", ""),
        ("Hang on, the heading should be red and 18 pt high.", "en", "left out #aa3311"),
        ("The heading in #aa3311, 118 pt.", "en", "left out 18"),
        ("The heading in #aa3311, 18 pt; and export Prices-Spring.pdf later.", "en", "only comes later"),
        ("标题改成 #aa3311,18 磅高,谢谢。", "en", "did not speak English"),
        ("Please make the heading #aa3311 and 18 pt.", "zh", "did not speak Chinese"),
        ("   ", "en", "said nothing"),
        ("The heading #aa3311, 18 pt. " + "You know how I am. " * 30, "en", "characters"),
    ],
)
def test_the_guard(words: str, language: str, against: str) -> None:
    found = objection(words, COLOUR, now(language))
    assert against in found if against else not found


def test_what_was_said_before_is_no_leak() -> None:
    situation = Situation(TASK, "en", 1, (("agent", "Shall I make Prices-Spring.pdf?"),))
    assert not leak("Not yet, no Prices-Spring.pdf.", situation)


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Callable[..., tuple[StandIn, SimulatedUser]]]:
    made: list[StandIn] = []

    def start(*answers: Any, options: str = "") -> tuple[StandIn, Any]:
        stand_in = StandIn(answers[0] if callable(answers[0]) else list(answers))
        made.append(stand_in)
        return stand_in, make(f"simulated?model=m&base={stand_in.base('openai-chat')}{options}")

    yield start
    for stand_in in made:
        stand_in.close()


def spoken(message: str, completed: bool = True) -> Reply:
    return Reply((Text(json.dumps({"message": message, "completed": completed, "reason": "I see it."}, ensure_ascii=False)),))


def test_a_simulated_user_speaks_in_its_own_words(server: Callable[..., Any]) -> None:
    stand_in, user = server(spoken("Oh, and the heading: #aa3311, 18 pt.", completed=False))
    said = user.tell(COLOUR, now())
    assert (said.text, said.phase, said.fallback) == ("Oh, and the heading: #aa3311, 18 pt.", "colour", False)
    assert "not done" in said.note
    asked = json.dumps(stand_in.asked[0].body)
    assert "shop owner" in asked and COLOUR.says["en"] in asked and "Prices-Spring" not in asked, "later phases are not shown to the model"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Reply((Text("Sure! The heading #aa3311, 18 pt."),)), "no JSON"),
        (Reply((Text('{"message": 3, "completed": "maybe"}'),)), "not the JSON"),
        (Reply((Text('{"message": "The heading'),)), "no JSON"),
        (Reply((Text("I cannot help with that."),), "refused"), "refused"),
        (spoken("The heading #aa3311 and 18 pt, then Prices-Spring.pdf for Marlow."), "only comes later"),
        (spoken("标题改成 #aa3311,18 磅高,谢谢。"), "did not speak English"),
        (spoken("Make the heading bigger."), "left out"),
        (Trouble(500), "did not answer"),
        (Trouble(cut=True), "did not answer"),
        (Trouble(garbled=True), "did not answer"),
    ],
)
def test_whatever_goes_wrong_the_task_s_own_words_are_said(server: Callable[..., Any], answer: Any, why: str) -> None:
    _, user = server(lambda _: answer)
    said = user.tell(COLOUR, now())
    assert (said.text, said.phase, said.fallback) == (COLOUR.says["en"], "colour", True)
    assert why in said.note


def test_a_slow_answer_is_not_waited_for(server: Callable[..., Any]) -> None:
    def slow(_: Any) -> Reply:
        time.sleep(3)
        return spoken("The heading #aa3311, 18 pt.")

    _, user = server(slow, options="&timeout=0.4")
    said = user.tell(COLOUR, now())
    assert said.fallback and said.text == COLOUR.says["en"]


def test_its_answers_carry_the_fact_or_the_task_s_words(server: Callable[..., Any]) -> None:
    _, user = server(spoken("Carlito, 11 pt would be nice."), spoken("Anything you like, Arial say."), spoken("No idea, you choose."))
    assert user.answer("Which font?", now()).text == "Carlito, 11 pt would be nice."
    wrong = user.answer("Which font?", now())
    assert wrong.fallback and wrong.text == "Use Carlito in 11 pt." and wrong.answers == "fact"
    shrug = user.answer("And the weather?", now())
    assert shrug.text == "No idea, you choose." and shrug.answers == "nothing"


@given(st.text())
def test_no_answer_of_a_model_breaks_the_reading(text: str) -> None:
    try:
        read(text)
    except Exception as error:
        assert type(error).__name__ == "_Unusable"


def test_a_person_answers_or_lets_the_task_speak() -> None:
    asked: list[str] = []
    answers = iter(["Red, #aa3311, and 18 pt!\n", "\n"])

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    user = HumanUser(ask)
    assert user.tell(COLOUR, now()).text == "Red, #aa3311, and 18 pt!"
    assert user.answer("Which font?", now()).text == "Use Carlito in 11 pt."
    assert "#aa3311" in asked[0] and "Which font?" in asked[1]


def test_a_person_without_a_terminal_is_misuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deskbench.users.human.TERMINAL", "/nowhere/tty")
    with pytest.raises(Misuse, match="terminal"):
        require_terminal()
    with pytest.raises(UserFault):
        at_the_terminal("What now? ")


def test_a_person_at_a_real_terminal() -> None:
    child, terminal = os.forkpty()
    if child == 0:
        said = at_the_terminal("What now? ")
        os._exit(0 if said == "Wait a moment\n" else 1)
    try:
        shown = b""
        while b"What now?" not in shown:
            shown += os.read(terminal, 1000)
        os.write(terminal, b"Wait a moment\n")
        _, status = os.waitpid(child, 0)
    finally:
        os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0


def test_an_episode_with_a_user_who_leaks_and_a_server_that_fails(server: Callable[..., Any], tmp_path: Path) -> None:
    """The agent hears the task's words instead, passes, and the fallbacks are counted."""
    answers = iter([spoken("Heading #aa3311, 18 pt, and later Prices-Spring.pdf for Marlow."), Trouble(503), Trouble(503)])
    _, user = server(lambda _: next(answers))
    written = TASK.model_copy(update={"budget": Budget(steps=12)})
    job = Job(Spec(task=TASK.id, agent="test"), written, "d", Path, FakeDesktop, lambda _: FakeDesktop(), user, settle=Settle())
    run = RunFolder.create(tmp_path / "run", {"plan": {}})

    class Agent:
        def begin(self, brief: Brief) -> None:
            self.heard: tuple[str, ...] = ()

        def wants(self) -> Wants:
            return Wants()

        def decide(self, look: Observation) -> Decision:
            self.heard = tuple(message.text for message in look.messages)
            return Decision((Done(),) if len(self.heard) else (Click(x=1, y=1),))

    agent = Agent()
    with run.recorder(job.spec) as recorder:
        episode = play(job, lambda: agent, recorder)
    assert agent.heard == (COLOUR.says["en"], TASK.phases[2].says["en"])
    assert episode.verdict.fault is None and episode.conduct is not None and episode.conduct.fallbacks == 2
    assert [phase.opened is not None for phase in episode.phases] == [True, True, True]
