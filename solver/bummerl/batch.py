"""A file of records in, a file of results out: in order, in threads, bad records kept as error rows."""

from __future__ import annotations

import contextlib
import csv
import itertools
import json
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bummerl.close import close
from bummerl.engine import Interrupt, kernels
from bummerl.errors import RecordError
from bummerl.files import FileError, Item, flatten, format_of_name, read_file, result_row
from bummerl.records import Record
from bummerl.solve import require_complete, solve, solve_many

_CHUNK = 64
_SHOWN_PROBLEMS = 3
_ERROR_COLUMNS = ("error", "error_key", "error_line")
_COLUMNS = {
    "value": ("id", "value", "kind", "nodes"),
    "solve": ("id", "value", "kind", "best", "moves", "line", "play", "nodes"),
    "close": (
        "id",
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
}


@dataclass(frozen=True, slots=True)
class BatchReport:
    """How a batch went: records read, how many of them were bad, and what the first of these were."""

    records: int
    errors: int
    first_problems: tuple[str, ...] = ()


def answer_chunk(
    items: list[Item],
    task: str,
    value_only: bool = False,
    interrupt: Interrupt | None = None,
    seconds: float | None = None,
) -> list[dict[str, Any]]:
    """Answer many records, in order: the result row of each, or its error row.

    Parameters
    ----------
    items : list of Record or RecordError
        As read.
    task : str
        ``solve`` or ``close``.
    value_only : bool
        For ``solve``: leave out the moves and the line.
    interrupt : Interrupt, optional
        `InterruptedError` once it has been raised.
    seconds : float, optional
        For ``close``: the time for the plans of one record.
    """
    if task == "solve" and value_only:
        return _values(items)
    rows = []
    for item in items:
        if interrupt is not None:
            interrupt.check()
        if isinstance(item, Record):
            try:
                if task == "solve":
                    rows.append(result_row(item, solve(item.position).to_dict()))
                else:
                    rows.append(result_row(item, close(item.position, seconds=seconds).to_dict(details=False)))
                continue
            except RecordError as error:
                item = _placed(error, item)
        rows.append(result_row(item, None))
    return rows


def _placed(error: RecordError, record: Record) -> RecordError:
    return error.at(record.line, record.id)


def _values(items: list[Item]) -> list[dict[str, Any]]:
    good: list[Record] = []
    checked: list[Item] = []
    for item in items:
        if isinstance(item, Record):
            try:
                require_complete(item.position)
                good.append(item)
            except RecordError as error:
                item = _placed(error, item)
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


def answer_all(
    items: Iterable[Item], task: str, value_only: bool = False, workers: int = 1, seconds: float | None = None
) -> Iterator[dict[str, Any]]:
    """Answer records in threads, lazily and in order.

    Parameters
    ----------
    items : iterable of Record or RecordError
        The input; it is read only a little ahead of the answers.
    task, value_only, seconds
        As for `answer_chunk`.
    workers : int
        Threads; the answers do not depend on it.
    """
    source = iter(items)
    chunks = iter(lambda: list(itertools.islice(source, _CHUNK)), [])
    waiting: deque[Future[list[dict[str, Any]]]] = deque()
    # Loading takes a second, or fifteen the first time; here, and not in a thread, Ctrl-C can end it.
    kernels("solution" if task == "solve" and not value_only else "two_handed")
    interrupt = Interrupt()
    with ThreadPoolExecutor(workers, initializer=interrupt.join) as pool, interrupt:
        try:
            for chunk in chunks:
                waiting.append(pool.submit(answer_chunk, chunk, task, value_only, interrupt, seconds))
                while len(waiting) > 2 * workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def run_batch(
    source: Path | Iterable[Item],
    target: Path,
    task: str = "solve",
    value_only: bool = False,
    workers: int = 1,
    progress: Callable[[int], object] = lambda _: None,
    seconds: float | None = None,
) -> BatchReport:
    """Answer every record of a file and write the results to another, in input order.

    Parameters
    ----------
    source : Path, or iterable of Record or RecordError
        Input: a file, or records as `files.read_stream` gives them.
    target : Path
        The output. It is JSON Lines or CSV by its name, and appears under it only when it is
        complete.
    task, value_only, workers, seconds
        As for `answer_all`.
    progress : callable
        Called with 1 after each record.

    Returns
    -------
    BatchReport

    Raises
    ------
    FileError
        If the input cannot be read or the output cannot be written.
    """
    kind = format_of_name(target)
    if kind not in ("jsonl", "csv"):
        raise FileError(f"{target}: results are written as .jsonl or .csv")
    records = errors = 0
    problems: list[str] = []
    # A name that nobody else uses, beside the target so that it can take its place.
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        items: Iterable[Item] = source if not isinstance(source, Path) else read_file(source)
        if isinstance(source, Path) and source.exists() and target.exists() and source.samefile(target):
            raise FileError(f"{target}: the output would overwrite the input")
        with part.open("x", encoding="utf-8", newline="") as out:
            columns = [*_COLUMNS["value" if task == "solve" and value_only else task], *_ERROR_COLUMNS]
            writer = csv.DictWriter(out, columns, lineterminator="\n") if kind == "csv" else None
            if writer:
                writer.writeheader()
            for row in answer_all(items, task, value_only, workers, seconds):
                records += 1
                errors += "error" in row
                if "error" in row and len(problems) < _SHOWN_PROBLEMS:
                    problems.append(f"record {row['error_line']}: {row['error']}")
                if writer:
                    writer.writerow(flatten(row))
                else:
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
                progress(1)
        part.replace(target)
    except OSError as error:
        name = error.filename if error.filename not in (None, str(part)) else target
        raise FileError(f"{name}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return BatchReport(records, errors, tuple(problems))
