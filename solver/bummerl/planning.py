"""Certified plans: how many of the possible hands one way of playing beats, for each first move.

The kernels answer "can a plan lose at most so much?". Here the budget is raised until they say yes, for all first
moves side by side, so that each move has an interval that is certain at every moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bummerl.cards import JACK, card
from bummerl.engine import Workspace, card_to_kernel, to_kernel
from bummerl.kernels import cache
from bummerl.kernels import plan_layout as layout
from bummerl.kernels.workspace import FEATURES, USE_PLAN_BOUNDS
from bummerl.moves import Move
from bummerl.position import TARGET, Position
from bummerl.worlds import announced_partner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int64]
    Flags = NDArray[np.bool_]

MEMORY = 1 << 23  # words of eight bytes, for each thread that looks for plans
# Work on first moves that are not the best; a tenth of a second or so.
SIDE_WORK = 100_000_000
_NO_LIMIT = 1 << 60
# A front of a few entries is enough to find a good plan, though not to prove that it is the best.
_FEW = 16
# While it loses less than this part of all hands, looking for a better plan first does not pay.
_SMALL_PART = 60
_START = 5
_GROWTH = 1.5
_FIRST_LINES = 1 << 12


@dataclass(slots=True)
class Opening:
    """A first move of the planner, and what is known of the plans that begin with it.

    Attributes
    ----------
    move : Move
        The first move.
    values : int8 array
        What it is worth with open cards, in the order of the hands.
    beaten : bool array
        The hands it then beats.
    weight : int
        What these weigh together.
    least, most : int
        No plan loses less than `least` of them; `lost` is what one plan loses, and weighs `most`.
    lost : bool array
        Hands of `beaten` that this plan does not beat.
    exhausted : bool
        The memory was too small to go on.
    work : int
        Words of sets compared so far: time, but the same on every machine.
    """

    move: Move
    mine: int
    led: int
    score: int
    values: NDArray[np.int8]
    beaten: Flags
    weight: int
    least: int
    most: int
    lost: Flags
    exhausted: bool = False
    work: int = 0
    budget: int = 0
    searched_widely: bool = False

    @property
    def exact(self) -> bool:
        """Say whether no plan can be better than the one found."""
        return self.least >= self.most

    @property
    def upper(self) -> int:
        """The weight of hands that no plan can exceed."""
        return self.weight - self.least


@dataclass(slots=True)
class Writing:
    """A plan written down.

    Attributes
    ----------
    lines : int64 array, shape (n, 7)
        See `kernels.plan_layout`.
    lost, second, third : bool array
        The hands that beat the plan; for a closer also those that do not give 2, and 3, game points, for the
        other side those that cost 2, and 3.
    """

    lines: Array
    lost: Flags
    second: Flags
    third: Flags


class PlanSearch:
    """The search for plans in one position, for the player on turn.

    Parameters
    ----------
    workspace : Workspace
        Of this thread.
    position : Position
        ``me`` on turn; an open talon counts as closed by ``me``.
    count : int
        How many hands the opponent can hold.
    weights : int64 array, optional
        Weights of the hands in the order of the kernels; 1 each by default.
    """

    def __init__(self, workspace: Workspace, position: Position, count: int, weights: Array | None = None) -> None:
        self.workspace = workspace
        self.position = position
        self.count = count
        self.weights = weights
        self.openings: list[Opening] = []
        p = position
        partner = announced_partner(p)
        missing = p.opp_size - (p.opp | partner).bit_count()
        self._fixed = to_kernel(p.opp | partner, p.trump)
        self._unknown = to_kernel(p.unseen & ~partner, p.trump) if missing else 0
        self._memory = memory = workspace.plan_memory(MEMORY)
        memory[: layout.HEADER] = 0
        memory[layout.LIMIT] = len(memory)
        self._is_closer = p.closed is None or p.closed.by == 0
        memory[layout.IS_CLOSER] = self._is_closer
        memory[layout.PLAIN] = not workspace.array[FEATURES] & USE_PLAN_BOUNDS
        self._kernels.lay_out(memory, self._unknown.bit_count(), missing)
        if int(memory[layout.SIZE]) != count:
            raise AssertionError(f"{count} hands, but {int(memory[layout.SIZE])} sets of cards")
        self._words = words = int(memory[layout.WORDS])
        root = int(memory[layout.TOP])
        memory[layout.ROOT] = root
        # The sets of the question, of a result, and the weights.
        top = root + 5 * words
        if weights is not None:
            memory[top : top + 64 * words] = 0
            memory[top : top + count] = weights
            top += 64 * words
        memory[layout.TOP] = top

    @property
    def _kernels(self) -> Any:
        return cache.load("plan")

    @property
    def nodes(self) -> int:
        """Positions explored."""
        return int(self._memory[layout.NODES])

    def add(self, move: Move, values: NDArray[np.int8]) -> None:
        """Enter a first move and what it is worth with open cards.

        Parameters
        ----------
        move : Move
            A legal one.
        values : int8 array
            Game points, in the order of the hands.
        """
        p = self.position
        hand = p.me
        if move.exchange and p.face_up is not None:
            hand = hand & ~(1 << card(p.trump, JACK)) | 1 << p.face_up
        played = 1 << card_to_kernel(move.card, p.trump)
        mine = to_kernel(hand, p.trump) & ~played
        flags = (
            (layout.MINE_LEADS if p.led is None else 0)
            | (layout.MINE_TAKEN if p.has_trick(0) else 0)
            | (layout.HIS_TAKEN if p.has_trick(1) else 0)
        )
        need = [max(TARGET - p.points[i] - p.pending[i], 1) for i in (0, 1)]
        score = need[0] | need[1] << 8 | flags << 16
        if p.led is None:
            led = played
            if p.has_trick(0) and move.marriage >= need[0]:
                score = layout.WON
            elif move.marriage:
                score = int(self._kernels.announce(score, move.marriage))
        else:
            score = int(self._kernels.after_trick(score, 1 << card_to_kernel(p.led, p.trump), played))
            led = 0
            if not mine and score > 0:
                score = layout.LOST if self._is_closer else layout.WON
        beaten = values > 0
        weight = self._weigh(beaten)
        self.openings.append(Opening(move, mine, led, score, values, beaten, weight, 0, weight, beaten.copy()))

    def run(self, most_work: int = _NO_LIMIT) -> None:
        """Search until the best plan is exact, the workspace is told to stop, or memory or work runs out.

        First moves that are certainly not the best are searched too, but only with `SIDE_WORK`.

        Parameters
        ----------
        most_work : int
            Work for each first move.
        """
        aside = min(SIDE_WORK, most_work)
        for opening in sorted(self.openings, key=lambda o: -o.weight):
            if opening.most:
                self._ask(opening, opening.most, 1)
        while not self.workspace.stopped:
            best = max(o.weight - o.most for o in self.openings)
            pending = [
                o
                for o in self.openings
                if not (o.exact or o.exhausted) and o.work < (most_work if o.upper > best else aside)
            ]
            if not pending:
                break
            # The move that may still be the best comes first.
            opening = max(pending, key=lambda o: (o.upper, -o.most))
            if opening.upper <= best:
                self._narrow(opening, opening.most - 1, aside)
            else:
                # Either a better plan than its own, or one that makes it the best.
                self._narrow(opening, min(opening.most, opening.weight - best) - 1, most_work)

    def _narrow(self, opening: Opening, goal: int, most_work: int) -> None:
        """Take one step towards knowing whether a plan loses at most so much.

        Smaller budgets come first: they cost little, and often find a plan.
        """
        budget = max(opening.least, int(opening.budget * _GROWTH), goal // _START)
        if not opening.searched_widely and budget * _SMALL_PART > self._weigh(None):
            opening.searched_widely = True
            self._ask(opening, goal, _FEW, most_work)
            return
        opening.budget = budget = min(budget, goal)
        self._ask(opening, budget, _NO_LIMIT, most_work)

    def _ask(self, opening: Opening, budget: int, capacity: int, most_work: int = _NO_LIMIT) -> None:
        """Ask for a plan within a budget, and enter the answer."""
        memory, words = self._memory, self._words
        root = int(memory[layout.ROOT])
        top = int(memory[layout.TOP])
        memory[root : root + words] = self._pack(opening.beaten)
        memory[root + words : root + 2 * words] = 0
        memory[layout.CAPACITY] = capacity
        memory[layout.TRUNCATED] = 0
        memory[layout.FULL] = 0
        memory[layout.EXCESS] = layout.EVERYTHING
        memory[layout.WORK] = opening.work
        memory[layout.MOST_WORK] = most_work
        weights = root + 5 * words if self.weights is not None else 0
        if opening.score < 0:
            number = 1  # the move has ended the deal
            memory[top : top + layout.ENTRY + words] = 0
        else:
            number = self._kernels.explore(
                memory,
                self.workspace.array,
                0,
                opening.mine,
                self._fixed,
                self._unknown,
                opening.led,
                opening.score,
                root,
                root + words,
                weights,
                budget,
            )
        memory[layout.TOP] = top
        opening.work = int(memory[layout.WORK])
        if memory[layout.FULL]:
            opening.exhausted = not self.workspace.stopped and opening.work <= most_work
            return
        if number == 0:
            if not memory[layout.TRUNCATED]:
                opening.least = max(opening.least, budget + int(memory[layout.EXCESS]))
            return
        length = layout.ENTRY + words
        front = memory[top : top + number * length].reshape(number, length)
        best = front[front[:, 0].argmin()]
        opening.most = int(best[0])
        opening.lost = self._unpack(best[layout.ENTRY :])
        if not memory[layout.TRUNCATED]:
            opening.least = opening.most

    def write(self, opening: Opening) -> Writing:
        """Write the plan of a first move down, from the opponent's answer on."""
        import numpy as np

        memory, words = self._memory, self._words
        root = int(memory[layout.ROOT])
        top = int(memory[layout.TOP])
        targets = opening.beaten & ~opening.lost
        every = np.ones(self.count, dtype=bool)
        if opening.score < 0:
            # The first move ends the deal.
            values = opening.values
            bounds = [values < 2, values < 3] if self._is_closer else [values <= -2, values <= -3]
            return Writing(np.zeros((0, layout.LINE), dtype=np.int64), values < 0, *bounds)
        size = _FIRST_LINES
        while True:
            lines = np.zeros(1 + size * layout.LINE, dtype=np.int64)
            memory[root : root + words] = self._pack(targets)
            memory[root + words : root + 2 * words] = self._pack(every & ~targets)
            memory[layout.CAPACITY] = 1
            memory[layout.FULL] = 0
            memory[layout.MOST_WORK] = _NO_LIMIT
            cache.load("plan_tree").write_plan(
                memory,
                self.workspace.array,
                lines,
                0,
                opening.mine,
                self._fixed,
                self._unknown,
                opening.led,
                opening.score,
                root,
                root + words,
                root + 2 * words,
                -1,
            )
            memory[layout.TOP] = top
            if not memory[layout.FULL]:
                break
            if self.workspace.stopped:
                raise InterruptedError("the search was stopped")
            if lines[0] < size:
                raise AssertionError("the hands of a plan cannot all be beaten")
            size *= 4
        sets = memory[root + 2 * words : root + 5 * words].reshape(3, words)
        used = lines[1 : 1 + int(lines[0]) * layout.LINE].reshape(-1, layout.LINE)
        lost, second, third = (self._unpack(row) for row in sets)
        opening.lost = opening.beaten & lost
        opening.most = self._weigh(opening.lost)
        return Writing(used.copy(), lost, second, third)

    def _weigh(self, hands: Flags | None) -> int:
        """Return what some hands, or all, weigh together."""
        if self.weights is None:
            return self.count if hands is None else int(hands.sum())
        return int(self.weights.sum() if hands is None else self.weights[hands].sum())

    def _pack(self, hands: Flags) -> Array:
        """Return a set of hands as the kernels read it."""
        import numpy as np

        packed = np.zeros(8 * self._words, dtype=np.uint8)
        bits = np.packbits(hands, bitorder="little")
        packed[: len(bits)] = bits
        return packed.view(np.dtype("<i8")).astype(np.int64)

    def _unpack(self, words: Array) -> Flags:
        """Return a set of the kernels as flags, one for each hand."""
        import numpy as np

        raw = np.ascontiguousarray(words).astype(np.dtype("<i8")).view(np.uint8)
        return np.unpackbits(raw, count=self.count, bitorder="little").astype(bool)
