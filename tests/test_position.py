import dataclasses
import random

import pytest

from bummerl.deals import random_deal, random_move
from bummerl.moves import Move, MoveError
from bummerl.position import Position
from bummerl.records import parse_line
from tests import naive
from tests.conftest import RULE_SETS, to_state


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_moves_and_play_agree_with_the_oracle_through_whole_deals(rules):
    rng = random.Random(str(rules))
    for _ in range(60):
        position = random_deal(rng, rules)
        while position.outcome is None:
            state = to_state(position)
            assert sorted(map(str, position.legal_moves())) == sorted(naive.moves(state))
            assert parse_line(str(position)).position == position
            assert position.swapped().swapped() == position
            move = random_move(rng, position)
            after = naive.play(state, str(move))
            position = position.play(move)
            if isinstance(after, int):
                assert position.outcome == after
            else:
                assert position.outcome is None
                assert naive.moves(to_state(position)) == naive.moves(after)
                assert to_state(position).points == after.points
                assert to_state(position).pending == after.pending


def test_all_kinds_of_moves_were_met():
    """Guard the test above: random play must exchange, close and announce, pending and counted."""
    rng = random.Random(1)
    seen = set()
    for _ in range(150):
        position = random_deal(rng)
        while position.outcome is None:
            move = random_move(rng, position)
            for name in ("exchange", "close"):
                if getattr(move, name):
                    seen.add(name)
            if move.marriage:
                seen.add("counted" if position.has_trick(position.turn) else "pending")
            position = position.play(move)
        seen.add(position.outcome)
    assert seen >= {"exchange", "close", "counted", "pending", -3, -2, -1, 1, 2, 3}


def test_repr_gives_the_value_back():
    position = Position.parse("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2")
    assert eval(repr(position)) == position
    move = Move.parse("exchange close 40 DK")
    assert eval(repr(move)) == move


@pytest.mark.parametrize(
    "text", ["", "HA HT", "40", "40 DA", "closed DK", "30 DK", "close exchange DK", "40 40 DK", "XX"]
)
def test_what_is_not_a_move(text):
    with pytest.raises(MoveError):
        Move.parse(text)


def test_illegal_moves_are_refused():
    position = Position.parse("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20")
    for text in ("SA", "close ST", "40 CQ", "exchange ST"):
        with pytest.raises(MoveError):
            position.play(text)
    with pytest.raises(MoveError, match="legal are SA, SQ"):
        position.play("SJ").play("CJ")


def test_a_hidden_hand_has_no_moves():
    position = Position.parse("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2")
    with pytest.raises(MoveError):
        position.play("HT").legal_moves()


def perft(position: Position, depth: int) -> int:
    if depth == 0 or position.outcome is not None:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves())


def naive_perft(state, depth: int) -> int:
    if depth == 0 or isinstance(state, int):
        return 1
    return sum(naive_perft(naive.play(state, move), depth - 1) for move in naive.moves(state))


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_move_counts(rules):
    """Count all ways to go on for some plies: a wrong or missing move shows in the total."""
    position = random_deal(random.Random(11), rules)
    assert perft(position, 3) == naive_perft(to_state(position), 3)


def test_changing_a_position_keeps_the_rest():
    position = Position.parse("trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@28")
    assert position.changed(points=(40, 28)) == dataclasses.replace(position, points=(40, 28))
    assert position.changed() == position
    with pytest.raises(TypeError, match="a position has no point"):
        position.changed(point=3)
