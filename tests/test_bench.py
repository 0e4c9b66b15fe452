"""Timing, comparing, the node signature, and the cache commands."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bummerl import kernel_cache, solve_many
from bummerl.arrays import random_rows
from bummerl.files import read_file
from bummerl.kernels import cache
from bummerl.suite import check_all
from bummerl.timing import Timing, compare, measure, signature
from bummerl.workloads import NAMES, STANDARD, workloads
from bummerl_cli.commands.bench import WORKLOADS
from bummerl_cli.main import cli

ROOT = Path(__file__).parents[1]


def invoke(*arguments: str):
    return CliRunner().invoke(cli, list(arguments))


def test_the_node_signature_is_the_stored_one():
    """A change of the search that moves it says so, by storing the new one."""
    stored = json.loads((ROOT / "benchmarks" / "signature.json").read_text())
    assert signature() == stored
    assert stored["total"] == sum(nodes for name, nodes in stored.items() if name != "total")


def test_signature_check(tmp_path):
    path = tmp_path / "signature.json"
    path.write_text(invoke("bench", "signature", "--format", "json").stdout)
    assert invoke("bench", "signature", "--check", str(path)).exit_code == 0
    changed = json.loads(path.read_text())
    path.write_text(json.dumps(changed | {"deals": 1}))
    result = invoke("bench", "signature", "--check", str(path))
    assert result.exit_code == 1
    assert "stored: 1" in result.stdout
    for text in ("[]", "{", '{"total": "x"}', '{"total": 1e400}'):
        path.write_text(text)
        result = invoke("bench", "signature", "--check", str(path))
        assert result.exit_code == 1
        assert "not a signature" in result.output


def test_names_of_workloads():
    assert WORKLOADS == NAMES
    assert set(STANDARD) < set(NAMES)
    text = " ".join(invoke("bench", "speed", "--help").stdout.split())
    assert f"The names: {' '.join(STANDARD)}, which" in text
    assert " ".join(NAMES[len(STANDARD) :]) in text


def test_workloads_repeat_their_nodes():
    for scale in (0.003, 0.006):
        first, second = (measure(runs=1, scale=scale) for _ in range(2))
        assert [t.name for t in first] == list(STANDARD)
        assert [t.nodes for t in first] == [t.nodes for t in second]
        assert min(t.nodes for t in first) > 0


def test_every_part_of_a_workload_is_as_large_as_it_says():
    for name, count in (("deals", 10), ("endgames", 1000), ("closed", 10_010), ("closed-value", 2002), ("rules", 8)):
        timing = measure([name], runs=1, scale=0.01)[0]
        assert timing.count == count, name
        assert len(timing.parts) * timing.size == count


def test_a_best_lead_is_best_of_all_leads():
    """The two closed workloads answer the same question."""
    from bummerl.arrays import make_rows
    from bummerl.close import closing_moves, open_card_values
    from bummerl.engine import DEFAULT, workspaces
    from bummerl.position import Position
    from bummerl.worlds import opponent_hands

    position = Position.parse("trump=DJ me=SAT,HA,DK,CA")
    hands = opponent_hands(position)
    workspace = workspaces.get(DEFAULT, position.rules)
    order, table = open_card_values(position, closing_moves(position), hands, workspace)
    rows = make_rows([position.me] * len(hands), [hands[i] for i in order], position.trump, closed_by=0)
    assert solve_many(rows)[0].tolist() == table.max(axis=1).tolist()


def test_speed_in_text_and_json(tmp_path):
    arguments = ["bench", "speed", "--runs", "2", "--scale", "0.02", "--workload", "deals", "--workload", "closed"]
    path = tmp_path / "run.json"
    path.write_text(invoke(*arguments, "--format", "json").stdout)
    run = json.loads(path.read_text())
    assert {"bummerl", "kernels", "python", "numba", "machine", "workloads"} <= set(run)
    deals = run["workloads"][0]
    assert deals["count"] == len(deals["parts"]) == 20
    assert deals["median"] <= deals["p99"] <= deals["max"]
    text = invoke(*arguments, "--compare", str(path))
    assert text.exit_code == 0
    assert text.stdout.count("times as fast") == 2
    assert text.stdout.count("the same nodes") == 2
    assert max(map(len, text.stdout.splitlines())) <= 80
    compared = json.loads(invoke(*arguments, "--compare", str(path), "--format", "json").stdout)["compared"]
    assert [entry["more_nodes"] for entry in compared] == [0, 0]
    assert all(entry["low"] <= entry["ratio"] <= entry["high"] for entry in compared)
    other = invoke(*arguments[:4], "--scale", "0.01", "--workload", "deals", "--compare", str(path))
    assert "did not do this, or not with as many" in other.stdout
    damaged = {**run, "workloads": [{**deals, "parts": [float("inf")]}]}
    for content in ("{", "[]", '{"workloads": [{}]}', '{"workloads": 3}', json.dumps(damaged)):
        path.write_text(content)
        result = invoke(*arguments, "--compare", str(path))
        assert result.exit_code == 1
        assert "not a run of bench speed" in result.output


def test_comparing_pairs_each_part_with_itself():
    then = Timing("deals", "", 1, 100, (6.0, 6.0), (1.0, 2.0, 3.0))
    now = replace(then, nodes=90, parts=(0.5, 1.0, 1.5))
    found = compare(now, then)
    assert found is not None
    assert (found.ratio, found.low, found.high) == pytest.approx((2, 2, 2))
    assert found.nodes == -10
    noisy = compare(replace(now, parts=(0.5, 1.1, 1.4)), then)
    assert noisy is not None
    assert noisy.low < noisy.ratio < noisy.high
    # A single part: its runs are what there is to pair.
    one = compare(replace(now, parts=(3.0,), runs=(3.0, 3.3)), replace(then, parts=(6.0,), runs=(6.0, 6.0)))
    assert one is not None
    assert 1.8 < one.ratio < 2
    assert compare(replace(now, size=2), then) is None


def test_an_unknown_ratio_of_one_run_has_no_bounds():
    then = Timing("help", "", 1, 0, (2.0,), (2.0,))
    found = compare(replace(then, runs=(1.0,), parts=(1.0,)), then)
    assert found is not None
    assert (found.ratio, found.low) == pytest.approx((2, 0))


def test_workloads_of_files_and_processes(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    prepared = workloads(scale=0.002)
    for name in ("batch-1", "values-2"):
        work = prepared[name]()
        assert work.parts[0]() == 0
    (timing,) = measure(["help"], runs=1)
    assert 0 < timing.runs[0] < 60


def test_a_suite_is_timed_while_it_is_checked():
    checks = check_all(read_file(ROOT / "data" / "suites" / "published.jsonl"))
    assert all(check.seconds > 0 for check in checks)
    result = invoke("bench", "suite", str(ROOT / "data" / "suites" / "published.jsonl"))
    assert "ms; each" in result.stdout


def test_cache_commands(tmp_path, monkeypatch):
    """In a folder of its own, with kernels of another version beside ours."""
    monkeypatch.setenv("BUMMERL_CACHE_DIR", str(tmp_path / "cache"))
    found = json.loads(invoke("cache", "info", "--format", "json").stdout)
    assert found["units"] == dict.fromkeys(kernel_cache.UNITS, False)
    assert found["writable"] is True
    assert "nothing yet" in invoke("cache", "info").stdout
    assert not (tmp_path / "cache").exists()
    ours, old, foreign = cache.folder(), tmp_path / "cache" / "kernels-0123456789abcdef", tmp_path / "cache" / "mine"
    alike = tmp_path / "cache" / "kernels-cuda"
    for folder in (ours, old, foreign, alike):
        folder.mkdir(parents=True)
        (folder / "two_handed.complete").write_text("x" * 1000)
    text = invoke("cache", "info").stdout
    assert "compiled  two_handed" in text
    assert "missing   solution, postponed, plan, plan_tree" in text
    assert max(map(len, text.splitlines()[1:])) <= 80
    assert "old       1 of other versions" in text
    link = tmp_path / "cache" / "kernels-00000000000000ff"
    link.symlink_to(foreign)
    assert invoke("cache", "clear", "--old").exit_code == 0
    assert [p.exists() for p in (ours, old, foreign, alike, link)] == [True, False, True, True, True]
    assert "freed 0.0 MB" in invoke("cache", "clear").stdout
    assert (ours.exists(), foreign.exists()) == (False, True)
    assert "freed 0.0 MB" in invoke("cache", "clear").stdout


def test_a_cache_that_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BUMMERL_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert "cannot be written" in invoke("cache", "info").stdout
    result = invoke("cache", "warm")
    assert result.exit_code == 1
    assert "file/below" in result.output
    assert "cannot be written" in result.output


def test_warm_compiles_every_kernel_set():
    assert invoke("cache", "warm").exit_code == 0
    if cache.usable_folder():
        assert all(kernel_cache.info().units.values())


def test_info_does_not_import_numba():
    code = "import sys; from bummerl_cli.main import cli; cli(['cache', 'info'], standalone_mode=False); print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.splitlines()[-1] == "False"


def test_random_rows_fill_the_endgame_workload():
    rows = random_rows(50, seed=3, tricks=5)
    work = workloads(scale=0.0005)["endgames"]()
    assert work.parts[0]() == int(solve_many(rows)[1].sum())
