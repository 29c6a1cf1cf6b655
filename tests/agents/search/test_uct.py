"""The choice of a move on trees made by hand: columns 0, 1 and 2, of a node that was visited as often as they all."""

import numpy as np
import pytest

from agents.jit.compiler import jit
from agents.search.uct import CHILDREN, OVER, POINTS, VISITS, choice, draw

COLUMNS, HEIGHT = 3, 5
ALL = 1 | 1 << HEIGHT | 1 << 2 * HEIGHT
"""The cells of the bottom row."""


SIZE = CHILDREN + COLUMNS


@jit()
def chosen(tree, at, order, playable, c):
    return choice(tree, at, order, playable, 15, HEIGHT, c)


def tree_of(*children):
    """Return a root, visited often, and at SIZE a node over children of (visits, points), None where not tried."""
    tree = np.zeros((2 + len(children)) * SIZE, np.int64)
    tree[VISITS] = 1 << 40
    for column, child in enumerate(children):
        if child is not None:
            at = (2 + column) * SIZE
            tree[SIZE + CHILDREN + column] = at
            tree[at + VISITS], tree[at + POINTS], tree[at + OVER] = *child, -1
            tree[SIZE + VISITS] += child[0]
    return tree


def choose(*children, c=0.7, order=(0, 1, 2), playable=ALL):
    return chosen(tree_of(*children), SIZE, np.array(order, np.int64), playable, c)


def test_a_move_that_was_not_tried_comes_first_in_the_order():
    assert choose((9, 18), None, None) == 1
    assert choose((9, 18), None, None, order=(2, 1, 0)) == 2


def test_without_curiosity_the_best_mean_wins():
    assert choose((100, 120), (10, 15), (50, 70), c=0.0) == 1


def test_of_equal_means_the_one_tried_least_is_chosen():
    assert choose((20, 20), (10, 10), (30, 30)) == 1


def test_of_equal_moves_the_first_in_the_order_is_chosen():
    assert choose((5, 5), (5, 5), (5, 5), order=(2, 0, 1)) == 2


def test_a_full_column_is_no_choice():
    assert choose((1, 2), (50, 10), None, playable=1 << HEIGHT) == 1


@pytest.mark.parametrize(("c", "column"), [(0.6, 0), (0.7, 1)])
def test_points_count_from_nothing_to_one_beside_the_bound(c, column):
    # Means of 0.8 and 0.25 out of 1; the bounds are c times 0.225 and 1.066 above, which is even at c = 0.654.
    assert choose((90, 144), (4, 2), None, c=c, playable=1 | 1 << HEIGHT) == column


@jit()
def drawn(chance):
    return draw(chance)


def test_random_numbers_are_those_of_marsaglias_paper():
    """The words that it begins with; the first number is widely published."""
    chance = np.array([123456789, 362436069, 521288629, 88675123], np.int64)
    assert [drawn(chance) for _ in range(5)] == [3701687786, 458299110, 2500872618, 3633119408, 516391518]
