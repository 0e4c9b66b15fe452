"""The race to 66 between two sides: does the attacking side win at least so many game points?

Points are not in the table's key: each answer says how many points fewer the favoured side, and how many more the
other side, could have had with the same answer, as in the two-handed search.
"""

from __future__ import annotations

from bummerl.kernels.bits import ACES, KINGS, QUEENS, TENS, popcount
from bummerl.kernels.bits import lowest as index_of
from bummerl.kernels.cache import kernel
from bummerl.kernels.table import MULTIPLIER
from bummerl.kernels.table_layout import (
    ATTACK,
    BEST_SHIFT,
    BY_SHIFT,
    DEALT,
    FEATURES,
    FLAGS,
    GENERATION,
    HAND,
    LAST_IS_ONE,
    LEFT_SHIFT,
    LEVEL,
    NO_LIMIT,
    NODES,
    PLAYERS,
    POINTS_SHIFT,
    STOP,
    TABLE,
    TABLE_HITS,
    TABLE_MASK,
    TRUMPS,
    USE_ORDER,
    USE_REACH,
    USE_SLACK,
    USE_TABLE,
    WORK,
)
from bummerl.kernels.tricks import after_card, beating, legal_cards, marriage, new_trick


@kernel("int64(boolean, int64, int64)")
def answer_of(won, x, y):
    """Pack an answer: how far the attacker's points may be off, and the defender's."""
    return (1 if won else 0) | min(x, NO_LIMIT) << 1 | min(y, NO_LIMIT) << 9


@kernel("int64(int64, int64)")
def room(y, level):
    """Return how many more points the defender can have without having escaped."""
    return NO_LIMIT if level == 3 or y <= 0 else y - 1


@kernel("int64(int64, int64)")
def weaker(one, two):
    """Return an answer that holds where both do."""
    return (one & 1) | min(one & 0x1FE, two & 0x1FE) | min(one >> 9, two >> 9) << 9


@kernel("int64(int64)")
def points_in(cards):
    """Add up card points."""
    return (
        11 * popcount(cards & ACES)
        + 10 * popcount(cards & TENS)
        + 4 * popcount(cards & KINGS)
        + 3 * popcount(cards & QUEENS)
        + 2 * popcount(cards & 0x082082)
    )


@kernel("int64(int64[::1], int64)")
def marriages_left(ws, rem):
    """Return what the attacking side can still announce at most."""
    found = rem - rem
    for seat in range(4):
        if (ws[ATTACK] >> seat) & 1:
            hand = ws[WORK + HAND + seat] & rem
            pairs = hand & QUEENS & (hand >> 1)
            if pairs:
                found += 20 * popcount(pairs)
                if pairs & ws[WORK + TRUMPS]:
                    found += 20
    return found


@kernel("boolean(int64[::1], int64)")
def first_lead(ws, rem):
    """Say whether no trick has been played."""
    return popcount(rem) == ws[WORK + PLAYERS] * ws[WORK + DEALT]


@kernel("int64(int64[::1], int64, int64, boolean)")
def choose(ws, cards, trick, attacks):
    """Return the card to try next."""
    if not cards & (cards - 1) or not ws[FEATURES] & USE_ORDER:
        return cards & -cards
    best = (trick >> BEST_SHIFT) & 31
    seat = trick & 3
    side = ws[ATTACK] if attacks else ~ws[ATTACK]
    found, most = cards - cards, -1000
    winning = cards - cards
    ours = False
    if best != 31:
        winning = beating(best, ws[WORK + TRUMPS])
        ours = (side >> ((trick >> BY_SHIFT) & 3)) & 1 == 1
    rest = cards
    while rest:
        card = rest & -rest
        rest ^= card
        index = index_of(card)
        worth = (0xBA4320 >> (4 * (index % 6))) & 15
        score = worth
        if best == 31:
            score = index % 6 * 2
            if card & ws[WORK + TRUMPS]:
                score += 3
            if card & TENS:
                score -= 9
            if marriage(ws[WORK + HAND + seat], card, ws[WORK + TRUMPS]):
                score += 8
        elif ours:
            score = worth if not card & winning else worth - 3
        elif card & winning:
            score = 20 + worth
        else:
            score = -worth
        if score > most:
            most, found = score, card
    return found


@kernel("int64(int64[::1], int64, int64, int64, int64)")
def decided(ws, rem, state, x, y):
    """Return the answer after the first card of a trick and its marriage, or after the last card; -1 if there is none yet.

    `rem` still has the card, `x` and `y` do not have the points of the trick.
    """
    level = ws[LEVEL]
    if (state >> LEFT_SHIFT) & 7:
        if x <= 0:
            return answer_of(True, -x, room(y, level))
        # Whoever leads has a trick, but for the very first lead; then 40 are not enough for 66, but for 33.
        if level < 3 and y <= 0 and not first_lead(ws, rem) and not (ws[ATTACK] >> ((state >> BY_SHIFT) & 3)) & 1:
            return answer_of(False, x - 1, -y)
        return -1
    points = state >> POINTS_SHIFT
    over = not rem & (rem - 1)
    if (ws[ATTACK] >> ((state >> BY_SHIFT) & 3)) & 1:
        if over and ws[WORK + FLAGS] & LAST_IS_ONE:
            return answer_of(True, NO_LIMIT, room(y, level)) if level == 1 else answer_of(False, x - 1, NO_LIMIT)
        if over:
            return answer_of(True, NO_LIMIT, room(y, level))
        return answer_of(True, points - x, room(y, level)) if x <= points else -1
    if level == 3:
        return answer_of(False, x - 1, NO_LIMIT)
    if y <= points:
        return answer_of(False, x - 1, points - y)
    return answer_of(False, x - 1, NO_LIMIT) if over else -1


@kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def keep(ws, place, key, x, y, answer):
    """Put an answer into the table, for all scores that its slack covers."""
    data = 1024 + 512 << 32 | 255 << 16 | (1024 - 512)
    if ws[place] == key:
        data = ws[place + 1]
    a, b = (answer >> 1) & 255, answer >> 9
    if answer & 1:
        data = data & 0xFFFFFFFF | (min(x + a, 255) << 48) | (max(y - b, -500) + 1024) << 32
    else:
        data = data & ~0xFFFFFFFF | max(x - a, 0) << 16 | (min(y + b, 500) + 1024)
    ws[place] = key
    ws[place + 1] = data


@kernel("int64(int64[::1], int64, int64, int64, int64)", entry=True)
def race(ws, rem, trick, x, y):
    """Answer whether the attacking side wins at least `LEVEL`, with slack.

    Parameters
    ----------
    ws : array
        Workspace with the row at `WORK`, `ATTACK` and `LEVEL`.
    rem : int
        Cards not played yet.
    trick : int
        State of the trick.
    x : int
        Points the attacker still needs for 66.
    y : int
        Points with which the defender escapes: at 66, or at 33; at level 3 any trick is enough. It may be 0 or less
        while he waits for his first trick.
    """
    ws[NODES] += 1
    if ws[STOP]:
        return 0
    seat = trick & 3
    attacks = (ws[ATTACK] >> seat) & 1 == 1
    hand = ws[WORK + HAND + seat] & rem
    best = (trick >> BEST_SHIFT) & 31
    opens = best == 31
    use_table = opens and ws[FEATURES] & USE_TABLE != 0
    place, key = rem - rem, rem - rem
    if opens:
        if ws[FEATURES] & USE_REACH and ws[LEVEL] > 1:
            # Whoever wins two has 66 at the end, and nobody announces more than two marriages.
            most = points_in(rem) + marriages_left(ws, rem)
            if most < x:
                return answer_of(False, x - most - 1, NO_LIMIT)
        if use_table:
            key = ((ws[GENERATION] & 0xFFFFFF) << 26 | rem << 2 | seat) << 3 | ws[LEVEL] << 1 | (ws[ATTACK] & 1)
            place = TABLE + 1 + ws[TABLE_MASK]
            place += 2 * ((((key * MULTIPLIER) & 0x7FFFFFFFFFFFFFFF) >> 32) & ws[TABLE_MASK])
            if ws[place] == key:
                data = ws[place + 1]
                # yes: x up to, y from; no: x from, y up to
                if x <= (data >> 48) & 255 and y >= ((data >> 32) & 0xFFFF) - 1024:
                    ws[TABLE_HITS] += 1
                    return answer_of(True, ((data >> 48) & 255) - x, y - ((data >> 32) & 0xFFFF) + 1024)
                if x >= (data >> 16) & 255 and y <= (data & 0xFFFF) - 1024:
                    ws[TABLE_HITS] += 1
                    return answer_of(False, x - ((data >> 16) & 255), (data & 0xFFFF) - 1024 - y)
    last = (trick >> LEFT_SHIFT) & 7 == 1
    trumps = ws[WORK + TRUMPS]
    cards = hand if opens else legal_cards(ws, hand, trick)
    answer = answer_of(not attacks, NO_LIMIT, NO_LIMIT)
    while cards:
        card = choose(ws, cards, trick, attacks)
        cards ^= card
        state = after_card(ws, trick, index_of(card))
        left = rem ^ card
        next_x, next_y = x, y
        if opens:
            bonus = marriage(hand, card, trumps)
            if attacks:
                next_x -= bonus
            else:
                next_y -= bonus
        found = decided(ws, rem, state, next_x, next_y) if opens or last else -1
        if found < 0:
            if last:
                by = (state >> BY_SHIFT) & 3
                if (ws[ATTACK] >> by) & 1:
                    next_x -= state >> POINTS_SHIFT
                else:
                    next_y -= state >> POINTS_SHIFT
                state = new_trick(ws, by)
            found = race(ws, left, state, next_x, next_y)
        if (found & 1 == 1) == attacks:
            answer = found
            break
        answer = weaker(answer, found)
    if ws[STOP]:
        return 0
    if not ws[FEATURES] & USE_SLACK:
        answer &= 1
    if use_table:
        keep(ws, place, key, x, y, answer)
    return answer
