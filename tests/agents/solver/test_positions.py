import numpy as np
import pytest
from slow_solver import SlowSolver

from agents.board import STANDARD, Board, Rules
from agents.solver.book import back_up, enumerate_positions, most_score


def levels_by_playing(rules, plies):
    """Return for each ply the positions that are not over, up to mirror image, as a slow enumeration finds them."""
    level = {Board(rules=rules)}
    yield level
    for _ in range(plies):
        children = {board.play(column) for board in level for column in board.legal_moves()}
        level = {min(board, board.mirror(), key=lambda side: side.key) for board in children if not board.outcome}
        yield level


def test_the_standard_board_has_the_known_numbers_of_positions():
    assert [len(level) for level in enumerate_positions(STANDARD, 8)] == [
        1, 4, 25, 121, 568, 2144, 8231, 27109, 91295,
    ]  # fmt: skip


@pytest.mark.parametrize("rules", [STANDARD, Rules(4, 3, 3), Rules(3, 3, 3), Rules(3, 4), Rules(2, 2, 2)], ids=str)
def test_positions_are_those_that_playing_finds(rules):
    for level, boards in zip(enumerate_positions(rules, 5), levels_by_playing(rules, 5), strict=True):
        assert {(int(own), int(opp)) for own, opp in zip(level.own, level.opp, strict=True)} == {
            (board.own, board.opp) for board in boards
        }
        assert list(level.key) == sorted(board.key for board in boards)


def test_a_position_is_found_from_either_side_of_the_mirror():
    level = enumerate_positions(STANDARD, 3)[3]
    for moves in ("123", "765", "444", "147"):
        board = Board.from_moves(moves)
        place = level.find(board.own, board.opp)
        assert place == level.find(board.mirror().own, board.mirror().opp)
        assert level.key[place] == min(board.key, board.mirror().key)
    with pytest.raises(KeyError):
        level.find(0, 0)


def test_a_position_is_worth_its_best_move():
    before, after = enumerate_positions(Rules(3, 3, 3), 4)[-2:]
    scores = np.arange(len(after), dtype=np.int8) % 3 - 1
    for place, score in enumerate(back_up(before, after, scores)):
        board = next(
            board
            for board in list(levels_by_playing(Rules(3, 3, 3), 3))[-1]
            if (board.own, board.opp) == (before.own[place], before.opp[place])
        )
        children = [board.play(column) for column in board.legal_moves()]
        won = most_score(before.rules, 3)
        assert score == max(won if child.outcome else -scores[after.find(child.own, child.opp)] for child in children)


@pytest.mark.parametrize("rules", [Rules(3, 3, 3), Rules(4, 2), Rules(2, 4, 3), Rules(5, 2, 5), Rules(1, 5)], ids=str)
def test_the_last_positions_of_a_small_board_have_an_empty_cell(rules):
    plies = rules.columns * rules.rows
    levels = enumerate_positions(rules, plies)
    assert len(levels[-1]) == 0  # a full board is over
    for level, boards in zip(levels, levels_by_playing(rules, plies), strict=True):
        assert sorted(level.key.tolist()) == sorted(board.key for board in boards)
        assert [level.ply] * len(level) == [
            (own | opp).bit_count() for own, opp in zip(level.own.tolist(), level.opp.tolist(), strict=True)
        ]
    scores = np.zeros(0, np.int8)
    for before, after in zip(levels[-2::-1], levels[:0:-1], strict=True):
        scores = back_up(before, after, scores)
    assert scores.tolist() == [SlowSolver(rules).score(0, 0)]
