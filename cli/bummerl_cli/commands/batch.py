"""bummerl batch."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from bummerl_cli.options import INPUT_FILE, items_of, seconds_option


@click.command("batch", short_help="Answer a file of records, in threads.")
@click.argument("source", metavar="INPUT", type=INPUT_FILE)
@click.argument("target", metavar="OUTPUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--do", "task", type=click.Choice(["solve", "close"]), default="solve", show_default=True)
@click.option("--value-only", is_flag=True, help="With --do solve: only the value, much faster.")
@seconds_option("With --do close: the time for the plans of one record; later ones have an interval.")
@click.option(
    "--workers", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Threads.  [default: one a core]"
)
@click.pass_context
def command(
    ctx: click.Context,
    source: Path,
    target: Path,
    task: str,
    value_only: bool,
    seconds: float | None,
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
    """
    from tqdm import tqdm

    from bummerl.batch import run_batch
    from bummerl.files import FileError
    from bummerl_cli import interrupt
    from bummerl_cli.output import COUNTING, SOLVING, VALUING, prepare_kernels

    if value_only and task != "solve":
        raise click.UsageError("--value-only goes with --do solve")
    if seconds is not None and task != "close":
        raise click.UsageError("--seconds goes with --do close")
    if target.suffix.lower() not in (".jsonl", ".ndjson", ".csv"):
        raise click.UsageError(f"{target}: results are written as .jsonl or .csv")
    prepare_kernels(COUNTING if task == "close" else VALUING if value_only else SOLVING)
    given = items_of((), (source,)) if str(source) == "-" else source
    try:
        with tqdm(desc="bummerl", unit=" records", disable=not sys.stderr.isatty(), leave=False) as bar:

            def advance(records: int) -> None:
                interrupt.check()
                bar.update(records)

            report = run_batch(given, target, task, value_only, workers, advance, seconds)
    except FileError as error:
        raise click.ClickException(str(error)) from None
    for problem in report.first_problems:
        click.echo(f"bummerl: {problem}", err=True)
    bad = f", {report.errors} of them bad" if report.errors else ""
    records = "1 record" if report.records == 1 else f"{report.records} records"
    click.echo(f"{records}{bad} -> {target}", err=True)
    ctx.exit(1 if report.errors else 0)
