"""A position of Bauernschnapsen or Dreierschnapsen, all cards known: a value, its legal moves, play, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bummerl.cards import DECK, hand_points, hand_text, points_of
from bummerl.games.contracts import Aim, Contract
from bummerl.games.table_rules import TableRules
from bummerl.games.tricks import legal_cards, marriage, winner
from bummerl.moves import Move, MoveError

SEATS = ("p1", "p2", "p3", "p4")
TARGET, HALF = 66, 33


@dataclass(frozen=True, slots=True)
class TablePosition:
    """Four hands, or three, a contract, and what has been played.

    Attributes
    ----------
    contract : Contract
        What is played.
    declarer : int
        His seat, 0 for forehand to 3 for the dealer.
    trump : int or None
        The trump suit.
    hands : tuple of int
        The cards each player holds.
    turn : int
        Who plays next.
    trick : tuple of int
        The cards on the table, in order.
    points : tuple of int
        Card points of the declarer's side and the other one, marriages included.
    tricks : tuple of int
        Their tricks.
    kontra : int
        1, 2, 4 or 8.
    rules : TableRules
        The table's options.
    talon : int
        Dreierschnapsen: the two cards the declarer is to take, or 0.
    discard : int
        Dreierschnapsen: the two cards he has laid away, or 0 where they are not known.

    Examples
    --------
    >>> text = "game=bauernschnapsen contract=schnapser declarer=p1 trump=H p1=HAT,SA,DKJ p2=HKQ,SQ,DAT p3=HJ,STK,CTK p4=SJ,DQ,CAQJ"
    >>> position = TablePosition.parse(text)
    >>> position.side_of(2), position.legal_moves()[0]
    (0, Move.parse('SA'))
    """

    contract: Contract
    declarer: int
    trump: int | None
    hands: tuple[int, ...]
    turn: int
    trick: tuple[int, ...] = ()
    points: tuple[int, int] = (0, 0)
    tricks: tuple[int, int] = (0, 0)
    kontra: int = 1
    rules: TableRules = TableRules()
    talon: int = 0
    discard: int = 0

    @classmethod
    def parse(cls, text: str) -> TablePosition:
        """Read a line of ``key=value`` tokens.

        Raises
        ------
        RecordError
            Naming the key, what is wrong and how to mend it.
        """
        from bummerl.records import parse_line

        found = parse_line(text).position
        if not isinstance(found, cls):
            raise ValueError(f"this is a position of another game: {found}")
        return found

    def __str__(self) -> str:
        """Write the canonical line."""
        from bummerl.games.table_records import table_fields

        return " ".join(f"{key}={value}" for key, value in table_fields(self).items())

    def __repr__(self) -> str:
        """Write an expression that gives the position back."""
        return f"TablePosition.parse({str(self)!r})"

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that play, in order from forehand."""
        if self.is_dreier:
            return (0, 1, 2)
        sits_out = self.contract.aim is Aim.NO_TRICK and self.rules.bettler_partner == "out"
        return tuple(s for s in range(4) if not (sits_out and s == (self.declarer + 2) % 4))

    @property
    def is_dreier(self) -> bool:
        """Whether three play."""
        return len(self.hands) == 3

    @property
    def dealt(self) -> int:
        """How many tricks a deal has."""
        return 6 if self.is_dreier else 5

    def after(self, seat: int, places: int = 1) -> int:
        """Return who sits so many places after a player, among those who play."""
        order = self.players
        return order[(order.index(seat) + places) % len(order)]

    def side_of(self, seat: int) -> int:
        """Return 0 for the declarer's side, 1 for the other one."""
        return int(seat != self.declarer) if self.is_dreier else (seat - self.declarer) % 2

    @property
    def leader(self) -> int:
        """Who led to this trick, or is to lead."""
        return self.after(self.turn, -len(self.trick))

    @property
    def first_leader(self) -> int:
        """Who leads to the first trick: forehand with trumps, the declarer without."""
        if not self.contract.has_trump and self.rules.nt_lead == "declarer":
            return self.declarer
        return self.players[0]

    @property
    def must_beat(self) -> bool:
        """Whether a higher card has to be played: by the options in a Durchmarsch, and in the Rufer of three."""
        if self.is_dreier and self.contract.aim is Aim.RACE:
            return self.rules.dreier_rufer_duty == "strict"
        return self.contract.name != "durchmarsch" or self.rules.gang_duty == "strict"

    @property
    def is_free(self) -> bool:
        """Whether there are no duties, by the options for the Rufer of three."""
        return self.is_dreier and self.contract.aim is Aim.RACE and self.rules.dreier_rufer_duty == "free"

    @property
    def suit(self) -> int | None:
        """The trump suit that counts in this contract."""
        return self.trump if self.contract.has_trump else None

    def announces(self, seat: int, index: int) -> int:
        """Return what counts when a player leads a card with its mate in hand."""
        bonus = marriage(self.hands[seat], index, self.suit)
        if self.contract.aim is Aim.RACE:
            return bonus
        if self.contract.aim is not Aim.THREE_TRICKS:
            return 0
        if seat == self.declarer:
            return bonus
        # Forehand, who leads for his partner.
        return bonus if bonus == 20 and self.rules.leader_twenty and not self.side_of(seat) else 0

    def legal_moves(self) -> list[Move]:
        """Return the moves of the player on turn; marriages are announced, since that never harms."""
        if self.outcome is not None or self.talon:
            return []
        hand = self.hands[self.turn]
        c = self.contract
        cards = legal_cards(
            hand, self.trick, self.suit, must_beat=self.must_beat, ten_hole=c.ten_hole, free=self.is_free
        )
        found = [index for index in sorted(range(24), key=lambda i: (i // 6, -(i % 6))) if cards >> index & 1]
        return [Move(index, 0 if self.trick else self.announces(self.turn, index)) for index in found]

    def play(self, move: Move | str) -> TablePosition:
        """Return the position after a move; who announces and reaches 66 has claimed.

        Raises
        ------
        MoveError
            If the rules do not allow the move.
        """
        move = Move.parse(move) if isinstance(move, str) else move
        quiet = replace(move, marriage=0)
        legal = self.legal_moves()
        if move not in legal and quiet not in [replace(one, marriage=0) for one in legal]:
            raise MoveError(f"{move.pretty()} is not allowed here")
        if move.marriage and move not in legal:
            raise MoveError(f"{move.pretty()}: nothing is announced here")
        hands = tuple(h & ~(1 << move.card) if s == self.turn else h for s, h in enumerate(self.hands))
        points = list(self.points)
        points[self.side_of(self.turn)] += move.marriage
        trick = (*self.trick, move.card)
        after = replace(self, hands=hands, trick=trick, points=(points[0], points[1]), turn=self.after(self.turn))
        return after._ended() if len(trick) == len(self.players) else after

    def _ended(self) -> TablePosition:
        """Give the trick to its winner."""
        won = self.after(self.turn, winner(self.trick, self.suit, self.contract.ten_hole))
        side = self.side_of(won)
        points, tricks = list(self.points), list(self.tricks)
        if self.contract.aim in (Aim.RACE, Aim.THREE_TRICKS):
            points[side] += sum(map(points_of, self.trick))
        # But for a race, a trick of his partner is not his.
        tricks[side if self.contract.aim is Aim.RACE else int(won != self.declarer)] += 1
        return replace(self, trick=(), points=(points[0], points[1]), tricks=(tricks[0], tricks[1]), turn=won)

    @property
    def worth(self) -> int:
        """Game points of the contract, Kontra included; of a race 1, 2 or 3 times this."""
        return self.rules.value_of(self.contract) * self.kontra

    @property
    def cards_left(self) -> int:
        """How many cards the fullest hand of those who play holds."""
        return max(self.hands[seat].bit_count() for seat in self.players)

    @property
    def outcome(self) -> int | None:
        """Game points of the declarer's side, or None while the deal goes on."""
        aim = self.contract.aim
        over = not self.cards_left and not self.trick
        if aim is Aim.RACE:
            return self._race_outcome(over)
        if aim is Aim.NO_TRICK:
            return -self.worth if self.tricks[0] else self.worth if over else None
        if self.tricks[1]:
            return -self.worth
        if aim is Aim.ALL_TRICKS:
            return self.worth if over else None
        whole = self.rules.schnapser_end == "three"
        if self.points[0] >= TARGET and self.tricks[0] and (not whole or self.tricks[0] >= 3):
            return self.worth
        return -self.worth if self.tricks[0] >= 3 else None

    def _race_outcome(self, over: bool) -> int | None:
        # Whoever is on turn has won the last trick, or has just announced.
        side = self.side_of(self.leader)
        if over and self.rules.last_trick == "one":
            found = 1
        elif over or (self.points[side] >= TARGET and self.tricks[side]):
            found = 3 if not self.tricks[1 - side] else 2 if self.points[1 - side] < HALF else 1
        else:
            return None
        return (found if side == 0 else -found) * self.worth

    def may_claim(self, seat: int) -> bool:
        """Say whether a player of a race may say that his side has 66: it has just won a trick, or announced."""
        if self.contract.aim is not Aim.RACE or not sum(self.tricks):
            return False
        if self.rules.claim == "on_lead":
            return seat == self.leader
        return len(self.trick) < 2 and self.side_of(seat) == self.side_of(self.leader)

    def claim(self, seat: int) -> int:
        """Return the game points of the declarer's side when a player claims; a false claim wins for the others.

        Raises
        ------
        MoveError
            If he may not claim now.
        """
        if not self.may_claim(seat):
            raise MoveError("a claim follows a trick or an announcement of one's own side, in a race to 66")
        side = self.side_of(seat)
        worth = 3 if not self.tricks[1 - side] else 2 if self.points[1 - side] < HALF else 1
        if self.points[side] < TARGET or not self.tricks[side]:
            if self.rules.false_claim == "two_three":
                worth = 2 if self.tricks[1 - side] else 3
            worth = -worth
        return (worth if side == 0 else -worth) * self.worth

    def revoke(self, seat: int) -> int:
        """Return the game points of the declarer's side when a player has revoked: his side loses the deal."""
        worth = self.rules.revoke_penalty if self.contract.aim is Aim.RACE else 1
        return (-worth if self.side_of(seat) == 0 else worth) * self.worth

    def lay_away(self, cards: int) -> TablePosition:
        """Return the position after the declarer has taken the talon and laid two cards away.

        Raises
        ------
        MoveError
            If these are not two of his eight cards.
        """
        hand = self.hands[self.declarer] | self.talon
        if not self.talon or cards.bit_count() != 2 or cards & ~hand:
            raise MoveError(
                f"{hand_text(cards) or 'nothing'} cannot be laid away: two of the declarer's eight cards are"
            )
        hands = tuple(hand & ~cards if seat == self.declarer else held for seat, held in enumerate(self.hands))
        points = self.points
        if self.rules.discards == "defenders" and self.contract.aim is Aim.RACE:
            points = (points[0], points[1] + hand_points(cards))
        return replace(self, hands=hands, talon=0, discard=cards, points=points)

    def changed(self, **changes: Any) -> TablePosition:
        """Return a copy with other attributes."""
        return replace(self, **changes)

    @property
    def gone_points(self) -> int:
        """Card points of the tricks that were taken."""
        held = sum(1 << index for index in self.trick)
        for hand in self.hands:
            held |= hand
        return hand_points(DECK & ~held & ~self.discard & ~self.talon)
