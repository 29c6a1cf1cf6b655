"""Labels: positions with what they are worth, to tune heuristics, to train networks, to grade agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.board import Board
from agents.solver.book import shipped_book
from agents.solver.solver import MEBIBYTES, Solver
from arena.measure.solving import Discs, Values, in_threads

if TYPE_CHECKING:
    from arena.play.cluster import Cluster

CHUNK = 16
"""Positions that a thread takes at a time."""


@dataclass(frozen=True, slots=True)
class Label:
    """A position and what it is worth to the side to move."""

    position: str
    """Its moves from the empty board, columns from 1."""
    score: int
    """[discs] Those that the winner has left after the winning move, plus one; negative for a loss, 0 for a draw."""
    columns: tuple[int | None, ...] | None = None
    """[discs] The score of a move in each column, None where it is full; None where nobody asked."""


def label(
    boards: Sequence[Board],
    found: dict[Discs, Label],
    threads: int | Cluster = 1,
    mebibytes: int = MEBIBYTES,
    progress: Callable[[], object] = lambda: None,
    *,
    columns: bool = False,
) -> list[Label]:
    """Return the labels of different positions of one board, in their order.

    found: by the discs of the side to move and of the other what is known already, to which every label is added at
    once: what is there when the work is broken off is good. columns: also what a move in each column is worth. threads:
    share one table of so many mebibytes. progress: called after each position. Raises InputError without memory for the
    table.
    """
    todo = sorted((board for board in boards if (board.own, board.opp) not in found), key=lambda board: -board.ply)
    if todo:
        rules = todo[0].rules
        solver = Solver(rules, mebibytes, shipped_book(rules))
        chunks = [todo[start : start + CHUNK] for start in range(0, len(todo), CHUNK)]
        with closing(in_threads(solver, threads, chunks, _scores if columns else _score)) as answers:
            for board, answer in answers:
                found[board.own, board.opp] = _label(board, answer)
                progress()
    return [found[board.own, board.opp] for board in boards]


def _score(solver: Solver, board: Board) -> int | Values:
    return solver.score_of(board)


def _scores(solver: Solver, board: Board) -> int | Values:
    return solver.column_scores(board.own, board.opp)


def _label(board: Board, answer: int | Values) -> Label:
    if isinstance(answer, int):
        return Label(board.text, answer)
    return Label(board.text, max(score for score in answer if score is not None), answer)
