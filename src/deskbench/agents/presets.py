"""Presets: named combinations of a dialect, a client and a model. The whole agent is one string, `preset?model=NAME&base=URL&pictures=N`.

model, base, key      which model, at which server, and the *name* of the environment variable that holds its key
client, dialect       another client or another dialect than the preset's
pictures, exchanges, context, output     how much it is reminded of: pictures, exchanges, tokens; and how much it may say
guidance              none, text, pictures or all: which guidance of its brief it is given
observe               screenshot, or screenshot,a11y to read the elements too
timeout, tries        seconds for one request; tries for each
temperature, effort, thinking, ...       what the client takes
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from deskbench import dialects, models
from deskbench.agents.model import Manner, ModelAgent
from deskbench.core.faults import Misuse, ModelFault
from deskbench.models import prices
from deskbench.models.retry import Retry

LOCAL = "http://127.0.0.1:8000/v1"
"""Where vLLM serves unless it is told otherwise."""


PLAIN = Manner()


@dataclass(frozen=True, slots=True)
class Preset:
    """A combination. `told` goes to the client."""

    about: str
    dialect: str
    client: str
    model: str
    base: str = ""
    key: str = ""
    manner: Manner = PLAIN
    told: Mapping[str, str] = field(default_factory=dict)


OPEN = Manner(tokens=28_000, output_tokens=2048)
"""Open models are mostly served with a context of 32k."""

THINKING = Manner(output_tokens=16_000)


def _open(about: str, dialect: str, model: str) -> Preset:
    return Preset(about, dialect, "openai-chat", model, LOCAL, manner=OPEN, told={"temperature": "0"})


PRESETS: dict[str, Preset] = {
    "claude": Preset("Claude with its computer toolset", "anthropic", "anthropic", "claude-opus-5-5", manner=THINKING, told={"thinking": "adaptive"}),
    "claude-20251124": Preset("Claude with the computer tool before that", "anthropic-20251124", "anthropic", "claude-opus-4-6"),
    "claude-20250124": Preset("Claude with the computer tool of early 2025", "anthropic-20250124", "anthropic", "claude-sonnet-4-5"),
    "openai-computer": Preset("OpenAI's computer tool, several actions at once", "openai", "openai-responses", "gpt-5.5", manner=THINKING),
    "openai-preview": Preset("OpenAI's preview of the computer tool", "openai-preview", "openai-responses", "computer-use-preview"),
    "gemini": Preset("Gemini with its computer use tool", "gemini", "google", "gemini-3.5-flash", manner=THINKING),
    "kimi": Preset("Kimi, pyautogui on fractions", "kimi", "openai-chat", "kimi-k2.5", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", THINKING),
    "qwen2.5-vl": _open("Qwen2.5-VL, tool calls in pixels of its resized picture", "qwen2.5-vl", "Qwen/Qwen2.5-VL-72B-Instruct"),
    "qwen3-vl": _open("Qwen3-VL, tool calls on a grid of 1000", "qwen3-vl", "Qwen/Qwen3-VL-32B-Instruct"),
    "ui-tars": _open("UI-TARS 1.5, in pixels of its resized picture", "ui-tars", "ByteDance-Seed/UI-TARS-1.5-7B"),
    "ui-tars-1000": _open("UI-TARS 1.5 where it is served on a grid of 1000", "ui-tars-1000", "ByteDance-Seed/UI-TARS-1.5-7B"),
    "ui-tars-thinking": _open("UI-TARS 1.5 that thinks first", "ui-tars-thinking", "ByteDance-Seed/UI-TARS-1.5-7B"),
    "evocua": _open("EvoCUA, tool calls on a grid of 1000", "evocua", "meituan/EvoCUA-32B-20260105"),
    "evocua-s1": _open("EvoCUA in its S1 style, pyautogui on a grid of 1000", "evocua-s1", "meituan/EvoCUA-32B-20260105"),
    "opencua": _open("OpenCUA, pyautogui on fractions", "opencua", "xlangai/OpenCUA-32B"),
    "opencua-pixels": _open("OpenCUA, pyautogui in pixels of its resized picture", "opencua-pixels", "xlangai/OpenCUA-7B"),
    "gui-owl": _open("GUI-Owl 1.5", "gui-owl", "mPLUG/GUI-Owl-1.5-32B-Instruct"),
    "os-atlas": _open("OS-Atlas-Pro", "os-atlas", "OS-Copilot/OS-Atlas-Pro-7B"),
    "cutverse": Preset("CutVerse's planner, compound actions as JSON", "cutverse", "google", "gemini-2.5-pro", manner=THINKING),
    "cutverse-claude": Preset("CutVerse's JSON for Claude", "cutverse-claude", "anthropic", "claude-opus-4-6"),
    "prosoftarena": Preset("ProSoftArena's language with marks, for any chat model", "prosoftarena", "openai-chat", "gpt-5.5"),
    "computer-13": Preset("OSWorld's thirteen actions as JSON, for any chat model", "computer-13", "openai-chat", "gpt-5.5"),
    "pyautogui": Preset("pyautogui programs, read and never run, for any chat model", "pyautogui", "openai-chat", "gpt-5.5"),
}

COUNTS = {"pictures": "pictures", "exchanges": "exchanges", "context": "tokens", "output": "output_tokens"}
PLACES = ("model", "base", "key", "client", "dialect")


def about() -> dict[str, str]:
    """One line for each preset."""
    return {name: preset.about for name, preset in PRESETS.items()}


def is_preset(name: str) -> bool:
    """Whether an agent's name begins with a preset's."""
    return name.partition("?")[0] in PRESETS


def listing() -> list[dict[str, str]]:
    """Every preset with its dialect, coordinate space and default model."""
    return [
        {
            "name": name,
            "kind": "model",
            "dialect": preset.dialect,
            "coordinates": dialects.get(preset.dialect).coordinates,
            "client": preset.client,
            "model": preset.model,
            "about": preset.about,
        }
        for name, preset in PRESETS.items()
    ]


def resolved(name: str) -> tuple[Preset, dict[str, str]]:
    """The preset that a name means once its options are taken in, and the options that are left for `made`; Misuse for what it cannot mean."""
    start, _, query = name.partition("?")
    options = _options(name, query)
    given: dict[str, Any] = {place: options.pop(place) for place in PLACES if place in options}
    if "base" in given:
        given.setdefault("key", "")  # a key goes to the server that it was meant for, and to no other
    preset = replace(PRESETS[start], **given)
    if urlsplit(preset.base).username:
        raise Misuse("an agent's name is kept with its results, so its base address holds no password; use key= with an environment variable's name")
    known = models.find(preset.client).options
    told = {**{key: value for key, value in preset.told.items() if key in known}, **{key: options.pop(key) for key in sorted(options.keys() & known)}}
    manner = _manner(preset.manner, options)
    unknown = sorted(options.keys() - {"timeout", "tries"})
    if unknown:
        possible = sorted({*PLACES, *COUNTS, "guidance", "observe", "timeout", "tries", *known})
        raise Misuse(f"the agent {start} has no option {', '.join(unknown)}; it has {', '.join(possible)}")
    return replace(preset, told=told, manner=manner), options


def made(name: str) -> ModelAgent:
    """The agent of this name, ready to begin; Misuse for an option, an SDK or a key that is missing or wrong."""
    preset, options = resolved(name)
    retry = Retry(tries=_count("tries", options["tries"])) if "tries" in options else Retry()
    seconds = _number("timeout", options.get("timeout", "300"))
    prices.price(preset.model)  # a table of prices that cannot be read is to be found out now
    settings: dict[str, Any] = {"base": preset.base, "key": preset.key, "seconds": seconds, "retry": retry, "options": preset.told}
    return ModelAgent(dialects.get(preset.dialect), models.get(preset.client, preset.model, **settings), preset.manner)


def made_to_play(name: str) -> ModelAgent:
    """As `made`, for an episode that has begun: what is amiss by then, in another process perhaps, is a fault and never a score."""
    try:
        return made(name)
    except Misuse as error:
        raise ModelFault(str(error)) from error


def _options(name: str, query: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True) if query else []
    except ValueError:
        raise Misuse(f"the options of {name!r} cannot be read; write them as ?model=NAME&pictures=3") from None
    options = dict(pairs)
    if len(options) < len(pairs):
        raise Misuse(f"an option of {name!r} is given twice")
    return options


def _manner(manner: Manner, options: dict[str, str]) -> Manner:
    """The manner with the options that are about it, which are taken out of them."""
    changed: dict[str, Any] = {inside: _count(name, options.pop(name)) for name, inside in COUNTS.items() if name in options}
    if "guidance" in options:
        changed["guidance"] = options.pop("guidance")
    if "observe" in options:
        views = options.pop("observe").split(",")
        if not {"screenshot", "a11y"} >= set(views):
            raise Misuse(f"observe={','.join(views)} is not known; use screenshot or screenshot,a11y (marks come with the dialects that name them)")
        changed["elements"] = "a11y" in views
    return replace(manner, **changed)


def _count(name: str, value: str) -> int:
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise Misuse(f"{name}={value} is not a number; use a whole one from 1 on")
    return int(value)


def _number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise Misuse(f"{name}={value} is not a number of seconds; use one above 0")
    return number
