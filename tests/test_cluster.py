"""A cluster of separate worker processes gives the same file as threads, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from bummerl import pools
from bummerl.batch import Wanted, run_batch
from bummerl.deals import random_positions
from bummerl.errors import FileError
from bummerl.pools import DaskPool
from bummerl.records import Record
from bummerl.tasks import Task

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes, which are started again when they are killed."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as made:
        yield made


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    path = tmp_path / "deals.txt"
    lines = [Record(f"d{i}", p).to_line() for i, p in enumerate(random_positions(1500, seed=4, tricks=3))]
    lines[700] = "trump=DJ me=SA"
    path.write_text("\n".join(lines) + "\n")
    return path


def worker_processes(cluster) -> list[int]:
    return [nanny.pid for nanny in cluster.workers.values()]


def test_a_killed_worker_loses_and_doubles_nothing(cluster, deals, tmp_path):
    run_batch(deals, tmp_path / "threads.jsonl", workers=2)
    killed: list[int] = []

    def kill() -> None:
        # Once it has begun to work.
        parts = tmp_path / "cluster.jsonl.parts"
        until = time.monotonic() + 60
        while time.monotonic() < until and not list(parts.glob("0*")):
            time.sleep(0.01)
        killed.append(worker_processes(cluster)[0])
        os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    report = run_batch(deals, tmp_path / "cluster.jsonl", pool=DaskPool(cluster.scheduler_address))
    thread.join()
    assert killed
    assert (report.records, report.errors) == (1500, 1)
    assert (tmp_path / "cluster.jsonl").read_bytes() == (tmp_path / "threads.jsonl").read_bytes()


def test_a_run_is_continued_on_a_cluster(cluster, deals, tmp_path):
    wanted = Wanted(Task(value_only=True))

    def stop(done: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_batch(deals, tmp_path / "out.jsonl", wanted, progress=stop)
    run_batch(deals, tmp_path / "out.jsonl", wanted, pool=DaskPool(cluster.scheduler_address), resume=True)
    run_batch(deals, tmp_path / "whole.jsonl", wanted)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_clusters_that_cannot_be_used(cluster, monkeypatch):
    with pytest.raises(FileError, match="no cluster answers there"):
        DaskPool("tcp://127.0.0.1:9")
    with pytest.raises(FileError, match="no cluster answers there"):
        DaskPool("nonsense://x")
    monkeypatch.setattr(pools, "source_fingerprint", lambda: "another")
    with pytest.raises(FileError, match="has another bummerl"):
        DaskPool(cluster.scheduler_address)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FileError, match=r"needs Dask: install it with .*bummerl\[cluster\]"):
        DaskPool(cluster.scheduler_address)
