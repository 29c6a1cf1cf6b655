"""The quantities that claims are made of, from stored runs, depth tables and grades, each with its interval."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from arena.plugins.study.claims import Ends, Estimate, Quantity
from arena.records import Interval
from arena.statistics.elo import elo_of
from arena.statistics.intervals import (
    Counts,
    Shares,
    finite_population,
    normal_width,
    proportion,
    score_interval,
)
from arena.statistics.means import mean_interval
from arena.statistics.sprt import Sprt, sprt_estimate
from arena.table.cells import without_depth
from arena.tournament.effort import TO_END
from arena.tournament.frames import Frames
from arena.tournament.pairings import counts, evidence, pairs


def of_run(frames: Frames, quantity: Quantity, agents: Sequence[str]) -> Estimate | None:
    """Return a quantity of a stored run for agents as its tables name them; None where no game tells it."""
    if quantity.name == "nodes":
        return _nodes(frames, agents[0])
    if quantity.name == "elo":
        return _elo(frames, *agents)
    taken = _wins if quantity.name == "wins" else _points
    if len(quantity.agents) == 2:
        shares = taken(frames, agents[0], agents[1:])
    else:  # of several agents that a name stands for the mean on each opening
        others = {agent: [name for name in frames.agents["name"] if name != agent] for agent in agents}
        shares = pd.DataFrame({agent: taken(frames, agent, others[agent]) for agent in agents}).dropna().mean(axis=1)
    return _score(frames, Shares.of(shares)) if len(shares) else None


def _elo(frames: Frames, one: str, other: str) -> Estimate | None:
    """Return the strength of one over another in Elo, after a sequential test allowing for its stop."""
    numbers, looks = counts(pairs(frames, one, other)), evidence(frames)
    if not sum(numbers):
        return None
    if looks and looks[-1].decision != "continue":
        test, swapped = Sprt.parse(frames.plan["sprt"]), frames.agents["name"].iloc[0] != one

        def stopped(alpha: float) -> Interval | None:
            interval = sprt_estimate(test, numbers[::-1] if swapped else numbers, alpha=alpha)
            if interval is None or not swapped:
                return interval
            low, high = (None if end is None else -end for end in (interval.high, interval.low))
            return Interval(-interval.value, low, high)

        if estimate := _estimate(stopped, "score interval, allowing for the stop"):
            return estimate
    return _score(frames, Counts(numbers), lambda score: (
        elo_of(score) if 0.0 < score < 1.0 else math.copysign(math.inf, score - 0.5)
    ))  # fmt: skip


def _estimate(interval: Callable[[float], Interval | None], basis: str, *, exact: bool = False) -> Estimate | None:
    """Return what an interval at any level says; None where there is none."""
    middle = interval(0.05)
    if middle is None:
        return None

    def ends(alpha: float) -> Ends:
        at = interval(alpha) or Interval(0.0, None, None)
        return (-math.inf if at.low is None else at.low), (math.inf if at.high is None else at.high)

    return Estimate(middle.value, None if exact else ends, basis)


def _score(frames: Frames, results: Counts, scale: Callable[[float], float] = float) -> Estimate:
    """Return a mean over openings with its score interval, on a scale; exact where all openings were played."""
    shrink = _shrink(frames, results.total)
    if shrink == 0.0:
        return Estimate(scale(results.mean), None, f"exact over all {results.total} openings")

    def ends(alpha: float) -> Ends:
        low, high = score_interval(results, shrink, normal_width(alpha))
        return scale(low), scale(high)

    unit = "opening" if results.total == 1 else "openings"
    return Estimate(scale(results.mean), ends, f"score interval over {results.total} {unit}")


def _shrink(frames: Frames, played: int) -> float:
    return 1.0 if frames.population is None else finite_population(played, frames.population)


def _points(frames: Frames, agent: str, against: Sequence[str]) -> pd.Series:
    """Return the agent's share of the points on each opening that it played with both colours against all of these."""
    points = pd.DataFrame({other: pairs(frames, agent, other) / 2.0 for other in against})
    return points.dropna(axis=1, how="all").dropna().mean(axis=1)


def _wins(frames: Frames, agent: str, against: Sequence[str]) -> pd.Series:
    """Return the share of games that the agent won, on each opening."""
    games = frames.games
    first = (games["first"] == agent) & games["second"].isin(against)
    second = (games["second"] == agent) & games["first"].isin(against)
    played = games[first | second]
    won = np.where(first[first | second], played["points"] == 1.0, played["points"] == 0.0)
    return played.assign(won=won.astype(float)).groupby("opening")["won"].mean()


def _nodes(frames: Frames, agent: str) -> Estimate | None:
    """Return the mean nodes of a move, by openings."""
    moves = frames.searched()
    moves = moves[moves["agent"] == agent]
    nodes, groups = moves["nodes"].to_numpy(), frames.opening_of(moves).to_numpy()
    reported = ~np.isnan(nodes)
    if not reported.any():
        return None
    shrink = _shrink(frames, len(set(groups[reported])))
    mean = functools.partial(mean_interval, nodes[reported], groups[reported], shrink=shrink)
    return _estimate(lambda alpha: mean(alpha=alpha), "mean of a move, by openings", exact=shrink == 0.0)


def of_depths(rows: Sequence[Mapping[str, Any]], quantity: Quantity, *, drawn: bool) -> Estimate | None:
    """Return the nodes of a search of one depth from the rows of a depth table; None where it was skipped.

    drawn: whether its positions stand for others; else the mean over them is exact.
    """
    nodes = [row["nodes"] for row in rows if row["agent"] == quantity.agents[0] and row["depth"] == quantity.depth]
    if not nodes or None in nodes or quantity.depth == TO_END:
        return None
    exact = not drawn or len(nodes) < 2
    basis = "exact in these positions" if exact else f"mean of {len(nodes)} drawn positions"
    return _estimate(lambda alpha: mean_interval(nodes, alpha=alpha), basis, exact=exact)


def of_grade(rows: Sequence[Mapping[str, Any]], quantity: Quantity) -> Estimate | None:
    """Return a share of good moves from the rows of a grade; None where the agent has no such row, or several."""
    name = quantity.agents[0]
    grades = [row for row in rows if row["agent"] == without_depth(name) and
              (name == row["agent"] or f"depth={row['depth']}" in re.split("[:,]", name))]  # fmt: skip
    if len(grades) != 1 or grades[0][quantity.of] is None:
        return None
    number = grades[0]["clear_cut" if quantity.of.startswith("clear") else "positions"]
    hits = round(grades[0][quantity.of] * number)
    answers = [1] * hits + [0] * (number - hits)
    basis = f"Wilson's interval over {number} positions"
    return _estimate(lambda alpha: proportion(answers, [1] * number, alpha=alpha), basis)
