"""Everything a report says, as plain data; tables and pages only render it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from deskbench.core.episode import Episode
from deskbench.report.people import by_mode
from deskbench.report.statistics import by, by_task, intermediate, middle, pass_at_k, pass_hat_k, success
from deskbench.store.run_folder import RunFolder

K = (1, 2, 4, 8)


def summary(runs: Sequence[RunFolder]) -> dict[str, Any]:
    """What one or several runs say together, and each agent by itself."""
    episodes = [episode for run in runs for episode in run.episodes()]
    agents = sorted({episode.spec.agent for episode in episodes})
    return {
        "runs": [str(run.folder) for run in runs],
        **numbers(episodes),
        "agents": {agent: numbers([e for e in episodes if e.spec.agent == agent]) for agent in agents},
    }


def numbers(episodes: Sequence[Episode]) -> dict[str, Any]:
    """The figures of a set of episodes."""
    outcomes = by_task(episodes)
    judged = [episode for episode in episodes if episode.verdict.fault is None]
    most = max((len(tries) for tries in outcomes.values()), default=0)
    return {
        "episodes": len(episodes),
        "success": {
            "overall": asdict(success(episodes)),
            "by_level": _rates(by(episodes, lambda e: [e.level])),
            "by_app": _rates(by(episodes, lambda e: e.apps)),
            "by_tools": _rates(by(episodes, lambda e: ["+".join(e.tools) or "desktop only"])),
            "by_domain": _rates(by(episodes, lambda e: [e.domain.partition("/")[0]])),
        },
        "people": by_mode(episodes),
        "intermediate": intermediate(episodes),
        "pass_at_k": {str(k): pass_at_k(outcomes, k) for k in K if k <= most},
        "pass_hat_k": {str(k): pass_hat_k(outcomes, k) for k in K if k <= most},
        "steps": {"median": middle(e.steps for e in judged), "median_passed": middle(e.steps for e in judged if e.verdict.passed)},
        "seconds": {
            "median": middle(e.times.whole for e in judged),
            "overhead_median": middle(map(overhead, judged)),
        },
        "stops": dict(Counter(episode.stop for episode in judged)),
        "faults": {
            "episodes": len(episodes) - len(judged),
            "retried": sum(len(episode.faults) for episode in episodes),
            "by_place": dict(Counter(e.verdict.fault.where for e in episodes if e.verdict.fault is not None)),
        },
    }


def overhead(episode: Episode) -> float:
    """Seconds that neither the applications' start nor the agent's looking, deciding and acting took: the harness's own."""
    times = episode.times
    return max(0.0, times.whole - times.launch - times.observe - times.decide - times.act)


def _rates(rates: dict[str, Any]) -> dict[str, Any]:
    return {name: asdict(rate) for name, rate in rates.items()}


def outcome(episode: Episode) -> str:
    """One word for how an episode came out."""
    if episode.verdict.fault is not None:
        return "fault"
    return "passed" if episode.verdict.passed else "failed"


def default_page(runs: Sequence[RunFolder]) -> Path:
    """Where the page of a report goes if nobody says."""
    return runs[0].folder / "report.html"
