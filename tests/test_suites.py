"""Published positions and the examples of the rule books: everything they state must come out."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from bummerl.cards import card_text, cards_in, hand_points, parse_card, parse_hand, parse_suit
from bummerl.close import close
from bummerl.errors import RecordError
from bummerl.files import read_file
from bummerl.position import TARGET, close_penalty, legal_replies, win_value
from bummerl.records import EXPECTATIONS, Record, parse_line, parse_mapping
from bummerl.rules import Rules
from bummerl.solve import solve
from bummerl.suite import check_all, check_record
from bummerl.worlds import opponent_hands

DATA = Path(__file__).parent.parent / "data"
SUITES = sorted((DATA / "suites").glob("*.jsonl"))


@pytest.mark.parametrize("path", SUITES, ids=lambda p: p.name)
def test_every_expectation_comes_out(path):
    checks = check_all(read_file(path))
    assert checks
    for check in checks:
        assert not isinstance(check, RecordError), check
        assert check.problems == (), check.id


def test_all_published_positions_are_here():
    files = (*SUITES, DATA / "published-hidden.jsonl")
    sources = [json.loads(line).get("source", "") for path in files for line in path.read_text().splitlines()]
    assert sum(source.startswith("https://") for source in sources) == 39


WRONG = {
    "value": 1,
    "winner": "opp",
    "best": "DJ",
    "winning": "HK",
    "losing": "DJ",
    "moves": {"DJ": 1},
    "nodes": 1,
    "hands": 3,
    "first_move": "HK",
    "plan.won": 0,
    "plan.upper": 0,
    "plan.probability": 0.5,
    "plan.expected": 0,
    "open_cards.won": 0,
    "open_cards.probability": 0.5,
    "open_cards.expected": 0,
    "advice.best": "HK",
    "advice.expected": 0,
    "advice.moves": {"DJ": 0},
}


def test_a_wrong_expectation_of_every_kind_is_noticed():
    """A suite that cannot fail would prove nothing."""
    fields = {"trump": "H", "me": "HTK,DTQJ", "opp": "ST,HQ,DAK,CT", "points": "32:28", "closed": "me@28"}
    assert set(WRONG) == set(EXPECTATIONS)
    for key, value in WRONG.items():
        assert check_record(parse_mapping({**fields, key: value})).problems, key


def test_expectations_are_read_as_results_are_written_and_misspelt_ones_are_errors():
    fields = {"trump": "DJ", "me": "SA,HT,DAK,CQ", "unseen": "HJ,DTQ,CATK", "points": "41:38", "talon": 2}
    assert not check_record(parse_mapping({**fields, "open_cards": {"won": 5, "expected": 0.5}})).problems
    assert check_record(parse_mapping({**fields, "open_cards": {"won": 4}})).problems
    closed = {"trump": "H", "me": "HTK,DTQJ", "opp": "ST,HQ,DAK,CT", "points": "32:28", "closed": "me@28"}
    assert not check_record(parse_mapping({**closed, "advice.moves": [{"move": "DJ", "expected": 2}]})).problems
    assert not check_record(parse_mapping({**closed, "moves": [{"move": "DJ", "value": 2}]})).problems
    assert check_record(parse_mapping({**closed, "value": True})).problems
    text = "trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@28 value={} best=DT|DQ|DJ"
    assert not check_record(parse_line(text.format(2))).problems
    assert check_record(parse_line(text.format(1))).problems
    for key in ("bset", "vlaue", "winer"):
        with pytest.raises(RecordError, match="did you mean"):
            check_record(parse_mapping({**closed, "value": 2, key: "x"}))


def hidden() -> dict[str, Record]:
    paths = DATA / "published-hidden.jsonl", DATA / "suites" / "advice.jsonl"
    records = [r for path in paths for r in read_file(path) if isinstance(r, Record)]
    return {record.id: record for record in records}


def worlds(record: Record):
    """Go through the hands the opponent can hold, with the position each makes."""
    from dataclasses import replace

    p = record.position
    for hand in opponent_hands(p):
        down = [c for c in cards_in(p.unseen) if not hand >> c & 1]
        yield hand, replace(p, opp=hand, talon=(*down, p.face_up))


@pytest.mark.parametrize("name", ["035-anything", "077-looking"])
def test_replies_under_hidden_cards(name):
    record = hidden()[name]
    totals: dict[str, list[int]] = {}
    for _, position in worlds(record):
        for found in solve(position).moves:
            totals.setdefault(str(found.move), []).append(found.value)
    for move, mean in record.extra["advice"]["moves"].items():
        assert Fraction(sum(totals[move]), len(totals[move])) == mean
    for move, value in record.extra["always"].items():
        assert set(totals[move]) == {value}


def test_a_discard_that_wins_exactly_when_one_card_is_face_down():
    record = hidden()["134-noble"]
    ((move, card),) = record.extra["wins_exactly_when_opponent_lacks"].items()
    for hand, position in worlds(record):
        values = {str(m.move): m.value for m in solve(position).moves}
        assert (values[move] > 0) == (not hand >> parse_card(card) & 1)
        assert values[record.extra["never_wins"]] < 0


def test_the_chance_that_a_card_is_in_the_talon():
    record = hidden()["124-close"]
    hands = opponent_hands(record.position)
    for card, share in record.extra["chance_in_talon"].items():
        away = sum(not hand >> parse_card(card) & 1 for hand in hands)
        assert Fraction(away, len(hands)) == Fraction(share)


def facts(*kinds: str):
    rows = [json.loads(line) for line in (DATA / "rule-examples.jsonl").read_text().splitlines()]
    found = [row for row in rows if row["kind"] in kinds]
    assert found
    return pytest.mark.parametrize("fact", found, ids=[row["id"] for row in found])


def test_every_kind_of_example_is_used():
    kinds = {json.loads(line)["kind"] for line in (DATA / "rule-examples.jsonl").read_text().splitlines()}
    assert kinds == {"sum", "legal", "gamepoints", "claim66", "close", "hand-two", "falseclaim", "revoke", "match"}


@facts("sum")
def test_card_points(fact):
    hand = parse_hand(",".join(fact["cards"]))
    assert hand_points(hand) + fact.get("bonus", 0) == fact["expect"]


@facts("legal")
def test_legal_replies(fact):
    hand, led = parse_hand(",".join(fact["hand"])), parse_card(fact["trick"][0])
    legal = legal_replies(hand, led, parse_suit(fact["trump"]), strict=True)
    assert sorted(card_text(c) for c in cards_in(legal)) == sorted(fact["expect"])


@facts("gamepoints")
def test_game_points(fact):
    assert win_value(fact["loser_points"], fact["loser_points"] > 0) == fact["expect"]


@facts("claim66")
def test_claims(fact):
    total = fact["trick_points"] + fact["marriage"]
    assert (total, total >= TARGET) == (fact["expect"]["total"], fact["expect"]["may_claim"])


@facts("close")
def test_closed_deals(fact):
    points = fact["opp_points"]
    assert (win_value(points, points > 0) if fact["closer_made_it"] else -close_penalty(points > 0)) == fact["expect"]


@facts("falseclaim")
def test_false_claims(fact):
    cost = Rules(false_claim="fixed").false_claim_cost(fact["claimer_opponent_tricks"] > 0, claimed=1)
    assert cost == fact["expect"]


@facts("revoke")
def test_revokes(fact):
    assert Rules().revoke_penalty == fact["expect"]


@facts("hand-two")
def test_closing_hands_of_the_rule_book(fact):
    """Very likely to succeed, says the rule book; with open cards at least nine in ten, whatever is face up."""
    hand = ",".join(fact["hand"])
    for rank in "ATKQJ":
        if fact["trump"] + rank not in fact["hand"]:
            record = parse_mapping({"trump": fact["trump"] + rank, "me": hand, "talon": 10})
            assert close(record.position).open_cards.probability > 0.9
