"""Files of records: text lines, JSON Lines, CSV and Parquet, read lazily; a bad record is an error, not the end."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from bummerl.cards import shorten
from bummerl.errors import FileError, RecordError
from bummerl.records import KEYS, Record, parse_line, parse_mapping, split_line
from bummerl.streams import LONGEST_LINE, DamageError, byte_blocks, need_pyarrow, split_lines, split_name

_SUFFIXES = {
    ".txt": "text",
    ".text": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
}
_PARQUET = b"PAR1"
_ROWS = 10_000

Item = Record | RecordError


class Raw(NamedTuple):
    """A record as it was found, not looked at yet: its line or row number, and its text, its cells, or an error."""

    number: int
    body: str | dict[str, Any] | RecordError


@dataclass(frozen=True)
class Source:
    """Records on their way in.

    Attributes
    ----------
    kind : str
        ``text``, ``jsonl``, ``csv`` or ``parquet``.
    columns : tuple of str
        The columns of a CSV or Parquet file.
    raw : iterator of Raw
        The records, lazily and in order.
    """

    kind: str
    columns: tuple[str, ...]
    raw: Iterator[Raw]


def format_of_name(path: Path) -> str | None:
    """Return the format a file name promises, or None; whether it is compressed does not matter."""
    return _SUFFIXES.get(split_name(path)[0])


def format_of_content(first_line: str) -> str:
    """Guess the format from the first line that is not blank: an object, a header, or tokens."""
    line = first_line.strip()
    if line.startswith(("{", "[")):
        return "jsonl"
    names = {name.strip().strip('"').lower() for name in line.split(",")}
    return "csv" if "=" not in line and ({"trump", "me"} <= names or {"p1", "contract"} <= names) else "text"


def read_file(path: Path) -> Iterator[Item]:
    """Go through the records of a file; its format is taken from its name, else from its content.

    Parameters
    ----------
    path : Path
        The file, maybe compressed with gzip or Zstandard.

    Yields
    ------
    Record or RecordError
        In order; an error knows its line and id.

    Raises
    ------
    FileError
        If the file cannot be opened, is no text, or is a table without the needed columns.
    """
    with open_file(path) as stream:
        source = open_source(stream, format_of_name(path), str(path))
        try:
            for raw in source.raw:
                yield parse_raw(source.kind, raw)
        except OSError as error:
            raise FileError(f"{path}: {error.strerror or error}") from None


def open_file(path: Path) -> IO[bytes]:
    """Open a file for reading.

    Raises
    ------
    FileError
        If that cannot be done.
    """
    try:
        return path.open("rb")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None


def read_stream(stream: IO[bytes] | Iterable[bytes], kind: str | None = None, name: str = "input") -> Iterator[Item]:
    """Go through the records of a stream.

    Parameters
    ----------
    stream : binary stream, or iterable of bytes
        Text in UTF-8, maybe compressed.
    kind : str, optional
        ``text``, ``jsonl``, ``csv`` or ``parquet``; found from the content by default.
    name : str
        What to call the stream in errors.
    """
    source = open_source(stream, kind, name)
    for raw in source.raw:
        yield parse_raw(source.kind, raw)


def open_source(stream: IO[bytes] | Iterable[bytes], kind: str | None = None, name: str = "input") -> Source:
    """Find out what a stream holds, and get ready to read it; the arguments are those of `read_stream`."""
    buffered: Any = stream if hasattr(stream, "read") else io.BytesIO(b"".join(stream))
    if not hasattr(buffered, "peek"):
        buffered = io.BufferedReader(buffered, 1 << 16)
    try:
        start = buffered.peek(4)[:4]
        if start == _PARQUET:
            return _open_parquet(buffered, name)
        if kind == "parquet":
            raise FileError(f"{name}: this is not a Parquet file")
        return _open_lines(split_lines(byte_blocks(buffered)), kind, name)
    except OSError as error:
        raise FileError(f"{name}: {error.strerror or error}") from None


def _open_lines(lines: Iterator[bytes], kind: str | None, name: str) -> Source:
    first: list[bytes] = []
    damage: list[DamageError] = []
    try:
        for raw in lines:
            first.append(raw)
            if not raw.strip() or (kind is None and raw.lstrip().startswith(b"#")):
                continue
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise FileError(f"{name}: the text is UTF-16; save the file as UTF-8")
            if b"\0" in raw[:1000]:
                raise FileError(f"{name}: this is not a text file")
            break
    except DamageError as error:
        damage.append(error)
    if kind is None:
        kind = format_of_content(first[-1].decode("utf-8-sig", "replace")) if first else "text"

    def everything() -> Iterator[bytes]:
        yield from first
        if damage:
            raise damage[0]
        yield from lines

    decoded = _decoded(everything())
    if kind == "csv":
        return _open_csv(decoded, name)
    return Source(kind, (), (raw for raw in decoded if _says_something(kind, raw)))


def _says_something(kind: str, raw: Raw) -> bool:
    """Leave out blank lines, and comments in text files."""
    if not isinstance(raw.body, str):
        return True
    line = raw.body.strip()
    return bool(line) and not (kind == "text" and line.startswith("#"))


def _decoded(lines: Iterable[bytes]) -> Iterator[Raw]:
    number = 0
    try:
        for number, raw in enumerate(lines, 1):
            if len(raw) > LONGEST_LINE:
                problem = f"the line has more than {LONGEST_LINE:,} bytes"
                yield Raw(number, RecordError("record", problem, "a record takes a few hundred").at(number))
                continue
            try:
                yield Raw(number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"))
            except UnicodeDecodeError:
                error = RecordError("record", "the line is not UTF-8 text", "save the file as UTF-8")
                yield Raw(number, error.at(number))
    except DamageError as error:
        yield Raw(number + 1, RecordError("record", *str(error).split("; ", 1)).at(number + 1))


def _open_csv(decoded: Iterator[Raw], name: str) -> Source:
    bad: list[Raw] = []
    left_out = 0

    def text() -> Iterator[str]:
        nonlocal left_out
        for raw in decoded:
            if isinstance(raw.body, str):
                yield raw.body + "\n"
            else:
                bad.append(raw)
                left_out += 1

    rows = csv.reader(text())
    try:
        header = next(([cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)), None)
    except csv.Error as error:
        raise FileError(f"{name}: is not CSV: {error}") from None
    if bad and (header is None or bad[0].number <= rows.line_num):
        raise FileError(f"{name}: the CSV header cannot be read: {bad[0].body}")
    if header is None:
        return Source("csv", (), iter(()))
    for separator, called in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and separator in header[0]:
            raise FileError(f"{name}: the columns are separated by {called}; save the file with commas")
    _check_columns(header, name, "the CSV header")

    def found() -> Iterator[Raw]:
        while True:
            try:
                row = next(rows)
            except StopIteration:
                break
            except csv.Error as error:
                number = rows.line_num + left_out
                yield Raw(number, RecordError("record", f"is not CSV: {error}", "check the quotes").at(number))
                continue
            yield from bad
            bad.clear()
            number = rows.line_num + left_out
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                problem = f"has {len(row)} cells, but the header has {len(header)} columns"
                yield Raw(number, RecordError("record", problem, "quote cells that hold commas").at(number))
                continue
            yield Raw(number, dict(zip(header, row, strict=True)))
        yield from bad

    return Source("csv", tuple(header), found())


def _check_columns(names: list[str], name: str, what: str) -> None:
    lower = [column.lower() for column in names]
    missing = [key for key in ("trump", "me") if key not in lower]
    if missing and not {"p1", "contract"} <= set(lower):
        raise FileError(f"{name}: {what} has no column {' or '.join(missing)}; columns are {' '.join(KEYS)}")
    doubled = sorted({column for column in lower if lower.count(column) > 1})
    if doubled:
        raise FileError(f"{name}: {what} has column {doubled[0]} twice")


def _open_parquet(stream: Any, name: str) -> Source:
    pyarrow = need_pyarrow(f"{name}: Parquet")
    # Its end is read first, which a pipe does not allow.
    seekable = stream if stream.seekable() else io.BytesIO(stream.read())
    try:
        file = pyarrow.parquet.ParquetFile(seekable)
    except (pyarrow.ArrowException, OSError):
        raise FileError(f"{name}: the Parquet file is damaged or ends too early; make it again") from None
    columns = list(file.schema_arrow.names)
    _check_columns(columns, name, "the table")

    def found() -> Iterator[Raw]:
        number = 0
        try:
            for batch in file.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield Raw(number, row)
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
            problem = "the Parquet file is damaged from here on"
            yield Raw(number + 1, RecordError("record", problem, "make it again").at(number + 1))

    return Source("parquet", tuple(columns), found())


def parse_raw(kind: str, raw: Raw) -> Item:
    """Read a record; an error is returned with its place, not raised."""
    number, body = raw
    if isinstance(body, RecordError):
        return body
    if isinstance(body, dict):
        return _from_mapping(body, number)
    return parse_text(body, number) if kind == "text" else _from_json(body, number)


def input_fields(kind: str, raw: Raw) -> dict[str, Any]:
    """Return what stood in a record by its names, as far as it can be read at all."""
    body = raw.body
    if isinstance(body, dict):
        return body
    try:
        found = {} if not isinstance(body, str) else split_line(body) if kind == "text" else json.loads(body)
    except (RecordError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def parse_text(line: str, number: int) -> Item:
    """Read one text line; an error is returned with its place, not raised."""
    try:
        return parse_line(line, number)
    except RecordError as error:
        found = [token[3:] for token in line.split() if token.startswith("id=")]
        return error.at(number, found[0] if found else None)


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
