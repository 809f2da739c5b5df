"""Tools beside the desktop, as a model is told of them and calls them: a shell and files, where the exam grants them.

A model that calls tools is given functions; one that speaks in plain text is told of fenced blocks. Both are read here, whatever the dialect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from deskbench.core.action import ACTION, Action
from deskbench.core.chat import Call, Reply, Tool
from deskbench.dialects import Parsed


def _tool(name: str, description: str, **parameters: str) -> Tool:
    properties = {parameter: {"type": "string", "description": about} for parameter, about in parameters.items()}
    return Tool(name, description, {"type": "object", "properties": properties, "required": list(parameters)})


GROUPS: Mapping[str, tuple[Tool, ...]] = {
    "shell": (_tool("shell", "Run a command in a shell inside the desktop and see what it prints.", command="The command, for bash."),),
    "files": (
        _tool("read_file", "Read a text file inside the desktop.", path="Where it is, such as ~/Documents/notes.txt."),
        _tool("write_file", "Write a text file inside the desktop.", path="Where it is to be.", text="The whole text of it."),
    ),
}

BLOCK = re.compile(r"^```(shell|read_file|write_file)[ \t]*([^\n]*)\n(.*?)^```", re.S | re.M)

IN_BLOCKS = {
    "shell": "You also have a shell inside the desktop. To use it, answer with nothing but a block:\n```shell\nCOMMAND\n```",
    "files": "You also may read and write text files inside the desktop, with nothing but a block:\n```read_file PATH\n```\nor\n"
    "```write_file PATH\nTHE WHOLE TEXT\n```",
}


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


def _block(name: str, path: str, text: str) -> dict[str, Any]:
    match name:
        case "shell":
            return {"command": text.strip()}
        case "read_file":
            return {"path": path.strip()}
    return {"path": path.strip(), "text": text}


def _read(uses: Sequence[tuple[str, dict[str, Any]]]) -> Parsed:
    actions: list[Action] = []
    for name, arguments in uses:
        try:
            actions.append(ACTION.validate_python({**arguments, "kind": name}))
        except ValidationError as error:
            first = error.errors()[0]
            return Parsed(invalid=f"{name}: {'.'.join(map(str, first['loc'][1:])) or 'its arguments'}: {first['msg']}")
    return Parsed(tuple(actions))
