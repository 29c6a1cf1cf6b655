import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import STATISTICS
from scipy.optimize import brentq

from agents.errors import InputError
from arena.statistics.sprt import FARTHEST, MODELS, Sprt, _root

from .simulated_sprt import simulate

COUNTS = st.one_of(*(st.lists(st.integers(0, 200), min_size=n, max_size=n).filter(any) for n in (3, 5)))


@pytest.mark.parametrize("row", STATISTICS["llr"], ids=lambda row: f"{row['counts']} {row['model']}")
def test_every_printed_ratio_of_published_tools_comes_out(row):
    found = Sprt(row["elo0"], row["elo1"], model=row["model"]).weigh(row["counts"]).llr
    digits = len(str(row["llr"]).split(".")[1])
    assert found == pytest.approx(row["llr"], abs=row.get("within", 0.5 * 10**-digits))


@pytest.mark.parametrize("row", STATISTICS["cutechess"], ids=lambda row: str(row["counts"]))
def test_the_bayesian_model_with_elo_rescaled_is_that_of_cutechess(row):
    counts = np.array(row["counts"]) + 0.5
    lost, _, won = counts / counts.sum()
    draw_margin = math.sqrt((1 - lost) / lost * (1 - won) / won)
    scale = 4 * draw_margin / (1 + draw_margin) ** 2
    test = Sprt(row["elo0"] / scale, row["elo1"] / scale, model="bayesian")
    assert float(test.ratios(counts)) == pytest.approx(row["llr"], abs=0.005)


def test_five_drawn_pairs_speak_mildly_against_fifty_elo():
    # A distribution with its mean t deviations above one half has at most 1 / (1 + t²) on one half, whatever its form.
    found = Sprt(0, 50).weigh([0, 0, 5, 0, 0]).llr
    ratio = math.sqrt(2) * 50 / 347.43558552260146
    most = 1 / (1 + ratio**2)
    bound = 5 * math.log(most * 5.004 / 5) + 4e-3 * math.log((1 - most) / 4 * 5.004 / 1e-3)
    assert found == pytest.approx(-0.19758, abs=1e-5)
    assert found <= bound < -0.18


def test_the_quick_formula_would_miss_a_whitewash():
    ratio = math.sqrt(2) * 50 / 347.43558552260146
    spread = 1e-3
    quick = 25 * math.log((1 + (0.5 / spread) ** 2) / (1 + (0.5 / spread - ratio) ** 2))
    assert Sprt(0, 50).weigh([0, 0, 0, 0, 50]).llr > 50 * quick


def test_bounds_follow_from_the_tolerated_errors():
    test = Sprt(0, 30)
    assert test.lower == pytest.approx(-2.9444, abs=5e-5)
    assert test.upper == pytest.approx(2.9444, abs=5e-5)
    strict = Sprt(0, 30, alpha=0.01, beta=0.1)
    assert (strict.lower, strict.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


@pytest.mark.parametrize(
    ("counts", "decision"),
    [
        ([0, 0, 0, 0, 50], "H1"),
        ([50, 0, 0, 0, 0], "H0"),
        ([1, 3, 9, 4, 1], "continue"),
        ([0, 0, 0, 0, 9], "continue"),
        ([0, 0, 0, 0, 10], "H1"),
        ([0, 0, 19], "continue"),
        ([0, 0, 20], "H1"),
    ],
)
def test_a_match_is_decided_beyond_a_bound_but_never_before_ten_pairs(counts, decision):
    assert Sprt(0, 150).weigh(counts).decision == decision


@pytest.mark.simulation
@given(COUNTS, st.sampled_from(["logistic", "normalized"]))
@settings(deadline=None)
def test_seen_from_the_other_side_the_evidence_turns_round(counts, model):
    mine = Sprt(-10, 40, model=model).weigh(counts).llr
    theirs = Sprt(-40, 10, model=model).weigh(counts[::-1]).llr
    assert math.isfinite(mine)
    assert mine == pytest.approx(-theirs, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("elo", [-FARTHEST, -50.0, -0.1, 0.0, 49.0, FARTHEST - 0.3])
@pytest.mark.parametrize("games", [10**6, 10**12])
@pytest.mark.parametrize("width", [0.3, 1e-5])
def test_millions_of_games_have_evidence_however_one_sided_they_are(elo, games, width):
    for few in ([0, 0], [1, 0], [0, 1], [10**3, 0], [0, 0, 0, 0], [5, 0, 0, 7]):
        counts = [*few, games - sum(few)]
        for each in (counts, counts[::-1], counts[1:] + counts[:1]):
            found = Sprt(elo, elo + width).weigh(each).llr
            assert math.isfinite(found)
            if -FARTHEST < elo < FARTHEST - 1 and each in (counts, counts[::-1]):
                assert (found > 0.0) == (each == counts)


WON, LOST, DRAWN, NO_DRAW = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.0, 0.4)


@pytest.mark.parametrize(
    ("elo", "shares"),
    [*((elo, shares) for elo in (0.1, 0.001) for shares in (WON, LOST, NO_DRAW, (0.0, 0.0, *WON))), (30.0, DRAWN)],
)
def test_a_game_among_billions_tells_what_it_tells_among_thousands(elo, shares):
    least, *more = (
        Sprt(0, elo).weigh([round(games * share) for share in shares]).llr / games for games in (10**6, 10**8, 10**12)
    )
    assert more == pytest.approx([least] * 2, rel=1e-5)


def test_the_roots_of_many_functions_are_found_as_one_at_a_time():
    power, place = np.array([1.0, 3.0, 1.0, 5.0, 1.0]), np.array([0.3, 0.7, 1.0, -0.9, 0.2])
    falling = np.array([1.0, -1.0, 1.0, 1.0, 1.0])

    def many(at):
        values = falling * (np.expm1(at * power) - np.expm1(place * power))
        return np.where(np.arange(5) == 4, np.nan, values)  # its last element is defined nowhere

    found = _root(many, np.full(5, -1.0), np.full(5, 1.0))
    assert found[:4] == pytest.approx(place[:4], abs=1e-14)
    assert math.isnan(found[4])
    assert _root(lambda at: at - at, np.array([2.0]), np.array([2.0])) == [2.0]  # a bracket of one point
    cubes = np.linspace(-0.99, 0.99, 41)
    by_one = [brentq(lambda at, cube=cube: at**3 - cube, -1.0, 1.0, xtol=1e-15) for cube in cubes]
    assert _root(lambda at: at**3 - cubes, -np.ones(41), np.ones(41)) == pytest.approx(np.array(by_one), abs=1e-7)


def test_a_text_is_read_and_written_the_same():
    assert Sprt.parse("elo0=0,elo1=30") == Sprt(0, 30, 0.05, 0.05, "normalized")
    assert Sprt.parse(" elo1=2.5, elo0=-0.5 ,model=logistic,beta=0.1,alpha=.01") == Sprt(
        -0.5, 2.5, 0.01, 0.1, "logistic"
    )
    test = Sprt(-1.75, 0.25, 0.02, 0.03, "logistic")
    assert str(test) == "elo0=-1.75,elo1=0.25,alpha=0.02,beta=0.03,model=logistic"
    assert Sprt.parse(str(test)) == test
    fine = Sprt(-1.2345678, 1234.56789, 0.0123456789, model="bayesian")
    assert Sprt.parse(str(fine)) == fine
    assert [Sprt(0, 1, model=each).unit for each in MODELS] == ["Elo", "normalized Elo", "BayesElo"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo0=0,elo2=30", "did you mean elo1 or elo0|did you mean elo0 or elo1"),
        ("elo0=0,elo1=30,modell=logistic", "did you mean model"),
        ("elo0=0,elo1=30,model=logstic", "did you mean logistic"),
        ("elo0=0", "needs elo1"),
        ("elo1=30", "needs elo0"),
        ("", "not of the form key=value"),
        ("elo0,elo1=30", "'elo0' is not of the form key=value"),
        ("elo0=zero,elo1=30", "elo0 must be a number, but 'zero'"),
        ("elo0=0,elo0=1,elo1=30", "elo0 is given twice"),
        ("elo0=0,elo1=30,model=logistic,model=normalized", "model is given twice"),
        ("elo0=30,elo1=0", "elo0 must be below elo1, but 30 and 0"),
        ("elo0=30,elo1=30", "elo0 must be below elo1, but 30 and 30"),
        ("elo0=nan,elo1=0", "elo0 must be below elo1"),
        ("elo0=0,elo1=inf", "within ±4000"),
        ("elo0=-4001,elo1=0", "within ±4000"),
        ("elo0=0,elo1=30,alpha=0", "alpha must lie between 0 and 1, but 0"),
        ("elo0=0,elo1=30,alpha=1,beta=0.2", "alpha must lie between 0 and 1, but 1 was"),
        ("elo0=0,elo1=30,beta=nan", "beta must lie between 0 and 1, but nan"),
        ("elo0=0,elo1=30,alpha=0.1,beta=1", "beta must lie between 0 and 1, but 1 was"),
        ("elo0=0,elo1=30,alpha=0.6,beta=0.5", "sum to less than 1, but 0.6 and 0.5"),
        ("elo0=0,elo1=30,alpha=0.5,beta=0.5", "sum to less than 1, but 0.5 and 0.5"),
    ],
)
def test_a_text_that_makes_no_test_is_refused_in_one_line(text, message):
    with pytest.raises(InputError, match=message) as caught:
        Sprt.parse(text)
    assert "\n" not in str(caught.value)


def test_the_bayesian_model_refuses_pairs():
    with pytest.raises(InputError, match="3 counts"):
        Sprt(0, 30, model="bayesian").weigh([1, 2, 3, 4, 5])


def test_bad_counts_are_refused():
    with pytest.raises(InputError, match="4 counts"):
        Sprt(0, 30).weigh([1, 2, 3, 4])


@pytest.mark.simulation
def test_simulated_matches_end_and_err_seldom():
    test = Sprt(0, 150, model="logistic")
    level = simulate(test, 0, (1, 2, 4, 2, 1), matches=300, seed=5)
    stronger = simulate(test, 150, (1, 2, 4, 2, 1), matches=300, seed=6)
    assert level.h0 + level.h1 == stronger.h0 + stronger.h1 == 300
    assert level.h1 < 30
    assert stronger.h0 < 30
    assert level.pairs >= 10
    cut = simulate(test, 75, (1, 2, 4, 2, 1), matches=50, limit=11, seed=7)
    assert cut.undecided > 0
    assert cut.h0 + cut.h1 + cut.undecided == 50


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize(
    "likeness", [(0.2, 0.15, 0.3, 0.15, 0.2), (0.05, 0.1, 0.7, 0.1, 0.05), (0.02, 0.05, 0.25, 0.2, 0.48)], ids=str
)
def test_over_two_thousand_matches_the_error_rates_hold_their_bounds(model, likeness):
    test = Sprt(0, 100, model=model)
    level, stronger = simulate(test, 0, likeness), simulate(test, 100, likeness, seed=1)
    chance = 3 * math.sqrt(0.05 * 0.95 / 2000)  # three standard errors of a rate measured on so many matches
    assert level.undecided == stronger.undecided == 0
    assert level.h1 / 2000 <= 0.05 + chance
    assert stronger.h0 / 2000 <= 0.05 + chance
