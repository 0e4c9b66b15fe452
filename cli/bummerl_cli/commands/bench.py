"""bummerl bench."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bummerl_cli.options import INPUT_FILE, format_option

if TYPE_CHECKING:
    from bummerl.timing import Comparison, Timing

# The names of `bummerl.workloads.NAMES`, which --help need not load numba for; a test compares them.
WORKLOADS = (
    "deals",
    "rules",
    "middle",
    "endgames",
    "actions",
    "solutions",
    "session",
    "closed",
    "closed-value",
    "plans-10",
    "plans-12",
    "plans-14",
    "sixty-six",
    "sixty-six-end",
    "races",
    "contracts",
    "layouts",
    "batch-1",
    "batch-2",
    "values-1",
    "values-2",
    "help",
    "one",
    "compile",
)


@click.group("bench")
def command() -> None:
    """Check suites of known answers, and measure speed.

    \b
    Examples:
      bummerl bench suite data/suites/published.jsonl
      bummerl bench speed
      bummerl bench signature --check benchmarks/signature.json
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
    from bummerl_cli.output import COUNTING, SOLVING, Reporter, prepare_kernels

    prepare_kernels((*SOLVING, *COUNTING))
    reporter = Reporter(style)
    failed = checked = nodes = 0
    seconds: list[float] = []
    for found in check_all(items_of((), files)):
        if isinstance(found, RecordError):
            reporter.error(found)
            continue
        checked += 1
        failed += bool(found.problems)
        nodes += found.nodes
        seconds.append(found.seconds)
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
        if seconds:
            each = sorted(seconds)
            click.echo(
                f"{1000 * sum(each):,.1f} ms; each {1000 * each[len(each) // 2]:,.2f} (median), "
                f"{1000 * each[-1]:,.2f} at most"
            )
    ctx.exit(1 if failed or reporter.errors else 0)


@command.command("speed")
@click.option(
    "--workload", "names", multiple=True, type=click.Choice(WORKLOADS), metavar="NAME", help="Which; may be repeated."
)
@click.option("--runs", type=click.IntRange(1, 100), default=5, show_default=True, help="Timed runs of each.")
@click.option(
    "--scale", type=click.FloatRange(0.001, 100), default=1.0, show_default=True, help="Part of the positions."
)
@click.option("--compare", "earlier", type=INPUT_FILE, help="An earlier run, written with --format json.")
@format_option
def speed(names: tuple[str, ...], runs: int, scale: float, earlier: Path | None, style: str) -> None:
    """Time the standard workloads: seeded positions, exact nodes, the median of several runs.

    The names: deals rules middle endgames actions solutions session closed closed-value plans-10 plans-12
    plans-14 sixty-six sixty-six-end races contracts layouts, which are run without --workload, and batch-1 batch-2 values-1 values-2 help one compile.

    Ratios against an earlier run compare every position, or part, with itself, and have a 95 % interval; run
    both in the same minutes on an idle machine.

    \b
    Examples:
      bummerl bench speed --format json > before.json
      bummerl bench speed --compare before.json
      bummerl bench speed --workload batch-1 --workload batch-2 --runs 3
    """
    from bummerl.timing import compare, environment, time_work
    from bummerl.workloads import STANDARD, workloads
    from bummerl_cli.output import COUNTING, SOLVING, prepare_kernels

    if not math.isfinite(scale):
        raise click.UsageError("--scale is a number")
    then: dict[str, Timing] = {}
    if earlier is not None:
        then, other = _read_run(earlier)
    prepare_kernels((*SOLVING, *COUNTING))
    about = environment()
    timings, comparisons = [], []
    if style == "text":
        _show_environment(about)
        if earlier is not None:
            changed = [key for key in about if other.get(key) != about[key]]
            click.echo(f"compared with {earlier.name}" + (f", another {', another '.join(changed)}" if changed else ""))
            click.echo("intervals tell how the parts differ, not whether the machine was busier then")
        click.echo(f"{'workload':<12} {'':<32} {'count':>6} {'µs each':>9} {'p99':>9} {'nodes':>7}")
    for name, prepare in workloads(scale=scale).items():
        if name not in (names or STANDARD):
            continue
        timing = time_work(name, prepare(), runs)
        timings.append(timing)
        compared = compare(timing, then[name]) if name in then else None
        if compared:
            comparisons.append(compared)
        if style == "text":
            _show_timing(timing)
            if earlier is not None:
                _show_comparison(compared)
    if style == "json":
        found: dict[str, Any] = {**about, "workloads": [timing.to_dict() for timing in timings]}
        if earlier is not None:
            found["compared"] = [compared.to_dict() for compared in comparisons]
            found["not_compared"] = [t.name for t in timings if t.name not in {c.name for c in comparisons}]
            found["earlier"] = {key: other.get(key) for key in about}
        click.echo(json.dumps(found))


def _show_environment(about: dict[str, str]) -> None:
    click.echo(", ".join(f"{key} {value}" for key, value in about.items() if key != "machine"))
    click.echo(about["machine"])


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10_000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _time(microseconds: float) -> str:
    return f"{microseconds / 1e6:.2f} s" if microseconds >= 50_000 else _number(microseconds)


def _show_timing(t: Timing) -> None:
    nodes = _number(t.nodes / t.count) if t.nodes else ""
    p99 = _time(t.quantile(0.99)) if len(t.parts) > 1 else ""
    click.echo(f"{t.name:<12} {t.what:<32} {t.count:>6} {_time(t.mean):>9} {p99:>9} {nodes:>7}".rstrip())


def _show_comparison(found: Comparison | None) -> None:
    if found is None:
        click.echo(f"{'':<12} the earlier run did not do this, or not with as many positions")
        return
    nodes = f", {found.nodes:+,} nodes" if found.nodes else ", the same nodes"
    click.echo(f"{'':<12} {found.ratio:.3f} times as fast ({found.low:.3f} to {found.high:.3f}){nodes}")


def _read_run(path: Path) -> tuple[dict[str, Timing], dict[str, Any]]:
    from bummerl.timing import Timing

    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return {entry["workload"]: Timing.from_dict(entry) for entry in given["workloads"]}, given
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, OverflowError):
        raise click.ClickException(
            f"{path}: not a run of bench speed; write one with bench speed --format json"
        ) from None


@command.command("signature")
@click.option("--check", "stored", type=INPUT_FILE, help="Compare with a stored one; exit status 1 if it differs.")
@format_option
@click.pass_context
def signature(ctx: click.Context, stored: Path | None, style: str) -> None:
    """Count the nodes of a fixed suite: one total that any change of the search moves.

    \b
    Examples:
      bummerl bench signature --check benchmarks/signature.json
      bummerl bench signature --format json > benchmarks/signature.json
    """
    from bummerl.timing import signature as count
    from bummerl_cli.output import COUNTING, SOLVING, prepare_kernels

    wanted: dict[str, int] = {}
    if stored is not None:
        try:
            wanted = {str(name): int(nodes) for name, nodes in json.loads(stored.read_text(encoding="utf-8")).items()}
        except OSError as error:
            raise click.ClickException(f"{stored}: {error.strerror}") from None
        except (ValueError, TypeError, AttributeError, OverflowError):
            raise click.ClickException(f"{stored}: not a signature; write one with --format json") from None
    prepare_kernels((*SOLVING, *COUNTING))
    found = count()
    if style == "json":
        click.echo(json.dumps(found, indent=1))
    else:
        for name, nodes in found.items():
            now = "" if stored is None or wanted.get(name) == nodes else f"   stored: {wanted.get(name, 'nothing')}"
            click.echo(f"{name:<9} {nodes:>11,}{now}")
    if stored is not None and wanted != found:
        click.echo("bummerl: the search has changed; if it was meant to, store the new signature", err=True)
        ctx.exit(1)
