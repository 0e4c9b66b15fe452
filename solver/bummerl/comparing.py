"""Results put together for a picture: two files of values against each other, closes by the closer's points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from bummerl.advice_results import OUTCOMES
from bummerl.summary import Mean, input_of, number_of, value_of

_LISTED = 10
_SCATTERED = 300


class CompareError(ValueError):
    """Results that cannot be put together."""


@dataclass
class Agreement:
    """The values of two result files of the same records.

    Attributes
    ----------
    counts : dict of (int, int) to int
        How often a value of the first file came with a value of the second.
    differences : int
        Records with two different values.
    unanswered : int
        Records that lack a value in one file or both, since they are errors.
    first : list of (str, int, int)
        Of the first differences the id and both values.

    Examples
    --------
    >>> one = [{"id": "a", "value": 2}, {"id": "b", "value": -1}, {"id": "c", "error": "me: is missing"}]
    >>> two = [{"id": "a", "value": 2}, {"id": "b", "value": 1}, {"id": "c", "error": "me: is missing"}]
    >>> found = Agreement.of(one, two)
    >>> found.compared, found.differences, found.unanswered, found.first
    (2, 1, 1, [('b', -1, 1)])
    """

    counts: dict[tuple[int, int], int] = field(
        default_factory=lambda: dict.fromkeys(((a, b) for a in OUTCOMES for b in OUTCOMES), 0)
    )
    differences: int = 0
    unanswered: int = 0
    first: list[tuple[str, int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, one: Iterable[Mapping[str, Any]], two: Iterable[Mapping[str, Any]]) -> Agreement:
        """Go through two files of results together.

        Raises
        ------
        CompareError
            If they are not of the same records in the same order, or have no values.
        """
        found = cls()
        rows = 0
        for rows, (a, b) in enumerate(zip_longest(one, two), 1):
            if a is None or b is None:
                which = "first" if a is None else "second"
                raise CompareError(f"the {which} file ends after {rows - 1} rows, the other one goes on")
            if str(a.get("id")) != str(b.get("id")):
                raise CompareError(
                    f"row {rows} is {a.get('id')} in the first file and {b.get('id')} in the second; "
                    "compare results of the same input"
                )
            found.add(a, b)
        if rows and not found.compared:
            raise CompareError("there is no row with a value in both files; agreement compares results of solve")
        return found

    def add(self, one: Mapping[str, Any], two: Mapping[str, Any]) -> None:
        """Count a record in."""
        a, b = value_of(one), value_of(two)
        if a is None or b is None:
            self.unanswered += 1
            return
        self.counts[a, b] = self.counts.get((a, b), 0) + 1
        if a != b:
            self.differences += 1
            if len(self.first) < _LISTED:
                self.first.append((str(one.get("id")), a, b))

    @property
    def compared(self) -> int:
        """Records with a value in both files."""
        return sum(self.counts.values())


@dataclass
class ClosesByPoints:
    """Closes by the points the closer had.

    Attributes
    ----------
    plan, open_cards : dict of int to Mean
        Number of points to the shares of hands beaten.
    few : list of (int, float)
        Points and share beaten by the plan, for each close while there are few.

    Examples
    --------
    >>> row = {"points": "41:38", "plan.probability": 0.5, "open_cards.probability": 0.75}
    >>> found = ClosesByPoints.of([row, {"error": "me: is missing"}])
    >>> found.closes, found.plan[41].mean, found.open_cards[41].mean
    (1, 0.5, 0.75)
    """

    plan: dict[int, Mean] = field(default_factory=dict)
    open_cards: dict[int, Mean] = field(default_factory=dict)
    few: list[tuple[int, float]] = field(default_factory=list)
    closes: int = 0

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> ClosesByPoints:
        """Go through results.

        Raises
        ------
        CompareError
            If they are no closes, or the input was not kept beside them.
        """
        found = cls()
        row: Mapping[str, Any] | None = None
        for row in rows:
            found.add(row)
        if row is not None and not found.closes:
            raise CompareError("there are no results of close; run bummerl batch with --do close")
        return found

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a close in; other rows are passed over."""
        shares = [number_of(row, f"{name}.probability") for name in ("plan", "open_cards")]
        plan, open_cards = shares
        if row.get("error") or plan is None or open_cards is None:
            return
        points = closer_points(row)
        if points is None:
            raise CompareError("there is no column points; run bummerl batch with --keep-input")
        self.closes += 1
        self.plan.setdefault(points, Mean()).add(plan)
        self.open_cards.setdefault(points, Mean()).add(open_cards)
        if self.closes <= _SCATTERED:
            self.few.append((points, plan))
        else:
            self.few.clear()


def closer_points(row: Mapping[str, Any]) -> int | None:
    """Return the closer's points of a row that holds its input, or None.

    Examples
    --------
    >>> closer_points({"points": "41:38"}), closer_points({"points": "41:38", "closed": "opp@41"})
    (41, 38)
    >>> closer_points({"me": "SA"}), closer_points({"id": "1"})
    (0, None)
    """
    points = input_of(row, "points")
    if points is None:
        # Nothing is the default, if the rest of the input is there.
        return None if input_of(row, "me") is None else 0
    both = points if isinstance(points, list) else str(points).split(":")
    closer = 1 if str(input_of(row, "closed")).lower().startswith("opp") else 0
    try:
        return int(both[closer])
    except (ValueError, TypeError, IndexError):
        return None
