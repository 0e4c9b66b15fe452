"""One trick with more than two players: what may be played, and who wins it."""

from __future__ import annotations

from collections.abc import Sequence

from bummerl.cards import KING, QUEEN, card, rank_of, suit_mask, suit_of

_TEN_HOLE = (0, 2, 3, 4, 5, 1)


def strength(index: int, ten_hole: bool = False) -> int:
    """Return a number by which cards of one suit compare; in Zehnerloch the ace is the lowest."""
    return _TEN_HOLE[rank_of(index)] if ten_hole else rank_of(index)


def beats(index: int, best: int, trump: int | None, ten_hole: bool = False) -> bool:
    """Say whether a card beats the best one so far.

    Examples
    --------
    >>> from bummerl.cards import parse_card
    >>> beats(parse_card("SJ"), parse_card("HA"), trump=0), beats(parse_card("DA"), parse_card("HJ"), trump=0)
    (True, False)
    """
    if suit_of(index) == suit_of(best):
        return strength(index, ten_hole) > strength(best, ten_hole)
    return suit_of(index) == trump


def winner(trick: Sequence[int], trump: int | None, ten_hole: bool = False) -> int:
    """Return the place of the winning card in a trick.

    Examples
    --------
    >>> from bummerl.cards import parse_cards
    >>> winner(list(parse_cards("HK,HA,HT,HQ")), trump=1)
    1
    """
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump, ten_hole):
            best = place
    return best


def legal_cards(
    hand: int,
    trick: Sequence[int],
    trump: int | None,
    *,
    must_beat: bool = True,
    ten_hole: bool = False,
    free: bool = False,
) -> int:
    """Return the cards of a hand that may be played: strict play (Farb- und Stichzwang), against the partner as well.

    Follow, with a higher card than the best if that is of the suit led; else trump, with a higher one if the trick
    has been trumped; else play anything.

    Parameters
    ----------
    hand : int
        Who plays next.
    trick : sequence of int
        The cards on the table.
    trump : int or None
        The trump suit.
    must_beat : bool
        Whether one has to beat the best card of the suit led, and to overtrump.
    ten_hole : bool
        The ace is the lowest card.
    free : bool
        There are no duties.

    Examples
    --------
    >>> from bummerl.cards import hand_text, parse_cards, parse_hand
    >>> hand_text(legal_cards(parse_hand("SKJ,DA"), list(parse_cards("HK,SQ")), trump=0))
    'SK'
    """
    if not trick or free:
        return hand
    best = trick[winner(trick, trump, ten_hole)]
    led = suit_of(trick[0])
    own = hand & suit_mask(led)
    suit = led
    if not own and trump is not None:
        own, suit = hand & suit_mask(trump), trump
    if not own:
        return hand
    if suit != suit_of(best) or not must_beat:
        return own
    higher = sum(1 << index for index in _cards(own) if beats(index, best, trump, ten_hole))
    return higher or own


def _cards(hand: int) -> list[int]:
    return [index for index in range(24) if hand >> index & 1]


def marriage(hand: int, index: int, trump: int | None) -> int:
    """Return what leading a card announces: 20, in trumps 40, or 0 without its mate in the hand."""
    rank = rank_of(index)
    if rank not in (KING, QUEEN):
        return 0
    mate = card(suit_of(index), QUEEN if rank == KING else KING)
    if not hand >> mate & 1:
        return 0
    return 40 if suit_of(index) == trump else 20
