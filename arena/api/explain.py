"""Explains why moves lost value: the job behind `arena explain`, and behind the keys and pages that explain."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Board, Rules, moves_text
from agents.errors import InputError
from arena.api.progress import Measured, Progress, bar
from arena.api.settings import board_of, whole

if TYPE_CHECKING:
    from arena.measure.explain import Explanation


@dataclass(frozen=True, slots=True)
class Explained(Measured["Explanation"]):
    """The moves of a game that changed its value, each with the reason."""

    board: Board = field(default_factory=Board)
    """The last position of the game."""
    story: tuple[str, ...] = ()
    """The whole game in at most three sentences."""

    def after(self, found: Explanation) -> Board:
        """Return the position after one of the moves."""
        return Board.from_moves(moves_text(self.board.moves[: found.ply + 1], self.board.rules), self.board.rules)

    def document(self) -> list[dict[str, Any]]:
        """Return the rows as plain data, each with its text, and its strategy in the form that a checker reads."""
        from arena.report.explained import document, reason

        names = ("ply", "column", "before", "after", "keepers", "kind", "positions", "plies")
        return [
            {name: getattr(row, name) for name in names}
            | {"position": self.after(row).text, "lines": reason(row, self.after(row))}
            | {"strategy": document(row.strategy, self.board.rules)}
            for row in self.rows
        ]


def explain(
    moves: Board | str,
    *,
    ply: int | None = None,
    opening: int = 0,
    fault: str = "",
    seconds: float = 5.0,
    lines: int = 10,
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> Explained:
    """Return why moves of a game lost value; `arena explain` from Python. Raises InputError.

    moves: the game, as text or a Board. rules: of a game given as text. ply: only the move at this ply. opening: the
    number of moves of the opening, which no player chose. fault: the fault by which the side to move lost. seconds: the
    limit for each explanation; beyond it the explanation is that only a search shows the reason. lines: the most lines
    of a proof. The rows are `arena.measure.explain.Explanation`.
    """
    from arena.measure import explain as measure
    from arena.report.explained import story

    board = board_of(moves, rules)
    whole("lines", lines, 1, 50)
    if ply is not None and not 0 <= ply < board.ply:
        raise InputError(f"there is no move at ply {ply}: the game has {board.ply} moves, the first at ply 0")
    board.rules.refuse_most_fours("the solver")
    plies = range(opening, board.ply) if ply is None else range(ply, ply + 1)
    explainer = measure.Explainer(board.rules, seconds=seconds, most_lines=lines)
    rows = []
    with bar(progress, "move", board.ply) as shown:
        for each in measure.blunders(board, explainer, plies):
            rows.append(each)
            shown.update(each.ply + 1 - shown.n)
    first = Board.from_moves(moves_text(board.moves[:opening], board.rules), board.rules)
    value = explainer.value(first) * (-1 if first.mover else 1)
    return Explained(rows, measure.Explanation, board=board, story=tuple(story(board, rows, value, fault)))


def explain_game(run: Path, game: int | str, **settings: Any) -> Explained:  # noqa: ANN401  as `explain` takes them
    """Return the explanations of a stored game, by its number or its key. Raises InputError."""
    from arena.api.runs import replay

    found = replay(run, game)
    board, ended = found.boards[-1], found.game.termination
    return explain(board, opening=found.opening, fault="" if board.outcome else ended, **settings)
