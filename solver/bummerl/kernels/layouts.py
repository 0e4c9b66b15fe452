"""Many layouts of the cards nobody has shown: one hand is known, the others are dealt out in every way that is asked for.

A layout is a number. The hand of one player, the *first*, is chosen among given ones; the next player's is the layout's
combination of what is left, in the order of its index; the last has the rest.
"""

from __future__ import annotations

from bummerl.kernels.cache import kernel
from bummerl.kernels.four_handed import value
from bummerl.kernels.table_layout import HAND, NODES, ROW_LENGTH, SCRATCH, STOP


@kernel("int64(int64[::1])")
def int64_of(array):
    """Return one, as an integer of 64 bits."""
    return array[0] - array[0] + 1


@kernel("int64(int64, int64[::1], int64)")
def spread(pattern, cards, left):
    """Return the cards, of those still `left` as places, that a pattern of bits chooses."""
    found = pattern - pattern
    place = found
    rest = left
    while pattern:
        bit = rest & -rest
        rest ^= bit
        while (bit >> place) & 1 == 0:
            place += 1
        if pattern & 1:
            found |= cards[place]
        pattern >>= 1
    return found


@kernel("void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64)", entry=True)
def set_hands(row, cards, firsts, seconds, seats, layout):
    """Write the three unknown hands of a layout into a row.

    Parameters
    ----------
    row : array
        The position; its other hand stays.
    cards : array
        The unknown cards, one bit each.
    firsts : array
        Hands of the first player, as places in `cards`.
    seconds : array
        Combinations of the places that are left then.
    seats : array
        Whose hands these are: the first player's, the second's, the last one's.
    layout : int
        Its number, ``len(seconds)`` for each of `firsts`.
    """
    everything = (int64_of(seats) << cards.shape[0]) - 1
    first = firsts[layout // seconds.shape[0]]
    left = everything & ~first
    all_cards = spread(everything, cards, everything)
    row[HAND + seats[0]] = spread(first, cards, everything)
    row[HAND + seats[1]] = spread(seconds[layout % seconds.shape[0]], cards, left)
    row[HAND + seats[2]] = all_cards & ~row[HAND + seats[0]] & ~row[HAND + seats[1]]


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])", entry=True
)
def count(ws, row, cards, firsts, seconds, seats, picks, found):
    """Count how layouts end: at ``found[3 + value]``; the first that loses goes to ``found[7]``, the nodes to ``found[8]``.

    ``found[9]`` is how many of `picks`, the numbers of layouts, were done before a stop.
    """
    scratch = ws[SCRATCH + ROW_LENGTH : SCRATCH + 2 * ROW_LENGTH]
    for i in range(ROW_LENGTH):
        scratch[i] = row[i]
    before = ws[NODES]
    for i in range(picks.shape[0]):
        set_hands(scratch, cards, firsts, seconds, seats, picks[i])
        worth = value(ws, scratch)
        if ws[STOP]:
            break
        found[3 + worth] += 1
        if worth < 0 and found[7] < 0:
            found[7] = picks[i]
        found[9] += 1
    found[8] += ws[NODES] - before
