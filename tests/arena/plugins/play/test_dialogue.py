import contextlib
from types import SimpleNamespace as Row

import pytest
from grid import games
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.board import Board, Rules, moves_text
from agents.errors import InputError
from arena.games.seats import player
from arena.plugins.play.command_terminal import KEPT_LINES, WORDS, Dialogue, Screen, parse_order
from arena.records import MoveRecord

from .letters import CONTROLS, VISIBLE

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
        ("x" * 21, "", f"Sorry, I do not know {'x' * 20!r}. Please type a column from 1 to 7, or help."),
        ("9" * 5000, "", "Sorry, column 999999999 does not exist (1 to 7). You can play 1, 2, 3, 4, 5, 6, 7."),
        ("²", "", "Sorry, I do not know '²'. Please type a column from 1 to 7, or help."),
        ("1", "1212121", "The game is over. Type new, undo or quit."),
    ],
)
def test_wrong_input_gets_a_kind_answer(line, moves, answer):
    with pytest.raises(InputError) as error:
        parse_order(line, Board.from_moves(moves))
    assert str(error.value) == answer


@settings(max_examples=30)
@given(st.text(VISIBLE + CONTROLS, max_size=60), games())
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


@pytest.mark.parametrize("order", ["new", "undo"])
def test_a_game_goes_on_from_its_beginning_on_its_board_which_is_shown(capsys, order):
    rules = Rules(5, 4)
    seat = Row(name="a", ready=lambda *_: None)
    dialogue = Dialogue(Board.from_moves("12", rules), 0, [seat], Screen(err=True, colour=False), 1)
    dialogue.obey(order)
    assert dialogue.board == Board(rules)
    assert str(Board(rules)) in capsys.readouterr().err


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


def test_each_agent_gets_a_seed_of_its_own_and_another_one_in_each_new_game(capsys):
    told = []
    seats = [
        Row(name=name, ready=lambda *given, name=name: told.append((name, given[0].text, given[1]))) for name in "ab"
    ]
    dialogue = Dialogue(Board.from_moves("44"), None, seats, Screen(err=True, colour=False), 7)
    dialogue.begin()
    dialogue.obey("new")
    assert told == [("a", "44", 9), ("b", "44", 10), ("a", "", 11), ("b", "", 12)]
    assert capsys.readouterr().err.startswith("X: a\nO: b\n")
    dialogue.leave()
    assert capsys.readouterr().err == "Moves: none\n"


@pytest.mark.parametrize(("person", "moves", "mover"), [(None, "", "a"), (None, "4", "b"), (0, "4", "a"), (1, "", "a")])
def test_a_move_is_told_with_what_the_agent_printed_and_its_line(capsys, monkeypatch, person, moves, mover):
    monkeypatch.setenv("COLUMNS", "100")
    printed = "\n".join(f"line {number}" for number in range(KEPT_LINES + 1))
    record = MoveRecord(0, 3, 0.5, 7, 2, 90, (3, 2))
    seats = [Row(name=name, decide=lambda _: record, output=lambda: printed) for name in "ab"][
        : 2 - (person is not None)
    ]
    dialogue = Dialogue(Board.from_moves(moves), person, seats, Screen(err=True, colour=False), 7)
    dialogue.move()
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [f"{mover} thinks", f"{mover} prints: line 1"]
    assert lines[KEPT_LINES + 1] == "plays 4, depth 2, 90 nodes, score +7, 500 ms, line 4 3"
    assert dialogue.board.text == f"{moves}4"


@pytest.mark.parametrize(("views", "lines"), [
    ({0: 5, 2: 7, 3: 7}, ["column 1: +5", "column 3: +7 <- best", "column 4: +7 <- best"]),
    ({0: 5, 2: None, 3: 7}, ["column 1: +5 <- best", "column 3: -", "column 4: +7"]),
])  # fmt: skip
def test_the_best_of_a_hint_is_marked_and_where_a_score_is_missing_the_agents_own_move(capsys, views, lines):
    dialogue = game("44")
    dialogue.agents = [Row(name="a", views=lambda _: views, decide=lambda _: Row(column=0))]
    dialogue.obey("hint")
    assert capsys.readouterr().err.splitlines() == lines
    with pytest.raises(InputError, match=r"^The game is over\.$"):
        game("1212121").hint()


@pytest.mark.parametrize(("moves", "fours", "winner"), [
    ("11132335251345454422", "Fours: 5 to 4.", 0), ("44135443532231152512", "Fours: 0 to 7.", 1),
    ("25131444421513352532", "Fours: 4 to 4.", None),
])  # fmt: skip
def test_whoever_has_more_fours_wins_also_where_the_other_has_the_last_disc(capsys, moves, fours, winner):
    board = Board.from_moves(moves, Rules(5, 4, 3, most_fours=True))
    for person, names in ((0, ("you", "a")), (1, ("a", "you")), (None, ("a", "b"))):
        agents = [Row(name=name) for name in "ab"][: 2 - (person is not None)]
        dialogue = Dialogue(board, person, agents, Screen(err=True, colour=False), 1)
        dialogue.show()
        end = "A draw." if winner is None else "You win!" if winner == person else f"{'XO'[winner]} wins: "
        end += names[winner] if end.endswith(": ") else ""
        assert capsys.readouterr().err.splitlines()[-2:] == [fours, end]
        assert list(dialogue.record().values())[:3] == [*names, moves]


@pytest.mark.parametrize(("person", "begun", "lines", "prompts", "told"), [
    (1, "12121", ["8", "2", "x", "5", "hint", "undo", "quit", "4"], ["O", "O", "", "", "", "", "O"],
     ["Sorry, column 8 does not exist", "X wins: a", "Sorry, I do not know 'x'",
      "The game is over. Type new, undo or quit", "The game is over."]),
    (0, "112233", ["4", "", "quit", "1"], ["X", "", ""], ["You win!", "Please type a column"]),
    (0, "112233", ["quit"], ["X"], []), (0, "112233", [None], ["X"], []),
    (0, "112233", ["4", None], ["X", ""], ["You win!"]),
])  # fmt: skip
def test_a_person_is_asked_by_their_mark_and_answered_also_after_the_end_until_they_leave(
    capsys, monkeypatch, person, begun, lines, prompts, told
):
    asked, left = [], iter(lines)
    screen = Screen(err=True, colour=False)
    monkeypatch.setattr(Screen, "ask", lambda _, prompt: asked.append(prompt) or next(left))
    seat = Row(name="a", ready=lambda *_: None, output=str, decide=lambda board: MoveRecord(board.ply, 0, 0.1))
    dialogue = Dialogue(Board.from_moves(begun), person, [seat], screen, 1)
    dialogue.converse()
    assert asked == [f"Your move, {mark}: " if mark else "new, undo or quit: " for mark in prompts]
    said = capsys.readouterr().err
    places = [said.index(words) for words in told]
    assert places == sorted(places)


@pytest.mark.parametrize(("person", "names"), [(None, ("a", "a")), (0, ("you", "a")), (1, ("a", "you"))])
def test_an_agent_against_itself_is_no_person(person, names):
    agents = [Row(name="a")] * (2 - (person is not None))
    dialogue = Dialogue(Board(), person, agents, Screen(err=True, colour=False), 1)
    record = {"first": names[0], "second": names[1], "moves": "", "outcome": None}
    assert (dialogue.names(), dialogue.record()) == (names, record)


def test_where_fours_count_they_are_told_and_stay_in_the_record(capsys):
    board = Board.from_moves("1212121", Rules(most_fours=True))
    dialogue = Dialogue(board, 0, [Row(name="a")], Screen(err=True, colour=False), 1)
    dialogue.show()
    assert "Fours: 1 to 0." in capsys.readouterr().err
    assert dialogue.record() == {"first": "you", "second": "a", "moves": "1212121", "outcome": None, "fours": (1, 0)}
    dialogue.person = 1
    assert dialogue.names() == ("a", "you")


def test_a_board_is_drawn_after_a_move_of_the_person_only_where_no_answer_follows(capsys):
    dialogue = game("112233")
    dialogue.obey(6)
    assert (dialogue.board.text, capsys.readouterr().err) == ("1122337", "")
    dialogue = game("112233")
    dialogue.obey(3)
    assert capsys.readouterr().err.endswith("You win!\n")
