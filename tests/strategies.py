"""Plans by brute force and by execution: every way of playing, every hand, every defence, by the oracle's rules.

Nothing here knows how the solver looks for plans. A *history* is what the planner has seen; the games of all
hands that agree with it are played side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bummerl.cards import cards_in
from bummerl.position import Position
from bummerl.worlds import opponent_hands
from tests import naive
from tests.conftest import to_state

Games = dict[int, naive.State | int]


def games_of(position: Position) -> Games:
    """One game for each hand the opponent can hold."""
    games: Games = {}
    for hand in opponent_hands(position):
        known = replace(position, opp=hand)
        if not position.closed and position.talon:
            hidden = cards_in(position.unseen & ~hand)
            known = replace(known, talon=(*hidden, position.talon[-1]))
        games[hand] = to_state(known)
    return games


def _largest(sets: Iterable[frozenset[int]]) -> set[frozenset[int]]:
    """Leave out sets that are part of another: whoever can win more need not win less."""
    found: list[frozenset[int]] = []
    for one in sorted(set(sets), key=len, reverse=True):
        if not any(one <= other for other in found):
            found.append(one)
    return set(found)


def winnable(games: Games, first: str | None = None) -> set[frozenset[int]]:
    """Return the sets of hands that the planner's ways of playing win from here, he being player 0.

    Parameters
    ----------
    games
        The games that agree with what he has seen.
    first
        The only move he may begin with.
    """
    return _winnable(games, first, {})


def _winnable(games: Games, first: str | None, known: dict[Any, set[frozenset[int]]]) -> set[frozenset[int]]:
    key = frozenset(games.items())
    if key in known:
        return known[key]
    some = next(iter(games.values()))
    if isinstance(some, int):
        found = {frozenset(hand for hand, game in games.items() if game > 0)}  # type: ignore[operator]
    elif some.turn == 0:
        found = _largest(
            won
            for move in naive._moves(some)
            if first in (None, str(move))
            for won in _winnable({h: naive._apply(g, move) for h, g in games.items()}, None, known)  # type: ignore[arg-type]
        )
    else:
        seen: dict[naive.Move, Games] = {}
        for hand, game in games.items():
            for move in naive._moves(game):  # type: ignore[arg-type]
                seen.setdefault(move, {})[hand] = naive._apply(game, move)  # type: ignore[arg-type]
        found = {frozenset(games)}
        for after in seen.values():
            rest = frozenset(games) - frozenset(after)
            found = _largest(won & (more | rest) for more in _winnable(after, None, known) for won in found)
    known[key] = found
    return found


def beaten_by(tree: dict[str, Any], games: Games, counted: bool = True) -> set[int]:
    """Play the plan of a JSON tree against every hand and every defence; return the hands it always beats.

    Where several cards share a branch, the counts below it are for all of them together; they are compared
    elsewhere.
    """
    assert not counted or len(games) == tree["hands"]
    won = set(games)
    for move in tree["play"]:
        games = {hand: _play(game, move) for hand, game in games.items()}
    if tree.get("end"):
        if tree["end"] == "hopeless":
            won = set()
        for hand, game in games.items() if won else ():
            while not isinstance(game, int):
                assert tree["end"] == "last trick"
                game = naive._apply(game, naive._moves(game)[0])
            if game < 0:
                won.discard(hand)
    else:
        branches = {card: node for node in tree["then"] for card in node["cards"]}
        after: dict[str, Games] = {}
        for hand, game in games.items():
            assert not isinstance(game, int)
            assert game.turn == 1
            for move in naive._moves(game):
                assert branches[str(move)]["he"] == ("replies" if game.led else "leads")
                after.setdefault(str(move), {})[hand] = naive._apply(game, move)
        # Nothing is foreseen that cannot happen.
        assert not counted or set(after) == set(branches)
        for move, rest in after.items():
            node = branches[move]
            won -= set(rest) - beaten_by(node, rest, counted and len(node["cards"]) == 1)
    assert not counted or len(games) - len(won) == tree["loses"]
    return won


def _play(game: naive.State | int, text: str) -> naive.State | int:
    assert not isinstance(game, int)
    return naive._apply(game, next(move for move in naive._moves(game) if str(move) == text))
