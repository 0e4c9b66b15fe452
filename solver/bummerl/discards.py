"""Dreierschnapsen with eight cards in hand: which two to lay away."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from bummerl.cards import cards_in, hand_points, hand_text
from bummerl.engine import Interrupt
from bummerl.errors import RecordError
from bummerl.games.contracts import CONTRACTS, Contract
from bummerl.games.hand import TableHand
from bummerl.games.table import SEATS
from bummerl.layouts import Counted, Layouts


@dataclass(frozen=True, slots=True)
class Discard:
    """Two cards to lay away, and what the contract is worth with the other six, over all ways the others' can lie.

    Attributes
    ----------
    cards : int
        The two cards.
    counted : Counted
        How the contract ends with open cards: the declarer has decided without seeing them.
    worth : int
        Its game points.
    """

    cards: int
    counted: Counted
    worth: int

    @property
    def expected(self) -> float:
        """Game points on average, without Kontra."""
        return self.counted.mean * self.worth

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "discard": hand_text(self.cards),
            "probability": self.counted.probability,
            "made": self.counted.won,
            "layouts": self.counted.done,
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True)
class Discarding:
    """A contract with all ways to lay two cards away for it, the best first."""

    contract: Contract
    choices: tuple[Discard, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        best = self.choices[0]
        return {
            "contract": self.contract.name,
            **best.to_dict(),
            "exact": True,
            "discards": [one.to_dict() for one in self.choices],
        }


def discards(hand: TableHand, contract: str, *, workers: int = 1) -> tuple[Discard, ...]:
    """Value all 28 ways to lay two of eight cards away, each over all 924 splits of the others' cards.

    Parameters
    ----------
    hand : TableHand
        Eight cards of the declarer in Dreierschnapsen, with the trump suit.
    contract : str
        What he plays.
    workers : int
        Threads; they change nothing.

    Returns
    -------
    tuple of Discard
        The best first.

    Raises
    ------
    RecordError
        If these are not eight cards, or the contract is not his.

    Examples
    --------
    >>> from bummerl.records import parse_line
    >>> hand = parse_line("game=dreierschnapsen me=HAKQ,SAT,DJ,CJ,CA seat=p1 trump=H").position
    >>> best = discards(hand, "schnapser")[0]
    >>> hand_text(best.cards), best.counted.done
    ('DJ,CJ', 924)
    """
    if not hand.has_talon or hand.trump is None:
        raise RecordError("me", "needs eight cards and trump", "give the hand with the talon")
    chosen = CONTRACTS[contract]
    if chosen not in hand.contracts:
        raise RecordError("seat", f"{SEATS[hand.seat]} cannot play {chosen.german} with this hand")
    pairs = [1 << a | 1 << b for a, b in combinations(cards_in(hand.me), 2)]
    interrupt = Interrupt()

    def look(pair: int) -> Discard:
        left = Layouts(replace(hand, me=hand.me & ~pair), laid=pair)
        return Discard(pair, left.count(chosen), hand.rules.value_of(chosen))

    with ThreadPoolExecutor(workers, initializer=interrupt.join) as pool, interrupt:
        found = list(pool.map(look, pairs))
    return tuple(sorted(found, key=lambda one: (-one.expected, hand_points(one.cards))))


def discards_for(
    hand: TableHand, contracts: Sequence[str] | None = None, *, workers: int = 1
) -> tuple[Discarding, ...]:
    """Value all ways to lay two cards away for each contract that eight cards can play, or only for some."""
    names = contracts or [contract.name for contract in hand.contracts]
    return tuple(Discarding(CONTRACTS[name], discards(hand, name, workers=workers)) for name in names)
