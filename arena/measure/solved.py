"""The truth about a position."""

from __future__ import annotations

import time
from dataclasses import dataclass

from agents.board import Board
from agents.errors import InputError
from agents.solver.solver import Solver

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True, slots=True)
class Solved:
    """What a position is worth to the side to move, and what it took to know."""

    position: str
    """The moves to it."""
    score: int
    """[discs] Those that the winner has left after the winning move, plus one; negative for a loss, 0 for a draw."""
    outcome: str
    """`win`, `draw` or `loss`."""
    nodes: int
    """[nodes]"""
    seconds: float
    """[seconds]"""
    columns: tuple[int | None, ...] | None
    """[discs] The score of a move in each column, None where it is full; None where nobody asked."""


def solved(solver: Solver, board: Board, *, weak: bool = False, columns: bool = False) -> Solved:
    """Solve a position, only as a win (1), a draw (0) or a loss (-1) if `weak`. Raises InputError where it is over."""
    if board.outcome is not None:
        raise InputError(f"position {board.text!r}: the game is already over ({board.outcome})")
    before, began = solver.nodes, time.perf_counter()
    score = solver.outcome_of(board) if weak else solver.score_of(board)
    nodes, seconds = solver.nodes - before, time.perf_counter() - began
    worth = tuple(solver.column_scores(board.own, board.opp, weak=weak)) if columns else None
    return Solved(board.text, score, OUTCOMES[(score > 0) - (score < 0)], nodes, seconds, worth)
