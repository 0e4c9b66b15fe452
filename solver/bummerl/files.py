"""Files of records: text lines, JSON Lines and CSV, read lazily; a bad record is an error, not the end."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from bummerl.cards import shorten
from bummerl.errors import RecordError
from bummerl.records import KEYS, Record, parse_line, parse_mapping

_SUFFIXES = {".txt": "text", ".text": "text", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv"}
_LONGEST_LINE = 100_000

Item = Record | RecordError


class FileError(ValueError):
    """A file that cannot be read as records at all."""


def format_of_name(path: Path) -> str | None:
    """Return the format a file name promises, or None."""
    return _SUFFIXES.get(path.suffix.lower())


def format_of_content(first_line: str) -> str:
    """Guess the format from the first line that is not blank: an object, a header, or tokens."""
    line = first_line.strip()
    if line.startswith(("{", "[")):
        return "jsonl"
    names = {name.strip().strip('"').lower() for name in line.split(",")}
    return "csv" if "=" not in line and {"trump", "me"} <= names else "text"


def read_file(path: Path) -> Iterator[Item]:
    """Go through the records of a file; its format is taken from its name, else from its content.

    Parameters
    ----------
    path : Path
        The file.

    Yields
    ------
    Record or RecordError
        In order; an error knows its line and id.

    Raises
    ------
    FileError
        If the file cannot be opened, is compressed or binary, or is a CSV without the needed columns.
    """
    try:
        with path.open("rb") as stream:
            yield from read_stream(stream, format_of_name(path), str(path))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None


def read_stream(stream: IO[bytes] | Iterable[bytes], kind: str | None = None, name: str = "input") -> Iterator[Item]:
    """Go through the records of a stream of byte lines.

    Parameters
    ----------
    stream : binary stream
        Lines in UTF-8.
    kind : str, optional
        ``text``, ``jsonl`` or ``csv``; found from the content by default.
    name : str
        What to call the stream in errors.
    """
    lines = iter(stream)
    buffered: list[bytes] = []
    for raw in lines:
        buffered.append(raw)
        if not raw.strip() or (kind is None and raw.lstrip().startswith(b"#")):
            continue
        if b"\0" in raw[:1000]:
            raise FileError(f"{name}: this is not a text file")
        break
    if kind is None:
        kind = format_of_content(buffered[-1].decode("utf-8-sig", "replace")) if buffered else "text"

    def everything() -> Iterator[bytes]:
        yield from buffered
        yield from lines

    reader = {"text": _read_text, "jsonl": _read_json, "csv": _read_csv}[kind]
    yield from reader(everything(), name)


def _decoded(lines: Iterable[bytes]) -> Iterator[tuple[int, str | RecordError]]:
    for number, raw in enumerate(lines, 1):
        if len(raw) > _LONGEST_LINE:
            problem = f"the line has {len(raw):,} bytes"
            yield number, RecordError("record", problem, "a record takes a few hundred").at(number)
            continue
        try:
            yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            yield number, RecordError("record", "the line is not UTF-8 text", "save the file as UTF-8").at(number)


def _read_text(lines: Iterable[bytes], name: str) -> Iterator[Item]:  # noqa: ARG001
    for number, line in _decoded(lines):
        if isinstance(line, RecordError):
            yield line
        elif line.strip() and not line.lstrip().startswith("#"):
            yield parse_text(line, number)


def parse_text(line: str, number: int) -> Item:
    """Read one text line; an error is returned with its place, not raised."""
    try:
        return parse_line(line, number)
    except RecordError as error:
        found = [token[3:] for token in line.split() if token.startswith("id=")]
        return error.at(number, found[0] if found else None)


def _read_json(lines: Iterable[bytes], name: str) -> Iterator[Item]:  # noqa: ARG001
    for number, line in _decoded(lines):
        if isinstance(line, RecordError):
            yield line
        elif line.strip():
            yield _from_json(line, number)


def _from_json(line: str, number: int) -> Item:
    try:
        given = json.loads(line, object_pairs_hook=_unique)
    except RecordError as error:
        return error.at(number)
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", "nested too deeply")
        column = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        return RecordError("record", f"is not JSON: {reason}{column}", "write one JSON object a line").at(number)
    if not isinstance(given, dict):
        kind = "a list" if isinstance(given, list) else shorten(json.dumps(given))
        return RecordError("record", f"is {kind}, not an object", "write one JSON object a line").at(number)
    return _from_mapping(given, number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise RecordError(shorten(doubled), "is given twice", "keep one of them")
    return found


def _from_mapping(given: dict[str, Any], number: int) -> Item:
    try:
        return parse_mapping(given, number)
    except RecordError as error:
        name = given.get("id")
        return error.at(number, str(name) if name else None)


def _read_csv(lines: Iterable[bytes], name: str) -> Iterator[Item]:
    bad: list[RecordError] = []
    left_out = 0

    def text() -> Iterator[str]:
        nonlocal left_out
        for _, line in _decoded(lines):
            if isinstance(line, RecordError):
                bad.append(line)
                left_out += 1
            else:
                yield line + "\n"

    rows = csv.reader(text())
    try:
        header = next(([cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)), None)
    except csv.Error as error:
        raise FileError(f"{name}: is not CSV: {error}") from None
    if bad:
        raise FileError(f"{name}: the CSV header is not UTF-8 text; save the file as UTF-8")
    if header is None:
        return
    if len(header) == 1 and ";" in header[0]:
        raise FileError(f"{name}: the columns are separated by semicolons; save the file with commas")
    missing = [key for key in ("trump", "me") if key not in [column.lower() for column in header]]
    if missing:
        raise FileError(f"{name}: the CSV header has no column {' or '.join(missing)}; columns are {' '.join(KEYS)}")
    lower = [column.lower() for column in header]
    doubled = sorted({column for column in lower if lower.count(column) > 1})
    if doubled:
        raise FileError(f"{name}: the CSV header has column {doubled[0]} twice")
    while True:
        try:
            row = next(rows)
        except StopIteration:
            break
        except csv.Error as error:
            yield RecordError("record", f"is not CSV: {error}", "check the quotes").at(rows.line_num + left_out)
            continue
        yield from bad
        bad.clear()
        number = rows.line_num + left_out
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            problem = f"has {len(row)} cells, but the header has {len(header)} columns"
            yield RecordError("record", problem, "quote cells that hold commas").at(number)
            continue
        yield _from_mapping(dict(zip(header, row, strict=True)), number)
    yield from bad


# Writing.


def result_row(item: Item, result: dict[str, Any] | None) -> dict[str, Any]:
    """Return the output row of a record: its id and result, or its error."""
    if isinstance(item, RecordError):
        return {"id": item.record_id, "error": str(item), "error_key": item.key, "error_line": item.line}
    return {"id": item.id, **(result or {})}


def flatten(row: dict[str, Any]) -> dict[str, Any]:
    """Turn a result into one level of columns, for CSV.

    Names of nested values are joined by dots; lists of moves by ``|``, with ``:value`` behind a move that has
    one, ``:expected``, or ``:plan:open`` with the hands won.
    """
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{name}": inner for name, inner in flatten(value).items()})
        elif isinstance(value, list):
            flat[key] = "|".join(_cell(part) for part in value)
        else:
            flat[key] = "" if value is None else value
    return flat


def _cell(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    if "value" in part:
        return f"{part['move']}:{part['value']}"
    if "expected" in part:
        return f"{part['move']}:{part['expected']:.6g}"
    if "open_cards" in part:
        name = part.get("move") or part["first_move"]
        return f"{name}:{part['plan']['won']}:{part['open_cards']['won']}"
    return f"{part['leader']} {part['lead']} {part['reply'] or '-'} {part['points']}"
