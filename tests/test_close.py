"""Closing, counted over all hands, against the oracle hand by hand."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from bummerl.cards import cards_in
from bummerl.close import close, closing_moves
from bummerl.deals import random_position
from bummerl.errors import RecordError
from bummerl.position import Position
from bummerl.worlds import hide, opponent_hands
from tests import naive
from tests.conftest import RULE_SETS, to_state

EXAMPLE = Position.parse("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2")


def plain_counts(position: Position) -> tuple[int, dict[str, list[int]]]:
    """Count as the definition says: every hand, every first move, the oracle's value."""
    unseen = list(cards_in(position.unseen))
    missing = position.opp_size - position.opp.bit_count()
    hands = [position.opp | sum(1 << c for c in chosen) for chosen in combinations(unseen, missing)]
    values: dict[str, list[int]] = {str(move): [] for move in closing_moves(position)}
    for hand in hands:
        talon = [c for c in unseen if not hand >> c & 1]
        known = replace(position, opp=hand)
        if not position.closed and position.talon:
            known = replace(known, talon=(*talon, position.talon[-1]))
        for text, value in naive.move_values(to_state(known)).items():
            if text in values:
                values[text].append(value)
    return len(hands), values


def closable(seed: int, count: int, tricks: tuple[int, ...]) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = hide(random_position(rng, rng.choice(RULE_SETS), rng.choice(tricks), rng.random() < 0.2))
        if position.may_close or position.closed:
            found.append(position)
    return found


@pytest.mark.parametrize("position", closable(31, 40, (4, 4, 4, 5, 6, 7)), ids=str)
def test_counts_agree_with_the_oracle(position):
    hands, values = plain_counts(position)
    result = close(position)
    assert result.hands == hands
    for first in result.moves:
        expected = values[str(first.move)]
        assert first.open_cards.won == sum(v > 0 for v in expected)
        assert first.open_cards.points == sum(expected)
    best = {}
    for exchange in (False, True):
        group = [v for text, v in values.items() if text.startswith("exchange") == exchange]
        if group:
            best[exchange] = [max(row) for row in zip(*group, strict=True)]
    assert result.open_cards.won == max(sum(v > 0 for v in row) for row in best.values())
    for variant in result.variants:
        assert variant.open_cards.won == sum(v > 0 for v in best[variant.exchange])
        assert variant.open_cards.points == sum(best[variant.exchange])


def test_the_example_of_the_manual():
    result = close(EXAMPLE)
    assert (result.hands, result.open_cards.won, result.open_cards.expected) == (6, 5, 0.5)
    assert (result.win, result.lose) == (1, -2)
    assert (result.plan.won, result.plan.exact, result.plan.expected) == (5, True, 0.5)
    assert result.to_dict()["open_cards"]["fraction"] == "5/6"


def test_a_complete_position_has_one_hand():
    complete = Position.parse("trump=DJ me=SA,HT,DAK,CQ opp=HJ,DTQ,CAT talon=CK,DJ points=41:38")
    assert close(complete).hands == 1


def test_first_lead_counts_2002_hands():
    result = close(Position.parse("trump=DJ me=SAT,HT,DA,CA"))
    assert result.hands == 2002
    assert result.win == 3
    assert result.lose == -3


def test_exchanging_first_is_a_variant():
    result = close(Position.parse("trump=DA me=SAT,HT,DTJ"))
    assert [v.exchange for v in result.variants] == [False, True]
    assert result.first_move.exchange
    assert result.open_cards.won == max(v.open_cards.won for v in result.variants)


def test_an_announced_marriage_shows_its_other_card():
    position = Position.parse("trump=SQ me=HA,DAT,CAT led=HQ announced=20 pending=0:20 talon=10")
    hands = opponent_hands(position)
    assert all(hand >> (6 + 3) & 1 for hand in hands)
    assert len(hands) == 220  # three of twelve


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20", "talon"),
        ("trump=HQ me=ST,HAT,DA,CA turn=opp", "turn"),
        ("trump=HQ me=ST,HAT,DA,CA rules=rulebook", "rules"),
        ("trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2 rules=sharp", "rules"),
        ("trump=DJ me=SA,HT,DAK,CQ led=HJ unseen=DTQ,CATK points=41:38 talon=2", "led"),
    ],
)
def test_where_there_is_nothing_to_close(text, key):
    with pytest.raises(RecordError) as caught:
        close(Position.parse(text))
    assert caught.value.key == key
