"""The moves of both sides in the plan search, what they lose at once, and the score after them."""

from __future__ import annotations

from bummerl.kernels.bits import KINGS, TRUMPS, lowest
from bummerl.kernels.cache import kernel
from bummerl.kernels.hand_sets import able_to_reply, add, all_holding, cards_of, clear, copy, exceeded, reserve, total
from bummerl.kernels.plan_layout import (
    EVERYTHING,
    FULL,
    HIS_TAKEN,
    IS_CLOSER,
    LOST,
    MINE_LEADS,
    MINE_TAKEN,
    TOP,
    UNTRIED,
    WON,
    WORDS,
)
from bummerl.kernels.strict import (
    ATTACKER_LEADS,
    ATTACKER_TAKEN,
    DEFENDER_TAKEN,
    card_points,
    legal_replies,
    strict,
    strict_marriage_with,
    suit_shift,
)
from bummerl.kernels.workspace import MARRIAGE_FIRST, RULES

# A move of the planner: what it costs, the card, the score with its marriage announced, and the set it loses.
ROW = 3
# What the other may do in a position, one record each: the card, the marriage announced with it, the score after
# it, the front of what can be lost behind it, and three sets: the hands that can do it, those of them charged to
# this move alone, and those that some entry of the front loses.
CARD, BONUS, SCORE, FRONT, COUNT, HANDS = 0, 1, 2, 3, 4, 5
MOST_MOVES = 40  # of the other: fifteen cards, kings and queens twice


@kernel("int64(int64, int64, int64)", entry=True)
def after_trick(score, led, reply):
    """Return the score after a trick, or ``WON`` or ``LOST`` for the planner."""
    x = score & 255
    y = score >> 8 & 255
    state = score >> 16
    suit = TRUMPS << suit_shift(lowest(led))
    beaten = reply > led if reply & suit else reply & TRUMPS != 0
    points = card_points(lowest(led)) + card_points(lowest(reply))
    if beaten != (state & MINE_LEADS != 0):
        x -= points
        if x <= 0:
            return WON
        state |= MINE_TAKEN | MINE_LEADS
    else:
        y -= points
        if y <= 0:
            return LOST
        state = state & MINE_TAKEN | HIS_TAKEN
    return x | y << 8 | state << 16


@kernel("int64(int64, int64)", entry=True)
def announce(score, bonus):
    """Take a marriage off the leader's need.

    Whoever reaches 66 by it alone has no trick yet: then any trick will do, and one point is still needed.
    """
    if score >> 16 & MINE_LEADS:
        return score & ~255 | max((score & 255) - bonus, 1)
    return score & ~(255 << 8) | max((score >> 8 & 255) - bonus, 1) << 8


@kernel("boolean(int64[::1], int64[::1], int64, int64, int64)")
def wins_open(pl, ws, mine, his, score):
    """Say whether the planner wins a position at the lead with open cards."""
    x = score & 255
    y = score >> 8 & 255
    state = score >> 16
    if pl[IS_CLOSER]:
        return strict(ws, mine, his, state, x, y) & 1 == 1
    swapped = ATTACKER_LEADS - (state & ATTACKER_LEADS)
    if state & MINE_TAKEN:
        swapped |= DEFENDER_TAKEN
    if state & HIS_TAKEN:
        swapped |= ATTACKER_TAKEN
    return strict(ws, his, mine, swapped, y, x) & 1 == 0


@kernel("void(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64)")
def add_lost(pl, ws, level, mine, fixed, unknown, played, score, hands, lost):
    """Add to `lost` those of some hands that beat the planner with open cards, `played` having left them."""
    words = pl[WORDS + level]
    for i in range(words):
        left = pl[hands + i] & ~pl[lost + i]
        while left:
            bit = left & -left
            left &= left - 1
            his = (cards_of(pl, level, 64 * i + lowest(bit), unknown) | fixed) & ~played
            if not wins_open(pl, ws, mine, his, score):
                pl[lost + i] |= bit


@kernel("void(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)")
def lost_by(pl, ws, level, mine, fixed, unknown, led, score, move, hands, weights, budget, lost):
    """Write the hands that a move of the planner loses at once: those lost with open cards behind it.

    Once they cost more than the budget, the others are left out.
    """
    words = pl[WORDS + level]
    clear(pl, lost, words)
    if led:
        after = after_trick(score, led, move)
        if after == LOST:
            copy(pl, hands, lost, words)
        elif after != WON:
            add_lost(pl, ws, level, mine & ~move, fixed, unknown, 0, after, hands, lost)
        return
    top = pl[TOP]
    able = reserve(pl, words)
    if pl[FULL]:
        return
    replies = fixed | unknown
    while replies:
        reply = replies & -replies
        replies &= replies - 1
        if able_to_reply(pl, level, fixed, unknown, move, reply, hands, able):
            after = after_trick(score, move, reply)
            if after == LOST:
                add(pl, able, lost, words)
            elif after != WON:
                add_lost(pl, ws, level, mine & ~move, fixed, unknown, reply, after, able, lost)
            if total(pl, weights, lost, words) > budget:
                break
    pl[TOP] = top


@kernel("int64(int64, int64)")
def legal_moves(mine, led):
    """Return the cards the planner may play."""
    return legal_replies(mine, led, TRUMPS << suit_shift(lowest(led))) if led else mine


@kernel(
    "int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)",
    entry=True,
)
def rank_moves(pl, ws, level, mine, fixed, unknown, led, score, hands, weights, budget, rows, n, moves):
    """Add moves of the planner that do not lose too much at once to `n` others, the least costly first.

    With a budget below ``EVERYTHING`` all hands must be won with open cards: an only move then loses none, and a
    move that loses none ends the list. ``UNTRIED`` has the moves that were left out. Returns how many there are.
    """
    words = pl[WORDS + level]
    length = words + ROW
    legal = legal_moves(mine, led)
    forced = legal & (legal - 1) == 0 and budget < EVERYTHING
    announces = ws[RULES] & MARRIAGE_FIRST or score >> 16 & MINE_TAKEN
    while moves:
        # High cards of the last suit first: they win most often.
        move = 1
        while move << 1 <= moves:
            move <<= 1
        moves &= ~move
        row = rows + n * length
        after = score
        if announces and not led:
            bonus = strict_marriage_with(mine, move, ws[RULES])
            if bonus >= score & 255 and score >> 16 & MINE_TAKEN:
                after = WON
            elif bonus:
                after = announce(score, bonus)
        if forced or after == WON:
            clear(pl, row + ROW, words)
        else:
            lost_by(pl, ws, level, mine, fixed, unknown, led, after, move, hands, weights, budget, row + ROW)
        cost = total(pl, weights, row + ROW, words)
        if cost > budget:
            exceeded(pl, cost - budget)
            continue
        pl[row] = cost
        pl[row + 1] = move
        pl[row + 2] = after
        k = row
        while k > rows and pl[k - length] > cost:
            for i in range(length):
                here = pl[k + i]
                pl[k + i] = pl[k - length + i]
                pl[k - length + i] = here
            k -= length
        n += 1
        if cost == 0 and budget < EVERYTHING:
            break
    pl[UNTRIED] = moves
    return n


@kernel("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64)")
def list_moves(pl, ws, level, fixed, unknown, led, score, hands, records):
    """List what the other may do with any of some hands, and with which; returns how many records there are.

    A record is card, score after it, ``FRONT`` and ``COUNT`` to be filled in, the set of hands, and room for one
    more set. Moves that make the planner win are left out.
    """
    words = pl[WORDS + level]
    stride = HANDS + 3 * words
    n = 0
    his = fixed | unknown
    left = his
    while left:
        card = left & -left
        left &= left - 1
        record = records + n * stride
        if led:
            if able_to_reply(pl, level, fixed, unknown, led, card, hands, record + HANDS):
                pl[record + CARD] = card
                pl[record + BONUS] = 0
                pl[record + SCORE] = after_trick(score, led, card)
                n += 1
            continue
        if not all_holding(pl, level, unknown, card, hands, record + HANDS, his):
            continue
        pl[record + CARD] = card
        pl[record + BONUS] = 0
        pl[record + SCORE] = score
        n += 1
        if not (ws[RULES] & MARRIAGE_FIRST or score >> 16 & HIS_TAKEN):
            continue
        bonus = strict_marriage_with(his, card, ws[RULES])
        if bonus:
            pair = card | (card >> 1 if card & KINGS else card << 1)
            record = records + n * stride
            if all_holding(pl, level, unknown, pair, hands, record + HANDS, his):
                pl[record + CARD] = card
                pl[record + BONUS] = bonus
                pl[record + SCORE] = announce(score, bonus)
                n += 1
    return n
