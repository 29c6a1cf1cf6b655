"""Tuning: search the weights on the training set, keep what was tried, and say what may be claimed.

The optimiser works on the weights' ratios to the start's. Where a heuristic is a sum of weights times counts, only the
ratios among the weights matter to a search: small ones are magnified first, so that whole numbers are fine enough, and
what all have in common is divided out at the end. A weight stays if its count is 0 as long as a game goes on: it
changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.cells import count, gain, gains, percent
from arena.measure.exercises import default_plies, sample
from arena.measure.tuning.goals import Enough, Moves, Task, maximise
from arena.measure.tuning.weighted import Family, Weighted, counts
from arena.records import Interval
from arena.rows import Column, cell, plain, table_row, without
from arena.statistics.means import mean_interval

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats


Weights = tuple[int, ...]
MAGNIFIED = (100, 50, 20, 10, 5, 2, 1)
"""Factors for the weights, of which the largest is taken that keeps values clear of a win."""
ASKS = 50
"""Points that the optimiser may ask for, per heuristic tried: many points round to the same weights."""
LIVELY = 300
"""Sampled boards; a weight that counts on none of them is not tuned."""
REFUSED = -1e9
"""The value of weights that the heuristic refuses."""


class Tuning:
    """A search for the best weights of one heuristic family."""

    def __init__(self, task: Task) -> None:
        """Read the family. Raises InputError."""
        self.task = task
        self.values: dict[str, float] = {}
        """On the training set, by the text of each heuristic tried."""
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
        """The family, compiled at its first use."""
        return Weighted(self.family, self.task.rules)

    def answers(self, goal: Moves, weights: Weights) -> Floats:
        """Return the goal's number for each question. Raises InputError for weights that the heuristic refuses."""
        if not self._is_sum:
            return goal(self.task.searcher(self.family.text(weights)))
        self.family.made(weights, self.task.rules)  # for its errors
        self._agent.prepared = self._weighted.prepared
        self._weighted.set(weights)
        return goal(self._agent)

    def search(self, goal: Moves, progress: Callable[[float], object] = lambda best: None) -> None:  # noqa: ARG005  ignored by default
        """Try heuristics until there are as many as the task asks for; `progress` gets the best value after each.

        Values are kept as they come; no heuristic is tried twice.
        """
        sizes = self._sizes()
        asked = 0
        known = self.values

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
                known[text] = found
                progress(max(known.values()))
            return known[text]

        start = [self.family.start[place] * self._times / sizes[place] for place in self.live]
        maximise(value, start, self.task.seed)

    def best(self) -> Weights:
        """Return the weights of the best heuristic tried; of equals the first, so the start where nothing is better."""
        values = self.values
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
        """Return each live weight's unit step: its size at the start; for zero the middle size of the others."""
        sizes = {place: abs(self.family.start[place]) * self._times for place in self.live}
        others = [size for size in sizes.values() if size]
        usual = sorted(others)[len(others) // 2] if others else 1
        return {place: float(size or usual) for place, size in sizes.items()}

    def _weights(self, point: Sequence[float], sizes: dict[int, float]) -> Weights:
        weights = list(self.family.start)
        for place, x in zip(self.live, point, strict=True):
            weights[place] = round(x * sizes[place])
        return tuple(weights)


@table_row
class Held:
    """The heuristic at the start and the tuned one on the same questions."""

    questions: int = cell("Clear-cut positions.", "questions", count)
    start: float = cell("Share answered well.", "start", percent)
    tuned: float = cell("The same for the tuned heuristic.", "tuned", percent)
    gain: Interval = cell(
        "Tuned minus start.", "gain", gain, by="over questions",
        ends=Column("95 %", "", gains, note="of the gain, by Student's t over questions"),
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
    meta: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The environment, as `arena.store.machine.meta` returns it."""

    def document(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        train, held_out = plain([self.train, self.held_out])
        return without(self) | {"train": train, "held_out": held_out}


def held(tuning: Tuning, goal: Moves, tuned: Weights) -> Held:
    """Return the values of the start and of the tuned heuristic on a set."""
    before, after = tuning.answers(goal, tuning.family.start), tuning.answers(goal, tuned)
    found = mean_interval((after - before).tolist())
    assert found is not None
    low, high = (found.value if end is None else end for end in (found.low, found.high))
    return Held(len(before), float(before.mean()), float(after.mean()), Interval(found.value, low, high))


def outcome(tuning: Tuning, train: Held, held_out: Held, meta: Mapping[str, Any]) -> TuningResult:
    """Return the outcome of a tuning, with its verdict.

    train, held_out: what `held` returns for either set. meta: the metadata of the measurement.
    """
    task, tuned = tuning.task, tuning.family.text(tuning.best())
    sentence = verdict(tuning.start, tuned, task.depth, held_out)
    return TuningResult(tuning.start, tuned, task.depth, len(tuning.values), train, held_out, sentence, meta)


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
