"""Matches: the examples of the rule sources, recorded matches, chances against simulation, and texts."""

import csv
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from bummerl.errors import RecordError
from bummerl.match import DEAL_OUTCOMES, TABLE_OUTCOMES, match_chance
from bummerl.scoring import Match, read_tally
from bummerl_cli.main import cli

DATA = Path(__file__).parent.parent / "data"
FACTS = [
    row for row in map(json.loads, (DATA / "rule-examples.jsonl").read_text().splitlines()) if row["kind"] == "match"
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact["id"])
def test_examples_of_the_sources(fact):
    match = Match(tuple(fact["parties"]), fact["start"], count=fact.get("count", "down"))
    for points, winners in fact["deals"]:
        assert match.bummerl is None
        match = match.deal(points, *winners)
    assert match.shown == fact["expect"]["shown"]
    assert match.bummerl == fact["expect"]["result"]


def test_there_are_examples():
    assert len(FACTS) >= 8


def test_options_of_three():
    match = Match(("A", "B", "C"), 7).deal(7, "A").bummerl
    assert match == {"B": 2, "C": 2}
    both = Match(("A", "B", "C"), 7, bummerl3="worst_only").deal(3, "B").deal(7, "A")
    assert both.bummerl == {"C": 2}
    assert Match(("A", "B"), 7, schneider=1).deal(7, "A").bummerl == {"B": 1}
    with pytest.raises(ValueError, match="the match is over"):
        both.deal(1, "A")


BAD = {
    "2 Anna": (1, "game: is missing"),
    "game=schnapsen parties=Anna": (1, "schnapsen has 2"),
    "game=mitschreiben parties=Anna,Ben,Anna": (1, "mitschreiben has 3"),
    "game=tarock parties=A,B": (1, "'tarock' is not played in matches"),
    "gmae=schnapsen": (1, "did you mean game?"),
    "parties=A,B count=sideways": (1, "'sideways' is not down or up"),
    "parties=A,B\n2 C": (2, "there is no C; players are A, B"),
    "parties=A,B\nA 2": (2, "does not begin with game points"),
    "parties=A,B\n2": (2, "nobody scores"),
    "parties=A,B\n7 A\n\n1 B": (4, "the match is over"),
}


@pytest.mark.parametrize("text", BAD)
def test_bad_matches(text):
    line, words = BAD[text]
    with pytest.raises(RecordError) as error:
        read_tally(text.splitlines())
    assert error.value.line == line
    assert words in str(error.value)


def simulated(outcomes, mine, theirs, forehand, rng):
    """Play a match by throwing each deal."""
    values, shares = list(outcomes), list(outcomes.values())
    while mine > 0 and theirs > 0:
        (value,) = rng.choices(values, shares)
        value = value if forehand else -value
        mine, theirs, forehand = mine - max(value, 0), theirs + min(value, 0), not forehand
    return mine <= 0


@pytest.mark.parametrize(("outcomes", "score"), [(DEAL_OUTCOMES, (3, 5)), (TABLE_OUTCOMES, (20, 24))])
@pytest.mark.parametrize("forehand", [True, False])
def test_chances_agree_with_simulation(outcomes, score, forehand):
    rng = random.Random(5)
    won = sum(simulated(outcomes, *score, forehand, rng) for _ in range(100_000)) / 100_000
    assert abs(won - match_chance(*score, forehand, outcomes)) < 4 * 0.5 / 100_000**0.5


def run(*arguments):
    return CliRunner().invoke(cli, ["match", *arguments])


def test_tally_text():
    text = run("tally", str(DATA / "matches.txt")).stdout
    assert "Bummerl in all: Ben 3, Anna 2, Cora 1, West 1" in text
    rows = [
        json.loads(line) for line in run("tally", str(DATA / "matches.txt"), "--format", "json").stdout.splitlines()
    ]
    assert [row["bummerl"] for row in rows] == [
        {"Ben": 1},
        {"Anna": 1, "Cora": 1},
        {"West": 1},
        {"Anna": 1},
        {"Ben": 2},
    ]


def test_tally_errors(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("parties=A,B\n2 C\n")
    result = run("tally", str(path))
    assert result.exit_code == 1
    assert result.stderr == "bummerl: line 2: deal: there is no C; players are A, B\n"
    assert run("tally", str(tmp_path / "none.txt")).exit_code == 1


def test_chance_text():
    result = run("chance", "score=3:5", "dealer=me", "--format", "json")
    row = json.loads(result.stdout)
    assert row["chance"] == match_chance(3, 5, forehand=False)
    assert row["after"]["3"] == 1
    assert row["after"]["-2"] == match_chance(3, 3, forehand=True)
    assert "69.0 % to win the match" in run("chance", "score=3:5", "dealer=me").stdout
    own = json.loads(run("chance", "score=1:1", "dealer=opp", "--outcomes", "1:3,-2:1", "--format", "json").stdout)
    assert own["chance"] == 0.75
    assert set(own["after"]) == {"-2", "-1", "1", "2"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["score=0:5"],
        ["score=8:1"],
        ["score=x"],
        ["dealer=him"],
        ["points=3"],
        ["--outcomes", "0:1"],
        ["--outcomes", "x"],
    ],
)
def test_wrong_usage(arguments):
    assert run("chance", *arguments).exit_code == 2


def test_tables(tmp_path):
    rows = list(csv.reader(run("table", "--format", "csv").stdout.splitlines()))
    assert len(rows) == 8
    assert float(rows[3][5]) == pytest.approx(match_chance(3, 5), abs=1e-6)
    assert len(list(csv.reader(run("table", "--format", "csv", "--game", "bauernschnapsen").stdout.splitlines()))) == 25
    assert "50.0" in run("table").stdout
    assert run("table", "-o", str(tmp_path / "chances.png")).exit_code == 0
    assert (tmp_path / "chances.png").read_bytes().startswith(b"\x89PNG")
    assert run("table", "-o", str(tmp_path / "chances.txt")).exit_code == 2
