"""Thunderbird's folder summaries (`.msf`, a format called Mork): which messages of a folder's file it still shows, and their flags.

A deleted or moved message stays in the folder's file until the folder is compacted; only the summary says that it is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from deskbench.core.faults import BadArtifact

Cells = dict[str, str]
_TOKEN = re.compile(
    r"//[^\n]*+|@\$\$[{}][^@]*+@|<\s*+<\(a=c\)>|[<>\[\]{}]"
    r"|\(\s*+(?P<name>\^?[0-9A-Za-z]{1,16})\s*+(?:\^(?P<atom>[0-9A-Fa-f]{1,16})(?::\w{1,16})?|=(?P<value>(?:\\.|[^)\\])*+))?\s*+\)"
    r"|(?P<word>-?[0-9A-Fa-f]{1,16}(?::\^?[0-9A-Za-z]{1,16})?)|\s++|.",
    re.DOTALL,
)


@dataclass
class Summary:
    """The messages of a folder by the place of each in the folder's file, and how long that file was."""

    size: int | None = None
    messages: dict[str, Cells] = field(default_factory=dict)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    for found in _TOKEN.finditer(text):
        if found[0] == "(":
            # Reading on would look for the end of every such cell through the whole of the rest.
            raise BadArtifact("a cell of the folder summary is not closed")
        if not found[0].isspace() and not found[0].startswith(("//", "@$$")):
            yield found


class _Reader:
    def __init__(self, text: str) -> None:
        self.columns: dict[str, str] = {}
        self.atoms: dict[str, str] = {}
        self.rows: dict[tuple[str, str], Cells] = {}
        self.tables: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self.kinds: dict[tuple[str, str], str] = {}
        self.tokens = _tokens(text)

    def read(self) -> None:
        for token in self.tokens:
            if token[0].startswith("<"):
                self._dictionary(self.columns if "a=c" in token[0] else self.atoms)
            elif token[0] == "[":
                self._row("")
            elif token[0] == "{":
                self._table()

    def _dictionary(self, entries: dict[str, str]) -> None:
        for token in self.tokens:
            if token[0] == ">":
                return
            if token["name"] is not None and token["value"] is not None:
                entries[token["name"].upper()] = _unescaped(token["value"])

    def _scope(self, said: str, otherwise: str) -> str:
        scope = said.partition(":")[2] or otherwise
        return self.columns.get(scope[1:].upper(), scope) if scope.startswith("^") else scope

    def _row(self, otherwise: str) -> tuple[str, str]:
        head = next(self.tokens, None)
        said = head[0] if head is not None else ""
        key = self._scope(said, otherwise), said.partition(":")[0].lstrip("-").upper()
        cells = self.rows.setdefault(key, {})
        if said.startswith("-"):
            cells.clear()
        for token in self.tokens:
            if token[0] == "]":
                break
            if token["name"] is not None:
                name = token["name"]
                column = self.columns.get(name[1:].upper(), name) if name.startswith("^") else name
                atom = token["atom"]
                cells[column] = self.atoms.get(atom.upper(), "") if atom else _unescaped(token["value"] or "")
        return key

    def _table(self) -> None:
        head = next(self.tokens, None)
        said = head[0] if head is not None else ""
        scope = self._scope(said, "")
        key = scope, said.partition(":")[0].lstrip("-").upper()
        listed = self.tables.setdefault(key, [])
        if said.startswith("-"):
            listed.clear()
        for token in self.tokens:
            if token[0] == "}":
                return
            if token[0] == "{":
                self._meta(key)
            elif token[0] == "[":
                row = self._row(scope)
                listed += [row] if row not in listed else []
            elif token["word"] is not None:
                row = self._scope(token[0], scope), token[0].partition(":")[0].lstrip("-").upper()
                if token[0].startswith("-"):
                    listed[:] = [one for one in listed if one != row]
                elif row not in listed:
                    listed.append(row)

    def _meta(self, key: tuple[str, str]) -> None:
        for token in self.tokens:
            if token[0] == "}":
                return
            kind = re.match(r"\(k\^([0-9A-Fa-f]+)", token[0])
            if kind:
                self.kinds[key] = self.columns.get(kind[1].upper(), "")


def _unescaped(text: str) -> str:
    text = re.sub(r"\\(\r?\n|.)", lambda found: "" if found[1].strip("\r\n") == "" else "\0" + found[1], text, flags=re.DOTALL)
    text = re.sub(r"(?<!\0)\$([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), text)
    return text.replace("\0", "")


def summary(data: bytes, what: str) -> Summary:
    """The messages that a summary lists, each with its cells by name (`flags` and sizes are hexadecimal, `storeToken` decimal)."""
    text = data.decode("latin-1")
    if not text.startswith("// <!-- <mdb:mork:z"):
        raise BadArtifact(f"{what} is not a folder summary of Thunderbird")
    reader = _Reader(text)
    reader.read()
    made = Summary()
    for cells in _rows(reader, "ns:msg:db:table:kind:dbfolderinfo"):
        made.size = int(cells["folderSize"], 16) if re.fullmatch(r"[0-9a-fA-F]{1,12}", cells.get("folderSize", "")) else None
    for cells in _rows(reader, "ns:msg:db:table:kind:msgs"):
        made.messages[cells.get("storeToken", "")] = cells
    return made


def _rows(reader: _Reader, kind: str) -> Iterator[Cells]:
    for key, listed in reader.tables.items():
        if reader.kinds.get(key) == kind:
            yield from (reader.rows.get(row, {}) for row in listed)
