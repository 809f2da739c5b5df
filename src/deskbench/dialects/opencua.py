"""OpenCUA: a step of `## Thought`, `## Action` and `## Code`, in fractions or in pixels of the picture its processor makes."""

from __future__ import annotations

from collections.abc import Sequence

from deskbench.core.action import Action, Click
from deskbench.core.chat import Reply, Text
from deskbench.core.ports import Brief
from deskbench.dialects.coded import CodeDialect, place
from deskbench.dialects.kimi import fractions_or_pixels
from deskbench.dialects.space import Space, pixels, smart_resized

FACTOR, LEAST_PIXELS, MOST_PIXELS = 28, 3136, 12_845_056
"""Of the image processor that the pixel variants are trained with."""


class OpenCUA(CodeDialect):
    """Thought, action and code, fractions as coordinates."""

    name = "opencua"
    about = "OpenCUA: thought, action and a block of pyautogui"
    coordinates = "fractions from 0 to 1"
    last_block = True
    units = "fractions of the screen's width and height, from 0 to 1, as in pyautogui.click(x=0.5, y=0.25)"

    def space(self, screen: tuple[int, int]) -> Space:
        return fractions_or_pixels(screen)

    def system(self, brief: Brief) -> str:
        apps = f" Installed are {', '.join(brief.apps)}." if brief.apps else ""
        return (
            f"You are a GUI agent at a Linux desktop. You get a task and the screen, and carry the task out by PyAutoGUI.{apps} "
            f"You have at most {brief.steps} actions.\n\n"
            "For each step give:\n## Thought:\nwhat you see, whether the last step worked, what is to be done next\n"
            "## Action:\none sentence that says what you do now\n## Code:\n```python\nthe code of that action\n```\n\n"
            f"Coordinates are {self.units}.\n"
            "The code is read, not run: use plain calls of pyautogui, pyperclip.copy and time.sleep, or one of these:\n"
            "- computer.triple_click(x, y)\n- computer.wait(seconds=3)\n"
            "- call_user(question='...'): ask the user what only the user knows\n"
            "- computer.terminate(status='success', answer='...'): everything is done; the answer where one is asked for\n"
            "- computer.terminate(status='failure', answer='...'): it cannot be done, with the reason"
        )

    def lines(self, action: Action, space: Space) -> list[str]:
        if isinstance(action, Click) and (action.button, action.count, action.modifiers) == ("left", 3, ()) and action.x is not None:
            return [f"computer.triple_click({place(action, space)})"]
        return super().lines(action, space)

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        code = self.program(actions, self.space(screen))
        what = ", then ".join(action.kind.replace("_", " ") for action in actions)
        thinking = f"## Thought:\n{thought}\n\n" if thought else ""
        return Reply((Text(f"{thinking}## Action:\n{what.capitalize()}.\n\n## Code:\n```python\n{code}\n```"),))


class OpenCUAPixels(OpenCUA):
    """As OpenCUA, in pixels of the picture as its image processor resizes it."""

    name = "opencua-pixels"
    about = "OpenCUA on Qwen2.5-VL: thought, action and a block of pyautogui, in pixels"
    coordinates = "pixels of the picture, its sides rounded to multiples of 28"
    units = "pixels of the picture, as in pyautogui.click(x=640, y=360)"

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return smart_resized(screen, FACTOR, LEAST_PIXELS, MOST_PIXELS)

    def space(self, screen: tuple[int, int]) -> Space:
        return pixels(screen, self.shown_size(screen))
