"""Dreierschnapsen: the solver, discards and layouts against the slow reference; records."""

import json
from itertools import combinations
from random import Random

import pytest
from click.testing import CliRunner

from bummerl.bid import bid
from bummerl.cards import DECK, SUITS, card_text, cards_in, hand_points, hand_text
from bummerl.discards import discards
from bummerl.errors import RecordError
from bummerl.games.contracts import CONTRACTS, Aim
from bummerl.games.table import TablePosition
from bummerl.games.table_rules import TableRules
from bummerl.layouts import Layouts
from bummerl.moves import MoveError
from bummerl.records import parse_line, parse_mapping
from bummerl.table_deals import random_tables
from bummerl.table_solve import FEATURES, TableSettings, solve_table, solve_tables
from bummerl_cli.main import cli
from tests import naive_multi

PLAYED = [name for name, contract in CONTRACTS.items() if contract.seats_of_three]
OPTIONS = [
    "mixed", "rulebook", "guide", "mixed+dreier_rufer_duty=follow", "mixed+dreier_rufer_duty=free",
    "mixed+discards=defenders", "mixed+schnapser_end=three",
]  # fmt: skip


def strong(rng: Random, contract: str, options: str) -> TablePosition:
    """Draw a deal in which the declarer has eight good cards, or low ones for taking nothing."""
    chosen = CONTRACTS[contract]
    declarer, trump = rng.choice(chosen.seats_of_three), rng.randrange(4)
    sign = 1 if chosen.aim is Aim.NO_TRICK else -1
    cards = list(cards_in(DECK))
    rng.shuffle(cards)
    cards.sort(key=lambda c: sign * (c % 6 + 3 * (c // 6 == trump and chosen.has_trump) + 5 * rng.random()))
    own, rest = cards[:8], cards[8:]
    rng.shuffle(own)
    rng.shuffle(rest)
    hands = [sum(1 << c for c in rest[:6]), sum(1 << c for c in rest[6:])]
    hands.insert(declarer, sum(1 << c for c in own[:6]))
    if not hands[0] & 0x3F << 6 * trump or (contract == "assbettler" and (hands[declarer] & 0x820820).bit_count() != 1):
        return strong(rng, contract, options)
    talon = sum(1 << c for c in own[6:]) if chosen.takes_talon else 0
    p = TablePosition(chosen, declarer, trump, tuple(hands), 0, rules=TableRules.parse(options), talon=talon)
    return p.changed(turn=p.first_leader)


def later(rng: Random, p: TablePosition, cards: int) -> TablePosition:
    """Lay two cards away and play some at random."""
    if p.talon:
        eight = sorted(cards_in(p.hands[p.declarer] | p.talon), key=lambda c: c % 6 + 2 * rng.random())
        p = p.lay_away(1 << eight[0] | 1 << eight[1])
    for _ in range(cards):
        after = p.play(rng.choice(p.legal_moves()))
        if after.outcome is not None:
            break
        p = after
    return p


def slow(p: TablePosition) -> dict[str, int]:
    hands = [{card_text(c) for c in cards_in(hand)} for hand in p.hands]
    options = {name: getattr(p.rules, name) for name in p.rules.__slots__}
    return naive_multi.moves(
        p.contract.name, p.declarer, SUITS[p.trump], hands, p.turn, tuple(map(card_text, p.trick)), p.points, p.tricks,
        3, options,
    )  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("contract", PLAYED)
def test_solver_equals_the_slow_reference(contract, options):
    rng = Random(f"{contract}{options}")
    for _ in range(6):
        # Without duties the slow reference has to look at everything.
        few = options.endswith("free") and contract == "rufer"
        p = later(
            rng,
            strong(rng, contract, options),
            rng.choice([9, 10, 12, 13, 14] if few else [4, 5, 6, 7, 8, 9, 10, 12, 14]),
        )
        expected = slow(p)
        found = solve_table(p)
        best = max if p.side_of(p.turn) == 0 else min
        assert found.value == best(expected.values()), repr(p)
        assert {str(one.move): one.value for one in found.moves} == {
            str(one.move): expected[str(one.move)] for one in found.moves
        }, repr(p)
        assert {card_text(one.move.card) for one in found.moves} == {text.split()[-1] for text in expected}
        here = p
        for move in found.line:
            here = here.play(move)
        assert here.outcome == found.value


@pytest.mark.parametrize("contract", [name for name in PLAYED if CONTRACTS[name].takes_talon])
@pytest.mark.parametrize("options", ["mixed", "mixed+discards=defenders"])
def test_the_best_discard_is_the_best_of_28(contract, options):
    rng = Random(contract)
    for _ in range(15):
        p = strong(rng, contract, options)
        eight = p.hands[p.declarer] | p.talon
        laid = [p.lay_away(1 << a | 1 << b) for a, b in combinations(cards_in(eight), 2)]
        values = solve_tables(laid)[0]
        found = solve_table(p)
        assert found.value == max(values)
        assert solve_tables([p])[0][0] == max(values)
        assert solve_table(p.lay_away(found.discard)).value == found.value
        assert found.to_dict()["discard"] == hand_text(found.discard)


@pytest.mark.parametrize("off", [[name] for name in FEATURES] + [list(FEATURES)], ids="-".join)
def test_features_change_no_value(off):
    rng = Random(3)
    # A race of whole hands without any of them takes seconds.
    positions = [strong(rng, contract, "mixed") for contract in PLAYED if contract != "rufer" for _ in range(4)]
    positions += [later(rng, strong(rng, contract, "mixed"), 6) for contract in PLAYED for _ in range(30)]
    values = solve_tables(positions, TableSettings(4, frozenset(FEATURES) - set(off)))[0]
    assert values.tolist() == solve_tables(positions)[0].tolist()
    assert len(set(values.tolist())) > 8


@pytest.mark.parametrize("contract", PLAYED)
def test_records_keep_everything(contract):
    rng = Random(f"records {contract}")
    for number in range(40):
        options = OPTIONS[number % len(OPTIONS)]
        p = strong(rng, contract, options)
        for q in (p, later(rng, p, rng.choice([0, 1, 2, 4, 7, 11]))):
            assert TablePosition.parse(str(q)) == q, str(q)
            assert parse_mapping(json.loads(json.dumps(parse_line(str(q)).to_dict()))).position == q


def test_random_positions():
    for contract in PLAYED:
        for tricks, mid in ((0, False), (1, True)):
            for p in random_tables(3, 5, contract, tricks=tricks, mid_trick=mid, players=3):
                assert TablePosition.parse(str(p)) == p
                assert bool(p.talon) == (not tricks and CONTRACTS[contract].takes_talon)


GOOD = "game=dreierschnapsen contract=schnapser trump=H p1=HAKQ,SA,DJ,CJ p2=STKQ,HT,DAT p3=SJ,HJ,DKQ,CAT talon=CKQ"
BAD = {
    "p4=SA": ("p4", "is not a key of a position of Dreierschnapsen"),
    "contract=herrenschnapser": ("contract", "there is no Herrenschnapser in Dreierschnapsen"),
    "declarer=p2": ("declarer", "p2 cannot play Schnapser"),
    "declarer=p4": ("declarer", "'p4' is no player"),
    "talon=CK": ("talon", "has 1 cards"),
    "talon=CKT": ("talon", "♣10 stands twice"),
    "discard=SQ,DJ": ("discard", "cannot be laid away"),
    "p1=HAKQ,SA,DJ": ("p1", "has 5 cards"),
    "contract=bettler declarer=p1 discard=CKQ": ("discard", "nothing is laid away in a Bettler"),
}


@pytest.mark.parametrize("change", BAD)
def test_bad_records(change):
    key, words = BAD[change]
    fields = dict(token.split("=", 1) for token in GOOD.split())
    fields.update(token.split("=", 1) for token in change.split())
    with pytest.raises(RecordError) as error:
        parse_mapping(fields)
    assert error.value.key == key, str(error.value)
    assert words in str(error.value)


def test_talon_and_discard_in_one_record():
    whole = TablePosition.parse(GOOD)
    laid = TablePosition.parse(GOOD + " discard=DJ,CJ")
    assert laid == whole.lay_away(laid.discard)
    assert solve_table(laid).value in (6, -6)
    with pytest.raises(MoveError):
        whole.lay_away(1)


def test_the_talon_stays_down_in_a_bettler():
    p = TablePosition.parse(GOOD.replace("contract=schnapser", "contract=bettler declarer=p1"))
    assert (p.talon, p.discard) == (0, 0)


def test_discards_count_for_the_defenders():
    p = TablePosition.parse(
        GOOD.replace("schnapser ", "rufer rules=mixed+discards=defenders ", 1).replace("dreierrufer", "dreierschnapser")
    )
    laid = p.lay_away(p.talon)
    assert laid.points == (0, hand_points(p.talon))


def test_example_of_the_rulebook():
    """Schnapser with the best discard in each layout, seen by all: an upper bound."""
    hand = parse_line("game=dreierschnapsen me=HAKQ,SA,DJ,CJ seat=p1 trump=H").position
    (found,) = bid(hand, ["schnapser"], workers=2).contracts
    assert (found.counted.won, found.counted.of) == (81_086, 84_084)


def test_discards_are_those_of_single_positions():
    hand = parse_line("game=dreierschnapsen me=HAKQ,ST,DKJ,CJ,DQ seat=p1 trump=H").position
    found = discards(hand, "schnapser", workers=2)
    assert len(found) == 28
    assert found == discards(hand, "schnapser")
    rng = Random(1)
    for one in rng.sample(found, 4):
        unseen = list(cards_in(DECK & ~hand.me))
        deals = []
        for chosen in combinations(unseen, 6):
            two = sum(1 << c for c in chosen)
            hands = (hand.me & ~one.cards, two, sum(1 << c for c in unseen) & ~two)
            deals.append(TablePosition(CONTRACTS["schnapser"], 0, 1, hands, 0, discard=one.cards))
        assert one.counted.won == int((solve_tables(deals)[0] > 0).sum())
        assert one.counted.of == 924
    # One decision without seeing anything is never better than one with open cards.
    open_cards = Layouts(hand).count(CONTRACTS["schnapser"])
    assert found[0].counted.won <= open_cards.won
    assert open_cards.of == 924


@pytest.mark.parametrize("seat", range(3))
def test_who_may_bid(seat):
    hand = parse_line(f"game=dreierschnapsen me=HAKQ,SA,DJ,CJ seat=p{seat + 1} trump=H").position
    names = {contract.name for contract in hand.contracts}
    own = {"rufer", "schnapser", "bauernschnapser"} if seat == 0 else {"kontraschnapser", "kontrabauernschnapser"}
    assert names == own | {"bettler", "durchmarsch", "zehnerloch"}


@pytest.mark.parametrize(
    ("cards", "key"), [("HAT,SJ", "trump"), ("HAT,SJ,DK trump=H", "me"), ("HAT,SJ,DKQ,CJ", "trump")]
)
def test_bad_hands(cards, key):
    with pytest.raises(RecordError) as error:
        parse_line(f"game=dreierschnapsen seat=p1 me={cards}")
    assert error.value.key == key


def test_batches_of_hands(tmp_path):
    (tmp_path / "in.txt").write_text("game=dreierschnapsen me=HAKQ,SAT,DJ,CJ,CA seat=p1 trump=H\n")
    arguments = ["batch", str(tmp_path / "in.txt"), str(tmp_path / "out.jsonl"), "--do", "bid"]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    row = json.loads((tmp_path / "out.jsonl").read_text())
    found = {each["contract"]: each for each in row["contracts"]}
    assert found["schnapser"]["made"] == 922
    assert len(found["schnapser"]["discards"]) == 28
    assert "bettler" not in found


def test_texts():
    runner = CliRunner()
    text = runner.invoke(cli, ["solve", *GOOD.split()]).stdout
    assert "lays away" in text
    text = runner.invoke(
        cli, ["bid", "game=dreierschnapsen", "me=HAKQ,SAT,DJ,CJ,CA", "seat=p1", "trump=H", "--contract", "schnapser"]
    ).stdout
    assert "Lay away" in text
    assert "924" in text
    before = ["bid", "game=dreierschnapsen", "me=HAKQ,SA,DJ,CJ", "seat=p1", "trump=H"]
    text = runner.invoke(cli, [*before, "--max-layouts", "300"]).stdout
    assert "an upper bound" in text
    assert "is lost, for example, with" in text
    row = json.loads(runner.invoke(cli, [*before, "--max-layouts", "300", "--format", "json"]).stdout)
    assert row["contracts"][0]["match"] is None
    assert "two sides" in runner.invoke(cli, [*before, "score=3:4"]).stderr
