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
@click.option("--tricks", type=click.IntRange(0, 11), default=0, show_default=True, help="Tricks of random play first.")
@click.option("--mid-trick", is_flag=True, help="One card more, so that a reply is due.")
@click.option("--hidden", is_flag=True, help="Only what the player on turn, called me, can see.")
@click.option(
    "--game",
    type=click.Choice(["schnapsen", "sixty-six", "bauernschnapsen", "dreierschnapsen"]),
    default="schnapsen",
    show_default=True,
    help="The game; every command but this one finds it in the record.",
)
@click.option("--contract", metavar="NAME", help="What is played by four or three.  [default: rufer]")
@click.option(
    "--rules",
    metavar="PRESET[+OPTION=VALUE]",
    help="soft, rulebook or sharp, with single options after it; for four and three mixed, rulebook or guide.",
)
@click.option("--format", "style", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
def command(
    number: int,
    seed: int,
    tricks: int,
    mid_trick: bool,
    hidden: bool,
    game: str,
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
      bummerl deal --game sixty-six | bummerl solve
      bummerl deal -n 100 --game bauernschnapsen --contract schnapser > schnapser.txt
    """
    from bummerl.games.table_records import TABLE_GAMES
    from bummerl.records import GAME_KEYS, KEYS, Record

    found = _positions(number, seed, tricks, mid_trick, hidden, game, contract, rules)
    columns = GAME_KEYS if game in TABLE_GAMES else KEYS
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
    number: int,
    seed: int,
    tricks: int,
    mid_trick: bool,
    hidden: bool,
    game: str,
    contract: str | None,
    rules: str | None,
) -> Iterator[AnyPosition]:
    """Go through the positions that are wanted."""
    from bummerl.games.table_records import TABLE_GAMES
    from bummerl.rules import Rules, RulesError

    try:
        if game in TABLE_GAMES:
            return _tables(number, seed, tricks, mid_trick, hidden, TABLE_GAMES[game], contract or "rufer", rules)
        if contract is not None:
            raise click.UsageError(f"{game} has no contracts; --contract goes with {' and '.join(TABLE_GAMES)}")
        own = Rules.parse(rules or "soft", game)
    except RulesError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from None
    _check_tricks(tricks, game, own.deck.size // 2)
    return _two_handed(number, seed, tricks, mid_trick, hidden, own)


def _check_tricks(tricks: int, game: str, most: int) -> None:
    if tricks >= most:
        raise click.BadParameter(f"a deal of {game} lasts for {most} tricks", param_hint="--tricks")


def _two_handed(
    number: int, seed: int, tricks: int, mid_trick: bool, hidden: bool, rules: Rules
) -> Iterator[AnyPosition]:
    from bummerl.deals import iterate_positions
    from bummerl.worlds import hide

    for position in iterate_positions(number, seed, rules, tricks, mid_trick):
        yield hide(position) if hidden else position


def _tables(
    number: int,
    seed: int,
    tricks: int,
    mid_trick: bool,
    hidden: bool,
    players: int,
    contract: str,
    rules: str | None,
) -> Iterator[AnyPosition]:
    from bummerl.games.contracts import ContractError, parse_contract
    from bummerl.games.hand import TableHand
    from bummerl.games.table_rules import TableRules
    from bummerl.table_deals import iterate_tables

    try:
        chosen = parse_contract(contract)
    except ContractError as error:
        raise click.BadParameter(str(error), param_hint="--contract") from None
    if not chosen.seats_among(players):
        raise click.BadParameter(f"there is no {chosen.german} for three", param_hint="--contract")
    own = TableRules.parse(rules or "mixed")
    _check_tricks(tricks, "four" if players == 4 else "three", 5 if players == 4 else 6)
    if hidden and (tricks or mid_trick):
        raise click.UsageError("--hidden shows a hand to bid on, so it goes without --tricks and --mid-trick")

    def found() -> Iterator[AnyPosition]:
        for table in iterate_tables(number, seed, chosen.name, own, tricks, mid_trick, players):
            if hidden:
                hand = table.hands[table.declarer]
                yield TableHand(hand, table.declarer, table.trump, rules=own, players=players)
            else:
                yield table

    return found()
