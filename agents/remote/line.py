"""`cmd:` programs in any language, which read a line of moves and answer with a line that begins with a column.

The program reads the moves, columns from 1; an empty line is the empty board. `score=… depth=… nodes=…` may follow the
column in its answer. It ends when its input ends. The variable `ARENA_BOARD` names the board, as `7x6x4` or
`7x6x4:most-fours`. Before any clock runs, the program must answer once for the empty board.
"""

from __future__ import annotations

from typing import Any

from agents.agent import Analysis, Limits
from agents.board import Board, IllegalMove, Rules
from agents.remote.failure import ILLEGAL, Failure, misread, quoted
from agents.remote.protocol import Protocol


class Line(Protocol):
    """The referee's side of the protocol."""

    def start(self, rules: Rules, deadline: float) -> None:
        """Ask for a move on the empty board, so that the program is running before any clock does."""
        parse_answer(self._process.ask(Board(rules).text, deadline))

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:  # noqa: ARG002  the protocol has none
        """Return the program's answer. Raises Failure, which quotes the line as the program counts columns."""
        line = self._process.ask(board.text, deadline)
        answer = parse_answer(line)
        try:
            board.play(answer.column)
        except IllegalMove as error:
            raise Failure(ILLEGAL, f"answered {quoted(line)} (columns count from 1): {error}") from None
        return answer


def parse_answer(line: str) -> Analysis:
    """Return the answer on a line. Raises Failure, which quotes the line."""
    words = line.split()
    try:
        claims = {name: value for name, value in (word.split("=", 1) for word in words[1:]) if value != "-"}
        score: Any = claims.get("score")  # the referee refuses a fraction
        if score is not None:
            score = int(score) if score.lstrip("+-").isdigit() else float(score)
        return Analysis(int(words[0]) - 1, score, int(claims.get("depth", 0)), int(claims.get("nodes", 0)))
    except (ValueError, IndexError):
        raise misread(line, "COLUMN [score=N depth=N nodes=N]") from None
