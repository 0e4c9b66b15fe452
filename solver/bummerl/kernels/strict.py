"""The strict phase: does the attacker reach the target, with both hands known and no talon to draw from?

One search serves a used-up talon, a closed one, and every level of victory. The attacker needs ``x`` more
points; the defender escapes with ``y`` more (66, 33 or any trick at all, whichever the question says). When
nobody gets there, the attacker succeeds only if ``LAST_TRICK`` is set and he took the last trick.
"""

from __future__ import annotations

from bummerl.kernels.bits import ACES, JACKS, KINGS, POINTS, QUEENS, TENS, TRUMPS, lowest, popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.table import probe, slot, store
from bummerl.kernels.workspace import (
    FEATURES,
    KING_ONLY,
    LEADS,
    MARRIAGE_FIRST,
    MARRIAGE_OPEN,
    NO_LIMIT,
    NODES,
    RATE_SHIFT,
    REPLIES,
    RULES,
    STOP,
    STRICT_NODES,
    USE_HISTORY,
    USE_REACH,
    USE_SLACK,
    USE_TABLE,
    USE_WINNERS,
)

# State of a strict search.
ATTACKER_LEADS, ATTACKER_TAKEN, DEFENDER_TAKEN, LAST_TRICK = 1, 2, 4, 8
# Sixty-Six: the last trick brings 10 points; the defender escapes with any trick, one without points too.
LAST_TEN, ANY_TRICK = 16, 32
_KEPT = LAST_TRICK | LAST_TEN | ANY_TRICK
STRICT_KEY = 1 << 61

# Every other bit of a suit that a card outranks lies below it; these masks keep shifts inside the suit.
_BELOW_1, _BELOW_2, _BELOW_4 = 0x7DF7DF, 0x3CF3CF, 0x0C30C3


@kernel("int64(int64)")
def swap_roles(state):
    """Return lead and tricks taken as the other side sees them; the rest of a state is left out."""
    swapped = ATTACKER_LEADS - (state & ATTACKER_LEADS)
    if state & ATTACKER_TAKEN:
        swapped |= DEFENDER_TAKEN
    if state & DEFENDER_TAKEN:
        swapped |= ATTACKER_TAKEN
    return swapped


@kernel("int64(int64)")
def points_of(cards):
    """Add up the card points of a hand."""
    return (
        11 * popcount(cards & ACES)
        + 10 * popcount(cards & TENS)
        + 4 * popcount(cards & KINGS)
        + 3 * popcount(cards & QUEENS)
        + 2 * popcount(cards & JACKS)
    )


@kernel("int64(int64)")
def suit_shift(index):
    """Return how far the suit of a card lies from bit 0."""
    return index // 6 * 6


@kernel("int64(int64)")
def card_points(index):
    """Return the points of one card."""
    return (POINTS >> 4 * (index % 6)) & 15


@kernel("int64(int64, int64, int64)")
def legal_replies(hand, led, suit):
    """Return the cards that may be played to a lead in the strict phase.

    A higher card of the suit, else a lower one, else a trump, else any card.
    """
    follow = hand & suit
    if follow:
        higher = follow & ~(2 * led - 1)
        return higher if higher else follow
    trumps = hand & TRUMPS
    return trumps if trumps else hand


@kernel("int64(int64, int64, int64)")
def marriage_with(hand, led, rules):
    """Return the points of the marriage announced by leading a card: 0, 20 or 40."""
    if led & KINGS:
        partner = led >> 1
    elif led & QUEENS and not rules & KING_ONLY:
        partner = led << 1
    else:
        return 0
    if not hand & partner:
        return 0
    return 40 if led & TRUMPS else 20


@kernel("int64(int64, int64, int64)")
def strict_marriage_with(hand, led, rules):
    """Return the points of the marriage announced by leading a card once the talon is closed or used up."""
    return 0 if rules & MARRIAGE_OPEN else marriage_with(hand, led, rules)


@kernel("int64(int64)")
def best_marriage(hand):
    """Return the points of the best marriage held: 0, 20 or 40."""
    pairs = hand & (hand >> 1) & QUEENS
    if not pairs:
        return 0
    return 40 if pairs & TRUMPS else 20


@kernel("int64(int64, int64)")
def fewest_points(cards, count):
    """Return the fewest points that `count` of these cards can have together."""
    total = 0
    for rank in range(6):
        here = min(popcount(cards & (0x041041 << rank)), count)
        total += here * ((POINTS >> 4 * rank) & 15)
        count -= here
    return total


@kernel("int64(int64)")
def spread_down(cards):
    """Return the cards together with all lower cards of their suits."""
    cards |= (cards >> 1) & _BELOW_1
    cards |= (cards >> 2) & _BELOW_2
    return cards | (cards >> 4) & _BELOW_4


@kernel("int64(int64, int64)")
def sure_tricks(leader, other):
    """Cash the cards of the leader that win whatever the other does, one after the other.

    Returns
    -------
    int
        Points certainly taken, marriages left aside | tricks certainly taken << 8.
    """
    winners = leader & ~spread_down(other)
    trumps_out = popcount(other & TRUMPS)
    trump_winners = popcount(winners & TRUMPS)
    if trump_winners >= trumps_out:
        # All trumps are drawn: every side suit that the other cannot top in the end runs to its end.
        winners |= leader & TRUMPS
        for shift in range(6, 24, 6):
            suit = TRUMPS << shift
            if popcount(winners & suit) >= popcount(other & suit):
                winners |= leader & suit
        tricks = popcount(winners)
        if tricks == popcount(other):
            return points_of(winners | other) | tricks << 8
        points = points_of(winners | other & TRUMPS) + fewest_points(other & ~TRUMPS, tricks - trumps_out)
        return points | tricks << 8
    # Trumps stay out, so the other never discards: he follows suit to each of these leads.
    points = points_of(winners & TRUMPS) + fewest_points(other & TRUMPS, trump_winners)
    tricks = trump_winners
    for shift in range(6, 24, 6):
        mine = winners & (TRUMPS << shift)
        if mine:
            his = other & (TRUMPS << shift)
            count = min(popcount(mine), popcount(his))
            # The highest `count` of mine: all of them less the lowest of the rest.
            points += points_of(mine) - fewest_points(mine, popcount(mine) - count) + fewest_points(his, count)
            tricks += count
    return points | tricks << 8


@kernel("int64(int64, int64)")
def trump_points(hand, other):
    """Return the points a hand is certain of because no trump of the other beats its highest trumps."""
    trumps = hand & TRUMPS & ~spread_down(other & TRUMPS)
    if not trumps:
        return 0
    return points_of(trumps) + fewest_points(other, popcount(trumps))


@kernel("int64(int64, int64, int64, int64, int64)")
def last_trick(attacker, defender, state, x, y):
    """Answer a question when each player has one card left; see `strict`."""
    leads = state & ATTACKER_LEADS
    leader, other = (attacker, defender) if leads else (defender, attacker)
    led = lowest(leader)
    suit = TRUMPS << suit_shift(led)
    takes = other > leader if other & suit else other & TRUMPS
    points = card_points(led) + card_points(lowest(other)) + (10 if state & LAST_TEN else 0)
    if (takes != 0) == (leads != 0):
        return NO_LIMIT << 1 | (x - 1) << 8
    if state & LAST_TRICK:
        return 1 | NO_LIMIT << 1 | (y - 1) << 8
    if points >= x:
        return 1 | (points - x) << 1 | (y - 1) << 8
    return NO_LIMIT << 1 | (x - points - 1) << 8


@kernel("int64(int64[::1], int64, int64)")
def most_promising(ws, cards, rates):
    """Return the card with the highest success rate, among those not tried yet."""
    best = lowest(cards)
    cards &= cards - 1
    while cards:
        index = lowest(cards)
        cards &= cards - 1
        if ws[rates + index] > ws[rates + best]:
            best = index
    return best


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)", entry=True)
def strict(ws, attacker, defender, state, x, y):
    """Answer one question about a strict position at the lead.

    Parameters
    ----------
    ws : int64 array
        The workspace.
    attacker, defender : int
        Hands of equal size, at least one card.
    state : int
        ``ATTACKER_LEADS``, ``ATTACKER_TAKEN``, ``DEFENDER_TAKEN``, ``LAST_TRICK``, ``LAST_TEN``, ``ANY_TRICK``.
    x, y : int
        Points still needed by the attacker, and by the defender to escape; pending marriages of a side
        without a trick are already taken off. Both at least 1.

    Returns
    -------
    int
        See `workspace`: won, slack of the favoured side, slack of the other.
    """
    ws[NODES] += 1
    if ws[STOP]:
        return 0
    ws[STRICT_NODES] += 1
    features = ws[FEATURES]
    leads = state & ATTACKER_LEADS
    if leads:
        leader, other = attacker, defender
    else:
        leader, other = defender, attacker
    size = popcount(leader)
    if size == 1:
        return last_trick(attacker, defender, state, x, y)

    rules = ws[RULES]
    taken = state & (ATTACKER_TAKEN if leads else DEFENDER_TAKEN)
    may_announce = rules & MARRIAGE_FIRST or taken
    marriage = 0 if rules & MARRIAGE_OPEN else best_marriage(leader)
    if taken and marriage >= (x if leads else y):
        if leads:
            return 1 | (marriage - x) << 1 | (y - 1) << 8
        return (marriage - y) << 1 | (x - 1) << 8

    lost = 0  # points that the attacker certainly does not get
    if features & USE_WINNERS:
        cashed = sure_tricks(leader, other)
        tricks = cashed >> 8
        if tricks:
            # One marriage can be announced after these tricks, or with the first of them.
            sure = (cashed & 255) + (marriage if may_announce else 0)
            if state & LAST_TEN and tricks == size:
                sure += 10
            if leads:
                if state & LAST_TRICK and tricks == size:
                    return 1 | NO_LIMIT << 1 | (y - 1) << 8
                if sure >= x:
                    return 1 | (sure - x) << 1 | (y - 1) << 8
            else:
                if tricks == size:
                    return NO_LIMIT << 1 | (x - 1) << 8
                if sure >= y:
                    return (sure - y) << 1 | (x - 1) << 8
                lost = cashed & 255

    if features & USE_REACH and not state & LAST_TRICK:
        if leads:
            lost = trump_points(defender, attacker)
        pairs = 0 if rules & MARRIAGE_OPEN else attacker & (attacker >> 1) & QUEENS
        most = points_of(attacker | defender) - lost + 20 * popcount(pairs) + 20 * popcount(pairs & TRUMPS)
        if state & LAST_TEN:
            most += 10
        if x > most:
            return NO_LIMIT << 1 | (x - most - 1) << 8

    key = attacker | defender << 24 | state << 48 | STRICT_KEY
    place = slot(ws, key)
    if features & USE_TABLE and size > 2:
        found = probe(ws, place, key, x, y)
        if found >= 0:
            return found

    won = 0
    favoured = NO_LIMIT
    slack = NO_LIMIT
    lead_rates = LEADS + 24 * leads
    reply_rates = REPLIES + 48 * (1 - leads)
    child_state = state & _KEPT
    candidates = leader
    while candidates:
        index = most_promising(ws, candidates, lead_rates)
        led = 1 << index
        candidates &= ~led
        suit = TRUMPS << suit_shift(index)
        lead_points = card_points(index)
        bonus = strict_marriage_with(leader, led, rules) if may_announce else 0
        lead_x = x - bonus if leads else x
        lead_y = y if leads else y - bonus

        replies = legal_replies(other, led, suit)
        # A reply that can take the trick must take it, so the replies of one node all take it or none does.
        takes = 1 if replies & suit & ~(2 * led - 1) or (replies & TRUMPS and not suit & TRUMPS) else 0
        attacker_takes = takes != leads
        rates = reply_rates + 24 * takes
        lead_favoured = NO_LIMIT
        lead_slack = NO_LIMIT
        succeeded = 1
        while replies:
            reply = most_promising(ws, replies, rates)
            replies &= ~(1 << reply)
            points = lead_points + card_points(reply)
            next_x = lead_x
            next_y = lead_y
            if attacker_takes:
                next_x -= points
                next_state = state & DEFENDER_TAKEN | ATTACKER_TAKEN | ATTACKER_LEADS | child_state
            else:
                next_y -= points
                next_state = state & ATTACKER_TAKEN | DEFENDER_TAKEN | child_state
            if attacker_takes and next_x <= 0:
                answer = 1 | (-next_x) << 1 | NO_LIMIT << 8
            elif not attacker_takes and state & ANY_TRICK:
                answer = NO_LIMIT << 1 | NO_LIMIT << 8
            elif not attacker_takes and next_y <= 0:
                answer = (-next_y) << 1 | NO_LIMIT << 8
            else:
                next_y = max(next_y, 1)
                next_x = max(next_x, 1)
                next_attacker = attacker & ~(led | 1 << reply)
                next_defender = defender & ~(led | 1 << reply)
                if size == 2:
                    answer = last_trick(next_attacker, next_defender, next_state, next_x, next_y)
                else:
                    answer = strict(ws, next_attacker, next_defender, next_state, next_x, next_y)
            refuted = (answer & 1) != leads
            if features & USE_HISTORY:
                ws[rates + reply] += ((4096 if refuted else 0) - ws[rates + reply]) >> RATE_SHIFT
            if refuted:
                # The leader's side failed with this card; the answer's slack speaks for the other side.
                succeeded = 0
                lead_favoured = (answer >> 1) & 127
                lead_slack = answer >> 8
                break
            lead_favoured = min(lead_favoured, (answer >> 1) & 127)
            lead_slack = min(lead_slack, answer >> 8)
        if features & USE_HISTORY:
            ws[lead_rates + index] += ((4096 if succeeded else 0) - ws[lead_rates + index]) >> RATE_SHIFT
        if bonus and not succeeded:
            # With that many points more, the announcement alone would have reached the target.
            lead_slack = min(lead_slack, max((lead_x if leads else lead_y) - 1, 0))
        if succeeded:
            won = leads
            favoured = lead_favoured
            slack = lead_slack
            break
        won = 1 - leads
        favoured = min(favoured, lead_favoured)
        slack = min(slack, lead_slack)

    slack = min(slack, (y if won else x) - 1)
    if not features & USE_SLACK:
        favoured = 0
        slack = 0
    answer = won | favoured << 1 | slack << 8
    if features & USE_TABLE and size > 2 and not ws[STOP]:
        store(ws, place, key, x, y, answer)
    return answer
