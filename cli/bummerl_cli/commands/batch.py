"""bummerl batch."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from bummerl_cli.options import INPUT_FILE, items_of, model_options, seconds_option


@click.command("batch", short_help="Answer a file of records, in threads.")
@click.argument("source", metavar="INPUT", type=INPUT_FILE)
@click.argument("target", metavar="OUTPUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--do", "do", type=click.Choice(["solve", "close", "advise"]), default="solve", show_default=True)
@click.option("--value-only", is_flag=True, help="With --do solve: only the value, much faster.")
@seconds_option("With --do close or advise: the time for one record; what is found by then depends on the machine.")
@model_options
@click.option(
    "--workers", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Threads.  [default: one a core]"
)
@click.pass_context
def command(
    ctx: click.Context,
    source: Path,
    target: Path,
    do: str,
    value_only: bool,
    seconds: float | None,
    model: str,
    weighed: bool,
    max_worlds: int | None,
    seed: int,
    workers: int,
) -> None:
    """Answer a file of records: results in input order, one row a record.

    INPUT is text lines, .jsonl or .csv (- is standard input), OUTPUT .jsonl or .csv. A bad record becomes a
    row with the columns error, error_key and error_line, and the others are still answered. Rows of close have
    the counts; the plan itself and the refutations are in bummerl close --format json.

    \b
    Examples:
      bummerl batch deals.txt values.csv --value-only
      bummerl batch positions.jsonl closes.jsonl --do close --workers 2
      bummerl batch positions.jsonl advice.csv --do advise --max-worlds 200
    """
    from tqdm import tqdm

    from bummerl.batch import run_batch
    from bummerl.files import FileError
    from bummerl.tasks import Task
    from bummerl_cli import interrupt
    from bummerl_cli.output import prepare_kernels

    try:
        task = Task(do, value_only, seconds, model, weighed, max_worlds, seed)
    except ValueError as error:
        option, _, rest = str(error).partition(" goes with ")
        raise click.UsageError(f"--{option.replace('_', '-')} goes with --do {rest.replace(' and ', ' or ')}") from None
    if target.suffix.lower() not in (".jsonl", ".ndjson", ".csv"):
        raise click.UsageError(f"{target}: results are written as .jsonl or .csv")
    prepare_kernels(task.units)
    given = items_of((), (source,)) if str(source) == "-" else source
    try:
        with tqdm(desc="bummerl", unit=" records", disable=not sys.stderr.isatty(), leave=False) as bar:

            def advance(records: int) -> None:
                interrupt.check()
                bar.update(records)

            report = run_batch(given, target, task, workers, advance)
    except FileError as error:
        raise click.ClickException(str(error)) from None
    for problem in report.first_problems:
        click.echo(f"bummerl: {problem}", err=True)
    bad = f", {report.errors} of them bad" if report.errors else ""
    records = "1 record" if report.records == 1 else f"{report.records} records"
    click.echo(f"{records}{bad} -> {target}", err=True)
    ctx.exit(1 if report.errors else 0)
