"""Converting: every format into every other and back, nothing lost, bad records reported and left out."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from bummerl.converting import KINDS, convert, read_any
from bummerl.deals import random_positions
from bummerl.errors import FileError, RecordError
from bummerl.records import Record
from bummerl.rules import Rules
from bummerl.worlds import hide
from bummerl_cli.main import cli

POSITIONS = [
    hide(p) if i % 2 and (p.gone is not None or not p.closed) else p
    for tricks in (0, 3, 5, 8)
    for i, p in enumerate(random_positions(10, seed=tricks, tricks=tricks, rules=Rules.parse("sharp"), mid_trick=True))
]
SUFFIXES = {"text": ".txt", "jsonl": ".jsonl", "csv": ".csv", "parquet": ".parquet", "labelled": ".lab"}


def read(path: Path, kind: str | None = None) -> list[Record | RecordError]:
    with path.open("rb") as stream:
        return list(read_any(stream, kind, path.name))


@pytest.mark.parametrize(("first", "second"), list(product(KINDS, repeat=2)))
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_there_and_back(first, second, packed, tmp_path):
    a, b = (
        tmp_path / f"{n}{SUFFIXES[kind]}{'' if kind == 'parquet' else packed}" for n, kind in enumerate((first, second))
    )
    records = [Record(f"d{i}", position) for i, position in enumerate(POSITIONS)]
    assert convert(iter(records), a, first) == len(POSITIONS)
    assert convert(iter(read(a)), b, second) == len(POSITIONS)
    found = read(b)
    assert [record.position for record in found if isinstance(record, Record)] == POSITIONS
    assert [record.id for record in found if isinstance(record, Record)] == [record.id for record in records]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted({a.name, b.name})


def test_bad_records_are_reported_and_left_out(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text(f"{POSITIONS[0]}\ntrump=DJ me=SA talon=3\n{POSITIONS[1]}\n")
    result = CliRunner().invoke(cli, ["convert", str(source), str(tmp_path / "out.csv")])
    assert result.exit_code == 1
    assert "bummerl: record 2: " in result.stderr
    assert result.stderr.endswith(f"2 records, 1 bad ones left out -> {tmp_path / 'out.csv'}\n")
    assert [r.position for r in read(tmp_path / "out.csv", "csv") if isinstance(r, Record)] == POSITIONS[:2]


def test_extra_columns_stay_in_tables(tmp_path):
    convert(iter([Record("a", POSITIONS[0], {"value": 2, "note": "x"})]), tmp_path / "o.csv", "csv")
    (record,) = read(tmp_path / "o.csv", "csv")
    assert isinstance(record, Record)
    assert record.extra == {"value": "2", "note": "x"}


def test_what_cannot_be_converted(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text(f"{POSITIONS[0]}\n")
    runner = CliRunner()
    for arguments, status, problem in (
        ([str(source), "out.pdf"], 2, "name the format with --to"),
        ([str(source), str(source)], 1, "would overwrite the input"),
        (["no-such-file", "out.csv"], 1, "No such file"),
        ([str(source), str(tmp_path / "no" / "out.csv")], 1, "there is no folder"),
        ([str(source), str(tmp_path / "o.parquet.gz")], 1, "Parquet is compressed already"),
        ([str(tmp_path), "out.csv"], 2, "is a directory"),
    ):
        result = runner.invoke(cli, ["convert", *arguments])
        assert (result.exit_code, problem in result.output) == (status, True), result.output
    (tmp_path / "junk").write_bytes(bytes(range(256)) * 10)
    assert runner.invoke(cli, ["convert", str(tmp_path / "junk"), str(tmp_path / "o.csv")]).exit_code == 1
    with pytest.raises(FileError, match="not a text file"):
        read(tmp_path / "junk", "labelled")
    (tmp_path / "empty").touch()
    assert convert(iter(read(tmp_path / "empty")), tmp_path / "o.parquet", "parquet") == 0
    assert read(tmp_path / "o.parquet") == []
