"""A summary of results as a card player reads it: means, a small histogram, and the trump suits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.text import Text

from bummerl.cards import SUIT_NAMES, SUITS
from bummerl.summary import Mean, Summary
from bummerl_cli.render import paragraph

if TYPE_CHECKING:
    from rich.console import Console

_BAR = 40


def render_summary(console: Console, summary: Summary) -> None:
    """Print a summary."""
    console.print()
    rows = f"{summary.rows:,} row" + ("" if summary.rows == 1 else "s")
    _line(console, f"{rows}, {summary.errors:,} of them bad" if summary.errors else rows, "bold")
    if summary.value.count:
        _values(console, summary)
    if summary.closes:
        _closes(console, summary)
    if summary.best.count:
        console.print()
        exact = f"; all worlds looked at in {summary.exact_advice:,} of {summary.best.count:,}"
        _line(console, f"the best action is worth {_points(summary.best)} on average{exact}")
    if summary.by_trump:
        _suits(console, summary)
    console.print()


def _line(console: Console, text: str, style: str = "") -> None:
    paragraph(console, Text(text, style))


def _points(mean: Mean) -> str:
    error = "" if math.isnan(mean.stderr) else f" ± {mean.stderr:.3f}"
    return f"{mean.mean:+.3f}{error} points"


def _share(mean: Mean) -> str:
    if not mean.count:
        return "unknown"
    error = "" if math.isnan(mean.stderr) else f" ± {100 * mean.stderr:.1f}"
    return f"{100 * mean.mean:.1f}{error} %"


def _values(console: Console, summary: Summary) -> None:
    _line(console, f"{_points(summary.value)} on average, {100 * summary.won:.1f} % won")
    console.print()
    most = max(summary.values.values())
    for value, count in sorted(summary.values.items()):
        bar = "#" * max(round(_BAR * count / most), count > 0)
        text = Text(f"  {value:+d}  {count:>11,}  {100 * count / summary.value.count:5.1f} %  ")
        console.print((text + Text(bar, "green" if value > 0 else "yellow")) if bar else text)


def _closes(console: Console, summary: Summary) -> None:
    console.print()
    _line(console, f"best plan:  beats {_share(summary.plan)} of the hands on average")
    _line(console, f"open cards: {_share(summary.open_cards)}; no plan beats more")
    parts = ((summary.laid_open, "beat every hand"), (summary.hopeless, "hopeless"), (summary.exact_plans, "exact"))
    words = ", ".join(f"{count:,} {what}" for count, what in parts)
    _line(console, f"of {summary.closes:,} plans: {words}")


def _suits(console: Console, summary: Summary) -> None:
    console.print()
    about = "points" if summary.value.count or summary.best.count else "hands beaten by the plan"
    _line(console, f"by trump, with the mean ({about})", "dim")
    for suit, mean in summary.by_trump.items():
        number = "" if not mean.count else _share(mean) if about != "points" else _points(mean)
        _line(console, f"{SUIT_NAMES[SUITS.index(suit)]:8}  {mean.count:>11,}  {number}")
