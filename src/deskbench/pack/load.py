"""From files to tasks: every mistake in a task file is one sentence with file and line.

packs/
  suites.yaml                  named selections: a list of patterns each
  <app>/<slug>/                one task
    task.yaml
    certificate.json           its proof
    ...                        its assets, every one of them used
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from deskbench import apps, checks
from deskbench.checks.entries import plain, probes_of
from deskbench.core.faults import Misuse
from deskbench.core.steps import Launch, Mail, OpenIt, Put, Serve, Unpack
from deskbench.core.task import CheckEntry, Task, digest_of, draw
from deskbench.pack.yaml_lines import BadYaml, Lines, line_of, load

TASK_FILE = "task.yaml"
CERTIFICATE = "certificate.json"
FIRST, LAST = "first.webp", "last.webp"
"""Small pictures of the expert's first and last look."""
NOT_ASSETS = {TASK_FILE, CERTIFICATE, FIRST, LAST, "notes.md"}
ASSET_LIMIT = 64 << 20
SEEDS_LIMIT = 256
"""How many seeds are looked at for the assets they name."""
NOT_WHILE_AT_WORK = {"files.tree", "files.mode", "files.only_changed", "only_changed", "mail.message", "mail.unchanged"}
"""Checks that need the whole evidence, and so cannot be a milestone's."""


class TaskError(Misuse):
    """A mistake in a task file: where it is and what was expected."""

    def __init__(self, file: Path, line: int, sentence: str) -> None:
        super().__init__(f"{_short(file)}:{line}: {sentence}")
        self.file, self.line, self.sentence = file, line, sentence


def _short(file: Path) -> str:
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def packs_root() -> Path:
    """Where the packs are: $DESKBENCH_PACKS, those of the checkout, or those that came with the wheel."""
    chosen = os.environ.get("DESKBENCH_PACKS")
    if chosen:
        return Path(chosen).absolute()
    package = Path(__file__).parents[1]
    checkout = package.parents[1] / "packs"
    return checkout if checkout.is_dir() else package / "packs"


@dataclass(frozen=True)
class Family:
    """One task file: what its author wrote, from which each seed makes a task."""

    file: Path
    written: dict[str, Any]
    lines: Lines = field(repr=False)

    @property
    def folder(self) -> Path:
        return self.file.parent

    @cached_property
    def task(self) -> Task:
        """The task of seed 0, which stands for the family where values do not matter."""
        return self.draw(0)

    def draw(self, seed: int) -> Task:
        """The task of a seed; TaskError with file and line for what does not fit."""
        try:
            return draw(self.written, seed)
        except KeyError as error:
            name, sentence = error.args
            raise self.error(_path_to(self.written, f"{{{name}}}"), sentence) from error
        except ValidationError as error:
            raise self.error(*_first(error, self.written)) from error

    def error(self, path: tuple[str | int, ...], sentence: str) -> TaskError:
        return TaskError(self.file, line_of(path, self.lines), sentence)

    def asset(self, name: str) -> Path:
        """An asset by its name in the task; it may lie in another folder of the packs, but not outside them."""
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder.parent.parent.resolve()):
            raise self.error(_path_to(self.written, name), f"the asset {name!r} lies outside the packs")
        return path

    @cached_property
    def assets(self) -> dict[str, Path]:
        """Every asset that the setup names, whatever the seed, folders opened up."""
        found: dict[str, Path] = {}
        for name in dict.fromkeys(name for setup in self._setups() for step in setup for name in _assets_of(step)):
            path = self.asset(name)
            below = [file for file in sorted(path.rglob("*")) if file.is_file() and "__pycache__" not in file.parts] if path.is_dir() else []
            found.update({f"{name}/{file.relative_to(path)}": file for file in below} or {name: path})
        return found

    def _setups(self) -> Iterator[Sequence[object]]:
        """The set-up of every seed that may name other assets."""
        yield self.task.setup
        if any("{" in name for step in self.written.get("setup") or () for name in _names_in(step)):
            seeds = lcm(*(len(param.values) for param in self.task.params.values()))
            yield from (self.draw(seed).setup for seed in range(1, min(seeds, SEEDS_LIMIT)))

    @cached_property
    def contents(self) -> dict[str, str]:
        """A digest of every asset's bytes."""
        return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in self.assets.items()}

    @cached_property
    def digest(self) -> str:
        """Covers everything that can change a verdict: what was written, and every asset's bytes."""
        return digest_of({"written": self.written, "assets": self.contents})


def _names_in(step: Any) -> Iterator[str]:
    """Where a step as it was written may name assets."""
    if isinstance(step, str):
        yield step
    for kind in ("put", "unpack", "serve", "mail"):
        named = step.get(kind, ()) if isinstance(step, dict) else ()
        named = named.get("attach", ()) if kind == "mail" and isinstance(named, dict) else named
        yield from (named,) if isinstance(named, str) else map(str, named)


def _assets_of(step: object) -> Iterable[str]:
    if isinstance(step, Put):
        return step.put
    if isinstance(step, Unpack):
        return step.unpack
    if isinstance(step, Mail):
        return step.mail.attach
    return step.serve if isinstance(step, Serve) else ()


def _path_to(data: Any, wanted: str) -> tuple[str | int, ...]:
    """The path of the first place where a text stands in the data, in a key or a value; the whole if there is none."""
    items: Iterable[tuple[str | int, Any]] = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if wanted in str(key) or (isinstance(value, str) and wanted in value):
            return (key,)
        inner = _path_to(value, wanted)
        if inner:
            return (key, *inner)
    return ()


def _first(error: ValidationError, written: Any) -> tuple[tuple[str | int, ...], str]:
    """The first mistake that pydantic found: its path in the file, and a sentence."""
    detail = min(error.errors(), key=lambda item: len(item["loc"]) == 0)
    path: list[str | int] = []
    at: Any = written
    for part in detail["loc"]:
        if _holds(at, part):  # the other parts are names that pydantic gave to one of several models
            path.append(part)
            at = at[part]
    name = str(detail["loc"][-1]) if detail["loc"] else "the task"
    sentence = {
        "extra_forbidden": f"there is no key {name!r} here",
        "missing": f"the key {name!r} is missing",
    }.get(detail["type"], f"{'.'.join(map(str, path)) or name}: {detail['msg'].removeprefix('Value error, ')}")
    if detail["type"] not in ("extra_forbidden", "missing") and isinstance(detail["input"], str | int | float):
        sentence += f" (it is {detail['input']!r})"
    return tuple(path), sentence


def _holds(data: Any, key: str | int) -> bool:
    if isinstance(data, dict):
        return key in data
    return isinstance(data, list) and isinstance(key, int) and key < len(data)


def read(file: Path) -> Family:
    """A task file with every name in it resolved; TaskError for the first mistake."""
    try:
        written, lines = load(file)
    except FileNotFoundError:
        raise Misuse(f"there is no task file {_short(file)}") from None
    except BadYaml as error:
        raise TaskError(file, error.line, str(error)) from error
    if not isinstance(written, dict):
        raise TaskError(file, 1, "a task file is a mapping with the keys id, level, apps, ...")
    if "values" in written:
        raise TaskError(file, line_of(("values",), lines), "there is no key 'values' here")
    family = Family(file, written, lines)
    for seed in (0, 1):
        _resolve(family, family.draw(seed))
    _own_folder(family)
    _used_params(family)
    return family


def _resolve(family: Family, task: Task) -> None:
    """Every application, check, argument and asset that a task names exists."""
    for number, name in enumerate(task.apps):
        _known_app(family, name, ("apps", number))
    for number, step in enumerate(task.setup):
        if isinstance(step, Launch):
            _known_app(family, step.launch.app, ("setup", number))
        for asset in _assets_of(step):
            path = family.asset(asset)
            if not path.exists():
                raise family.error(("setup", number), f"the asset {asset!r} is missing; put it beside {family.file.name}")
            if path.is_file() and path.stat().st_size > ASSET_LIMIT:
                raise family.error(("setup", number), f"the asset {asset!r} has more than {ASSET_LIMIT >> 20} MB")
    for number, procedure_step in enumerate(task.procedure):
        for hint in procedure_step.by:
            if isinstance(hint, OpenIt):
                _known_app(family, hint.open_app.app, ("procedure", number))
                if hint.open_app.app not in task.apps:
                    raise family.error(("procedure", number), f"the procedure opens {hint.open_app.app}, which is not among the task's apps")
    for number, entry in enumerate(task.checks):
        _known_check(family, entry, ("checks", number))
    for place, phase in enumerate(task.phases):
        for number, entry in enumerate(phase.checks):
            _known_check(family, entry, ("phases", place, "checks", number))
    for number, milestone in enumerate(task.milestones):
        if milestone.probe is not None:
            _known_check(family, milestone.probe, ("milestones", number, "probe"))
            if {entry.name for entry in plain([milestone.probe])} & NOT_WHILE_AT_WORK:
                raise family.error(
                    ("milestones", number), f"{milestone.probe.name} looks at a whole folder, which a milestone cannot; look at a file"
                )
            if probes_of([milestone.probe]):
                raise family.error(
                    ("milestones", number), f"{milestone.probe.name} runs an application, which a milestone cannot; look at something cheaper"
                )


def _known_app(family: Family, name: str, path: tuple[str | int, ...]) -> None:
    try:
        apps.get(name)
    except Misuse as error:
        raise family.error(path, str(error)) from error


def _known_check(family: Family, entry: CheckEntry, path: tuple[str | int, ...]) -> None:
    if entry.parts:
        for number, part in enumerate(entry.parts):
            _known_check(family, part, (*path, entry.name, number))
        return
    try:
        checks.arguments(entry.name, entry.args)
    except LookupError as error:
        raise family.error(path, str(error.args[0])) from error
    except ValidationError as error:
        inner, sentence = _first(error, entry.args)
        raise family.error((*path, entry.name, *inner), f"{entry.name}: {sentence}") from error


def _own_folder(family: Family) -> None:
    """The folder is the id, and holds nothing that is not used."""
    task = family.task
    expected = f"{family.folder.parent.name}/{family.folder.name}"
    if task.id != expected:
        raise family.error(("id",), f"the id is {task.id!r}, but the folder says {expected!r}")
    used = {path.resolve() for path in family.assets.values()}
    for path in sorted(family.folder.rglob("*")):
        if path.is_file() and path.name not in NOT_ASSETS and "__pycache__" not in path.parts and path.resolve() not in used:
            raise family.error((), f"the file {path.relative_to(family.folder)} is not used by the task; name it in setup or remove it")


def _used_params(family: Family) -> None:
    text = str({key: value for key, value in family.written.items() if key != "params"})
    for name in family.task.params:
        if f"{{{name}}}" not in text and f"{{{name}." not in text:
            raise family.error(("params", name), f"the parameter {name!r} is never used; write {{{name}}} where it belongs")


def task_files(root: Path) -> list[Path]:
    """Every task file below the packs, in order of the id."""
    return sorted(root.glob(f"*/*/{TASK_FILE}"))


def suites(root: Path) -> dict[str, list[str]]:
    """The named selections of the packs."""
    file = root / "suites.yaml"
    if not file.exists():
        return {}
    try:
        data, _ = load(file)
    except BadYaml as error:
        raise TaskError(file, error.line, str(error)) from error
    if not isinstance(data, dict) or not all(isinstance(v, list) and all(isinstance(i, str) for i in v) for v in data.values()):
        raise TaskError(file, 1, "a suite is a name with a list of task patterns, as in `starter: [calc/*]`")
    return data


SELECTORS: Mapping[str, Callable[[Task], Sequence[str]]] = {
    "level": lambda task: (task.level,),
    "label": lambda task: task.labels,
    "app": lambda task: task.apps,
    "persona": lambda task: (task.persona,),
}
"""What `level:L4` or `label:branches` in the place of a pattern looks at."""


def is_selector(pattern: str) -> bool:
    """Whether a pattern speaks of what is in a task, and not of its name."""
    return pattern.partition(":")[0] in SELECTORS and ":" in pattern


def _matching(pattern: str, files: Mapping[str, Path]) -> list[str]:
    if is_selector(pattern):
        kind, _, value = pattern.partition(":")
        return [name for name, file in files.items() if value in SELECTORS[kind](read(file).task)]
    return [name for name in files if fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern.rstrip("/") + "/")]


def find(patterns: Sequence[str] = (), suite: str | None = None, root: Path | None = None) -> list[Family]:
    """The tasks that patterns, selectors or a suite of them choose, in order; Misuse where one matches nothing."""
    root = root or packs_root()
    wanted = list(patterns)
    if suite is not None:
        known = suites(root)
        if suite not in known and suite != "all":
            raise Misuse(f"there is no suite {suite!r}; there are {', '.join(sorted({*known, 'all'}))}")
        wanted += ["*/*"] if suite == "all" else known[suite]
    files = {f"{file.parent.parent.name}/{file.parent.name}": file for file in task_files(root)}
    chosen: dict[str, Path] = {}
    for pattern in wanted or ["*/*"]:
        matching = _matching(pattern, files)
        if not matching and files:
            raise Misuse(f"no task matches {pattern!r}; deskbench tasks lists what there is")
        chosen.update({name: files[name] for name in matching})
    if not files:
        raise Misuse(f"there are no tasks in {root}; set DESKBENCH_PACKS to a folder of packs")
    return [read(chosen[name]) for name in sorted(chosen)]
