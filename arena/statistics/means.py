"""The one place for a mean: of all values or of the middle ones, with an interval for values that come in groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.records import Interval
from arena.statistics.direct import special
from arena.statistics.intervals import Counts, score_interval

Values = Sequence[float] | npt.NDArray[np.float64]
Groups = Sequence[object] | npt.NDArray[np.integer[Any]]

MIDDLE = 0.05
"""The share of times left out at either end: the slowest 1 % of moves were seen to hold half of all seconds."""


def mean_interval(
    values: Values, groups: Groups | None = None, *, trim: float = 0.0, shrink: float = 1.0, alpha: float = 0.05
) -> Interval | None:
    """Return the mean of `values` without the share `trim` at either end; None where there are no values.

    The interval misses the truth with the chance `alpha`. It is open where all values come from one group, which tells
    nothing of others.

    Values of one group, such as an opening, may resemble each other; without `groups` each stands alone. `shrink`
    multiplies the standard error, as `intervals.finite_population` says it. Sources: J. W. Tukey, D. H. McLaughlin,
    "Less vulnerable confidence and significance procedures for location based on a single sample" (1963), for the
    spread of a trimmed mean; Liang, Zeger, "Longitudinal data analysis using generalized linear models" (1986), for
    values in groups.
    """
    number = len(values)
    if not number:
        return None
    taken = np.asarray(values, dtype=float)
    cut = int(trim * number)
    ordered = np.sort(taken)
    middle = float(ordered[cut : number - cut].mean())
    place = np.arange(number) if groups is None else _places(groups)
    independent = int(place.max()) + 1
    if independent < 2 or shrink == 0.0:
        return Interval(middle, *((middle, middle) if shrink == 0.0 else (None, None)))
    tamed = np.clip(taken, ordered[cut], ordered[number - 1 - cut])
    kept = 1.0 - 2.0 * cut / number
    sums = np.bincount(place, tamed - tamed.mean())
    error = math.sqrt(independent / (independent - 1) * float(sums @ sums)) / (kept * number)
    margin = shrink * float(special().stdtrit(max(1.0, independent * kept - 1.0), 1.0 - alpha / 2.0)) * error
    return Interval(middle, middle - margin, middle + margin)


def _places(groups: Groups) -> npt.NDArray[np.intp]:
    """Return the place of each value's group in the order in which they appear; an array is fastest."""
    if isinstance(groups, np.ndarray):
        _, first, place = np.unique(groups, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[place])
    numbers: dict[object, int] = {}
    return np.fromiter((numbers.setdefault(group, len(numbers)) for group in groups), dtype=np.intp, count=len(groups))


def gain_interval(gains: Values, groups: Groups, shrink: float = 1.0) -> Interval | None:
    """Return the mean of gains in points, -1 to 1 a game, with its interval by groups; None where there are none.

    Where all groups gained alike their spread tells nothing, and the score test says what so many leave open.
    """
    mean = mean_interval(gains, groups, shrink=shrink)
    if mean is None or shrink == 0.0:
        return mean
    if mean.low is not None and mean.high is not None and mean.low < mean.high:
        return Interval(mean.value, max(mean.low, -1.0), min(mean.high, 1.0))
    number = len(set(groups))
    alike = [number if place == round(2.0 * mean.value) else 0 for place in range(-2, 3)]
    low, high = score_interval(Counts(tuple(alike)), shrink)
    return Interval(mean.value, min(mean.value, 2.0 * low - 1.0), max(mean.value, 2.0 * high - 1.0))


def typical_time(seconds: Sequence[float], groups: Sequence[object] | None = None) -> Interval | None:
    """Return the mean of the middle nine tenths of times, in their unit; None where there are none.

    For times of which nothing else is known: where the nodes are, `search_cost` tells a pause from a dear search.
    """
    return mean_interval(seconds, groups, trim=MIDDLE)


def median_interval(values: Sequence[float]) -> Interval | None:
    """Return the median, with the two of the values between which that of all others lies; None without values.

    Fewer than six leave it open. Source: W. R. Thompson, "On confidence ranges for the median" (1936).
    """
    if not len(values):
        return None
    ordered, number = np.sort(np.asarray(values, dtype=float)), len(values)
    below = math.ceil(float(special().bdtrik(0.025, number, 0.5))) if number > 5 else 0
    ends = (float(ordered[below - 1]), float(ordered[number - below])) if below else (None, None)
    return Interval(float(np.median(ordered)), *ends)


@dataclass(frozen=True, slots=True)
class SearchCost:
    """What searches cost: the numbers of one row of a table, which compute."""

    nodes: float | None
    """[nodes] Mean of the searches that report a count; None without any."""
    seconds: Interval
    """[seconds] Mean of the same searches; where none has nodes `typical_time` of all."""
    nodes_per_second: float | None
    """[nodes/second] The mean nodes over the mean seconds; None without nodes or time."""


def search_cost(nodes: Values, seconds: Values, groups: Groups | None = None, alpha: float = 0.05) -> SearchCost | None:
    """Return the mean cost of searches; None without searches.

    nodes, seconds: those of the same searches, in order; nodes are NaN where none are reported. groups, alpha: as
    in `mean_interval`. A pause of the machine hardly counts: the twentieth of the searches with the fewest nodes a
    second, and that with the most, count with the time that as many nodes take in the others. Source: W. G. Cochran,
    "Sampling Techniques" (1977), chapter 6, for a mean by way of a ratio.
    """
    counts, spent = np.asarray(nodes, dtype=float), np.asarray(seconds, dtype=float)
    reported = ~np.isnan(counts)
    if not (counts > 0.0).any():
        times = mean_interval(spent, groups, trim=MIDDLE, alpha=alpha)
        return None if times is None else SearchCost(0.0 if reported.any() else None, times, None)
    counts, spent = counts[reported], spent[reported]
    rates = np.divide(counts, spent, out=np.full(len(counts), math.inf), where=spent > 0.0)
    order, cut = np.lexsort((spent, counts, rates)), int(MIDDLE * len(counts))
    middle, extremes = order[cut : len(order) - cut], np.concatenate([order[:cut], order[len(order) - cut :]])
    if cut and (visited := float(counts[middle].sum())):
        spent[extremes] = counts[extremes] * (float(spent[middle].sum()) / visited)
    mean = float(counts.mean())
    times = mean_interval(spent, None if groups is None else _places(groups)[reported], alpha=alpha)
    assert times is not None
    return SearchCost(mean, times, mean / times.value if times.value else None)


def time_ratio(one: Sequence[float], two: Sequence[float]) -> Interval | None:
    """Return how many times as long as `two` `one` takes for the same work; None where nothing was timed.

    The two hold times of the same positions in the same order, best searched by turns. The ratio is the geometric mean
    of the positions' ratios, the extreme twentieths left out, so that neither a few dear positions nor a pause of the
    machine decides it. Raises ValueError where the lengths differ.
    """
    logs = [math.log(above / below) for above, below in zip(one, two, strict=True) if min(above, below) > 0.0]
    mean = mean_interval(logs, trim=MIDDLE)
    if mean is None:
        return None
    low, high = (None if end is None else math.exp(end) for end in (mean.low, mean.high))
    return Interval(math.exp(mean.value), low, high)


def ratio_of_sums(above: Values, below: Values, groups: Groups | None = None) -> Interval | None:
    """Return the sum of `above` over that of `below`, numbers of the same things in order; None where a sum is 0.

    The interval is that of the ratio's logarithm, by Student's t over `groups`; a group that has a large share of the
    sum pulls the ratio to itself, which its deviation is corrected for. It is open where one group has all. Sources: W.
    G. Cochran, "Sampling Techniques" (1977), chapter 6, for the error of a ratio; R. G. Miller, "The jackknife: a
    review" (1974), for the correction.
    """
    one, two = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    total, base = float(one.sum()), float(two.sum())
    if not total or not base:
        return None
    place = np.arange(len(one)) if groups is None else _places(groups)
    off, shares = np.bincount(place, one / total - two / base), np.bincount(place, two / base)
    independent = int(np.count_nonzero(shares))
    if independent < 2:
        return Interval(total / base, None, None)
    error = math.sqrt(independent / (independent - 1) * float(((off / (1.0 - shares)) ** 2).sum()))
    wide = math.exp(float(special().stdtrit(independent - 1, 0.975)) * error)
    return Interval(total / base, total / base / wide, total / base * wide)
