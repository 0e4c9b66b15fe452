"""One trick on: what a player sees at his next turn, and what each move is worth there, in one world.

With open cards he would choose the best move of every world. He cannot: in worlds that look alike to him he makes
the same move. Which those are, and what they are worth together, is added up outside.
"""

from __future__ import annotations

from bummerl.kernels.bits import lowest
from bummerl.kernels.cache import kernel
from bummerl.kernels.solution import best_move, list_moves, move_values
from bummerl.kernels.two_handed import begin, find_step, play, value_of_step
from bummerl.kernels.workspace import (
    CLOSER,
    EXCHANGED,
    GOES_ON,
    HAND,
    LED,
    NEED,
    ROW_LENGTH,
    RULES,
    SCRATCH,
    STOP,
    TURN,
)


@kernel("int64(int64[::1], int64)")
def what_is_seen(row, shown):
    """Return a number for what player 0 sees at his turn: his hand, and all that the other showed and did."""
    led = row[LED]
    key = row[HAND] << 5 | (lowest(led) + 1 if led else 0)
    key = key << 5 | shown
    return key << 10 | (row[NEED + 1] & 127) << 3 | row[EXCHANGED] << 2 | row[CLOSER] + 1


@kernel("int64(int64[::1], int64[::1], int64[::1], int64, int64[::1], int64[::1], int64[::1])")
def next_turn(ws, row, moves, k, key, count, out):
    """Make a move and play on to the next turn of player 0, the other playing well with open cards.

    Writes the values of all moves there, or the one value of a deal that is over; returns nothing of use.
    """
    here = ws[SCRATCH + 2 * ROW_LENGTH : SCRATCH + 3 * ROW_LENGTH]
    after = ws[SCRATCH + 3 * ROW_LENGTH : SCRATCH + 4 * ROW_LENGTH]
    room = moves[len(moves) - 64 :]
    result = play(ws, row, here, moves[k])
    shown = 0
    while result == GOES_ON and here[TURN] == 1:
        move = best_move(ws, here, room, value_of_step(find_step(ws, here, 1, 4, 6)))
        if here[LED]:
            shown = (move & 31) + 1
        result = play(ws, here, after, move)
        for i in range(ROW_LENGTH):
            here[i] = after[i]
    if result != GOES_ON:
        key[k] = 0
        count[k] = 1
        out[0] = result
        return 0
    key[k] = what_is_seen(here, shown)
    n = list_moves(ws[RULES], here, room)
    count[k] = n
    move_values(ws, here, room[:n], out[:n])
    return n


@kernel(
    "int64(int64[::1], int64[:, ::1], int64[::1], int64, int64[:, ::1], int64[:, ::1], int64[:, :, ::1])", entry=True
)
def next_values(ws, rows, moves, n, keys, counts, out):
    """Look one trick ahead in many worlds; returns how many were done before a stop.

    Parameters
    ----------
    ws : int64 array
        Workspace.
    rows : int64 array, shape (w, ROW_LENGTH)
        The worlds: positions of player 0 in which he has the same legal moves.
    moves : int64 array
        Those moves, `n` of them, and room for 64 others.
    n : int
        How many moves.
    keys : int64 array, shape (w, n)
        What he sees at his next turn: equal where worlds look alike. 0 where the deal is over by then.
    counts : int64 array, shape (w, n)
        How many moves he has there, in the same order wherever worlds look alike.
    out : int64 array, shape (w, n, m)
        Their values for player 0, or the value of the deal.
    """
    for i in range(len(rows)):
        begin(ws, rows[i])
        for k in range(n):
            next_turn(ws, rows[i], moves, k, keys[i], counts[i], out[i, k])
        if ws[STOP]:
            return i
    return len(rows)


LOADED = True
