"""Presets and prices: an agent is one string, and every part of it means something."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from deskbench import agents, dialects, models
from deskbench.agents import presets
from deskbench.agents.model import ModelAgent
from deskbench.core.episode import Spec
from deskbench.core.faults import Misuse, ModelFault
from deskbench.core.ports import Usage
from deskbench.core.task import draw
from deskbench.models import prices
from deskbench.models.prices import Tokens, price, usage

LOCAL = "base=http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MOONSHOT_API_KEY", "DESKBENCH_PRICES"):
        monkeypatch.delenv(place, raising=False)


def test_every_preset_names_a_dialect_and_a_client_that_there_are() -> None:
    named = {"claude", "openai-computer", "openai-preview", "gemini", "kimi", "qwen2.5-vl", "qwen3-vl", "ui-tars", "evocua", "opencua", "gui-owl"}
    assert named | {"os-atlas", "cutverse", "prosoftarena", "pyautogui", "computer-13"} <= presets.PRESETS.keys()
    assert {preset.dialect for preset in presets.PRESETS.values()} == set(dialects.names()), (
        "a dialect without a preset, or a preset without its dialect"
    )
    for name, preset in presets.PRESETS.items():
        assert preset.client in models.names() and preset.model, name
        assert isinstance(agents.find(f"{name}?base=http://127.0.0.1:9")(), ModelAgent)


def test_the_listing_tells_what_each_agent_speaks() -> None:
    rows = agents.listing()
    assert [row["name"] for row in rows] == list(agents.names()) == list(agents.ABOUT)
    for row in rows:
        assert row.keys() == {"name", "kind", "dialect", "coordinates", "client", "model", "about"} and row["about"] and row["coordinates"]
        assert (row["kind"] == "model") == (row["model"] is not None)
    json.dumps(rows)


def test_options_change_the_preset() -> None:
    preset, rest = presets.resolved(
        f"claude?model=claude-sonnet-5-5&{LOCAL}&pictures=2&context=9000&output=99&observe=screenshot,a11y&effort=low&guidance=none"
    )
    assert (preset.model, preset.base, preset.manner.pictures, preset.manner.tokens) == ("claude-sonnet-5-5", "http://127.0.0.1:9/v1", 2, 9000)
    assert preset.manner.output_tokens == 99 and preset.manner.elements and preset.manner.guidance == "none" and not rest
    assert preset.told == {"thinking": "adaptive", "effort": "low"}
    other, _ = presets.resolved(f"claude?client=openai-chat&dialect=qwen3-vl&{LOCAL}")
    assert (other.client, other.dialect, other.told) == ("openai-chat", "qwen3-vl", {}), "what one client is told means nothing to another"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("claude", "ANTHROPIC_API_KEY"),
        ("openai-computer", "OPENAI_API_KEY"),
        ("gemini", "GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("kimi", "MOONSHOT_API_KEY"),
        (f"qwen3-vl?{LOCAL}&colour=red", "no option colour"),
        (f"qwen3-vl?{LOCAL}&pictures=none", "pictures=none is not a number"),
        (f"qwen3-vl?{LOCAL}&pictures=0", "pictures=0"),
        (f"qwen3-vl?{LOCAL}&timeout=-1", "timeout"),
        (f"qwen3-vl?{LOCAL}&observe=smell", "observe=smell"),
        (f"qwen3-vl?{LOCAL}&guidance=much", "guidance=much"),
        (f"qwen3-vl?{LOCAL}&{LOCAL}", "given twice"),
        ("qwen3-vl?model", "cannot be read"),
        ("qwen3-vl?model=", "needs the name of a model"),
        (f"qwen3-vl?{LOCAL}&dialect=klingon", "no dialect"),
        (f"qwen3-vl?{LOCAL}&client=pigeon", "no client"),
        ("qwen3-vl?base=http://me:secret@127.0.0.1/v1", "holds no password"),
        ("claude?base=http://127.0.0.1:9&thinking=hard", "thinking=hard"),
        ("nobody?model=x", "no agent is called"),
    ],
)
def test_a_wrong_name_is_misuse_before_anything_begins(name: str, why: str) -> None:
    with pytest.raises(Misuse, match=why) as caught:
        agents.find(name)
    assert "secret" not in str(caught.value)


def test_a_key_is_not_sent_to_an_address_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOONSHOT_API_KEY", "sk-moon-123456")
    assert presets.resolved("kimi")[0].key == "MOONSHOT_API_KEY"
    assert presets.resolved(f"kimi?{LOCAL}")[0].key == ""


def test_what_is_amiss_in_a_worker_is_a_fault_and_never_a_score() -> None:
    task = draw(_TASK, 0)
    with pytest.raises(ModelFault, match="ANTHROPIC_API_KEY"):
        agents.make("claude", task=task, seed=0)
    assert isinstance(agents.make(f"claude?{LOCAL}", task=task, seed=0), ModelAgent)


def test_an_agents_name_is_a_folder_of_a_run() -> None:
    key = Spec(task="a/b", agent=f"qwen3-vl?model=Qwen/Qwen3-VL-8B&{LOCAL}").key
    assert "/" not in key and len(key.encode()) < 255


# Prices


def test_prices_are_found_by_name_with_or_without_a_date() -> None:
    assert price("claude-opus-4-5-20251101") == price("claude-opus-4-5") == price("anthropic/claude-opus-4-5") == prices.TABLE["claude-opus-4-5"]
    assert price("gpt-5.4-2026-03-05") == price("gpt-5.4") and price("gpt-5.4-mini") != price("gpt-5.4")
    assert price("gemini-2.5-computer-use-preview-10-2025") == prices.TABLE["gemini-2.5-computer-use-preview"]
    assert price("gpt-5.4-nonsense") is None and price("Qwen/Qwen3-VL-8B-Instruct") is None


def test_cached_tokens_are_cheaper_and_written_ones_dearer() -> None:
    used = usage("claude-opus-4-5", Tokens(input=1_000_000, output=100_000, cached=2_000_000, written=400_000))
    assert used == Usage(3_400_000, 100_000, pytest.approx(5.0 + 2.5 + 1.0 + 2.5))
    assert usage("computer-use-preview", Tokens(cached=1_000_000)).cost_usd == 3.0


def test_an_unknown_model_costs_nothing_and_is_said_to_once(caplog: pytest.LogCaptureFixture) -> None:
    prices._say_unknown.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert usage("some-model", Tokens(10, 5)) == usage("some-model", Tokens(10, 5)) == Usage(10, 5, 0.0)
    assert caplog.text.count("no price is known for some-model") == 1


def test_a_users_own_prices_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text("my-model: {input: 1, output: 2}\ngpt-5.4: {input: 7, output: 8, cached: 0}\n")
    monkeypatch.setenv("DESKBENCH_PRICES", str(own))
    assert (
        usage("my-model", Tokens(1_000_000, 1_000_000)).cost_usd == 3.0
        and usage("gpt-5.4", Tokens(cached=1_000_000, output=1_000_000)).cost_usd == 8.0
    )
    assert price("gpt-5.5") == prices.TABLE["gpt-5.5"]
    as_json = tmp_path / "prices.json"
    as_json.write_text(json.dumps({"my-model": {"input": 4, "output": 5}}))
    monkeypatch.setenv("DESKBENCH_PRICES", str(as_json))
    assert price("my-model") == prices.Price(4.0, 5.0)


@pytest.mark.parametrize(
    "written", ["[", "- a", "m: 3", "m: {input: 1}", "m: {input: 1, output: cheap}", "m: {input: -1, output: 1}", "m: {input: 1, output: 1, x: 1}"]
)
def test_prices_that_are_none_are_misuse_at_once(written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text(written)
    monkeypatch.setenv("DESKBENCH_PRICES", str(own))
    with pytest.raises(Misuse, match=r"prices\.yaml"):
        agents.find(f"qwen3-vl?{LOCAL}")
    monkeypatch.setenv("DESKBENCH_PRICES", str(tmp_path / "nothing.yaml"))
    with pytest.raises(Misuse, match="cannot be read"):
        price("m")


_TASK = {
    "id": "fake/task",
    "level": "L1",
    "apps": ["geany"],
    "domain": "office/text",
    "persona": "clerk",
    "source": "a test",
    "instruction": {"en": "Write.", "zh": "写。"},
    "checks": [{"text.content": {"file": "~/note.txt", "text": "hello"}}],
    "milestones": [{"id": "there", "says": "The note is there", "probe": {"files.exists": "~/note.txt"}}],
    "procedure": [{"do": "Write it", "by": [{"type": "hello"}], "reaches": "there"}],
}
