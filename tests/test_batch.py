import csv
import json
import threading
from pathlib import Path

import pytest

from bummerl.advise import advise
from bummerl.batch import Wanted, run_batch
from bummerl.deals import random_positions
from bummerl.errors import FileError
from bummerl.records import Record
from bummerl.solve import solve_value
from bummerl.tasks import Task
from bummerl.worlds import hide
from tests.malformed import GOOD, MALFORMED

VALUES = Wanted(Task(value_only=True))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Good and bad records in turn."""
    path = tmp_path / "mixed.txt"
    path.write_text("".join(f"{text}\nid=good{i} {GOOD}\n" for i, (text, _, _) in enumerate(MALFORMED.values())))
    return path


def test_bad_records_become_rows_and_the_others_are_solved(mixed, tmp_path):
    report = run_batch(mixed, tmp_path / "out.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (report.records, report.errors) == (2 * len(MALFORMED), len(MALFORMED))
    assert len(MALFORMED) >= 30
    assert len(report.first_problems) == 3
    assert report.first_problems[0].startswith("record 1: opp: ")
    for i, (bad, good) in enumerate(zip(rows[::2], rows[1::2], strict=True)):
        assert bad["error_line"] == 2 * i + 1
        assert bad["error"].startswith(bad["error_key"])
        assert good["id"] == f"good{i}"
        assert good["value"] == 1
        assert good["best"][0] in ("ST", "SJ")


def test_workers_and_formats_change_nothing(tmp_path):
    source = tmp_path / "deals.txt"
    positions = random_positions(300, seed=8, tricks=4)
    source.write_text("".join(Record(f"d{i}", p).to_line() + "\n" for i, p in enumerate(positions)))
    outputs = []
    for workers in (1, 3):
        run_batch(source, tmp_path / f"{workers}.jsonl", VALUES, workers=workers)
        outputs.append((tmp_path / f"{workers}.jsonl").read_bytes())
    assert outputs[0] == outputs[1]
    rows = [json.loads(line) for line in outputs[0].splitlines()]
    assert [row["id"] for row in rows] == [f"d{i}" for i in range(300)]
    assert [row["value"] for row in rows[::10]] == [solve_value(p).value for p in positions[::10]]
    run_batch(source, tmp_path / "out.csv", VALUES)
    with (tmp_path / "out.csv").open() as table:
        assert [int(row["value"]) for row in csv.DictReader(table)] == [row["value"] for row in rows]
    run_batch(source, tmp_path / "full.jsonl", workers=2)
    full = [json.loads(line) for line in (tmp_path / "full.jsonl").read_text().splitlines()]
    assert [row["value"] for row in full] == [row["value"] for row in rows]


def test_closes_in_a_file(tmp_path):
    source = tmp_path / "hidden.jsonl"
    positions = [hide(p) for p in random_positions(40, seed=9, tricks=3)]
    source.write_text("".join(json.dumps(Record(str(i), p).to_dict()) + "\n" for i, p in enumerate(positions)))
    report = run_batch(source, tmp_path / "out.csv", Wanted(Task("close")), workers=2)
    with (tmp_path / "out.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert report.records == len(rows) == 40
    for row in rows:
        assert row["error"] or int(row["open_cards.won"]) <= int(row["hands"])
    assert any(not row["error"] for row in rows)


def test_hidden_records_cannot_be_solved_and_say_why(tmp_path):
    source = tmp_path / "hidden.txt"
    source.write_text(f"trump=DJ me=SAT,HT,DA,CA\n{GOOD}\n")
    for value_only in (True, False):
        assert run_batch(source, tmp_path / "out.jsonl", Wanted(Task(value_only=value_only))).errors == 1
        rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
        assert rows[0]["error_key"] == "opp"
        assert rows[1]["value"] == 1


def test_files_that_cannot_be_used(tmp_path):
    source = tmp_path / "deals.txt"
    source.write_text(GOOD + "\n")
    for given, wanted in (
        (tmp_path / "nothing.txt", tmp_path / "out.jsonl"),
        (tmp_path, tmp_path / "out.jsonl"),
        (source, tmp_path / "out.pdf"),
        (source, tmp_path / "no" / "folder.jsonl"),
        (source, source),
    ):
        with pytest.raises(FileError) as caught:
            run_batch(given, wanted)
        assert "\n" not in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["deals.txt"]


def test_an_interrupted_batch_leaves_its_parts_and_no_threads(tmp_path):
    source = tmp_path / "deals.txt"
    source.write_text((GOOD + "\n") * 2000)

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        run_batch(source, tmp_path / "out.jsonl", workers=2, progress=interrupt)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["deals.txt", "out.jsonl.parts"]
    assert threading.active_count() == threads
    assert solve_value(random_positions(1, seed=1)[0]).value == -3
    with pytest.raises(FileError, match="unfinished run; continue it with --resume"):
        run_batch(source, tmp_path / "out.jsonl")
    run_batch(source, tmp_path / "out.jsonl", resume=True)
    assert len((tmp_path / "out.jsonl").read_bytes().splitlines()) == 2000
    assert sorted(p.name for p in tmp_path.iterdir()) == ["deals.txt", "out.jsonl", "out.jsonl.manifest.json"]


def test_advice_in_a_batch(tmp_path):
    source = tmp_path / "seen.txt"
    positions = [hide(p) for p in random_positions(12, seed=9, tricks=3) if p.gone is not None or not p.closed]
    source.write_text("".join(Record(f"d{i}", p).to_line() + "\n" for i, p in enumerate(positions)))
    task = Task("advise", max_worlds=50, model="plan", seed=3)
    for name in ("out.jsonl", "out.csv"):
        run_batch(source, tmp_path / name, Wanted(task), workers=2)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for position, row in zip(positions, rows, strict=True):
        wanted = advise(position, max_worlds=50, model="plan", seed=3)
        assert {k: v for k, v in row.items() if k != "id"} == json.loads(json.dumps(wanted.to_dict()))
    with (tmp_path / "out.csv").open(newline="") as file:
        cells = list(csv.DictReader(file))
    assert [row["best"] for row in cells] == [row["best"] for row in rows]
    first = rows[0]["moves"][0]
    assert cells[0]["moves"].startswith(f"{first['move']}:{first['expected']:.6g}|")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"do": "play"}, "do is solve, close, advise or bid"),
        ({"do": "close", "value_only": True}, "value_only goes with solve"),
        ({"do": "solve", "seconds": 1.0}, "seconds goes with close and advise and bid"),
        ({"do": "close", "seed": 2}, "seed goes with advise"),
    ],
)
def test_options_that_would_do_nothing_are_refused(options, problem):
    with pytest.raises(ValueError, match=problem):
        Task(**options)
