"""Standard workloads: the same seeded work on every machine, with exact nodes beside the times."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from bummerl.close import close, closing_moves, open_card_values
from bummerl.deals import iterate_positions, random_positions
from bummerl.engine import DEFAULT, Settings, kernels, rows_array, workspaces
from bummerl.kernels.cache import source_fingerprint
from bummerl.position import Position
from bummerl.solve import solve
from bummerl.worlds import hide, opponent_hands

_FAIR = 0.3


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


class Work(NamedTuple):
    """A workload ready to be timed: what it does, how many positions, and the function, which returns the nodes."""

    what: str
    size: int
    run: Callable[[], int]


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


def _seen(position: Position, settings: Settings) -> tuple[int, float, Callable[[], int]]:
    """Return how many first moves and hands a close has, the share of hands beaten with open cards, and a run."""
    moves, hands = closing_moves(position), opponent_hands(position)

    def run() -> int:
        workspace = workspaces.get(settings, position.rules)
        before = workspace.nodes
        open_card_values(position, moves, hands, workspace)
        return workspace.nodes - before

    values = open_card_values(position, moves, hands, workspaces.get(settings, position.rules))[1]
    return values.size, float((values.max(axis=1) > 0).mean()), run


def _closes(tricks: int, count: int, seed: int) -> list[Position]:
    """Make hidden positions that may be closed, after so many tricks, with a fair chance of success."""
    found: list[Position] = []
    for position in iterate_positions(50 * count, seed, tricks=tricks):
        if len(found) == count:
            break
        if position.turn == 0 and position.may_close:
            hidden = hide(position)
            if _seen(hidden, DEFAULT)[1] >= _FAIR:
                found.append(hidden)
    return found


def _plans(positions: list[Position], settings: Settings) -> Callable[[], int]:
    return lambda: sum(close(position, settings).nodes for position in positions)


def workloads(settings: Settings = DEFAULT, scale: float = 1.0) -> dict[str, Callable[[], Work]]:
    """Return the standard workloads by name, each a function that prepares it.

    Parameters
    ----------
    settings : Settings, optional
        Search settings.
    scale : float
        Part of the positions to use.
    """

    def size(full: int) -> int:
        return max(1, round(full * scale))

    def values(what: str, count: int, seed: int, tricks: int = 0) -> Work:
        positions = random_positions(size(count), seed=seed, tricks=tricks)
        return Work(what, len(positions), _values(positions, settings))

    def solutions() -> Work:
        positions = random_positions(size(300), seed=4)
        return Work("full deals, all moves and line", len(positions), _solutions(positions, settings))

    def closed() -> Work:
        size, _, run = _seen(Position.parse("trump=DJ me=SAT,HA,DK,CA"), settings)
        return Work("hands and leads of one close", size, run)

    def plans(what: str, count: int, seed: int, tricks: int) -> Work:
        positions = _closes(tricks, size(count), seed)
        return Work(what, len(positions), _plans(positions, settings))

    return {
        "deals": lambda: values("full deals, value", 1000, 1),
        "middle": lambda: values("after three tricks, value", 2000, 2, tricks=3),
        "endgames": lambda: values("after five tricks, value", 20_000, 3, tricks=5),
        "solutions": solutions,
        "closed": closed,
        "plans-10": lambda: plans("closes after two tricks", 200, 5, tricks=2),
        "plans-12": lambda: plans("closes after one trick", 100, 6, tricks=1),
        "plans-14": lambda: plans("closes at the first lead", 60, 7, tricks=0),
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
    for name, prepare in workloads(settings, scale).items():
        if names and name not in names:
            continue
        what, count, run = prepare()
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
