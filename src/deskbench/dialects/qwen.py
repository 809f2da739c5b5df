"""Qwen's vision-language models: tool calls in XML. 2.5 points at pixels of the picture as its processor sees it, 3 at a grid of 0 to 999."""

from __future__ import annotations

from typing import ClassVar

from deskbench.core.ports import Brief
from deskbench.dialects.lenient import language
from deskbench.dialects.space import Space, grid, smart_resized
from deskbench.dialects.tool_call import ToolCallXml

LEAST_PIXELS = 56 * 56


class Qwen25Vl(ToolCallXml):
    """Qwen2.5-VL: absolute coordinates. The picture is sent in the size that the processor would give it, so both count the same pixels."""

    name: ClassVar[str] = "qwen2.5-vl"
    about: ClassVar[str] = "Qwen2.5-VL: tool calls in XML"
    coordinates: ClassVar[str] = "pixels of the smart-resized picture (factor 28)"
    lead: ClassVar[str] = ""

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return smart_resized(screen, 28, LEAST_PIXELS, 16384 * 28 * 28)

    def format(self, brief: Brief) -> str:
        return (
            f"# Answers\n\nThink in {language(brief.language)}, in a sentence or two, then call the function once, with JSON in these tags:\n"
            '<tool_call>\n{"name": "computer_use", "arguments": {"action": ..., ...}}\n</tool_call>'
        )


class Qwen3Vl(ToolCallXml):
    """Qwen3-VL: the screen is 1000 by 1000, whatever its size."""

    name: ClassVar[str] = "qwen3-vl"
    about: ClassVar[str] = "Qwen3-VL: an action line and tool calls in XML"
    coordinates: ClassVar[str] = "0 to 999 in both directions"

    def space(self, screen: tuple[int, int]) -> Space:
        return grid(screen, 999)

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return smart_resized(screen, 32, LEAST_PIXELS, 16 * 16 * 4 * 12800)

    def resolution(self, brief: Brief) -> str:
        return "1000x1000"
