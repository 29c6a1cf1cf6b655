"""Where the zero of ratings lies."""

import pytest

from agents.errors import InputError
from arena.records import Interval
from arena.statistics.pool import PoolGame, Total
from arena.statistics.ratings import rate, rate_totals

from .planted_games import by_agent, planted

CIRCLE = [Total("A", "B", 7, 0, 3), Total("A", "C", 8, 0, 2), Total("B", "C", 6, 0, 4)]
GAUNTLET = [Total("hero", "weak", 18, 0, 2), Total("hero", "strong", 10, 0, 10)]


@pytest.mark.parametrize("openings", [6, 12])
def test_the_centre_is_the_mean_of_those_without_a_mark(openings):
    results = planted({"a": 0.0, "b": 60.0, "c": 100.0}, 50.0, openings, draws=0.0)
    perfect = [PoolGame(*pair, str(o), float(pair[0] == "top")) for o in range(openings) for agent in "abc"
               for pair in (("top", agent), (agent, "top"))]  # fmt: skip
    plain, crowned = rate(results), rate(results + perfect)
    assert [rating.agent for rating in crowned.ratings if rating.marked] == ["top"]
    assert sum(rating.elo.value for rating in crowned.ratings[1:]) == pytest.approx(0.0, abs=1e-6)
    for alone, beneath in zip(plain.ratings, crowned.ratings[1:], strict=True):
        assert beneath.elo.value == pytest.approx(alone.elo.value, abs=15)  # virtual draws pull a little
        assert beneath.elo.high - beneath.elo.low == pytest.approx(alone.elo.high - alone.elo.low, rel=0.15)


@pytest.mark.parametrize("openings", [5, 12])
def test_an_anchor_has_its_rating_without_error_and_the_others_keep_their_distances(openings):
    results = planted({"a": 0.0, "b": 60.0, "c": 100.0}, 50.0, openings)
    plain, anchored = by_agent(rate(results)), by_agent(rate(results, anchor=("b", 1000.0)))
    assert anchored["b"].elo.low == anchored["b"].elo.value == anchored["b"].elo.high == 1000.0
    assert anchored["c"].elo.value - 1000.0 == pytest.approx(plain["c"].elo.value - plain["b"].elo.value)
    assert anchored["a"].gap_los == plain["a"].gap_los
    assert anchored["c"].elo.high - anchored["c"].elo.low > plain["c"].elo.high - plain["c"].elo.low
    totals = by_agent(rate_totals(CIRCLE, anchor=("C", -50.0)))
    assert (totals["C"].elo.value, round(totals["A"].elo.value, 2)) == (-50.0, round(128.65 + 102.75 - 50.0, 2))


@pytest.mark.parametrize("held", ["a", "b"])
def test_of_two_the_other_of_the_anchor_has_the_interval_of_their_gap(held):
    results = planted({"a": 0.0, "b": 60.0}, 50.0, 12)
    gap, rows = rate(results).ratings[1].gap, by_agent(rate(results, anchor=(held, 1000.0)))
    assert rows[held].elo == Interval(1000.0, 1000.0, 1000.0)
    low, high = (gap.low, gap.high) if held == "a" else (-gap.high, -gap.low)
    other = rows["b" if held == "a" else "a"].elo
    assert (other.low - 1000.0, other.high - 1000.0) == pytest.approx((low, high))
    assert rows["a"].gap == gap


def test_an_anchor_that_does_not_play_is_refused_with_what_is_near():
    with pytest.raises(InputError, match="did you mean hero"):
        rate_totals(GAUNTLET, anchor=("heroo", 0.0))
