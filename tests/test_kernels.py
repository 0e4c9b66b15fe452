"""The kernels against the oracle: every rule set, every phase, in the middle of tricks too."""

import random
from itertools import pairwise

import numpy as np
import pytest

from bummerl.cards import points_of
from bummerl.deals import random_position
from bummerl.engine import FEATURES, Settings, Workspace, kernels, move_codes, rows_array
from bummerl.errors import RecordError
from bummerl.position import Position
from bummerl.solve import solve, solve_many, solve_value
from tests import naive
from tests.conftest import RULE_SETS, sample, shuffled_suits, to_state

LATE = sample(1400, seed=21, tricks=(5, 6, 7, 8, 9))
MIDDLE = sample(280, seed=22, tricks=(3, 4))
EARLY = sample(28, seed=23, tricks=(1, 2))
PLAIN = Settings(table_bits=10, features=frozenset())


@pytest.mark.parametrize("positions", [LATE, MIDDLE, EARLY], ids=["late", "middle", "early"])
def test_values_agree_with_the_oracle(positions):
    values, _ = solve_many(positions)
    for position, value in zip(positions, values, strict=True):
        assert naive.value(to_state(position)) == value, position


def test_full_deals_agree_with_the_oracle():
    rng = random.Random(24)
    positions = [random_position(rng, rules) for rules in RULE_SETS[:4]]
    values, _ = solve_many(positions)
    for position, value in zip(positions, values, strict=True):
        assert naive.value(to_state(position)) == value, position


@pytest.mark.parametrize("positions", [LATE[:300], MIDDLE[:140]], ids=["late", "middle"])
def test_every_move_agrees_with_the_oracle(positions):
    for position in positions:
        solution = solve(position)
        expected = naive.move_values(to_state(position))
        assert {str(m.move): m.value for m in solution.moves} == expected, position


def test_the_sample_holds_every_kind_of_position():
    """Guard the tests above: without these kinds they would prove little."""
    everything = LATE + MIDDLE + EARLY
    assert {p.closed.by for p in everything if p.closed} == {0, 1}
    assert any(p.closed and p.closed.points == 0 for p in everything)
    assert any(p.led is not None and p.announced for p in everything)
    assert any(any(p.pending) for p in everything)
    assert {p.rules for p in everything} == set(RULE_SETS)
    assert {p.talon_left for p in everything} >= {0, 2, 4, 6, 8}
    assert {int(v) for v in solve_many(everything)[0]} == {-3, -2, -1, 1, 2, 3}


FEATURE_SETS = (
    [frozenset(FEATURES) - {name} for name in FEATURES] + [frozenset({name}) for name in FEATURES] + [frozenset()]
)


@pytest.mark.parametrize("features", FEATURE_SETS, ids=lambda f: "+".join(sorted(f)) or "none")
def test_every_part_of_the_search_can_be_switched_off(features):
    positions = LATE[:700] + MIDDLE[:70]
    wanted, _ = solve_many(positions)
    found, _ = solve_many(positions, Settings(features=features))
    assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("bits", [1, 4, 18])
def test_the_size_of_the_table_changes_nothing(bits):
    positions = LATE[:300] + MIDDLE + EARLY
    assert solve_many(positions, Settings(table_bits=bits))[0].tolist() == solve_many(positions)[0].tolist()


def test_each_part_saves_nodes():
    """Guard the switches: a feature that changes no node count is not switched at all."""
    positions = MIDDLE + EARLY
    total = int(solve_many(positions)[1].sum())
    for name in sorted(set(FEATURES) - {"plan_bounds"}):
        fewer = frozenset(FEATURES) - {name}
        assert int(solve_many(positions, Settings(features=fewer))[1].sum()) > total, name


def test_order_and_company_change_neither_values_nor_nodes():
    positions = MIDDLE + LATE[:200]
    values, nodes = solve_many(positions)
    back_values, back_nodes = solve_many(positions[::-1])
    assert back_values[::-1].tolist() == values.tolist()
    assert back_nodes[::-1].tolist() == nodes.tolist()
    for i in range(0, len(positions), 50):
        assert solve_value(positions[i]).nodes == nodes[i]


def test_swapping_the_players_mirrors_the_value():
    positions = LATE + MIDDLE
    mirrored, _ = solve_many([p.swapped() for p in positions])
    assert (-mirrored).tolist() == solve_many(positions)[0].tolist()


def test_renaming_suits_changes_nothing():
    rng = random.Random(25)
    positions = LATE + MIDDLE
    renamed = [shuffled_suits(p, tuple(rng.sample(range(4), 4))) for p in positions]
    assert solve_many(renamed)[0].tolist() == solve_many(positions)[0].tolist()


def test_the_best_moves_keep_the_value_and_the_others_do_not():
    for position in MIDDLE[:100] + LATE[:200]:
        solution = solve(position)
        for found in solution.moves:
            after = position.play(found.move)
            value = after.outcome if after.outcome is not None else solve_value(after).value
            assert value == found.value
        sign = -1 if position.turn else 1
        assert sign * solution.value == max(sign * m.value for m in solution.moves)


@pytest.mark.parametrize("positions", [LATE[:300], MIDDLE, EARLY], ids=["late", "middle", "early"])
def test_the_line_is_a_legal_game_that_keeps_the_value(positions):
    for position in positions:
        solution = solve(position)
        here = position
        for number, move in enumerate(solution.line):
            here = here.play(move)
            if here.outcome is None and number % 5 == 0:
                assert solve_value(here).value == solution.value
        assert here.outcome == solution.value
        assert solution.tricks[-1].points == here.points
        assert solution.line[0] == solution.best[0]


@pytest.mark.parametrize("positions", [LATE[:300], MIDDLE, EARLY], ids=["late", "middle", "early"])
def test_every_move_and_every_trick_is_told_as_position_plays_it(positions):
    """The moves and the line come from a kernel, which has its own idea of what is legal and who has what."""
    for position in positions:
        solution = solve(position)
        legal = position.legal_moves()
        assert len(solution.moves) == len(legal)
        assert {found.move for found in solution.moves} == set(legal)
        sign = -1 if position.turn else 1
        values = [sign * found.value for found in solution.moves]
        assert values == sorted(values, reverse=True)
        alone = solve(position, line=False)
        assert (alone.moves, alone.nodes, alone.line, alone.tricks) == (solution.moves, solution.nodes, (), ())
        here, told = position, iter(solution.tricks)
        lead, leader, led = None, 1 - position.turn, position.led
        for move in solution.line:
            turn, reply = here.turn, here.led is not None
            after = here.play(move)
            if not reply:
                lead, leader, led = move, turn, move.card
            if reply or after.outcome is not None:
                trick = next(told)
                assert (trick.leader, trick.lead, trick.led, trick.points) == (leader, lead, led, after.points)
                assert trick.reply == (move if reply else None)
                winner = leader if not reply else after.turn if after.outcome is None else None
                assert winner is None or trick.winner == winner
            here = after
        assert next(told, None) is None


def test_equal_moves_stand_in_a_players_order():
    """Announce; no needless exchange or close; the winner shows high cards, the loser low ones, trumps last."""

    def place(move, trump, winning):
        shown = points_of(move.card) - (6 if move.card // 6 == trump else 0)
        return (-move.marriage, move.close, move.exchange, -shown if winning else shown)

    seen = set()
    for position in EARLY + MIDDLE[:60]:
        solution = solve(position, line=False)
        winning = (-solution.value if position.turn else solution.value) > 0
        for first, second in pairwise(solution.moves):
            if first.value == second.value:
                order = [place(found.move, position.trump, winning) for found in (first, second)]
                assert order == sorted(order)
                seen.add(next((k for k in range(4) if order[0][k] != order[1][k]), 4))
    assert seen >= {0, 1, 2, 3}


def test_more_points_never_hurt():
    """The answers are stored for ranges of scores, which is right only if values grow with points."""
    rng = random.Random(26)
    for position in LATE[:400]:
        mine, theirs = position.points
        if not mine or mine > 60 or position.closed:
            continue
        better = [Position(**{**fields(position), "points": (min(mine + rng.randint(1, 5), 65), theirs)})]
        assert solve_value(better[0]).value >= solve_value(position).value


def fields(position: Position) -> dict:
    return {name: getattr(position, name) for name in Position.__slots__}


def test_a_stopped_search_says_so_and_leaves_no_trace():
    rows = rows_array(EARLY)
    workspace = Workspace()
    workspace.use(EARLY[0].rules)
    values, nodes = np.zeros(len(rows), np.int8), np.zeros(len(rows), np.int64)
    workspace.stopped = True
    assert kernels().values(workspace.array, rows, values, nodes) < len(rows)
    workspace.stopped = False
    positions = [p for p in EARLY if p.rules == EARLY[0].rules]
    rows = rows_array(positions)
    assert kernels().values(workspace.array, rows, values[: len(rows)], nodes[: len(rows)]) == len(rows)
    assert values[: len(rows)].tolist() == solve_many(positions)[0].tolist()


def test_plain_search_on_whole_deals():
    """No table, no bounds, no order: only from the fourth trick on, or it takes minutes."""
    positions = sample(40, seed=27, tricks=(3,))
    assert solve_many(positions, PLAIN)[0].tolist() == solve_many(positions)[0].tolist()


def test_moves_have_the_codes_the_kernels_read():
    position = Position.parse("trump=DQ me=SA,HT,DAKJ talon=10")
    codes = move_codes(position.legal_moves(), position.trump)
    assert len(set(codes.tolist())) == len(codes)


def test_what_is_no_position_is_refused_with_a_reason():
    with pytest.raises(TypeError, match=r"Position\.parse"):
        solve("trump=C me=STJ")
    hidden = Position.parse("trump=DJ me=SAT,HT,DA,CA")
    with pytest.raises(RecordError, match=r"positions\[1\]"):
        solve_many([LATE[0], hidden])
