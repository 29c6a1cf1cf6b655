"""`cmd:` programs in any language: the moves so far as a line, a line with the column back.

In comes the text of the moves, columns from 1, and an empty line for the empty board. Out goes a line whose first word
is the column; `score=… depth=… nodes=…` may follow. The program ends when its input ends. Its environment has the
board as `ARENA_BOARD=7x6x4`, or `7x6x4:most-fours`. It is asked for the empty board once before any clock runs.
"""

from __future__ import annotations

from typing import Any

from agents.agent import Analysis, Limits
from agents.board import Board, IllegalMove, Rules
from agents.remote.failure import PROTOCOL, Failure, quoted
from agents.remote.protocol import Protocol

_CLAIMS = ("depth", "nodes")


class Line(Protocol):
    """The referee's end."""

    def start(self, rules: Rules, deadline: float) -> None:
        """Ask it for the empty board, so that it is up when it is asked on the clock."""
        self.choose(Board(rules), Limits(), deadline)

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:  # noqa: ARG002  it is not told
        """Return its answer."""
        return read(self._process.ask(board.text, deadline))


def read(line: str) -> Analysis:
    """Return what a line answers. Raises Failure that quotes it."""
    words = line.split()
    try:
        claims = dict(word.split("=", 1) for word in words[1:])
        values = {name: int(claims[name]) for name in _CLAIMS if claims.get(name, "-") != "-"}
        score = _score(claims.get("score", "-"))
        return Analysis(int(words[0]) - 1, score, values.get("depth", 0), values.get("nodes", 0))
    except (ValueError, IndexError, IllegalMove):
        raise Failure(PROTOCOL, f"answered {quoted(line)}, which is not COLUMN [score=N depth=N nodes=N]") from None


def _score(claim: str) -> Any:  # noqa: ANN401  the referee keeps whole numbers
    if claim == "-":
        return None
    return int(claim) if claim.lstrip("+-").isdigit() else float(claim)
