"""One decision of `tandem`: what the solver proves, and what alpha-beta thinks, within one limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agents.agent import Analysis, Limits
from agents.players.perfect import from_centre, reaches, solved
from agents.score import proven
from agents.search.deadline import deadline

if TYPE_CHECKING:
    from agents.board import Board
    from agents.players.searcher import Searcher
    from agents.solver.solver import Solver

FIRST, SEARCH, GLANCE = 0.1, 0.35, 0.01
"""Shares of the limit: the solver's for the exact score and, where that is too short, alpha-beta's for a move and for a
glance at each other one. The solver has the rest."""


@dataclass
class Decision:
    """One move, and what has been spent on it."""

    board: Board
    limits: Limits
    """Of nodes, and perhaps of seconds."""
    searcher: Searcher
    solver: Solver
    stopped: Callable[[], bool]
    """Whether the search is to end."""
    began: float
    """When, as `time.perf_counter` says."""
    searched: int = 0
    """Nodes of alpha-beta so far."""
    before: int = field(init=False)
    """Nodes of the solver when this began."""

    def __post_init__(self) -> None:
        self.before = self.solver.nodes

    @property
    def nodes(self) -> int:
        """Positions that both have visited so far."""
        return self.searched + self.solver.nodes - self.before

    def left(self, share: float) -> Limits:
        """Return a share of the whole limit, or what is left of it if that is less."""
        nodes, seconds = self.limits.nodes or 0, self.limits.seconds
        return Limits(
            None,
            min(int(share * nodes), nodes - self.nodes),
            None if seconds is None else min(share * seconds, seconds - (time.perf_counter() - self.began)),
        )

    @contextmanager
    def asking(self, share: float = 1.0) -> Iterator[None]:
        """Let the solver search for a share of the limit; leave the block where that does not do."""
        from agents.solver.solver import Stopped

        limits = self.left(share)
        self.solver.allow(limits.nodes or 0)
        if self.stopped():
            self.solver.stop()
        with suppress(Stopped), deadline(limits.seconds, self.solver.stop):
            yield

    def search(self, board: Board, share: float) -> Analysis:
        """Return what alpha-beta finds with a share of the limit; without any the move nearest the centre."""
        limits = self.left(share)
        if self.stopped() or not limits.nodes or limits.nodes < 0:
            return Analysis(from_centre(board)[0])
        found = self.searcher.choose(board, limits)
        self.searched += found.nodes
        return found

    def made(self) -> Analysis:
        """Return the move."""
        with self.asking(FIRST):
            return solved(self.solver, self.board)
        return self.proposed()

    def proposed(self) -> Analysis:
        """Return alpha-beta's move, or a better one if the solver knows of one in time."""
        found = self.search(self.board, SEARCH)
        if found.score is None or proven(found.score):
            return found
        opinions = {column: self.opinion(column) for column in from_centre(self.board) if column != found.column}
        column = self.judged([found.column, *sorted(opinions, key=opinions.__getitem__, reverse=True)])
        return found if column == found.column else replace(found, column=column, score=None, pv=(column,))

    def opinion(self, column: int) -> int:
        """Return what alpha-beta thinks of a move at first sight."""
        child = self.board.play(column)
        return -(self.search(child, GLANCE).score or 0) if child.outcome is None else 0

    def judged(self, order: list[int]) -> int:
        """Return the first move that wins, else that draws, else the first that is not known to lose."""
        lost = set()
        with self.asking():
            for goal in (1, 0):
                for column in order:
                    if reaches(self.solver, self.board, column, goal):
                        return column
                    if goal == 0:
                        lost.add(column)
        return next((column for column in order if column not in lost), order[0])
