"""What should I play? The worth of every action while cards are hidden."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bummerl.cards import points_of, suit_of
from bummerl.close import close
from bummerl.engine import DEFAULT, Interrupt, Settings, kernels, move_codes, rows_array, workspaces
from bummerl.errors import RecordError
from bummerl.moves import Move
from bummerl.position import Position
from bummerl.worlds import Worlds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Worlds looked at by default, by talon cards left: about a second on two cores.
_WORLDS = {10: 1500, 8: 3000, 6: 10_000}
_MOST = 1_000_000
# Worlds between two looks at whether the best action is separated from the others, and by how many standard errors.
_BLOCK, _SEPARATED = 100, 4.0
OUTCOMES = (-3, -2, -1, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """What an action is worth.

    Attributes
    ----------
    move : Move
        The action.
    expected : float
        Game points on average: with open cards from the next card on, or, when the talon is closed, what one plan
        is certain to gain.
    stderr : float
        Standard error of a sample; 0 when every world was looked at.
    outcomes : dict of int to float
        How often it ends with so many game points.
    basis : str
        ``open cards`` or ``plan``.
    upper : float
        For a plan: the average with open cards, which no plan exceeds; else the same as `expected`.
    """

    move: Move
    expected: float
    stderr: float
    outcomes: dict[int, float]
    basis: str
    upper: float

    @property
    def win(self) -> float:
        """The chance to win the deal."""
        return sum(share for value, share in self.outcomes.items() if value > 0)

    @property
    def worst(self) -> int:
        """The worst that was seen to happen."""
        return min(value for value, share in self.outcomes.items() if share)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "move": str(self.move),
            "expected": self.expected,
            "stderr": self.stderr,
            "win": self.win,
            "worst": self.worst,
            "outcomes": {str(value): share for value, share in self.outcomes.items()},
            "basis": self.basis,
            "upper": self.upper,
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """Every action with its worth, the best first.

    Attributes
    ----------
    position : Position
        What was asked.
    moves : tuple of MoveAdvice
        Every legal move.
    looked_at, worlds : int
        Worlds that were looked at, and how many there are.
    seed : int
        Of the sample.
    margin : float
        How much better the best action is than the next one that is not always worth the same.
    margin_stderr : float
        Its standard error over the same worlds; 0 when all were looked at.
    """

    position: Position
    moves: tuple[MoveAdvice, ...]
    looked_at: int
    worlds: int
    seed: int
    margin: float
    margin_stderr: float

    @property
    def exact(self) -> bool:
        """Say whether every world was looked at."""
        return self.looked_at == self.worlds

    @property
    def best(self) -> Move:
        """The action to take."""
        return self.moves[0].move

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "worlds": self.looked_at,
            "of": self.worlds,
            "exact": self.exact,
            "seed": self.seed,
            "best": str(self.best),
            "margin": self.margin,
            "margin_stderr": self.margin_stderr,
            "moves": [move.to_dict() for move in self.moves],
        }


def advise(
    position: Position,
    settings: Settings = DEFAULT,
    *,
    max_worlds: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> Advice:
    """Say what each legal action is worth to a player who does not see all cards.

    Every way to place the unseen cards is a *world*. While the talon is open an action is worth its average over
    the worlds, each played on with open cards: too much for whoever gets to see hidden cards, but exact against an
    opponent who sees everything where only one more card is hidden from ``me``, that is with two talon cards
    left. Once the talon is closed, and for actions that close it, the worth is what the best plan is certain to
    gain, see `close`.

    Parameters
    ----------
    position : Position
        Hidden or complete, ``me`` on turn.
    settings : Settings, optional
        Search settings; they change no result.
    max_worlds : int, optional
        Look at every world if there are at most so many, else at a random sample of them; the default takes
        about a second. The sample ends early when the best action is clear.
    seconds : float, optional
        Stop after this time; then the same call may look at more or fewer worlds another time.
    seed : int
        Of the sample: all actions are valued in the same worlds.
    workers : int
        Threads; results do not depend on them.
    progress : callable
        Called with the number of worlds just done.

    Returns
    -------
    Advice

    Raises
    ------
    RecordError
        If ``me`` is not on turn, the deal is over, or it is not known which cards are gone.

    Examples
    --------
    >>> position = Position.parse("trump=SJ me=ST,HAT,DKJ unseen=SAQ,HQJ,CK led=CA points=15:32 talon=2")
    >>> advice = advise(position)
    >>> str(advice.best), advice.moves[0].expected, advice.exact
    ('DJ', 1.0, True)
    """
    if not isinstance(position, Position):
        raise TypeError(f"expected a Position, not {type(position).__name__}; make one with Position.parse(text)")
    if position.outcome is not None:
        raise RecordError("points", "the deal is over", "there is nothing left to advise")
    if position.turn:
        raise RecordError("turn", "the opponent is on turn", "advise answers for me; swap the players")
    if max_worlds is not None and max_worlds < 1:
        raise ValueError(f"max_worlds is 1 or more, not {max_worlds}")
    start = time.monotonic()
    worlds = Worlds(position)
    moves = position.legal_moves()
    planned = moves if position.closed else [move for move in moves if move.close]
    others = [move for move in moves if move not in set(planned)]
    looked_at, found = len(worlds), []
    table: NDArray[np.int64] | None = None
    if others:
        most = max_worlds or _WORLDS.get(position.talon_left, _MOST)
        # Half of the time is for plans, if there are any.
        until = None if seconds is None else start + (seconds / 2 if planned else seconds)
        table = _open_card_table(worlds, others, settings, most, until, seed, workers, progress)
        looked_at = len(table)
        share = 1 - looked_at / len(worlds)
        for k, move in enumerate(others):
            values = table[:, k]
            error = float(values.std(ddof=1)) * math.sqrt(share / looked_at) if looked_at > 1 and share else 0.0
            counts = {value: float((values == value).mean()) for value in OUTCOMES}
            mean = float(values.mean())
            found.append(MoveAdvice(move, mean, error, counts, "open cards", mean))
    if planned:
        found += _planned(position, settings, None if seconds is None else max(start + seconds - time.monotonic(), 0))
    found.sort(key=lambda m: (-m.expected, *_natural(m.move, position.trump)))
    margin, error = _margin(found, others, table, len(worlds))
    return Advice(position, tuple(found), looked_at, len(worlds), seed, margin, error)


def _natural(move: Move, trump: int) -> tuple[bool, bool, int, int]:
    """Order actions of equal worth: no needless close or exchange, announce, low cards first and trumps last."""
    worth = points_of(move.card) + (20 if suit_of(move.card) == trump else 0)
    return move.close, move.exchange, -move.marriage, worth


def _planned(position: Position, settings: Settings, seconds: float | None) -> list[MoveAdvice]:
    """Value actions under a closed talon by the best plan that begins with them."""
    found = []
    for first in close(position, settings, seconds=seconds).moves:
        plan = first.plan
        outcomes = dict.fromkeys(OUTCOMES, 0.0)
        for value, hands in plan.certain:
            outcomes[value] += hands / plan.hands
        found.append(MoveAdvice(first.move, plan.expected, 0.0, outcomes, "plan", first.open_cards.expected))
    return found


def _open_card_table(
    worlds: Worlds,
    moves: list[Move],
    settings: Settings,
    most: int,
    until: float | None,
    seed: int,
    workers: int,
    progress: Callable[[int], object],
) -> NDArray[np.int64]:
    """Value moves in worlds, block by block; a sample ends when the best move is clear."""
    import numpy as np

    numbers = worlds.numbers(most, seed)
    sampled = len(numbers) < len(worlds)
    codes = move_codes(moves, worlds.position.trump)
    module = kernels("solution")
    rules = worlds.position.rules

    def values(block: list[int]) -> NDArray[np.int64]:
        rows = rows_array(worlds[number] for number in block)
        out = np.zeros((len(rows), len(codes)), dtype=np.int64)
        if module.world_values(workspaces.get(settings, rules).array, rows, codes, out) < len(rows):
            raise InterruptedError("the search was stopped")
        return out

    done: list[NDArray[np.int64]] = []
    interrupt = Interrupt()
    with ThreadPoolExecutor(max(workers, 1), initializer=interrupt.join) as pool, interrupt:
        for first in range(0, len(numbers), _BLOCK):
            block = numbers[first : first + _BLOCK]
            step = -(-len(block) // max(workers, 1))
            done += pool.map(values, [block[i : i + step] for i in range(0, len(block), step)])
            progress(len(block))
            if until is not None and time.monotonic() > until:
                break
            if sampled and _is_clear(np.concatenate(done)):
                break
    return np.concatenate(done)


def _is_clear(table: NDArray[np.int64]) -> bool:
    """Say whether one move is better than every other that is not always worth the same."""
    best = int(table.sum(axis=0).argmax())
    differences = table[:, [best]] - table
    different = differences.any(axis=0)
    means = differences.mean(axis=0)
    errors = differences.std(axis=0, ddof=1) / math.sqrt(len(table))
    return bool((means[different] > _SEPARATED * errors[different]).all())


def _margin(
    found: list[MoveAdvice], others: list[Move], table: NDArray[np.int64] | None, worlds: int
) -> tuple[float, float]:
    """Return how much the best action is ahead of the next different one, with the standard error of that."""
    best = found[0]
    for move in found[1:]:
        difference = best.expected - move.expected
        if table is not None and best.basis == move.basis == "open cards":
            paired = table[:, others.index(best.move)] - table[:, others.index(move.move)]
            if not paired.any():
                continue
            share = 1 - len(table) / worlds
            error = float(paired.std(ddof=1)) * math.sqrt(share / len(table)) if len(table) > 1 else 0.0
            return difference, error
        if difference or move.outcomes != best.outcomes:
            return difference, math.hypot(best.stderr, move.stderr)
    return 0.0, 0.0
