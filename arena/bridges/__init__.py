"""Our agents in the worlds of other frameworks, one a file; each needs the framework, and says so where it is missing.

The other way round is a spec: `openspiel:…` and `pettingzoo:…`, hosted by `agents.players.guests`.
"""

from __future__ import annotations

from typing import Any

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from arena.api.games import player


class Player:
    """An agent at a board of another framework.

    agent: a spec such as `alphabeta:depth=6`; those of files and commands live in processes of their own. seconds: for
    a move, where the agent has no limits of its own. Raises InputError where there is no such agent, and where it
    commits a fault.
    """

    def __init__(self, agent: str, seed: int, seconds: float | None, rules: Rules = STANDARD) -> None:
        self.seat, self.rules = player(agent), rules
        self.seed, self.limits = seed, None if seconds is None else Limits(seconds=seconds)
        self.new_game()

    def new_game(self, seed: int | None = None) -> None:
        """Begin a game; the chance of each comes from a seed of its own."""
        self.seat.ready(Board(self.rules), self.seed if seed is None else seed)
        self.seed += seed is None
        self._last = Board(self.rules)

    def move(self, board: Board) -> int:
        """Return the agent's 0-based column."""
        column = self.seat.decide(board, self.limits).column
        self._last = board.play(column)
        return column

    def seen(self, own: int, opp: int) -> Board:
        """Return the board with these discs of the side to move and of the other, with moves that lead there.

        They continue the last board where that is possible; a board with less discs than that begins a new game.
        """
        last, discs = self._last, (own | opp).bit_count()
        if discs < last.ply:
            self.new_game()
            last = self._last
        near = [last, *(last.play(column) for column in last.legal_moves())]
        found = next((each for each in near if (each.own, each.opp, each.ply) == (own, opp, discs)), None)
        self._last = found or Board.from_discs(own, opp, self.rules)
        return self._last

    def close(self) -> None:
        """End the agent's process, if it has one."""
        close = getattr(self.seat.agent, "close", None)
        if close is not None:
            close()


def of_cells(own: Any, opp: Any) -> tuple[int, int]:  # noqa: ANN401  any arrays
    """Return two 6x7 arrays of 0 and 1, row 0 the top, as bitboards."""
    one, other = (
        sum(1 << 7 * column + 5 - row for row in range(6) for column in range(7) if side[row][column])
        for side in (own, opp)
    )
    return one, other
