"""How often intervals hold the truth and tests err, on simulated results whose truth is known.

Each simulation takes a number of repetitions and returns a share. None looks at how an interval is computed.
"""

from arena.statistics.sprt import Sprt

from .simulated_means import of_failed_gains, of_gains, of_growth, of_shares, of_time_ratios, of_times
from .simulated_pairs import (
    NEARLY_EVEN,
    by_holm,
    by_stages,
    each_alone,
    of_a_finite_set,
    of_answers,
    of_fresh,
    of_level,
    of_looks,
    of_many,
    of_pairs,
    of_stopped,
    plainly,
    sureness,
)
from .simulated_pools import (
    FORMATS,
    STRENGTHS,
    of_best,
    of_format,
    of_fresh_match,
    of_groups,
    of_newcomer,
    of_ratings,
    of_strata,
)

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
    **{
        f"answer of a comparison over 3 depths against 2, {what}, {n} openings": (95, of_answers(n, lead), 2000)
        for n in (10, 25, 100)
        for what, lead in (("equals", 0.0), ("one ahead", 0.5))
    },
    "answer of a comparison of equals says one is ahead, 25 openings": (5, of_answers(25, 0.0, said=True), 2000),
    "LOS beyond 97.5 % between equals, 10 pairs": (5, sureness(10, 97.5), 2000),
    "LOS beyond 97.5 % between equals, 50 pairs": (5, sureness(50, 97.5), 2000),
    "two said to differ of 63 equal pairings, each alone": (5, of_many(each_alone), 300),
    "two said to differ of 63 equal pairings, by Holm": (5, of_many(by_holm), 300),
    "called level within 30 Elo when 30 apart, 300 pairs": (5, of_level, 2000),
    "plain match of equals gone on with, said to differ at one of six looks": (5, of_looks, 2000),
    "fresh run that unclear pairs ask for, equals said to differ": (5, of_fresh("clear"), 2000),
    "fresh run that unclear pairs ask for, equals called level": (80, of_fresh("level"), 2000),
    "fresh run that unclear pairs ask for, 30 Elo apart said to differ": (80, of_fresh("clear", 30.0), 2000),
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
    **{f"agent that met {n} of 12 openings": (95, of_newcomer(n, of_it=True), 300) for n in (1, 2, 3)},
    "others beside an agent that met 1 of 12 openings": (95, of_newcomer(1, of_it=False), 300),
    **{f"{what}, three groups far apart": (95, of_groups(what), 200) for what in ("ratings", "gaps")},
    **{
        f"gaps, {name}, neighbours {apart:g} Elo apart": (95, of_format(name, apart), 200)
        for name in FORMATS
        for apart in (0.0, 30.0)
    },
    "set that holds the best, 5 equals": (95, of_best(dict.fromkeys("abcde", 0.0), 10), 300),
    "set that holds the best, 4 agents 100 Elo apart": (95, of_best(STRENGTHS, 10), 300),
    "fresh match that unclear neighbours ask for, shown to differ": (80, of_fresh_match(30.0), 1000),
    **{f"time of {n} searches, one in 100 paused": (95, of_times(n), 2000) for n in (200, 2000)},
    "ratio of times of 60 positions": (95, of_time_ratios, 2000),
    **{f"ratio of nodes of two depths, {n} openings": (95, of_growth(n), 2000) for n in (5, 20, 100)},
    "twelve unchanged agents, one said to lose": (5, of_failed_gains, 2000),
    "share of moves, 20 openings": (95, of_shares, 2000),
    "a neutral change said to lose, 25 openings": (2.5, of_gains, 2000),
    **{f"plain interval after a sequential stop, true {e} Elo": (95, of_stopped(e, plainly), 400) for e in (0, 30, 60)},
    **{f"interval after a sequential stop, true {e} Elo": (95, of_stopped(e, by_stages), 400) for e in (0, 30, 60)},
    **{
        f"interval after a sequential stop of 0 against 30 nElo, true {e} Elo": (
            95,
            of_stopped(e, by_stages, Sprt(0, 30)),
            200,
        )
        for e in (-255, -114, 0, 114, 181, 255, 317)
    },
}
"""By name: what is promised in percent, the simulation, and its repetitions."""
