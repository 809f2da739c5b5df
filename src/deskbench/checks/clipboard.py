"""The text on the clipboard at the end.

- clipboard.text: "4711"
- clipboard.text: {contains: [Berlin, Paris]}
- clipboard.empty: {}
"""

from __future__ import annotations

from deskbench.checks.comparison import Comparison
from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import Text, Txt
from deskbench.core.verdict import Finding, failed, passed


def text(
    evidence: Evidence,
    *,
    text: Txt | None = None,
    contains: str | tuple[str, ...] | None = None,
    matches: str | None = None,
    any_case: bool = False,
) -> Finding:
    """The text, blanks and line ends around it apart. With no expectation, there is one."""
    if text is None:
        given = {"contains": contains, "matches": matches if contains or matches else r"\S", "any_case": any_case}
        text = Text.model_validate(given)
    seen = evidence.clipboard
    compared = Comparison("the clipboard")
    compared.text("text", text, None if seen is None else seen.replace("\r\n", "\n").strip())
    return compared.finding()


def empty(evidence: Evidence, *, but: Txt | None = None) -> Finding:
    """No text is on the clipboard, or only one that `but` allows."""
    seen = evidence.clipboard
    if not seen or (but is not None and but.holds(seen)):
        return passed("nothing is on the clipboard")
    return failed(f"the clipboard holds {seen[:200]!r}", seen=seen[:2000])
