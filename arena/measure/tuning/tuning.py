"""Tuning: search the weights on the training set, keep what was tried, and say what may be claimed.

The optimiser works on the weights' ratios to the start's. Where a heuristic is a sum of weights times counts, only the
ratios among the weights matter to a search: small ones are magnified first, so that whole numbers are fine enough, and
what all have in common is divided out at the end. A weight stays if its count is 0 as long as a game goes on: it
changes nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.cells import count, gain, gains, percent
from arena.measure.exercises import default_plies, sample
from arena.measure.tuning.confirmation import DECIDED, Confirmation
from arena.measure.tuning.goals import Enough, Goal, Task, maximise
from arena.measure.tuning.weighted import Family, Weighted, counts
from arena.records import Interval
from arena.rows import Column, cell, plain, table_row, without
from arena.statistics.means import mean_interval
from arena.store.writing import write

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats


SIGNATURE = "connect4-arena tuning"


class State:
    """The settings of a tuning and the values of all heuristics tried, kept in a file where one is named.

    The file grows by a line for each heuristic: a kill at any moment loses one line at most.
    """

    def __init__(self, path: Path | None, settings: Mapping[str, Any], values: Mapping[str, float]) -> None:
        self.path = path
        self.settings = dict(settings)
        self.values = dict(values)
        """By the heuristic's text."""

    @classmethod
    def begin(cls, path: Path | None, settings: Mapping[str, Any]) -> State:
        """Start, in a new file where one is named. Raises InputError where it exists or cannot be written."""
        if path is not None:
            try:
                with path.open("x", encoding="utf-8") as file:
                    print(json.dumps({"file": SIGNATURE, **settings}), file=file)
            except FileExistsError:
                raise InputError(f"{path} exists; --resume {path} continues it, --out names another") from None
            except OSError as error:
                raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
        return cls(path, settings, {})

    @classmethod
    def of(cls, path: Path | None, settings: Mapping[str, Any]) -> State:
        """Return what a file has of a tuning with these settings, or start it. Raises InputError."""
        if path is None or not path.exists():
            return cls.begin(path, settings)
        found = cls.resume(path)
        if found.settings != json.loads(json.dumps(settings)):
            raise InputError(f"{path} holds a tuning with other settings")
        return found

    @classmethod
    def resume(cls, path: Path) -> State:
        """Return what a file has; a line that a kill cut short is taken off. Raises InputError."""
        try:
            text = path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]
            header, *lines = map(json.loads, whole.splitlines())
            signature = header.pop("file")
            values = {str(line["heuristic"]): float(line["value"]) for line in lines if "outcome" not in line}
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
        except (AttributeError, KeyError, TypeError, ValueError):
            signature = ""
        if signature != SIGNATURE:
            raise InputError(f"{path} is no file that arena tune --out began")
        if whole != text:
            write(path, whole)
        return cls(path, header, values)

    def add(self, heuristic: str, value: float) -> None:
        """Keep the value of a heuristic on the training set."""
        self.values[heuristic] = value
        self._append({"heuristic": heuristic, "value": value})

    def conclude(self, outcome: Mapping[str, Any]) -> None:
        """Keep the outcome; a tuning that is continued may have several."""
        self._append({"outcome": outcome})

    def _append(self, line: Mapping[str, Any]) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                print(json.dumps(line), file=file)


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
        """The family, compiled at its first use."""
        return Weighted(self.family, self.task.rules)

    def answers(self, goal: Goal, weights: Weights) -> Floats:
        """Return the goal's number for each question. Raises InputError for weights that the heuristic refuses."""
        if not self._is_sum:
            return goal(self.task.searcher(self.family.text(weights)))
        self.family.made(weights, self.task.rules)  # for its errors
        self._agent.prepared = self._weighted.prepared
        self._weighted.set(weights)
        return goal(self._agent)

    def search(self, goal: Goal, progress: Callable[[float], object] = lambda best: None) -> None:  # noqa: ARG005  ignored by default
        """Try heuristics until there are as many as the task asks for; `progress` gets the best value after each.

        Each value is added to the state at once; heuristics that the state has are not tried again.
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
        """Return the weights of the best heuristic tried; of equals the first, so the start where nothing is better."""
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

    questions: int = cell(
        "Clear-cut positions (`by` moves), positions (score) or openings (games).", "questions", count
    )
    start: float = cell(
        "Share answered well (`by` moves), minus the logistic loss in nats (score), or share of the points (games).",
        "start",
        percent,
    )
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
    by: str
    """The goal: moves, score or games."""
    depth: int
    """[plies] Of the search."""
    tried: int
    """Heuristics."""
    train: Held
    """On the questions that chose it."""
    held_out: Held
    """On questions that did not."""
    confirmation: tuple[Confirmation, ...]
    """In games, a row for each depth; none where nothing better was found or no games were asked for."""
    verdict: str
    """What may be claimed, as a sentence."""
    meta: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The environment, as `arena.store.machine.meta` returns it."""

    def document(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        train, held_out = plain([self.train, self.held_out])
        return without(self) | {"train": train, "held_out": held_out, "confirmation": plain(self.confirmation)}


def held(tuning: Tuning, goal: Goal, tuned: Weights) -> Held:
    """Return the values of the start and of the tuned heuristic on a set."""
    before, after = tuning.answers(goal, tuning.family.start), tuning.answers(goal, tuned)
    found = mean_interval((after - before).tolist())
    assert found is not None
    low, high = (found.value if end is None else end for end in (found.low, found.high))
    return Held(len(before), float(before.mean()), float(after.mean()), Interval(found.value, low, high))


def outcome(
    tuning: Tuning, train: Held, held_out: Held, matches: Sequence[Confirmation], meta: Mapping[str, Any]
) -> TuningResult:
    """Return the outcome of a tuning, with its verdict.

    train, held_out: what `held` returns for either set. matches: one a depth. meta: the metadata of the measurement.
    """
    task, tuned = tuning.task, tuning.family.text(tuning.best())
    said = verdict(tuning.start, tuned, task.by, task.depth, held_out, matches)
    tried = len(tuning.state.values)
    return TuningResult(tuning.start, tuned, task.by, task.depth, tried, train, held_out, tuple(matches), said, meta)


def verdict(start: str, tuned: str, by: str, depth: int, held_out: Held, matches: Sequence[Confirmation]) -> str:
    """Return the conclusion from the held-out set and the games, as one sentence.

    start, tuned: both heuristics with their weights. by: the goal. depth: of the tuned search; the verdict rests on
    `held_out` and on that of the `matches` at this depth.
    """
    if tuned == start:
        return f"Keep {start}: nothing that was tried does better on the training set."
    shown = f"{gain_text(by, held_out)} on {held_out.questions:,} questions held out"
    own = next((match for match in matches if match.depth == depth), None)
    low, high = held_out.gain.low or 0.0, held_out.gain.high or 0.0  # they are never open
    if low <= 0.0:
        worse = high < 0.0
        if own is not None and own.decision == "H1":
            answers = f"answers worse, {shown}" if worse else f"is not shown to answer better, {shown}"
            return f"{tuned} is stronger than {start} in games at depth {depth}, but {answers}{_games(matches)}."
        return (
            f"Keep {start}: {tuned} {'answers worse' if worse else 'is not shown to gain'}, {shown}{_games(matches)}."
        )
    if own is None:
        return f"{tuned} answers better than {start} at depth {depth}, {shown}; no game was played."
    if own.decision != "H1":
        return (
            f"{tuned} answers better than {start}, {shown}, but games do not show that it wins more{_games(matches)}."
        )
    return f"{tuned} is better than {start} at depth {depth}: {shown}{_games(matches)}."


def gain_text(by: str, held_out: Held) -> str:
    """Return a gain with its interval, in points of a hundred or in nats."""
    times, unit = (1.0, "nats of loss") if by == "score" else (100.0, "points of a hundred")
    digits = 4 if by == "score" else 1
    ends = (held_out.gain.value, held_out.gain.low or 0.0, held_out.gain.high or 0.0)
    gain, low, high = (f"{times * each:+z.{digits}f}" for each in ends)
    return f"{gain} [{low} to {high}] {unit}"


def _strength(elo: Interval | None) -> str:
    """Return a difference in Elo with its interval, an open end as an arrow; empty where it is not known."""
    if elo is None or math.isinf(elo.value):
        return ""
    low, high = "←" if elo.low is None else f"{elo.low:+z.0f}", "→" if elo.high is None else f"{elo.high:+z.0f}"
    return f", {elo.value:+z.0f} Elo [{low} to {high}]"


def _games(matches: Sequence[Confirmation]) -> str:
    said = [
        f"at depth {each.depth} {DECIDED[each.decision]} after {each.pairs} pairs{_strength(each.elo)}"
        for each in matches
    ]
    return f"; in games {', '.join(said)}" if said else ""
