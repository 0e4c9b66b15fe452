"""The opening of Bauernschnapsen: naming trumps, bidding and doubling, with the examples of the sources."""

import json
import random
from pathlib import Path

import pytest

from bummerl.cards import DECK, cards_in, hand_of, parse_card, parse_hand
from bummerl.games.auction import (
    Auction,
    AuctionError,
    choose_trump,
    may_redeal,
    trump_choices,
)
from bummerl.games.contracts import CONTRACTS
from bummerl.games.table_rules import TableRules
from bummerl.rules import RulesError

CASES = [
    json.loads(line) for line in (Path(__file__).parent.parent / "data" / "auctions.jsonl").read_text().splitlines()
]
# Every seat has exactly one ace, so that any of them may bid an Assbettler.
HANDS = tuple(map(parse_hand, ("SATK,HQJ", "HATK,DQJ", "DATK,CQJ", "CATK,SQJ")))
GUIDE = TableRules()
RULEBOOK = TableRules(auction="rulebook", six="first")


def said(*calls, rules=GUIDE, hands=HANDS, trump=2):
    auction = Auction(hands, trump, rules)
    for call in calls:
        auction = auction.say(call)
    return auction


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_examples_of_the_rulebook(case):
    auction = said(*case["calls"], rules=RULEBOOK)
    if "bid" in case:
        assert (case["bid"] in auction.calls) == case["allowed"]
        return
    assert (auction.contract.name, auction.declarer, auction.kontra) == (
        case["contract"], case["declarer"], case["kontra"])  # fmt: skip
    assert auction.contract.value * auction.kontra == case["worth"]
    assert auction.doubling


def test_an_earlier_seat_takes_over_an_equal_bid_in_the_guide_only():
    calls = ("rufer", "bettler", "pass", "pass")
    assert "bettler" in said(*calls).calls
    assert said(*calls, "bettler").declarer == 0
    assert "bettler" not in said(*calls, rules=RULEBOOK).calls
    assert "bettler" not in said("rufer", "bettler").calls


def test_passing_is_final_in_the_guide_only():
    calls = ("rufer", "pass", "bettler", "pass", "durchmarsch")
    assert said(*calls).turn == 2
    assert said(*calls, rules=RULEBOOK).turn == 1


def test_kontra_rekontra_subkontra_then_it_is_over():
    auction = said("rufer", "pass", "pass", "pass")
    assert auction.calls == ["pass", "kontra"]
    assert auction.turn == 1
    auction = auction.say("pass").say("kontra").say("rekontra").say("subkontra")
    assert (auction.kontra, auction.over, auction.calls) == (8, True, [])


def test_nobody_doubles_his_own_side():
    assert "kontra" not in said("rufer", "pass", rules=RULEBOOK).calls
    assert "kontra" in said("rufer", rules=RULEBOOK).calls


@pytest.mark.parametrize(
    ("twelve", "first", "second", "allowed"),
    [
        ("listed", "kontraschnapser", "bauernschnapser", True),
        ("equal", "kontraschnapser", "bauernschnapser", False),
        ("h_below_g", "kontraschnapser", "bauernschnapser", False),
        ("h_below_g", "bauernschnapser", "kontraschnapser", True),
        ("equal", "bauernschnapser", "kontraschnapser", False),
    ],
)
def test_order_of_the_contracts_worth_12(twelve, first, second, allowed):
    rules = TableRules(auction="rulebook", twelve=twelve)
    opening = ("rufer", first) if first == "kontraschnapser" else (first,)
    auction = said(*opening, rules=rules)
    assert (second in auction.calls) == allowed


def test_contracts_of_a_whole_suit():
    hands = tuple(map(parse_hand, ("DATKQJ", "HATKQJ", "SATKQJ", "CATKQJ")))
    assert "herrenschnapser" in said(hands=hands).calls
    assert "herrengangl" in said("rufer", hands=hands).calls
    assert "herrenschnapser" not in said("rufer", hands=hands).calls
    assert said("herrenschnapser", "pass", "pass", "pass", hands=hands).over
    doubled = TableRules(double_top="all")
    assert said("herrenschnapser", "pass", "pass", "pass", hands=hands, rules=doubled).calls == ["pass", "kontra"]
    assert said("rufer", "herrengangl", hands=hands).known == {1: "one suit"}


@pytest.mark.parametrize("call", ["pass", "kontraschnapser", "kontra", "no such game"])
def test_forehand_may_not_open_with(call):
    with pytest.raises(AuctionError):
        said(call)


def test_redeal_and_the_suit_of_trumps():
    jacks, queens = parse_hand("HJ,SJ,DJ"), parse_hand("HJ,SQ,DQ")
    assert may_redeal(jacks, TableRules())
    assert not may_redeal(jacks, TableRules(redeal=False))
    assert not may_redeal(queens, TableRules())
    assert trump_choices(parse_hand("HAT,SJ")) == ["S", "H", "turn up"]
    last = (parse_card("CA"), parse_card("ST"))
    assert [choose_trump(queens, last, "turn up", turned) for turned in (0, 1)] == [3, 0]
    assert choose_trump(queens, last, "H") == 1
    with pytest.raises(AuctionError, match="forehand has no C"):
        choose_trump(queens, last, "C")


@pytest.mark.parametrize("option", ["auction", "six", "twelve", "double_top"])
def test_unknown_option_values(option):
    with pytest.raises(RulesError, match=f"^{option} is "):
        TableRules(**{option: "nonsense"})


@pytest.mark.parametrize("mode", ["guide", "rulebook"])
def test_random_auctions_end(mode):
    chance = random.Random(7)
    for _ in range(500):
        cards = list(cards_in(DECK))
        chance.shuffle(cards)
        hands = tuple(hand_of(cards[at : at + 5]) for at in range(0, 20, 5))
        auction = Auction(hands, chance.randrange(4), TableRules(auction=mode))
        for _turn in range(200):
            if auction.over:
                break
            auction = auction.say(chance.choice(auction.calls))
        assert auction.over
        assert auction.declarer in auction.contract.seats
        assert auction.contract in CONTRACTS.values()
        assert auction.kontra in (1, 2, 4, 8)


def test_a_higher_bid_is_not_doubled_yet():
    auction = said("rufer", "kontra", "durchmarsch", rules=RULEBOOK)
    assert (auction.contract.name, auction.declarer, auction.kontra) == ("durchmarsch", 2, 1)


def test_an_assbettler_needs_exactly_one_ace():
    hands = tuple(map(parse_hand, ("SAT,HA,DKQ", "STK,HQJ", "DATK,CQJ", "CATK,SQJ")))
    if_two, if_none = said(hands=hands), said("rufer", hands=hands)
    assert "assbettler" not in if_two.calls
    assert "assbettler" not in if_none.calls
    assert "assbettler" in if_none.say("pass").calls


@pytest.mark.parametrize(("six", "allowed"), [("first", False), ("listed", True)])
def test_first_bid_of_6_stays_if_the_table_says_so(six, allowed):
    auction = said("rufer", "assbettler", "pass", "pass", rules=TableRules(six=six))
    assert ("schnapser" in auction.calls) == allowed
    assert "assbettler" in auction.calls
