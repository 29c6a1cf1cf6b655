"""Weights searched for on the training set.

The optimiser works on the weights' ratios to the start's. Where a heuristic is a sum of weights times counts, only the
ratios among the weights matter to a search: small ones are magnified first, so that whole numbers are fine enough, and
what all have in common is divided out at the end. A weight whose count is 0 wherever the game goes on changes nothing,
and stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from agents.errors import InputError
from agents.search.weighted import Family, Weighted, counts
from arena.measure.grade import default_plies, sample
from arena.measure.tune.goals import Goal
from arena.measure.tune.optimiser import Enough, maximise
from arena.measure.tune.state import State
from arena.measure.tune.task import Task

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats

Weights = tuple[int, ...]
MAGNIFIED = (100, 50, 20, 10, 5, 2, 1)
"""By how much weights are multiplied, as far as they stay clear of a win."""
ASKS = 50
"""Points that may be asked for in place of one: many come to the same whole numbers."""
LIVELY = 300
"""Boards on one of which a weight must count, or it is left alone."""
REFUSED = -1e9
"""The value of weights that the heuristic refuses."""


class Tuning:
    """Heuristics of one family, asked the same questions one after the other."""

    def __init__(self, task: Task, state: State) -> None:
        """Read the family. Raises InputError."""
        self.task = task
        self.state = state
        self.family = Family.read(task.heuristic)
        self.start = self.family.text(self.family.start)
        self._agent = task.searcher(task.heuristic)
        self.family.made(self.family.start, task.rules)  # for its errors
        boards = sample(LIVELY, 1, default_plies(task.rules), task.rules)
        counted = counts(self.family, boards)
        self._is_sum = counted is not None
        places = range(len(self.family.start))
        self.live = [place for place in places if counted is None or any(row[place] for row in counted)]
        """The places of the weights that change anything."""
        if not self.live:
            raise InputError(f"no weight of {self.start} changes a value where the game goes on")
        self._times = 1 if counted is None else next(t for t in MAGNIFIED if self._allowed(self._grown(t)))

    @cached_property
    def _weighted(self) -> Weighted:
        """The family, compiled once its first heuristic is asked."""
        return Weighted(self.family, self.task.rules)

    def answers(self, goal: Goal, weights: Weights) -> Floats:
        """Return what weights make of each question. Raises InputError for weights that the heuristic refuses."""
        if not self._is_sum:
            return goal(self.task.searcher(self.family.text(weights)))
        self.family.made(weights, self.task.rules)  # for its errors
        self._agent.prepared = self._weighted.prepared
        self._weighted.set(weights)
        return goal(self._agent)

    def search(self, goal: Goal, progress: Callable[[float], object] = lambda best: None) -> None:  # noqa: ARG005  nobody listens
        """Try heuristics until there are as many as the task asks for; `progress` gets the best value after each.

        What is tried is added to the state at once, and what the state has is not tried again.
        """
        sizes = self._sizes()
        asked = 0
        known = self.state.values

        def value(point: Sequence[float]) -> float:
            nonlocal asked
            asked += 1
            if asked > ASKS * self.task.evaluations:
                raise Enough
            weights = self.reduced(self._weights(point, sizes))
            text = self.family.text(weights)
            if text not in known:
                if len(known) >= self.task.evaluations:
                    raise Enough
                try:
                    found = float(self.answers(goal, weights).mean())
                except InputError:
                    found = REFUSED
                self.state.add(text, found)
                progress(max(known.values()))
            return known[text]

        start = [self.family.start[place] * self._times / sizes[place] for place in self.live]
        maximise(value, start, self.task.optimiser, self.task.seed)

    def best(self) -> Weights:
        """Return the weights of the best heuristic tried; of equals the first, so that it is the start's, if it can."""
        values = self.state.values
        return Family.read(max(values, key=values.__getitem__)).start if values else self.family.start

    def reduced(self, weights: Weights) -> Weights:
        """Return weights that play alike, without a common factor; those of the start as they were."""
        if not self._is_sum:
            return weights
        common = math.gcd(*(weights[place] for place in self.live)) or 1
        first = math.gcd(*(self.family.start[place] for place in self.live)) or 1
        if all(weights[place] * first == self.family.start[place] * common for place in self.live):
            return self.family.start
        return tuple(each // common if place in self.live else each for place, each in enumerate(weights))

    def _grown(self, times: int) -> Weights:
        return tuple(w * times if place in self.live else w for place, w in enumerate(self.family.start))

    def _allowed(self, weights: Weights) -> bool:
        try:
            self.family.made(weights, self.task.rules)
        except InputError:
            return False
        return True

    def _sizes(self) -> dict[int, float]:
        """Return by how much each live weight is moved in a unit step: its size at the start, or that of the others."""
        sizes = {place: abs(self.family.start[place]) * self._times for place in self.live}
        others = [size for size in sizes.values() if size]
        usual = sorted(others)[len(others) // 2] if others else 1
        return {place: float(size or usual) for place, size in sizes.items()}

    def _weights(self, point: Sequence[float], sizes: dict[int, float]) -> Weights:
        weights = list(self.family.start)
        for place, x in zip(self.live, point, strict=True):
            weights[place] = round(x * sizes[place])
        return tuple(weights)
