"""The certified plan: the least a planner loses who sees only his own hand and the cards played.

The planner picks his card from what he sees, for all hands the other may hold at once. The other sees everything.
A position is answered by a front (see `hand_sets`): where the planner moves, his moves' fronts are put together;
where the other moves, one set is lost in each of his moves, so sets are united, one from each front.

Hands that are lost with open cards are out from the start, and each of the planner's moves loses at once the
hands that are lost with open cards behind it. So the other's moves never lose anything by themselves, and with
one card left there is nothing to choose.
"""

from __future__ import annotations

from bummerl.kernels.bits import KINGS, TRUMPS, lowest, popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.hand_sets import (
    able_to_reply,
    add,
    all_holding,
    cards_of,
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
    HIS_TAKEN,
    IS_CLOSER,
    LIMIT,
    LOST,
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
from bummerl.kernels.strict import (
    ATTACKER_LEADS,
    ATTACKER_TAKEN,
    DEFENDER_TAKEN,
    best_marriage,
    card_points,
    legal_replies,
    marriage_with,
    strict,
    suit_shift,
)
from bummerl.kernels.workspace import MARRIAGE_FIRST, RULES, STOP

# A move of the planner: what it costs, the card, the score with its marriage announced, and the set it loses.
ROW = 3
# What the other may do in a position, one record each: the card, the marriage announced with it, the score after
# it, the front of what can be lost behind it, and three sets: the hands that can do it, those of them charged to
# this move alone, and those that some entry of the front loses.
CARD, BONUS, SCORE, FRONT, COUNT, HANDS = 0, 1, 2, 3, 4, 5
MOST_MOVES = 40  # of the other: fifteen cards, kings and queens twice


@kernel("int64(int64, int64, int64)")
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


@kernel("int64(int64, int64)")
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
    "int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)"
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
            bonus = marriage_with(mine, move, ws[RULES])
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
        bonus = marriage_with(his, card, ws[RULES])
        if bonus:
            pair = card | (card >> 1 if card & KINGS else card << 1)
            record = records + n * stride
            if all_holding(pl, level, unknown, pair, hands, record + HANDS, his):
                pl[record + CARD] = card
                pl[record + BONUS] = bonus
                pl[record + SCORE] = announce(score, bonus)
                n += 1
    return n


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


@kernel("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)")
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
    if leads and not led and score >> 16 & MINE_TAKEN and best_marriage(mine) >= score & 255:
        return 1
    count = 0
    if leads == (led == 0):
        rows = reserve(pl, 5 * (words + ROW))
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
