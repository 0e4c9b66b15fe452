"""Result files read back: JSON Lines, CSV and Parquet, maybe compressed, row by row."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from bummerl.errors import FileError
from bummerl.files import format_of_name, open_file
from bummerl.rows import REAL, TEXTS, TRUE_OR_FALSE, WHOLE, flatten
from bummerl.streams import DamageError, byte_blocks, need_pyarrow, split_lines

_ROWS = 10_000
# A close with its whole plan takes some millions of characters.
_LONGEST_LINE = 1 << 26
_RESULTS = {*WHOLE, *REAL, *TRUE_OR_FALSE, *TEXTS}
_TRUTH = {"true": True, "false": False}


def read_results(path: Path) -> Iterator[dict[str, Any]]:
    """Go through the rows of a result file, as ``bummerl batch`` writes it.

    Names of nested values are joined by dots. Lists are lists where the file has them; CSV has text. Results that
    are numbers, or true or false, are that from every format; all other cells of a CSV file are text. What is empty
    is left out.

    Parameters
    ----------
    path : Path
        The file, maybe compressed; its format is taken from its name, else from its content.

    Yields
    ------
    dict of str to Any
        A result, or an error with the key ``error``.

    Raises
    ------
    FileError
        If the file cannot be opened, is damaged, or holds no results.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "values.csv"
    >>> _ = path.write_text("id,value,nodes,error\\n7,-2,35,\\n8,,,trump: is missing\\n")
    >>> list(read_results(path))
    [{'id': '7', 'value': -2, 'nodes': 35}, {'id': '8', 'error': 'trump: is missing'}]
    """
    with open_file(path) as stream:
        try:
            if format_of_name(path) == "parquet":
                yield from _read_parquet(stream, path)
                return
            lines = split_lines(byte_blocks(stream), _LONGEST_LINE)
            first = next(lines, b"").removeprefix(b"\xef\xbb\xbf")
            if first.startswith(b"PAR1"):
                stream.seek(0)
                yield from _read_parquet(stream, path)
                return
            kind = format_of_name(path) or ("jsonl" if first.lstrip().startswith(b"{") else "csv")
            yield from (_read_json if kind == "jsonl" else _read_csv)(_texts(first, lines), path)
        except UnicodeDecodeError:
            raise FileError(f"{path}: this is not UTF-8 text") from None
        except DamageError as error:
            raise FileError(f"{path}: {error}") from None
        except OSError as error:
            raise FileError(f"{path}: {error.strerror or error}") from None


def _texts(first: bytes, rest: Iterable[bytes]) -> Iterator[str]:
    if first:
        yield first.decode()
    for line in rest:
        yield line.decode()


def _check_columns(names: Iterable[str], path: Path) -> None:
    if _RESULTS.isdisjoint(names):
        raise FileError(f"{path}: this is not a result file; bummerl batch writes them")


def _filled(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in flatten(row).items() if value is not None}


def _read_json(lines: Iterator[str], path: Path) -> Iterator[dict[str, Any]]:
    checked = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > _LONGEST_LINE:
            raise FileError(f"{path}: line {number} is too long for a result")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise FileError(f"{path}: line {number} is not a JSON object; is this a result file?")
        row = _filled(found)
        if not checked:
            _check_columns(row, path)
            checked = True
        yield row


def _read_csv(lines: Iterator[str], path: Path) -> Iterator[dict[str, Any]]:
    rows = csv.reader(lines)
    try:
        header = next(rows, None)
        if header is None:
            raise FileError(f"{path}: the file is empty; results as CSV have a header")
        _check_columns(header, path)
        for cells in rows:
            if not cells:
                continue
            if len(cells) != len(header):
                have = f"has {len(cells)} cells, but the header has {len(header)} columns"
                raise FileError(f"{path}: line {rows.line_num} {have}")
            yield {name: _typed(name, cell) for name, cell in zip(header, cells, strict=True) if cell != ""}
    except csv.Error as error:
        raise FileError(f"{path}: line {rows.line_num} is not CSV: {error}") from None


def _typed(name: str, cell: str) -> Any:
    """Return a cell as the number or truth it stands for; a column of the input can have the same name."""
    try:
        if name in WHOLE:
            return int(cell)
        if name in REAL:
            return float(cell)
    except ValueError:
        return cell
    return _TRUTH.get(cell.lower(), cell) if name in TRUE_OR_FALSE else cell


def _read_parquet(stream: IO[bytes], path: Path) -> Iterator[dict[str, Any]]:
    pyarrow = need_pyarrow(f"{path}: Parquet")
    try:
        file = pyarrow.parquet.ParquetFile(stream)
        _check_columns(file.schema_arrow.names, path)
        for batch in file.iter_batches(_ROWS):
            for row in batch.to_pylist():
                yield _filled(row)
    except (pyarrow.ArrowException, OSError):
        raise FileError(f"{path}: the Parquet file is damaged or ends too early; make it again") from None
