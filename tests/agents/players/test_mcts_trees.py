import numpy as np
import pytest

from agents.agent import Limits
from agents.board import Board
from agents.players import mcts
from agents.players.mcts import Mcts
from agents.search import uct


def test_the_score_is_the_moves_points_in_thousandths_and_the_line_begins_with_it():
    agent = Mcts(playouts=300)
    found = agent.choose(Board.from_moves("4"), Limits())
    assert found.pv[0] == found.column
    assert found.score is not None
    assert -1000 < found.score < 1000
    assert Mcts(playouts=50).choose(Board.from_moves("112233"), Limits()).score == 1000
    assert found.depth == 0


@pytest.mark.parametrize(("total", "threads", "shares"), [(7, 3, [3, 2, 2]), (6, 3, [2, 2, 2]), (1, 2, [1, 0])])
def test_threads_have_shares_as_equal_as_can_be(total, threads, shares):
    assert mcts._shares(total, threads) == shares


def test_the_line_follows_what_all_trees_tried_most_and_of_equals_the_first_in_the_order():
    size = uct.CHILDREN + 3

    def tree(*nodes):
        """Return a tree of nodes (visits, points, children's places in nodes by column)."""
        found = np.zeros(size * len(nodes), np.int64)
        for at, (visits, points, children) in enumerate(nodes):
            found[size * at + uct.VISITS], found[size * at + uct.POINTS] = visits, points
            for column, child in children.items():
                found[size * at + uct.CHILDREN + column] = size * child
        return found

    one = tree((9, 0, {0: 1, 1: 2}), (5, 4, {2: 3}), (4, 6, {}), (3, 1, {}))
    two = tree((6, 0, {1: 1, 2: 2}), (3, 5, {0: 3}), (3, 2, {}), (2, 2, {}))
    order = np.array([1, 2, 0], np.int64)
    assert mcts._tried([one, two], [0, 0], 1) == (7, 11)
    assert mcts._tried([one, two], [0, None], 1) == (4, 6)
    assert mcts._tried([one, two], [0, 0], 0) == (5, 4)
    assert mcts._most_tried([one, two], order) == [1, 0]
    assert mcts._most_tried([one], order) == [0, 2]
    alike = tree((4, 0, {0: 1, 2: 2}), (2, 1, {}), (2, 3, {}))
    assert mcts._most_tried([alike], order) == [2]
    assert mcts._most_tried([tree((1, 0, {}))], order) == []
