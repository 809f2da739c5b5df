"""Setup: putting a desktop into the state in which a task begins. Every step ends with a condition, never with a pause."""

from __future__ import annotations

import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from deskbench import apps
from deskbench.core.action import FocusWindow
from deskbench.core.app import Mailbox
from deskbench.core.conditions import seen, wants_elements
from deskbench.core.evidence import HOME_IN_DESKTOP
from deskbench.core.faults import BadAction, DesktopFault, Misuse
from deskbench.core.ports import Desktop, Settle
from deskbench.core.steps import Condition, Contacts, Events, Focus, Launch, Mail, Put, Run, Serve, SetupStep, Tab, Unpack, WaitUntil, Write
from deskbench.core.task import Task
from deskbench.core.wait import TimedOut, until
from deskbench.episode import mailbox, site_server


class Preparation:
    """Carries out the setup steps of one task on one desktop. `launch_seconds` is what the applications took to start."""

    def __init__(self, desktop: Desktop, task: Task, asset: Callable[[str], Path]) -> None:
        self._desktop = desktop
        self._task = task
        self._asset = asset
        self.launch_seconds = 0.0

    def run(self) -> None:
        """All steps in order; from the end on, what changes is the agent's doing."""
        for number, step in enumerate(self._task.setup, 1):
            try:
                self._step(step)
            except (TimedOut, BadAction) as error:
                raise DesktopFault(f"setup step {number} of {self._task.id} did not come about: {error}") from error
        self._desktop.baseline()

    def _step(self, step: SetupStep) -> None:
        match step:
            case Put():
                self._desktop.put({target: file for name, to in step.put.items() for target, file in _placed(self._asset(name), to)})
            case Unpack():
                self._desktop.put({target: data for name, to in step.unpack.items() for target, data in unpacked(self._asset(name), to)})
            case Write():
                self._desktop.put({path: text.encode() for path, text in step.write.items()})
            case Launch():
                what = step.launch
                self._launch(what.app, what.open, what.args, what.title)
            case Run():
                ran = self._desktop.run(step.run, seconds=step.seconds)
                if ran.status != 0 or ran.timed_out:
                    said = ran.err.decode(errors="replace").strip()
                    raise DesktopFault(f"the setup command {' '.join(step.run)} ended with status {ran.status}: {said}")
            case WaitUntil():
                self._wait(step.wait_until)
            case Focus():
                self._desktop.act(FocusWindow(title=step.focus))
            case Tab():
                self._tab(step.tab)
            case Mail():
                self._change(self._mailbox().inbox, lambda inbox: mailbox.with_letter(inbox, step.mail, self._asset))
            case Contacts():
                self._change(self._mailbox().contacts, lambda book: mailbox.with_people(book, step.contacts))
            case Events():
                box = self._mailbox()
                self._change(box.calendar, lambda calendar: mailbox.with_events(calendar, box.calendar_id, step.events))
            case Serve():
                self._serve(step)

    def _launch(self, name: str, file: str | None, args: tuple[str, ...] = (), title: str | None = None) -> None:
        began = time.monotonic()
        self._desktop.launch(apps.get(name), file, args=args, title=title)
        self.launch_seconds += time.monotonic() - began

    def _wait(self, condition: Condition) -> None:
        if condition.quiet is not None:
            self._desktop.settle(Settle(condition.seconds, condition.quiet))
            return
        until(lambda: self._holds(condition), _words(condition), condition.seconds, every=0.05)

    def _holds(self, condition: Condition) -> bool:
        if condition.file is not None:
            return self._desktop.peek(condition.file) is not None
        if condition.port is not None:
            return self._desktop.run(["bash", "-c", f"</dev/tcp/127.0.0.1/{condition.port}"], seconds=2).status == 0
        return seen(condition, self._desktop.observe(elements=wants_elements(condition)))

    def _tab(self, address: str) -> None:
        browser = next((apps.get(name) for name in self._task.apps if apps.get(name).opens_addresses), None)
        if browser is None:
            raise Misuse(f"{self._task.id} opens a tab, but none of its applications is a browser")
        running = any(browser.name in window.app_class.casefold() for window in self._desktop.observe().windows)
        if running:
            self._desktop.run([*browser.argv, address], seconds=10, env=browser.env)
            self._desktop.settle(Settle(10, 0.3))
        else:
            self._launch(browser.name, None, (address,))

    def _mailbox(self) -> Mailbox:
        found = next((box for name in self._task.apps if (box := apps.get(name).mailbox) is not None), None)
        if found is None:
            raise Misuse(f"{self._task.id} has mail, contacts or events, but none of its applications is a mail program")
        return found

    def _change(self, path: str, changed: Callable[[bytes], bytes]) -> None:
        at = self._desktop.peek(path)
        self._desktop.put({path: changed(at.read_bytes() if at is not None else b"")})

    def _serve(self, step: Serve) -> None:
        folder = f".pages/{step.port}"
        self._desktop.put({target: file for layer in step.serve for target, file in _placed(self._asset(layer), folder)})
        server = Path(site_server.__file__).read_text(encoding="utf-8")
        self._desktop.start(["/usr/bin/python3", "-c", server, f"{HOME_IN_DESKTOP}/{folder}", str(step.port)])
        self._wait(Condition(port=step.port))


def _words(condition: Condition) -> str:
    said = {name: value for name, value in condition.model_dump(exclude_none=True).items() if name != "seconds"}
    ((name, value),) = said.items()
    return f"{name} {value}"


def _placed(asset: Path, to: str) -> Iterator[tuple[str, Path]]:
    """An asset at its place, or every file of a folder at theirs."""
    if asset.is_dir():
        yield from (
            (f"{to}/{file.relative_to(asset)}", file) for file in sorted(asset.rglob("*")) if file.is_file() and "__pycache__" not in file.parts
        )
    else:
        yield to, asset


def unpacked(archive: Path, to: str) -> Iterator[tuple[str, bytes]]:
    """Every file of a zip or tar archive at its place below a folder."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            for name in packed.namelist():
                if not name.endswith("/"):
                    yield f"{to}/{_inner(name)}", packed.read(name)
        return
    with tarfile.open(archive) as packed_tar:
        for member in packed_tar:
            stream = packed_tar.extractfile(member) if member.isfile() else None
            if stream is not None:
                yield f"{to}/{_inner(member.name)}", stream.read()


def _inner(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise Misuse(f"an archive of the task holds the path {name!r}, which leads out of its folder")
    return str(path)
