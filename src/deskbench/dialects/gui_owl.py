"""GUI-Owl: thinking, a tool call and a conclusion, each in its tags. Only the conclusions of the past are shown to it again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from deskbench.core.action import Drag
from deskbench.core.chat import Reply
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects.dialect import CannotSay, Parsed
from deskbench.dialects.lenient import language, stored
from deskbench.dialects.space import Space, smart_resized
from deskbench.dialects.tool_call import Said, ToolCallXml

_CONCLUSION = re.compile(r"<conclusion>(.*?)(?:</conclusion>|\Z)", re.DOTALL)


class GuiOwl(ToolCallXml):
    """GUI-Owl on a desktop."""

    name: ClassVar[str] = "gui-owl"
    about: ClassVar[str] = "GUI-Owl: thinking, a tool call in XML and a conclusion"
    coordinates: ClassVar[str] = "pixels of the smart-resized picture (factor 28)"
    pictures: ClassVar[int] = 1
    asking: ClassVar[str] = "interact"
    verbs: ClassVar[tuple[str, ...]] = (
        "key", "type", "mouse_move", "left_click", "drag", "right_click", "middle_click", "double_click", "triple_click", "scroll", "hscroll",
        "wait", "open_app", "focus_window", "interact", "terminate",
    )  # fmt: skip

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return smart_resized(screen, 28, 56 * 56, 12800 * 28 * 28)

    def format(self, brief: Brief) -> str:
        return (
            "# Answers\n\nEvery answer has three parts:\n"
            f"<thinking>what you see and what to do next, in {language(brief.language)}</thinking>\n"
            '<tool_call>\n{"name": "computer_use", "arguments": {"action": ..., ...}}\n</tool_call>\n'
            "<conclusion>what this step does and what must be remembered: later you will see your conclusions, not your older pictures</conclusion>\n"
            "`type` also takes `coordinate` (a field to click first), `clear` (1 to replace what is there) and `enter` (1 to press Enter after it). "
            "Scroll by -5 to 5."
        )

    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        parsed = super().read(reply, space, marks)
        after = reply.text.rpartition("</tool_call>")[2]
        found = _CONCLUSION.search(after)
        return replace(parsed, note=stored(found.group(1)) if found else "")

    def laid_out(self, thought: str, calls: str) -> str:
        thinking = f"<thinking>{thought}</thinking>\n" if thought else ""
        conclusion = f"\n<conclusion>{thought}</conclusion>" if thought else ""
        return f"{thinking}{calls}{conclusion}"

    def dragged(self, action: Drag, space: Space) -> list[Said]:
        if len(action.path) > 2:
            raise CannotSay("gui-owl drags along a straight line only")
        start, end = (list(space.to_model(*point)) for point in action.path)
        return [{"action": "drag", "coordinate": start, "coordinate2": end}]
