"""One integer array holds everything a search needs besides its arguments.

Recursion in Numba costs two to three times as much with several arrays as with one, so control values, the
talon, the move statistics and the transposition table share a single ``int64`` array, one for each thread:

=============  ==========================================================================================
from           what
=============  ==========================================================================================
NODES …        control values, one each
TALON          up to twelve talon cards as bits, in draw order; a shorter talon is aligned to the end
LEADS          success rate of each lead: talon stage (0 strict, 1 to 6 loose) × is the attacker × card
REPLIES        the same for replies, × does it take the trick
PRIOR          what both start from on a new deal
TABLE          the transposition table, two words an entry, see `table`
=============  ==========================================================================================

A *row* is one position for the kernels, a plain integer array of `ROW_LENGTH`; the constants `HAND …` name
its places. Player 0 is the one the values are for.
"""

from __future__ import annotations

# Control values.
NODES = 0
STOP = 1  # set from another thread to end the search
GENERATION = 2
FEATURES = 3
RULES = 4
TABLE_MASK = 5
STRICT_NODES = 6
TABLE_HITS = 7
TALON = 8
TALON_END = TALON + 12
SCRATCH = 24  # four rows for positions on the way from a root to a search
LEADS = 128
REPLIES = LEADS + 7 * 2 * 24
PRIOR = 1152
TABLE = 2176

# Features of the search; each can be switched off and none changes a value.
USE_TABLE, USE_SLACK, USE_WINNERS, USE_REACH, USE_HISTORY, USE_PLAN_BOUNDS, USE_LEVELS = 1, 2, 4, 8, 16, 32, 64

# A success rate moves half of the way to what has just happened, out of 4096: what refuted last is tried first.
# Moving a sixteenth of the way costs 38 % more nodes.
RATE_SHIFT = 1

# Rules, packed into one integer: flags, then the two talon minima, the full talon, and the index of the lowest trump.
CLOSE_FIRST, EXCHANGE_FIRST, MARRIAGE_FIRST, KING_ONLY, COUNT_AT_END = 1, 2, 4, 8, 16
# Sixty-Six: marriages while the talon is open only, 10 for the last trick, closing before drawing.
MARRIAGE_OPEN, LAST_TEN_RULE, CLOSE_UNDRAWN = 32, 64, 128
CLOSE_MIN_SHIFT, EXCHANGE_MIN_SHIFT, FULL_TALON_SHIFT, LOWEST_TRUMP_SHIFT = 8, 12, 16, 20

# A row.
HAND = 0  # two hands
TURN = 2  # who plays next
LED = 3  # the card to be replied to, as a bit, or 0
NEED = 4  # two: points still wanted for 66, pending ones taken off
TAKEN = 6  # two: has taken a trick
CLOSER = 8  # who closed, or -1
BASE = 9  # game points if the closer wins, counted when the talon was closed
FAIL = 10  # game points if the closer fails
LEFT = 11  # talon cards left, 0 when closed
CARDS = 12  # twelve: the talon as bits, aligned to the end
CARDS_END = 24
EXCHANGED = 24  # 1 if the lowest trump now lies where the last of CARDS says
TRUMP_SUIT = 25  # which suit the trumps are outside the kernels, for the order of moves
ROW_LENGTH = 26

# A move in one integer: the card's index, then what was done before it was led.
MARRIAGE_BIT, EXCHANGE_BIT, CLOSE_BIT = 32, 64, 128
# The move of a winner who draws where he could close before drawing.
DRAW = 31
# What a move returns while the deal goes on, in place of its value.
GOES_ON = 99

# What `solution.solution` writes: moves, their values, room for other moves, a line of best play.
MOVE_VALUES, OTHER_MOVES, LINE, SOLUTION = 64, 128, 192, 288

# Answers of a search: won | slack of the favoured side << 1 | slack of the other side << 8.
NO_LIMIT = 127
