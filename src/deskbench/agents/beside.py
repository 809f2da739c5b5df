"""What a model can do beside its own action language: a shell and files where the exam grants them, and what every agent can do at a desktop
that has no launcher and its language has no words for: starting an application and bringing a window to the front.

A model that calls tools is given functions; one that speaks in plain text is told of fenced blocks. Both are read here, whatever the dialect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from deskbench.core.action import ACTION, Action, FocusWindow, OpenApp
from deskbench.core.chat import Call, Reply, Text, Tool
from deskbench.dialects import CannotSay, Dialect, Parsed


def _tool(name: str, description: str, *, optional: str = "", **parameters: str) -> Tool:
    properties = {parameter: {"type": "string", "description": about} for parameter, about in parameters.items()}
    return Tool(name, description, {"type": "object", "properties": properties, "required": [one for one in parameters if one != optional]})


GROUPS: Mapping[str, tuple[Tool, ...]] = {
    "open_app": (
        _tool("open_app", "Start an application.", app="Its name.", file="A file to open in it, such as ~/Documents/a.txt.", optional="file"),
    ),
    "focus_window": (_tool("focus_window", "Bring a window to the front.", title="A part of its title."),),
    "shell": (_tool("shell", "Run a command in a shell inside the desktop and see what it prints.", command="The command, for bash."),),
    "files": (
        _tool("read_file", "Read a text file inside the desktop.", path="Where it is, such as ~/Documents/notes.txt."),
        _tool("write_file", "Write a text file inside the desktop.", path="Where it is to be.", text="The whole text of it."),
    ),
}

BLOCK = re.compile(r"^```(open_app|focus_window|shell|read_file|write_file)[ \t]*([^\n]*)\n(.*?)^```", re.S | re.M)

IN_BLOCKS = {
    "open_app": "To start an application, with a file or without, answer with nothing but a block:\n```open_app NAME FILE\n```",
    "focus_window": "To bring a window to the front, answer with nothing but a block:\n```focus_window PART OF ITS TITLE\n```",
    "shell": "You also have a shell inside the desktop. To use it, answer with nothing but a block:\n```shell\nCOMMAND\n```",
    "files": "You also may read and write text files inside the desktop, with nothing but a block:\n```read_file PATH\n```\nor\n"
    "```write_file PATH\nTHE WHOLE TEXT\n```",
}


def lacking(dialect: Dialect, screen: tuple[int, int]) -> tuple[str, ...]:
    """What every agent can do and this language has no words for."""
    found = []
    for action in (OpenApp(app="files"), FocusWindow(title="a")):
        try:
            dialect.write([action], screen)
        except CannotSay:
            found.append(action.kind)
    return tuple(found)


def said(action: Action, *, as_call: bool) -> Reply:
    """What a model would have said to do this; the way back, as `Dialect.write` is for its own actions."""
    given = action.model_dump(mode="json", exclude={"kind"}, exclude_none=True)
    if as_call:
        return Reply((Call("call_1", action.kind, given),))
    text = given.pop("text", given.pop("command", ""))
    head = " ".join([action.kind, *(str(given[name]) for name in ("app", "file", "title", "path") if name in given)])
    return Reply((Text(f"```{head}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}```"),))


def offered(granted: Sequence[str]) -> tuple[Tool, ...]:
    """The functions for what is granted."""
    return tuple(tool for group in granted for tool in GROUPS.get(group, ()))


def in_words(granted: Sequence[str]) -> str:
    """The same for a model that calls no functions."""
    return "\n".join(IN_BLOCKS[group] for group in granted if group in IN_BLOCKS)


def read_call(call: Call, granted: Sequence[str]) -> Parsed | None:
    """What a call of one of these functions means; None for any other call."""
    if call.name not in {tool.name for tool in offered(granted)}:
        return None
    return _read([(call.name, dict(call.arguments))])


def read_text(reply: Reply, granted: Sequence[str]) -> Parsed | None:
    """What the blocks of an answer mean; None if it has none of these."""
    names = {tool.name for tool in offered(granted)}
    found = [match for match in BLOCK.finditer(reply.text) if match[1] in names]
    if not found:
        return None
    parsed = _read([(match[1], _block(*match.groups())) for match in found])
    return parsed if parsed.invalid else Parsed(parsed.actions, reply.text[: found[0].start()].strip())


def _block(name: str, head: str, text: str) -> dict[str, Any]:
    head = head.strip()
    match name:
        case "open_app":
            app, _, file = head.partition(" ")
            return {"app": app, "file": file.strip() or None}
        case "focus_window":
            return {"title": head}
        case "shell":
            return {"command": text.strip()}
        case "read_file":
            return {"path": head}
    return {"path": head, "text": text}


def _read(uses: Sequence[tuple[str, dict[str, Any]]]) -> Parsed:
    actions: list[Action] = []
    for name, arguments in uses:
        try:
            actions.append(ACTION.validate_python({**arguments, "kind": name}))
        except ValidationError as error:
            first = error.errors()[0]
            return Parsed(invalid=f"{name}: {'.'.join(map(str, first['loc'][1:])) or 'its arguments'}: {first['msg']}")
    return Parsed(tuple(actions))
