"""Pictures of results with Matplotlib; every function returns a figure that a notebook shows."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bummerl.comparing import Agreement, ClosesByPoints
from bummerl.summary import Mean, Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
# Colours of Okabe and Ito, told apart by the colour-blind, too.
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#666666"
# The standard error of fewer closes says little.
_FEWEST = 5
_BINS = ((0, 9), (10, 19), (20, 29), (30, 39), (40, 49), (50, 59), (60, 65))


class PlotError(ValueError):
    """A picture that cannot be drawn."""


def need_matplotlib() -> None:
    """Raise `PlotError` if Matplotlib is not there."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise PlotError('drawing needs Matplotlib: install it with "pip install bummerl[plot]"') from None


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    need_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    return figure, axes


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a file; equal figures give equal files.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to write.
    path : Path
        Ends in ``.png``, ``.svg`` or ``.pdf``.
    """
    import matplotlib

    kind = path.suffix.lower()
    undated: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(kind, {})
    out = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "bummerl"}):
        figure.savefig(out, format=kind[1:], dpi=200, metadata=undated)
    path.write_bytes(out.getvalue())


def plot_values(summary: Summary, title: str = "") -> Figure:
    """Draw how often each number of game points came.

    Parameters
    ----------
    summary : Summary
        Of results of ``solve``.
    title : str
        What the results are of; stands before their number.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> figure = plot_values(Summary.of([{"value": 2}, {"value": 2}, {"value": -1}]))
    >>> [round(bar.get_height()) for bar in figure.axes[0].patches]
    [0, 0, 33, 0, 67, 0]
    """
    total = summary.value.count
    if not total:
        raise PlotError("there are no values; run bummerl batch with --do solve")
    figure, axes = _figure(6.4, 4.0)
    values = sorted(summary.values)
    places = range(len(values))
    shares = [100 * (summary.values[value] / total) for value in values]
    colours = [BLUE if value > 0 else ORANGE for value in values]
    bars = axes.bar(places, shares, color=colours, width=0.8)
    axes.bar_label(bars, [_percent(share) for share in shares], padding=2)
    axes.set_xticks(places, [_signed(value) for value in values])
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel("value (game points): lost on the left, won on the right")
    axes.set_ylabel("share of positions (%)")
    axes.set_ylim(0, max(shares) * 1.1)
    error = f" ± {summary.value.stderr:.2f}" if total > 1 else ""
    words = [_counted(total, "position"), f"{_signed(summary.value.mean, 2)}{error} points on average"]
    _title(axes, title, ", ".join([*words, f"{_percent(100 * summary.won)} won"]))
    return figure


def plot_closes(closes: ClosesByPoints, title: str = "") -> Figure:
    """Draw the share of hands that closes beat, against the points the closer had.

    Means stand at the middle of a range of points, with their standard errors; where there are few closes, each
    plan is drawn as well.

    Parameters
    ----------
    closes : ClosesByPoints
        Results of ``close`` with their input.
    title : str
        What the results are of; stands before their number.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> row = {"points": "41:38", "plan.probability": 0.5, "open_cards.probability": 0.75}
    >>> plot_closes(ClosesByPoints.of([row])).axes[0].get_ylabel()
    'hands beaten (%)'
    """
    if not closes.closes:
        raise PlotError("there are no closes; run bummerl batch with --do close")
    figure, axes = _figure(6.4, 4.6)
    if closes.few:
        points, shares = zip(*closes.few, strict=True)
        percent = [100 * share for share in shares]
        axes.scatter(
            points, percent, s=14, color=GREY, alpha=0.6, linewidths=0, label="plan, each close", clip_on=False
        )
    drawn = (
        ("open cards (no plan beats more)", closes.open_cards, ORANGE, "s", 0.4),
        ("best plan", closes.plan, BLUE, "o", -0.4),
    )
    for name, means, colour, marker, aside in drawn:
        found = [(low, high, _joined(means, low, high)) for low, high in _BINS]
        found = [part for part in found if part[2].count]
        axes.errorbar(
            [(low + high) / 2 + aside for low, high, _ in found],
            [100 * mean.mean for _, _, mean in found],
            [100 * mean.stderr if mean.count >= _FEWEST else 0 for _, _, mean in found],
            color=colour,
            marker=marker,
            markersize=6,
            linewidth=1.5,
            capsize=3,
            label=name,
        )
    axes.set_xlim(-2, 68)
    axes.set_ylim(-3, 103)
    axes.set_xticks([low for low, _ in _BINS] + [66])
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_xlabel("card points of the closer")
    axes.set_ylabel("hands beaten (%)")
    figure.legend(frameon=False, loc="outside lower center", ncols=3)
    _title(axes, title, f"{_counted(closes.closes, 'close')}; means of ten points each ± one standard error")
    return figure


def _joined(means: dict[int, Mean], low: int, high: int) -> Mean:
    """Join the means of a range of points."""
    found = Mean()
    for points, mean in sorted(means.items()):
        if low <= points <= high:
            found.join(mean)
    return found


def plot_agreement(agreement: Agreement, names: tuple[str, str] = ("first file", "second file")) -> Figure:
    """Draw how often each value of one file came with each value of another one.

    Parameters
    ----------
    agreement : Agreement
        Of two result files.
    names : tuple of str
        What to call the files.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> figure = plot_agreement(Agreement.of([{"value": 2}], [{"value": -1}]))
    >>> figure.axes[0].get_title(loc="left")
    '1 of 1 position differs'
    """
    import numpy

    if not agreement.compared:
        raise PlotError("there are no values to compare")
    figure, axes = _figure(5.4, 5.4)
    values = sorted({value for pair in agreement.counts for value in pair})
    size = len(values)
    cells = numpy.ones((size, size, 3))
    largest = max(agreement.counts.values())
    for row, a in enumerate(values):
        for column, b in enumerate(values):
            count = agreement.counts.get((a, b), 0)
            ink = "#bbbbbb"
            if count:
                # The fewest differences must be seen beside thousands that agree.
                strength = 0.25 + 0.75 * (numpy.log1p(count) / numpy.log1p(largest))
                cells[row, column] = _tint(BLUE if a == b else ORANGE, strength)
                ink = "white" if strength > 0.75 else "black"
            axes.text(column, row, f"{count:,}" if count else "0", ha="center", va="center", color=ink)
    axes.imshow(cells, origin="lower", interpolation="nearest")
    labels = [_signed(value) for value in values]
    axes.set_xticks(range(size), labels)
    axes.set_yticks(range(size), labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"value in {_plain(names[1])} (game points)")
    axes.set_ylabel(f"value in {_plain(names[0])} (game points)")
    differ = "differs" if agreement.differences == 1 else "differ"
    words = f"{agreement.differences:,} of {_counted(agreement.compared, 'position')} {differ}"
    if agreement.unanswered:
        words += f"; {agreement.unanswered:,} without a value"
    _title(axes, "", words)
    return figure


def plot_chances(chances: Sequence[Sequence[float]]) -> Figure:
    """Draw the chance to win the match from every score.

    Parameters
    ----------
    chances : sequence of sequences of float
        By what ``me`` needs, from one point on, then by what the opponent needs.

    Examples
    --------
    >>> plot_chances([[0.5, 0.7], [0.3, 0.5]]).axes[0].get_xlabel()
    'game points the opponent needs'
    """
    size = len(chances)
    figure, axes = _figure(5.8, 5.4)
    axes.imshow(chances, origin="lower", cmap="RdBu", vmin=0, vmax=1, interpolation="nearest")
    if size <= 7:
        for row, line in enumerate(chances):
            for column, chance in enumerate(line):
                ink = "white" if abs(chance - 0.5) > 0.3 else "black"
                axes.text(column, row, f"{100 * chance:.0f}", ha="center", va="center", color=ink)
    step = 1 if size <= 7 else 3
    places = range(0, size, step)
    axes.set_xticks(places, [str(place + 1) for place in places])
    axes.set_yticks(places, [str(place + 1) for place in places])
    axes.spines[:].set_visible(False)
    axes.set_xlabel("game points the opponent needs")
    axes.set_ylabel("game points you need")
    _title(axes, "", "chance to win the match (%)" if size <= 7 else "chance to win the match: blue for you")
    return figure


def _tint(colour: str, strength: float) -> list[float]:
    """Mix a colour with white."""
    from matplotlib.colors import to_rgb

    return [1 - strength * (1 - part) for part in to_rgb(colour)]


def _title(axes: Axes, title: str, words: str) -> None:
    axes.set_title(f"{_plain(title)}: {words}" if title else words, loc="left", fontsize=10)


def _plain(text: str) -> str:
    """Keep dollar signs in names from being read as formulas."""
    return text.replace("$", r"\$")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def _percent(share: float) -> str:
    return f"{share:.1f} %"


def _signed(value: float, digits: int = 0) -> str:
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
