import pytest
from hypothesis import given
from hypothesis import strategies as st

from bummerl import cards
from bummerl.cards import CardError, card_text, hand_symbols, hand_text, parse_card, parse_cards, parse_hand, parse_suit

SAME_HAND = [
    "SAT,HK,DQJ",
    "SATHKDQJ",
    "SA,ST,HK,DQ,DJ",
    "sa10,hk,dqj",
    "AS,TS,KH,QD,JD",
    "as10skhqdjd",
    "♠A10,♥K,♦QJ",
    "♤A10 ♡K ♢QJ",
    "♠\ufe0fA10 ♥\ufe0fK,♦\ufe0fQJ",
    "SAT HK DOU",
    "sat, hk, dou",
    "DJQ,KH,S10A",
    "A10S,KH,QJD",
]


@pytest.mark.parametrize("text", SAME_HAND)
def test_every_accepted_spelling(text):
    assert hand_text(parse_hand(text)) == "SAT,HK,DQJ"


def test_points_of_the_pack():
    assert cards.hand_points(cards.DECK) == 120
    assert all(cards.hand_points(cards.DECK & cards.suit_mask(suit)) == 30 for suit in range(4))


def test_ordered_list_keeps_its_order():
    assert [card_text(c) for c in parse_cards("HA,ST,DJ")] == ["HA", "ST", "DJ"]
    assert [card_text(c) for c in parse_cards("AH TS JD")] == ["HA", "ST", "DJ"]


def test_symbols():
    assert hand_symbols(parse_hand("CJ,SAT")) == "♠A10  ♣J"


@pytest.mark.parametrize("text", ["X", "S", "A", "SAH", "SHA", "1", "S1", "HAA", "SA,HA,SA", "S-A", "ASK", "7S", "A♥K"])
def test_what_is_not_a_hand(text):
    with pytest.raises(CardError) as caught:
        parse_hand(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "SA,HA", "SAT", "S"])
def test_what_is_not_one_card(text):
    with pytest.raises(CardError):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "suit"),
    [
        ("S", 0),
        ("♥", 1),
        ("d", 2),
        ("Clubs", 3),
        ("leaves", 0),
        ("Red", 1),
        ("Bells", 2),
        ("Acorns", 3),
        ("Laub", 0),
        ("Herz", 1),
    ],
)
def test_suits_by_name(text, suit):
    assert parse_suit(text) == suit


@given(st.integers(0, cards.DECK).map(lambda x: x & cards.DECK))
def test_hands_round_trip(hand):
    assert parse_hand(hand_text(hand)) == hand
    assert parse_hand(hand_symbols(hand)) == hand


@given(st.text(max_size=30))
def test_any_text_is_a_hand_or_an_error(text):
    try:
        parse_hand(text)
    except CardError as error:
        assert "\n" not in str(error)
