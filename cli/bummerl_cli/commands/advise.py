"""bummerl advise."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from bummerl_cli.options import format_option, items_of, model_options, record_options, seconds_option, several


@click.command("advise")
@record_options
@model_options
@seconds_option("Stop after this time; what was found by then depends on the machine.")
@click.option(
    "--workers", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Threads.  [default: one a core]"
)
@format_option
@click.pass_context
def command(
    ctx: click.Context,
    records: tuple[str, ...],
    inputs: tuple[Path, ...],
    model: str,
    weighed: bool,
    max_worlds: int | None,
    seed: int,
    seconds: float | None,
    workers: int,
    style: str,
) -> None:
    """Say what each action is worth while cards are hidden.

    Every way to place the unseen cards is looked at, or a sample without repeats, the same for all actions. While
    the talon is open an action is worth its average with open cards; actions that close it, and all once it is
    closed, are worth what one plan is certain to gain, as in bummerl close. With a score the chance to win the match
    is given, too.

    \b
    Examples:
      bummerl advise trump=SJ me=ST,HAT,DKJ unseen=SAQ,HQJ,CK led=CA points=15:32 talon=2
      bummerl advise trump=DJ me=SAT,HT,DA,CA --max-worlds 200
    """
    from tqdm import tqdm

    from bummerl.advice_results import Advice
    from bummerl.advise import advise
    from bummerl.engine import kernels
    from bummerl.records import AnyPosition, two_handed
    from bummerl_cli import interrupt
    from bummerl_cli.advice_view import render_advice
    from bummerl_cli.output import ADVISING, answer_items

    def answer(position: AnyPosition) -> Advice:
        for unit in ADVISING:
            kernels(unit)  # before the progress bar is there
        with tqdm(desc="bummerl", unit=" worlds", disable=not sys.stderr.isatty(), leave=False) as bar:

            def advance(worlds: int) -> None:
                interrupt.check()
                bar.update(worlds)

            return advise(
                two_handed(position, "advise"),
                model=model,
                weighed=weighed,
                max_worlds=max_worlds,
                seconds=seconds,
                seed=seed,
                workers=workers,
                progress=advance,
            )

    answer_items(items_of(records, inputs), style, ctx, answer, render_advice, several(records, inputs), ADVISING)
