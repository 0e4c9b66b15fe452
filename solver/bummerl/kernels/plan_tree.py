"""Writes a plan down: what to play in every situation that can come up, and which hands beat it.

The hands to be beaten are given. They can all be beaten by one plan, so at each turn some move still beats all
that are left, and the search finds it with nothing to lose. Other hands come along; where none of the first kind
is left, the plan does what it can against them.
"""

from __future__ import annotations

from bummerl.kernels.bits import lowest, popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.hand_sets import add, clear, copy, is_empty, map_up, reserve, subtract, total
from bummerl.kernels.plan import explore, go_down
from bummerl.kernels.plan_layout import (
    ANNOUNCED,
    END,
    ENTRY,
    EVERYTHING,
    FULL,
    GOES_ON,
    HIS,
    HIS_TAKEN,
    HOPELESS,
    IS_CLOSER,
    IS_LOST,
    IS_WON,
    LAST_CARDS,
    LINE,
    LOSING,
    LOST,
    MINE,
    MINE_LEADS,
    MINE_TAKEN,
    PARENT,
    PLAYED,
    REACHING,
    TOP,
    WHO,
    WON,
    WORDS,
)
from bummerl.kernels.plan_moves import (
    BONUS,
    CARD,
    HANDS,
    MOST_MOVES,
    ROW,
    SCORE,
    add_lost,
    after_trick,
    legal_moves,
    list_moves,
    rank_moves,
)
from bummerl.kernels.strict import strict_marriage_with
from bummerl.kernels.workspace import MARRIAGE_FIRST, RULES, STOP


@kernel("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64)")
def write_line(pl, out, parent, who, card, bonus, end, reaching):
    """Append a line and return its number; sets ``FULL`` and returns -1 if there is no room."""
    number = out[0]
    at = 1 + number * LINE
    if at + LINE > len(out):
        pl[FULL] = 1
        return -1
    out[at + PARENT] = parent
    out[at + WHO] = who
    out[at + PLAYED] = lowest(card) if card else -1
    out[at + ANNOUNCED] = bonus
    out[at + END] = end
    out[at + REACHING] = reaching
    out[at + LOSING] = 0
    out[0] = number + 1
    return number


@kernel("int64(int64[::1], int64)")
def worth(pl, score):
    """Return the game points if it ended now: against the other for a planner who closed, else against him."""
    if pl[IS_CLOSER]:
        need = score >> 8 & 255
        taken = score >> 16 & HIS_TAKEN
    else:
        need = score & 255
        taken = score >> 16 & MINE_TAKEN
    if not taken:
        return 3
    return 2 if need > 33 else 1


@kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def note_end(pl, words, hands, is_won, value, lost):
    """Add hands to the sets of a result: lost, and two more by how much they are won or lost.

    For a planner who closed these are the hands that do not give 2, and 3, game points; otherwise those that cost
    2, and 3.
    """
    for i in range(words):
        bits = pl[hands + i]
        if not is_won:
            pl[lost + i] |= bits
        if pl[IS_CLOSER]:
            if not is_won or value < 2:
                pl[lost + words + i] |= bits
            if not is_won or value < 3:
                pl[lost + 2 * words + i] |= bits
        elif not is_won:
            if value >= 2:
                pl[lost + words + i] |= bits
            if value >= 3:
                pl[lost + 2 * words + i] |= bits


@kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def winnable(pl, words, hands, rows, n, out):
    """Write those of some hands that one of the planner's moves does not lose at once."""
    clear(pl, out, words)
    for i in range(words):
        for k in range(n):
            pl[out + i] |= pl[hands + i] & ~pl[rows + k * (words + ROW) + ROW + i]


@kernel("boolean(int64[::1], int64, int64, int64)")
def meet(pl, first, second, words):
    """Say whether two sets have a hand in common."""
    for i in range(words):
        if pl[first + i] & pl[second + i]:
            return True
    return False


@kernel("void(int64[::1], int64, int64, int64)")
def keep_first(pl, hands, out, words):
    """Write the first hand of a set alone."""
    clear(pl, out, words)
    for i in range(words):
        if pl[hands + i]:
            pl[out + i] = pl[hands + i] & -pl[hands + i]
            return


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)",
    entry=True,
)
def write_plan(pl, ws, out, level, mine, fixed, unknown, led, score, targets, others, lost, parent):
    """Write the plan from a position on; ``FULL`` is set if that could not be done.

    Parameters
    ----------
    pl, ws : int64 array
        The sets, ``CAPACITY`` being 1, and the workspace of the strict search.
    out : int64 array
        The number of lines, then the lines.
    level, mine, fixed, unknown, led, score : int
        The position, see `plan.explore`.
    targets, others : int
        Where the sets lie of hands to be beaten, and of the other hands that can come here.
    lost : int
        Where three sets go, see `note_end`.
    parent : int
        The line this follows, or -1.
    """
    words = pl[WORDS + level]
    top = pl[TOP]
    reaching = reserve(pl, 4 * words)
    if pl[FULL] or ws[STOP]:
        pl[FULL] = 1
        return
    aims = reaching + words
    none = aims + words
    some = none + words
    copy(pl, targets, reaching, words)
    add(pl, others, reaching, words)
    copy(pl, targets, aims, words)
    clear(pl, none, words)
    clear(pl, lost, 3 * words)
    count = total(pl, 0, reaching, words)
    leads = score >> 16 & MINE_LEADS != 0
    if led == 0 and popcount(mine) == 1:
        # The last trick plays itself.
        line = write_line(pl, out, parent, MINE, mine if leads else 0, 0, LAST_CARDS, count)
        clear(pl, some, words)
        add_lost(pl, ws, level, mine, fixed, unknown, 0, score, reaching, some)
        subtract(pl, reaching, some, aims, words)
        note_end(pl, words, some, False, worth(pl, score), lost)
        note_end(pl, words, aims, True, worth(pl, score), lost)
        if line >= 0:
            out[1 + line * LINE + LOSING] = total(pl, 0, lost, words)
        pl[TOP] = top
        return

    if leads == (led == 0):
        rows = reserve(pl, popcount(mine) * (words + ROW))
        if pl[FULL]:
            return
        every = legal_moves(mine, led)
        n = rank_moves(pl, ws, level, mine, fixed, unknown, led, score, reaching, 0, EVERYTHING, rows, 0, every)
        start = pl[TOP]
        if is_empty(pl, aims, words):
            winnable(pl, words, reaching, rows, n, aims)
            if not is_empty(pl, aims, words):
                explore(pl, ws, level, mine, fixed, unknown, led, score, aims, none, 0, EVERYTHING)
                keep_first(pl, aims, some, words)
                subtract(pl, aims, start + ENTRY, aims, words)
                if is_empty(pl, aims, words):
                    copy(pl, some, aims, words)
            pl[TOP] = start
            if pl[FULL]:
                return
        if is_empty(pl, aims, words):
            line = write_line(pl, out, parent, MINE, 0, 0, HOPELESS, count)
            note_end(pl, words, reaching, False, worth(pl, score), lost)
        else:
            move = 0
            after = 0
            for row in range(rows, rows + n * (words + ROW), words + ROW):
                if meet(pl, row + ROW, aims, words):
                    continue
                move = pl[row + 1]
                after = after_trick(pl[row + 2], led, move) if led else pl[row + 2]
                if n == 1 or after == WON or popcount(mine) == 2:
                    break
                next_led = 0 if led else move
                fits = explore(pl, ws, level, mine & ~move, fixed, unknown, next_led, after, aims, none, 0, 0)
                pl[TOP] = start
                if fits or pl[FULL]:
                    break
                move = 0
            if not move:
                # Not reached while the targets can be beaten by one plan.
                pl[FULL] = 1
            if pl[FULL]:
                return
            bonus = 0
            if not led and (ws[RULES] & MARRIAGE_FIRST or score >> 16 & MINE_TAKEN):
                bonus = strict_marriage_with(mine, move, ws[RULES])
            end = GOES_ON
            if after == WON:
                end = IS_WON
            elif after == LOST:
                end = IS_LOST
            line = write_line(pl, out, parent, MINE, move, bonus, end, count)
            if end:
                note_end(pl, words, reaching, end == IS_WON, worth(pl, score), lost)
            elif line >= 0:
                subtract(pl, reaching, aims, reaching, words)
                next_led = 0 if led else move
                write_plan(
                    pl, ws, out, level, mine & ~move, fixed, unknown, next_led, after, aims, reaching, lost, line
                )
        if line >= 0:
            out[1 + line * LINE + LOSING] = total(pl, 0, lost, words)
        pl[TOP] = top
        return

    stride = HANDS + 3 * words
    records = reserve(pl, MOST_MOVES * stride)
    if pl[FULL]:
        return
    n = list_moves(pl, ws, level, fixed, unknown, led, score, reaching, records)
    start = pl[TOP]
    for record in range(records, records + n * stride, stride):
        pl[TOP] = start
        card = pl[record + CARD]
        bonus = pl[record + BONUS]
        after = pl[record + SCORE]
        here = record + HANDS
        end = GOES_ON
        if after == WON:
            end = IS_WON
        elif after == LOST or (bonus >= score >> 8 & 255 and score >> 16 & HIS_TAKEN):
            end = IS_LOST
        elif mine == 0:
            end = IS_LOST if pl[IS_CLOSER] else IS_WON
        line = write_line(pl, out, parent, HIS, card, bonus, end, total(pl, 0, here, words))
        branch = reserve(pl, 5 * words)
        if pl[FULL]:
            return
        clear(pl, branch, 3 * words)
        if end:
            note_end(pl, words, here, end == IS_WON, worth(pl, score), branch)
        else:
            first = branch + 3 * words
            second = first + words
            for i in range(words):
                pl[first + i] = pl[here + i] & pl[targets + i]
                pl[second + i] = pl[here + i] & pl[others + i]
            sets = go_down(pl, level, unknown, card, first, second, 0)
            deeper = level + (card & unknown != 0)
            below = pl[WORDS + deeper]
            results = reserve(pl, 3 * below)
            if pl[FULL]:
                return
            next_led = 0 if led else card
            write_plan(
                pl,
                ws,
                out,
                deeper,
                mine,
                fixed & ~card,
                unknown & ~card,
                next_led,
                after,
                sets,
                sets + below,
                results,
                line,
            )
            if pl[FULL]:
                return
            for k in range(3):
                if card & unknown:
                    map_up(pl, level, unknown, card, results + k * below, branch + k * words)
                else:
                    copy(pl, results + k * below, branch + k * words, words)
        out[1 + line * LINE + LOSING] = total(pl, 0, branch, words)
        add(pl, branch, lost, 3 * words)
    pl[TOP] = top


LOADED = True
