"""Are the points of a position possible for the cards gone?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bummerl.cards import KING, POINTS, QUEEN, card, hand_points, suit_of
from bummerl.errors import RecordError
from bummerl.position import Position

Pair = tuple[int, int]


@lru_cache(maxsize=4096)
def _sums(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return, for each number of cards taken from a stock, the possible point sums as a set of bits.

    `counts` says how many cards of each rank the stock has.
    """
    reach = [0] * (sum(counts) + 1)
    reach[0] = 1
    for rank, count in enumerate(counts):
        for _ in range(count):
            for k in range(len(reach) - 1, 0, -1):
                reach[k] |= reach[k - 1] << POINTS[rank]
    return tuple(reach)


def _rank_counts(cards: int) -> tuple[int, ...]:
    return tuple((cards & 0x041041 << rank).bit_count() for rank in range(6))


def _marriages(position: Position, played: int) -> Iterator[tuple[Pair, Pair]]:
    """Go through the marriages that may have been announced: counted and pending points of both."""
    total = position.total_tricks

    def announcers(suit: int) -> tuple[int, ...]:
        king, queen = card(suit, KING), card(suit, QUEEN)
        if position.announced and position.led in (king, queen):
            return (1 - position.turn,)
        if not played >> king & 1 and not played >> queen & 1:
            return ()
        if not position.rules.marriage_before_first_trick and total == 1 and position.led is None:
            return ()
        if total == 1 and played >> king & 1 and played >> queen & 1:
            # King and queen fell in the same trick, so nobody held both.
            return ()
        for held in (king, queen):
            if position.me >> held & 1:
                return (0,)
            if position.opp >> held & 1:
                return (1,)
            if held in (position.led, position.face_up, *(position.talon or ())):
                # Led now: its partner was announced by the same hand; in the talon: never together.
                return () if held != position.led else (1 - position.turn,)
            if position.gone is not None and position.unseen >> held & 1:
                # Unseen, so not with me: only the opponent can have shown it.
                return (1,) if position.opp.bit_count() < position.opp_size else ()
        return (0, 1)

    choices: list[tuple[Pair, Pair]] = [((0, 0), (0, 0))]
    for suit in range(4):
        bonus = 40 if suit == position.trump else 20
        more = []
        for player in announcers(suit):
            gain = (bonus, 0) if player == 0 else (0, bonus)
            for counted, pending in choices:
                more.append(((counted[0] + gain[0], counted[1] + gain[1]), pending))
                more.append((counted, (pending[0] + gain[0], pending[1] + gain[1])))
        forced = position.announced and position.led is not None and suit_of(position.led) == suit
        choices = more if forced else choices + more
    yield from choices


def check_points(position: Position) -> None:
    """Raise a `RecordError` if the points cannot come from the cards gone and from marriages.

    Tries every marriage that can have been announced, and every way to share the cards played.
    """
    mine, theirs = position.points
    if position.gone == mine == theirs == 0 and position.pending == (0, 0) and not position.announced:
        return
    if position.gone is not None:
        stock, sizes = position.gone, [position.gone.bit_count()]
    else:
        seen = position.me | position.opp | (1 << position.face_up if position.face_up is not None else 0)
        stock = position.rules.deck.pack & ~(seen | (1 << position.led if position.led is not None else 0))
        if position.talon is not None:
            sizes = [2 * (position.total_tricks or 0)]
        else:
            lead_size = max(position.me.bit_count(), position.opp_size)
            deck = position.rules.deck
            since = 2 * (deck.hand_size - lead_size)
            sizes = [
                since + deck.talon - left
                for left in range(2, deck.talon + 1, 2)
                if left >= position.rules.close_min_talon
            ]
    for counted, pending in _marriages(position, stock):
        if pending != position.pending:
            continue
        shares = (mine - counted[0], theirs - counted[1])
        if min(shares) >= 0 and any(_can_share(position, stock, size, shares) for size in sizes):
            return
    if position.gone is not None:
        have = f"the cards gone hold {hand_points(stock)}" if stock else "no card is gone"
        problem = f"{mine}:{theirs} is impossible: {have}, and marriages add 20 or 40"
    else:
        problem = f"{mine}:{theirs} is impossible for the cards that can be gone"
    if position.pending != (0, 0):
        problem += f" (pending {position.pending[0]}:{position.pending[1]})"
    forgotten = position.points == (0, 0) and position.gone
    raise RecordError("points", problem, "add points=mine:theirs" if forgotten else "check points against the cards")


def _can_share(position: Position, stock: int, size: int, shares: Pair) -> bool:
    """Say whether two players can have taken so many card points with `size` cards of a stock."""
    if size > stock.bit_count():
        return False
    sums = _sums(_rank_counts(stock))
    if not sums[size] >> sum(shares) & 1:
        return False
    deck_points = position.rules.deck.least_trick > 0
    for taken in range(0, size + 1, 2):
        split = (taken // 2, (size - taken) // 2)
        if position.tricks is not None and position.tricks != split:
            continue
        if deck_points and ((split[0] > 0) != (position.points[0] > 0) or (split[1] > 0) != (position.points[1] > 0)):
            continue
        if sums[taken] >> shares[0] & 1 and sums[size - taken] >> shares[1] & 1:
            return True
    return False
