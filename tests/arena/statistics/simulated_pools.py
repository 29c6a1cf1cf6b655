"""Pools whose strengths are known: how often ratings, gaps and the advantage hold them."""

import itertools

import numpy as np
from played import walked

from agents.board import Outcome
from arena.games.formats_by_results import Knockout, Swiss
from arena.statistics.elo import ELO_PER_LOGIT
from arena.statistics.pool import PoolGame
from arena.statistics.ratings import rate

from .planted_games import by_agent
from .simulated_pairs import elo, within

STRENGTHS = {"a": -150.0, "b": -50.0, "c": 50.0, "d": 150.0}


def planted(openings, random, strengths, advantage=100.0):
    """Return games of every ordered pair on every opening, won and lost as strengths and advantage say."""
    results = []
    for opening in range(openings):
        for first, second in itertools.permutations(strengths, 2):
            chance = 1 / (1 + 10 ** (-(strengths[first] - strengths[second] + advantage) / 400))
            results.append(PoolGame(first, second, str(opening), float(random.random() < chance)))
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
                held += [] if pool.advantage is None else [pool.advantage.low <= 100.0 <= pool.advantage.high]
            elif what == "ratings":
                centre = np.mean([strengths[rating.agent] for rating in free])
                held += [rating.elo.low <= strengths[rating.agent] - centre <= rating.elo.high for rating in free]
            else:
                for above, below in itertools.pairwise(free):
                    held.append(below.gap.low <= strengths[above.agent] - strengths[below.agent] <= below.gap.high)
        return float(np.mean(held))

    return run


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
                    PoolGame(*pair, opening, float(random.random() < chances[pair][kind]))
                    for opening, kind in strata.items()
                    for pair in chances
                ],
                strata=strata if told else None,
            )
            held += found.advantage is not None and within(found.advantage.low, found.advantage.high, truth)
        return held / repetitions

    return run


def planted_results(random, strengths, openings, present=None):
    """Return games of every ordered pair on every opening; `present` tells whether an agent was there on one."""
    names = list(strengths)
    values = np.array(list(strengths.values())) / ELO_PER_LOGIT
    chances = 1.0 / (1.0 + np.exp(-(np.subtract.outer(values, values) + 100.0 / ELO_PER_LOGIT)))
    results = []
    for opening in range(openings):
        won = random.random(chances.shape) < chances
        there = [place for place, name in enumerate(names) if present is None or present(name, opening)]
        results += [
            PoolGame(names[one], names[two], str(opening), float(won[one, two]))
            for one, two in itertools.permutations(there, 2)
        ]
    return results


def held(pool, strengths):
    """Return by agent whether its interval holds the truth, relative to those without a mark."""
    free = [strengths[rating.agent] for rating in pool.ratings if not rating.marked] or list(strengths.values())
    return {
        rating.agent: within(rating.elo.low, rating.elo.high, strengths[rating.agent] - np.mean(free))
        for rating in pool.ratings
    }


def gaps_held(pool, strengths):
    """Return for each row but the first whether the interval of its gap holds the truth."""
    return [
        within(below.gap.low, below.gap.high, strengths[above.agent] - strengths[below.agent])
        for above, below in itertools.pairwise(pool.ratings)
    ]


def of_newcomer(met, *, of_it):
    """Return the simulation of an agent that met `met` of 12 openings: whether its interval or the others' hold."""
    strengths = STRENGTHS | {"x": 0.0}

    def run(repetitions):
        random, found = np.random.default_rng(met), []
        for _ in range(repetitions):
            games = planted_results(random, strengths, 12, lambda name, opening: name != "x" or opening < met)
            found += [each for name, each in held(rate(games), strengths).items() if (name == "x") == of_it]
        return float(np.mean(found))

    return run


def of_groups(what):
    """Return the simulation of strong, middling and weak groups far apart: whether ratings or gaps hold the truth."""
    strengths = {"s": 850.0, "t": 850.0, "m": 0.0, "n": 0.0, "z": -900.0}

    def run(repetitions):
        random, found = np.random.default_rng(14), []
        for _ in range(repetitions):
            pool = rate(planted_results(random, strengths, 10))
            found += held(pool, strengths).values() if what == "ratings" else gaps_held(pool, strengths)
        return float(np.mean(found))

    return run


def of_best(strengths, openings):
    """Return the simulation of the set of agents that may be best: whether it holds the best."""

    def run(repetitions):
        random, best = np.random.default_rng(15), max(strengths, key=strengths.get)
        pools = (rate(planted_results(random, strengths, openings)) for _ in range(repetitions))
        return float(np.mean([by_agent(pool)[best].may_be_best for pool in pools]))

    return run


def of_fresh_match(apart):
    """Return the simulation of the match that 10 unclear openings ask for: how often it shows a gap that is as it was.

    The gap is as large as it seemed, or 30 Elo where it seemed smaller.
    """

    def run(repetitions):
        random, found = np.random.default_rng(17), []
        while len(found) < repetitions:
            seen = rate(planted_results(random, {"a": 0.0, "b": apart, "c": 300.0}, 10))
            for below in seen.ratings:
                if below.games_to_tell is not None:
                    truth = {"a": 0.0, "b": max(30.0, below.gap.value)}
                    again = rate(planted_results(random, truth, below.games_to_tell // 2)).ratings[1]
                    found.append(again.agent == "a" and again.gap.low > 0.0)
        return float(np.mean(found))

    return run


FORMATS = {
    "Swiss": lambda agents: Swiss(agents, 10, 0),
    "knockout": lambda agents: Knockout(agents, 40),
}


def of_format(name, apart):
    """Return the simulation of six agents `apart` Elo from each other in a format: whether gaps hold the truth."""
    strengths = {chr(97 + place): apart * place for place in range(6)}

    def run(repetitions):
        random, found = np.random.default_rng(18), []
        for _ in range(repetitions):
            results = []

            def outcome(job, results=results):
                one, two = (chr(97 + place) for place in (job.first, job.second))
                won = random.random() < 1.0 / (1.0 + 10.0 ** (-(strengths[one] - strengths[two] + 100.0) / 400.0))
                results.append(PoolGame(one, two, str(job.opening), float(won)))
                return Outcome.FIRST_WINS if won else Outcome.SECOND_WINS

            walked(FORMATS[name](6), outcome)
            found += gaps_held(rate(results), strengths)
        return float(np.mean(found))

    return run
