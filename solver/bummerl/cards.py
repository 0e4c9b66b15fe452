"""Suits, ranks, cards and hands: as numbers, as text, and as players write them.

A card is a number, ``6 * suit + rank``, with suits S H D C as 0 to 3 and ranks 9 J Q K T A as 0 to 5 (the
nines are used in Sixty-Six only). A hand is an integer with one bit a card, so a union is ``|``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

SUITS = "SHDC"
RANKS = "9JQKTA"
SYMBOLS = "♠♥♦♣"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
POINTS = (0, 2, 3, 4, 10, 11)
KING, QUEEN, JACK, NINE = RANKS.index("K"), RANKS.index("Q"), RANKS.index("J"), RANKS.index("9")
DECK_SIZE = 20
DECK = sum(1 << (6 * suit + rank) for suit in range(4) for rank in range(1, 6))
NINES = 0x041041
UNKNOWN = "?"

_SUIT_WORDS = {
    "S": ("spades", "spade", "leaves", "green", "laub", "blatt", "grün", "pik"),
    "H": ("hearts", "heart", "red", "herz", "rot"),
    "D": ("diamonds", "diamond", "bells", "schellen", "schell", "karo"),
    "C": ("clubs", "club", "acorns", "eichel", "treff", "kreuz"),
}
_WORD_TO_SUIT = {word: SUITS.index(suit) for suit, words in _SUIT_WORDS.items() for word in words}
_GLYPHS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC", "\ufe0e\ufe0f")
_TOKEN = re.compile(r"10|[SHDC]|[ATKQJOU9]")
_SEPARATORS = re.compile(r"[,\s]+")
_RANK_ALIASES = {"10": "T", "O": "Q", "U": "J"}


class CardError(ValueError):
    """Text that names no card, hand or suit; the message quotes it."""


def card(suit: int, rank: int) -> int:
    """Return the number of a card."""
    return 6 * suit + rank


def suit_of(index: int) -> int:
    """Return the suit of a card, 0 to 3."""
    return index // 6


def rank_of(index: int) -> int:
    """Return the rank of a card, 0 to 5 for 9 J Q K T A."""
    return index % 6


def points_of(index: int) -> int:
    """Return the points of a card.

    Examples
    --------
    >>> points_of(parse_card("HT"))
    10
    """
    return POINTS[index % 6]


def suit_mask(suit: int) -> int:
    """Return the hand of all cards of a suit, nines included."""
    return 0x3F << 6 * suit


def cards_in(hand: int) -> Iterator[int]:
    """Go through the cards of a hand in canonical order: suits S H D C, ranks high to low."""
    for suit in range(4):
        part = (hand >> 6 * suit) & 0x3F
        while part:
            rank = part.bit_length() - 1
            yield 6 * suit + rank
            part ^= 1 << rank


@lru_cache(maxsize=4096)
def hand_points(hand: int) -> int:
    """Add up the points of a hand.

    Examples
    --------
    >>> hand_points(parse_hand("SATKQJ"))
    30
    """
    return sum(POINTS[index % 6] for index in cards_in(hand))


def hand_of(cards: Iterable[int]) -> int:
    """Return the hand that holds these cards; a card given twice is a `CardError`."""
    hand = 0
    for index in cards:
        if hand >> index & 1:
            raise CardError(f"{card_symbol(index)} stands twice")
        hand |= 1 << index
    return hand


def _tokens(text: str) -> list[str]:
    plain = text.translate(_GLYPHS).upper()
    tokens: list[str] = []
    at = 0
    while at < len(plain):
        found = _TOKEN.match(plain, at)
        if not found:
            raise CardError(
                f"{shorten(text)!r} is not a card or hand: {plain[at]!r} is neither a suit (S H D C) nor a rank (A T K Q J)"
            )
        tokens.append(_RANK_ALIASES.get(found.group(), found.group()))
        at = found.end()
    return tokens


@lru_cache(maxsize=8192)
def _parse_group(text: str) -> tuple[int, ...]:
    """Read one run of cards: ``SAT`` or ``SATHK`` (suit first), or ``AS`` or ``ASKH`` (rank first)."""
    tokens = _tokens(text)
    if not tokens:
        return ()
    suit_first = tokens[0] in SUITS
    if (tokens[-1] in SUITS) == suit_first:
        missing = "a suit without a rank" if suit_first else "a rank without a suit"
        raise CardError(f"{shorten(text)!r} has {missing}; write cards like SA or hands like SAT,HK")
    if not suit_first:
        tokens.reverse()
    found: list[int] = []
    suit, ranks = -1, 1
    for token in tokens:
        if token in SUITS:
            if not ranks:
                raise CardError(
                    f"{shorten(text)!r} has a suit without a rank; write cards like SA or hands like SAT,HK"
                )
            suit, ranks = SUITS.index(token), 0
        else:
            found.append(card(suit, RANKS.index(token)))
            ranks += 1
    return tuple(found if suit_first else reversed(found))


def parse_cards(text: str) -> list[int]:
    """Read cards in every accepted spelling, in the order written.

    Parameters
    ----------
    text : str
        Cards suit first (``SA``), grouped (``SAT,HK``), rank first (``AS``), with ``10``, ``O``, ``U``,
        lower case or ♠♥♦♣; commas and spaces are optional.

    Returns
    -------
    list of int
        The cards.

    Raises
    ------
    CardError
        If something in the text is not a card.

    Examples
    --------
    >>> [card_text(c) for c in parse_cards("♠a10, kh,DOU")]
    ['SA', 'ST', 'HK', 'DQ', 'DJ']
    """
    return [index for part in _SEPARATORS.split(text) for index in _parse_group(part)]


def parse_hand(text: str) -> int:
    """Read a hand in every accepted spelling (see `parse_cards`); a card given twice is a `CardError`.

    Examples
    --------
    >>> hand_text(parse_hand("QD,SATHK dj"))
    'SAT,HK,DQJ'
    """
    return hand_of(parse_cards(text))


def parse_card(text: str) -> int:
    """Read exactly one card.

    Examples
    --------
    >>> card_text(parse_card("10♥"))
    'HT'
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"{shorten(text)!r} is not one card; write it like SA or HT")
    return cards[0]


def parse_suit(text: str) -> int:
    """Read a suit: a letter, a symbol, or its English or German name.

    Examples
    --------
    >>> [parse_suit(t) for t in ("S", "♥", "Bells", "eichel")]
    [0, 1, 2, 3]
    """
    plain = text.strip().translate(_GLYPHS)
    if len(plain) == 1 and plain.upper() in SUITS:
        return SUITS.index(plain.upper())
    if plain.lower() in _WORD_TO_SUIT:
        return _WORD_TO_SUIT[plain.lower()]
    raise CardError(f"{shorten(text)!r} is not a suit; write S, H, D or C")


def card_text(index: int) -> str:
    """Write a card as records do: ``HT``."""
    return SUITS[index // 6] + RANKS[index % 6]


def hand_text(hand: int) -> str:
    """Write a hand as records do: ``SAT,HK,DQJ``."""
    return ",".join(
        SUITS[suit] + "".join(RANKS[c % 6] for c in cards_in(hand & suit_mask(suit)))
        for suit in range(4)
        if hand & suit_mask(suit)
    )


def card_symbol(index: int) -> str:
    """Write a card as players do: ``♥10``."""
    return SYMBOLS[index // 6] + _rank_symbol(index % 6)


def hand_symbols(hand: int) -> str:
    """Write a hand as players do, grouped by suit: ``♠A10  ♥K``.

    Examples
    --------
    >>> hand_symbols(parse_hand("SAT,HK"))
    '♠A10  ♥K'
    """
    return "  ".join(
        SYMBOLS[suit] + "".join(_rank_symbol(c % 6) for c in cards_in(hand & suit_mask(suit)))
        for suit in range(4)
        if hand & suit_mask(suit)
    )


def _rank_symbol(rank: int) -> str:
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def printable(text: str) -> str:
    """Replace line ends, control characters and the like by a dot."""
    return "".join(c if c.isprintable() else "·" for c in text)


def shorten(text: str, width: int = 40) -> str:
    """Cut a quoted input to a readable length and make it one printable line."""
    line = printable(text)
    return line if len(line) <= width else line[: width - 1] + "…"
