"""Hidden cards: every hand the opponent can hold, and every order of the cards face down."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING

from bummerl.cards import KING, cards_in, rank_of
from bummerl.checks import check
from bummerl.engine import card_to_kernel, rows_array, to_kernel
from bummerl.errors import RecordError
from bummerl.kernels import workspace as layout
from bummerl.position import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def opponent_hands(position: Position) -> list[int]:
    """List every hand the opponent can hold, the known cards included.

    Parameters
    ----------
    position : Position
        Hidden or complete.

    Returns
    -------
    list of int
        In a fixed order; each is equally likely when the deal was fair and nothing else is known.

    Raises
    ------
    RecordError
        If it is not known which cards are gone.

    Examples
    --------
    >>> hands = opponent_hands(Position.parse("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2"))
    >>> len(hands)
    6
    """
    unknown = position.opp_size - position.opp.bit_count()
    if not unknown:
        return [position.opp]
    if position.gone is None:
        raise RecordError("unseen", "is missing", "list the cards you have not seen")
    partner = announced_partner(position)
    fixed = position.opp | partner
    bits = [1 << index for index in cards_in(position.unseen & ~partner)]
    unknown -= partner.bit_count()
    return [fixed | sum(chosen) for chosen in combinations(bits, unknown)]


def announced_partner(position: Position) -> int:
    """Return the card the opponent has just shown with a marriage, if it is not in `Position.opp` already."""
    if not position.announced or position.turn == 1 or position.led is None:
        return 0
    step = -1 if rank_of(position.led) == KING else 1
    return (1 << position.led + step) & ~position.opp


def hide(position: Position) -> Position:
    """Return what the player on turn can see of a complete position, that player being ``me``.

    Parameters
    ----------
    position : Position
        A complete position.

    Raises
    ------
    RecordError
        If it is not known which cards are gone.

    Examples
    --------
    >>> from bummerl import random_positions
    >>> hide(random_positions(1, seed=1, tricks=4)[0]).is_complete
    False
    """
    p = position.swapped() if position.turn else position
    if p.gone is None:
        raise RecordError("gone", "is not known, so neither is what is unseen", "give gone, or talon in full")
    talon = p.talon
    if talon:
        talon = (*(None for _ in talon[:-1]), talon[-1])
    # What follows from the rest is filled in again, such as a hand when nothing is face down.
    return check(replace(p, opp=0, talon=talon), None)


class Worlds:
    """All ways to place the unseen cards, numbered: the opponent's hand, and the face-down talon in draw order.

    Cards that are known stay where they are: those of ``opp``, the partner of a marriage just announced, and the
    known cards of the talon. Under a closed talon the order never matters, so a hand is a world.

    Parameters
    ----------
    position : Position
        Hidden or complete.

    Raises
    ------
    RecordError
        If it is not known which cards are gone.

    Examples
    --------
    >>> worlds = Worlds(Position.parse("trump=SJ me=ST,HAT,DKJ unseen=SAQ,HQJ,CK led=CA points=15:32 talon=2"))
    >>> len(worlds)
    5
    >>> str(worlds[0])
    'trump=SJ me=ST,HAT,DKJ opp=SAQ,HQJ talon=CK,SJ led=CA points=15:32'
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.hands = opponent_hands(position)
        self._face_down = (
            [] if not position.talon_left else [i for i, c in enumerate(position.talon or ()) if c is None]
        )
        self._orders = factorial(len(self._face_down))

    def __len__(self) -> int:
        """Count the worlds, each as likely as any other when the deal was fair and nothing else is known."""
        return len(self.hands) * self._orders

    def __getitem__(self, number: int) -> Position:
        """Return a world as a complete position."""
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} worlds")
        which, order = self.hand_of(number), number % self._orders
        hand = self.hands[which]
        position = self.position
        if not self._face_down:
            return position.changed(opp=hand)
        rest = list(cards_in(position.unseen & ~hand))
        talon = list(position.talon or ())
        for place in self._face_down:
            next_one, order = divmod(order, factorial(len(rest) - 1))
            talon[place] = rest.pop(next_one)
        return position.changed(opp=hand, talon=tuple(talon))

    def hand_of(self, number: int) -> int:
        """Return the place of a world's hand in `hands`."""
        return number // self._orders

    @cached_property
    def _kernel_hands(self) -> NDArray[np.int64]:
        """Every hand as the kernels see it."""
        import numpy as np

        return np.array([to_kernel(hand, self.position.trump) for hand in self.hands], dtype=np.int64)

    @cached_property
    def _kernel_rests(self) -> NDArray[np.int64]:
        """For every hand the cards left for the places face down, in a fixed order, as the kernels see them."""
        import numpy as np

        position = self.position
        unseen = np.array(list(cards_in(position.unseen)), dtype=np.int64)
        held = np.array(self.hands, dtype=np.int64)[:, None] >> unseen & 1
        bits = np.array([1 << card_to_kernel(int(index), position.trump) for index in unseen], dtype=np.int64)
        return bits[np.nonzero(held == 0)[1].reshape(len(self.hands), -1)]

    def rows(self, numbers: Sequence[int]) -> NDArray[np.int64]:
        """Return worlds as rows for the kernels: what `arrays.position_rows` makes of them, much faster.

        Parameters
        ----------
        numbers : sequence of int
            Which worlds.

        Returns
        -------
        int64 array, shape (n, ROW_LENGTH)

        Examples
        --------
        >>> worlds = Worlds(Position.parse("trump=DJ me=SAT,HT,DA,CA"))
        >>> worlds.rows(range(0, len(worlds), 1_000_000)).shape
        (727, 26)
        """
        import numpy as np

        which, order = np.divmod(np.asarray(numbers, dtype=np.int64), self._orders)
        rows: NDArray[np.int64] = np.repeat(rows_array([self.position]), len(which), axis=0)
        rows[:, layout.HAND + 1] = self._kernel_hands[which]
        if self._face_down:
            rest = self._kernel_rests[which]
            first = layout.CARDS_END - self.position.talon_left
            for place in self._face_down:
                left = rest.shape[1] - 1
                taken, order = np.divmod(order, factorial(left))
                rows[:, first + place] = np.take_along_axis(rest, taken[:, None], axis=1)[:, 0]
                rest = np.where(np.arange(left) < taken[:, None], rest[:, :left], rest[:, 1:])
        return rows

    def numbers(self, most: int, seed: int) -> list[int]:
        """Return the numbers of all worlds if there are at most so many, else of a random sample without repeats.

        Parameters
        ----------
        most : int
            How many.
        seed : int
            The same seed gives the same sample, and a larger sample begins with the smaller ones of its seed.
        """
        if len(self) <= most:
            return list(range(len(self)))
        rng = random.Random(seed)  # noqa: S311  (reproducible, not secret)
        chosen: dict[int, None] = {}
        while len(chosen) < most:
            chosen[rng.randrange(len(self))] = None
        return list(chosen)
