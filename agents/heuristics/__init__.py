"""The heuristics, one a file, and the words that they are written with; `agents.specs.parts` has their names.

A heuristic is a function `evaluate(own, opp)` of the discs of the side to move and of the other. One that depends on
the board or has weights comes from a factory `make(rules, …)`.
"""

from agents.bits.windows import all_cells, column_cells, open_windows, playable, row_cells, threats
from agents.jit.compiler import popcount
from agents.jit.simd import where

__all__ = ["all_cells", "column_cells", "open_windows", "playable", "popcount", "row_cells", "threats", "where"]
