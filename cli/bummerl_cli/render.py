"""Results as a card player reads them: the verdict first, then the cards, the numbers, and the play."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bummerl.cards import SUIT_NAMES, SYMBOLS, card_symbol, cards_in, hand_symbols
from bummerl.moves import DRAW
from bummerl.position import TARGET, Position
from bummerl.results import Solution, Value

if TYPE_CHECKING:
    from rich.console import Console

NAMES = ("you", "opponent")
INDENT = 2
NO_BREAK = "\u00a0"


def red_suits(text: str, style: str = "") -> Text:
    """Colour hearts and diamonds."""
    found = Text(text, style=style)
    found.highlight_regex(r"[♥♦](10|[AKQJ9])*", "red")
    return found


def points(value: int) -> str:
    """Write game points with their unit: ``2 points``."""
    return f"{abs(value)} point" + ("s" if abs(value) != 1 else "")


def heading(console: Console, name: str, verdict: str, good: bool) -> None:
    """Print the verdict, behind the record's name if it has one."""
    label = Text.assemble((f"{name}  " if name else "", "dim"))
    console.print()
    paragraph(console, label + red_suits(verdict, "bold green" if good else "bold yellow"))
    console.print()


def paragraph(console: Console, text: Text, indent: int = 0, hanging: int = 0) -> None:
    """Print text that keeps its indent where it wraps, a hanging one if wanted, and does not wrap at `NO_BREAK`."""
    width = console.width - INDENT - indent
    lines = text.wrap(console, max(width - hanging, 20)) if text.cell_len > width else [text]
    for number, line in enumerate(lines):
        line.rstrip()
        line.plain = line.plain.replace(NO_BREAK, " ")
        console.print(Padding(line, (0, 0, 0, INDENT + indent + (hanging if number else 0)), expand=False))


def hands(console: Console, position: Position) -> None:
    """Print both hands, the points, and what lies on the table."""
    p = position
    opp = hand_symbols(p.opp)
    unknown = p.opp_size - p.opp.bit_count()
    if unknown:
        opp = f"{opp}  +{unknown} unknown" if opp else f"{unknown} unknown cards"
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    for _ in range(4):
        table.add_column(no_wrap=True)
    rows = [
        ("you", hand_symbols(p.me), _points(p, 0), f"trump {SYMBOLS[p.trump]} {SUIT_NAMES[p.trump]}"),
        ("opponent", opp, _points(p, 1), _talon(p)),
    ]
    for row in rows:
        table.add_row("", *(red_suits(cell) for cell in row))
    console.print(table)
    notes = _notes(p)
    for note in notes:
        paragraph(console, red_suits(note))
    console.print()


def _points(p: Position, player: int) -> str:
    text = f"{p.points[player]} points"
    return text + (f" (+{p.pending[player]} pending)" if p.pending[player] else "")


def _talon(p: Position) -> str:
    if p.closed:
        had = "no trick" if p.closed.points == 0 else f"{p.closed.points} points"
        return f"closed by {NAMES[p.closed.by]}, {NAMES[1 - p.closed.by]} had {had}"
    if not p.talon:
        return "talon used up"
    face = "" if p.face_up is None else f", {card_symbol(p.face_up)} face up"
    return f"talon {len(p.talon)} cards{face}"


def _notes(p: Position) -> list[str]:
    notes = []
    if p.led is not None:
        announced = f" and announced {p.announced}" if p.announced else ""
        notes.append(f"{NAMES[1 - p.turn]} led {card_symbol(p.led)}{announced}; {NAMES[p.turn]} to reply")
    elif p.turn:
        notes.append("opponent to lead")
    if p.talon_left > 2 and None not in (p.talon or ()):
        notes.append("draw in this order: " + " ".join(card_symbol(c) for c in p.talon or () if c is not None))
    elif p.unseen and p.opp.bit_count() < p.opp_size:
        notes.append(f"unseen {hand_symbols(p.unseen)}")
    return notes


def render_value(console: Console, name: str, result: Value) -> None:
    """Print a value alone."""
    console.print(f"{name}  {result.value:+d}" if name else f"{result.value:+d}")


# solve


def verdict(solution: Solution) -> str:
    """Say who wins what, and which move does it."""
    value, best = solution.value, solution.best
    mine = solution.position.turn == 0
    wins = f"You {'win' if value > 0 else 'lose'} {points(value)}" if value else "A drawn deal"
    if len(solution.moves) == 1:
        return f"{wins}; {'your' if mine else 'his'} only move is {best[0].pretty()}."
    if len(best) == len(solution.moves):
        return f"{wins} whatever {'you play' if mine else 'he plays'}."
    names = [move.pretty() for move in best[:3]] + ([f"{len(best) - 3} more"] if len(best) > 3 else [])
    moves = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
    if mine:
        return f"{wins}{'' if value > 0 else ' at best'}: play {moves}."
    return f"{wins}; his best is {moves}." if value > 0 else f"{wins} if he plays {moves}."


def render_solution(console: Console, name: str, solution: Solution) -> None:
    """Print an exact solution: verdict, cards, every move, and a line of best play."""
    heading(console, name, verdict(solution), solution.value > 0)
    hands(console, solution.position)
    by = "your moves" if solution.position.turn == 0 else "his moves"
    console.print(Text(f"  for you  {by}", "dim"))
    for value in dict.fromkeys(found.value for found in solution.moves):
        moves = [found.move.pretty() for found in solution.moves if found.value == value]
        rows = _wrapped(moves, 58)
        for number, row in enumerate(rows):
            text = Text(f"  {value:+7d}  " if number == 0 else " " * 11) + red_suits(row)
            if value == solution.value and row is rows[-1] and len(solution.best) < len(solution.moves):
                text += Text("  <- best", "green")
            console.print(text)
    console.print()
    line(console, solution)
    paragraph(console, Text(f"exact, open cards, best play by both; {solution.nodes:,} positions searched", "dim"))
    console.print()


def _wrapped(moves: list[str], width: int) -> list[str]:
    rows = [""]
    for move in moves:
        if rows[-1] and len(rows[-1]) + 3 + len(move) > width:
            rows.append("")
        rows[-1] += ("   " if rows[-1] else "") + move
    return rows


def line(console: Console, solution: Solution) -> None:
    """Print the line trick by trick, with the cards drawn and the points after each."""
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    table.add_column(justify="right")
    for _ in range(3):
        table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    dim = [Text(t, "dim") for t in ("", "", "lead", "reply", "taken by", "points", "drawn: you, opponent")]
    moves = deque(solution.line)

    def play(position: Position) -> Position:
        after = position.play(moves.popleft())
        return after.play(moves.popleft()) if moves and moves[0] == DRAW else after

    here = solution.position
    if moves and moves[0] == DRAW:
        here = here.play(moves.popleft())
    rows: list[list[Text | str]] = []
    for number, trick in enumerate(solution.tricks, 1):
        if trick.lead is not None:
            here = play(here)
        lead = Text(f"{NAMES[trick.leader]:<9}") + red_suits(
            trick.lead.pretty() if trick.lead else f"({card_symbol(trick.led)})"
        )
        drawn = ""
        if trick.reply is not None:
            held = (here.me, here.opp)
            here = play(here)
            new = (here.me & ~held[0], here.opp & ~held[1])
            if any(new):
                drawn = ", ".join(card_symbol(index) for hand in new for index in cards_in(hand))
        reply = red_suits(trick.reply.pretty() if trick.reply else "-")
        score = f"{trick.points[0]}:{trick.points[1]}"
        taker = NAMES[trick.winner] if trick.reply else "claims"
        rows.append(["", f"{number}.", lead, reply, taker, score, red_suits(drawn)])
    draws = any(row[6] for row in rows)
    width = 7 if draws else 6
    table.add_row(*dim[:width])
    for row in rows:
        table.add_row(*row[:width])
    console.print(table)
    paragraph(console, red_suits(ending(here)))
    console.print()


def ending(p: Position) -> str:
    """Say why the deal ends as it does."""
    value = p.outcome or 0
    winner, loser = (0, 1) if value > 0 else (1, 0)
    gain = f"{NAMES[winner]} {'win' if winner == 0 else 'wins'} {points(value)}"
    if p.points[winner] >= TARGET:
        if p.closed and p.closed.by == winner:
            had = p.points[loser] if p.rules.closed_count == "end" else p.closed.points
            when = "at the end" if p.rules.closed_count == "end" else "when the talon was closed"
            return f"{NAMES[winner]} reached 66 after closing; {NAMES[loser]} had {had or 'no trick'} {when}: {gain}"
        if p.closed:
            return f"{NAMES[winner]} reached 66 before the closer: {gain}"
        have = "have" if loser == 0 else "has"
        return f"{NAMES[winner]} reached 66; {NAMES[loser]} {have} {p.points[loser] or 'no trick'}: {gain}"
    if p.closed:
        return f"{NAMES[loser]} closed and did not reach 66: {gain}"
    if not value:
        return "all cards are played, 65:65: nobody scores"
    return f"nobody reached 66, {NAMES[winner]} took the last trick: {gain}"
