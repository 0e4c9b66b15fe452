"""Does closing succeed? Counted over every hand the opponent can hold, with open cards and by plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bummerl.close_results import CloseResult, Count, FirstMove, PlanCount, Variant
from bummerl.engine import (
    DEFAULT,
    Settings,
    Workspace,
    kernels,
    move_codes,
    rows_array,
    run_stoppable,
    to_kernel,
    workspaces,
)
from bummerl.errors import RecordError
from bummerl.moves import Move
from bummerl.planning import Opening, PlanSearch, Writing
from bummerl.position import Position, close_penalty, win_value
from bummerl.worlds import opponent_hands

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# With more hands than that a plan takes longer to write down than to find.
_WRITTEN = 5000


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
        if len(position.talon) == position.rules.deck.talon and not position.rules.close_before_first_trick:
            raise RecordError("rules", "closing before the first trick is not allowed", "rules=soft allows it")
        least = position.rules.close_min_talon
        raise RecordError(
            "rules", f"closing needs {least} talon cards or more, not {len(position.talon)}", "rules=soft asks for 2"
        )
    return [move for move in position.legal_moves() if move.close]


def close(
    position: Position,
    settings: Settings = DEFAULT,
    seconds: float | None = None,
    weights: Sequence[int] | None = None,
    keep_on_interrupt: bool = False,
    work: int | None = None,
) -> CloseResult:
    """Count the hands against which closing succeeds: with open cards, and by one plan for all of them.

    With open cards the closer sees the opponent's hand: an upper bound for a player who does not. A plan picks
    each card from what the player sees, his hand and the cards played; the opponent sees everything, knows the
    plan, and answers as well as possible. ``plan.won`` hands are beaten for certain, and no plan beats more.

    A talon that is closed already is answered the same way, also in the middle of a trick, and also for the
    player against whom it was closed.

    Parameters
    ----------
    position : Position
        Hidden or complete, ``me`` on turn, the talon open or closed already.
    settings : Settings, optional
        Search settings; they change nodes, never results.
    seconds : float, optional
        Stop looking for better plans after this time. Plans that are not exact by then have an interval,
        `PlanCount.won` to `PlanCount.upper`, that is certain.
    weights : sequence of int, optional
        How likely each of `opponent_hands` is, relative to the others: not negative, less than 2**31 together.
        Hands then count as much as they weigh, and the plan is the best for these weights.
    keep_on_interrupt : bool
        On Ctrl-C return what is certain so far, instead of raising `KeyboardInterrupt`.
    work : int, optional
        Stop looking for better plans of a first move after so much work: like `seconds`, but the same on every
        machine. A thousand million is about a second.

    Returns
    -------
    CloseResult
        Counts over all hands the opponent can hold, in total and for each first move, and the plan.

    Raises
    ------
    RecordError
        If ``me`` may not close there.
    ValueError
        If the weights do not fit the hands.

    Examples
    --------
    >>> result = close(Position.parse("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2"))
    >>> result.hands, result.plan.won, result.plan.expected, str(result.first_move)
    (6, 5, 0.5, 'close HT')
    """
    import numpy as np

    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds is 0 or more, not {seconds}")
    if work is not None and work < 0:
        raise ValueError(f"work is 0 or more, not {work}")
    moves = closing_moves(position)
    possible = opponent_hands(position)
    workspace = workspaces.get(settings, position.rules)
    before = workspace.nodes
    order, table = open_card_values(position, moves, possible, workspace)
    hands = [possible[i] for i in order]
    weighed = None if weights is None else _checked_weights(weights, len(hands))[order]
    search = PlanSearch(workspace, position, len(hands), weighed)
    for k, move in enumerate(moves):
        search.add(move, table[:, k])
    limits = () if work is None else (work,)
    run_stoppable(lambda: search.run(*limits), workspace, seconds, keep_on_interrupt)

    tally = _Tally(position, search, weighed)
    for opening in search.openings:
        if not opening.exact and len(hands) <= _WRITTEN:
            # Written down, a plan that may not be the best may turn out to beat more than was known.
            tally.writing(opening)
    firsts = [
        FirstMove(opening.move, tally.count(table[:, k]), tally.plan(opening))
        for k, opening in enumerate(search.openings)
    ]
    groups = [[k for k, m in enumerate(moves) if m.exchange == exchange] for exchange in (False, True)]
    groups = [group for group in groups if group]
    variants = []
    for group in groups:
        best = min((firsts[k] for k in group), key=_rank)
        seen = tally.count(table[:, group].max(axis=1))
        plan = replace(best.plan, upper=max(firsts[k].plan.upper for k in group))
        variants.append(Variant(moves[group[0]].exchange, seen, plan, best.move))
    # Exchanging is decided before anything is seen, so the headline belongs to one variant.
    chosen = min(range(len(variants)), key=lambda i: (-variants[i].plan.won, -variants[i].open_cards.won))
    headline = variants[chosen]
    ordered = sorted(
        firsts, key=lambda m: (m.move != headline.first_move, m.move.exchange != headline.exchange, _rank(m))
    )
    opening = next(o for o in search.openings if o.move == headline.first_move)
    lost = tally.written[opening.move].lost if opening.move in tally.written else ~opening.beaten | opening.lost
    # First those that a player beats who sees them.
    seen = table[:, groups[chosen]].max(axis=1) > 0
    unbeaten = [*np.flatnonzero(lost & seen), *np.flatnonzero(lost & ~seen)]

    def write() -> Writing:
        if opening.move in tally.written:
            return tally.written[opening.move]
        again = PlanSearch(workspaces.get(settings, position.rules), position, len(hands), weighed)
        return again.write(opening)

    return CloseResult(
        position=position,
        open_cards=headline.open_cards,
        plan=headline.plan,
        moves=tuple(ordered),
        variants=tuple(variants) if len(variants) > 1 else (),
        win=tally.win,
        lose=tally.lose,
        nodes=workspace.nodes - before + search.nodes,
        possible=tuple(hands),
        unbeaten=tuple(hands[i] for i in unbeaten),
        beatable=frozenset(hands[i] for i in unbeaten if seen[i]),
        write=write,
    )


def open_card_values(
    position: Position, moves: Sequence[Move], hands: Sequence[int], workspace: Workspace
) -> tuple[Numbers, NDArray[np.int8]]:
    """Value every first move against every hand with open cards.

    Parameters
    ----------
    position : Position
        ``me`` on turn.
    moves : sequence of Move
        See `closing_moves`.
    hands : sequence of int
        See `opponent_hands`.
    workspace : Workspace
        Of this thread.

    Returns
    -------
    order : int64 array, shape (n,)
        The order in which the kernels number the hands: by the cards, trumps lowest.
    values : int8 array, shape (n, m)
        Game points, hands in that order.
    """
    import numpy as np

    codes = np.array([to_kernel(hand, position.trump) for hand in hands], dtype=np.int64)
    order = np.argsort(codes)
    table = np.zeros((len(hands), len(moves)), dtype=np.int8)
    row = rows_array([position])[0]
    done = kernels().closed_wins(workspace.array, row, codes[order], move_codes(moves, position.trump), table)
    if done < len(hands):
        raise InterruptedError("the search was stopped")
    return order, table


def _checked_weights(weights: Sequence[int], count: int) -> Numbers:
    """Return weights as an array."""
    import numpy as np

    array = np.asarray(weights)
    if array.shape != (count,):
        raise ValueError(f"there are {count} hands, so give a list of {count} weights")
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError("weights are whole numbers; multiply probabilities by 1000000, say, and round them")
    if (array < 0).any() or not 0 < array.sum() < 2**31:
        raise ValueError("weights are 0 or more, and together more than 0 and less than 2**31")
    return array.astype(np.int64)


class _Tally:
    """Turns hands into counts and game points."""

    def __init__(self, position: Position, search: PlanSearch, weights: Numbers | None) -> None:
        closed = position.closed
        had = position.points[1] if closed is None else closed.points
        trick = position.has_trick(1) if closed is None else closed.has_trick
        self.by_me = closed is None or closed.by == 0
        self.win = win_value(had, trick) if self.by_me else close_penalty(trick)
        self.lose = -close_penalty(trick) if self.by_me else -win_value(had, trick)
        # Counted at the end, what the closer wins depends on the play.
        self._at_end = position.rules.closed_count == "end"
        self._search = search
        self._weights = weights
        self.written: dict[Move, Writing] = {}
        self.total = search.count if weights is None else int(weights.sum())

    def count(self, values: NDArray[np.int8]) -> Count:
        """Count hands with these values, in their order, beaten or not."""
        weights = self._weights
        if weights is None:
            return Count(int((values > 0).sum()), len(values), int(values.sum(dtype="int64")))
        return Count(int(weights[values > 0].sum()), self.total, int((weights * values).sum()))

    def writing(self, opening: Opening) -> Writing:
        """Write a plan down, once."""
        if opening.move not in self.written:
            self.written[opening.move] = self._search.write(opening)
        return self.written[opening.move]

    def plan(self, opening: Opening) -> PlanCount:
        """Count what a plan is certain to achieve."""
        won = opening.weight - opening.most
        lost = self.total - won
        if not self._at_end:
            certain: tuple[tuple[int, int], ...] = ((self.win, won), (self.lose, lost))
        else:
            written = self.writing(opening)
            second, third = self._weigh(written.second), self._weigh(written.third)
            if self.by_me:
                two, three = self.total - second, self.total - third
                certain = ((3, three), (2, two - three), (1, won - two), (self.lose, lost))
            else:
                certain = ((self.win, won), (-1, lost - second), (-2, second - third), (-3, third))
        points = sum(value * hands for value, hands in certain)
        return PlanCount(won, self.total, points, opening.upper, certain)

    def _weigh(self, hands: NDArray[np.bool_]) -> int:
        return int(hands.sum()) if self._weights is None else int(self._weights[hands].sum())


def _rank(first: FirstMove) -> tuple[int, int, int, int]:
    """Sort by hands beaten by plan, then with open cards, then by points, then announcing before keeping quiet."""
    return (-first.plan.won, -first.plan.points, -first.open_cards.won, -first.move.marriage)
