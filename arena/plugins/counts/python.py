"""Strength from counts and from runs, for Python users."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.games.settings import checked, tabled
from arena.plugins.counts import job, ratings
from arena.table.measured import Measured
from arena.tournament.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from arena.statistics.pairing import Pairing

__all__ = ["elo", "rate", "sprt"]

rate = tabled(ratings.rate)
sprt = checked(job.sprt)


@checked
def elo(counts: Sequence[int] | Result | str | Path) -> Pairing | pd.DataFrame:
    """Return a pairing's statistics from engine one's view, or those of all pairings of a run; `arena elo` from Python.

    counts: 3 counts of games or 5 of pairs, worst result first; or a run or its file. Counts return an
    `arena.statistics.pairing.Pairing`, with fields such as elo, low, high, los_score and basis; a run returns a table
    with the fields of `arena.tournament.pairings.Duel`. Raises InputError.
    """
    strength = job.elo(counts)
    return strength.frame() if isinstance(strength, Measured) else strength
