"""Optimisers that are asked for the peak of a function."""

import math

import pytest
from needs import needed

from arena.measure.tuning import goals
from arena.measure.tuning.goals import Enough, maximise


@pytest.mark.parametrize("name", ["cmaes", "scipy"])
def test_an_optimiser_finds_a_peak_and_asks_the_same_again(name):
    if name == "cmaes":
        needed("cmaes")

    def asked(most):
        points = []

        def value(point):
            if len(points) == most:
                raise Enough
            points.append(tuple(point))
            return -((point[0] - 1.7) ** 2) - (point[1] + 0.4) ** 2

        maximise(value, [1.0, 1.0], name, 3)
        return points

    points = asked(400)
    assert points[0] == (1.0, 1.0)
    assert min(math.dist(point, (1.7, -0.4)) for point in points) < 0.1
    assert asked(50) == points[:50]


def test_who_is_asked_and_with_which_seed(monkeypatch):
    asked = []
    for name in ("_evolve", "_differ"):
        monkeypatch.setattr(goals, name, lambda value, start, seed, name=name: asked.append((name, start, seed)))
    valued = []
    for start, name, seed in (([1.0], "cmaes", 4), ([1.0, 2.0], "cmaes", 5), ([1.0, 2.0], "scipy", 6)):
        maximise(valued.append, start, name, seed)
    assert asked == [("_differ", [1.0], 4), ("_evolve", [1.0, 2.0], 5), ("_differ", [1.0, 2.0], 6)]
    assert valued == [[1.0], [1.0, 2.0], [1.0, 2.0]]  # the start comes first

    def enough(point):
        raise Enough

    maximise(enough, [1.0], "scipy", 1)
    assert len(asked) == 3


def test_one_number_is_left_to_scipy():
    seen = []

    def value(point):
        if len(seen) == 60:
            raise Enough
        seen.append(point[0])
        return -abs(point[0] - 2.0)

    maximise(value, [1.0], "cmaes", 1)
    assert min(abs(x - 2.0) for x in seen) < 0.2
