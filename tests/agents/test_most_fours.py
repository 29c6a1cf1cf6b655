"""The game that goes on after a four until the board is full, and that most fours win: board, rules and drawing."""

import pytest
from grid import MOST_FOURS, Grid, nearly_full
from hypothesis import given
from samples import moves_of, over, published

from agents.agent import Limits
from agents.board import STANDARD, Board, IllegalMove, Outcome, Rules, moves_text
from agents.errors import InputError
from agents.players.simple import Greedy
from agents.players.smart_connect4 import POINTS
from agents.score import WIN, of_outcome

RULES = Rules(most_fours=True)
SMALL = Rules(4, 4, 3, most_fours=True)
BOARDS = [*MOST_FOURS, SMALL]
TIE = "3333121442144122"
"""Two threes each."""


@over("row", published("smart_fours"), moves_of)
def test_fours_are_counted_as_the_published_program_counts_its_points(row):
    first, second = Board.from_moves(row["moves"], RULES).fours
    assert (first, second) == (int(row["first"]), int(row["second"]))
    assert {name: points * (first - second) for name, points in POINTS.items()} == {
        name: int(row[name]) for name in POINTS
    }


@given(nearly_full(BOARDS))
def test_a_full_board_is_won_by_whoever_has_more_fours(board):
    grid = Grid(board.rules, board.moves)
    assert board.fours == (len(grid.fours(0)), len(grid.fours(1)))
    assert (board.outcome is not None) == grid.is_full()
    assert board.legal_moves() == tuple(grid.legal())
    if board.outcome is not None:
        assert board.outcome.winner == grid.winner()
        assert board.mirror().outcome is board.outcome


@pytest.mark.parametrize(("moves", "fours"), [("1727374", (1, 0)), ("172737415", (2, 0)), ("17273741516", (3, 0))])
def test_five_in_a_row_are_two_fours_and_six_are_three(moves, fours):
    assert Board.from_moves(moves, RULES).fours == fours


def test_one_disc_can_make_several_fours():
    before = Board.from_moves("442746216621611554546357", RULES)
    assert [sum(before.play(column).fours) for column in range(7)] == [0, 1, 3, 0, 1, 0, 0]
    answer = Greedy().choose(before, Limits())
    assert (answer.column, answer.score) == (2, None)
    passed = Board(RULES, before.opp, before.own, before.ply + 1)
    assert Greedy().choose(passed, Limits()).column == 2


def test_the_game_goes_on_after_a_four_where_it_ended_before():
    with pytest.raises(IllegalMove, match="move 8: the game is already over"):
        Board.from_moves("41526372", STANDARD)
    board = Board.from_moves("41526372", RULES)
    assert board.outcome is None
    assert board.fours == (1, 0)


def test_a_tie_is_a_draw_and_the_game_is_over():
    board = Board.from_moves(TIE, SMALL)
    assert (board.fours, board.outcome) == ((2, 2), Outcome.DRAW)
    assert of_outcome(board, 3) == 0
    with pytest.raises(IllegalMove, match=r"the game is already over \(draw at move 16\)"):
        board.play(0)


@given(nearly_full(BOARDS, most=0))
def test_a_finished_game_is_worth_what_its_fours_say_to_the_side_to_move(board):
    own, opp = board.fours[board.mover], board.fours[1 - board.mover]
    assert of_outcome(board, 5) == (0 if own == opp else WIN - 5 if own > opp else 5 - WIN)


def test_every_four_is_marked_and_the_last_disc_keeps_its_brackets():
    lines = str(Board.from_moves("1122334455", RULES)).split("\n")
    assert lines[-3:-1] == ["*O**O**O**O*[O] .  .", "*X**X**X**X**X* .  ."]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("most-fours", RULES),
        ("standard", STANDARD),
        ("7x6:most-fours", RULES),
        ("5x4x3:most-fours", Rules(5, 4, 3, most_fours=True)),
        ("5x4x3:standard", Rules(5, 4, 3)),
    ],
)
def test_rules_are_read_as_they_are_written(text, rules):
    assert Rules.parse(text) == rules
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7x6:most-four", "'most-four': did you mean most-fours?"),
        ("7x6:", "'': there are most-fours, standard"),
        ("most-four", "board 'most-four' is not COLUMNSxROWS or COLUMNSxROWSxCONNECT, such as 7x6x4"),
        (":most-fours", "board ':most-fours' is not COLUMNSxROWS or COLUMNSxROWSxCONNECT, such as 7x6x4"),
    ],
)
def test_what_are_no_rules_is_refused(text, message):
    with pytest.raises(InputError) as error:
        Rules.parse(text)
    assert str(error.value).endswith(message)


def test_a_board_under_other_rules_is_another_board():
    assert Board.from_moves("44", RULES) != Board.from_moves("44")
    assert moves_text(Board.from_moves("1212121", RULES).moves) == "1212121"
