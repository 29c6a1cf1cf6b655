"""`cmd:` programs in any language, which read a line of moves and answer with a line that begins with a column.

The program reads the moves, columns from 1; an empty line is the empty board. `score=… depth=… nodes=…` may follow the
column in its answer. It ends when its input ends. The variable `ARENA_BOARD` names the board, as `7x6x4` or
`7x6x4:most-fours`. Before any clock runs, the program must answer once for the empty board.
"""

from __future__ import annotations

import re
from typing import Any

from agents.agent import Analysis, Limits
from agents.board import Board, IllegalMove, Rules
from agents.failure import ILLEGAL, Failure, misread, quoted
from agents.processes.protocol import Protocol


class Cmd(Protocol):
    """The referee's side of the protocol."""

    def start(self, rules: Rules, deadline: float) -> None:
        """Ask for a move on the empty board, so that the program is running before any clock does."""
        board = Board(rules)
        _read(self._process.ask(board.text, deadline), board)

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:  # noqa: ARG002  the protocol has none
        """Return the program's answer. Raises Failure, which quotes the line as the program counts columns."""
        line = self._process.ask(board.text, deadline)
        answer = _read(line, board)
        try:
            board.play(answer.column)
        except IllegalMove as error:
            raise Failure(ILLEGAL, f"answered {quoted(line)} (columns count from 1): {error}") from None
        return answer


def _read(line: str, board: Board) -> Analysis:
    """Return the answer on a line. Raises Failure, which quotes the line and says what was nearly right."""
    try:
        return parse_answer(line)
    except Failure as failure:
        raise Failure(failure.kind, failure.detail + _square(line, board)) from None


def _square(line: str, board: Board) -> str:
    """Return a hint for an answer that names a square, such as `P@d2` or `d2`, else an empty text."""
    square = re.fullmatch(r"(?:bestmove\s+)?(?:p@)?([a-p])\d+", line.strip().lower())
    move = -1 if square is None else ord(square[1]) - ord("a")
    if move not in board.legal_moves():
        return ""
    return f": an answer is a column alone, here {move + 1}, and its disc falls to the lowest free row"


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
