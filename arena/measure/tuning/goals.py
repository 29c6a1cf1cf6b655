"""The goals of a tuning, the optimisers, and the task that names both.

A goal runs the real search and returns a number for every question, higher is better; their mean is the value of a set
of weights. All sets answer the same questions, so that two sets differ only by the questions they answer differently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import Limits
from agents.board import Board, Outcome, Rules
from agents.errors import InputError, unknown
from agents.players.searcher import Searcher
from agents.score import proven
from agents.specs.registry import parse
from arena.measure.comparison import Level, spec
from arena.measure.exercises import Exercise, questions, solve
from arena.play.openings import shuffled
from arena.play.referee import play_game
from arena.records import Job

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats


Goal = Callable[[Searcher], "Floats"]
"""Takes the search with the weights in question."""
FAR = 12.0
"""The logit of a proven value; with a larger one a single wrong proof would outweigh all other questions."""


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

    The scale of the heuristic's points is fitted to the set: doubling all weights changes nothing.
    """

    exercises: Sequence[Exercise]

    def __call__(self, agent: Searcher) -> Floats:
        """Return minus the losses, in nats."""
        import numpy as np
        from scipy.optimize import minimize_scalar

        agent.new_game(0)
        scores = [agent.choose(each.board, Limits()).score or 0 for each in self.exercises]
        outcome = (np.sign([each.score for each in self.exercises]) + 1.0) / 2.0
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
        outcome = play_game(Job(0, 1, 0), players, opening, (0, 0)).outcome
        return 0.5 if outcome is Outcome.DRAW else float(outcome.winner == place)


Value = Callable[[Sequence[float]], float]
"""Of a point, the higher the better."""
SPREAD = 0.4
"""The standard deviation of the first points about the start, where 1 is the start's own size."""
REACH = 3.0
"""How far from the start differential evolution looks."""
NAMES = ("cmaes", "scipy")


class Enough(Exception):  # noqa: N818  nothing went wrong
    """Enough points have been tried."""


def default() -> str:
    """Return the optimiser that is installed."""
    return "cmaes" if find_spec("cmaes") else "scipy"


def maximise(value: Value, start: Sequence[float], name: str, seed: int) -> None:
    """Evaluate one point after the other, the start first, until `value` raises Enough. name: one of NAMES.

    With the extra `tune` the optimiser is CMA-ES (N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016) from the
    package cmaes; without it, or for a single number, differential evolution (R. Storn, K. Price, 1997) from scipy.
    Both take the seed, so that equal values lead to equal points: a stopped run is continued by answering them again.
    """
    try:
        value(start)
        if name == "cmaes" and len(start) > 1:
            _evolve(value, start, seed)
        else:
            _differ(value, start, seed)
    except Enough:
        pass


def _evolve(value: Value, start: Sequence[float], seed: int) -> None:
    import numpy as np
    from cmaes import CMA

    while True:
        optimiser = CMA(mean=np.array(start), sigma=SPREAD, seed=seed % 2**32)
        while not optimiser.should_stop():
            points = [optimiser.ask() for _ in range(optimiser.population_size)]
            optimiser.tell([(point, -value(point.tolist())) for point in points])
        seed += 1  # it has converged: try again from the start


def _differ(value: Value, start: Sequence[float], seed: int) -> None:
    from scipy.optimize import Bounds, differential_evolution

    bounds = Bounds([x - REACH for x in start], [x + REACH for x in start])

    def lost(point: Floats) -> float:
        return -value(point.tolist())

    while True:
        differential_evolution(lost, bounds, x0=start, rng=seed, polish=False, tol=0.0, maxiter=1000)
        seed += 1


GOALS = ("moves", "score", "games")


@dataclass(frozen=True, slots=True)
class Task:
    """The settings of a tuning. Raises InputError where they do not fit together."""

    heuristic: str
    """With its weights at the start."""
    by: str = "moves"
    search: str = "alphabeta:order=centre"
    depth: int = 4
    positions: int | str = 4000
    """How many, or a file of them: one half to train, the other held out. With games the number of openings."""
    evaluations: int = 300
    """Heuristics to try."""
    openings: str = "plies:6"
    seed: int = 1
    optimiser: str = field(default_factory=default)
    rules: Rules = Rules()  # noqa: RUF009  immutable

    def __post_init__(self) -> None:
        for kind, name, known in (("goal", self.by, GOALS), ("optimiser", self.optimiser, NAMES)):
            if name not in known:
                raise unknown(kind, name, known)
        if self.optimiser == "cmaes" and default() != "cmaes":
            raise InputError("cmaes is not installed: pip install 'connect4-arena[tune]', or take --optimiser scipy")
        if isinstance(self.positions, int) and self.positions < 4:
            raise InputError(f"{self.positions} questions cannot be parted into two sets: ask for 4 or more")

    def document(self) -> dict[str, Any]:
        """Return the task as plain data, which `from_document` reads."""
        return asdict(self)

    @classmethod
    def from_document(cls, data: dict[str, Any]) -> Task:
        """Return the task that `document` wrote. Raises InputError."""
        try:
            return cls(**data | {"rules": Rules(**data["rules"])})
        except (KeyError, TypeError) as error:
            raise InputError(f"the settings of the tuning cannot be read: {error}") from error

    def unused_openings(self) -> list[Board]:
        """Return the openings that the tuning did not play, from which it is confirmed."""
        used = int(self.positions) if self.by == "games" else 0
        return shuffled(self.openings, self.seed, self.rules)[used:]

    def spec(self, heuristic: str, depth: int) -> str:
        """Return the spec of the search with this heuristic to this depth. Raises InputError."""
        return spec(self.search, heuristic, Level("depth", str(depth)))

    def searcher(self, heuristic: str) -> Searcher:
        """Return the search with a heuristic. Raises InputError for agents that are no such search."""
        found = parse(self.spec(heuristic, self.depth))
        agent = None if found.remote else found.build()  # nothing of a file is run
        if not isinstance(agent, Searcher):
            raise InputError(f"search {self.search!r} must be minimax or alphabeta to be tuned")
        return agent

    def sets(self, threads: int, progress: Callable[[], object]) -> tuple[Goal, Goal]:
        """Return the goal on the questions to train with, and on those held out. Raises InputError."""
        if self.by == "games":
            if not isinstance(self.positions, int):
                raise InputError("games start from openings: positions is how many, not a file")
            boards = shuffled(self.openings, self.seed, self.rules)
            if len(boards) <= self.positions:
                raise InputError(f"{self.openings} has {len(boards)} openings, and some must be left to confirm with")
            half, opponent = self.positions // 2, self.searcher(self.heuristic)
            return Games(boards[:half], opponent), Games(boards[half : self.positions], opponent)
        asked = self.positions if isinstance(self.positions, int) else Path(self.positions)
        boards, known = questions(asked, self.seed, None, self.rules)
        kind = Moves if self.by == "moves" else Scores
        exercises = solve(boards, threads, progress=progress, known=known, strong=False)
        half = len(exercises) // 2
        parts = [[e for e in part if e.clear_cut or kind is Scores] for part in (exercises[:half], exercises[half:])]
        if not all(parts):
            raise InputError("no position of a set is clear-cut: ask for more of them")
        return kind(parts[0]), kind(parts[1])
