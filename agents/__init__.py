"""All that it takes to choose a move in Connect Four: the board, the agents and what they search with.

`agents.specs.registry` makes agents from specs, `agents.score` says what scores mean, `agents.heuristics` has the words
that heuristics are written with. None of this package knows of tournaments.
"""

from agents.agent import Agent, Analysis, Iteration, Limits
from agents.board import Board, IllegalMove, Outcome, Rules
from agents.errors import InputError

__all__ = ["Agent", "Analysis", "Board", "IllegalMove", "InputError", "Iteration", "Limits", "Outcome", "Rules"]
