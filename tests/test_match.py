"""Match chances: against counting all ways a short match can go, and what must hold of any."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from bummerl.match import DEAL_OUTCOMES, chance_after, match_chance


def test_deal_outcomes_are_shares():
    assert sum(DEAL_OUTCOMES.values()) == pytest.approx(1)
    assert min(DEAL_OUTCOMES.values()) > 0


@pytest.mark.parametrize(("mine", "theirs"), [(1, 1), (2, 1), (1, 3), (3, 2)])
@pytest.mark.parametrize("forehand", [True, False])
def test_short_matches_counted_one_by_one(mine, theirs, forehand):
    deals = mine + theirs - 1
    chance = 0.0
    for results in product(DEAL_OUTCOMES, repeat=deals):
        left = [mine, theirs]
        leads = forehand
        for value in results:
            gained = value if leads else -value
            left[gained < 0] -= abs(gained)
            if min(left) <= 0:
                break
            leads = not leads
        if left[0] <= 0:
            chance += prod(DEAL_OUTCOMES[value] for value in results)
    assert match_chance(mine, theirs, forehand) == pytest.approx(chance)


def test_what_any_table_has():
    for mine, theirs in product(range(1, 8), repeat=2):
        assert match_chance(mine, theirs) + match_chance(theirs, mine) == pytest.approx(1)
        assert match_chance(mine, theirs, True) + match_chance(theirs, mine, False) == pytest.approx(1)
        assert match_chance(mine, theirs) > match_chance(mine + 1, theirs)
    assert (match_chance(0, 4), match_chance(-2, 1), match_chance(7, 0)) == (1, 1, 0)
    assert chance_after((2, 7), {2: 1.0}) == 1
    assert chance_after((7, 3), {-3: 1.0}) == 0
    with pytest.raises(ValueError, match="both have won at 0:-1"):
        match_chance(0, -1)
