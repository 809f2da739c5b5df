"""The accessibility tree over D-Bus, in bulk.

A toolkit that keeps a cache hands its whole tree over in one call; where there is none, the tree is walked level by
level with every call of a level in flight at once. Only what shows is kept, boxes and values are asked for in one go,
and a table too large to list is asked for the cells that are on the screen. Time and number are bounded, and a cut says so.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.auth import AuthExternal
from dbus_fast.errors import AuthError, DBusFastError

from deskbench.core.faults import DesktopFault
from deskbench.core.observation import Box, Element, Elements
from deskbench.desktops.local.credentials import thread_as
from deskbench.desktops.local.places import inner_owner
from deskbench.desktops.local.roles import ENABLED, SHOWING, VISIBLE, bits, role_name, state_names

SECONDS = 3.0
NODE_LIMIT = 6000
CHILD_LIMIT = 1500
CELL_LIMIT = 3000
IN_FLIGHT = 128
"""Calls under way at once; more would overrun the bus's socket buffer."""

TEXT_LIMIT = 400

A11Y = "org.a11y.atspi."
REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
SCREEN_COORDINATES = 0
TABLE_ROLES = {"table", "tree table"}
CONTAINERS = {
    "panel",
    "filler",
    "frame",
    "root pane",
    "scroll pane",
    "viewport",
    "document spreadsheet",
    "document text",
    "document presentation",
    "unknown",
}
"""Roles whose emptiness is not believed: a cache filled while a window was being built says 0 for what came later."""

TEXT_ROLES = {
    "text",
    "entry",
    "paragraph",
    "password text",
    "spin button",
    "table cell",
    "heading",
    "document text",
    "terminal",
    "combo box",
    "editbar",
}
VALUE_ROLES = {"slider", "spin button", "progress bar", "scroll bar", "level bar", "dial"}

CELL_STATES = 1 << SHOWING | 1 << VISIBLE | 1 << ENABLED

Reference = tuple[str, str]
Place = tuple[Reference, int, int]
"""A table, a row and a column."""


ADDRESS = re.compile(r"\$?[A-Z]{1,3}\$?[0-9]+")


@dataclass(slots=True)
class Cell:
    """A cell of a table: where it is on the bus, and its name."""

    at: Reference
    name: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to one accessible."""

    at: Reference
    interface: str
    member: str
    signature: str = ""
    body: tuple[Any, ...] = ()

    def message(self) -> Message:
        interface = self.interface if self.interface.startswith("org.") else A11Y + self.interface
        return Message(
            destination=self.at[0], path=self.at[1], interface=interface, member=self.member, signature=self.signature, body=list(self.body)
        )


@dataclass
class Node:
    """One accessible as the bus tells of it."""

    at: Reference
    parent: Reference | None
    index: int
    children: int
    interfaces: Sequence[str]
    name: str
    role: str
    states: int
    box: Box | None = None
    value: str | None = None
    below: list[Node] = field(default_factory=list)

    @property
    def shows(self) -> bool:
        return bool(self.states >> SHOWING & 1 and self.states >> VISIBLE & 1)


class Accessibility:
    """The connection of one desktop to its accessibility bus; opened at the first question."""

    def __init__(self, run: Path) -> None:
        self._folder = run / "at-spi"
        self._loop = asyncio.new_event_loop()
        self._bus: MessageBus | None = None
        self._cells: dict[Place, Cell] = {}

    def is_up(self) -> bool:
        """Whether the bus is there to be asked."""
        return (self._folder / "bus_99").exists()

    def close(self) -> None:
        if self._bus is not None:
            self._bus.disconnect()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._bus = None
        self._loop.close()

    def elements(self, size: tuple[int, int], covered: Collection[str] = (), seconds: float = SECONDS) -> Elements:
        """Everything that shows, now; windows with a title in `covered` lie behind others and are left out."""
        began = time.monotonic()
        try:
            found, cut = self._loop.run_until_complete(self._fetch(size, began + seconds, covered))
        except (AuthError, DBusFastError, OSError, EOFError) as error:
            self._bus = None
            raise DesktopFault(f"the desktop's accessibility bus does not answer ({error}); reset the desktop") from error
        return Elements(tuple(found), cut, time.monotonic() - began)

    async def _connect(self) -> MessageBus:
        if self._bus is None or not self._bus.connected:
            folder = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)
            try:
                with thread_as(inner_owner()):
                    bus = MessageBus(bus_address=f"unix:path=/proc/self/fd/{folder}/bus_99", auth=AuthExternal(1000))
                    self._bus = await bus.connect()
            finally:
                os.close(folder)
            await self._listen(self._bus)
        return self._bus

    async def _listen(self, bus: MessageBus) -> None:
        """Register for one rare event: toolkits keep their caches only while somebody listens."""
        await bus.call(Call((REGISTRY[0], "/org/a11y/atspi/registry"), "Registry", "RegisterEvent", "s", ("window:maximize",)).message())

    def listen(self) -> None:
        """Connect now, so that applications that start later keep their caches from the beginning."""
        self._loop.run_until_complete(self._connect())

    async def _fetch(self, size: tuple[int, int], deadline: float, covered: Collection[str]) -> tuple[list[Element], str]:
        walk = Walk(await self._connect(), size, deadline, self._cells, covered)
        (applications,) = await walk.children([REGISTRY])
        found: list[Element] = []
        for at in applications:
            tree = await walk.application(at)
            if _has_bare_document(tree):  # some programs fill a document in only after they were first asked for it
                tree = await walk.application(at)
            found += tree
        return found, walk.cut


class Walk:
    """One reading of the whole tree. Every stage asks all its questions at once and reads the answers as they come."""

    def __init__(self, bus: MessageBus, size: tuple[int, int], deadline: float, cells: dict[Place, Cell], covered: Collection[str]) -> None:
        self._bus = bus
        self._screen = Box(0, 0, *size)
        self._deadline = deadline
        self._seen = cells
        self._covered = covered
        self._nodes = 0
        self.cut = ""

    # Calls

    async def _ask(self, calls: Sequence[Call]) -> list[Any]:
        """The first value of each reply; None where the other side cannot say or is too late."""
        answers: list[Any] = []
        for start in range(0, len(calls), IN_FLIGHT):
            left = self._deadline - time.monotonic()
            if left <= 0:
                self._cut_by_time()
                break
            asked = [asyncio.ensure_future(self._bus.call(call.message())) for call in calls[start : start + IN_FLIGHT]]
            _, late = await asyncio.wait(asked, timeout=left)
            for task in late:
                task.cancel()
                self._cut_by_time()
            answers += [_value(task) for task in asked]
        return answers + [None] * (len(calls) - len(answers))

    def _cut_by_time(self) -> None:
        self.cut = self.cut or "the applications did not tell everything in time"

    async def children(self, parents: Sequence[Reference]) -> list[list[Reference]]:
        """The children of each."""
        answers = await self._ask([Call(at, "Accessible", "GetChildren") for at in parents])
        return [[(name, path) for name, path in answer or ()] for answer in answers]

    # An application

    async def application(self, at: Reference) -> list[Element]:
        """The showing elements of one application, in the order of its tree."""
        name, cache = await self._ask([get(at, "Accessible", "Name"), Call((at[0], "/org/a11y/atspi/cache"), "Cache", "GetItems")])
        known = {node.at: node for node in map(_from_item, cache or ()) if node is not None}
        top = Node(at, None, 0, CHILD_LIMIT, (), "", "application", 1 << SHOWING | 1 << VISIBLE)
        for node in known.values():
            parent = top if node.parent == at else known.get(node.parent) if node.parent else None
            if parent is not None and parent is not node:
                parent.below.append(node)
        for node in known.values():
            node.below.sort(key=lambda child: child.index)  # a cache lists in no order
        await self._complete(top, known)
        showing = [node for node in _flat(top.below) if node.shows]
        await self._describe(showing)
        for table in showing:
            if table.role in TABLE_ROLES and table.children > len(table.below) and table.box and "Table" in table.interfaces:
                await self._window(table, table.box.within(self._screen))
        return [element for root in top.below for element in self._elements(root, 0, str(name or ""))]

    async def _complete(self, top: Node, known: dict[Reference, Node]) -> None:
        """Add what the cache left out, level by level, going only below what shows."""
        level = [top]
        while level and not self.cut:
            doubtful = [node for node in level if node.children < 0 or (not node.children and node.role in CONTAINERS)]
            for node, count in zip(doubtful, await self._ask([get(n.at, "Accessible", "ChildCount") for n in doubtful]), strict=True):
                node.children = int(count or 0)
            asking = [node for node in level if len(node.below) < node.children <= CHILD_LIMIT]
            listed = await self.children([node.at for node in asking])
            for node in await self._read([at for children in listed for at in children if at not in known]):
                known[node.at] = node
            for node, children in zip(asking, listed, strict=True):
                node.below = [known[at] for at in children if at in known] or node.below
                for index, child in enumerate(node.below):
                    child.index = index
            self._nodes += len(level)
            if self._nodes > NODE_LIMIT:
                self.cut = f"there are more than {NODE_LIMIT} nodes"
            top.below = [window for window in top.below if window.name not in self._covered or not window.name]
            level = [child for node in level for child in node.below if child.shows and child is not node]

    async def _read(self, places: Sequence[Reference]) -> list[Node]:
        """Nodes that no cache told of."""
        # Not `Properties.GetAll`: Qt 5's bridge falls over it, and the application with it.
        questions = [
            question
            for at in places
            for question in (
                Call(at, "Accessible", "GetState"),
                Call(at, "Accessible", "GetRole"),
                Call(at, "Accessible", "GetInterfaces"),
                get(at, "Accessible", "Name"),
                get(at, "Accessible", "ChildCount"),
            )
        ]
        answers = await self._ask(questions)
        found = []
        for at, (states, role, interfaces, name, children) in zip(places, _by(5, answers), strict=True):
            if states is not None and role is not None:
                offered = [entry.removeprefix(A11Y) for entry in interfaces or ()]
                found.append(Node(at, None, 0, int(children or 0), offered, str(name or ""), role_name(role), bits(states)))
        return found

    # Details

    async def _describe(self, nodes: Sequence[Node]) -> None:
        """Boxes and values of showing nodes."""
        boxed = [node for node in nodes if "Component" in node.interfaces]
        valued = [node for node in nodes if node.role in VALUE_ROLES and "Value" in node.interfaces]
        texts = [node for node in nodes if node.role in TEXT_ROLES and "Text" in node.interfaces and node not in valued]
        answers = await self._ask(
            [extents(node.at) for node in boxed] + [get(node.at, "Value", "CurrentValue") for node in valued] + [text_of(node.at) for node in texts]
        )
        for node, answer in zip([*boxed, *valued, *texts], answers, strict=True):
            if isinstance(answer, list | tuple):
                node.box = Box(*answer)
            elif isinstance(answer, int | float):
                node.value = f"{answer:g}"
            elif isinstance(answer, str):
                node.value = answer[:TEXT_LIMIT]

    # Tables

    async def _window(self, table: Node, box: Box) -> None:
        """The cells of a table that are on the screen: a grid between those at its visible corners."""
        if not box.area:
            return
        first = await self._position(table, box.x + 2, box.y + 2)
        last = await self._position(table, box.x + box.width - 2, box.y + box.height - 2)
        if first is None:
            return
        bottom, right = last or (first[0] + 60, first[1] + 40)
        rows, columns = range(first[0], bottom + 1), range(first[1], right + 1)
        if len(rows) * len(columns) > CELL_LIMIT:
            self.cut = self.cut or f"a table shows {len(rows) * len(columns)} cells"
            rows = rows[: max(1, CELL_LIMIT // len(columns))]
        await self._locate([(table.at, row, column) for row in rows for column in columns])
        cells = {place: cell for row in rows for column in columns if (cell := self._seen.get(place := (table.at, row, column))) is not None}
        across = await self._extents_of({column: cells.get((table.at, rows[0], column)) for column in columns})
        down = await self._extents_of({row: cells.get((table.at, row, columns[0])) for row in rows})
        texts = await self._ask([text_of(cell.at) for cell in cells.values()])
        table.below = [
            Node(cell.at, None, 0, 0, (), cell.name, "table cell", CELL_STATES, Box(wide[0], high[1], wide[2], high[3]), (text or "")[:TEXT_LIMIT])
            for ((_, row, column), cell), text in zip(cells.items(), texts, strict=True)
            if (wide := across.get(column)) and (high := down.get(row))
        ]

    async def _extents_of(self, cells: Mapping[int, Cell | None]) -> dict[int, Any]:
        """The boxes of one row or one column of cells: a cell's width is its column's, its height its row's."""
        there = {number: cell for number, cell in cells.items() if cell is not None}
        return dict(zip(there, await self._ask([extents(cell.at) for cell in there.values()]), strict=True))

    async def _locate(self, places: Sequence[Place]) -> None:
        """Where cells are on the bus. A place is asked for once: making one costs the application a quarter of a millisecond.

        A name that is the cell's address stays what it is; other names are asked for every time.
        """
        known = [place for place in places if place in self._seen]
        alive = await self._ask([Call(self._seen[place].at, "Accessible", "GetRole") for place in known[:1] + known[-1:]])
        if None in alive:
            self._seen.clear()
        missing = [place for place in places if place not in self._seen]
        answers = await self._ask([Call(table, "Table", "GetAccessibleAt", "ii", (row, column)) for table, row, column in missing])
        for place, answer in zip(missing, answers, strict=True):
            if answer and not answer[1].endswith("/null"):
                self._seen[place] = Cell((answer[0], answer[1]))
        unnamed = [self._seen[place] for place in places if place in self._seen and not ADDRESS.fullmatch(self._seen[place].name)]
        for cell, name in zip(unnamed, await self._ask([get(cell.at, "Accessible", "Name") for cell in unnamed]), strict=True):
            cell.name = str(name or "")

    async def _position(self, table: Node, x: int, y: int) -> tuple[int, int] | None:
        """Row and column of the cell at a point. An answer about a cell that lies elsewhere is not believed."""
        for _ in range(3):
            (cell,) = await self._ask([Call(table.at, "Component", "GetAccessibleAtPoint", "iiu", (x, y, SCREEN_COORDINATES))])
            if not cell or cell[1].endswith("/null"):
                continue
            index, box = await self._ask([Call((cell[0], cell[1]), "Accessible", "GetIndexInParent"), extents((cell[0], cell[1]))])
            if index is None or index < 0 or not box or not Box(*box).contains(x, y):
                continue
            row, column = await self._ask([Call(table.at, "Table", f"Get{way}AtIndex", "i", (index,)) for way in ("Row", "Column")])
            if row is not None and column is not None and row >= 0 and column >= 0:
                return row, column
        return None

    # Out

    def _elements(self, node: Node, depth: int, app: str, around: Node | None = None, shift: tuple[int, int] = (0, 0)) -> Iterable[Element]:
        if not node.shows:
            return
        shift = _shift(node, around, shift)
        told = node.box or Box(0, 0, 0, 0)
        box = Box(told.x + shift[0], told.y + shift[1], told.width, told.height).within(self._screen)
        if box.area:
            yield Element(node.role, node.name, box, depth, node.value, state_names(node.states), app)
        elif node.role == "menu bar":
            return  # LibreOffice tells of its own menu bar, without a size, besides the one that GTK shows
        for child in node.below:
            yield from self._elements(child, depth + 1, app, node, shift)


def _shift(node: Node, around: Node | None, shift: tuple[int, int]) -> tuple[int, int]:
    """How far from its told place a node shows.

    LibreOffice on GTK forgets the height of the menu bar: its root pane, and all below it, is told too high by as much as it differs
    from the panel around it, whose size it has. GTK's own widgets inside are told rightly again, and so differ from what is around them.
    """
    if around is None or node.box is None or around.box is None:
        return shift
    if abs(node.box.width - around.box.width) > 1 or abs(node.box.height - around.box.height) > 1:
        return shift
    off = (around.box.x - node.box.x, around.box.y - node.box.y)
    if node.role == "root pane":
        return off
    return (0, 0) if shift == (-off[0], -off[1]) else shift


def get(at: Reference, interface: str, name: str) -> Call:
    return Call(at, "org.freedesktop.DBus.Properties", "Get", "ss", (A11Y + interface, name))


def extents(at: Reference) -> Call:
    return Call(at, "Component", "GetExtents", "u", (SCREEN_COORDINATES,))


def text_of(at: Reference) -> Call:
    # To the end (-1) and cut here: LibreOffice answers a range beyond the end with nothing.
    return Call(at, "Text", "GetText", "ii", (0, -1))


def _value(task: asyncio.Future[Any]) -> Any:
    """The first value of a reply, variants opened; None for an error or no reply."""
    if task.cancelled() or not task.done():
        return None
    reply = task.result()
    if reply is None or reply.message_type is not MessageType.METHOD_RETURN or not reply.body:
        return None
    value = reply.body[0]
    return value.value if isinstance(value, Variant) else value


def _by(count: int, items: Sequence[Any]) -> list[Sequence[Any]]:
    return [items[start : start + count] for start in range(0, len(items), count)]


def _has_bare_document(tree: Sequence[Element]) -> bool:
    """Whether some document shows nothing below it."""
    following: Iterable[Element | None] = [*tree[1:], None]
    return any(e.role.startswith("document") and (n is None or n.depth <= e.depth) for e, n in zip(tree, following, strict=False))


def _flat(nodes: Iterable[Node]) -> Iterable[Node]:
    for node in nodes:
        yield node
        yield from _flat(node.below)


def _from_item(item: Sequence[Any]) -> Node | None:
    """A node from one entry of a cache; toolkits have sent two shapes of it over the years."""
    if len(item) == 10:
        at, _, parent, index, children, interfaces, name, role, description, states = item
    elif len(item) == 9:
        at, _, parent, listed, interfaces, name, role, description, states = item
        index, children = 0, len(listed)
    else:
        return None
    offered = [entry.removeprefix(A11Y) for entry in interfaces]
    kind = role_name(role)
    named = name or ("" if kind in CONTAINERS else description)  # a button without a name has a tool tip
    return Node((at[0], at[1]), (parent[0], parent[1]), index, children, offered, named, kind, bits(states))
