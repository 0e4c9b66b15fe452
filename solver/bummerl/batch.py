"""A file of records in, a file of results out: in order, by threads or a cluster, and able to go on after a stop."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from bummerl import writers
from bummerl.cards import SUITS
from bummerl.engine import kernels, workspaces
from bummerl.errors import FileError
from bummerl.files import Raw, Source, format_of_name, input_fields, open_file, open_source, parse_raw
from bummerl.kernels.cache import source_fingerprint
from bummerl.parts import Parts, pack_part, read_facts, read_lines
from bummerl.pools import Pool, ThreadPool
from bummerl.records import KEYS, Record
from bummerl.rows import ERROR_COLUMNS, flatten, with_input
from bummerl.summary import Summary
from bummerl.tasks import Task

# Of the columns and their meaning, see data/README.md.
SCHEMA = 1
_SHOWN_PROBLEMS = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the rows of the output hold.

    Attributes
    ----------
    task : Task
        What is done with each record.
    keep_input : bool
        Put the columns of the input beside the results.
    columns : tuple of str, or None
        Only these columns, in this order, and the error columns.
    """

    task: Task = Task()
    keep_input: bool = False
    columns: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse columns that there are not."""
        if self.columns is not None:
            possible = ("id", *self.task.columns, *ERROR_COLUMNS)
            for name in self.columns:
                if name not in possible and not self.keep_input:
                    raise ValueError(f"there is no column {name!r}; columns are {' '.join(possible)}")

    @property
    def results(self) -> tuple[str, ...]:
        """The flat columns that hold results."""
        return ("id", *self.task.columns, *ERROR_COLUMNS)

    @property
    def names(self) -> frozenset[str]:
        """The names that an input column cannot keep."""
        return frozenset({*(name.partition(".")[0] for name in self.results), *self.results})


@dataclass(slots=True)
class BatchReport:
    """How a batch went: records read, how many of them were bad, what the first of these were, and all results."""

    records: int = 0
    errors: int = 0
    first_problems: list[str] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)


def answer_chunk(wanted: Wanted, kind: str, chunk: list[Raw]) -> bytes:
    """Answer some records: a part, see `parts.pack_part`. Needs nothing else, so any process can do it.

    Parameters
    ----------
    wanted : Wanted
        What to do.
    kind : str
        The format of the records.
    chunk : list of Raw
        The records.
    """
    interrupt = workspaces.interrupt
    items = [parse_raw(kind, raw) for raw in chunk]
    rows = wanted.task.answer_many(items, interrupt.check if interrupt else lambda: None)
    lines = []
    problems: list[str] = []
    columns: dict[str, None] = {}
    summary = Summary()
    for raw, item, row in zip(chunk, items, rows, strict=True):
        if "error" in row:
            problems.append(f"record {row['error_line']}: {row['error']}")
        suit = item.position.trump if isinstance(item, Record) else None
        summary.add({**flatten(row), **({} if suit is None else {"trump": SUITS[suit]})})
        if wanted.keep_input:
            row = with_input(row, input_fields(kind, raw), wanted.names)
            columns.update(dict.fromkeys(flatten(row)))
        lines.append(writers.json_line(row))
    rules = Counter(str(item.position.rules) for item in items if isinstance(item, Record))
    given = [name for name in columns if name not in wanted.results]
    facts = {
        "errors": len(problems),
        "problems": problems[:_SHOWN_PROBLEMS],
        "rules": rules,
        "input": given,
        "summary": summary.to_facts(),
    }
    return pack_part(lines, facts)


def run_batch(
    source: Path | IO[bytes],
    target: Path,
    wanted: Wanted = Wanted(),
    *,
    workers: int = 1,
    pool: Pool | None = None,
    resume: bool = False,
    strict: bool = False,
    errors: Path | None = None,
    progress: Callable[[int], object] = lambda _: None,
    total: Callable[[int], object] = lambda _: None,
) -> BatchReport:
    """Answer every record of a file and write the results to another, in input order.

    Parameters
    ----------
    source : Path or binary stream
        The input, see `files.open_source`.
    target : Path
        The output: .jsonl, .csv or .parquet by its name, the first two maybe with .gz or .zst. It appears only when
        it is complete, with ``OUTPUT.manifest.json`` beside it, which says how it was made. Until then the work that is
        done lies in ``OUTPUT.parts``.
    wanted : Wanted
        What to do with each record, and what to write.
    workers : int
        Threads; the results do not depend on them.
    pool : Pool, optional
        Does the work instead of threads, see `pools`.
    resume : bool
        Continue an unfinished run with the same input and options.
    strict : bool
        Stop at the first bad record, and write nothing.
    errors : Path, optional
        Also write the error rows here, as JSON Lines.
    progress : callable
        Called with the number of records just done.
    total : callable
        Called once with the number of records at most, where that is known.

    Returns
    -------
    BatchReport

    Raises
    ------
    FileError
        If the input cannot be read or the output cannot be written; or a run cannot be continued; or, if `strict`,
        a record is bad.
    """
    kind, packed = writers.check_target(target)
    if resume and not isinstance(source, Path):
        raise FileError("standard input cannot be read a second time: save it to a file to use --resume")
    if isinstance(source, Path) and source.exists() and target.exists() and source.samefile(target):
        raise FileError(f"{target}: the output would overwrite the input")
    if not target.parent.is_dir():
        raise FileError(f"{target}: there is no folder {target.parent}")
    if target.is_dir():
        raise FileError(f"{target}: this is a folder")
    with ExitStack() as stack:
        stream = stack.enter_context(open_file(source)) if isinstance(source, Path) else source
        manifest = _manifest(source, stream, wanted, total)
        records = open_source(stream, format_of_name(source) if isinstance(source, Path) else None, _name(source))
        done_before = _finished(target) if resume and not target.with_name(target.name + ".parts").exists() else None
        if done_before is not None and target.exists():
            for key in manifest:
                if done_before.get(key) != json.loads(json.dumps(manifest[key])):
                    raise FileError(
                        f"{target}: was made from another input or with other options ({key}); remove it first"
                    )
            summary = Summary.from_facts(done_before["summary"])
            return BatchReport(done_before["records"], done_before["errors"], done_before["first_problems"], summary)
        try:
            parts = Parts(target, manifest, resume)
            stack.callback(parts.close)
            count = _do_parts(records, wanted, parts, pool or ThreadPool(workers), strict, progress)
            report = _assemble(target, kind, packed, wanted, records, parts, count, manifest, errors)
        except OSError as error:
            name = error.filename or target
            more = "" if not isinstance(source, Path) else "; what is done stays, --resume goes on"
            raise FileError(f"{name}: {error.strerror or error}{more}") from None
    return report


def _name(source: Path | IO[bytes]) -> str:
    return str(source) if isinstance(source, Path) else "standard input"


def _manifest(
    source: Path | IO[bytes], stream: IO[bytes], wanted: Wanted, total: Callable[[int], object]
) -> dict[str, Any]:
    """Say what is run on what, which must not change while a run is continued."""
    from bummerl import __version__

    given: dict[str, Any] = {"name": _name(source)}
    if isinstance(source, Path):
        digest, lines, size = hashlib.sha256(), 0, 0
        try:
            while block := stream.read(1 << 20):
                digest.update(block)
                lines += block.count(b"\n")
                size += len(block)
            stream.seek(0)
        except OSError as error:
            # A pipe or another special file.
            raise FileError(f"{source}: {error.strerror or error}; use - for standard input") from None
        given = {"name": source.name, "bytes": size, "sha256": digest.hexdigest()}
        if lines:
            total(lines)
    return {
        "schema": SCHEMA,
        "bummerl": __version__,
        "kernels": source_fingerprint(),
        "input": given,
        "task": wanted.task.options(),
        "keep_input": wanted.keep_input,
        "chunk": wanted.task.chunk,
    }


def _finished(target: Path) -> dict[str, Any] | None:
    """Return the manifest of a finished run."""
    try:
        return dict(json.loads(manifest_path(target).read_bytes()))
    except (OSError, ValueError):
        return None


def manifest_path(target: Path) -> Path:
    """Return where it is written how an output was made."""
    return target.with_name(target.name + ".manifest.json")


def _do_parts(
    records: Source, wanted: Wanted, parts: Parts, pool: Pool, strict: bool, progress: Callable[[int], object]
) -> int:
    """Do all chunks that are not done yet; returns how many there are.

    Chunks are kept as they come, so that a hard one does not stall the others.
    """
    # Loading takes a second, or fifteen the first time; here, and not in a thread, Ctrl-C can end it.
    for unit in wanted.task.units:
        kernels(unit)
    size = wanted.task.chunk
    chunks = enumerate(iter(lambda: list(itertools.islice(records.raw, size)), []))
    count = 0
    with pool:
        waiting: dict[Any, tuple[int, int]] = {}
        bad: int | None = None
        for number, chunk in chunks:
            count = number + 1
            if parts.is_done(number):
                progress(len(chunk))
            else:
                waiting[pool.submit(answer_chunk, wanted, records.kind, chunk)] = (number, len(chunk))
            while len(waiting) >= pool.window:
                bad = _keep_done(waiting, parts, pool, bad, progress, strict)
            if strict and bad is not None:
                break
        while waiting:
            bad = _keep_done(waiting, parts, pool, bad, progress, strict)
    if strict and bad is not None:
        problem = read_facts(parts.path(bad))["problems"][0]
        parts.remove()
        raise FileError(f"{problem} (--strict: nothing was written)")
    return count


def _keep_done(
    waiting: dict[Any, tuple[int, int]],
    parts: Parts,
    pool: Pool,
    bad: int | None,
    progress: Callable[[int], object],
    strict: bool,
) -> int | None:
    """Put on the disk what is ready; returns the first chunk with a bad record, if that matters."""
    for future in pool.wait(list(waiting)):
        number, records = waiting.pop(future)
        parts.keep(number, pool.result(future))
        progress(records)
        if strict and read_facts(parts.path(number))["errors"]:
            bad = number if bad is None else min(bad, number)
    return bad


def _assemble(
    target: Path,
    kind: str,
    packed: str | None,
    wanted: Wanted,
    records: Source,
    parts: Parts,
    count: int,
    manifest: dict[str, Any],
    errors: Path | None,
) -> BatchReport:
    """Make the output of all parts, and give it its name when it is complete."""
    report = BatchReport()
    rules: Counter[str] = Counter()
    given: dict[str, None] = dict.fromkeys(_kept_columns(records, wanted))
    for number in range(count):
        facts = read_facts(parts.path(number))
        report.records += facts["rows"]
        report.errors += facts["errors"]
        report.first_problems += facts["problems"][: _SHOWN_PROBLEMS - len(report.first_problems)]
        report.summary.join(Summary.from_facts(facts["summary"]))
        rules.update(facts["rules"])
        given.update(dict.fromkeys(facts["input"]))
    columns = _columns(wanted, list(given))
    unknown = [name for name in columns if name not in wanted.results and name not in given]
    if unknown:
        raise FileError(
            f"--columns: there is no column {unknown[0]}; columns are {' '.join((*wanted.results, *given))}"
        )
    notes = {
        **manifest,
        "columns": wanted.columns,
        "records": report.records,
        "errors": report.errors,
        "first_problems": report.first_problems,
        "rules": dict(sorted(rules.items())),
        "summary": report.summary.to_facts(),
    }

    def rows() -> Iterator[dict[str, Any]]:
        for number in range(count):
            for line in read_lines(parts.path(number)):
                yield json.loads(line)

    def chosen() -> Iterator[dict[str, Any]]:
        for row in rows():
            flat = flatten(row)
            yield {name: flat[name] for name in columns if name in flat}

    # A name of its own in the same folder, so that it can take the place of the output at once.
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    os.close(handle)
    waiting = Path(name)
    try:
        writers.write_rows(
            waiting, kind, packed, rows if wanted.columns is None else chosen, columns, wanted.results, notes
        )
        waiting.chmod(0o666 & ~_umask())
        if errors is not None:
            with errors.open("wb") as out:
                for row in rows():
                    if "error" in row:
                        out.write(writers.json_line({key: row.get(key) for key in ("id", *ERROR_COLUMNS)}))
        manifest_path(target).write_text(json.dumps(notes, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        waiting.replace(target)
    finally:
        waiting.unlink(missing_ok=True)
    parts.remove()
    return report


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _kept_columns(records: Source, wanted: Wanted) -> list[str]:
    """Return the input columns that are known before a record is read, under the names they get."""
    if not wanted.keep_input:
        return []
    names = [name for name in records.columns if name != "id"]
    return [f"input.{name}" if name in wanted.names else name for name in names]


def _columns(wanted: Wanted, given: list[str]) -> list[str]:
    """Return the columns of a table."""
    if wanted.columns is not None:
        return list(dict.fromkeys((*wanted.columns, *ERROR_COLUMNS)))
    order = {key: place for place, key in enumerate(KEYS)}
    kept = sorted((name for name in given if name != "id"), key=lambda name: order.get(name, len(order)))
    return ["id", *kept, *wanted.task.columns, *ERROR_COLUMNS]
