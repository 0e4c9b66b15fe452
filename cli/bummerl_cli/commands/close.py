"""bummerl close."""

from __future__ import annotations

from pathlib import Path

import click

from bummerl_cli.options import format_option, items_of, record_options, seconds_option, several


@click.command("close")
@record_options
@seconds_option("Stop looking for a better plan after this time; the interval found by then is certain.")
@click.option("--full", is_flag=True, help="The whole plan, and all hands that beat it.")
@format_option
@click.pass_context
def command(
    ctx: click.Context,
    records: tuple[str, ...],
    inputs: tuple[Path, ...],
    seconds: float | None,
    full: bool,
    style: str,
) -> None:
    """Say whether closing succeeds, and how.

    Looks for the one plan that makes 66 against most of the hands the opponent can hold. A plan depends only on
    your hand and the cards played; what it beats it beats whatever the opponent does. Beside it stands how many
    hands are beaten with open cards, which no plan can exceed.

    A talon that is closed already, by you or by the opponent, is answered in the same way.

    \b
    Examples:
      bummerl close trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2
      bummerl close trump=DJ me=SAT,HT,DA,CA --full
      bummerl close trump=CQ me=SAKJ,HK unseen=STQ,HQ,DT led=CT points=15:45 closed=opp@15
    """
    from bummerl.close import close
    from bummerl.close_results import CloseResult
    from bummerl.records import AnyPosition, two_handed
    from bummerl_cli.close_view import full_view, render_close
    from bummerl_cli.output import CLOSING, answer_items

    def answer(position: AnyPosition) -> CloseResult:
        return close(two_handed(position, "close"), seconds=seconds, keep_on_interrupt=True)

    render = full_view if full else render_close
    answer_items(items_of(records, inputs), style, ctx, answer, render, several(records, inputs), CLOSING)
