"""Blaming rightly: every call through a port is made inside a boundary, which says whose failure an exception is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from deskbench.core.faults import BadAction, DeskbenchError, Fault


class AgentBroke(Exception):
    """The agent itself raised; its episode is judged by what it left."""


@contextmanager
def ours(kind: type[Fault], what: str) -> Iterator[None]:
    """A stretch in which anything unexpected is a fault of this kind."""
    try:
        yield
    except (DeskbenchError, AgentBroke):
        raise
    except Exception as error:
        raise kind(f"{what} broke: {type(error).__name__}: {error}") from error


@contextmanager
def the_agents(what: str) -> Iterator[None]:
    """A stretch in which anything unexpected is the agent's doing; faults of model servers and our own pass through."""
    try:
        yield
    except Fault:
        raise
    except BadAction as error:
        raise AgentBroke(f"{what} raised: {error}") from error
    except Exception as error:
        raise AgentBroke(f"{what} raised {type(error).__name__}: {error}") from error
