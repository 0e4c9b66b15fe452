"""Entry points of the two-handed kernels: values of rows and of many closed hands.

Everything comes down to boolean questions ("does this player win at least so much?"), at most three for a
value.
"""

from __future__ import annotations

from bummerl.kernels.bits import ACES, KINGS, QUEENS, TENS, TRUMPS, lowest, popcount
from bummerl.kernels.cache import kernel
from bummerl.kernels.loose import (
    EXCHANGED_STATE,
    LEVEL_SHIFT,
    STAGE_SHIFT,
    closed_by_leader,
    loose,
    lowest_trump,
    may_close,
    used_up,
)
from bummerl.kernels.strict import (
    ANY_TRICK,
    ATTACKER_LEADS,
    ATTACKER_TAKEN,
    DEFENDER_TAKEN,
    card_points,
    legal_replies,
    strict,
    suit_shift,
    swap_roles,
)
from bummerl.kernels.workspace import (
    BASE,
    CARDS,
    CARDS_END,
    CLOSE_BIT,
    CLOSE_UNDRAWN,
    CLOSER,
    COUNT_AT_END,
    DRAW,
    EXCHANGE_BIT,
    EXCHANGED,
    FAIL,
    GENERATION,
    GOES_ON,
    HAND,
    LAST_TEN_RULE,
    LEADS,
    LED,
    LEFT,
    MARRIAGE_BIT,
    NEED,
    NODES,
    PRIOR,
    REPLIES,
    ROW_LENGTH,
    RULES,
    SCRATCH,
    STOP,
    TAKEN,
    TALON,
    TURN,
)


@kernel("boolean(int64, int64[::1])")
def is_undrawn(rules, row):
    """Say whether the winner of a trick has not drawn yet, since he may close before."""
    return rules & CLOSE_UNDRAWN != 0 and row[LEFT] > 0 and row[LED] == 0 and popcount(row[HAND]) == 5


@kernel("int64(int64[::1], int64, int64)")
def drawn_card(row, place, rules):
    """Return the next talon card, or the one after it."""
    left = row[LEFT]
    if left == 2 and place == 1 and row[EXCHANGED]:
        return lowest_trump(rules)
    return row[CARDS_END - left + place]


@kernel("void(int64[::1], int64, int64)")
def draw(row, winner, rules):
    """Draw in a row: first the winner, then the other."""
    row[HAND + winner] |= drawn_card(row, 0, rules)
    row[HAND + 1 - winner] |= drawn_card(row, 1, rules)
    row[LEFT] -= 2


# The step of a value of 0, see `find_step`.
DRAWN_STEP = 3


@kernel("void(int64[::1])")
def write_prior(ws):
    """Write down the success rate of every lead and reply before anything is known, out of 4096."""
    for stage in range(7):
        for role in range(2):
            for index in range(24):
                card = 1 << index
                rank = index % 6
                high = card & (ACES | TENS)
                trump = card & TRUMPS
                lead = 1500
                if stage == 0:
                    lead += 120 * rank + (500 if trump else 0) - (700 if card & TENS else 0)
                else:
                    lead += -60 * rank + (300 if card & ACES else 0) - (500 if trump else 0)
                    if card & TENS:
                        lead -= 400
                    if card & (KINGS | QUEENS):
                        lead += 150
                ws[PRIOR + 24 * (2 * stage + role) + index] = lead
                reply = PRIOR - LEADS + REPLIES + 48 * (2 * stage + role) + index
                ws[reply] = 1500 - 120 * card_points(index) - (150 if trump else 0)
                ws[reply + 24] = 1900 + 60 * card_points(index) - (300 if trump else 0) + (100 if high else 0)


@kernel("void(int64[::1], int64[::1])", entry=True)
def begin(ws, row):
    """Start on a new deal: forget what was found for another one."""
    ws[GENERATION] += 1
    for i in range(12):
        ws[TALON + i] = row[CARDS + i]
    if ws[PRIOR] == 0:
        write_prior(ws)
    stages = row[LEFT] // 2 + 1
    for i in range(48 * stages):
        ws[LEADS + i] = ws[PRIOR + i]
    for i in range(96 * stages):
        ws[REPLIES + i] = ws[PRIOR + REPLIES - LEADS + i]


@kernel("int64(int64, int64)")
def deal_value(need, taken):
    """Return the game points of a player who reaches 66 in an open deal: by what the other has."""
    if not taken:
        return 3
    return 2 if need > 33 else 1


@kernel("int64(int64[::1], int64)")
def claim_value(row, winner):
    """Return the value for player 0 when `winner` has just reached 66."""
    loser = 1 - winner
    sign = 1 if winner == 0 else -1
    if row[CLOSER] < 0:
        return sign * deal_value(row[NEED + loser], row[TAKEN + loser])
    if row[CLOSER] != winner:
        return sign * row[FAIL]
    return sign * row[BASE]


@kernel("boolean(int64[::1], int64[::1], int64, int64)")
def ask_at_lead(ws, row, player, level):
    """Say whether `player` wins at least `level` game points from a row without a led card."""
    rival = 1 - player
    attacker, defender = row[HAND + player], row[HAND + rival]
    x, y = row[NEED + player], row[NEED + rival]
    state = ATTACKER_LEADS if row[TURN] == player else 0
    if row[TAKEN + player]:
        state |= ATTACKER_TAKEN
    if row[TAKEN + rival]:
        state |= DEFENDER_TAKEN
    closer = row[CLOSER]
    if closer == rival:
        if level > row[FAIL]:
            return False
        return strict(ws, defender, attacker, swap_roles(state), max(y, 1), max(x, 1)) & 1 == 0
    if closer == player and not ws[RULES] & COUNT_AT_END:
        return level <= row[BASE] and strict(ws, attacker, defender, state, max(x, 1), max(y, 1)) & 1 == 1
    # By what the defender has at the end.
    if row[TAKEN + rival] and (level == 3 or (level == 2 and y <= 33)):
        return False
    left = row[LEFT]
    rules = ws[RULES]
    if is_undrawn(rules, row):
        if may_close(rules, left):
            answer = closed_by_leader(ws, attacker, defender, state | level << LEVEL_SHIFT, max(x, 1), max(y, 1))
            if answer & 1 == state & ATTACKER_LEADS:
                return answer & 1 == 1
        winner = row[TURN]
        attacker |= drawn_card(row, player ^ winner, rules)
        defender |= drawn_card(row, rival ^ winner, rules)
        left -= 2
    if left > 0:
        state |= (left // 2) << STAGE_SHIFT | level << LEVEL_SHIFT
        if row[EXCHANGED]:
            state |= EXCHANGED_STATE
        return loose(ws, attacker, defender, state, max(x, 1), max(y, 1)) & 1 == 1
    if level == 2:
        y -= 33
    elif level == 3:
        y = 0
    if closer < 0:
        state |= used_up(rules, level, y)
    elif rules & LAST_TEN_RULE and y <= 0:
        state |= ANY_TRICK
    return strict(ws, attacker, defender, state, max(x, 1), max(y, 1)) & 1 == 1


@kernel("int64(int64[::1], int64[::1], int64, int64)")
def reply_to(row, out, reply, rules):
    """Play a card to the led one and draw: the row after the trick, or the value if the deal is over.

    Parameters
    ----------
    row, out : int64 array
        The row with a led card, and where the row after the trick goes.
    reply : int
        Index of the card.
    rules : int
        The packed rules.

    Returns
    -------
    int
        The value for player 0, or `GOES_ON`.
    """
    for i in range(ROW_LENGTH):
        out[i] = row[i]
    replier = row[TURN]
    card = 1 << reply
    led = row[LED]
    index = lowest(led)
    suit = TRUMPS << suit_shift(index)
    takes = card > led if card & suit else card & TRUMPS != 0
    winner = replier if takes else 1 - replier
    out[HAND + replier] &= ~card
    out[LED] = 0
    out[TURN] = winner
    out[TAKEN + winner] = 1
    out[NEED + winner] -= card_points(index) + card_points(reply)
    last = out[HAND] == 0 and out[HAND + 1] == 0
    if last and row[CLOSER] < 0 and rules & LAST_TEN_RULE:
        out[NEED + winner] -= 10
    if out[NEED + winner] <= 0:
        if rules & COUNT_AT_END and row[CLOSER] == winner:
            value = deal_value(out[NEED + 1 - winner], out[TAKEN + 1 - winner])
            return value if winner == 0 else -value
        return claim_value(out, winner)
    if last:
        if row[CLOSER] >= 0:
            return -row[FAIL] if row[CLOSER] == 0 else row[FAIL]
        if rules & LAST_TEN_RULE:
            return 0
        return 1 if winner == 0 else -1
    if row[LEFT] > 0 and not (rules & CLOSE_UNDRAWN and may_close(rules, row[LEFT])):
        draw(out, winner, rules)
    return GOES_ON


@kernel("boolean(int64[::1], int64[::1], int64, int64)", entry=True)
def ask(ws, row, player, level):
    """Say whether `player` wins at least `level` game points from any row."""
    if row[LED] == 0:
        return ask_at_lead(ws, row, player, level)
    replier = row[TURN]
    led = row[LED]
    hand = row[HAND + replier]
    if row[LEFT] == 0:
        hand = legal_replies(hand, led, TRUMPS << suit_shift(lowest(led)))
    after = ws[SCRATCH : SCRATCH + ROW_LENGTH]
    while hand:
        reply = lowest(hand)
        hand &= hand - 1
        value = reply_to(row, after, reply, ws[RULES])
        own = value if player == 0 else -value
        wins = ask_at_lead(ws, after, player, level) if value == GOES_ON else own >= level
        if wins == (player == replier):
            return wins
    return player != replier


@kernel("boolean(int64[::1], int64[::1], int64, int64)", entry=True)
def at_least(ws, row, player, step):
    """Say whether a row is worth at least -2 … 3 (`step` 1 to 6) for `player`."""
    if step >= 4:
        return ask(ws, row, player, step - 3)
    return not ask(ws, row, 1 - player, 4 - step)


@kernel("int64(int64, int64[::1], int64, int64)")
def next_step(rules, row, step, by):
    """Return the step after or before one, leaving out the draw where there is none."""
    step += by
    if step == DRAWN_STEP and not (rules & LAST_TEN_RULE and row[CLOSER] < 0):
        step += by
    return step


@kernel("int64(int64[::1], int64[::1], int64, int64, int64)", entry=True)
def find_step(ws, row, player, guess, most):
    """Find the value of a row for `player`, known to be at most `most`, starting at a guess.

    Values are counted in steps, 0 to 6 for -3 to 3.
    """
    step = guess
    if step > 0 and not at_least(ws, row, player, step):
        step = next_step(ws[RULES], row, step, -1)
        while step > 0 and not at_least(ws, row, player, step):
            step = next_step(ws[RULES], row, step, -1)
        return step
    while step < most:
        higher = next_step(ws[RULES], row, step, 1)
        if higher > most or not at_least(ws, row, player, higher):
            break
        step = higher
    return step


@kernel("int64(int64)")
def value_of_step(step):
    """Turn a step back into game points."""
    return step - 3


@kernel("int64(int64)")
def step_of_value(value):
    """Turn game points into a step."""
    return value + 3


@kernel("int64(int64[::1], int64[::1])", entry=True)
def value(ws, row):
    """Return the value of a row for player 0."""
    player = row[TURN]
    step = find_step(ws, row, player, 4, 6)
    result = value_of_step(step)
    return result if player == 0 else -result


@kernel("int64(int64[::1], int64[::1], int64, int64)")
def lead_move(row, out, move, rules):
    """Exchange, close, announce and lead; returns the value if the deal is over, else `GOES_ON`."""
    for i in range(ROW_LENGTH):
        out[i] = row[i]
    leader = row[TURN]
    rival = 1 - leader
    if move & EXCHANGE_BIT:
        out[HAND + leader] = out[HAND + leader] & ~lowest_trump(rules) | row[CARDS_END - 1]
        out[EXCHANGED] = 1
    if move & CLOSE_BIT:
        out[CLOSER] = leader
        out[LEFT] = 0
        out[BASE] = deal_value(row[NEED + rival], row[TAKEN + rival])
        out[FAIL] = 2 if row[TAKEN + rival] else 3
    card = 1 << (move & 31)
    if move & MARRIAGE_BIT:
        out[NEED + leader] -= 40 if card & TRUMPS else 20
        if row[TAKEN + leader] and out[NEED + leader] <= 0:
            if rules & COUNT_AT_END and out[CLOSER] == leader:
                result = deal_value(out[NEED + rival], out[TAKEN + rival])
                return result if leader == 0 else -result
            return claim_value(out, leader)
    out[HAND + leader] &= ~card
    out[LED] = card
    out[TURN] = rival
    return GOES_ON


@kernel("int64(int64[::1], int64[::1], int64[::1], int64)")
def play(ws, row, out, move):
    """Make a move in a row: the next row, or the value for player 0 if the deal is over, else `GOES_ON`."""
    rules = ws[RULES]
    if row[LED]:
        return reply_to(row, out, move & 31, rules)
    if move & 31 == DRAW:
        for i in range(ROW_LENGTH):
            out[i] = row[i]
        draw(out, row[TURN], rules)
        return GOES_ON
    return lead_move(row, out, move, rules)


@kernel("int64(int64[::1], int64[:, ::1], int8[::1], int64[::1])", entry=True)
def values(ws, rows, out, nodes):
    """Value many rows for player 0; returns how many were done before a stop.

    Parameters
    ----------
    ws : int64 array
        Workspace.
    rows : int64 array, shape (n, ROW_LENGTH)
        Positions under the rules of the workspace.
    out : int8 array, shape (n,)
        The values.
    nodes : int64 array, shape (n,)
        Nodes searched for each.
    """
    for i in range(len(rows)):
        before = ws[NODES]
        begin(ws, rows[i])
        out[i] = value(ws, rows[i])
        nodes[i] = ws[NODES] - before
        if ws[STOP]:
            return i
    return len(rows)


@kernel("int64(int64[::1], int64[::1], int64[::1], int64[::1], int8[:, ::1])", entry=True)
def closed_wins(ws, row, hands, moves, out):
    """For each hand of player 1 and each move: the value for player 0 of a talon closed by then.

    Parameters
    ----------
    ws : int64 array
        Workspace.
    row : int64 array
        The position; player 0 is on turn. Its second hand is replaced.
    hands : int64 array, shape (n,)
        Hands player 1 may hold.
    moves : int64 array, shape (m,)
        Moves of player 0, each closing the talon unless that is done.
    out : int8 array, shape (n, m)
        The values.

    Returns
    -------
    int
        How many hands were done before a stop.
    """
    child = ws[SCRATCH + ROW_LENGTH : SCRATCH + 2 * ROW_LENGTH]
    here = ws[SCRATCH + 2 * ROW_LENGTH : SCRATCH + 3 * ROW_LENGTH]
    for i in range(ROW_LENGTH):
        here[i] = row[i]
    begin(ws, row)
    for i in range(len(hands)):
        here[HAND + 1] = hands[i]
        guess = 4
        for k in range(len(moves)):
            result = play(ws, here, child, moves[k])
            if result == GOES_ON:
                guess = find_step(ws, child, 0, guess, 6)
                result = value_of_step(guess)
            out[i, k] = result
        if ws[STOP]:
            return i
    return len(hands)


LOADED = True
