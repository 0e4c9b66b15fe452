"""The command group. Commands are found by name, and nothing that solves is imported for ``--help``."""

from __future__ import annotations

import codecs
import contextlib
import errno
import importlib
import io
import os
import sys
import warnings
from pathlib import Path

import click

from bummerl_cli import interrupt

COMMANDS = (
    "solve",
    "close",
    "advise",
    "bid",
    "deal",
    "batch",
    "convert",
    "plot",
    "match",
    "bench",
    "cache",
    "completion",
)


class LazyGroup(click.Group):
    """A group whose commands live in modules that are imported when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the command names in the order players meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"bummerl_cli.commands.{cmd_name}").command
        return command


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import version

        click.echo(f"bummerl {version('bummerl')}")
        ctx.exit()


@click.group(
    "bummerl", cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
def cli() -> None:
    """Exact analysis of Schnapsen: who wins with best play, which card is right, does this close succeed.

    \b
    A position is written as key=value tokens, cards as suit and ranks:
      bummerl solve trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20
      bummerl close trump=DJ me=SAT,HT,DA,CA
    Many come from files or standard input:
      bummerl deal -n 1000 --seed 1 > deals.txt
      bummerl batch deals.txt values.jsonl --value-only
    """


def _prepare_streams() -> None:
    """Give every stream something to be, and suits a spelling where the terminal has no symbols."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115  (lives as long as we do)

    def spelled(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        letters = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "…": "..."}
        return "".join(letters.get(c, "?") for c in error.object[error.start : error.end]), error.end

    codecs.register_error("bummerl", spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="bummerl")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"bummerl: {message}", err=True)


def main() -> None:
    """Run the command line: exit status 0 done, 1 something in the input was bad, 2 wrong usage, 130 Ctrl-C."""
    _prepare_streams()
    warnings.showwarning = _show_warning
    interrupt.watch()
    try:
        status = cli.main(prog_name="bummerl", standalone_mode=False)
        sys.stdout.flush()
        interrupt.check()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        click.echo("bummerl: stopped", err=True)
        # Everything is closed by now; taking the compiled code down in order would only make the user wait.
        os._exit(130)
    except OSError as error:
        # Whoever read our output may be gone: then leave quietly, also when Python flushes at exit.
        if error.errno != errno.EPIPE:
            click.echo(f"bummerl: cannot write the output: {error.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status if isinstance(status, int) else 0)
