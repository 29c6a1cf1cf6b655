import contextlib
import time

import numpy as np
import pytest
from grid import open_boards
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players import mcts
from agents.players.mcts import Mcts, _most_tried, _tried
from agents.search import uct

BOARDS = [STANDARD, Rules(5, 4)]
"""Boards on which other tests compile the same search."""
FULL = pytest.param([Rules(8, 7, 5)], marks=pytest.mark.compiles)
"""A board that fills the word."""


def choose(moves, seed=0, rules=STANDARD, limits=Limits(), **parameters):  # noqa: B008  it is immutable
    agent = Mcts(**parameters)
    agent.new_game(seed)
    return agent.choose(Board.from_moves(moves, rules), limits)


def wins_in_one(board):
    return [column for column in board.legal_moves() if str(board.play(column).outcome).endswith("won")]


def threats(board):
    """Return the columns in which the side that does not move would win."""
    return wins_in_one(Board(board.rules, board.opp, board.own, board.ply + 1))


@pytest.mark.parametrize("threads", [1, 2])
def test_it_compiles_before_a_game_what_it_searches_with_under_these_rules(monkeypatch, threads):
    built, searched = [], []
    monkeypatch.setattr(uct, "build", lambda *sizes: built.append(sizes) or (lambda *given: searched.append(sizes)))
    for rules, sizes in ((Rules(5, 4, 3), (5, 4, 3, 3)), (Rules(8, 7, most_fours=True), (8, 7, 4, 0))):
        agent = Mcts(threads=threads)
        agent.prepare(rules)
        assert built == [sizes]
        agent.choose(Board(rules), Limits())
        assert {*built} == {sizes}
        assert searched == [sizes] * threads
        built.clear()
        searched.clear()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("moves", ["112233", "121212", "445566", "737271"])
def test_it_finds_mate_in_one_at_200_playouts(moves, seed):
    found = choose(moves, seed, playouts=200)
    assert found.column in wins_in_one(Board.from_moves(moves))
    assert found.score == 1000


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("moves", ["11223", "12121", "4342645", "63563437632324425"])
def test_it_blocks_mate_in_one_at_200_playouts(moves, seed):
    board = Board.from_moves(moves)
    assert not wins_in_one(board)
    assert [choose(moves, seed, playouts=200).column] == threats(board)


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_a_double_threat(seed):
    found = choose("4455", seed, playouts=1000)
    assert found.column in {1, 2, 5}
    assert found.score > 900


def test_a_lost_position_scores_no_point():
    assert choose("33445", playouts=500).score == -1000


def test_the_last_empty_cell_is_a_draw():
    found = choose("54712566226127126621574377157631535333444")
    assert (found.column, found.score, found.pv) == (3, 0, (3,))


def test_the_same_seed_gives_the_same_answer_and_another_seed_another():
    assert choose("44", seed=5, playouts=300) == choose("44", seed=5, playouts=300)
    assert len({choose("44", seed=seed, playouts=300).nodes for seed in range(5)}) > 1


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_games_and_give_the_same_answer_each_time(threads):
    alone, found = choose("44", seed=5, playouts=300), choose("44", seed=5, playouts=300, threads=threads)
    assert found == choose("44", seed=5, playouts=300, threads=threads)
    assert found != alone
    assert 0.5 * alone.nodes < found.nodes < 2 * alone.nodes  # three small trees end sooner than a large one
    board = Board.from_moves("44")
    for column in found.pv:
        board = board.play(column)


def test_threads_add_up_what_their_trees_saw():
    trees = [np.zeros(30, np.int64), np.zeros(30, np.int64)]
    for tree, column, visits, points in ((trees[0], 1, 5, 4), (trees[1], 1, 3, 6), (trees[1], 2, 6, 12)):
        at = 10 * column
        tree[uct.CHILDREN + column] = at
        tree[at + uct.VISITS], tree[at + uct.POINTS] = visits, points
    assert _tried(trees, [0, 0], 1) == (8, 10)
    assert _most_tried(trees, np.array([2, 1, 0])) == [1]


@pytest.mark.parametrize("nodes", [1, 2, 3, 100])
def test_a_budget_is_spent_to_the_last_node_by_any_number_of_threads(nodes):
    assert choose("44", threads=3, limits=Limits(nodes=nodes)).nodes == nodes
    assert choose("44", threads=3, playouts=2).column in range(7)


def test_an_answer_does_not_depend_on_the_moves_before_it():
    agent = Mcts(playouts=100)
    agent.new_game(3)
    agent.choose(Board(), Limits())
    board = Board.from_moves("4")
    assert agent.choose(board, Limits()) == choose("4", seed=3, playouts=100)


def test_more_playouts_visit_more_positions():
    few, many = (choose("", playouts=playouts).nodes for playouts in (50, 100))
    assert 50 * 7 < few < many < 100 * 42


def test_the_middle_is_the_best_first_move():
    assert choose("", playouts=20_000 if JIT else 500).column == 3


@pytest.mark.parametrize("boards", [BOARDS, FULL])
@given(data=st.data(), budget=st.integers(1, 300), seed=st.integers(0, 9))
@settings(max_examples=50)
def test_a_budget_of_nodes_is_spent_to_the_last_one(boards, data, budget, seed):
    agent, board = Mcts(), data.draw(open_boards(boards))
    agent.new_game(seed)
    found = agent.choose(board, Limits(nodes=budget))
    assert found.nodes == budget
    assert found.column == found.pv[0]
    for column in found.pv:
        board = board.play(column)


@given(open_boards(BOARDS))
@settings(max_examples=50)
def test_wins_in_one_are_taken_on_every_board(board):
    found = Mcts(playouts=150).choose(board, Limits())
    if wins_in_one(board):
        assert found.column in wins_in_one(board)


def test_a_deadline_is_held():
    began = time.perf_counter()
    found = choose("", seconds=0.1)
    assert 0.09 < time.perf_counter() - began < 2
    assert found.nodes > 100


def test_a_full_tree_is_searched_on(monkeypatch):
    monkeypatch.setattr("agents.players.mcts.LARGEST_TREE", 10 * 20)
    found = choose("112233", playouts=400)
    assert (found.column, found.score) == (3, 1000)
    assert choose("44", playouts=400).nodes > 400 * 10


def test_a_limit_of_the_game_takes_the_place_of_the_thousand_playouts():
    thousand = choose("").nodes
    assert choose("", limits=Limits(nodes=2 * thousand)).nodes == 2 * thousand


@pytest.mark.skipif(not JIT, reason="uncompiled, a thousand playouts take longer than the deadline")
def test_it_keeps_the_tighter_of_its_own_time_and_the_games():
    for own, game in ((5.0, 0.1), (0.1, 5.0)):
        began = time.perf_counter()
        found = choose("", seconds=own, limits=Limits(seconds=game))
        assert 0.09 < time.perf_counter() - began < 4
        assert found.nodes > 0
    assert choose("", limits=Limits(seconds=0.2)).nodes > choose("", playouts=1000).nodes


@pytest.mark.parametrize(("own", "game"), [(500.0, 300.0), (300.0, 500.0), (None, 300.0), (300.0, None)])
def test_the_tighter_of_two_times_is_its_deadline(monkeypatch, own, game):
    asked = []
    monkeypatch.setattr(mcts, "deadline", lambda seconds, _: asked.append(seconds) or contextlib.nullcontext())
    choose("", seconds=own, playouts=10, limits=Limits(seconds=game))
    assert asked == [pytest.approx(300.0, abs=60.0)]


@pytest.mark.parametrize(
    ("moves", "rules", "words", "answer"),
    [
        ("", STANDARD, {}, (3, 328, 6338, (3, 6, 2, 3, 3))),
        ("4453", STANDARD, {}, (4, 275, 4704, (4, 5, 3, 3))),
        ("4453", STANDARD, {"c": 2.0}, (6, 687, 3779, (6, 5, 4, 3))),
        ("4453", STANDARD, {"threads": 3}, (5, 443, 4145, (5, 6, 2, 3))),
        ("12", Rules(5, 4), {}, (4, 62, 4586, (4, 1, 1, 1, 2))),
    ],
)
def test_three_hundred_games_of_one_seed_bring_this_answer(moves, rules, words, answer):
    """As computed: whatever changes a bound, a random number or the order of moves changes these."""
    found = choose(moves, seed=7, rules=rules, playouts=300, **words)
    assert (found.column, found.score, found.nodes, found.pv) == answer
