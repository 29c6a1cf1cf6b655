"""Times of agents held against each other, how busy the machine was, and how limits of time were kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.analysis.frames import Frames
from arena.statistics.elo import Z95
from arena.statistics.means import Interval, time_ratio

SLOWED = 1.5
"""A search that took so many times as long as the same one in its fastest turn was kept waiting."""
BUSY = 0.1
"""The share of such searches from which on the machine was busy with something else."""

LAYOUT = 0.02
"""By how much the logarithm of a ratio varies from process to process, its standard deviation over repeated runs: where
code and tables lie in memory matters. Source: Mytkowicz, Diwan, Hauswirth, Sweeney, "Producing wrong data without doing
anything obviously wrong!" (2009).
"""


@dataclass(frozen=True, slots=True)
class Overrun:
    """How an agent kept to the time that it may take for a move."""

    agent: str
    """Its name in the run."""
    limit: float
    """[seconds] For a move."""
    moves: int
    """[moves]"""
    over: int
    """[moves] Those that took longer."""
    typical: float | None
    """[seconds] By how much these took longer, their median; None where there are none."""
    most: float | None
    """[seconds] By how much the longest of them did."""


def limit(frames: Frames, agent: str) -> float | None:
    """Return the seconds that an agent of a run may take for a move, None where it is not told any."""
    [parameters] = frames.agents.loc[frames.agents["name"] == agent, "parameters"]
    told = [seconds for seconds in (parameters.get("seconds"), frames.plan.get("seconds")) if seconds is not None]
    return min(told, default=None)


def overruns(frames: Frames) -> list[Overrun]:
    """Return a row for each agent of a run that has a limit of time."""
    rows = []
    for agent in map(str, frames.agents["name"]):
        allowed = limit(frames, agent)
        if allowed is not None:
            spent = frames.moves.loc[frames.moves["agent"] == agent, "seconds"]
            beyond = spent[spent > allowed] - allowed
            ends = (None, None) if beyond.empty else (float(beyond.median()), float(beyond.max()))
            rows.append(Overrun(agent, allowed, len(spent), len(beyond), *ends))
    return rows


def ratio(frames: Frames, one: str, two: str) -> Interval | None:
    """Return how many times as long as `two` `one` takes for a move; None where not both were timed.

    `frames` hold no games of others. Taken from the positions that both searched by turns, else from their games:
    opening by opening, as the positions in these are not the same.
    """
    if frames.times.empty:
        apart = frames.games.loc[frames.games["first"] != frames.games["second"], "game"]
        moves = frames.moves[frames.moves["game"].isin(apart)]
        moves = moves.assign(opening=frames.opening_of(moves))
        spent = moves.groupby(["opening", "agent"])["seconds"].median()
    else:
        spent = frames.times.groupby(["position", "agent"])["seconds"].min()
    if not {one, two} <= set(spent.index.get_level_values("agent")):
        return None
    both = spent.unstack("agent")[[one, two]].dropna()
    found = time_ratio(both[one].tolist(), both[two].tolist())
    return None if found is None else _with_layout(found)


def _with_layout(found: Interval) -> Interval:
    """Return a ratio with the interval widened by what varies from process to process."""
    low, high = (
        None if end is None else found.value * math.exp(sign * math.hypot(math.log(end / found.value), Z95 * LAYOUT))
        for end, sign in ((found.low, -1), (found.high, 1))
    )
    return Interval(found.value, low, high)


def slowed(frames: Frames) -> float:
    """Return the share of searches by turns that were kept waiting."""
    times = frames.times
    fastest = times.groupby(["position", "agent"])["seconds"].transform("min")
    return float((times["seconds"] > SLOWED * fastest).mean()) if len(times) else 0.0
