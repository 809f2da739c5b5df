"""Checks: plain functions over evidence, one file per family of artifact.

A task names a check as `family.function` and gives its arguments by name:

    checks:
      - svg.text: {file: ~/Documents/poster.svg, id: title, font_size: {is: 48, within: 0.5}}

The function is `text(evidence, *, file, id, font_size)` in `svg.py`. Its signature *is* the schema of its arguments. It
returns a Finding; it raises BadArtifact for what the agent left unreadable (a failed finding), and anything else
that it raises is a fault of ours. A module's `PROBES` maps the functions that need a probe to that probe,
or to what makes it of the check's arguments.

`all` and `any` combine checks; `module:function` names a check of a user's own.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

from deskbench.checks.evidence import Evidence
from deskbench.checks.expect import HomePath
from deskbench.core.faults import BadArtifact, CheckFault, Fault
from deskbench.core.probe import Probe
from deskbench.core.verdict import Finding, failed

CheckFunction = Callable[..., Finding]

FAMILIES = (
    "animation", "answer", "archive", "audio", "aup3", "blend", "calendar", "clipboard", "code", "csv", "doc", "element", "files", "image", "json",
    "mail", "pdf", "process", "sheet", "slides", "svg", "text", "timeline", "video", "web", "window", "xcf",
)  # fmt: skip
"""The built-in families; each is the module of that name."""

SHORTHANDS = {"only_changed": "files.only_changed"}


def _module_of(family: str) -> str:
    # `json` and `csv` would hide the standard library inside the package for nobody, but read badly next to it.
    return f"deskbench.checks.{family}_" if family in ("json", "csv") else f"deskbench.checks.{family}"


@cache
def resolve(name: str) -> CheckFunction:
    """The function of a check's name; LookupError with what there is instead."""
    name = SHORTHANDS.get(name, name)
    if ":" in name:
        module_name, _, function_name = name.partition(":")
    else:
        family, _, function_name = name.partition(".")
        if family not in FAMILIES:
            raise LookupError(f"there is no check {name!r}; the families are {', '.join(FAMILIES)}")
        module_name = _module_of(family)
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise LookupError(f"the check {name!r} cannot be loaded: {error}") from error
    function = getattr(module, function_name, None)
    if not callable(function) or function_name.startswith("_") or (":" not in name and function_name not in functions_of(module)):
        raise LookupError(f"there is no check {name!r}; {name.partition('.')[0]} has {', '.join(functions_of(module))}")
    checked: CheckFunction = function
    return checked


def functions_of(module: Any) -> list[str]:
    """The checks of a family: its own public functions whose first parameter is the evidence."""
    found = []
    for name, function in vars(module).items():
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
            first = next(iter(inspect.signature(function).parameters), None)
            if first == "evidence":
                found.append(name)
    return sorted(found)


@cache
def arguments_of(name: str) -> type[BaseModel]:
    """The schema of a check's arguments, from its signature."""
    function = resolve(name)
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], default)
    return create_model(f"{name} arguments", __config__=ConfigDict(extra="forbid", arbitrary_types_allowed=True), **fields)


def arguments(name: str, given: Any) -> BaseModel:
    """A check's arguments, validated. A bare value or list is taken for the first argument."""
    model = arguments_of(name)
    if not isinstance(given, dict):
        given = {next(iter(model.model_fields)): given}
    return model.model_validate(given)


def files_named(checked: BaseModel) -> set[str]:
    """Every home path among validated arguments: these belong in the evidence whether they changed or not."""
    found: set[str] = set()
    for name, field in type(checked).model_fields.items():
        value = getattr(checked, name)
        if value is not None and _is_home_path(field.annotation, field.metadata):
            found.update([value] if isinstance(value, str) else value)
    return found


def _is_home_path(annotation: Any, metadata: list[Any]) -> bool:
    marker = get_args(HomePath)[1]
    if marker in metadata:
        return True
    if get_origin(annotation) is Annotated and marker in get_args(annotation)[1:]:
        return True
    return any(_is_home_path(inner, []) for inner in get_args(annotation))


def probes_for(name: str, checked: BaseModel) -> list[tuple[Probe, str]]:
    """The probes that a check needs, each with the file it reads."""
    function = resolve(name)
    probe = getattr(importlib.import_module(function.__module__), "PROBES", {}).get(function.__name__)
    if callable(probe):  # what is run depends on what the check was given
        needed: list[tuple[Probe, str]] = probe(checked)
        return needed
    return [(probe, path) for path in sorted(files_named(checked))] if probe is not None else []


def apply(name: str, checked: BaseModel, evidence: Evidence) -> Finding:
    """Judge one thing. A stranger's broken file is a failed finding; any other exception is a CheckFault."""
    function = resolve(name)
    values = {field: getattr(checked, field) for field in type(checked).model_fields}
    try:
        finding = function(evidence, **values)
    except BadArtifact as error:
        finding = failed(str(error))
    except Fault:
        raise
    except Exception as error:
        raise CheckFault(f"the check {name} broke: {type(error).__name__}: {error}") from error
    return finding.model_copy(update={"check": name})
