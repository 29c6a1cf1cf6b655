"""What a search says of wins, losses and full boards near by."""

import random

from searched import choose, searcher_on

from agents.agent import Limits
from agents.board import STANDARD, Board
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import WIN
from agents.search import compiled as prepared


def test_a_win_in_one_is_seen_and_the_sooner_win_is_taken():
    found = choose(Board.from_moves("112233"), depth=5)
    assert (found.score, found.column, found.pv) == (WIN - 1, 3, (3,))


def test_a_loss_that_cannot_be_averted_counts_its_plies():
    # The first player has 3, 4 and 5 on the bottom row with both ends open: the second can block one of them.
    for depth in (2, 3, 6):
        assert choose(Board.from_moves("33445"), depth=depth).score == 2 - WIN


def test_a_full_board_is_a_draw_whatever_the_heuristic_says():
    board = Board.from_moves("16324626147173444562435616551155333722277")
    full = board.play(6)
    assert prepared.heuristic("smart-simple", STANDARD).evaluate(full.own, full.opp) != 0
    for depth in (1, 2, 9):
        found = Searcher(depth=depth, heuristic="smart-simple").choose(board, Limits())
        assert (found.score, found.column, found.nodes, found.pv) == (0, 6, 2, (6,))


def test_a_table_that_is_kept_changes_nothing_where_wins_are_near():
    # Wins count from the root, and their distances differ from one search to the next: the table must allow for that.
    chance = random.Random(5)
    tabled, plain = searcher_on(STANDARD, table=True, deepening=True), searcher_on(STANDARD)
    tabled.new_game(0)
    for _ in range(50 if JIT else 10):
        board = Board()
        plies = chance.randrange(10 if JIT else 22, 32)
        while board.outcome is None and board.ply < plies:
            board = board.play(chance.choice(board.legal_moves()))
        while board.outcome is None:
            depth = 8 if JIT else 6
            found, expected = tabled.choose(board, Limits(depth)), plain.choose(board, Limits(depth))
            assert (found.score, found.column) == (expected.score, expected.column), board.text
            board = board.play(found.column)
