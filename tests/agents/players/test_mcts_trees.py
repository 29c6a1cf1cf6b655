import contextlib

import numpy as np
import pytest

from agents.agent import Limits
from agents.board import Board
from agents.players import mcts
from agents.players.mcts import Mcts
from agents.search import uct
from agents.search.control import BUDGET, NODES, STOP, UNLIMITED


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


def test_a_stop_reaches_every_thread_and_ends_with_the_move():
    agent = Mcts(playouts=60, threads=3)
    agent.stop()
    assert agent.control[:, STOP].tolist() == [1, 1, 1]
    found = agent.choose(Board(), Limits())
    assert agent.control[:, STOP].tolist() == [0, 0, 0]
    assert found.nodes == agent.control[:, NODES].sum() > 60 * 7


@pytest.mark.parametrize("threads", [1, 2])
def test_stopped_before_the_first_game_it_plays_the_column_nearest_the_centre(monkeypatch, threads):
    agent = Mcts(playouts=50, threads=threads)
    monkeypatch.setattr(mcts, "deadline", lambda seconds, stop: stop() or contextlib.nullcontext())
    found = agent.choose(Board.from_moves("444444"), Limits())
    assert (found.column, found.score, found.depth, found.pv) == (2, None, 0, (2,))
    assert found.nodes == threads  # the root of each tree


def test_each_thread_has_its_share_of_games_nodes_and_words(monkeypatch):
    asked = []

    def search(own, opp, playouts, c, order, tree, chance, control):
        asked.append((own, opp, playouts, c, order.tolist(), len(tree), chance.tolist(), int(control[BUDGET])))

    monkeypatch.setattr(uct, "build", lambda *rules: search)
    monkeypatch.setattr(mcts, "LARGEST_TREE", 300)
    agent, board = Mcts(playouts=20, threads=3, c=0.3), Board.from_moves("12")
    agent.new_game(8)
    agent.choose(board, Limits(nodes=50))
    size = uct.CHILDREN + 7
    told = sorted(asked, key=lambda each: (-each[2], -each[7]))
    assert [each[2] for each in told] == [7, 7, 6]
    assert sorted(each[7] for each in told) == [16, 17, 17]
    assert {each[:2] for each in told} == {(board.own, board.opp)}
    assert {each[5] for each in told} == {min(8 * size, 100), min(7 * size, 100)}
    assert told[0][3:5] == (0.3, [3, 2, 4, 1, 5, 0, 6])
    dice = [word for each in told for word in each[6]]
    assert len({*dice}) == 12
    assert all(0 < word < 1 << 32 for word in dice)
    asked.clear()
    agent.choose(board, Limits(nodes=2))
    assert sorted(each[7] for each in asked) == [1, 1]  # the third has nothing to do
    asked.clear()
    Mcts(threads=2).choose(board, Limits())
    assert [each[2] for each in asked] == [500, 500]
    asked.clear()
    Mcts(threads=1).choose(board, Limits(seconds=9.0))
    assert asked[0][2] == asked[0][7] == UNLIMITED
