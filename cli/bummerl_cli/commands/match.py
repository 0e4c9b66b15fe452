"""bummerl match."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bummerl_cli.options import INPUT_FILE, format_option

if TYPE_CHECKING:
    from collections.abc import Mapping

_GAMES = click.Choice(["schnapsen", "bauernschnapsen"])


@click.group("match", short_help="The match: chances from a score, and recorded ones counted.")
def command() -> None:
    """Say how likely the Bummerl is won from a score, and count recorded matches.

    \b
    Examples:
      bummerl match chance score=3:5 dealer=me
      bummerl match table --game bauernschnapsen --format csv
      bummerl match tally data/matches.txt
    """


def _pair(text: str, goal: int) -> tuple[int, int]:
    mine, colon, theirs = text.partition(":")
    if not (colon and mine.isdigit() and theirs.isdigit() and 1 <= int(mine) <= goal and 1 <= int(theirs) <= goal):
        raise click.UsageError(f"score is what both still need, 1 to {goal}, such as score=3:5")
    return int(mine), int(theirs)


def _outcomes(game: str, own: str | None) -> Mapping[int, float]:
    """Return how deals end: as measured, or as given like ``-2:30,1:70``."""
    from bummerl.match import DEAL_OUTCOMES, TABLE_OUTCOMES

    if own is None:
        return TABLE_OUTCOMES if game == "bauernschnapsen" else DEAL_OUTCOMES
    try:
        counts = {int(value): float(count) for value, _, count in (part.partition(":") for part in own.split(","))}
    except ValueError:
        counts = {}
    if not counts or 0 in counts or min(counts.values()) < 0 or not sum(counts.values()):
        raise click.UsageError("--outcomes is game points of forehand with how often they come, such as -2:30,1:70")
    return {value: count / sum(counts.values()) for value, count in counts.items()}


_OUTCOMES = click.option(
    "--outcomes", metavar="POINTS:COUNT,…", help="How deals end for forehand.  [default: as measured in self-play]"
)
_GAME = click.option("--game", type=_GAMES, default="schnapsen", show_default=True)


@command.command("chance")
@click.argument("tokens", nargs=-1, metavar="score=MINE:THEIRS [dealer=me|opp]")
@_GAME
@_OUTCOMES
@format_option
def chance(tokens: tuple[str, ...], game: str, outcomes: str | None, style: str) -> None:
    """Say how likely the match is won from a score, and what game points change.

    \b
    Examples:
      bummerl match chance score=3:5 dealer=me
      bummerl match chance score=10:4 --game bauernschnapsen
    """
    from bummerl.match import match_chance
    from bummerl.scoring import GOALS

    given = dict(token.split("=", 1) for token in tokens if "=" in token)
    if unknown := [token for token in tokens if token.partition("=")[0] not in ("score", "dealer")]:
        raise click.UsageError(f"{unknown[0]!r} is not score=MINE:THEIRS or dealer=me|opp")
    goal = GOALS[game]
    mine, theirs = _pair(given.get("score", f"{goal}:{goal}"), goal)
    dealer = given.get("dealer")
    if dealer not in (None, "me", "opp"):
        raise click.UsageError("dealer is me or opp")
    shares = _outcomes(game, outcomes)
    forehand = None if dealer is None else dealer == "opp"
    now = match_chance(mine, theirs, forehand, shares)
    # Whoever deals now does not deal next.
    then = None if forehand is None else not forehand
    steps = {
        points: match_chance(mine - max(points, 0), theirs + min(points, 0), then, shares)
        for points in sorted({sign * points for points in shares for sign in (1, -1)})
    }
    if style == "json":
        row = {
            "score": f"{mine}:{theirs}",
            "dealer": dealer,
            "chance": now,
            "after": {str(p): c for p, c in steps.items()},
        }
        click.echo(json.dumps(row))
        return
    who = {None: "", "me": ", you deal", "opp": ", the opponent deals"}[dealer]
    click.echo(
        f"\n  {100 * now:.1f} % to win the match with {mine}:{theirs} to go{who}.\n\n  this deal    then    change"
    )
    for points, after in steps.items():
        click.echo(f"  {points:+9d}  {100 * after:5.1f} %  {100 * (after - now):+6.1f}")
    if game == "bauernschnapsen":
        click.echo(
            f"\n  Who loses {theirs} or more loses the match: against a contract worth that your Kontra costs nothing."
        )
    click.echo("")


@command.command("table")
@_GAME
@click.option("--dealer", type=click.Choice(["me", "opp"]), help="Who deals.  [default: the mean of both]")
@_OUTCOMES
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw a heat map: .png, .svg or .pdf.",
)
@click.option("--format", "style", type=click.Choice(["text", "csv"]), default="text", show_default=True)
def table(game: str, dealer: str | None, outcomes: str | None, target: Path | None, style: str) -> None:
    """Write the chance to win the match from every score, or draw it.

    \b
    Examples:
      bummerl match table
      bummerl match table -o chances.png
    """
    from bummerl.match import match_chance
    from bummerl.scoring import GOALS

    goal, shares = GOALS[game], _outcomes(game, outcomes)
    forehand = None if dealer is None else dealer == "opp"
    sides = range(1, goal + 1)
    chances = [[match_chance(mine, theirs, forehand, shares) for theirs in sides] for mine in sides]
    if target is not None:
        from bummerl.plotting import FORMATS, PlotError, plot_chances, save

        if target.suffix.lower() not in FORMATS:
            raise click.UsageError(f"{target}: pictures are written as .png, .svg or .pdf")
        try:
            save(plot_chances(chances), target)
        except PlotError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(f"{target}: {error.strerror or error}") from None
        return
    if style == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["mine", *sides])
        writer.writerows([mine, *(f"{one:.6f}" for one in row)] for mine, row in zip(sides, chances, strict=True))
        return
    width = 3 if goal > 7 else 5
    click.echo("\n  chance to win the match in per cent; down: what you need, across: what the opponent needs\n")
    click.echo("      " + " ".join(f"{theirs:{width}d}" for theirs in sides))
    for mine, row in zip(sides, chances, strict=True):
        digits = 0 if goal > 7 else 1
        click.echo(f"  {mine:2d}  " + " ".join(f"{100 * one:{width}.{digits}f}" for one in row))
    click.echo("")


@command.command("tally")
@click.argument("source", metavar="FILE", type=INPUT_FILE)
@format_option
@click.pass_context
def tally(ctx: click.Context, source: Path, style: str) -> None:
    """Count recorded matches: the score after each deal, and who gets the Bummerl.

    A match begins with a line like "game=mitschreiben parties=Anna,Ben,Cora"; each deal is a line with its game points
    and who writes them down, like "2 Anna,Ben".

    \b
    Examples:
      bummerl match tally data/matches.txt
    """
    from bummerl.errors import RecordError
    from bummerl.scoring import read_tally

    try:
        text = sys.stdin.read() if str(source) == "-" else source.read_text(encoding="utf-8")
        found = read_tally(text.splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(
            f"{source}: {getattr(error, 'strerror', None) or 'this is not UTF-8 text'}"
        ) from None
    except RecordError as error:
        click.echo(f"bummerl: line {error.line}: {error}", err=True)
        ctx.exit(1)
    totals: dict[str, int] = {}
    for number, each in enumerate(found, 1):
        for name, count in (each.match.bummerl or {}).items():
            totals[name] = totals.get(name, 0) + count
        if style == "json":
            deals = [
                {"points": points, "winners": list(winners), "score": shown} for points, winners, shown in each.deals
            ]
            click.echo(
                json.dumps({"match": number, "deals": deals, "score": each.match.shown, "bummerl": each.match.bummerl})
            )
            continue
        names = each.match.parties
        wide = [max(len(name), 4) for name in names]
        click.echo(f"\n  match {number}\n")
        click.echo("    deal  " + "  ".join(f"{name:>{width}}" for name, width in zip(names, wide, strict=True)))
        for points, winners, shown in each.deals:
            cells = "  ".join(f"{shown[name]:>{width}}" for name, width in zip(names, wide, strict=True))
            click.echo(f"  {points:6d}  {cells}  {', '.join(winners)}")
        over = each.match.bummerl
        if over is None:
            click.echo("\n  goes on")
        for name, count in (over or {}).items():
            click.echo(f"\n  {name} gets a Bummerl" + (", as Schneider it counts two" if count == 2 else ""))
    if style == "text":
        counted = ", ".join(f"{name} {count}" for name, count in totals.items()) or "none"
        click.echo(f"\n  Bummerl in all: {counted}\n")
