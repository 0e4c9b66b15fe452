"""Solving a record of any game."""

from __future__ import annotations

from bummerl.errors import RecordError
from bummerl.games.hand import TableHand
from bummerl.games.table import TablePosition
from bummerl.position import Position
from bummerl.records import AnyPosition
from bummerl.results import Solution, Value
from bummerl.solve import solve, solve_value
from bummerl.table_solve import TableSolution, solve_table, solve_tables


def solve_any(position: AnyPosition) -> Solution | TableSolution:
    """Solve a position of any game, see `solve.solve` and `table_solve.solve_table`.

    Raises
    ------
    RecordError
        If cards are not known, or the deal is over.
    """
    if isinstance(position, TablePosition):
        return solve_table(position)
    return solve(_open(position))


def value_any(position: AnyPosition) -> Value:
    """Return only the value of a position of any game."""
    if isinstance(position, TablePosition):
        values, nodes = solve_tables([position])
        return Value(int(values[0]), int(nodes[0]))
    return solve_value(_open(position))


def _open(position: Position | TableHand) -> Position:
    if isinstance(position, TableHand):
        raise RecordError("me", "is one hand only", "solve needs p1 to p4; bid looks at all layouts of the others")
    return position
