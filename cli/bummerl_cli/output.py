"""One writer for each format, the errors beside it, and the exit status."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bummerl_cli import interrupt

if TYPE_CHECKING:
    from rich.console import Console

    from bummerl.errors import RecordError
    from bummerl.files import Item


def new_console() -> Console:
    """Return the terminal: a pipe gets lines as long as they are, a terminal wraps at its own width."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    return Console(highlight=False, width=width, soft_wrap=not sys.stdout.isatty())


class Reporter:
    """Prints results one after the other and remembers whether anything was bad.

    Parameters
    ----------
    style : str
        ``text`` or ``json``.
    """

    def __init__(self, style: str) -> None:
        self.style = style
        self.records = 0
        self.errors = 0
        self._console: Console | None = None

    @property
    def console(self) -> Console:
        """The terminal, with colours if it has any and ``NO_COLOR`` is not set."""
        if self._console is None:
            self._console = new_console()
        return self._console

    def error(self, error: RecordError) -> None:
        """Report a bad record: a row among the JSON results, else a line on standard error."""
        self.records += 1
        self.errors += 1
        if self.style == "json":
            from bummerl.rows import result_row

            click.echo(json.dumps(result_row(error, None), ensure_ascii=False))
        else:
            sys.stdout.flush()
            click.echo(f"bummerl: {error.located()}", err=True)

    def result(self, row: dict[str, Any], render: Callable[[Console], None]) -> None:
        """Print a result: as a JSON line, or as `render` draws it."""
        self.records += 1
        if self.style == "json":
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            render(self.console)

    def finish(self, ctx: click.Context) -> None:
        """End the command with status 1 if a record was bad."""
        if not self.records:
            click.echo("bummerl: no records in the input", err=True)
        if self.errors and (self.style == "json" or self.records > 1):
            were = "record was" if self.records == 1 else "records were"
            click.echo(f"bummerl: {self.errors} of {self.records} {were} bad", err=True)
        ctx.exit(1 if self.errors else 0)


def answer_items(
    items: Any,
    style: str,
    ctx: click.Context,
    solve: Callable[[Any], Any],
    render: Callable[..., None],
    named: bool,
    units: tuple[str, ...],
) -> None:
    """Solve records one by one and print each answer as soon as it is there.

    Parameters
    ----------
    items : iterable of Record or RecordError
        The input.
    style : str
        ``text`` or ``json``.
    ctx : click.Context
        Ended with the exit status.
    solve : callable
        From a position to a result with ``to_dict``.
    render : callable
        Draws ``(console, name, result)``; the name is empty where there is only one record.
    named : bool
        Print the ids of the records.
    units : tuple of str
        The kernels this needs.
    """
    from bummerl.cards import printable
    from bummerl.errors import RecordError
    from bummerl.position import Position
    from bummerl.rows import result_row

    reporter = Reporter(style)

    def answer(item: Item) -> None:
        if isinstance(item, RecordError):
            reporter.error(item)
            return
        prepare_kernels(units if isinstance(item.position, Position) else BIDDING)
        try:
            result = solve(item.position)
        except RecordError as error:
            reporter.error(error.at(item.line, item.id))
            return
        reporter.result(
            result_row(item, result.to_dict()),
            lambda console: render(console, printable(item.id) if named else "", result),
        )
        # After Ctrl-C in a search that keeps what it has found.
        interrupt.check()

    for item in items:
        interrupt.check()
        answer(item)
    reporter.finish(ctx)


@contextmanager
def standard_output(target: Path) -> Iterator[Path]:
    """Give the file to write: the target, or for ``-`` one that is copied to standard output at the end."""
    if str(target) != "-":
        yield target
        return
    with tempfile.TemporaryDirectory(prefix="bummerl-") as folder:
        path = Path(folder) / "results.jsonl"
        yield path
        sys.stdout.flush()
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()


VALUING = ("two_handed",)
SOLVING = (*VALUING, "solution")
COUNTING = (*VALUING, "plan")
CLOSING = (*COUNTING, "plan_tree")
ADVISING = (*SOLVING, "postponed", "plan")
BIDDING = ("four_handed", "layouts", "table_plans")
# What compiling them takes, once a machine.
_SECONDS = {
    "two_handed": 6,
    "solution": 2,
    "postponed": 2,
    "plan": 7,
    "plan_tree": 3,
    "four_handed": 4,
    "layouts": 1,
    "table_plans": 2,
}
_announced: set[str] = set()


def prepare_kernels(units: tuple[str, ...]) -> None:
    """Say in one line that kernels are compiled, where that has not been done before."""
    from bummerl.kernels import cache

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return
    new = {u for u in units if f"bummerl.kernels.{u}" not in sys.modules} - _announced
    if not new:
        return
    once = "once, " if cache.usable_folder() else ""
    cold = [unit for unit in new if not cache.is_warm(unit)]
    if cold:
        _announced.update(cold)
        seconds = sum(_SECONDS[unit] for unit in cold)
        click.echo(f"bummerl: preparing the solver for this machine, {once}about {seconds} seconds …", err=True)
