"""Compare independent search configurations at scale, and positions with answers found elsewhere.

Known bugs of this kind of search show up once in 1,000 to 100,000 positions, so the tests alone do not see
them. Run it after every change of a kernel::

    python benchmarks/agreement.py
    python benchmarks/agreement.py --answers FILE.jsonl

FILE holds records with an ``oracle``: the value for ``me`` that another solver found.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bummerl.arrays import random_rows
from bummerl.close import close
from bummerl.deals import random_position
from bummerl.engine import FEATURES, Settings
from bummerl.files import read_file
from bummerl.kernels import workspace as layout
from bummerl.position import Position
from bummerl.records import Record
from bummerl.rules import PRESETS, Rules
from bummerl.solve import solve_many
from bummerl.worlds import hide

RULES = [*PRESETS.values(), Rules.parse("soft+closed_count=end"), Rules.parse("sharp+closed_count=end")]
# Nothing in common but the rules: no table, no bounds, no order learnt from the search.
PLAIN = Settings(table_bits=10, features=frozenset())
# A whole deal needs a table; this one stores single scores and shares no bound with the default.
TABLE_ONLY = Settings(table_bits=20, features=frozenset({"table"}))
# Plans: fronts without bounds and with plain dominance, over a strict search without a table.
UNBOUNDED = Settings(table_bits=10, features=frozenset({"winners"}))


def compare(name: str, positions: list[Position], first: Settings, second: Settings) -> int:
    """Solve positions both ways; print and count the differences."""
    start = time.perf_counter()
    one, nodes_one = solve_many(positions, first)
    two, nodes_two = solve_many(positions, second)
    different = [i for i in range(len(positions)) if one[i] != two[i]]
    for i in different[:5]:
        print(f"  {one[i]:+d} against {two[i]:+d}: {positions[i]}")
    seconds = time.perf_counter() - start
    print(
        f"{name}: {len(positions):,} positions, {len(different)} differ; "
        f"nodes {nodes_one.sum():,} and {nodes_two.sum():,}; {seconds:.0f} s",
        flush=True,
    )
    return len(different)


def endgame_rows(count: int, seed: int, closer: int) -> Any:
    """Return strict positions of five cards each as rows: the talon used up, or closed by a player.

    Either player leads, and the points are those of some tricks of random play.
    """
    if closer < 0:
        return random_rows(count, seed, 5)
    rows = np.concatenate([random_rows(count // 5, seed + tricks, tricks) for tricks in range(5)])
    points = 66 - rows[:, layout.NEED + 1 - closer]
    rows[:, layout.CLOSER] = closer
    rows[:, layout.BASE] = np.where(points == 0, 3, np.where(points < 33, 2, 1))
    rows[:, layout.FAIL] = np.where(points == 0, 3, 2)
    rows[:, [layout.LEFT, layout.EXCHANGED, *range(layout.CARDS, layout.CARDS + 10)]] = 0
    return rows


def compare_rows(name: str, count: int, seed: int, closer: int) -> int:
    """Solve rows both ways, a part under each set of rules; print and count the differences."""
    start = time.perf_counter()
    different = total = 0
    for number, rules in enumerate(RULES):
        rows = endgame_rows(count // len(RULES), seed + 10 * number, closer)
        one, two = (solve_many(rows, settings, rules=rules)[0] for settings in (Settings(), PLAIN))
        total += len(rows)
        different += int((one != two).sum())
        for i in np.flatnonzero(one != two)[:3]:
            print(f"  {one[i]:+d} against {two[i]:+d} under {rules}: {rows[i].tolist()}")
    print(f"{name}: {total:,} positions, {different} differ; {time.perf_counter() - start:.0f} s", flush=True)
    return different


def sample(count: int, seed: int, tricks: tuple[int, ...], closed: bool | None = None) -> list[Position]:
    """Return random positions over all rules, half of them in the middle of a trick."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = random_position(rng, rng.choice(RULES), rng.choice(tricks), rng.random() < 0.5)
        if closed is None or bool(position.closed) == closed:
            found.append(position)
    return found


def closes(count: int, seed: int, tricks: tuple[int, ...]) -> list[Position]:
    """Return random hidden positions with ``me`` on turn: he may close, or the talon is closed."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = random_position(rng, rng.choice(RULES), rng.choice(tricks), rng.random() < 0.3)
        # Half of the positions are closed where that is possible, by whoever is on turn.
        closing = [move for move in position.legal_moves() if move.close]
        if closing and rng.random() < 0.5:
            position = position.play(rng.choice(closing))
        if position.outcome is None and position.turn == 0 and (position.closed or position.may_close):
            found.append(hide(position))
    return found


def compare_plans(name: str, positions: list[Position], second: Settings, seconds: float) -> int:
    """Look for plans both ways; what is certain must not contradict, and what is exact must be equal."""
    start = time.perf_counter()
    different = exact = 0
    for position in positions:
        one, two = close(position, seconds=seconds), close(position, second, seconds=seconds)
        exact += one.plan.exact and two.plan.exact
        other = {first.move: first for first in two.moves}
        pairs = [(one.plan, two.plan)] + [(first.plan, other[first.move].plan) for first in one.moves]
        if one.open_cards != two.open_cards or any(a.won > b.upper or b.won > a.upper for a, b in pairs):
            different += 1
            print(f"  {one.plan} against {two.plan}: {position}")
    print(
        f"{name}: {len(positions):,} positions, {exact:,} exact both ways, {different} differ; "
        f"{time.perf_counter() - start:.0f} s",
        flush=True,
    )
    return different


def check_answers(path: Path) -> int:
    """Compare with the answers in a file."""
    records: list[Record] = []
    refused = 0
    for item in read_file(path):
        if isinstance(item, Record):
            records.append(item)
        else:
            refused += 1
            print(f"  refused: {item.located()}")
    values, _ = solve_many([record.position for record in records])
    wrong = [r for r, value in zip(records, values, strict=True) if r.extra["oracle"] != value]
    for record in wrong[:5]:
        print(f"  {record.to_line()}: oracle {record.extra['oracle']}")
    print(f"{path.name}: {len(records):,} positions, {len(wrong)} differ, {refused} refused")
    return len(wrong) + refused


def plans(size: Callable[[int], int], seed: int) -> int:
    """Compare plans of all sizes."""
    wrong = compare_plans("closes, up to 56 hands", closes(size(4_000), seed + 4, (3, 4)), UNBOUNDED, 1.0)
    wrong += compare_plans("closes, up to 252 hands", closes(size(1_000), seed + 5, (2,)), UNBOUNDED, 1.0)
    return wrong + compare_plans("closes, up to 2002 hands", closes(size(60), seed + 6, (0, 1)), UNBOUNDED, 1.0)


def main() -> None:
    """Run the comparisons; exit status 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=Path, nargs="*", default=[], help="files of records with an oracle value")
    parser.add_argument("--plans-only", action="store_true", help="only the plans of closes")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the usual numbers")
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()
    if options.answers:
        sys.exit(1 if sum(check_answers(path) for path in options.answers) else 0)

    def size(full: int) -> int:
        return max(1, round(full * options.scale))

    full = Settings(features=frozenset(FEATURES))
    wrong = 0
    if options.plans_only:
        sys.exit(1 if plans(size, options.seed) else 0)
    for name, closer in (("talon used up", -1), ("closed by me", 0), ("closed by the other", 1)):
        wrong += compare_rows(f"five cards each, {name}", size(200_000), options.seed + 1000 * closer + 5000, closer)
    late = (5, 6, 7)
    wrong += compare("open endgames", sample(size(100_000), options.seed, late, False), full, PLAIN)
    wrong += compare("closed talon", sample(size(100_000), options.seed + 1, (2, 3, 4, 5, 6), True), full, PLAIN)
    wrong += compare("after three or four tricks", sample(size(5_000), options.seed + 2, (3, 4)), full, PLAIN)
    wrong += compare("full deals", sample(size(2_000), options.seed + 3, (0,)), full, TABLE_ONLY)
    wrong += plans(size, options.seed)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
