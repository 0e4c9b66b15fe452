"""What can be wrong with a position: its parts checked against each other, the first contradiction named."""

from __future__ import annotations

from bummerl.cards import (
    KING,
    NINES,
    QUEEN,
    card_symbol,
    cards_in,
    hand_symbols,
    rank_of,
    suit_of,
)
from bummerl.errors import RecordError
from bummerl.point_checks import check_points
from bummerl.position import PLAYERS, TARGET, Closure, Position
from bummerl.rules import Deck

Pair = tuple[int, int]
# Hand sizes, in words.
NUMBERS = {5: "five", 6: "six"}


def derive_talon_size(
    face_up: int | None,
    closed: Closure | None,
    in_play: int,
    gone: int | None,
    unseen: int | None,
    unknown: int,
    tricks: Pair | None,
    points: Pair,
    deck: Deck,
) -> int | None:
    """Work out how many talon cards a record without ``talon`` has.

    Parameters
    ----------
    face_up : int or None
        The face-up card, if one is given.
    closed : Closure or None
        Who closed.
    in_play : int
        Cards in both hands and on the table.
    gone, unseen : int or None
        As given.
    unknown : int
        How many of the opponent's cards are not known.
    tricks : tuple of int, or None
        As given.
    points : tuple of int
        Counted points.
    deck : Deck
        Of the game.

    Returns
    -------
    int or None
        None for a closed talon, where the size does not matter.
    """
    count: int | None = None
    if not closed and (face_up is None or in_play < 2 * deck.hand_size):
        return 0
    if gone is not None:
        count = deck.size - in_play - gone.bit_count()
    elif unseen is not None:
        count = unseen.bit_count() - unknown + (face_up is not None)
    elif tricks is not None:
        count = deck.size - in_play - 2 * sum(tricks)
    elif points == (0, 0) and in_play == 2 * deck.hand_size:
        count = deck.size - in_play
    elif closed:
        return None
    if count is None:
        raise RecordError(
            "talon", "is missing", "say how many cards lie in it, such as talon=4, or talon=0 if it is used up"
        )
    if not 0 <= count <= deck.talon:
        key = "gone" if gone is not None else "unseen" if unseen is not None else "tricks"
        raise RecordError(key, f"leaves {cards_of(count)} for the talon", "count the cards again")
    return count


def cards_of(count: int) -> str:
    """Write a number of cards: ``1 card``, ``2 cards``."""
    return f"{count} card" + ("s" if count != 1 else "")


def derived_tricks(position: Position) -> Pair | None:
    """Return the tricks of both where the points leave only one possibility."""
    total = position.total_tricks
    mine, theirs = position.points
    if total is None:
        return (0, 0) if mine == theirs == 0 else None
    if not position.rules.deck.least_trick and (position.not_in_play & NINES).bit_count() > 1:
        return (0, 0) if total == 0 else None
    if not mine:
        return (0, total)
    if not theirs:
        return (total, 0)
    return (1, 1) if total == 2 else None


def derived_gone(position: Position) -> int | None:
    """Return the cards played where the rest of the position leaves only one possibility."""
    if position.talon is None:
        return None
    if position.total_tricks == 0:
        return 0
    if None in position.talon or position.opp.bit_count() != position.opp_size:
        return None
    return position.not_in_play


def check(position: Position, unseen: int | None) -> Position:
    """Derive what a draft leaves out and check all its parts against each other.

    Parameters
    ----------
    position : Position
        The draft; ``gone`` and ``tricks`` are None where they were not given.
    unseen : int or None
        The unseen cards, where they were given.

    Returns
    -------
    Position
        The draft completed.

    Raises
    ------
    RecordError
        For the first contradiction.
    """
    _check_twice(position, unseen)
    _check_sizes(position)
    position = _place_cards(position, unseen)
    _check_led(position)
    _check_closed(position)
    position = _check_tricks(position)
    _check_pending(position)
    check_points(position)
    for needed in position.score:
        if not 1 <= needed <= 7:
            raise RecordError("score", f"{needed} points are not a score of a match that goes on", "each needs 1 to 7")
    return position


def _check_twice(position: Position, unseen: int | None) -> None:
    talon_cards = [c for c in position.talon or () if c is not None]
    hands = (position.me, position.opp, position.gone or 0, unseen or 0)
    single = talon_cards if position.led is None else [position.led, *talon_cards]
    if position.face_up is not None and position.face_up not in talon_cards:
        single = [position.face_up, *single]
    union, count = 0, len(single)
    for hand in (*hands, *(1 << index for index in single)):
        union |= hand
    deck = position.rules.deck.pack
    if union & ~deck == 0 and union.bit_count() == count + sum(hand.bit_count() for hand in hands):
        return
    seen: dict[int, str] = {}
    places: list[tuple[str, list[int]]] = [
        ("me", list(cards_in(position.me))),
        ("opp", list(cards_in(position.opp))),
        ("led", [] if position.led is None else [position.led]),
        ("talon", talon_cards),
        ("trump", [] if position.face_up is None or position.face_up in talon_cards else [position.face_up]),
        ("gone", list(cards_in(position.gone or 0))),
        ("unseen", list(cards_in(unseen or 0))),
    ]
    for place, cards in places:
        for index in cards:
            if not deck >> index & 1:
                raise RecordError(
                    place,
                    f"{card_symbol(index)} is not in the pack of {position.rules.deck.size} cards",
                    "leave it out",
                )
            if index in seen:
                where = "twice in" if seen[index] == place else f"in {seen[index]} and also in"
                raise RecordError(place, f"{card_symbol(index)} stands {where} {place}", "every card exists once")
            seen[index] = place


def _check_sizes(position: Position) -> None:
    deck = position.rules.deck
    five = NUMBERS[deck.hand_size]
    mine, theirs = position.me.bit_count(), position.opp_size
    if max(mine, theirs) > deck.hand_size:
        size = max(mine, theirs)
        why = "" if mine == size else f" ({mine} in yours, one of theirs already led)" if position.turn else ""
        raise RecordError(
            "me", f"makes a hand of {size} cards{why}", f"a hand has at most {five}, one fewer after a lead"
        )
    if max(mine, theirs) == 0 or (mine == 0 and position.turn == 0):
        raise RecordError("me", "has no cards", "a deal that is over has nothing to solve")
    if theirs < 0:
        raise RecordError("led", "leaves no cards for the opponent", "check me, led and turn")
    known = position.opp.bit_count()
    if known > theirs:
        raise RecordError(
            "opp", f"has {cards_of(known)} but must have {theirs}", f"me has {mine}" + _after_lead(position)
        )
    left = position.talon
    if left is None:
        return
    if len(left) % 2:
        raise RecordError(
            "talon",
            f"{cards_of(len(left))} cannot be",
            f"both draw after every trick: {deck.talon}, {deck.talon - 2} … or 2",
        )
    if (
        left
        and not position.closed
        and max(mine, theirs) < deck.hand_size - (deck.close_undrawn and position.led is None)
    ):
        raise RecordError(
            "me",
            f"has {cards_of(mine)} while the talon lies open",
            f"both hold {five} at the lead; is the talon closed or used up?",
        )
    if left and not position.closed and position.face_up is None:
        raise RecordError(
            "trump", "is only a suit while the talon lies open", "give the face-up card, such as trump=DJ"
        )
    if position.total_tricks is not None and (deck.size - 2 * max(mine, theirs) - len(left)) < 0:
        raise RecordError(
            "talon", f"{len(left)} cards and both hands are more than {deck.size}", "count the cards again"
        )


def _after_lead(position: Position) -> str:
    if position.led is None:
        return ", and both hold the same number at a lead"
    leader = "the opponent" if position.turn == 0 else "you"
    return f", and {leader} already led {card_symbol(position.led)}"


def _place_cards(position: Position, unseen: int | None) -> Position:
    """Find out which cards are gone, unseen, and with the opponent."""
    gone = position.gone
    if unseen is not None:
        rest = position.not_in_play & ~unseen
        if gone is not None and gone != rest:
            missing = rest & ~gone
            raise RecordError(
                "gone",
                f"{hand_symbols(missing)} stand nowhere" if missing else "does not fit unseen",
                "every card is in a hand, in the talon, unseen or gone",
            )
        gone = rest
    if gone is None:
        gone = derived_gone(position)
    unknown = position.opp_size - position.opp.bit_count()
    if gone is None:
        if position.closed and not unknown:
            return position
        if position.talon_left or position.closed:
            raise RecordError(
                "unseen",
                "is missing",
                "list the cards you have not seen, or the cards gone, or give opp and talon in full",
            )
        everything = position.not_in_play
        raise RecordError(
            "opp",
            f"has {cards_of(position.opp.bit_count())} but must have {position.opp_size}"
            if position.opp
            else "is missing",
            f"the talon is used up, so give all of it, or unseen (among {hand_symbols(everything)})",
        )
    position = position.changed(gone=gone)
    face_down = sum(c is None for c in position.talon or ())
    total = position.total_tricks
    if position.talon is not None and gone.bit_count() != 2 * (total or 0):
        played, should = gone.bit_count(), 2 * (total or 0)
        hidden = position.unseen.bit_count()
        key = "unseen" if unseen is not None else "gone"
        count = hidden if unseen is not None else played
        right = unknown + face_down if unseen is not None else should
        raise RecordError(
            key,
            f"has {cards_of(count)} but must have {right}",
            f"{position.rules.deck.size} cards in all: hands, led card, talon and cards gone",
        )
    if position.talon is None and gone.bit_count() % 2:
        raise RecordError("gone", f"{gone.bit_count()} cards cannot be", "two go with every trick")
    if position.unseen.bit_count() != unknown + face_down and position.talon is not None:
        raise RecordError(
            "unseen",
            f"has {cards_of(position.unseen.bit_count())} but must have {unknown + face_down}",
            "the opponent's unknown cards and the face-down talon",
        )
    if unknown and not face_down and position.talon is not None:
        return position.changed(opp=position.opp | position.unseen)
    if face_down == 1 and not unknown and position.talon is not None:
        last = next(cards_in(position.unseen))
        return position.changed(talon=tuple(last if c is None else c for c in position.talon))
    return position


def _check_led(position: Position) -> None:
    if position.led is None:
        if position.announced:
            raise RecordError("announced", "is given without a led card", "add led, the king or queen that was led")
        return
    rank = rank_of(position.led)
    if not position.announced:
        return
    led = card_symbol(position.led)
    if rank not in (KING, QUEEN):
        raise RecordError("announced", f"{led} is led, but a marriage needs a king or a queen", "remove one of the two")
    if (position.announced == 40) != (suit_of(position.led) == position.trump):
        raise RecordError("announced", f"{position.announced} does not fit {led}", "40 in trumps, 20 elsewhere")
    if position.rules.marriage_king_only and rank == QUEEN:
        raise RecordError(
            "led",
            f"{led} announces a marriage, but these rules ask for the king",
            "add rules=soft if queens may be led",
        )
    leader = 1 - position.turn
    partner = position.led + (1 if rank == QUEEN else -1)
    hand = position.opp if leader else position.me
    if not hand >> partner & 1 and not (
        leader and position.unseen >> partner & 1 and position.opp.bit_count() < position.opp_size
    ):
        raise RecordError(
            "announced",
            f"the leader no longer holds {card_symbol(partner)}",
            f"add it to {PLAYERS[leader]}, or remove announced",
        )
    if not position.has_trick(leader) and not position.pending[leader]:
        if not position.rules.marriage_before_first_trick:
            raise RecordError(
                "announced", "these rules allow no marriage before the first trick", "add rules=soft if it may be"
            )
        raise RecordError(
            "pending",
            f"the leader has no trick, so the {position.announced} are pending",
            f"add pending for {PLAYERS[leader]}",
        )


def _check_closed(position: Position) -> None:
    closed = position.closed
    if closed is None:
        return
    other = 1 - closed.by
    now = position.points[other]
    if position.talon is not None:
        left = len(position.talon)
        if left == 0:
            raise RecordError(
                "closed", "the talon is used up, nothing is left to close", "remove closed, or give talon"
            )
        if left < position.rules.close_min_talon:
            raise RecordError(
                "closed",
                f"these rules allow it with {position.rules.close_min_talon} talon cards or more, not {left}",
                "see the option in rules",
            )
        if left == position.rules.deck.talon and not position.rules.close_before_first_trick:
            raise RecordError(
                "closed", "these rules allow no closing before the first trick", "see the option in rules"
            )
    if closed.points > now:
        raise RecordError(
            "closed", f"{PLAYERS[other]} had {closed.points} points then but has only {now} now", "points never fall"
        )
    least = position.rules.deck.least_trick
    if 0 < closed.points < (least or 2) or closed.points >= TARGET:
        raise RecordError(
            "closed", f"nobody can have had {closed.points} points then", f"0 for no trick, else {least or 2} to 65"
        )
    if 0 < now - closed.points < (least or 2):
        raise RecordError(
            "closed",
            f"{PLAYERS[other]} had {closed.points} points then and has {now} now, but a trick with points brings {least or 2} or more",
            "check both",
        )
    full = position.rules.deck.talon
    if closed.has_trick and position.talon is not None and len(position.talon) > full - (4 if least else 2):
        before = "no trick had" if len(position.talon) == full else "one trick, the closer's, had"
        raise RecordError(
            "closed",
            f"with {len(position.talon)} talon cards {before} been played, so {PLAYERS[other]} had no points then",
            f"write closed={PLAYERS[closed.by]}@0",
        )
    if not position.has_trick(closed.by) and (
        closed.has_trick or (position.talon is not None and len(position.talon) < full)
    ):
        raise RecordError(
            "closed",
            f"{PLAYERS[closed.by]} has no points, so he was never at the lead to close after the first trick",
            "check points and who closed",
        )
    mine, theirs = position.me.bit_count(), position.opp_size
    if max(mine, theirs) == position.rules.deck.hand_size:
        leader = _leader(position)
        if leader != closed.by:
            raise RecordError(
                "turn",
                "no card was played since the close, so the closer leads",
                f"{PLAYERS[closed.by]} must be at the lead",
            )
        if now != closed.points:
            raise RecordError(
                "closed",
                f"no trick was played since the close, so {PLAYERS[other]} had {now} points then",
                f"write closed={PLAYERS[closed.by]}@{now}",
            )


def _leader(position: Position) -> int:
    return position.turn if position.led is None else 1 - position.turn


def _check_tricks(position: Position) -> Position:
    for player in (0, 1):
        if position.points[player] >= TARGET:
            raise RecordError(
                "points",
                f"{PLAYERS[player]} has {position.points[player]}, so the deal is over",
                "a player with 66 has won",
            )
    leader = _leader(position)
    if not position.has_trick(leader) and position.has_trick(1 - leader):
        raise RecordError(
            "turn",
            f"{PLAYERS[leader]} is at the lead without a trick, though {PLAYERS[1 - leader]} has taken one",
            "whoever took the last trick leads; check turn and points",
        )
    if position.tricks is None:
        position = position.changed(tricks=derived_tricks(position))
        if position.tricks is None and not position.rules.deck.least_trick and 0 in position.points:
            raise RecordError(
                "tricks",
                "is missing, and two nines that are gone may have been a trick without points",
                "write the tricks taken, such as tricks=1:0",
            )
        return position
    total = position.total_tricks
    if total is not None and sum(position.tricks) != total:
        raise RecordError(
            "tricks", f"{sum(position.tricks)} in all, but {total} have been played", "count the cards gone"
        )
    for player in (0, 1):
        if (position.tricks[player] == 0 < position.points[player]) or (
            position.rules.deck.least_trick and position.tricks[player] > 0 == position.points[player]
        ):
            have = position.points[player]
            raise RecordError(
                "tricks",
                f"{position.tricks[player]} tricks do not fit {have} points of {PLAYERS[player]}",
                "a trick has 4 or more",
            )
    return position


def _check_pending(position: Position) -> None:
    waiting = position.pending
    if waiting == (0, 0):
        return
    if all(waiting) or max(waiting) not in (20, 40):
        raise RecordError(
            "pending", f"{waiting[0]}:{waiting[1]} cannot be", "only the first lead can leave 20 or 40 pending"
        )
    player = 0 if waiting[0] else 1
    if position.has_trick(player):
        raise RecordError(
            "pending", f"{PLAYERS[player]} already has points, so nothing is pending", "add the marriage to points"
        )
    if not position.rules.marriage_before_first_trick:
        raise RecordError("pending", "these rules allow no marriage before the first trick", "see the option in rules")
    total = position.total_tricks
    if total == 0 and position.led is not None and not (position.announced and position.turn != player):
        raise RecordError("pending", "the led card was not announced", "add announced, or remove pending")
    if total == 0 and position.led is None:
        raise RecordError("pending", "no card has been led yet", "remove pending")
    if position.led is None and position.turn == player and not position.has_trick(1 - player):
        raise RecordError("turn", f"{PLAYERS[player]} has no trick and so is not at the lead", "check turn")
