"""Everything needed to choose a move in Connect Four: the board, the agents, and the parts of their searches.

`agents.specs.registry` makes agents from specs, `agents.score` defines scores, `agents.heuristics` exports the
functions for writing heuristics. This package does not depend on tournaments.
"""

from agents.agent import Agent, Analysis, Iteration, Limits
from agents.board import Board, IllegalMove, Outcome, Rules
from agents.errors import InputError
from agents.specs.parameters import Range

__all__ = [
    "Agent",
    "Analysis",
    "Board",
    "IllegalMove",
    "InputError",
    "Iteration",
    "Limits",
    "Outcome",
    "Range",
    "Rules",
]
