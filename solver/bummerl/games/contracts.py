"""The contracts of the games for four and three players, in ascending order, with their names in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bummerl.cards import DECK, shorten, suit_mask


class Aim(Enum):
    """What a contract is about: the race to 66, three tricks with 66, all tricks, or none."""

    RACE = 0
    THREE_TRICKS = 1
    ALL_TRICKS = 2
    NO_TRICK = 3


class ContractError(ValueError):
    """Text that names no contract."""


@dataclass(frozen=True, slots=True)
class Contract:
    """One contract.

    Attributes
    ----------
    name : str
        As records write it.
    german, english : str
        What players call it.
    aliases : tuple of str
        Other names, in lower case.
    value : int
        Game points; a race is worth 1, 2 or 3.
    aim : Aim
        What has to be done.
    has_trump : bool
        Otherwise no suit is better than another, and the declarer leads.
    seats : tuple of int
        Who may bid it in Bauernschnapsen: 0 is forehand, 3 the dealer.
    hand : str
        What the declarer must hold: ``one ace``, ``one suit``, ``all trumps``, or nothing special.
    doubled : bool
        Whether Kontra can be given.
    ten_hole : bool
        The ace is the lowest card.

    Examples
    --------
    >>> parse_contract("Gang").name, parse_contract("farmer's").value
    ('durchmarsch', 12)
    """

    name: str
    german: str
    english: str
    aliases: tuple[str, ...]
    value: int
    aim: Aim
    has_trump: bool
    seats: tuple[int, ...] = (0, 1, 2, 3)
    hand: str = ""
    doubled: bool = True
    ten_hole: bool = False

    @property
    def seats_of_three(self) -> tuple[int, ...]:
        """Who may bid it in Dreierschnapsen; nobody where it needs five cards of a suit."""
        if self.hand in ("one suit", "all trumps"):
            return ()
        return _THREE_SEATS[self.seats]

    def seats_among(self, players: int) -> tuple[int, ...]:
        """Return who may bid it."""
        return self.seats if players == 4 else self.seats_of_three

    @property
    def takes_talon(self) -> bool:
        """Whether the declarer of three takes the talon."""
        return self.aim is not Aim.NO_TRICK


_ACES = 0x820820
_OURS, _THEIRS, _ALL = (0, 2), (1, 3), (0, 1, 2, 3)
_THREE_SEATS = {(0,): (0,), _OURS: (0,), _THEIRS: (1, 2), _ALL: (0, 1, 2)}
_THREE, _MARCH, _NONE = Aim.THREE_TRICKS, Aim.ALL_TRICKS, Aim.NO_TRICK
_MARCHES = ("gang", "gangl", "ring", "ringerl", "land", "march")
CONTRACTS: dict[str, Contract] = {
    contract.name: contract
    for contract in (
        Contract("rufer", "Rufer", "normal game", ("normal", "normales spiel"), 1, Aim.RACE, True, (0,)),
        Contract("bettler", "Bettler", "beggar", (), 5, _NONE, False),
        Contract("assbettler", "Assbettler", "ace beggar", ("ass-bettler",), 6, _NONE, False, _ALL, "one ace"),
        Contract("schnapser", "Schnapser", "three-trick game", ("three tricks",), 6, _THREE, True, _OURS),
        Contract("durchmarsch", "Durchmarsch", "march", _MARCHES, 9, _MARCH, False),
        Contract("zehnerloch", "Zehnerloch", "ten-hole", ("zehner-gang", "zehnergang", "ten hole"), 10, _MARCH, False,
                 ten_hole=True),
        Contract("kontraschnapser", "Kontraschnapser", "counter three-trick game", ("kontra-schnapser",), 12, _THREE, True,
                 _THEIRS),
        Contract("bauernschnapser", "Bauernschnapser", "farmer's game", ("bauern-schnapser", "farmer's", "bauer"), 12,
                 _MARCH, True, _OURS),
        Contract("herrengangl", "Herrengangl", "colour march", ("farbenringerl", "herren-gangl"), 18, _MARCH, False,
                 (1, 2, 3), "one suit", doubled=False),
        Contract("kontrabauernschnapser", "Kontrabauernschnapser", "counter farmer's game", ("kontra-bauernschnapser",), 24,
                 _MARCH, True, _THEIRS),
        Contract("herrenschnapser", "Herrenschnapser", "lords' game", ("herren-schnapser", "lords'"), 24, _MARCH, True,
                 (0,), "all trumps", doubled=False),
    )
}  # fmt: skip


def parse_contract(text: str) -> Contract:
    """Return the contract of a name: its own, German, English, or another one.

    Raises
    ------
    ContractError
        If there is none of that name.
    """
    word = text.strip().lower()
    for contract in CONTRACTS.values():
        if word in (contract.name, contract.german.lower(), contract.english, *contract.aliases):
            return contract
    raise ContractError(f"there is no contract called {shorten(text)!r}; contracts are {', '.join(CONTRACTS)}")


def fits(contract: Contract, hand: int, trump: int | None) -> bool:
    """Say whether a hand is one to bid a contract with.

    Examples
    --------
    >>> from bummerl.cards import parse_hand
    >>> fits(CONTRACTS["herrengangl"], parse_hand("CATKQJ"), trump=1), fits(CONTRACTS["assbettler"], parse_hand("CATKQJ"), 1)
    (True, True)
    """
    if contract.hand == "one ace":
        return (hand & _ACES).bit_count() == 1
    if contract.hand == "all trumps":
        return trump is not None and hand == DECK & suit_mask(trump)
    if contract.hand == "one suit":
        return any(hand == DECK & suit_mask(suit) for suit in range(4) if suit != trump)
    return True
