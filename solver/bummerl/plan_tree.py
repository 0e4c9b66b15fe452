"""A plan as a tree: what to play, whatever the opponent does, and which hands it does not beat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from bummerl.cards import KING, cards_in, hand_text, rank_of
from bummerl.engine import card_to_kernel
from bummerl.kernels import plan_layout as layout
from bummerl.moves import Move
from bummerl.position import Position, legal_replies
from bummerl.results import Refutation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Lines = NDArray[np.int64]

_ENDS = {layout.IS_WON: "won", layout.IS_LOST: "lost", layout.LAST_CARDS: "last trick", layout.HOPELESS: "hopeless"}


def pattern(some: Sequence[int], among: Sequence[int]) -> tuple[int, int] | None:
    """Say what some hands have in common that the others do not.

    Parameters
    ----------
    some, among : sequence of int
        Hands, and all hands they are to be told from.

    Returns
    -------
    tuple of int, or None
        Cards that exactly these hands all hold, and cards that they all lack, as few as possible; None if there
        is no such description.

    Examples
    --------
    >>> from bummerl.cards import parse_hand
    >>> hands = [parse_hand(text) for text in ("HJ,DQ", "HJ,DT", "DTQ")]
    >>> pattern(hands[:2], hands) == (parse_hand("HJ"), 0)
    True
    """
    if not some:
        return None
    holds = reduce(and_, some) & ~reduce(and_, among)
    lacks = reduce(or_, among) & ~reduce(or_, some)

    def fits(holds: int, lacks: int) -> bool:
        return sum(hand & holds == holds and not hand & lacks for hand in among) == len(some)

    if not fits(holds, lacks):
        return None
    found = []
    for cards in ([*cards_in(holds), *cards_in(lacks)], [*cards_in(lacks), *cards_in(holds)]):
        fewer = (holds, lacks)
        for card in cards:
            less = (fewer[0] & ~(1 << card), fewer[1] & ~(1 << card))
            if fits(*less):
                fewer = less
        found.append(fewer)
    return min(found, key=lambda pair: (pair[0] | pair[1]).bit_count())


@dataclass(frozen=True)
class PlanNode:
    """What the opponent may do at some point, and what the plan plays to it.

    Attributes
    ----------
    he : str
        ``replies`` or ``leads``; empty at the root.
    cards : tuple of Move
        The cards he may play, with a marriage he announces; the plan goes on in the same way for all of them.
    play : tuple of Move
        What the plan plays to it: a reply, a lead, a reply and the next lead, or nothing if he goes on.
    end : str
        Empty if it goes on; ``won``, ``lost``, ``last trick`` (the last cards decide it), or ``hopeless``
        (nothing that is possible here can be beaten any more, so anything may be played).
    hands, loses : tuple of int
        The hands with which he can come here, and those of them that beat the plan from here.
    then : tuple of PlanNode
        What he may do next.
    shape : int
        The same number for nodes after which the plan does the same.
    """

    he: str
    cards: tuple[Move, ...]
    play: tuple[Move, ...]
    end: str
    hands: tuple[int, ...] = field(repr=False)
    loses: tuple[int, ...] = field(repr=False)
    then: tuple[PlanNode, ...] = field(repr=False)
    shape: int = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; the hands that lose are listed where they do."""
        found: dict[str, Any] = {}
        if self.he:
            found |= {"he": self.he, "cards": [str(move) for move in self.cards]}
        found |= {"hands": len(self.hands), "loses": len(self.loses), "play": [str(move) for move in self.play]}
        if self.end:
            found["end"] = self.end
        if self.loses and (self.end or all(len(node.loses) == 0 for node in self.then)):
            found["loses_to"] = [hand_text(hand) for hand in self.loses]
        known = pattern(self.loses, self.hands) if len(self.loses) < len(self.hands) else None
        if known:
            found["loses_if"] = {"holds": hand_text(known[0]), "lacks": hand_text(known[1])}
        if self.then:
            found["then"] = [node.to_dict() for node in self.then]
        return found


@dataclass(frozen=True)
class PlanTree:
    """A plan, from the first move on.

    Attributes
    ----------
    root : PlanNode
        The first move and all that follows.
    """

    root: PlanNode

    @classmethod
    def build(cls, position: Position, first: Move, lines: Lines, hands: Sequence[int]) -> PlanTree:
        """Make the tree of a plan written down.

        Parameters
        ----------
        position : Position
            Where the first move is made.
        first : Move
            The first move.
        lines : int64 array
            See `kernels.plan_layout`.
        hands : sequence of int
            All hands the opponent can hold.
        """
        return cls(_Builder(position, first, lines).root(hands))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return self.root.to_dict()


def after_first(position: Position, first: Move, hand: int) -> Position:
    """Return the complete position after the first move, the opponent holding a certain hand."""
    known = replace(position, opp=hand)
    if not known.closed and known.talon and None in known.talon:
        # What lies in the talon does not matter any more once it is closed.
        hidden = cards_in(position.unseen & ~hand)
        known = replace(known, talon=(*hidden, known.talon[-1]))
    return known.play(first)


class _Builder:
    """Builds nodes by following every hand through the lines of a plan."""

    def __init__(self, position: Position, first: Move, lines: Lines) -> None:
        self.position = position
        self.first = first
        self.lines = lines.tolist()
        self.children: dict[int, list[int]] = {}
        self.shapes: dict[Any, int] = {}
        for number, line in enumerate(self.lines):
            self.children.setdefault(line[layout.PARENT], []).append(number)

    def root(self, hands: Sequence[int]) -> PlanNode:
        """Make the root: the first move, and what follows."""
        first = self.first
        led = first.card if self.position.led is None else None
        return self._node(-1, "", (), (first,), led, tuple(hands), 0)

    def move(self, number: int) -> Move:
        """Return the move of a line."""
        line = self.lines[number]
        return Move(card_to_kernel(line[layout.PLAYED], self.position.trump), line[layout.ANNOUNCED])

    def playable(self, led: int | None, hands: tuple[int, ...], played: int) -> list[int]:
        """Return for each of some hands the cards that may be played next, others having left it."""
        if led is None:
            return [hand & ~played for hand in hands]
        trump = self.position.trump
        return [legal_replies(hand & ~played, led, trump, strict=True) for hand in hands]

    def _node(
        self,
        number: int,
        he: str,
        cards: tuple[Move, ...],
        play: tuple[Move, ...],
        led: int | None,
        hands: tuple[int, ...],
        played: int,
    ) -> PlanNode:
        """Make the node of what is played so far, `number` being the last line of it."""
        while True:
            end = self.lines[number][layout.END] if number >= 0 else layout.GOES_ON
            below = self.children.get(number, [])
            if end or not below or self.lines[below[0]][layout.WHO] == layout.HIS:
                break
            number = below[0]
            if self.lines[number][layout.PLAYED] >= 0:
                move = self.move(number)
                play = (*play, move)
                led = move.card if led is None else None
        then = []
        he_does = "leads" if led is None else "replies"
        playable = self.playable(led, hands, played) if below and not end else []
        for child in below if not end else ():
            move = self.move(child)
            needed = 1 << move.card | (1 << partner_of(move.card) if move.marriage else 0)
            able = tuple(hand for hand, cards in zip(hands, playable, strict=True) if cards & needed == needed)
            after = move.card if led is None else None
            then.append(self._node(child, he_does, (move,), (), after, able, played | 1 << move.card))
        if then:
            losing = {hand for node in then for hand in node.loses}
            loses = tuple(hand for hand in hands if hand in losing)
        elif number < 0:
            # The first move has ended it, for every hand alike.
            outcome = after_first(self.position, play[0], hands[0]).outcome or 0
            end = layout.IS_WON if outcome > 0 else layout.IS_LOST
            loses = () if outcome > 0 else hands
        else:
            loses = self._loses(number, hands, played)
        merged = _merged(then)
        look = (he, play, end, tuple((node.cards, node.shape) for node in merged))
        shape = self.shapes.setdefault(look, len(self.shapes))
        return PlanNode(he, cards, play, _ENDS.get(end, ""), hands, loses, merged, shape)

    def _loses(self, number: int, hands: tuple[int, ...], played: int) -> tuple[int, ...]:
        """Return the hands that beat the plan where it ends."""
        losing = self.lines[number][layout.LOSING]
        if losing in (0, len(hands)):
            return hands if losing else ()
        path = []
        while number >= 0:
            if self.lines[number][layout.PLAYED] >= 0:
                path.append(self.move(number))
            number = self.lines[number][layout.PARENT]
        # So far all games are alike; only the card he has left makes a difference.
        game = after_first(self.position, self.first, hands[0])
        for move in reversed(path):
            game = game.play(move)
        last = {hand: replace(game, opp=hand & ~played) for hand in hands}
        return tuple(hand for hand in hands if (_play_out(last[hand])[0].outcome or 0) < 0)


def _play_out(game: Position) -> tuple[Position, list[Move]]:
    """Play the only cards left."""
    moves = []
    while game.outcome is None:
        moves.append(game.legal_moves()[0])
        game = game.play(moves[-1])
    return game, moves


def partner_of(card: int) -> int:
    """Return the other card of a marriage."""
    return card - 1 if rank_of(card) == KING else card + 1


def _merged(nodes: Sequence[PlanNode]) -> tuple[PlanNode, ...]:
    """Put together what he may do where the plan goes on in the same way."""
    groups: dict[int, list[PlanNode]] = {}
    for node in nodes:
        groups.setdefault(node.shape, []).append(node)
    return tuple(group[0] if len(group) == 1 else _united(group) for group in groups.values())


def outline(nodes: Sequence[PlanNode]) -> tuple[PlanNode, ...]:
    """Put together what he may do where the plan's next cards are the same, leaving out what follows them."""
    groups: dict[tuple[Any, ...], list[PlanNode]] = {}
    for node in nodes:
        groups.setdefault((node.he, node.play, node.end, bool(node.then)), []).append(node)
    return tuple(_united([replace(node, then=()) for node in group]) for group in groups.values())


def _united(group: list[PlanNode]) -> PlanNode:
    """Unite nodes of the same shape."""
    return replace(
        group[0],
        cards=tuple(dict.fromkeys(card for node in group for card in node.cards)),
        hands=tuple(dict.fromkeys(hand for node in group for hand in node.hands)),
        loses=tuple(dict.fromkeys(hand for node in group for hand in node.loses)),
        then=tuple(_united(list(same)) for same in zip(*(node.then for node in group), strict=True)),
    )


def refutations(
    position: Position, first: Move, lines: Lines, hands: Sequence[int], beatable: frozenset[int]
) -> Iterator[Refutation]:
    """Find how the opponent beats a plan with each of some hands.

    Parameters
    ----------
    position, first, lines
        See `PlanTree.build`.
    hands : sequence of int
        Hands that the plan does not beat.
    beatable : frozenset of int
        Those of them that are beaten with open cards.

    Yields
    ------
    Refutation
        A whole game: the plan's moves, and the opponent's that beat it. Where the plan has nothing left to win,
        it goes on with best play by both.
    """
    from bummerl.solve import solve

    builder = _Builder(position, first, lines)
    for hand in hands:
        game = after_first(position, first, hand)
        moves = _defence(builder, game, -1)
        if moves is None:
            raise ValueError(f"the plan beats {hand_text(hand)}")
        for move in moves:
            game = game.play(move)
        rest = () if game.outcome is not None else solve(game).line
        yield Refutation(hand, hand in beatable, (first, *moves, *rest))


def _defence(builder: _Builder, game: Position, number: int) -> list[Move] | None:
    """Return moves from a line on that beat the plan, or None."""
    if game.outcome is not None:
        return None if game.outcome > 0 else []
    for child in builder.children.get(number, []):
        line = builder.lines[child]
        if line[layout.LOSING] == 0:
            continue
        if line[layout.END] == layout.LAST_CARDS:
            over, moves = _play_out(game)
            return None if (over.outcome or 0) > 0 else moves
        if line[layout.END] == layout.HOPELESS:
            return []
        move = builder.move(child)
        if line[layout.WHO] == layout.HIS and move not in game.legal_moves():
            continue
        rest = _defence(builder, game.play(move), child)
        if rest is not None:
            return [move, *rest]
    return None
