"""What windows showed to assistive technology at the end.

- element.shown: {role: check box, name: Dark mode, states: [checked]}
- element.shown: {role: text, name: {contains: Search}, value: {contains: lens}, app: {contains: chrom}}
- element.shown: {role: list item, count: 5}
- element.absent: {role: dialog, name: {contains: Error}}
"""

from __future__ import annotations

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Num, Text, Txt
from deskbench.core.observation import Element
from deskbench.core.verdict import Finding, failed, passed


def shown(
    evidence: Evidence,
    *,
    role: Txt | None = None,
    name: Txt | None = None,
    value: Txt | None = None,
    states: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    app: Txt | None = None,
    count: Num | None = None,
) -> Finding:
    """An element (or `count` of them) has this role and name, holds this value, has these states and not those."""
    alike = _chosen(evidence, role, name, app)
    found = [one for one in alike if _is(one, value, states, without)]
    said = _said(role, name, app)
    if count is not None:
        compared = Comparison(f"the screen, of elements {said},")
        compared.number("number of elements", count, len(found))
        return compared.finding()
    if found:
        return passed(f"an element {said} is shown as expected", seen=_plain(found[0]))
    if not alike:
        return failed(f"no element {said} is shown")
    wanted = [f"value {value}"] if value is not None else []
    wanted += [*states, *(f"not {state}" for state in without)]
    return failed(f"an element {said} is shown, but is not as expected: {', '.join(wanted)}", expected=wanted, seen=_plain(alike[0]))


def absent(evidence: Evidence, *, role: Txt | None = None, name: Txt | None = None, app: Txt | None = None) -> Finding:
    """No such element is shown."""
    found = _chosen(evidence, role, name, app)
    if found:
        return failed(f"an element {_said(role, name, app)} is still shown", seen=_plain(found[0]))
    return passed(f"no element {_said(role, name, app)} is shown")


def _chosen(evidence: Evidence, role: Text | None, name: Text | None, app: Text | None) -> list[Element]:
    def fits(one: Element) -> bool:
        return (role is None or role.holds(one.role)) and (name is None or name.holds(one.name)) and (app is None or app.holds(one.app))

    return [one for one in evidence.elements if fits(one)]


def _is(one: Element, value: Text | None, states: tuple[str, ...], without: tuple[str, ...]) -> bool:
    return (value is None or value.holds(one.value)) and one.states.issuperset(states) and one.states.isdisjoint(without)


def _said(role: Text | None, name: Text | None, app: Text | None) -> str:
    said = [f"{word} {wanted}" for word, wanted in (("of role", role), ("named", name), ("in", app)) if wanted is not None]
    return " ".join(said) or "of any kind"


def _plain(one: Element) -> dict[str, object]:
    return {"role": one.role, "name": one.name, "value": one.value, "states": sorted(one.states), "app": one.app}
