"""bummerl convert."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bummerl_cli.options import INPUT_FILE

if TYPE_CHECKING:
    from bummerl.errors import RecordError

_KINDS = click.Choice(["text", "jsonl", "csv", "parquet", "labelled"])


@click.command("convert")
@click.argument("source", metavar="INPUT", type=INPUT_FILE)
@click.argument("target", metavar="OUTPUT", type=INPUT_FILE)
@click.option("--from", "given", type=_KINDS, help="The format of INPUT.  [default: by its name and content]")
@click.option("--to", "wanted", type=_KINDS, help="The format of OUTPUT.  [default: by its name]")
@click.pass_context
def command(ctx: click.Context, source: Path, target: Path, given: str | None, wanted: str | None) -> None:
    """Write records in another format.

    All formats can be compressed with gzip or Zstandard (.gz, .zst), but for Parquet, which is so already. Labelled text
    is how problems are published (Your cards, Concealed cards, Trump, Stock, Trick points, On lead, suits as
    symbols), also pasted from a web page. - is standard input or output; bad records are left out and reported.

    \b
    Examples:
      bummerl convert deals.txt deals.parquet
      bummerl convert positions.jsonl - --to labelled
      bummerl convert positions.jsonl problems.txt --to labelled
    """
    from bummerl.converting import convert, read_any
    from bummerl.errors import FileError
    from bummerl.files import format_of_name, open_file
    from bummerl_cli import interrupt
    from bummerl_cli.output import standard_output

    wanted = wanted or ("text" if str(target) == "-" else format_of_name(target))
    if wanted is None:
        raise click.UsageError(
            f"{target}: name the format with --to, or end the name in .txt, .jsonl, .csv or .parquet"
        )
    bad = 0

    def report(error: RecordError) -> None:
        nonlocal bad
        bad += 1
        interrupt.check()
        click.echo(f"bummerl: {error.located()}", err=True)

    try:
        with ExitStack() as stack:
            from_screen = str(source) == "-"
            stream = sys.stdin.buffer if from_screen else stack.enter_context(open_file(source))
            name = "standard input" if from_screen else str(source)
            if not from_screen and target.exists() and source.samefile(target):
                raise FileError(f"{target}: the output would overwrite the input")
            kind = given or (None if from_screen else format_of_name(source))
            # A .txt file may hold tokens or labelled text.
            items = read_any(stream, None if given is None and kind == "text" else kind, name)
            with standard_output(target) as file:
                count = convert(items, file, wanted, report)
    except FileError as error:
        raise click.ClickException(str(error)) from None
    left_out = f", {bad} bad ones left out" if bad else ""
    where = "" if str(target) == "-" else f" -> {target}"
    click.echo(f"{count} record{'' if count == 1 else 's'}{left_out}{where}", err=True)
    ctx.exit(1 if bad else 0)
