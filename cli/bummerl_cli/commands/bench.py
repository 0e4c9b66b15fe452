"""bummerl bench."""

from __future__ import annotations

import json
import math
from pathlib import Path

import click

from bummerl_cli.options import INPUT_FILE, format_option


@click.group("bench")
def command() -> None:
    """Check suites of known answers, and measure speed.

    \b
    Examples:
      bummerl bench suite data/suites/published.jsonl
      bummerl bench speed
    """


@command.command("suite")
@click.argument("files", nargs=-1, required=True, type=INPUT_FILE)
@format_option
@click.pass_context
def suite(ctx: click.Context, files: tuple[Path, ...], style: str) -> None:
    """Solve each record of a suite and compare what it expects.

    Expected results stand beside the position: value, winner, best, winning, losing, moves, nodes, hands,
    first_move, plan.won, plan.upper, plan.probability, plan.expected, and the same of open_cards. Exit status 1 if one fell short.

    \b
    Example:
      bummerl bench suite data/suites/*.jsonl
    """
    from bummerl.errors import RecordError
    from bummerl.suite import check_all
    from bummerl_cli.options import items_of
    from bummerl_cli.output import CLOSING, SOLVING, Reporter, prepare_kernels

    prepare_kernels((*SOLVING, *CLOSING))
    reporter = Reporter(style)
    failed = checked = nodes = 0
    for found in check_all(items_of((), files)):
        if isinstance(found, RecordError):
            reporter.error(found)
            continue
        checked += 1
        failed += bool(found.problems)
        nodes += found.nodes
        if style == "json":
            click.echo(json.dumps(found.to_dict(), ensure_ascii=False))
        for problem in found.problems if style == "text" else ():
            click.echo(f"{found.id}: {problem}")
    if not checked and not reporter.errors:
        raise click.ClickException("no records in the suite")
    if style == "text":
        bad = f" ({reporter.errors} bad)" if reporter.errors else ""
        total = checked + reporter.errors
        click.echo(f"{checked - failed} of {total} records{bad} came out as expected; {nodes:,} nodes")
    ctx.exit(1 if failed or reporter.errors else 0)


@command.command("speed")
@click.option(
    "--workload",
    "names",
    multiple=True,
    type=click.Choice(["deals", "middle", "endgames", "solutions", "closed", "plans-10", "plans-12", "plans-14"]),
)
@click.option("--runs", type=click.IntRange(1, 100), default=5, show_default=True, help="Timed runs of each.")
@click.option(
    "--scale", type=click.FloatRange(0.001, 100), default=1.0, show_default=True, help="Part of the positions."
)
@format_option
def speed(names: tuple[str, ...], runs: int, scale: float, style: str) -> None:
    """Time the standard workloads on one core: seeded positions, exact nodes, the median of several runs.

    \b
    Example:
      bummerl bench speed --workload deals --runs 9 --format json
    """
    from bummerl.workloads import environment, measure
    from bummerl_cli.output import CLOSING, SOLVING, prepare_kernels

    if not math.isfinite(scale):
        raise click.UsageError("--scale is a number")
    prepare_kernels((*SOLVING, *CLOSING))
    timings = measure(list(names) or None, runs, scale)
    about = environment()
    if style == "json":
        click.echo(json.dumps({**about, "workloads": [timing.to_dict() for timing in timings]}))
        return
    machine = about.pop("machine")
    click.echo(", ".join(f"{key} {value}" for key, value in about.items()))
    click.echo(machine)
    click.echo(f"{'workload':<9} {'':<34} {'count':>6} {'µs each':>8} {'each':>8} {'nodes':>10}")
    for t in timings:
        click.echo(f"{t.name:<9} {t.what:<34} {t.count:>6} {t.mean:>8.1f} {t.nodes / t.count:>8.1f} {t.nodes:>10,}")
