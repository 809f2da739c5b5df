"""What differs between two documents by meaning, and where a phrase stands in one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from deskbench.checks.doc_reading import Document, Look, Paragraph, Run
from deskbench.checks.looks import ALIKE_FONTS

_ALIGNED = 2_000
"""Paragraphs that are aligned one with another; aligning takes the square of their number."""
Piece = tuple[list[Run], list[Run]]


def occurrences(paragraphs: Iterable[Paragraph], phrase: str | None) -> list[Piece]:
    """For every occurrence the runs inside it and those outside it in its paragraph; of no phrase, whole paragraphs."""
    found: list[Piece] = []
    for paragraph in paragraphs:
        text, start = paragraph.text, 0
        if phrase is None:
            found += [(paragraph.runs, [])] if text.strip() else []
            continue
        while phrase and (at := text.find(phrase, start)) >= 0:
            found.append(
                (_cut(paragraph.runs, at, at + len(phrase)), _cut(paragraph.runs, 0, at) + _cut(paragraph.runs, at + len(phrase), len(text)))
            )
            start = at + len(phrase)
    return found


def _cut(runs: list[Run], start: int, end: int) -> list[Run]:
    found, at = [], 0
    for run in runs:
        piece = run.text[max(0, start - at) : max(0, end - at)]
        if piece:
            found.append(Run(piece, run.look))
        at += len(run.text)
    return found


def looks_of(runs: list[Run]) -> list[Look]:
    """The looks of what can be seen: blanks have none."""
    return [run.look for run in runs if run.text.strip()]


def differences(before: Document, after: Document, exceptions: set[str], formats: bool) -> list[str]:
    """A phrase for everything that changed and may not have."""
    old, new = (_kept(document, exceptions) for document in (before, after))
    wrong = _text_differences([one.text for one in old], [one.text for one in new])
    if not wrong and formats:
        wrong = [
            f"the formatting of {one.text[:60]!r} was changed ({', '.join(said)})"
            for one, other in zip(old, new, strict=True)
            if (said := _changed(one, other))
        ]
    for name in ("pictures", "tables", "notes", "comments"):
        was, now = len(getattr(before, name)), len(getattr(after, name))
        if name not in exceptions and was != now:
            wrong.append(f"there were {was} {name} and now there are {now}")
    if "pages" not in exceptions:
        wrong += [f"the page's {name} was changed" for name in _page_changes(before, after)]
    for name in ("header", "footer"):
        if name + "s" not in exceptions and [getattr(page, name) or "" for page in before.pages] != [
            getattr(page, name) or "" for page in after.pages
        ]:
            wrong.append(f"the {name} was changed")
    return wrong


def _kept(document: Document, exceptions: set[str]) -> list[Paragraph]:
    found = [one for one in document.paragraphs if one.where in ("body", "table") and one.text.strip()]
    if "tables" in exceptions:
        found = [one for one in found if one.where != "table"]
    return [one for one in found if not any(phrase in one.text for phrase in exceptions)]


def _text_differences(old: list[str], new: list[str]) -> list[str]:
    wrong: list[str] = []
    if old == new:
        return wrong
    if max(len(old), len(new)) > _ALIGNED:
        differing = next((pair for pair in zip_longest(old, new) if pair[0] != pair[1]), ("", ""))
        return [f"{(differing[0] or differing[1] or '')[:80]!r} is gone or changed"]
    for what, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what in ("delete", "replace"):
            wrong += [f"{text[:80]!r} is gone or changed" for text in old[first:last]]
        if what == "insert":
            wrong += [f"{text[:80]!r} is new" for text in new[start:end]]
    return wrong


def _changed(one: Paragraph, other: Paragraph) -> list[str]:
    names = ("style", "heading", "listed", "align", "page_break")
    said = [name for name in names if getattr(one, name) != getattr(other, name)]
    lengths = ("left_mm", "right_mm", "first_line_mm", "before_pt", "after_pt")
    said += [name for name in lengths if abs(getattr(one, name) - getattr(other, name)) > 0.3]
    return said + (["characters"] if _letters(one) != _letters(other) else [])


def _letters(paragraph: Paragraph) -> list[tuple[str, Look]]:
    """Runs of one look as one, since applications cut them as they like; blanks look like what stands before them."""
    merged: list[tuple[str, Look]] = []
    for run in paragraph.runs:
        look = replace(run.look, font=_font(run.look.font), style="", colour=run.look.colour or (0, 0, 0))
        if merged and (merged[-1][1] == look or not run.text.strip()):
            merged[-1] = merged[-1][0] + run.text, merged[-1][1]
        else:
            merged.append((run.text, look))
    return merged


def _font(name: str | None) -> str:
    bare = (name or "").casefold()
    return next((sorted(twins)[0] for twins in ALIKE_FONTS if bare in twins), bare)


def _page_changes(before: Document, after: Document) -> list[str]:
    names = ("width_mm", "height_mm", "left_mm", "right_mm", "top_mm", "bottom_mm", "columns")
    if not before.pages or not after.pages:
        return []
    return [name.replace("_mm", "") for name in names if abs(getattr(before.pages[0], name) - getattr(after.pages[0], name)) > 0.5]
