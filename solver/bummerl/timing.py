"""Timing the standard workloads, comparing two runs, and the node signature of the search."""

from __future__ import annotations

import math
import platform
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bummerl.engine import DEFAULT, Settings
from bummerl.kernels.cache import source_fingerprint
from bummerl.workloads import STANDARD, Work, workloads

# Quantiles of Student's t for 95 %, by degrees of freedom; the next smaller one serves those between.
_T = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 12: 2.18, 20: 2.09, 60: 2.0}
_SIGNED = (
    "deals",
    "rules",
    "middle",
    "endgames",
    "actions",
    "closed",
    "plans-10",
    "plans-14",
    "sixty-six",
    "sixty-six-end",
    "races",
    "contracts",
    "layouts",
)


@dataclass(frozen=True, slots=True)
class Timing:
    """One workload: how much work, how long it took, and how many nodes it searched.

    Attributes
    ----------
    name, what : str
        The workload.
    size : int
        Positions in each part.
    nodes : int
        Nodes over all parts: exact, the same on every machine.
    runs : tuple of float
        Seconds of each run over all parts.
    parts : tuple of float
        Seconds of each part, the median over the runs.
    """

    name: str
    what: str
    size: int
    nodes: int
    runs: tuple[float, ...]
    parts: tuple[float, ...]

    @property
    def count(self) -> int:
        """Positions in all parts."""
        return self.size * len(self.parts)

    @property
    def mean(self) -> float:
        """Microseconds a position, in the median run."""
        return statistics.median(self.runs) / self.count * 1e6

    def quantile(self, share: float) -> float:
        """Return the microseconds a position below which such a share of the parts lies."""
        ordered = sorted(self.parts)
        return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] / self.size * 1e6

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "workload": self.name,
            "what": self.what,
            "size": self.size,
            "count": self.count,
            "nodes": self.nodes,
            "microseconds": self.mean,
            "median": self.quantile(0.5),
            "p99": self.quantile(0.99),
            "max": self.quantile(1.0),
            "runs": list(self.runs),
            "parts": [float(f"{seconds:.4g}") for seconds in self.parts],
        }

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Timing:
        """Read the JSON object of `to_dict`."""
        runs, parts = (tuple(map(float, given[key])) for key in ("runs", "parts"))
        if not (runs and parts and all(math.isfinite(seconds) and seconds >= 0 for seconds in (*runs, *parts))):
            raise ValueError("runs and parts are seconds")
        return cls(str(given["workload"]), str(given["what"]), int(given["size"]), int(given["nodes"]), runs, parts)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much faster a workload is than in another run.

    Attributes
    ----------
    name : str
        The workload.
    ratio : float
        Time then, divided by time now: the geometric mean over the parts, each compared with itself.
    low, high : float
        Its 95 % interval, from how much the parts differ. It does not know whether the machine was busier in
        one of the runs.
    nodes : int
        Nodes now less nodes then.
    """

    name: str
    ratio: float
    low: float
    high: float
    nodes: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "workload": self.name,
            "ratio": self.ratio,
            "low": self.low,
            "high": self.high,
            "more_nodes": self.nodes,
        }


def time_work(name: str, work: Work, runs: int) -> Timing:
    """Time one workload: a run that is not counted, then `runs` others."""
    clock = _children_cpu if work.process else time.perf_counter
    nodes = sum(part() for part in work.parts) if not work.process else 0
    seconds: list[list[float]] = []
    for _ in range(runs):
        seconds.append([])
        for part in work.parts:
            start = clock()
            part()
            seconds[-1].append(clock() - start)
    parts = tuple(statistics.median(times) for times in zip(*seconds, strict=True))
    return Timing(name, work.what, work.size, nodes, tuple(map(sum, seconds)), parts)


def _children_cpu() -> float:
    import os

    times = os.times()
    return times.children_user + times.children_system


def measure(
    names: Sequence[str] = STANDARD, runs: int = 5, scale: float = 1.0, settings: Settings = DEFAULT
) -> list[Timing]:
    """Time the standard workloads.

    Parameters
    ----------
    names : sequence of str, optional
        Which; those of one thread in this process by default.
    runs : int
        Timed runs of each, after one that is not counted.
    scale : float
        Part of the positions to use.
    settings : Settings, optional
        Search settings.
    """
    return [time_work(name, prepare(), runs) for name, prepare in workloads(settings, scale).items() if name in names]


def compare(now: Timing, then: Timing) -> Comparison | None:
    """Compare two timings of a workload part by part; None if they did not do the same work.

    With a single part, its runs are paired in order.
    """
    if now.size != then.size or len(now.parts) != len(then.parts):
        return None
    pairs = list(zip(now.parts, then.parts, strict=True))
    if len(pairs) == 1:
        pairs = list(zip(now.runs, then.runs, strict=False))
    logs = [math.log(before / after) for after, before in pairs if before > 0 and after > 0]
    if not logs:
        return None
    middle = statistics.fmean(logs)
    margin = math.inf
    if len(logs) > 1:
        freedom = max(known for known in _T if known <= len(logs) - 1)
        margin = _T[freedom] * statistics.stdev(logs) / math.sqrt(len(logs))
    return Comparison(
        now.name, math.exp(middle), math.exp(middle - margin), math.exp(middle + margin), now.nodes - then.nodes
    )


def signature() -> dict[str, int]:
    """Count the nodes of a fixed suite of work: any change of the search moves the total.

    Returns
    -------
    dict of str to int
        Nodes of each workload, a part of it only, and their ``total``.
    """
    counts = {}
    for name in _SIGNED:
        scale = 0.05 if not name.startswith("plans") else 0.1
        counts[name] = sum(part() for part in workloads(DEFAULT, scale)[name]().parts)
    return {"total": sum(counts.values()), **counts}


def environment() -> dict[str, str]:
    """Describe what the times were measured with."""
    from bummerl import __version__

    return {
        "bummerl": __version__,
        "kernels": source_fingerprint(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "machine": f"{platform.machine()} {platform.system()} {_processor()}".strip(),
    }


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as info:
            return next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "")
    except OSError:
        return platform.processor()
