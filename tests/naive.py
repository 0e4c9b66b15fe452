"""A slow, plain second opinion on two-handed Schnapsen.

This is an independent reading of ``spec/rules-two-handed.md``; it shares no code with the solver. One small
rules engine (`_moves`, `_apply`) serves the public `moves` and `play` as well as the search behind `value`,
which is textbook alpha-beta with whole positions memoised exactly. No bounds from card counting, no
equivalent cards.

Why claiming at once is right (`play` always does it). Let W hold 66 or more counted points with the right to
claim; L is the opponent. Counted points and tricks never go down.

* Nobody has closed: claiming gives W the amount g = 3, 2 or 1 by what L has *now*. Suppose W goes on instead,
  and let L play anything legal except closing. Then no end of the deal gives W more than g: a later claim is
  scored by L's later, never smaller count; a deal that W closes later and wins, by L's count at that close
  or at the end, again never smaller; the last trick gives 1 <= g; all else is a loss. So L can hold W to g.
* W closed: W's win is scored by a number fixed at the close (with closed_count=end: by L's count at the end,
  which only grows); all else is a loss.
* L closed: W gets 3 or 2 by a number fixed at the close, however and whenever W wins; all else is a loss.

So claiming later is never better than claiming now.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple, TypeVar

SUITS = "SHDC"
RANKS = "ATKQJ"  # high to low
VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
DECK = tuple(suit + rank for suit in SUITS for rank in RANKS)
ENOUGH = 66
SCHNEIDER = 33
MAX_GAIN = 3

# Canonical order; within a suit the lower number is the higher card.
_ORDER = {card: number for number, card in enumerate(DECK)}
_POINTS = {card: VALUE[card[1]] for card in DECK}

Options = dict[str, bool | int | str]


@dataclass(frozen=True)
class Rules:
    """All rule options of a deal; the defaults are the preset ``soft``."""

    close_before_first_trick: bool = True
    close_min_talon: int = 2
    exchange_before_first_trick: bool = True
    exchange_min_talon: int = 2
    marriage_before_first_trick: bool = True
    marriage_king_only: bool = False
    closed_count: str = "frozen"  # or "end"
    false_claim: str = "fixed"  # or "claimed"; with open cards nobody claims falsely
    revoke_penalty: int = 3  # likewise never due: `play` refuses a revoke


PRESETS: dict[str, Options] = {
    "rulebook": asdict(Rules(close_before_first_trick=False, false_claim="claimed")),
    "soft": asdict(Rules()),
    "sharp": asdict(
        Rules(
            close_min_talon=4,
            exchange_before_first_trick=False,
            exchange_min_talon=4,
            marriage_before_first_trick=False,
            marriage_king_only=True,
        )
    ),
}


def make_rules(preset: str | Options | Rules = "soft", **options: bool | int | str) -> Rules:
    """Rules from a preset (name or options) or from rules already made, with single options changed."""
    if isinstance(preset, Rules):
        return replace(preset, **options)  # type: ignore[arg-type]
    base = PRESETS[preset] if isinstance(preset, str) else preset
    return Rules(**{**base, **options})  # type: ignore[arg-type]


@dataclass(frozen=True)
class State:
    """One position; everything is indexed by player 0 / 1."""

    hands: tuple[frozenset[str], frozenset[str]]
    talon: tuple[str, ...]  # draw order, face-up card last; once closed it no longer matters
    trump: str = field(hash=False)
    turn: int
    led: str | None = None  # already out of the leader's hand
    points: tuple[int, int] = (0, 0)  # counted
    pending: tuple[int, int] = (0, 0)  # marriages waiting for a first trick
    tricks: tuple[int, int] = (0, 0)  # the rules only ask whether this is 0
    closed: tuple[int, int] | None = None  # who closed, the other's counted points then (0 = had no trick)
    rules: Rules = field(default=Rules(), hash=False)

    @property
    def first_lead(self) -> bool:
        """Whether this is the very first lead of the deal."""
        return self.tricks == (0, 0) and self.led is None


class Move(NamedTuple):
    """What a player says and does in one turn; a reply is just a card."""

    exchange: bool
    close: bool
    announce: int  # 0, 20 or 40
    card: str

    def __str__(self) -> str:
        words = ["exchange"] * self.exchange + ["close"] * self.close
        return " ".join(words + [str(self.announce)] * (self.announce > 0) + [self.card])


Item = TypeVar("Item")

# --- the rules -----------------------------------------------------------------------------------


def _beats(reply: str, led: str, trump: str) -> bool:
    """Whether the reply takes the trick."""
    if reply[0] == led[0]:
        return _ORDER[reply] < _ORDER[led]
    return reply[0] == trump


def _replies(state: State) -> list[str]:
    """Legal replies: any card in the loose phase, else follow and beat, follow, trump, any."""
    assert state.led is not None
    hand, suit = sorted(state.hands[state.turn], key=_ORDER.__getitem__), state.led[0]
    if state.talon and state.closed is None:
        return hand
    follow = [card for card in hand if card[0] == suit]
    higher = [card for card in follow if _ORDER[card] < _ORDER[state.led]]
    return higher or follow or [card for card in hand if card[0] == state.trump] or hand


def _exchanged(state: State) -> State:
    """The state after the player on turn has swapped the trump jack for the face-up card."""
    jack = state.trump + "J"
    mine = state.hands[state.turn] - {jack} | {state.talon[-1]}
    return replace(state, hands=_put(state.hands, state.turn, mine), talon=(*state.talon[:-1], jack))


def _moves(state: State) -> list[Move]:
    """Every legal move of the player on turn."""
    if state.led is not None:
        return [Move(False, False, 0, card) for card in _replies(state)]
    rules, me = state.rules, state.turn
    no_trick = state.tricks[me] == 0
    talon = len(state.talon) if state.closed is None else 0  # cards in an open talon
    may_exchange = (
        state.trump + "J" in state.hands[me]
        and talon >= max(rules.exchange_min_talon, 1)
        and (rules.exchange_before_first_trick or not no_trick)
    )
    # While the talon is open a leader has always drawn already, so both hands are complete.
    close_now = rules.close_before_first_trick or not state.first_lead
    may_close = talon >= max(rules.close_min_talon, 1) and close_now
    may_announce = rules.marriage_before_first_trick or not no_trick
    king_only = rules.marriage_king_only
    result = []
    for exchange in (True, False) if may_exchange else (False,):
        hand = (_exchanged(state) if exchange else state).hands[me]
        cards: list[tuple[int, str]] = []  # (announced, card)
        for card in sorted(hand, key=_ORDER.__getitem__):
            suit, rank = card[0], card[1]
            married = rank in "KQ" and suit + "K" in hand and suit + "Q" in hand
            if married and may_announce and not (king_only and rank == "Q"):
                cards.append((40 if suit == state.trump else 20, card))
            cards.append((0, card))
        for close in (True, False) if may_close else (False,):
            result += [Move(exchange, close, announce, card) for announce, card in cards]
    return result


def _put(pair: tuple[Item, Item], player: int, item: Item) -> tuple[Item, Item]:
    """The pair with one player's entry replaced."""
    return (item, pair[1]) if player == 0 else (pair[0], item)


def _gain(points: int, had_trick: bool) -> int:
    """Game points won against a loser with so many counted points."""
    return 3 if not had_trick else 2 if points < SCHNEIDER else 1


def _claimed(state: State, winner: int) -> int:
    """Result for player 0 when `winner` rightly claims, or when `winner`'s opponent closed and failed."""
    loser = 1 - winner
    if state.closed is None or (state.closed[0] == winner and state.rules.closed_count == "end"):
        gain = _gain(state.points[loser], state.tricks[loser] > 0)
    else:
        closer, count = state.closed  # any trick is worth 4 or more, so a count of 0 means no trick
        gain = _gain(count, count > 0) if winner == closer else 2 if count > 0 else 3
    return gain if winner == 0 else -gain


def _apply(state: State, move: Move) -> State | int:
    """Return the state after a legal move, or the result for player 0 if the deal is over."""
    return _lead(state, move) if state.led is None else _reply(state, move.card)


def _lead(state: State, move: Move) -> State | int:
    me = state.turn
    if move.exchange:
        state = _exchanged(state)
    closed = (me, state.points[1 - me]) if move.close else state.closed
    points, pending = state.points, state.pending
    if move.announce and state.tricks[me]:
        points = _put(points, me, points[me] + move.announce)
    elif move.announce:
        pending = _put(pending, me, pending[me] + move.announce)
    hands = _put(state.hands, me, state.hands[me] - {move.card})
    counted = points[me] > state.points[me]
    after = replace(state, hands=hands, turn=1 - me, led=move.card, points=points, pending=pending, closed=closed)
    if counted and points[me] >= ENOUGH:
        return _claimed(after, me)
    return after


def _reply(state: State, card: str) -> State | int:
    me, led = state.turn, state.led
    assert led is not None
    winner = me if _beats(card, led, state.trump) else 1 - me
    gained = _POINTS[led] + _POINTS[card] + state.pending[winner]
    points = _put(state.points, winner, state.points[winner] + gained)
    pending = _put(state.pending, winner, 0)
    tricks = _put(state.tricks, winner, state.tricks[winner] + 1)
    hands, talon = _put(state.hands, me, state.hands[me] - {card}), state.talon
    if talon and state.closed is None:
        hands = _put(hands, winner, hands[winner] | {talon[0]})
        hands = _put(hands, 1 - winner, hands[1 - winner] | {talon[1]})
        talon = talon[2:]
    after = State(hands, talon, state.trump, winner, None, points, pending, tricks, state.closed, state.rules)
    if points[winner] >= ENOUGH:
        return _claimed(after, winner)
    if hands[0] or hands[1]:
        return after
    if state.closed is not None:  # the cards ran out on the closer
        return _claimed(after, 1 - state.closed[0])
    return 1 if winner == 0 else -1  # the last trick


def moves(state: State) -> list[str]:
    """Every legal move of the player on turn, as text ``[exchange] [close] [20|40] CARD``."""
    return [str(move) for move in _moves(state)]


def play(state: State, move: str) -> State | int:
    """The state after a move; an int ends the deal: game points for player 0 (negative: player 1 gains)."""
    for candidate in _moves(state):
        if str(candidate) == move:
            return _apply(state, candidate)
    raise ValueError(f"illegal move {move!r}; legal: {', '.join(moves(state))}")


# --- best play with open cards -------------------------------------------------------------------

Memo = dict[State, tuple[int, int]]


def _plain(state: State) -> State:
    """The position without what the rules never ask for: cards under a closed talon, how many tricks."""
    tricks = (min(state.tricks[0], 1), min(state.tricks[1], 1))
    talon = state.talon if state.closed is None else ()
    if tricks == state.tricks and talon == state.talon:
        return state
    return replace(state, tricks=tricks, talon=talon)


def _search(state: State, alpha: int, beta: int, memo: Memo) -> int:
    """Alpha-beta: exact inside (alpha, beta), else an upper bound (<= alpha) or a lower bound (>= beta)."""
    state = _plain(state)
    low, high = memo.get(state, (-MAX_GAIN, MAX_GAIN))
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    a, b = max(alpha, low), min(beta, high)
    best = None
    sign = 1 if state.turn == 0 else -1
    for move in _moves(state):
        after = _apply(state, move)
        result = after if isinstance(after, int) else _search(after, a, b, memo)
        if best is None or result * sign > best * sign:
            best = result
            if sign > 0:
                a = max(a, best)
            else:
                b = min(b, best)
            if a >= b:
                break
    assert best is not None
    # Above the floor of its window, `best` is a lower bound of the value; below the ceiling, an upper bound.
    if best > max(alpha, low):
        low = best
    if best < min(beta, high):
        high = best
    memo[state] = (low, high)
    return best


def value(state: State, memo: Memo | None = None) -> int:
    """Game points for player 0 under best play by both with open cards."""
    memo = {} if memo is None else memo
    low, high = -MAX_GAIN, MAX_GAIN
    while low < high:  # "is it at least middle?", with a window one wide, until one number is left
        middle = (low + high + 1) // 2
        result = _search(state, middle - 1, middle, memo)
        if result >= middle:
            low = max(low, result)
        else:
            high = min(high, result)
    return low


def move_values(state: State, memo: Memo | None = None) -> dict[str, int]:
    """For every legal move: game points for player 0 if both play their best after it."""
    memo = {} if memo is None else memo
    result = {}
    for move in _moves(state):
        after = _apply(state, move)
        result[str(move)] = after if isinstance(after, int) else value(after, memo)
    return result


def closed_wins(state: State, memo: Memo | None = None) -> bool:
    """Whether the player who closed makes it, with open cards and best play by both."""
    if state.closed is None:
        raise ValueError("nobody has closed")
    return (value(state, memo) > 0) == (state.closed[0] == 0)  # no deal is worth 0


# --- random positions ----------------------------------------------------------------------------


def random_deal(rng: random.Random, rules: str | Options | Rules = "soft") -> State:
    """A fresh deal; player 0 or 1 is forehand."""
    deck = list(DECK)
    rng.shuffle(deck)
    forehand = rng.randrange(2)
    face_up = deck[6]
    first, second = frozenset(deck[0:3] + deck[7:9]), frozenset(deck[3:6] + deck[9:11])
    hands = (first, second) if forehand == 0 else (second, first)
    return State(hands, (*deck[11:], face_up), face_up[0], forehand, rules=make_rules(rules))


def random_position(
    rng: random.Random,
    rules: str | Options | Rules,
    tricks: int,
    middle: bool = False,
    close_rate: float = 0.05,
) -> State | None:
    """The position after so many tricks (and one lead, if `middle`) of random play; None if over by then.

    A leader who may close does so with probability `close_rate`; else all legal moves are equally likely.
    """
    state = random_deal(rng, rules)
    for _ in range(2 * tricks + middle):
        legal = _moves(state)
        if any(move.close for move in legal):
            close = rng.random() < close_rate
            legal = [move for move in legal if move.close == close]
        after = _apply(state, rng.choice(legal))
        if isinstance(after, int):
            return None
        state = after
    return state
