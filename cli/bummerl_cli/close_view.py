"""A close as a card player reads it: the verdict, the numbers, what beats the plan, and the plan itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bummerl.cards import card_symbol, cards_in, hand_symbols
from bummerl.close_results import CloseResult, Count, FirstMove, PlanCount
from bummerl.moves import Move
from bummerl.plan_tree import PlanNode, outline, pattern
from bummerl.position import Position
from bummerl_cli.render import INDENT, NO_BREAK, hands, heading, paragraph, red_suits

if TYPE_CHECKING:
    from rich.console import Console

# Lines of the plan, and hands that beat it, without --full.
_LINES = 30
_EVERY_TRICK = 10
_HANDS = 3
# A condition with more cards than this helps nobody.
_CARDS = 4


def close_verdict(result: CloseResult) -> str:
    """Say whether closing succeeds, against how many hands, and how to begin."""
    plan, of = result.plan, result.hands
    position = result.position
    closed = position.closed
    move = result.first_move
    card = Move(move.card, move.marriage).pretty()
    exchange = "Exchange, close" if move.exchange else "Close"
    does = "Reply" if position.led is not None else "Lead"
    begin = f"{does} {card}." if closed else f"{exchange} and lead {card}."
    beats_close = closed is not None and closed.by == 1
    reach = "beat the close" if beats_close else "make 66"
    if result.hopeless:
        against = "" if of == 1 else f" against any of {of} hands"
        return f"{'Hopeless' if closed else 'Do not close'}: even with open cards you cannot {reach}{against}."
    if of == 1:
        return f"{begin} You {reach}."
    if result.laid_open:
        return f"{begin} You {reach} against all {of} hands: lay your cards open."
    makes = "beats the close" if beats_close else "makes 66"
    # What the best plan gains if it is as good as it can still be.
    most = (plan.upper * result.win + (plan.hands - plan.upper) * result.lose) / plan.hands
    if most < 0 and not closed:
        only = f"{plan.won} of {of}" if plan.exact else f"{plan.won} to {plan.upper} of {of}"
        return f"Do not close: the best plan {makes} against only {only} hands and loses points on average."
    if plan.exact:
        return f"{begin} One plan {makes} against {plan.won} of {of} hands."
    return f"{begin} One plan {makes} against at least {plan.won} of {of} hands, the best against at most {plan.upper}."


def render_close(console: Console, name: str, result: CloseResult, full: bool = False) -> None:
    """Print a close: verdict, cards, every first move, what beats the plan, and the plan."""
    heading(console, name, close_verdict(result), result.plan.expected > 0)
    hands(console, result.position)
    console.print(_table(result))
    console.print()
    for variant in result.variants:
        how = "exchanging first" if variant.exchange else "without exchanging"
        console.print(f"  {how}: plan {_of(variant.plan)}, open cards {_of(variant.open_cards)}")
    if result.variants:
        console.print()
    if not result.hopeless:
        if result.unbeaten:
            _losses(console, result, full)
        _plan(console, result, full)
    stake = f"at stake {result.win:+d} or {result.lose:+d} game points; expected: certain on average, by plan"
    paragraph(console, Text(stake, "dim"))
    kind = "exact" if result.plan.exact else f"the best beats {result.plan.won} to {result.plan.upper} hands"
    seen = "; open cards: seeing his hand" if result.hands > 1 else ""
    paragraph(console, Text(f"plan: {kind}, whatever he does{seen}; {result.nodes:,} positions", "dim"))
    console.print()


def _table(result: CloseResult) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    table.add_column(no_wrap=True)
    for _ in range(5):
        table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    what = "your move" if result.position.closed else "close, first lead"
    table.add_row("", *(Text(t, "dim") for t in (what, "plan", "", "open cards", "", "expected", "")))
    best = result.moves[0].plan
    for first in result.moves:
        equal = (first.plan.won, first.plan.points) == (best.won, best.points)
        mark = Text("<- best", "green") if equal and best.won else Text("")
        cells = (*_share(first.plan), *_share(first.open_cards), f"{first.plan.expected:+.2f}", mark)
        table.add_row("", red_suits(_first_move(first)), *cells)
    if result.open_cards.won > max(first.open_cards.won for first in result.moves):
        table.add_row("", Text("the best for each hand", "dim"), "", "", *_share(result.open_cards))
    return table


def _first_move(first: FirstMove) -> str:
    move = first.move
    return ("exchange, " if move.exchange else "") + Move(move.card, move.marriage).pretty()


def _of(count: Count) -> str:
    if isinstance(count, PlanCount) and not count.exact:
        return f"{count.won}-{count.upper}/{count.hands}"
    return f"{count.won}/{count.hands}"


def _share(count: Count) -> tuple[str, str]:
    return _of(count), f"{100 * count.probability:.1f} %"


# What beats the plan.


def condition(position: Position, some: Sequence[int], among: Sequence[int]) -> str:
    """Say which hands these are: by what they hold and lack, or listed if they are few, or nothing."""
    known = pattern(some, among)
    if known is None:
        return "he holds " + " or ".join(hand_symbols(hand) for hand in some) if len(some) <= 2 else ""
    holds, lacks = known
    if (holds | lacks).bit_count() > _CARDS:
        return ""
    down = 0 if position.talon is None else sum(card is None for card in position.talon)
    if not holds and lacks.bit_count() == 1 == down:
        return f"{hand_symbols(lacks)} is the face-down card"
    parts = [f"he holds {_listed(holds, 'and')}"] if holds else []
    parts += [f"he does not hold {_listed(lacks, 'or')}"] if lacks else []
    return " and ".join(parts).replace(" and he does", ", but does")


def _listed(cards: int, word: str) -> str:
    names = [hand_symbols(1 << card) for card in cards_in(cards)]
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _losses(console: Console, result: CloseResult, full: bool) -> None:
    lost, beatable = len(result.unbeaten), len(result.beatable)
    known = condition(result.position, result.unbeaten, result.possible)
    word = "Fails" if result.win > 0 and _closed_by_me(result) else "Loses"
    if known:
        text = f"{word} only if {known}" + (f": {lost} hands." if lost > 1 else ".")
    else:
        text = f"{word} against {lost} of {result.hands} hands."
    if beatable:
        one = "1 of them could be beaten" if lost > 1 else "It could be beaten"
        text += f" {one if beatable == 1 else f'{beatable} of them could be beaten'} if you saw the hand."
    elif result.hands > 1:
        text += " Not even seeing the cards would help."
    paragraph(console, red_suits(text))
    before = None
    for number, found in enumerate(result.refutations()):
        if number == _HANDS and not full:
            paragraph(console, Text(f"  … {lost - _HANDS} more: --full", "dim"))
            break
        if found.beatable != before and beatable and lost > beatable:
            before = found.beatable
            paragraph(console, Text("beaten if you saw them:" if before else "not beaten even then:", "dim"))
        line = Text("  ") + red_suits(f"{hand_symbols(found.hand)}: ")
        # Tricks stay together where the line wraps.
        tricks = [trick.replace(" ", NO_BREAK) for trick in _tricks(result.position, found.line)]
        paragraph(console, line + red_suits(" · ".join(tricks)), hanging=4)
    console.print()


def _tricks(position: Position, line: Sequence[Move]) -> Iterator[str]:
    """Write a line trick by trick, from the lead that lies on the table on."""
    cards = [Move(move.card, move.marriage).pretty() for move in line]
    if position.led is not None:
        cards.insert(0, card_symbol(position.led))
    for i in range(0, len(cards), 2):
        yield " ".join(cards[i : i + 2])


def _closed_by_me(result: CloseResult) -> bool:
    return result.position.closed is None or result.position.closed.by == 0


# The plan.


def _plan(console: Console, result: CloseResult, full: bool) -> None:
    root = result.tree.root
    depth = _EVERY_TRICK
    if not full:
        depth = next((d for d in range(_EVERY_TRICK, 1, -1) if _size(root, d) <= _LINES), 1)
    console.print(Text("  The plan", "dim"))
    for indent, text, note, warns in _walk(result, root, depth, 0):
        row = red_suits(text) + red_suits(f"  {note}" if note else "", "yellow" if warns else "dim")
        paragraph(console, row, indent=2 * indent, hanging=4)
    if _size(root, _EVERY_TRICK) > _size(root, depth):
        paragraph(console, Text("… and so on: --full shows all of it", "dim"))
    console.print()


def _size(node: PlanNode, depth: int) -> int:
    """Count the lines of a plan down to a depth."""
    below = node.then if depth > 1 else outline(node.then)
    return 1 + sum(_size(child, depth - 1) for child in below)


def _walk(result: CloseResult, node: PlanNode, depth: int, indent: int) -> Iterator[tuple[int, str, str, bool]]:
    """Go through the lines of a plan: indent, text, a note, and whether the note is a warning."""
    text = _answer(result, node)
    if node.he:
        his = _cards(node.cards)
        text = f"{his}  {text}" if node.he == "replies" else f"he leads {his}: {text}"
    note = ""
    if node.loses and not node.then and node.end not in ("lost", "hopeless"):
        if len(node.loses) == len(node.hands):
            note = "fails"
        else:
            known = condition(result.position, node.loses, node.hands)
            note = f"fails if {known}" if known else f"fails against {len(node.loses)} of {len(node.hands)}"
    elif not node.loses and not node.end and not node.then:
        note = "… and wins"
    yield indent, text, note, bool(node.loses)
    for child in node.then if depth > 1 else outline(node.then):
        yield from _walk(result, child, depth - 1, indent + 1)


def _cards(cards: Sequence[Move]) -> str:
    """Name the cards he may play, suit by suit, and those with a marriage by themselves."""
    plain = sum(1 << move.card for move in cards if not move.marriage)
    names = [hand_symbols(plain)] if plain else []
    return " or ".join(names + [move.pretty() for move in cards if move.marriage])


def _answer(result: CloseResult, node: PlanNode) -> str:
    """Say what the plan plays."""
    reply = node.he == "leads" or (not node.he and result.position.led is not None)
    words = []
    for number, move in enumerate(node.play):
        if not node.he and number == 0:
            move = Move(move.card, move.marriage)
        words.append(f"{'play' if reply and number == 0 else 'lead'} {move.pretty()}")
    text = ", then ".join(words)
    if node.end == "won" or (node.end == "last trick" and not node.loses):
        end = "you have 66" if _closed_by_me(result) else "he does not make 66"
        return f"{text}: {end}" if text else end
    if node.end in ("lost", "hopeless"):
        return f"{text}: lost" if text else "lost"
    if not text:
        return "his trick" if node.he == "replies" else "last trick"
    return text


full_view = partial(render_close, full=True)
