"""Ratings of a pool, with intervals that respect the openings all pairings share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.errors import unknown
from arena.cells import LOS, STAR, elo_interval, gap, label, percent, rating, superiority
from arena.rows import cell, known, table_row
from arena.statistics.arrays import Floats
from arena.statistics.bradley_terry import (
    advantage_shows,
    covariance,
    estimate,
    gradients,
    inverse_hessian,
    nearby,
    sums,
    virtual_games,
)
from arena.statistics.direct import special
from arena.statistics.elo import ELO_PER_LOGIT, Z95, likelihood_of_superiority
from arena.statistics.intervals import Population, finite_population
from arena.statistics.pairing import Basis
from arena.statistics.pool import Played, Result, Table, Total, clones, require_connected, table_of, table_of_totals

# How far the strengths of a pool may be off.

_STILL = 1e-6  # logits; what varies less among openings does not vary


@dataclass(frozen=True, slots=True)
class Measured:
    """Strengths in logits, the first player's advantage last, and what is known of their errors."""

    strengths: Floats
    lows: Floats
    """Lower ends of the 95 % intervals."""
    highs: Floats
    differences: Floats
    """Standard errors of the differences between agents, shape (agents, agents)."""
    freedom: float
    """Degrees of freedom of Student's distribution: openings less strata; infinite without openings."""

    @classmethod
    def by_information(cls, strengths: Floats, covariance: Floats) -> Measured:
        """Return strengths with normal intervals from the Fisher information's inverse."""
        margins = Z95 * np.sqrt(np.maximum(covariance.diagonal(), 0.0))
        return cls(strengths, strengths - margins, strengths + margins, _differences(covariance), math.inf)

    def by_openings(
        self, influence: Floats, strata: Sequence[npt.NDArray[np.intp]], fixed: npt.NDArray[np.bool_]
    ) -> Measured:
        """Return the same strengths with errors from how far each opening pulls them, shape (openings, agents + 1).

        It is the sandwich covariance with the openings as clusters, √(O/(O - 1)) wider, and Student's distribution
        with O - 1 degrees of freedom; where there are several `strata`, within each, and with O less their number.
        Agents that are `fixed`, and whatever no opening pulls, keep their errors. Source: K.-Y. Liang, S. L. Zeger,
        "Longitudinal data analysis using generalized linear models" (1986). With fewer than ten openings the Fisher
        information held the first player's advantage in 47 to 58 of 100.
        """
        freedom = len(influence) - len(strata)
        covariance = np.zeros_like(self.strengths[:, None] + self.strengths)
        for places in strata:
            pulls = influence[places] - (influence[places].mean(axis=0) if len(strata) > 1 else 0.0)
            covariance += len(places) / (len(places) - 1.0) * pulls.T @ pulls
        margins = special().stdtrit(freedom, 0.975) * np.sqrt(covariance.diagonal())
        lows, highs = self.strengths - margins, self.strengths + margins
        return self._with(lows, highs, covariance, freedom, margins > _STILL, fixed)

    def by_resampling(self, drawn: Floats, openings: int, strata: int, fixed: npt.NDArray[np.bool_]) -> Measured:
        """Return the same strengths with the errors seen in resamples `drawn` (resamples, agents + 1) of the openings.

        The openings were drawn again within each of so many `strata`.

        Agents that are `fixed`, and whatever the resamples leave as it is, keep their errors. The percentiles are set
        apart as far as Student's distribution asks for so many openings. Source: T. Hesterberg, "What teachers should
        know about the bootstrap" (2015), the expanded percentile interval. Of simulated pools with 10 openings plain
        percentiles held the truth in 90 of 100, these in 94.
        """
        freedom = openings - strata
        wider = math.sqrt(openings / freedom)
        tail = float(special().ndtr(wider * special().stdtrit(freedom, 0.025)))
        lows, highs = np.quantile(drawn, (tail, 1.0 - tail), axis=0)
        varies = np.ptp(drawn, axis=0) > _STILL
        return self._with(lows, highs, wider**2 * np.cov(drawn, rowvar=False), freedom, varies, fixed)

    def of_population(self, shrink: float, fixed: npt.NDArray[np.bool_]) -> Measured:
        """Return the same strengths with errors times `shrink`, 0 where all openings were played, but for the `fixed`.

        What only virtual draws hold is no fact over any set of openings.
        """
        factors = np.where(np.append(fixed, False), 1.0, shrink)
        return replace(
            self,
            lows=self.strengths - factors * (self.strengths - self.lows),
            highs=self.strengths + factors * (self.highs - self.strengths),
            differences=self.differences * np.maximum(factors[:-1, None], factors[None, :-1]),
        )

    def ahead(self, one: int, two: int) -> tuple[float, float, float, float]:
        """Return by how much agent `one` is ahead of `two`, the ends of the 95 % interval, and its LOS in percent.

        Interval and LOS come from the same distribution: LOS is 97.5 where the lower end is 0.
        """
        ahead, error = float(self.strengths[one] - self.strengths[two]), float(self.differences[one, two])
        margin = (Z95 if math.isinf(self.freedom) else float(special().stdtrit(self.freedom, 0.975))) * error
        return ahead, ahead - margin, ahead + margin, likelihood_of_superiority(ahead, error, self.freedom)

    def _with(
        self,
        lows: Floats,
        highs: Floats,
        covariance: Floats,
        freedom: int,
        varies: npt.NDArray[np.bool_],
        fixed: npt.NDArray[np.bool_],
    ) -> Measured:
        """Return the strengths with other errors for what `varies` (agents + 1) and is not `fixed` (agents)."""
        differences = _differences(covariance)
        differs = ~(fixed[:, None] | fixed[None, :]) & (differences > _STILL)
        varies = varies & ~np.append(fixed, False)
        return Measured(
            self.strengths,
            np.where(varies, lows, self.lows),
            np.where(varies, highs, self.highs),
            np.where(differs, differences, self.differences),
            freedom,
        )


def _differences(covariance: Floats) -> Floats:
    """Return the standard errors of the agents' differences; the last row and column are the advantage's."""
    agents = covariance[:-1, :-1]
    variances = agents.diagonal()
    return np.asarray(np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2.0 * agents, 0.0)))


# What the rating of a pool comes to: its agents, strongest first.

BOOTSTRAP: Final = "bootstrap over openings"
SANDWICH: Final = "sandwich clustered by opening"
FISHER: Final = "Fisher information"
EXACT: Final = str(Basis.EXACT)


@table_row
class Rating:
    """One agent's strength within its pool; the first six fields are what `arena rate` prints."""

    agent: str = cell("Its name.", "agent", label)
    elo: float = cell(
        "[Elo] Relative to the mean of the agents without a mark, which is 0, or to the anchor.",
        "Elo", rating, known, of="elo marked", note=STAR,
    )  # fmt: skip
    low: float = cell("[Elo] Lower end of the 95 % interval.", "95 %", elo_interval, known, of="elo low high")
    high: float = cell("[Elo] Upper end of it.")
    games: int = cell("[games] Against others.", "games", least=4)
    score: float = cell(
        "[share] Points a game in them; no rating follows from it alone, since opponents differ.",
        "score", percent, least=3,
    )  # fmt: skip
    marked: bool = cell("Whether only virtual draws keep the rating finite: it may lie anywhere beyond.")
    plays_as: str | None = cell("An agent rated before it whose games are all the same; the two are rated as one.")
    gap: float | None = cell(
        "[Elo] By how much the agent rated before it is ahead; None of the first, and where the two are rated as one.",
        "behind", gap, known, of="gap gap_high", least=2, note="Elo below the row above",
    )  # fmt: skip
    gap_low: float | None = cell("[Elo] Lower end of the gap's 95 % interval.")
    gap_high: float | None = cell("[Elo] Upper end of it.")
    gap_los: float | None = cell(
        "[percent] Likelihood that the agent rated before it is stronger, by the same test as the gap's interval.",
        "LOS %", superiority, known, least=1, note=LOS.format("the row above"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pool:
    """The ratings of a pool, strongest first."""

    ratings: tuple[Rating, ...]
    superiority: tuple[tuple[float, ...], ...]
    """[i][j] is the likelihood in percent that the i-th rated agent is stronger than the j-th; 50 on the diagonal."""
    margins: tuple[tuple[float, ...], ...]
    """[i][j] is half of the 95 % interval of the difference between the i-th and the j-th rated agent, in Elo."""
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
    differences = [[(0.0, 0.0, 0.0, 50.0) if i == j else ahead(i, j) for j in places] for i in places]
    return Pool(
        ratings=tuple(ratings),
        superiority=tuple(tuple(los for *_, los in row) for row in differences),
        margins=tuple(tuple((high - low) / 2.0 for _, low, high, _ in row) for row in differences),
        advantage=float(elo[-1]) if advantage else None,
        advantage_low=float(low[-1]) if advantage else None,
        advantage_high=float(high[-1]) if advantage else None,
        method=method,
    )


# Strengths of a pool whose openings are drawn again.

_CHUNK = 500_000  # numbers in an array of draws or resampled tables; more only costs memory


def bootstrap(table: Table, start: Floats, resamples: int, seed: int, *, advantage: bool) -> Floats:
    """Return the strengths, shape (resamples, agents + 1), of pools with the openings drawn with replacement.

    An opening comes with the games of all pairings on it, so that what the pairings share is kept, and each stratum
    gives as many as it gave. Source: B. Efron, "Bootstrap methods: another look at the jackknife" (1979).
    """
    openings, agents, _ = table.games.shape
    random = np.random.default_rng(seed)
    points, games = table.points.reshape(openings, -1), table.games.reshape(openings, -1)
    met, alike = table.totals()[1], bool((table.games == table.games[0]).all())
    inverse, made = inverse_hessian(met, start, advantage=advantage), sums(table.points, advantage=advantage)
    strengths = []
    for chunk in range(0, resamples, size := max(1, _CHUNK // max(agents**2, openings))):
        samples = min(size, resamples - chunk)
        drawn = table.resampled(random, samples)
        shape = (samples, agents, agents)
        drawn_games = np.broadcast_to(met, shape) if alike else (drawn @ games).reshape(shape)
        found, settled = nearby(drawn @ made, drawn_games, start, inverse, advantage=advantage)
        if not settled.all():
            drawn_points = (drawn[~settled] @ points).reshape(-1, agents, agents)
            found[~settled] = estimate(drawn_points, drawn_games[~settled], start, met, advantage=advantage)[0]
        strengths.append(found)
    return np.concatenate(strengths)


ENOUGH_OPENINGS: Final = 10  # fewer are too few to draw from


def rate(
    games: Iterable[Result] | Played,
    *,
    resamples: int = 1000,
    seed: int = 0,
    anchor: tuple[str, float] | None = None,
    population: Population | None = None,
    strata: Mapping[str, object] | None = None,
) -> Pool:
    """Return the ratings of the agents that played these `games`.

    All pairings share the openings, so the intervals come from `resamples` draws of openings with replacement and,
    where there are two to nine, from the sandwich covariance clustered by opening; where none are told apart, and for
    agents whose results do not vary, from the Fisher information. Agents that play the same games are rated as one, so
    that a copy changes nobody's rating.

    `anchor` names an agent and the rating that it is to have. `population` is the number of openings that those
    played were drawn from without replacement, or that of each stratum; it is to be given only where all agents are
    deterministic. `strata` names the stratum of each opening, where openings of several kinds took turns. Raises
    InputError where the pool is not connected and where the anchor is none of the agents.
    """
    played = games if isinstance(games, Played) else Played.of(games)
    same = clones(played)
    apart = played.among(set(played.agents).difference(same)) if same else played
    if len(apart.agents) < 2:
        same, apart = {}, played  # of one player alone there is nothing to say
    table = table_of(apart, strata)
    return _rate(table, table_of(played) if same else table, same, resamples, seed, anchor, population)


def rate_totals(totals: Iterable[Total], *, anchor: tuple[str, float] | None = None) -> Pool:
    """Return the ratings that follow from aggregated counts, without a term for the first move."""
    table = table_of_totals(totals)
    return _rate(table, table, {}, 0, 0, anchor, None)


def _rate(
    table: Table,
    everybody: Table,
    same: Mapping[str, str],
    resamples: int,
    seed: int,
    anchor: tuple[str, float] | None,
    population: Population | None,
) -> Pool:
    """Return the ratings of `everybody` as the agents of `table` that they are the `same` as have earned them."""
    points, games = table.totals()
    require_connected(table.agents, games)
    if anchor is not None and anchor[0] not in everybody.agents:
        raise unknown("agent to anchor the ratings", anchor[0], everybody.agents)
    advantage = table.colours and advantage_shows(games)
    start = np.zeros(len(games) + 1)
    found, held = estimate(points[None], games[None], start, games, advantage=advantage)
    if held[0] and advantage:  # who moves first may take all points where the strengths alone have a maximum
        plain = estimate(points[None], games[None], start, games, advantage=False)
        if not plain[1][0]:
            (found, held), advantage = plain, False
    marked = table.one_sided() if held[0] else np.zeros(len(games), dtype=bool)
    weighed = games + virtual_games(games) if held[0] else games
    inverse = covariance(weighed, found[0], advantage=advantage)
    frame = _frame(table, marked, None if anchor is None else same.get(anchor[0], anchor[0]))
    measured = Measured.by_information(frame @ found[0], frame @ inverse @ frame.T)
    openings, method = len(table.points) if table.openings else 1, FISHER
    if openings >= ENOUGH_OPENINGS and resamples:
        drawn = bootstrap(table, found[0], resamples, seed, advantage=advantage)
        measured, method = measured.by_resampling(drawn @ frame.T, openings, len(table.strata), marked), BOOTSTRAP
    elif openings > 1:
        pulls = gradients(table.points, table.games, np.repeat(found, openings, axis=0), advantage=advantage)
        measured, method = measured.by_openings(pulls @ inverse @ frame.T, table.strata, marked), SANDWICH
    if population is not None and table.openings:
        shrink = finite_population(table.played(), population)
        measured, method = measured.of_population(shrink, marked), method if shrink else EXACT
    return ranked(
        table, everybody, same, measured, marked, 0.0 if anchor is None else anchor[1], method, advantage=advantage
    )


def _frame(table: Table, marked: npt.NDArray[np.bool_], anchor: str | None) -> Floats:
    """Return the matrix that takes strengths and advantage to strengths relative to the anchor or to the unmarked."""
    if anchor is not None:
        centre = np.array([float(agent == anchor) for agent in table.agents])
    else:
        centre = np.ones(len(marked)) if marked.all() else np.where(marked, 0.0, 1.0)
    frame = np.eye(len(marked) + 1)
    frame[:-1, :-1] -= centre / centre.sum()
    return frame
