"""What advice consists of: every action with its worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bummerl.moves import Move
from bummerl.position import Position

OUTCOMES = (-3, -2, -1, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """What an action is worth.

    Attributes
    ----------
    move : Move
        The action.
    expected : float
        Game points on average, see `basis`.
    stderr : float
        Standard error of a sample; 0 when every world was looked at.
    outcomes : dict of int to float
        How often it ends with so many game points.
    basis : str
        ``open cards``: played on with open cards after this trick. ``postponed``: the next action is chosen
        without seeing hidden cards, then with open cards. ``plan``: what one plan under a closed talon is certain
        to gain.
    upper : float
        The average with open cards after this trick: more than a player who has to guess can expect.
    match : float
        The chance to win the match after such a deal, see `match.match_chance`.
    """

    move: Move
    expected: float
    stderr: float
    outcomes: dict[int, float]
    basis: str
    upper: float
    match: float

    @property
    def win(self) -> float:
        """The chance to win the deal."""
        return sum(share for value, share in self.outcomes.items() if value > 0)

    @property
    def worst(self) -> int:
        """The worst that was seen to happen."""
        return min(value for value, share in self.outcomes.items() if share)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "move": str(self.move),
            "expected": self.expected,
            "stderr": self.stderr,
            "win": self.win,
            "worst": self.worst,
            "match": self.match,
            "outcomes": {str(value): share for value, share in self.outcomes.items()},
            "basis": self.basis,
            "upper": self.upper,
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """Every action with its worth, the best first.

    Attributes
    ----------
    position : Position
        What was asked.
    moves : tuple of MoveAdvice
        Every legal move.
    looked_at, worlds : int
        Worlds that were looked at, and how many there are.
    seed : int
        Of the sample.
    model : str
        How actions were valued, see `advise.advise`.
    weighed : bool
        Worlds count as much as the led card makes them likely, see `reading.lead_weights`.
    margin : float
        How much better the best action is than the next one that is not always worth the same.
    margin_stderr : float
        Its standard error over the same worlds; 0 when all were looked at.
    """

    position: Position
    moves: tuple[MoveAdvice, ...]
    looked_at: int
    worlds: int
    seed: int
    model: str
    weighed: bool
    margin: float
    margin_stderr: float

    @property
    def exact(self) -> bool:
        """Say whether every world was looked at."""
        return self.looked_at == self.worlds

    @property
    def best(self) -> Move:
        """The action that gains most game points."""
        return self.moves[0].move

    @property
    def best_for_match(self) -> Move:
        """The action with the best chance to win the match; `best` unless another one is clearly better."""
        best = max(self.moves, key=lambda m: m.match)
        return best.move if best.match > self.moves[0].match + 1e-9 else self.best

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "worlds": self.looked_at,
            "of": self.worlds,
            "exact": self.exact,
            "seed": self.seed,
            "model": self.model,
            "weighed": self.weighed,
            "best": str(self.best),
            "best_for_match": str(self.best_for_match),
            "margin": self.margin,
            "margin_stderr": self.margin_stderr,
            "moves": [move.to_dict() for move in self.moves],
        }
