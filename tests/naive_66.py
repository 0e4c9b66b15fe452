"""A slow, plain second opinion on Sixty-Six, written from its rules alone; it shares no code with the solver.

Plain negamax-like search over whole positions, remembered exactly. Claiming at once is right for the reasons in
`naive`; a drawn deal is worth less than any win, so the proof holds.
"""

from __future__ import annotations

import random
from typing import NamedTuple

VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
ORDER = "9JQKTA"
DECK = tuple(suit + rank for suit in "SHDC" for rank in ORDER)


class State(NamedTuple):
    """One position; pairs are indexed by player."""

    hands: tuple[frozenset[str], frozenset[str]]
    talon: tuple[str, ...]  # () once closed
    trump: str
    turn: int
    led: str = ""
    points: tuple[int, int] = (0, 0)
    pending: tuple[int, int] = (0, 0)
    trick: tuple[bool, bool] = (False, False)
    closer: int = -1
    stake: int = 0  # what the closer wins
    penalty: int = 0  # what he loses
    undrawn: bool = False


def _put(pair, player, item):
    return (item, pair[1]) if player == 0 else (pair[0], item)


def _worth(points: int, trick: bool) -> int:
    return 3 if not trick else 2 if points < 33 else 1


def moves(state: State) -> list[str]:
    """List the moves of the player on turn as text."""
    me = state.turn
    hand = state.hands[me]
    if state.led:
        if state.talon:
            return sorted(hand)
        same = [c for c in hand if c[0] == state.led[0]]
        higher = [c for c in same if ORDER.index(c[1]) > ORDER.index(state.led[1])]
        return sorted(higher or same or [c for c in hand if c[0] == state.trump] or hand)
    if state.undrawn:
        return ["draw"] + [f"close {c}" for c in sorted(hand)]
    nine = state.trump + "9"
    hands = {"": hand}
    if state.talon and nine in hand:
        hands["exchange "] = hand - {nine} | {state.talon[-1]}
    found = []
    for before, held in hands.items():
        for c in sorted(held):
            found.append(before + c)
            if state.talon:
                found.append(before + "close " + c)
                if c[1] in "KQ" and {c[0] + "K", c[0] + "Q"} <= held:
                    found.append(before + ("40 " if c[0] == state.trump else "20 ") + c)
    return found


def _claim(state: State, winner: int) -> int:
    if state.closer < 0:
        gain = _worth(state.points[1 - winner], state.trick[1 - winner])
    else:
        gain = state.stake if winner == state.closer else state.penalty
    return gain if winner == 0 else -gain


def _draw(state: State) -> State:
    hands = _put(state.hands, state.turn, state.hands[state.turn] | {state.talon[0]})
    hands = _put(hands, 1 - state.turn, hands[1 - state.turn] | {state.talon[1]})
    return state._replace(hands=hands, talon=state.talon[2:], undrawn=False)


def play(state: State, move: str) -> State | int:
    """Return the state after a move, or game points for player 0."""
    me, other = state.turn, 1 - state.turn
    if move == "draw":
        return _draw(state)
    *words, card = move.split()
    if state.led:
        led = state.led
        takes = ORDER.index(card[1]) > ORDER.index(led[1]) if card[0] == led[0] else card[0] == state.trump
        winner = me if takes else other
        hands = _put(state.hands, me, state.hands[me] - {card})
        last = not hands[0] and not hands[1]
        won = VALUE[card[1]] + VALUE[led[1]] + state.pending[winner]
        if last and state.closer < 0:
            won += 10
        state = state._replace(
            hands=hands,
            turn=winner,
            led="",
            points=_put(state.points, winner, state.points[winner] + won),
            pending=_put(state.pending, winner, 0),
            trick=_put(state.trick, winner, True),
            undrawn=bool(state.talon),
        )
        if state.points[winner] >= 66:
            return _claim(state, winner)
        if last:
            return 0 if state.closer < 0 else _claim(state, 1 - state.closer)
        return state
    if "exchange" in words:
        nine = state.trump + "9"
        hands = _put(state.hands, me, state.hands[me] - {nine} | {state.talon[-1]})
        state = state._replace(hands=hands, talon=(*state.talon[:-1], nine))
    if "close" in words:
        state = state._replace(
            talon=(),
            undrawn=False,
            closer=me,
            stake=_worth(state.points[other], state.trick[other]),
            penalty=2 if state.trick[other] else 3,
        )
    state = state._replace(hands=_put(state.hands, me, state.hands[me] - {card}), led=card, turn=other)
    bonus = 20 if "20" in words else 40 if "40" in words else 0
    if bonus and state.trick[me]:
        state = state._replace(points=_put(state.points, me, state.points[me] + bonus))
        if state.points[me] >= 66:
            return _claim(state, me)
    elif bonus:
        state = state._replace(pending=_put(state.pending, me, bonus))
    return state


Memo = dict[State, tuple[int, int]]


def _search(state: State, alpha: int, beta: int, memo: Memo) -> int:
    low, high = memo.get(state, (-3, 3))
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    sign = 1 if state.turn == 0 else -1
    a, b = max(alpha, low), min(beta, high)
    best = -9 * sign
    for move in moves(state):
        after = play(state, move)
        result = after if isinstance(after, int) else _search(after, a, b, memo)
        if result * sign > best * sign:
            best = result
        if sign > 0:
            a = max(a, best)
        else:
            b = min(b, best)
        if a >= b:
            break
    if best > max(alpha, low):
        low = best
    if best < min(beta, high):
        high = best
    memo[state] = (low, high)
    return best


def value(state: State, memo: Memo | None = None) -> int:
    """Return the game points for player 0 under best play by both with open cards."""
    memo = {} if memo is None else memo
    low, high = -3, 3
    while low < high:
        middle = (low + high + 1) // 2
        if _search(state, middle - 1, middle, memo) >= middle:
            low = middle
        else:
            high = middle - 1
    return low


def move_values(state: State) -> dict[str, int]:
    """Return what every legal move is worth for player 0."""
    memo: Memo = {}
    found = {}
    for move in moves(state):
        after = play(state, move)
        found[move] = after if isinstance(after, int) else value(after, memo)
    return found


def random_deal(rng: random.Random) -> State:
    """Return a fresh deal."""
    deck = list(DECK)
    rng.shuffle(deck)
    return State((frozenset(deck[:6]), frozenset(deck[6:12])), tuple(deck[12:]), deck[-1][0], rng.randrange(2))


def random_position(rng: random.Random, tricks: int, middle: bool, close_rate: float = 0.05) -> State:
    """Return a position after so many tricks, and a lead if `middle`, of random play that did not end the deal."""
    while True:
        state: State | int = random_deal(rng)
        for _ in range(2 * tricks + middle):
            assert isinstance(state, State)
            close = rng.random() < close_rate
            if state.undrawn and not close:
                state = _draw(state)
            legal = [m for m in moves(state) if m != "draw"]
            legal = [m for m in legal if ("close" in m) == close] or legal
            state = play(state, rng.choice(legal))
            if isinstance(state, int):
                break
        if isinstance(state, State):
            return state
