"""What the solvers return: small frozen objects that say what their numbers are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bummerl.moves import Move
from bummerl.position import PLAYERS, Position


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move and the exact value, for ``me``, of playing it."""

    move: Move
    value: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"move": str(self.move), "value": self.value}


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick of a line.

    Attributes
    ----------
    leader : int
        Who led: 0 for ``me``.
    lead : Move or None
        What was led; None if the line begins after the lead.
    reply : int or None
        The card played to it; None if the announcement ended the deal.
    winner : int
        Who took the trick, or ended the deal.
    points : tuple of int
        Counted points after it.
    led : int
        The led card.
    """

    leader: int
    lead: Move | None
    reply: Move | None
    winner: int
    points: tuple[int, int]
    led: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        from bummerl.cards import card_text

        return {
            "leader": PLAYERS[self.leader],
            "lead": card_text(self.led) if self.lead is None else str(self.lead),
            "reply": None if self.reply is None else str(self.reply),
            "winner": PLAYERS[self.winner],
            "points": f"{self.points[0]}:{self.points[1]}",
        }


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact value of a complete position, with open cards and best play by both.

    Attributes
    ----------
    position : Position
        What was solved.
    value : int
        Game points for ``me``.
    moves : tuple of MoveValue
        Every legal move of the player on turn, the best for him first.
    line : tuple of Move
        A game of best play to the end of the deal.
    tricks : tuple of Trick
        The same game trick by trick.
    nodes : int
        Positions searched for the value and the moves.
    """

    position: Position
    value: int
    moves: tuple[MoveValue, ...]
    line: tuple[Move, ...]
    tricks: tuple[Trick, ...]
    nodes: int

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that keep the value."""
        return tuple(m.move for m in self.moves if m.value == self.value)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "value": self.value,
            "kind": "exact",
            "best": [str(move) for move in self.best],
            "moves": [m.to_dict() for m in self.moves],
            "line": [str(move) for move in self.line],
            "play": [trick.to_dict() for trick in self.tricks],
            "nodes": self.nodes,
        }


@dataclass(frozen=True, slots=True)
class Value:
    """The exact value of a complete position alone."""

    value: int
    nodes: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"value": self.value, "kind": "exact", "nodes": self.nodes}


@dataclass(frozen=True, slots=True)
class Count:
    """Against how many of the possible hands something succeeds.

    Attributes
    ----------
    won, hands : int
        Hands beaten, of all possible ones, each equally likely.
    points : int
        Game points over all hands, added up.
    """

    won: int
    hands: int
    points: int

    @property
    def probability(self) -> float:
        """The share of hands beaten."""
        return self.won / self.hands

    @property
    def expected(self) -> float:
        """Game points on average."""
        return self.points / self.hands

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "won": self.won,
            "probability": self.probability,
            "fraction": str(Fraction(self.won, self.hands)),
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True)
class FirstMove:
    """One way to begin after the close, counted with open cards."""

    move: Move
    open_cards: Count

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"move": str(self.move), "open_cards": self.open_cards.to_dict()}


@dataclass(frozen=True, slots=True)
class Variant:
    """Closing with or without exchanging first, when both are possible."""

    exchange: bool
    open_cards: Count
    first_move: Move

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "exchange": self.exchange,
            "open_cards": self.open_cards.to_dict(),
            "first_move": str(self.first_move),
        }


@dataclass(frozen=True, slots=True)
class CloseResult:
    """Does closing succeed, over all hands the opponent can hold?

    Attributes
    ----------
    position : Position
        What was asked.
    hands : int
        Hands the opponent can hold.
    open_cards : Count
        Hands beaten by a player who sees them: an upper bound for what a player can do who does not.
    moves : tuple of FirstMove
        The same for each first move, best first. No first move beats more hands than `open_cards`, and it
        beats fewer where the right first move depends on the opponent's hand.
    variants : tuple of Variant
        Without and with exchanging first; empty unless both are possible.
    win, lose : int
        Game points at stake. With ``closed_count=end``, `win` is the most that can be won.
    lost_to : tuple of int
        The hands that `open_cards` does not beat, at most 20 of them.
    nodes : int
        Positions searched.
    """

    position: Position
    hands: int
    open_cards: Count
    moves: tuple[FirstMove, ...]
    variants: tuple[Variant, ...]
    win: int
    lose: int
    lost_to: tuple[int, ...]
    nodes: int

    @property
    def first_move(self) -> Move:
        """The first move that beats most hands."""
        return self.moves[0].move

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; the place of ``plan`` is kept for the certified plan."""
        from bummerl.cards import hand_text

        return {
            "hands": self.hands,
            "kind": "open-card",
            "open_cards": self.open_cards.to_dict(),
            "plan": None,
            "at_stake": {"win": self.win, "lose": self.lose},
            "first_move": str(self.first_move),
            "moves": [m.to_dict() for m in self.moves],
            "variants": [v.to_dict() for v in self.variants],
            "lost_to": [hand_text(hand) for hand in self.lost_to],
            "nodes": self.nodes,
        }
