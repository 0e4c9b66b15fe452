"""The arrays of the three- and four-handed kernels.

Everybody's cards are known and nobody draws, so a hand is what its player was dealt less what has been played: a search
passes on the cards that are left in one integer, and the hands stay in the workspace. The state of a trick is one integer, too::

    seat to play (2 bits) | cards still to come (3) | best card (5) | who played it (2) | suit led (3) | points (7)

A *row* is one position, a plain integer array of `ROW_LENGTH`. As in the other kernels, trumps are moved to suit 0.
"""

from __future__ import annotations

# Workspace.
NODES = 0
STOP = 1  # set from another thread to end the search
GENERATION = 2
FEATURES = 3
TABLE_MASK = 4
TABLE_HITS = 5
ATTACK = 6  # race: the side whose question it is, a bit for each seat
LEVEL = 7  # race: the game points it asks for
WORK = 8  # the row being searched
SCRATCH = 40  # three rows on the way to a search
LAID = 125  # the two cards laid away
PRIORITY = 100  # a plan for taking no trick: the place of each card in the order in which it is played
TABLE = 128  # answers of contracts, a word each; behind them answers of races, two words each

# Features of the search; each can be switched off and none changes a value.
USE_TABLE, USE_SLACK, USE_WINNERS, USE_ORDER, USE_REACH = 1, 2, 4, 8, 16

# A row.
HAND = 0  # four hands
KIND = 4  # what is played for
DECLARER = 5  # his seat; in a race forehand's
SIDE = 6  # the declarer's side, a bit for each seat
TRICK = 7  # state of the trick, see above
NEED = 8  # points the declarer's side still needs for 66
OTHER = 9  # the same for the other side
TAKEN = 10  # 1: the declarer's side has a trick, 2: the other side has one
TRUMPS = 11  # the suit of trumps as cards, 0 without trumps
FLAGS = 12
PLAYERS = 13  # how many play
NEXT = 14  # four: who plays after each seat
DEALT = 18  # tricks of a whole deal
TALON = 19  # 1: the declarer takes the two cards of hand 3 and lays away the best two
ROW_LENGTH = 20

# Kinds.
RACE, THREE_TRICKS, ALL_TRICKS, NO_TRICK = 0, 1, 2, 3

# Flags.
FOLLOW_ONLY = 1  # no duty to beat
WHOLE_THREE = 2  # all three tricks have to be won, also after 66
LEADER_TWENTY = 4  # whoever leads for his partner's three tricks may announce
LAST_IS_ONE = 8  # the last trick of a race wins one point
ANY_CARD = 16  # no duties at all
DISCARDS_COUNT = 32  # what the declarer lays away counts for the others

# Fields of a trick.
LEFT_SHIFT, BEST_SHIFT, BY_SHIFT, LED_SHIFT, POINTS_SHIFT = 2, 5, 10, 12, 15
NOTHING = 31 << BEST_SHIFT

# Answers of a race: won | how many points fewer or more the attacker could have | the same for the defender.
NO_LIMIT = 255
