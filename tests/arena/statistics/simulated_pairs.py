"""Matches of two whose truth is known: how often intervals and tests of pairs hold it."""

import functools
import math

import numpy as np

from arena.statistics.intervals import Counts, normal_interval, survivors
from arena.statistics.pairing import pairing, pooled
from arena.statistics.sprt import MINIMUM_PAIRS, MODELS, Sprt, sprt_estimate

SHAPES = (
    (0.20, 0.15, 0.30, 0.15, 0.20),
    (0.05, 0.10, 0.70, 0.10, 0.05),
    (0.02, 0.05, 0.25, 0.20, 0.48),
    (0.10, 0.00, 0.55, 0.00, 0.35),
    (0.00, 0.02, 0.10, 0.15, 0.73),
)
NEARLY_EVEN = ((0.03, 0.02, 0.90, 0.02, 0.03), (0.01, 0.02, 0.90, 0.03, 0.04))
SCORES = np.linspace(0.0, 1.0, 5)


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


def of_answers(openings, lead, said=False):
    """Return the simulation of a comparison's answer: whether its interval holds the truth or, `said`, says who leads.

    One heuristic meets two others at three depths, from the same openings: an opening favours one side, and one of the
    heuristics, in all of them alike. It is stronger than the others by `lead` at the middle depth.
    """
    leads = np.array([[lead + level + other for other in (-0.1, 0.1)] for level in (-0.2, 0.0, 0.2)])

    def shares(random, count):
        side, own = random.normal(0.0, 0.8, (2, count, 1, 1, 1))
        noise = random.normal(0.0, 1.0, (count, 3, 2, 2))
        margins = leads[:, :, None] + own * 0.7 + side * np.array([1.0, -1.0]) + noise
        return np.where(margins > 0.3, 1.0, np.where(margins < -0.3, 0.0, 0.5)).mean(axis=(1, 2, 3))

    def run(repetitions):
        truth = elo(shares(np.random.default_rng(0), 400_000).mean())
        random, held = np.random.default_rng(openings), 0
        for _ in range(repetitions):
            found = pooled(shares(random, openings))
            held += found.clear if said else within(found.low, found.high, truth)
        return held / repetitions

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


def of_fresh(what, apart=0.0):
    """Return the simulation of the run that 20 unclear pairs of equals ask for, of sides so many Elo `apart`.

    `what` is `clear`, that they are said to differ, or `level`.
    """

    def run(repetitions):
        random, found = np.random.default_rng(11), []
        truths = [MODELS["logistic"](np.array(shape), apart) for shape in SHAPES[:2]]
        while len(found) < repetitions:
            for shape, truth in zip(SHAPES[:2], truths, strict=True):
                needed = pairing(random.multinomial(20, shape)).more
                if needed is not None:
                    found.append(getattr(pairing(random.multinomial(needed, truth)), what))
        return float(np.mean(found))

    return run


def of_looks(repetitions):
    """Simulate matches of equals of which each is looked at after 20, 40 … 120 pairs; return how often one differs."""
    random, wrong = np.random.default_rng(12), 0
    for _ in range(repetitions):
        looks = random.multinomial(20, SHAPES[0], size=6).cumsum(axis=0)
        wrong += any(pairing(counts).clear for counts in looks)
    return wrong / repetitions


SIXTY = Sprt(0, 60, model="logistic")


def of_stopped(true, estimate, test=SIXTY):
    """Return the simulation of matches stopped by a test, of 0 against 60 Elo, at a true strength."""

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
                found += [estimate(test, tuple(counts), true) for counts in playing[stopped].astype(int).tolist()]
                playing = playing[~stopped]
        return float(np.mean(found))

    return run


def plainly(_, counts, true):
    found = pairing(counts)
    return within(found.low, found.high, true)


@functools.cache
def _stagewise(test, counts):
    return sprt_estimate(test, counts) or pairing(counts)


def by_stages(test, counts, true):
    found = _stagewise(test, counts)
    return within(found.low, found.high, true)
