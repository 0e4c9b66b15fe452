"""bummerl close."""

from __future__ import annotations

from pathlib import Path

import click

from bummerl_cli.options import format_option, items_of, record_options, several


@click.command("close")
@record_options
@format_option
@click.pass_context
def command(ctx: click.Context, records: tuple[str, ...], inputs: tuple[Path, ...], style: str) -> None:
    """Count the hands against which closing succeeds.

    Goes through every hand the opponent can hold and says, exactly, against how many of them the close makes
    66 with open cards, for each first lead. Seeing the cards, that is the most a player can hope for.

    \b
    Examples:
      bummerl close trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2
      bummerl close trump=DJ me=SAT,HT,DA,CA
      bummerl close trump=CQ me=SAKJ,HK unseen=STQ,HQ,DT led=CT points=15:45 closed=opp@15
    """
    from bummerl.close import close
    from bummerl_cli.output import answer_items
    from bummerl_cli.render import render_close

    answer_items(items_of(records, inputs), style, ctx, close, render_close, several(records, inputs))
