from grid import open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import Board
from agents.players.simple import Greedy, Random
from agents.score import WIN


@given(open_boards(), st.integers(0, 99))
def test_random_plays_any_legal_column_and_the_seed_decides_which(board, seed):
    agent = Random()
    agent.new_game(seed)
    chosen = [agent.choose(board, Limits()).column for _ in range(50)]
    assert set(chosen) <= set(board.legal_moves())
    agent.new_game(seed)
    assert [agent.choose(board, Limits()).column for _ in range(50)] == chosen


def test_random_leaves_no_column_out():
    agent = Random()
    assert {agent.choose(Board(), Limits()).column for _ in range(500)} == set(range(7))


@given(open_boards())
def test_greedy_wins_where_it_can_and_else_blocks(board):
    answer = Greedy().choose(board, Limits())
    wins = [column for column in board.legal_moves() if winner_after(board, column) == board.mover]
    passed = Board(board.rules, board.opp, board.own, board.ply + 1)
    threats = [column for column in board.legal_moves() if winner_after(passed, column) == passed.mover]
    assert answer.column in (wins or threats or board.legal_moves())
    assert answer.score == (WIN - 1 if wins else None)


def winner_after(board, column):
    outcome = board.play(column).outcome
    return None if outcome is None else outcome.winner
