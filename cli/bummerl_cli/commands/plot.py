"""bummerl plot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bummerl_cli import interrupt

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bummerl.comparing import Agreement

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("plot", short_help="Draw what result files hold.")
@click.argument("files", metavar="FILE [FILE2]", nargs=-1, required=True, type=_FILE)
@click.option("-o", "--output", "target", required=True, type=_FILE, help="The picture: .png, .svg or .pdf.")
@click.option(
    "--kind",
    type=click.Choice(["values", "closes", "agreement"]),
    help="What to draw.  [default: what the files hold]",
)
def command(files: tuple[Path, ...], target: Path, kind: str | None) -> None:
    """Draw what one or two result files of bummerl batch hold.

    values: how often each number of game points came. closes: the share of hands a close beats, against the
    points of the closer; the results need their input beside them (batch --keep-input). agreement: the values of
    two files against each other; the first differences are printed. Needs Matplotlib: pip install bummerl[plot].

    \b
    Examples:
      bummerl plot values.csv -o values.png
    """
    from bummerl.comparing import CompareError
    from bummerl.errors import FileError
    from bummerl.plotting import FORMATS, PlotError, save

    if len(files) > 2:
        raise click.UsageError("one file, or two to compare")
    if kind and (kind == "agreement") != (len(files) == 2):
        raise click.UsageError("--kind agreement compares two files, the others draw one")
    if target.suffix.lower() not in FORMATS:
        raise click.UsageError(f"{target}: pictures are written as .png, .svg or .pdf")
    try:
        figure, agreement = _draw(files, kind)
        save(figure, target)
    except FileError as error:
        raise click.ClickException(str(error)) from None
    except (CompareError, PlotError) as error:
        raise click.ClickException(f"{files[0]}: {error}" if len(files) == 1 else str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror or error}") from None
    if agreement:
        for name, one, two in agreement.first:
            click.echo(f"{name}  {one:+d}  {two:+d}")
        more = agreement.differences - len(agreement.first)
        if more:
            click.echo(f"and {more:,} more")
        click.echo(f"{agreement.differences:,} of {agreement.compared:,} differ", err=True)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Go through a result file, and stop at Ctrl-C."""
    from bummerl.result_files import read_results

    for row in read_results(path):
        interrupt.check()
        yield row


def _draw(files: tuple[Path, ...], kind: str | None) -> tuple[Figure, Agreement | None]:
    from bummerl.comparing import Agreement, ClosesByPoints
    from bummerl.plotting import need_matplotlib, plot_agreement, plot_closes, plot_values
    from bummerl.summary import Summary

    need_matplotlib()
    if len(files) == 2:
        agreement = Agreement.of(_rows(files[0]), _rows(files[1]))
        return plot_agreement(agreement, (files[0].name, files[1].name)), agreement
    path = files[0]
    if (kind or _kind_of(path)) == "closes":
        return plot_closes(ClosesByPoints.of(_rows(path)), path.name), None
    return plot_values(Summary.of(_rows(path)), path.name), None


def _kind_of(path: Path) -> str:
    """Say what the first answered row of a file calls for."""
    answered = next((row for row in _rows(path) if not row.get("error")), {})
    return "closes" if "plan.probability" in answered else "values"
