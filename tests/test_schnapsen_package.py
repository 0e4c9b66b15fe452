"""Play against the bots of the package schnapsen: what is shown is right, and every move has its counterpart."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from benchmarks import schnapsen_package as adapter
from benchmarks.players import make_player, play_greedily, play_randomly

from bummerl import Move, Position
from bummerl.worlds import opponent_hands

WITHOUT = """
import runpy, sys
sys.modules["schnapsen"] = None
sys.argv = ["schnapsen_package", "greedy", "rdeep"]
runpy.run_module("benchmarks.schnapsen_package", run_name="__main__")
"""


@pytest.fixture
def theirs():
    return pytest.importorskip("schnapsen.game")


def test_without_the_package_one_line_says_what_to_install():
    root = Path(__file__).parents[1]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (root, root / "solver", root / "cli")))}
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "pip install --no-deps schnapsen" in done.stderr


class Watch:
    """Compare every position shown to our player with the truth, and our moves with theirs."""

    def __init__(self) -> None:
        self.seen = self.capped = self.marriages = self.exchanges = self.known = self.pending = 0

    def __call__(self, position: Position, perspective, leader_move) -> None:
        # The whole truth, which our player is not shown.
        state = perspective._PlayerPerspective__game_state
        other = state.follower if perspective.am_i_leader() else state.leader
        truth = adapter.our_cards(other.hand)
        if position.led is not None:
            assert truth >> position.led & 1
            truth &= ~(1 << position.led)
        assert truth in opponent_hands(position)
        assert position.opp & ~truth == 0
        if position.talon_left > 2:
            assert position.opp != truth or len(opponent_hands(position)) == 1
        self.seen += 1
        self.known += bool(position.opp and position.talon_left)
        self.pending += position.pending != (0, 0)
        waiting = leader_move is not None and leader_move.is_marriage()
        scores = (perspective.get_my_score(), perspective.get_opponent_score())
        if waiting or any(score.pending_points for score in scores):
            self.marriages += 1
        if max(position.points) == 65:
            self.capped += 1
        else:
            assert Position.parse(str(position)) == position

        trump, theirs = perspective.get_trump_suit(), perspective.valid_moves()
        ours = position.legal_moves()
        assert not any(move.close for move in ours)
        plain = [adapter.our_move(move, trump) for move in theirs if not move.is_trump_exchange()]
        assert sorted(map(str, plain)) == sorted(str(move) for move in ours if not move.exchange)
        exchange = [move for move in theirs if move.is_trump_exchange()]
        assert bool(exchange) == any(move.exchange for move in ours)
        if exchange:
            # What we can lead after it is what they can lead then.
            after = position.changed(
                me=position.me & ~(1 << adapter.our_card(exchange[0].jack)) | 1 << position.face_up,
                face_up=adapter.our_card(exchange[0].jack),
                talon=(*position.talon[:-1], adapter.our_card(exchange[0].jack)),
            )
            assert after.legal_moves() == [replace(move, exchange=False) for move in ours if move.exchange]
            self.exchanges += 1


def mixed(position: Position, rng: Random) -> Move:
    return (play_randomly if rng.random() < 0.5 else play_greedily)(position, rng)


def test_what_is_shown_leaves_the_truth_possible_and_moves_correspond(theirs):
    watch, engine = Watch(), theirs.SchnapsenGamePlayEngine()
    for k in range(150):
        bots = [adapter.OurBot(mixed, f"{k} {seat}", watch) for seat in (0, 1)]
        if k % 3 == 0:
            bots[k % 2] = adapter.make_bot("rand", Random(k))
        engine.play_game(*bots, Random(k))
    assert watch.seen > 1500
    assert min(watch.capped, watch.marriages, watch.exchanges, watch.known, watch.pending) > 3, vars(watch)


def test_greedy_beats_their_random_bot_and_a_seed_gives_the_same_games(theirs):
    pairs = [adapter.play_pair(("greedy", "rand"), k, 1, bummerls=False) for k in range(30)]
    assert sum(pair.deals for pair in pairs) == 60
    assert sum(pair.won for pair in pairs) > 40
    again = [adapter.play_pair(("greedy", "rand"), k, 1, bummerls=False) for k in range(30)]
    assert again == pairs
    assert adapter.row(("greedy", "rand"), pairs, bummerls=False).startswith("| greedy | rand | 60 deals |")
    one = adapter.play_pair(("greedy", "bully"), 0, 1, bummerls=True)
    assert one.deals >= 6
    assert 0 <= one.won <= 2


@pytest.mark.parametrize("bot", ["bully", "rdeep:1:1", "rdeep+alphabeta"])
def test_a_sampling_player_finishes_against_every_bot(theirs, bot):
    ours = adapter.OurBot(make_player("open:2"), "1")
    winner, points, _ = theirs.SchnapsenGamePlayEngine().play_game(ours, adapter.make_bot(bot, Random(1)), Random(2))
    assert points in (1, 2, 3)
    assert winner is not None


def test_names_of_bots(theirs):
    for name in ("", "best", "rdeep:", "rdeep:0:4", "rdeep:4", "rdeep+beta", "alphabeta", "alphabeta+rand", "rand:3"):
        with pytest.raises(ValueError, match="no bot is called"):
            adapter.make_bot(name, Random(1))
