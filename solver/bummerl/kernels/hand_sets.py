"""Sets of hands the other player may hold, and fronts of such sets, for the plan search.

A planner sees his hand and the cards played. The other's hand is some cards that are known to be there (`fixed`)
and `k` of `n` `unknown` ones: ``C(n, k)`` possible hands, and a set of hands is that many bits. Every unknown card
that is played takes the search one *level* down: the hands that held it correspond, in order, to the
``C(n - 1, k - 1)`` hands of the level below, so sets shrink on the way: 2002, 715, 220, 55, 10 bits.

Hands count one each, or have weights: `weights` says where these lie in the array, 0 for none.

Everything lies in one int64 array, see `plan_layout`.

A *front* is a list of entries, each the cost of a set and the set. It holds every set of hands that some way of
playing loses, except dominated ones and those that cost more than a budget.
"""

from __future__ import annotations

from bummerl.kernels.bits import TRUMPS, lowest, popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.plan_layout import (
    CAPACITY,
    ENTRY,
    EXCESS,
    FULL,
    HEADER,
    HOLDS,
    LIMIT,
    PLAIN,
    SIZE,
    SUBSETS,
    TOP,
    TRUNCATED,
    UP,
    WORDS,
    WORK,
)
from bummerl.kernels.strict import suit_shift


@kernel("void(int64[::1], int64, int64)", entry=True)
def lay_out(pl, n, k):
    """Write the tables for hands of `k` of `n` unknown cards; the arena begins behind them.

    For each level: its hands as sets of positions among the unknown cards, in increasing order; for each position
    the set of hands that hold it; and for each position the hand of this level that belongs to a hand below.
    """
    at = HEADER
    for level in range(k + 1):
        cards = n - level
        held = k - level
        pl[SUBSETS + level] = at
        count = 0
        hand = (1 << held) - 1
        while hand < 1 << cards:
            pl[at + count] = hand
            count += 1
            if held == 0:
                break
            # The next number with as many bits set.
            low = hand & -hand
            ripple = hand + low
            hand = ripple | ((hand ^ ripple) >> 2) // low
        at += count
        words = (count + 63) // 64
        pl[SIZE + level] = count
        pl[WORDS + level] = words
        pl[HOLDS + level] = at
        for i in range(cards * words):
            pl[at + i] = 0
        for j in range(count):
            hand = pl[pl[SUBSETS + level] + j]
            while hand:
                pl[at + lowest(hand) * words + (j >> 6)] |= 1 << (j & 63)
                hand &= hand - 1
        at += cards * words
    for level in range(k):
        here = pl[SUBSETS + level]
        below = pl[SUBSETS + level + 1]
        pl[UP + level] = at
        for position in range(n - level):
            # Giving a card back keeps the order, so one walk finds them all.
            i = 0
            for j in range(pl[SIZE + level + 1]):
                hand = pl[below + j]
                hand = hand & ((1 << position) - 1) | (hand >> position) << (position + 1) | 1 << position
                while pl[here + i] != hand:
                    i += 1
                pl[at + j] = i
            at += pl[SIZE + level + 1]
    pl[TOP] = at


@kernel("int64(int64[::1], int64)")
def reserve(pl, words):
    """Take memory from the arena. Where there is none left, ``FULL`` is set and the search ends."""
    at = pl[TOP]
    if at + words > pl[LIMIT]:
        pl[FULL] = 1
        return HEADER
    pl[TOP] = at + words
    return at


@kernel("void(int64[::1], int64, int64, int64)")
def copy(pl, source, out, words):
    """Copy memory; `out` may lie before `source` and overlap it."""
    for i in range(words):
        pl[out + i] = pl[source + i]


@kernel("void(int64[::1], int64, int64)")
def clear(pl, at, words):
    """Fill memory with zeros."""
    for i in range(words):
        pl[at + i] = 0


@kernel("void(int64[::1], int64, int64, int64)")
def add(pl, hands, out, words):
    """Add a set to another."""
    for i in range(words):
        pl[out + i] |= pl[hands + i]


@kernel("void(int64[::1], int64, int64, int64, int64)")
def subtract(pl, first, second, out, words):
    """Write the hands of the first set that are not in the second."""
    for i in range(words):
        pl[out + i] = pl[first + i] & ~pl[second + i]


@kernel("int64(int64[::1], int64, int64, int64)")
def weigh(pl, weights, word, bits):
    """Count the hands in one word of a set, or add up their weights."""
    if weights == 0:
        return popcount(bits)
    found = 0
    while bits:
        found += pl[weights + 64 * word + lowest(bits)]
        bits &= bits - 1
    return found


@kernel("int64(int64[::1], int64, int64, int64)")
def total(pl, weights, hands, words):
    """Return what a set of hands costs: how many they are, or their weights added up."""
    found = 0
    for i in range(words):
        found += weigh(pl, weights, i, pl[hands + i])
    return found


@kernel("boolean(int64[::1], int64, int64)")
def is_empty(pl, at, words):
    """Say whether a set is empty."""
    for i in range(words):
        if pl[at + i]:
            return False
    return True


@kernel("int64(int64[::1], int64, int64, int64)")
def cards_of(pl, level, hand, unknown):
    """Return the unknown cards that a hand of a level holds."""
    left = pl[pl[SUBSETS + level] + hand]
    cards = 0
    while left:
        if left & 1:
            cards |= unknown & -unknown
        unknown &= unknown - 1
        left >>= 1
    return cards


@kernel("int64(int64[::1], int64, int64, int64)")
def holders(pl, level, unknown, card):
    """Return where the set of hands lies that hold an unknown card."""
    return pl[HOLDS + level] + popcount(unknown & (card - 1)) * pl[WORDS + level]


@kernel("boolean(int64[::1], int64, int64, int64, int64, int64, int64)")
def all_holding(pl, level, unknown, cards, hands, out, among):
    """Write those of some hands that hold all of the given cards; say whether there are any.

    `among` are the cards the other may hold; a card he surely holds is in it but not in `unknown`.
    """
    words = pl[WORDS + level]
    if cards & ~among:
        return False
    copy(pl, hands, out, words)
    cards &= unknown
    while cards:
        held = holders(pl, level, unknown, cards & -cards)
        cards &= cards - 1
        for i in range(words):
            pl[out + i] &= pl[held + i]
    return not is_empty(pl, out, words)


@kernel("boolean(int64[::1], int64, int64, int64, int64, int64, int64, int64)")
def able_to_reply(pl, level, fixed, unknown, led, reply, hands, out):
    """Write those of some hands for which a reply to a lead is legal; say whether there are any."""
    words = pl[WORDS + level]
    suit = TRUMPS << suit_shift(lowest(led))
    if reply & suit:
        forbidding = 0 if reply > led else suit & ~(2 * led - 1)
    elif reply & TRUMPS:
        forbidding = suit
    else:
        forbidding = suit | TRUMPS
    if forbidding & fixed or not all_holding(pl, level, unknown, reply, hands, out, fixed | unknown):
        return False
    forbidding &= unknown
    while forbidding:
        held = holders(pl, level, unknown, forbidding & -forbidding)
        forbidding &= forbidding - 1
        for i in range(words):
            pl[out + i] &= ~pl[held + i]
    return not is_empty(pl, out, words)


@kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def map_down(pl, level, unknown, card, hands, out):
    """Translate a set of hands that hold an unknown card to the level below, where it has been played."""
    below = pl[SIZE + level + 1]
    up = pl[UP + level] + popcount(unknown & (card - 1)) * below
    clear(pl, out, pl[WORDS + level + 1])
    for j in range(below):
        k = pl[up + j]
        pl[out + (j >> 6)] |= ((pl[hands + (k >> 6)] >> (k & 63)) & 1) << (j & 63)


@kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def map_up(pl, level, unknown, card, hands, out):
    """Translate a set of the level below back."""
    up = pl[UP + level] + popcount(unknown & (card - 1)) * pl[SIZE + level + 1]
    clear(pl, out, pl[WORDS + level])
    for i in range(pl[WORDS + level + 1]):
        left = pl[hands + i]
        while left:
            k = pl[up + i * 64 + lowest(left)]
            left &= left - 1
            pl[out + (k >> 6)] |= 1 << (k & 63)


@kernel("void(int64[::1], int64)")
def exceeded(pl, by):
    """Remember by how little a plan has missed a budget: no plan at all costs less than that more."""
    if by < pl[EXCESS]:
        pl[EXCESS] = by


@kernel("int64(int64[::1], int64, int64, int64)")
def least(pl, front, count, words):
    """Return the lowest cost in a front that is not empty."""
    found = pl[front]
    for k in range(1, count):
        found = min(found, pl[front + k * (words + ENTRY)])
    return found


@kernel("int64(int64[::1], int64, int64, int64, int64, int64, int64)")
def insert(pl, weights, front, count, entry, words, shared):
    """Add an entry to a front unless it is dominated; returns the new count.

    Only `shared` hands can be lost elsewhere too. One entry dominates another if it costs no more whatever is
    lost elsewhere: its own hands that are not shared, and its shared hands that the other does not lose, weigh
    no more than the other's hands that are not shared.
    """
    length = words + ENTRY
    pl[WORK] += count * words
    own = 0
    alike = -pl[PLAIN]
    for i in range(words):
        own += weigh(pl, weights, i, pl[entry + ENTRY + i] & ~(pl[shared + i] | alike))
    pl[entry + 1] = own
    kept = 0
    for k in range(count):
        other = front + k * length
        theirs = pl[other + 1]
        if theirs <= own:
            for i in range(words):
                more = pl[other + ENTRY + i] & (pl[shared + i] | alike) & ~pl[entry + ENTRY + i]
                if more:
                    theirs += weigh(pl, weights, i, more)
                    if theirs > own:
                        break
            if theirs <= own:
                # Dominance is transitive, so nothing was removed before.
                return count
        if pl[other + 1] >= own:
            theirs = pl[other + 1]
            mine = own
            for i in range(words):
                more = pl[entry + ENTRY + i] & (pl[shared + i] | alike) & ~pl[other + ENTRY + i]
                if more:
                    mine += weigh(pl, weights, i, more)
                    if mine > theirs:
                        break
            if mine <= theirs:
                continue
        if kept != k:
            copy(pl, other, front + kept * length, length)
        kept += 1
    place = kept
    if kept >= pl[CAPACITY]:
        pl[TRUNCATED] = 1
        place = 0
        for k in range(1, kept):
            if pl[front + k * length] > pl[front + place * length]:
                place = k
        if pl[front + place * length] <= pl[entry]:
            return kept
        kept -= 1
    copy(pl, entry, front + place * length, length)
    return kept + 1
