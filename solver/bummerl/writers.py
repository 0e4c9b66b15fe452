"""Result files: JSON Lines, CSV and Parquet, maybe compressed; equal rows give equal bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bummerl.errors import FileError
from bummerl.files import format_of_name
from bummerl.rows import LISTS, REAL, TRUE_OR_FALSE, WHOLE, flatten, to_cell
from bummerl.streams import need_pyarrow, open_output, split_name

FORMATS = ("jsonl", "csv", "parquet")
_ROWS = 50_000

Rows = Callable[[], Iterator[dict[str, Any]]]


def check_target(target: Path) -> tuple[str, str | None]:
    """Return format and compression of an output by its name.

    Raises
    ------
    FileError
        If the name promises nothing that can be written.
    """
    kind, packed = format_of_name(target), split_name(target)[1]
    if kind not in FORMATS:
        raise FileError(
            f"{target}: results are written as .jsonl, .csv or .parquet, the first two maybe with .gz or .zst"
        )
    if kind == "parquet":
        if packed:
            raise FileError(f"{target}: Parquet is compressed already; leave out {target.suffix}")
        need_pyarrow("Parquet")
    elif packed == "zstd":
        need_pyarrow("Zstandard")
    return kind, packed


def write_rows(
    target: Path,
    kind: str,
    packed: str | None,
    rows: Rows,
    columns: Sequence[str],
    results: Collection[str],
    notes: dict[str, Any],
) -> None:
    """Write rows into a new file.

    Parameters
    ----------
    target : Path
        The file.
    kind, packed : str
        See `check_target`.
    rows : callable
        Goes through the rows, nested as results are.
    columns : sequence of str
        The columns of a table, flat. JSON Lines have what each row has.
    results : collection of str
        Those of them that hold results; in Parquet all others are text.
    notes : dict
        How the rows were made; Parquet files carry it as metadata ``bummerl``.
    """
    if kind == "parquet":
        _write_parquet(target, rows(), columns, results, notes)
        return
    with open_output(target, packed) as out:
        if kind == "jsonl":
            for row in rows():
                out.write(json_line(row))
            return
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        for row in rows():
            writer.writerow({key: to_cell(value) for key, value in flatten(row).items()})
            out.write(text.getvalue().encode("utf-8", "replace"))
            text.seek(0)
            text.truncate()
        out.write(text.getvalue().encode())


def json_line(row: dict[str, Any]) -> bytes:
    """Return a row as a line of a JSON Lines file."""
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _type_of(name: str, results: Collection[str]) -> Any:
    import pyarrow

    text = pyarrow.string()
    if name not in results:
        return text
    if name in WHOLE:
        return pyarrow.int64()
    if name in REAL:
        return pyarrow.float64()
    if name in TRUE_OR_FALSE:
        return pyarrow.bool_()
    if name in LISTS:
        # Advice has one best action, solutions have all.
        return text if name == "best" and "margin" in results else pyarrow.list_(text)
    if name == "moves" and "value" in results:
        return pyarrow.list_(pyarrow.struct([("move", text), ("value", pyarrow.int64())]))
    return text


def _write_parquet(
    target: Path,
    rows: Iterable[dict[str, Any]],
    columns: Sequence[str],
    results: Collection[str],
    notes: dict[str, Any],
) -> None:
    pyarrow = need_pyarrow("Parquet")
    types = {name: _type_of(name, results) for name in columns}
    schema = pyarrow.schema(list(types.items()), metadata={"bummerl": json.dumps(notes, ensure_ascii=False)})
    texts = [name for name, kind in types.items() if kind == pyarrow.string()]
    with pyarrow.parquet.ParquetWriter(target, schema, compression="zstd") as writer:
        for block in _blocks(rows):
            flat = [flatten(row) for row in block]
            for row in flat:
                for name in texts:
                    value = row.get(name)
                    if value is not None and not isinstance(value, str):
                        row[name] = str(to_cell(value))
            table = pyarrow.Table.from_pydict(
                {name: [row.get(name) for row in flat] for name in columns}, schema=schema
            )
            writer.write_table(table)


def _blocks(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Cut rows into row groups."""
    block: list[dict[str, Any]] = []
    for row in rows:
        block.append(row)
        if len(block) == _ROWS:
            yield block
            block = []
    if block:
        yield block
