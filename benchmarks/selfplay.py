"""Which way of playing is best? Whole Bummerls between two players, each set of deals played twice with seats swapped.

``python -m benchmarks.selfplay postponed:100 open:100 --pairs 200``
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random

from benchmarks.players import Player, make_player
from tqdm import tqdm

from bummerl import Position, Rules, random_positions
from bummerl.cards import KING, rank_of
from bummerl.worlds import hide

GOAL = 7
# More deals than a Bummerl can have.
_MOST_DEALS = 13


@dataclass
class Tally:
    """What came of pairs of Bummerls, for the first player."""

    scores: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    # Game points of forehand, whoever that was.
    outcomes: Counter[int] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take in another tally."""
        self.scores += other.scores
        self.points += other.points
        self.outcomes += other.outcomes

    @property
    def share(self) -> float:
        """Share of Bummerls won."""
        return sum(self.scores) / len(self.scores)

    @property
    def margin(self) -> float:
        """Half of the 95 % interval of `share`: pairs are independent, the two Bummerls of a pair are not."""
        return 1.96 * _stderr(self.scores)

    @property
    def points_a_deal(self) -> float:
        """Game points a deal, for pairs of Bummerls."""
        return sum(self.points) / sum(self.outcomes.values())


def _stderr(numbers: list[float]) -> float:
    mean = sum(numbers) / len(numbers)
    return math.sqrt(sum((x - mean) ** 2 for x in numbers) / max(len(numbers) - 1, 1) / len(numbers))


def visible(position: Position, known: int) -> Position:
    """Return what the player on turn sees, including cards of the opponent seen before."""
    seen = hide(position)
    return seen if seen.is_complete else seen.changed(opp=seen.opp | known)


def play_deal(position: Position, players: tuple[Player, Player], seed: str) -> int:
    """Play a deal to its end: game points for the first player.

    Chance depends on how many cards have been played and not on the players, so that two players who agree have
    no luck.
    """
    known = [0, 0]  # the other's cards that each player has seen
    plies = 0
    while position.outcome is None:
        mover = position.turn
        seen = visible(position, known[mover])
        move = players[mover](seen, Random(f"{seed} {plies}"))
        plies += 1
        if move.exchange and position.face_up is not None:
            known[1 - mover] |= 1 << position.face_up
        if move.marriage:
            known[1 - mover] |= 1 << move.card + (-1 if rank_of(move.card) == KING else 1)
        known[1 - mover] &= ~(1 << move.card)
        position = position.play(move)
    return position.outcome


def play_pair(names: tuple[str, str], number: int, seed: int, rules: str, match: bool) -> Tally:
    """Play two Bummerls with the same deals, each player once in each seat."""
    tally = Tally()
    first, second = (make_player(name) for name in names)
    deals = random_positions(_MOST_DEALS, seed=1_000_000 * seed + number, rules=Rules.parse(rules))
    won = points = 0
    for swapped in (False, True):
        need = [GOAL, GOAL]
        players = (second, first) if swapped else (first, second)
        for k, deal in enumerate(deals):
            # Seats stay, and the deal alternates: seat k % 2 is forehand.
            forehand = k % 2
            score = (need[0], need[1]) if match else (GOAL, GOAL)
            position = (deal if deal.turn == forehand else deal.swapped()).changed(score=score)
            value = play_deal(position, players, f"{seed} {number} {k}")
            tally.outcomes[-value if forehand else value] += 1
            points += -value if swapped else value
            need[0] -= max(value, 0)
            need[1] -= max(-value, 0)
            if min(need) <= 0:
                break
        won += (need[0] <= 0) != swapped
    tally.scores.append(won / 2)
    tally.points.append(points)
    return tally


def play(
    names: tuple[str, str], pairs: int, seed: int, rules: str = "soft", match: bool = False, workers: int = 2
) -> Tally:
    """Play many pairs of Bummerls in processes; the result does not depend on their number."""
    tally = Tally()
    for part in _tallies(names, pairs, seed, rules, match, workers):
        tally.add(part)
    return tally


def _tallies(names: tuple[str, str], pairs: int, seed: int, rules: str, match: bool, workers: int) -> Iterator[Tally]:
    title = " - ".join(names)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        work = [pool.submit(play_pair, names, number, seed, rules, match) for number in range(pairs)]
        for done in tqdm(work, desc=title, unit=" pairs", disable=not sys.stderr.isatty(), leave=False):
            yield done.result()


def main() -> None:
    """Play, and write one row of a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second", nargs="+")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="soft")
    parser.add_argument(
        "--match", action="store_true", help="players are told the score; those called MODEL:WORLDS:match play for it"
    )
    parser.add_argument("--outcomes", action="store_true", help="write how often forehand ended with how much")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    args = parser.parse_args()
    for second in args.second:
        names = (args.first, second)
        tally = play(names, args.pairs, args.seed, args.rules, args.match, args.workers)
        print(
            f"| {args.first} | {second} | {2 * args.pairs:,} | {100 * tally.share:.1f} % ± {100 * tally.margin:.1f} | "
            f"{tally.points_a_deal:+.3f} |",
            flush=True,
        )
        if args.outcomes:
            total = sum(tally.outcomes.values())
            shares = {value: tally.outcomes[value] / total for value in (-3, -2, -1, 1, 2, 3)}
            print(f"{total} deals:", ", ".join(f"{value}: {share:.4f}" for value, share in shares.items()))


if __name__ == "__main__":
    main()
