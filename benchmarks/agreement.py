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
from pathlib import Path

from bummerl.deals import random_position
from bummerl.engine import FEATURES, Settings
from bummerl.files import read_file
from bummerl.position import Position
from bummerl.records import Record
from bummerl.rules import PRESETS, Rules
from bummerl.solve import solve_many

RULES = [*PRESETS.values(), Rules.parse("soft+closed_count=end"), Rules.parse("sharp+closed_count=end")]
# Nothing in common but the rules: no table, no bounds, no order learnt from the search.
PLAIN = Settings(table_bits=10, features=frozenset())
# A whole deal needs a table; this one stores single scores and shares no bound with the default.
TABLE_ONLY = Settings(table_bits=20, features=frozenset({"table"}))


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


def sample(count: int, seed: int, tricks: tuple[int, ...], closed: bool | None = None) -> list[Position]:
    """Return random positions over all rules, half of them in the middle of a trick."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = random_position(rng, rng.choice(RULES), rng.choice(tricks), rng.random() < 0.5)
        if closed is None or bool(position.closed) == closed:
            found.append(position)
    return found


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


def main() -> None:
    """Run the comparisons; exit status 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=Path, nargs="*", default=[], help="files of records with an oracle value")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the usual numbers")
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()
    if options.answers:
        sys.exit(1 if sum(check_answers(path) for path in options.answers) else 0)

    def size(full: int) -> int:
        return max(1, round(full * options.scale))

    full = Settings(features=frozenset(FEATURES))
    wrong = 0
    late = (5, 6, 7)
    wrong += compare("open endgames", sample(size(100_000), options.seed, late, False), full, PLAIN)
    wrong += compare("closed talon", sample(size(100_000), options.seed + 1, (2, 3, 4, 5, 6), True), full, PLAIN)
    wrong += compare("after three or four tricks", sample(size(5_000), options.seed + 2, (3, 4)), full, PLAIN)
    wrong += compare("full deals", sample(size(2_000), options.seed + 3, (0,)), full, TABLE_ONLY)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
