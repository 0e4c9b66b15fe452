"""Records from one format into another."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from bummerl import writers
from bummerl.errors import FileError, RecordError
from bummerl.files import Item, format_of_content, read_stream
from bummerl.labelled import read_labelled, write_labelled
from bummerl.records import KEYS
from bummerl.rows import flatten
from bummerl.streams import DamageError, byte_blocks, open_output, split_lines, split_name

KINDS = ("text", "jsonl", "csv", "parquet", "labelled")


def read_any(stream: IO[bytes], kind: str | None, name: str) -> Iterator[Item]:
    """Go through the records of a stream in any format, labelled text included.

    Parameters
    ----------
    stream : binary stream
        Maybe compressed.
    kind : str, optional
        One of `KINDS`. Without it, text whose first line is neither an object, nor a table's header, nor tokens is
        labelled text.
    name : str
        What to call the stream in errors.
    """
    if kind in ("jsonl", "csv", "parquet"):
        yield from read_stream(stream, kind, name)
        return
    peeked = stream.peek(4)[:4] if hasattr(stream, "peek") else b""
    if kind is None and peeked == b"PAR1":
        yield from read_stream(stream, None, name)
        return
    lines = split_lines(byte_blocks(stream))
    first: list[bytes] = []
    damage: list[DamageError] = []
    try:
        for line in lines:
            first.append(line)
            if line.strip() and not line.lstrip().startswith(b"#"):
                break
    except DamageError as error:
        damage.append(error)
    start = first[-1].decode("utf-8-sig", "replace") if first else ""
    is_labelled = kind == "labelled" or (kind is None and format_of_content(start) == "text" and "=" not in start)

    def everything() -> Iterator[bytes]:
        yield from first
        if damage:
            raise damage[0]
        yield from lines

    if not is_labelled:
        yield from read_stream(_Again(everything()), kind, name)  # type: ignore[arg-type]
        return
    if any(b"\0" in line for line in first):
        raise FileError(f"{name}: this is not a text file")
    ended: list[DamageError] = []

    def texts() -> Iterator[str]:
        try:
            for line in everything():
                yield line.decode("utf-8-sig", "replace")
        except DamageError as error:
            ended.append(error)

    yield from read_labelled(texts())
    if ended:
        yield RecordError("record", str(ended[0])).at(0)


class _Again:
    """Lines as a stream, so that they can be read as any file."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines

    def read(self, size: int) -> bytes:
        return b"".join(itertools.islice(self._lines, max(size >> 8, 1)))

    def peek(self, size: int) -> bytes:  # noqa: ARG002
        return b""


def convert(
    items: Iterator[Item], target: Path, kind: str, problem: Callable[[RecordError], object] = lambda _: None
) -> int:
    """Write records into a file; returns how many.

    Parameters
    ----------
    items : iterator of Record or RecordError
        See `read_any`.
    target : Path
        The output, compressed if its name says so. It appears when it is complete.
    kind : str
        One of `KINDS`.
    problem : callable
        Called with each record that is bad; the others are written.

    Raises
    ------
    FileError
        If the output cannot be written.
    """
    packed = split_name(target)[1]
    if kind == "parquet" and packed:
        raise FileError(f"{target}: Parquet is compressed already; leave out {target.suffix}")
    if not target.parent.is_dir():
        raise FileError(f"{target}: there is no folder {target.parent}")
    count = 0
    waiting = target.with_name(f".{target.name}.new")
    try:
        with tempfile.TemporaryFile() as spool:
            names: dict[str, None] = {}
            for item in items:
                if isinstance(item, RecordError):
                    problem(item)
                    continue
                count += 1
                if kind in ("text", "labelled"):
                    line = item.to_line() if kind == "text" else write_labelled(item)
                    spool.write(line.encode("utf-8", "replace") + b"\n")
                else:
                    row = item.to_dict()
                    names.update(dict.fromkeys(flatten(row)))
                    spool.write(writers.json_line(row))

            def rows() -> Iterator[dict[str, Any]]:
                spool.seek(0)
                for line in spool:
                    yield json.loads(line)

            if kind in ("text", "labelled"):
                spool.seek(0)
                with open_output(waiting, packed) as out:
                    while block := spool.read(1 << 20):
                        out.write(block)
            else:
                order = {key: place for place, key in enumerate(KEYS)}
                columns = sorted(names, key=lambda name: order.get(name, len(order))) or ["id", "trump", "me"]
                writers.write_rows(waiting, kind, packed, rows, columns, (), {"schema": 1})
        waiting.replace(target)
    except OSError as error:
        raise FileError(f"{target}: {error.strerror or error}") from None
    finally:
        waiting.unlink(missing_ok=True)
    return count
