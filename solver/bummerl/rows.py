"""Result rows: a record's answer or error as one object, flat or nested, with its input beside it or alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bummerl.errors import RecordError
from bummerl.files import Item

ERROR_COLUMNS = ("error", "error_key", "error_line")

# Types of result columns; the other ones are text.
WHOLE = [
    "value",
    "nodes",
    "hands",
    "plan.won",
    "plan.upper",
    "open_cards.won",
    "at_stake.win",
    "at_stake.lose",
    "worlds",
    "of",
    "seed",
    "error_line",
]
REAL = [
    "plan.probability",
    "plan.expected",
    "open_cards.probability",
    "open_cards.expected",
    "margin",
    "margin_stderr",
]
TRUE_OR_FALSE = ["plan.exact", "laid_open", "hopeless", "exact", "weighed"]
LISTS = ["best", "line", "lost_to"]
# Names of text columns that only results have.
TEXTS = (
    *LISTS,
    "kind",
    "moves",
    "first_move",
    "variants",
    "plan.fraction",
    "open_cards.fraction",
    "best_for_match",
    "error",
)


def result_row(item: Item, result: dict[str, Any] | None) -> dict[str, Any]:
    """Return the output row of a record: its id and result, or its error."""
    if isinstance(item, RecordError):
        return {"id": item.record_id, "error": str(item), "error_key": item.key, "error_line": item.line}
    return {"id": item.id, **(result or {})}


def with_input(row: dict[str, Any], given: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Put what stood in a record before its result; what has one of the `names` of results becomes ``input.name``.

    Examples
    --------
    >>> with_input({"id": "1", "value": 2}, {"me": "SA", "value": "3"}, {"value"})
    {'id': '1', 'me': 'SA', 'input.value': '3', 'value': 2}
    """
    kept = {f"input.{key}" if key in names else key: value for key, value in given.items() if key != "id"}
    return {"id": row["id"], **kept, **{key: value for key, value in row.items() if key != "id"}}


def flatten(row: dict[str, Any]) -> dict[str, Any]:
    """Turn a result into one level of columns: names of nested values are joined by dots, lists stay.

    Examples
    --------
    >>> flatten({"id": "1", "plan": {"won": 5, "exact": True}})
    {'id': '1', 'plan.won': 5, 'plan.exact': True}
    """
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{name}": inner for name, inner in flatten(value).items()})
        else:
            flat[key] = value
    return flat


def to_cell(value: Any) -> Any:
    """Return a value as one cell of a CSV file.

    Lists are joined by ``|``, with ``:value`` behind a move that has one, ``:expected``, or ``:plan:open`` with the
    hands won.

    Examples
    --------
    >>> to_cell([{"move": "HA", "value": 2}, {"move": "HT", "value": -1}])
    'HA:2|HT:-1'
    """
    if isinstance(value, list):
        return "|".join(_part(part) for part in value)
    return "" if value is None else value


def _part(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    if "value" in part:
        return f"{part['move']}:{part['value']}"
    if "expected" in part:
        return f"{part['move']}:{part['expected']:.6g}"
    if "open_cards" in part:
        name = part.get("move") or part["first_move"]
        return f"{name}:{part['plan']['won']}:{part['open_cards']['won']}"
    if "leader" in part:
        return f"{part['leader']} {part['lead']} {part['reply'] or '-'} {part['points']}"
    return ",".join(f"{key}={value}" for key, value in part.items())
