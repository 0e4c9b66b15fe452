"""What actions are worth in many worlds: valued in threads, added up with what a sample leaves uncertain."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bummerl.advice_results import OUTCOMES
from bummerl.engine import Interrupt, Settings, kernels, move_codes, workspaces
from bummerl.moves import Move
from bummerl.worlds import Worlds

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Worlds between two looks at whether the best action is separated from the others, and by how many standard errors.
_BLOCK, _SEPARATED = 100, 4.0
# Moves that a player can have at his next turn: nine leads, exchanging or not, closing or not.
_NEXT_MOVES = 40


@dataclass(frozen=True, slots=True)
class WorldTable:
    """Values of actions in worlds.

    Attributes
    ----------
    values : int64 array, shape (n, m)
        Game points of each action in each world.
    upper : int64 array, shape (n, m)
        The same played with open cards.
    weights : float array, shape (n,)
        How likely each world is, relative to the others.
    missing : float
        Which share of the worlds was not looked at.
    """

    values: NDArray[np.int64]
    upper: NDArray[np.int64]
    weights: NDArray[np.float64]
    missing: float

    def mean(self, numbers: NDArray[np.int64]) -> float:
        """Return the average of one number a world."""
        return float((self.weights * numbers).sum() / self.weights.sum())

    def stderr(self, numbers: NDArray[np.int64]) -> float:
        """Return the standard error of an average over a sample without repeats."""
        count = len(numbers)
        if count < 2 or not self.missing:
            return 0.0
        squares = (self.weights * (numbers - self.mean(numbers))) ** 2
        error = math.sqrt(float(squares.sum()) * count / (count - 1)) / float(self.weights.sum())
        return error * math.sqrt(self.missing)

    def outcomes(self, k: int) -> dict[int, float]:
        """Return how often an action ends with each number of game points."""
        return {value: self.mean(self.values[:, k] == value) for value in OUTCOMES}

    def is_clear(self) -> bool:
        """Say whether one action is better than every other that is not always worth the same."""
        best = int((self.weights @ self.values).argmax())
        for k in range(self.values.shape[1]):
            difference = self.values[:, best] - self.values[:, k]
            if difference.any() and self.mean(difference) <= _SEPARATED * self.stderr(difference):
                return False
        return True


def world_table(
    worlds: Worlds,
    moves: list[Move],
    settings: Settings,
    *,
    most: int,
    until: float | None,
    seed: int,
    workers: int,
    postponed: bool,
    hand_weights: Sequence[float] | None,
    progress: Callable[[int], object],
) -> WorldTable:
    """Value moves in worlds, block by block; a sample ends when the best move is clear.

    Parameters
    ----------
    worlds : Worlds
        Of a position with ``me`` on turn.
    moves : list of Move
        What to value.
    settings : Settings
        Of the search.
    most : int
        Look at no more worlds.
    until : float, optional
        Stop after the block in which ``time.monotonic()`` passes this.
    seed : int
        Of a sample.
    workers : int
        Threads, 1 or more; the table does not depend on them.
    postponed : bool
        At the next turn make the same move in all worlds that look alike.
    hand_weights : sequence of float, optional
        How likely each of ``worlds.hands`` is, relative to the others.
    progress : callable
        Called with the number of worlds just done.

    Returns
    -------
    WorldTable
    """
    numbers = worlds.numbers(most, seed)
    sampled = len(numbers) < len(worlds)
    weights = np.ones(len(numbers))
    if hand_weights is not None:
        weights = np.array([hand_weights[worlds.hand_of(number)] for number in numbers])
    valuer = (_Postponed if postponed else _OpenCards)(worlds, moves, settings)
    done = 0
    interrupt = Interrupt()
    with ExitStack() as stack:
        look: Callable[..., Iterator[Any]] = map
        if workers > 1:
            look = stack.enter_context(ThreadPoolExecutor(workers, initializer=interrupt.join)).map
            stack.enter_context(interrupt)
        while done < len(numbers):
            block = numbers[done : done + _BLOCK]
            step = -(-len(block) // workers)
            for part in look(valuer.look, [block[i : i + step] for i in range(0, len(block), step)]):
                valuer.keep(part)
            done += len(block)
            progress(len(block))
            if until is not None and time.monotonic() > until:
                break
            # Which worlds look alike is known at the end only.
            if sampled and not postponed and done < len(numbers):
                values, upper = valuer.values(weights[:done])
                if WorldTable(values, upper, weights[:done], 1 - done / len(worlds)).is_clear():
                    break
    values, upper = valuer.values(weights[:done])
    return WorldTable(values, upper, weights[:done], 1 - done / len(worlds))


class _OpenCards:
    """After the action everything is seen."""

    def __init__(self, worlds: Worlds, moves: list[Move], settings: Settings) -> None:
        self._worlds, self._settings = worlds, settings
        self._codes = move_codes(moves, worlds.position.trump)
        self._kernel = kernels("solution").world_values
        self._parts: list[NDArray[np.int64]] = []

    def look(self, numbers: list[int]) -> NDArray[np.int64]:
        """Value some worlds, in any thread."""
        rows = self._worlds.rows(numbers)
        out = np.zeros((len(rows), len(self._codes)), dtype=np.int64)
        workspace = workspaces.get(self._settings, self._worlds.position.rules)
        if self._kernel(workspace.array, rows, self._codes, out) < len(rows):
            raise InterruptedError("the search was stopped")
        return out

    def keep(self, part: NDArray[np.int64]) -> None:
        """Take what `look` found, in order."""
        self._parts.append(part)

    def values(self, weights: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # noqa: ARG002
        """Return the values of all worlds kept, and the same with open cards."""
        table = np.concatenate(self._parts)
        return table, table


class _Postponed:
    """At the next turn the same move in all worlds that look alike; after that everything is seen.

    Until then the opponent plays as if all cards were open.
    """

    def __init__(self, worlds: Worlds, moves: list[Move], settings: Settings) -> None:
        self._worlds, self._settings = worlds, settings
        self._codes = move_codes(moves, worlds.position.trump)
        self._kernel = kernels("postponed").next_values
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []

    def look(self, numbers: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Value every next move in some worlds, in any thread."""
        rows = self._worlds.rows(numbers)
        count = len(self._codes)
        keys = np.zeros((len(rows), count), dtype=np.int64)
        counts = np.zeros((len(rows), count), dtype=np.int64)
        out = np.zeros((len(rows), count, _NEXT_MOVES), dtype=np.int64)
        moves = np.concatenate([self._codes, np.zeros(64, dtype=np.int64)])
        workspace = workspaces.get(self._settings, self._worlds.position.rules)
        if self._kernel(workspace.array, rows, moves, count, keys, counts, out) < len(rows):
            raise InterruptedError("the search was stopped")
        return keys, counts, out

    def keep(self, part: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]) -> None:
        """Take what `look` found, in order."""
        self._parts.append(part)

    def values(self, weights: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the values of all worlds kept, and the same with open cards."""
        keys, counts, values = (np.concatenate(parts) for parts in zip(*self._parts, strict=True))
        chosen, upper = np.zeros(keys.shape, dtype=np.int64), np.zeros(keys.shape, dtype=np.int64)
        for k in range(keys.shape[1]):
            alike, group = np.unique(keys[:, k], return_inverse=True)
            for number, key in enumerate(alike):
                here = np.flatnonzero(group == number)
                found = values[here, k, : counts[here[0], k]]
                # A deal that is over has one value a world, and there is nothing to choose.
                choice = int((weights[here] @ found).argmax()) if key else 0
                chosen[here, k] = found[:, choice]
                upper[here, k] = found.max(axis=1)
        return chosen, upper
