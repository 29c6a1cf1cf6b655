import numpy as np
import pytest
from scipy.special import expit

from arena.statistics import bradley_terry
from arena.statistics.bradley_terry import (
    advantage_shows,
    apart,
    covariance,
    estimate,
    gradients,
    information,
    virtual_games,
)

GAMES = np.array([[0.0, 4.0, 0.0], [4.0, 0.0, 3.0], [0.0, 2.0, 0.0]])
POINTS = np.array([[0.0, 3.5, 0.0], [1.0, 0.0, 2.0], [0.0, 0.5, 0.0]])
STRENGTHS = np.array([0.4, -0.1, -0.3, 0.2])
"""Three agents, the outer two of whom never met, and what moving first is worth."""


def likelihood(strengths, points=POINTS, games=GAMES):
    """Return the logarithm of the likelihood, game by game."""
    total = 0.0
    for i, j in zip(*games.nonzero(), strict=True):
        chance = expit(strengths[i] - strengths[j] + strengths[-1])
        total += points[i, j] * np.log(chance) + (games[i, j] - points[i, j]) * np.log(1.0 - chance)
    return total


def slope(at, place, step=1e-5):
    unit = step * np.eye(4)[place]
    return (likelihood(at + unit) - likelihood(at - unit)) / (2 * step)


def test_gradients_are_the_slopes_of_the_likelihood():
    found = gradients(POINTS[None], GAMES[None], STRENGTHS[None], advantage=True)[0]
    assert found == pytest.approx([slope(STRENGTHS, place) for place in range(4)], abs=1e-6)
    without = gradients(POINTS[None], GAMES[None], STRENGTHS[None], advantage=False)[0]
    assert without == pytest.approx([*found[:3], 0.0])


def test_the_covariance_is_the_inverse_of_how_the_slopes_bend():
    step, eye = 1e-4, np.eye(4)
    bent = [
        [(slope(STRENGTHS - step * eye[i], j) - slope(STRENGTHS + step * eye[i], j)) / (2 * step) for j in range(4)]
        for i in range(4)
    ]
    found = covariance(GAMES, STRENGTHS, advantage=True)
    assert found == pytest.approx(np.linalg.pinv(np.array(bent), rcond=1e-5), rel=1e-3, abs=1e-3)
    without = covariance(GAMES, STRENGTHS, advantage=False)
    assert without[3] == pytest.approx(np.zeros(4))
    assert without[:, 3] == pytest.approx(np.zeros(4))
    assert without[:3, :3] == pytest.approx(np.linalg.pinv(np.array(bent)[:3, :3], rcond=1e-5), rel=1e-3, abs=1e-3)


def test_what_several_samples_tell_is_told_of_each_by_its_games():
    games = np.array([GAMES, 3.0 * GAMES.T, np.triu(GAMES)])
    strengths = np.array([STRENGTHS, -STRENGTHS, 0.0 * STRENGTHS])
    for advantage in (True, False):
        together = information(games, strengths, advantage=advantage)
        for place in range(3):
            alone = information(games[[place]], strengths[[place]], advantage=advantage)
            assert together[place] == pytest.approx(alone[0])
        pulls = gradients(games / 3, games, strengths, advantage=advantage)
        assert pulls[1] == pytest.approx(gradients(games[1:2] / 3, games[1:2], strengths[1:2], advantage=advantage)[0])
    points = games * np.array([0.4, 0.7, 0.5])[:, None, None]
    found, held = estimate(points[:2], games[:2], np.zeros(4), GAMES, advantage=True)
    assert not held.any()
    for place in range(2):
        alone = estimate(points[[place]], games[[place]], np.zeros(4), GAMES, advantage=True)[0]
        assert found[place] == pytest.approx(alone[0])


def test_groups_are_moved_apart_by_their_games_against_each_other_and_half_a_draw_of_each_two_that_met():
    """Of three groups the first takes all from the second, which draws with the third; two agents never met."""
    groups = np.kron(np.diag([1.0, 1.0, 0.0]), np.ones((2, 2)))[:5, :5] + np.diag([0.0] * 4 + [1.0])
    games, points, outside = np.zeros((5, 5)), np.zeros((5, 5)), np.eye(3)[[0, 0, 1, 1, 2]]
    results = ((0, 1, 9, 5), (0, 2, 4, 4), (3, 1, 3, 0), (1, 2, 2, 2), (2, 4, 6, 3), (2, 3, 8, 2))
    for first, second, number, made in results:
        games[first, second], points[first, second] = number, made
    start = np.array([0.25, -0.25, -0.5, 0.5, 0.0, 0.3])
    found = apart(points, games, start, groups)
    assert (found[0] - found[1], found[3] - found[2], found[5]) == pytest.approx((0.5, 1.0, 0.3))
    virtual = virtual_games(games)
    more = points + virtual / 2 - (games + virtual) * expit(found[:5, None] - found[:5] + found[5])
    more *= 1.0 - groups
    assert (more.sum(axis=1) - more.sum(axis=0)) @ outside == pytest.approx(np.zeros(3), abs=1e-6)
    assert (found - start)[[0, 2, 4]].sum() == pytest.approx(0.0, abs=1e-6)
    assert found[0] > found[2] + 1.0


def test_half_a_virtual_draw_is_played_by_each_two_that_met_whoever_moved_first():
    met = np.array([[5.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 7.0, 0.0]])
    assert virtual_games(met).tolist() == [[0.0, 0.25, 0.0], [0.25, 0.0, 0.25], [0.0, 0.25, 0.0]]


def test_who_never_met_is_held_by_no_draws_of_the_two():
    games = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 2.0], [0.0, 2.0, 0.0]])
    points = np.triu(games)  # the first beats the second, and the second the third, whoever moves first
    found, held = estimate(points[None], games[None], np.zeros(4), games, advantage=False)
    assert held.all()
    assert found[0] == pytest.approx([np.log(17.0), 0.0, -np.log(17.0), 0.0])  # 4.25 of 4.5 points


@pytest.mark.parametrize("advantage", [True, False])
def test_who_takes_all_is_held_by_draws_that_count_for_both(advantage):
    games = np.array([[0.0, 6.0, 6.0], [6.0, 0.0, 6.0], [6.0, 6.0, 0.0]])
    points = np.array([[0.0, 6.0, 6.0], [0.0, 0.0, 4.0], [0.0, 3.0, 0.0]])
    found, held = estimate(points[None], games[None], np.zeros(4), games, advantage=advantage)
    assert held.tolist() == [True]
    virtual = virtual_games(games)
    left = gradients((points + virtual / 2)[None], (games + virtual)[None], found, advantage=advantage)
    assert left == pytest.approx(np.zeros((1, 4)), abs=1e-6)
    assert found[0, :3].sum() == pytest.approx(0.0, abs=1e-6)
    assert found[0, 0] < 6.0


def test_only_samples_without_a_maximum_are_held():
    games = np.broadcast_to(np.array([[0.0, 8.0], [8.0, 0.0]]), (3, 2, 2))
    points = np.array([[[0.0, 6.0], [2.0, 0.0]], [[0.0, 8.0], [0.0, 0.0]], [[0.0, 2.0], [6.0, 0.0]]])
    found, held = estimate(points, games, np.zeros(3), games[0], advantage=True)
    assert held.tolist() == [False, True, False]
    assert found[0] == pytest.approx([np.log(3) / 2, -np.log(3) / 2, 0.0])
    assert found[2] == pytest.approx([-np.log(3) / 2, np.log(3) / 2, 0.0])


@pytest.mark.parametrize(("apart", "held"), [(12.0, False), (17.0, False), (20.5, True)])
def test_only_who_met_must_not_be_further_apart_than_games_can_tell(apart, held):
    games, many = np.zeros((1, 3, 3)), 1e10
    games[0, 0, 1] = games[0, 1, 0] = games[0, 1, 2] = games[0, 2, 1] = many
    points = np.zeros((1, 3, 3))
    points[0, 0, 1] = points[0, 1, 2] = many * expit(apart)  # the outer two never met
    points[0, 1, 0] = points[0, 2, 1] = many * expit(-apart)
    found = estimate(points, games, np.zeros(4), games[0], advantage=False)
    assert found[1].tolist() == [held]
    assert found[0][0] == pytest.approx([apart, 0.0, -apart, 0.0], abs=1e-3) or held


def test_the_advantage_shows_where_somebody_moved_first_against_one_and_second_against_the_same():
    assert advantage_shows(np.array([[0.0, 3.0], [1.0, 0.0]]))
    assert not advantage_shows(np.array([[0.0, 3.0], [0.0, 0.0]]))
    around = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 2.0], [2.0, 0.0, 0.0]])
    assert advantage_shows(around)  # in a circle nobody can be ahead of the next one
    assert advantage_shows(np.array([[1.0, 3.0], [0.0, 0.0]]))  # a game against itself tells of nothing else


def test_a_fit_that_has_not_arrived_is_held_by_virtual_draws(monkeypatch):
    points, games = np.array([[[0.0, 36.0], [4.0, 0.0]]]), np.array([[[0.0, 40.0], [40.0, 0.0]]])
    start = np.array([-7.0, 7.0, 4.0])
    assert not estimate(points, games, start, games[0], advantage=True)[1][0]
    monkeypatch.setattr(bradley_terry, "_STEPS", 2)
    assert estimate(points, games, start, games[0], advantage=True)[1][0]
