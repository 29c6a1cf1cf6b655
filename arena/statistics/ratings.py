"""Ratings of a pool, with intervals that respect the openings all pairings share.

Every printed number is a difference between two items: two agents, an agent and the zero of the scale, the first
player's advantage and nothing. All of them get their errors in one way, so that a rating, a gap and a likelihood of
superiority never contradict each other:

* The openings are the sample. The error is the sandwich covariance clustered by opening, each opening's pull enlarged
  by what it takes from its own error, and Student's distribution with as many degrees of freedom as the openings on
  which the difference rests allow (CR2: R. M. Bell, D. F. McCaffrey, "Bias reduction in standard errors for linear
  regression with multi-stage samples", 2002; G. W. Imbens, M. Kolesár, "Robust standard errors in small samples",
  2016).
* Where those openings are fewer than ten, or none pulls, the interval is never narrower than that of the Fisher
  information, which takes games for independent.
* Where all points between two groups of agents went one way, results bound a difference on one side only, and
  differences within a group rest on the games within it.
* Two agents alone have the score interval of their pairs of games, as their pairing has it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from agents.errors import unknown
from arena.records import Interval
from arena.statistics.arrays import Floats
from arena.statistics.bradley_terry import (
    advantage_shows,
    apart,
    covariance,
    estimate,
    gradients,
    information,
    virtual_games,
)
from arena.statistics.direct import brentq, special
from arena.statistics.elo import ELO_PER_LOGIT, Z95
from arena.statistics.intervals import (
    MARGIN,
    Counts,
    Population,
    finite_population,
    score_test,
)
from arena.statistics.pairing import Basis
from arena.statistics.pool import PoolGame, PoolResults, Total, clones, require_connected, require_two
from arena.table.cells import LOS, STAR, agent_label, ends, gap, percent, rating, signed, superiority
from arena.table.rows import INTERVAL, Column, cell, known, table_row

SCORE: Final = str(Basis.SCORE)
SANDWICH: Final = "sandwich clustered by opening"
FISHER: Final = "Fisher information"
EXACT: Final = str(Basis.EXACT)

_POWER = 0.8416212335729143  # standard deviations that 20 % of a normal distribution lie above
_FEWEST_PAIRS = 4  # fewer show no difference, even if one side wins all of them
_STILL = 1e-6  # logits; what varies less among openings does not vary
_FEW = 8.5  # degrees of freedom; with fewer, of nine openings, a spread among them may be small by chance
_NEARLY_ALL = 1e-9  # of an error that does not come from one opening; less is nothing


# How far differences may be off: arrays (items, items), an entry for each item less another.


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences in logits between items: the agents, the zero of the scale, the first player's advantage, nothing."""

    values: Floats
    lows: Floats
    """Lower ends of the 95 % intervals, minus infinity where they are open."""
    highs: Floats
    superiority: Floats
    """Likelihoods in percent that a difference is above 0: 97.5 where the lower end is 0."""
    pulled: bool
    """Whether any opening differs from the others in what it tells of the agents; else single games are counted."""


def between(gram: Floats) -> Floats:
    """Return the squared lengths of all differences between items from their inner products."""
    squares = gram.diagonal()
    return np.asarray(np.maximum(squares[:, None] + squares[None, :] - 2.0 * gram, 0.0))


def clustered(
    results: PoolResults, strengths: Floats, inverse: Floats, items: Floats, *, advantage: bool
) -> tuple[Floats, Floats]:
    """Return variances of all differences between items from how far openings pull them, and degrees of freedom.

    A difference is a mean over openings, each with the weight of what its games tell of it under the model. An opening
    of weight w has the share 1 - w of its own error left in its pull; the rest is given back, which makes the variance
    unbiased where the model holds. Degrees of freedom match its own variance (F. E. Satterthwaite, "An approximate
    distribution of estimates of variance components", 1946): openings less one where all weigh alike, nearly one where
    one opening bears a difference. Openings of a stratum are compared with their own mean.

    results: the games. strengths, inverse: the fit and its covariance, see `bradley_terry`. items: what each item has
    of each strength, shape (items, agents + 1). advantage: whether the first player's was fitted.
    """
    parts = items @ inverse
    at = np.broadcast_to(strengths, (len(results.points), len(strengths)))
    pulls = gradients(results.points, results.games, at, advantage=advantage) @ parts.T
    variances = np.zeros((len(items), len(items)))
    total_weight, spread = np.zeros_like(variances), np.zeros_like(variances)
    for stratum in results.strata:
        alike: dict[bytes, list[int]] = {}
        for place in stratum.tolist():
            alike.setdefault(results.games[place].tobytes(), []).append(place)
        weights = []
        for places in alike.values():
            fisher = information(results.games[places[:1]].astype(float), strengths[None], advantage=advantage)[0]
            weights.append(between(parts @ fisher @ parts.T))
        whole = sum(len(places) * weight for places, weight in zip(alike.values(), weights, strict=True))
        total = pulls[stratum].sum(axis=0)
        mean = total[:, None] - total
        squares, lost, lost_squares = (np.zeros_like(variances) for _ in range(3))
        for places, weight in zip(alike.values(), weights, strict=True):
            number, pull = len(places), pulls[places]
            share = np.divide(weight, whole, out=np.zeros_like(weight), where=whole > 0.0)
            left = 1.0 - share
            more = np.divide(1.0, left, out=np.zeros_like(left), where=left > _NEARLY_ALL)
            sums = pull.sum(axis=0)
            off = between(pull.T @ pull) - 2.0 * share * mean * (sums[:, None] - sums) + number * (share * mean) ** 2
            variances += more * np.maximum(off, 0.0)
            squares += number * share**2
            lost += number * share**2 * more
            lost_squares += number * (share**2 * more) ** 2
        total_weight += whole
        spread += whole**2 * (squares + lost**2 - lost_squares)
    freedom = np.divide(total_weight**2, spread, out=np.ones_like(spread), where=spread > 0.0)
    return variances, np.maximum(freedom, 1.0)


def _margins(errors: Floats, freedom: Floats) -> Floats:
    """Return half of the 95 % intervals."""
    return np.asarray(special().stdtrit(freedom, 0.975) * errors)


def _superiority(values: Floats, errors: Floats, freedom: Floats) -> Floats:
    """Return likelihoods of superiority in percent: 97.5 where the value is half of its interval."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(errors > 0.0, values / errors, np.where(values == 0.0, 0.0, np.copysign(np.inf, values)))
        return np.asarray(100.0 * special().stdtr(freedom, ratios))


def measured(
    results: PoolResults,
    strengths: Floats,
    inverse: Floats,
    loose: Floats,
    items: Floats,
    bounded: npt.NDArray[np.bool_],
    shrink: float,
    *,
    advantage: bool,
) -> Differences:
    """Return all differences between items.

    `results` are those within groups in which all reach all; `loose` is the covariance with virtual draws, for
    differences between groups. `bounded` says which results bound from below. `shrink` multiplies errors, but not
    those that only virtual draws hold, which are no facts over any set of openings. For the other
    parameters see `clustered`.
    """
    at = items @ strengths
    values = at[:, None] - at
    loosely = ~(bounded & bounded.T)
    by_games = np.sqrt(np.where(loosely, between(items @ loose @ items.T), between(items @ inverse @ items.T)))
    errors, freedom = np.zeros_like(values), np.ones_like(values)
    if results.clustered:
        variances, freedom = clustered(results, strengths, inverse, items, advantage=advantage)
        errors = np.sqrt(variances)
    factors = np.where(loosely, 1.0, shrink)
    errors, by_games, many = factors * errors, factors * by_games, np.full_like(values, np.inf)
    pulled = bool((errors[: len(results.agents), : len(results.agents)] > _STILL).any())
    floor = _margins(by_games, many)
    margins = _margins(errors, freedom)
    rests = loosely | (((freedom < _FEW) | (errors <= _STILL)) & (floor > margins))  # on single games
    margins = np.where(rests, floor, margins)
    chances = np.where(rests, _superiority(values, by_games, many), _superiority(values, errors, freedom))
    chances = np.where(bounded, chances, np.minimum(chances, 50.0))
    chances = np.where(bounded.T, chances, np.maximum(chances, 50.0))
    lows = np.where(bounded, values - margins, -np.inf)
    return Differences(values, lows, np.where(bounded.T, values + margins, np.inf), chances, pulled)


def _of_pairs(results: PoolResults, strengths: Floats, population: Population | None) -> tuple[float, float, float]:
    """Return the ends of the score interval of agent one less two of two agents, in logits, and its superiority.

    Pairs of games are counted where there are any, else games. A score becomes the difference at which two agents with
    this advantage of the first player are expected to make it: of pairs one half becomes 0, as without an advantage.
    """
    games = results.games.astype(int)
    whole = (games[:, 0, 1] == 1) & (games[:, 1, 0] == 1)
    if None not in results.openings and whole.any():
        halves = 2.0 * (results.points[whole, 0, 1].astype(float) + 1.0 - results.points[whole, 1, 0])
        counts = Counts(tuple(np.bincount(halves.astype(int), minlength=5).tolist()))
        first = 0.5
    else:
        counts = Counts(tuple((results.ends[0, 1] + results.ends[1, 0, ::-1]).tolist()))
        first = float(results.ends[0, 1].sum() / counts.total)
    shrink = 1.0 if population is None else finite_population(counts.total, population)
    advantage = float(strengths[-1])

    def expected(ahead: float) -> float:
        return sum(
            share * 0.5 * (1.0 + math.tanh(0.5 * (ahead + side * advantage)))
            for share, side in ((first, 1.0), (1.0 - first, -1.0))
        )

    def ahead(score: float) -> float:
        if score in {0.0, 1.0}:
            return math.copysign(math.inf, score - 0.5)
        return brentq(lambda ahead: expected(ahead) - score, -60.0, 60.0)

    low, high, superiority = score_test(counts, shrink, expected(0.0))
    at = float(strengths[0] - strengths[1])
    return min(ahead(low), at), max(ahead(high), at), superiority


# What the rating of a pool comes to: its agents, strongest first.


@table_row
class Rating:
    """One agent's strength within its pool; the first six fields are what `arena rate` prints."""

    agent: str = cell("Its name.", "agent", agent_label)
    elo: Interval = cell(
        "[Elo] Relative to the mean of the agents without a mark, which is 0, or to the anchor.",
        "Elo", rating, known, beside="marked", note=STAR,
        ends=Column("95 %", INTERVAL, ends(signed), known), prefix="", by="None where it is open",
    )  # fmt: skip
    games: int = cell("[games] Against others.", "games", least=4)
    score: float = cell(
        "[share] Points a game in them; no rating follows from it alone, since opponents differ.",
        "score", percent, least=3,
    )  # fmt: skip
    marked: bool = cell("Whether only virtual draws keep the rating finite, so that an end of its interval is open.")
    plays_as: str | None = cell("An agent rated before it whose games are all the same; the two are rated as one.")
    gap: Interval | None = cell(
        "[Elo] How far the agent rated before it is ahead; None for the first, and where the two are rated as one.",
        "behind", gap, known, of=INTERVAL, least=2, note="Elo below the row above", by="None where it is open",
    )  # fmt: skip
    gap_los: float | None = cell(
        "[percent] Likelihood that the agent rated before it is stronger, by the same test as the gap's interval.",
        "sure %", superiority, known, least=1, note=LOS.format("the row above"),
    )  # fmt: skip
    games_to_tell: int | None = cell(
        "[games] About how many a new match with the agent rated before it, rated by itself, needs to show the gap, or "
        "30 Elo if it is smaller, with a power of 80 %; None where a difference is already shown."
    )
    may_be_best: bool = cell(
        "Whether it is in the set that holds the strongest agent with 95 % confidence: none is shown to be stronger."
    )


@dataclass(frozen=True, slots=True)
class Pool:
    """The ratings of a pool, strongest first."""

    ratings: tuple[Rating, ...]
    superiority: tuple[tuple[float, ...], ...]
    """[i][j] is the likelihood in percent that the i-th rated agent is stronger than the j-th; 50 on the diagonal."""
    lows: tuple[tuple[float, ...], ...]
    """[i][j] is the lower end, in Elo, of the 95 % interval of the i-th rated agent less the j-th; minus infinity
    where it is open."""
    advantage: Interval | None
    """What moving first is worth in Elo; None where the games do not tell, or only that it is without bound."""
    method: str
    """What the intervals rest on: `SCORE`, `SANDWICH`, `FISHER` or `EXACT`."""


def rate(
    games: Iterable[PoolGame] | PoolResults,
    *,
    anchor: tuple[str, float] | None = None,
    population: Population | None = None,
    strata: Mapping[str, object] | None = None,
) -> Pool:
    """Return the ratings of the agents that played these `games`.

    Agents that play the same games are rated as one, so that a copy changes no other rating. `anchor` names an agent
    and the rating that it is to have. `population` is the number of openings that those played were drawn from without
    replacement, or that of each stratum; it is to be given only where all agents are deterministic. `strata` names the
    stratum of each opening, where openings of several kinds took turns. Raises InputError where the pool is not
    connected and where the anchor is none of the agents.
    """
    everybody = games if isinstance(games, PoolResults) else PoolResults.of(games)
    same = clones(everybody)
    results = everybody.among(set(everybody.agents).difference(same)) if same else everybody
    if len(results.agents) < 2:
        same, results = {}, everybody  # one player alone cannot be rated
    require_two(results.agents)
    points, number = results.totals()
    require_connected(results.agents, number)
    if anchor is not None and anchor[0] not in everybody.agents:
        raise unknown("agent to anchor the ratings", anchor[0], everybody.agents)
    results = results.stratified(strata)
    reaches = _reaches(points, number)
    groups = (reaches & reaches.T).astype(float)
    inner = results if groups.all() else replace(results, points=results.points * groups, games=results.games * groups)
    advantage = results.colours and advantage_shows(number * groups)
    strengths, advantage = _strengths(points * groups, number * groups, groups, advantage=advantage)
    inverse = loose = covariance(number * groups, strengths, advantage=advantage)
    if inner is not results:
        strengths = apart(points, number, strengths, groups)
        loose = covariance(number + virtual_games(number), strengths, advantage=advantage)
    marked = _marked(reaches)
    zero = np.array([agent == same.get(anchor[0], anchor[0]) for agent in results.agents]) if anchor else ~marked
    if not zero.any():
        zero = np.ones_like(zero)
    units = np.eye(len(strengths))
    items = np.vstack([units[:-1], np.append(zero / zero.sum(), 0.0), units[-1], 0.0 * units[-1]])
    bounded = np.ones((len(items), len(items)), dtype=bool)
    agents = len(number)
    bounded[:agents, :agents] = reaches
    bounded[:agents, agents], bounded[agents, :agents] = reaches[:, zero].all(axis=1), reaches[zero].all(axis=0)
    shrink = 1.0
    if population is not None and None not in results.openings:
        shrink = finite_population(results.fewest(), population)
    ahead = measured(inner, strengths, inverse, loose, items, bounded, shrink, advantage=advantage)
    method = SCORE if agents == 2 else SANDWICH if ahead.pulled else FISHER
    if agents == 2:
        ahead = _of_two(ahead, zero / zero.sum(), *_of_pairs(results, strengths, population))
    method = method if shrink else EXACT
    found_zero = anchor[1] if anchor else 0.0
    return _ranked(results, everybody, same, ahead, marked, found_zero, method, advantage=advantage)


def rate_totals(totals: Iterable[Total], *, anchor: tuple[str, float] | None = None) -> Pool:
    """Return the ratings that follow from aggregated counts, without a term for the first move."""
    return rate(PoolResults.of_totals(totals), anchor=anchor)


def _strengths(points: Floats, games: Floats, groups: Floats, *, advantage: bool) -> tuple[Floats, bool]:
    """Return the likeliest strengths within each group, and whether they come with the first player's advantage.

    A first player that takes all points leaves it without bound; then it is left out.
    """
    start = np.zeros(len(games) + 1)
    fits, held = estimate(points[None], games[None], start, games, advantage=advantage, groups=groups)
    if held[0] and advantage:
        return estimate(points[None], games[None], start, games, advantage=False, groups=groups)[0][0], False
    return fits[0], advantage


def _reaches(points: Floats, games: Floats) -> npt.NDArray[np.bool_]:
    """Return [i, j], whether i made points against j, or against one that did, and so on.

    Then results bound i's strength less j's from below. The likelihood has a maximum where all reach all (L. R. Ford,
    "Solution of a ranking problem from binary comparisons", 1957; D. R. Hunter, "MM algorithms for generalized
    Bradley-Terry models", 2004).
    """
    reaches = (points + (games - points).T > 0.0) | np.eye(len(points), dtype=bool)
    for _ in range(max(1, len(points) - 1).bit_length()):
        reaches = (reaches.astype(np.float32) @ reaches.astype(np.float32)) > 0.0
    return np.asarray(reaches)


def _marked(reaches: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which agents are not of the largest group in which all reach all; all where there are several as large."""
    groups = reaches & reaches.T
    largest = groups.sum(axis=1) == groups.sum(axis=1).max()
    return np.asarray(~largest | (largest.sum() > groups[largest][0].sum()))


def _of_two(ahead: Differences, zero: Floats, low: float, high: float, superiority: float) -> Differences:
    """Return the differences where agent one less two lies between these ends; the advantage keeps its own.

    `zero` has the weights of the two in the zero of the scale.
    """
    at = np.array([0.5, -0.5, (zero[0] - zero[1]) / 2.0])
    shares = at[:, None] - at
    with np.errstate(invalid="ignore"):
        ends = np.where(shares == 0.0, 0.0, shares * low), np.where(shares == 0.0, 0.0, shares * high)
    chances = 50.0 + np.sign(shares) * (superiority - 50.0)
    bounds = ahead.values, np.minimum(*ends), np.maximum(*ends), chances
    for whole, part in zip((ahead.lows, ahead.highs, ahead.superiority), bounds[1:], strict=True):
        whole[:3, :3] = part
    return ahead


def _ranked(
    results: PoolResults, everybody: PoolResults, same: Mapping[str, str], ahead: Differences,
    marked: npt.NDArray[np.bool_], zero: float, method: str, *, advantage: bool,
) -> Pool:  # fmt: skip
    """Return the ratings of `everybody`, strongest first, from those of the agents of `results` that they play as.

    `zero` is the rating in Elo of the zero of the scale; `marked` tells which strengths only virtual draws hold.
    """
    scored, played = everybody.scores()
    place = {agent: results.agents.index(same.get(agent, agent)) for agent in everybody.agents}
    centre = len(results.agents)

    def elo(one: int, two: int, above: float = 0.0) -> Interval:
        ends = (ahead.values[one, two], ahead.lows[one, two], ahead.highs[one, two])
        value, low, high = (ELO_PER_LOGIT * float(end) + above for end in ends)
        return Interval(value, None if math.isinf(low) else low, None if math.isinf(high) else high)

    best = 100.0 - 5.0 / (centre - 1)  # the strongest is compared with all others (J. C. Hsu, 1981; C. E. Bonferroni)
    order = sorted(
        range(len(everybody.agents)),
        key=lambda i: (-ahead.values[place[everybody.agents[i]], centre], everybody.agents[i]),
    )
    ratings: list[Rating] = []
    for i in order:
        agent = everybody.agents[i]
        below = place[agent]
        above = place[ratings[-1].agent] if ratings else below
        apart = above != below
        ratings.append(
            Rating(
                agent,
                elo(below, centre, zero),
                games=int(played[i]),
                score=float(scored[i] / played[i]),
                marked=bool(marked[below]),
                plays_as=same.get(agent),
                gap=elo(above, below) if apart else None,
                gap_los=float(ahead.superiority[above, below]) if apart else None,
                games_to_tell=_games_to_tell(ahead, above, below) if apart else None,
                may_be_best=bool(ahead.superiority[:centre, below].max() < best),
            )
        )
    places = np.array([place[rating.agent] for rating in ratings])
    cells = np.ix_(places, places)
    return Pool(
        ratings=tuple(ratings),
        superiority=tuple(map(tuple, ahead.superiority[cells].tolist())),
        lows=tuple(map(tuple, (ELO_PER_LOGIT * ahead.lows[cells]).tolist())),
        advantage=elo(centre + 1, centre + 2) if advantage else None,
        method=method,
    )


def _games_to_tell(ahead: Differences, above: int, below: int) -> int | None:
    """Return how many games a fresh match of two needs to show their gap; None where a difference is shown.

    A match of pairs, each game a win or a loss by itself: draws, and openings that decide both games of a pair, leave
    less to chance.
    """
    low, high = ahead.lows[above, below], ahead.highs[above, below]
    if not low <= 0.0 <= high or low == high:
        return None
    gap, first = max(float(ahead.values[above, below]), MARGIN / ELO_PER_LOGIT), float(ahead.values[-2, -1])

    def expected(ahead: float) -> tuple[float, float]:
        chances = [0.5 + 0.5 * math.tanh(0.5 * (ahead + side * first)) for side in (1.0, -1.0)]
        return sum(chances) / 2.0, sum(chance * (1.0 - chance) for chance in chances) / 2.0

    (_, if_equal), (score, variance) = expected(0.0), expected(gap)
    # The test takes the variance of equals, its power that of the gap.
    root = (Z95 * math.sqrt(if_equal) + _POWER * math.sqrt(variance)) / (score - 0.5)
    return 2 * max(_FEWEST_PAIRS, math.ceil(root**2 / 2.0))
