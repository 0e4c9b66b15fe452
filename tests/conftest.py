"""What the tests share: positions for the oracle, and random positions of every kind."""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import product

from hypothesis import settings

from bummerl.cards import card_text, cards_in
from bummerl.deals import random_position
from bummerl.position import Position
from bummerl.rules import PRESETS, Rules
from tests import naive

# The same examples every time, however slow the machine.
settings.register_profile("bummerl", deadline=None, derandomize=True)
settings.load_profile("bummerl")

RULE_SETS = [*PRESETS.values()] + [
    Rules.parse(text)
    for text in (
        "soft+closed_count=end",
        "rulebook+closed_count=end+close_min_talon=6",
        "sharp+marriage_before_first_trick=yes+exchange_before_first_trick=yes",
        "soft+marriage_king_only=yes+exchange_min_talon=8+close_min_talon=4",
    )
]


def to_state(position: Position) -> naive.State:
    """Return a complete position for the oracle."""

    def names(hand: int) -> frozenset[str]:
        return frozenset(card_text(index) for index in cards_in(hand))

    tricks = position.tricks or (int(position.points[0] > 0), int(position.points[1] > 0))
    # A closed talon no longer matters, and neither does what lies in it.
    talon = () if position.closed else tuple(card_text(c) for c in position.talon or () if c is not None)
    return naive.State(
        hands=(names(position.me), names(position.opp)),
        talon=talon,
        trump="SHDC"[position.trump],
        turn=position.turn,
        led=None if position.led is None else card_text(position.led),
        points=position.points,
        pending=position.pending,
        tricks=tricks,
        closed=None if position.closed is None else (position.closed.by, position.closed.points),
        rules=naive.make_rules({key: value for key, value in asdict(position.rules).items() if key != "game"}),
    )


def sample(count: int, seed: int, tricks: tuple[int, ...], mid: tuple[bool, ...] = (False, True)) -> list[Position]:
    """Return random positions over all rule sets, phases and, by default, in the middle of a trick."""
    rng = random.Random(seed)
    kinds = list(product(RULE_SETS, tricks, mid))
    return [random_position(rng, *kinds[i % len(kinds)]) for i in range(count)]


def shuffled_suits(position: Position, order: tuple[int, ...]) -> Position:
    """Rename the suits of a position."""
    from dataclasses import replace

    def card(index: int | None) -> int | None:
        return None if index is None else 6 * order[index // 6] + index % 6

    def hand(mask: int | None) -> int | None:
        return None if mask is None else sum(1 << (card(index) or 0) for index in cards_in(mask))

    return replace(
        position,
        me=hand(position.me),
        opp=hand(position.opp),
        gone=hand(position.gone),
        trump=order[position.trump],
        face_up=card(position.face_up),
        led=card(position.led),
        talon=None if position.talon is None else tuple(card(c) for c in position.talon),
    )
