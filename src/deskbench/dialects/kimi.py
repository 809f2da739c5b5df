"""Kimi K2.5 and K2.6: `## Action` in words, `## Code` as a block of pyautogui."""

from __future__ import annotations

from collections.abc import Sequence

from deskbench.core.action import Action, Point
from deskbench.core.chat import Part, Reply, Text, Thinking
from deskbench.core.ports import Brief
from deskbench.dialects.coded import CodeDialect
from deskbench.dialects.space import NotUnderstood, Space, fractions, pixels


class FractionsOrPixels(Space):
    """Fractions of the screen; a point with a number above 1 is in pixels of the screen."""

    def to_screen(self, x: object, y: object) -> Point:
        try:
            absolute = any(float(value) > 1 for value in (x, y) if isinstance(value, int | float | str))
        except (ValueError, OverflowError):
            raise NotUnderstood("a coordinate is a number from 0 to 1") from None
        return (pixels if absolute else fractions)(self.screen).to_screen(x, y)


def fractions_or_pixels(screen: tuple[int, int]) -> Space:
    return FractionsOrPixels(screen, (1.0, 1.0), whole=False)


class Kimi(CodeDialect):
    """Action and code sections, fractions as coordinates."""

    name = "kimi"
    about = "Kimi K2.5/2.6: an action in words and a block of pyautogui"
    coordinates = "fractions from 0 to 1 (above 1: screen pixels)"
    last_block = True

    def space(self, screen: tuple[int, int]) -> Space:
        return fractions_or_pixels(screen)

    def system(self, brief: Brief) -> str:
        apps = f" Installed are {', '.join(brief.apps)}." if brief.apps else ""
        return (
            f"You operate a Linux desktop for a user by its mouse and keyboard.{apps} After every answer you see the screen again. "
            f"You have at most {brief.steps} actions.\n\n"
            "Answer in exactly this form:\n## Action:\none sentence that says what you do now and to what\n"
            "## Code:\n```python\nPyAutoGUI code, or one of the functions below\n```\n\n"
            "Coordinates are fractions of the screen's width and height, from 0 to 1, as in pyautogui.click(x=0.5, y=0.25).\n"
            "The code is read, not run: use plain calls of pyautogui, pyperclip.copy and time.sleep, with constants, arithmetic and short loops.\n"
            "- computer.wait(seconds=3): let the applications work\n"
            "- computer.triple_click(x=0.5, y=0.5)\n"
            "- call_user(question='...'): ask the user what only the user knows\n"
            "- computer.terminate(status='success', answer='...'): everything is done; the answer where one is asked for\n"
            "- computer.terminate(status='failure', answer='...'): it cannot be done, with the reason"
        )

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        code = self.program(actions, self.space(screen))
        what = ", then ".join(action.kind.replace("_", " ") for action in actions)
        parts: list[Part] = [Thinking(thought)] if thought else []
        return Reply((*parts, Text(f"## Action:\n{what.capitalize()}.\n\n## Code:\n```python\n{code}\n```")))
