"""Positions of the games for four and three and what can be bid, as card players read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bummerl.bid import Bid, ContractBid, Plan
from bummerl.cards import SUIT_NAMES, SYMBOLS, card_symbol, cards_in, hand_symbols
from bummerl.discards import Discarding
from bummerl.games.contracts import Aim
from bummerl.games.hand import TableHand
from bummerl.games.table import SEATS, TablePosition
from bummerl.naming import TrumpChoice
from bummerl.table_solve import TableSolution
from bummerl_cli.render import INDENT, heading, paragraph, points, red_suits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

_SHOWN_DISCARDS = 3
_KONTRA = {2: "Kontra", 4: "Rekontra", 8: "Subkontra"}


def _player(seat: int, players: int) -> str:
    role = {0: " (forehand)", players - 1: " (dealer)"}.get(seat, "")
    return f"{SEATS[seat]}{role}"


def table_verdict(solution: TableSolution) -> str:
    """Say whether the contract is made, or who wins the race."""
    p, value = solution.position, solution.value
    if p.contract.aim is Aim.RACE:
        sides = ("Forehand", "The two others") if p.is_dreier else ("Forehand's side", "The other side")
        side = sides[value < 0]
        verb = "win" if side.endswith("others") else "wins"
        what = f"{side} {verb} {points(value)}"
    else:
        made = "is made" if value > 0 else "fails"
        what = f"{p.contract.german} of {SEATS[p.declarer]} {made}: {value:+d}"
    if p.kontra > 1:
        what += f" with {_KONTRA[p.kontra]}"
    if solution.discard:
        laid = " ".join(card_symbol(index) for index in cards_in(solution.discard))
        return f"{what} if {SEATS[p.declarer]} lays away {laid}."
    names = [move.pretty() for move in solution.best]
    who = SEATS[p.turn]
    if len(solution.moves) == 1 or len(names) == len(solution.moves):
        return f"{what}, whatever {who} plays."
    listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
    return f"{what} if {who} plays {listed}."


def render_table(console: Console, name: str, solution: TableSolution) -> None:
    """Print a solution: verdict, the four hands, every card, and a line of best play."""
    p = solution.position
    heading(console, name, table_verdict(solution), solution.value > 0)
    _hands(console, p)
    console.print(
        Text("  declarer's side  cards" if p.contract.aim is not Aim.RACE else "  forehand's side  cards", "dim")
    )
    for value in dict.fromkeys(found.value for found in solution.moves):
        cards = "   ".join(found.move.pretty() for found in solution.moves if found.value == value)
        text = Text(f"  {value:+15d}  ") + red_suits(cards)
        if value == solution.value and len(solution.best) < len(solution.moves):
            text += Text("  <- best", "green")
        console.print(text)
    console.print()
    for trick in solution.tricks:
        cards = "  ".join(move.pretty() for move in trick.moves)
        counted = f"   {trick.points[0]}:{trick.points[1]}" if _counts(p) else ""
        console.print(red_suits(f"  {SEATS[trick.leader]} leads  {cards}   {SEATS[trick.winner]} takes it{counted}"))
    paragraph(console, Text(f"exact, open cards, best play by all; {solution.nodes:,} positions searched", "dim"))
    console.print()


def _counts(p: TablePosition) -> bool:
    return p.contract.aim in (Aim.RACE, Aim.THREE_TRICKS)


def _hands(console: Console, p: TablePosition) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    for seat in range(len(p.hands)):
        notes = []
        if seat == p.declarer:
            notes.append(f"plays {p.contract.german}")
        elif p.side_of(seat) == 0:
            notes.append("his partner" if seat in p.players else "his partner, sits out")
        if seat == p.turn:
            notes.append("to play" if p.trick else "to lead")
        table.add_row("", _player(seat, len(p.hands)), red_suits(hand_symbols(p.hands[seat])), ", ".join(notes))
    console.print(table)
    words = [f"trump {SYMBOLS[p.suit]} {SUIT_NAMES[p.suit]}" if p.suit is not None else "no trumps"]
    if _counts(p):
        words.append(f"points {p.points[0]}:{p.points[1]}")
    if sum(p.tricks):
        words.append(f"tricks {p.tricks[0]}:{p.tricks[1]}")
    if p.talon:
        words.append(f"talon {' '.join(card_symbol(index) for index in cards_in(p.talon))}")
    if p.discard and sum(p.tricks):
        words.append(f"laid away {' '.join(card_symbol(index) for index in cards_in(p.discard))}")
    if p.trick:
        words.append(f"{SEATS[p.leader]} led, on the table {' '.join(map(card_symbol, p.trick))}")
    paragraph(console, red_suits(", ".join(words)))
    console.print()


def bid_verdict(found: Bid) -> str:
    """Say what to bid."""
    if found.best == "pass" and found.passing:
        return f"Pass: forehand's race is worth {found.passing.expected:+.2f} points to your side."
    best = found.contracts[0]
    if best.laid_open:
        return f"Bid {best.contract.german}: it is made in every layout, worth {best.expected:+.0f} points."
    if best.contract.aim is Aim.RACE:
        return f"Play the Rufer: won {_share(best)} of the time, worth {best.expected:+.2f} points on average."
    return f"Bid {best.contract.german}: made in {_share(best)} of the layouts, worth {best.expected:+.2f} points on average."


def _share(one: ContractBid) -> str:
    return f"{100 * one.counted.probability:.1f} %"


def render_bid(console: Console, name: str, found: Bid) -> None:
    """Print what can be bid: the verdict, the hand, every contract, and a layout that beats the best one."""
    choice = found.contracts[0] if found.best != "pass" else found.passing
    heading(console, name, bid_verdict(found), choice is not None and choice.expected > 0)
    _one_hand(console, found.hand)
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    table.add_column(no_wrap=True)
    for _ in range(5):
        table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_row(
        *(
            Text(title, "dim")
            for title in ("", "contract", "made in", "", "points", "needs", "match" * (found.hand.players == 4), "")
        )
    )
    rows = [(one.contract.german, one) for one in found.contracts]
    if found.passing:
        rows.append(("pass", found.passing))
        rows.sort(key=lambda row: -row[1].expected)
    for title, one in rows:
        table.add_row(*_bid_row(found, title, one))
    console.print(table)
    console.print()
    for note in _bid_notes(found):
        paragraph(console, Text(note, "dim"))
    for one in found.contracts[:2]:
        if one.plan is not None:
            paragraph(console, red_suits(_plan_words(one, one.plan), "dim"))
    best = found.contracts[0]
    if best.beaten_by is not None:
        p = best.beaten_by.position
        paragraph(console, Text(f"{best.contract.german} is lost, for example, with", "dim"))
        others = "   ".join(
            f"{SEATS[seat]} {hand_symbols(p.hands[seat])}"
            for seat in range(found.hand.players)
            if seat != found.hand.seat
        )
        paragraph(console, red_suits(others), 2)
        paragraph(console, red_suits(_told(best.beaten_by)), 2)
    console.print()


def _plan_words(one: ContractBid, plan: Plan) -> str:
    share = f"{100 * plan.counted.probability:.1f} %"
    if plan.order:
        order = " ".join(card_symbol(index) for index in plan.order)
        return f"{one.contract.german} by plan: {share}, always the first legal card of {order}, whatever the others do"
    return f"{one.contract.german} by plan: {share}, each suit from the top, whatever the others do; no plan beats more"


def _told(solution: TableSolution) -> str:
    return "; ".join(
        f"{SEATS[trick.leader]} {' '.join(move.pretty() for move in trick.moves)}" for trick in solution.tricks
    )


def _bid_row(found: Bid, title: str, one: ContractBid) -> list[Text | str]:
    counted = one.counted
    count = f"{counted.won:,}" if counted.exact else "sample"
    error = f" ±{one.stderr:.2f}" if one.stderr else ""
    needs = found.break_even(one) if title != "pass" else None
    marks = Text("laid open" if one.laid_open else "") + Text(
        " <-" if found.best in (one.contract.name, title) else "", "green"
    )
    return ["", title, count, _share(one), f"{one.expected:+.2f}{error}", "" if needs is None else f"{100 * needs:.0f} %",
            "" if one.match is None else f"{100 * one.match:.1f} %", marks]  # fmt: skip


def _bid_notes(found: Bid) -> list[str]:
    contracts = [*found.contracts, *([found.passing] if found.passing else [])]
    exact = [one for one in contracts if one.counted.exact]
    sampled = [one for one in contracts if not one.counted.exact]
    notes = []
    if exact:
        notes.append(f"exact over all {exact[0].counted.of:,} layouts of the cards you do not see, with open cards")
    if sampled:
        size = sampled[0].counted.done
        notes.append(f"sample: {size:,} of {sampled[0].counted.of:,} layouts, seed {found.seed}; ± one standard error")
    if found.hand.players == 3 and not found.hand.has_talon:
        notes.append("the talon is unknown; laid away is what is best in each layout, seeing all: an upper bound")
    if found.hand.seat:
        notes.append("forehand holds a trump in all of them, since he named the suit or turned it up")
    notes.append("points without Kontra; it doubles them, so give it against a contract below 0")
    notes.append("needs: how often a contract must be made to be worth as much as the race")
    mine, theirs = found.hand.score
    if found.best_for_match != found.best:
        notes.append(f"with {mine}:{theirs} to go the best choice for the match is {found.best_for_match}")
    return notes


def _one_hand(console: Console, hand: TableHand) -> None:
    trump = "" if hand.trump is None else f"   trump {SYMBOLS[hand.trump]} {SUIT_NAMES[hand.trump]}"
    paragraph(console, red_suits(f"you are {_player(hand.seat, hand.players)}   {hand_symbols(hand.me)}{trump}"))
    console.print()


def render_trump(console: Console, name: str, hand: TableHand, choices: Sequence[TrumpChoice], seed: int) -> None:
    """Print which suit to name."""
    best = choices[0]
    words = (
        "Turn one of the last two cards up" if best.suit == "turn up" else f"Name {SUIT_NAMES['SHDC'.index(best.suit)]}"
    )
    heading(console, name, f"{words}: worth {best.best:+.2f} points on average.", best.best > 0)
    _one_hand(console, hand)
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    table.add_column(no_wrap=True)
    for _ in range(2):
        table.add_column(justify="right", no_wrap=True)
    table.add_column()
    table.add_row(*(Text(title, "dim") for title in ("", "trumps", "points ±", "as a Rufer ±", "")))
    for one in choices:
        suit = (
            one.suit
            if one.suit == "turn up"
            else SYMBOLS["SHDC".index(one.suit)] + " " + SUIT_NAMES["SHDC".index(one.suit)]
        )
        table.add_row(
            "", red_suits(suit), f"{one.best:+.2f} {one.best_stderr:.2f}", f"{one.race:+.2f} {one.race_stderr:.2f}",
            Text("<-" if one is best else "", "green"),
        )  # fmt: skip
    console.print(table)
    console.print()
    paragraph(console, Text(f"your last two cards in all 136 ways, the others' in a sample, seed {seed}", "dim"))
    paragraph(console, Text("points: of your best contract once you see all five; nobody overbids", "dim"))
    console.print()


def render_discards(console: Console, name: str, hand: TableHand, found: Sequence[Discarding]) -> None:
    """Print for each contract which two cards to lay away."""
    best = max(found, key=lambda one: one.choices[0].expected)
    first = best.choices[0]
    words = f"{_cards(first.cards)} and play {best.contract.german}: worth {first.expected:+.2f} points on average"
    heading(console, name, f"Lay away {words}.", first.expected > 0)
    _one_hand(console, hand)
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    for _ in range(2):
        table.add_column(no_wrap=True)
    for _ in range(3):
        table.add_column(justify="right", no_wrap=True)
    table.add_column()
    table.add_row(*(Text(title, "dim") for title in ("", "contract", "lay away", "made in", "", "points", "")))
    for each in sorted(found, key=lambda one: -one.choices[0].expected):
        for place, one in enumerate(each.choices[:_SHOWN_DISCARDS]):
            table.add_row(
                "", "" if place else each.contract.german, red_suits(_cards(one.cards)), f"{one.counted.won}",
                f"{100 * one.counted.probability:.1f} %", f"{one.expected:+.2f}",
                Text("<-" if one is first else "", "green"),
            )  # fmt: skip
    console.print(table)
    console.print()
    note = "exact over all 924 ways the other cards can lie: laid away without seeing them, then open cards"
    paragraph(console, Text(note, "dim"))
    console.print()


def _cards(hand: int) -> str:
    return " ".join(card_symbol(index) for index in cards_in(hand))
