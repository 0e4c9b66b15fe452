"""bummerl deal."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bummerl_cli.options import game_option, rules_option

if TYPE_CHECKING:
    from bummerl.rules import Rules


@click.command("deal", short_help="Write random deals or positions.")
@click.option("-n", "--number", type=click.IntRange(0), default=1, show_default=True, help="How many.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed gives the same deals."
)
@click.option("--tricks", type=click.IntRange(0, 11), default=0, show_default=True, help="Tricks of random play first.")
@click.option("--mid-trick", is_flag=True, help="One card more, so that a reply is due.")
@click.option("--hidden", is_flag=True, help="Only what the player on turn, called me, can see.")
@rules_option
@game_option
@click.option("--format", "style", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
def command(
    number: int, seed: int, tricks: int, mid_trick: bool, hidden: bool, rules: Rules, game: str, style: str
) -> None:
    """Write random deals, or positions after some tricks of random legal play.

    \b
    Examples:
      bummerl deal -n 1000 --seed 7 > deals.txt
      bummerl deal -n 100 --tricks 5 --rules sharp --format json > endgames.jsonl
      bummerl deal --tricks 4 --hidden | bummerl close
      bummerl deal --game sixty-six | bummerl solve
    """
    from bummerl.deals import iterate_positions
    from bummerl.records import KEYS, Record
    from bummerl.worlds import hide

    rules = replace(rules, game=game)
    if tricks >= rules.deck.size // 2:
        raise click.BadParameter(f"a deal of {game} lasts for {rules.deck.size // 2} tricks", param_hint="--tricks")
    out = csv.DictWriter(sys.stdout, KEYS, restval="", lineterminator="\n")
    if style == "csv":
        out.writeheader()
    for i, position in enumerate(iterate_positions(number, seed, rules, tricks, mid_trick), 1):
        record = Record(f"{seed}-{i}", hide(position) if hidden else position)
        if style == "csv":
            out.writerow(record.to_dict())
        else:
            click.echo(record.to_line() if style == "text" else json.dumps(record.to_dict()))
