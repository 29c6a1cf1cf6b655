"""Times, gains and shares whose truth is known: how often their intervals hold it."""

from types import SimpleNamespace

import numpy as np
from needs import needed

from arena.statistics.intervals import proportion
from arena.statistics.means import gain_interval, ratio_of_sums, search_cost, time_ratio


def times(random, positions):
    """Return times of positions: most are quick, a few dear, and the machine pauses at one in a hundred."""
    return random.lognormal(-6.0, 1.2, positions)


def of_times(searches):
    """Return the simulation of the mean time of searches, one in a hundred of which paused: is that without pauses?"""

    def run(repetitions):
        random, held = np.random.default_rng(2), 0
        truth = 1e-6 * np.exp(7.0 + 1.2**2 / 2 + 0.2**2 / 2)
        for _ in range(repetitions):
            nodes = random.lognormal(7.0, 1.2, searches)
            pauses = np.where(random.random(searches) < 0.01, 50.0, 1.0)
            found = search_cost(nodes, 1e-6 * nodes * random.lognormal(0.0, 0.2, searches) * pauses).seconds
            held += found.low <= truth <= found.high
        return held / repetitions

    return run


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


def of_growth(openings):
    """Return the simulation of nodes of two depths in 12 moves of each opening, which resemble each other."""

    def nodes(random, number):
        alike = random.lognormal(5.0, 0.4, (number, 1)) * random.lognormal(0.0, 0.6, (number, 12))
        return alike * random.lognormal(1.0, 0.3, (number, 1)) * random.lognormal(0.0, 0.4, (number, 12)), alike

    def run(repetitions):
        random, held = np.random.default_rng(15), 0
        truth = np.exp(1.0 + 0.3**2 / 2 + 0.4**2 / 2)
        for _ in range(repetitions):
            above, below = nodes(random, openings)
            found = ratio_of_sums(above.ravel(), below.ravel(), np.repeat(np.arange(openings), 12))
            held += found.low <= truth <= found.high
        return held / repetitions

    return run


def of_failed_gains(repetitions):
    """Simulate twelve agents of which none gained or lost on 50 openings; return how often one is said to have lost."""
    fails = needed("arena.plugins.diff.difference").fails
    random, wrong = np.random.default_rng(15), 0
    for _ in range(repetitions):
        rows = []
        for gains in random.choice([-0.5, 0.0, 0.5], p=[0.15, 0.7, 0.15], size=(12, 50)):
            found = gain_interval(gains, range(50))
            rows.append(SimpleNamespace(agent="", score=found, openings=50))
        wrong += bool(fails(rows, "score<0"))
    return wrong / repetitions


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
        found = proportion(random.binomial(30, random.beta(18, 2, 20)), [30] * 20)
        held += found.low <= 0.9 <= found.high
    return held / repetitions
