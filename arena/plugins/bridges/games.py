"""Our agents in the worlds of other frameworks, one a file; each needs the framework, and says so where it is missing.

The other way round is a spec: `openspiel:…` and `pettingzoo:…`, made by `agents.bridges`.
"""

from __future__ import annotations

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from arena.games.seats import player


class Player:
    """An agent at a board of another framework.

    agent: a spec such as `alphabeta:depth=6`; those of files and commands live in processes of their own. seed: of the
    first game; each new one takes the next. seconds: for a move, where the agent has no limits of its own. Raises
    InputError where there is no such agent, and where it commits a fault.
    """

    def __init__(self, agent: str, seed: int = 0, seconds: float | None = None, rules: Rules = STANDARD) -> None:
        self.seat, self.rules, self.seed = player(agent), rules, seed
        self.limits = None if seconds is None else Limits(seconds=seconds)
        self._ply: int | None = None

    def new_game(self, seed: int | None = None) -> None:
        """Let the next move begin a game."""
        self.seed, self._ply = self.seed if seed is None else seed, None

    def move(self, board: Board) -> int:
        """Return the agent's 0-based column; a board with fewer discs than the last one begins a game.

        Raises InputError where the game is over.
        """
        if board.outcome is not None:
            raise InputError(f"the game is over after {board.ply} discs: there is no move")
        if self._ply is None or board.ply < self._ply:
            self.seat.ready(Board(self.rules), self.seed)
            self.seed += 1
        self._ply = board.ply
        return self.seat.decide(board, self.limits).column

    def close(self) -> None:
        """End the agent's process, if it has one."""
        getattr(self.seat.agent, "close", lambda: None)()
