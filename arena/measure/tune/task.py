"""What a tuning is asked for, and the questions that follow from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from agents.board import Rules
from agents.errors import InputError, unknown
from agents.players.searcher import Searcher
from agents.registry import parse
from arena.measure.comparison import Level, spec
from arena.measure.grade import solve
from arena.measure.questions import questions
from arena.measure.tune import optimiser
from arena.measure.tune.confirmation import Terms
from arena.measure.tune.goals import Games, Goal, Moves, Scores
from arena.play.openings import shuffled

GOALS = ("moves", "score", "games")


@dataclass(frozen=True, slots=True)
class Task:
    """What a tuning is asked for. Raises InputError when it makes no sense."""

    heuristic: str
    """With its weights at the start."""
    by: str = "moves"
    search: str = "alphabeta:order=centre"
    depth: int = 4
    positions: int | str = 4000
    """How many, or the file that has them; a half of them each to train and to hold out. With games openings."""
    evaluations: int = 300
    """Heuristics to try."""
    openings: str = "plies:6"
    seed: int = 1
    optimiser: str = field(default_factory=optimiser.default)
    rules: Rules = Rules()  # noqa: RUF009  immutable

    def __post_init__(self) -> None:
        for kind, name, known in (("goal", self.by, GOALS), ("optimiser", self.optimiser, optimiser.NAMES)):
            if name not in known:
                raise unknown(kind, name, known)
        if self.optimiser == "cmaes" and optimiser.default() != "cmaes":
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

    def terms(self, test: str, rounds: int) -> Terms:
        """Return how a confirmation is played: from openings that were not played to tune."""
        used = int(self.positions) if self.by == "games" else 0
        return Terms(self.search, test, self.openings, used, rounds, self.seed, self.rules)

    def searcher(self, heuristic: str) -> Searcher:
        """Return the search with a heuristic. Raises InputError for agents that are no such search."""
        agent = parse(spec(self.search, heuristic, Level("depth", str(self.depth)))).build()
        if not isinstance(agent, Searcher):
            raise InputError(f"search {self.search!r} is not minimax or alphabeta, whose heuristics can be tuned")
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
