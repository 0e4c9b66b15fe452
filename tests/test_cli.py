"""The command line as its users meet it; golden outputs are renewed with BUMMERL_GOLDEN=renew."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bummerl.kernels import cache
from bummerl_cli.main import cli
from bummerl_cli.output import CLOSING, SOLVING
from tests.malformed import GOOD, MALFORMED

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"
CLOSE = "trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2"
COUNTERFORCE = "trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@28"
DEAL = "trump=CJ me=SJ,HJ,DK,CTK opp=SA,HAT,DAJ talon=HQ,ST,CQ,SQ,DT,HK,DQ,SK,CA,CJ"


def invoke(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(cli, list(arguments), input=given)


@pytest.fixture(scope="module", autouse=True)
def _kernels_are_there():
    """Otherwise the first command of each kind would say that it prepares them."""
    for unit in {*SOLVING, *CLOSING}:
        cache.load(unit)


CASES = {
    "solve-endgame": ["solve", *"trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20".split()],
    "solve-closed": ["solve", *COUNTERFORCE.split()],
    "solve-deal": ["solve", *DEAL.split()],
    "solve-reply": ["solve", *"trump=H me=SA,HTKJ opp=HAQ,CA led=CQ points=45:40".split()],
    "solve-opponent-on-turn": ["solve", *"trump=C me=SA,HQ,DA,CA opp=HAT,DK,CQ turn=opp points=31:45".split()],
    "solve-only-move": ["solve", *"trump=H me=SA led=CQ points=60:46".split()],
    "solve-pending": ["solve", *"trump=SQ me=HAKQ,DA,CA opp=SAT,HT,DT,CT talon=SK,SJ,HJ,DK,DQ,DJ,CK,CQ,CJ,SQ".split()],
    "solve-json": ["solve", *COUNTERFORCE.split(), "--format", "json"],
    "solve-value": ["solve", "--value-only", f"id=a {GOOD}", f"id=b {COUNTERFORCE}"],
    "solve-errors": ["solve", "--value-only", f"id=a {GOOD}", "trump=C me=SA", f"id=b {COUNTERFORCE}"],
    "close": ["close", *CLOSE.split()],
    "close-json": ["close", *CLOSE.split(), "--format", "json"],
    "close-exchange": ["close", *"trump=DA me=SAT,HT,DTJ".split()],
    "close-hopeless": ["close", *"trump=DA me=SJ,HJ,DK,CQJ".split()],
    "close-laid-open": ["close", *"trump=ST me=SAKQ,DTK".split()],
    "close-as-opponent": ["close", *"trump=CQ me=SAKJ,HK unseen=STQ,HQ,DT led=CT points=15:45 closed=opp@15".split()],
    "deal": ["deal", "-n", "3", "--seed", "5"],
    "deal-hidden-json": ["deal", "-n", "2", "--seed", "5", "--tricks", "4", "--hidden", "--format", "json"],
    "deal-csv": ["deal", "-n", "2", "--rules", "sharp", "--format", "csv", "--tricks", "6", "--mid-trick"],
    "suite": ["bench", "suite", str(ROOT / "data/suites/published.jsonl")],
    "help": ["--help"],
    "help-solve": ["solve", "--help"],
    "help-close": ["close", "--help"],
    "help-advise": ["advise", "--help"],
    "advise": ["advise", *"trump=SJ me=ST,HAT,DKJ unseen=SAQ,HQJ,CK led=CA points=15:32 talon=2".split()],
    "advise-sample": [
        "advise",
        *"trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK,STQ talon=4 points=15:11".split(),
        "--max-worlds",
        "200",
    ],
    "advise-plan": ["advise", *"trump=CQ me=SAKJ,HK unseen=STQ,HQ,DT led=CT points=15:45 closed=opp@15".split()],
    "advise-json": [
        "advise",
        *"trump=SJ me=STQ,HAKJ unseen=SAK,HTQ,DA led=DQ points=15:31 talon=2".split(),
        "--format",
        "json",
    ],
    "help-deal": ["deal", "--help"],
    "help-batch": ["batch", "--help"],
    "help-bench-suite": ["bench", "suite", "--help"],
    "help-bench-speed": ["bench", "speed", "--help"],
    "help-bench-signature": ["bench", "signature", "--help"],
    "help-match": ["match", "--help"],
    "match-chance": ["match", "chance", "score=3:5", "dealer=me"],
    "match-table": ["match", "table"],
    "match-tally": ["match", "tally", str(ROOT / "data" / "matches.txt")],
    "help-plot": ["plot", "--help"],
    "help-bid": ["bid", "--help"],
    "table-solve": [
        "solve",
        "game=bauernschnapsen",
        "contract=schnapser",
        "declarer=p1",
        "trump=H",
        "p1=HAT,SA,DKJ",
        "p2=HKQ,SQ,DAT",
        "p3=HJ,STK,CTK",
        "p4=SJ,DQ,CAQJ",
    ],
    "table-race": [
        "solve",
        "game=bauernschnapsen",
        "contract=rufer",
        "trump=C",
        "kontra=2",
        "p1=HTJ,DT,CJ",
        "p2=DAK,CT",
        "p3=SAKJ,DJ",
        "p4=HAKQ,DQ",
        "turn=p3",
        "trick=ST",
        "points=0:21",
        "tricks=0:1",
    ],
    "bid": ["bid", "game=bauernschnapsen", "me=HAKQ,CA,SA", "seat=p2", "trump=H", "score=3:9", "--max-layouts", "3000"],
    "bid-trump": ["bid", "game=bauernschnapsen", "me=HAT,SJ", "seat=p1"],
    "help-convert": ["convert", "--help"],
    "help-cache": ["cache", "--help"],
}


@pytest.mark.parametrize("name", CASES)
def test_golden(name):
    result = invoke(*CASES[name])
    assert not isinstance(result.exception, Exception), result.exception
    text = "\n".join(line.rstrip() for line in result.output.splitlines()) + f"\nexit status {result.exit_code}\n"
    text = re.sub(r"^[\d,.]+ ms; each .*$", "(times)", text, flags=re.MULTILINE)
    # Said by whichever test comes first.
    text = re.sub(r"^bummerl: preparing .*\n", "", text, flags=re.MULTILINE)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("BUMMERL_GOLDEN") == "renew":
        path.write_text(text)
    assert text == path.read_text()


def test_golden_text_fits_a_terminal():
    for path in GOLDEN.glob("*.txt"):
        if not any(part in path.name for part in ("json", "deal", "csv", "errors", "suite")):
            assert max(len(line) for line in path.read_text().splitlines()) <= 100, path.name


def test_the_verdict_comes_first():
    for name in ("solve-endgame", "close"):
        lines = [line for line in (GOLDEN / f"{name}.txt").read_text().splitlines() if line.strip()]
        assert "You" in lines[0] or "Close" in lines[0]


def test_malformed_records_give_one_line_each_and_the_others_are_solved():
    lines = []
    for text, _, _ in MALFORMED.values():
        lines += [text, GOOD]
    result = CliRunner().invoke(cli, ["solve", "--value-only"], input="\n".join(lines))
    assert result.exit_code == 1
    errors = result.stderr.splitlines()
    assert len(errors) == len(MALFORMED) + 1
    assert result.stdout.splitlines() == [f"{2 * i + 2}  +1" for i in range(len(MALFORMED))]
    for i, ((_, key, _), line) in enumerate(zip(MALFORMED.values(), errors, strict=False)):
        assert line.startswith(f"bummerl: record {2 * i + 1}: {key}: ")
    assert errors[-1] == f"bummerl: {len(MALFORMED)} of {len(lines)} records were bad"


def test_json_errors_are_rows_in_place():
    result = CliRunner().invoke(
        cli, ["solve", "--value-only", "--format", "json"], input=f"{GOOD}\ntrump=C me=SA\n{GOOD}\n"
    )
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row.get("value") for row in rows] == [1, None, 1]
    assert rows[1]["error_key"] == "opp"
    assert rows[1]["error_line"] == 2
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [["solve", "--fast"], ["sovle"], ["deal", "--rules", "hard"], ["deal", "--tricks", "10"], ["batch", "a"], ["close", "--format", "xml"],
     ["bench", "suite"], ["batch", "a.txt", "b.jsonl", "--do", "close", "--value-only"], ["completion", "cmd"]],
)  # fmt: skip
def test_wrong_usage_has_status_2(arguments):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "arguments", [["solve", "-i", "no-such-file"], ["batch", "no-such-file", "out.jsonl"], ["solve", "-i", str(ROOT)]]
)
def test_files_that_are_not_there(arguments):
    result = invoke(*arguments)
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)


def test_a_bad_file_does_not_stop_the_next_one(tmp_path):
    (tmp_path / "good.txt").write_text(GOOD + "\n")
    result = CliRunner().invoke(cli, ["solve", "--value-only", "-i", "no-such-file", "-i", str(tmp_path / "good.txt")])
    assert result.exit_code == 1
    assert result.stdout == "1  +1\n"
    assert "no-such-file: No such file" in result.stderr


def test_a_record_from_a_file_and_from_standard_input_agree(tmp_path):
    (tmp_path / "a.csv").write_text('trump,me,opp,points\nC,"STJ,DQ,CAQ","SAQ,DAK,CJ",40:20\n')
    (tmp_path / "a.jsonl").write_text('{"trump": "C", "me": "STJ,DQ,CAQ", "opp": "SAQ,DAK,CJ", "points": "40:20"}\n')
    outputs = {
        invoke("solve", *GOOD.split()).output,
        invoke("solve", GOOD).output,
    }
    named = {
        invoke("solve", given=GOOD).output,
        invoke("solve", "-i", "-", given=(tmp_path / "a.jsonl").read_text()).output,
        invoke("solve", "-i", str(tmp_path / "a.jsonl")).output,
    }
    assert len(outputs) == len(named) == 1
    assert invoke("solve", "trump=C", "me=STJ, DQ CAQ", "opp=SAQ,DAK,CJ", "points=40:20").output == outputs.pop()
    assert "2  +1" in invoke("solve", "--value-only", "-i", str(tmp_path / "a.csv")).output


def test_a_file_is_no_more_than_its_records(tmp_path):
    """What a tester found once: names that collide, doubled keys, encodings, damaged lines."""
    (tmp_path / "r.jsonl.part").write_text(GOOD + "\n")
    assert invoke("batch", str(tmp_path / "r.jsonl.part"), str(tmp_path / "r.jsonl")).exit_code == 0
    assert (tmp_path / "r.jsonl.part").read_text() == GOOD + "\n"
    assert invoke("batch", "-", str(tmp_path / "s.jsonl"), given=GOOD).exit_code == 0
    assert json.loads((tmp_path / "s.jsonl").read_text())["value"] == 1
    assert invoke("batch", str(tmp_path / "r.jsonl"), str(tmp_path / "s.txt")).exit_code == 2
    bad = (
        b'trump,me,opp,points\nC,"STJ,DQ,CAQ","SAQ,DAK,CJ",40:20\nC,\xff,SA,1:1\n'
        + 2 * b'C,"STJ,DQ,CAQ","SAQ,DAK,CJ",40:20\n'
    )
    (tmp_path / "latin.csv").write_bytes(bad)
    result = CliRunner().invoke(cli, ["solve", "--value-only", "-i", str(tmp_path / "latin.csv")])
    assert result.stdout.splitlines() == ["2  +1", "4  +1", "5  +1"]
    assert "record 3: record: the line is not UTF-8" in result.stderr
    for name, content, word in (
        ("header.csv", b"trump,me,\xff\nC,SA,1\n", "UTF-8"),
        ("semicolon.csv", b"trump;me;opp\n", "commas"),
        ("mac.csv", b"trump,me,opp\rC,SA,ST\r", "CSV"),
        ("doubled.csv", b"trump,me,Trump\n", "twice"),
    ):
        (tmp_path / name).write_bytes(content)
        result = invoke("solve", "-i", str(tmp_path / name))
        assert result.exit_code == 1, name
        assert word in result.output, name


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e400", "1" * 400, "1" * 6000, '"\\ud800"', "[true]", "{}"])
def test_json_oddities_are_errors_or_answers(value):
    fields = json.dumps(dict(token.split("=", 1) for token in GOOD.split()))
    for key in ("id", "points", "trump"):
        line = fields[:-1].replace(f'"{key}":', '"note":') + f', "{key}": {value}}}'
        for style in ("json", "text"):
            result = invoke("solve", "--value-only", "--format", style, given=f"{line}\n{fields}\n")
            assert isinstance(result.exception, SystemExit | None), result.exception
            assert "1" in result.output.splitlines()[-1 if style == "text" else 1] or result.exit_code == 1


def test_a_terminal_without_suits_gets_letters():
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'solver'}{os.pathsep}{ROOT / 'cli'}", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "bummerl_cli", "solve", *GOOD.split()]
    out = subprocess.run(command, env=env, capture_output=True, check=True).stdout.decode("ascii")
    assert "play S10 or SJ" in out


def test_empty_input_is_said():
    result = CliRunner().invoke(cli, ["solve"], input="")
    assert result.exit_code == 0
    assert "no records" in result.stderr


def test_a_failing_suite_has_status_1(tmp_path):
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps({"id": "w", **dict(t.split("=", 1) for t in GOOD.split()), "value": 2}) + "\n")
    result = invoke("bench", "suite", str(path))
    assert result.exit_code == 1
    assert "w: value: expected 2, found 1" in result.output


def test_colours_obey_no_color(tmp_path):
    code = "from bummerl_cli.main import cli; cli()"
    outputs = {}
    for name, changes in {"colour": {"FORCE_COLOR": "1"}, "plain": {"NO_COLOR": "1"}}.items():
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        env |= {"PYTHONPATH": f"{ROOT / 'solver'}{os.pathsep}{ROOT / 'cli'}", "TERM": "xterm", **changes}
        command = [sys.executable, "-c", code, "solve", *GOOD.split()]
        outputs[name] = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    assert "\x1b[" in outputs["colour"]
    assert "\x1b[" not in outputs["plain"]


def _heed_ctrl_c() -> None:
    # Where the tests run in the background, Ctrl-C is ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_a_batch_with_one_line(tmp_path):
    (tmp_path / "many.txt").write_text((DEAL + "\n") * 200_000)
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'solver'}{os.pathsep}{ROOT / 'cli'}"}
    invoke("solve", "--value-only", GOOD)  # the kernels are compiled by then
    command = [sys.executable, "-m", "bummerl_cli", "batch", "many.txt", "out.jsonl", "--workers", "2"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_ctrl_c,
    )
    until = time.monotonic() + 120
    while not list(tmp_path.glob("*.parts/0*")) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    # An exception lost in a finaliser is reported above our line; it must not be the end of the matter.
    assert err.endswith("\nbummerl: stopped\n")
    assert "what is done is kept, --resume goes on" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["many.txt", "out.jsonl.parts"]


SWALLOWED = """
import signal, sys
from bummerl_cli import interrupt
from bummerl_cli.main import main

class Finaliser:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

check = interrupt.check
def press_then_check():
    interrupt.check = check
    Finaliser()
    check()
interrupt.check = press_then_check
sys.argv = ["bummerl", "batch", "many.txt", "out.jsonl", "--value-only"]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_in_a_finaliser_is_not_lost(tmp_path):
    (tmp_path / "many.txt").write_text((DEAL + "\n") * 100)
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'solver'}{os.pathsep}{ROOT / 'cli'}"}
    command = [sys.executable, "-c", SWALLOWED]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, preexec_fn=_heed_ctrl_c
    )
    assert "Exception ignored in" in done.stderr  # Python lost it
    assert done.returncode == 130
    assert done.stderr.endswith("bummerl: stopped\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["many.txt", "out.jsonl.parts"]


INTERRUPTED = """
import os, signal, sys, time
from bummerl.planning import PlanSearch
from bummerl_cli.main import main

def endless(self):
    os.kill(os.getpid(), signal.SIGINT)
    while not self.workspace.stopped:
        time.sleep(0.01)
PlanSearch.run = endless
sys.argv = ["bummerl", "close", *sys.argv[1:]]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_in_a_close_prints_what_is_certain():
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'solver'}{os.pathsep}{ROOT / 'cli'}"}
    command = [sys.executable, "-c", INTERRUPTED, *CLOSE.split(), "--format", "json"]
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, check=False, timeout=120, preexec_fn=_heed_ctrl_c
    )
    assert done.returncode == 130
    plan = json.loads(done.stdout)["plan"]
    # Without any search the plan written down beats five hands, and no plan can beat more.
    assert (plan["won"], plan["upper"]) == (5, 5)
    assert done.stderr.endswith("bummerl: stopped\n")


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "soon"])
def test_seconds_that_make_no_sense(seconds):
    result = invoke("close", *CLOSE.split(), "--seconds", seconds)
    assert result.exit_code == 2
    assert "--seconds" in result.output


def test_a_close_out_of_time_says_so(tmp_path):
    text = invoke("close", *CLOSE.split(), "--seconds", "0").output
    exact = invoke("close", *CLOSE.split(), "--seconds", "100000").output
    assert "plan: exact" in exact
    assert "plan: exact" in text or "at least" in text  # a fast machine may be done
    (tmp_path / "in.txt").write_text(CLOSE + "\nnonsense\n" + CLOSE + "\n")
    for name in ("out.jsonl", "out.csv"):
        arguments = ["batch", str(tmp_path / "in.txt"), str(tmp_path / name), "--do", "close", "--seconds", "60"]
        assert invoke(*arguments).exit_code == 1
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row.get("plan", {}).get("won") for row in rows] == [5, None, 5]
    assert "tree" not in rows[0]["plan"]
    assert "plan.won" in (tmp_path / "out.csv").read_text().splitlines()[0].split(",")
    assert invoke("batch", str(tmp_path / "in.txt"), "x.jsonl", "--seconds", "1").exit_code == 2


def test_the_whole_plan_is_longer():
    full, short = (invoke("close", "trump=DJ", "me=SAT,HT,DA,CA", *more).output for more in (["--full"], []))
    assert "--full" in short
    assert "--full" not in full
    assert len(full.splitlines()) > 1000


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_closed_pipe_is_no_error():
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'solver'}{os.pathsep}{ROOT / 'cli'}"}
    command = [sys.executable, "-m", "bummerl_cli", "deal", "-n", "20000"]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    process.wait(timeout=60)
    with process.stderr:
        assert process.stderr.read() == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell):
    result = invoke("completion", shell)
    assert result.exit_code == 0
    assert "_BUMMERL_COMPLETE" in result.output
