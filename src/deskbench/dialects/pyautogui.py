"""OSWorld's `pyautogui`: blocks of Python, or the words WAIT, DONE and FAIL, in screen pixels."""

from __future__ import annotations

from collections.abc import Sequence

from deskbench.core.action import Action, Ask, Done, Fail
from deskbench.core.chat import Reply, Text
from deskbench.core.observation import Mark
from deskbench.core.ports import Brief
from deskbench.dialects import arguments as args
from deskbench.dialects.code import Invocation
from deskbench.dialects.coded import CodeDialect, literal
from deskbench.dialects.gestures import Gestures, bound
from deskbench.dialects.space import Space


class PyAutoGUI(CodeDialect):
    """Blocks of pyautogui code, as OSWorld's baseline agents write them."""

    name = "pyautogui"
    about = "OSWorld's pyautogui: Python in blocks, or WAIT, DONE, FAIL; any chat model"
    coordinates = "screen pixels"

    def system(self, brief: Brief) -> str:
        width, height = brief.screen
        apps = f" Installed are {', '.join(brief.apps)}." if brief.apps else ""
        return (
            f"You work at a Linux desktop for a user. You see its screen, {width} pixels wide and {height} high, origin at the top left.{apps} "
            f"You have at most {brief.steps} actions.\n\n"
            "First say briefly what you see and what you want to do next; then write one block between ```python and ```, with calls such as "
            "pyautogui.click(x, y), pyautogui.write('text'), pyautogui.hotkey('ctrl', 's'), pyautogui.scroll(-3), "
            "pyautogui.dragTo(x, y, duration=0.5), and time.sleep(seconds) between them.\n"
            "The code is read, not run: plain calls with constants, arithmetic and short loops are understood; conditions, "
            " functions, other modules and screen searches are not. Give coordinates as you see them in the picture.\n\n"
            "Instead of calls, the block may say one of these:\n"
            "- WAIT: nothing but wait a moment\n"
            "- ask_user(question='...'): ask the user what only the user knows\n"
            "- DONE, or done(answer='...') where the task asks for an answer: everything is done\n"
            "- FAIL, or fail(reason='...'): the task cannot be done"
        )

    def gestures(self, space: Space, marks: Sequence[Mark]) -> Gestures:
        gestures = super().gestures(space, marks)

        def done(call: Invocation) -> None:
            gestures.add(args.made(Done, answer=args.text(bound(call, "answer"), "answer", default="")))

        def fail(call: Invocation) -> None:
            gestures.add(args.made(Fail, reason=args.text(bound(call, "reason"), "reason", default="")))

        gestures.verbs |= {"DONE": done, "done": done, "FAIL": fail, "fail": fail}
        return gestures

    def spoken(self, action: Ask | Done | Fail) -> str:
        match action:
            case Ask():
                return f"ask_user(question={literal(action.question)})"
            case Done():
                return f"done(answer={literal(action.answer)})" if action.answer else "DONE"
        return f"fail(reason={literal(action.reason)})" if action.reason else "FAIL"

    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        code = self.program(actions, self.space(screen))
        return Reply((Text(f"{thought}\n\n```python\n{code}\n```".lstrip()),))
