"""A run on disk.

    <run>/
      run.json                 the plan: what was asked for, and the versions of everything
      index.jsonl              a line an episode, for quick reading; made anew from the episodes whenever in doubt
      pictures/ab/abcd...jpg   every picture once, by what it shows
      episodes/<key>/
        episode.json           written last, atomically: where it is, the episode is complete
        attempt-1/             an attempt: what was recorded while it went on
          steps.jsonl          a line a step
          evidence/            what left the desktop
          log
        attempt-2/             faults are tried again; every attempt is kept

Nothing is ever edited in place. A file that is there is whole: it was written beside its place and renamed into it.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from deskbench.core.episode import Episode, Spec, Step
from deskbench.core.faults import Misuse
from deskbench.core.frame import Frame

JPEG_QUALITY = 85


def write_atomically(file: Path, data: bytes) -> None:
    """Put a whole file in its place, durably; a reader sees the old one or the new one."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with open(draft, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(draft, file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


class RunFolder:
    """One run on disk: opened by its folder, made by `create`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def create(cls, folder: Path, plan: dict[str, Any]) -> RunFolder:
        """Make the folder of a run, or go on with the one that is there if it was planned alike; Misuse otherwise."""
        run = cls(folder)
        if (folder / "run.json").exists():
            if run.plan["plan"] != plan["plan"]:
                raise Misuse(f"{folder} holds another run; choose another --out, or remove it")
            return run
        try:
            (folder / "episodes").mkdir(parents=True, exist_ok=True)
            (folder / "pictures").mkdir(exist_ok=True)
        except OSError as error:
            raise Misuse(f"the run folder {folder} cannot be made: {error.strerror}; choose another --out") from error
        write_atomically(folder / "run.json", json.dumps(plan, ensure_ascii=False, indent=1).encode())
        return run

    @classmethod
    def open(cls, folder: Path) -> RunFolder:
        """A run that is there; Misuse if there is none."""
        if not (folder / "run.json").is_file():
            raise Misuse(f"{folder} is not a run: it has no run.json; deskbench run makes one")
        return cls(folder)

    @property
    def plan(self) -> dict[str, Any]:
        """What was asked for."""
        try:
            found: dict[str, Any] = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        except ValueError as error:
            raise Misuse(f"{self.folder / 'run.json'} is damaged: {error}") from error
        return found

    def episode_folder(self, key: str) -> Path:
        return self.folder / "episodes" / key

    def episode(self, key: str) -> Episode | None:
        """A complete episode, or None."""
        try:
            return Episode.model_validate_json((self.episode_folder(key) / "episode.json").read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError:
            return None  # written by a version that recorded something else: it is played again

    def episodes(self) -> Iterator[Episode]:
        """Every complete episode, in order of its key."""
        for folder in sorted((self.folder / "episodes").iterdir()):
            found = self.episode(folder.name)
            if found is not None:
                yield found

    def attempts(self, key: str) -> list[Path]:
        """The folders of an episode's attempts, first to last."""
        folder = self.episode_folder(key)
        return sorted(folder.glob("attempt-*"), key=lambda path: int(path.name.partition("-")[2])) if folder.is_dir() else []

    def steps(self, key: str) -> list[Step]:
        """The steps of an episode's last attempt; a half-written last line is not a step."""
        attempts = self.attempts(key)
        file = attempts[-1] / "steps.jsonl" if attempts else None
        if file is None or not file.exists():
            return []
        found = []
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                found.append(Step.model_validate_json(line))
            except ValidationError:
                break
        return found

    def evidence(self, key: str) -> Path:
        """The evidence of an episode's last attempt."""
        attempts = self.attempts(key)
        return (attempts[-1] if attempts else self.episode_folder(key)) / "evidence"

    def recorder(self, spec: Spec) -> EpisodeRecorder:
        """A recorder for the next attempt at an episode."""
        attempts = self.attempts(spec.key)
        number = int(attempts[-1].name.partition("-")[2]) + 1 if attempts else 1
        folder = self.episode_folder(spec.key) / f"attempt-{number}"
        folder.mkdir(parents=True)
        return EpisodeRecorder(folder, self.folder / "pictures", number)

    def seal(self, episode: Episode) -> None:
        """Write the record of an episode, which completes it."""
        write_atomically(self.episode_folder(episode.spec.key) / "episode.json", episode.model_dump_json(indent=1).encode())

    def rebuild_index(self) -> list[dict[str, Any]]:
        """The index, made anew from the episodes."""
        rows = [index_row(episode) for episode in self.episodes()]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        write_atomically(self.folder / "index.jsonl", text.encode())
        return rows

    def picture(self, name: str) -> Path:
        """Where a picture is."""
        return self.folder / "pictures" / name[:2] / name


def index_row(episode: Episode) -> dict[str, Any]:
    """What the index says of an episode."""
    return {
        "key": episode.spec.key,
        **episode.spec.model_dump(),
        "level": episode.level,
        "apps": episode.apps,
        "domain": episode.domain,
        "stop": episode.stop,
        "steps": episode.steps,
        "score": episode.verdict.score,
        "fault": episode.verdict.fault.sentence if episode.verdict.fault else None,
        "intermediate": episode.intermediate,
        "seconds": episode.times.whole,
        "attempt": episode.attempt,
        "digest": episode.digest,
    }


class EpisodeRecorder:
    """Writes one attempt down as it goes on; a line is on disk before the next step begins."""

    def __init__(self, folder: Path, pictures: Path, attempt: int) -> None:
        self.folder = folder
        self.attempt = attempt
        self._pictures = pictures
        self._steps = open(folder / "steps.jsonl", "a", encoding="utf-8")  # noqa: SIM115  closed with the attempt

    def picture(self, frame: Frame) -> str:
        """Keep a picture under the digest of what it shows."""
        name = hashlib.blake2b(frame.pixels.tobytes(), digest_size=16).hexdigest() + ".jpg"
        file = self._pictures / name[:2] / name
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            draft = file.with_name(f".{name}.{secrets.token_hex(4)}")
            draft.write_bytes(frame.jpeg(JPEG_QUALITY))
            os.replace(draft, file)
        return name

    def step(self, step: Step) -> None:
        self._steps.write(step.model_dump_json() + "\n")
        self._steps.flush()

    def log(self, line: str) -> None:
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            log.write(line.rstrip("\n") + "\n")

    def close(self) -> None:
        self._steps.close()

    def __enter__(self) -> EpisodeRecorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_runs(folders: Sequence[Path]) -> list[RunFolder]:
    """Several runs, each of which must be one."""
    return [RunFolder.open(folder) for folder in folders]
