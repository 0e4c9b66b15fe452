"""How long the certified plan of a close takes, and how often it is exact within a second.

Random positions in which ``me`` may close, the talon open, with a fair chance of success (open cards: 0.3 or
more), default rules, one core. Timed is the whole of `bummerl.close`, all first moves included::

    python benchmarks/closes.py
    python benchmarks/closes.py --count 1000 --unseen 12 14
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator

from bummerl.close import close
from bummerl.deals import random_position
from bummerl.position import Position
from bummerl.rules import Rules
from bummerl.worlds import hide

TRICKS = {14: 0, 12: 1, 10: 2, 8: 3, 6: 4}
FAIR = 0.3


def candidates(unseen: int, seed: int) -> Iterator[Position]:
    """Go through random positions with so many unseen cards."""
    rng = random.Random(seed)
    while True:
        position = random_position(rng, Rules(), TRICKS[unseen], False)
        if position.turn == 0 and position.may_close:
            yield hide(position)


def main() -> None:
    """Print one line for each number of unseen cards."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--unseen", type=int, nargs="*", choices=sorted(TRICKS), default=sorted(TRICKS))
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    close(Position.parse("trump=DJ me=SAT,HT,DA,CA"))  # the kernels are loaded
    print("unseen  hands  closes   exact   moves exact  median ms     p90     max      nodes")
    for unseen in options.unseen:
        milliseconds: list[float] = []
        exact = moves = exact_moves = nodes = hands = 0
        for position in candidates(unseen, options.seed):
            start = time.perf_counter()
            result = close(position, seconds=options.seconds)
            spent = 1000 * (time.perf_counter() - start)
            if result.open_cards.probability < FAIR:
                continue
            milliseconds.append(spent)
            hands = result.hands
            exact += result.plan.exact
            moves += len(result.moves)
            exact_moves += sum(first.plan.exact for first in result.moves)
            nodes += result.nodes
            if len(milliseconds) == options.count:
                break
        tenths = statistics.quantiles(milliseconds, n=10)
        print(
            f"{unseen:>6} {hands:>6} {len(milliseconds):>7} {exact / len(milliseconds):>7.2%} "
            f"{exact_moves / moves:>13.2%} {statistics.median(milliseconds):>10.1f} {tenths[-1]:>7.1f} "
            f"{max(milliseconds):>7.0f} {nodes // len(milliseconds):>10,}",
            flush=True,
        )


if __name__ == "__main__":
    main()
