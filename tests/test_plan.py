"""Certified plans: against all strategies on small positions, and carried out on larger ones."""

import random
from dataclasses import replace
from functools import lru_cache

import pytest

from bummerl.cards import parse_hand
from bummerl.close import close
from bummerl.deals import random_position, random_positions
from bummerl.engine import FEATURES, Settings
from bummerl.moves import Move
from bummerl.plan_tree import pattern
from bummerl.position import Position
from bummerl.rules import Rules
from bummerl.worlds import hide, opponent_hands
from tests import naive
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


SLOW = Position.parse("trump=HK me=HQJ,DT,CQJ talon=10")


@pytest.mark.parametrize("seconds", [0, 0.005, 0.05])
def test_out_of_time_the_interval_holds(seconds):
    hard = Position.parse("trump=SK me=HKQ,DTK,CA talon=4 unseen=SATJ,HTJ,DQJ,CT points=34:0")
    for position in (hard, SLOW):
        result = close(position, seconds=seconds)
        assert 0 <= result.plan.won <= result.plan.upper <= result.open_cards.won
        for first in result.moves:
            assert first.plan.won <= first.plan.upper <= first.open_cards.won
        assert len(result.possible) - len(result.unbeaten) == result.plan.won
        # What the tree does is what is claimed, finished or not.
        assert set(result.tree.root.loses) == set(result.unbeaten)
    exact = close(hard).plan
    assert exact.exact
    short = close(hard, seconds=seconds).plan
    assert short.won <= exact.won <= short.upper
    assert close(hard).plan == exact  # a stop leaves nothing behind


def same(position: Position, settings: Settings) -> None:
    """Compare all numbers of two searches; those for moves that are not the best may be unfinished."""
    usual, other = close(position), close(position, settings)
    assert (usual.plan, usual.open_cards) == (other.plan, other.open_cards)
    theirs = {first.move: first for first in other.moves}
    for first in usual.moves:
        assert first.open_cards == theirs[first.move].open_cards
        plan, plain = first.plan, theirs[first.move].plan
        if plan.exact and plain.exact:
            assert plan == plain
        assert plan.won <= plain.upper
        assert plain.won <= plan.upper


def test_search_settings_change_no_plan():
    for position in [*some(31, 6, 6, 5), *some(32, 2, 8, 5)]:
        same(position, Settings(features=frozenset(FEATURES) - {"plan_bounds"} - {"table"}, table_bits=4))


@pytest.mark.parametrize(
    "position", [*some(33, 40, 6, 5), *some(34, 20, 6, 4, 1, True), *some(35, 10, 8, 4, 0)], ids=str
)
def test_bounds_and_dominance_change_no_plan(position):
    same(position, Settings(features=frozenset(FEATURES) - {"plan_bounds"}))


def test_bounds_save_work():
    def nodes(settings: Settings) -> int:
        return sum(close(position, settings).nodes for position in some(33, 40, 6, 5))

    assert nodes(Settings()) < nodes(Settings(features=frozenset(FEATURES) - {"plan_bounds"}))


def test_replying_with_the_last_card():
    for text, value in (("points=0:62 closed=opp@0", 3), ("points=0:62 closed=me@0", -3)):
        result = close(Position.parse(f"trump=CK me=CJ talon=10 unseen=SAJ,HJ,DATKQJ,CQ led=SK {text}"))
        assert (result.plan.won, result.plan.upper, result.plan.expected) == (int(value > 0), int(value > 0), value)
        assert [r.line for r in result.refutations()] == ([] if value > 0 else [(Move.parse("CJ"),)])
        assert result.tree.root.end == ("won" if value > 0 else "lost")


def test_a_complete_position_is_a_plan_for_one_hand():
    text = "trump=SQ me=HAK,DK,CAJ opp=SJ,HQ,DATQ talon=ST,CK,DJ,SA,HJ,SK,HT,SQ points=13:0"
    result = close(Position.parse(text))
    assert (result.hands, result.plan.won, len(list(result.refutations()))) == (1, 0, 1)


@pytest.mark.parametrize("position", [*some(41, 6, 2, 5), *some(42, 6, 4, 3, 0), *some(43, 6, 4, 3, 1, True)], ids=str)
def test_weights(position):
    games = games_of(position)
    hands = opponent_hands(position)
    weights = random.Random(str(position)).choices([0, 1, 2, 5], k=len(hands))
    weights[0] = 3
    weight = dict(zip(hands, weights, strict=True))
    result = close(position, weights=weights)
    for first in result.moves:
        best = max(sum(weight[hand] for hand in won) for won in winnable(games, str(first.move)))
        assert (first.plan.won, first.plan.upper, first.plan.hands) == (best, best, sum(weights)), first.move
    assert sum(weight[hand] for hand in result.unbeaten) == sum(weights) - result.plan.won
    even = close(position, weights=[1] * len(hands))
    assert even.plan == close(position).plan
    won = beaten_by(result.tree.to_dict(), games)
    assert sum(weight[hand] for hand in won) == result.plan.won


@pytest.mark.parametrize("weights", [[1], [1, 1, 1, 1, 1, -1], [0] * 6, [0.5] * 6, [2**31, 1, 1, 1, 1, 1]])
def test_weights_that_make_no_sense(weights):
    with pytest.raises(ValueError, match="weights"):
        close(Position.parse(next(iter(PUBLISHED))), weights=weights)


def guaranteed(tree: dict, game: naive.State | int) -> int:
    """What a plan is sure to gain against one hand, by the oracle's rules."""
    for move in tree["play"]:
        assert not isinstance(game, int)
        game = naive.play(game, move)
    if tree.get("end") == "hopeless":
        # Whatever is played, he can win; counted at the end, no more than by what the planner has now.
        assert isinstance(game, naive.State)
        assert game.closed is not None
        at_end = game.closed[0] == 1 and game.rules.closed_count == "end"
        return -naive._gain(game.points[0], game.tricks[0] > 0) if at_end else -3
    while isinstance(game, naive.State) and tree.get("end"):
        game = naive.play(game, naive.moves(game)[0])
    if isinstance(game, int):
        return game
    nodes = {card: node for node in tree["then"] for card in node["cards"]}
    return min(guaranteed(nodes[move], naive.play(game, move)) for move in naive.moves(game))


AT_END = Rules.parse("soft+closed_count=end")


@pytest.mark.parametrize(
    "position", [*some(51, 20, 2, 5), *some(52, 10, 4, 3, 0), *some(53, 20, 4, 3, 1, True)], ids=str
)
def test_expected_points_are_certain(position):
    """What the plan gains against each hand at least, added up."""
    for rules in (position.rules, AT_END):
        result = close(replace(position, rules=rules))
        tree = result.tree.to_dict()
        points = [max(guaranteed(tree, game), result.lose) for game in games_of(result.position).values()]
        assert sum(points) == result.plan.points


@pytest.mark.parametrize("position", [*SMALL[::9], *LARGE[::8]], ids=str)
def test_refutations_are_games_that_the_plan_loses(position):
    result = close(position)
    found = list(result.refutations())
    assert [r.hand for r in found] == list(result.unbeaten)
    games = games_of(position)
    tree = result.tree.to_dict()
    for refutation in found:
        game = games[refutation.hand]
        node, planned = tree, list(tree["play"])
        for text in map(str, refutation.line):
            assert isinstance(game, naive.State)
            if game.turn == 0 and planned:
                assert text == planned.pop(0)
            elif node.get("end"):
                assert node["end"] in ("last trick", "hopeless")
            else:
                node = next(n for n in node["then"] if text in n["cards"])
                planned = list(node["play"])
            game = naive.play(game, text)
        assert isinstance(game, int)
        assert game < 0
        assert refutation.beatable == (refutation.hand in result.beatable)


def test_beatable_hands_are_those_won_with_open_cards():
    for position in some(71, 12, 2, 5):
        result = close(position)
        exchanges = result.first_move.exchange
        for hand, game in games_of(position).items():
            assert isinstance(game, naive.State)
            moves = [m for m in naive.moves(game) if "close" in m and m.startswith("exchange") == exchanges]
            after = [naive.play(game, move) for move in moves]
            seen = max(state if isinstance(state, int) else naive.value(state) for state in after)
            assert (seen > 0) == (hand not in result.unbeaten or hand in result.beatable)


def test_laid_open_and_hopeless():
    assert close(Position.parse("trump=SJ me=SAKQ,DTK")).laid_open
    assert close(Position.parse("trump=HJ me=SJ,HT,DJ,CQJ")).hopeless
    usual = close(Position.parse(next(iter(PUBLISHED))))
    assert usual.laid_open
    assert not usual.hopeless


def test_what_hands_have_in_common():
    hands = [parse_hand(text) for text in ("HJ,DQ", "HJ,DT", "DTQ", "HJ,CA")]
    for some_hands in (hands[:1], hands[2:3], hands[:2], hands[1:3], [hands[0], hands[2]]):
        known = pattern(some_hands, hands)
        assert known is not None
        holds, lacks = known
        assert [h for h in hands if h & holds == holds and not h & lacks] == some_hands
        assert (holds | lacks).bit_count() <= 2
    assert pattern(hands[2:3], hands) == (0, parse_hand("HJ"))
    assert pattern(hands[2:], hands) is None
    assert pattern([], hands) is None


def test_a_limit_of_work_ends_the_search_at_the_same_place_everywhere():
    position = hide(next(p for p in random_positions(60, seed=7) if p.may_close and p.turn == 0))
    exact = close(position)
    for work in (0, 10_000, 10**12):
        limited = [close(position, work=work) for _ in range(2)]
        assert limited[0].moves == limited[1].moves
        known = {first.move: first.plan for first in exact.moves}
        for first in limited[0].moves:
            assert first.plan.won <= known[first.move].upper
            assert known[first.move].won <= first.plan.upper
    assert limited[0].moves == exact.moves
    assert any(not first.plan.exact for first in close(position, work=0).moves)
    with pytest.raises(ValueError, match="work is 0 or more"):
        close(position, work=-1)
