import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from arena.statistics.elo import NORMALIZED_SCALE
from arena.statistics.sprt import bayesian, centred, logistic, normalized

COUNTS = st.one_of(*(st.lists(st.integers(0, 500), min_size=n, max_size=n).filter(any) for n in (3, 5)))


def shares(counts):
    weights = np.where(np.array(counts) == 0, 1e-3, np.array(counts, dtype=float))
    return weights / weights.sum()


def moments(distribution):
    scores = np.linspace(0, 1, len(distribution))
    mean = distribution @ scores
    return mean, math.sqrt(distribution @ (scores - mean) ** 2)


def ratio_of(nelo, categories):
    return nelo / NORMALIZED_SCALE * math.sqrt(2 if categories == 5 else 1)


def best_of_three(observed, ratio):
    """Return the greatest log-likelihood of three categories at `ratio`: two equations leave one unknown to try."""
    deviation = np.linspace(0, 0.5, 100_001)[1:]
    mean = 0.5 + ratio * deviation
    square = deviation**2 + mean**2
    draws, wins = 4 * (mean - square), 2 * square - mean
    tried = np.stack([1 - draws - wins, draws, wins])
    tried = tried[:, (tried > 0).all(axis=0)]
    return float((observed @ np.log(tried)).max())


def best_of_many_starts(observed, ratio, starts):
    """Return the greatest log-likelihood that a general optimiser finds at `ratio` from several starts."""
    random = np.random.default_rng(1)

    def distribution(logits):
        weights = np.exp(logits - logits.max())
        return weights / weights.sum()

    def miss(logits):
        mean, deviation = moments(distribution(logits))
        return (mean - 0.5) / max(deviation, 1e-150) - ratio

    best = -math.inf
    for start in range(starts):
        logits = np.log(observed if start == 0 else random.dirichlet(np.full(len(observed), 0.5)) + 1e-6)
        done = minimize(
            lambda logits: -(observed @ np.log(distribution(logits) + 1e-300)),
            logits,
            constraints={"type": "eq", "fun": miss},
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-15},
        )
        if abs(miss(done.x)) < 1e-8:
            best = max(best, -done.fun)
    return best


@given(COUNTS, st.floats(-1500, 1500))
def test_the_logistic_hypothesis_has_the_score_that_its_elo_predicts(counts, elo):
    found = logistic(shares(counts), elo)
    assert found.sum() == pytest.approx(1)
    assert moments(found)[0] == pytest.approx(1 / (1 + 10 ** (-elo / 400)), rel=1e-9)


@given(COUNTS, st.floats(-1500, 1500))
@settings(deadline=None)
def test_the_normalized_hypothesis_lies_its_elo_away_from_one_half(counts, nelo):
    found = normalized(shares(counts), nelo)
    mean, deviation = moments(found)
    assert found.min() > 0
    assert found.sum() == pytest.approx(1)
    assert mean - 0.5 == pytest.approx(ratio_of(nelo, len(counts)) * deviation, abs=1e-8)


@given(
    st.lists(st.integers(0, 500), min_size=3, max_size=3).filter(any),
    st.sampled_from([-900, -60, -2, 5, 50, 700, 1e-5]),
)
@settings(deadline=None, max_examples=25)
def test_no_distribution_of_three_categories_is_likelier(counts, nelo):
    observed = shares(counts)
    likelihood = observed @ np.log(normalized(observed, nelo))
    assert likelihood >= best_of_three(observed, ratio_of(nelo, 3)) - 1e-9


@pytest.mark.parametrize("nelo", [-800, 20, 300])
@pytest.mark.parametrize("counts", [[0, 0, 5, 0, 0], [77, 1, 0, 0, 0], [9, 0, 0, 1, 40]])
def test_no_distribution_of_five_categories_that_an_optimiser_finds_is_likelier(counts, nelo):
    observed = shares(counts)
    likelihood = observed @ np.log(normalized(observed, nelo))
    with np.errstate(all="ignore"):
        assert likelihood >= best_of_many_starts(observed, ratio_of(nelo, 5), 2) - 1e-9


@pytest.mark.parametrize("model", [logistic, normalized])
@pytest.mark.parametrize("elo", [-30.0, 0.0, 40.0])
def test_many_matches_at_once_are_as_good_as_one_at_a_time(model, elo):
    counts = np.random.default_rng(2).multinomial(60, [0.1, 0.2, 0.3, 0.2, 0.2], size=(3, 4))
    together = model(np.array([[shares(match) for match in row] for row in counts]), elo)
    for index in np.ndindex(3, 4):
        assert together[index] == pytest.approx(model(shares(counts[index]), elo), abs=1e-9)


def test_the_bayesian_model_is_coulombs_of_one_match_and_of_many():
    observed = np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2], [0.1, 0.8, 0.1]])
    for (lost, _, won), found in zip(observed, bayesian(observed, 35.0), strict=True):
        margin = 200 * math.log10((1 - lost) / lost * (1 - won) / won)  # his drawelo
        wins, losses = (1 / (1 + 10 ** ((margin - elo) / 400)) for elo in (35.0, -35.0))
        assert found == pytest.approx([losses, 1 - wins - losses, wins])
    assert bayesian(observed[0], 35.0) == pytest.approx(bayesian(observed, 35.0)[0])


def test_equals_take_half_of_the_points():
    for categories in (3, 5):
        assert moments(normalized(np.full(categories, 1 / categories) ** 1.5 / 2, 0.0))[0] == pytest.approx(0.5)
        assert moments(normalized(shares([9, 1, 2, 3, 1][:categories]), 0.0))[0] == pytest.approx(0.5, abs=1e-9)


def test_a_value_of_mean_zero_changes_nothing():
    observed = shares([1, 2, 4, 2, 1])
    assert centred(observed, np.linspace(-1, 1, 5)) == pytest.approx(observed)


@pytest.mark.parametrize("nelo", [-3500, 3500, 778.26, 0.01])
@pytest.mark.parametrize("counts", [[0, 0, 2_000_000], [0, 3_650_412, 3, 0, 0], [2, 0, 0, 3_425_501, 224_912]])
def test_a_million_games_of_one_kind_are_no_trouble(counts, nelo):
    mean, deviation = moments(normalized(shares(counts), nelo))
    assert (mean - 0.5) / deviation == pytest.approx(ratio_of(nelo, len(counts)), rel=1e-4)
