"""The self-play harness: fair to both players, and what they are shown is all they may know."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.lead_model import _FEATURES, fit
from benchmarks.players import make_player, play_greedily, play_randomly
from benchmarks.selfplay import Tally, play_deal, play_pair

from bummerl import Move, Position, random_positions
from bummerl.cards import JACK, card, cards_in, parse_card, parse_hand
from bummerl.reading import NOT_EXCHANGED, lead_weights, lead_worth
from bummerl.rules import Rules
from bummerl.worlds import Worlds, opponent_hands
from tests.conftest import RULE_SETS


@pytest.mark.parametrize("name", ["greedy", "random", "plan:3"])
def test_a_player_is_as_good_as_himself(name):
    tally = Tally()
    for number in range(3):
        tally.add(play_pair((name, name), number, 5, "soft", match=True))
    assert tally.share == 0.5
    assert tally.margin == 0
    assert sum(tally.points) == 0


def test_greedy_beats_random():
    tally = Tally()
    for number in range(20):
        tally.add(play_pair(("greedy", "random"), number, 1, "sharp", match=False))
    assert tally.share > 0.9
    assert tally.points_a_deal > 0.5
    assert sum(tally.outcomes.values()) > 100


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_what_is_shown_leaves_the_truth_possible_and_hides_the_rest(rules):
    truth: list[Position] = []

    def watched(seen: Position, rng: Random) -> Move:
        position = truth[-1]
        world = position if position.turn == 0 else position.swapped()
        assert (seen.me, seen.points, seen.turn, seen.led) == (world.me, world.points, 0, world.led)
        hands = opponent_hands(seen)
        assert world.opp in hands
        assert seen.opp & ~world.opp == 0
        if seen.talon_left:
            assert None in (seen.talon or ()) or seen.is_complete
            assert len(hands) > 1 or seen.opp == world.opp
        move = (play_randomly if rng.random() < 0.5 else play_greedily)(seen, rng)
        after = position.play(move)
        truth.append(after)
        return move

    for k, deal in enumerate(random_positions(15, seed=31, rules=rules)):
        truth[:] = [deal]
        assert play_deal(deal, (watched, watched), f"{k}") == truth[-1].outcome


def test_a_card_taken_in_an_exchange_is_remembered():
    exchanged = 0
    for deal in random_positions(60, seed=37):
        taken: list[int] = []

        def watched(seen: Position, rng: Random, taken: list[int] = taken) -> Move:
            if (
                taken
                and not seen.is_complete
                and seen.turn == 0
                and seen.led != taken[0]
                and seen.me >> taken[0] & 1 == 0
            ):
                gone = seen.gone or 0
                assert gone >> taken[0] & 1 or seen.opp >> taken[0] & 1
                nonlocal exchanged
                exchanged += 1
            moves = [m for m in seen.legal_moves() if m.exchange] or [m for m in seen.legal_moves() if not m.close]
            if moves[0].exchange and seen.face_up is not None:
                taken.append(seen.face_up)
            return moves[0]

        play_deal(deal, (watched, watched), "1")
    assert exchanged > 5


def test_names_of_players():
    assert make_player("open:10") is not make_player("open:10")
    for name in ("", "best", "open", "open:x", "open:10:strong", "random:3"):
        with pytest.raises(ValueError, match="no player is called"):
            make_player(name)


def test_lead_weights_are_the_chances_of_the_model():
    position = Position.parse("trump=DK me=ST,HA,DAQ,CQ unseen=SAK,HTJ,DTJ,CATK led=HQ talon=6 points=7:4")
    hands = opponent_hands(position)
    assert len(hands) == len(Worlds(position).hands)
    weights = dict(zip(hands, lead_weights(position, hands), strict=True))
    plain = parse_hand("SAK,HTJ")
    full = plain | 1 << parse_card("HQ")
    from math import exp

    total = sum(exp(lead_worth(index, position.trump, 0)) for index in cards_in(full))
    assert weights[plain] == pytest.approx(exp(lead_worth(parse_card("HQ"), position.trump, 0)) / total)
    jack = plain & ~(1 << parse_card("HJ")) | 1 << card(position.trump, JACK)
    full = jack | 1 << parse_card("HQ")
    total = sum(exp(lead_worth(index, position.trump, 0)) for index in cards_in(full))
    wanted = NOT_EXCHANGED * exp(lead_worth(parse_card("HQ"), position.trump, 0)) / total
    assert weights[jack] == pytest.approx(wanted)
    late = position.changed(rules=Rules(exchange_min_talon=8))
    assert lead_weights(late, [jack])[0] == pytest.approx(wanted / NOT_EXCHANGED)
    assert lead_weights(position.changed(led=None), hands) == [1.0] * len(hands)


def test_the_fit_finds_the_worths_that_made_the_leads():
    rng = Random(3)
    worth = [rng.uniform(-1, 1) for _ in range(_FEATURES)]
    leads = []
    for _ in range(6000):
        options = [[place] for place in rng.sample(range(10), 4)] + [[rng.randrange(10), rng.choice((10, 11))]]
        chances = [2.718281828 ** sum(worth[i] for i in places) for places in options]
        leads.append((options, rng.choices(range(5), chances)[0]))
    found = fit(leads, rounds=400)
    # Only differences of the first ten matter.
    for i in range(10):
        assert found[i] - found[0] == pytest.approx(worth[i] - worth[0], abs=0.25)
    assert found[10:] == pytest.approx(worth[10:], abs=0.25)
