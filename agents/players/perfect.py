"""`perfect`: the solver as an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from agents.agent import Analysis, Limits, tighter
from agents.board import Board, Rules
from agents.orderings.static import centre
from agents.score import from_solver_score
from agents.search.control import deadline
from agents.specs.parameters import Seconds, TableSize

if TYPE_CHECKING:
    from agents.solver.solver import Solver


class Perfect:
    """Plays the fastest win, else a draw, else the slowest loss; of equal moves the one nearest the centre.

    The score counts plies, as every agent's does. In the opening the book answers at once. A time limit that ends
    before the answer is known leaves the move nearest the centre.
    """

    def __init__(
        self,
        *,
        table_size: Annotated[TableSize, "the table's mebibytes"] = 64,
        seconds: Annotated[Seconds, "seconds a move at most; the move nearest the centre where it is too short"] = None,
    ) -> None:
        self.mebibytes = table_size
        self.seconds = seconds
        self._solver: Solver | None = None
        self._forgotten = 0
        """The solver's nodes when its table was empty last."""

    def prepare(self, rules: Rules) -> None:
        """Compile the solver, open the book and allocate the table."""
        self._solver_for(rules)

    def new_game(self, seed: int) -> None:  # noqa: ARG002  nothing here is left to chance
        """Empty the table where it was used, which takes some milliseconds, so that no game depends on those before."""
        if self._solver is not None and self._solver.nodes != self._forgotten:
            self._solver.forget()
            self._forgotten = self._solver.nodes

    def stop(self) -> None:
        """End the search that is running in another thread."""
        if self._solver is not None:
            self._solver.stop()

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the best move."""
        from agents.solver.solver import Stopped

        solver = self._solver_for(board.rules)
        solver.resume()
        before = solver.nodes
        try:
            with deadline(tighter(self.seconds, limits.seconds), solver.stop):
                return solved(solver, board)
        except Stopped:
            return Analysis(from_centre(board)[0], nodes=solver.nodes - before)

    def _solver_for(self, rules: Rules) -> Solver:
        if self._solver is None or self._solver.rules != rules:
            from agents.solver.book import shipped_book
            from agents.solver.solver import Solver

            self._solver = Solver(rules, self.mebibytes, shipped_book(rules))
            self._forgotten = 0
        return self._solver


def solved(solver: Solver, board: Board) -> Analysis:
    """Return the best move, as `Perfect` says, and its score. Raises Stopped."""
    before = solver.nodes
    score = solver.score_of(board)
    best = next(column for column in from_centre(board) if reaches(solver, board, column, score))
    left = board.rules.columns * board.rules.rows - board.ply
    return Analysis(best, from_solver_score(score, board), left, solver.nodes - before, (best,))


def from_centre(board: Board) -> list[int]:
    """Return the columns that can be played, from the centre outwards."""
    legal = board.legal_moves()
    return [column for column in centre(board.rules) if column in legal]


def reaches(solver: Solver, board: Board, column: int, score: int) -> bool:
    """Return whether a move in the column is worth at least this score, where none is worth more. Raises Stopped."""
    child = board.play(column)
    if child.outcome is not None:
        return (child.outcome.winner is None) == (score == 0)
    return solver.within(child.own, child.opp, -score, 1 - score) <= -score
