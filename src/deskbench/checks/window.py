"""The windows at the end, by title and application.

- window.title: {contains: poster.svg}
- window.title: {title: {matches: '^report'}, app: {contains: writer, any_case: true}, focused: true}
- window.count: {count: 2, app: {contains: gimp, any_case: true}}
- window.closed: {title: {contains: Preferences}}
"""

from __future__ import annotations

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Num, Text, Txt
from deskbench.core.observation import Window
from deskbench.core.verdict import Finding, failed, passed


def title(
    evidence: Evidence,
    *,
    title: Txt | None = None,
    contains: str | tuple[str, ...] | None = None,
    matches: str | None = None,
    any_case: bool = False,
    app: Txt | None = None,
    focused: bool | None = None,
    hidden: bool | None = None,
) -> Finding:
    """A window with such a title is open. With no expectation, any window is."""
    if title is None and (contains is not None or matches is not None):
        title = Text.model_validate({"contains": contains, "matches": matches, "any_case": any_case})
    alike = _chosen(evidence, title, app)
    found = [one for one in alike if focused in (None, one.focused) and hidden in (None, one.hidden)]
    seen = [one.title for one in evidence.windows]
    if found:
        return passed(f"the window {found[-1].title!r} is open", expected=str(title), seen=seen)
    if alike:
        wrong = "focused" if focused is not None and alike[-1].focused != focused else "hidden"
        return failed(f"the window {alike[-1].title!r} is open, but {'not ' if (focused or hidden) else ''}{wrong}", seen=seen)
    return failed(f"no window is {_said(title, app)}", expected=str(title), seen=seen)


def count(evidence: Evidence, *, count: Num, title: Txt | None = None, app: Txt | None = None) -> Finding:
    """How many such windows are open."""
    compared = Comparison(f"the desktop, of windows {_said(title, app)},")
    compared.number("number of windows", count, len(_chosen(evidence, title, app)))
    return compared.finding()


def closed(evidence: Evidence, *, title: Txt | None = None, app: Txt | None = None) -> Finding:
    """No such window is open. With no expectation, none at all is."""
    found = _chosen(evidence, title, app)
    if found:
        return failed(f"the window {found[-1].title!r} is still open", seen=[one.title for one in found])
    return passed(f"no window is {_said(title, app)}")


def _chosen(evidence: Evidence, title: Text | None, app: Text | None) -> list[Window]:
    return [one for one in evidence.windows if (title is None or title.holds(one.title)) and (app is None or app.holds(one.app_class))]


def _said(title: Text | None, app: Text | None) -> str:
    said = ([f"titled {title}"] if title is not None else []) + ([f"of the application {app}"] if app is not None else [])
    return " and ".join(said) or "of any kind"
