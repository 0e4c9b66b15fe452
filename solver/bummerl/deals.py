"""Random deals and positions, the same for the same seed on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bummerl.cards import cards_in, hand_of, suit_of
from bummerl.moves import DRAW, Move
from bummerl.position import Position
from bummerl.rules import Rules

# How often a random player closes, exchanges and announces when he may.
_CLOSE, _EXCHANGE, _ANNOUNCE = 0.08, 0.5, 0.8


def random_deal(rng: random.Random, rules: Rules = Rules()) -> Position:
    """Deal two hands and the talon, as a complete position at the first lead.

    Parameters
    ----------
    rng : random.Random
        The source of chance.
    rules : Rules, optional
        The options in force.

    Returns
    -------
    Position
        ``me`` or the opponent leads, at random.

    Examples
    --------
    >>> random_deal(random.Random(7)).talon_left
    10
    """
    deck, size = rules.deck, rules.deck.hand_size
    pack = list(cards_in(deck.pack))
    rng.shuffle(pack)
    talon = tuple(pack[2 * size :])
    return Position(
        me=hand_of(pack[:size]),
        opp=hand_of(pack[size : 2 * size]),
        trump=suit_of(talon[-1]),
        face_up=talon[-1],
        talon=talon,
        gone=0,
        turn=rng.randrange(2),
        tricks=(0, 0),
        rules=rules,
    )


def random_move(rng: random.Random, position: Position) -> Move:
    """Choose a legal move: the card evenly, closing seldom, exchanging and announcing often."""
    moves = position.legal_moves()
    if position.is_undrawn:
        return DRAW if rng.random() >= _CLOSE or len(moves) == 1 else rng.choice(moves[1:])
    if position.led is not None:
        return rng.choice(moves)
    close = rng.random() < _CLOSE and any(m.close for m in moves)
    exchange = rng.random() < _EXCHANGE and any(m.exchange for m in moves)
    moves = [m for m in moves if m.close == close and m.exchange == exchange]
    chosen = rng.choice(sorted({m.card for m in moves}))
    ways = [m for m in moves if m.card == chosen]
    return ways[0] if rng.random() < _ANNOUNCE else ways[-1]


def random_position(rng: random.Random, rules: Rules = Rules(), tricks: int = 0, mid_trick: bool = False) -> Position:
    """Return a complete position after some tricks of random legal play.

    Parameters
    ----------
    rng : random.Random
        The source of chance.
    rules : Rules, optional
        The options in force.
    tricks : int
        Tricks to play first, 0 to 9 (Sixty-Six: 11); deals that end sooner are dealt anew.
    mid_trick : bool
        Play one card more.

    Raises
    ------
    ValueError
        If there cannot be such a position.
    """
    most = rules.deck.size // 2 - 1
    if not 0 <= tricks <= most:
        raise ValueError(f"a position has 0 to {most} tricks behind it, not {tricks}")
    while True:
        position = random_deal(rng, rules)
        for _ in range(2 * tricks + mid_trick):
            move = random_move(rng, position)
            if move == DRAW:
                position = position.play(move)
                move = random_move(rng, position)
            position = position.play(move)
            if position.outcome is not None:
                break
        else:
            return position


def random_positions(
    count: int, seed: int, rules: Rules = Rules(), tricks: int = 0, mid_trick: bool = False
) -> list[Position]:
    """Return reproducible random positions.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        The same seed gives the same positions, and a longer list begins like a shorter one.
    rules, tricks, mid_trick
        As for `random_position`.

    Examples
    --------
    >>> print(random_positions(1, seed=1, tricks=5)[0].talon_left)
    0
    """
    return list(iterate_positions(count, seed, rules, tricks, mid_trick))


def iterate_positions(
    count: int, seed: int, rules: Rules = Rules(), tricks: int = 0, mid_trick: bool = False
) -> Iterator[Position]:
    """Go through the positions of `random_positions` one at a time."""
    rng = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    for _ in range(count):
        yield random_position(rng, rules, tricks, mid_trick)
