"""The chance to win a match (Bummerl) from a score, computed from how deals between equal players end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

# Shares of deals that forehand ends with so many game points, 4,446 deals between two default players who do not know
# the score: `python -m benchmarks.selfplay postponed:50 postponed:51 --pairs 400 --seed 9 --outcomes`.
DEAL_OUTCOMES: dict[int, float] = {-3: 0.1291, -2: 0.2254, -1: 0.1554, 1: 0.1640, 2: 0.2069, 3: 0.1192}

# The same for forehand's side in Bauernschnapsen: `python -m benchmarks.table_outcomes --deals 3000 --seed 2`.
_TABLE_DEALS = {
    -24: 3, -20: 11, -18: 9, -12: 25, -10: 248, -9: 106, -6: 301, -5: 308, -4: 18, -3: 37, -2: 65, -1: 73,
    1: 132, 2: 61, 3: 283, 4: 4, 5: 328, 6: 507, 9: 85, 10: 314, 12: 55, 18: 11, 20: 12, 24: 4,
}  # fmt: skip
TABLE_OUTCOMES: dict[int, float] = {value: count / 3000 for value, count in _TABLE_DEALS.items()}


def match_chance(
    mine: int, theirs: int, forehand: bool | None = None, outcomes: Mapping[int, float] = DEAL_OUTCOMES
) -> float:
    """Return the chance of ``me`` to win the match, before a deal.

    Deals end as often with each result as they did between two players of equal strength, whatever the score; the
    deal alternates.

    Parameters
    ----------
    mine, theirs : int
        Game points each still needs; 0 or less has won.
    forehand : bool, optional
        Whether ``me`` leads first in the next deal; the mean of both where that is not known.
    outcomes : mapping of int to float
        Shares of deals that forehand ends with so many game points: `DEAL_OUTCOMES`, or `TABLE_OUTCOMES` for sides of
        Bauernschnapsen.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ValueError
        If both have won.

    Examples
    --------
    >>> match_chance(0, 3), match_chance(2, 0)
    (1.0, 0.0)
    >>> match_chance(2, 4) > match_chance(3, 4) > match_chance(4, 4) == 0.5
    True
    """
    if mine <= 0 and theirs <= 0:
        raise ValueError(f"both have won at {mine}:{theirs}")
    if mine <= 0 or theirs <= 0:
        return float(mine <= 0)
    shares = tuple(sorted(outcomes.items()))
    if forehand is None:
        return (_leading(mine, theirs, shares) + 1 - _leading(theirs, mine, shares)) / 2
    return _leading(mine, theirs, shares) if forehand else 1 - _leading(theirs, mine, shares)


@lru_cache(maxsize=4096)
def _leading(mine: int, theirs: int, shares: tuple[tuple[int, float], ...]) -> float:
    """Return the chance of forehand, who becomes the dealer of the next deal."""
    found = 0.0
    for value, share in shares:
        left, right = mine - max(value, 0), theirs + min(value, 0)
        found += share * (float(left <= 0) if left <= 0 or right <= 0 else 1 - _leading(right, left, shares))
    return found


def chance_after(
    score: tuple[int, int], outcomes: dict[int, float], deals: Mapping[int, float] = DEAL_OUTCOMES
) -> float:
    """Return the chance to win the match when the deal ends with each result so often.

    Parameters
    ----------
    score : tuple of int
        Game points each still needs before the deal is counted.
    outcomes : dict of int to float
        Share of each number of game points.
    deals : mapping of int to float
        How the deals to come end, see `match_chance`.

    Examples
    --------
    >>> chance_after((1, 1), {1: 0.75, -3: 0.25})
    0.75
    """
    mine, theirs = score
    return sum(
        share * match_chance(mine - max(value, 0), theirs + min(value, 0), outcomes=deals)
        for value, share in outcomes.items()
        if share
    )
