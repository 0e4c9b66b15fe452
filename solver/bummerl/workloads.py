"""Standard workloads: the same seeded work on every machine, with exact nodes beside the times."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bummerl.cards import parse_hand
from bummerl.close import close
from bummerl.deals import random_positions
from bummerl.engine import DEFAULT, Settings, kernels, rows_array, workspaces
from bummerl.kernels.cache import source_fingerprint
from bummerl.position import Position
from bummerl.solve import solve


@dataclass(frozen=True, slots=True)
class Timing:
    """One workload: how much work, how long it took, and how many nodes it searched.

    Attributes
    ----------
    name, what : str
        The workload.
    count : int
        Positions.
    nodes : int
        Nodes over all of them: exact, the same on every machine.
    seconds : tuple of float
        Wall time of each run.
    """

    name: str
    what: str
    count: int
    nodes: int
    seconds: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Microseconds a position, in the median run."""
        return statistics.median(self.seconds) / self.count * 1e6

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "workload": self.name,
            "what": self.what,
            "count": self.count,
            "nodes": self.nodes,
            "seconds": list(self.seconds),
            "microseconds": self.mean,
        }


def _values(positions: list[Position], settings: Settings) -> Callable[[], int]:
    """Prepare the values of positions under one set of rules, rows made beforehand."""
    import numpy as np

    rows = rows_array(positions)
    values, nodes = np.zeros(len(rows), dtype=np.int8), np.zeros(len(rows), dtype=np.int64)

    def run() -> int:
        kernels().values(workspaces.get(settings, positions[0].rules).array, rows, values, nodes)
        return int(nodes.sum())

    return run


def _solutions(positions: list[Position], settings: Settings) -> Callable[[], int]:
    return lambda: sum(solve(position, settings).nodes for position in positions)


def _closed_hands(settings: Settings) -> tuple[int, Callable[[], int]]:
    position = Position.parse("trump=DJ me=SAT,HA,DK,CA")
    count = close(position, settings).hands * parse_hand("SAT,HA,DK,CA").bit_count()
    return count, lambda: close(position, settings).nodes


def workloads(settings: Settings = DEFAULT, scale: float = 1.0) -> dict[str, tuple[str, int, Callable[[], int]]]:
    """Return the standard workloads by name: what they do, how many positions, and the function to time.

    Parameters
    ----------
    settings : Settings, optional
        Search settings.
    scale : float
        Part of the positions to use.
    """

    def size(full: int) -> int:
        return max(1, round(full * scale))

    deals = random_positions(size(1000), seed=1)
    middle = random_positions(size(2000), seed=2, tricks=3)
    endgames = random_positions(size(20_000), seed=3, tricks=5)
    some = random_positions(size(300), seed=4)
    hands, closing = _closed_hands(settings)
    return {
        "deals": ("full deals, value", len(deals), _values(deals, settings)),
        "middle": ("after three tricks, value", len(middle), _values(middle, settings)),
        "endgames": ("after five tricks, value", len(endgames), _values(endgames, settings)),
        "solutions": ("full deals, all moves and line", len(some), _solutions(some, settings)),
        "closed": ("hands and leads of one close", hands, closing),
    }


def measure(
    names: list[str] | None = None, runs: int = 5, scale: float = 1.0, settings: Settings = DEFAULT
) -> list[Timing]:
    """Time the standard workloads.

    Parameters
    ----------
    names : list of str, optional
        Which; all by default.
    runs : int
        Timed runs of each, after one that is not counted.
    scale : float
        Part of the positions to use.
    settings : Settings, optional
        Search settings.
    """
    timings = []
    for name, (what, count, run) in workloads(settings, scale).items():
        if names and name not in names:
            continue
        nodes = run()
        seconds = []
        for _ in range(runs):
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
        timings.append(Timing(name, what, count, nodes, tuple(seconds)))
    return timings


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
