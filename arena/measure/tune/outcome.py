"""What a tuning came to: both heuristics on both sets, the games, and a verdict that claims no more than they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.measure.tune.confirmation import Match
from arena.measure.tune.goals import Goal
from arena.measure.tune.tuning import Tuning, Weights
from arena.statistics.means import mean_interval


@dataclass(frozen=True, slots=True)
class Held:
    """The heuristic at the start and the tuned one on the same questions."""

    questions: int
    """Clear-cut positions, positions, or openings, by what was tuned."""
    start: float
    """Share of clear-cut positions answered well, minus the logistic loss in nats, or share of the points."""
    tuned: float
    """The same of the tuned one."""
    gain: float
    """Tuned minus start."""
    gain_low: float
    """Lower end of its 95 % interval over questions."""
    gain_high: float
    """Upper end of it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tuning's result."""

    start: str
    """The heuristic at the start."""
    tuned: str
    """The best one on the training set, of those tried."""
    by: str
    """What it was tuned for: moves, score or games."""
    depth: int
    """[plies] Of the search."""
    tried: int
    """Heuristics."""
    train: Held
    """On the questions that chose it."""
    held_out: Held
    """On questions that did not."""
    confirmation: tuple[Match, ...]
    """In games, a row for each depth; none where nothing better was found or nobody asked."""
    verdict: str
    """What may be claimed, as a sentence."""
    meta: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """With what it was measured, as `arena.store.machine.meta` returns it."""


def held(tuning: Tuning, goal: Goal, tuned: Weights) -> Held:
    """Return what both make of a set."""
    before, after = tuning.answers(goal, tuning.family.start), tuning.answers(goal, tuned)
    found = mean_interval((after - before).tolist())
    assert found is not None
    low, high = (found.value if end is None else end for end in (found.low, found.high))
    return Held(len(before), float(before.mean()), float(after.mean()), found.value, low, high)


def outcome(tuning: Tuning, train: Held, held_out: Held, matches: Sequence[Match], meta: Mapping[str, Any]) -> Outcome:
    """Return the result with its verdict."""
    task, tuned = tuning.task, tuning.family.text(tuning.best())
    said = verdict(tuning.start, tuned, task.by, task.depth, held_out, matches)
    tried = len(tuning.state.values)
    return Outcome(tuning.start, tuned, task.by, task.depth, tried, train, held_out, tuple(matches), said, meta)


def verdict(start: str, tuned: str, by: str, depth: int, held_out: Held, matches: Sequence[Match]) -> str:
    """Return what may be claimed, as one sentence: of each of the set held out and the games what it shows."""
    if tuned == start:
        return f"Keep {start}: nothing that was tried does better on the training set."
    shown = f"{gain_text(by, held_out)} on {held_out.questions:,} questions held out"
    own = next((match for match in matches if match.depth == depth), None)
    if held_out.gain_low <= 0.0:
        worse = held_out.gain_high < 0.0
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
    gain, low, high = (
        f"{times * each:+z.{digits}f}" for each in (held_out.gain, held_out.gain_low, held_out.gain_high)
    )
    return f"{gain} [{low} to {high}] {unit}"


DECIDED = {"H1": "stronger", "H0": "not stronger", "continue": "not decided"}


def _ends(low: float | None, high: float | None) -> str:
    """Return the interval as it follows a number, an open end as an arrow."""
    return f" [{'←' if low is None else f'{low:+z.0f}'} to {'→' if high is None else f'{high:+z.0f}'}]"


def _games(matches: Sequence[Match]) -> str:
    said = []
    for each in matches:
        elo = "" if each.elo is None else f", {each.elo:+z.0f} Elo{_ends(each.low, each.high)}"
        said.append(f"at depth {each.depth} {DECIDED[each.decision]} after {each.pairs} pairs{elo}")
    return f"; in games {', '.join(said)}" if said else ""
