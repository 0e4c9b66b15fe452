"""Result files are read back as they were written, and summed up right; damaged ones are refused in one line."""

import gzip
import json
import math
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bummerl.batch import Wanted, run_batch
from bummerl.deals import random_positions
from bummerl.errors import FileError
from bummerl.result_files import read_results
from bummerl.solve import solve_value
from bummerl.summary import Mean, Summary
from bummerl.tasks import Task
from bummerl.worlds import hide
from bummerl_cli.main import cli

NUMBERS = st.lists(st.integers(-3, 3), max_size=30)
POSITIONS = random_positions(60, seed=8, tricks=5)
HIDDEN = [hide(p) for p in random_positions(60, seed=8, tricks=4) if p.turn == 0 and p.led is None]


def lines(positions):
    return "".join(f"id=d{i} {position}\n" for i, position in enumerate(positions)) + "id=bad trump=H\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("results")
    (path / "in.txt").write_text(lines(POSITIONS))
    (path / "hidden.txt").write_text(lines(HIDDEN))
    return path


def batch(folder: Path, source: str, name: str, task: Task, keep: bool = True) -> tuple[Path, Summary]:
    report = run_batch(folder / source, folder / name, Wanted(task, keep))
    return folder / name, report.summary


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv", "a.csv.zst", "a.parquet"])
@pytest.mark.parametrize("do", ["value", "solve", "close", "advise"])
def test_read_back(folder, name, do):
    task = Task(value_only=True) if do == "value" else Task(do=do)
    source = "in.txt" if do in ("value", "solve") else "hidden.txt"
    path, summary = batch(folder, source, f"{do}-{name}", task)
    rows = list(read_results(path))
    assert len(rows) == summary.rows == 1 + len(POSITIONS if source == "in.txt" else HIDDEN)
    assert rows[-1]["error"].startswith("me: ")
    assert rows[-1]["error_line"] == len(rows)
    assert rows[0]["me"] == str((POSITIONS if source == "in.txt" else HIDDEN)[0]).split("me=")[1].split()[0]
    if source == "in.txt":
        assert [row["value"] for row in rows[:-1]] == [solve_value(p).value for p in POSITIONS]
        assert all(isinstance(row["nodes"], int) for row in rows[:-1])
    if do == "close":
        assert all(isinstance(row["plan.exact"], bool) for row in rows[:-1])
        assert all(row["plan.probability"] == row["plan.won"] / row["hands"] for row in rows[:-1])
    # What the run summed up, the file says too; CSV has six digits of what actions are worth.
    assert same(Summary.of(rows).to_facts(), summary.to_facts())


def same(one, two):
    """Compare what two summaries hold, means as far as they are rounded."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    return one == pytest.approx(two, rel=1e-5, abs=1e-9)


def test_summary_of_a_batch_needs_no_columns(folder):
    target = folder / "few.csv"
    report = run_batch(folder / "in.txt", target, Wanted(Task(value_only=True), columns=("id",)))
    values = [solve_value(p).value for p in POSITIONS]
    assert report.summary.value.mean == pytest.approx(statistics.mean(values))
    assert report.summary.value.stderr == pytest.approx(statistics.stdev(values) / math.sqrt(len(values)))
    assert sum(mean.count for mean in report.summary.by_trump.values()) == len(values)
    # A finished run that is asked for again knows its summary.
    assert run_batch(folder / "in.txt", target, Wanted(Task(value_only=True), columns=("id",)), resume=True) == report


@given(NUMBERS, NUMBERS)
def test_means_join(one, two):
    a, b, both = Mean(), Mean(), Mean()
    for number in one:
        a.add(number)
        both.add(number)
    for number in two:
        b.add(number)
        both.add(number)
    a.join(b)
    assert a.count == both.count == len(one + two)
    if one or two:
        assert a.mean == pytest.approx(statistics.mean(one + two), abs=1e-12)
    if len(one + two) > 1:
        assert a.stderr == pytest.approx(statistics.stdev(one + two) / math.sqrt(len(one + two)), abs=1e-12)
    else:
        assert math.isnan(a.stderr)


@given(st.lists(st.sampled_from([-3, -2, -1, 1, 2, 3]), max_size=20), st.integers(0, 20))
def test_summaries_join_and_are_stored(values, cut):
    rows = [{"value": value, "trump": "SHDC"[value % 4]} for value in values] + [{"error": "me: is missing"}]
    whole = Summary.of(rows)
    joined = Summary.of(rows[:cut])
    joined.join(Summary.from_facts(json.loads(json.dumps(Summary.of(rows[cut:]).to_facts()))))
    assert joined.values == whole.values
    assert (joined.rows, joined.errors, joined.value.count) == (whole.rows, whole.errors, whole.value.count)
    assert {suit: mean.count for suit, mean in joined.by_trump.items()} == {
        suit: mean.count for suit, mean in whole.by_trump.items()
    }


BAD = {
    "no results": (b"id,me\n1,SA\n", "this is not a result file"),
    "empty csv": (b"", "the file is empty"),
    "cells": (b"id,value\n1,2\n1,2,3\n", "line 3 has 3 cells, but the header has 2 columns"),
    "not json": (b'{"id": "1", "value": 2}\nnonsense\n', "line 2 is not a JSON object"),
    "no text": (b"id,value\n\xff\xfe,2\n", "this is not UTF-8 text"),
    "gzip cut": (gzip.compress(b"id,value\n" + b"1,2\n" * 50_000)[:60], "the gzip data ends too early"),
    "parquet cut": (b"PAR1" + b"\0" * 50, "the Parquet file is damaged"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_result_files(name, tmp_path):
    content, message = BAD[name]
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message):
        list(read_results(path))


def test_what_stands_before_the_damage_is_given(tmp_path):
    path = tmp_path / "cut.csv"
    path.write_text("id,value\n1,2\n2,-1\n3\n")
    found = []
    with pytest.raises(FileError):
        found.extend(read_results(path))
    rows = read_results(path)
    assert [next(rows), next(rows)] == [{"id": "1", "value": 2}, {"id": "2", "value": -1}]


def test_summary_is_printed(folder):
    arguments = ["batch", str(folder / "in.txt"), str(folder / "s.csv"), "--value-only", "--summary"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 1
    text = result.stdout
    summary = Summary.of({"value": solve_value(p).value} for p in POSITIONS)
    assert "61 rows, 1 of them bad" in text
    assert f"{summary.value.mean:+.3f} ± {summary.value.stderr:.3f} points on average" in text
    for value, count in summary.values.items():
        assert any(line.split()[:2] == [f"{value:+d}", str(count)] for line in text.splitlines()), value
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(("do", "words"), [("close", "hands on average"), ("advise", "all worlds looked at in")])
def test_summaries_of_hidden_records(folder, do, words):
    task = replace(Task(), do=do)
    path, summary = batch(folder, "hidden.txt", f"printed-{do}.jsonl", task, keep=False)
    arguments = ["batch", str(folder / "hidden.txt"), str(path), "--do", do, "--summary"]
    text = CliRunner().invoke(cli, [*arguments, "--resume"]).stdout
    assert words in text
    assert f"{summary.rows} rows, 1 of them bad" in text
