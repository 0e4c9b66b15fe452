"""bummerl deal."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bummerl.records import AnyPosition
    from bummerl.rules import Rules


@click.command("deal", short_help="Write random deals or positions.")
@click.option("-n", "--number", type=click.IntRange(0), default=1, show_default=True, help="How many.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed gives the same deals."
)
@click.option("--tricks", type=click.IntRange(0, 9), default=0, show_default=True, help="Tricks of random play first.")
@click.option("--mid-trick", is_flag=True, help="One card more, so that a reply is due.")
@click.option("--hidden", is_flag=True, help="Only what the player on turn, called me, can see.")
@click.option("--contract", metavar="NAME", help="Deals of Bauernschnapsen with this contract, such as rufer.")
@click.option(
    "--rules",
    metavar="PRESET[+OPTION=VALUE]",
    help="soft, rulebook or sharp, with single options after it; with --contract mixed, rulebook or guide.",
)
@click.option("--format", "style", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
def command(
    number: int,
    seed: int,
    tricks: int,
    mid_trick: bool,
    hidden: bool,
    contract: str | None,
    rules: str | None,
    style: str,
) -> None:
    """Write random deals, or positions after some tricks of random legal play.

    \b
    Examples:
      bummerl deal -n 1000 --seed 7 > deals.txt
      bummerl deal -n 100 --tricks 5 --rules sharp --format json > endgames.jsonl
      bummerl deal --tricks 4 --hidden | bummerl close
      bummerl deal -n 100 --contract schnapser > schnapser.txt
    """
    from bummerl.records import GAME_KEYS, KEYS, Record

    found = _positions(number, seed, tricks, mid_trick, hidden, contract, rules)
    columns = GAME_KEYS if contract else KEYS
    out = csv.DictWriter(sys.stdout, columns, restval="", lineterminator="\n")
    if style == "csv":
        out.writeheader()
    for i, position in enumerate(found, 1):
        record = Record(f"{seed}-{i}", position)
        if style == "csv":
            out.writerow(record.to_dict())
        else:
            click.echo(record.to_line() if style == "text" else json.dumps(record.to_dict()))


def _positions(
    number: int, seed: int, tricks: int, mid_trick: bool, hidden: bool, contract: str | None, rules: str | None
) -> Iterator[AnyPosition]:
    """Go through the positions that are wanted."""
    from bummerl.rules import Rules, RulesError

    try:
        if contract is None:
            return _two_handed(number, seed, tricks, mid_trick, hidden, Rules.parse(rules or "soft"))
        return _tables(number, seed, tricks, mid_trick, hidden, contract, rules)
    except RulesError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from None


def _two_handed(
    number: int, seed: int, tricks: int, mid_trick: bool, hidden: bool, rules: Rules
) -> Iterator[AnyPosition]:
    from bummerl.deals import iterate_positions
    from bummerl.worlds import hide

    for position in iterate_positions(number, seed, rules, tricks, mid_trick):
        yield hide(position) if hidden else position


def _tables(
    number: int, seed: int, tricks: int, mid_trick: bool, hidden: bool, contract: str, rules: str | None
) -> Iterator[AnyPosition]:
    from bummerl.games.contracts import ContractError, parse_contract
    from bummerl.games.hand import TableHand
    from bummerl.games.table_rules import TableRules
    from bummerl.table_deals import iterate_tables

    try:
        name = parse_contract(contract).name
    except ContractError as error:
        raise click.BadParameter(str(error), param_hint="--contract") from None
    own = TableRules.parse(rules or "mixed")
    if tricks > 4 or (hidden and (tricks or mid_trick)):
        what = "--hidden shows a hand to bid on, so it goes without" if hidden else "a deal has five tricks, so fewer"
        raise click.UsageError(f"{what} --tricks{' and --mid-trick' if hidden else ''}")

    def found() -> Iterator[AnyPosition]:
        for table in iterate_tables(number, seed, name, own, tricks, mid_trick):
            yield TableHand(table.hands[table.declarer], table.declarer, table.trump, rules=own) if hidden else table

    return found()
