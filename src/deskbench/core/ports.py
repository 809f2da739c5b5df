"""The ports: what the house asks of a desktop and of an agent, whoever implements them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from deskbench.core.action import Action
from deskbench.core.app import App
from deskbench.core.episode import Step
from deskbench.core.evidence import Change
from deskbench.core.frame import Frame
from deskbench.core.observation import Observation, Settled, TimedFrame
from deskbench.core.task import Phase, Task


@dataclass(frozen=True, slots=True)
class Settle:
    """How long to wait for a quiet screen after an action; a limit of 0 does not wait at all."""

    limit_seconds: float = 5.0
    quiet_seconds: float = 0.12


@dataclass(frozen=True, slots=True)
class Acted:
    """What carrying out an action gave: how the screen settled, and frames taken meanwhile if they were asked for."""

    settled: Settled
    during: tuple[TimedFrame, ...] = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that ran inside a desktop. Output beyond the limit is cut, and `cut` says so."""

    status: int
    out: bytes
    err: bytes
    seconds: float
    timed_out: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Collected:
    """What left the desktop for the evidence folder."""

    folder: Path
    changes: tuple[Change, ...]


@runtime_checkable
class Desktop(Protocol):
    """A live desktop. A method works or raises: BadAction for what the agent asked wrongly, a Fault for what is ours.

    A desktop that was just opened or reset is pristine: its home is byte for byte the template.
    """

    size: tuple[int, int]

    def act(self, action: Action, *, settle: Settle = Settle(), watch_fps: float = 0.0) -> Acted:
        """Carry out one action, then wait for a quiet screen. With `watch_fps`, frames are taken meanwhile."""
        ...

    def observe(self, *, elements: bool = False) -> Observation:
        """Look; the accessibility elements only on request."""
        ...

    def settle(self, settle: Settle = Settle()) -> Settled:
        """Wait for a quiet screen without doing anything."""
        ...

    def frame(self) -> Frame:
        """The picture alone, at the cost of a memory copy."""
        ...

    def run(
        self,
        argv: Sequence[str],
        *,
        seconds: float = 30.0,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        output_limit: int = 1 << 20,
    ) -> Ran:
        """Run a command inside, as the user, and wait for it within a limit."""
        ...

    def start(self, argv: Sequence[str], *, env: Mapping[str, str] | None = None) -> None:
        """Start a program inside and leave it running."""
        ...

    def put(self, files: Mapping[str, bytes | Path]) -> None:
        """Write files below the home (`~/x`, `/home/user/x` or `x`), owned by the user."""
        ...

    def baseline(self) -> None:
        """From here on, what changes in the home is the agent's doing."""
        ...

    def launch(self, app: App, file: str | None = None, *, args: Sequence[str] = (), title: str | None = None) -> None:
        """Start an application and wait until it is ready; AppFault if it does not become so."""
        ...

    def peek(self, path: str, *, at_start: bool = False) -> Path | None:
        """Where the content of a path of the home lies on the host, now or at the baseline, without disturbing the desktop.

        None if there is nothing there.
        """
        ...

    def collect(self, folder: Path, keep: Sequence[str] = ()) -> Collected:
        """Take the evidence out, what changed and what `keep` names; the layout is that of `core.evidence`."""
        ...

    def reset(self) -> None:
        """Make it pristine again."""
        ...

    def close(self) -> None:
        """End every process and remove every trace; again is harmless."""
        ...


@dataclass(frozen=True, slots=True)
class Brief:
    """What an agent is told when it sits down."""

    instruction: str
    language: str
    screen: tuple[int, int]
    apps: tuple[str, ...]
    steps: int
    seconds: float
    guidance: str = ""
    """A textual tutorial, where the run gives one."""
    tools: tuple[str, ...] = ()
    """What is granted beside the desktop: shell, files."""
    guidance_pictures: tuple[bytes, ...] = ()
    """Pictures of the expert at work, encoded, in order, where the run gives them."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a decision cost at the model's server."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    model_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent decided: actions to carry out in order, or `invalid` with why its output could not be understood."""

    actions: tuple[Action, ...] = ()
    thought: str = ""
    raw: str = ""
    invalid: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Wants:
    """What an agent needs to see next, beyond the picture."""

    elements: bool = False
    marks: bool = False
    ocr: bool = False
    watch_fps: float = 0.0


@runtime_checkable
class Agent(Protocol):
    """Whoever sits at the desktop. It never holds a task, a desktop or a check."""

    def begin(self, brief: Brief) -> None:
        """Take the job."""
        ...

    def wants(self) -> Wants:
        """What it needs to see before it decides."""
        ...

    def decide(self, observation: Observation) -> Decision:
        """Decide what to do next. Output of a model that cannot be understood is a decision that says so, not an exception."""
        ...


@dataclass(frozen=True)
class Situation:
    """What a user knows when it is to speak: the job, how far it has come, and what is on the agent's screen."""

    task: Task
    language: str
    open: int
    """The phase that is open, by its place."""
    said: tuple[tuple[str, str], ...] = ()
    """The conversation so far: "user" or "agent", and the words."""
    frame: Frame | None = None
    reply: str = ""
    """The agent's words with its last action."""

    @property
    def told(self) -> tuple[Phase, ...]:
        """The phases that have opened, the newest last."""
        return self.task.course[: self.open + 1]


@dataclass(frozen=True)
class Utterance:
    """What a user says. `answers` tells whether it told a fact or had none to tell; None if it was not asked."""

    text: str
    phase: str | None = None
    answers: Literal["fact", "nothing"] | None = None
    note: str = ""
    """What is to be known about how it came about: why a model's words were not used, what the user thought of the work."""
    fallback: bool = False
    """A model's words could not be used, so that the task's own were."""


class User(Protocol):
    """The person at the other end. It never decides when it speaks, only how."""

    def tell(self, phase: Phase, now: Situation) -> Utterance:
        """Open a phase."""
        ...

    def answer(self, question: str, now: Situation) -> Utterance:
        """Answer a question that opens no phase."""
        ...


class Recorder(Protocol):
    """Where an episode writes itself down while it goes on."""

    folder: Path

    def picture(self, frame: Frame) -> str:
        """Keep a picture, once however often it comes, and give its name."""
        ...

    def step(self, step: Step) -> None:
        """Append one step."""
        ...

    def log(self, line: str) -> None:
        """Append a line to the log."""
        ...
