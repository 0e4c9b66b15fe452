"""The integers of the plan search: one array for the sets of hands, one for a plan written down.

=============  ==========================================================================================
from           what
=============  ==========================================================================================
TOP …          control values, one each, then five tables of one value a level
HEADER         the hands of each level, who holds each card, and which hand belongs to which, see `hand_sets`
ROOT points    the sets of the question and of the answer
TOP points     the arena, used as a stack: sets, fronts, what is known of each move
=============  ==========================================================================================
"""

from __future__ import annotations

# The header.
TOP = 0
LIMIT = 1  # length of the array
FULL = 2  # set when the search has ended early: stopped, or the arena is used up
CAPACITY = 3  # entries a front may have
TRUNCATED = 4  # set when a front had more
EXCESS = 5  # no plan costs less than this much more than the budget that failed
IS_CLOSER = 6  # the planner has closed, so he loses if nobody reaches 66
NODES = 7
ROOT = 8
WORK = 9  # words of sets compared, the same on every machine
MOST_WORK = 10  # the search ends there
PLAIN = 11  # 1: without bounds, and an entry dominates only those that contain it; to compare with
UNTRIED = 13  # moves that were not looked at yet
SIZE, WORDS, SUBSETS, HOLDS, UP = 16, 24, 32, 40, 48  # by level
HEADER = 64

# An entry of a front is its cost, what of it cannot be lost elsewhere, and the set.
ENTRY = 2
EVERYTHING = 1 << 40  # more than any set costs

# A score and who leads: points the planner needs | points the other needs << 8 | flags << 16.
MINE_LEADS, MINE_TAKEN, HIS_TAKEN = 1, 2, 4
WON, LOST = -1, -2

# A plan: the number of lines, then the lines. A line is the number of the line before it, who plays, the card, the
# marriage announced with it, how it ends, how many hands can come here, and how many of them beat the plan.
PARENT, WHO, PLAYED, ANNOUNCED, END, REACHING, LOSING = 0, 1, 2, 3, 4, 5, 6
LINE = 7
MINE, HIS = 0, 1
# How a line ends: not yet, won, lost, the last cards decide, or nothing can be won any more. Where the other leads
# his last card, or nothing can be won, the planner's line has no card: -1.
GOES_ON, IS_WON, IS_LOST, LAST_CARDS, HOPELESS = 0, 1, 2, 3, 4
