"""Pools whose strengths are known: how often ratings, gaps and the advantage hold them."""

import itertools

import numpy as np
from simulated_pairs import elo, within

from arena.analysis.pool import with_superiority
from arena.statistics.nash import SMALL, cycles
from arena.statistics.pool import PoolResults, Result
from arena.statistics.ratings import rate

STRENGTHS = {"a": -150.0, "b": -50.0, "c": 50.0, "d": 150.0}


def planted(openings, random, strengths, advantage=100.0):
    """Return games of every ordered pair on every opening, won and lost as strengths and advantage say."""
    results = []
    for opening in range(openings):
        for first, second in itertools.permutations(strengths, 2):
            chance = 1 / (1 + 10 ** (-(strengths[first] - strengths[second] + advantage) / 400))
            results.append(Result(first, second, str(opening), float(random.random() < chance)))
    return results


def of_ratings(openings, what, best=None):
    """Return the simulation of pools: whether the intervals of ratings, of the advantage or of gaps hold the truth."""
    strengths = STRENGTHS if best is None else STRENGTHS | {"best": best}

    def run(repetitions):
        random, held = np.random.default_rng(openings), []
        for _ in range(repetitions):
            pool = rate(planted(openings, random, strengths))
            free = [rating for rating in pool.ratings if not rating.marked]
            if what == "advantage":
                held.append(pool.advantage_low <= 100.0 <= pool.advantage_high)
            elif what == "ratings":
                centre = np.mean([strengths[rating.agent] for rating in free])
                held += [rating.low <= strengths[rating.agent] - centre <= rating.high for rating in free]
            else:
                for above, below in itertools.pairwise(free):
                    held.append(below.gap_low <= strengths[above.agent] - strengths[below.agent] <= below.gap_high)
        return float(np.mean(held))

    return run


def of_superiority(agents, openings, kept):
    """Return the simulation of pools of equals: how often one of all pairs is said to differ, by `kept` of a pool."""

    def run(repetitions):
        random, wrong = np.random.default_rng(16), 0
        for _ in range(repetitions):
            wrong += kept(rate(planted(openings, random, dict.fromkeys("abcdefghij"[:agents], 0.0)), resamples=400))
        return wrong / repetitions

    return run


def by_holm(pool):
    return any(row.survives for row in with_superiority(pool))


def each_alone(pool):
    return np.max(pool.superiority) > 97.5


def of_strata(openings, *, told=True):
    """Return the simulation of openings won for either side in turn: whether the advantage's interval holds the truth.

    `told` is whether the rating knows that they took turns.
    """
    chances = {
        ("a", "b"): (0.95, 0.35),
        ("b", "a"): (0.8, 0.1),
    }  # of the first player, who wins the opening or does not
    truth = sum(elo(np.mean(each)) for each in chances.values()) / 2

    def run(repetitions):
        random, held = np.random.default_rng(10), 0
        strata = {str(opening): opening % 2 for opening in range(openings)}
        for _ in range(repetitions):
            found = rate(
                [
                    Result(*pair, opening, float(random.random() < chances[pair][kind]))
                    for opening, kind in strata.items()
                    for pair in chances
                ],
                strata=strata if told else None,
            )
            held += found.advantage is not None and within(found.advantage_low, found.advantage_high, truth)
        return held / repetitions

    return run


def of_circles(openings, advantages=(0.5,)):
    """Return the simulation of ladders of five: how often their cyclic share is said to be more than chance.

    `advantages` are those of the kinds of openings that take turns, in logits.
    """
    strengths = np.array([1.2, 0.6, 0.1, -0.4, -1.5])
    ahead = np.subtract.outer(strengths, strengths)

    def run(repetitions):
        random, wrong = np.random.default_rng(13), 0
        for _ in range(repetitions):
            results = [
                Result("ABCDE"[one], "ABCDE"[two], str(opening), float(random.random() < chances[one, two]))
                for opening in range(openings)
                for chances in [1.0 / (1.0 + np.exp(-ahead - advantages[opening % len(advantages)]))]
                for one, two in itertools.permutations(range(5), 2)
            ]
            kinds = {str(opening): opening % len(advantages) for opening in range(openings)}
            wrong += cycles(PoolResults.of(results).stratified(kinds)).p <= SMALL
        return wrong / repetitions

    return run
