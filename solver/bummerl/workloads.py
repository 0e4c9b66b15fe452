"""Standard workloads: the same seeded work on every machine, cut into parts that are timed one by one."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bummerl.arrays import make_rows, position_rows, random_rows
from bummerl.batch import Wanted, run_batch
from bummerl.cards import parse_hand
from bummerl.close import close, closing_moves, open_card_values
from bummerl.deals import iterate_positions, random_positions
from bummerl.engine import DEFAULT, Settings, kernels, workspaces
from bummerl.games.contracts import CONTRACTS
from bummerl.games.hand import TableHand
from bummerl.games.table import TablePosition
from bummerl.layouts import Layouts
from bummerl.position import Position
from bummerl.rules import Rules
from bummerl.solve import solve
from bummerl.table_deals import random_tables
from bummerl.table_solve import TableWorkspace, table_rows, value_rows
from bummerl.tasks import Task
from bummerl.worlds import hide, opponent_hands

_FAIR = 0.3
_CLOSE = "trump=DJ me=SAT,HA,DK,CA"


@dataclass(frozen=True, slots=True)
class Work:
    """A workload ready to be timed.

    Attributes
    ----------
    what : str
        What it does.
    size : int
        Positions in each part.
    parts : list of callable
        Each does its part and returns the nodes it searched.
    process : bool
        The parts are processes of their own, and their CPU time counts.
    """

    what: str
    size: int
    parts: list[Callable[[], int]]
    process: bool = False


def _values(what: str, rows: Any, settings: Settings, size: int = 1, rules: Rules = Rules()) -> Work:
    """Value rows, `size` of them in a part."""
    import numpy as np

    size = min(size, len(rows))

    def part(first: int) -> Callable[[], int]:
        mine = rows[first : first + size]
        values, nodes = np.zeros(len(mine), dtype=np.int8), np.zeros(len(mine), dtype=np.int64)

        def run() -> int:
            kernels().values(workspaces.get(settings, rules).array, mine, values, nodes)
            return int(nodes.sum())

        return run

    return Work(what, size, [part(first) for first in range(0, len(rows) - size + 1, size)])


def _solutions(what: str, positions: list[Position], settings: Settings, line: bool) -> Work:
    def part(position: Position) -> Callable[[], int]:
        return lambda: solve(position, settings, line=line).nodes

    return Work(what, 1, [part(position) for position in positions])


def _session(position: Position, settings: Settings) -> Iterator[Position]:
    """Go through what somebody looks at who studies a deal: on along the best line, back, and on elsewhere."""
    here = position
    while here.outcome is None:
        solution = solve(here, settings)
        yield here
        worst = here.play(solution.moves[-1].move)
        if worst.outcome is None and len(solution.moves) > 1:
            yield worst
            yield here
        here = here.play(solution.moves[0].move)


def _closes(tricks: int, count: int, seed: int) -> list[Position]:
    """Make hidden positions that may be closed, after so many tricks, with a fair chance of success."""
    found: list[Position] = []
    for position in iterate_positions(50 * count, seed, tricks=tricks):
        if len(found) == count:
            break
        if position.turn == 0 and position.may_close:
            hidden = hide(position)
            moves, hands = closing_moves(hidden), opponent_hands(hidden)
            values = open_card_values(hidden, moves, hands, workspaces.get(DEFAULT, hidden.rules))[1]
            if float((values.max(axis=1) > 0).mean()) >= _FAIR:
                found.append(hidden)
    return found


def _all_leads(settings: Settings, repeats: int) -> Work:
    position = Position.parse(_CLOSE)
    moves, hands = closing_moves(position), opponent_hands(position)

    def run() -> int:
        workspace = workspaces.get(settings, position.rules)
        before = workspace.nodes
        open_card_values(position, moves, hands, workspace)
        return workspace.nodes - before

    return Work("one close: all hands, all leads", len(hands) * len(moves), [run] * repeats)


def _best_lead(settings: Settings, repeats: int) -> Work:
    position = Position.parse(_CLOSE)
    rows = make_rows(
        me=[position.me] * 2002, opp=opponent_hands(position), trump=position.trump, closed_by=0, closed_points=0
    )
    work = _values("one close: all hands, best lead", rows, settings, len(rows))
    return Work(work.what, work.size, work.parts * repeats)


def _tables(what: str, tables: list[TablePosition]) -> Work:
    """Value positions of Bauernschnapsen, a hundred at a time."""

    def part(some: list[TablePosition]) -> Callable[[], int]:
        rows = table_rows(some)
        return lambda: int(value_rows(rows, TableWorkspace())[1].sum())

    return Work(what, 100, [part(tables[i : i + 100]) for i in range(0, len(tables), 100)])


def _layouts(count: int) -> Work:
    """Play the contract of one hand in many layouts."""
    layouts = Layouts(TableHand(parse_hand("HAT,SA,DKJ"), 0, 1))
    return Work(
        "Bauernschnapsen, a Schnapser in many layouts",
        count,
        [lambda: layouts.count(CONTRACTS["schnapser"], most=count).nodes],
    )


def _batch(what: str, count: int, workers: int, value_only: bool) -> Work:
    """Answer a file of deals, as `bummerl batch` does."""
    deals = "".join(f"{position}\n" for position in random_positions(count, seed=10))

    def run() -> int:
        with tempfile.TemporaryDirectory(prefix="bummerl-") as folder:
            source = Path(folder) / "deals.txt"
            source.write_text(deals)
            run_batch(source, Path(folder) / "results.jsonl", Wanted(Task(value_only=value_only)), workers=workers)
        return 0

    return Work(what, count, [run])


def _process(what: str, *arguments: str, cold: bool = False) -> Work:
    """Run a command in a process of its own, cold: with an empty cache of kernels."""
    import os
    import subprocess

    def run() -> int:
        with tempfile.TemporaryDirectory(prefix="bummerl-") as folder:
            more = {"BUMMERL_CACHE_DIR": folder} if cold else {}
            command = [sys.executable, "-m", "bummerl_cli", *arguments]
            subprocess.run(command, env=os.environ | more, check=True, capture_output=True)
        return 0

    return Work(what, 1, [run], process=True)


def workloads(settings: Settings = DEFAULT, scale: float = 1.0) -> dict[str, Callable[[], Work]]:
    """Return the standard workloads by name, each a function that prepares it.

    Parameters
    ----------
    settings : Settings, optional
        Search settings.
    scale : float
        Part of the positions to use.
    """

    def n(full: int) -> int:
        return max(1, round(full * scale))

    def values(what: str, count: int, seed: int, tricks: int = 0, rules: Rules = Rules()) -> Work:
        rows = position_rows(random_positions(n(count), seed, rules, tricks))
        return _values(what, rows, settings, rules=rules)

    def plans(what: str, count: int, seed: int, tricks: int) -> Work:
        positions = _closes(tricks, n(count), seed)

        def part(position: Position) -> Callable[[], int]:
            return lambda: close(position, settings).nodes

        return Work(what, 1, [part(position) for position in positions])

    def session() -> Work:
        deals = random_positions(n(20), seed=9)
        return _solutions(
            "studying deals: on, back, on", [p for deal in deals for p in _session(deal, settings)], settings, True
        )

    def mixed() -> Work:
        rows = [position_rows(random_positions(n(250), 11, rules)) for rules in _RULE_SETS]
        parts = [
            part
            for rules, own in zip(_RULE_SETS, rows, strict=True)
            for part in _values("", own, settings, 1, rules).parts
        ]
        return Work("deals of four rule sets, value", 1, parts)

    return {
        "deals": lambda: values("full deals, value", 1000, 1),
        "rules": mixed,
        "middle": lambda: values("after three tricks, value", 2000, 2, tricks=3),
        "endgames": lambda: _values("strict endgames 5+5, value", random_rows(n(100_000), 3, 5), settings, 1000),
        "actions": lambda: _solutions(
            "full deals, all actions", random_positions(n(500), seed=4), settings, line=False
        ),
        "solutions": lambda: _solutions(
            "full deals, all actions and line", random_positions(n(500), seed=4), settings, line=True
        ),
        "session": session,
        "closed": lambda: _all_leads(settings, n(20)),
        "closed-value": lambda: _best_lead(settings, n(20)),
        "plans-10": lambda: plans("closes after two tricks", 200, 5, tricks=2),
        "plans-12": lambda: plans("closes after one trick", 100, 6, tricks=1),
        "plans-14": lambda: plans("closes at the first lead", 60, 7, tricks=0),
        "sixty-six": lambda: values("Sixty-Six, full deals, value", 100, 14, rules=_SIXTY_SIX),
        "sixty-six-end": lambda: _values(
            "Sixty-Six, endgames, value",
            position_rows(random_positions(n(5000), 15, _SIXTY_SIX, 6)),
            settings,
            1000,
            _SIXTY_SIX,
        ),
        "races": lambda: _tables("Bauernschnapsen, Rufer, value", random_tables(n(2000), 12)),
        "contracts": lambda: _tables(
            "Bauernschnapsen, other contracts, value",
            [table for name in _CONTRACTS for table in random_tables(n(1000), 13, name)],
        ),
        "layouts": lambda: _layouts(n(40_000)),
        "batch-1": lambda: _batch("batch, solutions, one worker", n(4000), 1, value_only=False),
        "batch-2": lambda: _batch("batch, solutions, two workers", n(4000), 2, value_only=False),
        "values-1": lambda: _batch("batch, values, one worker", n(10_000), 1, value_only=True),
        "values-2": lambda: _batch("batch, values, two workers", n(10_000), 2, value_only=True),
        "help": lambda: _process("bummerl --help", "--help"),
        "one": lambda: _process("bummerl solve of one position", "solve", *_ONE.split()),
        "compile": lambda: _process("first compile of everything", "cache", "warm", cold=True),
    }


_RULE_SETS = tuple(Rules.parse(text) for text in ("soft", "rulebook", "sharp", "soft+closed_count=end"))
_CONTRACTS = ("bettler", "schnapser", "durchmarsch", "zehnerloch", "kontraschnapser", "bauernschnapser")
_SIXTY_SIX = Rules(game="sixty-six")
_ONE = "trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20"
# Those that take long or measure a process are run when they are asked for.
NAMES = tuple(workloads())
STANDARD = NAMES[: NAMES.index("batch-1")]
