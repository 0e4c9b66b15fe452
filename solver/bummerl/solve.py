"""Exact values of complete positions: the value, every move, and a line of best play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bummerl.arrays import check_rows
from bummerl.engine import DEFAULT, Settings, kernels, move_of, rows_array, workspaces
from bummerl.errors import RecordError
from bummerl.kernels.workspace import LINE, MOVE_VALUES, SOLUTION
from bummerl.moves import DRAW, Move
from bummerl.position import Position, beats
from bummerl.results import MoveValue, Solution, Trick, Value
from bummerl.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def require_complete(position: Position) -> None:
    """Raise a `RecordError` that says which cards have to be known to solve a position."""
    if not isinstance(position, Position):
        raise TypeError(f"expected a Position, not {type(position).__name__}; make one with Position.parse(text)")
    if position.outcome is not None:
        raise RecordError("points", "the deal is over", "there is nothing left to solve")
    missing = position.opp_size - position.opp.bit_count()
    if missing:
        raise RecordError(
            "opp",
            f"{missing} of {position.opp_size} cards are not known",
            "solve needs all of them; close counts over all hands",
        )
    if not position.is_complete:
        raise RecordError(
            "talon", "its order is not known", "solve needs every card, in draw order, such as talon=HA,ST,DJ,CQ"
        )


def solve(position: Position, settings: Settings = DEFAULT, *, line: bool = True) -> Solution:
    """Solve a complete position exactly.

    Both players see all cards and play their best. The search is an alpha-beta over boolean questions with a
    transposition table; see ARCHITECTURE.md.

    Parameters
    ----------
    position : Position
        Any complete position: open, closed, in the middle of a trick, with pending marriages.
    settings : Settings, optional
        Search settings; they change nodes, never values.
    line : bool
        Find a line of best play too. Without it solving is about a third faster.

    Returns
    -------
    Solution
        Value in game points for ``me``, all moves with their values, and a line to the end.

    Raises
    ------
    RecordError
        If the position is not complete, or over.

    Examples
    --------
    >>> solution = solve(Position.parse("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20"))
    >>> solution.value, [str(move) for move in solution.best]
    (1, ['ST', 'SJ'])
    """
    import numpy as np

    require_complete(position)
    workspace = workspaces.get(settings, position.rules)
    out = np.empty(SOLUTION, dtype=np.int64)
    done = kernels("solution").solution(workspace.array, rows_array([position])[0], out, int(line))
    if workspace.stopped:
        raise InterruptedError("the search was stopped")
    count, plies, nodes = done & 255, done >> 8 & 255, done >> 16
    found: list[int] = out.tolist()
    moves = [move_of(code, position.trump) for code in found[:count]]
    values = tuple(map(MoveValue, moves, found[MOVE_VALUES : MOVE_VALUES + count]))
    steps = [found[place : place + 3] for place in range(LINE, LINE + 3 * plies, 3)]
    play = tuple(move_of(code, position.trump) for code, *_ in steps)
    tricks = _tricks(position, play, [(mine, theirs) for _, mine, theirs in steps])
    return Solution(position, values[0].value, values, play, tricks, nodes)


def _tricks(position: Position, line: tuple[Move, ...], points: list[tuple[int, int]]) -> tuple[Trick, ...]:
    """Tell a line trick by trick; `points` are those counted after each move."""
    tricks: list[Trick] = []
    turn, led, lead = position.turn, position.led, None
    for move, after in zip(line, points, strict=True):
        if move == DRAW:
            continue
        if led is None:
            lead, led = move, move.card
        else:
            winner = int(beats(move.card, led, position.trump)) ^ turn ^ 1
            tricks.append(Trick(1 - turn, lead, move, winner, after, led))
            turn, led, lead = 1 - winner, None, None
        turn = 1 - turn
    if lead is not None:
        # The announcement ended the deal.
        tricks.append(Trick(1 - turn, lead, None, 1 - turn, points[-1], lead.card))
    return tuple(tricks)


def solve_value(position: Position, settings: Settings = DEFAULT) -> Value:
    """Return only the exact value of a complete position.

    Parameters
    ----------
    position : Position
        As for `solve`.
    settings : Settings, optional
        As for `solve`.

    Examples
    --------
    >>> solve_value(Position.parse("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20")).value
    1
    """
    require_complete(position)
    values, nodes = solve_many([position], settings)
    return Value(int(values[0]), int(nodes[0]))


def solve_many(
    positions: Sequence[Position] | NDArray[np.int64], settings: Settings = DEFAULT, *, rules: Rules | None = None
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the exact values of many complete positions; the GIL is free during the search.

    Parameters
    ----------
    positions : sequence of Position, or int64 array of shape (n, ROW_LENGTH)
        Complete positions, under any rules; or rows, see `arrays`.
    settings : Settings, optional
        As for `solve`.
    rules : Rules, optional
        With rows: the rules of all of them, ``soft`` by default. Positions know their own.

    Returns
    -------
    values : int8 array, shape (n,)
        Game points for ``me``.
    nodes : int64 array, shape (n,)
        Positions searched for each.

    Raises
    ------
    RecordError
        If one of the positions is not complete.
    RowError
        If one of the rows is no position.
    InterruptedError
        If the search was told to stop.

    Examples
    --------
    >>> from bummerl import deals
    >>> values, nodes = solve_many(deals.random_positions(3, seed=1))
    >>> values.tolist()
    [-3, -3, 2]
    """
    import numpy as np

    if isinstance(positions, np.ndarray):
        check_rows(positions)
        if rules is not None and not isinstance(rules, Rules):
            raise TypeError(f"rules are Rules, not {type(rules).__name__}: Rules.parse('sharp')")
        return _solve_rows(np.require(positions, requirements=["C", "W"]), settings, rules or Rules())
    if rules is not None:
        raise TypeError("rules go with rows; positions know their own")
    for i, position in enumerate(positions):
        try:
            require_complete(position)
        except RecordError as error:
            raise RecordError(error.key, f"{error.problem} (in positions[{i}])", error.mend) from None
    values = np.zeros(len(positions), dtype=np.int8)
    nodes = np.zeros(len(positions), dtype=np.int64)
    by_rules: dict[Rules, list[int]] = {}
    for i, position in enumerate(positions):
        by_rules.setdefault(position.rules, []).append(i)
    for own, places in by_rules.items():
        values[places], nodes[places] = _solve_rows(rows_array(positions[i] for i in places), settings, own)
    return values, nodes


def _solve_rows(
    rows: NDArray[np.int64], settings: Settings, rules: Rules
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    import numpy as np

    values = np.zeros(len(rows), dtype=np.int8)
    nodes = np.zeros(len(rows), dtype=np.int64)
    done = kernels().values(workspaces.get(settings, rules).array, rows, values, nodes)
    if done < len(rows):
        raise InterruptedError("the search was stopped")
    return values, nodes
