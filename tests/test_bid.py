"""What can be bid: counted layouts against brute force, the examples of the rule sources, samples, and texts."""

import itertools
import json
import re
from random import Random

import numpy
import pytest
from click.testing import CliRunner

from bummerl.bid import bid
from bummerl.cards import DECK, SUITS, card_text, cards_in, hand_of, suit_mask
from bummerl.errors import RecordError
from bummerl.games.contracts import CONTRACTS, fits
from bummerl.games.hand import TableHand
from bummerl.games.tricks import strength
from bummerl.layouts import Layouts
from bummerl.naming import name_trump
from bummerl.records import parse_line
from bummerl.table_solve import FEATURES, TableSettings, solve_tables
from bummerl_cli.main import cli
from tests import naive_multi


def hand(text):
    return parse_line(f"game=bauernschnapsen {text}").position


# Hearts are trumps. From the second seat on forehand is known to hold one.
EXAMPLES = [
    ("me=CAKQJ,HA seat=p1", "durchmarsch", 756_756, 756_756),
    ("me=HA,SATQ,DA seat=p1", "durchmarsch", 756_756, 756_756),
    ("me=HAKQ,CQ,DJ seat=p1", "schnapser", 740_056, 756_756),
    ("me=HATJ,SAT seat=p1", "bauernschnapser", 756_756, 756_756),
    ("me=HAKQ,CA,SA seat=p2", "kontraschnapser", 311_836, 432_432),
    ("me=HAT,DAT,SA seat=p2", "durchmarsch", 557_172, 557_172),
    ("me=HATJ,SA,DA seat=p2", "kontrabauernschnapser", 312_784, 432_432),
]


@pytest.mark.parametrize(("text", "contract", "made", "of"), EXAMPLES)
def test_examples(text, contract, made, of):
    (found,) = bid(hand(f"{text} trump=H"), [contract], workers=2).contracts
    assert (found.counted.won, found.counted.of, found.counted.exact) == (made, of, True)
    assert found.laid_open == (made == of)
    assert (found.beaten_by is None) == (made == of)
    if found.beaten_by:
        assert found.beaten_by.value == -found.worth
        assert found.beaten_by.position.hands[found.beaten_by.position.declarer] == hand(f"{text} trump=H").me


@pytest.mark.parametrize("seat", range(4))
def test_layouts_are_all_and_different(seat):
    """Every layout is a deal, none comes twice, and forehand holds a trump in all."""
    rng = Random(seat)
    cards = rng.sample(list(cards_in(DECK)), 5)
    trump = next(s for s in range(4) if seat or any(index // 6 == s for index in cards))
    layouts = Layouts(TableHand(hand_of(cards), seat, trump))
    seen = set()
    for number in rng.sample(range(len(layouts)), 2000):
        deal = layouts.position(CONTRACTS["rufer"], number)
        assert sum(deal.hands) == DECK
        assert deal.hands[seat] == hand_of(cards)
        assert {h.bit_count() for h in deal.hands} == {5}
        assert deal.hands[0] & suit_mask(trump)
        seen.add(deal.hands)
    assert len(seen) == 2000
    trumps = len([index for index in layouts.unseen if index // 6 == trump])
    none = len(list(itertools.combinations(range(15 - trumps), 5)))
    assert len(layouts) == (3003 - none * (seat > 0)) * 252


@pytest.mark.parametrize("contract", CONTRACTS)
def test_counts_are_those_of_single_positions(contract):
    rng = Random(contract)
    chosen = CONTRACTS[contract]
    while True:
        cards = rng.sample(list(cards_in(DECK)), 5)
        suit = rng.randrange(4)
        if chosen.hand in ("one suit", "all trumps"):
            cards = list(cards_in(DECK & suit_mask(suit)))
        trump = suit if chosen.hand == "all trumps" else (suit + 1) % 4
        seat = rng.choice(chosen.seats)
        if fits(chosen, hand_of(cards), trump) and (seat or any(index // 6 == trump for index in cards)):
            break
    layouts = Layouts(TableHand(hand_of(cards), seat, trump))
    found = layouts.count(chosen, most=500, seed=3)
    picks = numpy.random.default_rng(3).choice(len(layouts), 500, replace=False)
    deals = [layouts.position(chosen, int(number)) for number in picks]
    values = solve_tables(deals)[0] // deals[0].worth
    assert found.results == {value: values.tolist().count(value) for value in sorted(set(values.tolist()))}
    lost = [int(number) for number, value in zip(picks, values, strict=True) if value < 0]
    assert found.lost == (lost[0] if lost else None)


def test_threads_and_features_change_nothing():
    seen = hand("me=HAT,SA,DKJ seat=p1 trump=H")
    layouts = Layouts(seen)
    plain = layouts.count(CONTRACTS["schnapser"], most=30_000)
    assert layouts.count(CONTRACTS["schnapser"], most=30_000, workers=3) == plain
    bare = layouts.count(
        CONTRACTS["schnapser"], most=30_000, settings=TableSettings(2, frozenset(FEATURES) - {"table"})
    )
    assert (bare.results, bare.lost) == (plain.results, plain.lost)


def test_a_sample_is_near_the_count():
    seen = hand("me=HAT,SA,DKJ seat=p1 trump=H")
    (found,) = bid(seen, ["schnapser"], most=4000).contracts
    assert not found.counted.exact
    assert abs(found.counted.probability - 655_140 / 756_756) < 5 * found.stderr / 12
    assert found.expected == pytest.approx(6 * (2 * found.counted.probability - 1))


def test_a_time_limit_still_answers():
    (found,) = bid(hand("me=HAT,DAT,SA seat=p2 trump=H"), ["kontraschnapser"], seconds=0).contracts
    assert 0 < found.counted.done < found.counted.of


def test_passing_is_the_race_of_forehand():
    found = bid(hand("me=SJ,HJ,DJ,CJ,CQ seat=p4 trump=H"), ["durchmarsch"], most=2000)
    assert found.best == "pass"
    assert found.passing.expected < 0
    partner = bid(hand("me=SJ,HJ,DJ,CJ,CQ seat=p3 trump=H"), ["durchmarsch"], most=2000)
    race = Layouts(hand("me=SJ,HJ,DJ,CJ,CQ seat=p3 trump=H")).count(CONTRACTS["rufer"], most=2000)
    assert partner.passing.expected == race.mean


def test_one_point_from_home():
    """Who needs one point does not risk twelve."""
    seen = hand("me=HAT,SA,DKJ seat=p1 trump=H score=1:20")
    found = bid(seen, ["schnapser", "rufer"], most=4000)
    assert (found.best, found.best_for_match) == ("schnapser", "rufer")


def test_naming_trumps():
    found = name_trump(hand("me=HAT,SJ seat=p1"), layouts=20, workers=2)
    assert found[0].suit == "H"
    assert {choice.suit for choice in found} == {"H", "S", "turn up"}
    assert all(choice.best >= choice.race - 4 * choice.best_stderr for choice in found)
    assert name_trump(hand("me=HAT,SJ seat=p1"), layouts=20) == found


def plan_holds(deal, order):
    """Play a plan against every defence, slowly: the others all together, the declarer by his order."""
    game = naive_multi.Game(
        deal.contract.name, deal.declarer, SUITS[deal.trump], 4, {"bettler_partner": deal.rules.bettler_partner}
    )
    place = {card_text(index): i for i, index in enumerate(order)}

    def holds(state):
        turns = dict(game.turns(state))
        if state[1] == deal.declarer:
            first = min(turns, key=lambda card: place[card])
            turns = {first: turns[first]}
        return all(then > 0 if isinstance(then, int) else holds(then) for then in turns.values())

    hands = tuple(frozenset(card_text(index) for index in cards_in(h)) for h in deal.hands)
    return holds((hands, deal.turn, (), (0, 0), (0, 0)))


@pytest.mark.parametrize("contract", ["durchmarsch", "zehnerloch", "bettler"])
def test_plans_hold_against_every_defence(contract):
    rng = Random(contract)
    chosen = CONTRACTS[contract]
    held = 0
    for number in range(12):
        cards = list(cards_in(DECK))
        rng.shuffle(cards)
        sign = 1 if contract == "bettler" else -1
        cards.sort(key=lambda index: sign * (strength(index, chosen.ten_hole) + 3 * rng.random()))
        me = hand_of(cards[:5])
        seat = rng.randrange(1, 4)
        layouts = Layouts(TableHand(me, seat, rng.randrange(4)))
        order = tuple(sorted(cards[:5], key=lambda index: -strength(index, chosen.ten_hole)))
        if contract == "bettler":
            order = tuple(rng.sample(order, 5))
        found = layouts.count(chosen, most=12, seed=number, plan=order if contract == "bettler" else ())
        picks = numpy.random.default_rng(number).choice(len(layouts), 12, replace=False)
        slow = [plan_holds(layouts.position(chosen, int(pick)), order) for pick in picks]
        assert found.won == sum(slow), (me, seat)
        held += sum(slow)
    assert held > 5


def test_plans_are_between_nothing_and_open_cards():
    found = bid(hand("me=SQJ,HJ,DQ,CJ seat=p3 trump=H"), ["bettler"], most=3000).contracts[0]
    assert 0 < found.plan.counted.won <= found.counted.won
    march = bid(hand("me=HAT,DAT,SA seat=p2 trump=H"), ["durchmarsch"]).contracts[0]
    assert march.plan.counted.won == march.counted.of
    assert march.plan.best
    assert bid(hand("me=HATJ,SAT seat=p1 trump=H"), ["bauernschnapser"]).contracts[0].plan is None


BAD = {
    "me=HAT,SA,DKJ trump=H": ("seat", "is missing"),
    "seat=p1 trump=H": ("me", "is missing"),
    "me=HAT,SA seat=p1 trump=H": ("me", "has 3 cards"),
    "me=HAT,SA,DKJ seat=p1": ("trump", "is missing"),
    "me=HAT,SJ seat=p2": ("trump", "is missing"),
    "me=SAT,SK,DKJ seat=p1 trump=H": ("me", "holds no trump"),
    "me=HAT,SA,DKJ seat=p1 trump=H score=0:3": ("score", "0:3 is not possible"),
    "me=HAT,SA,DKJ seat=p1 trump=H opp=SK": ("opp", "is not a key of a hand to bid on"),
}


@pytest.mark.parametrize("text", BAD)
def test_bad_hands(text):
    key, words = BAD[text]
    with pytest.raises(RecordError) as error:
        hand(text)
    assert error.value.key == key
    assert words in str(error.value)


def test_a_contract_that_cannot_be_bid():
    with pytest.raises(RecordError, match="p2 cannot bid Schnapser"):
        bid(hand("me=HAT,SA,DKJ seat=p2 trump=H"), ["schnapser"])


def run(*arguments):
    return CliRunner().invoke(cli, arguments)


def test_texts():
    arguments = ["game=bauernschnapsen", "me=HAT,SA,DKJ", "seat=p1", "trump=H"]
    result = run("bid", *arguments, "--max-layouts", "500")
    assert result.exit_code == 0
    assert re.search(r"Bid Schnapser: made in 8\d\.\d % of the layouts", result.stdout)
    rows = json.loads(run("bid", *arguments, "--max-layouts", "500", "--format", "json").stdout)
    assert [row["contract"] for row in rows["contracts"]][:2] == ["schnapser", "rufer"]
    assert rows["contracts"][0]["kontra"]["2"] == 2 * rows["contracts"][0]["expected"]
    assert 0.5 < rows["contracts"][0]["break_even"] < 1
    text = run("bid", "game=bauernschnapsen", "me=HAT,SJ", "seat=p1").stdout
    assert text.lstrip().startswith("Name hearts: worth")
    text = run("bid", *arguments, "--contract", "solo").stderr
    assert "there is no contract called 'solo'" in text


def test_solutions_are_printed_for_every_contract():
    rng = Random(2)
    from tests.test_table import somewhere

    for contract in CONTRACTS:
        p = somewhere(rng, contract)
        result = run("solve", *str(p).split())
        assert result.exit_code == 0, result.output
        assert "exact, open cards" in result.stdout
        if p.suit is not None:
            assert f"trump {'♠♥♦♣'[p.suit]}" in result.stdout
        row = json.loads(run("solve", *str(p).split(), "--format", "json").stdout)
        assert row["value"] == solve_tables([p])[0][0]
        assert run("solve", *str(p).split(), "--value-only").stdout.split()[-1] == f"{row['value']:+d}"
        for command in ("close", "advise"):
            assert "answers games for two" in run(command, *str(p).split()).stderr


def test_batches_of_all_games(tmp_path):
    rng = Random(4)
    from tests.test_table import somewhere

    table = [somewhere(rng, contract) for contract in CONTRACTS]
    two = "trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20"
    source = tmp_path / "all.txt"
    source.write_text("".join(f"{p}\n" for p in [*table, two]) + "game=bauernschnapsen me=HAT,SJ seat=p1\n")
    for options in ([], ["--value-only"]):
        target = tmp_path / f"out{len(options)}.jsonl"
        assert run("batch", str(source), str(target), *options).exit_code == 1
        rows = [json.loads(line) for line in target.read_text().splitlines()]
        assert [row["value"] for row in rows[:-1]] == [*solve_tables(table)[0].tolist(), 1]
        assert rows[-1]["error_key"] == "me"
    hands = tmp_path / "hands.txt"
    hands.write_text("game=bauernschnapsen me=HATJ,SAT seat=p1 trump=H\ngame=bauernschnapsen me=HAT,SJ seat=p1\n")
    assert run("batch", str(hands), str(tmp_path / "bids.jsonl"), "--do", "bid", "--seconds", "0").exit_code == 0
    first, second = map(json.loads, (tmp_path / "bids.jsonl").read_text().splitlines())
    assert first["best"] == "bauernschnapser"
    assert second["choices"][0]["name"] == "H"
    assert SUITS[1] == "H"
