"""The heuristics, one a file, and the functions for writing them; `agents.specs.components` lists their names.

A heuristic is a function `evaluate(own, opp)` of the discs of the side to move and of the other side. A factory
`make(rules, …)` returns one that depends on the board or has weights.
"""

from agents.bits.windows import all_cells, column_cells, open_windows, playable, row_cells, threats
from agents.jit.vectors import popcount, where

__all__ = ["all_cells", "column_cells", "open_windows", "playable", "popcount", "row_cells", "threats", "where"]
