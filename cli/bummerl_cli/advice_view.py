"""Advice as a card player reads it: what to play, what each action is worth, and what the numbers leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from bummerl.advice_results import OUTCOMES, Advice, MoveAdvice
from bummerl.moves import Move
from bummerl_cli.render import INDENT, hands, heading, paragraph, red_suits

if TYPE_CHECKING:
    from rich.console import Console


_LISTED = 3


def _action(move: Move, led: bool) -> str:
    """Say in words what to do."""
    card = Move(move.card, move.marriage).pretty()
    before = [word for word, does in (("exchange", move.exchange), ("close", move.close)) if does]
    does = "play" if led else "lead"
    words = ", ".join(before) + f" and {does} {card}" if before else f"{does} {card}"
    return words[0].upper() + words[1:]


def advice_verdict(advice: Advice) -> str:
    """Say what to play and what it is worth."""
    best = advice.moves[0]
    led = advice.position.led is not None
    if len(advice.moves) == 1:
        return f"{_action(best.move, led)}: your only move, worth {best.expected:+.2f} points on average."
    equal = [m for m in advice.moves if m.basis == best.basis and m.outcomes == best.outcomes]
    if advice.exact and len(equal) == len(advice.moves):
        return f"It does not matter what you play: each action is worth {best.expected:+.2f} points on average."
    sure = advice.exact and max(best.outcomes.values()) == 1
    worth = (
        f"worth {best.expected:+.0f} whatever the hidden cards are"
        if sure
        else f"worth {best.expected:+.2f} points on average"
    )
    return f"{_action(best.move, led)}: {worth}.{_match_verdict(advice, led)}"


def _counts_score(advice: Advice) -> bool:
    """Say whether the score can make a difference; at seven all, points are what counts."""
    return advice.position.score != (7, 7)


def _match_verdict(advice: Advice, led: bool) -> str:
    """Say which action is best for the match, where that is another one."""
    wanted = advice.best_for_match
    if not _counts_score(advice) or wanted == advice.best:
        return ""
    other = next(m for m in advice.moves if m.move == wanted)
    mine, theirs = advice.position.score
    action = _action(wanted, led)
    return (
        f" But with {mine}:{theirs} to go {action[0].lower()}{action[1:]}: that wins the match in "
        f"{100 * other.match:.1f} % instead of {100 * advice.moves[0].match:.1f} %."
    )


def render_advice(console: Console, name: str, advice: Advice) -> None:
    """Print advice: the verdict, the cards, every action, and the caveats."""
    heading(console, name, advice_verdict(advice), advice.moves[0].expected > 0)
    hands(console, advice.position)
    table = Table.grid(padding=(0, 2))
    table.add_column(width=INDENT - 2)
    table.add_column(no_wrap=True)
    counts_score = _counts_score(advice)
    for _ in range(3 + counts_score + len(OUTCOMES)):
        table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    sampled = not advice.exact and any(move.stderr for move in advice.moves)
    titles: tuple[str, ...] = (
        "",
        "action",
        "points ±" if sampled else "points",
        "win",
        *["match"] * counts_score,
        "worst",
        *(f"{v:+d}" for v in OUTCOMES),
        "",
    )
    table.add_row(*(Text(title, "dim") for title in titles))
    for place, move in enumerate(advice.moves):
        table.add_row(*_row(move, sampled, counts_score, place == 0))
    console.print(table)
    console.print()
    for note in _notes(advice, sampled, counts_score):
        paragraph(console, Text(note, "dim"))
    console.print()


def _row(move: MoveAdvice, sampled: bool, counts_score: bool, best: bool) -> list[Text | str]:
    error = f" {move.stderr:.2f}" if move.stderr else "     " if sampled else ""
    shares = [f"{100 * move.outcomes[value]:.0f}" if move.outcomes[value] else "." for value in OUTCOMES]
    mark = Text("plan" if move.basis == "plan" else "") + Text(" <-" if best else "", "green")
    return [
        "",
        red_suits(move.move.pretty()),
        f"{move.expected:+.2f}{error}",
        f"{100 * move.win:.0f} %",
        *[f"{100 * move.match:.1f} %"] * counts_score,
        f"{move.worst:+d}",
        *shares,
        mark,
    ]


def _notes(advice: Advice, sampled: bool, counts_score: bool) -> list[str]:
    position, best = advice.position, advice.moves[0]
    bases = {move.basis for move in advice.moves}
    notes = []
    if bases & {"open cards", "postponed"}:
        if advice.exact:
            ways = "the only way" if advice.worlds == 1 else f"all {advice.worlds:,} ways"
            notes.append(f"{ways} the hidden cards can lie; on the right how often each result comes, in per cent")
        else:
            of = f"{advice.looked_at:,} of {advice.worlds:,}"
            notes.append(f"a sample of {of} ways the hidden cards can lie, seed {advice.seed}; ± one standard error")
            notes.append("on the right how often each result comes, in per cent")
        if advice.weighed and position.led is not None and position.talon_left:
            notes.append("ways count as much as the card led makes them likely")
        if "postponed" in bases:
            notes.append("your next card is chosen without seeing hidden cards, too; after that both see everything")
        elif position.talon_left > 2:
            notes.append("open cards: after this trick both see everything, too kind to whoever would have to guess")
        elif position.talon_left == 2:
            notes.append("exact against an opponent who sees all cards: after this trick nothing is hidden from you")
    if "plan" in bases:
        notes.append("plan: certain to be gained by one way of playing that needs only what you see")
        above = [m for m in advice.moves if m.basis == "plan" and m.upper > m.expected][:_LISTED]
        if above:
            notes.append("if you saw all cards: " + ", ".join(f"{m.move.pretty()} {m.upper:+.2f}" for m in above))
    if counts_score:
        notes.append("match: the chance to win it, if all deals to come are played between equals")
    if sampled and len(advice.moves) > 1 and best.basis != "plan":
        clear = "" if advice.margin > 2 * advice.margin_stderr else ": not clear"
        notes.append(
            f"ahead of the next action by {advice.margin:.3f} ± {advice.margin_stderr:.3f} in the same worlds{clear}"
        )
    return notes
