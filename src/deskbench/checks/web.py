"""What a browser was left with, read from Chromium's own profile; `file` and `profile` need only be said for another place.

    - web.bookmark: {name: Wiki, url: http://wiki.local/start, folder: Bookmarks bar/Work}
    - web.bookmarks: {folder: Bookmarks bar/Work, names: [Wiki, Tickets]}
    - web.bookmarks_unchanged: {except: [Wiki]}
    - web.visited: {url: {contains: /orders/}, times: {at_least: 1}}
    - web.downloaded: {name: prices.csv, url: {contains: /prices.csv}}
    - web.setting: {key: bookmark_bar.show_on_all_tabs, value: true}
    - web.cookie: {host: shop.local, name: basket}
    - web.tab: {url: {contains: /wiki}, title: Wiki}

An address is the same with and without a slash at its end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import Field

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Text, Txt
from deskbench.checks.sqlite_reading import rows
from deskbench.checks.web_session import open_tabs
from deskbench.core.faults import BadArtifact
from deskbench.core.verdict import Finding, failed, passed

PROFILE = ".config/chromium/Default"
_COMPLETE = 1
_DEPTH = 60

Bookmark = tuple[str, str, str]
"""Folder, name, address."""


def bookmark(
    evidence: Evidence,
    *,
    name: Txt | None = None,
    url: Txt | None = None,
    folder: str | None = None,
    count: Num | None = None,
    file: HomePath = f"{PROFILE}/Bookmarks",
) -> Finding:
    """Bookmarks by name, address and folder (`Bookmarks bar/Work`): at least one, or as many as `count` says."""
    marks = list(_bookmarks(evidence, file))
    found = [
        mark
        for mark in marks
        if (name is None or name.holds(mark[1])) and (url is None or _same(url, mark[2])) and (folder is None or folder.strip("/") == mark[0])
    ]
    return _counted(len(found), count, "such bookmarks", [list(mark) for mark in marks])


def bookmarks(evidence: Evidence, *, folder: str, names: list[str] | None = None, file: HomePath = f"{PROFILE}/Bookmarks") -> Finding:
    """A folder of bookmarks, and all that is in it, in order. Without names: the folder is there."""
    folders = dict(_folders(evidence, file))
    seen = folders.get(folder.strip("/"))
    if seen is None:
        return failed(f"there is no bookmark folder {folder!r}", expected=folder, seen=list(folders))
    if names is not None and seen != names:
        return failed(f"{folder} holds {', '.join(seen) or 'nothing'}, not {', '.join(names)}", expected=names, seen=seen)
    return passed(f"{folder} holds {', '.join(seen) or 'nothing'}", seen=seen)


def bookmarks_unchanged(
    evidence: Evidence, *, except_: Annotated[tuple[str, ...], Field(alias="except")] = (), file: HomePath = f"{PROFILE}/Bookmarks"
) -> Finding:
    """Every bookmark that is not excepted by its name is where it was, and no other is new."""
    change = evidence.changes.get(file)
    old: list[Bookmark] = []
    if change is None or change.change != "added":
        old = list(_walk_marks(_parsed(evidence.before(file, 32 << 20).read_bytes(), file)))
    new = list(_bookmarks(evidence, file))
    gone = [mark[1] for mark in old if mark not in new and mark[1] not in except_]
    added = [mark[1] for mark in new if mark not in old and mark[1] not in except_]
    wrong = [f"the bookmark {name!r} is gone or changed" for name in gone] + [f"the bookmark {name!r} is new" for name in added]
    return failed(wrong[0], seen=wrong) if wrong else passed("the other bookmarks are as they were")


def visited(
    evidence: Evidence,
    *,
    url: Txt | None = None,
    title: Txt | None = None,
    times: Num | None = None,
    count: Num | None = None,
    file: HomePath = f"{PROFILE}/History",
) -> Finding:
    """Pages in the history by address and title, visited so often: at least one, or as many as `count` says (0: cleared)."""
    pages = rows(evidence, file, "SELECT url, title, visit_count FROM urls WHERE hidden = 0 ORDER BY last_visit_time")
    found = [
        page
        for page in pages
        if (url is None or _same(url, str(page[0]))) and (title is None or title.holds(str(page[1]))) and (times is None or times.holds(page[2]))
    ]
    return _counted(len(found), count, "such pages in the history", [str(page[0])[:200] for page in pages[-50:]])


def downloaded(
    evidence: Evidence,
    *,
    name: Txt | None = None,
    url: Txt | None = None,
    complete: bool = True,
    count: Num | None = None,
    file: HomePath = f"{PROFILE}/History",
) -> Finding:
    """Downloads by the name of the file and the address it came from, finished (unless `complete: false`): at least one, or `count`."""
    query = "SELECT d.target_path, d.state, c.url, d.tab_url FROM downloads d LEFT JOIN downloads_url_chains c ON c.id = d.id"
    seen: dict[str, tuple[int, list[str]]] = {}
    for target, state, link, tab in rows(evidence, file, query):
        seen.setdefault(str(target), (int(state), []))[1].extend(str(one) for one in (link, tab) if one)
    found = [
        target
        for target, (state, links) in seen.items()
        if (name is None or name.holds(PurePosixPath(target).name))
        and (url is None or any(_same(url, link) for link in links))
        and (not complete or state == _COMPLETE)
    ]
    return _counted(len(found), count, "such downloads", {PurePosixPath(target).name: links for target, (_, links) in seen.items()})


def setting(
    evidence: Evidence, *, key: str, value: Any = None, text: Txt | None = None, absent: bool = False, file: HomePath = f"{PROFILE}/Preferences"
) -> Finding:
    """A preference by its dotted key: its value, or a text in it; `absent`: it is not set. Without any: it is set."""
    held: Any = _parsed(evidence.read(file, 32 << 20), file)
    for part in key.split("."):
        held = (
            held.get(part)
            if isinstance(held, dict)
            else held[int(part)]
            if isinstance(held, list) and part.isdecimal() and int(part) < len(held)
            else None
        )
    if absent:
        return failed(f"the setting {key} is {held!r}", seen=held) if held is not None else passed(f"the setting {key} is not set")
    if held is None:
        return failed(f"the setting {key} is not set", expected=value if text is None else str(text))
    if value is not None and held != value:
        return failed(f"the setting {key} is {held!r}, not {value!r}", expected=value, seen=held)
    if text is not None and not (_same(text, held) if isinstance(held, str) else text.holds(json.dumps(held))):
        return failed(f"the setting {key} is {held!r}, not {text}", expected=str(text), seen=held)
    return passed(f"the setting {key} is {held!r}", seen=held)


def cookie(evidence: Evidence, *, host: str, name: Txt | None = None, present: bool = True, file: HomePath = f"{PROFILE}/Cookies") -> Finding:
    """A cookie of a host (its values are encrypted and not looked at): it is there, or it is not."""
    kept = rows(evidence, file, "SELECT host_key, name FROM cookies")
    found = [str(one[1]) for one in kept if str(one[0]).lstrip(".") == host.lstrip(".") and (name is None or name.holds(str(one[1])))]
    what = f"{host} has {'the cookies ' + ', '.join(found) if found else 'no such cookie'}"
    seen = [f"{one[0]} {one[1]}" for one in kept[:50]]
    return passed(what, seen=seen) if bool(found) == present else failed(what, expected=present, seen=seen)


def tab(evidence: Evidence, *, url: Txt | None = None, title: Txt | None = None, count: Num | None = None, profile: str = PROFILE) -> Finding:
    """Tabs open at the end, as the episode recorded them or else as the profile's session has them: at least one, or `count`."""
    recorded = evidence.facts.get("tabs")
    tabs = recorded if recorded is not None else _titled(evidence, profile, open_tabs(evidence, profile))
    found = [
        one for one in tabs if (url is None or _same(url, str(one.get("url", "")))) and (title is None or title.holds(str(one.get("title", ""))))
    ]
    return _counted(len(found), count, "such tabs", [str(one.get("url", ""))[:200] for one in tabs[:50]])


def _titled(evidence: Evidence, profile: str, tabs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tabs with the titles of the history: Chromium notes an address in its session before it knows the title."""
    if not evidence.exists(f"{profile}/History"):
        return tabs
    titles = dict(rows(evidence, f"{profile}/History", "SELECT url, title FROM urls"))
    return [{**one, "title": one["title"] or titles.get(one["url"]) or ""} for one in tabs]


def _parsed(data: bytes, file: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadArtifact(f"~/{file} is not readable JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadArtifact(f"~/{file} is not what Chromium writes")
    return found


def _bookmarks(evidence: Evidence, file: str) -> Iterator[Bookmark]:
    # Chromium writes the file with the first bookmark: none means there are none.
    if evidence.exists(file):
        yield from _walk_marks(_parsed(evidence.read(file, 32 << 20), file))


def _walk_marks(parsed: dict[str, Any]) -> Iterator[Bookmark]:
    for path, node in _nodes(parsed):
        if node.get("type") == "url":
            yield path, str(node.get("name", "")), str(node.get("url", ""))


def _folders(evidence: Evidence, file: str) -> Iterator[tuple[str, list[str]]]:
    parsed = _parsed(evidence.read(file, 32 << 20), file) if evidence.exists(file) else {}
    for path, node in _nodes(parsed):
        if node.get("type") == "folder":
            name = f"{path}/{node.get('name', '')}".strip("/")
            yield name, [str(child.get("name", "")) for child in _children(node)]


def _nodes(parsed: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every bookmark and folder with the path of the folder it lies in."""
    roots = parsed.get("roots")
    waiting = [("", node, 0) for node in (roots.values() if isinstance(roots, dict) else ()) if isinstance(node, dict)]
    while waiting:
        path, node, depth = waiting.pop(0)
        yield path, node
        if depth < _DEPTH:
            inside = f"{path}/{node.get('name', '')}".strip("/")
            waiting[:0] = [(inside, child, depth + 1) for child in _children(node)]


def _children(node: dict[str, Any]) -> list[dict[str, Any]]:
    children = node.get("children")
    return [child for child in children if isinstance(child, dict)] if isinstance(children, list) else []


def _same(wanted: Text, url: str) -> bool:
    return wanted.holds(url) or wanted.holds(url.removesuffix("/")) or (wanted.is_ is not None and wanted.holds(url + "/"))


def _counted(found: int, count: Any, what: str, seen: Any) -> Finding:
    if count is None:
        return passed(f"there are {what}", seen=seen) if found else failed(f"there are no {what}", seen=seen)
    return passed(f"there are {found} {what}", seen=seen) if count.holds(found) else failed(f"there are {found} {what}, not {count}", seen=seen)
