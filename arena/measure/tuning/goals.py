"""What a tuning maximises, the optimiser, and the settings of a tuning.

The goal is the share of clear-cut positions that the real search answers well. All weights answer the same positions,
so that two sets of weights differ only by the positions they answer differently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError
from agents.players.searcher import Searcher
from agents.specs.registry import parse
from arena.measure.comparison import Level
from arena.measure.comparison import spec as in_search
from arena.measure.exercises import Exercise, questions, solve

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats


@dataclass(frozen=True, slots=True)
class Moves:
    """Clear-cut positions: 1 for a move that keeps the value, else 0."""

    exercises: Sequence[Exercise]

    def __call__(self, agent: Searcher) -> Floats:
        """Return the answers' worth."""
        import numpy as np

        agent.new_game(0)
        answers = (agent.choose(each.board, Limits()).column for each in self.exercises)
        return np.array([c in each.good for c, each in zip(answers, self.exercises, strict=True)], float)


Value = Callable[[Sequence[float]], float]
"""Of a point, the higher the better."""
REACH = 3.0
"""How far from the start differential evolution looks."""


class Enough(Exception):  # noqa: N818  nothing went wrong
    """Enough points have been tried."""


def maximise(value: Value, start: Sequence[float], seed: int) -> None:
    """Evaluate one point after the other, the start first, until `value` raises Enough.

    The optimiser is differential evolution (R. Storn, K. Price, 1997) from scipy; equal values and an equal seed lead
    to equal points.
    """
    try:
        value(start)
        _differ(value, start, seed)
    except Enough:
        pass


def _differ(value: Value, start: Sequence[float], seed: int) -> None:
    from scipy.optimize import Bounds, differential_evolution

    bounds = Bounds([x - REACH for x in start], [x + REACH for x in start])

    def lost(point: Floats) -> float:
        return -value(point.tolist())

    while True:
        differential_evolution(lost, bounds, x0=start, rng=seed, polish=False, tol=0.0, maxiter=1000)
        seed += 1


@dataclass(frozen=True, slots=True)
class Task:
    """The settings of a tuning. Raises InputError where they do not fit together."""

    heuristic: str
    """With its weights at the start."""
    search: str = "alphabeta:order=centre"
    depth: int = 4
    positions: int | str = 4000
    """How many, or a file of them: one half to train, the other held out."""
    evaluations: int = 300
    """Heuristics to try."""
    seed: int = 1
    rules: Rules = Rules()  # noqa: RUF009  immutable

    def __post_init__(self) -> None:
        if isinstance(self.positions, int) and self.positions < 4:
            raise InputError(f"{self.positions} questions cannot be parted into two sets: ask for 4 or more")

    def searcher(self, heuristic: str) -> Searcher:
        """Return the search with a heuristic. Raises InputError for agents that are no such search."""
        spec = parse(in_search(self.search, heuristic, Level("depth", str(self.depth))))
        agent = None if spec.remote else spec.build()  # nothing of a file is run
        if not isinstance(agent, Searcher):
            raise InputError(f"search {self.search!r} must be minimax or alphabeta to be tuned")
        return agent

    def sets(self, threads: int, progress: Callable[[], object]) -> tuple[Moves, Moves]:
        """Return the positions to train with, and those held out. Raises InputError."""
        asked = self.positions if isinstance(self.positions, int) else Path(self.positions)
        boards, known = questions(asked, self.seed, None, self.rules)
        exercises = solve(boards, threads, progress=progress, known=known, strong=False)
        half = len(exercises) // 2
        train, held_out = ([e for e in part if e.clear_cut] for part in (exercises[:half], exercises[half:]))
        if not (train and held_out):
            raise InputError("no position of a set is clear-cut: ask for more of them")
        return Moves(train), Moves(held_out)
