"""One trick with more than two players: who may play what, and who wins it."""

from __future__ import annotations

from bummerl.kernels.bits import KINGS, POINTS, QUEENS, popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.table_layout import (
    ANY_CARD,
    BEST_SHIFT,
    BY_SHIFT,
    FLAGS,
    FOLLOW_ONLY,
    HAND,
    LED_SHIFT,
    LEFT_SHIFT,
    NEXT,
    NOTHING,
    PLAYERS,
    POINTS_SHIFT,
    TRUMPS,
    WORK,
)

SUIT = 0x3F


@kernel("int64(int64)")
def int64_one(index):
    """Return a card as a bit."""
    one = index - index + 1
    return one << index


@kernel("int64(int64)")
def suit_of_card(card):
    """Return all cards of the suit of a card."""
    if card < 1 << 6:
        return SUIT
    if card < 1 << 12:
        return SUIT << 6
    if card < 1 << 18:
        return SUIT << 12
    return SUIT << 18


@kernel("int64(int64, int64)")
def beating(best, trumps):
    """Return all cards that beat the best one of a trick."""
    suit = SUIT << (best // 6 * 6)
    better = suit & -(int64_one(best) << 1)
    if trumps and not suit & trumps:
        better |= trumps
    return better


@kernel("int64(int64[::1], int64, int64)")
def legal_cards(ws, hand, trick):
    """Return what may be played from a hand: follow and beat, else trump and overtrump, else anything."""
    best = (trick >> BEST_SHIFT) & 31
    if best == 31 or ws[WORK + FLAGS] & ANY_CARD:
        return hand
    led = SUIT << (6 * ((trick >> LED_SHIFT) & 7))
    trumps = ws[WORK + TRUMPS]
    own = hand & led
    if own:
        if ws[WORK + FLAGS] & FOLLOW_ONLY:
            return own
        suit = SUIT << (best // 6 * 6)
        if suit != led:
            return own  # trumped already
        better = own & -(int64_one(best) << 1)
        return better if better else own
    own = hand & trumps
    if own:
        if trumps & int64_one(best) and not ws[WORK + FLAGS] & FOLLOW_ONLY:
            better = own & -(int64_one(best) << 1)
            return better if better else own
        return own
    return hand


@kernel("int64(int64, int64, int64)")
def marriage(hand, card, trumps):
    """Return the points for announcing when this card is led, or 0."""
    if not card & (KINGS | QUEENS):
        return 0
    mate = card >> 1 if card & KINGS else card << 1
    if not hand & mate:
        return 0
    return 40 if card & trumps else 20


@kernel("int64(int64[::1], int64, int64)")
def after_card(ws, trick, index):
    """Return the state of a trick after the next card; its last card leaves nobody to play."""
    seat = trick & 3
    left = (trick >> LEFT_SHIFT) & 7
    best = (trick >> BEST_SHIFT) & 31
    by = (trick >> BY_SHIFT) & 3
    led = (trick >> LED_SHIFT) & 7
    points = (trick >> POINTS_SHIFT) + ((POINTS >> (4 * (index % 6))) & 15)
    if best == 31:
        best, by, led = index, seat, index // 6
    elif beating(best, ws[WORK + TRUMPS]) & int64_one(index):
        best, by = index, seat
    return (
        ws[WORK + NEXT + seat]
        | (left - 1) << LEFT_SHIFT
        | best << BEST_SHIFT
        | by << BY_SHIFT
        | led << LED_SHIFT
        | points << POINTS_SHIFT
    )


@kernel("int64(int64[::1], int64)")
def new_trick(ws, leader):
    """Return the state of a trick before its first card."""
    return leader | ws[WORK + PLAYERS] << LEFT_SHIFT | NOTHING


@kernel("int64(int64, int64, int64)")
def without_equals(cards, hand, wall):
    """Leave out cards that are equal to a higher one: no card of others lies between, and points do not count."""
    found = cards
    rest = cards
    while rest:
        card = rest & -rest
        rest ^= card
        # All cards of the suit above this one.
        above = -(card << 1) & suit_of_card(card)
        nearest = (hand | wall) & above
        if nearest & -nearest & cards:
            found ^= card
    return found


@kernel("boolean(int64[::1], int64, int64)")
def wins_everything(ws, seat, rem):
    """Say whether the cards of the player who leads win every trick, led from the top, trumps first.

    In each suit his cards above all others have to be as many as the longest holding of another player, or all he
    has; with others' trumps out they have to be drawn.
    """
    hand = ws[WORK + HAND + seat] & rem
    trumps = ws[WORK + TRUMPS]
    for suit in range(4):
        mask = SUIT << (6 * suit)
        own = hand & mask
        longest, others = 0, own ^ own
        for i in range(4):
            if i != seat:
                held = ws[WORK + HAND + i] & rem & mask
                others |= held
                longest = max(longest, popcount(held))
        if longest == 0:
            continue
        if not own:
            if mask & trumps:
                return False
            continue
        top = others
        top |= top >> 1
        top |= top >> 2
        top |= top >> 4
        sure = popcount(own & ~top)
        if sure < longest and (mask & trumps or sure < popcount(own)):
            return False
    return True
