"""Options that several commands share, and the records they are given."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from bummerl.files import Item
    from bummerl.rules import Rules

Command = TypeVar("Command", bound=Callable[..., Any])

INPUT_FILE = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


def record_options(command: Command) -> Command:
    """Add the records of a command: arguments, ``-i FILE``, or standard input."""
    command = click.option(
        "-i",
        "--input",
        "inputs",
        multiple=True,
        type=INPUT_FILE,
        help="Read records from a file: text lines, .jsonl or .csv; - is standard input. Can be repeated.",
    )(command)
    return click.argument("records", nargs=-1, metavar="[KEY=VALUE]...")(command)


def format_option(command: Command) -> Command:
    """Add ``--format text|json``."""
    return click.option(
        "--format",
        "style",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="text: to read; json: one object a line.",
    )(command)


def seconds_option(text: str) -> Callable[[Command], Command]:
    """Add ``--seconds``, which a search may take."""

    def parse(_ctx: click.Context, _param: click.Parameter, value: float | None) -> float | None:
        if value is not None and not math.isfinite(value):
            raise click.BadParameter("is a number of seconds")
        return value

    return click.option("--seconds", type=click.FloatRange(min=0), callback=parse, help=text)


def model_options(command: Command) -> Command:
    """Add what decides how ``advise`` values actions, and in how many worlds."""
    options = (
        click.option(
            "--model",
            type=click.Choice(["open", "plan", "postponed"]),
            default="postponed",
            show_default=True,
            help="open: with open cards after this trick. plan: the same, but closing and a closed talon by the best plan."
            " postponed: with four talon cards left the next card, too, is chosen without seeing what is hidden.",
        ),
        click.option("--weighed", is_flag=True, help="Count a hand as much as the card led makes it likely."),
        click.option(
            "--max-worlds",
            "--worlds",
            "max_worlds",
            type=click.IntRange(1),
            help="Look at every way the hidden cards can lie up to this number, else at a sample of it."
            "  [default: about a second's work]",
        ),
        click.option(
            "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same sample."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def rules_option(command: Command) -> Command:
    """Add ``--rules``, read as the library reads it."""

    def parse(_ctx: click.Context, _param: click.Parameter, value: str) -> Rules:
        from bummerl.rules import Rules, RulesError

        try:
            return Rules.parse(value)
        except RulesError as error:
            raise click.BadParameter(str(error)) from None

    return click.option(
        "--rules",
        default="soft",
        show_default=True,
        callback=parse,
        metavar="PRESET[+OPTION=VALUE]",
        help="soft, rulebook or sharp, with single options after it.",
    )(command)


def game_option(command: Command) -> Command:
    """Add ``--game``."""
    return click.option(
        "--game",
        type=click.Choice(["schnapsen", "sixty-six"]),
        default="schnapsen",
        show_default=True,
        help="The game; every command but this one finds it in the record.",
    )(command)


def _quoted(token: str) -> str:
    """Quote the value of a token that holds a blank, as a line has to."""
    key, equals, value = token.partition("=")
    return f"{key}={json.dumps(value, ensure_ascii=False)}" if equals and " " in value.strip() else token.strip()


def several(records: tuple[str, ...], inputs: tuple[Path, ...]) -> bool:
    """Say whether more than one record may come, so that answers need names."""
    return not records or bool(inputs) or sum(record.count("=") > 1 for record in records) > 1


def items_of(records: tuple[str, ...], inputs: tuple[Path, ...]) -> Iterator[Item]:
    """Go through the records a command was given.

    An argument that holds several tokens is a whole record; all other arguments are the tokens of one record.
    Without any, standard input is read.
    """
    from bummerl.errors import FileError, RecordError
    from bummerl.files import parse_text, read_file, read_stream

    lines = [record for record in records if record.count("=") > 1 and " " in record.strip()]
    tokens = [_quoted(record) for record in records if record not in lines]
    if tokens:
        lines.insert(0, " ".join(tokens))
    for number, line in enumerate(lines, 1):
        yield parse_text(line, number)
    paths = list(inputs)
    if not records and not paths:
        if sys.stdin.isatty():
            raise click.UsageError("no position given: write it as key=value tokens, or name a file with -i")
        paths = [Path("-")]
    for path in paths:
        try:
            if str(path) == "-":
                yield from read_stream(sys.stdin.buffer, name="standard input")
            else:
                yield from read_file(path)
        except FileError as error:
            # The files behind it are still read.
            yield RecordError("input", str(error))
