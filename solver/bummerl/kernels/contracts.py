"""Contracts with one aim: is it made with open cards?

The declarer has to take every trick (for a while), or none. His partner helps, but must not take a trick either. Each
function answers for its side and searches card by card; between tricks a table remembers answers.
"""

from __future__ import annotations

from bummerl.kernels.bits import KINGS, QUEENS, popcount
from bummerl.kernels.bits import lowest as index_of
from bummerl.kernels.cache import kernel
from bummerl.kernels.table import MULTIPLIER
from bummerl.kernels.table_layout import (
    ALL_TRICKS,
    BEST_SHIFT,
    BY_SHIFT,
    DEALT,
    DECLARER,
    FEATURES,
    FLAGS,
    GENERATION,
    HAND,
    KIND,
    LEADER_TWENTY,
    LEFT_SHIFT,
    NODES,
    POINTS_SHIFT,
    SIDE,
    STOP,
    TABLE,
    TABLE_HITS,
    TABLE_MASK,
    TRUMPS,
    USE_ORDER,
    USE_TABLE,
    USE_WINNERS,
    WHOLE_THREE,
    WORK,
)
from bummerl.kernels.tricks import (
    after_card,
    beating,
    int64_one,
    legal_cards,
    marriage,
    new_trick,
    wins_everything,
    without_equals,
)


@kernel("int64(int64[::1], int64)")
def place_of(ws, key):
    """Return where in the workspace the answer to a question has its place."""
    return TABLE + ((((key * MULTIPLIER) & 0x7FFFFFFFFFFFFFFF) >> 32) & ws[TABLE_MASK])


@kernel("int64(int64[::1], int64)")
def remembered(ws, key):
    """Return the remembered answer, or -1. An entry holds generation (24 bits), key (38) and answer."""
    found = ws[place_of(ws, key)]
    if found >> 1 == (ws[GENERATION] & 0xFFFFFF) << 38 | key:
        ws[TABLE_HITS] += 1
        return found & 1
    return -1


@kernel("void(int64[::1], int64, boolean)")
def remember(ws, key, answer):
    """Keep an answer."""
    ws[place_of(ws, key)] = ((ws[GENERATION] & 0xFFFFFF) << 38 | key) << 1 | (1 if answer else 0)


@kernel("int64(int64, boolean)")
def next_card(cards, from_top):
    """Return the highest or the lowest card."""
    if not from_top:
        return cards & -cards
    rest = cards
    while rest & (rest - 1):
        rest &= rest - 1
    return rest


@kernel("boolean(int64[::1], int64, int64, int64)", entry=True)
def takes_all(ws, rem, trick, need):
    """Say whether the declarer takes every trick, or every one until he has 66 within three.

    Parameters
    ----------
    ws : array
        Workspace with the row at `WORK`.
    rem : int
        Cards not played yet.
    trick : int
        State of the trick; the declarer's tricks before were all won.
    need : int
        Points he still wants; 127 where points do not count.
    """
    ws[NODES] += 1
    if ws[STOP]:
        return False
    seat = trick & 3
    declarer = ws[WORK + DECLARER]
    hand = ws[WORK + HAND + seat] & rem
    trumps = ws[WORK + TRUMPS]
    points_count = ws[WORK + KIND] != ALL_TRICKS
    best = (trick >> BEST_SHIFT) & 31
    key = rem | need << 24
    mine = (ws[WORK + SIDE] >> seat) & 1 == 1
    cards = hand
    announcers = seat == declarer or (mine and ws[WORK + FLAGS] & LEADER_TWENTY != 0)
    if best == 31:
        if seat == declarer:
            if not points_count and ws[FEATURES] & USE_WINNERS and wins_everything(ws, seat, rem):
                return True
            if ws[FEATURES] & USE_TABLE:
                found = remembered(ws, key)
                if found >= 0:
                    return found == 1
        if not points_count:
            cards = without_equals(hand, hand, rem)
    else:
        cards = legal_cards(ws, hand, trick)
        beaters = beating(best, trumps)
        if seat == declarer:
            cards &= beaters
        elif (trick >> BY_SHIFT) & 3 == declarer:
            if mine:
                cards &= ~beaters
            elif cards & beaters:
                return False
        if not points_count:
            cards = without_equals(cards, hand, rem | int64_one(best))
    last = (trick >> LEFT_SHIFT) & 7 == 1
    # His own side looks for a card that makes it, the others for one that does not.
    answer = not mine
    while cards:
        card = next_card(cards, seat == declarer and ws[FEATURES] & USE_ORDER != 0)
        cards ^= card
        wanted = need
        if best == 31 and points_count and announcers and card & (KINGS | QUEENS):
            bonus = marriage(hand, card, trumps)
            # Of his partner only a twenty can count.
            if seat == declarer or bonus == 20:
                wanted -= bonus
            if wanted <= 0:
                # Announced behind a trick of one's own; else at least 26 are missing.
                if not ws[WORK + FLAGS] & WHOLE_THREE:
                    answer = True
                    break
                wanted = wanted - wanted
        state = after_card(ws, trick, index_of(card))
        left = rem ^ card
        made = False
        if not last:
            made = takes_all(ws, left, state, wanted)
        elif (state >> BY_SHIFT) & 3 == declarer:
            held = popcount(ws[WORK + HAND + declarer] & left)
            if points_count:
                wanted = max(wanted - (state >> POINTS_SHIFT), 0)
                enough = wanted == 0 and not ws[WORK + FLAGS] & WHOLE_THREE
                if enough or ws[WORK + DEALT] - held >= 3:
                    made = wanted == 0
                else:
                    made = takes_all(ws, left, new_trick(ws, declarer), wanted)
            else:
                made = held == 0 or takes_all(ws, left, new_trick(ws, declarer), wanted)
        if made == mine:
            answer = made
            break
    if best == 31 and seat == declarer and ws[FEATURES] & USE_TABLE and not ws[STOP]:
        remember(ws, key, answer)
    return answer


@kernel("boolean(int64[::1], int64, int64)", entry=True)
def takes_none(ws, rem, trick):
    """Say whether the declarer can keep out of every trick; arguments as in `takes_all`."""
    ws[NODES] += 1
    if ws[STOP]:
        return False
    seat = trick & 3
    declarer = ws[WORK + DECLARER]
    hand = ws[WORK + HAND + seat] & rem
    best = (trick >> BEST_SHIFT) & 31
    key = rem | seat << 24
    wall = rem
    if best == 31:
        if not ws[WORK + HAND + declarer] & rem:
            return True
        if ws[FEATURES] & USE_TABLE:
            found = remembered(ws, key)
            if found >= 0:
                return found == 1
    else:
        wall |= int64_one(best)
    mine = (ws[WORK + SIDE] >> seat) & 1 == 1
    cards = without_equals(legal_cards(ws, hand, trick), hand, wall)
    last = (trick >> LEFT_SHIFT) & 7 == 1
    answer = not mine
    while cards:
        # He gets rid of high cards where they do not win, the others lead and play low.
        card = next_card(cards, mine and best != 31 and ws[FEATURES] & USE_ORDER != 0)
        cards ^= card
        state = after_card(ws, trick, index_of(card))
        left = rem ^ card
        if not last:
            made = takes_none(ws, left, state)
        else:
            by = (state >> BY_SHIFT) & 3
            made = by != declarer and takes_none(ws, left, new_trick(ws, by))
        if made == mine:
            answer = made
            break
    if best == 31 and ws[FEATURES] & USE_TABLE and not ws[STOP]:
        remember(ws, key, answer)
    return answer
