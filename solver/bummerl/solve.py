"""Exact values of complete positions: the value, every move, and a line of best play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bummerl.cards import points_of
from bummerl.engine import DEFAULT, Settings, kernels, move_codes, rows_array, workspaces
from bummerl.errors import RecordError
from bummerl.moves import Move
from bummerl.position import Position
from bummerl.results import MoveValue, Solution, Trick, Value

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


def solve(position: Position, settings: Settings = DEFAULT) -> Solution:
    """Solve a complete position exactly.

    Both players see all cards and play their best. The search is an alpha-beta over boolean questions with a
    transposition table; see ARCHITECTURE.md.

    Parameters
    ----------
    position : Position
        Any complete position: open, closed, in the middle of a trick, with pending marriages.
    settings : Settings, optional
        Search settings; they change nodes, never values.

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
    module, workspace = kernels(), workspaces.get(settings, position.rules)
    before = workspace.nodes
    row = rows_array([position])[0]
    module.begin(workspace.array, row)
    moves = position.legal_moves()
    values = np.zeros(len(moves), dtype=np.int8)
    module.move_values(workspace.array, row, move_codes(moves, position.trump), values)
    nodes = workspace.nodes - before
    sign = -1 if position.turn else 1
    by_move = {move: int(value) for move, value in zip(moves, values, strict=True)}
    value = sign * max(sign * v for v in by_move.values())
    ordered = sorted(_natural(position, moves, sign * value > 0), key=lambda move: -sign * by_move[move])
    line, tricks = _line(position, value, settings)
    found = tuple(MoveValue(move, by_move[move]) for move in ordered)
    return Solution(position, value, found, line, tricks, nodes)


def _natural(position: Position, moves: list[Move], winning: bool) -> list[Move]:
    """Order moves of equal value as a player would look at them.

    Announce rather than keep quiet; do not exchange or close without need. Whoever wins shows high cards
    first, whoever loses throws low ones; trumps are kept.
    """

    def key(move: Move) -> tuple[int, int, bool, int]:
        points = points_of(move.card)
        trump = move.card // 6 == position.trump
        return (-move.marriage, move.close, move.exchange, (points - 6 * trump) * (-1 if winning else 1))

    return sorted(moves, key=key)


def _line(position: Position, value: int, settings: Settings) -> tuple[tuple[Move, ...], tuple[Trick, ...]]:
    """Play a game in which every move keeps the value."""
    module, workspace = kernels(), workspaces.get(settings, position.rules)
    line: list[Move] = []
    tricks: list[Trick] = []
    lead: Move | None = None
    here = position
    while here.outcome is None:
        wanted = -value if here.turn else value
        moves = _natural(here, here.legal_moves(), wanted > 0)
        place = 0
        if len(moves) > 1:
            row = rows_array([here])[0]
            place = module.first_worth(workspace.array, row, move_codes(moves, here.trump), wanted)
        move = moves[place]
        after = here.play(move)
        line.append(move)
        if here.led is not None:
            winner = after.turn if after.outcome is None else int(after.points[1] > here.points[1])
            tricks.append(Trick(1 - here.turn, lead, move, winner, after.points, here.led))
            lead = None
        elif after.outcome is not None:
            tricks.append(Trick(here.turn, move, None, here.turn, after.points, move.card))
        else:
            lead = move
        here = after
    return tuple(line), tuple(tricks)


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
    positions: Sequence[Position], settings: Settings = DEFAULT
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the exact values of many complete positions; the GIL is free during the search.

    Parameters
    ----------
    positions : sequence of Position
        Complete positions, under any rules.
    settings : Settings, optional
        As for `solve`.

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

    Examples
    --------
    >>> from bummerl import deals
    >>> values, nodes = solve_many(deals.random_positions(3, seed=1))
    >>> values.tolist()
    [-3, -3, 2]
    """
    import numpy as np

    for i, position in enumerate(positions):
        try:
            require_complete(position)
        except RecordError as error:
            raise RecordError(error.key, f"{error.problem} (in positions[{i}])", error.mend) from None
    values = np.zeros(len(positions), dtype=np.int8)
    nodes = np.zeros(len(positions), dtype=np.int64)
    by_rules: dict[object, list[int]] = {}
    for i, position in enumerate(positions):
        by_rules.setdefault(position.rules, []).append(i)
    for places in by_rules.values():
        workspace = workspaces.get(settings, positions[places[0]].rules)
        part_values = np.zeros(len(places), dtype=np.int8)
        part_nodes = np.zeros(len(places), dtype=np.int64)
        rows = rows_array(positions[i] for i in places)
        done = kernels().values(workspace.array, rows, part_values, part_nodes)
        if done < len(places):
            raise InterruptedError("the search was stopped")
        values[places], nodes[places] = part_values, part_nodes
    return values, nodes
