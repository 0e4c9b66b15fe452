"""Does closing succeed? Counted over every hand the opponent can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bummerl.engine import DEFAULT, Settings, kernels, move_codes, rows_array, to_kernel, workspaces
from bummerl.errors import RecordError
from bummerl.moves import Move
from bummerl.position import Position, close_penalty, win_value
from bummerl.results import CloseResult, Count, FirstMove, Variant
from bummerl.worlds import opponent_hands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LISTED = 20


def closing_moves(position: Position) -> list[Move]:
    """List the moves that are compared: those that close, or all of them once the talon is closed.

    Raises
    ------
    RecordError
        If ``me`` is not on turn, or may not close.
    """
    if not isinstance(position, Position):
        raise TypeError(f"expected a Position, not {type(position).__name__}; make one with Position.parse(text)")
    if position.outcome is not None:
        raise RecordError("points", "the deal is over", "there is nothing left to close")
    if position.turn:
        raise RecordError("turn", "the opponent is on turn", "close answers for me; use solve, or swap the players")
    if position.closed:
        return position.legal_moves()
    if position.led is not None:
        raise RecordError("led", "the talon is closed before leading, not after", "remove led, or give closed")
    if not position.talon:
        raise RecordError("talon", "is used up, so there is nothing to close", "use solve")
    if not position.may_close:
        if len(position.talon) == 10 and not position.rules.close_before_first_trick:
            raise RecordError("rules", "closing before the first trick is not allowed", "rules=soft allows it")
        least = position.rules.close_min_talon
        raise RecordError(
            "rules", f"closing needs {least} talon cards or more, not {len(position.talon)}", "rules=soft asks for 2"
        )
    return [move for move in position.legal_moves() if move.close]


def close(position: Position, settings: Settings = DEFAULT) -> CloseResult:
    """Count the hands against which closing succeeds with open cards.

    With open cards the closer sees the opponent's hand, so this is an upper bound for a player who does not.
    A talon that is closed already is answered the same way, also in the middle of a trick, and also for the
    player against whom it was closed.

    Parameters
    ----------
    position : Position
        Hidden or complete, ``me`` on turn, the talon open or closed already.
    settings : Settings, optional
        Search settings; they change nodes, never results.

    Returns
    -------
    CloseResult
        Counts over all hands the opponent can hold, in total and for each first move.

    Raises
    ------
    RecordError
        If ``me`` may not close there.

    Examples
    --------
    >>> result = close(Position.parse("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2"))
    >>> result.hands, result.open_cards.won, result.open_cards.expected, str(result.first_move)
    (6, 5, 0.5, 'close HT')
    """
    import numpy as np

    moves = closing_moves(position)
    hands = opponent_hands(position)
    workspace = workspaces.get(settings, position.rules)
    before = workspace.nodes
    row = rows_array([position])[0]
    codes = np.array([to_kernel(hand, position.trump) for hand in hands], dtype=np.int64)
    table = np.zeros((len(hands), len(moves)), dtype=np.int8)
    if kernels().closed_wins(workspace.array, row, codes, move_codes(moves, position.trump), table) < len(hands):
        raise InterruptedError("the search was stopped")

    ranked = [FirstMove(move, _count(table[:, k])) for k, move in enumerate(moves)]
    groups = [[k for k, m in enumerate(moves) if m.exchange == exchange] for exchange in (False, True)]
    groups = [group for group in groups if group]
    variants = [
        Variant(
            moves[group[0]].exchange,
            _count(table[:, group].max(axis=1)),
            min((ranked[k] for k in group), key=_rank).move,
        )
        for group in groups
    ]
    best = min(range(len(variants)), key=lambda i: (-variants[i].open_cards.won, -variants[i].open_cards.points))
    # Exchanging is decided before anything is seen, so the headline belongs to one variant.
    ordered = sorted(ranked, key=lambda m: (m.move.exchange != variants[best].exchange, _rank(m)))
    lost = table[:, groups[best]].max(axis=1) < 0
    closed = position.closed
    base = win_value(position.points[1] if closed is None else closed.points)
    penalty = close_penalty(position.points[1] if closed is None else closed.points)
    by_me = closed is None or closed.by == 0
    return CloseResult(
        position=position,
        hands=len(hands),
        open_cards=variants[best].open_cards,
        moves=tuple(ordered),
        variants=tuple(variants) if len(variants) > 1 else (),
        win=base if by_me else penalty,
        lose=-penalty if by_me else -base,
        lost_to=tuple(hand for hand, gone in zip(hands, lost, strict=True) if gone)[:_LISTED],
        nodes=workspace.nodes - before,
    )


def _count(values: NDArray[np.int8]) -> Count:
    return Count(int((values > 0).sum()), len(values), int(values.sum(dtype="int64")))


def _rank(first: FirstMove) -> tuple[int, int, int]:
    """Sort by hands beaten, then by points, then announcing before keeping quiet."""
    return (-first.open_cards.won, -first.open_cards.points, -first.move.marriage)
