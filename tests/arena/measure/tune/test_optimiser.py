"""The optimiser, asked for the peak of a function."""

import math

from arena.measure.tuning.goals import Enough, maximise


def asked(most, start, worth):
    points = []

    def value(point):
        if len(points) == most:
            raise Enough
        points.append(tuple(point))
        return worth(*point)

    maximise(value, start, 3)
    return points


def test_it_finds_a_peak_from_the_start_and_asks_the_same_again():
    def worth(x, y):
        return -((x - 1.7) ** 2) - (y + 0.4) ** 2

    points = asked(400, [1.0, 1.0], worth)
    assert points[0] == (1.0, 1.0)
    assert min(math.dist(point, (1.7, -0.4)) for point in points) < 0.1
    assert asked(50, [1.0, 1.0], worth) == points[:50]


def test_one_number_is_searched_too():
    points = asked(60, [1.0], lambda x: -abs(x - 2.0))
    assert min(abs(x - 2.0) for (x,) in points) < 0.2
