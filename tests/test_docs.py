"""What the documents promise is run: README, help texts, and the rules about imports."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bummerl.records import KEYS
from bummerl.rules import PRESETS, Rules
from bummerl_cli.main import COMMANDS, cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CLOSING = (ROOT / "data" / "closing.md").read_text()
PATHS = {"PYTHONPATH": os.pathsep.join([str(ROOT / "solver"), str(ROOT / "cli")])}


def run(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Run a command line as a user would, in a folder of its own."""
    redirect = arguments[arguments.index(">") + 1] if ">" in arguments else None
    words = arguments[: arguments.index(">")] if redirect else arguments
    assert words[0] == "bummerl"
    found = subprocess.run(
        [sys.executable, "-m", "bummerl_cli", *words[1:]],
        cwd=folder, env={**os.environ, **PATHS}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if redirect:
        (folder / redirect).write_text(found.stdout)
    return found.returncode, found.stdout


def test_readme_python_runs():
    test = doctest.DocTestParser().get_doctest(README, {}, "README", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_readme_commands_give_what_it_shows(tmp_path):
    blocks = re.findall(r"```console\n(.*?)```", README + CLOSING, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            status, out = run(shlex.split(command), tmp_path)
            assert status == 0, command
            shown_lines = [line.rstrip() for line in shown.rstrip().splitlines()]
            assert [line.rstrip() for line in out.splitlines()][: len(shown_lines)] == shown_lines, command


def test_help_examples_run(tmp_path):
    """Every example of every command, run in order in one folder."""
    for name in ("problems.jsonl", "positions.jsonl"):
        (tmp_path / name).write_text(
            '{"trump": "DJ", "me": "SAT,HT,DA,CA", "opp": "SKQJ,HAK", "talon": "HQ,HJ,DT,DK,DQ,CT,CK,CQ,CJ,DJ"}\n'
        )
    for name in ("data", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    ran = 0
    for path in [
        [],
        *([name] for name in ("deal", "solve", "close", "advise", "bid", "batch", "plot", "convert")),
        ["match"],
        *(["match", name] for name in ("chance", "table", "tally")),
        ["bench"],
        ["bench", "suite"],
        ["cache"],
    ]:
        text = CliRunner().invoke(cli, [*path, "--help"]).output
        for line in re.findall(r"^ +(bummerl (?!completion).*)$", text, re.MULTILINE):
            # These take long, or would take away what the other tests have compiled.
            if "speed" in line or "cache clear" in line:
                continue
            pipe = line.split(" | ")
            words = [word for part in shlex.split(pipe[0]) for word in (expand(part, tmp_path))]
            status, out = run(words, tmp_path)
            assert status == 0, line
            if len(pipe) > 1:
                (tmp_path / "piped.txt").write_text(out)
                status, _ = run([*shlex.split(pipe[1]), "-i", "piped.txt"], tmp_path)
                assert status in (0, 1), line
            ran += 1
    assert ran >= 12


def test_notebook_runs(tmp_path, monkeypatch, capsys):
    """The cells of the notebook, one after the other."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    cells = re.findall(r"```python\n(.*?)```", (ROOT / "data" / "notebook.md").read_text(), re.DOTALL)
    for cell in cells:
        exec(cell, names)
    assert names["report"].summary.value.count == 10_000
    assert names["faces"]["deals"].sum() == 10_000
    assert (tmp_path / "values.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "effort.png").exists()
    assert "10000 deals, 0 errors" in capsys.readouterr().out


def expand(word: str, folder: Path) -> list[str]:
    return [str(p) for p in sorted(folder.glob(word))] if "*" in word else [word]


def test_every_command_is_documented():
    for name in COMMANDS:
        assert f"`bummerl {name}" in README
        help_text = CliRunner().invoke(cli, [name, "--help"])
        assert help_text.exit_code == 0
        assert "Example" in help_text.output


def test_every_rule_option_and_key_is_documented():
    for option in Rules.__slots__:
        if option == "game":
            continue  # a key of its own
        row = next(line for line in README.splitlines() if line.startswith(f"| `{option}`"))
        cells = [cell.strip() for cell in row.strip("|").split("|")][2:]
        for name, cell in zip(("rulebook", "soft", "sharp"), cells, strict=True):
            value = getattr(PRESETS[name], option)
            assert cell == (("yes" if value else "no") if isinstance(value, bool) else str(value))
    reference = (ROOT / "data" / "README.md").read_text()
    for key in KEYS:
        assert f"`{key}`" in reference


@pytest.mark.parametrize(
    "arguments", [["--help"], ["solve", "--help"], ["deal"], ["--version"], ["completion", "bash"]]
)
def test_what_solves_nothing_does_not_import_numba(arguments):
    code = (
        "import sys\nsys.argv = ['bummerl', *sys.argv[1:]]\n"
        "from bummerl_cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", code, *arguments], env={**os.environ, **PATHS}, check=True, capture_output=True
    )


def test_importing_the_library_does_not_import_numba():
    code = "import sys, bummerl; bummerl.Position, bummerl.solve; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **PATHS}, check=True)


def test_documents_name_files_that_exist():
    for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "data/README.md", "benchmarks/README.md"):
        path = ROOT / name
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
            assert (path.parent / target).exists(), f"{name}: {target}"


def test_the_table_of_closing_hands_says_what_the_suite_says():
    rows = re.findall(
        r"^\| .*\| (♠\S+) \| .* \| (\d+) of 2002 \| ([\d.]+) % \| (\d+) \| ([\d.]+) % \|$", CLOSING, re.MULTILINE
    )
    records = [json.loads(line) for line in (ROOT / "data/suites/closing-hands.jsonl").read_text().splitlines()]
    assert len(rows) == len(records) == 8
    for (card, plan, share, seen, seen_share), record in zip(rows, records, strict=True):
        assert card.replace("♠", "S").replace("10", "T") == record["trump"]
        assert (int(plan), int(seen)) == (record["plan.won"], record["open_cards.won"])
        for number, percent in ((plan, share), (seen, seen_share)):
            assert f"{100 * int(number) / 2002:.1f}" == percent
