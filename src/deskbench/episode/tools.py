"""Tools beside the desktop: a shell and files inside it, where a task or a run grants them.

They act inside the sandbox as the user, so whatever they do is the agent's doing and is judged like everything else. A run with tools is
another setting than one without: the record says which were granted, and how often they were used.
"""

from __future__ import annotations

from deskbench.core.action import ReadFile, Shell, ToolUse, WriteFile
from deskbench.core.evidence import HOME_IN_DESKTOP
from deskbench.core.faults import BadAction
from deskbench.core.ports import Desktop

OUTPUT_LIMIT = 16_000
"""Characters of a tool's output that reach the agent."""


def use(tool: ToolUse, desktop: Desktop, granted: tuple[str, ...]) -> str:
    """Use a tool and tell what came of it; BadAction if it was not granted or cannot be done."""
    group = "shell" if isinstance(tool, Shell) else "files"
    if group not in granted:
        raise BadAction(f"this exam grants no {group} tool; work at the desktop")
    match tool:
        case Shell():
            return _shell(tool, desktop)
        case ReadFile():
            return _cut(_ran(desktop, ["cat", "--", _home(tool.path)], f"{tool.path} cannot be read"))
        case WriteFile():
            folder = _home(tool.path).rpartition("/")[0]
            _ran(desktop, ["mkdir", "-p", "--", folder], f"{tool.path} cannot be written")
            _ran(desktop, ["dd", "status=none", f"of={_home(tool.path)}"], f"{tool.path} cannot be written", tool.text.encode())
            return f"{tool.path} was written"


def _shell(tool: Shell, desktop: Desktop) -> str:
    ran = desktop.run(["bash", "-c", tool.command], seconds=tool.seconds, output_limit=4 * OUTPUT_LIMIT)
    ended = f"stopped after {tool.seconds:g} s" if ran.timed_out else f"ended with status {ran.status}"
    said = (ran.out + ran.err).decode(errors="replace")
    return _cut(f"The command {ended}.\n{said}".rstrip())


def _ran(desktop: Desktop, argv: list[str], trouble: str, stdin: bytes = b"") -> str:
    ran = desktop.run(argv, seconds=20, stdin=stdin, output_limit=4 * OUTPUT_LIMIT)
    if ran.status != 0 or ran.timed_out:
        raise BadAction(f"{trouble}: {ran.err.decode(errors='replace').strip()}")
    return ran.out.decode(errors="replace")


def _home(path: str) -> str:
    return HOME_IN_DESKTOP + path[1:] if path.startswith("~/") else path if path.startswith("/") else f"{HOME_IN_DESKTOP}/{path}"


def _cut(text: str) -> str:
    return text if len(text) <= OUTPUT_LIMIT else f"{text[:OUTPUT_LIMIT]}\n[{len(text) - OUTPUT_LIMIT} characters more]"
