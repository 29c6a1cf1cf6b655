"""What the rating of a pool comes to: its agents, strongest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from arena.statistics.elo import ELO_PER_LOGIT
from arena.statistics.pairs import Basis
from arena.statistics.pool import Table
from arena.statistics.uncertainty import Measured

BOOTSTRAP: Final = "bootstrap over openings"
SANDWICH: Final = "sandwich clustered by opening"
FISHER: Final = "Fisher information"
EXACT: Final = str(Basis.EXACT)


@dataclass(frozen=True, slots=True)
class Rating:
    """One agent's strength within its pool; the first six fields are what `arena rate` prints."""

    agent: str
    """Its name."""
    elo: float
    """[Elo] Relative to the mean of the agents without a mark, which is 0, or to the anchor."""
    low: float
    """[Elo] Lower end of the 95 % interval."""
    high: float
    """[Elo] Upper end of it."""
    games: int
    """[games] Against others."""
    score: float
    """[share] Points a game in them; no rating follows from it alone, since opponents differ."""
    marked: bool
    """Whether only virtual draws keep the rating finite: it may lie anywhere beyond."""
    plays_as: str | None
    """An agent rated before it whose games are all the same; the two are rated as one."""
    gap: float | None
    """[Elo] By how much the agent rated before it is ahead; None of the first, and where the two are rated as one."""
    gap_low: float | None
    """[Elo] Lower end of the gap's 95 % interval."""
    gap_high: float | None
    """[Elo] Upper end of it."""
    gap_los: float | None
    """[percent] Likelihood that the agent rated before it is stronger, by the same test as the gap's interval."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The ratings of a pool, strongest first."""

    ratings: tuple[Rating, ...]
    superiority: tuple[tuple[float, ...], ...]
    """[i][j] is the likelihood in percent that the i-th rated agent is stronger than the j-th; 50 on the diagonal."""
    advantage: float | None
    """What moving first is worth in Elo; None where the games do not tell, or only that it is without bound."""
    advantage_low: float | None
    """Lower end of its 95 % interval."""
    advantage_high: float | None
    method: str
    """What the intervals rest on: `BOOTSTRAP`, `SANDWICH`, `FISHER` or `EXACT`."""


def ranked(
    table: Table,
    everybody: Table,
    same: Mapping[str, str],
    measured: Measured,
    marked: npt.NDArray[np.bool_],
    zero: float,
    method: str,
    *,
    advantage: bool,
) -> Pool:
    """Return the ratings of `everybody`, strongest first, as `measured` of the agents of `table` that they play as.

    `zero` is the rating in Elo that a strength of 0 stands for; `marked` tells whose strengths only virtual draws hold.
    """
    made, played = everybody.scores()
    place = {agent: table.agents.index(same.get(agent, agent)) for agent in everybody.agents}
    elo, low, high = (ELO_PER_LOGIT * values for values in (measured.strengths, measured.lows, measured.highs))
    order = sorted(range(len(everybody.agents)), key=lambda i: (-elo[place[everybody.agents[i]]], everybody.agents[i]))
    ratings: list[Rating] = []

    def ahead(one: int, two: int) -> tuple[float, float, float, float]:
        *logits, los = measured.ahead(one, two)
        gap, low, high = (ELO_PER_LOGIT * value for value in logits)
        return gap, low, high, los

    for i in order:
        agent = everybody.agents[i]
        own = place[agent]
        above = place[ratings[-1].agent] if ratings else own
        gap, gap_low, gap_high, gap_los = ahead(above, own) if above != own else (None,) * 4
        ratings.append(
            Rating(
                agent=agent,
                elo=float(elo[own]) + zero,
                low=float(low[own]) + zero,
                high=float(high[own]) + zero,
                games=int(played[i]),
                score=float(made[i] / played[i]),
                marked=bool(marked[own]),
                plays_as=same.get(agent),
                gap=gap,
                gap_low=gap_low,
                gap_high=gap_high,
                gap_los=gap_los,
            )
        )
    places = [place[rating.agent] for rating in ratings]
    return Pool(
        ratings=tuple(ratings),
        superiority=tuple(tuple(50.0 if i == j else measured.ahead(i, j)[3] for j in places) for i in places),
        advantage=float(elo[-1]) if advantage else None,
        advantage_low=float(low[-1]) if advantage else None,
        advantage_high=float(high[-1]) if advantage else None,
        method=method,
    )
