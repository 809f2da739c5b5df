"""The model agent: what a model is told, what it is reminded of, and what becomes of its answers."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from conftest import BRIEF, ROOT, Functions, look
from PIL import Image
from stand_in import Answer, Asked, Trouble, standing_in

from deskbench import dialects, models
from deskbench.agents import beside, presets
from deskbench.agents.model import Manner, ModelAgent
from deskbench.core.action import ACTION, Action, Click, Done, FocusWindow, Key, OpenApp, ReadFile, Shell, Type, Wait, WriteFile
from deskbench.core.chat import Call, Part, Picture, Reply, Request, Result, Text, Thinking, Turn
from deskbench.core.faults import Misuse
from deskbench.core.observation import Box, Element, Elements, Message
from deskbench.core.ports import Agent, Usage
from deskbench.dialects import Dialect
from deskbench.episode.play import INVALID_LIMIT, Job, play
from deskbench.models.client import Client
from deskbench.models.replay import ReplayClient, read, write
from deskbench.models.retry import Retry
from deskbench.store.run_folder import EpisodeRecorder


def do(*actions: Action) -> Call:
    return Call("c", "do", {"actions": [action.model_dump(mode="json") for action in actions]})


def zoom(*box: int) -> Call:
    return Call("z", "look", {"box": list(box)})


CLICK = Click(x=5, y=6)


def agent_that_says(*replies: Reply | Call, dialect: Dialect | None = None, **manner: Any) -> tuple[ModelAgent, ReplayClient]:
    client = ReplayClient(replies=[Reply((reply,)) if isinstance(reply, Call) else reply for reply in replies])
    agent = ModelAgent(dialect or Functions(), client, Manner(**manner))
    agent.begin(BRIEF)
    return agent, client


def words(parts: Sequence[Part]) -> str:
    return "\n".join(part.text for part in flat(parts) if isinstance(part, Text))


def flat(parts: Sequence[Part]) -> list[Part]:
    return [inner for part in parts for inner in (part.parts if isinstance(part, Result) else (part,))]


def pictures(request: Request) -> list[Picture]:
    return [part for turn in request.turns for part in flat(turn.parts) if isinstance(part, Picture)]


# What it is told


def test_it_is_an_agent_and_the_job_comes_first() -> None:
    agent, client = agent_that_says(do(CLICK))
    assert isinstance(agent, Agent)
    decision = agent.decide(look())
    assert decision.actions == (CLICK,) and '"name": "do"' in decision.raw
    (turn,) = client.asked[0].turns
    assert words(turn.parts).startswith("The job:\nWrite hello.") and isinstance(turn.parts[-1], Picture)
    assert client.asked[0].system == "Call do or look." and {tool.name for tool in client.asked[0].tools} >= {"do", "finish"}


def test_every_call_is_answered_with_what_became_of_it() -> None:
    agent, client = agent_that_says(Reply((do(CLICK, CLICK), do(Wait()), do(CLICK))), do(CLICK))
    agent.decide(look())
    agent.decide(look(1, outcomes=("", "", "the point is not on the screen", "not tried")))
    first, second, third = (part for part in client.asked[1].turns[-1].parts if isinstance(part, Result))
    assert not first.error and words(first.parts) == "Done."
    assert second.error and "the point is not on the screen" in words(second.parts)
    assert third.error and "not tried" in words(third.parts)
    assert not any(isinstance(part, Picture) for part in (*first.parts, *second.parts)) and isinstance(third.parts[-1], Picture)


def test_a_refused_action_is_told_once() -> None:
    agent, client = agent_that_says(do(CLICK), do(CLICK))
    agent.decide(look())
    agent.decide(look(1, outcomes=("no such place",), messages=(Message("That could not be done: no such place", 1, "hall"),)))
    assert words(client.asked[1].turns[-1].parts).count("no such place") == 1


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply((Text("I will not do that."),), "refused"), "declined to answer: I will not do that."),
        (Reply((), "refused"), "declined"),
        (Reply(()), "empty"),
        (Reply((Thinking("Hm."),)), "empty"),
        (Reply((do(CLICK),), "length"), "too long"),
        (Reply((Call("c", "do", {}, malformed='{"actions": [') ,)), "no JSON"),
        (Reply((Call("c", "do", {"actions": [{"kind": "click", "x": -5, "y": 3}]}),)), "greater than or equal to 0"),
        (Reply((Call("c", "undo", {}),)), "no action"),
        (Reply((do(),)), "holds no action"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_an_invalid_decision_and_the_reason_goes_back(reply: Reply, why: str) -> None:
    agent, client = agent_that_says(reply, do(CLICK))
    decision = agent.decide(look())
    assert why in decision.invalid and not decision.actions
    told = (Message(f"Your last answer could not be understood: {decision.invalid}", 0, "hall"),)
    assert agent.decide(look(1, messages=told, outcomes=("of an earlier decision",))).actions == (CLICK,)
    asked = client.asked[1].turns
    assert [turn.role for turn in asked] == ["user", "assistant", "user"]
    assert why in words(asked[-1].parts) and words(asked[-1].parts).count(decision.invalid) == 1 and "earlier decision" not in words(asked[-1].parts)
    answered = [part.call.id for part in asked[-1].parts if isinstance(part, Result) and part.error]
    assert answered == [call.id for call in reply.calls]


def test_new_words_are_told_apart_and_requirements_stand() -> None:
    agent, client = agent_that_says(*[do(CLICK)] * 4, Call("q", "ask_user", {"question": "Which colour?"}), do(CLICK))
    first = Message("Make it blue.", 1)
    second = Message("No, make it green.", 2)
    agent.decide(look())
    agent.decide(look(1, outcomes=("",), messages=(first,)))
    agent.decide(look(2, outcomes=("",), messages=(first, second)))
    agent.decide(look(3, outcomes=("",), messages=(first, second)))
    news = [words(request.turns[-1].parts) for request in client.asked]
    assert "The user now says: Make it blue." in news[1] and "green" not in news[1]
    assert "The user now says: No, make it green." in news[2] and "blue" not in news[2]
    assert "user" not in news[3]
    opening = words(client.asked[3].turns[0].parts)
    assert opening.index("blue") < opening.index("green") and "the later one does" in opening
    agent.decide(look(4, messages=(first, second)))
    agent.decide(look(5, messages=(first, second, Message("Teal.", 5))))
    assert "(to your question: Which colour?) Teal." in words(client.asked[5].turns[0].parts)


def test_too_many_requirements_leave_the_newest() -> None:
    agent, client = agent_that_says(do(CLICK))
    agent.decide(look(messages=tuple(Message(f"Wish {number}. " + "x" * 900, number) for number in range(9))))
    opening = words(client.asked[0].turns[0].parts).partition("Since then")[2].partition("The user now says")[0]
    assert "Wish 8." in opening and "Wish 0." not in opening and "5 earlier messages are left out" in opening


def test_guidance_is_given_as_asked_for() -> None:
    data = io.BytesIO()
    Image.new("RGB", (640, 400), "blue").save(data, "PNG")
    guided = replace(BRIEF, guidance="First press enter.", guidance_pictures=(data.getvalue(),) * 20)
    seen = {}
    for how in ("none", "text", "pictures", "all"):
        agent, client = agent_that_says(do(CLICK), guidance=how)
        agent.begin(guided)
        agent.decide(look())
        seen[how] = ("First press enter." in words(client.asked[0].turns[0].parts), len(pictures(client.asked[0])))
    assert seen == {"none": (False, 1), "text": (True, 1), "pictures": (False, 17), "all": (True, 17)}
    with pytest.raises(Misuse, match="guidance"):
        agent_that_says(do(CLICK), guidance="some")


def test_marks_and_elements_are_asked_for_and_shown() -> None:
    class Marked(Functions):
        marks = True

    tree = Elements((Element("push button", "Save", Box(10, 10, 60, 30), 1),))
    agent, client = agent_that_says(do(CLICK), dialect=Marked())
    assert agent.wants().marks
    agent.decide(look(elements=tree, marks=None, windows=()))
    assert '1 push button "Save"' in words(client.asked[0].turns[0].parts)
    agent, client = agent_that_says(do(CLICK), elements=True)
    assert agent.wants().elements and not agent.wants().marks
    agent.decide(look(elements=tree))
    assert "Save" in words(client.asked[0].turns[0].parts)


# Looks


def test_a_look_is_answered_from_the_picture_at_hand() -> None:
    agent, client = agent_that_says(Reply((zoom(0, 0, 160, 50),), usage=Usage(10, 1, 0.5)), Reply((do(CLICK),), usage=Usage(20, 2, 0.25)))
    decision = agent.decide(look(7))
    assert decision.actions == (CLICK,) and (decision.usage.input_tokens, decision.usage.output_tokens, decision.usage.cost_usd) == (30, 3, 0.75)
    (result,) = client.asked[1].turns[-1].parts
    assert isinstance(result, Result) and not result.error
    (seen,) = (part for part in result.parts if isinstance(part, Picture))
    assert seen.size == (320, 100), "a part of the screen is enlarged as far as the screen goes"
    assert decision.raw.count('"name"') == 2


def test_only_so_many_looks_in_a_row() -> None:
    agent, client = agent_that_says(*[zoom(0, 0, 10, 10)] * 5, do(CLICK))
    decision = agent.decide(look())
    assert "looked 4 times" in decision.invalid and len(client.asked) == 5
    assert agent.decide(look(1)).actions == (CLICK,)
    assert "looked 4 times" in words(client.asked[5].turns[-1].parts)


def test_a_look_beside_an_action_sees_what_the_action_did() -> None:
    agent, client = agent_that_says(Reply((do(CLICK), zoom(0, 0, 10, 10))), do(CLICK))
    assert agent.decide(look()).actions == (CLICK,)
    agent.decide(look(200, outcomes=("",)))
    _, result = client.asked[1].turns[-1].parts
    assert isinstance(result, Result) and len([part for part in result.parts if isinstance(part, Picture)]) == 2


# What it is reminded of


def test_old_pictures_become_words() -> None:
    agent, client = agent_that_says(*[do(CLICK)] * 6, pictures=2)
    for number in range(6):
        agent.decide(look(number, outcomes=("",) * bool(number)))
    assert [len(pictures(request)) for request in client.asked] == [1, 2, 2, 2, 2, 2]
    assert "left out" in words(client.asked[5].turns[0].parts)
    assert len(client.asked[5].turns) == 11


def test_what_does_not_fit_is_folded_into_the_opening() -> None:
    chatty = [Reply((Text(f"Thought {number}. " + "so " * 800), do(CLICK))) for number in range(20)]
    agent, client = agent_that_says(*chatty, tokens=8000, pictures=1)
    for number in range(20):
        agent.decide(look(number, outcomes=("",) * bool(number)))
    last = client.asked[-1]
    assert len(last.turns) < 12 and last.turns[0].role == "user" and words(last.turns[0].parts).startswith("The job:")
    assert "What you did before:" in words(last.turns[0].parts) and "Thought 3." in words(last.turns[0].parts)
    assert not any(isinstance(part, Result) for part in last.turns[0].parts), "a result whose call is gone"
    assert len(pictures(last)) == 1
    few, client = agent_that_says(*[do(CLICK)] * 6, exchanges=2)
    for number in range(6):
        few.decide(look(number, outcomes=("",) * bool(number)))
    assert len(client.asked[-1].turns) == 3


def test_a_note_is_what_remains_of_a_folded_answer() -> None:
    class Noting(Functions):
        def parse(self, *args: Any, **more: Any) -> Any:
            return replace(super().parse(*args, **more), note="the file is saved")

    agent, client = agent_that_says(*[do(CLICK)] * 3, dialect=Noting(), exchanges=1)
    for number in range(3):
        agent.decide(look(number, outcomes=("",) * bool(number)))
    assert "1. the file is saved" in words(client.asked[-1].turns[0].parts)


def test_a_new_job_begins_afresh() -> None:
    agent, client = agent_that_says(do(CLICK), do(CLICK))
    agent.decide(look(messages=(Message("Make it blue.", 0),)))
    agent.begin(replace(BRIEF, instruction="Something else."))
    agent.decide(look(1))
    (turn,) = client.asked[1].turns
    assert "Something else." in words(turn.parts) and "blue" not in words(turn.parts)


# Tools beside the desktop


def test_granted_tools_are_functions_for_a_model_that_calls() -> None:
    both = Reply((Text("Let me see."), do(CLICK), Call("s", "shell", {"command": "ls"}), Call("w", "write_file", {"path": "~/a", "text": "b"})))
    agent, client = agent_that_says(both, Call("s", "shell", {}), Call("s", "shell", {"command": "ls"}))
    agent.begin(replace(BRIEF, tools=("shell", "files")))
    decision = agent.decide(look())
    assert decision.actions == (CLICK, Shell(command="ls"), WriteFile(path="~/a", text="b")) and decision.thought == "Let me see."
    assert {"shell", "read_file", "write_file"} < {tool.name for tool in client.asked[0].tools}
    printed = Message("The command ended with status 0.\na b c", 2, "hall")
    assert "command" in agent.decide(look(1, outcomes=("", "", "no place"), messages=(printed,))).invalid
    results = [part for part in client.asked[1].turns[-1].parts if isinstance(part, Result)]
    assert [result.error for result in results] == [False, False, True] and "a b c" in words(client.asked[1].turns[-1].parts)
    agent.begin(BRIEF)
    assert "shell" in agent.decide(look()).invalid, "what was not granted is not understood"


def test_granted_tools_are_blocks_for_a_model_that_writes(lines: str) -> None:
    said = ["I look first.\n```shell\nls -l\n```", "```write_file ~/a.txt\none\ntwo\n```\n```read_file ~/a.txt\n```", "```read_file\n```", "done"]
    agent, client = agent_that_says(*(Reply((Text(text),)) for text in said), dialect=dialects.get(lines))
    agent.begin(replace(BRIEF, tools=("files", "shell")))
    first = agent.decide(look())
    assert first.actions == (Shell(command="ls -l"),) and first.thought == "I look first."
    assert "```shell" in client.asked[0].system and not client.asked[0].tools
    assert agent.decide(look(1, outcomes=("",))).actions == (WriteFile(path="~/a.txt", text="one\ntwo\n"), ReadFile(path="~/a.txt"))
    assert "path" in agent.decide(look(2, outcomes=("", ""))).invalid
    assert agent.decide(look(3)).actions == (Done(),)
    agent, _ = agent_that_says(Reply((Text(said[0]),)), dialect=dialects.get(lines))
    assert agent.decide(look()).invalid, "what was not granted is not understood"


def test_what_every_agent_can_do_is_offered_where_a_language_lacks_it(lines: str) -> None:
    """There is no launcher on a desktop, so a task with two applications would be out of reach."""
    wanted: list[Action] = [
        OpenApp(app="calc", file="~/my file.csv"),
        OpenApp(app="calc"),
        FocusWindow(title="Text Import"),
        Shell(command="ls\npwd"),
    ]
    wanted += [ReadFile(path="~/a b"), WriteFile(path="~/a", text="x\n")]
    for dialect in (dialects.get("anthropic"), dialects.get(lines)):
        replies = [beside.said(action, as_call=bool(dialect.tools((320, 200)))) for action in wanted]
        agent, client = agent_that_says(*replies, dialect=dialect)
        agent.begin(replace(BRIEF, tools=("shell", "files")))
        assert [agent.decide(look(n, outcomes=("",) * bool(n))).actions for n in range(len(wanted))] == [(action,) for action in wanted]
    assert "open_app" in client.asked[0].system and "calc" not in client.asked[0].system
    for name in dialects.names():
        assert set(beside.lacking(dialects.get(name), (1920, 1080))) <= {"open_app", "focus_window"}, name


# Whole episodes


def test_an_episode_with_the_dialect_of_the_documentation(job: Callable[..., Job], recorder: EpisodeRecorder, lines: str) -> None:
    """And with everything that can go wrong on the way: nothing is lost."""
    said = ["click 0.5 0.5", "click 2 2", "jump", "type hello\nkey ctrl+s", "", "done"]
    answers: list[Answer] = [Reply((Text(text),) if text else ()) for text in said]
    answers[1:1] = [Trouble(500), Trouble(429, {"Retry-After": "0"}), Trouble(cut=True), Reply((Text("No."),), "refused")]
    with standing_in(answers) as server:
        agent = presets.made(f"pyautogui?dialect={lines}&model=my-model&base={server.base('openai-chat')}&pictures=1")
        episode = play(job(), lambda: agent, recorder)
    assert episode.verdict.score == 1.0 and episode.stop == "done", episode.why
    steps = [json.loads(line) for line in (recorder.folder / "steps.jsonl").read_text().splitlines()]
    kinds = [(step["action"] or {}).get("kind") or "invalid" for step in steps]
    assert kinds == ["click", "invalid", "invalid", "invalid", "type", "key", "invalid", "done"]
    assert "not on the screen" in steps[2]["invalid"] and "use click, type, key or done" in steps[3]["invalid"]
    assert episode.usage["input_tokens"] == 7 * 1000 and steps[0]["raw"] == "click 0.5 0.5"
    sent = json.dumps(server.asked[6].body)
    assert "not on the screen" in sent and sent.count("data:image/png") == 1


def test_the_agent_of_the_documentation_runs(job: Callable[..., Job], recorder: EpisodeRecorder) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "agents.md").read_text(), re.S)
    assert code is not None
    place: dict[str, Any] = {}
    exec(code[1], place)
    episode = play(job(), place["Saver"], recorder)
    assert episode.stop == "done" and episode.steps == 2 and episode.verdict.score == 0.0


def test_a_server_that_stays_broken_is_a_fault_and_never_a_zero(job: Callable[..., Job], recorder: EpisodeRecorder, lines: str) -> None:
    with standing_in(lambda _: Trouble(500)) as server:
        agent = presets.made(f"pyautogui?dialect={lines}&model=m&base={server.base('openai-chat')}&tries=1")
        episode = play(job(), lambda: agent, recorder)
    assert episode.verdict.score is None and episode.verdict.fault is not None and episode.verdict.fault.where == "model"


def test_a_model_that_is_never_understood_breaks(job: Callable[..., Job], recorder: EpisodeRecorder) -> None:
    agent, _ = agent_that_says(*[Reply(())] * 20)
    episode = play(job(), lambda: agent, recorder)
    assert episode.stop == "agent_broke" and episode.steps == INVALID_LIMIT and episode.verdict.score == 0.0


PAIRS = [(client, "functions") for client in ("anthropic", "openai-responses", "openai-chat", "google")]
PAIRS += [("anthropic", "anthropic"), ("anthropic", "anthropic-20251124"), ("openai-responses", "openai"), ("openai-responses", "openai-preview")]
PAIRS += [("google", "gemini"), ("openai-chat", "qwen3-vl"), ("openai-chat", "ui-tars"), ("openai-chat", "kimi"), ("google", "cutverse")]


@pytest.mark.parametrize(("client", "dialect"), PAIRS)
def test_a_long_and_bad_conversation_stays_one(client: str, dialect: str, job: Callable[..., Job], recorder: EpisodeRecorder) -> None:
    """Forty answers at random, right and wrong, with a short memory; the server objects to whatever is no conversation."""
    language = Functions() if dialect == "functions" else dialects.get(dialect)
    chance = random.Random(f"{client} {dialect}")
    did: list[Action] = []

    def answer(asked: Asked) -> Answer:
        which = chance.randrange(10)
        if len(server.asked) > 40:
            return language.write([Done()], (320, 200))
        if which == 0:
            return Trouble(503)
        if which == 1:
            return Reply((), "refused") if chance.random() < 0.5 else Reply(())
        if which == 2:
            return Reply((Text("What is this?"), Call("c", "what", {"is": "this"})))
        actions = chance.choice([[CLICK], [Type(text="hello")], [Key(keys=("ctrl", "s"))], [Click(x=310, y=190)]])
        did.extend(actions)
        said = language.write(actions, (320, 200), "Next.")
        return replace(said, parts=(Thinking("Hm.", "c2VhbA=="), *said.parts)) if chance.random() < 0.3 else said

    with standing_in(answer) as server:
        speaker: Client = models.get(client, "m", base=server.base(client), retry=Retry(pause=lambda _: None))
        agent = ModelAgent(language, speaker, Manner(pictures=2, tokens=6000))
        episode = play(job(budget={"steps": 300}), lambda: agent, recorder)
    assert episode.stop == "done" and episode.verdict.score == 1.0, episode.why
    steps = [json.loads(line) for line in (recorder.folder / "steps.jsonl").read_text().splitlines()]
    heard = [ACTION.validate_python(step["action"]) for step in steps if step["action"]]
    assert [action.kind for action in heard] == [*(action.kind for action in did), "done"]
    assert all(abs(one.x - other.x) <= 1 and abs(one.y - other.y) <= 1 for one, other in zip(did, heard, strict=False) if isinstance(one, Click))


def test_a_recording_plays_again() -> None:
    reply = Reply((Thinking("Hm."), Text("Go."), Call("c", "do", {"actions": []}, "computer")), "length", Usage(3, 4, 0.5))
    again = read(json.loads(json.dumps(write(reply))))
    assert again.parts == reply.parts and again.stop == "length" and again.usage == reply.usage


def test_turns_alternate_whatever_happens() -> None:
    agent, client = agent_that_says(Reply(()), Reply((), "refused"), zoom(0, 0, 5, 5), zoom(0, 0, 5, 5), do(CLICK), do(CLICK))
    for number in range(4):
        agent.decide(look(number))
    roles = [turn.role for turn in client.asked[-1].turns]
    assert roles == ["user", "assistant"] * 5 + ["user"] and all(isinstance(turn, Turn) and turn.parts for turn in client.asked[-1].turns)
