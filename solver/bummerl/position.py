"""The two-handed position: a value; what is known of it; its legal moves; and play.

A position is seen by ``me`` (player 0); the opponent is player 1. Build one from text with `Position.parse`;
the constructor trusts its arguments.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from bummerl.cards import (
    KING,
    QUEEN,
    cards_in,
    points_of,
    rank_of,
    suit_mask,
    suit_of,
)
from bummerl.moves import DRAW, Move, MoveError
from bummerl.rules import Rules

TARGET = 66
HALF = 33
PLAYERS = ("me", "opp")


@dataclass(frozen=True, slots=True)
class Closure:
    """A closed talon: who closed it, and the other player's points then.

    With no points he had no trick either, unless `empty_trick` says so: in Sixty-Six two nines are a trick.
    """

    by: int
    points: int
    empty_trick: bool = False

    @property
    def has_trick(self) -> bool:
        """Say whether the other player had a trick then."""
        return self.points > 0 or self.empty_trick

    def __str__(self) -> str:
        """Write it as records do: ``me@19``."""
        return f"{PLAYERS[self.by]}@{self.points}" + ("+trick" if self.empty_trick else "")


def win_value(points: int, has_trick: bool) -> int:
    """Return what a win is worth against a player with so many points: 3, 2 or 1 game points."""
    return 3 if not has_trick else 2 if points < HALF else 1


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a two-handed deal, as far as ``me`` knows it.

    Attributes
    ----------
    me, opp : int
        Hands (see `cards`); `opp` holds the cards known to be with the opponent.
    trump : int
        Suit 0 to 3.
    face_up : int or None
        The card that lies, or lay when the talon was closed, face up at the end of the talon.
    talon : tuple of (int or None), or None
        Talon cards in draw order, the face-up card last, None for an unknown card; empty when used up. None
        for a closed talon whose size is not known: it no longer matters.
    gone : int or None
        Cards played, None where it is not known which (and does not matter).
    turn : int
        Who plays next: 0 or 1.
    led : int or None
        The card to be replied to. It has left the leader's hand.
    announced : int
        0, 20 or 40: the led card was announced as a marriage.
    points : tuple of int
        Counted points of both.
    tricks : tuple of int, or None
        Tricks taken by both, None where only the points tell who has any.
    pending : tuple of int
        Marriage points waiting for a first trick.
    closed : Closure or None
        Who closed the talon.
    score : tuple of int
        Game points each still needs in the match.
    rules : Rules
        The options in force.
    outcome : int or None
        Game points for ``me`` once the deal is over.

    Examples
    --------
    >>> position = Position.parse("trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@28")
    >>> [str(move) for move in position.legal_moves()]
    ['HT', 'HK', 'DT', 'DQ', 'DJ']
    >>> position.play("DJ").legal_moves()
    [Move.parse('DA'), Move.parse('DK')]
    """

    me: int
    opp: int
    trump: int
    face_up: int | None = None
    talon: tuple[int | None, ...] | None = ()
    gone: int | None = None
    turn: int = 0
    led: int | None = None
    announced: int = 0
    points: tuple[int, int] = (0, 0)
    tricks: tuple[int, int] | None = None
    pending: tuple[int, int] = (0, 0)
    closed: Closure | None = None
    score: tuple[int, int] = (7, 7)
    rules: Rules = Rules()
    outcome: int | None = None

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read the ``key=value`` tokens of one position.

        Raises
        ------
        RecordError
            Naming the key, the first contradiction and the mend.
        """
        from bummerl.records import parse_line, two_handed

        return two_handed(parse_line(text).position, "Position")

    def __str__(self) -> str:
        """Write the canonical ``key=value`` tokens; what has its default is left out."""
        from bummerl.records import position_text

        return position_text(self)

    def __repr__(self) -> str:
        """Write an expression that gives the position back."""
        return f"Position.parse({str(self)!r})"

    def changed(self, **changes: Any) -> Position:
        """Return this position with other values of some attributes: `dataclasses.replace`, five times as fast."""
        if not changes.keys() <= _NAME_SET:
            raise TypeError(f"a position has no {', '.join(changes.keys() - _NAME_SET)}")
        new = object.__new__(Position)
        for name in _NAMES:
            _set(new, name, changes[name] if name in changes else getattr(self, name))
        return new

    # What is known.

    @property
    def opp_size(self) -> int:
        """How many cards the opponent holds, known or not."""
        size = self.me.bit_count()
        if self.led is None:
            return size
        return size - 1 if self.turn == 0 else size + 1

    @property
    def total_tricks(self) -> int | None:
        """How many tricks have been played, None where a closed talon hides it."""
        if self.talon is None:
            return None
        in_play = self.me.bit_count() + self.opp_size + (self.led is not None)
        return (self.rules.deck.size - in_play - len(self.talon)) // 2

    @property
    def talon_left(self) -> int:
        """Talon cards that can still be drawn: none once it is closed."""
        return 0 if self.closed or self.talon is None else len(self.talon)

    @property
    def strict(self) -> bool:
        """Say whether replies have to follow suit: the talon is closed or used up."""
        return self.talon_left == 0

    @property
    def is_complete(self) -> bool:
        """Say whether everything that can still be played is known."""
        if self.opp.bit_count() != self.opp_size:
            return False
        return self.strict or None not in (self.talon or ())

    @property
    def unseen(self) -> int:
        """Cards whose place ``me`` does not know: in the opponent's hand or face down in the talon."""
        return self.not_in_play & ~(self.gone or 0)

    @property
    def not_in_play(self) -> int:
        """Cards that are gone, or whose place ``me`` does not know."""
        known = self.me | self.opp
        for seen in (self.led, self.face_up if self.talon != () else None, *(self.talon or ())):
            if seen is not None:
                known |= 1 << seen
        return self.rules.deck.pack & ~known

    def has_trick(self, player: int) -> bool:
        """Say whether a player has taken a trick."""
        return self.points[player] > 0 or (self.tricks is not None and self.tricks[player] > 0)

    @property
    def hand(self) -> int:
        """The hand of the player on turn, as far as it is known."""
        return self.opp if self.turn else self.me

    def swapped(self) -> Position:
        """Return the same position seen from the other side: a complete one only, since hands swap places."""
        return self.changed(
            me=self.opp,
            opp=self.me,
            turn=1 - self.turn,
            points=self.points[::-1],
            tricks=None if self.tricks is None else self.tricks[::-1],
            pending=self.pending[::-1],
            closed=None if self.closed is None else replace(self.closed, by=1 - self.closed.by),
            score=self.score[::-1],
            outcome=None if self.outcome is None else -self.outcome,
        )

    # Moves.

    @property
    def is_undrawn(self) -> bool:
        """Say whether the winner of a trick has not drawn yet, since he may close before."""
        return self.led is None and self.talon_left > 0 and self.me.bit_count() < self.rules.deck.hand_size

    @property
    def may_exchange(self) -> bool:
        """Say whether the player on turn may exchange the lowest trump."""
        jack = self.rules.deck.lowest(self.trump)
        return (
            self.led is None
            and not self.is_undrawn
            and self.outcome is None
            and self.talon_left >= self.rules.exchange_min_talon
            and bool(self.hand >> jack & 1)
            and self.face_up is not None
            and (self.has_trick(self.turn) or self.rules.exchange_before_first_trick)
        )

    @property
    def may_close(self) -> bool:
        """Say whether the player on turn may close the talon."""
        left = self.talon_left
        return (
            self.led is None
            and self.outcome is None
            and left >= max(self.rules.close_min_talon, 2)
            and (left < self.rules.deck.talon or self.rules.close_before_first_trick)
        )

    def marriage(self, hand: int, index: int) -> int:
        """Return the points that leading a card of a hand can announce: 0, 20 or 40."""
        rank = rank_of(index)
        if rank == KING:
            partner = index + QUEEN - KING
        elif rank == QUEEN and not self.rules.marriage_king_only:
            partner = index + KING - QUEEN
        else:
            return 0
        if not hand >> partner & 1 or (self.strict and self.rules.deck.marriages_open):
            return 0
        if not (self.has_trick(self.turn) or self.rules.marriage_before_first_trick):
            return 0
        return 40 if suit_of(index) == self.trump else 20

    def legal_moves(self) -> list[Move]:
        """List every legal move of the player on turn.

        Returns
        -------
        list of Move
            Leads without exchanging or closing first; announcing and keeping quiet are different moves.

        Raises
        ------
        MoveError
            If the opponent is on turn and his hand is not known.
        """
        if self.outcome is not None:
            return []
        if self.turn == 1 and self.opp.bit_count() != self.opp_size:
            raise MoveError("the opponent is on turn and his hand is not known")
        hand = self.hand
        if self.led is not None:
            return [Move(index) for index in cards_in(legal_replies(hand, self.led, self.trump, self.strict))]
        if self.is_undrawn:
            closing = [Move(index, close=True) for index in cards_in(hand)] if self.may_close else []
            return [DRAW, *closing]
        hands = [(False, hand)]
        if self.may_exchange and self.face_up is not None:
            hands.append((True, hand & ~(1 << self.rules.deck.lowest(self.trump)) | 1 << self.face_up))
        moves = []
        for close in (False, True) if self.may_close else (False,):
            for exchange, cards in hands:
                for index in cards_in(cards):
                    bonus = 0 if close and self.rules.deck.marriages_open else self.marriage(cards, index)
                    moves += [Move(index, marriage, exchange, close) for marriage in ((bonus, 0) if bonus else (0,))]
        return moves

    def play(self, move: Move | str) -> Position:
        """Return the position after a move of the player on turn.

        Parameters
        ----------
        move : Move or str
            A legal move.

        Returns
        -------
        Position
            With `outcome` set when the deal is over: whoever reaches 66 claims at once. With open cards
            claiming later is never better: the claimer's points only grow, and so do the other's.

        Raises
        ------
        MoveError
            If the move is not legal, or draws a card that is not known.
        """
        if isinstance(move, str):
            move = Move.parse(move)
        if self.outcome is not None:
            raise MoveError("the deal is over")
        if move not in self.legal_moves():
            moves = ", ".join(str(m) for m in self.legal_moves())
            raise MoveError(f"{move} is not legal here; legal are {moves}")
        if move == DRAW:
            return self._draw()
        return self._lead(move) if self.led is None else self._reply(move.card)

    def _lead(self, move: Move) -> Position:
        player = self.turn
        hand = self.hand
        talon, face_up, closed = self.talon, self.face_up, self.closed
        if move.exchange and face_up is not None and talon:
            jack = self.rules.deck.lowest(self.trump)
            hand = hand & ~(1 << jack) | 1 << face_up
            face_up, talon = jack, (*talon[:-1], jack)
        if move.close:
            closed = Closure(
                player, self.points[1 - player], self.has_trick(1 - player) and not self.points[1 - player]
            )
        points, pending = list(self.points), list(self.pending)
        (points if self.has_trick(player) else pending)[player] += move.marriage
        hand &= ~(1 << move.card)
        after = self.changed(
            me=self.me if player else hand,
            opp=hand if player else self.opp,
            talon=talon,
            face_up=face_up,
            closed=closed,
            turn=1 - player,
            led=move.card,
            announced=move.marriage,
            points=(points[0], points[1]),
            pending=(pending[0], pending[1]),
        )
        return after._claimed(player)

    def _reply(self, index: int) -> Position:
        assert self.led is not None  # noqa: S101  (a reply needs a lead)
        player, led = self.turn, self.led
        winner = player if beats(index, led, self.trump) else 1 - player
        points, pending = list(self.points), list(self.pending)
        points[winner] += points_of(index) + points_of(led) + pending[winner]
        pending[winner] = 0
        tricks = None
        if self.tricks is not None:
            tricks = (self.tricks[0] + (winner == 0), self.tricks[1] + (winner == 1))
        hands = [self.me, self.opp]
        hands[player] &= ~(1 << index)
        last = not any(hands)
        if last and not self.closed and self.rules.deck.last_ten:
            points[winner] += 10
        after = self.changed(
            me=hands[0],
            opp=hands[1],
            gone=None if self.gone is None else self.gone | 1 << index | 1 << led,
            turn=winner,
            led=None,
            announced=0,
            points=(points[0], points[1]),
            pending=(pending[0], pending[1]),
            tricks=tricks,
        )._claimed(winner)
        if after.outcome is not None:
            return after
        if self.talon_left:
            return after if self.rules.deck.close_undrawn and after.may_close else after._draw()
        if not last:
            return after
        if self.closed:
            return after.changed(outcome=self._failed())
        if self.rules.deck.last_ten:
            return after.changed(outcome=0)
        return after.changed(outcome=1 if winner == 0 else -1)

    def _draw(self) -> Position:
        """Both draw, first the player on turn, who has won the trick."""
        assert self.talon  # noqa: S101  (otherwise there is nothing to draw)
        first, second = self.talon[0], self.talon[1]
        if first is None or second is None:
            raise MoveError("the cards drawn after this trick are not known")
        hands = [self.me, self.opp]
        hands[self.turn] |= 1 << first
        hands[1 - self.turn] |= 1 << second
        talon = self.talon[2:]
        return self.changed(me=hands[0], opp=hands[1], talon=talon, face_up=self.face_up if talon else None)

    def _claimed(self, player: int) -> Position:
        """End the deal if a player has just reached 66."""
        if self.points[player] < TARGET:
            return self
        if self.closed is None:
            value = win_value(self.points[1 - player], self.has_trick(1 - player))
        elif self.closed.by != player:
            return self.changed(outcome=self._failed())
        elif self.rules.closed_count == "end":
            value = win_value(self.points[1 - player], self.has_trick(1 - player))
        else:
            value = win_value(self.closed.points, self.closed.has_trick)
        return self.changed(outcome=-value if player else value)

    def _failed(self) -> int:
        assert self.closed is not None  # noqa: S101  (only a close can fail)
        lost = close_penalty(self.closed.has_trick)
        return lost if self.closed.by else -lost


def close_penalty(other_has_trick: bool) -> int:
    """Return what a failed close costs: 3 if the other had no trick when the talon was closed, else 2."""
    return 2 if other_has_trick else 3


def beats(reply: int, led: int, trump: int) -> bool:
    """Say whether a reply takes the trick from the led card."""
    if suit_of(reply) == suit_of(led):
        return reply > led
    return suit_of(reply) == trump


def legal_replies(hand: int, led: int, trump: int, strict: bool) -> int:
    """Return the cards of a hand that may be played to a lead.

    Parameters
    ----------
    hand : int
        The replier's hand.
    led : int
        The led card.
    trump : int
        The trump suit.
    strict : bool
        The talon is closed or used up: a higher card of the suit, else a lower one, else a trump, else any.
    """
    if not strict:
        return hand
    follow = hand & suit_mask(suit_of(led))
    higher = follow & ~((2 << led) - 1)
    return higher or follow or hand & suit_mask(trump) or hand


_NAMES = tuple(field.name for field in fields(Position))
_NAME_SET = set(_NAMES)
_set = object.__setattr__
