from grid import MOST_FOURS, nearly_full, open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import Board, Rules
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


def test_the_baselines_say_how_little_they_looked_at():
    full = Board.from_moves("111111")
    assert (Random().choose(full, Limits()).nodes, Random().choose(full, Limits()).depth) == (1, 0)
    found = Greedy().choose(full, Limits())
    assert (found.nodes, found.depth, found.pv, found.score) == (7, 1, (found.column,), None)


def test_greedy_takes_the_first_of_two_wins_and_stops_the_first_of_two():
    both = Board.from_moves("27364")  # columns 1 and 5 complete a line of 2, 3 and 4
    assert Greedy().choose(both, Limits()).column == 0
    mine = both.play(6)
    assert (Greedy().choose(mine, Limits()).column, Greedy().choose(mine, Limits()).score) == (0, WIN - 1)


def test_where_most_fours_win_greedy_makes_most_else_takes_most():
    rules = Rules(7, 6, most_fours=True)
    making = Board.from_moves("27364", rules)
    assert Greedy().choose(making.play(6), Limits()).column == 0
    assert Greedy().choose(making, Limits()).column == 0
    assert Greedy().choose(making, Limits()).score is None
    better = Board.from_moves("22335566171717", rules)  # column 1 makes one four, column 4 five in a row
    assert Greedy().choose(better, Limits()).column == 3


@given(st.one_of(nearly_full(MOST_FOURS), open_boards(MOST_FOURS)).filter(lambda board: board.outcome is None))
def test_greedy_takes_the_first_move_that_makes_most_fours_or_else_takes_most(board):
    answer = Greedy().choose(board, Limits())
    for side in (board, Board(board.rules, board.opp, board.own, board.ply + 1)):
        more = {column: sum(side.play(column).fours) - sum(side.fours) for column in board.legal_moves()}
        if any(more.values()):
            assert answer.column == max(more, key=more.get)
            break
    assert (answer.score, answer.nodes, answer.pv) == (None, 1 + len(board.legal_moves()), (answer.column,))


def test_a_four_that_is_there_is_no_reason_to_move_anywhere():
    made = Board.from_moves("12171611", Rules(7, 6, most_fours=True))  # a four in column 1, and nobody can make another
    assert made.fours == (1, 0)
    for board in (made, made.mirror()):
        agent, columns = Greedy(), set()
        for seed in range(60):
            agent.new_game(seed)
            columns.add(agent.choose(board, Limits()).column)
        assert columns == set(range(7))
