"""Probes: applications run headless in fresh sandboxes after the agent is gone; what they write becomes evidence."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from deskbench.core import evidence as layout
from deskbench.core.faults import CheckFault
from deskbench.core.ports import Desktop
from deskbench.core.probe import Probe

OUT_LIMIT = 64 << 20


def run_probes(needed: Sequence[tuple[Probe, str]], evidence: Path, open_desktop: Callable[[], Desktop]) -> None:
    """Run every probe whose artifact is there. An application that fails on it has not read it; a check will say so."""
    for probe, path in needed:
        artifact = evidence / layout.HOME / path
        if artifact.is_symlink() or not artifact.exists():
            continue
        desktop = open_desktop()
        try:
            _run(probe, path, artifact, evidence / layout.PROBES / probe.name / path, desktop)
        finally:
            desktop.close()


def _run(probe: Probe, path: str, artifact: Path, folder: Path, desktop: Desktop) -> None:
    inside, out = f"{layout.HOME_IN_DESKTOP}/in/{PurePosixPath(path).name}", f"{layout.HOME_IN_DESKTOP}/out"
    desktop.put({**dict(_placed(artifact, inside)), **{f"probe/{name}": text.encode() for name, text in probe.files.items()}})
    desktop.run(["mkdir", "-p", "out", *([inside] if artifact.is_dir() else [])])
    argv = [part.replace("{file}", inside).replace("{out}", out).replace("~/", layout.HOME_IN_DESKTOP + "/") for part in probe.argv]
    if desktop.run(["which", argv[0]], seconds=5).status != 0:
        raise CheckFault(f"the {probe.name} probe needs {argv[0]}, which is not installed; run: deskbench setup --apps {probe.app}")
    ran = desktop.run(argv, seconds=probe.seconds)
    listed = desktop.run(["find", "out", "-type", "f", "-size", f"-{OUT_LIMIT}c", "-printf", "%P\\0"])
    names = [name for name in listed.out.decode(errors="replace").split("\0") if name]
    for name in names:
        target = folder / "out" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(desktop.run(["cat", f"out/{name}"], output_limit=OUT_LIMIT).out)
    folder.mkdir(parents=True, exist_ok=True)
    said = ran.err.decode(errors="replace")[-2000:]
    status = ran.status if names or ran.status else 1
    outcome = {"status": status, "timed_out": ran.timed_out, "seconds": round(ran.seconds, 2), "said": said}
    (folder / "probe.json").write_text(json.dumps(outcome, indent=1))


def _placed(artifact: Path, inside: str) -> Iterator[tuple[str, Path]]:
    """A file at its place, or every file of a folder at theirs; links stay outside."""
    if artifact.is_file():
        yield inside, artifact
        return
    for folder, _, names in os.walk(artifact):
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                yield f"{inside}/{file.relative_to(artifact)}", file
