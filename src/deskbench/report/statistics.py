"""Rates that know how sure they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import mean, median

from deskbench.core.episode import Episode

Z_95 = 1.959963984540054


@dataclass(frozen=True)
class Rate:
    """A share of n, with its 95 % interval by Wilson's score."""

    rate: float | None
    low: float
    high: float
    n: int


def wilson(successes: float, n: int) -> Rate:
    """Wilson's interval: honest for small numbers and at the ends, where the textbook one says 100 % +- 0."""
    if n == 0:
        return Rate(None, 0.0, 1.0, 0)
    share = successes / n
    centre = share + Z_95**2 / (2 * n)
    spread = Z_95 * sqrt(share * (1 - share) / n + Z_95**2 / (4 * n * n))
    scale = 1 + Z_95**2 / n
    return Rate(share, max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale), n)


def success(episodes: Iterable[Episode]) -> Rate:
    """The share of judged episodes that passed; faults are in no denominator."""
    judged = [episode for episode in episodes if episode.verdict.fault is None]
    return wilson(sum(episode.verdict.passed for episode in judged), len(judged))


def by(episodes: Sequence[Episode], key: Callable[[Episode], Iterable[str]]) -> dict[str, Rate]:
    """Success by one or several labels of an episode."""
    labels = sorted({label for episode in episodes for label in key(episode)})
    return {label: success([episode for episode in episodes if label in key(episode)]) for label in labels}


def by_task(episodes: Sequence[Episode]) -> dict[str, list[bool]]:
    """The outcomes of each task's judged episodes."""
    found: dict[str, list[bool]] = {}
    for episode in episodes:
        if episode.verdict.fault is None:
            found.setdefault(episode.spec.task, []).append(episode.verdict.passed)
    return found


def pass_at_k(outcomes: dict[str, list[bool]], k: int) -> float | None:
    """The chance that at least one of k tries passes, averaged over tasks that were tried at least k times."""
    chances = [1 - comb(len(o) - sum(o), k) / comb(len(o), k) for o in outcomes.values() if len(o) >= k]
    return mean(chances) if chances else None


def pass_hat_k(outcomes: dict[str, list[bool]], k: int) -> float | None:
    """The chance that all of k tries pass, averaged over tasks that were tried at least k times."""
    chances = [comb(sum(o), k) / comb(len(o), k) for o in outcomes.values() if len(o) >= k]
    return mean(chances) if chances else None


def intermediate(episodes: Iterable[Episode]) -> float | None:
    """The mean share of milestones reached, over judged episodes of tasks that have any."""
    shares = [e.intermediate for e in episodes if e.verdict.fault is None and e.intermediate is not None]
    return mean(shares) if shares else None


def middle(values: Iterable[float]) -> float | None:
    """The median, or None of nothing."""
    listed = list(values)
    return median(listed) if listed else None
