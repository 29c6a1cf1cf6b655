"""The quantities that claims are made of, from stored runs, depth tables and grades, each with its interval."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from arena.analysis.effort import TO_END
from arena.analysis.frames import Frames
from arena.analysis.pairings import counts, evidence, pairs
from arena.cells import without_depth
from arena.measure.study.claims import Ends, Estimate, Quantity
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
from arena.statistics.means import mean_interval, search_cost
from arena.statistics.sprt import Sprt, sprt_estimate


def of_run(frames: Frames, quantity: Quantity, agents: Sequence[str]) -> Estimate | None:
    """Return a quantity of a stored run for agents as its tables name them; None where no game tells it."""
    if quantity.name in ("nodes", "ms"):
        return _cost(frames, agents[0], timed=quantity.name == "ms")
    if quantity.name == "elo":
        return _elo(frames, *agents)
    taken = _wins if quantity.name == "wins" else _points
    if len(quantity.agents) == 2:
        shares = taken(frames, agents[0], agents[1:])
    else:  # of several agents that a name stands for the mean on each opening
        others = {agent: [name for name in frames.agents["name"] if name != agent] for agent in agents}
        shares = pd.DataFrame({agent: taken(frames, agent, others[agent]) for agent in agents}).dropna().mean(axis=1)
    if not len(shares):
        return None
    return _score(frames, Shares.of(shares))


def _elo(frames: Frames, one: str, other: str) -> Estimate | None:
    """Return the strength of one over another in Elo, after a sequential test allowing for its stop."""
    numbers, looks = counts(pairs(frames, one, other)), evidence(frames)
    if not sum(numbers):
        return None
    if looks and looks[-1].decision != "continue":
        test, swapped = Sprt.parse(frames.plan["sprt"]), frames.agents["name"].iloc[0] != one
        own = numbers[::-1] if swapped else numbers
        stopped = functools.partial(sprt_estimate, test, own)
        if found := _estimate(lambda alpha: stopped(alpha=alpha), "score interval, allowing for the stop"):
            return -found if swapped else found
    return _score(frames, Counts(numbers), lambda score: (
        elo_of(score) if 0.0 < score < 1.0 else math.copysign(math.inf, score - 0.5)
    ))  # fmt: skip


def _estimate(interval: Callable[[float], Interval | None], basis: str, *, exact: bool = False) -> Estimate | None:
    """Return what an interval at any level says; None where there is none."""
    whole = interval(0.05)
    if whole is None:
        return None

    def ends(alpha: float) -> Ends:
        found = interval(alpha) or Interval(0.0, None, None)
        return (-math.inf if found.low is None else found.low), (math.inf if found.high is None else found.high)

    return Estimate(whole.value, None if exact else ends, basis)


def _score(frames: Frames, found: Counts, scale: Callable[[float], float] = float) -> Estimate:
    """Return a mean over openings with its score interval, on a scale; exact where all openings were played."""
    shrink = _shrink(frames, found.total)
    if shrink == 0.0:
        return Estimate(scale(found.mean), None, f"exact over all {found.total} openings")

    def ends(alpha: float) -> Ends:
        low, high = score_interval(found, shrink, normal_width(alpha))
        return scale(low), scale(high)

    unit = "opening" if found.total == 1 else "openings"
    basis = f"score interval over {found.total} {unit}"
    return Estimate(scale(found.mean), ends, basis)


def _shrink(frames: Frames, played: int) -> float:
    return 1.0 if frames.population is None else finite_population(played, frames.population)


def _points(frames: Frames, agent: str, against: Sequence[str]) -> pd.Series:
    """Return the agent's share of the points on each opening that it played with both colours against all of these."""
    found = pd.DataFrame({other: pairs(frames, agent, other) / 2.0 for other in against})
    return found.dropna(axis=1, how="all").dropna().mean(axis=1)


def _wins(frames: Frames, agent: str, against: Sequence[str]) -> pd.Series:
    """Return the share of games that the agent won, on each opening."""
    games = frames.games
    first = (games["first"] == agent) & games["second"].isin(against)
    second = (games["second"] == agent) & games["first"].isin(against)
    own = games[first | second]
    won = np.where(first[first | second], own["points"] == 1.0, own["points"] == 0.0)
    return own.assign(won=won.astype(float)).groupby("opening")["won"].mean()


def _cost(frames: Frames, agent: str, *, timed: bool) -> Estimate | None:
    """Return the mean nodes, or the mean milliseconds, of a move, by openings."""
    moves = frames.searched()
    moves = moves[moves["agent"] == agent]
    nodes, groups = moves["nodes"].to_numpy(), frames.opening_of(moves).to_numpy()
    if timed:
        cost = functools.partial(search_cost, nodes, moves["seconds"].to_numpy() * 1000.0, groups)
        found = _estimate(lambda alpha: getattr(cost(alpha), "seconds", None), "mean of a move, by openings")
        return found and replace(found, timed=True)
    known = ~np.isnan(nodes)
    if not known.any():
        return None
    shrink = _shrink(frames, len(set(groups[known])))
    mean = functools.partial(mean_interval, nodes[known], groups[known], shrink=shrink)
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
    own = [row for row in rows if row["agent"] == without_depth(name) and
           (name == row["agent"] or f"depth={row['depth']}" in re.split("[:,]", name))]  # fmt: skip
    if len(own) != 1 or own[0][quantity.of] is None:
        return None
    number = own[0]["clear_cut" if quantity.of.startswith("clear") else "positions"]
    hits = round(own[0][quantity.of] * number)
    answers = [1] * hits + [0] * (number - hits)
    basis = f"Wilson's interval over {number} positions"
    return _estimate(lambda alpha: proportion(answers, [1] * number, alpha=alpha), basis)
