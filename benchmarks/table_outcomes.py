"""How deals of Bauernschnapsen end: the table of outcomes that chances to win a match to 24 are computed from.

``python -m benchmarks.table_outcomes --deals 2000 --seed 1``

Forehand names the suit he holds most of among his first three cards, the higher one of equals. In the auction each player
in turn bids the contract with most game points on average over a sample of layouts, if that is more than what would
be played otherwise; he passes else. Then the deal is played with open cards. Kontra is given by a side for which the
contract is worth less than nothing on average, once.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random

from bummerl.bid import bid
from bummerl.cards import DECK, cards_in, rank_of, suit_of
from bummerl.games.auction import Auction
from bummerl.games.hand import TableHand
from bummerl.games.table import TablePosition
from bummerl.table_solve import solve_tables

_LAYOUTS = 300


def play(number: int) -> int:
    """Bid and play one deal: game points of forehand's side."""
    rng = Random(number)
    cards = list(cards_in(DECK))
    rng.shuffle(cards)
    hands = [sum(1 << index for index in cards[5 * seat : 5 * seat + 5]) for seat in range(4)]
    first = sorted(cards[:3], key=lambda index: -rank_of(index))
    trump = max((suit_of(index) for index in first), key=lambda suit: sum(suit_of(index) == suit for index in first))
    found = {seat: bid(TableHand(hands[seat], seat, trump), most=_LAYOUTS, seed=number) for seat in range(4)}
    auction = Auction(tuple(hands), trump)
    while not auction.doubling and not auction.over:
        seat = auction.turn
        choices = {
            one.contract.name: one.expected for one in found[seat].contracts if one.contract.name in auction.calls
        }
        if "pass" in auction.calls:
            passing = found[seat].passing
            choices["pass"] = passing.expected if passing else choices.get("rufer", 0.0)
        auction = auction.say(max(choices, key=lambda name: choices[name]))
    contract, declarer = auction.contract, auction.declarer
    assert contract is not None
    own = next(one for one in found[declarer].contracts if one.contract is contract)
    deal = TablePosition(contract, declarer, trump, tuple(hands), 0)
    deal = deal.changed(turn=deal.first_leader, kontra=2 if own.expected < 0 and deal.rules.doubles(contract) else 1)
    value = int(solve_tables([deal])[0][0])
    return value if deal.side_of(0) == 0 else -value


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    numbers = range(1_000_000 * options.seed, 1_000_000 * options.seed + options.deals)
    with ProcessPoolExecutor(2) as pool:
        found = Counter(pool.map(play, numbers, chunksize=20))
    print(f"{options.deals} deals:", ", ".join(f"{v}: {n / options.deals:.4f}" for v, n in sorted(found.items())))


if __name__ == "__main__":
    main()
