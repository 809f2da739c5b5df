"""Everything that can go wrong, drawn once.

    DeskbenchError
    ├── Misuse            the person at the command line asked for something that cannot be (exit 2)
    ├── Stopped           the person pressed Ctrl-C (exit 130)
    ├── BadAction         the agent asked for something that cannot be done; it is told, the episode goes on
    ├── BadArtifact       the agent left something unreadable: a failed finding
    └── Fault             ours: no score, the whole episode is tried again (exit 3)
        ├── DesktopFault  the desktop, its display or its sandbox
        ├── AppFault      an application that would not start or become ready
        ├── ModelFault    a model server
        ├── UserFault     the person at the other end, or the model that plays it
        ├── CheckFault    a check or a probe
        └── JudgeFault    a judging model

Every message is a sentence that says what failed and what to do next.
"""

from __future__ import annotations


class DeskbenchError(Exception):
    """The root of everything raised on purpose."""

    exit_status = 3


class Misuse(DeskbenchError):
    """Wrong use: a name that does not exist, an option that does not fit."""

    exit_status = 2


class Stopped(DeskbenchError):
    """Ctrl-C, after everything was put in order."""

    exit_status = 130


class BadAction(DeskbenchError):
    """An action that this desktop cannot carry out; the reason goes back to the agent."""


class BadArtifact(DeskbenchError):
    """What the agent left cannot be read; the reason becomes a failed finding."""


class Fault(DeskbenchError):
    """A failure of ours. `where` names the boundary it happened at."""

    where = "deskbench"


class DesktopFault(Fault):
    where = "desktop"


class AppFault(Fault):
    where = "app"


class ModelFault(Fault):
    where = "model"


class UserFault(Fault):
    where = "user"


class CheckFault(Fault):
    where = "check"


class JudgeFault(Fault):
    where = "judge"
