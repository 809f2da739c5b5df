"""The accessibility tree over D-Bus, in bulk.

A toolkit that keeps a cache hands its whole tree over in one call; where there is none, the tree is walked level by
level with every call of a level in flight at once. Only what shows is kept, boxes and values are asked for in one go,
and a table too large to list is asked for the cells that are on the screen. Time and number are bounded, and a cut says so.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from dbus_fast import MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.auth import AuthExternal
from dbus_fast.errors import AuthError, DBusFastError
from numpy.typing import NDArray

from deskbench.core.faults import DesktopFault
from deskbench.core.observation import Box, Element, Elements
from deskbench.desktops.local.accessible import A11Y, REGISTRY, Call, Reference, Remembered, extents, get, text_of
from deskbench.desktops.local.credentials import thread_as
from deskbench.desktops.local.places import inner_owner
from deskbench.desktops.local.roles import ENABLED, SHOWING, VISIBLE, bits, role_name, state_names
from deskbench.desktops.local.tables import TableWindow

SECONDS = 3.0
NODE_LIMIT = 6000
CHILD_LIMIT = 1500
IN_FLIGHT = 128
"""Calls under way at once; more would overrun the bus's socket buffer."""

TEXT_LIMIT = 400

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
        self._remembered = Remembered()

    def is_up(self) -> bool:
        """Whether the bus answers; its socket is there a moment before anybody listens to it."""
        if not (self._folder / "bus_99").exists():
            return False
        try:
            self.listen()
        except (AuthError, DBusFastError, OSError, EOFError):
            self._bus = None
            return False
        return True

    def close(self) -> None:
        if self._bus is not None:
            self._bus.disconnect()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._bus = None
        self._loop.close()

    def elements(self, pixels: NDArray[np.uint8], covered: Collection[str] = (), seconds: float = SECONDS) -> Elements:
        """Everything that shows on a screen of these pixels; windows with a title in `covered` lie behind others and are left out."""
        began = time.monotonic()
        try:
            found, cut = self._loop.run_until_complete(self._fetch(pixels, began + seconds, covered))
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

    async def _fetch(self, pixels: NDArray[np.uint8], deadline: float, covered: Collection[str]) -> tuple[list[Element], str]:
        walk = Walk(await self._connect(), pixels, deadline, self._remembered, covered)
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

    def __init__(self, bus: MessageBus, pixels: NDArray[np.uint8], deadline: float, remembered: Remembered, covered: Collection[str]) -> None:
        self._bus = bus
        self._screen = Box(0, 0, pixels.shape[1], pixels.shape[0])
        self._deadline = deadline
        self._remembered = remembered
        self._tables = TableWindow(self._ask, remembered, pixels)
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
        cached = [] if at[0] in self._remembered.heavy else [Call((at[0], "/org/a11y/atspi/cache"), "Cache", "GetItems")]
        name, *caches = await self._ask([get(at, "Accessible", "Name"), *cached])
        cache = caches[0] if caches else ()
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
                self._remembered.heavy.add(at[0])
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
            await self._learn([at for node, children in zip(asking, listed, strict=True) for at in _worth_asking(node, children)], known)
            opened = [children for node, children in zip(asking, listed, strict=True) if node.role == "menu" and _first_shows(children, known)]
            await self._learn([at for children in opened for at in children], known)
            for node, children in zip(asking, listed, strict=True):
                node.below = [known[at] for at in children if at in known] or node.below
                for index, child in enumerate(node.below):
                    child.index = index
            self._nodes += len(level)
            if self._nodes > NODE_LIMIT:
                self.cut = f"there are more than {NODE_LIMIT} nodes"
            top.below = [window for window in top.below if window.name not in self._covered or not window.name]
            level = [child for node in level for child in node.below if child.shows and child is not node]

    async def _learn(self, places: Sequence[Reference], known: dict[Reference, Node]) -> None:
        """Read the nodes that are not known yet."""
        for node in await self._read([at for at in places if at not in known]):
            known[node.at] = node

    async def _read(self, places: Sequence[Reference]) -> list[Node]:
        """Nodes that no cache told of."""
        # Not `Properties.GetAll`: Qt 5's bridge falls over it, and the application with it.
        states = dict(zip(places, await self._ask([Call(at, "Accessible", "GetState") for at in places]), strict=True))
        nodes = [Node(at, None, 0, 0, (), "", "unknown", bits(state)) for at, state in states.items() if state is not None]
        showing = [node for node in nodes if node.shows]  # of what does not show, no more is asked
        # Only where a table is remembered: elsewhere a paragraph may become a heading.
        kinds = self._remembered.kinds if places and places[0][0] in self._remembered.heavy else {}
        new = [node.at for node in showing if node.at not in kinds]
        asked = [Call(at, "Accessible", what) for at in new for what in ("GetRole", "GetInterfaces")]
        asked += [get(node.at, "Accessible", what) for node in showing for what in ("Name", "ChildCount")]
        answers = await self._ask(asked)
        for at, (role, interfaces) in zip(new, _by(2, answers[: 2 * len(new)]), strict=True):
            if role is not None and interfaces is not None:
                kinds[at] = (role_name(role), [entry.removeprefix(A11Y) for entry in interfaces])
        for node, (name, children) in zip(showing, _by(2, answers[2 * len(new) :]), strict=True):
            node.role, node.interfaces = kinds.get(node.at, ("unknown", []))
            node.name, node.children = str(name or ""), int(children or 0)
        return nodes

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

    async def _window(self, table: Node, box: Box) -> None:
        """Put the cells that are on the screen below a table that has too many to list."""
        cells = await self._tables.read(table.at, box) if box.area else []
        self.cut = self.cut or self._tables.cut
        table.below = [
            Node(cell.at, None, index, 0, (), cell.name, "table cell", CELL_STATES, box, (cell.text or "")[:TEXT_LIMIT])
            for index, (cell, box) in enumerate(cells)
        ]

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


def _worth_asking(node: Node, children: list[Reference]) -> list[Reference]:
    """Of a closed menu nothing shows, and its first item tells; there are hundreds of others."""
    return children[:1] if node.role == "menu" else children


def _first_shows(children: list[Reference], known: dict[Reference, Node]) -> bool:
    first = known.get(children[0]) if children else None
    return first is not None and first.shows


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
