"""Pictures show the numbers they are drawn from, files of pictures are the same each time, and errors are one line."""

import json

import pytest
from click.testing import CliRunner

from bummerl.comparing import Agreement, ClosesByPoints
from bummerl.plotting import FORMATS, PlotError, plot_agreement, plot_closes, plot_values, save
from bummerl.summary import Summary
from bummerl_cli.main import cli

VALUES = [3, 3, -3, 1, 1, 1, 2, -1, -1, -2]


def rows(values):
    return [{"id": str(i), "value": value} for i, value in enumerate(values)]


def close_row(points, plan, open_cards):
    return {"points": points, "plan.probability": plan, "open_cards.probability": open_cards}


def write(path, found):
    path.write_text("".join(json.dumps(row) + "\n" for row in found))
    return str(path)


def test_bars_are_the_shares():
    axes = plot_values(Summary.of(rows(VALUES)), "$deals$").axes[0]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([10, 10, 20, 30, 10, 20])
    assert axes.get_title(loc="left").startswith(r"\$deals\$: 10 positions, +0.40 ± ")


def test_means_of_closes():
    found = [close_row("12:0", 0.2, 0.4), close_row("17:3", 0.4, 0.5), close_row("41:38", 1.0, 1.0)]
    figure = plot_closes(ClosesByPoints.of(found))
    lines = {line[0].get_color(): line[0] for line in figure.axes[0].containers}
    heights = sorted([round(float(y), 6) for y in line.get_ydata()] for line in lines.values())
    assert heights == [[30, 100], [45, 100]]


def test_closes_against_the_closer():
    """In a record where the opponent has closed, his points count."""
    found = ClosesByPoints.of([{**close_row("41:38", 0.5, 0.5), "closed": "opp@41"}])
    assert list(found.plan) == [38]


def test_agreement_counts():
    two = [3, 3, -3, 1, 1, 2, 2, -1, 1, -2]
    axes = plot_agreement(Agreement.of(rows(VALUES), rows(two))).axes[0]
    cells = [text.get_text() for text in axes.texts]
    assert axes.get_title(loc="left") == "2 of 10 positions differ"
    assert sorted(cells)[-8:] == ["1"] * 6 + ["2"] * 2
    # Rows are the values of the first file.
    assert cells[3 * 6 + 4] == "1"
    assert cells[4 * 6 + 3] == "0"


@pytest.mark.parametrize("suffix", FORMATS)
def test_files_of_pictures_are_reproducible(suffix, tmp_path):
    source = write(tmp_path / "v.jsonl", rows(VALUES))
    for name in ("one", "two"):
        result = CliRunner().invoke(cli, ["plot", source, "-o", str(tmp_path / (name + suffix))])
        assert result.exit_code == 0, result.output
    content = (tmp_path / ("one" + suffix)).read_bytes()
    assert content == (tmp_path / ("two" + suffix)).read_bytes()
    assert content.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix])


def test_differences_are_printed(tmp_path):
    one = write(tmp_path / "a.jsonl", rows([2] * 13))
    two = write(tmp_path / "b.jsonl", rows([2] + [-1] * 12))
    result = CliRunner().invoke(cli, ["plot", one, two, "-o", str(tmp_path / "p.png")])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "1  +2  -1"
    assert result.stdout.splitlines()[-1] == "and 2 more"
    assert result.stderr == "12 of 13 differ\n"


ERRORS = {
    "missing file": (["none.csv"], "none.csv: No such file"),
    "not results": (["deals.csv"], "this is not a result file"),
    "no values": (["closes.jsonl", "--kind", "values"], "there are no values"),
    "no points": (["alone.jsonl"], "run bummerl batch with --keep-input"),
    "no closes": (["values.jsonl", "--kind", "closes"], "there are no results of close"),
    "shorter": (["values.jsonl", "few.jsonl"], "the second file ends after 3 rows"),
    "other records": (["values.jsonl", "other.jsonl"], "row 1 is 0 in the first file and z in the second"),
    "no agreement": (["closes.jsonl", "closes.jsonl"], "there is no row with a value in both files"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_one_line(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deals.csv").write_text("id,trump,me\n1,H,SA\n")
    write(tmp_path / "values.jsonl", rows(VALUES))
    write(tmp_path / "few.jsonl", rows(VALUES[:3]))
    write(tmp_path / "other.jsonl", [{"id": "z", "value": 1}])
    write(tmp_path / "closes.jsonl", [close_row("12:0", 0.2, 0.4)])
    write(tmp_path / "alone.jsonl", [{"id": "1", "plan.probability": 0.5, "open_cards.probability": 0.5}])
    arguments, message = ERRORS[name]
    result = CliRunner().invoke(cli, ["plot", *arguments, "-o", "p.png"])
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "p.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "c", "-o", "p.png"], "one file, or two"),
        (["a", "b", "-o", "p.png", "--kind", "values"], "agreement compares two files"),
        (["a", "-o", "p.png", "--kind", "agreement"], "agreement compares two files"),
        (["a", "-o", "p.jpg"], ".png, .svg or .pdf"),
    ],
)
def test_wrong_usage(arguments, message):
    result = CliRunner().invoke(cli, ["plot", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


def test_nothing_to_draw():
    for draw in (
        lambda: plot_values(Summary()),
        lambda: plot_closes(ClosesByPoints()),
        lambda: plot_agreement(Agreement()),
    ):
        with pytest.raises(PlotError):
            draw()


def test_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    source = write(tmp_path / "v.jsonl", rows(VALUES))
    result = CliRunner().invoke(cli, ["plot", source, "-o", str(tmp_path / "p.png")])
    assert result.exit_code == 1
    assert "pip install bummerl[plot]" in result.stderr


def test_save_keeps_the_clock_out(tmp_path):
    figure = plot_values(Summary.of(rows(VALUES)))
    save(figure, tmp_path / "a.svg")
    assert b"<dc:date>" not in (tmp_path / "a.svg").read_bytes()
