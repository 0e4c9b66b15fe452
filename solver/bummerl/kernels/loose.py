"""The loose phase: does the attacker win at least so many game points, with the talon order known?

The question fixes the attacker and a level: 1 the deal, 2 with the defender below 33, 3 with the defender
without a trick. The defender escapes at 66, 33 or his first trick. Whoever is at the lead may exchange the
trump jack and close; a closed talon turns the question into one about reaching 66 in the strict phase.
"""

from __future__ import annotations

from bummerl.kernels.bits import TRUMPS, lowest
from bummerl.kernels.cache import kernel
from bummerl.kernels.strict import (
    ANY_TRICK,
    ATTACKER_LEADS,
    ATTACKER_TAKEN,
    DEFENDER_TAKEN,
    LAST_TEN,
    LAST_TRICK,
    best_marriage,
    card_points,
    marriage_with,
    most_promising,
    strict,
    suit_shift,
    swap_roles,
)
from bummerl.kernels.table import probe, slot, store
from bummerl.kernels.workspace import (
    CLOSE_FIRST,
    CLOSE_MIN_SHIFT,
    CLOSE_UNDRAWN,
    COUNT_AT_END,
    EXCHANGE_FIRST,
    EXCHANGE_MIN_SHIFT,
    FEATURES,
    FULL_TALON_SHIFT,
    LAST_TEN_RULE,
    LEADS,
    LOWEST_TRUMP_SHIFT,
    MARRIAGE_FIRST,
    NO_LIMIT,
    NODES,
    RATE_SHIFT,
    REPLIES,
    RULES,
    STOP,
    TALON_END,
    USE_HISTORY,
    USE_LEVELS,
    USE_SLACK,
    USE_TABLE,
)

# State of a loose search: the first three bits as in a strict one, then
STAGE_SHIFT = 3  # half the talon cards left, 1 to 6 (3 bits)
EXCHANGED_STATE = 1 << 6  # the lowest trump is the last card of the talon
LEVEL_SHIFT = 7  # 1 to 3 (2 bits)
_TAKEN = ATTACKER_TAKEN | DEFENDER_TAKEN


@kernel("boolean(int64, int64)")
def may_close(rules, left):
    """Say whether the leader may close with so many talon cards left."""
    return left >= (rules >> CLOSE_MIN_SHIFT) & 15 and (
        left < (rules >> FULL_TALON_SHIFT) & 15 or rules & CLOSE_FIRST != 0
    )


@kernel("int64(int64)")
def lowest_trump(rules):
    """Return the card that is exchanged: the trump jack, or the nine where there are nines."""
    return 1 << ((rules >> LOWEST_TRUMP_SHIFT) & 1)


@kernel("int64(int64, int64, int64)")
def used_up(rules, level, escape):
    """Return the state bits of the question of a level once the talon is used up, the defender to escape with so much."""
    if not rules & LAST_TEN_RULE:
        return LAST_TRICK if level == 1 else 0
    return LAST_TEN | (ANY_TRICK if escape <= 0 else 0)


@kernel("boolean(int64, int64, int64, int64, int64)")
def may_exchange(rules, left, taken, hand, last):
    """Say whether the leader may swap the trump jack for the last card of the talon."""
    return (
        hand & lowest_trump(rules) != 0
        and last != lowest_trump(rules)
        and left >= (rules >> EXCHANGE_MIN_SHIFT) & 15
        and (taken != 0 or rules & EXCHANGE_FIRST != 0)
    )


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)")
def closed_by_leader(ws, attacker, defender, state, x, y):
    """Answer the question of a loose position when its leader closes the talon now."""
    level = state >> LEVEL_SHIFT
    if state & ATTACKER_LEADS:
        asked = state & (ATTACKER_LEADS | _TAKEN)
        if ws[RULES] & COUNT_AT_END and level > 1:
            y = y - 33 if level == 2 else 0
            if ws[RULES] & LAST_TEN_RULE and y <= 0:
                asked |= ANY_TRICK
        return strict(ws, attacker, defender, asked, max(x, 1), max(y, 1))
    if level == 3 and state & ATTACKER_TAKEN:
        # The defender pays two at most, so closing makes the three impossible.
        return NO_LIMIT << 1 | NO_LIMIT << 8
    return strict(ws, defender, attacker, swap_roles(state), max(y, 1), max(x, 1)) ^ 1


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)")
def fails_lower(ws, attacker, defender, state, x, y):
    """Return the table's *no* to this question at a lower level, or -1.

    Whoever does not win one point does not win two; that the other wins one is the same fact with the roles
    swapped.
    """
    level = state >> LEVEL_SHIFT
    same = state & (1 << LEVEL_SHIFT) - 1
    for lower in range(1, level):
        key = attacker | defender << 24 | (same | lower << LEVEL_SHIFT) << 48
        found = probe(ws, slot(ws, key), key, x, y)
        if found >= 0 and not found & 1:
            return found
    swapped = same & ~(ATTACKER_LEADS | _TAKEN) | 1 << LEVEL_SHIFT | swap_roles(same)
    key = defender | attacker << 24 | swapped << 48
    found = probe(ws, slot(ws, key), key, y, x)
    return found ^ 1 if found >= 0 and found & 1 else -1


@kernel("int64(int64[::1], int64, int64, int64, int64, int64)", entry=True)
def loose(ws, attacker, defender, state, x, y):
    """Answer one question about a loose position at the lead.

    Parameters
    ----------
    ws : int64 array
        The workspace, with the talon in it.
    attacker, defender : int
        Full hands.
    state : int
        Lead, tricks taken, talon stage, exchanged, level.
    x, y : int
        Points needed for 66 by the attacker and by the defender, pending marriages taken off.

    Returns
    -------
    int
        See `workspace`: won, slack of the favoured side, slack of the other.
    """
    ws[NODES] += 1
    if ws[STOP]:
        return 0
    features = ws[FEATURES]
    rules = ws[RULES]
    leads = state & ATTACKER_LEADS
    taken = state & (ATTACKER_TAKEN if leads else DEFENDER_TAKEN)
    level = state >> LEVEL_SHIFT
    stage = (state >> STAGE_SHIFT) & 7
    escape = y - 33 if level == 2 else y
    if leads:
        leader, other = attacker, defender
    else:
        leader, other = defender, attacker

    if taken:
        bonus = best_marriage(leader)
        if bonus >= (x if leads else escape):
            if leads:
                return 1 | (bonus - x) << 1 | max(escape - 1, 0) << 8
            return (bonus - escape) << 1 | (x - 1) << 8

    key = attacker | defender << 24 | state << 48
    place = slot(ws, key)
    if features & USE_TABLE:
        found = probe(ws, place, key, x, y)
        if found >= 0:
            return found
        if features & USE_LEVELS and level > 1:
            found = fails_lower(ws, attacker, defender, state, x, y)
            if found >= 0:
                return found

    won = 1 - leads
    favoured = NO_LIMIT
    slack = NO_LIMIT
    last = ws[TALON_END - 1]
    decided = False
    if not state & EXCHANGED_STATE and may_exchange(rules, 2 * stage, taken, leader, last):
        mine = leader & ~lowest_trump(rules) | last
        answer = (
            loose(ws, mine, defender, state | EXCHANGED_STATE, x, y)
            if leads
            else loose(ws, attacker, mine, state | EXCHANGED_STATE, x, y)
        )
        favoured = (answer >> 1) & 127
        slack = answer >> 8
        won = answer & 1
        decided = won == leads
    if not decided and may_close(rules, 2 * stage):
        answer = closed_by_leader(ws, attacker, defender, state, x, y)
        if answer & 1 == leads:
            decided = True
            won = leads
            favoured = (answer >> 1) & 127
            slack = answer >> 8
        else:
            favoured = min(favoured, (answer >> 1) & 127)
            slack = min(slack, answer >> 8)

    may_announce = rules & MARRIAGE_FIRST or taken
    lead_rates = LEADS + 24 * (2 * stage + leads)
    reply_rates = REPLIES + 48 * (2 * stage + 1 - leads)
    first = ws[TALON_END - 2 * stage]
    second = ws[TALON_END - 2 * stage + 1]
    if stage == 1 and state & EXCHANGED_STATE:
        second = lowest_trump(rules)
    undrawn = rules & CLOSE_UNDRAWN and may_close(rules, 2 * stage)
    kept = state & (EXCHANGED_STATE | 3 << LEVEL_SHIFT) | (stage - 1) << STAGE_SHIFT
    candidates = 0 if decided else leader
    while candidates:
        index = most_promising(ws, candidates, lead_rates)
        led = 1 << index
        candidates &= ~led
        suit = TRUMPS << suit_shift(index)
        beating = suit & ~(2 * led - 1) | (0 if suit & TRUMPS else TRUMPS)
        lead_points = card_points(index)
        bonus = marriage_with(leader, led, rules) if may_announce else 0
        lead_x = x - bonus if leads else x
        lead_y = y if leads else y - bonus

        replies = other
        lead_favoured = NO_LIMIT
        lead_slack = NO_LIMIT
        succeeded = 1
        while replies:
            reply = -1
            reply_rate = -1
            rest = replies
            while rest:
                i = lowest(rest)
                rest &= rest - 1
                rate = reply_rates + i + (24 if beating & (1 << i) else 0)
                if reply < 0 or ws[rate] > ws[reply_rate]:
                    reply = i
                    reply_rate = rate
            card = 1 << reply
            replies &= ~card
            takes = 1 if beating & card else 0
            points = lead_points + card_points(reply)
            next_x = lead_x
            next_y = lead_y
            next_attacker = attacker & ~(led | card)
            next_defender = defender & ~(led | card)
            answer = -1
            if takes != leads:
                next_x -= points
                if next_x <= 0:
                    answer = 1 | (-next_x) << 1 | NO_LIMIT << 8
                next_state = state & DEFENDER_TAKEN | ATTACKER_TAKEN | ATTACKER_LEADS
                gets, other_gets = first, second
            else:
                next_y -= points
                if level == 3:
                    answer = NO_LIMIT << 1 | NO_LIMIT << 8
                elif level == 2:
                    if next_y <= 33:
                        answer = (33 - next_y) << 1 | NO_LIMIT << 8
                elif next_y <= 0:
                    answer = (-next_y) << 1 | NO_LIMIT << 8
                next_state = state & ATTACKER_TAKEN | DEFENDER_TAKEN
                gets, other_gets = second, first
            closed = -1
            if answer < 0 and undrawn:
                # The winner may close before he draws.
                closed = closed_by_leader(
                    ws, next_attacker, next_defender, next_state | level << LEVEL_SHIFT, max(next_x, 1), max(next_y, 1)
                )
                if closed & 1 == next_state & ATTACKER_LEADS:
                    answer = closed
            if answer < 0:
                next_attacker |= gets
                next_defender |= other_gets
                next_x = max(next_x, 1)
                if stage > 1:
                    answer = loose(ws, next_attacker, next_defender, next_state | kept, next_x, max(next_y, 1))
                else:
                    if level == 2:
                        next_y -= 33
                    elif level == 3:
                        next_y = 0
                    next_state |= used_up(rules, level, next_y)
                    answer = strict(ws, next_attacker, next_defender, next_state, next_x, max(next_y, 1))
                if closed >= 0 and answer & 1 != next_state & ATTACKER_LEADS:
                    # Neither closing nor drawing helps the winner: the answer holds where both do.
                    answer = (
                        answer & 1
                        | min((answer >> 1) & 127, (closed >> 1) & 127) << 1
                        | min(answer >> 8, closed >> 8) << 8
                    )
            refuted = (answer & 1) != leads
            if features & USE_HISTORY:
                ws[reply_rate] += ((4096 if refuted else 0) - ws[reply_rate]) >> RATE_SHIFT
            if refuted:
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
            lead_slack = min(lead_slack, max((lead_x if leads else (lead_y - 33 if level == 2 else lead_y)) - 1, 0))
        if succeeded:
            won = leads
            favoured = lead_favoured
            slack = lead_slack
            break
        won = 1 - leads
        favoured = min(favoured, lead_favoured)
        slack = min(slack, lead_slack)

    slack = min(slack, max((escape if won else x) - 1, 0))
    if not features & USE_SLACK:
        favoured = 0
        slack = 0
    answer = won | favoured << 1 | slack << 8
    if features & USE_TABLE and not ws[STOP]:
        store(ws, place, key, x, y, answer)
    return answer
