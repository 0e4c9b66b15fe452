"""Entry points of the three- and four-handed kernels: values of rows, of every move, and a line of best play.

A value is 1 or -1 where a contract is made or not, and the game points of the declarer's side in a race.
"""

from __future__ import annotations

from bummerl.kernels.bits import lowest as index_of
from bummerl.kernels.bits import popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.contracts import takes_all, takes_none
from bummerl.kernels.race import points_in, race
from bummerl.kernels.table_layout import (
    ALL_TRICKS,
    ATTACK,
    BEST_SHIFT,
    BY_SHIFT,
    DEALT,
    DECLARER,
    DISCARDS_COUNT,
    FLAGS,
    GENERATION,
    HAND,
    KIND,
    LAID,
    LAST_IS_ONE,
    LEADER_TWENTY,
    LEFT_SHIFT,
    LEVEL,
    NEED,
    NEXT,
    NO_TRICK,
    NODES,
    OTHER,
    POINTS_SHIFT,
    RACE,
    ROW_LENGTH,
    SCRATCH,
    SIDE,
    STOP,
    TABLE,
    TABLE_MASK,
    TAKEN,
    TALON,
    THREE_TRICKS,
    TRICK,
    TRUMPS,
    WHOLE_THREE,
    WORK,
)
from bummerl.kernels.tricks import after_card, legal_cards, marriage, new_trick


@kernel("int64(int64[::1])")
def in_play(row):
    """Return the cards of all who play."""
    seat = row[TRICK] & 3
    cards = row[HAND + seat]
    after = row[NEXT + seat]
    while after != seat:
        cards |= row[HAND + after]
        after = row[NEXT + after]
    return cards


@kernel("int64(int64[::1], int64[::1])")
def begin(ws, row):
    """Put a row into the workspace, forget what was found for another one, and return all cards in play."""
    ws[GENERATION] += 1
    if ws[GENERATION] & 0xFFFFFF == 0:
        # Entries of a generation with the same last bits could lie there.
        ws[TABLE : TABLE + 3 * (ws[TABLE_MASK] + 1)] = 0
    for i in range(ROW_LENGTH):
        ws[WORK + i] = row[i]
    return in_play(row)


@kernel("int64(int64)")
def by_points(need):
    """Return the game points of a race when the loser, with a trick, still needs so much for 66."""
    return 2 if need > 33 else 1


@kernel("boolean(int64[::1], int64[::1], int64, int64, int64)")
def ask(ws, row, cards, side, level):
    """Say whether a side, 0 the declarer's, wins at least `level` in a race."""
    if level > 1 and row[TAKEN] & (2 >> side) and (level == 3 or row[OTHER - side] <= 33):
        return False
    ws[LEVEL] = level
    everyone = 15
    ws[ATTACK] = row[SIDE] if side == 0 else everyone & ~row[SIDE]
    y = row[OTHER - side] - (33 if level == 2 else 0)
    return race(ws, cards, row[TRICK], row[NEED + side], y) & 1 == 1


@kernel("int64(int64[::1], int64[::1])")
def value_as_dealt(ws, row):
    """Return the value of a row that is not decided, with the hands as they are."""
    cards = begin(ws, row)
    if row[KIND] == NO_TRICK:
        return 1 if takes_none(ws, cards, row[TRICK]) else -1
    if row[KIND] != RACE:
        need = 127 if row[KIND] == ALL_TRICKS else row[NEED]
        return 1 if takes_all(ws, cards, row[TRICK], need) else -1
    side = 0 if ask(ws, row, cards, 0, 1) else 1
    found = 1
    while found < 3 and ask(ws, row, cards, side, found + 1):
        found += 1
    return found if side == 0 else -found


@kernel("boolean(int64[::1], int64[::1], int64)")
def reaches(ws, row, worth):
    """Say whether the value of a row is at least `worth`."""
    if row[KIND] != RACE:
        return value_as_dealt(ws, row) >= worth
    cards = begin(ws, row)
    return ask(ws, row, cards, 0, worth) if worth > 0 else not ask(ws, row, cards, 1, 1 - worth)


@kernel("int64(int64[::1], int64[::1], int64[::1])", entry=True)
def best_discard(ws, row, laid):
    """Let the declarer take the talon and lay away the best two of his cards, which go to `laid`; return the value."""
    declarer = row[DECLARER]
    hand = row[HAND + declarer] | row[HAND + 3]
    scratch = ws[SCRATCH + 2 * ROW_LENGTH : SCRATCH + 3 * ROW_LENGTH]
    worst, most = (-3, 3) if row[KIND] == RACE else (-1, 1)
    best, wanted = worst, worst
    one = hand
    # The lowest cards first, trumps last, since these are rarely missed.
    laid[0] = 0
    for first in range(24):
        index = (first + 6) % 24
        if not (hand >> index) & 1:
            continue
        for second in range(first):
            other = (second + 6) % 24
            if not (hand >> other) & 1:
                continue
            one = (hand >> index << index) & ~(hand >> (index + 1) << (index + 1))
            one |= (hand >> other << other) & ~(hand >> (other + 1) << (other + 1))
            for i in range(ROW_LENGTH):
                scratch[i] = row[i]
            scratch[HAND + declarer] = hand & ~one
            scratch[HAND + 3] = 0
            scratch[TALON] = 0
            if row[FLAGS] & DISCARDS_COUNT:
                scratch[OTHER] -= points_in(one)
            if laid[0] == 0:
                laid[0] = one
            while best < most:
                wanted = best + 1 if best != -1 else 1
                if not reaches(ws, scratch, wanted):
                    break
                best = wanted
                laid[0] = one
            if best == most or ws[STOP]:
                return best
    return best


@kernel("int64(int64[::1], int64[::1])", entry=True)
def value(ws, row):
    """Return the value of a row that is not decided; where the talon is still to be taken, with the best discard."""
    if row[TALON]:
        return best_discard(ws, row, ws[LAID : LAID + 1])
    return value_as_dealt(ws, row)


@kernel("void(int64[::1], int64[:, ::1], int64[::1], int64[::1])", entry=True)
def values(ws, rows, found, nodes):
    """Write the value of each row, and the nodes it took."""
    for i in range(rows.shape[0]):
        before = ws[NODES]
        found[i] = value(ws, rows[i])
        nodes[i] = ws[NODES] - before
        if ws[STOP]:
            return


@kernel("int64(int64[::1], int64[::1])", entry=True)
def legal(ws, row):
    """Return what may be played next."""
    for i in range(ROW_LENGTH):
        ws[WORK + i] = row[i]
    return legal_cards(ws, row[HAND + (row[TRICK] & 3)], row[TRICK])


@kernel("int64(int64[::1], int64)")
def race_value(row, side):
    """Return the value when a side has won a race: by what the other one has."""
    taken = row[TAKEN] & (2 >> side)
    found = by_points(row[OTHER - side]) if taken else 3
    return found if side == 0 else -found


@kernel("int64(int64[::1], int64[::1])")
def end_trick(ws, row):
    """Give a trick to its winner; returns the value once the deal is decided, else 0."""
    trick = row[TRICK]
    by = (trick >> BY_SHIFT) & 3
    points = trick >> POINTS_SHIFT
    side = 0 if (row[SIDE] >> by) & 1 else 1
    row[TAKEN] |= 1 << side
    row[TRICK] = new_trick(ws, by)
    held = popcount(row[HAND + by])
    kind = row[KIND]
    if kind == NO_TRICK:
        if by == row[DECLARER]:
            return -1
        return 1 if held == 0 else 0
    row[NEED + side] -= points
    if kind == RACE:
        if held == 0 and row[FLAGS] & LAST_IS_ONE:
            return 1 if side == 0 else -1
        if held == 0 or row[NEED + side] <= 0:
            return race_value(row, side)
        return 0
    if by != row[DECLARER]:
        return -1
    if kind == ALL_TRICKS:
        return 1 if held == 0 else 0
    if row[DEALT] - held >= 3 or (row[NEED] <= 0 and not row[FLAGS] & WHOLE_THREE):
        return 1 if row[NEED] <= 0 else -1
    return 0


@kernel("int64(int64[::1], int64[::1], int64)", entry=True)
def play(ws, row, card):
    """Play a card, and announce with it what counts; returns the value once the deal is decided, else 0."""
    for i in range(ROW_LENGTH):
        ws[WORK + i] = row[i]
    trick = row[TRICK]
    seat = trick & 3
    hand = row[HAND + seat]
    row[HAND + seat] = hand & ~card
    side = 0 if (row[SIDE] >> seat) & 1 else 1
    kind = row[KIND]
    if (trick >> BEST_SHIFT) & 31 == 31:
        counts = kind == RACE or (
            kind == THREE_TRICKS and (seat == row[DECLARER] or (side == 0 and row[FLAGS] & LEADER_TWENTY != 0))
        )
        if counts:
            bonus = marriage(hand, card, row[TRUMPS])
            # Of the declarer's partner only a twenty can count.
            if kind == RACE or seat == row[DECLARER] or bonus == 20:
                row[NEED + side] -= bonus
            if (
                row[NEED + side] <= 0
                and row[TAKEN] & (1 << side)
                and not (kind == THREE_TRICKS and row[FLAGS] & WHOLE_THREE)
            ):
                return race_value(row, side) if kind == RACE else 1
    trick = after_card(ws, trick, index_of(card))
    row[TRICK] = trick
    if (trick >> LEFT_SHIFT) & 7:
        return 0
    return end_trick(ws, row)


@kernel("int64(int64[::1], int64[::1], int64[::1])", entry=True)
def moves(ws, row, found):
    """Write the value of every legal card at its number, and return the cards."""
    cards = legal(ws, row)
    rest = cards
    scratch = ws[SCRATCH : SCRATCH + ROW_LENGTH]
    while rest:
        card = rest & -rest
        rest ^= card
        for i in range(ROW_LENGTH):
            scratch[i] = row[i]
        end = play(ws, scratch, card)
        found[index_of(card)] = end if end else value(ws, scratch)
    return cards


@kernel("int64(int64[::1], int64[::1], int64, int64[::1])", entry=True)
def line(ws, row, worth, found):
    """Write a line of play that keeps the value `worth`; the row is played to its end. Returns how many cards."""
    count = 0
    scratch = ws[SCRATCH : SCRATCH + ROW_LENGTH]
    while not ws[STOP]:
        seat = row[TRICK] & 3
        trumps = row[TRUMPS]
        ahead = (worth > 0) == ((row[SIDE] >> seat) & 1 == 1)
        cards = legal(ws, row)
        hand = row[HAND + seat]
        opens = (row[TRICK] >> BEST_SHIFT) & 31 == 31
        chosen, best = cards & -cards, -1000
        rest = cards
        while rest:
            card = rest & -rest
            rest ^= card
            # Whoever wins shows high cards and announces, whoever loses throws low ones.
            rank = index_of(card) % 6
            score = rank if ahead else -rank
            if opens and marriage(hand, card, trumps):
                score += 20
            if score <= best:
                continue
            for i in range(ROW_LENGTH):
                scratch[i] = row[i]
            decided = play(ws, scratch, card)
            if (decided if decided else value(ws, scratch)) == worth:
                chosen, best = card, score
        found[count] = index_of(chosen)
        count += 1
        if play(ws, row, chosen):
            break
    return count
