"""What a batch does with each record: which solver with which options, and the columns of its results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from bummerl.advise import MODELS, advise
from bummerl.bid import bid
from bummerl.close import close
from bummerl.discards import discards_for
from bummerl.errors import RecordError
from bummerl.files import Item
from bummerl.games.hand import TableHand
from bummerl.naming import name_trump
from bummerl.position import Position
from bummerl.records import AnyPosition, Record, two_handed
from bummerl.rows import result_row
from bummerl.solve import require_complete, solve_many
from bummerl.solving import solve_any, value_any

_COLUMNS = {
    "value": ("value", "kind", "nodes"),
    "solve": ("value", "kind", "best", "moves", "line", "play", "nodes"),
    "close": (
        "hands",
        "plan.won",
        "plan.probability",
        "plan.fraction",
        "plan.expected",
        "plan.upper",
        "plan.exact",
        "open_cards.won",
        "open_cards.probability",
        "open_cards.fraction",
        "open_cards.expected",
        "at_stake.win",
        "at_stake.lose",
        "first_move",
        "laid_open",
        "hopeless",
        "moves",
        "variants",
        "lost_to",
        "nodes",
    ),
    "bid": ("seat", "best", "best_for_match", "contracts", "passing", "choices", "seed"),
    "advise": (
        "worlds",
        "of",
        "exact",
        "seed",
        "model",
        "weighed",
        "best",
        "best_for_match",
        "margin",
        "margin_stderr",
        "moves",
    ),
}
_UNITS = {
    "value": ("two_handed",),
    "solve": ("two_handed", "solution"),
    "close": ("two_handed", "plan"),
    "advise": ("two_handed", "solution", "postponed", "plan"),
    "bid": ("four_handed", "layouts", "table_plans"),
}
_CHUNKS = {"value": 1000, "solve": 250, "close": 20, "advise": 5, "bid": 1}
_ADVISING = ("model", "weighed", "max_worlds", "seed")


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with each record.

    Attributes
    ----------
    do : str
        ``solve``, ``close``, ``advise`` or ``bid``.
    value_only : bool
        For ``solve``: leave out the moves and the line.
    seconds : float, optional
        For ``close``, ``advise`` and ``bid``: the time for one record. What is found by then depends on the machine.
    model, weighed, max_worlds, seed
        For ``advise``, see there; the seed for ``bid``, too.

    Examples
    --------
    >>> Task(do="close", value_only=True)
    Traceback (most recent call last):
        ...
    ValueError: value_only goes with solve
    """

    do: str = "solve"
    value_only: bool = False
    seconds: float | None = None
    model: str = MODELS[-1]
    weighed: bool = False
    max_worlds: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse options that would do nothing."""
        if self.do not in ("solve", "close", "advise", "bid"):
            raise ValueError(f"do is solve, close, advise or bid, not {self.do!r}")
        if self.value_only and self.do != "solve":
            raise ValueError("value_only goes with solve")
        if self.seconds is not None and self.do == "solve":
            raise ValueError("seconds goes with close and advise and bid")
        for field in fields(self):
            with_bid = field.name == "seed"
            if self.do == "advise" or (self.do == "bid" and with_bid) or field.name not in _ADVISING:
                continue
            if getattr(self, field.name) != field.default:
                raise ValueError(f"{field.name} goes with advise{' and bid' if with_bid else ''}")

    @property
    def _kind(self) -> str:
        return "value" if self.value_only else self.do

    @property
    def units(self) -> tuple[str, ...]:
        """The kernels this needs."""
        return _UNITS[self._kind]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a result as a flat row, see `rows.flatten`."""
        return _COLUMNS[self._kind]

    @property
    def chunk(self) -> int:
        """How many records are done together: about a second's work."""
        return _CHUNKS[self._kind]

    def options(self) -> dict[str, Any]:
        """Return what was asked for, without options that have no effect on it."""
        if self.do == "solve":
            return {"do": self.do, "value_only": self.value_only}
        found: dict[str, Any] = {"do": self.do, "seconds": self.seconds}
        if self.do == "bid":
            found["seed"] = self.seed
        if self.do == "advise":
            found.update({name: getattr(self, name) for name in _ADVISING})
        return found

    def answer(self, record: Record) -> dict[str, Any]:
        """Return the result of a record.

        Raises
        ------
        RecordError
            If the record cannot be answered.
        """
        if self.do == "solve":
            return (value_any(record.position) if self.value_only else solve_any(record.position)).to_dict()
        if self.do == "bid":
            return self._bid(record.position)
        position = two_handed(record.position, self.do)
        if self.do == "close":
            return close(position, seconds=self.seconds).to_dict(details=False)
        return advise(
            position,
            model=self.model,
            weighed=self.weighed,
            max_worlds=self.max_worlds,
            seconds=self.seconds,
            seed=self.seed,
        ).to_dict()

    def _bid(self, position: AnyPosition) -> dict[str, Any]:
        if not isinstance(position, TableHand):
            raise RecordError(
                "me", "is missing", "bid needs one player's cards and seat, such as me=HAT,SA,DKJ seat=p1"
            )
        if position.trump is None:
            return {"choices": [choice.to_dict() for choice in name_trump(position, seed=self.seed)], "seed": self.seed}
        if position.has_talon:
            return {"contracts": [each.to_dict() for each in discards_for(position)]}
        return bid(position, seconds=self.seconds, seed=self.seed).to_dict()

    def answer_many(self, items: list[Item], check: Any = lambda: None) -> list[dict[str, Any]]:
        """Answer many records, in order: the result row of each, or its error row.

        Parameters
        ----------
        items : list of Record or RecordError
            As read.
        check : callable
            Called before each record; what it raises ends the work.
        """
        if self.value_only:
            return self._values(items)
        rows = []
        for item in items:
            check()
            result = None
            if isinstance(item, Record):
                try:
                    result = self.answer(item)
                except RecordError as error:
                    item = error.at(item.line, item.id)
            rows.append(result_row(item, result))
        return rows

    def _values(self, items: list[Item]) -> list[dict[str, Any]]:
        good: list[Record] = []
        checked: list[Item] = []
        # Games of other sorts, one by one.
        others: dict[int, dict[str, Any]] = {}
        for item in items:
            if isinstance(item, Record):
                try:
                    if isinstance(item.position, Position):
                        require_complete(item.position)
                        good.append(item)
                    else:
                        others[id(item)] = value_any(item.position).to_dict()
                except RecordError as error:
                    item = error.at(item.line, item.id)
            checked.append(item)
        values, nodes = solve_many([two_handed(record.position, "solve") for record in good])
        found = iter(zip(values.tolist(), nodes.tolist(), strict=True))
        rows = []
        for item in checked:
            result = others.get(id(item))
            if isinstance(item, Record) and result is None:
                value, searched = next(found)
                result = {"value": value, "kind": "exact", "nodes": searched}
            rows.append(result_row(item, result))
        return rows
