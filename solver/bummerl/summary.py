"""What a result file says as a whole: counts, means and shares, collected row by row in little memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from bummerl.advice_results import OUTCOMES
from bummerl.cards import SUITS, CardError, parse_card, parse_suit, suit_of


@dataclass(slots=True)
class Mean:
    """A mean that grows number by number.

    Examples
    --------
    >>> mean = Mean()
    >>> for number in (1, 2, 3, 4):
    ...     mean.add(number)
    >>> mean.count, mean.mean, round(mean.stderr, 4)
    (4, 2.5, 0.6455)
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, number: float) -> None:
        """Count a number in."""
        self.count += 1
        if self.count == 1:
            self.mean = float(number)
            return
        away = number - self.mean
        self.mean += away / self.count
        self.squares += away * (number - self.mean)

    def join(self, other: Mean) -> None:
        """Count in all numbers of another mean."""
        if not other.count:
            return
        if not self.count:
            self.count, self.mean, self.squares = other.count, other.mean, other.squares
            return
        count = self.count + other.count
        away = other.mean - self.mean
        self.squares += other.squares + away * away * self.count * other.count / count
        self.mean += away * other.count / count
        self.count = count

    @property
    def stderr(self) -> float:
        """The standard error of the mean; not a number for fewer than two numbers."""
        if self.count < 2:
            return math.nan
        return math.sqrt(self.squares / (self.count - 1) / self.count)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; what is not known is null."""
        return {
            "count": self.count,
            "mean": self.mean if self.count else None,
            "stderr": self.stderr if self.count > 1 else None,
        }


@dataclass
class Summary:
    """Results taken together.

    Attributes
    ----------
    rows, errors : int
        All rows, and those that hold an error.
    values : dict of int to int
        How often each value came.
    value : Mean
        Of the values.
    plan, open_cards : Mean
        Closes: the share of hands beaten by the plan, and with open cards.
    laid_open, hopeless, exact_plans : int
        Closes: how many beat every hand; beat none, not even with open cards; have a plan that is certainly the best.
    best : Mean
        Advice: what the best action is worth.
    exact_advice : int
        Advice: how often every world was looked at.
    by_trump : dict of str to Mean
        For each suit the values, or the shares of hands beaten by the plan, or what the best action is worth;
        empty where there is no column ``trump``.

    Examples
    --------
    >>> summary = Summary.of([{"value": 2}, {"value": -1}, {"value": 1}, {"error": "me: is missing"}])
    >>> summary.rows, summary.errors, summary.values[2], summary.won
    (4, 1, 1, 0.6666666666666666)
    """

    rows: int = 0
    errors: int = 0
    values: dict[int, int] = field(default_factory=lambda: dict.fromkeys(OUTCOMES, 0))
    value: Mean = field(default_factory=Mean)
    plan: Mean = field(default_factory=Mean)
    open_cards: Mean = field(default_factory=Mean)
    laid_open: int = 0
    hopeless: int = 0
    exact_plans: int = 0
    best: Mean = field(default_factory=Mean)
    exact_advice: int = 0
    by_trump: dict[str, Mean] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Summary:
        """Sum up rows, such as `result_files.read_results` gives."""
        summary = cls()
        for row in rows:
            summary.add(row)
        return summary

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a flat row in; what it does not hold is not counted."""
        self.rows += 1
        if row.get("error"):
            self.errors += 1
            return
        number = self._add_result(row)
        suit = None if number is None else trump_of(row)
        if number is not None and suit is not None:
            if not self.by_trump:
                self.by_trump = {name: Mean() for name in SUITS}
            self.by_trump[suit].add(number)

    def _add_result(self, row: Mapping[str, Any]) -> float | None:
        """Count a result in, and return its main number."""
        value = value_of(row)
        if value is not None:
            self.values[value] = self.values.get(value, 0) + 1
            self.value.add(value)
            return value
        plan, open_cards = (number_of(row, f"{name}.probability") for name in ("plan", "open_cards"))
        if plan is not None or open_cards is not None:
            self.laid_open += row.get("laid_open") is True
            self.hopeless += row.get("hopeless") is True
            self.exact_plans += row.get("plan.exact") is True
            if open_cards is not None:
                self.open_cards.add(open_cards)
            if plan is not None:
                self.plan.add(plan)
            return plan
        best = best_expected(row.get("moves"))
        if best is not None:
            self.best.add(best)
            self.exact_advice += row.get("exact") is True
        return best

    def join(self, other: Summary) -> None:
        """Count in all rows of another summary."""
        for name in ("rows", "errors", "laid_open", "hopeless", "exact_plans", "exact_advice"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for value, count in other.values.items():
            self.values[value] = self.values.get(value, 0) + count
        for name in ("value", "plan", "open_cards", "best"):
            getattr(self, name).join(getattr(other, name))
        for suit, mean in other.by_trump.items():
            self.by_trump.setdefault(suit, Mean()).join(mean)

    def to_facts(self) -> dict[str, Any]:
        """Return all of it as a JSON object, see `from_facts`."""
        return asdict(self)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Summary:
        """Return the summary that `to_facts` wrote."""
        found = cls(**facts)
        found.values = {int(value): count for value, count in facts["values"].items()}
        for name in ("value", "plan", "open_cards", "best"):
            setattr(found, name, Mean(**facts[name]))
        found.by_trump = {suit: Mean(**facts["by_trump"][suit]) for suit in facts["by_trump"]}
        return found

    @property
    def closes(self) -> int:
        """How many closes were counted in."""
        return max(self.plan.count, self.open_cards.count)

    @property
    def won(self) -> float:
        """The share of values that are won; not a number where there are none."""
        won = sum(count for value, count in self.values.items() if value > 0)
        return won / self.value.count if self.value.count else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, with the parts that the results have."""
        found: dict[str, Any] = {"rows": self.rows, "errors": self.errors}
        if self.value.count:
            found["values"] = {str(value): count for value, count in self.values.items()}
            found["value"] = self.value.to_dict()
            found["won"] = self.won
        if self.closes:
            found["close"] = {
                "plan": self.plan.to_dict(),
                "open_cards": self.open_cards.to_dict(),
                "laid_open": self.laid_open,
                "hopeless": self.hopeless,
                "exact": self.exact_plans,
            }
        if self.best.count:
            found["advice"] = {"best": self.best.to_dict(), "exact": self.exact_advice}
        if self.by_trump:
            found["by_trump"] = {suit: mean.to_dict() for suit, mean in self.by_trump.items()}
        return found


def value_of(row: Mapping[str, Any]) -> int | None:
    """Return the game points of a row, or None."""
    value = number_of(row, "value")
    return int(value) if value is not None and value == int(value) else None


def number_of(row: Mapping[str, Any], name: str) -> float | None:
    """Return a number of a row, or None."""
    value = row.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def input_of(row: Mapping[str, Any], key: str) -> Any:
    """Return a key of the input that was kept beside the result, or None; upper and lower case are the same."""
    if key in row:
        return row[key]
    return next((value for name, value in row.items() if name.lower() == key), None)


def trump_of(row: Mapping[str, Any]) -> str | None:
    """Return the trump suit of a row as a letter, or None.

    Examples
    --------
    >>> [trump_of({"trump": text}) for text in ("DJ", "♥", "acorns", "?")]
    ['D', 'H', 'C', None]
    """
    text = input_of(row, "trump")
    if not isinstance(text, str):
        return None
    try:
        return SUITS[parse_suit(text)]
    except CardError:
        pass
    try:
        return SUITS[suit_of(parse_card(text))]
    except CardError:
        return None


def best_expected(moves: Any) -> float | None:
    """Return what the best action of an advice is worth, from its list or from the text that CSV has.

    Examples
    --------
    >>> best_expected([{"move": "SA", "expected": 1.25}]), best_expected("exchange SA:1.25|ST:1"), best_expected("SA")
    (1.25, 1.25, None)
    """
    if isinstance(moves, list) and moves and isinstance(moves[0], dict):
        return number_of(moves[0], "expected")
    if not isinstance(moves, str):
        return None
    try:
        _, worth = moves.split("|", 1)[0].split(":")
        return float(worth)
    except ValueError:
        return None
