"""A clock for a whole game: seconds for each player, and an increment after each of its moves."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError

LONGEST = 86_400.0
LEAST = 0.001
"""The least limit of a move in seconds, however little is left."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The seconds of each player for a game, and the increment; a player that needs more time loses."""

    seconds: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `60+1` or `60`. Raises InputError."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", text, re.ASCII)
        numbers = [float(number or 0) for number in match.groups()] if match else []
        if not numbers or not 0.0 < numbers[0] <= LONGEST or numbers[1] > LONGEST:
            raise InputError(f"clock {text!r}: it is SECONDS or SECONDS+INCREMENT, up to a day, such as 60+1")
        return cls(*numbers)

    def limits(self, limits: Limits, board: Board, left: tuple[float, float]) -> Limits:
        """Return the limits of a move; `left` is the time on the clocks of the first and the second player.

        `seconds` is a share that leaves time for the whole game: twice an even share, because early moves matter more,
        plus the increment.
        """
        clock, other = left[board.mover], left[1 - board.mover]
        moves = (board.rules.columns * board.rules.rows - board.ply + 1) // 2
        share = max(LEAST, min(clock, 2 * clock / (moves + 1) + self.increment))
        return Limits(limits.depth, limits.nodes, share, clock, other, self.increment)

    def after(self, left: tuple[float, float], mover: int, spent: float) -> tuple[float, float]:
        """Return the time on both clocks after a move of the `mover`."""
        clock = max(0.0, left[mover] - spent) + self.increment
        return (clock, left[1]) if mover == 0 else (left[0], clock)
