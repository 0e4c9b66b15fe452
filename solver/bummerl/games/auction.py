"""The opening of a Bauernschnapsen deal: the suit of trumps, then the auction with its doublings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bummerl.cards import JACK, cards_in, parse_suit, rank_of, suit_mask, suit_of
from bummerl.games.contracts import CONTRACTS, Contract, ContractError, fits, parse_contract
from bummerl.games.table_rules import TableRules

GOOD = "pass"
TURN_UP = "turn up"
DOUBLINGS = {1: "kontra", 2: "rekontra", 4: "subkontra"}
_PASS_WORDS = (GOOD, "gut", "good")


class AuctionError(ValueError):
    """A call or a choice that the rules do not allow."""


def may_redeal(first_three: int, rules: TableRules) -> bool:
    """Say whether forehand may demand a new deal: his first three cards are jacks."""
    return rules.redeal and all(rank_of(index) == JACK for index in cards_in(first_three))


def trump_choices(first_three: int) -> list[str]:
    """Return what forehand may say: a suit among his first three cards, or to turn one of the last two up.

    Examples
    --------
    >>> from bummerl.cards import parse_hand
    >>> trump_choices(parse_hand("SQ,HJ,DQ"))
    ['S', 'H', 'D', 'turn up']
    """
    return [*("SHDC"[suit] for suit in range(4) if first_three & suit_mask(suit)), TURN_UP]


def choose_trump(first_three: int, last_two: tuple[int, int], choice: str, turned: int = 0) -> int:
    """Return the suit of trumps: the one named, or that of the card turned up, 0 or 1 of the last two.

    Raises
    ------
    AuctionError
        If forehand names a suit that is not among his first three cards.
    """
    if choice == TURN_UP:
        return suit_of(last_two[turned])
    suit = parse_suit(choice)
    if not first_three & suit_mask(suit):
        raise AuctionError(f"forehand has no {choice} among the first three cards; name one of those suits or turn up")
    return suit


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction in progress; every call gives a new one.

    Attributes
    ----------
    hands : tuple of int
        The cards of the four seats from forehand on.
    trump : int
        The suit of trumps.
    contract, declarer : Contract or None, int
        The highest bid and its seat; before the opening None and 0.
    kontra : int
        1, 2, 4 or 8.
    turn : int
        Who calls next.
    out : frozenset of int
        Who has passed for good.
    asked : int
        Passes in a row.
    doubling : bool
        The bidding is over; only doublings may follow.
    over : bool
        Nothing more can be said.

    Examples
    --------
    >>> from bummerl.cards import parse_hand
    >>> hands = tuple(map(parse_hand, ("HAT,SA,DKJ", "STKQJ", "DATQ,CAT", "CKQJ,HKQ")))
    >>> auction = Auction(hands, 1).say("rufer").say("durchmarsch")
    >>> auction.contract.name, auction.turn
    ('durchmarsch', 2)
    """

    hands: tuple[int, ...]
    trump: int
    rules: TableRules = TableRules()
    contract: Contract | None = None
    declarer: int = 0
    kontra: int = 1
    turn: int = 0
    out: frozenset[int] = frozenset()
    asked: int = 0
    doubling: bool = False
    over: bool = False

    @property
    def calls(self) -> list[str]:
        """What the player on turn may say."""
        if self.over:
            return []
        bids = [] if self.doubling else [c.name for c in CONTRACTS.values() if self._may_bid(c)]
        if self.contract is None:
            return bids
        double = [DOUBLINGS[self.kontra]] if self._may_double() else []
        return [GOOD, *bids, *double]

    def say(self, call: str) -> Auction:
        """Return the auction after the player on turn has called.

        Raises
        ------
        AuctionError
            If he may not say that.
        """
        word = call.strip().lower()
        if word in _PASS_WORDS:
            word = GOOD
        elif word not in DOUBLINGS.values():
            try:
                word = parse_contract(word).name
            except ContractError as error:
                raise AuctionError(str(error)) from None
        if word not in self.calls:
            allowed = ", ".join(self.calls) or "nothing: the auction is over"
            raise AuctionError(f"p{self.turn + 1} may not say {word}; allowed: {allowed}")
        if word == GOOD:
            return self._passed()
        if word in CONTRACTS:
            bid = replace(self, contract=CONTRACTS[word], declarer=self.turn, kontra=1, asked=0)
            return bid._next() if len(bid.out) < 3 else bid._doubling_round()
        doubled = replace(self, kontra=2 * self.kontra, asked=0)
        return doubled._doubling_round() if self.doubling else doubled._next()

    def _may_bid(self, contract: Contract) -> bool:
        if self.turn not in contract.seats or not fits(contract, self.hands[self.turn], self.trump):
            return False
        if self.contract is None:
            return True
        if self.kontra > 1:
            return contract.value > self.contract.value * self.kontra
        new, old = self.rules.rank(contract), self.rules.rank(self.contract)
        if self.rules.auction == "rulebook" or new != old:
            return new > old
        first_stays = self.rules.six == "first" and contract.value in (6, 24) and contract != self.contract
        return self.turn < self.declarer and not first_stays

    def _may_double(self) -> bool:
        if self.contract is None or self.kontra == 8 or not self.rules.doubles(self.contract):
            return False
        if not self.doubling and self.rules.auction == "guide":
            return False
        against = (self.turn - self.declarer) % 2 == 1
        return against == (self.kontra in (1, 4))

    def _passed(self) -> Auction:
        now = replace(self, asked=self.asked + 1)
        if self.doubling:
            # Both players of the side that could double have been asked.
            return replace(now, over=True) if now.asked == 2 else replace(now, turn=(self.turn + 2) % 4)
        if self.rules.auction == "rulebook":
            return now._doubling_round() if now.asked == 3 else now._next()
        now = replace(now, out=self.out | {self.turn})
        return now._doubling_round() if len(now.out) == 3 else now._next()

    def _next(self) -> Auction:
        turn = (self.turn + 1) % 4
        while turn in self.out:
            turn = (turn + 1) % 4
        return replace(self, turn=turn)

    def _doubling_round(self) -> Auction:
        """Ask the side that may double now, the lower seat first."""
        if self.contract is None or self.kontra == 8 or not self.rules.doubles(self.contract):
            return replace(self, doubling=True, over=True)
        side = (self.declarer + (self.kontra in (1, 4))) % 2
        return replace(self, doubling=True, asked=0, turn=side)

    @property
    def known(self) -> dict[int, str]:
        """What the highest bid tells about its bidder's cards, by seat."""
        return {self.declarer: self.contract.hand} if self.contract and self.contract.hand else {}
