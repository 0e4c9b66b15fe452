"""What should I play? The worth of every action while cards are hidden."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bummerl.advice_results import OUTCOMES, Advice, MoveAdvice
from bummerl.cards import points_of, suit_of
from bummerl.close import close
from bummerl.engine import DEFAULT, Settings
from bummerl.errors import RecordError
from bummerl.match import chance_after
from bummerl.moves import Move
from bummerl.position import Position
from bummerl.reading import lead_weights
from bummerl.worlds import Worlds

if TYPE_CHECKING:
    from bummerl.world_table import WorldTable

# The weakest first: see benchmarks/README.md.
MODELS = ("open", "plan", "postponed")
# Worlds looked at by default, by talon cards left: about a second on two cores.
_WORLDS = {
    "schnapsen": {10: 1500, 8: 3000, 6: 10_000},
    "sixty-six": {12: 50, 10: 100, 8: 300, 6: 1500, 4: 20_000},
}
_MOST = 1_000_000
# Work for the plan of each first move, a fifth of a second or so: hardly any needs more, but a few need minutes.
_PLAN_WORK = 200_000_000
# With so many talon cards the next choice is the last one made with hidden cards, after which all is seen.
_POSTPONED_TALON = 4


def advise(
    position: Position,
    settings: Settings = DEFAULT,
    *,
    model: str = "postponed",
    weighed: bool = False,
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
    gain, see `close`. With four talon cards left the next choice, too, is made without seeing what is hidden.

    Parameters
    ----------
    position : Position
        Hidden or complete, ``me`` on turn.
    settings : Settings, optional
        Search settings; they change no result.
    model : str
        ``postponed`` as described; ``plan``: with four talon cards left open cards, too; ``open``: open cards
        throughout, also for closing and under a closed talon.
    weighed : bool
        Let the card the opponent has led say which hands are likely, see `reading`. Plans do not use it.
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
    if model not in MODELS:
        raise ValueError(f"model is {', '.join(MODELS)}, not {model!r}")
    if max_worlds is not None and max_worlds < 1:
        raise ValueError(f"max_worlds is 1 or more, not {max_worlds}")
    if workers < 1:
        raise ValueError(f"workers is 1 or more, not {workers}")
    start = time.monotonic()
    worlds = Worlds(position)
    moves = position.legal_moves()
    planned = [] if model == "open" else moves if position.closed else [move for move in moves if move.close]
    others = [move for move in moves if move not in set(planned)]
    looked_at, found = len(worlds), []
    table = None
    if others:
        from bummerl.world_table import world_table

        postponed = model == "postponed" and position.talon_left == _POSTPONED_TALON
        # Half of the time is for plans, if there are any.
        table = world_table(
            worlds,
            others,
            settings,
            most=max_worlds or _WORLDS[position.rules.game].get(position.talon_left, _MOST),
            until=None if seconds is None else start + (seconds / 2 if planned else seconds),
            seed=seed,
            workers=workers,
            postponed=postponed,
            hand_weights=lead_weights(position, worlds.hands) if weighed else None,
            progress=progress,
        )
        looked_at = len(table.values)
        basis = "postponed" if postponed else "open cards"
        for k, move in enumerate(others):
            values, outcomes = table.values[:, k], table.outcomes(k)
            chance = chance_after(position.score, outcomes)
            mean, upper = table.mean(values), table.mean(table.upper[:, k])
            found.append(MoveAdvice(move, mean, table.stderr(values), outcomes, basis, upper, chance))
    if planned:
        found += _planned(position, settings, None if seconds is None else max(start + seconds - time.monotonic(), 0))
    found.sort(key=lambda m: (-round(m.expected, 9), -round(m.upper, 9), *_natural(m.move, position.trump)))
    margin, error = _margin(found, others, table)
    return Advice(position, tuple(found), looked_at, len(worlds), seed, model, weighed, margin, error)


def _natural(move: Move, trump: int) -> tuple[bool, bool, int, int]:
    """Order actions of equal worth: no needless close or exchange, announce, low cards first and trumps last."""
    worth = points_of(move.card) + (20 if suit_of(move.card) == trump else 0)
    return move.close, move.exchange, -move.marriage, worth


def _planned(position: Position, settings: Settings, seconds: float | None) -> list[MoveAdvice]:
    """Value actions under a closed talon by the best plan that begins with them."""
    found = []
    for first in close(position, settings, seconds=seconds, work=_PLAN_WORK).moves:
        plan = first.plan
        outcomes = dict.fromkeys(OUTCOMES, 0.0)
        for value, hands in plan.certain:
            outcomes[value] += hands / plan.hands
        chance = chance_after(position.score, outcomes)
        found.append(MoveAdvice(first.move, plan.expected, 0.0, outcomes, "plan", first.open_cards.expected, chance))
    return found


def _margin(found: Sequence[MoveAdvice], others: list[Move], table: WorldTable | None) -> tuple[float, float]:
    """Return how much the best action is ahead of the next different one, with the standard error of that."""
    best = found[0]
    for move in found[1:]:
        difference = best.expected - move.expected
        if table is not None and best.basis == move.basis != "plan":
            paired = table.values[:, others.index(best.move)] - table.values[:, others.index(move.move)]
            if not paired.any():
                continue
            return difference, table.stderr(paired)
        if difference or move.outcomes != best.outcomes:
            return difference, max(best.stderr, move.stderr)
    return 0.0, 0.0
