"""Forehand with three cards: which suit to name as trumps, or to turn one up."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from bummerl.cards import DECK, SUITS, cards_in, suit_of
from bummerl.engine import Interrupt
from bummerl.errors import RecordError
from bummerl.games.hand import TableHand
from bummerl.layouts import Layouts


@dataclass(frozen=True, slots=True)
class TrumpChoice:
    """One way for forehand to find trumps.

    Attributes
    ----------
    suit : str
        The suit to name, or ``turn up``.
    race, best : float
        Game points on average of the race, and of the best contract chosen once all five cards are seen.
    race_stderr, best_stderr : float
        Their standard errors.
    """

    suit: str
    race: float
    race_stderr: float
    best: float
    best_stderr: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "name": self.suit,
            "rufer": self.race,
            "rufer_stderr": self.race_stderr,
            "expected": self.best,
            "stderr": self.best_stderr,
        }


def name_trump(hand: TableHand, *, layouts: int = 100, seed: int = 1, workers: int = 1) -> tuple[TrumpChoice, ...]:
    """Value every suit forehand can name from his first three cards, and turning up one of the last two.

    His two other cards are dealt in all 136 ways, and for each the others' cards `layouts` times, without repeats. The
    best contract is chosen in one half of these layouts and valued in the other, so that chance does not flatter it.

    Parameters
    ----------
    hand : TableHand
        Three cards of forehand, without a trump suit.
    layouts : int
        How often the other cards are dealt for each pair.
    seed : int
        Of the samples.
    workers : int
        Threads; they change nothing.

    Returns
    -------
    tuple of TrumpChoice
        The best first.

    Raises
    ------
    RecordError
        If trumps are known.

    Examples
    --------
    >>> from bummerl.records import parse_line
    >>> hand = parse_line("game=bauernschnapsen me=HAT,SJ seat=p1").position
    >>> [choice.suit for choice in name_trump(hand, layouts=20)][0]
    'H'
    """
    if hand.trump is not None:
        raise RecordError("trump", "is known", "give forehand's first three cards and no trump")
    pairs = list(combinations(cards_in(DECK & ~hand.me), 2))
    named = sorted({suit_of(index) for index in cards_in(hand.me)})
    suits = sorted({suit_of(index) for pair in pairs for index in pair} | set(named))
    asked = [
        (place, suit)
        for place, pair in enumerate(pairs)
        for suit in suits
        if suit in named or suit in map(suit_of, pair)
    ]

    def look(question: tuple[int, int]) -> tuple[float, float]:
        place, suit = question
        five = hand.me | 1 << pairs[place][0] | 1 << pairs[place][1]
        return _race_and_best(replace(hand, me=five, trump=suit), layouts, seed + 1000 * place)

    interrupt = Interrupt()
    with ThreadPoolExecutor(workers, initializer=interrupt.join) as pool, interrupt:
        worth = dict(zip(asked, pool.map(look, asked), strict=True))
    choices = [_choice(SUITS[suit], [worth[place, suit] for place in range(len(pairs))]) for suit in named]
    turned = [
        tuple((a + b) / 2 for a, b in zip(*(worth[place, suit_of(index)] for index in pair), strict=True))
        for place, pair in enumerate(pairs)
    ]
    choices.append(_choice("turn up", turned))
    return tuple(sorted(choices, key=lambda one: -one.best))


def _race_and_best(hand: TableHand, count: int, seed: int) -> tuple[float, float]:
    """Return what a race is worth, and the contract that is best in other layouts."""
    layouts = Layouts(hand)
    halves = []
    for half in (0, 1):
        found = {}
        for contract in hand.contracts:
            counted = layouts.count(contract, most=count // 2, seed=2 * seed + half)
            found[contract.name] = counted.mean * layouts.position(contract, 0).worth
        halves.append(found)
    best = [halves[1 - half][max(halves[half], key=lambda name: halves[half][name])] for half in (0, 1)]
    return (halves[0]["rufer"] + halves[1]["rufer"]) / 2, sum(best) / 2


def _choice(name: str, found: Sequence[Sequence[float]]) -> TrumpChoice:
    import numpy as np

    values = np.array(found)
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    race, best = (float(mean) for mean in values.mean(axis=0))
    return TrumpChoice(name, race, float(errors[0]), best, float(errors[1]))
