"""`perfect`: the solver as an agent."""

from __future__ import annotations

from agents.agent import WIN, Analysis, Limits
from agents.board import Board, Rules
from agents.players.deadline import deadline
from agents.solver import Solver, Stopped


class Perfect:
    """Plays the fastest win, else a draw, else the slowest loss; of equal moves the one nearest the centre.

    In the plies of the opening book the book answers at once, and tells values alone: there every move that keeps the
    value is as good, and no score is given but a draw's. Elsewhere the score counts plies, as every agent's does. A
    time limit that ends before the answer is known leaves the move nearest the centre.
    """

    def __init__(self, *, table_size: int = 64, seconds: float | None = None) -> None:
        self.mebibytes = table_size
        self.seconds = seconds
        self._solver: Solver | None = None

    def prepare(self, rules: Rules) -> None:
        """Compile the solver, open the book and allocate the table."""
        self._solver_for(rules)

    def stop(self) -> None:
        """End the search that is running in another thread."""
        if self._solver is not None:
            self._solver.stop()

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the best move."""
        solver = self._solver_for(board.rules)
        solver.go_on()
        before = solver.nodes
        weak = solver.book is not None and solver.book.kind == "values" and board.ply < solver.book.plies
        columns = tuple(sorted(board.legal_moves(), key=lambda column: abs(2 * column - board.rules.columns + 1)))
        seconds = min((each for each in (self.seconds, limits.seconds) if each is not None), default=None)
        try:
            with deadline(seconds, solver.stop):
                target = solver.outcome_of(board) if weak else solver.score_of(board)
                best = next(column for column in columns if _reaches(solver, board, column, target, weak=weak))
        except Stopped:
            return Analysis(columns[0], nodes=solver.nodes - before)
        left = board.rules.columns * board.rules.rows - board.ply
        score = None if weak and target else in_plies(target, board)
        return Analysis(best, score, left, solver.nodes - before, (best,))

    def _solver_for(self, rules: Rules) -> Solver:
        if self._solver is None or self._solver.rules != rules:
            from agents.book import shipped_book

            self._solver = Solver(rules, self.mebibytes, shipped_book(rules))
        return self._solver


def _reaches(solver: Solver, board: Board, column: int, target: int, *, weak: bool) -> bool:
    """Tell whether a move is worth the position's own value, which no move exceeds."""
    child = board.play(column)
    if child.outcome is not None:
        return (child.outcome.winner is None) == (target == 0)
    if weak:
        return -solver.outcome_of(child) == target
    return solver.within(child.own, child.opp, -target, 1 - target) <= -target


def in_plies(score: int, board: Board) -> int:
    """Return a solver's score, for the side to move, as searches give it: WIN - n for a win in n plies.

    The winner's last disc lands on a board of `size + 1 - 2 * abs(score)` discs or of one less, whichever leaves him
    to move.
    """
    if score == 0:
        return 0
    discs = board.rules.columns * board.rules.rows + 1 - 2 * abs(score)
    if (discs - board.ply) % 2 != (0 if score > 0 else 1):
        discs -= 1
    distance = discs - board.ply + 1
    return WIN - distance if score > 0 else distance - WIN
