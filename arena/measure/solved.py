"""The truth about a position."""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.board import Board
from agents.errors import InputError
from agents.solver.crew import Crew
from agents.solver.solver import Solver
from arena.measure.solving import in_threads

if TYPE_CHECKING:
    from arena.play.cluster import Cluster

AHEAD = 1000
"""Positions that are taken at most before the first of them is told."""
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True, slots=True)
class Solved:
    """What a position is worth to the side to move, and what it took to know."""

    position: str
    """The moves to it."""
    score: int
    """[discs] Those that the winner has left after the winning move, plus one; negative for a loss, 0 for a draw."""
    outcome: str
    """`win`, `draw` or `loss`."""
    nodes: int
    """[nodes]"""
    seconds: float
    """[seconds]"""
    columns: tuple[int | None, ...] | None
    """[discs] The score of a move in each column, None where it is full; None where nobody asked."""


def solved(solver: Solver, board: Board, *, weak: bool = False, columns: bool = False) -> Solved:
    """Solve a position, only as a win (1), a draw (0) or a loss (-1) if `weak`. Raises InputError where it is over."""
    if board.outcome is not None:
        raise InputError(f"position {board.text!r}: the game is already over ({board.outcome})")
    before, began = solver.nodes, time.perf_counter()
    score = solver.outcome_of(board) if weak else solver.score_of(board)
    nodes, seconds = solver.nodes - before, time.perf_counter() - began
    worth = tuple(solver.column_scores(board.own, board.opp, weak=weak)) if columns else None
    return Solved(board.text, score, OUTCOMES[(score > 0) - (score < 0)], nodes, seconds, worth)


def solved_in_order(
    solver: Solver,
    threads: int | Cluster,
    boards: Iterable[Board],
    tell: Callable[[Board, Solved], object],
    *,
    weak: bool = False,
    columns: bool = False,
) -> None:
    """Call `tell` with each position and what `solved` says of it, in their order and as soon as it is known.

    So many threads solve positions, each its own or, where there are fewer, together; `tell` is called in one more.
    Boards are taken here, one by one: they may be lines that somebody types. What the boards, the solving or `tell`
    raise is raised here after all positions before it were told; at Ctrl-C all work is stopped.
    """
    if not isinstance(threads, int):
        for board, row in in_order(solver, boards, functools.partial(solved, weak=weak, columns=columns), threads):
            tell(board, row)
        return
    told = _Told(tell)
    with ThreadPoolExecutor(1) as teller, Crew(solver, threads) as crew:
        try:
            for board in boards:
                answer = crew.submit(functools.partial(solved, board=board, weak=weak, columns=columns))
                told.waiting.append(teller.submit(told.report, board, answer))
                if told.broken or len(told.waiting) > AHEAD:
                    told.waiting.popleft().result()
        except Exception:
            told.wait()
            raise
        told.wait()


class _Told:
    """Positions of `solved_in_order` that wait to be told."""

    def __init__(self, tell: Callable[[Board, Solved], object]) -> None:
        self.tell = tell
        self.waiting: deque[Future[None]] = deque()
        self.broken = False
        """Whether something went wrong, after which nothing more is told."""

    def report(self, board: Board, answer: Future[Solved]) -> None:
        """Wait for a position's answer and tell it."""
        if not self.broken:
            try:
                self.tell(board, answer.result())
            except BaseException:
                self.broken = True
                raise

    def wait(self) -> None:
        """Wait until all positions were told. Raises what went wrong first."""
        while self.waiting:
            self.waiting.popleft().result()


def in_order(
    solver: Solver, boards: Iterable[Board], ask: Callable[[Solver, Board], Solved], cluster: Cluster
) -> Iterator[tuple[Board, Solved]]:
    """Yield each position with what `ask` finds of it on a cluster, in their order."""
    asked: deque[Board] = deque()
    found: dict[str, Solved] = {}

    def asking() -> Iterator[Board]:
        for board in boards:
            asked.append(board)
            yield board

    with closing(in_threads(solver, cluster, [asking()], ask)) as answers:
        for answered, row in answers:
            found[answered.text] = row
            while asked and asked[0].text in found:
                board = asked.popleft()
                yield board, found[board.text]
