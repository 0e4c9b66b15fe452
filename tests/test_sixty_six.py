"""Sixty-Six: the rules by hand, and values against the slow reference."""

from __future__ import annotations

import random

import pytest

from bummerl.cards import hand_of, parse_card
from bummerl.position import Closure, Position
from bummerl.rules import Rules
from bummerl.solve import solve, solve_value
from tests import naive_66

RULES = Rules(game="sixty-six")


def to_position(state: naive_66.State) -> Position:
    """Write a state of the reference as a position."""
    closed = None
    if state.closer >= 0:
        closed = Closure(state.closer, 33 if state.stake == 1 else 0, state.stake == 2)
    talon = tuple(map(parse_card, state.talon))
    return Position(
        me=hand_of(map(parse_card, state.hands[0])),
        opp=hand_of(map(parse_card, state.hands[1])),
        trump="SHDC".index(state.trump),
        face_up=talon[-1] if talon else None,
        talon=None if closed else talon,
        turn=state.turn,
        led=parse_card(state.led) if state.led else None,
        points=state.points,
        tricks=(int(state.trick[0]), int(state.trick[1])),
        pending=state.pending,
        closed=closed,
        rules=RULES,
    )


def differences(count: int, seed: int, tricks: tuple[int, int], close_rate: float = 0.05) -> int:
    """Compare every move's value with the reference in random positions; returns how many were compared."""
    rng = random.Random(seed)
    done = 0
    while done < count:
        state = naive_66.random_position(rng, rng.randint(*tricks), rng.random() < 0.4, close_rate)
        position = to_position(state)
        expected = naive_66.move_values(state)
        found = {str(m.move): m.value for m in solve(position).moves}
        assert found == expected, state
        assert solve_value(position).value == solve(position).value
        done += 1
    return done


@pytest.mark.parametrize(("tricks", "count"), [((8, 11), 300), ((6, 7), 60), ((4, 5), 6)])
def test_every_move_has_the_value_of_the_reference(tricks, count):
    """The reference knows the rules only, and remembers whole positions."""
    assert differences(count, 1, tricks) == count
