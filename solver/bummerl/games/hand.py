"""What one player of Bauernschnapsen or Dreierschnapsen sees when he has to bid: cards, seat, and the suit of trumps."""

from __future__ import annotations

from dataclasses import dataclass

from bummerl.games.contracts import CONTRACTS, Contract, fits
from bummerl.games.table_rules import TableRules


@dataclass(frozen=True, slots=True)
class TableHand:
    """A hand to bid on.

    Attributes
    ----------
    me : int
        Five cards, of three players six, or eight with the talon; forehand's first three while he has to name trumps.
    seat : int
        0 for forehand to 3 for the dealer.
    trump : int or None
        The suit of trumps; None while it has to be named.
    score : tuple of int
        Game points still needed in the match, by this side and the other one.
    rules : TableRules
        The table's options.
    players : int
        Four, or three in Dreierschnapsen.

    Examples
    --------
    >>> from bummerl.records import parse_line
    >>> hand = parse_line("game=bauernschnapsen me=HATJ,SAT seat=p1 trump=H").position
    >>> [contract.name for contract in hand.contracts][-2:]
    ['zehnerloch', 'bauernschnapser']
    """

    me: int
    seat: int
    trump: int | None = None
    score: tuple[int, int] = (24, 24)
    rules: TableRules = TableRules()
    players: int = 4

    def __str__(self) -> str:
        """Write the canonical line."""
        from bummerl.games.table_records import hand_fields

        return " ".join(f"{key}={value}" for key, value in hand_fields(self).items())

    @property
    def contracts(self) -> list[Contract]:
        """What this player may bid with this hand, in ascending order."""
        return [c for c in CONTRACTS.values() if self.seat in c.seats_among(self.players) and self._can(c)]

    def _can(self, contract: Contract) -> bool:
        # Who has taken the talon no longer plays to take no trick.
        return fits(contract, self.me, self.trump) and (contract.takes_talon or not self.has_talon)

    @property
    def has_talon(self) -> bool:
        """Whether the talon has been taken, and two cards are to be laid away."""
        return self.me.bit_count() == 8
