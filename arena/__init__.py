"""All that it takes to make Connect Four agents meet, and to say who is stronger, how surely, and at what cost.

From Python, what the commands do, as DataFrames:

    import arena
    result = arena.run(["minimax:depth=4", "alphabeta:depth=2..6,order=centre"], rounds=10)
    result.standings
"""

from arena.api import Result, depths, load, plot, run

__all__ = ["Result", "depths", "load", "plot", "run"]
