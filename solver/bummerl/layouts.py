"""How the cards can lie that one player of a game for four or three does not see, and how a contract ends in each layout."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bummerl.cards import DECK, cards_in, hand_points, suit_mask
from bummerl.engine import Interrupt, kernels
from bummerl.games.contracts import Aim, Contract
from bummerl.games.hand import TableHand
from bummerl.games.table import TablePosition
from bummerl.kernels.table_layout import HAND, PRIORITY, TALON
from bummerl.table_solve import DEFAULT_TABLE, TableSettings, TableWorkspace, card_in, to_row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int64]

# Layouts that are looked at in one go, a fraction of a second.
_CHUNK = 8192
_LOST, _NODES, _DONE = 7, 8, 9


@lru_cache(maxsize=16)
def _combinations(cards: int, chosen: int) -> Array:
    """Return all ways to choose places, as bits."""
    import numpy as np

    found = [sum(1 << place for place in places) for places in itertools.combinations(range(cards), chosen)]
    return np.array(found, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Counted:
    """How a contract ended in many layouts.

    Attributes
    ----------
    results : dict of int to int
        How often each value came: 1 and -1 for made or not, game points of a race.
    done, of : int
        Layouts that were looked at, and that there are.
    lost : int or None
        The number of the first one that was lost.
    nodes : int
        Positions searched.
    """

    results: dict[int, int]
    done: int
    of: int
    lost: int | None
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether that is all layouts."""
        return self.done == self.of

    @property
    def won(self) -> int:
        """Layouts in which the contract is made."""
        return sum(count for value, count in self.results.items() if value > 0)

    @property
    def probability(self) -> float:
        """Their share."""
        return self.won / self.done

    @property
    def mean(self) -> float:
        """The mean value."""
        return sum(value * count for value, count in self.results.items()) / self.done

    def stderr(self) -> float:
        """Return the standard error of `mean`, smaller the more of all layouts were looked at."""
        if self.exact or self.done < 2:
            return 0.0
        squares = sum(count * (value - self.mean) ** 2 for value, count in self.results.items())
        return math.sqrt(squares / (self.done - 1) / self.done * (1 - self.done / self.of))


class Layouts:
    """All ways to deal the cards that a player does not see to the others, and to the talon of three players.

    Forehand is known to hold a trump, since he named the suit from his first three cards or turned one up.

    Parameters
    ----------
    hand : TableHand
        Five cards with the trump suit; of three players six, or eight with the talon.
    laid : int
        Two cards of Dreierschnapsen that this player has laid away.

    Examples
    --------
    >>> from bummerl.records import parse_line
    >>> hand = parse_line("game=bauernschnapsen me=HAKQ,CA,SA seat=p2 trump=H").position
    >>> len(Layouts(hand))
    432432
    """

    def __init__(self, hand: TableHand, laid: int = 0) -> None:
        self.hand, self.laid = hand, laid
        self.unseen = list(cards_in(DECK & ~hand.me & ~laid))
        # Forehand first, since something is known of him; of three players the talon comes last, as player 3.
        self.seats = [seat for seat in range(hand.players) if seat != hand.seat]
        size, count = 20 // hand.players, len(self.unseen)
        if hand.players == 3:
            self.seats.append(3)
        self.firsts = _combinations(count, size)
        if hand.seat and hand.trump is not None:
            trumps = sum(1 << i for i, index in enumerate(self.unseen) if suit_mask(hand.trump) >> index & 1)
            self.firsts = self.firsts[(self.firsts & trumps) != 0]
        self.seconds = _combinations(count - size, size)

    def __len__(self) -> int:
        """Return how many layouts there are."""
        return len(self.firsts) * len(self.seconds)

    def position(self, contract: Contract, number: int, kontra: int = 1) -> TablePosition:
        """Return the deal that a number stands for, with this player as the declarer, in a race forehand."""
        first = int(self.firsts[number // len(self.seconds)])
        hands = [0] * 4
        hands[self.hand.seat] = self.hand.me
        rest: list[int] = []
        for place, index in enumerate(self.unseen):
            if first >> place & 1:
                hands[self.seats[0]] |= 1 << index
            else:
                rest.append(index)
        second = int(self.seconds[number % len(self.seconds)])
        for place, index in enumerate(rest):
            hands[self.seats[1 if second >> place & 1 else 2]] |= 1 << index
        return self._deal(contract, hands).changed(kontra=kontra)

    def _deal(self, contract: Contract, hands: list[int]) -> TablePosition:
        declarer = 0 if contract.aim is Aim.RACE else self.hand.seat
        players = self.hand.players
        deal = TablePosition(contract, declarer, self.hand.trump, tuple(hands[:players]), 0, rules=self.hand.rules)
        if self.laid:
            extra = (
                hand_points(self.laid) if self.hand.rules.discards == "defenders" and contract.aim is Aim.RACE else 0
            )
            deal = deal.changed(discard=self.laid, points=(0, extra))
        elif players == 3 and contract.takes_talon:
            own = hands[declarer]
            if self.hand.has_talon and declarer == self.hand.seat:
                # Any two of the eight stand for the talon.
                talon = sum(1 << index for index in list(cards_in(own))[-2:])
                hands[declarer] = own & ~talon
                deal = deal.changed(hands=tuple(hands[:players]), talon=talon)
            else:
                deal = deal.changed(talon=hands[3])
        return deal.changed(turn=deal.first_leader)

    def count(
        self,
        contract: Contract,
        *,
        most: int | None = None,
        seconds: float | None = None,
        seed: int = 1,
        workers: int = 1,
        settings: TableSettings = DEFAULT_TABLE,
        progress: Callable[[int], object] = lambda _: None,
        plan: Sequence[int] | None = None,
    ) -> Counted:
        """Play a contract with open cards in all layouts, or in a sample without repeats; or count what a plan beats.

        Parameters
        ----------
        contract : Contract
            This player's; in a race forehand's.
        most : int, optional
            Look at no more layouts than this.
        seconds : float, optional
            Stop after this time; how many layouts that are depends on the machine.
        seed : int
            Of the sample.
        workers : int
            Threads; without `seconds` they change nothing.
        settings : TableSettings
            Of the search.
        progress : callable
            Called with the number of layouts just done.
        plan : sequence of int, optional
            Of a contract without trumps: count the layouts in which it is made by one way of playing that needs only
            what the declarer sees, whatever the others do. To take all tricks he leads each suit from the top, and
            no other way beats more. To take none he plays the first card of `plan` that is legal; to take all it is
            empty.
        """
        import numpy as np

        total = len(self)
        wanted = total if most is None else min(most, total)
        if wanted < total or seconds is not None:
            picks = np.random.default_rng(seed).choice(total, wanted, replace=False)
        else:
            picks = np.arange(total)
        row = to_row(self._deal(contract, [self.hand.me if seat == self.hand.seat else 0 for seat in range(4)]))
        if self.hand.players == 3 and contract.takes_talon and not self.laid:
            row[TALON] = 1
            if self.hand.has_talon:
                # It is part of the hand, and no unknown card takes its place.
                row[HAND + self.hand.seat] |= row[HAND + 3]
                row[HAND + 3] = 0
        model = self.position(contract, 0)
        cards = np.array([1 << card_in(model, index) for index in self.unseen], dtype=np.int64)
        seats = np.array(self.seats, dtype=np.int64)
        kernel = kernels("layouts").count if plan is None else kernels("table_plans").count_plans
        order = [(card_in(model, index), place) for place, index in enumerate(plan or ())]
        until = None if seconds is None else time.monotonic() + seconds
        interrupt = Interrupt()

        def look(chunk: Array) -> Array:
            found = np.zeros(10, dtype=np.int64)
            found[_LOST] = -1
            # Something is always looked at, however short the time.
            if until is None or time.monotonic() < until or chunk is chunks[0]:
                workspace = TableWorkspace(settings)
                for index, place in order:
                    workspace.array[PRIORITY + index] = place
                kernel(workspace.array, row, cards, self.firsts, self.seconds, seats, chunk, found)
                if workspace.stopped:
                    raise InterruptedError("the search was stopped")
                progress(len(chunk))
            return found

        chunks = [picks[i : i + _CHUNK] for i in range(0, len(picks), _CHUNK)]
        if len(chunks) == 1:
            parts = [look(chunks[0])]
        else:
            with ThreadPoolExecutor(workers, initializer=interrupt.join) as pool, interrupt:
                parts = list(pool.map(look, chunks))
        results = {value: sum(int(part[3 + value]) for part in parts) for value in range(-3, 4)}
        lost = next((int(part[_LOST]) for part in parts if part[_LOST] >= 0), None)
        return Counted(
            {value: count for value, count in results.items() if count},
            sum(int(part[_DONE]) for part in parts),
            total,
            lost,
            sum(int(part[_NODES]) for part in parts),
        )
