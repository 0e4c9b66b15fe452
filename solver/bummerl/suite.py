"""Suites: records that carry the results they must have, and the comparison with what is found."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bummerl.advice_results import Advice
from bummerl.advise import advise
from bummerl.cards import shorten
from bummerl.close import close
from bummerl.engine import kernels
from bummerl.errors import RecordError, nearest
from bummerl.games.table import TablePosition
from bummerl.moves import Move, MoveError
from bummerl.position import Position
from bummerl.records import EXPECTATIONS, Record, two_handed
from bummerl.results import Solution
from bummerl.solving import solve_any
from bummerl.table_solve import TableSolution
from bummerl.tasks import Task

_COUNTS, _ADVICE = EXPECTATIONS.index("hands"), EXPECTATIONS.index("advice.best")
SOLVED, COUNTED, ADVISED = EXPECTATIONS[:_COUNTS], EXPECTATIONS[_COUNTS:_ADVICE], EXPECTATIONS[_ADVICE:]
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Check:
    """What one record of a suite gave.

    Attributes
    ----------
    id : str
        The record.
    expected : dict
        The expected results that were compared.
    problems : tuple of str
        One line for each that did not come out; empty when all is well.
    nodes : int
        Positions searched.
    seconds : float
        How long the solvers took.
    """

    id: str
    expected: dict[str, Any]
    problems: tuple[str, ...]
    nodes: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "id": self.id,
            "ok": not self.problems,
            "checked": list(self.expected),
            "problems": list(self.problems),
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


def check_record(record: Record) -> Check:
    """Solve a record and compare what it expects.

    Parameters
    ----------
    record : Record
        Expectations stand in its extra keys: ``value``, ``winner`` (``me`` or ``opp``), ``best`` (all right
        moves, separated by ``|``), ``winning`` and ``losing`` (some moves that win or lose the deal for the
        player on turn), ``moves`` (object of move to value), ``nodes``; ``hands``, ``first_move``,
        ``plan.won``, ``plan.upper``, ``plan.probability``, ``plan.expected``, and the same of ``open_cards``
        except ``upper``; ``advice.best`` (what is advised is among these), ``advice.expected``,
        ``advice.moves`` (object of move to expected game points).

    Returns
    -------
    Check

    Raises
    ------
    RecordError
        If the record cannot be solved, or expects nothing.
    """
    given = dict(record.extra)
    # Results nest what belongs together; both ways of writing it are read.
    for key in ("open_cards", "plan", "advice"):
        nested = given.pop(key, None)
        if isinstance(nested, dict):
            given.update({f"{key}.{name}": value for name, value in nested.items()})
    for key in given:
        near = None if key in EXPECTATIONS else nearest(key, EXPECTATIONS)
        if near:
            raise RecordError(shorten(key), "is not a result to compare", f"did you mean {near}?")
    expected = {key: value for key, value in given.items() if key in EXPECTATIONS and value not in (None, "")}
    if not expected:
        raise RecordError("value", "is missing", f"a record of a suite expects something: {' '.join(EXPECTATIONS)}")
    problems: list[str] = []
    nodes, seconds = 0, 0.0
    if any(key in expected for key in SOLVED):
        kernels("four_handed" if isinstance(record.position, TablePosition) else "solution")  # loading is not solving
        start = time.perf_counter()
        solution = solve_any(record.position)
        seconds += time.perf_counter() - start
        nodes += solution.nodes
        problems += _compare_solution(solution, expected)
    if any(key in expected for key in COUNTED):
        kernels("plan")
        start = time.perf_counter()
        result = close(two_handed(record.position, "close"))
        seconds += time.perf_counter() - start
        nodes += result.nodes
        found = result.to_dict(details=False)
        for key in COUNTED:
            if key in expected:
                value = found
                for name in key.split("."):
                    value = value[name]
                problems += _compare(key, value, expected[key])
    if any(key in expected for key in ADVISED):
        for unit in Task("advise").units:
            kernels(unit)
        start = time.perf_counter()
        advice = advise(two_handed(record.position, "advise"))
        seconds += time.perf_counter() - start
        problems += _compare_advice(advice, expected)
    return Check(record.id, expected, tuple(problems), nodes, seconds)


def check_all(items: Iterable[Record | RecordError]) -> list[Check | RecordError]:
    """Check every record of a suite, in order; a bad record is an error among the results."""
    checks: list[Check | RecordError] = []
    for item in items:
        if isinstance(item, Record):
            try:
                checks.append(check_record(item))
            except RecordError as error:
                checks.append(error.at(item.line, item.id))
        else:
            checks.append(item)
    return checks


def _compare_solution(solution: Solution | TableSolution, expected: dict[str, Any]) -> list[str]:
    position = solution.position
    problems = []
    if "value" in expected:
        problems += _compare("value", solution.value, expected["value"])
    if "nodes" in expected:
        problems += _compare("nodes", solution.nodes, expected["nodes"])
    if "winner" in expected:
        problems += _compare("winner", "me" if solution.value > 0 else "opp", expected["winner"])
    values = {m.move: m.value for m in solution.moves}
    if "best" in expected:
        wanted = set(_moves(position, "best", expected["best"]))
        if wanted != set(solution.best):
            missing = " ".join(str(m) for m in solution.best)
            problems.append(f"best: expected {expected['best']}, found {missing}")
    mine = position.side_of(position.turn) == 0 if isinstance(position, TablePosition) else position.turn == 0
    sign = 1 if mine else -1
    for key, wins in (("winning", True), ("losing", False)):
        for move in _moves(position, key, expected.get(key) or ""):
            if (sign * values[move] > 0) != wins:
                problems.append(f"{key}: {move} is worth {values[move]:+d}")
    return problems + _compare_moves(position, "moves", expected, values)


def _compare_advice(advice: Advice, expected: dict[str, Any]) -> list[str]:
    problems = []
    if "advice.best" in expected and advice.best not in _moves(advice.position, "advice.best", expected["advice.best"]):
        problems.append(f"advice.best: expected {expected['advice.best']}, found {advice.best}")
    if "advice.expected" in expected:
        problems += _compare("advice.expected", advice.moves[0].expected, expected["advice.expected"])
    values = {m.move: m.expected for m in advice.moves}
    return problems + _compare_moves(advice.position, "advice.moves", expected, values)


def _compare_moves(
    position: Position | TablePosition, key: str, expected: dict[str, Any], values: Mapping[Move, float]
) -> list[str]:
    """Compare the values of moves, given as an object or as results list them."""
    if key not in expected:
        return []
    given, name = expected[key], "expected" if key in ADVISED else "value"
    if isinstance(given, list) and all(isinstance(m, dict) and {"move", name} <= set(m) for m in given):
        given = {m["move"]: m[name] for m in given}
    if not isinstance(given, dict):
        raise RecordError(key, "is not an object", 'write it like {"HA": 2, "HT": -1}')
    problems = []
    for text, value in given.items():
        for move in _moves(position, key, text):
            problems += _compare(f"{key}: {move}", values[move], value)
    return problems


def _moves(position: Position | TablePosition, key: str, text: Any) -> list[Move]:
    parts = text if isinstance(text, list) else [part for part in str(text).split("|") if part.strip()]
    moves = []
    for part in parts:
        try:
            move = Move.parse(str(part))
        except MoveError as error:
            raise RecordError(key, str(error)) from None
        if move not in position.legal_moves():
            legal = ", ".join(str(m) for m in position.legal_moves())
            raise RecordError(key, f"{move} is not legal here", f"legal are {legal}")
        moves.append(move)
    return moves


def _compare(name: str, found: Any, wanted: Any) -> list[str]:
    if isinstance(found, (int, float)):
        try:
            same = not isinstance(wanted, bool) and abs(found - float(wanted)) <= _TOLERANCE
        except (TypeError, ValueError):
            same = False
    else:
        same = str(found) == str(wanted)
    return [] if same else [f"{name}: expected {wanted}, found {found}"]
