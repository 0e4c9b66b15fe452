"""Positions as integer arrays, for programs that value millions of them.

A *row* is one position for the kernels: `ROW_LENGTH` whole numbers. `make_rows` builds rows from arrays of
hands, talons and points, `position_rows` from positions, and `solve_many` values them:

>>> import numpy as np
>>> from bummerl import solve_many
>>> from bummerl.arrays import make_rows
>>> from bummerl.cards import parse_hand, parse_suit
>>> rows = make_rows(me=[parse_hand("HTK,DTQJ")], opp=[parse_hand("ST,HQ,DAK,CT")], trump=parse_suit("H"),
...                  points=[(32, 28)], closed_by=0, closed_points=28)
>>> solve_many(rows)[0].tolist()
[2]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bummerl.cards import DECK, JACK, POINTS, cards_in
from bummerl.engine import rows_array as position_rows
from bummerl.kernels import workspace as layout
from bummerl.kernels.workspace import ROW_LENGTH
from bummerl.position import TARGET

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Rows = NDArray[np.int64]

__all__ = ["ROW_LENGTH", "RowError", "check_rows", "make_rows", "position_rows", "random_rows"]

_SUIT = 0x3F


class RowError(ValueError):
    """A row that is no position; names the row and what is wrong with it."""


def make_rows(
    me: ArrayLike,
    opp: ArrayLike,
    trump: ArrayLike,
    *,
    talon: ArrayLike | None = None,
    turn: ArrayLike = 0,
    led: ArrayLike = -1,
    points: ArrayLike = (0, 0),
    taken: ArrayLike | None = None,
    pending: ArrayLike = (0, 0),
    closed_by: ArrayLike = -1,
    closed_points: ArrayLike = 0,
) -> Rows:
    """Build rows from arrays; whatever is given once holds for all of them.

    Parameters
    ----------
    me, opp : int array, shape (n,)
        Hands as bits, see `cards`. A led card has left its hand.
    trump : int array, shape (n,)
        Suit, 0 to 3.
    talon : int array, shape (n, k), optional
        The open talon's cards in draw order, the face-up card last; none for a closed or used-up talon. Rows
        with talons of different lengths are made in several calls.
    turn : int array, shape (n,)
        Who plays next: 0 is ``me``, 1 ``opp``.
    led : int array, shape (n,)
        The card to be replied to, or -1.
    points : int array, shape (n, 2)
        Counted trick points of ``me`` and ``opp``.
    taken : bool array, shape (n, 2), optional
        Whether each has a trick; by default whoever has points.
    pending : int array, shape (n, 2)
        Marriage points that wait for a first trick.
    closed_by : int array, shape (n,)
        0 or 1 where the talon is closed, else -1.
    closed_points : int array, shape (n,)
        The points the other had when the talon was closed.

    Returns
    -------
    int64 array, shape (n, ROW_LENGTH)

    Raises
    ------
    RowError
        If a row is not a position; see `check_rows`.
    ValueError
        If a shape does not fit, or a number is out of range: the argument is named.

    Examples
    --------
    >>> from bummerl.cards import parse_cards, parse_hand
    >>> rows = make_rows(
    ...     me=[parse_hand("SATKQJ")], opp=[parse_hand("HATKQJ")], trump=3, talon=[parse_cards("DATKQJ,CATKQJ")]
    ... )
    >>> rows.shape
    (1, 26)
    """
    import numpy as np

    mine = np.atleast_1d(_integers("me", me))
    if mine.ndim != 1:
        raise ValueError(f"me has the shape {mine.shape}, not (n,)")
    count = len(mine)

    def spread(name: str, value: ArrayLike, least: int, most: int, width: int = 0) -> Any:
        given, shape = _integers(name, value), (count, width) if width else (count,)
        if given.size and not least <= given.min() <= given.max() <= most:
            raise ValueError(f"{name} has {given.min()} to {given.max()}, but {least} to {most} are possible")
        try:
            return np.broadcast_to(given, shape)
        except ValueError:
            raise ValueError(f"{name} has the shape {given.shape}, not {shape}") from None

    trumps = spread("trump", trump, 0, 3)
    rows: Rows = np.zeros((count, ROW_LENGTH), dtype=np.int64)
    rows[:, layout.HAND] = _hands_to_kernel(mine, trumps)
    rows[:, layout.HAND + 1] = _hands_to_kernel(spread("opp", opp, 0, DECK), trumps)
    rows[:, layout.TRUMP_SUIT] = trumps
    rows[:, layout.TURN] = spread("turn", turn, 0, 1)
    card = spread("led", led, -1, 23)
    rows[:, layout.LED] = np.where(card < 0, 0, _hands_to_kernel(1 << np.maximum(card, 0), trumps))
    counted, waiting = spread("points", points, 0, TARGET - 1, 2), spread("pending", pending, 0, 40, 2)
    has_trick = counted > 0 if taken is None else spread("taken", taken, 0, 1, 2) != 0
    if (has_trick & (waiting > 0)).any():
        raise ValueError("pending marriage points belong to players without a trick")
    rows[:, layout.NEED : layout.NEED + 2] = TARGET - counted - waiting
    rows[:, layout.TAKEN : layout.TAKEN + 2] = has_trick
    closer, then = spread("closed_by", closed_by, -1, 1), spread("closed_points", closed_points, 0, TARGET - 1)
    rows[:, layout.CLOSER] = closer
    rows[:, layout.BASE] = np.where(closer < 0, 0, np.where(then == 0, 3, np.where(then < 33, 2, 1)))
    rows[:, layout.FAIL] = np.where(closer < 0, 0, np.where(then == 0, 3, 2))
    if talon is not None and np.size(talon):
        cards = _integers("talon", talon)
        if cards.ndim != 2 or cards.shape[0] not in (1, count) or cards.shape[1] > 10:
            raise ValueError(f"talon has the shape {cards.shape}, not ({count}, at most 10)")
        if not 0 <= cards.min() <= cards.max() <= 23:
            raise ValueError(f"talon has {cards.min()} to {cards.max()}, but cards are 0 to 23")
        left = cards.shape[1]
        rows[:, layout.LEFT] = left
        first = layout.CARDS_END - left
        for place in range(left):
            rows[:, first + place] = _hands_to_kernel(1 << cards[:, place], trumps)
        rows[:, layout.EXCHANGED] = rows[:, layout.CARDS_END - 1] == 1 << JACK
    check_rows(rows)
    return rows


def _integers(name: str, value: ArrayLike) -> Any:
    """Return an argument as an integer array, or say that it is none."""
    import numpy as np

    given = np.asarray(value)
    if given.size and given.dtype.kind not in "iub":
        raise ValueError(f"{name} holds {given.dtype} and not whole numbers of 64 bits")
    return given.astype(np.int64)


def random_rows(count: int, seed: int, tricks: int = 0) -> Rows:
    """Make random deals as rows, or positions after up to five tricks of random play with an open talon.

    Nobody announces, exchanges or closes on the way; `deals.random_positions` does all of that, at a thousandth
    of the speed.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        The same seed gives the same rows on every machine.
    tricks : int
        Tricks to play first, 0 to 5; deals that somebody wins by then are dealt anew.

    Returns
    -------
    int64 array, shape (count, ROW_LENGTH)

    Examples
    --------
    >>> random_rows(1000, seed=1, tricks=5).shape
    (1000, 26)
    """
    import numpy as np

    if not 0 <= tricks <= 5:
        raise ValueError(f"the talon lasts for 0 to 5 tricks, not {tricks}")
    if count < 0:
        raise ValueError(f"there are no {count} rows")
    # The legacy generator, since its numbers are the same in every version of NumPy.
    rng = np.random.RandomState(seed)
    found: list[Rows] = []
    missing = count
    while missing > 0 or not found:
        size = max(missing, 0)
        pack = np.array(list(cards_in(DECK)))[rng.random_sample((size, 20)).argsort(axis=1)]
        hands, talon = pack[:, :10].reshape(size, 2, 5).copy(), pack[:, 10:]
        trump = talon[:, -1] // 6
        leader = rng.randint(2, size=size)
        points = np.zeros((size, 2), dtype=np.int64)
        each = np.arange(size)
        worth = np.array(POINTS)
        for trick in range(tricks):
            slot = rng.randint(5, size=(2, size))
            led, reply = hands[each, leader, slot[0]], hands[each, 1 - leader, slot[1]]
            takes = np.where(led // 6 == reply // 6, reply > led, reply // 6 == trump)
            winner = leader ^ takes
            points[each, winner] += worth[led % 6] + worth[reply % 6]
            for player in (0, 1):
                hands[each, player, slot[player ^ leader, each]] = talon[each, 2 * trick + (winner != player)]
            leader = winner
        going = (points < TARGET).all(axis=1)
        hold = (1 << hands[going]).sum(axis=2)
        found.append(
            make_rows(
                hold[:, 0],
                hold[:, 1],
                trump[going],
                talon=talon[going, 2 * tricks :],
                turn=leader[going],
                points=points[going],
            )
        )
        missing -= len(found[-1])
    return np.concatenate(found)


def _hands_to_kernel(hands: Any, trumps: Any) -> Any:
    """Swap the trump suit of hands with spades."""
    shift = 6 * trumps
    return hands & ~(_SUIT | _SUIT << shift) | hands >> shift & _SUIT | (hands & _SUIT) << shift


def check_rows(rows: Rows) -> None:
    """Make sure that rows are positions the kernels can search.

    Cards and their number are checked, not whether play could have led there.

    Parameters
    ----------
    rows : int64 array, shape (n, ROW_LENGTH)
        As `make_rows` returns them.

    Raises
    ------
    RowError
        For the first row that is none, saying what is wrong with it.

    Examples
    --------
    >>> check_rows(make_rows(me=[1], opp=[2], trump=0))
    Traceback (most recent call last):
        ...
    bummerl.arrays.RowError: row 0: hands hold cards that are not in the pack of 20
    """
    import numpy as np

    if not isinstance(rows, np.ndarray):
        raise RowError(f"rows are an int64 array, not a {type(rows).__name__}; make_rows makes them")
    if rows.ndim != 2 or rows.shape[1] != ROW_LENGTH or rows.dtype != np.int64:
        raise RowError(f"rows are an int64 array of shape (n, {ROW_LENGTH}), not {rows.dtype} {rows.shape}")
    row = np.ascontiguousarray(rows.T)
    me, opp, turn, led = row[layout.HAND], row[layout.HAND + 1], row[layout.TURN], row[layout.LED]
    closer, left, need = row[layout.CLOSER], row[layout.LEFT], row[layout.NEED : layout.NEED + 2]
    sizes = np.bitwise_count(row[layout.HAND : layout.HAND + 2]).astype(np.int64)
    # The hand on turn holds one more after a lead.
    held = np.where(turn == 0, sizes[0], sizes[1])
    waiting = np.where(turn == 0, sizes[1], sizes[0])
    open_talon = left > 0
    talon = row[layout.CARDS_END - 10 : layout.CARDS_END]
    in_talon = np.arange(10)[:, None] >= 10 - left
    union = np.bitwise_or.reduce(np.where(in_talon, talon, 0), axis=0)
    single = ((np.bitwise_count(talon) == 1) | ~in_talon).all(axis=0)
    last = talon[9]
    taken = row[layout.TAKEN : layout.TAKEN + 2]
    problems = [
        ("hands hold cards that are not in the pack of 20", (me | opp | led) & ~DECK != 0),
        ("a card stands twice", ((me & opp) | ((me | opp) & led) | ((me | opp | led) & union)) != 0),
        ("turn is neither 0 nor 1", (turn != 0) & (turn != 1)),
        ("the led card is not one card", led & (led - 1) != 0),
        ("the player on turn holds no card or more than five", (held < 1) | (held > 5)),
        ("the hands do not fit each other", waiting != held - (led != 0)),
        ("points needed are not 1 to 66", ((need < 1) | (need > 66)).any(axis=0)),
        ("taken is neither 0 nor 1", ((taken & ~1) != 0).any(axis=0)),
        (
            "a player without a trick has more than a pending marriage",
            ((taken == 0) & ~np.isin(need, (TARGET, TARGET - 20, TARGET - 40))).any(axis=0),
        ),
        ("trump is not a suit from 0 to 3", (row[layout.TRUMP_SUIT] < 0) | (row[layout.TRUMP_SUIT] > 3)),
        ("the talon is closed by somebody unknown", (closer < -1) | (closer > 1)),
        (
            "the stakes of the close are missing",
            (closer >= 0)
            & ((row[layout.BASE] < 1) | (row[layout.BASE] > 3) | (row[layout.FAIL] < 2) | (row[layout.FAIL] > 3)),
        ),
        ("the talon has an odd number of cards, or more than ten", (left < 0) | (left > 10) | (left % 2 != 0)),
        ("a closed talon gives no cards, so it has none", open_talon & (closer >= 0)),
        ("hands of five belong to an open talon", open_talon & (held != 5)),
        (
            "the talon's cards are not that many different ones of the pack",
            open_talon & (~single | (np.bitwise_count(union) != left) | ((union & ~DECK) != 0)),
        ),
        ("the last card of the talon is not a trump", open_talon & (last & _SUIT == 0)),
        (
            "exchanged is set wrongly",
            row[layout.EXCHANGED] != (open_talon & (last == 1 << JACK)),
        ),
    ]
    bad = np.logical_or.reduce([found for _, found in problems])
    if bad.any():
        place = int(np.argmax(bad))
        raise RowError(f"row {place}: {next(problem for problem, found in problems if found[place])}")
