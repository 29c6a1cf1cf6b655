"""Strength from counts and from stored runs: ratings, Elo, the sequential test, and the difference of two runs."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from agents.errors import InputError
from arena.api.progress import Measured
from arena.api.settings import listed

if TYPE_CHECKING:
    from arena.analysis.difference import Change
    from arena.analysis.pairings import Duel
    from arena.api.result import Result
    from arena.records import Interval
    from arena.statistics.pairing import Pairing
    from arena.statistics.ratings import Pool
    from arena.store.machine import Load


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated(Measured[Any]):
    """The ratings of a pool."""

    pool: Pool


def rate(run: Result | str | Path, *, anchor: tuple[str, float] | None = None) -> Rated:
    """Return the ratings of a pool, the best first; `arena rate` from Python. Raises InputError.

    run: a run, its file, a PGN file, or a CSV file with the columns a, b, wins, draws, losses. anchor: an agent and its
    fixed rating; otherwise the mean is 0. The columns of the table are the fields of `arena.statistics.ratings.Rating`.
    """
    from arena.analysis import pool
    from arena.api.result import Result
    from arena.api.runs import run_file
    from arena.statistics import ratings

    if not isinstance(run, Result | str | Path):
        raise InputError(f"run is a run, its file or a CSV file, not {run!r:.80}")
    source = run.frames if isinstance(run, Result) else run_file(run)
    found = pool.of_file(source, anchor) if isinstance(source, Path) else pool.of_run(source, anchor)
    return Rated(rows=found.ratings, kind=ratings.Rating, pool=found)


def elo(counts: Sequence[int | str] | Result | str | Path) -> Pairing | Measured[Duel]:
    """Return a pairing's statistics from engine one's view, or a row for each pairing of a run. Raises InputError.

    counts: 3 counts of games or 5 of pairs, worst result first; or a run or its file.
    """
    if hasattr(counts, "frames") or (isinstance(counts, str | Path) and not re.fullmatch(r"[\d\s,.-]+", str(counts))):
        from arena.analysis.pairings import Duel, duels
        from arena.api.result import opened

        return Measured(duels(opened(counts).frames), Duel)
    from arena.statistics.pairing import pairing

    return pairing(counts_of(counts))


@dataclass(frozen=True, slots=True)
class Weighed:
    """The evidence of counts for two hypotheses."""

    llr: float
    """The log-likelihood ratio."""
    lower: float
    upper: float
    """The ratios that end the test."""
    decision: str
    """H0, H1 or continue."""
    estimate: Interval | None
    """The strength of engine one in Elo, corrected for the early stop; None if the test goes on."""
    unit: str
    """The scale of the hypotheses."""


def sprt(
    counts: Sequence[int | str],
    elo0: float,
    elo1: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "normalized",
) -> Weighed:
    """Weigh counts between two hypotheses; `arena sprt` from Python. Raises InputError.

    counts: 3 counts of games or 5 of pairs, worst result first. elo0, elo1: the strength of engine one over engine two
    under each hypothesis. alpha, beta: the tolerated error rates. model: normalized, logistic or bayesian. The result
    has llr, lower, upper and decision, which is "H0", "H1" or "continue".
    """
    from arena.statistics.sprt import Sprt, sprt_estimate

    test, numbers = Sprt(elo0, elo1, alpha, beta, model), counts_of(counts)
    found = test.weigh(numbers)
    return Weighed(found.llr, found.lower, found.upper, found.decision, sprt_estimate(test, numbers), test.unit)


@dataclass(frozen=True, slots=True)
class RunChanges(Measured["Change"]):
    """The changes between two stored runs."""

    loads: tuple[Load | None, Load | None] = (None, None)
    """The load of the machine during the games of each run."""


def diff(old: Result | str | Path, new: Result | str | Path, agents: Sequence[str] = ()) -> RunChanges:
    """Return the changes between two stored runs, a row for each agent in both; `arena diff` from Python.

    agents: only these. The columns of the table are the fields of `arena.analysis.difference.Change`. Raises
    InputError.
    """
    from arena.analysis.difference import Change, changes
    from arena.analysis.frames import Frames
    from arena.api.result import run_path

    one, other = (Frames.read(run_path(run), decided=False) for run in (old, new))
    rows = changes(one, other, listed("agents", agents))
    return RunChanges(rows, Change, loads=(one.load(), other.load()))


def failed_conditions(rows: Sequence[Change], conditions: Iterable[str]) -> list[str]:
    """Return a line for each agent and condition that is true of it. Raises InputError for an invalid condition.

    A gain counts only if all of its 95 % interval is beyond the limit.
    """
    from arena.analysis.difference import fails

    return [line for condition in conditions for line in fails(rows, condition)]


def counts_of(counts: object) -> list[int]:
    """Return counts as ints, given as whole numbers of any type or as texts. Raises InputError."""
    if isinstance(counts, str) or not isinstance(counts, Iterable):
        raise InputError(f"counts are whole numbers in a list, worst first, as in [3, 4, 5], not {counts!r:.80}")
    numbers: list[int] = []
    for each in counts:
        for part in each.strip("[]").replace(",", " ").split() if isinstance(each, str) else [each]:
            number = int(part) if isinstance(part, str) and re.fullmatch("[0-9]{1,15}", part) else part
            if not isinstance(number, SupportsIndex) or isinstance(number, bool):
                raise InputError(f"{str(part)!r} is not a count, a whole number from 0 and below 10^15")
            numbers.append(operator.index(number))
    return numbers
