"""What the led card tells of the opponent's hand: how likely a player would have led so from each.

The model is simple and says so: a player leads with chances proportional to ``exp(worth)``, where the worth of
leading a card depends on nothing but its rank, whether it is a trump, and what is announced with it; and who could
exchange the trump jack mostly does. A record shows no more of the play than the card on the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bummerl.cards import JACK, card, cards_in, rank_of, suit_of
from bummerl.position import Position

# Fitted to the leads of default players by `python -m benchmarks.lead_model`: by rank, jack to ace, plain and trump;
# what an announcement of 20 or 40 adds; and how often the trump jack was not exchanged where that was possible.
WORTH = ((0.07, -0.53, -0.51, 1.02, 0.03), (-1.08, 0.10, -0.07, 0.85, 0.14))
ANNOUNCED = {0: 0.0, 20: 2.38, 40: 3.49}
NOT_EXCHANGED = 0.49
_RANKS = (JACK, JACK + 1, JACK + 2, JACK + 3, JACK + 4)


def lead_worth(index: int, trump: int, announced: int) -> float:
    """Return the worth of leading a card, a logarithm of its chance.

    Parameters
    ----------
    index : int
        The card.
    trump : int
        The trump suit.
    announced : int
        0, 20 or 40.
    """
    return WORTH[suit_of(index) == trump][_RANKS.index(rank_of(index))] + ANNOUNCED[announced]


def lead_weights(position: Position, hands: Sequence[int]) -> list[float]:
    """Return how likely a player would have led the card on the table from each hand.

    Parameters
    ----------
    position : Position
        ``me`` on turn. Without a led card, or under a closed talon, nothing is known and all weights are 1.
    hands : sequence of int
        Hands the opponent may hold now, see `worlds.opponent_hands`.

    Returns
    -------
    list of float
        0 to 1 for each hand.

    Examples
    --------
    >>> position = Position.parse("trump=DJ me=ST,HA,DAQ,CQ unseen=SA,HTQJ,DTK,CATK led=HK talon=6 points=5:6")
    >>> from bummerl.cards import parse_hand
    >>> announces, cannot = lead_weights(position, [parse_hand("HQ,DTK,CA"), parse_hand("HT,DTK,CA")])
    >>> announces < cannot
    True
    """
    led = position.led
    if led is None or not position.talon_left:
        return [1.0] * len(hands)
    before = position.changed(turn=1, led=None, announced=0)
    jack = card(position.trump, JACK)
    played = math.exp(lead_worth(led, position.trump, position.announced))
    weights = []
    for hand in hands:
        full = hand | 1 << led
        chances = 0.0
        for index in cards_in(full):
            bonus = before.marriage(full, index)
            for announced in {0, bonus}:
                chances += math.exp(lead_worth(index, position.trump, announced))
        kept = hand >> jack & 1 and before.changed(opp=full).may_exchange
        weights.append(played / chances * (NOT_EXCHANGED if kept else 1.0))
    return weights
