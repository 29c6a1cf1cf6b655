import contextlib

import pytest
from grid import games
from hypothesis import given
from hypothesis import strategies as st

from agents.board import Board, Rules, moves_text
from agents.errors import InputError
from arena.games.seats import player
from arena.plugins.play.command_terminal import WORDS, Dialogue, Screen, parse_order

pytestmark = pytest.mark.usefixtures("here")


def game(moves="", person=0):
    return Dialogue(Board.from_moves(moves), person, [], Screen(err=True, colour=False), 1)


def test_a_digit_is_a_column_and_a_word_a_word():
    assert parse_order(" 4 \n", Board()) == 3
    assert parse_order("10", Board(Rules(10, 5))) == 9
    assert parse_order("UNDO", Board()) == "undo"


@pytest.mark.parametrize("name", WORDS)
def test_a_word_may_be_cut_to_its_beginning(name):
    assert parse_order(name[:2].upper(), Board()) == name
    assert len(name) + len(WORDS[name]) + 2 <= 40


@pytest.mark.parametrize(
    ("line", "moves", "answer"),
    [
        ("9", "", "Sorry, column 9 does not exist (1 to 7). You can play 1, 2, 3, 4, 5, 6, 7."),
        ("0", "", "Sorry, column 0 does not exist (1 to 7). You can play 1, 2, 3, 4, 5, 6, 7."),
        ("4", "444444", "Sorry, column 4 is full. You can play 1, 2, 3, 5, 6, 7."),
        ("", "", "Please type a column from 1 to 7, or help."),
        ("hnit", "", "Sorry, I do not know 'hnit'. Please type a column from 1 to 7, or help."),
        ("-3", "", "Sorry, I do not know '-3'. Please type a column from 1 to 7, or help."),
        ("4 5", "", "Sorry, I do not know '4 5'. Please type a column from 1 to 7, or help."),
        ("²", "", "Sorry, I do not know '²'. Please type a column from 1 to 7, or help."),
        ("1", "1212121", "The game is over. Type new, undo or quit."),
    ],
)
def test_wrong_input_gets_a_kind_answer(line, moves, answer):
    with pytest.raises(InputError) as error:
        parse_order(line, Board.from_moves(moves))
    assert str(error.value) == answer


@given(st.text(max_size=60), games())
def test_whatever_is_typed_is_an_order_or_gets_an_answer(line, grid):
    board = Board.from_moves(moves_text(grid.moves, grid.rules), grid.rules)
    with contextlib.suppress(InputError):
        order = parse_order(line, board)
        assert order in WORDS or order in board.legal_moves()


@pytest.mark.parametrize(
    ("moves", "person", "after"),
    [
        ("4", 0, ""),
        ("44", 0, ""),
        ("4453", 0, "44"),
        ("445", 1, "4"),
        ("44531", 1, "445"),
        ("1212121", 0, "121212"),
        ("21212171", 1, "2121217"),
        ("21212171", 0, "212121"),
    ],
)
def test_undo_goes_back_to_before_the_persons_last_move(moves, person, after):
    dialogue = game(moves, person)
    dialogue.undo()
    assert dialogue.board.text == after


@pytest.mark.parametrize(("moves", "person"), [("", 0), ("", 1), ("4", 1)])
def test_there_is_nothing_to_undo_before_the_persons_first_move(moves, person):
    with pytest.raises(InputError, match=r"^There is no move of yours to take back\.$"):
        game(moves, person).undo()


def test_two_agents_are_waited_for_before_each_move():
    waits = []
    board, screen = Board.from_moves("11224", Rules(4, 4)), Screen(err=True, colour=False)
    dialogue = Dialogue(board, None, [player("greedy"), player("greedy")], screen, 1)
    dialogue.watch(lambda: waits.append(dialogue.board.ply))
    assert waits == [*range(5, dialogue.board.ply)]
