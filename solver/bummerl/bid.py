"""What a player of a game for four or three can bid: how often each contract is made, and what that is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from bummerl.cards import card_text, cards_in
from bummerl.errors import RecordError
from bummerl.games.contracts import CONTRACTS, Aim, Contract
from bummerl.games.hand import TableHand
from bummerl.games.table import SEATS
from bummerl.layouts import Counted, Layouts
from bummerl.match import TABLE_OUTCOMES, chance_after
from bummerl.table_solve import TableSolution, solve_table

KONTRA = (1, 2, 4, 8)
_RACES = {4: 20_000, 3: 2_000}
# In how many layouts each order of a plan is tried.
_TRIED = 200


@dataclass(frozen=True, slots=True)
class Plan:
    """One way of playing a contract without trumps, fixed by what the declarer sees; all others do their worst.

    Attributes
    ----------
    counted : Counted
        The layouts it beats.
    best : bool
        Whether no plan beats more: so it is for taking all tricks. To take none it is the best of those that play
        the first legal card of one order.
    order : tuple of int
        That order; empty for taking all tricks, where each suit is led from the top.
    """

    counted: Counted
    best: bool
    order: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        found: dict[str, Any] = {"won": self.counted.won, "layouts": self.counted.done, "exact": self.best}
        found["probability"] = self.counted.probability
        if self.order:
            found["order"] = [card_text(index) for index in self.order]
        return found


@dataclass(frozen=True, slots=True)
class ContractBid:
    """One contract a player may bid, with open cards and best play by all.

    Attributes
    ----------
    contract : Contract
        Which.
    counted : Counted
        How it ended in the layouts.
    worth : int
        Its game points under the options.
    match : float or None
        The chance to win the match if it is played without Kontra; None for three players, who are no two sides.
    beaten_by : TableSolution or None
        A layout that beats it, with the line.
    plan : Plan or None
        Without trumps: what is certain with what the declarer sees.
    """

    contract: Contract
    counted: Counted
    worth: int
    match: float | None
    beaten_by: TableSolution | None
    plan: Plan | None = None

    @property
    def expected(self) -> float:
        """Game points on average, without Kontra."""
        return self.counted.mean * self.worth

    @property
    def stderr(self) -> float:
        """The standard error of `expected`; 0 if all layouts were looked at."""
        return self.counted.stderr() * self.worth

    @property
    def laid_open(self) -> bool:
        """Whether it is made in every layout, so that the cards can be shown."""
        return self.counted.exact and self.counted.won == self.counted.of

    @property
    def outcomes(self) -> dict[int, float]:
        """Game points without Kontra, and their shares."""
        return {value * self.worth: count / self.counted.done for value, count in self.counted.results.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        found: dict[str, Any] = {
            "contract": self.contract.name,
            "probability": self.counted.probability,
            "made": self.counted.won,
            "layouts": self.counted.done,
            "of": self.counted.of,
            "exact": self.counted.exact,
            "laid_open": self.laid_open,
            "value": self.worth,
            "expected": self.expected,
            "stderr": self.stderr,
            "match": self.match,
            "outcomes": {str(value): share for value, share in sorted(self.outcomes.items())},
        }
        if self.contract.doubled:
            found["kontra"] = {str(level): level * self.expected for level in KONTRA}
        if self.plan is not None:
            found["plan"] = self.plan.to_dict()
        if self.beaten_by is not None:
            found["beaten_by"] = str(self.beaten_by.position)
            found["beaten_line"] = [str(move) for move in self.beaten_by.line]
        return found


@dataclass(frozen=True, slots=True)
class Bid:
    """What a player can bid.

    Attributes
    ----------
    hand : TableHand
        What he sees.
    contracts : tuple of ContractBid
        What he may bid, the best for him first.
    passing : ContractBid or None
        Forehand's race, which is played if nobody bids, seen from this player's side; None for forehand himself.
    seed : int
        Of samples.
    """

    hand: TableHand
    contracts: tuple[ContractBid, ...]
    passing: ContractBid | None
    seed: int

    @property
    def best(self) -> str:
        """The contract with most game points on average, or ``pass``."""
        found = max(self._choices(), key=lambda choice: choice[1].expected)
        return found[0]

    @property
    def best_for_match(self) -> str:
        """The choice with the best chance to win the match."""
        known = [(name, one.match) for name, one in self._choices() if one.match is not None]
        return max(known, key=lambda choice: choice[1])[0] if known else self.best

    def _choices(self) -> list[tuple[str, ContractBid]]:
        found = [(one.contract.name, one) for one in self.contracts]
        return [*found, ("pass", self.passing)] if self.passing else found

    def break_even(self, found: ContractBid) -> float | None:
        """Return with what chance a contract of fixed value would be worth as much as the race that is played instead."""
        race = self.passing or next((one for one in self.contracts if one.contract.aim is Aim.RACE), None)
        if race is None or found.contract.aim is Aim.RACE:
            return None
        return min(max((1 + race.expected / found.worth) / 2, 0.0), 1.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        rows = []
        for one in self.contracts:
            row = one.to_dict()
            row["break_even"] = self.break_even(one)
            rows.append(row)
        return {
            "seat": SEATS[self.hand.seat],
            "best": self.best,
            "best_for_match": self.best_for_match,
            "contracts": rows,
            "passing": self.passing.to_dict() if self.passing else None,
            "seed": self.seed,
        }


def bid(
    hand: TableHand,
    contracts: Sequence[str] | None = None,
    *,
    most: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> Bid:
    """Count, for each contract a player may bid, the layouts of the unseen cards in which it is made with open cards.

    Contracts of fixed value are looked at in all layouts, 756,756 or fewer, unless `most` or `seconds` say
    otherwise; races in a sample of 20,000. In Dreierschnapsen the declarer takes the talon and lays away what is best in
    each layout, seeing all cards: an upper bound, see `discards`.

    Parameters
    ----------
    hand : TableHand
        Five cards, the seat, and the suit of trumps.
    contracts : sequence of str, optional
        Only these.
    most : int, optional
        Look at no more layouts.
    seconds : float, optional
        The time for each contract; then what is looked at is a sample as large as fits.
    seed : int
        Of samples.
    workers : int
        Threads; without `seconds` they change nothing.
    progress : callable
        Called with the number of layouts just done.

    Raises
    ------
    RecordError
        If the suit of trumps is still to be named (see `naming`), or a contract cannot be bid.

    Examples
    --------
    >>> from bummerl.records import parse_line
    >>> hand = parse_line("game=bauernschnapsen me=HATJ,SAT seat=p1 trump=H").position
    >>> found = bid(hand, ["bauernschnapser"])
    >>> found.contracts[0].laid_open, found.contracts[0].expected
    (True, 12.0)
    """
    if hand.trump is None:
        raise RecordError("trump", "is still to be named", "give all five cards and the suit")
    wanted = hand.contracts
    if contracts is not None:
        for name in contracts:
            if CONTRACTS[name] not in wanted:
                raise RecordError("seat", f"{SEATS[hand.seat]} cannot bid {CONTRACTS[name].german} with this hand")
        wanted = [contract for contract in wanted if contract.name in contracts]
    layouts = Layouts(hand)
    options: dict[str, Any] = {"seconds": seconds, "seed": seed, "workers": workers, "progress": progress}

    def look(contract: Contract) -> ContractBid:
        limit = most
        if contract.aim is Aim.RACE and most is None and seconds is None:
            limit = _RACES[hand.players]
        counted = layouts.count(contract, most=limit, **options)
        deal = layouts.position(contract, 0)
        beaten = None
        if counted.lost is not None:
            beaten = solve_table(layouts.position(contract, counted.lost))
        outcomes = {value * deal.worth: count / counted.done for value, count in counted.results.items()}
        plan = _plan(layouts, contract, limit, options)
        return ContractBid(contract, counted, deal.worth, _match(hand, outcomes), beaten, plan)

    found = sorted(map(look, wanted), key=lambda one: -one.expected)
    passing = None
    if hand.seat and not hand.has_talon:
        race = look(CONTRACTS["rufer"])
        counted = race.counted if hand.players == 4 and hand.seat == 2 else _seen_from_the_other_side(race.counted)
        outcomes = {value: count / counted.done for value, count in counted.results.items()}
        passing = replace(race, counted=counted, match=_match(hand, outcomes), beaten_by=None)
    return Bid(hand, tuple(found), passing, seed)


def _plan(layouts: Layouts, contract: Contract, most: int | None, options: dict[str, Any]) -> Plan | None:
    """Look for a plan, and count what it beats."""
    declarer = layouts.hand.seat
    if contract.has_trump:
        return None
    if contract.aim is Aim.ALL_TRICKS:
        if layouts.position(contract, 0).turn != declarer:
            return None  # another one leads
        return Plan(layouts.count(contract, most=most, plan=(), **options), best=True)
    own = list(cards_in(layouts.hand.me))
    tried: list[tuple[int, tuple[int, ...]]] = []
    for order in permutations(own):
        found = layouts.count(contract, most=_TRIED, seed=options["seed"], plan=order)
        tried.append((found.won, order))
    best = max(tried)[1]
    counted = layouts.count(contract, most=most, plan=best, **options)
    return Plan(counted, counted.exact and counted.won == 0, best)


def _seen_from_the_other_side(counted: Counted) -> Counted:
    return replace(counted, results={-value: count for value, count in counted.results.items()}, lost=None)


def _match(hand: TableHand, outcomes: dict[int, float]) -> float | None:
    if hand.players == 3:
        return None
    return chance_after(hand.score, outcomes, TABLE_OUTCOMES)
