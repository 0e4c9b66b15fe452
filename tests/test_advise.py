"""Advice: every world counted once, every number compared with solving the worlds one by one."""

from __future__ import annotations

from math import comb, factorial

import pytest

from bummerl import Position, RecordError, advise, close, solve
from bummerl.advice_results import OUTCOMES
from bummerl.cards import parse_card
from bummerl.deals import iterate_positions
from bummerl.engine import rows_array
from bummerl.match import match_chance
from bummerl.reading import lead_weights
from bummerl.rules import Rules
from bummerl.worlds import Worlds, hide
from tests.conftest import RULE_SETS

# From the published facts: the face-up jack, one card face down.
DISCARD = "trump=SJ me=ST,HAT,DKJ unseen=SAQ,HQJ,CK led=CA points=15:32 talon=2"
HEARTS = "trump=SJ me=STQ,HAKJ unseen=SAK,HTQ,DA led=DQ points=15:31 talon=2"


def hidden(count: int, seed: int, tricks: int, rules: Rules = Rules(), mid_trick: bool = False) -> list[Position]:
    """Return what the player on turn sees of random positions."""
    found = []
    for position in iterate_positions(20 * count, seed, rules, tricks, mid_trick):
        if len(found) < count and not (position.closed and position.gone is None):
            found.append(hide(position))
    return found


def by_hand(position: Position) -> dict:
    """Solve every world and average the values of every move."""
    worlds = Worlds(position)
    values: dict = {}
    for number in range(len(worlds)):
        for found in solve(worlds[number], line=False).moves:
            values.setdefault(found.move, []).append(found.value)
    return values


def test_published_positions():
    advice = advise(Position.parse(DISCARD))
    found = {str(m.move): m for m in advice.moves}
    assert found["DJ"].outcomes == {**dict.fromkeys(OUTCOMES, 0.0), 1: 1.0}
    assert found["ST"].expected == 0
    assert found["ST"].outcomes == {**dict.fromkeys(OUTCOMES, 0.0), -1: 0.6, 1: 0.2, 2: 0.2}
    assert (str(advice.best), advice.exact, advice.worlds, advice.margin) == ("DJ", True, 5, 1.0)
    advice = advise(Position.parse(HEARTS))
    assert (str(advice.best), advice.moves[0].expected, advice.moves[0].worst) == ("HJ", 1, 1)


@pytest.mark.parametrize(("tricks", "count"), [(3, 336), (4, 6), (2, 30_240), (5, 1)])
def test_every_world_is_counted_once(tricks, count):
    position = next(p for p in hidden(30, 3, tricks) if not p.closed)
    worlds = Worlds(position)
    unknown = position.opp_size - position.opp.bit_count()
    down = sum(card is None for card in position.talon or ())
    assert len(worlds) == comb(unknown + down, down) * factorial(down) == count
    numbers = range(len(worlds)) if count < 1000 else worlds.numbers(300, 5)
    seen = {str(worlds[number]) for number in numbers}
    assert (worlds.rows(numbers) == rows_array(worlds[number] for number in numbers)).all()
    assert len(seen) == len(numbers)
    for text in list(seen)[:100]:
        world = Position.parse(text)
        assert world.is_complete
        if world.talon_left:
            assert hide(world) == position


def test_an_announced_marriage_pins_its_partner():
    position = Position.parse("trump=DJ me=SA,HT,DAK,CQ unseen=ST,HQJ,DTQ,CAT led=HK announced=20 points=13:33 talon=4")
    worlds = Worlds(position)
    assert len(worlds) == comb(6, 3) * 6
    assert all(worlds[number].opp >> parse_card("HQ") & 1 for number in range(len(worlds)))


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_open_card_averages_are_those_of_the_worlds(rules):
    for tricks, mid_trick in ((4, False), (4, True), (3, True), (3, False)):
        for position in hidden(3, 11, tricks, rules, mid_trick):
            if position.closed:
                continue
            wanted = by_hand(position)
            advice = advise(position, model="plan")
            assert advice.exact
            assert {m.move for m in advice.moves} == set(wanted)
            for found in advice.moves:
                if found.basis == "open cards":
                    values = wanted[found.move]
                    assert found.expected == pytest.approx(sum(values) / len(values))
                    assert found.outcomes == pytest.approx({v: values.count(v) / len(values) for v in OUTCOMES})
                    assert (found.stderr, found.upper) == (0, found.expected)
                    assert found.worst == min(values)
                else:
                    assert found.move.close
            expected = [m.expected for m in advice.moves]
            assert expected == sorted(expected, reverse=True)


def postponed_by_hand(position: Position, weights: list[float]) -> dict:
    """Solve every world, and at the next turn choose one move for all worlds in which the same was seen."""
    worlds = Worlds(position)
    found = {}
    for move in position.legal_moves():
        seen: dict = {}
        for number in range(len(worlds)):
            here = worlds[number].play(move)
            shown = []
            while here.outcome is None and here.turn:
                reply = solve(here, line=False).moves[0].move
                shown.append(str(reply))
                here = here.play(reply)
            if here.outcome is None:
                key: tuple = (here.me, *shown)
                values = {m.move: m.value for m in solve(here, line=False).moves}
            else:
                key, values = (number,), {None: here.outcome}
            seen.setdefault(key, []).append((weights[number], values))
        total = 0.0
        for alike in seen.values():
            total += max(sum(weight * values[m] for weight, values in alike) for m in alike[0][1])
        found[move] = total / sum(weights)
    return found


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_postponed_choices_are_the_same_wherever_the_same_was_seen(rules):
    for mid_trick in (False, True):
        position = next(p for p in hidden(20, 21, 3, rules, mid_trick) if not p.closed)
        worlds = Worlds(position)
        for weighed in (False, True):
            hands = lead_weights(position, worlds.hands) if weighed else [1.0] * len(worlds.hands)
            wanted = postponed_by_hand(position, [hands[worlds.hand_of(n)] for n in range(len(worlds))])
            plain = {m.move: m for m in advise(position, model="plan", weighed=weighed).moves}
            for found in advise(position, weighed=weighed).moves:
                if found.move.close:
                    assert found == plain[found.move]
                    continue
                assert found.basis == "postponed"
                assert found.expected == pytest.approx(wanted[found.move])
                assert found.upper == pytest.approx(plain[found.move].expected)
                assert found.expected <= found.upper + 1e-9


def test_not_seeing_costs_something():
    costs = [m.upper - m.expected for p in hidden(12, 21, 3) for m in advise(p).moves if m.basis == "postponed"]
    assert min(costs) > -1e-9
    assert sum(cost > 1e-9 for cost in costs) > len(costs) / 10


def test_the_open_model_closes_with_open_cards():
    position = next(p for p in hidden(60, 23, 4) if p.may_close and len(Worlds(p)) > 1)
    wanted = by_hand(position)
    for found in advise(position, model="open").moves:
        assert found.basis == "open cards"
        assert found.expected == pytest.approx(sum(wanted[found.move]) / len(wanted[found.move]))
    closed = next(p for p in hidden(60, 23, 4) if p.closed and len(Worlds(p)) > 1)
    assert {m.basis for m in advise(closed, model="open").moves} == {"open cards"}
    assert {m.basis for m in advise(closed).moves} == {"plan"}


def test_the_score_can_ask_for_another_action():
    # Closing is worth more, and loses two when it fails.
    position = next(p for p in hidden(400, 29, 4) if p.may_close and differs(p.changed(score=(1, 2))))
    advice = advise(position.changed(score=(1, 2)))
    match = {m.move: m.match for m in advice.moves}
    assert match[advice.best_for_match] == max(match.values()) > match[advice.best]
    for move in advice.moves:
        assert move.match == pytest.approx(
            sum(share * (1 if v > 0 else match_chance(1, 2 + v)) for v, share in move.outcomes.items() if share)
        )


def differs(position: Position) -> bool:
    advice = advise(position)
    return advice.best_for_match != advice.best


def test_closing_and_closed_are_worth_their_plan():
    seen = 0
    for position in hidden(60, 13, 3, Rules.parse("sharp+closed_count=end")) + hidden(40, 14, 4, mid_trick=True):
        advice = advise(position)
        planned = [m for m in advice.moves if m.basis == "plan"]
        if not planned:
            continue
        seen += 1
        assert bool(position.closed) == (len(planned) == len(advice.moves))
        plans = {first.move: first for first in close(position).moves}
        for found in planned:
            assert found.expected == plans[found.move].plan.expected
            assert found.upper == plans[found.move].open_cards.expected
            assert found.win == pytest.approx(plans[found.move].plan.probability)
            assert sum(found.outcomes.values()) == pytest.approx(1)
            assert sum(value * share for value, share in found.outcomes.items()) == pytest.approx(found.expected)
            assert min(found.outcomes.values()) >= 0
    assert seen > 10


def test_samples_are_reproducible_and_near_the_truth():
    position = next(p for p in hidden(30, 17, 3) if not p.closed and len(p.legal_moves()) > 4)
    truth = {m.move: m for m in advise(position, model="plan").moves}
    far = 0
    for seed in range(1, 16):
        sample = advise(position, model="plan", max_worlds=100, seed=seed)
        assert sample == advise(position, model="plan", max_worlds=100, seed=seed, workers=3)
        assert (sample.looked_at, sample.worlds, sample.exact) == (100, 336, False)
        for found in sample.moves:
            if found.basis == "open cards":
                off = abs(found.expected - truth[found.move].expected)
                far += off > 2 * found.stderr + 1e-9
                assert off <= 4.5 * found.stderr + 1e-9
    # One in twenty is further away than two standard errors.
    assert far <= 15
    assert advise(position, max_worlds=100, seed=1) != advise(position, max_worlds=100, seed=2)
    small, large = (Worlds(position).numbers(size, 4) for size in (50, 200))
    assert large[:50] == small
    assert len(set(large)) == 200


def test_a_sample_ends_when_the_best_action_is_clear():
    easy = Position.parse("trump=DJ me=SA,HT,DAT,CA talon=10")
    stopped = advise(easy, max_worlds=5000)
    assert 100 <= stopped.looked_at < 5000
    assert stopped.margin > 3 * stopped.margin_stderr


def test_out_of_time():
    advice = advise(Position.parse("trump=DJ me=SAT,HT,DA,CA"), seconds=0, max_worlds=100_000)
    assert advice.looked_at == 100
    assert len(advice.moves) == 10


def test_one_world_left():
    position = next(p for p in hidden(30, 3, 5) if p.is_complete and not p.closed)
    advice = advise(position)
    assert advice.worlds == 1
    assert advice.moves[0].expected == solve(position).value


def test_what_cannot_be_advised():
    complete = Position.parse("trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20")
    with pytest.raises(RecordError, match="opponent is on turn"):
        advise(complete.swapped())
    over = complete
    for move in solve(complete).line:
        over = over.play(move)
    with pytest.raises(RecordError, match="the deal is over"):
        advise(over)
    with pytest.raises(ValueError, match="model is open, plan, postponed, not 'best'"):
        advise(Position.parse(DISCARD), model="best")
    with pytest.raises(ValueError, match="max_worlds"):
        advise(Position.parse(DISCARD), max_worlds=0)
    with pytest.raises(TypeError, match="expected a Position"):
        advise(DISCARD)
    with pytest.raises(IndexError):
        Worlds(Position.parse(DISCARD))[5]
