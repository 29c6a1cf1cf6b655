"""How often intervals hold the truth and tests err, on simulated results whose truth is known.

Each simulation takes a number of repetitions and returns a share. None looks at how an interval is computed.
"""

import itertools
import math

import numpy as np

from arena.statistics.counts import Counts
from arena.statistics.holm import survivors
from arena.statistics.intervals import normal_interval
from arena.statistics.means import gain_interval, time_ratio, typical_time
from arena.statistics.pairs import pairing
from arena.statistics.played import Result
from arena.statistics.ratings import rate
from arena.statistics.sequential import MINIMUM_PAIRS, MODELS, Sprt
from arena.statistics.shares import share
from arena.statistics.stopped import after_stop
from arena.statistics.trend import weighted_line

SHAPES = (
    (0.20, 0.15, 0.30, 0.15, 0.20),
    (0.05, 0.10, 0.70, 0.10, 0.05),
    (0.02, 0.05, 0.25, 0.20, 0.48),
    (0.10, 0.00, 0.55, 0.00, 0.35),
    (0.00, 0.02, 0.10, 0.15, 0.73),
)
NEARLY_EVEN = ((0.03, 0.02, 0.90, 0.02, 0.03), (0.01, 0.02, 0.90, 0.03, 0.04))
SCORES = np.linspace(0.0, 1.0, 5)
STRENGTHS = {"a": -150.0, "b": -50.0, "c": 50.0, "d": 150.0}


def elo(score):
    return -400.0 * math.log10(1.0 / score - 1.0)


def within(low, high, truth):
    return (low is None or low <= truth) and (high is None or truth <= high)


def of_pairs(pairs, shapes=SHAPES, published=False):
    """Return the simulation of matches of so many pairs: whether the interval or the published one holds the truth."""

    def run(repetitions):
        held = total = 0
        for seed, shape in enumerate(shapes):
            truth = elo(SCORES @ shape)
            drawn = np.random.default_rng(seed).multinomial(pairs, shape, size=repetitions)
            for counts, often in zip(*np.unique(drawn, axis=0, return_counts=True), strict=True):
                if published:
                    low, high = normal_interval(Counts.of(list(counts)))
                    held += often * (low <= SCORES @ shape <= high)
                else:
                    found = pairing(counts)
                    held += often * within(found.low, found.high, truth)
                total += often
        return held / total

    return run


def of_a_finite_set(drawn, population):
    """Return the simulation of openings drawn without replacement from a set whose results are facts."""

    def run(repetitions):
        random, held = np.random.default_rng(1), 0
        for _ in range(repetitions):
            facts = random.multinomial(population, SHAPES[0])
            found = pairing(random.multivariate_hypergeometric(facts, drawn), population)
            held += within(found.low, found.high, elo(SCORES @ facts / population))
        return held / repetitions

    return run


def sureness(pairs, level):
    """Return the simulation of equals: how often LOS is beyond `level` on either side."""

    def run(repetitions):
        wrong = 0
        for shape in (SHAPES[0], SHAPES[1], NEARLY_EVEN[0]):
            drawn = np.random.default_rng(pairs).multinomial(pairs, shape, size=repetitions)
            for counts, often in zip(*np.unique(drawn, axis=0, return_counts=True), strict=True):
                wrong += often * (abs(pairing(counts).los_score - 50.0) > level - 50.0)
        return wrong / (3 * repetitions)

    return run


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
            pool = rate(planted(openings, random, strengths), resamples=400)
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


def times(random, positions):
    """Return times of positions: most are quick, a few dear, and the machine pauses at one in a hundred."""
    return random.lognormal(-6.0, 1.2, positions)


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


def of_times(repetitions):
    random, held = np.random.default_rng(2), 0
    many = np.sort(times(random, 2_000_000) * np.where(random.random(2_000_000) < 0.01, 50.0, 1.0))
    truth = many[100_000:-100_000].mean()
    for _ in range(repetitions):
        found = typical_time(times(random, 200) * np.where(random.random(200) < 0.01, 50.0, 1.0))
        held += found.low <= truth <= found.high
    return held / repetitions


def of_time_ratios(repetitions):
    random, held = np.random.default_rng(3), 0
    for _ in range(repetitions):
        work = times(random, 60)
        one, two = (
            work * factor * random.lognormal(0.0, 0.2, 60) * np.where(random.random(60) < 0.01, 50.0, 1.0)
            for factor in (1.3, 1.0)
        )
        found = time_ratio(one, two)
        held += found.low <= 1.3 <= found.high
    return held / repetitions


def of_gains(repetitions):
    """Simulate an agent that neither gained nor lost on 25 openings; return how often it is said to have lost."""
    random, wrong = np.random.default_rng(4), 0
    for _ in range(repetitions):
        gains = random.choice([-0.5, 0.0, 0.5], p=[0.15, 0.7, 0.15], size=25)
        wrong += gain_interval(gains, range(25)).high < 0.0
    return wrong / repetitions


def of_shares(repetitions):
    random, held = np.random.default_rng(5), 0
    for _ in range(repetitions):
        found = share(random.binomial(30, random.beta(18, 2, 20)), [30] * 20)
        held += found.low <= 0.9 <= found.high
    return held / repetitions


def of_many(kept):
    """Return the simulation of 63 equal pairings: how often at least one is said to differ."""

    def run(repetitions):
        random, wrong = np.random.default_rng(6), 0
        for _ in range(repetitions):
            found = [pairing(counts) for counts in random.multinomial(25, SHAPES[0], size=63)]
            wrong += any(kept(found))
        return wrong / repetitions

    return run


def by_holm(found):
    return survivors([each.los_score for each in found])


def each_alone(found):
    return [each.clear for each in found]


def of_level(repetitions):
    """Simulate sides 30 Elo apart; return how often they are called level within 30."""
    random, wrong = np.random.default_rng(7), 0
    truth = MODELS["logistic"](np.array(SHAPES[1]), 30.0)
    for counts in random.multinomial(300, truth, size=repetitions):
        wrong += pairing(counts).level
    return wrong / repetitions


def of_stopped(true, estimate):
    """Return the simulation of matches stopped by a test of 0 against 60 Elo at a true strength."""
    test = Sprt(0, 60, model="logistic")

    def run(repetitions):
        random = np.random.default_rng(8)
        truth = MODELS["logistic"](np.array(SHAPES[0]), true)
        playing, found = np.zeros((repetitions, 5)), []
        pairs = 0
        while len(playing):
            playing[np.arange(len(playing)), random.choice(5, size=len(playing), p=truth)] += 1.0
            pairs += 1
            if pairs >= MINIMUM_PAIRS:
                ratios = test.ratios(playing)
                stopped = (ratios <= test.lower) | (ratios >= test.upper)
                found += [estimate(test, counts, true) for counts in playing[stopped].astype(int)]
                playing = playing[~stopped]
        return float(np.mean(found))

    return run


def plainly(_, counts, true):
    found = pairing(counts)
    return within(found.low, found.high, true)


def by_siegmund(test, counts, true):
    found = after_stop(test, counts) or pairing(counts)
    return within(found.low, found.high, true)


def of_bends(repetitions):
    random, bent = np.random.default_rng(9), 0
    for _ in range(repetitions):
        found = weighted_line([1.0, 2.0, 3.0, 4.0], list(40.0 * np.arange(4) + random.normal(0, 10, 4)), [10.0] * 4)
        bent += found.bend is not None
    return bent / repetitions


SIMULATIONS = {
    **{f"score interval, {n} pairs": (95, of_pairs(n), 2000) for n in (10, 25, 50, 200)},
    "score interval, 50 pairs, nine in ten even": (95, of_pairs(50, NEARLY_EVEN), 2000),
    "normal interval as other tools print it, 10 pairs": (95, of_pairs(10, published=True), 2000),
    "normal interval as other tools print it, 50 pairs, nine in ten even": (
        95,
        of_pairs(50, NEARLY_EVEN, published=True),
        2000,
    ),
    "score interval, 40 of 100 openings": (95, of_a_finite_set(40, 100), 2000),
    "LOS beyond 97.5 % between equals, 10 pairs": (5, sureness(10, 97.5), 2000),
    "LOS beyond 97.5 % between equals, 50 pairs": (5, sureness(50, 97.5), 2000),
    "two said to differ of 63 equal pairings, each alone": (5, of_many(each_alone), 300),
    "two said to differ of 63 equal pairings, by Holm": (5, of_many(by_holm), 300),
    "called level within 30 Elo when 30 apart, 300 pairs": (5, of_level, 2000),
    **{
        f"{what}, {n} openings": (95, of_ratings(n, what), 300)
        for n in (3, 5, 9, 10, 20)
        for what in ("ratings", "advantage", "gaps")
    },
    **{
        f"ratings beside a perfect scorer, {n} openings": (95, of_ratings(n, "ratings", 2500.0), 200)
        for n in (5, 12, 40)
    },
    **{f"advantage, {n} openings of two kinds in turn": (95, of_strata(n), 300) for n in (8, 20, 40)},
    "plain advantage, 40 openings of two kinds in turn": (95, of_strata(40, told=False), 300),
    "typical time of 200 positions, one in 100 paused": (95, of_times, 2000),
    "ratio of times of 60 positions": (95, of_time_ratios, 2000),
    "share of moves, 20 openings": (95, of_shares, 2000),
    "a neutral change said to lose, 25 openings": (2.5, of_gains, 2000),
    **{f"plain interval after a sequential stop, true {e} Elo": (95, of_stopped(e, plainly), 400) for e in (0, 30, 60)},
    **{
        f"Siegmund's interval after a sequential stop, true {e} Elo": (95, of_stopped(e, by_siegmund), 400)
        for e in (0, 30, 60)
    },
    "a straight line called bent, 4 points": (5, of_bends, 2000),
}
"""By name: what is promised in percent, the simulation, and its repetitions."""
