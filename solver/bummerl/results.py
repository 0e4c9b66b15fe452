"""What the solvers return: small frozen objects that say what their numbers are."""

from __future__ import annotations

from dataclasses import dataclass
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
class Refutation:
    """How a hand beats a plan.

    Attributes
    ----------
    hand : int
        The opponent's hand.
    beatable : bool
        A player who sees it beats it.
    line : tuple of Move
        A game: the plan's moves and the answers that beat it, from the first move on to the end.
    """

    hand: int
    beatable: bool
    line: tuple[Move, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        from bummerl.cards import hand_text

        return {
            "hand": hand_text(self.hand),
            "beatable_with_open_cards": self.beatable,
            "line": [str(move) for move in self.line],
        }
