"""bummerl: exact analysis of Schnapsen.

>>> from bummerl import Position, solve
>>> solve(Position.parse("trump=H me=HTK,DTQJ opp=ST,HQ,DAK,CT points=32:28 closed=me@28")).value
2
"""

from bummerl.advice_results import Advice
from bummerl.advise import advise
from bummerl.bid import bid
from bummerl.cards import CardError
from bummerl.close import close
from bummerl.close_results import CloseResult
from bummerl.deals import random_positions
from bummerl.engine import Settings
from bummerl.errors import RecordError
from bummerl.games.hand import TableHand
from bummerl.games.table import TablePosition
from bummerl.games.table_rules import TableRules
from bummerl.moves import Move, MoveError
from bummerl.position import Closure, Position
from bummerl.records import Record
from bummerl.results import Solution, Value
from bummerl.rules import Rules, RulesError
from bummerl.solve import solve, solve_many, solve_value
from bummerl.table_solve import TableSolution, solve_table, solve_tables
from bummerl.worlds import opponent_hands

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "CardError",
    "CloseResult",
    "Closure",
    "Move",
    "MoveError",
    "Position",
    "Record",
    "RecordError",
    "Rules",
    "RulesError",
    "Settings",
    "Solution",
    "TableHand",
    "TablePosition",
    "TableRules",
    "TableSolution",
    "Value",
    "advise",
    "bid",
    "close",
    "opponent_hands",
    "random_positions",
    "solve",
    "solve_many",
    "solve_table",
    "solve_tables",
    "solve_value",
]
