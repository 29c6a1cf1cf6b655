"""Strength from counts and from stored runs: ratings, Elo, the sequential test, and two runs side by side."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, SupportsIndex

from agents.errors import InputError
from arena.api import jobs
from arena.api.result import Result, opened
from arena.api.settings import checked, listed

if TYPE_CHECKING:
    import pandas as pd

    from arena.statistics.pairing import Pairing
    from arena.statistics.sprt import Evidence


@checked
def rate(run: Result | str | Path, *, anchor: tuple[str, float] | None = None, nash: bool = False) -> pd.DataFrame:
    """Return the ratings of a pool, the best first; `arena rate` from Python. Raises InputError.

    run: a run, its file, or a CSV file with the columns a, b, wins, draws, losses. anchor: an agent and the rating that
    it has; else the mean is 0. The columns of the table are the fields of `arena.statistics.ratings.Rating`. nash: also
    the Nash average, whose columns are those of `arena.analysis.pool.Averaged`; the table's `attrs` have the cyclic
    share as `cyclic`, with its p-value `cyclic_p` and what chance alone leaves on average as `cyclic_by_chance`; and as
    `cycle` three agents of which each scores over the next and the last over the first, None where chance may have made
    it, with its p-value `cycle_p`. Where results are exact the p-values are None.
    """
    from arena.analysis.pool import Averaged
    from arena.rows import frame
    from arena.statistics.ratings import Rating
    from arena.store.folder import run_file

    if not isinstance(run, Result | str | Path):
        raise InputError(f"run is a run, its file or a CSV file, not {run!r:.80}")
    found = jobs.rate(run.frames if isinstance(run, Result) else run_file(run), anchor, nash=nash)
    if found.cycles is None:
        return frame(found.ratings, Rating)
    table, cycles = frame(found.ratings, Averaged), found.cycles
    table.attrs |= {"cyclic": cycles.share, "cyclic_p": cycles.p, "cyclic_by_chance": cycles.expected}
    table.attrs |= {"cycle": cycles.shown, "cycle_p": cycles.worst_p}
    return table


@checked
def elo(
    counts: Sequence[int] | Result | str | Path, *, population: int | None = None, margin: float = 30.0
) -> Pairing | pd.DataFrame:
    """Return a pairing's statistics from engine one's view, or those of all pairings of a run; `arena elo` from Python.

    counts: 3 of games or 5 of pairs, worst first; or a run or its file, for a table whose columns are the fields of
    `arena.analysis.pairings.Duel`. population: how many openings there were to draw from, for two deterministic agents.
    margin: two are level where they are shown to differ by less, in Elo. Of counts, the fields of the answer are those
    of `arena.statistics.pairing.Pairing`, among them elo, low and high, los_score and basis. Raises InputError.
    """
    if not 0.0 < margin <= 2000.0:
        raise InputError(f"margin lies above 0 and up to 2000 Elo, not {margin!r}")
    if isinstance(counts, Result | str | Path) and not re.fullmatch(r"[\d\s,.-]+", str(counts)):
        if population is not None:
            raise InputError("population goes with counts; a run knows how many openings it was drawn from")
        from arena.analysis.pairings import Duel, duels
        from arena.rows import frame

        return frame(duels(opened(counts).frames, margin), Duel)
    from arena.statistics.pairing import pairing

    return pairing(_numbers(counts), population, margin)


@checked
def sprt(
    counts: Sequence[int],
    elo0: float,
    elo1: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "normalized",
) -> Evidence:
    """Weigh counts between two hypotheses; `arena sprt` from Python. Raises InputError.

    counts: 3 of games or 5 of pairs, worst first. elo0, elo1: how much stronger engine one is under each. alpha, beta:
    the tolerated shares of wrong decisions. model: normalized, logistic or bayesian. The answer has llr, lower, upper
    and decision, which is "H0", "H1" or "continue".
    """
    from arena.statistics.sprt import Sprt

    return Sprt(elo0, elo1, alpha, beta, model).weigh(_numbers(counts))


@checked
def diff(old: Result | str | Path, new: Result | str | Path, agents: Sequence[str] = ()) -> pd.DataFrame:
    """Return what changed between two stored runs, a row for each agent that both have; `arena diff` from Python.

    agents: only these. The columns of the table are the fields of `arena.analysis.difference.Change`. Raises
    InputError.
    """
    from arena.analysis.difference import Change
    from arena.rows import frame

    one, other = (opened(run).path for run in (old, new))
    return frame(jobs.diff(one, other, listed("agents", agents)).changes, Change)


def _numbers(counts: object) -> list[int]:
    """Return counts of any kind that are whole numbers, also of numpy and pandas. Raises InputError."""
    found = list(counts) if isinstance(counts, Iterable) else [counts, None]
    numbers = [operator.index(each) for each in found if isinstance(each, SupportsIndex) and not isinstance(each, bool)]
    if len(numbers) < len(found):
        raise InputError(f"counts are whole numbers in a list, worst first, as in [3, 4, 5], not {counts!r:.80}")
    return numbers
