"""Kernels in fresh processes: cold, warm, in a folder that cannot be written, two at once, and not compiled."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOLVE = ["solve", "trump=C", "me=STJ,DQ,CAQ", "opp=SAQ,DAK,CJ", "points=40:20", "--value-only"]


def environment(**changes: str) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / name) for name in ("solver", "cli"))
    return {**os.environ, "PYTHONPATH": paths, **changes}


def start(arguments: list[str], **changes: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error::SyntaxWarning", "-m", "bummerl_cli", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment(**changes))


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out, err


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that two processes have filled at the same time."""
    folder = tmp_path_factory.mktemp("kernels")
    both = [start(SOLVE, BUMMERL_CACHE_DIR=str(folder)) for _ in range(2)]
    for out, err in [finish(process) for process in both]:
        assert out == "+1\n"
        assert err.count("\n") == 1
        assert "preparing the solver" in err
    return folder


def test_warm_start_is_silent_and_agrees(warm):
    assert finish(start(SOLVE, BUMMERL_CACHE_DIR=str(warm))) == ("+1\n", "")


def test_warm_kernels_give_what_cold_ones_gave(warm):
    code = (
        "from bummerl import random_positions, solve_many\n"
        "values, nodes = solve_many(random_positions(200, seed=3, tricks=2))\n"
        "print(values.tolist(), nodes.tolist())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=environment(BUMMERL_CACHE_DIR=str(warm)),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    }
    assert len(outputs) == 1


def test_one_folder_named_by_the_sources(warm):
    folders = [path.name for path in warm.iterdir()]
    assert len(folders) == 1
    assert folders[0].startswith("kernels-")
    assert (warm / folders[0] / "two_handed.complete").exists()


def test_a_folder_that_cannot_be_written_gives_one_warning_and_the_answer(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    out, err = finish(start(SOLVE, BUMMERL_CACHE_DIR=str(blocked)))
    assert out == "+1\n"
    assert err.count("cannot be kept") == 1
    assert "Traceback" not in err


def test_damaged_kernels_are_compiled_anew(warm, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(warm, copy)
    for path in copy.rglob("strict*.nbc"):
        path.write_bytes(b"damaged")
    for path in copy.rglob("table*.nbi"):
        path.write_bytes(path.read_bytes()[:20])
    out, _ = finish(start(SOLVE, BUMMERL_CACHE_DIR=str(copy)))
    assert out == "+1\n"
    assert finish(start(SOLVE, BUMMERL_CACHE_DIR=str(copy))) == ("+1\n", "")


def test_without_compiling_the_same_code_gives_the_same_values():
    code = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "from bummerl import random_positions, solve_many\n"
        "print(solve_many(random_positions(40, seed=4, tricks=5))[0].tolist())\n"
        "print(solve_many(random_positions(2, seed=4, tricks=4))[1].tolist())"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=environment(NUMBA_DISABLE_JIT=flag),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for flag in ("1", "0")
    ]
    assert outputs[0] == outputs[1]


def test_other_peoples_numba_cache_stays_where_it_was(tmp_path):
    code = (
        "import numba\nbefore = numba.config.CACHE_DIR\n"
        "from bummerl import random_positions, solve_many\nsolve_many(random_positions(1, seed=1))\n"
        "assert numba.config.CACHE_DIR == before"
    )
    subprocess.run([sys.executable, "-c", code], env=environment(), check=True)


KERNELS_OF_THREE_SORTS = """
from bummerl.kernels.cache import kernel

@kernel("int64(int64)")
def doubled(x):
    return x + x

@kernel("int64(int64[::1], int64)", entry=True)
def down(array, x):
    array[0] += doubled(x)
    return down(array, x - 1) + 1 if x else 0

@kernel("int64(int64[::1], int64)", entry=True)
def caller(array, x):
    return down(array, doubled(x))
"""


def test_entries_are_called_by_symbol_themselves_directly_and_parts_are_compiled_in(tmp_path):
    (tmp_path / "sorts.py").write_text(KERNELS_OF_THREE_SORTS)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import numpy as np, sorts\n"
        "array = np.zeros(1, dtype=np.int64)\n"
        "before = sys.getrefcount(array)\n"
        "print(sorts.caller(array, 3), array[0], sys.getrefcount(array) - before)\n"
        "print(sum(sorts.caller._compiled.stats.cache_hits.values()))\n"
        "if not sorts.caller._compiled.stats.cache_hits:\n"
        "    codes = [''.join(each._compiled.inspect_llvm().values()) for each in (sorts.down, sorts.caller)]\n"
        "    print([sorts.down.symbol in code for code in codes])\n"
        "    print([any('doubled' in line and 'define' in line for line in code.splitlines()) for code in codes])"
    )
    cold, warm = (
        subprocess.run(
            [sys.executable, "-c", code],
            env=environment(BUMMERL_CACHE_DIR=str(tmp_path / "kernels")),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("\n")
        for _ in range(2)
    )
    assert cold[:4] == ["6 42 0", "0", "[False, True]", "[False, False]"]
    assert warm[:2] == ["6 42 0", "1"]


def test_other_versions_of_numba_compile_the_plain_way(tmp_path):
    (tmp_path / "sorts.py").write_text(KERNELS_OF_THREE_SORTS)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from bummerl.kernels import cache\n"
        "cache.TESTED_NUMBA = ((0, 1), (0, 2))\n"
        "import numpy as np, sorts\n"
        "print(type(sorts.caller).__name__, sorts.caller(np.zeros(1, dtype=np.int64), 3))"
    )
    for _ in range(2):
        found = subprocess.run(
            [sys.executable, "-c", code],
            env=environment(BUMMERL_CACHE_DIR=str(tmp_path / "kernels")),
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.split() == ["CPUDispatcher", "6"]


def test_a_unit_is_compiled_against_kernels_from_the_cache(warm, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(warm, copy)
    close = ["close", "trump=DJ me=SAT,HT,DA,CA", "--format", "json"]
    cold, cold_messages = finish(start(close, BUMMERL_CACHE_DIR=str(copy)))
    assert "preparing the solver" in cold_messages
    assert finish(start(close, BUMMERL_CACHE_DIR=str(copy))) == (cold, "")


def test_a_unit_that_another_needed_counts_as_compiled(warm, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(warm, copy)
    (marker,) = copy.glob("*/two_handed.complete")
    marker.unlink()
    code = "from bummerl.kernels import cache; cache.load('solution'); cache.load('two_handed')"
    subprocess.run([sys.executable, "-c", code], env=environment(BUMMERL_CACHE_DIR=str(copy)), check=True)
    assert marker.exists()


def test_a_cache_cleared_while_in_use_is_filled_again(warm, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(warm, copy)
    code = (
        "from bummerl import Position, kernel_cache, solve\n"
        "from bummerl.solve import solve_value\n"
        "position = Position.parse('trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20')\n"
        "solve_value(position); kernel_cache.clear()\n"
        "print(solve(position).value, kernel_cache.info().units['solution'])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(BUMMERL_CACHE_DIR=str(copy)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == ["1", "True"]


def test_numba_finds_types_as_before_once_the_kernels_are_compiled(tmp_path):
    code = (
        "from bummerl.kernels import cache, compiling\n"
        "cache.load('strict')\n"
        "name = compiling.BaseFunction.get_call_type.__name__\n"
        "with compiling.remembered_types(): assert compiling.BaseFunction.get_call_type.__name__ != name\n"
        "assert compiling.BaseFunction.get_call_type.__name__ == name == 'get_call_type'"
    )
    subprocess.run([sys.executable, "-c", code], env=environment(BUMMERL_CACHE_DIR=str(tmp_path)), check=True)
