"""Random deals and positions of Bauernschnapsen and Dreierschnapsen, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bummerl.cards import DECK, cards_in, suit_mask, suit_of
from bummerl.games.contracts import Contract, fits, parse_contract
from bummerl.games.table import TablePosition
from bummerl.games.table_rules import TableRules


def iterate_tables(
    count: int,
    seed: int,
    contract: str = "rufer",
    rules: TableRules = TableRules(),
    tricks: int = 0,
    mid_trick: bool = False,
    players: int = 4,
) -> Iterator[TablePosition]:
    """Go through random positions one by one, see `random_tables`."""
    chosen = parse_contract(contract)
    for number in range(count):
        rng = Random(f"{seed}:{number}:{chosen.name}:{tricks}:{mid_trick}{':3' * (players == 3)}")  # noqa: S311
        found = None
        while found is None:
            found = _played(rng, _deal(rng, chosen, rules, players), tricks, mid_trick)
        yield found


def random_tables(
    count: int,
    seed: int,
    contract: str = "rufer",
    rules: TableRules = TableRules(),
    tricks: int = 0,
    mid_trick: bool = False,
    players: int = 4,
) -> list[TablePosition]:
    """Return random positions of a contract.

    Forehand names a suit among his first three cards, any player who may bids, and where the contract asks for a
    special hand he has one.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        The same seed gives the same positions.
    contract : str
        Name of the contract.
    rules : TableRules, optional
        The table's options.
    tricks : int
        Tricks of random legal play; deals that end before are dealt again.
    mid_trick : bool
        One card more.
    players : int
        Four; or three, where the talon is still to be taken at the deal, and later two random cards were laid away.

    Examples
    --------
    >>> [position] = random_tables(1, seed=1, contract="durchmarsch")
    >>> position.contract.german, position.turn == position.declarer
    ('Durchmarsch', True)
    """
    return list(iterate_tables(count, seed, contract, rules, tricks, mid_trick, players))


def _deal(rng: Random, contract: Contract, rules: TableRules, players: int) -> TablePosition:
    declarer = rng.choice(contract.seats_among(players))
    size = 20 // players
    while True:
        cards = list(cards_in(DECK))
        rng.shuffle(cards)
        if contract.hand in ("one suit", "all trumps"):
            suit = rng.randrange(4)
            own = [index for index in cards if suit_mask(suit) >> index & 1]
            others = [index for index in cards if index not in own]
            cards = others[: 5 * declarer] + own + others[5 * declarer :]
        hands = tuple(sum(1 << index for index in cards[size * seat : size * seat + size]) for seat in range(players))
        trump = suit_of(cards[rng.randrange(3)])
        if fits(contract, hands[declarer], trump):
            talon = 0
            if players == 3 and contract.takes_talon:
                talon = 1 << cards[18] | 1 << cards[19]
            deal = TablePosition(contract, declarer, trump, hands, 0, rules=rules, talon=talon)
            return deal.changed(turn=deal.first_leader)


def _played(rng: Random, deal: TablePosition, tricks: int, mid_trick: bool) -> TablePosition | None:
    """Play some random tricks, or return None where the deal ends before."""
    position = deal
    if deal.talon and (tricks or mid_trick):
        eight = list(cards_in(deal.hands[deal.declarer] | deal.talon))
        position = deal.lay_away(sum(1 << index for index in rng.sample(eight, 2)))
    while sum(position.tricks) < tricks or (mid_trick and not position.trick):
        position = position.play(rng.choice(position.legal_moves()))
        if position.outcome is not None:
            return None
    return position
