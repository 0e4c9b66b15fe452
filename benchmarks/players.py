"""Players for self-play: each chooses from what it sees, a hidden position, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bummerl import Move, Position, advise
from bummerl.advise import MODELS
from bummerl.cards import points_of, suit_of
from bummerl.position import beats

Player = Callable[[Position, Random], Move]


def play_randomly(position: Position, rng: Random) -> Move:
    """Make any legal move."""
    return rng.choice(position.legal_moves())


def play_greedily(position: Position, rng: Random) -> Move:
    """Take what this trick offers.

    Exchanges and announces whenever possible, never closes. Wins a trick as cheaply as possible if it holds ten
    points or costs no trump, else gives the cheapest card. Leads the cheapest plain card while the talon is open,
    and after that the highest card.
    """
    del rng
    moves = [move for move in position.legal_moves() if not move.close]
    moves = [move for move in moves if move.exchange] or moves

    def cost(move: Move) -> int:
        return points_of(move.card) + (20 if suit_of(move.card) == position.trump else 0)

    if position.led is None:
        best = max(move.marriage for move in moves)
        moves = [move for move in moves if move.marriage == best]
        return min(moves, key=lambda m: cost(m) if position.talon_left else -cost(m))
    led = position.led
    winning = [
        move
        for move in moves
        if beats(move.card, led, position.trump)
        and (points_of(led) + points_of(move.card) >= 10 or suit_of(move.card) != position.trump)
    ]
    return min(winning or moves, key=cost)


def adviser(model: str, worlds: int, how: str = "") -> Player:
    """Return a player who asks `advise` every time, looking at so many worlds at most.

    He reads the card led if `how` is ``weighed``, and plays for the match instead of game points if it is ``match``.

    Such players are deterministic: the seed is that of the sample, drawn anew for each move.
    """

    def choose(position: Position, rng: Random) -> Move:
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        advice = advise(position, model=model, max_worlds=worlds, weighed=how == "weighed", seed=rng.randrange(2**31))
        return advice.best_for_match if how == "match" else advice.best

    return choose


def trusting(worlds: int, trust: float) -> Player:
    """Return a player for whom a closed talon is worth something between the plan and open cards."""

    def choose(position: Position, rng: Random) -> Move:
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        advice = advise(position, max_worlds=worlds, seed=rng.randrange(2**31))
        return max(
            advice.moves, key=lambda m: m.expected + (trust * (m.upper - m.expected) if m.basis == "plan" else 0)
        ).move

    return choose


def make_player(name: str) -> Player:
    """Return the player of a name: ``random``, ``greedy``, or a model, the number of worlds, and ``weighed`` or ``match``.

    Examples are ``open:100``, ``plan:400``, ``postponed:100:weighed``, ``postponed:100:match``, and ``trusting:100:50``, for whom a closed talon
    is worth half way between the plan and open cards.
    """
    if name == "random":
        return play_randomly
    if name == "greedy":
        return play_greedily
    model, _, rest = name.partition(":")
    worlds, _, how = rest.partition(":")
    if model == "trusting" and worlds.isdigit() and how.isdigit():
        return trusting(int(worlds), int(how) / 100)
    if model not in MODELS or not worlds.isdigit() or how not in ("", "weighed", "match"):
        raise ValueError(
            f"no player is called {name!r}; try random, greedy, or {', '.join(f'{m}:100' for m in MODELS)}"
        )
    return adviser(model, int(worlds), how)
