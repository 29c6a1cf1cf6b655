"""Every public function of the statistics on inputs at which sides, denominators and corrections matter.

The numbers are recorded; what they should be, the other tests of this room say by slow twins, simulation and published
values. Here nothing may change unseen, at any of the odd inputs.
"""

from dataclasses import replace

import numpy as np
from recorded import holds, tried

from arena.statistics import (
    bradley_terry,
    elo,
    intervals,
    isotonic,
    means,
    pairing,
    pool,
    ratings,
    sprt,
)
from arena.statistics.intervals import Counts, Shares
from arena.statistics.pool import PoolGame, PoolResults, Total
from arena.statistics.sprt import Sprt

COUNTS = (
    (3, 5, 9), (9, 5, 3), (0, 4, 7), (6, 0, 1), (0, 0, 4), (5, 0, 0), (0, 8, 0), (1, 0, 0), (40, 21, 65),
    (2, 3, 11, 6, 4), (1, 0, 2, 7, 3), (310, 260, 1400, 290, 330),
    (0, 0, 12, 0, 0), (0, 0, 0, 0, 9), (7, 1, 0, 0, 0), (0, 1, 0, 0, 0),
    (12, 31, 88, 40, 19),
)  # fmt: skip
"""Worst first: most of one side, of the other, all of one kind, one alone, and those of a long match."""
WORDS = "abcdefghijkl"
TEXTS = (
    "elo0=0,elo1=5", "elo0=1, elo1=2 ,alpha=0.1,beta=0.2,model=logistic", "elo0=0", "elo1=4", "elo0=0,elo1=x",
    "elo0=5,elo1=5", "elo0=0,elo1=5,alpha=0", "elo0=0,elo1=5,beta=1", "elo0=0,elo1=5,alpha=0.5,beta=0.5",
    "elo0=0,elo1=5,model=none", "elo0=0,elo1=4001", "elo0=-4001,elo1=5", "elo0=0,elo1=5,elo0=0", "a=1", "",
    "elo0=,elo1=5", "elo0=nan,elo1=5", "elo0=0,elo1=inf", "elo0=0,elo1=5,alpha=", "elo0=0,elo1=5,model=",
    "elo0=-4000,elo1=4000", "elo0=0.123456789,elo1=1234.5678901,alpha=0.0123456,beta=1e-7",
    "elo0=0,elo1=5,alpha=0.5,beta=0.49", "elo0=0,elo1=5,beta=0.1,beta=0.1", "elo1=5,elo0", "elo0=1_0,elo1=50",
)  # fmt: skip
"""Of sequential tests."""


LOGISTIC = Sprt(0.0, 60.0, 0.05, 0.1, "logistic")
JUST_STOPPED = (
    (Sprt(0.0, 30.0), (2, 9, 30, 25, 9)), (Sprt(0.0, 30.0), (1, 2, 6, 4, 22)), (Sprt(0.0, 30.0), (0, 30, 9, 2, 1)),
    (LOGISTIC, (1, 2, 6, 4, 11)), (LOGISTIC, (0, 8, 9, 2, 1)), (LOGISTIC, (3, 8, 40, 23, 6)),
    (Sprt(-20.0, 10.0, 0.1, 0.02, "logistic"), (1, 2, 6, 4, 17)), (Sprt(0.0, 10.0), (120, 300, 700, 320, 165)),
)  # fmt: skip
"""Matches that stopped with the pair that crossed a bound."""


def games(seed, agents, openings, *, draws=0.3, advantage=0.4, spread=1.0, silent=(), skip=(), once=()):
    """Return games of agents of rising strength, every two on every opening and with both colours but for `skip`."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(openings):
        pull = random.normal(0.0, 0.6)
        for i, first in enumerate(agents):
            for j, second in enumerate(agents):
                if i == j or (first, second) in skip or (number > 1 and (first, second) in once):
                    continue
                ahead = spread * (i - j) + advantage + pull
                chance = 1.0 / (1.0 + np.exp(-ahead))
                points = 0.5 if random.random() < draws else float(random.random() < chance)
                moves = "" if first in silent else f"{number}{first}{second}{random.integers(3)}"
                found.append(PoolGame(first, second, f"{number:02}", points, moves))
    return found


def circle(openings=12):
    """Return three agents that beat each other in a circle, and a fourth that loses to all."""
    ends = {("a", "b"): 1.0, ("b", "c"): 1.0, ("c", "a"): 1.0}
    found = []
    for number in range(openings):
        for one in "abcd":
            for two in "abcd":
                if one != two:
                    wins = ends.get((one, two), 0.0 if (two, one) in ends or one == "d" else 1.0)
                    points = 0.5 if (number + ord(one) + 2 * ord(two)) % 5 == 0 else wins
                    found.append(PoolGame(one, two, f"{number:02}", points, f"{number}{one}{two}"))
    return found


FIVE = games(1, WORDS[:5], 13)
FEW = games(2, WORDS[:4], 4, draws=0.1)
THIN = games(3, WORDS[:4], 11, skip={("a", "c"), ("d", "a"), ("a", "d")}, once={("b", "c")})
ONE_WAY = [
    *games(4, "ab", 6), *games(5, "cd", 6, draws=0.0),
    *(PoolGame(x, y, f"{n:02}", 1.0, f"{n}{x}{y}") for n in range(6) for x in "cd" for y in "ab"),
]  # fmt: skip
"""Two groups of which one makes all points."""
APART = [*games(6, "ab", 3), *games(7, "cde", 3)]
TWINS = [
    *games(8, "abc", 10, draws=0.2),
    *(PoolGame(f"{r.first}'" if r.first == "c" else r.first, f"{r.second}'" if r.second == "c" else r.second, r.opening,
             r.points, r.moves) for r in games(8, "abc", 10, draws=0.2) if "c" in (r.first, r.second)),
]  # fmt: skip
"""An agent c', whose games are all those of c but for those between them."""
SELF = [*games(9, "ab", 8), *(PoolGame("a", "a", f"{n:02}", [1.0, 0.5, 0.0, 1.0][n % 4], f"{n}aa") for n in range(8))]
PAIR = games(10, "ab", 14, advantage=0.9)
ODD_PAIR = [*games(11, "ab", 9, advantage=1.4), PoolGame("a", "b", "09", 1.0, "9"), PoolGame("a", "b", "10", 0.5, "8")]
UNKNOWN = [PoolGame(r.first, r.second, None, r.points, r.moves) for r in games(12, "abc", 7)]
POOLS = {
    "five agents": FIVE, "few openings": FEW, "some never met": THIN, "one way between groups": ONE_WAY,
    "in parts": APART, "twins": TWINS, "against itself": SELF, "two": PAIR, "two and odd games": ODD_PAIR,
    "openings not known": UNKNOWN, "some openings not known": [*FIVE[:130], *UNKNOWN],
    "a circle": circle(), "no moves": games(13, "abc", 10, silent="b"),
    "all drawn": games(14, "abc", 5, draws=1.0), "first wins all": games(15, "abc", 5, draws=0.0, advantage=99.0),
    "two met twice": games(17, "abc", 12, spread=9.0, draws=0.1, once={("b", "c"), ("c", "b")}),
    "one opening": games(16, "abcd", 1), "one game": [PoolGame("a", "b", "0", 1.0, "1")], "nothing": [],
}  # fmt: skip
KINDS = {f"{n:02}": n % 3 == 0 for n in range(20)} | {"0": 1, "None": 0}
TOTALS = (
    [Total("a", "b", 9, 3, 2), Total("c", "b", 4, 4, 8), Total("a", "c", 1, 0, 3), Total("b", "a", 2, 1, 0)],
    [Total("a", "b", 0, 0, 0), Total("c", "b", 4, 0, 0)],
    [Total("a", "b", 1, 2, -1)], [Total("a", "a", 1, 2, 1)], [Total("a", "b", 1, 2, 1), Total("c", "d", 1, 1, 1)],
)  # fmt: skip


def of(name):
    return PoolResults.of(POOLS[name])


def each(call, inputs, **named):
    """Return what a function says of each input, by the input."""
    return {str(args): tried(call, *args, **named) for args in inputs}


def test_intervals_of_counts_stay(request):
    found = {}
    for numbers in COUNTS:
        counts = Counts(numbers)
        row = found[str(numbers)] = {
            "of": [counts.total, counts.unit, *map(float, counts.scores), counts.mean, counts.variance],
            "normal": tried(intervals.normal_interval, counts),
            "score": [tried(intervals.score_interval, counts, shrink, width)
                      for shrink, width in ((1.0, 1.96), (0.6, 1.96), (1.0, 1.1), (0.0, 1.96))],
            "tests": {f"{shrink} {tested}": tried(intervals.score_test, counts, shrink, tested)
                      for shrink, tested in ((1.0, 0.5), (0.7, 0.6), (0.0, 0.5))},
            "level": [intervals.equivalent(counts, margin, shrink)
                      for margin in (1.0, 30.0, 90.0, 200.0, 500.0) for shrink in (1.0, 0.4, 0.0)],
            "fresh": [tried(intervals.fresh_needed, counts, margin, population)
                      for margin, population in ((30.0, None), (80.0, None), (30.0, 250), (30.0, (100, 40)))],
        }  # fmt: skip
        row["at"] = [
            [tried(call, counts, score) for call in (intervals.variance_at, intervals.score_deviations)]
            for score in (0.3, 0.5, 0.85)
        ]
    holds("statistics-counts", found, request)


def test_pairings_and_their_sentences_stay(request):
    found = {}
    for numbers in COUNTS:
        for population, margin in (
            (None, 30.0), (None, 120.0), (200, 30.0), (sum(numbers), 30.0), ((sum(numbers), sum(numbers)), 60.0),
            (3, 30.0),
        ):  # fmt: skip
            label = f"{numbers} of {population}, {margin:g}"
            found[label] = tried(pairing.pairing, numbers, population, margin)
            if isinstance(found[label], str):
                continue
            result = pairing.pairing(numbers, population, margin)
            found[label]["clear"] = result.clear
            found[label]["verdicts"] = [
                pairing.verdict("x", "y", result, margin=margin, **more)
                for more in (
                    {}, {"where": "at depth 6", "distinct": 17, "effort": 1.3, "time": 0.5},
                    {"effort": 0.25, "survives": False}, {"effort": 12.4, "time": 1.04}, {"effort": 1.02, "time": 3.0},
                    {"effort": 312.0, "time": 1.05}, {"effort": 0.0031, "time": 0.95},
                    {"effort": 9.96, "distinct": 2400},
                    {"effort": 0.949, "time": 1.049, "where": ""}, {"effort": 0.0, "time": 0.0},
                )
            ]  # fmt: skip
    level = pairing.pairing((2, 3, 11, 6, 4))
    for low, high in (
        (-0.3, None),
        (None, -0.2),
        (None, 0.4),
        (-0.4, 0.3),
        (0.49, 1234.5),
        (-1500.2, -0.5),
        (0.6, None),
    ):
        found[f"within {low} {high}"] = pairing.within(replace(level, low=low, high=high))
    for own, low, high in (
        (3.2, 1.0, None), (-3.4, -9.0, -0.4), (None, 7.7, None), (None, None, -7.7), (None, None, None),
    ):  # fmt: skip
        some = replace(level, elo=own, low=low, high=high)
        found[f"ahead {own} {low} {high}"] = [pairing.ahead_by(some, sign) for sign in (1, -1)]
    shares = ([0.5] * 6, [0.25, 0.75, 1.0, 1.0, 2 / 3], [1 / 3] * 4, [1.0] * 5, [0.0, 0.0], [0.5])
    for values in shares:
        found[f"pooled {values}"] = [tried(pairing.pooled, values, each) for each in (None, 40, len(values), (30, 30))]
        found[f"shares {values}"] = [list(map(float, Shares.of(values).scores)), list(Shares.of(values).numbers)]
    wrong = ((1, 2), (1, 2, 3, 4), (-1, 2, 3), (0, 0, 0), (1.5, 2, 3), ("1", 2, 3))
    found["refused"] = [tried(pairing.pairing, numbers) for numbers in wrong]
    holds("statistics-pairings", found, request)


def test_means_and_proportions_stay(request):
    random = np.random.default_rng(5)
    values = random.lognormal(0.0, 1.0, 46).tolist()
    groups = [number // 3 if number < 30 else 99 for number in range(46)]
    found = {
        f"mean {trim} {shrink} {alpha} {grouped}": tried(
            means.mean_interval, values, groups if grouped else None, trim=trim, shrink=shrink, alpha=alpha
        )
        for trim in (0.0, 0.05, 0.2) for shrink in (1.0, 0.5, 0.0) for alpha in (0.05, 0.01)
        for grouped in (False, True)
    }  # fmt: skip
    odd = ([], [2.0], [2.0, 2.0, 2.0], [1.0, 4.0], [5.0, 1.0, 2.0, 8.0, 3.0, 9.0, 4.0])
    for each in odd:
        names = np.array([3, 1, 3, 2, 1, 3, 2][: len(each)])
        found[f"odd {each}"] = [
            tried(means.mean_interval, each), tried(means.mean_interval, each, names),
            tried(means.mean_interval, each, ["one"] * len(each)),
            tried(means.median_interval, each), tried(means.typical_time, each),
            tried(means.typical_time, each, names.tolist()),
        ]  # fmt: skip
    found["median"] = [tried(means.median_interval, values[:number]) for number in (5, 6, 7, 8, 9, 20, 46)]
    gains = {"spread": ([1.0, -0.5, 0.0, 0.5, 0.5], "aabbc"), "alike": ([0.5] * 4, "aabc"), "none": ([], ""),
             "level": ([0.0] * 6, "aabbcc"), "lost": ([-1.0, -1.0], "ab"), "one group": ([0.5, 1.0], "aa"),
             "balanced": ([1.0, 0.0, 1.0, 0.0], "aabb")}  # fmt: skip
    for name, (each, names) in gains.items():
        found[f"gain {name}"] = [tried(means.gain_interval, each, list(names), shrink) for shrink in (1.0, 0.4, 0.0)]
    nodes, seconds = [float(round(900 * value)) for value in values], [0.0, *random.lognormal(-3.0, 1.0, 45).tolist()]
    found["cost"] = [tried(means.search_cost, nodes[:number], seconds[:number]) for number in (0, 1, 2, 5, 46)]
    idle = [0.0 if number % 4 else each for number, each in enumerate(nodes)]
    found["cost of some idle"] = [tried(means.search_cost, idle[:number], seconds[:number]) for number in (2, 4, 5, 46)]
    found["cost of none"] = [tried(means.search_cost, [0.0, 0.0], [1.0, 2.0]), tried(means.search_cost, [4.0], [0.0])]
    other = [second * 1.7 + 0.001 for second in seconds]
    found["times"] = [
        tried(means.time_ratio, one, two)
        for one, two in ((seconds, other), (other, seconds), ([0.0], [1.0]), ([1.0, 2.0], [2.0, 4.0]))
    ]
    found["sums"] = [
        tried(means.ratio_of_sums, above, below, each)
        for above, below in ((values, nodes), (nodes, values), ([0.0, 0.0], [1.0, 2.0]), ([1.0, 2.0], [0.0, 0.0]),
                             ([3.0, 1.0], [1.0, 0.0]), ([4.0], [2.0]))
        for each in (None, groups[: len(above)])
    ]  # fmt: skip
    answers = (([3, 0, 5, 2], [5, 4, 5, 9]), ([0, 0], [3, 4]), ([4], [4]), ([2], [4]), ([], []), ([0], [0]),
               ([1, 1, 0, 1, 0, 0, 1], [1] * 7), ([9, 1, 8, 0], [10, 10, 10, 0]), ([0, 4], [0, 9]))  # fmt: skip
    for yes, counts in answers:
        found[f"proportion {yes} of {counts}"] = [
            tried(intervals.proportion, yes, counts, shrink, alpha=alpha)
            for shrink, alpha in ((1.0, 0.05), (0.5, 0.05), (0.0, 0.05), (1.0, 0.2))
        ]
        if sum(counts):
            found[f"independent {yes} of {counts}"] = [
                intervals.independent_answers(yes, counts, alpha) for alpha in (0.05, 0.2)
            ]
    holds("statistics-means", found, request)


def test_small_functions_stay(request):
    found = {
        "elo": [elo.elo_of(share) for share in (0.01, 0.36, 0.5, 0.93)],
        "score": [elo.score_of(each) for each in (-4000.0, -70.0, 0.0, 350.0)],
        "superiority": [
            elo.likelihood_of_superiority(*each)
            for each in ((1.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (2.0, 3.0), (-2.0, 1.0))
        ],
        "population": [
            tried(intervals.finite_population, drawn, size)
            for drawn, size in ((10, 40), (40, 40), (41, 40), (1, 1), (10, (20, 30)), (41, (20, 30)), (40, (20, 30)),
                                (7, (4, 3)), (7, (3, 4)), (0, 5))
        ],
        "normal width": [intervals.normal_width(alpha) for alpha in (0.01, 0.05, 0.3)],
        "survivors": [
            intervals.survivors(each, *more)
            for each, *more in (
                ([99.9, 50.0, 98.4, 0.7],), ([99.9, 50.0, 98.4, 0.7], 0.01), ([],), ([97.6],), ([97.5],), ([2.5],),
                ([97.5, 98.75],), ([97.4],), ([2.4, 97.6],), ([99.2, 99.2, 96.0],), ([1.2, 98.8, 50.0, 2.4], 0.1),
            )
        ],
    }  # fmt: skip
    random = np.random.default_rng(2)
    for label, chances in {
        "rising": (0.2, 0.5, 0.6, 0.9),
        "falling": (0.9, 0.4),
        "a dip": (0.3, 0.6, 0.5, 0.8),
    }.items():
        asked = random.random((len(chances), 60))
        own = (random.random(60) < 0.55).astype(float)
        answered = (asked < np.array(chances)[:, None]).astype(float)
        found[f"place, {label}"] = [
            tried(isotonic.place, [1, 2, 4, 8][: len(chances)], answered, each, seed)
            for each in (own, np.ones(60), np.zeros(60), own[:0]) for seed in (0, 1)
            if len(each)
        ]  # fmt: skip
    found["place of nothing"] = tried(isotonic.place, [1, 2], np.zeros((2, 0)), np.zeros(0))
    holds("statistics-small", found, request)


def test_sequential_tests_stay(request):
    tests = [Sprt(0.0, 30.0), Sprt(-20.0, 10.0, 0.1, 0.02, "logistic"), Sprt(5.0, 25.0, 0.02, 0.2, "bayesian"),
             Sprt(0.0, 60.0, 0.05, 0.1, "logistic")]  # fmt: skip
    found = {}
    for test in tests:
        found[str(test)] = {
            "unit": test.unit,
            "evidence": {str(numbers): tried(test.weigh, numbers) for numbers in (*COUNTS, (0, 0, 19), (0, 0, 20))},
        }
    stops = (
        (2, 9, 30, 25, 14),
        (0, 1, 3, 5, 9),
        (14, 25, 30, 9, 2),
        (9, 5, 3, 1, 0),
        (0, 0, 0, 0, 30),
        (3, 4, 3, 2, 1),
    )
    for test in (Sprt(0.0, 30.0), Sprt(0.0, 60.0, 0.05, 0.1, "logistic")):
        for numbers in stops:
            found[f"after {test} {numbers}"] = tried(sprt.sprt_estimate, test, numbers)
    for test, numbers in JUST_STOPPED:
        found[f"just after {test} {numbers}"] = [
            tried(test.weigh, numbers), tried(sprt.sprt_estimate, test, numbers),
            tried(sprt.sprt_estimate, test, numbers, 0.2),
        ]  # fmt: skip
    found["a long match"] = tried(sprt.sprt_estimate, Sprt(0.0, 5.0), (210, 480, 900, 590, 330))
    found["three counts"] = tried(sprt.sprt_estimate, Sprt(0.0, 60.0), (9, 20, 60))
    for text in TEXTS:
        found[f"parse {text}"] = tried(lambda text: str(Sprt.parse(text)), text)
    observed = np.array([[0.1, 0.2, 0.3, 0.25, 0.15], [0.02, 0.03, 0.05, 0.3, 0.6]])
    three = np.array([[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]])
    for value in (-60.0, 0.0, 25.0, 300.0):
        found[f"likeliest at {value}"] = [
            tried(sprt.logistic, observed, value), tried(sprt.normalized, observed, value),
            tried(sprt.normalized, three, value), tried(sprt.bayesian, three, value),
        ]  # fmt: skip
    holds("statistics-sequential", found, request, within=1e-6)


def test_sums_of_pools_stay(request):
    found = {}
    for name, played in POOLS.items():
        results = of(name)
        kinds = results.stratified(KINDS)
        found[name] = {
            "agents": results.agents, "openings": results.openings, "ends": results.ends, "silent": results.silent,
            "distinct": results.distinct, "clones": pool.clones(results), "clustered": results.clustered,
            "totals": results.totals(), "scores": results.scores() if results.agents else None,
            "strata": [places.tolist() for places in kinds.strata],
            "fewest": results.fewest() if results.agents else None,
            "of pair": [results.of_pair(*pair) for pair in (("a", "b"), ("b", "a"), ("a", "a"), ("a", "nobody"))],
            "among": [(part.agents, part.openings, part.ends.tolist(), part.distinct.tolist())
                      for part in (results.among("ac"), results.among("b"), results.among("abcd"))],
            "parts": sorted(sorted(part) for part in pool.parts((game.first, game.second) for game in played)),
        }  # fmt: skip
        found[name] = {key: tried(lambda value: value, value) for key, value in found[name].items()}
    for rows in TOTALS:
        label = ", ".join(f"{row.a}-{row.b} {row.wins}/{row.draws}/{row.losses}" for row in rows)
        found[label] = tried(lambda rows: PoolResults.of_totals(rows).totals(), rows)
        found[f"some of {label}"] = tried(
            lambda rows: [(some.agents, some.colours, some.ends, some.clustered, some.strata)
                          for some in map(PoolResults.of_totals(rows).among, ("ab", "bc", "abcd"))], rows,
        )  # fmt: skip
    found["refused"] = tried(PoolResults.of, [PoolGame("a", "b", "0", 0.25, "1")])
    holds("statistics-sums", found, request)


RATED = (
    ("five agents", {}), ("five agents", {"anchor": ("b", 1000.0)}), ("five agents", {"population": 13}),
    ("five agents", {"population": 50}), ("five agents", {"population": 5}), ("five agents", {"strata": KINDS}),
    ("five agents", {"strata": KINDS, "population": (40, 60)}), ("five agents", {"anchor": ("nobody", 0.0)}),
    ("few openings", {}), ("few openings", {"population": 9}), ("some never met", {}), ("one way between groups", {}),
    ("one way between groups", {"anchor": ("a", 0.0)}), ("one way between groups", {"population": 6}),
    ("in parts", {}), ("twins", {}), ("twins", {"anchor": ("c'", 50.0)}), ("against itself", {}), ("two", {}),
    ("two", {"population": 30}), ("two", {"population": 14}), ("two", {"anchor": ("a", 10.0)}),
    ("two and odd games", {}), ("openings not known", {}), ("openings not known", {"population": 30}),
    ("some openings not known", {}), ("some openings not known", {"population": 30}),
    ("some openings not known", {"strata": KINDS}), ("a circle", {}), ("no moves", {}), ("two", {"strata": KINDS}),
    ("two and odd games", {"population": 40, "anchor": ("b", 5.0)}), ("in parts", {"anchor": ("a", 0.0)}),
    ("twins", {"population": 25, "strata": KINDS}), ("against itself", {"anchor": ("b", 1.0)}), ("two met twice", {}),
    ("two met twice", {"population": 2}),
    ("two met twice", {"anchor": ("a", 1.5), "population": (30, 30), "strata": KINDS}),
    ("one opening", {"population": 1}), ("one game", {"population": 9}), ("all drawn", {}), ("first wins all", {}),
    ("one opening", {}), ("one game", {}), ("nothing", {}),
)  # fmt: skip


def test_ratings_of_pools_stay(request):
    found = {f"{name} {options}": tried(ratings.rate, POOLS[name], **options) for name, options in RATED}
    for number, rows in enumerate(TOTALS):
        found[f"totals {number}"] = [tried(ratings.rate_totals, rows, anchor=each) for each in (None, ("a", 100.0))]
    holds("statistics-ratings", found, request, within=1e-6)


def test_strengths_stay(request):
    found = {}
    names = "five agents", "few openings", "some never met", "one way between groups", "against itself", "a circle"
    for name in names:
        points, number = of(name).totals()
        agents = len(number)
        for advantage in (True, False):
            strengths, held = bradley_terry.estimate(
                points[None], number[None], np.zeros(agents + 1), number, advantage=advantage
            )
            at = strengths.copy()
            at[0, 0] += 0.3
            found[f"{name} {advantage}"] = [
                tried(lambda value: value, value)
                for value in (
                    strengths, held, bradley_terry.gradients(points[None], number[None], at, advantage=advantage),
                    bradley_terry.information(number[None], at, advantage=advantage),
                    bradley_terry.covariance(number, at[0], advantage=advantage),
                    bradley_terry.virtual_games(number), bradley_terry.advantage_shows(number),
                )
            ]  # fmt: skip
    holds("statistics-strengths", found, request, within=1e-6)
