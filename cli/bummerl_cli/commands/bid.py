"""bummerl bid."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bummerl_cli.options import format_option, items_of, record_options, seconds_option, several

if TYPE_CHECKING:
    from rich.console import Console

    from bummerl.bid import Bid
    from bummerl.discards import Discarding
    from bummerl.games.hand import TableHand
    from bummerl.naming import TrumpChoice
    from bummerl.records import AnyPosition


@dataclass(frozen=True)
class Naming:
    """What naming each suit is worth."""

    hand: TableHand
    choices: tuple[TrumpChoice, ...]
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"choices": [choice.to_dict() for choice in self.choices], "seed": self.seed}


@dataclass(frozen=True)
class LayingAway:
    """Which two cards to lay away for each contract."""

    hand: TableHand
    contracts: tuple[Discarding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"contracts": [each.to_dict() for each in self.contracts]}


@click.command("bid", short_help="Bauern- and Dreierschnapsen: what each contract would win.")
@record_options
@click.option("--contract", "contracts", metavar="NAME", multiple=True, help="Only this contract. Can be repeated.")
@click.option("--max-layouts", "most", type=click.IntRange(min=1), help="Look at a sample of so many layouts.")
@seconds_option("The time for each contract; what was looked at by then depends on the machine.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of samples.")
@click.option(
    "--workers", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Threads.  [default: one a core]"
)
@format_option
@click.pass_context
def command(
    ctx: click.Context,
    records: tuple[str, ...],
    inputs: tuple[Path, ...],
    contracts: tuple[str, ...],
    most: int | None,
    seconds: float | None,
    seed: int,
    workers: int,
    style: str,
) -> None:
    """Say what each contract of Bauernschnapsen or Dreierschnapsen would win.

    From one player's five cards, his seat and the suit of trumps: in how many layouts of the other fifteen cards each
    contract he may bid is made, with open cards and best play by all. All 756,756 are looked at, fewer where forehand
    is known to hold a trump; for the Rufer 20,000 of them. With forehand's first three cards and no trump: which suit
    to name. In Dreierschnapsen with six cards and the talon unknown, or with eight cards: which two to lay away.

    \b
    Examples:
      bummerl bid game=bauernschnapsen me=HATJ,SAT seat=p1 trump=H --contract bauernschnapser
      bummerl bid game=bauernschnapsen me=HAKQ,CA,SA seat=p2 trump=H --max-layouts 2000
      bummerl bid game=bauernschnapsen me=HAT,SJ seat=p1
      bummerl bid game=dreierschnapsen me=HAKQ,SAT,DJ,CJ,CA seat=p1 trump=H --contract schnapser
    """
    from tqdm import tqdm

    from bummerl.bid import Bid, bid
    from bummerl.discards import discards_for
    from bummerl.engine import kernels
    from bummerl.errors import RecordError
    from bummerl.games.contracts import ContractError, parse_contract
    from bummerl.games.hand import TableHand
    from bummerl.naming import name_trump
    from bummerl_cli import interrupt
    from bummerl_cli.output import BIDDING, answer_items
    from bummerl_cli.table_view import render_bid, render_discards, render_trump

    try:
        wanted = [parse_contract(name).name for name in contracts] or None
    except ContractError as error:
        raise click.UsageError(f"--contract: {error}") from None

    def answer(position: AnyPosition) -> Bid | Naming | LayingAway:
        if not isinstance(position, TableHand):
            raise RecordError("me", "is missing", "bid needs one player's cards and seat: me=HAT,SA,DKJ seat=p1")
        for unit in BIDDING:
            kernels(unit)  # before the progress bar is there
        if position.trump is None:
            return Naming(position, name_trump(position, seed=seed, workers=workers), seed)
        if position.has_talon:
            return LayingAway(position, discards_for(position, wanted, workers=workers))
        with tqdm(desc="bummerl", unit=" layouts", disable=not sys.stderr.isatty(), leave=False) as bar:

            def advance(layouts: int) -> None:
                interrupt.check()
                bar.update(layouts)

            return bid(position, wanted, most=most, seconds=seconds, seed=seed, workers=workers, progress=advance)

    def render(console: Console, name: str, found: Bid | Naming | LayingAway) -> None:
        if isinstance(found, Bid):
            render_bid(console, name, found)
        elif isinstance(found, LayingAway):
            render_discards(console, name, found.hand, found.contracts)
        else:
            render_trump(console, name, found.hand, found.choices, found.seed)

    answer_items(items_of(records, inputs), style, ctx, answer, render, several(records, inputs), BIDDING)
