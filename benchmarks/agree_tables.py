"""Do the searches for four and three players agree at scale?

``python -m benchmarks.agree_tables --count 2000`` values random positions of every contract of both games, at the deal, later, and in
the middle of tricks, with all parts of the search and with none of them, and compares; ``--slow 200`` compares so many of
each contract, late in the deal, with the slow reference of the tests.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bummerl.cards import SUITS, card_text, cards_in
from bummerl.games.contracts import CONTRACTS
from bummerl.games.table import TablePosition
from bummerl.table_deals import random_tables
from bummerl.table_solve import TableSettings, solve_tables

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests import naive_multi

_BARE = TableSettings(6, frozenset())


def slow(position: TablePosition) -> int:
    """Value a position by the slow reference."""
    p = position
    hands = [{card_text(index) for index in cards_in(hand)} for hand in p.hands]
    trick = tuple(map(card_text, p.trick))
    trump = None if p.trump is None else SUITS[p.trump]
    return naive_multi.value(
        p.contract.name, p.declarer, trump, hands, p.turn, trick, p.points, p.tricks, len(p.hands)
    )  # fmt: skip


def main() -> None:
    """Compare, and print how many positions differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--slow", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total = differ = looked = wrong = 0
    for players in (4, 3):
        for name, contract in CONTRACTS.items():
            if not contract.seats_among(players):
                continue
            stages = (
                ((0, True), (1, False), (1, True), (2, True))
                if name != "rufer" or players == 4
                else ((1, True), (2, True))
            )
            if players == 4:
                stages = ((0, False), *stages)
            for tricks, mid in stages:
                positions = random_tables(
                    options.count, options.seed, name, tricks=tricks, mid_trick=mid, players=players
                )
                values, bare = solve_tables(positions)[0], solve_tables(positions, _BARE)[0]
                differ += int((values != bare).sum())
                total += len(positions)
            late = random_tables(options.slow, options.seed, name, tricks=2, mid_trick=True, players=players)
            if late:
                found = solve_tables(late)[0].tolist()
                wrong += sum(value != slow(position) for value, position in zip(found, late, strict=True))
                looked += len(late)
        print(f"{players} players: {total:,} positions between searches, {differ} differ; "
              f"{looked:,} against the slow reference, {wrong} differ", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
