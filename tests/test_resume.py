"""A run that is stopped and continued gives the very bytes of one that was not, whatever stopped it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from bummerl import batch
from bummerl.batch import Wanted, manifest_path, run_batch
from bummerl.deals import random_positions
from bummerl.errors import FileError
from bummerl.records import Record
from bummerl.tasks import Task
from tests.malformed import MALFORMED

VALUES = Wanted(Task(value_only=True))


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """Endgames and bad records in turn, in chunks enough to be killed between them."""
    path = tmp_path / "deals.txt"
    bad = [text for text, _, _ in MALFORMED.values()]
    positions = random_positions(3000, seed=8, tricks=6)
    with path.open("w") as out:
        for i, position in enumerate(positions):
            out.write(Record(f"d{i}", position).to_line() + "\n")
            if i % 100 == 0:
                out.write(bad[i // 100 % len(bad)].replace("\n", " ") + "\n")
    return path


class StoppedError(Exception):
    """Stands for whatever ends a run."""


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv.gz", "out.parquet"])
def test_continued_runs_give_the_same_bytes(deals, tmp_path, name, monkeypatch):
    monkeypatch.setattr("bummerl.tasks._CHUNKS", {"value": 100, "solve": 50})
    wanted = Wanted(Task(value_only=True), keep_input=True)
    (tmp_path / "whole").mkdir()
    run_batch(deals, tmp_path / "whole" / name, wanted, workers=2)
    whole = (tmp_path / "whole" / name).read_bytes()
    target = tmp_path / name
    rng = Random(name)
    stops = 0
    while not target.exists():
        left = 300 * stops + rng.randrange(1, 900)  # what was done before counts, too

        def step(done: int) -> None:
            nonlocal left
            left -= done
            if left < 0:
                raise StoppedError

        try:
            run_batch(deals, target, wanted, workers=rng.choice([1, 2, 3]), resume=True, progress=step)
        except StoppedError:
            stops += 1
        assert stops < 100
        # A part that a power cut has shortened.
        parts = sorted(tmp_path.glob(f"{name}.parts/0*.jsonl"))
        if parts and stops == 2:
            parts[0].write_bytes(parts[0].read_bytes()[:-20])
    assert stops >= 3
    assert target.read_bytes() == whole
    assert manifest_path(target).read_bytes() == manifest_path(tmp_path / "whole" / name).read_bytes()


def test_ten_kills_and_the_same_file(deals, tmp_path):
    command = [sys.executable, "-m", "bummerl_cli", "batch", str(deals), "--do", "solve", "--workers", "2"]
    whole, target = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    run_batch(deals, whole, workers=2)
    rng = Random(5)
    killed = 0
    while killed < 10 and not target.exists():
        process = subprocess.Popen([*command, str(target), "--resume"], stderr=subprocess.DEVNULL)
        parts = tmp_path / "out.jsonl.parts"
        before = len(list(parts.glob("0*"))) if parts.exists() else 0
        until = time.monotonic() + 60
        # Killed at any moment after it has begun to work, before it is through.
        while time.monotonic() < until and process.poll() is None:
            if parts.exists() and len(list(parts.glob("0*"))) > before:
                break
            time.sleep(0.01)
        time.sleep(rng.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        killed += 1
    assert killed >= 3
    assert subprocess.run([*command, str(target), "--resume"], capture_output=True, check=False).returncode == 1
    assert target.read_bytes() == whole.read_bytes()


def test_what_has_changed_meanwhile_is_refused_with_the_reason(deals, tmp_path, monkeypatch):
    target = tmp_path / "out.jsonl"

    def stop(done: int) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        run_batch(deals, target, VALUES, progress=stop)
    with pytest.raises(FileError, match=r"since task.value_only was True and is False now"):
        run_batch(deals, target, resume=True)
    with pytest.raises(FileError, match=r"since keep_input was False and is True now"):
        run_batch(deals, target, Wanted(Task(value_only=True), keep_input=True), resume=True)
    text = deals.read_text()
    deals.write_text(text.replace("d17", "e17"))
    with pytest.raises(FileError, match=r"since input.sha256 was .* and is"):
        run_batch(deals, target, VALUES, resume=True)
    deals.write_text(text)
    monkeypatch.setattr(batch, "SCHEMA", 99)
    with pytest.raises(FileError, match=r"since schema was 1 and is 99 now"):
        run_batch(deals, target, VALUES, resume=True)
    monkeypatch.undo()
    manifest = tmp_path / "out.jsonl.parts" / "manifest.json"
    kept = manifest.read_bytes()
    manifest.write_bytes(kept[:10])
    with pytest.raises(FileError, match="manifest is damaged"):
        run_batch(deals, target, VALUES, resume=True)
    manifest.write_bytes(kept)
    run_batch(deals, target, VALUES, resume=True)
    # Again there is nothing to do, and nothing is done.
    done = target.stat().st_mtime_ns
    report = run_batch(deals, target, VALUES, resume=True)
    assert (report.records, report.errors, target.stat().st_mtime_ns) == (3030, 30, done)
    with pytest.raises(FileError, match="other options"):
        run_batch(deals, target, resume=True)


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_two_processes_do_not_work_on_one_run(deals, tmp_path):
    problems = []

    def second(done: int) -> None:
        try:
            run_batch(deals, tmp_path / "out.jsonl", VALUES, resume=True)
        except FileError as error:
            problems.append(str(error))

    run_batch(deals, tmp_path / "out.jsonl", VALUES, progress=second)
    assert problems
    assert all("another process is working" in problem for problem in problems)


def test_a_full_disk_is_one_line_and_what_is_done_stays(deals, tmp_path, monkeypatch):
    from bummerl.parts import Parts

    keep = Parts.keep

    def full(self: Parts, number: int, content: bytes) -> None:
        if number == 2:
            raise OSError(28, "No space left on device")
        keep(self, number, content)

    monkeypatch.setattr(Parts, "keep", full)
    with pytest.raises(FileError, match=r"No space left on device; what is done stays, --resume goes on"):
        run_batch(deals, tmp_path / "out.jsonl", VALUES)
    monkeypatch.undo()
    run_batch(deals, tmp_path / "out.jsonl", VALUES, resume=True)
    run_batch(deals, tmp_path / "whole.jsonl", VALUES)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_the_manifest_says_how_it_was_made(deals, tmp_path):
    run_batch(deals, tmp_path / "out.jsonl", VALUES)
    notes = json.loads(manifest_path(tmp_path / "out.jsonl").read_text())
    assert (notes["schema"], notes["records"], notes["errors"]) == (1, 3030, 30)
    assert notes["task"] == {"do": "solve", "value_only": True}
    assert notes["input"]["name"] == "deals.txt"
    assert notes["input"]["bytes"] == deals.stat().st_size
    assert sum(notes["rules"].values()) == 3000
    assert len(notes["kernels"]) == 16
    assert str(tmp_path) not in json.dumps(notes)
    mode = (tmp_path / "out.jsonl").stat().st_mode & 0o777
    (tmp_path / "plain").touch()
    assert mode == (tmp_path / "plain").stat().st_mode & 0o777


def test_strict_stops_at_the_first_bad_record(deals, tmp_path):
    for workers in (1, 3):
        with pytest.raises(FileError, match=r"^record 2: .*nothing was written"):
            run_batch(deals, tmp_path / "out.jsonl", VALUES, strict=True, workers=workers)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["deals.txt"]


def test_error_rows_in_a_file_of_their_own(deals, tmp_path):
    report = run_batch(deals, tmp_path / "out.jsonl", VALUES, errors=tmp_path / "bad.jsonl")
    bad = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert bad == [row for row in rows if "error" in row]
    assert len(bad) == report.errors == 30
