"""Bauernschnapsen: positions, records, and the solver against the slow reference."""

import json
import os
from random import Random

import pytest

from bummerl.cards import DECK, SUITS, card_text, cards_in
from bummerl.errors import RecordError
from bummerl.games.contracts import CONTRACTS, Aim, parse_contract
from bummerl.games.table import TablePosition
from bummerl.games.table_rules import PRESETS, TableRules
from bummerl.records import parse_line, parse_mapping
from bummerl.rules import RulesError
from bummerl.table_solve import FEATURES, TableSettings, solve_table, solve_tables
from tests import naive_multi

CARDS = list(cards_in(DECK))
OPTIONS = [
    "mixed", "rulebook", "guide", "mixed+last_trick=one", "mixed+schnapser_end=three", "mixed+gang_duty=follow",
    "mixed+leader_twenty=yes", "mixed+bettler_partner=in", "mixed+nt_lead=f", "mixed+bettler_value=4",
]  # fmt: skip
SCALE = int(os.environ.get("BUMMERL_SCALE", "1"))


def deal(rng: Random, contract: str, options: str = "mixed") -> TablePosition:
    """Draw a deal; the declarer often gets a hand with which he could bid."""
    chosen = parse_contract(contract)
    declarer = rng.choice(chosen.seats)
    trump = rng.randrange(4)
    cards = CARDS[:]
    rng.shuffle(cards)
    suit = rng.choice([s for s in range(4) if s != trump]) if chosen.hand == "one suit" else trump
    if chosen.hand in ("one suit", "all trumps"):
        cards.sort(key=lambda c: c // 6 != suit)
    elif chosen.aim is Aim.NO_TRICK and rng.random() < 0.7:
        cards.sort(key=lambda c: c % 6 + rng.random() * 3)
    elif chosen.aim is not Aim.RACE and rng.random() < 0.7:
        cards.sort(key=lambda c: -(c % 6) - 3 * (c // 6 == trump and chosen.has_trump) + rng.random() * 4)
    mine, rest = cards[:5], cards[5:]
    rng.shuffle(rest)
    hands = [sum(1 << c for c in rest[5 * i : 5 * i + 5]) for i in range(3)]
    hands.insert(declarer, sum(1 << c for c in mine))
    if not hands[0] & 0x3F << 6 * trump:
        return deal(rng, contract, options)
    if chosen.hand == "one ace" and (hands[declarer] & 0x820820).bit_count() != 1:
        return deal(rng, contract, options)
    p = TablePosition(chosen, declarer, trump, tuple(hands), 0, rules=TableRules.parse(options))
    return p.changed(turn=p.first_leader)


def somewhere(rng: Random, contract: str, options: str = "mixed") -> TablePosition:
    """Draw a position anywhere in a deal, also in the middle of a trick."""
    p = deal(rng, contract, options)
    for _ in range(rng.choice([0, 0, 1, 2, 3, 4, 5, 6, 8, 9, 11, 13])):
        after = p.play(rng.choice(p.legal_moves()))
        if after.outcome is not None:
            break
        p = after
    return p


def options_of(p: TablePosition):
    rules = p.rules
    return {name: getattr(rules, name) for name in rules.__slots__}


def slow(p: TablePosition) -> dict[str, int]:
    hands = [{card_text(c) for c in cards_in(hand)} for hand in p.hands]
    return naive_multi.moves(
        p.contract.name, p.declarer, None if p.trump is None else SUITS[p.trump], hands, p.turn,
        tuple(map(card_text, p.trick)), p.points, p.tricks, 4, options_of(p),
    )  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_solver_equals_the_slow_reference(contract, options):
    rng = Random(f"{contract}{options}")
    laid_open = CONTRACTS[contract].hand in ("one suit", "all trumps")
    if laid_open and options not in ("mixed", "guide"):
        pytest.skip("options change nothing there")
    for _ in range(3 * SCALE):
        p = somewhere(rng, contract, options)
        # There the slow reference has to look at everything.
        while laid_open and p.cards_left > 3:
            p = somewhere(rng, contract, options)
        expected = slow(p)
        best = max if p.side_of(p.turn) == 0 else min
        found = solve_table(p)
        assert found.value == best(expected.values()), repr(p)
        # Announcing is never worse, and the kernel always does.
        assert {str(one.move): one.value for one in found.moves} == {
            str(one.move): expected[str(one.move)] for one in found.moves
        }, repr(p)
        quiet = {text.split()[-1]: [] for text in expected}
        for text, value in expected.items():
            quiet[text.split()[-1]].append(value)
        assert {card_text(one.move.card): one.value for one in found.moves} == {
            card: best(values) for card, values in quiet.items()
        }, repr(p)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_rules_equal_the_slow_reference(contract):
    """Random games: what is legal, who wins the trick, how it ends."""
    rng = Random(contract)
    ends = set()
    for number in range(60):
        p = deal(rng, contract, OPTIONS[number % len(OPTIONS)])
        game = naive_multi.Game(contract, p.declarer, SUITS[p.trump], 4, options_of(p))
        state = (tuple(frozenset(map(card_text, cards_in(h))) for h in p.hands), p.turn, (), (0, 0), (0, 0))
        while p.outcome is None:
            turns = dict(game.turns(state))
            legal = {str(move): move for move in p.legal_moves()}
            assert set(legal) <= set(turns)
            assert {move.split()[-1] for move in legal} == {move.split()[-1] for move in turns}
            text = rng.choice(sorted(turns))
            p, state = p.play(text), turns[text]
            if not isinstance(state, int):
                assert p.turn == state[1]
                if p.contract.aim is Aim.RACE:
                    assert p.tricks == state[4]
                if p.contract.aim in (Aim.RACE, Aim.THREE_TRICKS):
                    assert p.points == state[3]
        assert p.outcome == state, repr(p)
        ends.add(p.outcome)
    assert len(ends) > 1 or contract in ("herrengangl", "herrenschnapser")


@pytest.mark.parametrize("contract", CONTRACTS)
def test_lines_lead_to_the_value(contract):
    rng = Random(f"line {contract}")
    for _ in range(40):
        p = somewhere(rng, contract)
        found = solve_table(p)
        here = p
        for move in found.line:
            here = here.play(move)
        assert here.outcome == found.value
        assert found.line[0] in found.best
        assert sum(len(trick.moves) for trick in found.tricks) == len(found.line) + len(p.trick)


@pytest.mark.parametrize("off", [[name] for name in FEATURES] + [list(FEATURES)], ids="-".join)
def test_features_change_no_value(off):
    rng = Random(7)
    positions = [somewhere(rng, contract) for contract in CONTRACTS for _ in range(40)]
    plain, few = solve_tables(positions)
    values, nodes = solve_tables(positions, TableSettings(3, frozenset(FEATURES) - set(off)))
    assert values.tolist() == plain.tolist()
    assert nodes.sum() > few.sum()


def test_kontra_and_values_multiply():
    rng = Random(5)
    for contract in ("rufer", "bettler", "durchmarsch"):
        p = deal(rng, contract)
        once = solve_table(p).value
        assert solve_table(p.changed(kontra=4)).value == 4 * once
    p = deal(rng, "bettler", "mixed+bettler_value=4")
    assert abs(solve_table(p).value) == 4


@pytest.mark.parametrize("contract", CONTRACTS)
def test_records_keep_everything(contract):
    rng = Random(f"records {contract}")
    for number in range(60):
        p = somewhere(rng, contract, OPTIONS[number % len(OPTIONS)]).changed(
            kontra=rng.choice([1, 2, 4, 8]) if CONTRACTS[contract].doubled else 1
        )
        assert TablePosition.parse(str(p)) == p
        row = json.loads(json.dumps(parse_line(str(p)).to_dict()))
        assert parse_mapping(row).position == p
        assert str(parse_mapping(row).position) == str(p)


GOOD = "contract=schnapser declarer=p1 trump=H p1=HAT,SA,DKJ p2=HKQ,SQ,DAT p3=HJ,STK,CTK p4=SJ,DQ,CAQJ"
BAD = {
    "contract=solo": ("contract", "there is no contract called 'solo'"),
    "declarer=p2": ("declarer", "p2 cannot play Schnapser"),
    "declarer=p7": ("declarer", "'p7' is no player"),
    "trump=": ("trump", "is missing"),
    "trump=X": ("trump", ""),
    "p2=HKQ,SQ,DAK": ("p2", "♦K stands twice"),
    "p2=HKQ,SQ,DA": ("p2", "has 4 cards, but must have 5"),
    "p2=H9KQ,SQ,DA": ("p2", "holds a nine"),
    "kontra=3": ("kontra", "'3' is not 1, 2, 4 or 8"),
    "turn=p2": ("turn", "p2 cannot be next"),
    "tricks=1:0": ("tricks", "1:0 are not the 0 tricks played"),
    "points=10:0": ("points", "10:0 is impossible"),
    "points=20:0": ("points", "a side without a trick"),
    "rules=viennese": ("rules", "there are no rules called 'viennese'"),
    "rules=guide+last_trick=two": ("rules", "last_trick is points or one"),
    "me=SA": ("contract", "is not a key of a hand to bid on"),
    "talon=4": ("talon", "is not a key of a position of Bauernschnapsen"),
    "contract=assbettler": ("p1", "holds 2 aces"),
    "contract=herrengangl declarer=p2": ("p2", "does not hold one suit"),
    "contract=herrenschnapser": ("p1", "does not hold all trumps"),
    "contract=herrenschnapser kontra=2": ("kontra", "cannot be doubled"),
    "trump=C": ("p1", "holds no trump"),
    "trick=HJ": ("p3", "♥J stands twice"),
    "contract=durchmarsch points=11:0": ("points", "do not count in a Durchmarsch"),
}


@pytest.mark.parametrize("change", BAD)
def test_bad_records(change):
    key, words = BAD[change]
    fields = dict(token.split("=", 1) for token in GOOD.split())
    fields.update(token.split("=", 1) for token in change.split())
    with pytest.raises(RecordError) as error:
        parse_mapping({"game": "bauernschnapsen", **fields})
    assert error.value.key == key, str(error.value)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_revoke_on_the_table_is_named():
    text = "game=bauernschnapsen contract=rufer trump=H p1=HT,SA,DKJ p2=HKQ,SQ,DA p3=HJ,STK,CTK p4=SJ,DQ,CAQJ trick=HA,DT turn=p3"
    with pytest.raises(RecordError, match="p2 could not play ♦10, holding ♥Q ♥K"):
        TablePosition.parse(text)


def test_one_hand_is_derived():
    whole = TablePosition.parse("game=bauernschnapsen " + GOOD)
    assert TablePosition.parse("game=bauernschnapsen " + GOOD.replace(" p4=SJ,DQ,CAQJ", "")) == whole
    beggar = GOOD.replace("schnapser declarer=p1", "bettler declarer=p2").replace(" p4=SJ,DQ,CAQJ", "")
    assert solve_table(TablePosition.parse("game=bauernschnapsen " + beggar)).value == -5


def test_keys_of_another_game():
    with pytest.raises(RecordError, match="add game=bauernschnapsen"):
        parse_line("trump=H p1=SA")


def test_every_name_of_a_contract_is_found():
    for contract in CONTRACTS.values():
        for name in (contract.german, contract.english, *contract.aliases):
            assert parse_contract(name.upper()) is contract


@pytest.mark.parametrize("text", [*PRESETS, *OPTIONS])
def test_rules_are_read_and_written(text):
    rules = TableRules.parse(text)
    assert TableRules.parse(str(rules)) == rules
    with pytest.raises(RulesError):
        TableRules.parse(text + "+nt_lead=p3")


# Worked examples of the rule sources, see data/README.md.


def test_the_trick_of_28_points():
    p = TablePosition(
        CONTRACTS["rufer"], 0, 1, (1 << 9, 1 << 11, 1 << 10, 1 << 8), 0, rules=TableRules()
    )  # ♥K, ♥A, ♥10, ♥Q
    for text in ("HK", "HA", "HT"):
        p = p.play(text)
    done = p.play("HQ")
    assert done.points == (0, 28)
    assert done.turn == 1


@pytest.mark.parametrize(
    ("points", "tricks", "expected"),
    [((68, 24), (3, 1), 2), ((86, 28), (4, 1), 2), ((70, 33), (3, 2), 1), ((66, 40), (3, 0), 3)],
)
def test_scores_of_a_race(points, tricks, expected):
    p = TablePosition(CONTRACTS["rufer"], 0, 1, (1, 2, 4, 8), 0, points=points, tricks=tricks)
    assert p.outcome == expected
