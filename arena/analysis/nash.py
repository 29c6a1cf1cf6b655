"""The ratings of a pool beside its Nash average, and what no rating explains."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.analysis import pool
from arena.analysis.frames import Frames
from arena.analysis.rows import without
from arena.statistics.clones import clones
from arena.statistics.cycles import Cycles, cycles
from arena.statistics.nash import nash
from arena.statistics.pool import Table, table_of, table_of_totals
from arena.statistics.ranking import EXACT, Pool, Rating


@dataclass(frozen=True, slots=True)
class Averaged(Rating):
    """A rating, and how the agent stands in the pool's Nash average."""

    nash: float
    """[share] Of the agent in the equilibrium of most entropy; all sum to 1, and copies of an agent share its own."""
    nash_low: float | None
    """[share] Lower end of its 95 % interval, by bootstrap over openings; None without openings enough."""
    nash_high: float | None
    """[share] Upper end of it."""
    nash_value: float
    """[share] Points a game that the agent is expected to make against the equilibrium: 0.5 where it has a share."""
    nash_value_low: float | None
    """[share] Lower end of its 95 % interval."""
    nash_value_high: float | None
    """[share] Upper end of it."""


def averaged(run: Frames | Path, ratings: Pool) -> tuple[list[Averaged], Cycles]:
    """Return the ratings of a run, a file of one or a CSV file with the Nash average, and the pool's cycles.

    Agents that play exactly as others are left out of the cycles. Raises InputError where two agents have not met.
    """
    table, apart = _tables(run)
    found = nash(table)
    rows = []
    for rating in ratings.ratings:
        place = table.agents.index(rating.agent)
        numbers = [float(found.shares[place]), None, None, float(found.values[place]), None, None]
        if found.ends is not None:
            numbers[1:3], numbers[4:6] = found.ends[0, :, place].tolist(), found.ends[1, :, place].tolist()
        rows.append(Averaged(*without(rating).values(), *numbers))
    return rows, cycles(apart, exact=ratings.method == EXACT)


def _tables(run: Frames | Path) -> tuple[Table, Table]:
    """Return the results of all agents, and of those that do not play exactly as another."""
    if isinstance(run, Path):
        if run.suffix.lower() == ".csv":
            return (table_of_totals(pool.totals(run)),) * 2
        run = Frames.read(run, decided=False)
    played = run.played()
    apart = played.among(set(played.agents).difference(clones(played)))
    table = table_of(played, run.winners)
    return table, table if apart is played or len(apart.agents) < 2 else table_of(apart, run.winners)
