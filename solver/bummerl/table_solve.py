"""Exact values of Bauernschnapsen with open cards: the contract's outcome, every card, and a line of best play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bummerl.cards import hand_text, points_of, suit_of
from bummerl.engine import card_to_kernel, kernels, to_kernel, workspaces
from bummerl.errors import RecordError
from bummerl.games.table import SEATS, TARGET, TablePosition
from bummerl.games.tricks import winner
from bummerl.kernels import table_layout as layout
from bummerl.moves import Move
from bummerl.results import MoveValue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int64]

FEATURES = {
    "table": layout.USE_TABLE,
    "slack": layout.USE_SLACK,
    "winners": layout.USE_WINNERS,
    "order": layout.USE_ORDER,
    "reach": layout.USE_REACH,
}


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How to search; no setting changes a value.

    Attributes
    ----------
    table_bits : int
        The table has ``2 ** table_bits`` entries of 24 bytes.
    features : frozenset of str
        Parts of the search in use: ``table`` (answers between tricks), ``slack`` (they hold for a range of scores),
        ``winners`` (hands that take every trick), ``order`` (good cards first), ``reach`` (points that cannot be
        reached).
    """

    table_bits: int = 12
    features: frozenset[str] = frozenset(FEATURES)


DEFAULT_TABLE = TableSettings()


class TableWorkspace:
    """Memory for one search at a time; `Interrupt` can stop it."""

    def __init__(self, settings: TableSettings = DEFAULT_TABLE) -> None:
        import numpy as np

        self.array: Array = np.zeros(layout.TABLE + (3 << settings.table_bits), dtype=np.int64)
        self.array[layout.TABLE_MASK] = (1 << settings.table_bits) - 1
        self.array[layout.FEATURES] = sum(FEATURES[name] for name in settings.features)
        if workspaces.interrupt is not None:
            workspaces.interrupt.watched.append(self)

    @property
    def stopped(self) -> bool:
        """Say whether the search was told to stop."""
        return bool(self.array[layout.STOP])

    @stopped.setter
    def stopped(self, value: bool) -> None:
        self.array[layout.STOP] = value


@dataclass(frozen=True, slots=True)
class TableTrick:
    """One trick of a line: who led, the moves in order, who took it, and both sides' points after it."""

    leader: int
    moves: tuple[Move, ...]
    winner: int
    points: tuple[int, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "leader": SEATS[self.leader],
            "cards": [str(move) for move in self.moves],
            "winner": SEATS[self.winner],
            "points": f"{self.points[0]}:{self.points[1]}",
        }


@dataclass(frozen=True, slots=True)
class TableSolution:
    """The exact outcome of a position of Bauernschnapsen, with open cards and best play by all.

    Attributes
    ----------
    position : TablePosition
        What was solved.
    value : int
        Game points for the declarer's side, contract value and Kontra included; in a Rufer forehand's side.
    moves : tuple of MoveValue
        Every legal card of the player on turn, the best for him first.
    line : tuple of Move
        A game of best play to the end of the deal.
    tricks : tuple of TableTrick
        The same game trick by trick, from the one on the table.
    nodes : int
        Positions searched.
    discard : int
        Dreierschnapsen: the best two cards to lay away, where that was still to be done.
    """

    position: TablePosition
    value: int
    moves: tuple[MoveValue, ...]
    line: tuple[Move, ...]
    tricks: tuple[TableTrick, ...]
    nodes: int
    discard: int = 0

    @property
    def made(self) -> bool:
        """Whether the contract is made, or the race won."""
        return self.value > 0

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that keep the value."""
        return tuple(found.move for found in self.moves if found.value == self.value)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        laid = {"discard": hand_text(self.discard)} if self.discard else {}
        return {
            "value": self.value,
            "kind": "exact",
            **laid,
            "contract": self.position.contract.name,
            "made": self.made,
            "best": [str(move) for move in self.best],
            "moves": [found.to_dict() for found in self.moves],
            "line": [str(move) for move in self.line],
            "nodes": self.nodes,
        }


def _ten_hole(hand: int) -> int:
    """Put the aces below the jacks, where the nines would be."""
    aces = hand & 0x820820
    return hand & ~aces | aces >> 5


def card_in(position: TablePosition, index: int) -> int:
    """Return the kernel's number of a card."""
    if position.contract.ten_hole:
        return index - 5 if index % 6 == 5 else index
    return card_to_kernel(index, position.suit or 0)


def card_out(position: TablePosition, index: int) -> int:
    """Return the card of a kernel's number."""
    if position.contract.ten_hole:
        return index + 5 if index % 6 == 0 else index
    return card_to_kernel(index, position.suit or 0)


def to_row(position: TablePosition) -> Array:
    """Return a position as the integers the kernels read, see `kernels.table_layout`."""
    import numpy as np

    p = position
    row = np.zeros(layout.ROW_LENGTH, dtype=np.int64)
    players = p.players
    for seat in players:
        hand = _ten_hole(p.hands[seat]) if p.contract.ten_hole else to_kernel(p.hands[seat], p.suit or 0)
        row[layout.HAND + seat] = hand
        row[layout.NEXT + seat] = p.after(seat)
    row[layout.KIND] = p.contract.aim.value
    row[layout.DECLARER] = p.declarer
    row[layout.SIDE] = sum(1 << seat for seat in range(len(p.hands)) if p.side_of(seat) == 0)
    row[layout.NEED], row[layout.OTHER] = TARGET - p.points[0], TARGET - p.points[1]
    row[layout.TAKEN] = (p.tricks[0] > 0) | (p.tricks[1] > 0) << 1
    row[layout.TRUMPS] = 0 if p.suit is None else 0x3F
    row[layout.FLAGS] = (
        (not p.must_beat) * layout.FOLLOW_ONLY
        | (p.rules.schnapser_end == "three") * layout.WHOLE_THREE
        | p.rules.leader_twenty * layout.LEADER_TWENTY
        | (p.rules.last_trick == "one") * layout.LAST_IS_ONE
        | p.is_free * layout.ANY_CARD
        | (p.rules.discards == "defenders" and p.is_dreier) * layout.DISCARDS_COUNT
    )
    row[layout.PLAYERS] = len(players)
    row[layout.DEALT] = p.dealt
    if p.talon:
        row[layout.TALON] = 1
        row[layout.HAND + 3] = _ten_hole(p.talon) if p.contract.ten_hole else to_kernel(p.talon, p.suit or 0)
    trick = p.turn | (len(players) - len(p.trick)) << layout.LEFT_SHIFT | layout.NOTHING
    if p.trick:
        place = winner(p.trick, p.suit, p.contract.ten_hole)
        led = suit_of(card_in(p, p.trick[0]))
        trick = (
            p.turn
            | (len(players) - len(p.trick)) << layout.LEFT_SHIFT
            | card_in(p, p.trick[place]) << layout.BEST_SHIFT
            | p.after(p.leader, place) << layout.BY_SHIFT
            | led << layout.LED_SHIFT
            | sum(map(points_of, p.trick)) << layout.POINTS_SHIFT
        )
    row[layout.TRICK] = trick
    return row


def require_open(position: TablePosition) -> None:
    """Raise a `RecordError` if a deal is over."""
    if position.outcome is not None:
        raise RecordError("tricks", "the deal is over", "there is nothing left to solve")


def solve_table(
    position: TablePosition, settings: TableSettings = DEFAULT_TABLE, *, line: bool = True
) -> TableSolution:
    """Solve a position of Bauernschnapsen exactly: all see all cards and play their best.

    Parameters
    ----------
    position : TablePosition
        Any position of a contract, also in the middle of a trick.
    settings : TableSettings, optional
        Search settings; they change nodes, never values.
    line : bool
        Find a line of best play too.

    Raises
    ------
    RecordError
        If the deal is over.

    Examples
    --------
    >>> text = "game=bauernschnapsen contract=schnapser declarer=p1 trump=H p1=HAT,SA,DKJ p2=HKQ,SQ,DAT p3=HJ,STK,CTK p4=SJ,DQ,CAQJ"
    >>> solution = solve_table(TablePosition.parse(text))
    >>> solution.value, [str(move) for move in solution.best]
    (6, ['SA', 'HA', 'HT'])
    """
    import numpy as np

    require_open(position)
    kernel = kernels("four_handed")
    workspace = TableWorkspace(settings)
    row = to_row(position)
    found = np.zeros(24, dtype=np.int64)
    kernel.moves(workspace.array, row, found)
    scale = position.worth
    if position.talon:
        # The best two cards to lay away; then the deal is solved from there.
        kernel.best_discard(workspace.array, row, found)
        laid = sum(1 << card_out(position, index) for index in range(24) if int(found[0]) >> index & 1)
        return replace(solve_table(position.lay_away(laid), settings, line=line), position=position, discard=laid)
    values = [MoveValue(move, int(found[card_in(position, move.card)]) * scale) for move in position.legal_moves()]
    mine = position.side_of(position.turn) == 0
    values.sort(key=lambda one: -one.value if mine else one.value)
    value = values[0].value
    play: list[Move] = []
    tricks: tuple[TableTrick, ...] = ()
    if line:
        cards = np.zeros(24, dtype=np.int64)
        count = kernel.line(workspace.array, row, value // scale, cards)
        play, tricks = _told(position, [card_out(position, int(index)) for index in cards[:count]])
    if workspace.stopped:
        raise InterruptedError("the search was stopped")
    return TableSolution(position, value, tuple(values), tuple(play), tricks, int(workspace.array[layout.NODES]))


def _told(position: TablePosition, cards: list[int]) -> tuple[list[Move], tuple[TableTrick, ...]]:
    """Tell a line trick by trick."""
    moves: list[Move] = []
    tricks: list[TableTrick] = []
    here = position
    open_trick = [Move(index) for index in position.trick]
    for index in cards:
        move = next(one for one in here.legal_moves() if one.card == index)
        leader = here.leader
        after = here.play(move)
        moves.append(move)
        open_trick.append(move)
        if not after.trick or after.outcome is not None:
            tricks.append(
                TableTrick(leader, tuple(open_trick), after.turn if not after.trick else leader, after.points)
            )
            open_trick = []
        here = after
    return moves, tuple(tricks)


def solve_tables(
    positions: Sequence[TablePosition], settings: TableSettings = DEFAULT_TABLE
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the exact values of many positions, and the nodes searched for each; the GIL is free meanwhile.

    Examples
    --------
    >>> text = "game=bauernschnapsen contract=bettler declarer=p2 p1=HAT,SA,DKJ p2=SQJ,HJ,DQ,CJ p3=HKQ,SK,DAT p4=ST,CATKQ"
    >>> solve_tables([TablePosition.parse(text)])[0].tolist()
    [5]
    """
    import numpy as np

    for position in positions:
        require_open(position)
    values, nodes = value_rows(table_rows(positions), TableWorkspace(settings))
    return values * np.array([position.worth for position in positions], dtype=np.int64), nodes


def table_rows(positions: Sequence[TablePosition]) -> Array:
    """Return positions as an array of shape (n, ROW_LENGTH)."""
    import numpy as np

    return np.array([to_row(position) for position in positions], dtype=np.int64).reshape(-1, layout.ROW_LENGTH)


def value_rows(rows: Array, workspace: TableWorkspace) -> tuple[Array, Array]:
    """Return the values of rows, 1 and -1 for made or not or the points of a race, and the nodes searched for each."""
    import numpy as np

    values, nodes = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    kernels("four_handed").values(workspace.array, rows, values, nodes)
    if workspace.stopped:
        raise InterruptedError("the search was stopped")
    return values, nodes
