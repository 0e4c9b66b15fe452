"""Certified plans: against all strategies on small positions, and carried out on larger ones."""

import random
from functools import lru_cache

import pytest

from bummerl.close import close
from bummerl.deals import random_position
from bummerl.position import Position
from bummerl.worlds import hide, opponent_hands
from tests.conftest import RULE_SETS
from tests.strategies import beaten_by, games_of, winnable

PUBLISHED = {
    "trump=HJ me=HTQ,CAQJ unseen=SAT,HA,DK,CTK points=25:14 talon=2": (6, 6, 2.0),
    "trump=SQ me=HQ,DAK,CTK unseen=HT,DTQJ,CQJ points=28:27 talon=2": (6, 6, 2.0),
    "trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2": (5, 6, 0.5),
}


@lru_cache
def some(
    seed: int, count: int, talon: int, cards: int, closer: int | None = None, mid: bool = False
) -> tuple[Position, ...]:
    """Find random hidden positions: `closer` closes at a talon, then random play until ``me`` holds so many cards.

    Without a closer the talon is still open and ``me`` may close it.
    """
    rng = random.Random(seed)
    found: list[Position] = []
    for _ in range(100_000):
        if len(found) == count:
            break
        position = random_position(rng, rng.choice(RULE_SETS), (10 - talon) // 2, False)
        if position.closed or position.outcome is not None or not position.may_close:
            continue
        if closer is not None:
            if position.turn != closer:
                continue
            position = position.play(rng.choice([m for m in position.legal_moves() if m.close]))
            while position.outcome is None and (
                position.turn or (position.led is not None) != mid or position.me.bit_count() > cards
            ):
                position = position.play(rng.choice(position.legal_moves()))
            if position.outcome is not None or position.me.bit_count() != cards:
                continue
        hidden = hide(position)
        if len(opponent_hands(hidden)) > 1:
            found.append(hidden)
    return tuple(found)


def compare(position: Position) -> None:
    """Compare everything `close` says with all ways of playing."""
    games = games_of(position)
    result = close(position)
    assert result.plan.exact
    for first in result.moves:
        best = max(len(won) for won in winnable(games, str(first.move)))
        assert (first.plan.won, first.plan.upper) == (best, best), first.move
    exchanges = result.first_move.exchange
    assert result.plan.won == max(m.plan.won for m in result.moves if m.move.exchange == exchanges)
    carry_out(position)


def carry_out(position: Position) -> None:
    """Play the plan against every hand and every defence: it beats the hands it claims, and no others."""
    result = close(position)
    won = beaten_by(result.tree.to_dict(), games_of(position))
    assert len(won) == result.plan.won
    assert set(result.unbeaten) == set(games_of(position)) - won
    assert result.beatable <= set(result.unbeaten)


SMALL = [
    *some(1, 20, 2, 5),
    *some(2, 20, 2, 4, 0),
    *some(3, 20, 2, 4, 1),
    *some(4, 20, 2, 4, 0, True),
    *some(5, 20, 2, 4, 1, True),
    *some(6, 20, 4, 3, 0),
    *some(7, 20, 4, 3, 1),
    *some(8, 20, 4, 3, 1, True),
    *some(9, 10, 6, 3, 0, True),
    *some(10, 10, 10, 2, 0),
    *some(11, 10, 8, 2, 1, True),
]


@pytest.mark.parametrize("position", SMALL, ids=str)
def test_no_strategy_is_better(position):
    compare(position)


LARGE = [
    *some(21, 12, 4, 5),
    *some(22, 8, 6, 5),
    *some(23, 8, 6, 4, 1),
    *some(24, 6, 8, 4, 0, True),
    *some(25, 3, 8, 5),
    *some(26, 2, 8, 5, 1, True),
    *some(27, 2, 10, 5),
]


@pytest.mark.parametrize("position", LARGE, ids=str)
def test_the_plan_beats_what_it_claims(position):
    carry_out(position)


def test_published_positions():
    for text, (won, hands, expected) in PUBLISHED.items():
        plan = close(Position.parse(text)).plan
        assert (plan.won, plan.hands, plan.expected, plan.exact) == (won, hands, expected, True)
