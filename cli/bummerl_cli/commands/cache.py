"""bummerl cache."""

from __future__ import annotations

import contextlib
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from bummerl_cli.options import format_option


@click.group("cache")
def command() -> None:
    """Show, fill or empty the folder of compiled kernels.

    Kernels are compiled once on a machine, for one version of bummerl, Python and numba; BUMMERL_CACHE_DIR says
    where they are kept.

    \b
    Examples:
      bummerl cache info
      bummerl cache warm
      bummerl cache clear --old
    """


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    from bummerl.kernels.cache import folder

    try:
        yield
    except OSError as error:
        # Deep in a folder, the system names only the last part.
        name = error.filename if Path(error.filename or "").is_absolute() else folder()
        raise click.ClickException(f"{name}: {error.strerror or error}") from None


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


@command.command("info")
@format_option
def info(style: str) -> None:
    """Say where the kernels are, which are compiled, and how much room they take."""
    from bummerl.kernel_cache import info as look

    found = look()
    if style == "json":
        click.echo(json.dumps(found.to_dict()))
        return
    click.echo(f"folder    {found.folder}")
    if not found.writable:
        click.echo("          cannot be written: every process compiles its own kernels")
    ready = [unit for unit, there in found.units.items() if there]
    missing = [unit for unit, there in found.units.items() if not there]
    click.echo(f"compiled  {', '.join(ready) or 'nothing yet'} ({_mb(found.size)})")
    if missing:
        click.echo(textwrap.fill(f"missing   {', '.join(missing)}", 80, subsequent_indent=" " * 10))
        click.echo("          compiled when needed, or now by bummerl cache warm")
    if found.old:
        size = sum(found.old.values())
        click.echo(f"old       {len(found.old)} of other versions ({_mb(size)}): bummerl cache clear --old")


@command.command("warm")
def warm() -> None:
    """Compile every kernel now, so that no command has to wait."""
    from bummerl.kernel_cache import UNITS
    from bummerl.kernel_cache import warm as fill
    from bummerl_cli.output import prepare_kernels

    prepare_kernels(UNITS)
    with _errors():
        fill()


@command.command("clear")
@click.option("--old", is_flag=True, help="Only those of other versions.")
def clear(old: bool) -> None:
    """Delete compiled kernels; they are compiled again when needed."""
    from bummerl.kernel_cache import clear as empty

    with _errors():
        click.echo(f"freed {_mb(empty(old))}")
