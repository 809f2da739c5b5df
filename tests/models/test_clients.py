"""Every client: the real SDK against a server that speaks its format, in good days and bad."""

from __future__ import annotations

import io
import json
import pickle
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from stand_in import INPUT_TOKENS, OUTPUT_TOKENS, Answer, Asked, StandIn, Trouble, standing_in

from deskbench import models
from deskbench.core.chat import Call, Picture, Reply, Request, Result, Text, Thinking, Tool, Turn
from deskbench.core.faults import Misuse, ModelFault
from deskbench.models.client import Client
from deskbench.models.retry import Retry

CLIENTS = {"anthropic": "claude-opus-4-6", "openai-responses": "gpt-5.5", "openai-chat": "gpt-5.5", "google": "gemini-2.5-pro"}
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai-responses": "OPENAI_API_KEY", "openai-chat": "OPENAI_API_KEY", "google": "GEMINI_API_KEY"}
SDKS = {"anthropic": "anthropic", "openai-responses": "openai", "openai-chat": "openai", "google": "google.genai"}
SECRET = "sk-test-4f1d9a0b7c"

every_client = pytest.mark.parametrize("name", sorted(CLIENTS))


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (*KEYS.values(), "GOOGLE_API_KEY", "DESKBENCH_PRICES"):
        monkeypatch.delenv(place, raising=False)


class Pauses(list[float]):
    """Waits that take no time and are written down."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def client_for(name: str, server: StandIn, pauses: Pauses | None = None, **settings: Any) -> Client:
    retry = Retry(tries=4, pause=pauses if pauses is not None else Pauses(), chance=lambda: 1.0)
    return models.get(name, CLIENTS[name], base=server.base(name), **{"retry": retry, "seconds": 10.0, **settings})


def picture(size: tuple[int, int] = (8, 6)) -> Picture:
    buffer = io.BytesIO()
    Image.new("RGB", size, "red").save(buffer, "PNG")
    return Picture(buffer.getvalue(), "image/png", size)


TOOL = Tool("press", "Press a key.", {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]})
HELLO = Request("You are at a desktop.", (Turn("user", (Text("Press enter."), picture())),), (TOOL,), 512)
PRESS = Reply((Thinking("Enter it is.", "c2VhbA=="), Text("I press enter."), Call("x", "press", {"key": "enter"})))


# Good days


@every_client
def test_words_thoughts_and_calls_arrive_with_what_they_cost(name: str) -> None:
    with standing_in([PRESS]) as server:
        reply = client_for(name, server).ask(HELLO)
    assert reply.text == "I press enter." and reply.thinking == "Enter it is." and reply.stop == "done"
    (call,) = reply.calls
    assert (call.name, call.arguments, call.native, call.malformed) == ("press", {"key": "enter"}, "", "")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (INPUT_TOKENS, OUTPUT_TOKENS)
    assert reply.usage.cost_usd > 0 and reply.usage.model_seconds > 0
    sent = json.dumps(server.asked[0].body)
    assert "You are at a desktop." in sent and "Press enter." in sent and "512" in sent and "iVBORw0KGgo" in sent and "Press a key." in sent


@every_client
def test_a_conversation_goes_on_and_every_call_is_answered(name: str) -> None:
    two = Reply((Text("Both."), Call("x", "press", {"key": "a"}), Call("y", "press", {"key": "b"})))
    with standing_in([PRESS, two, Reply((Text("Finished."),))]) as server:
        client = client_for(name, server)
        turns = HELLO.turns
        for parts in ((Text("Done."), picture()), (Text("Not carried out: no such key"),)):
            reply = client.ask(Request(HELLO.system, turns, HELLO.tools))
            results = tuple(Result(call, parts, error="Not" in parts[0].text) for call in reply.calls)
            turns = (*turns, Turn("assistant", reply.parts, reply.wire), Turn("user", (*results, Text("Go on."))))
        assert client.ask(Request(HELLO.system, turns, HELLO.tools)).text == "Finished."
    last = json.dumps(server.asked[-1].body)
    assert "no such key" in last and "Go on." in last and last.count("iVBORw0KGgo") == 2


@every_client
def test_an_answer_without_its_wire_form_can_be_told_again(name: str) -> None:
    """As it is with an answer that was recorded, or emptied by its history."""
    with standing_in([Reply((Text("Finished."),))]) as server:
        turns = (*HELLO.turns, Turn("assistant", (Text("(no answer)"),)), Turn("user", (Text("Go on."),)))
        assert client_for(name, server).ask(Request("", turns)).text == "Finished."


@every_client
def test_answers_that_stop_early_say_why(name: str) -> None:
    with standing_in([Reply((Text("I won't."),), "refused"), Reply((Text("It is a long"),), "length"), Reply(())]) as server:
        client = client_for(name, server)
        assert client.ask(HELLO).stop == "refused"
        assert client.ask(HELLO).stop == "length"
        empty = client.ask(HELLO)
    assert not empty.text and not empty.calls and empty.stop == "done"


@pytest.mark.parametrize("name", ["openai-chat", "openai-responses"])
def test_arguments_that_are_no_json_are_the_models_mistake(name: str) -> None:
    with standing_in([Reply((Call("x", "press", {}, malformed='{"key": '),))]) as server:
        (call,) = client_for(name, server).ask(HELLO).calls
    assert call.malformed == '{"key": ' and call.arguments == {}
    assert len(server.asked) == 1


def test_a_toolset_needs_its_name_back_and_an_older_tool_its_header() -> None:
    click = Reply((Call("x", "left_click", {"coordinate": [1, 2]}, native="computer"),))
    toolset = Tool("computer", native={"type": "computer_toolset_20260801"})
    older = Tool("computer", native={"type": "computer_20251124", "name": "computer", "display_width_px": 8, "display_height_px": 6})
    with standing_in([click, click, PRESS]) as server:
        client = client_for("anthropic", server, options={"thinking": "adaptive", "effort": "low"})
        reply = client.ask(Request("", HELLO.turns, (toolset,)))
        assert reply.calls[0].native == "computer" and reply.calls[0].arguments == {"coordinate": [1, 2]}
        answered = Turn("user", (Result(reply.calls[0], (picture(),)),))
        client.ask(Request("", (*HELLO.turns, Turn("assistant", reply.parts, reply.wire), answered), (toolset,)))
        client.ask(Request("", HELLO.turns, (older,)))
    assert server.asked[1].body["messages"][2]["content"][0]["toolset_name"] == "computer"
    assert server.asked[0].body["thinking"]["block_binding"] == {"prefix_mismatch_behavior": "drop_block"}
    assert server.asked[0].body["output_config"] == {"effort": "low"}
    assert "computer-use-2025-11-24" in server.asked[2].headers["anthropic-beta"] and "computer-use" not in server.asked[0].headers["anthropic-beta"]


def test_a_computer_call_is_answered_with_a_picture_and_its_checks_acknowledged() -> None:
    click = Reply(
        (
            Thinking("There.", "sealed"),
            Call("x", "computer", {"actions": [{"type": "click", "x": 1, "y": 2, "button": "left"}]}, native="computer_call"),
        )
    )
    tool = Tool("computer", native={"type": "computer"})
    with standing_in([click, click, PRESS]) as server:
        client = client_for("openai-responses", server)
        turns = HELLO.turns
        for _ in range(2):
            reply = client.ask(Request("", turns, (tool,)))
            assert reply.calls[0].native == "computer_call" and reply.calls[0].arguments["actions"][0]["x"] == 1
            turns = (*turns, Turn("assistant", reply.parts, reply.wire), Turn("user", (Result(reply.calls[0], (Text("Done."), picture())),)))
        old = turns[2].parts[0]
        assert isinstance(old, Result)
        blind = Turn("user", (Result(old.call, (Text("[a picture, left out]"),)),))
        client.ask(Request("", (*turns[:2], blind, *turns[3:]), (tool,)))
    items = server.asked[2].body["input"]
    kinds = [item.get("type") or item["role"] for item in items]
    assert kinds == ["user", "assistant", "user", "reasoning", "computer_call", "computer_call_output", "user"], (
        "an old call without its picture is words"
    )
    assert '"x": 1' in items[1]["content"]
    assert server.asked[1].body["include"] == ["reasoning.encrypted_content"] and server.asked[1].body["store"] is False


def test_the_servers_own_functions_take_their_picture_inside_and_are_confirmed() -> None:
    tool = Tool("computer_use", native={"computer_use": {"environment": "ENVIRONMENT_BROWSER"}})
    click = Reply((Call("x", "click_at", {"x": 1, "y": 2}, native="computer_use"), Call("y", "press", {"key": "a"})))
    with standing_in([click, PRESS]) as server:
        client = client_for("google", server)
        reply = client.ask(Request("", HELLO.turns, (tool, TOOL)))
        own, plain = reply.calls
        assert own.native == "computer_use" and own.arguments["x"] == 1 and plain.native == ""
        results = Turn("user", (Result(own, (Text("Done."), picture())), Result(plain, (Text("no"), picture()), error=True)))
        client.ask(Request("", (*HELLO.turns, Turn("assistant", reply.parts, reply.wire), results), (tool, TOOL)))
    parts = server.asked[1].body["contents"][2]["parts"]
    assert "image/png" in json.dumps(parts[0]["functionResponse"]["parts"])
    assert parts[1]["functionResponse"]["response"] == {"error": "no"} and "image/png" in json.dumps(parts[2]["inlineData"])
    assert server.asked[0].body["tools"][0] == {"computerUse": {"environment": "ENVIRONMENT_BROWSER"}}


# Bad days


@every_client
def test_a_limit_is_waited_out_for_as_long_as_the_server_asks(name: str) -> None:
    pauses = Pauses()
    with standing_in([Trouble(429, {"Retry-After": "7"}), Trouble(429, {"retry-after-ms": "250"}), PRESS]) as server:
        assert client_for(name, server, pauses).ask(HELLO).calls
    assert pauses == pytest.approx([7.7, 0.275]) and len(server.asked) == 3


@every_client
@pytest.mark.parametrize("trouble", [Trouble(500), Trouble(503), Trouble(529), Trouble(408), Trouble(cut=True), Trouble(garbled=True)], ids=str)
def test_passing_trouble_loses_nothing(name: str, trouble: Trouble) -> None:
    pauses = Pauses()
    with standing_in([trouble, trouble, PRESS]) as server:
        reply = client_for(name, server, pauses).ask(HELLO)
    assert reply.text == "I press enter." and pauses == [1.0, 2.0]
    assert server.asked[0].body == server.asked[1].body == server.asked[2].body


@every_client
@pytest.mark.parametrize("trouble", [Trouble(500, message="all is lost"), Trouble(cut=True), Trouble(garbled=True)], ids=str)
def test_trouble_that_does_not_pass_is_a_fault(name: str, trouble: Trouble) -> None:
    with standing_in(lambda _: trouble) as server, pytest.raises(ModelFault, match="tried 4 times") as caught:
        client_for(name, server).ask(HELLO)
    assert len(server.asked) == 4, "the SDK tries by itself"
    assert trouble.message in str(caught.value) or trouble.status == 200


@every_client
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_will_not_pass_is_not_tried_again(name: str, status: int) -> None:
    with standing_in(lambda _: Trouble(status, message="no such thing")) as server, pytest.raises(ModelFault, match=f"{status}.*no such thing"):
        client_for(name, server).ask(HELLO)
    assert len(server.asked) == 1


@every_client
def test_a_wait_beyond_the_limit_is_not_begun(name: str) -> None:
    pauses = Pauses()
    retry = Retry(tries=9, seconds=60, pause=pauses)
    with standing_in(lambda _: Trouble(429, {"Retry-After": "3600"})) as server, pytest.raises(ModelFault, match="exceed the limit of 60 s"):
        client_for(name, server, retry=retry).ask(HELLO)
    assert not pauses and len(server.asked) == 1


@every_client
def test_a_server_that_stalls_is_asked_again(name: str) -> None:
    gone = threading.Event()

    def answer(asked: Asked) -> Answer:
        if len(server.asked) == 1:
            gone.wait(20)
        return PRESS

    with standing_in(answer) as server:
        reply = client_for(name, server, seconds=0.5).ask(HELLO)
        gone.set()
    assert reply.calls and len(server.asked) == 2


@every_client
def test_nobody_there_is_a_fault(name: str) -> None:
    with standing_in([]) as server:
        address = server.base(name)
    client = models.get(name, CLIENTS[name], base=address, retry=Retry(tries=2, pause=Pauses()))
    with pytest.raises(ModelFault, match="could not be reached"):
        client.ask(HELLO)


def test_a_failure_inside_a_stream_is_passing_if_the_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    events = {"anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}}
    events["openai-responses"] = {"type": "error", "code": "server_error", "message": "it broke", "param": None, "sequence_number": 1}
    import stand_in

    for name, event in events.items():
        wire = next(wire for wire in stand_in.WIRES if wire.mine("/v1/messages" if name == "anthropic" else "/v1/responses"))
        whole = type(wire).stream
        tries: list[int] = []

        def stream(
            self: Any, reply: Reply, number: int, event: dict[str, Any] = event, tries: list[int] = tries, whole: Callable[..., Any] = whole
        ) -> Any:
            tries.append(number)
            return whole(self, reply, number) if len(tries) > 1 else [event]

        with monkeypatch.context() as patch, standing_in([PRESS, PRESS]) as server:
            patch.setattr(type(wire), "stream", stream)
            assert client_for(name, server).ask(HELLO).calls, name
        assert len(tries) == 2


# Keys


@every_client
def test_a_key_is_sent_to_its_server_and_shown_nowhere(name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    caplog.set_level("DEBUG")
    with standing_in([PRESS, Trouble(401, message=f"Incorrect API key provided: {SECRET}")]) as server:
        client = client_for(name, server, key="MY_KEY")
        reply = client.ask(HELLO)
        with pytest.raises(ModelFault) as caught:
            client.ask(HELLO)
    assert SECRET in json.dumps(server.asked[0].headers)
    shown = "".join(traceback.format_exception(caught.value)) + repr(client) + repr(reply) + repr(client.retry) + caplog.text
    assert SECRET not in shown and caught.value.__cause__ is None
    with pytest.raises(TypeError, match="key"):
        pickle.dumps(client)


@every_client
def test_a_key_goes_nowhere_but_to_its_own_server(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEYS[name], SECRET)
    with standing_in([PRESS]) as server:
        client_for(name, server).ask(HELLO)
    assert SECRET not in json.dumps(server.asked[0].headers) + server.asked[0].path


@every_client
def test_what_is_missing_is_said_with_its_remedy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Misuse, match=KEYS[name]):
        models.get(name, "some-model")
    with pytest.raises(Misuse, match="never a key itself") as caught:
        models.get(name, "some-model", key=SECRET)
    assert SECRET not in str(caught.value)
    with pytest.raises(Misuse, match="has no option colour"):
        models.get(name, "some-model", base="http://127.0.0.1:1", options={"colour": "red"})
    monkeypatch.setitem(sys.modules, SDKS[name], None)
    with pytest.raises(Misuse, match=r"pip install 'deskbench\[(anthropic|openai|google)\]'"):
        models.get(name, "some-model", base="http://127.0.0.1:1")


def test_a_client_of_ones_own_is_named_by_its_module() -> None:
    assert models.find("deskbench.models.replay:ReplayClient").__name__ == "ReplayClient"
    for wrong in ("nobody", "json:loads", "no.such:Thing"):
        with pytest.raises(Misuse):
            models.find(wrong)
    assert models.names() == ("anthropic", "google", "openai-chat", "openai-responses", "replay")
