"""A move: what a player says and does in one turn, in order: exchange, close, announce, lead or reply."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from bummerl.cards import KING, QUEEN, CardError, card_symbol, card_text, parse_card, rank_of, shorten


class MoveError(ValueError):
    """Text that is no move, or a move the rules do not allow."""


@dataclass(frozen=True, slots=True)
class Move:
    """One turn of a player.

    Attributes
    ----------
    card : int
        The card led or replied.
    marriage : int
        0, 20 or 40: announced with the card.
    exchange, close : bool
        The trump jack is exchanged first; the talon is closed.

    Examples
    --------
    >>> str(Move.parse("exchange close 40 DK"))
    'exchange close 40 DK'
    >>> Move.parse("HA").pretty()
    '♥A'
    """

    card: int
    marriage: int = 0
    exchange: bool = False
    close: bool = False

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read ``[exchange] [close] [20|40] CARD``.

        Raises
        ------
        MoveError
            If the text is anything else.
        """
        if text.strip().lower() == "draw":
            return DRAW
        words = text.split()
        rest = list(words)
        exchange = bool(rest) and rest[0].lower() == "exchange"
        if exchange:
            rest.pop(0)
        close = bool(rest) and rest[0].lower() == "close"
        if close:
            rest.pop(0)
        marriage = int(rest.pop(0)) if len(rest) == 2 and rest[0] in ("20", "40") else 0
        if len(rest) != 1:
            raise MoveError(f"{shorten(text)!r} is not a move; write [exchange] [close] [20|40] CARD, such as 40 DK")
        try:
            index = parse_card(rest[0])
        except CardError as error:
            raise MoveError(str(error)) from None
        if marriage and rank_of(index) not in (KING, QUEEN):
            raise MoveError(f"a marriage is announced by leading a king or a queen, not {card_symbol(index)}")
        return cls(index, marriage, exchange, close)

    def __str__(self) -> str:
        """Write the move as records and results do."""
        return _text(self)

    def __repr__(self) -> str:
        """Write an expression that gives the move back."""
        return f"Move.parse({str(self)!r})"

    def pretty(self) -> str:
        """Write the move as a player does: ``40 ♦K``."""
        if self.card < 0:
            return "draw"
        return self._words(card_symbol(self.card))

    def _words(self, card: str) -> str:
        words = ["exchange"] * self.exchange + ["close"] * self.close
        return " ".join([*words, *([str(self.marriage)] if self.marriage else []), card])


@lru_cache(maxsize=1024)
def _text(move: Move) -> str:
    return "draw" if move.card < 0 else move._words(card_text(move.card))


# Sixty-Six: the winner of a trick draws, where he could close before drawing.
DRAW = Move(-1)
