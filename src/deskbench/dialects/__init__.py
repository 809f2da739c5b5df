"""Dialects: the action languages of models, each a small file. `module:Class` names one of a user's own."""

from __future__ import annotations

from importlib import import_module

from deskbench.core.faults import Misuse
from deskbench.dialects.dialect import CannotSay, Dialect, Parsed, Zoom
from deskbench.dialects.space import NotUnderstood, Space

__all__ = ["CannotSay", "Dialect", "NotUnderstood", "Parsed", "Space", "Zoom", "get", "names"]

_HERE = "deskbench.dialects"

_TABLE: dict[str, str] = {
    "cutverse": f"{_HERE}.cutverse:CutVerse",
    "cutverse-claude": f"{_HERE}.cutverse_claude:CutVerseClaude",
    "evocua": f"{_HERE}.evocua:EvoCua",
    "evocua-s1": f"{_HERE}.evocua:EvoCuaS1",
    "gui-owl": f"{_HERE}.gui_owl:GuiOwl",
    "os-atlas": f"{_HERE}.os_atlas:OsAtlas",
    "qwen2.5-vl": f"{_HERE}.qwen:Qwen25Vl",
    "qwen3-vl": f"{_HERE}.qwen:Qwen3Vl",
    "ui-tars": f"{_HERE}.ui_tars:UiTars",
    "ui-tars-1000": f"{_HERE}.ui_tars:UiTars1000",
    "ui-tars-thinking": f"{_HERE}.ui_tars:UiTarsThinking",
    "anthropic": f"{_HERE}.anthropic:Anthropic",
    "anthropic-20250124": f"{_HERE}.anthropic:Anthropic20250124",
    "anthropic-20251124": f"{_HERE}.anthropic:Anthropic20251124",
    "computer-13": f"{_HERE}.computer_13:Computer13",
    "gemini": f"{_HERE}.gemini:Gemini",
    "kimi": f"{_HERE}.kimi:Kimi",
    "openai": f"{_HERE}.openai:OpenAI",
    "openai-preview": f"{_HERE}.openai:OpenAIPreview",
    "opencua": f"{_HERE}.opencua:OpenCUA",
    "opencua-pixels": f"{_HERE}.opencua:OpenCUAPixels",
    "prosoftarena": f"{_HERE}.prosoftarena:ProSoftArena",
    "pyautogui": f"{_HERE}.pyautogui:PyAutoGUI",
}


def names() -> tuple[str, ...]:
    """The names of the built-in dialects."""
    return tuple(sorted(_TABLE))


def get(name: str) -> Dialect:
    """The dialect of this name; Misuse if there is none."""
    module, _, attribute = _TABLE.get(name, name).partition(":")
    if not attribute:
        raise Misuse(f"no dialect is called {name!r}; there are {', '.join(names())}, and module:Class names one of your own")
    try:
        made = getattr(import_module(module), attribute)()
    except (ImportError, AttributeError) as error:
        raise Misuse(f"the dialect {name!r} cannot be loaded: {error}; write it as module:Class of a class that Python can import") from error
    if not isinstance(made, Dialect):
        raise Misuse(f"{name!r} is not a dialect; derive its class from deskbench.dialects.Dialect")
    return made
