"""The certified plan: the least a planner loses who sees only his own hand and the cards played.

The planner picks his card from what he sees, for all hands the other may hold at once. The other sees everything.
A position is answered by a front (see `hand_sets`): where the planner moves, his moves' fronts are put together;
where the other moves, one set is lost in each of his moves, so sets are united, one from each front.

Hands that are lost with open cards are out from the start, and each of the planner's moves loses at once the
hands that are lost with open cards behind it. So the other's moves never lose anything by themselves, and with
one card left there is nothing to choose.
"""

from __future__ import annotations

from bummerl.kernels.bits import popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.hand_sets import (
    add,
    clear,
    copy,
    exceeded,
    insert,
    is_empty,
    lay_out,  # noqa: F401  (called from outside)
    least,
    map_down,
    map_up,
    reserve,
    subtract,
    total,
    weigh,
)
from bummerl.kernels.plan_layout import (
    CAPACITY,
    ENTRY,
    EVERYTHING,
    FULL,
    LIMIT,
    MINE_LEADS,
    MINE_TAKEN,
    MOST_WORK,
    NODES,
    PLAIN,
    SIZE,
    TOP,
    TRUNCATED,
    UNTRIED,
    UP,
    WON,
    WORDS,
    WORK,
)
from bummerl.kernels.plan_moves import (
    CARD,
    COUNT,
    FRONT,
    HANDS,
    MOST_MOVES,
    ROW,
    SCORE,
    after_trick,
    announce,  # noqa: F401  (called from outside)
    legal_moves,
    list_moves,
    rank_moves,
)
from bummerl.kernels.strict import best_marriage
from bummerl.kernels.workspace import MARRIAGE_OPEN, RULES, STOP


@kernel("int64(int64[::1], int64, int64, int64, int64)")
def put_in_order(pl, weights, words, records, n):
    """Drop the moves that make the planner win, and put those most hands can make first; returns how many stay."""
    stride = HANDS + 3 * words
    kept = 0
    for q in range(n):
        record = records + q * stride
        if pl[record + SCORE] == WON:
            continue
        pl[record + COUNT] = total(pl, weights, record + HANDS, words)
        place = records + kept * stride
        copy(pl, record, place, stride)
        while place > records and pl[place - stride + COUNT] < pl[place + COUNT]:
            for i in range(stride):
                here = pl[place + i]
                pl[place + i] = pl[place - stride + i]
                pl[place - stride + i] = here
            place -= stride
        kept += 1
    return kept


@kernel("void(int64[::1], int64, int64, int64, int64, int64, int64, int64)")
def lost_elsewhere(pl, words, records, n, q, explored, shared, out):
    """Write the hands that can be lost elsewhere than in one move: outside, or in another move.

    Of the moves explored it is known which hands their fronts lose; of the others, who can make them.
    """
    stride = HANDS + 3 * words
    copy(pl, shared, out, words)
    for k in range(n):
        if k != q:
            add(pl, records + k * stride + HANDS + (2 * words if k < explored else 0), out, words)


@kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def keep_front(pl, words, record, front, count, given):
    """Enter the front of a move, and give up what all its entries lose: in other moves it costs nothing more."""
    pl[record + FRONT] = front
    pl[record + COUNT] = count
    for i in range(words):
        common = pl[front + ENTRY + i]
        some = common
        for k in range(1, count):
            bits = pl[front + k * (words + ENTRY) + ENTRY + i]
            common &= bits
            some |= bits
        if not pl[PLAIN]:
            pl[given + i] |= common
        pl[record + HANDS + 2 * words + i] = some


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)")
def cheapest(pl, weights, words, record, among, besides):
    """Return the least that an entry of a move's front costs among some hands, besides others."""
    best = EVERYTHING
    pl[WORK] += pl[record + COUNT] * words
    for k in range(pl[record + COUNT]):
        entry = pl[record + FRONT] + k * (words + ENTRY) + ENTRY
        cost = 0
        for i in range(words):
            cost += weigh(pl, weights, i, pl[entry + i] & pl[among + i] & ~pl[besides + i])
        best = min(best, cost)
        if best == 0:
            break
    return best


@kernel("int64(int64[::1], int64, int64, int64, int64, int64, int64)")
def cost_elsewhere(pl, weights, words, records, explored, own, given):
    """Bound from below what the moves explored lose besides some hands and those given up.

    Each hand is charged to one move only, so the costs add up.
    """
    if pl[PLAIN]:
        return 0
    stride = HANDS + 3 * words
    top = pl[TOP]
    used = reserve(pl, words)
    if pl[FULL]:
        return 0
    copy(pl, own, used, words)
    add(pl, given, used, words)
    bound = 0
    for q in range(explored):
        record = records + q * stride
        bound += cheapest(pl, weights, words, record, record + HANDS, used)
        add(pl, record + HANDS, used, words)
    pl[TOP] = top
    return bound


@kernel("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64)")
def unite(pl, ws, weights, words, records, n, given, shared, budget, out):
    """Unite one entry of each move's front in all ways; the front goes to `out`. Returns its length."""
    stride = HANDS + 3 * words
    length = words + ENTRY
    order = reserve(pl, n)
    later = reserve(pl, words)
    entry = reserve(pl, length)
    if pl[FULL]:
        return 0
    # Now that all fronts are known, fewer hands can be lost in two of them, and more entries are dominated.
    for q in range(n):
        record = records + q * stride
        front = pl[record + FRONT]
        lost_elsewhere(pl, words, records, n, q, n, shared, later)
        made = 0
        for k in range(pl[record + COUNT]):
            copy(pl, front + k * length, entry, length)
            made = insert(pl, weights, front, made, entry, words, later)
        pl[record + COUNT] = made
        # Short fronts first, so that few sets meet the long ones.
        place = q
        while place > 0 and pl[records + pl[order + place - 1] * stride + COUNT] > made:
            pl[order + place] = pl[order + place - 1]
            place -= 1
        pl[order + place] = q
    # Each hand is charged to the last move that can lose it: these charges add up to a bound.
    clear(pl, later, words)
    for k in range(n - 1, -1, -1):
        record = records + pl[order + k] * stride
        subtract(pl, record + HANDS, later, record + HANDS + words, words)
        add(pl, record + HANDS, later, words)
    acc = reserve(pl, length)
    if pl[FULL]:
        return 0
    pl[acc] = total(pl, weights, given, words)
    copy(pl, given, acc + ENTRY, words)
    count = 1
    for k in range(n):
        record = records + pl[order + k] * stride
        copy(pl, shared, later, words)
        for q in range(k + 1, n):
            add(pl, records + pl[order + q] * stride + HANDS + 2 * words, later, words)
        made = 0
        united = acc + count * length
        for a in range(acc, united, length):
            if ws[STOP] or pl[WORK] > pl[MOST_WORK]:
                pl[FULL] = 1
                return 0
            for b in range(pl[record + COUNT]):
                other = pl[record + FRONT] + b * length
                for i in range(ENTRY, length):
                    pl[entry + i] = pl[a + i] | pl[other + i]
                cost = total(pl, weights, entry + ENTRY, words)
                pl[entry] = cost
                for q in range(k + 1, n):
                    if cost > budget or pl[PLAIN]:
                        break
                    rest = records + pl[order + q] * stride
                    cost += cheapest(pl, weights, words, rest, rest + HANDS + words, entry + ENTRY)
                if cost > budget:
                    exceeded(pl, cost - budget)
                    continue
                if united + (made + 1) * length > pl[LIMIT]:
                    pl[FULL] = 1
                    return 0
                made = insert(pl, weights, united, made, entry, words, later)
        copy(pl, united, acc, made * length)
        count = made
    copy(pl, acc, out, count * length)
    pl[TOP] = out + count * length
    return count


@kernel("int64(int64[::1], int64, int64, int64, int64, int64, int64)")
def go_down(pl, level, unknown, card, hands, shared, weights):
    """Translate two sets, and the weights if there are any, for the position after the other played a card.

    They lie one behind the other. A card he surely held changes nothing.
    """
    deeper = card & unknown != 0
    words = pl[WORDS + level + deeper]
    at = reserve(pl, 2 * words + (64 * words if weights else 0))
    if pl[FULL]:
        return at
    if not deeper:
        copy(pl, hands, at, words)
        copy(pl, shared, at + words, words)
        if weights:
            copy(pl, weights, at + 2 * words, pl[SIZE + level])
        return at
    map_down(pl, level, unknown, card, hands, at)
    map_down(pl, level, unknown, card, shared, at + words)
    if weights:
        size = pl[SIZE + level + 1]
        up = pl[UP + level] + popcount(unknown & (card - 1)) * size
        for j in range(size):
            pl[at + 2 * words + j] = pl[weights + pl[up + j]]
    return at


@kernel("void(int64[::1], int64, int64, int64, int64, int64, int64)")
def come_up(pl, level, unknown, card, front, count, out):
    """Translate a front from behind `go_down` back, and move it to `out`."""
    words = pl[WORDS + level]
    if not card & unknown:
        copy(pl, front, out, count * (words + ENTRY))
        pl[TOP] = out + count * (words + ENTRY)
        return
    below = pl[WORDS + level + 1] + ENTRY
    length = words + ENTRY
    wide = reserve(pl, count * length)
    if pl[FULL]:
        return
    for k in range(count):
        pl[wide + k * length] = pl[front + k * below]
        map_up(pl, level, unknown, card, front + k * below + ENTRY, wide + k * length + ENTRY)
    copy(pl, wide, out, count * length)
    pl[TOP] = out + count * length


@kernel("int64(int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64)")
def choose(pl, weights, words, front, count, behind, number, lost, cost, shared):
    """Add the front behind one of the planner's moves, with what the move loses, to the front of his moves.

    One lies directly behind the other; returns the new length.
    """
    length = words + ENTRY
    moved = reserve(pl, number * length)
    if pl[FULL]:
        return 0
    copy(pl, behind, moved, number * length)
    for entry in range(moved, moved + number * length, length):
        pl[entry] += cost
        add(pl, lost, entry + ENTRY, words)
        count = insert(pl, weights, front, count, entry, words, shared)
    pl[TOP] = front + count * length
    return count


@kernel(
    "int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)", entry=True
)
def explore(pl, ws, level, mine, fixed, unknown, led, score, hands, shared, weights, budget):
    """Find the front of a position.

    Parameters
    ----------
    pl, ws : int64 array
        The sets (see `hand_sets`) and the workspace of the strict search.
    level : int
        How many unknown cards the other has played.
    mine, fixed, unknown : int
        Cards: the planner's, those the other surely holds, and those of which he holds the rest.
    led : int
        The card to be replied to, or 0.
    score : int
        See above.
    hands : int
        Where the set of hands lies that are still to be beaten; all of them are won with open cards.
    shared : int
        Where the set of those lies that can be lost elsewhere as well.
    weights : int
        Where the weights lie, or 0.
    budget : int
        The most a set may cost.

    Returns
    -------
    int
        The length of the front, which lies where ``TOP`` was; 0 if every plan costs more than the budget (then
        ``EXCESS`` is at most what is missing), or if ``FULL`` is set.
    """
    pl[NODES] += 1
    words = pl[WORDS + level]
    length = words + ENTRY
    base = reserve(pl, length)
    if pl[FULL] or ws[STOP]:
        pl[FULL] = 1
        return 0
    if budget < 0:
        exceeded(pl, -budget)
        pl[TOP] = base
        return 0
    clear(pl, base, length)
    leads = score >> 16 & MINE_LEADS != 0
    if popcount(mine) + (leads and led != 0) == 1 or is_empty(pl, hands, words):
        return 1
    if (
        leads
        and not led
        and score >> 16 & MINE_TAKEN
        and best_marriage(mine) >= score & 255
        and not ws[RULES] & MARRIAGE_OPEN
    ):
        return 1
    count = 0
    if leads == (led == 0):
        rows = reserve(pl, popcount(mine) * (words + ROW))
        rest = reserve(pl, words)
        front = pl[TOP]
        if pl[FULL]:
            return 0
        # An entry that costs more than another by no more than this may still be worth keeping.
        spread = 0
        for i in range(words):
            spread += weigh(pl, weights, i, pl[hands + i] & pl[shared + i])
        row = rows
        last = rows
        untried = legal_moves(mine, led)
        while True:
            # Moves are looked at as they are needed: one that loses nothing at once may be good enough.
            if untried and (row == last or pl[row] > 0):
                n = (last - row) // (words + ROW)
                n = rank_moves(pl, ws, level, mine, fixed, unknown, led, score, hands, weights, budget, row, n, untried)
                last = row + n * (words + ROW)
                untried = pl[UNTRIED]
                continue
            if row == last:
                break
            if pl[FULL]:
                return 0
            if pl[row] > budget:
                exceeded(pl, pl[row] - budget)
                break
            move = pl[row + 1]
            after = after_trick(pl[row + 2], led, move) if led else pl[row + 2]
            behind = pl[TOP]
            if popcount(mine) == 2 or after == WON:
                number = 1
                clear(pl, reserve(pl, length), length)
            else:
                subtract(pl, hands, row + ROW, rest, words)
                next_led = 0 if led else move
                room = budget - pl[row]
                number = explore(
                    pl, ws, level, mine & ~move, fixed, unknown, next_led, after, rest, shared, weights, room
                )
            if pl[FULL]:
                return 0
            count = choose(pl, weights, words, front, count, behind, number, row + ROW, pl[row], shared)
            if count:
                best = least(pl, front, count, words)
                if best == 0:
                    break
                if pl[CAPACITY] == 1 and spread:
                    # Any good plan will do, so the next move has to be better.
                    spread = 0
                    pl[TRUNCATED] = 1
                if not pl[PLAIN]:
                    budget = min(budget, best + spread - 1)
            row += words + ROW
        copy(pl, front, base, count * length)
        pl[TOP] = base + count * length
        return count

    stride = HANDS + 3 * words
    records = reserve(pl, MOST_MOVES * stride)
    given = reserve(pl, 3 * words)
    if pl[FULL]:
        return 0
    own = given + words
    rest = own + words
    clear(pl, given, words)
    n = list_moves(pl, ws, level, fixed, unknown, led, score, hands, records)
    n = put_in_order(pl, weights, words, records, n)
    for q in range(n):
        record = records + q * stride
        card = pl[record + CARD]
        subtract(pl, record + HANDS, given, rest, words)
        lost_elsewhere(pl, words, records, n, q, q, shared, own)
        room = budget - total(pl, weights, given, words)
        room -= cost_elsewhere(pl, weights, words, records, q, record + HANDS, given)
        start = pl[TOP]
        sets = go_down(pl, level, unknown, card, rest, own, weights)
        if pl[FULL]:
            return 0
        deeper = level + (card & unknown != 0)
        below = pl[WORDS + deeper]
        behind = pl[TOP]
        number = explore(
            pl,
            ws,
            deeper,
            mine,
            fixed & ~card,
            unknown & ~card,
            0 if led else card,
            pl[record + SCORE],
            sets,
            sets + below,
            sets + 2 * below if weights else weights,
            room,
        )
        come_up(pl, level, unknown, card, behind, number, start)
        if pl[FULL]:
            return 0
        if not number:
            pl[TOP] = base
            return 0
        keep_front(pl, words, record, start, number, given)
    return unite(pl, ws, weights, words, records, n, given, shared, budget, base)


LOADED = True
