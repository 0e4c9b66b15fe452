"""bummerl batch."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from bummerl_cli.options import INPUT_FILE, model_options, seconds_option


@click.command("batch", short_help="Answer a file of records, in threads or on a cluster.")
@click.argument("source", metavar="INPUT", type=INPUT_FILE)
@click.argument("target", metavar="OUTPUT", type=INPUT_FILE)
@click.option("--do", "do", type=click.Choice(["solve", "close", "advise", "bid"]), default="solve", show_default=True)
@click.option("--value-only", is_flag=True, help="With --do solve: only the value, much faster.")
@seconds_option(
    "With --do close, advise or bid: the time for one record; what is found by then depends on the machine."
)
@model_options
@click.option("--keep-input", is_flag=True, help="Put all input columns beside the results.")
@click.option("--columns", metavar="NAME,…", help="Write only these columns, in this order, and the error columns.")
@click.option("--summary", is_flag=True, help="Print counts by value, means and a histogram at the end.")
@click.option("--resume", is_flag=True, help="Continue a run that was stopped, with the same input and options.")
@click.option("--strict", is_flag=True, help="Stop at the first bad record, and write nothing.")
@click.option(
    "--errors",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the error rows here, as JSON Lines.",
)
@click.option(
    "--workers", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Threads.  [default: one a core]"
)
@click.option(
    "--dask", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it, such as tcp://10.0.0.1:8786."
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
    keep_input: bool,
    columns: str | None,
    summary: bool,
    resume: bool,
    strict: bool,
    errors: Path | None,
    workers: int,
    dask: str | None,
) -> None:
    """Answer a file of records: results in input order, one row a record.

    INPUT is text lines, JSON Lines, CSV or Parquet, OUTPUT .jsonl, .csv or .parquet; all but Parquet may be compressed
    (.gz, .zst). - is standard input, and as OUTPUT standard output in JSON Lines. A bad record becomes a row with the
    columns error, error_key and error_line, and the others are still answered.

    OUTPUT appears when it is complete, with OUTPUT.manifest.json beside it, which says how it was made. Until then
    what is done lies in OUTPUT.parts, and --resume continues after a stop of any kind.

    \b
    Examples:
      bummerl batch deals.txt values.csv --value-only
      bummerl batch positions.jsonl closes.jsonl --do close --workers 2
      bummerl batch positions.jsonl advice.csv --do advise --max-worlds 200
      bummerl batch deals.txt values.parquet --value-only --keep-input --summary
    """
    from bummerl.batch import Wanted, run_batch
    from bummerl.errors import FileError
    from bummerl.pools import DaskPool
    from bummerl.tasks import Task
    from bummerl.writers import check_target
    from bummerl_cli.output import prepare_kernels, standard_output
    from bummerl_cli.progress import Progress

    try:
        task = Task(do, value_only, seconds, model, weighed, max_worlds, seed)
    except ValueError as error:
        option, _, rest = str(error).partition(" goes with ")
        raise click.UsageError(f"--{option.replace('_', '-')} goes with --do {rest.replace(' and ', ' or ')}") from None
    chosen = None if columns is None else tuple(name.strip() for name in columns.split(",") if name.strip())
    try:
        wanted = Wanted(task, keep_input, chosen)
    except ValueError as error:
        raise click.UsageError(f"--columns: {error}") from None
    to_screen = str(target) == "-"
    if not to_screen:
        try:
            check_target(target)
        except FileError as error:
            raise click.UsageError(str(error)) from None
    if to_screen and (resume or summary):
        raise click.UsageError("--resume and --summary need an OUTPUT file")
    try:
        pool = DaskPool(dask) if dask else None
        prepare_kernels(task.units)
        with Progress() as bar, standard_output(target) as file:
            report = run_batch(
                sys.stdin.buffer if str(source) == "-" else source,
                file,
                wanted,
                workers=workers,
                pool=pool,
                resume=resume,
                strict=strict,
                errors=errors,
                progress=bar.advance,
                total=bar.total,
            )
    except FileError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        if not to_screen and str(source) != "-":
            click.echo("bummerl: what is done is kept, --resume goes on", err=True)
        raise
    for problem in report.first_problems:
        click.echo(f"bummerl: {problem}", err=True)
    if not report.records:
        click.echo("bummerl: no records in the input", err=True)
    bad = f", {report.errors} of them bad" if report.errors else ""
    records = "1 record" if report.records == 1 else f"{report.records} records"
    click.echo(f"{records}{bad}" + ("" if to_screen else f" -> {target}"), err=True)
    if summary:
        from bummerl_cli.output import new_console
        from bummerl_cli.summary_view import render_summary

        render_summary(new_console(), report.summary)
    ctx.exit(1 if report.errors else 0)
