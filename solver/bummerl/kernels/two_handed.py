"""Entry points of the two-handed kernels: values of rows and of many closed hands.

Everything comes down to boolean questions ("does this player win at least so much?"), at most three for a
value.
"""

from __future__ import annotations

from bummerl.kernels.bits import ACES, KINGS, QUEENS, TENS, TRUMP_JACK, TRUMPS, lowest
from bummerl.kernels.cache import kernel
from bummerl.kernels.loose import EXCHANGED_STATE, LEVEL_SHIFT, STAGE_SHIFT, loose
from bummerl.kernels.strict import (
    ATTACKER_LEADS,
    ATTACKER_TAKEN,
    DEFENDER_TAKEN,
    LAST_TRICK,
    card_points,
    legal_replies,
    strict,
    suit_shift,
    swap_roles,
)
from bummerl.kernels.workspace import (
    BASE,
    CARDS,
    CLOSE_BIT,
    CLOSER,
    COUNT_AT_END,
    EXCHANGE_BIT,
    EXCHANGED,
    FAIL,
    GENERATION,
    HAND,
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


@kernel("void(int64[::1])")
def write_prior(ws):
    """Write down the success rate of every lead and reply before anything is known, out of 4096."""
    for stage in range(6):
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
    for i in range(10):
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
    if left > 0:
        state |= (left // 2) << STAGE_SHIFT | level << LEVEL_SHIFT
        if row[EXCHANGED]:
            state |= EXCHANGED_STATE
        return loose(ws, attacker, defender, state, max(x, 1), max(y, 1)) & 1 == 1
    if level == 2:
        y -= 33
    elif level == 3:
        y = 0
    elif closer < 0:
        state |= LAST_TRICK
    return strict(ws, attacker, defender, state, max(x, 1), max(y, 1)) & 1 == 1


@kernel("int64(int64[::1], int64[::1], int64, int64)")
def reply_to(row, out, reply, end):
    """Play a card to the led one and draw: the row after the trick, or the value if the deal is over.

    Parameters
    ----------
    row, out : int64 array
        The row with a led card, and where the row after the trick goes.
    reply : int
        Index of the card.
    end : int
        1 if a closed deal is counted at its end.

    Returns
    -------
    int
        The value for player 0, or 0 while the deal goes on.
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
    if out[NEED + winner] <= 0:
        if end and row[CLOSER] == winner:
            value = deal_value(out[NEED + 1 - winner], out[TAKEN + 1 - winner])
            return value if winner == 0 else -value
        return claim_value(out, winner)
    if out[HAND] == 0 and out[HAND + 1] == 0:
        if row[CLOSER] >= 0:
            return -row[FAIL] if row[CLOSER] == 0 else row[FAIL]
        return 1 if winner == 0 else -1
    left = row[LEFT]
    if left > 0:
        out[HAND + winner] |= row[CARDS + 10 - left]
        second = row[CARDS + 11 - left]
        if left == 2 and row[EXCHANGED]:
            second = TRUMP_JACK
        out[HAND + 1 - winner] |= second
        out[LEFT] = left - 2
    return 0


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
    end = 1 if ws[RULES] & COUNT_AT_END else 0
    while hand:
        reply = lowest(hand)
        hand &= hand - 1
        value = reply_to(row, after, reply, end)
        own = value if player == 0 else -value
        wins = ask_at_lead(ws, after, player, level) if value == 0 else own >= level
        if wins == (player == replier):
            return wins
    return player != replier


@kernel("boolean(int64[::1], int64[::1], int64, int64)", entry=True)
def at_least(ws, row, player, step):
    """Say whether a row is worth at least -2, -1, 1, 2, 3 (`step` 1 to 5) for `player`."""
    if step >= 3:
        return ask(ws, row, player, step - 2)
    return not ask(ws, row, 1 - player, 4 - step)


@kernel("int64(int64[::1], int64[::1], int64, int64, int64)", entry=True)
def find_step(ws, row, player, guess, most):
    """Find the value of a row for `player`, known to be at most `most`, starting at a guess.

    Values are counted in steps: 0 to 5 for -3, -2, -1, 1, 2, 3.
    """
    step = guess
    if step > 0 and not at_least(ws, row, player, step):
        step -= 1
        while step > 0 and not at_least(ws, row, player, step):
            step -= 1
        return step
    while step < most and at_least(ws, row, player, step + 1):
        step += 1
    return step


@kernel("int64(int64)")
def value_of_step(step):
    """Turn a step back into game points."""
    return step - 2 if step >= 3 else step - 3


@kernel("int64(int64)")
def step_of_value(value):
    """Turn game points into a step."""
    return value + 2 if value > 0 else value + 3


@kernel("int64(int64[::1], int64[::1])", entry=True)
def value(ws, row):
    """Return the value of a row for player 0."""
    player = row[TURN]
    step = find_step(ws, row, player, 3, 5)
    result = value_of_step(step)
    return result if player == 0 else -result


@kernel("int64(int64[::1], int64[::1], int64, int64)")
def lead_move(row, out, move, end):
    """Exchange, close, announce and lead: the row with the led card, or the value if the deal is over."""
    for i in range(ROW_LENGTH):
        out[i] = row[i]
    leader = row[TURN]
    rival = 1 - leader
    if move & EXCHANGE_BIT:
        out[HAND + leader] = out[HAND + leader] & ~TRUMP_JACK | row[CARDS + 9]
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
            if end and out[CLOSER] == leader:
                result = deal_value(out[NEED + rival], out[TAKEN + rival])
                return result if leader == 0 else -result
            return claim_value(out, leader)
    out[HAND + leader] &= ~card
    out[LED] = card
    out[TURN] = rival
    return 0


@kernel("int64(int64[::1], int64[::1], int64[::1], int64)")
def play(ws, row, out, move):
    """Make a move in a row: the next row, or the value for player 0 if the deal is over, else 0."""
    end = 1 if ws[RULES] & COUNT_AT_END else 0
    if row[LED]:
        return reply_to(row, out, move & 31, end)
    return lead_move(row, out, move, end)


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
        guess = 3
        for k in range(len(moves)):
            result = play(ws, here, child, moves[k])
            if result == 0:
                guess = find_step(ws, child, 0, guess, 5)
                result = value_of_step(guess)
            out[i, k] = result
        if ws[STOP]:
            return i
    return len(hands)


LOADED = True
