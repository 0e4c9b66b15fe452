"""The whole answer about one position: the value of every move, and a line of best play.

Values of moves start at the value of the move before and never go above the value of the position.
"""

from __future__ import annotations

from bummerl.kernels.bits import TRUMPS, lowest
from bummerl.kernels.cache import kernel
from bummerl.kernels.loose import lowest_trump, may_close, may_exchange
from bummerl.kernels.strict import card_points, legal_replies, marriage_with, suit_shift
from bummerl.kernels.two_handed import at_least, begin, find_step, is_undrawn, play, step_of_value, value_of_step
from bummerl.kernels.workspace import (
    CARDS_END,
    CLOSE_BIT,
    DRAW,
    EXCHANGE_BIT,
    GOES_ON,
    HAND,
    LED,
    LEFT,
    LINE,
    MARRIAGE_BIT,
    MARRIAGE_FIRST,
    MARRIAGE_OPEN,
    MOVE_VALUES,
    NEED,
    NODES,
    OTHER_MOVES,
    ROW_LENGTH,
    RULES,
    SCRATCH,
    STOP,
    TAKEN,
    TRUMP_SUIT,
    TURN,
)


@kernel("int64(int64[::1], int64, int64, int64, int64, int64[::1], int64)")
def list_leads(row, hand, bits, rules, may_announce, out, n):
    """Add the leads from a hand to `n` moves: suits S H D C, ranks high to low, announcing first."""
    trump = row[TRUMP_SUIT]
    for suit in range(4):
        # The kernels see trumps and spades swapped.
        place = 0 if suit == trump else trump if suit == 0 else suit
        for rank in range(5, -1, -1):
            index = 6 * place + rank
            card = 1 << index
            if hand & card:
                if may_announce and marriage_with(hand, card, rules):
                    out[n] = index | bits | MARRIAGE_BIT
                    n += 1
                out[n] = index | bits
                n += 1
    return n


@kernel("int64(int64, int64[::1], int64[::1])")
def list_moves(rules, row, out):
    """List all legal moves in the order of `Position.legal_moves`; returns how many there are."""
    player = row[TURN]
    hand = row[HAND + player]
    left = row[LEFT]
    led = row[LED]
    n = 0
    if led:
        if left == 0:
            hand = legal_replies(hand, led, TRUMPS << suit_shift(lowest(led)))
        return list_leads(row, hand, 0, rules, 0, out, 0)
    if is_undrawn(rules, row):
        out[0] = DRAW
        return list_leads(row, hand, CLOSE_BIT, rules, 0, out, 1) if may_close(rules, left) else 1
    taken = row[TAKEN + player]
    may_announce = 1 if rules & MARRIAGE_FIRST or taken else 0
    if left == 0 and rules & MARRIAGE_OPEN:
        may_announce = 0
    last = row[CARDS_END - 1]
    exchanged = hand
    if left > 0 and may_exchange(rules, left, taken, hand, last):
        exchanged = hand & ~lowest_trump(rules) | last
    for close in range(2 if left > 0 and may_close(rules, left) else 1):
        bits = CLOSE_BIT * close
        if close and rules & MARRIAGE_OPEN:
            may_announce = 0
        n = list_leads(row, hand, bits, rules, may_announce, out, n)
        if exchanged != hand:
            n = list_leads(row, exchanged, bits | EXCHANGE_BIT, rules, may_announce, out, n)
    return n


@kernel("int64(int64, int64)")
def natural_place(move, winning):
    """Say how early a player would look at a move among others of equal value: the least number first.

    Announce rather than keep quiet; do not exchange or close without need. Whoever wins shows high cards
    first, whoever loses throws low ones; trumps are kept.
    """
    index = move & 31
    trump = index < 6
    place = 2 - (2 if trump else 1) if move & MARRIAGE_BIT else 2
    place = 4 * place + (2 if move & CLOSE_BIT else 0) + (1 if move & EXCHANGE_BIT else 0)
    shown = card_points(index) - (6 if trump else 0)
    return 32 * place + 16 + (-shown if winning else shown)


@kernel("void(int64[::1], int64)")
def sort_by_place(moves, n):
    """Sort moves by the place that stands above their eight bits; equal ones stay as they are."""
    for i in range(1, n):
        entry = moves[i]
        k = i
        while k > 0 and moves[k - 1] >> 8 > entry >> 8:
            moves[k] = moves[k - 1]
            k -= 1
        moves[k] = entry


@kernel("void(int64[::1], int64[::1], int64[::1], int64[::1])")
def move_values(ws, row, moves, out):
    """Value every move of the player on turn, for player 0.

    Parameters
    ----------
    ws, row : int64 array
        Workspace (after `begin`) and position.
    moves : int64 array
        All legal moves, see `workspace`.
    out : int64 array
        The values.
    """
    player = row[TURN]
    child = ws[SCRATCH + ROW_LENGTH : SCRATCH + 2 * ROW_LENGTH]
    most = find_step(ws, row, player, 4, 6)
    guess = most
    for i in range(len(moves)):
        result = play(ws, row, child, moves[i])
        if result == GOES_ON:
            guess = find_step(ws, child, player, guess, most)
            result = value_of_step(guess)
            if player == 1:
                result = -result
        out[i] = result


@kernel("int64(int64[::1], int64[::1], int64[::1], int64)")
def first_worth(ws, row, moves, wanted):
    """Return the place of the first move worth at least `wanted` for the player on turn, or -1."""
    player = row[TURN]
    child = ws[SCRATCH + ROW_LENGTH : SCRATCH + 2 * ROW_LENGTH]
    step = step_of_value(wanted)
    for i in range(len(moves)):
        result = play(ws, row, child, moves[i])
        if result == GOES_ON:
            if step == 0 or at_least(ws, child, player, step):
                return i
        elif (result if player == 0 else -result) >= wanted:
            return i
    return -1


@kernel("int64(int64[::1], int64[::1], int64[::1], int64)")
def best_move(ws, row, moves, wanted):
    """Choose the move a player would look at first among those worth `wanted` to whoever is on turn.

    Parameters
    ----------
    ws, row : int64 array
        Workspace (after `begin`) and position.
    moves : int64 array
        Room for all legal moves.
    wanted : int
        What the position is worth.
    """
    n = list_moves(ws[RULES], row, moves)
    for i in range(n):
        moves[i] |= natural_place(moves[i], wanted > 0) << 8
    sort_by_place(moves, n)
    for i in range(n):
        moves[i] &= 255
    # A stopped search finds none; what comes of it is thrown away then.
    return moves[max(first_worth(ws, row, moves[:n], wanted), 0) if n > 1 else 0]


@kernel("int64(int64[::1], int64[:, ::1], int64[::1], int64[:, ::1])", entry=True)
def world_values(ws, rows, moves, out):
    """Value the same moves in many worlds; returns how many worlds were done before a stop.

    Parameters
    ----------
    ws : int64 array
        Workspace.
    rows : int64 array, shape (n, ROW_LENGTH)
        The worlds: positions in which the player on turn has the same legal moves.
    moves : int64 array, shape (m,)
        Those moves.
    out : int64 array, shape (n, m)
        The values for player 0.
    """
    for i in range(len(rows)):
        begin(ws, rows[i])
        move_values(ws, rows[i], moves, out[i])
        if ws[STOP]:
            return i
    return len(rows)


@kernel("int64(int64[::1], int64[::1], int64[::1], int64)")
def best_line(ws, row, out, value):
    """Play a game in which every move keeps the value; returns how many moves it has.

    Writes each move and the counted points of both after it from ``LINE`` on.
    """
    here = ws[SCRATCH + 2 * ROW_LENGTH : SCRATCH + 3 * ROW_LENGTH]
    after = ws[SCRATCH + 3 * ROW_LENGTH : SCRATCH + 4 * ROW_LENGTH]
    moves = out[OTHER_MOVES:LINE]
    for i in range(ROW_LENGTH):
        here[i] = row[i]
    plies = 0
    over = GOES_ON
    while over == GOES_ON:
        wanted = value if here[TURN] == 0 else -value
        move = best_move(ws, here, moves, wanted)
        over = play(ws, here, after, move)
        out[LINE + 3 * plies] = move
        for player in range(2):
            out[LINE + 3 * plies + 1 + player] = 66 - after[NEED + player] if after[TAKEN + player] else 0
        plies += 1
        for i in range(ROW_LENGTH):
            here[i] = after[i]
    return plies


@kernel("int64(int64[::1], int64[::1], int64[::1], int64)", entry=True)
def solution(ws, row, out, with_line):
    """Solve one position.

    Parameters
    ----------
    ws, row : int64 array
        Workspace and position.
    out : int64 array, length `SOLUTION`
        Every move, the best first; their values for player 0 from ``MOVE_VALUES`` on; the line from ``LINE``
        on: a move and the points of both after it, three numbers each.
    with_line : int
        0 leaves out the line.

    Returns
    -------
    int
        Number of moves, length of the line << 8, nodes of the moves' values << 16.
    """
    before = ws[NODES]
    begin(ws, row)
    n = list_moves(ws[RULES], row, out)
    sign = 1 if row[TURN] == 0 else -1
    values = out[MOVE_VALUES : MOVE_VALUES + n]
    move_values(ws, row, out[:n], values)
    nodes = ws[NODES] - before
    best = sign * values[0]
    for i in range(n):
        best = max(best, sign * values[i])
    for i in range(n):
        out[i] |= ((3 - sign * values[i]) << 12 | natural_place(out[i], best > 0)) << 8
    sort_by_place(out, n)
    for i in range(n):
        values[i] = sign * (3 - (out[i] >> 20))
        out[i] &= 255
    plies = best_line(ws, row, out, sign * best) if with_line else 0
    return n | plies << 8 | nodes << 16


LOADED = True
