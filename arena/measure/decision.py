"""One decision of one agent, away from any game."""

from __future__ import annotations

from dataclasses import dataclass

from agents.agent import prepare
from agents.board import Board
from agents.errors import InputError
from agents.registry import Spec
from arena.play.answer import Fault
from arena.play.interrupt import stoppable
from arena.play.match import decide


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent chose and what it knows of it."""

    agent: str
    """Its spec."""
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


def decision(spec: Spec, board: Board) -> Decision:
    """Return what a new agent of this spec plays. Raises InputError where the game is over or the agent fails."""
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome} at move {board.ply})")
    player = spec.apart()
    prepare(player, board.rules, spec.text)
    try:
        with stoppable([player]):
            made = decide(player, board)
    except Fault as fault:
        raise InputError(f"agent {spec.text!r}: {fault.termination}: {fault.detail}") from fault
    line = tuple(column + 1 for column in made.pv)
    return Decision(
        spec.text, board.text, made.column + 1, made.score, made.depth, made.nodes, made.seconds, line
    )  # fmt: skip
