"""The slack of every answer is true: the same answer holds at the edge of the range of scores it claims.

A wrong slack shows in a value only once in ten thousand positions or so, because it needs a second visit with
just the wrong score. Asked directly, it shows at once.
"""

import random

import pytest

from bummerl.cards import DECK, cards_in
from bummerl.engine import Settings, Workspace, kernels
from bummerl.kernels import cache
from bummerl.kernels import workspace as layout
from bummerl.rules import Rules
from tests.conftest import RULE_SETS

TRUMP_JACK = 2


def ask_both(name: str, seed: int, count: int, size: int | None) -> dict[bool, int]:
    """Ask random questions, then again at the edge of the claimed range without table, bounds or slack."""
    kernels()
    search = getattr(cache.load(name), name)
    rng = random.Random(seed)
    clever, plain = Workspace(), Workspace(Settings(features=frozenset()))
    answers = {True: 0, False: 0}
    widths = [0, 0]
    for number in range(count):
        rules: Rules = rng.choice(RULE_SETS)
        clever.use(rules)
        plain.use(rules)
        cards = [1 << index for index in cards_in(DECK)]
        rng.shuffle(cards)
        hold = size or rng.randint(1, 5)
        attacker, defender = sum(cards[:hold]), sum(cards[hold : 2 * hold])
        flags = rng.randrange(8)
        needs = (rng.randint(1, 50), rng.randint(1, 50))
        if name == "strict":
            state = flags | rng.choice((0, 8))
        else:
            stage, level = rng.choice((1, 1, 2)), rng.choice((1, 2, 3))
            trumps = [card for card in cards[2 * hold :] if card < 64]
            if not trumps or (level == 3 and flags & 4) or not flags & 6:
                continue
            talon = [*[card for card in cards[2 * hold :] if card != trumps[0]][: 2 * stage - 1], trumps[0]]
            for workspace in (clever, plain):
                workspace.array[layout.GENERATION] += 1
                workspace.array[layout.TALON_END - len(talon) : layout.TALON_END] = talon
            state = flags | stage << 3 | level << 7
            if level == 2 and flags & 4:
                needs = (needs[0], needs[1] + 33)
        answer = search(clever.array, attacker, defender, state, *needs)
        won, favoured, other = bool(answer & 1), (answer >> 1) & 127, answer >> 8
        widths[0] += favoured > 0
        widths[1] += other > 0
        x, y = needs
        edge = (x + favoured, y - other) if won else (x - other, y + favoured)
        assert min(edge) >= 1
        again = search(plain.array, attacker, defender, state, *edge)
        assert bool(again & 1) == won, (number, rules, attacker, defender, state, needs, edge)
        answers[won] += 1
    assert min(widths) > count // 20
    return answers


@pytest.mark.parametrize(("name", "count", "size"), [("strict", 60_000, None), ("loose", 12_000, 5)])
def test_answers_hold_at_the_edge_of_their_slack(name, count, size):
    answers = ask_both(name, 41, count, size)
    assert min(answers.values()) > count // 20
