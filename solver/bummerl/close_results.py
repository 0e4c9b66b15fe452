"""What `close` returns: counts with open cards, certified plans, and the result that holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bummerl.cards import hand_text
from bummerl.moves import Move
from bummerl.plan_tree import PlanTree, refutations
from bummerl.position import Position
from bummerl.results import Refutation

if TYPE_CHECKING:
    from bummerl.planning import Writing

_LISTED = 20


@dataclass(frozen=True, slots=True)
class Count:
    """Against how many of the possible hands something succeeds.

    Attributes
    ----------
    won, hands : int
        Hands beaten, of all possible ones; or their weights added up.
    points : int
        Game points over all hands, added up in the same way.
    """

    won: int
    hands: int
    points: int

    @property
    def probability(self) -> float:
        """The share of hands beaten."""
        return self.won / self.hands

    @property
    def fraction(self) -> str:
        """The share of hands beaten, in lowest terms."""
        return str(Fraction(self.won, self.hands))

    @property
    def expected(self) -> float:
        """Game points on average."""
        return self.points / self.hands

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "won": self.won,
            "probability": self.probability,
            "fraction": self.fraction,
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True)
class PlanCount(Count):
    """What one plan is certain to achieve, whatever the opponent does.

    Attributes
    ----------
    won, hands, points : int
        See `Count`. The plan beats these hands for certain and gains at least these points.
    upper : int
        No plan beats more.
    certain : tuple of (int, int)
        Game points, and against how many hands it is certain to end with no fewer.
    """

    upper: int
    certain: tuple[tuple[int, int], ...] = ()

    @property
    def exact(self) -> bool:
        """Say whether this is the best plan; otherwise the best one beats `won` to `upper` hands."""
        return self.won >= self.upper

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {**Count.to_dict(self), "upper": self.upper, "exact": self.exact}


@dataclass(frozen=True, slots=True)
class FirstMove:
    """One way to begin after the close: counted with open cards, and the best plan that begins with it."""

    move: Move
    open_cards: Count
    plan: PlanCount

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"move": str(self.move), "plan": self.plan.to_dict(), "open_cards": self.open_cards.to_dict()}


@dataclass(frozen=True, slots=True)
class Variant:
    """Closing with or without exchanging first, when both are possible."""

    exchange: bool
    open_cards: Count
    plan: PlanCount
    first_move: Move

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "exchange": self.exchange,
            "plan": self.plan.to_dict(),
            "open_cards": self.open_cards.to_dict(),
            "first_move": str(self.first_move),
        }


@dataclass(frozen=True)
class CloseResult:
    """Does closing succeed, over all hands the opponent can hold?

    Attributes
    ----------
    position : Position
        What was asked.
    open_cards : Count
        Hands beaten by a player who sees them: no plan beats more.
    plan : PlanCount
        Hands beaten by the best plan, one way of playing that depends only on what the player sees.
    moves : tuple of FirstMove
        The same for each first move, best first. `open_cards` can be higher than for any of them, where the
        right first move depends on the opponent's hand.
    variants : tuple of Variant
        Without and with exchanging first; empty unless both are possible.
    win, lose : int
        Game points at stake. With ``closed_count=end``, `win` is the most that can be won.
    nodes : int
        Positions searched: with open cards, and for the plans.
    possible : tuple of int
        The hands the opponent can hold.
    unbeaten : tuple of int
        The hands that the plan does not beat.
    beatable : frozenset of int
        Those of them that are beaten with open cards.
    write : callable
        Writes the plan down, which `tree` and `refutations` need.
    """

    position: Position
    open_cards: Count
    plan: PlanCount
    moves: tuple[FirstMove, ...]
    variants: tuple[Variant, ...]
    win: int
    lose: int
    nodes: int
    possible: tuple[int, ...] = field(repr=False)
    unbeaten: tuple[int, ...] = field(repr=False)
    beatable: frozenset[int] = field(repr=False)
    write: Callable[[], Writing] = field(repr=False, compare=False)

    @property
    def hands(self) -> int:
        """How many hands the opponent can hold."""
        return len(self.possible)

    @property
    def first_move(self) -> Move:
        """The first move of the plan."""
        return self.moves[0].move

    @property
    def laid_open(self) -> bool:
        """Say whether the plan beats every hand, so that the cards could be laid on the table."""
        return self.plan.won == self.plan.hands

    @property
    def hopeless(self) -> bool:
        """Say whether no hand can be beaten, not even with open cards."""
        return self.open_cards.won == 0

    @cached_property
    def writing(self) -> Writing:
        """The plan line by line, see `kernels.plan_layout`."""
        return self.write()

    @cached_property
    def tree(self) -> PlanTree:
        """The plan itself, to follow at the table."""
        return PlanTree.build(self.position, self.first_move, self.writing.lines, self.possible)

    def refutations(self) -> Iterator[Refutation]:
        """Go through the hands that the plan does not beat: how each is defended, and whether it is beatable."""
        return refutations(self.position, self.first_move, self.writing.lines, self.unbeaten, self.beatable)

    def to_dict(self, details: bool = True) -> dict[str, Any]:
        """Return the JSON object.

        Parameters
        ----------
        details : bool
            With the plan's tree and all refutations, which can be long.
        """
        found: dict[str, Any] = {
            "hands": self.hands,
            "open_cards": self.open_cards.to_dict(),
            "plan": self.plan.to_dict(),
            "at_stake": {"win": self.win, "lose": self.lose},
            "first_move": str(self.first_move),
            "laid_open": self.laid_open,
            "hopeless": self.hopeless,
            "moves": [m.to_dict() for m in self.moves],
            "variants": [v.to_dict() for v in self.variants],
            "lost_to": [hand_text(hand) for hand in self.unbeaten[: None if details else _LISTED]],
            "nodes": self.nodes,
        }
        if details:
            found["plan"]["tree"] = self.tree.to_dict()
            found["refutations"] = [r.to_dict() for r in self.refutations()]
        return found
