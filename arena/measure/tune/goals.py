"""What tuned weights are to be good at, question by question, through the real search.

Each goal gives a number for every question, the higher the better; a set's value is their mean. The same questions for
all, so that two sets of weights are told apart by those on which they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.agent import Limits
from agents.board import Board, Outcome
from agents.players.searcher import Searcher
from agents.score import proven
from arena.measure.grade import Exercise
from arena.play.match import play_game

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats

Goal = Callable[[Searcher], "Floats"]
"""Takes the search with the weights in question."""
FAR = 12.0
"""The logit of a value that is taken as certain, so that one wrong proof does not outweigh all else."""


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


@dataclass(frozen=True, slots=True)
class Scores:
    """Positions: minus the logistic loss of the search's value against the outcome, a draw being half a win.

    What a point of the heuristic is worth is fitted to the set: weights that are all twice as large change nothing.
    """

    exercises: Sequence[Exercise]

    def __call__(self, agent: Searcher) -> Floats:
        """Return minus the losses, in nats."""
        import numpy as np
        from scipy.optimize import minimize_scalar

        agent.new_game(0)
        scores = [agent.choose(each.board, Limits()).score or 0 for each in self.exercises]
        best = [max(score for score in each.scores if score is not None) for each in self.exercises]
        outcome = (np.sign(best) + 1.0) / 2.0
        sure = np.array([proven(score) for score in scores])
        values = np.array(scores, float)
        unit = float(np.abs(values[~sure]).mean()) if np.any(values[~sure]) else 1.0

        def losses(log_scale: float) -> Floats:
            logit = np.where(sure, np.sign(values) * FAR, np.clip(values / unit * np.exp(log_scale), -FAR, FAR))
            loss: Floats = np.logaddexp(0.0, logit) - outcome * logit
            return loss

        fitted = minimize_scalar(lambda log_scale: losses(log_scale).mean(), bounds=(-6.0, 6.0), method="bounded")
        return -losses(fitted.x)


@dataclass(frozen=True, slots=True)
class Games:
    """Openings, each played twice against the weights at the start, colours swapped: the share of the points."""

    openings: Sequence[Board]
    opponent: Searcher

    def __call__(self, agent: Searcher) -> Floats:
        """Return the points."""
        import numpy as np

        points = [(self._points(agent, board, 0) + self._points(agent, board, 1)) / 2.0 for board in self.openings]
        return np.array(points)

    def _points(self, agent: Searcher, opening: Board, place: int) -> float:
        players = (agent, self.opponent) if place == 0 else (self.opponent, agent)
        outcome = play_game("", players, opening, (0, 0)).outcome
        return 0.5 if outcome is Outcome.DRAW else float(outcome.winner == place)
