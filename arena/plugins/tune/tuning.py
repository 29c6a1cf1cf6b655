"""Tuning: fit the weights of a heuristic to clear-cut positions, and test them on others.

All weights answer the same positions with the real search; the more moves keep the value of the position, the better.
Differential evolution (R. Storn, K. Price, 1997) from scipy works on the weights' ratios to the start's. Where a
heuristic is a sum of weights times counts, only the ratios among the weights matter to a search: small ones are
magnified first, so that whole numbers are fine enough, and what all have in common is divided out at the end. A weight
stays if its count is 0 as long as a game goes on: it changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError
from agents.jit.vectors import JIT
from agents.players.searcher import Searcher
from agents.specs.registry import parse
from arena.comparison.plan import Level
from arena.comparison.plan import spec as in_search
from arena.perfect.exercises import Exercise, default_plies, questions, sample, solve
from arena.plugins.tune.weighted import Family, Weighted, counts
from arena.records import Interval
from arena.statistics.means import mean_interval
from arena.table.cells import PROBABLY, count, ends, gain, percent
from arena.table.rows import MEASURED, Column, cell, plain, table_row, without

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats

Weights = tuple[int, ...]
MAGNIFIED = (100, 50, 20, 10, 5, 2, 1)
"""Factors for the weights, of which the largest is taken that keeps values clear of a win."""
ASKS = 50
"""Points that the optimiser may ask for, per heuristic tried: many points round to the same weights."""
LIVELY = 300
"""Sampled boards; a weight that counts on none of them is not tuned."""
REACH = 3.0
"""How far from the start differential evolution looks, in ratios to the start."""
REFUSED = -1e9
"""The value of weights that the heuristic refuses."""


class _Enough(Exception):  # noqa: N818  nothing went wrong
    """Enough weights have been tried."""


def sets(
    positions: int | str | Path, seed: int, rules: Rules, threads: int, progress: Callable[[], object]
) -> tuple[list[Exercise], list[Exercise]]:
    """Return the clear-cut positions to train with, and those held out. Raises InputError where there are too few."""
    if isinstance(positions, int) and positions < 4:
        raise InputError(f"{positions} questions cannot be parted into two sets: ask for 4 or more")
    boards, scores = questions(positions if isinstance(positions, int) else Path(positions), seed, None, rules)
    exercises = solve(boards, threads, progress=progress, scores=scores, strong=False)
    half = len(exercises) // 2
    train, held_out = ([e for e in part if e.clear_cut] for part in (exercises[:half], exercises[half:]))
    if not (train and held_out):
        raise InputError("no position of a set is clear-cut: ask for more of them")
    return train, held_out


class Tuning:
    """A search for the best weights of a heuristic."""

    def __init__(self, heuristic: str, search: str, depth: int, rules: Rules) -> None:
        """Read the heuristic with its weights at the start, and the search that uses it. Raises InputError."""
        self._search, self._depth, self._rules = search, depth, rules
        self.values: dict[str, float] = {}
        """The share of good answers on the training set, by the text of each heuristic tried."""
        self.family = Family.read(heuristic)
        self.start = self.family.text(self.family.start)
        self._agent = self._searcher(heuristic)
        self.family.heuristic(self.family.start, rules)  # for its errors
        counted = counts(self.family, sample(LIVELY, 1, default_plies(rules), rules))
        self._is_sum = counted is not None
        places = range(len(self.family.start))
        self.live = [place for place in places if counted is None or any(row[place] for row in counted)]
        """The places of the weights that change anything."""
        if not self.live:
            raise InputError(f"no weight of {self.start} changes a value where the game goes on")
        self._times = 1 if counted is None else next(times for times in MAGNIFIED if self._allowed(times))

    def _searcher(self, heuristic: str) -> Searcher:
        """Return the search with a heuristic. Raises InputError for agents that are no such search."""
        spec = parse(in_search(self._search, heuristic, Level("depth", str(self._depth))))
        agent = None if spec.has_process else spec.build()  # nothing of a file is run
        if not isinstance(agent, Searcher):
            raise InputError(f"search {self._search!r} must be minimax or alphabeta to be tuned")
        return agent

    @cached_property
    def _weighted(self) -> Weighted:
        """The family, compiled at its first use."""
        return Weighted(self.family, self._rules)

    def answers(self, exercises: Sequence[Exercise], weights: Weights) -> Floats:
        """Return 1 for each good move, else 0. Raises InputError for weights that the heuristic refuses."""
        import numpy as np

        agent = self._agent
        if self._is_sum and JIT:
            self.family.heuristic(weights, self._rules)  # for its errors
            agent.prepared = self._weighted.prepared
            self._weighted.set(weights)
        else:
            agent = self._searcher(self.family.text(weights))
        agent.new_game(0)
        columns = (agent.choose(exercise.board, Limits()).column for exercise in exercises)
        return np.array([column in e.good for column, e in zip(columns, exercises, strict=True)], float)

    def search(
        self, exercises: Sequence[Exercise], evaluations: int, seed: int, progress: Callable[[float], object]
    ) -> None:
        """Try heuristics, the start first, until there are so many; `progress` gets the best share after each.

        No heuristic is tried twice. Equal shares and an equal seed lead to equal weights.
        """
        from scipy.optimize import Bounds, differential_evolution

        sizes, asked = self._sizes(), 0

        def lost(point: Any, /) -> float:  # noqa: ANN401  an array of numbers or a list
            nonlocal asked
            asked += 1
            weights = self.reduced(self._weights(point, sizes))
            text = self.family.text(weights)
            if asked > ASKS * evaluations or (text not in self.values and len(self.values) >= evaluations):
                raise _Enough
            if text not in self.values:
                try:
                    self.values[text] = float(self.answers(exercises, weights).mean())
                except InputError:
                    self.values[text] = REFUSED
                progress(max(self.values.values()))
            return -self.values[text]

        start = [self.family.start[place] * self._times / sizes[place] for place in self.live]
        bounds = Bounds([x - REACH for x in start], [x + REACH for x in start])
        try:
            lost(start)
            while True:
                differential_evolution(lost, bounds, x0=start, rng=seed, polish=False, tol=0.0, maxiter=1000)
                seed += 1
        except _Enough:
            pass

    def best(self) -> Weights:
        """Return the weights of the best heuristic tried; of equals the first, so the start where nothing is better."""
        return Family.read(max(self.values, key=self.values.__getitem__)).start

    def reduced(self, weights: Weights) -> Weights:
        """Return weights that play alike, without a common factor; those of the start as they were."""
        if not self._is_sum:
            return weights
        common = math.gcd(*(weights[place] for place in self.live)) or 1
        first = math.gcd(*(self.family.start[place] for place in self.live)) or 1
        if all(weights[place] * first == self.family.start[place] * common for place in self.live):
            return self.family.start
        return tuple(weight // common if place in self.live else weight for place, weight in enumerate(weights))

    def _allowed(self, times: int) -> bool:
        """Return whether the heuristic takes the start's weights so many times as large."""
        grown = [w * times if place in self.live else w for place, w in enumerate(self.family.start)]
        try:
            self.family.heuristic(grown, self._rules)
        except InputError:
            return False
        return True

    def _sizes(self) -> dict[int, float]:
        """Return each live weight's unit step: its size at the start; for zero the middle size of the others."""
        sizes = {place: abs(self.family.start[place]) * self._times for place in self.live}
        others = sorted(size for size in sizes.values() if size)
        usual = others[len(others) // 2] if others else 1
        return {place: float(size or usual) for place, size in sizes.items()}

    def _weights(self, point: Sequence[float], sizes: Mapping[int, float]) -> Weights:
        weights = list(self.family.start)
        for place, x in zip(self.live, point, strict=True):
            weights[place] = round(x * sizes[place])
        return tuple(weights)


@table_row
class Held:
    """The heuristic at the start and the tuned one on the same questions."""

    set: str = cell("`train` or `held out`.", "set")
    questions: int = cell("Clear-cut positions.", "questions", count)
    start: float = cell("Share answered well.", "start", percent)
    tuned: float = cell("The same for the tuned heuristic.", "tuned", percent)
    gain: Interval = cell(
        "Tuned minus start.", "gain", gain, by="over questions",
        ends=Column("95 %", MEASURED, ends(gain), note=PROBABLY.format("gain")),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TuningResult:
    """A tuning's result."""

    start: str
    """The heuristic at the start."""
    tuned: str
    """The best one on the training set, of those tried."""
    depth: int
    """[plies] Of the search."""
    tried: int
    """Heuristics."""
    train: Held
    """On the questions that chose it."""
    held_out: Held
    """On questions that did not."""
    verdict: str
    """What may be claimed, as a sentence."""
    compare: str
    """The command that plays the tuned weights against the start; empty where nothing better was found."""
    meta: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The environment, as `arena.store.machine.meta` returns it."""

    def document(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        train, held_out = plain([self.train, self.held_out])
        return without(self) | {"train": train, "held_out": held_out}


def held(name: str, before: Floats, after: Floats) -> Held:
    """Return the values of a set, given the answers of the start and of the tuned heuristic."""
    mean = mean_interval((after - before).tolist())
    assert mean is not None
    low, high = (mean.value if end is None else end for end in (mean.low, mean.high))
    return Held(name, len(before), float(before.mean()), float(after.mean()), Interval(mean.value, low, high))


def verdict(start: str, tuned: str, depth: int, held_out: Held) -> str:
    """Return the conclusion from the held-out set, as one sentence.

    start, tuned: both heuristics with their weights. depth: [plies] of the search.
    """
    if tuned == start:
        return f"Keep {start}: nothing that was tried does better on the training set."
    ends = (held_out.gain.value, held_out.gain.low or 0.0, held_out.gain.high or 0.0)  # they are never open
    gain, low, high = (f"{100.0 * end:+z.1f}" for end in ends)
    shown = f"{gain} [{low} to {high}] points of a hundred on {held_out.questions:,} questions held out"
    if ends[1] > 0.0:
        return f"{tuned} answers better than {start} at depth {depth}, {shown}; no game was played."
    return f"Keep {start}: {tuned} {'answers worse' if ends[2] < 0.0 else 'is not shown to gain'}, {shown}."
