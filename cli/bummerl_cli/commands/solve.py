"""bummerl solve."""

from __future__ import annotations

from pathlib import Path

import click

from bummerl_cli.options import format_option, items_of, record_options, several


@click.command("solve", short_help="Exact value, every move, best play.")
@record_options
@click.option("--value-only", is_flag=True, help="Only the value: no moves, no line, faster.")
@format_option
@click.pass_context
def command(
    ctx: click.Context, records: tuple[str, ...], inputs: tuple[Path, ...], value_only: bool, style: str
) -> None:
    """Solve complete positions: exact value, every move, best play.

    The value is in game points for me, under best play by both with open cards.

    \b
    Examples:
      bummerl solve trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20
      bummerl solve trump=C me=STJ,CQ opp=SAQ,CJ points=55:34 --format json
      bummerl solve -i problems.jsonl --value-only
      bummerl deal -n 3 | bummerl solve --value-only
    """
    from bummerl.solve import solve, solve_value
    from bummerl_cli.output import SOLVING, VALUING, answer_items
    from bummerl_cli.render import render_solution, render_value

    items = items_of(records, inputs)
    named = several(records, inputs)
    if value_only:
        answer_items(items, style, ctx, solve_value, render_value, named, VALUING)
    else:
        answer_items(items, style, ctx, solve, render_solution, named, SOLVING)
