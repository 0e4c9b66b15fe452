"""Plans for contracts without trumps: one way of playing, fixed by what the declarer sees, in many layouts.

All others see everything and do what they can against it, his partner too, so what a plan beats it beats whatever they do.
"""

from __future__ import annotations

from bummerl.kernels.bits import lowest as index_of
from bummerl.kernels.bits import popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.contracts import remember, remembered
from bummerl.kernels.four_handed import begin
from bummerl.kernels.layouts import set_hands
from bummerl.kernels.table_layout import (
    ALL_TRICKS,
    BEST_SHIFT,
    BY_SHIFT,
    DECLARER,
    FEATURES,
    HAND,
    KIND,
    LEFT_SHIFT,
    NODES,
    PRIORITY,
    ROW_LENGTH,
    SCRATCH,
    STOP,
    TRICK,
    USE_TABLE,
    WORK,
)
from bummerl.kernels.tricks import SUIT, after_card, legal_cards, new_trick


@kernel("boolean(int64[::1], int64)")
def beats_everything(ws, declarer):
    """Say whether the declarer, who leads, takes every trick whatever the others do.

    He leads each suit from the top. Whoever has as many cards of it as have been led with the next one, and a higher
    one among them, can keep that until then; and against any other order he can, too.
    """
    hand = ws[WORK + HAND + declarer]
    for suit in range(4):
        mask = SUIT << (6 * suit)
        for seat in range(4):
            if seat == declarer:
                continue
            theirs = ws[WORK + HAND + seat] & mask
            if not theirs:
                continue
            own = hand & mask
            count = popcount(theirs)
            # The lowest of his cards that they still have to follow: they keep their highest for it.
            while popcount(own) > count:
                own &= own - 1
            if own and theirs > (own & -own):
                return False
    return True


@kernel("boolean(int64[::1], int64, int64)", entry=True)
def keeps_out(ws, rem, trick):
    """Say whether the declarer takes no trick, whatever the others do, if he plays his first legal card by `PRIORITY`."""
    ws[NODES] += 1
    if ws[STOP]:
        return False
    seat = trick & 3
    declarer = ws[WORK + DECLARER]
    opens = (trick >> BEST_SHIFT) & 31 == 31
    key = rem | seat << 24
    if opens:
        if not ws[WORK + HAND + declarer] & rem:
            return True
        if ws[FEATURES] & USE_TABLE:
            found = remembered(ws, key)
            if found >= 0:
                return found == 1
    cards = legal_cards(ws, ws[WORK + HAND + seat] & rem, trick)
    if seat == declarer:
        first = cards & -cards
        rest = cards
        while rest:
            card = rest & -rest
            rest ^= card
            if ws[PRIORITY + index_of(card)] < ws[PRIORITY + index_of(first)]:
                first = card
        cards = first
    last = (trick >> LEFT_SHIFT) & 7 == 1
    answer = True
    while cards and answer:
        card = cards & -cards
        cards ^= card
        state = after_card(ws, trick, index_of(card))
        left = rem ^ card
        if not last:
            answer = keeps_out(ws, left, state)
        else:
            by = (state >> BY_SHIFT) & 3
            answer = by != declarer and keeps_out(ws, left, new_trick(ws, by))
    if opens and ws[FEATURES] & USE_TABLE and not ws[STOP]:
        remember(ws, key, answer)
    return answer


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])", entry=True
)
def count_plans(ws, row, cards, firsts, seconds, seats, picks, found):
    """Count the layouts that a plan beats; arguments as for `layouts.count`."""
    scratch = ws[SCRATCH + ROW_LENGTH : SCRATCH + 2 * ROW_LENGTH]
    for i in range(ROW_LENGTH):
        scratch[i] = row[i]
    before = ws[NODES]
    for i in range(picks.shape[0]):
        set_hands(scratch, cards, firsts, seconds, seats, picks[i])
        everything = begin(ws, scratch)
        whole = row[KIND] == ALL_TRICKS
        made = beats_everything(ws, row[DECLARER]) if whole else keeps_out(ws, everything, row[TRICK])
        if ws[STOP]:
            break
        found[4 if made else 2] += 1
        if not made and found[7] < 0:
            found[7] = picks[i]
        found[9] += 1
    found[8] += ws[NODES] - before
