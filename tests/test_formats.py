"""Every format in, every format out, compressed or not; damaged files lose nothing that stands before the damage."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from bummerl.batch import Wanted, run_batch
from bummerl.deals import random_positions
from bummerl.errors import FileError, RecordError
from bummerl.files import read_file, read_stream
from bummerl.records import Record, parse_line
from bummerl.solve import solve
from bummerl.streams import LONGEST_LINE
from bummerl.tasks import Task
from bummerl.worlds import hide

POSITIONS = random_positions(120, seed=12, tricks=5)
RECORDS = [Record(f"d{i}", position, {"note": f"n, {i}"}, i + 1) for i, position in enumerate(POSITIONS)]


def content(kind: str) -> bytes:
    """Write the records in one format."""
    if kind == "text":
        return "".join(record.to_line() + "\n" for record in RECORDS).encode()
    rows = [record.to_dict() for record in RECORDS]
    if kind == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if kind == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, columns)
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue().encode()
    out = io.BytesIO()
    table = {column: [str(row[column]) if column in row else None for row in rows] for column in columns}
    pyarrow.parquet.write_table(pyarrow.table(table), out)
    return out.getvalue()


def pack(data: bytes, how: str) -> bytes:
    if how == "gz":
        return gzip.compress(data)
    if how == "zst":
        return pyarrow.Codec("zstd").compress(data, asbytes=True)
    return data


KINDS = [(kind, how) for kind in ("text", "jsonl", "csv") for how in ("", "gz", "zst")] + [("parquet", "")]


@pytest.mark.parametrize(("kind", "how"), KINDS)
@pytest.mark.parametrize("named", [True, False])
def test_every_input_is_read(kind, how, named, tmp_path):
    suffix = {"text": ".txt"}.get(kind, f".{kind}") + (f".{how}" if how else "")
    path = tmp_path / ("deals" + (suffix if named else ""))
    path.write_bytes(pack(content(kind), how))
    found = list(read_file(path))
    assert [record.position for record in found] == POSITIONS
    assert [record.id for record in found] == [record.id for record in RECORDS]
    with path.open("rb") as stream:
        assert [record.position for record in read_stream(stream)] == POSITIONS
    if kind != "text":
        assert [record.extra["note"] for record in found] == [record.extra["note"] for record in RECORDS]


def read_back(path: Path) -> list[dict[str, Any]]:
    """Read an output without our own code."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if path.suffix == ".zst":
        data = pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd").read()
    if ".parquet" in path.name:
        return pyarrow.parquet.read_table(path).to_pylist()
    if ".csv" in path.name:
        return list(csv.DictReader(io.StringIO(data.decode())))
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize(
    "name", ["o.jsonl", "o.jsonl.gz", "o.ndjson.zst", "o.csv", "o.csv.gz", "o.csv.zst", "o.parquet"]
)
def test_every_output_says_the_same(name, tmp_path):
    source = tmp_path / "deals.csv"
    source.write_bytes(content("csv") + b"x9,broken\n")
    run_batch(source, tmp_path / name, Wanted(keep_input=True))
    rows = read_back(tmp_path / name)
    assert len(rows) == len(RECORDS) + 1
    for record, row in zip(RECORDS, rows, strict=False):
        wanted = solve(record.position)
        assert (row["id"], int(row["value"]), int(row["nodes"])) == (record.id, wanted.value, wanted.nodes)
        best, moves = row["best"], row["moves"]
        if ".csv" in name:
            best = best.split("|")
            moves = [dict(zip(("move", "value"), cell.rsplit(":", 1), strict=True)) for cell in moves.split("|")]
        assert best == [str(move) for move in wanted.best]
        assert {m["move"]: int(m["value"]) for m in moves} == {str(m.move): m.value for m in wanted.moves}
        assert row["note"] == record.extra["note"]
        given = {key: str(row[key]) for key in record.to_dict() if key not in ("id", "note")}
        assert parse_line(" ".join(f"{key}={value}" for key, value in given.items())).position == record.position
    assert "cells" in rows[-1]["error"]
    if "parquet" in name:
        schema = pyarrow.parquet.read_schema(tmp_path / name)
        assert schema.field("value").type == pyarrow.int64()
        assert json.loads(schema.metadata[b"bummerl"])["schema"] == 1


@pytest.mark.parametrize("do", ["close", "advise"])
def test_tables_of_closes_and_advice(do, tmp_path):
    source = tmp_path / "seen.txt"
    seen = [hide(p) for p in random_positions(40, seed=9, tricks=3) if p.gone is not None or not p.closed]
    source.write_text("".join(f"{position}\n" for position in seen))
    task = Task(do) if do == "close" else Task(do, max_worlds=10)
    for name in ("o.parquet", "o.jsonl", "o.csv"):
        run_batch(source, tmp_path / name, Wanted(task))
    table, lines, cells = (read_back(tmp_path / name) for name in ("o.parquet", "o.jsonl", "o.csv"))
    assert list(table[0]) == list(cells[0]) == ["id", *task.columns, "error", "error_key", "error_line"]
    answered = 0
    for row, line in zip(table, lines, strict=True):
        if "error" in line:
            assert row["error"] == line["error"]
            continue
        answered += 1
        if do == "close":
            assert row["plan.won"] == line["plan"]["won"]
            assert row["first_move"] == line["first_move"]
        else:
            assert (row["best"], row["margin"]) == (line["best"], line["margin"])
            assert row["moves"].startswith(f"{line['moves'][0]['move']}:")
    assert answered > 10


def test_columns_are_chosen(tmp_path):
    source = tmp_path / "deals.txt"
    source.write_bytes(content("text") + b"trump=X\n")
    wanted = Wanted(Task(value_only=True), keep_input=True, columns=("value", "trump", "id"))
    for name in ("o.csv", "o.jsonl"):
        run_batch(source, tmp_path / name, wanted)
    rows, lines = read_back(tmp_path / "o.csv"), read_back(tmp_path / "o.jsonl")
    assert list(rows[0]) == ["value", "trump", "id", "error", "error_key", "error_line"]
    assert list(lines[0]) == ["value", "trump", "id"]
    assert [int(row["value"]) for row in rows[:-1]] == [line["value"] for line in lines[:-1]]
    assert "me: is missing" in rows[-1]["error"]
    with pytest.raises(ValueError, match="no column 'vlaue'"):
        Wanted(columns=("vlaue",))
    with pytest.raises(FileError, match="no column vlaue; columns are id value"):
        run_batch(source, tmp_path / "p.csv", Wanted(Task(value_only=True), keep_input=True, columns=("vlaue",)))
    # The work is not lost.
    run_batch(source, tmp_path / "p.csv", wanted, resume=True)
    assert (tmp_path / "p.csv").read_bytes() == (tmp_path / "o.csv").read_bytes()


def test_input_columns_named_like_results_are_kept_beside_them(tmp_path):
    source = tmp_path / "deals.jsonl"
    rows = [{**record.to_dict(), "value": "what I think", "seed": "x", "error": 3} for record in RECORDS[:5]]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"value": "y"}\n')
    for name in ("o.jsonl", "o.parquet"):
        run_batch(source, tmp_path / name, Wanted(Task(value_only=True), keep_input=True))
        found = read_back(tmp_path / name)
        assert [row["input.value"] for row in found] == ["what I think"] * 5 + ["y"]
        assert found[0]["value"] == solve(RECORDS[0].position).value
        assert str(found[0]["input.error"]) == "3"
        assert found[0]["seed"] == "x"
        assert "me" in found[5]["error"] or "trump" in found[5]["error"]


def mutate(data: bytes, rng: Random) -> tuple[bytes, int]:
    """Damage data; returns it with the place before which nothing has changed."""
    place = rng.randrange(1, len(data))
    how = rng.randrange(5)
    if how == 0:
        return data[:place], place
    if how == 1:
        return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :], place
    if how == 2:
        return data[:place] + rng.randbytes(rng.randrange(1, 200)) + data[place:], place
    if how == 3:
        return data[:place] + "♠A, „Pik“\n".encode("utf-16") + data[place:], place
    return data[:place] + "Öd\n".encode("latin-1") + data[place:], place


@pytest.mark.parametrize(("kind", "how"), KINDS)
def test_mutated_files_lose_nothing_before_the_damage(kind, how, tmp_path):
    plain = content(kind)
    data = pack(plain, how)
    lines = plain.splitlines(keepends=True)
    for number in range(40):
        damaged, place = mutate(data, Random(f"{kind} {how} {number}"))
        path = tmp_path / "damaged"
        path.write_bytes(damaged)
        try:
            found = list(read_file(path))
        except FileError as error:
            # Nothing was a record: the beginning is damaged, or the end of a format that is read from there.
            assert "\n" not in str(error)
            header = len(lines[0]) if kind == "csv" else 1
            assert kind == "parquet" or how or place <= header + 10
            continue
        assert all(isinstance(item, (Record, RecordError)) for item in found)
        if kind == "parquet" or how == "zst":
            continue
        # What can be read of the packed data before the damage.
        whole = damaged[:place]
        if how == "gz":
            import zlib

            whole = zlib.decompressobj(31).decompress(whole) if place > 10 else b""
        complete = whole.count(b"\n") - (kind == "csv")
        good = [item.position for item in found if isinstance(item, Record)]
        assert good[: max(complete, 0)] == POSITIONS[: max(complete, 0)]


def test_inputs_with_something_wrong(tmp_path):
    path = tmp_path / "in.txt"
    good = RECORDS[0].to_line()
    for data, count, errors in (
        (b"", 0, 0),
        (b"\n\n# nothing\n", 0, 0),
        (good.encode() + b"\n" + b"x" * 10_000_000 + b"\n" + good.encode(), 3, 1),
        (good.encode() + b"\n" + bytes(range(1, 256)) * 50 + b"\n" + good.encode(), 4, None),
        (f"{good}\n{good}\n".encode(), 2, 0),
    ):
        path.write_bytes(data)
        report = run_batch(path, tmp_path / "out.jsonl", Wanted(Task(value_only=True)))
        assert errors is None or (report.records, report.errors) == (count, errors)
        rows = read_back(tmp_path / "out.jsonl")
        assert len(rows) == report.records
        if count > 1:
            assert rows[0]["value"] == rows[-1]["value"]
    long = b"x" * (LONGEST_LINE + 1) + b"\n" + good.encode()
    assert [type(item) for item in read_stream([long])] == [RecordError, Record]
    for data, problem in (
        (good.encode("utf-16"), "UTF-16"),
        (b"\x00\x01\x02" * 100, "not a text file"),
        (b"trump;me\nDJ;SA\n", "semicolons"),
        (b"trump\tme\tx\nDJ\tSA\n", "tabs"),
        (b"trump,opp\nDJ,SA\n", "no column me"),
        (b"trump,me,me\nDJ,SA,HA\n", "column me twice"),
        (b"PAR1 and nothing more", "damaged or ends too early"),
    ):
        path = tmp_path / "bad.csv"
        path.write_bytes(data)
        with pytest.raises(FileError, match=problem):
            run_batch(path, tmp_path / "out.jsonl")
    for name in ("o.parquet.gz", "o.txt", "o", "o.jsonl.bz2"):
        with pytest.raises(FileError, match=r"results are written|leave out"):
            run_batch(tmp_path / "in.txt", tmp_path / name)


def test_without_pyarrow_one_line_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "in.zst").write_bytes(pack(content("text"), "zst"))
    (tmp_path / "in.parquet").write_bytes(content("parquet"))
    (tmp_path / "in.txt").write_bytes(content("text"))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for source, target in (
        ("in.zst", "o.csv"),
        ("in.parquet", "o.csv"),
        ("in.txt", "o.parquet"),
        ("in.txt", "o.csv.zst"),
    ):
        with pytest.raises(FileError, match=r"needs pyarrow: install it with .*bummerl\[table\]"):
            run_batch(tmp_path / source, tmp_path / target)
    run_batch(tmp_path / "in.txt", tmp_path / "o.csv.gz", Wanted(Task(value_only=True)))


def test_standard_input_and_output(tmp_path):
    for kind, how in (("csv", "gz"), ("parquet", ""), ("text", "")):
        done = subprocess.run(
            [sys.executable, "-m", "bummerl_cli", "batch", "-", "-", "--value-only"],
            input=pack(content(kind), how),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [record.id for record in RECORDS]
    # Whoever read the output is gone.
    command = f"{sys.executable} -m bummerl_cli batch {tmp_path}/in.txt - --value-only | head -1"
    (tmp_path / "in.txt").write_bytes(content("text") * 30)
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert done.stdout.count(b"\n") == 1
    assert b"Traceback" not in done.stderr
