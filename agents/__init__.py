"""All that it takes to choose a move in Connect Four: the board, the agents and what they search with."""

from agents.agent import Agent, Analysis, Iteration, Limits
from agents.board import Board, IllegalMove, Outcome, Rules
from agents.errors import InputError

__all__ = ["Agent", "Analysis", "Board", "IllegalMove", "InputError", "Iteration", "Limits", "Outcome", "Rules"]
