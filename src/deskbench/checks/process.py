"""What was running at the end.

- process.running: python3
- process.running: {name: python3, argv: {contains: server.py}}
- process.not_running: {name: {one_of: [vlc, mpv]}}
"""

from __future__ import annotations

from typing import Any

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Num, Number, Text, Txt
from deskbench.core.verdict import Finding, failed, passed

SOME = Number.model_validate({"at_least": 1})


def running(evidence: Evidence, *, name: Txt, argv: Txt | None = None, count: Num | None = None) -> Finding:
    """A process of that name runs; `argv` looks at its command line, its words joined by spaces."""
    found = _chosen(evidence, name, argv)
    compared = Comparison(f"the machine, of processes named {name}{f' with {argv}' if argv else ''},")
    compared.number("number of processes", count or SOME, len(found))
    return compared.finding()


def not_running(evidence: Evidence, *, name: Txt, argv: Txt | None = None) -> Finding:
    """No such process runs."""
    found = _chosen(evidence, name, argv)
    if found:
        return failed(f"{found[0]['name']} is still running", seen=[one["name"] for one in found])
    return passed(f"nothing named {name} is running")


def _chosen(evidence: Evidence, name: Text, argv: Text | None) -> list[dict[str, Any]]:
    return [one for one in evidence.processes if name.holds(one["name"]) and (argv is None or argv.holds(_line(one)))]


def _line(process: dict[str, Any]) -> str:
    argv = process.get("argv") or ""
    return argv if isinstance(argv, str) else " ".join(argv)
