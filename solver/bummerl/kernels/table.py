"""The transposition table: answers that hold for a whole rectangle of scores.

A question is "does the attacker reach the target?". Its key names the cards, the lead, who has taken a trick
and what the target is, but no points: with more points for the attacker, or fewer for the defender, a *yes*
stays a *yes*, so one entry answers for every score at least as good. Points are held as what is still
needed: ``x`` by the attacker, ``y`` by the defender, both from 1 to 127.

An entry is two words::

    key    attacker's hand (24 bits) | defender's hand (24) | state (14)
    data   generation (35 bits) | X yes (7) | Y yes (7) | X no (7) | Y no (7)

*yes* holds when ``x <= X yes`` and ``y >= Y yes``; *no* holds when ``x >= X no`` and ``y <= Y no``. Entries of
another generation do not count, so nothing is ever cleared.
"""

from __future__ import annotations

from bummerl.kernels.cache import kernel
from bummerl.kernels.workspace import GENERATION, TABLE, TABLE_HITS, TABLE_MASK

MULTIPLIER = 0x1E3779B97F4A7C15
EMPTY = (127 << 7) | (127 << 14)  # yes for no score, no for no score


@kernel("int64(int64[::1], int64)")
def slot(ws, key):
    """Return where in the workspace the entry of a key has its place."""
    return TABLE + 2 * ((((key * MULTIPLIER) & 0x7FFFFFFFFFFFFFFF) >> 32) & ws[TABLE_MASK])


@kernel("int64(int64[::1], int64, int64, int64, int64)")
def probe(ws, place, key, x, y):
    """Return the stored answer for a score with its slack, or -1."""
    if ws[place] != key:
        return -1
    data = ws[place + 1]
    if data >> 28 != ws[GENERATION]:
        return -1
    x_yes = (data >> 21) & 127
    y_yes = (data >> 14) & 127
    if x <= x_yes and y >= y_yes:
        ws[TABLE_HITS] += 1
        return 1 | (x_yes - x) << 1 | (y - y_yes) << 8
    x_no = (data >> 7) & 127
    y_no = data & 127
    if x >= x_no and y <= y_no:
        ws[TABLE_HITS] += 1
        return (y_no - y) << 1 | (x - x_no) << 8
    return -1


@kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def store(ws, place, key, x, y, answer):
    """Keep an answer for every score that its slack covers."""
    generation = ws[GENERATION]
    data = generation << 28 | EMPTY
    if ws[place] == key and ws[place + 1] >> 28 == generation:
        data = ws[place + 1]
    favoured = (answer >> 1) & 127
    other = answer >> 8
    if answer & 1:
        data = data & ~(0x3FFF << 14) | min(x + favoured, 127) << 21 | max(y - other, 0) << 14
    else:
        data = data & ~0x3FFF | max(x - other, 0) << 7 | min(y + favoured, 127)
    ws[place] = key
    ws[place + 1] = data
