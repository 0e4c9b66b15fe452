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

from bummerl.engine import Interrupt, kernels
from bummerl.files import FileError, Item, flatten, format_of_name, read_file
from bummerl.tasks import Task

_CHUNK = 64
_SHOWN_PROBLEMS = 3
_ERROR_COLUMNS = ("error", "error_key", "error_line")


@dataclass(frozen=True, slots=True)
class BatchReport:
    """How a batch went: records read, how many of them were bad, and what the first of these were."""

    records: int
    errors: int
    first_problems: tuple[str, ...] = ()


def answer_all(items: Iterable[Item], task: Task = Task(), workers: int = 1) -> Iterator[dict[str, Any]]:
    """Answer records in threads, lazily and in order.

    Parameters
    ----------
    items : iterable of Record or RecordError
        The input; it is read only a little ahead of the answers.
    task : Task
        What to do with each record.
    workers : int
        Threads; the answers do not depend on it.
    """
    source = iter(items)
    chunks = iter(lambda: list(itertools.islice(source, _CHUNK)), [])
    waiting: deque[Future[list[dict[str, Any]]]] = deque()
    # Loading takes a second, or fifteen the first time; here, and not in a thread, Ctrl-C can end it.
    for unit in task.units:
        kernels(unit)
    interrupt = Interrupt()
    with ThreadPoolExecutor(workers, initializer=interrupt.join) as pool, interrupt:
        try:
            for chunk in chunks:
                waiting.append(pool.submit(task.answer_many, chunk, interrupt.check))
                while len(waiting) > 2 * workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def run_batch(
    source: Path | Iterable[Item],
    target: Path,
    task: Task = Task(),
    workers: int = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> BatchReport:
    """Answer every record of a file and write the results to another, in input order.

    Parameters
    ----------
    source : Path, or iterable of Record or RecordError
        Input: a file, or records as `files.read_stream` gives them.
    target : Path
        The output. It is JSON Lines or CSV by its name, and appears under it only when it is
        complete.
    task, workers
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
            columns = ["id", *task.columns, *_ERROR_COLUMNS]
            writer = csv.DictWriter(out, columns, lineterminator="\n") if kind == "csv" else None
            if writer:
                writer.writeheader()
            for row in answer_all(items, task, workers):
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
