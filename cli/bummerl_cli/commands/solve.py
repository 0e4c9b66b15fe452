"""bummerl solve."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bummerl_cli.options import format_option, items_of, record_options, several

if TYPE_CHECKING:
    from rich.console import Console

    from bummerl.results import Solution
    from bummerl.table_solve import TableSolution


@click.command("solve", short_help="Exact value, every move, best play.")
@record_options
@click.option("--value-only", is_flag=True, help="Only the value: no moves, no line, faster.")
@format_option
@click.pass_context
def command(
    ctx: click.Context, records: tuple[str, ...], inputs: tuple[Path, ...], value_only: bool, style: str
) -> None:
    """Solve complete positions: exact value, every move, best play.

    The value is in game points for me, under best play by all with open cards. In Bauernschnapsen it is for the
    declarer's side, Kontra included.

    \b
    Examples:
      bummerl solve trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20
      bummerl solve trump=C me=STJ,CQ opp=SAQ,CJ points=55:34 --format json
      bummerl solve -i problems.jsonl --value-only
      bummerl deal -n 3 | bummerl solve --value-only
      bummerl deal -n 3 --game bauernschnapsen --contract schnapser | bummerl solve
    """
    from bummerl.solving import solve_any, value_any
    from bummerl.table_solve import TableSolution
    from bummerl_cli.output import SOLVING, VALUING, answer_items
    from bummerl_cli.render import render_solution, render_value
    from bummerl_cli.table_view import render_table

    def render(console: Console, name: str, solution: Solution | TableSolution) -> None:
        if isinstance(solution, TableSolution):
            render_table(console, name, solution)
        else:
            render_solution(console, name, solution)

    items = items_of(records, inputs)
    named = several(records, inputs)
    if value_only:
        answer_items(items, style, ctx, value_any, render_value, named, VALUING)
    else:
        answer_items(items, style, ctx, solve_any, render, named, SOLVING)
