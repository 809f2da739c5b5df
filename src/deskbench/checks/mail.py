"""Mail as it was left: messages in a folder (an mbox file of Thunderbird, or a Maildir), filters, the address book.

- mail.message: {folder: ~/.thunderbird/p/Mail/Local Folders/Drafts, to: [finance@desk.local], subject: {contains: March}, attached: [~/totals.csv]}
- mail.unchanged: {folder: ~/Maildir, except: [Invoice 12]}
- mail.filter: {file: ~/.thunderbird/p/Mail/Local Folders/msgFilterRules.dat, name: Invoices, conditions: [[subject, contains, invoice]], actions: {Move to folder: Invoices}}
- mail.contact: {file: ~/.thunderbird/p/abook.sqlite, name: Bob Builder, email: bob@shop.local}
- mail.contact_list: {file: ~/.thunderbird/p/abook.sqlite, name: Payments, members: [bob@shop.local]}
"""  # noqa: E501

from __future__ import annotations

import email.utils
import re
import stat
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from pydantic import Field

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath, Num, Txt
from deskbench.checks.mail_reading import Message, maildir, mbox, messages
from deskbench.checks.sqlite_reading import rows
from deskbench.core import evidence as layout
from deskbench.core.verdict import Finding, failed, passed


def message(
    evidence: Evidence,
    *,
    folder: HomePath,
    subject: Txt | None = None,
    sender: Annotated[Txt | None, Field(alias="from")] = None,
    to: list[str] | None = None,
    cc: list[str] | None = None,
    bcc: list[str] | None = None,
    body: Txt | None = None,
    attachments: list[str] | None = None,
    attached: list[HomePath] | None = None,
    answers: Txt | None = None,
    read: bool | None = None,
    starred: bool | None = None,
    tags: list[str] | None = None,
    count: Num | None = None,
) -> Finding:
    """Messages of a folder that are as said: at least one, or as many as `count` says (0: none is left).

    `to`, `cc` and `bcc` are all the addresses, in any order; `attachments` all the names; `attached` files of the home whose contents are attached.
    """
    wanted = {"subject": subject, "sender": sender, "body": body, "answers": answers}
    lists = {"to": to, "cc": cc, "bcc": bcc}
    given = {path: evidence.read(path) for path in attached or []}
    found = messages(evidence, folder)
    troubles = [
        _texts(one, wanted) or _lists(one, lists) or _attachments(one, attachments, given) or _flags(one, read, starred, tags) for one in found
    ]
    right = troubles.count("")
    seen = [{"subject": one.subject, "to": one.to, "attachments": list(one.attachments)} for one in found[:30]]
    if count is not None:
        told = f"~/{folder} has {right} such messages"
        return passed(told, seen=seen) if count.holds(right) else failed(f"{told}, not {count}", expected=str(count), seen=seen)
    if right:
        return passed(f"~/{folder} has such a message", seen=seen)
    if not found:
        return failed(f"~/{folder} has no message in it")
    # The trouble of a message with the right subject says more than that of the first.
    telling = [trouble for trouble in troubles if not trouble.startswith("has subject")] or troubles
    return failed(f"no message in ~/{folder} is as expected: one {telling[-1]}", seen=seen)


def unchanged(evidence: Evidence, *, folder: HomePath, except_: Annotated[tuple[str, ...], Field(alias="except")] = ()) -> Finding:
    """Every message that the folder had at the start is still there, those with an excepted subject aside."""
    at = evidence.folder / layout.HOME / folder
    if at.exists() and stat.S_ISDIR(at.lstat().st_mode):
        now = {name for name, _ in maildir(evidence, folder)}
        gone = [one.subject for name, one in maildir(evidence, folder, layout.BEFORE) if name not in now]
    else:
        before = mbox(evidence.before(folder).read_bytes(), None, f"~/{folder} at the start")
        kept = {(one.identifier, one.subject) for one in messages(evidence, folder)}
        gone = [one.subject for one in before if (one.identifier, one.subject) not in kept]
    gone = [subject for subject in gone if subject not in except_]
    return failed(f"the message {gone[0]!r} is gone from ~/{folder}", seen=gone) if gone else passed(f"the messages of ~/{folder} are still there")


@dataclass
class _Filter:
    name: str = ""
    enabled: bool = True
    match: str = "all"
    conditions: list[list[str]] = field(default_factory=list)
    actions: dict[str, str] = field(default_factory=dict)


def filter(
    evidence: Evidence,
    *,
    file: HomePath,
    name: Txt | None = None,
    enabled: bool = True,
    match: Literal["all", "any"] | None = None,
    conditions: list[tuple[str, str, str]] | None = None,
    actions: dict[str, str | None] | None = None,
    count: Num | None = None,
) -> Finding:
    """A message filter of Thunderbird that is on: its conditions (field, comparison, text), its actions (a folder by its name, or null)."""
    filters = _filters(evidence.text(file))
    named = [one for one in filters if name is None or name.holds(one.name)]
    seen = [vars(one) for one in filters]
    if count is not None and not count.holds(len(named)):
        return failed(f"there are {len(named)} such filters, not {count}", expected=str(count), seen=seen)
    if not named:
        return passed("there is no such filter, as expected") if count is not None else failed("there is no such filter", seen=seen)
    troubles = [_filter_trouble(one, enabled, match, conditions, actions) for one in named]
    return failed(f"the filter {named[0].name!r} {troubles[0]}", seen=seen) if all(troubles) else passed("there is such a filter", seen=seen)


def contact(
    evidence: Evidence,
    *,
    file: HomePath,
    name: Txt | None = None,
    email: str | None = None,
    fields: dict[str, Txt] | None = None,
    count: Num | None = None,
) -> Finding:
    """People in an address book by name and address, with `fields` of their vCard (TEL, ORG, ADR, NOTE, ...): at least one, or `count`."""
    cards = _cards(evidence, file)
    found = [
        card
        for card in cards.values()
        if (name is None or name.holds(card["name"][0]))
        and (email is None or email.casefold() in [one.casefold() for one in card["email"]])
        and all(any(wanted.holds(value) for value in card.get(key.upper(), [])) for key, wanted in (fields or {}).items())
    ]
    seen = [{"name": card["name"][0], "email": card["email"]} for card in cards.values()]
    if count is not None:
        told = f"there are {len(found)} such contacts"
        return passed(told, seen=seen) if count.holds(len(found)) else failed(f"{told}, not {count}", expected=str(count), seen=seen)
    return passed("there is such a contact", seen=seen) if found else failed("there is no such contact", seen=seen)


def contact_list(evidence: Evidence, *, file: HomePath, name: str, members: list[str] | None = None) -> Finding:
    """A mailing list in an address book, and the addresses of all its members."""
    cards = _cards(evidence, file)
    lists = {str(uid): str(said) for uid, said in rows(evidence, file, "SELECT uid, name FROM lists")}
    uid = next((key for key, said in lists.items() if said == name), None)
    if uid is None:
        return failed(f"there is no list {name!r}", expected=name, seen=list(lists.values()))
    inside = [str(card) for (card,) in rows(evidence, file, "SELECT card FROM list_cards WHERE list = ?", (uid,))]
    seen = sorted(one.casefold() for card in inside if card in cards for one in cards[card]["email"][:1])
    if members is not None and seen != sorted(one.casefold() for one in members):
        return failed(f"the list {name} has {', '.join(seen) or 'nobody'}, not {', '.join(members)}", expected=members, seen=seen)
    return passed(f"the list {name} has {', '.join(seen)}", seen=seen)


def _texts(message: Message, wanted: dict[str, Any]) -> str:
    for name, expected in wanted.items():
        seen = getattr(message, name)
        # An address may be said with or without the person's name before it.
        bare = email.utils.parseaddr(seen)[1] if name == "sender" else seen
        if expected is not None and not expected.holds(seen) and not expected.holds(bare):
            return f"has {name} {seen[:120]!r}, not {expected}"
    return ""


def _lists(message: Message, wanted: dict[str, list[str] | None]) -> str:
    for name, addresses in wanted.items():
        seen = getattr(message, name)
        if addresses is not None and sorted(one.casefold() for one in addresses) != sorted(seen):
            return f"goes {name} {', '.join(seen) or 'nobody'}, not {', '.join(addresses) or 'nobody'}"
    return ""


def _attachments(message: Message, names: list[str] | None, given: dict[str, bytes]) -> str:
    if names is not None and sorted(names) != sorted(message.attachments):
        return f"has attached {', '.join(message.attachments) or 'nothing'}, not {', '.join(names) or 'nothing'}"
    for path, data in given.items():
        if data not in message.attachments.values() and data.replace(b"\n", b"\r\n") not in message.attachments.values():
            return f"has not attached ~/{path} as it is"
    return ""


def _flags(message: Message, read: bool | None, starred: bool | None, tags: list[str] | None) -> str:
    if read is not None and message.read != read:
        return f"is {'' if message.read else 'not '}read"
    if starred is not None and message.starred != starred:
        return f"is {'' if message.starred else 'not '}starred"
    missing = [tag for tag in tags or [] if tag not in message.tags]
    return f"has no tag {', '.join(missing)}" if missing else ""


def _filters(text: str) -> list[_Filter]:
    """The filters of msgFilterRules.dat, in which each begins with its name."""
    found: list[_Filter] = []
    action = ""
    for key, value in re.findall(r'^(\w+)="((?:[^"\\]|\\.)*)"', text, re.MULTILINE):
        value = re.sub(r"\\(.)", r"\1", value)
        if key == "name":
            found.append(_Filter(value))
        elif not found:
            continue
        elif key == "enabled":
            found[-1].enabled = value == "yes"
        elif key == "action":
            action = value
            found[-1].actions[action] = ""
        elif key == "actionValue":
            found[-1].actions[action] = value
        elif key == "condition":
            found[-1].match = "any" if value.startswith("OR") else "all"
            terms = re.findall(r'(?:AND|OR) \(("?)([^,"]+)\1,([^,]+),((?:[^()]|\([^()]*\))*)\)', value)
            found[-1].conditions = [[field.strip(), how.strip(), what.strip().strip('"')] for _, field, how, what in terms]
    return found


def _filter_trouble(one: _Filter, enabled: bool, match: str | None, conditions: Any, actions: dict[str, str | None] | None) -> str:
    if one.enabled != enabled:
        return f"is switched {'on' if one.enabled else 'off'}"
    if match is not None and len(one.conditions) > 1 and one.match != match:
        return f"wants {one.match} of its conditions, not {match}"

    def folded(terms: Any) -> list[tuple[str, ...]]:
        return sorted(tuple(str(part).casefold() for part in term) for term in terms)

    if conditions is not None and folded(conditions) != folded(one.conditions):
        return f"has conditions {one.conditions}, not {[list(term) for term in conditions]}"
    for name, target in (actions or {}).items():
        held = one.actions.get(name)
        if held is None or (target is not None and target not in (held, unquote(held), unquote(held).rpartition("/")[2])):
            return f"does {one.actions}, not {name} {target or ''}".rstrip()
    return ""


def _cards(evidence: Evidence, file: str) -> dict[str, dict[str, list[str]]]:
    """People by their keys: `name`, `email` and the values of every line of their vCard."""
    found: dict[str, dict[str, list[str]]] = {}
    for card, name, value in rows(evidence, file, "SELECT card, name, value FROM properties"):
        person = found.setdefault(str(card), {"name": [""], "email": []})
        if name == "DisplayName":
            person["name"] = [str(value)]
        elif name in ("PrimaryEmail", "SecondEmail") and value not in person["email"]:
            person["email"].append(str(value))
        elif name == "_vCard":
            for line in re.sub(r"\r?\n[ \t]", "", str(value)).splitlines():
                head, _, said = line.partition(":")
                person.setdefault(head.partition(";")[0].upper(), []).append(re.sub(r"\\([,;\\])", r"\1", said))
    for person in found.values():
        person["email"] += [one for one in person.get("EMAIL", []) if one not in person["email"]]
    return found
