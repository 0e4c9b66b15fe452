"""What a batch does with each record: which solver with which options, and the columns of its results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from bummerl.advise import MODELS, advise
from bummerl.close import close
from bummerl.errors import RecordError
from bummerl.files import Item
from bummerl.records import Record
from bummerl.rows import result_row
from bummerl.solve import require_complete, solve, solve_many, solve_value

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
}
_CHUNKS = {"value": 1000, "solve": 250, "close": 20, "advise": 5}
_ADVISING = ("model", "weighed", "max_worlds", "seed")


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with each record.

    Attributes
    ----------
    do : str
        ``solve``, ``close`` or ``advise``.
    value_only : bool
        For ``solve``: leave out the moves and the line.
    seconds : float, optional
        For ``close`` and ``advise``: the time for one record. What is found by then depends on the machine.
    model, weighed, max_worlds, seed
        For ``advise``, see there.

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
        if self.do not in ("solve", "close", "advise"):
            raise ValueError(f"do is solve, close or advise, not {self.do!r}")
        if self.value_only and self.do != "solve":
            raise ValueError("value_only goes with solve")
        if self.seconds is not None and self.do == "solve":
            raise ValueError("seconds goes with close and advise")
        for field in fields(self):
            if field.name in _ADVISING and self.do != "advise" and getattr(self, field.name) != field.default:
                raise ValueError(f"{field.name} goes with advise")

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
        position = record.position
        if self.do == "solve":
            return (solve_value(position) if self.value_only else solve(position)).to_dict()
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
        for item in items:
            if isinstance(item, Record):
                try:
                    require_complete(item.position)
                    good.append(item)
                except RecordError as error:
                    item = error.at(item.line, item.id)
            checked.append(item)
        values, nodes = solve_many([record.position for record in good])
        found = iter(zip(values.tolist(), nodes.tolist(), strict=True))
        rows = []
        for item in checked:
            result = None
            if isinstance(item, Record):
                value, searched = next(found)
                result = {"value": value, "kind": "exact", "nodes": searched}
            rows.append(result_row(item, result))
        return rows
