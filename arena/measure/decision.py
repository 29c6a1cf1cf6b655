"""One decision of one agent, away from any game."""

from __future__ import annotations

from dataclasses import dataclass

from agents.agent import Agent
from agents.board import Board
from agents.errors import InputError
from arena.play.session import Seat


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent chose and what it knows of it."""

    agent: str
    """Its spec, or its name in a folder or roster."""
    position: str
    """The moves to the position."""
    move: int
    """[column] From 1."""
    score: int | None
    """[points of the heuristic] For the side to move; a win in n plies is 1000000 - n, a loss n - 1000000."""
    depth: int
    """[plies] The deepest that was completed."""
    nodes: int
    """[nodes] Positions visited, the first included."""
    seconds: float
    """[seconds] By the referee's clock, which times the whole call."""
    pv: tuple[int, ...]
    """[columns] What it expects to be played, from 1; the move is the first."""


def decision(name: str, player: Agent, board: Board) -> Decision:
    """Return what a new agent of this name plays. Raises InputError where the game is over or the agent fails."""
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome} at move {board.ply})")
    seat = Seat(name, player)
    seat.ready(board, seed=0)
    made = seat.decide(board)
    line = tuple(column + 1 for column in made.pv)
    return Decision(name, board.text, made.column + 1, made.score, made.depth, made.nodes, made.seconds, line)
