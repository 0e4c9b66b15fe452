"""Positions as arrays: the same rows and values as from positions, and every bad row refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bummerl import Rules, random_positions, solve_many
from bummerl.arrays import ROW_LENGTH, RowError, check_rows, make_rows, position_rows, random_rows
from bummerl.cards import DECK, cards_in, hand_of, hand_points, parse_hand
from bummerl.kernels import workspace as layout

PHASES = [(tricks, mid) for tricks in (0, 1, 3, 4, 5, 7, 9) for mid in (False, True)]


def from_arrays(positions):
    """Make rows of positions with equal talons, by way of plain arrays."""
    return make_rows(
        me=[p.me for p in positions],
        opp=[p.opp for p in positions],
        trump=[p.trump for p in positions],
        talon=np.array([p.talon if p.talon_left else () for p in positions]).reshape(len(positions), -1),
        turn=[p.turn for p in positions],
        led=[-1 if p.led is None else p.led for p in positions],
        points=[p.points for p in positions],
        taken=[(p.has_trick(0), p.has_trick(1)) for p in positions],
        pending=[p.pending for p in positions],
        closed_by=[p.closed.by if p.closed else -1 for p in positions],
        closed_points=[p.closed.points if p.closed else 0 for p in positions],
    )


@pytest.mark.parametrize(("tricks", "mid"), PHASES)
def test_rows_from_arrays_are_the_rows_of_positions(tricks, mid):
    positions = random_positions(60, seed=tricks, tricks=tricks, mid_trick=mid)
    for left in sorted({p.talon_left for p in positions}):
        group = [p for p in positions if p.talon_left == left]
        rows = from_arrays(group)
        assert rows.tolist() == position_rows(group).tolist()
        if tricks > 2:
            assert solve_many(rows)[0].tolist() == solve_many(group)[0].tolist()


def test_rules_hold_for_all_rows():
    sharp = Rules.parse("sharp")
    positions = random_positions(60, seed=8, tricks=1, rules=sharp)
    rows = position_rows(positions)
    assert solve_many(rows, rules=sharp)[0].tolist() == solve_many(positions)[0].tolist()
    assert solve_many(rows)[0].tolist() != solve_many(positions)[0].tolist()
    with pytest.raises(TypeError, match="rules go with rows"):
        solve_many(positions, rules=sharp)


def test_rows_in_threads_give_the_same_values():
    rows = position_rows(random_positions(400, seed=9, tricks=3))
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(solve_many, np.array_split(rows, 8)))
    assert np.concatenate([values for values, _ in parts]).tolist() == solve_many(rows)[0].tolist()
    assert np.concatenate([nodes for _, nodes in parts]).tolist() == solve_many(rows)[1].tolist()


OPEN = position_rows(random_positions(1, seed=3))[0]
ENDGAME = position_rows(p for p in random_positions(20, seed=3, tricks=5) if p.me.bit_count() > 3 and not p.closed)[0]
REPLY = position_rows(random_positions(1, seed=3, tricks=5, mid_trick=True))[0]


def change(row, **places):
    row = row.copy()
    for name, value in places.items():
        at, _, shift = (name, "", "") if hasattr(layout, name) else name.partition("_")
        row[getattr(layout, at) + int(shift or 0)] = value
    return row


FREE = [1 << index for index in cards_in(DECK) if not (ENDGAME[0] | ENDGAME[1]) >> index & 1]
TRUMP = next(card for card in FREE if card < 64)
PLAIN = next(card for card in FREE if card > 64)
SMALLER = [ENDGAME[0] & (ENDGAME[0] - 1), ENDGAME[1] & (ENDGAME[1] - 1)]

BAD = {
    "not in the pack": change(ENDGAME, HAND=ENDGAME[0] & (ENDGAME[0] - 1) | 1),
    "stands twice": change(ENDGAME, HAND=ENDGAME[1]),
    "turn is neither": change(ENDGAME, TURN=2),
    "not one card": change(REPLY, LED=hand_of([1, 7])),
    "holds no card": change(ENDGAME, HAND=0, HAND_1=0),
    "do not fit each other": change(ENDGAME, HAND=SMALLER[0]),
    "needed are not": change(ENDGAME, NEED=0),
    "taken is neither": change(ENDGAME, TAKEN=2),
    "without a trick has more": change(ENDGAME, TAKEN=0, NEED=50),
    "trump is not a suit": change(ENDGAME, TRUMP_SUIT=4),
    "somebody unknown": change(ENDGAME, CLOSER=2),
    "stakes of the close": change(ENDGAME, CLOSER=1, BASE=0, FAIL=2),
    "odd number": change(OPEN, LEFT=9),
    "so it has none": change(OPEN, CLOSER=0, BASE=1, FAIL=2),
    "hands of five": change(ENDGAME, HAND=SMALLER[0], HAND_1=SMALLER[1], LEFT=2, CARDS_10=PLAIN, CARDS_11=TRUMP),
    "that many different": change(OPEN, CARDS_3=OPEN[layout.CARDS + 4]),
    "many different ones": change(OPEN, CARDS_3=OPEN[layout.CARDS + 3] | OPEN[layout.CARDS + 4], CARDS_4=0),
    "not a trump": change(OPEN, CARDS_11=OPEN[layout.CARDS + 4], CARDS_4=OPEN[layout.CARDS_END - 1]),
    "exchanged is set": change(ENDGAME, EXCHANGED=1),
}


@pytest.mark.parametrize("problem", BAD)
def test_bad_rows_are_refused(problem):
    rows = np.array([ENDGAME, BAD[problem]])
    with pytest.raises(RowError, match=f"row 1: .*{problem}"):
        check_rows(rows)
    with pytest.raises(RowError, match="row 1"):
        solve_many(rows)


def test_bad_shapes_are_refused():
    with pytest.raises(RowError, match="shape"):
        solve_many(np.zeros((3, ROW_LENGTH - 1), dtype=np.int64))
    with pytest.raises(RowError, match="int32"):
        solve_many(np.zeros((3, ROW_LENGTH), dtype=np.int32))
    with pytest.raises(RowError, match="not a list"):
        check_rows([[0] * ROW_LENGTH])
    assert solve_many(np.zeros((0, ROW_LENGTH), dtype=np.int64))[0].tolist() == []


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"trump": 4}, "trump has 4 to 4, but 0 to 3"),
        ({"talon": [[1, 2], [3, 4]]}, "talon has the shape"),
        ({"talon": [[1, 99]]}, "talon has 1 to 99"),
        ({"points": (70, 0)}, "points has 0 to 70"),
        ({"points": (30, 20), "pending": (20, 0)}, "without a trick"),
        ({"closed_points": -5}, "closed_points has -5"),
        ({"led": 24}, "led has 24"),
        ({"turn": [0, 1]}, r"turn has the shape \(2,\), not \(1,\)"),
        ({"points": [1.5, 2]}, "points holds float64"),
        ({"me": [1 << 70]}, "me holds object"),
        ({"me": [[1]]}, "me has the shape"),
    ],
)
def test_arguments_that_cannot_be_are_named(arguments, problem):
    good = {"me": [parse_hand("SA")], "opp": [parse_hand("HA")], "trump": 0}
    make_rows(**good)
    with pytest.raises(ValueError, match=problem):
        make_rows(**{**good, **arguments})


def test_rows_that_cannot_be_written_are_rows():
    rows = position_rows(random_positions(3, seed=3, tricks=6))
    wanted = solve_many(rows)[0].tolist()
    rows.flags.writeable = False
    assert solve_many(rows)[0].tolist() == wanted
    assert solve_many(np.asfortranarray(rows))[0].tolist() == wanted
    with pytest.raises(TypeError, match="Rules, not str"):
        solve_many(rows, rules="sharp")


@pytest.mark.parametrize("tricks", range(6))
def test_random_rows_are_positions_of_play(tricks):
    rows = random_rows(500, seed=5, tricks=tricks)
    assert rows.tolist() == random_rows(500, seed=5, tricks=tricks).tolist()
    assert (rows[:, layout.LEFT] == 10 - 2 * tricks).all()
    assert set(rows[:, layout.TURN]) == {0, 1}
    assert set(rows[:, layout.TRUMP_SUIT]) == {0, 1, 2, 3}
    # Every card is in a hand, in the talon, or was played and counted.
    talon = rows[:, layout.CARDS : layout.CARDS_END].sum(axis=1)
    gone = DECK & ~(rows[:, 0] | rows[:, 1] | talon)
    assert (np.bitwise_count(gone) == 2 * tricks).all()
    worth = np.array([hand_points(int(hand)) for hand in gone])
    assert (132 - rows[:, layout.NEED : layout.NEED + 2].sum(axis=1) == worth).all()
    if tricks == 1:
        # The winner of the trick leads, so the other has no points.
        assert (rows[np.arange(500), layout.NEED + 1 - rows[:, layout.TURN]] == 66).all()


def test_no_random_rows():
    assert random_rows(0, seed=1).shape == (0, ROW_LENGTH)
    with pytest.raises(ValueError, match="0 to 5 tricks"):
        random_rows(3, seed=1, tricks=6)
    with pytest.raises(ValueError, match="no -1 rows"):
        random_rows(-1, seed=1)
