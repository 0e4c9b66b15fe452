"""Between positions and kernels: rows, workspaces for threads, search settings, and the stop switch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from bummerl.kernels import cache
from bummerl.kernels import workspace as layout
from bummerl.moves import DRAW, Move
from bummerl.position import TARGET, Position, close_penalty, win_value
from bummerl.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int64]

FEATURES = {
    "table": layout.USE_TABLE,
    "slack": layout.USE_SLACK,
    "winners": layout.USE_WINNERS,
    "reach": layout.USE_REACH,
    "history": layout.USE_HISTORY,
    "levels": layout.USE_LEVELS,
    "plan_bounds": layout.USE_PLAN_BOUNDS,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search; no setting changes a value.

    Attributes
    ----------
    table_bits : int
        The transposition table has ``2 ** table_bits`` entries of 16 bytes.
    features : frozenset of str
        Parts of the search in use: ``table`` (transposition table), ``slack`` (answers hold for a range of
        scores), ``winners`` (tricks that are certain are counted), ``reach`` (points that cannot be reached),
        ``history`` (moves ordered by how they succeeded lately), ``levels`` (who fails to win one point fails to
        win two), ``plan_bounds`` (plans: fronts are bounded by what
        else must be lost, and hands that cannot be lost twice only count).
    """

    table_bits: int = 13
    features: frozenset[str] = frozenset(FEATURES)

    def __post_init__(self) -> None:
        """Refuse sizes and names that do not exist."""
        if not 1 <= self.table_bits <= 24:
            raise ValueError(f"table_bits is 1 to 24, not {self.table_bits}")
        if unknown := self.features - set(FEATURES):
            raise ValueError(f"no such search feature: {', '.join(sorted(unknown))}; there are {', '.join(FEATURES)}")


DEFAULT = Settings()


def kernels(unit: str = "two_handed") -> Any:
    """Return a kernel module, compiled or loaded now if it has not been used before."""
    return cache.load(unit)


class Workspace:
    """Memory for one search at a time, with its settings.

    Parameters
    ----------
    settings : Settings
        Table size and features.
    """

    def __init__(self, settings: Settings = DEFAULT) -> None:
        import numpy as np

        self.array: Array = np.zeros(layout.TABLE + (2 << settings.table_bits), dtype=np.int64)
        self.array[layout.TABLE_MASK] = (1 << settings.table_bits) - 1
        self.array[layout.FEATURES] = sum(FEATURES[name] for name in settings.features)
        self._rules: Rules | None = None
        self._plan_memory: Array | None = None

    def plan_memory(self, words: int) -> Array:
        """Return the memory of the plan search; the system gives what of it is used."""
        import numpy as np

        if self._plan_memory is None:
            self._plan_memory = np.zeros(words, dtype=np.int64)
        return self._plan_memory

    @property
    def nodes(self) -> int:
        """Nodes searched since the workspace was made."""
        return int(self.array[layout.NODES])

    @property
    def stopped(self) -> bool:
        """Say whether the search was told to stop."""
        return bool(self.array[layout.STOP])

    @stopped.setter
    def stopped(self, value: bool) -> None:
        self.array[layout.STOP] = value

    def use(self, rules: Rules) -> None:
        """Set the rules; results found under other rules are forgotten."""
        if rules != self._rules:
            self._rules = rules
            self.array[layout.RULES] = pack_rules(rules)
            self.array[layout.GENERATION] += 1


class Stoppable(Protocol):
    """What can be told to stop searching."""

    stopped: bool


class Workspaces(threading.local):
    """One workspace a thread for each settings, kept between calls."""

    def __init__(self) -> None:
        self._by_settings: dict[Settings, Workspace] = {}
        self.interrupt: Interrupt | None = None

    def get(self, settings: Settings, rules: Rules) -> Workspace:
        """Return this thread's workspace, ready for these rules."""
        found = self._by_settings.get(settings)
        if found is None:
            found = self._by_settings[settings] = Workspace(settings)
            if self.interrupt is not None:
                self.interrupt.watched.append(found)
        found.use(rules)
        return found


class Interrupt:
    """Ends the searches of a group of threads, each of which calls `join` before it starts.

    Ctrl-C reaches Python only when a kernel returns, so the kernels look at their workspace for a stop.
    """

    def __init__(self) -> None:
        self.watched: list[Stoppable] = []
        self.raised = False

    def join(self) -> None:
        """Let this thread, which must be new, be stopped by the interrupt."""
        workspaces.interrupt = self

    def check(self) -> None:
        """Raise `InterruptedError` once the interrupt has been raised."""
        if self.raised:
            raise InterruptedError("the search was stopped")

    def __enter__(self) -> Interrupt:
        """Begin a block of work in threads."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Stop all searches if the block was left by an exception such as Ctrl-C."""
        if kind is not None:
            self.raised = True
            for workspace in self.watched:
                workspace.stopped = True


workspaces = Workspaces()


def run_stoppable(
    work: Callable[[], object], workspace: Workspace, seconds: float | None = None, keep_on_interrupt: bool = False
) -> None:
    """Do some work that ends early, with what it has found, when its workspace is told to stop.

    Ctrl-C reaches the main thread only while that runs Python, so there the work is done in another thread.

    Parameters
    ----------
    work : callable
        Searches with `workspace` only.
    workspace : Workspace
        Told to stop, and made ready again afterwards.
    seconds : float, optional
        The time it may take, not negative.
    keep_on_interrupt : bool
        Return after Ctrl-C; otherwise `KeyboardInterrupt` is raised once the work has ended.
    """
    if seconds is None and threading.current_thread() is not threading.main_thread():
        work()
        return
    problems: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
        thread.join(None if seconds is None else min(seconds, threading.TIMEOUT_MAX))
    except KeyboardInterrupt:
        if not keep_on_interrupt:
            raise
    finally:
        # A stop from outside, such as the end of a whole batch, stays.
        ended = workspace.stopped and workspaces.interrupt is not None
        workspace.stopped = True
        thread.join()
        workspace.stopped = ended
    if problems:
        raise problems[0]


@lru_cache(maxsize=64)
def pack_rules(rules: Rules) -> int:
    """Pack the options that matter for play into the integer the kernels read."""
    deck = rules.deck
    return (
        rules.close_before_first_trick * layout.CLOSE_FIRST
        | rules.exchange_before_first_trick * layout.EXCHANGE_FIRST
        | rules.marriage_before_first_trick * layout.MARRIAGE_FIRST
        | rules.marriage_king_only * layout.KING_ONLY
        | (rules.closed_count == "end") * layout.COUNT_AT_END
        | deck.marriages_open * layout.MARRIAGE_OPEN
        | deck.last_ten * layout.LAST_TEN_RULE
        | deck.close_undrawn * layout.CLOSE_UNDRAWN
        | deck.talon << layout.FULL_TALON_SHIFT
        | (deck.lowest_rank << layout.LOWEST_TRUMP_SHIFT)
        | rules.close_min_talon << layout.CLOSE_MIN_SHIFT
        | rules.exchange_min_talon << layout.EXCHANGE_MIN_SHIFT
    )


def to_kernel(hand: int, trump: int) -> int:
    """Move the trump suit of a hand to suit 0 by swapping it with spades."""
    if trump == 0:
        return hand
    shift = 6 * trump
    first, trumps = hand & 0x3F, hand >> shift & 0x3F
    return hand & ~(0x3F | 0x3F << shift) | trumps | first << shift


def card_to_kernel(index: int, trump: int) -> int:
    """Return the kernel's number of a card."""
    suit = index // 6
    if suit == trump:
        return index % 6
    return index if suit else 6 * trump + index % 6


def to_row(position: Position) -> list[int]:
    """Return a position as the integers the kernels read.

    Parameters
    ----------
    position : Position
        Unknown cards of the opponent are simply left out of his hand.

    Returns
    -------
    list of int
        ``kernels.workspace.ROW_LENGTH`` numbers, player 0 being ``me``.
    """
    p = position
    row = [0] * layout.ROW_LENGTH
    row[layout.HAND : layout.HAND + 2] = to_kernel(p.me, p.trump), to_kernel(p.opp, p.trump)
    row[layout.TURN] = p.turn
    row[layout.TRUMP_SUIT] = p.trump
    row[layout.LED] = 0 if p.led is None else 1 << card_to_kernel(p.led, p.trump)
    for player in (0, 1):
        row[layout.NEED + player] = TARGET - p.points[player] - p.pending[player]
        row[layout.TAKEN + player] = int(p.has_trick(player))
    row[layout.CLOSER] = -1
    if p.closed:
        row[layout.CLOSER] = p.closed.by
        row[layout.BASE] = win_value(p.closed.points, p.closed.has_trick)
        row[layout.FAIL] = close_penalty(p.closed.has_trick)
    elif p.talon:
        left = len(p.talon)
        row[layout.LEFT] = left
        for place, index in enumerate(p.talon):
            if index is not None:
                row[layout.CARDS_END - left + place] = 1 << card_to_kernel(index, p.trump)
        row[layout.EXCHANGED] = int(p.talon[-1] == p.rules.deck.lowest(p.trump))
    return row


def rows_array(positions: Iterable[Position]) -> Array:
    """Return positions as an array of shape (n, ROW_LENGTH)."""
    import numpy as np

    rows = [to_row(position) for position in positions]
    return np.array(rows, dtype=np.int64).reshape(len(rows), layout.ROW_LENGTH)


@lru_cache(maxsize=4 * 256)
def move_of(code: int, trump: int) -> Move:
    """Return the move that an integer of the kernels stands for."""
    if code == layout.DRAW:
        return DRAW
    index = card_to_kernel(code & 31, trump)  # swapping suits twice changes nothing
    bonus = (40 if code & 31 < 6 else 20) if code & layout.MARRIAGE_BIT else 0
    return Move(index, bonus, bool(code & layout.EXCHANGE_BIT), bool(code & layout.CLOSE_BIT))


def move_codes(moves: Sequence[Move], trump: int) -> Array:
    """Return moves as the integers the kernels read."""
    import numpy as np

    return np.array(
        [
            card_to_kernel(move.card, trump)
            | (layout.MARRIAGE_BIT if move.marriage else 0)
            | (layout.EXCHANGE_BIT if move.exchange else 0)
            | (layout.CLOSE_BIT if move.close else 0)
            for move in moves
        ],
        dtype=np.int64,
    )
