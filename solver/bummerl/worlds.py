"""Hidden cards: every hand the opponent can hold."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from bummerl.cards import KING, cards_in, rank_of
from bummerl.checks import check
from bummerl.errors import RecordError
from bummerl.position import Position


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
