"""A report for people at a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table


def percent(rate: dict[str, Any]) -> str:
    """A rate with its interval."""
    if rate["rate"] is None:
        return "-"
    return f"{100 * rate['rate']:.0f} %  ({100 * rate['low']:.0f}-{100 * rate['high']:.0f}, n={rate['n']})"


def tables(data: dict[str, Any]) -> RenderableType:
    """The tables of a summary: agents side by side, then by level and by application."""
    agents: dict[str, Any] = data["agents"]
    overall = Table(title="Success by agent, with 95 % intervals", title_justify="left")
    for heading in ("agent", "success", "milestones", "steps", "seconds", "overhead", "faults"):
        overall.add_column(heading)
    for name, numbers in agents.items():
        overall.add_row(
            name,
            percent(numbers["success"]["overall"]),
            _figure(numbers["intermediate"], "{:.2f}"),
            _figure(numbers["steps"]["median"], "{:.0f}"),
            _figure(numbers["seconds"]["median"], "{:.1f}"),
            _figure(numbers["seconds"]["overhead_median"], "{:.1f}"),
            f"{numbers['faults']['episodes']} ({numbers['faults']['retried']} retried)",
        )
    parts: list[RenderableType] = [overall]
    for title, key in (("level", "by_level"), ("application", "by_app"), ("domain", "by_domain")):
        parts.append(_side_by_side(title, key, agents))
    parts += [_people(name, numbers) for name, numbers in agents.items() if numbers["people"]]
    return Group(*parts)


def people(agents: dict[str, Any]) -> list[list[str]]:
    """How each agent dealt with people, a row for each mode; the headings first."""
    headings = ["agent", "mode", "success", "n", "asked", "late", "in vain", "serve", "kept", "redone", "anew"]
    rows = [
        [
            name,
            mode.replace("_", " "),
            _figure(row["rate"], "{:.0%}"),
            str(row["n"]),
            _figure(row["asked_when_needed"], "{:.0%}"),
            _figure(row["asked_late"], "{:.0%}"),
            str(row["asked_when_not_needed"]),
            _figure(row["steps_to_serve"], "{:.0f}"),
            _figure(row["kept"], "{:.2f}"),
            str(row["redone"]),
            str(row["restarts"]),
        ]
        for name, numbers in agents.items()
        for mode, row in numbers["people"].items()
    ]
    return [headings, *rows]


def _people(name: str, numbers: dict[str, Any]) -> Table:
    table = Table(title=f"People in the loop: {name}", title_justify="left", box=None, padding=(0, 1, 0, 0))
    (_, *headings), *rows = people({name: numbers})
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    for _, *row in rows:
        table.add_row(*row)
    return table


def _side_by_side(title: str, key: str, agents: dict[str, Any]) -> Table:
    table = Table(title=f"By {title}", title_justify="left")
    table.add_column(title)
    for name in agents:
        table.add_column(name)
    labels = sorted({label for numbers in agents.values() for label in numbers["success"][key]})
    for label in labels:
        cells = [numbers["success"][key].get(label) for numbers in agents.values()]
        table.add_row(label, *(percent(cell) if cell else "-" for cell in cells))
    return table


def _figure(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)
