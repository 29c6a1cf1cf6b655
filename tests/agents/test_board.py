import contextlib
import itertools
import pickle
import random
import time

import pytest
from grid import FREAKS, MOST_FOURS, SIZES, Grid, bits_of, games
from hypothesis import given
from hypothesis import strategies as st

from agents import history
from agents.board import STANDARD, Board, IllegalMove, Outcome, Rules, column_text, moves_text, split_moves
from agents.errors import InputError

ALL = pytest.mark.parametrize("rules", SIZES + MOST_FOURS, ids=str)
FIRST_WON = "4152637"
"""The first player's fours: 4, 5, 6, 7 on the bottom row at move 7."""


def board_of(grid):
    return Board.from_moves(moves_text(grid.moves, grid.rules), grid.rules)


@given(games())
def test_a_board_is_what_a_dictionary_of_cells_is(grid):
    board = board_of(grid)
    assert board.ply == len(grid.moves)
    assert board.mover == len(grid.moves) % 2
    assert (board.own, board.opp) == (grid.bits(board.mover), grid.bits(1 - board.mover))
    assert board.legal_moves() == tuple(grid.legal())
    assert (board.outcome is not None) == grid.is_over()
    if board.outcome is not None:
        assert board.outcome.winner == grid.winner()
    for column, row in itertools.product(range(grid.rules.columns), range(grid.rules.rows)):
        assert board.disc(column, row) == grid.cells.get((column, row))


def test_whole_games_on_every_board_are_those_of_a_dictionary_of_cells():
    chance, ends = random.Random(1), set()
    for rules in [*SIZES, *FREAKS, *MOST_FOURS] * 3:
        grid, board = Grid(rules), Board(rules)
        while board.outcome is None:
            column = chance.choice(board.legal_moves())
            grid.play(column)
            board = board.play(column)
        assert grid.is_over()
        assert not Grid(rules, grid.moves[:-1]).is_over()
        assert board.legal_moves() == ()
        assert board.outcome.winner == grid.winner()
        assert board.fours == (len(grid.fours(0)), len(grid.fours(1)))
        assert board == board_of(grid)
        assert board.rules.line(board.opp) == bits_of(grid.lines(1 - board.mover), rules)
        for column in range(rules.columns):
            with pytest.raises(
                IllegalMove, match=rf"^the game is already over \({board.outcome} at move {board.ply}\)$"
            ):
                board.play(column)
        ends.add(board.outcome)
    assert ends == {*Outcome}


@given(games())
def test_the_moves_survive_as_text(grid):
    board = board_of(grid)
    assert board.moves == tuple(grid.moves)
    assert Board.from_moves(board.text, board.rules).moves == board.moves


@given(games())
def test_the_mirror_swaps_left_and_right_and_twice_is_nothing(grid):
    board = board_of(grid)
    last = grid.rules.columns - 1
    assert board.mirror() == board_of(Grid(grid.rules, [last - column for column in grid.moves]))
    assert board.mirror().moves == tuple(last - column for column in grid.moves)
    assert board.mirror().mirror() == board
    assert board.mirror().outcome == board.outcome


@given(games())
def test_boards_are_values(grid):
    board = board_of(grid)
    assert board == board_of(grid)
    assert hash(board) == hash(board_of(grid))
    assert pickle.loads(pickle.dumps(board)) == board


def test_two_orders_of_the_same_discs_are_one_position():
    assert Board.from_moves("4455") == Board.from_moves("5544")
    assert Board.from_moves("4455").text != Board.from_moves("5544").text


def test_play_leaves_the_board_as_it_was():
    board = Board()
    board.play(3)
    assert board == Board()


@ALL
def test_no_two_positions_of_a_game_tree_have_the_same_key(rules):
    seen = {}
    level = {Board(rules)}
    for _ in range(5):
        level = {board.play(column) for board in level for column in board.legal_moves()}
        for board in level:
            assert seen.setdefault(board.key, board) == board


@given(st.sampled_from(SIZES), st.data())
def test_a_key_can_be_read_back(rules, data):
    # own + mask has, in each column, one bit above its discs: the discs can be told from it, so no two keys agree.
    def filled():
        heights = data.draw(st.lists(st.integers(0, rules.rows), min_size=rules.columns, max_size=rules.columns))
        cells = [(column, row) for column, height in enumerate(heights) for row in range(height)]
        own = bits_of([cell for cell in cells if data.draw(st.booleans())], rules)
        return Board(rules, own, bits_of(cells, rules) - own)

    one, other = filled(), filled()
    assert (one.key == other.key) == (one == other)


def test_the_known_numbers_of_sequences_and_positions():
    level, sequences = {Board(): 1}, []
    for _ in range(5):
        after = {}
        for board, ways in level.items():
            for column in board.legal_moves():
                child = board.play(column)
                after[child] = after.get(child, 0) + ways
        level = after
        sequences.append((sum(level.values()), len(level)))
    assert sequences == [(7, 7), (49, 49), (343, 238), (2401, 1120), (16807, 4263)]


def test_the_known_numbers_of_open_positions_up_to_mirror_image():
    level, found = [Board()], []
    for _ in range(5):
        children = {board.play(column) for board in level for column in board.legal_moves()}
        level = list({min(child.key, child.mirror().key): child for child in children if not child.outcome}.values())
        found.append(len(level))
    assert found == [4, 25, 121, 568, 2144]


def test_the_columns_of_the_bit_layout_are_seven_bits_apart():
    board = Board.from_moves("4453")
    assert board.own == 1 << 21 | 1 << 28
    assert board.opp == 1 << 22 | 1 << 14


def test_a_line_wins_in_every_direction():
    assert Board.from_moves("4152637").outcome is Outcome.FIRST_WINS
    assert Board.from_moves("1212121").outcome is Outcome.FIRST_WINS
    assert Board.from_moves("12233434474").outcome is Outcome.FIRST_WINS
    assert Board.from_moves("76655454414").outcome is Outcome.FIRST_WINS
    assert Board.from_moves("71212121").outcome is Outcome.SECOND_WINS


def test_a_line_does_not_run_around_the_edge_of_the_board():
    # Discs on top of column 1 and at the bottom of column 2 are neighbours in the word, but not on the board.
    grid = Grid(Rules(4, 4))
    grid.cells = {(0, 2): 0, (0, 3): 0, (1, 0): 0, (1, 1): 0}
    assert grid.rules.line(grid.bits(0)) == 0


def test_a_full_board_without_a_line_is_a_draw():
    board = Board.from_moves("547125662261271266215743771576315353334444")
    assert board.outcome is Outcome.DRAW
    assert str(board.outcome) == "draw"
    assert board.outcome.winner is None


def test_a_line_with_the_last_disc_is_a_win_and_no_draw():
    board = Board.from_moves("567555452343641722571334167142211647237366")
    assert board.own | board.opp == board.rules.cells
    assert board.outcome is Outcome.SECOND_WINS


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("49", "move 2: column 9 does not exist (1 to 7)"),
        ("0", "move 1: column 0 does not exist (1 to 7)"),
        ("4444444", "move 7: column 4 is full"),
        (FIRST_WON + "1", "move 8: the game is already over (first player won at move 7)"),
        ("712121211", "move 9: the game is already over (second player won at move 8)"),
        ("44a", "move 3: 'a' is not a column (1 to 7)"),
        ("4-4", "move 2: '-' is not a column (1 to 7)"),
        ("4,4,,1", "move 3: '' is not a column (1 to 7)"),
        ("4,12", "move 2: column 12 does not exist (1 to 7)"),
        ("4²", "move 2: '²' is not a column (1 to 7)"),
        ("4,99999999999999999999", "move 2: column 999999999 does not exist (1 to 7)"),
    ],
)
def test_a_wrong_move_is_named_with_its_place(moves, message):
    with pytest.raises(IllegalMove) as error:
        Board.from_moves(moves)
    assert str(error.value) == message


def test_playing_after_a_draw_says_so():
    with pytest.raises(IllegalMove, match=r"^the game is already over \(draw at move 16\)$"):
        Board.from_moves("4321311144234232", Rules(4, 4)).play(0)


def test_wide_boards_take_commas():
    rules = Rules(10, 5)
    assert Board.from_moves("10,1,10", rules).moves == (9, 0, 9)
    assert Board.from_moves("10,1,10", rules).text == "10,1,10"
    with pytest.raises(IllegalMove, match=r"^move 1: column 101 does not exist \(1 to 10\)$"):
        Board.from_moves("101", rules)


def test_spaces_and_commas_are_welcome_on_any_board():
    assert Board.from_moves(" 4, 4,5 ,3\n") == Board.from_moves("4453")
    assert Board.from_moves("44 53") == Board.from_moves("4453")


def test_columns_are_written_from_one_however_many_there_are():
    wide = Rules(21, 2)
    assert [column_text(column) for column in range(21)] == [str(number) for number in range(1, 22)]
    assert moves_text(range(21), wide) == ",".join(map(str, range(1, 22)))
    assert moves_text(range(9), Rules(9, 6)) == "123456789"
    assert moves_text((9, 0), Rules(10, 5)) == "10,1"
    assert moves_text(()) == moves_text((), wide) == ""
    assert split_moves("1 2\t3", Rules(9, 6)) == ["1", "2", "3"]
    assert split_moves("1 2\t3", Rules(10, 5)) == ["123"]
    assert split_moves("1,12", Rules(9, 6)) == ["1", "12"]
    assert split_moves(" \n", wide) == split_moves("", Rules(9, 6)) == []


DRAWN = """\
 O  .  X  .  O  .  O
 O  . *X* . *X* O  O
 X  .  O *X* O  O  X
 O  . *X**X**X* O  O
 X *X* O *X* O *X* X
*X* O  O *X* X  O *X*
 1  2  3  4  5  6  7"""


def test_every_four_that_one_move_makes_is_marked():
    board = Board.from_moves("13561165137231564556437745713736274")
    assert str(board) == DRAWN  # four in a column, and five on either diagonal; three in a row are none
    assert board.fours == (5, 0)
    assert board.drawn(lambda *seen: f"{seen[0]}{seen[1]:d}{seen[2]:d}").split("\n")[2:4] == [
        "X00 . O00X11O00O00X00",
        "O00 . X10X10X10O00O00",
    ]


def test_the_last_move_is_marked_where_the_game_goes_on():
    assert str(Board.from_moves("12321").play(0)).split("\n")[3:] == [
        "[O] .  .  .  .  .  .",
        " X  O  .  .  .  .  .",
        " X  O  X  .  .  .  .",
        " 1  2  3  4  5  6  7",
    ]
    known = Board.from_moves("122131")
    board = Board(known.rules, known.own, known.opp, known.ply)  # without its moves no disc is the last
    assert "[" not in str(board)
    assert "[" in str(known)


def test_where_the_game_goes_on_after_a_four_the_last_move_is_marked_as_such():
    first = {}
    for rules in (STANDARD, Rules(most_fours=True)):
        lines = str(Board.from_moves("1212121", rules)).split("\n")[2:6]
        first[rules.most_fours] = [line[:3] for line in lines]
    assert first == {False: ["*X*"] * 4, True: ["[X]", "*X*", "*X*", "*X*"]}


def test_a_wide_board_is_drawn_with_all_its_numbers():
    board = Board.from_moves("12,1,11,12,2", Rules(12, 3, 4))
    assert str(board).split("\n") == [
        " .  .  .  .  .  .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .  .  .  .  .  O",
        " O [X] .  .  .  .  .  .  .  .  X  X",
        " 1  2  3  4  5  6  7  8  9 10 11 12",
    ]
    assert str(Board(Rules(1, 2, 2))) == " .\n .\n 1"


def test_a_grid_is_read_back_and_what_no_game_leads_to_is_refused():
    for moves in ("", "4453", "1212121", "547125662261271266215743771576315353334444"):
        board = Board.from_moves(moves)
        again = Board.from_grid(board.grid())
        assert (again, again.outcome) == (board, board.outcome)
        assert Board.from_moves(again.text) == board
    wide = Board.from_moves("10,1,10,2,9", Rules(10, 3))
    assert Board.from_grid(wide.grid(), wide.rules) == wide
    empty = [[0] * 7 for _ in range(5)]
    for bottom in ([2, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 2, 2, 2]):
        grid = [*empty, bottom]
        if sum(map(bool, bottom)) < 7:
            with pytest.raises(IllegalMove, match=r"^no game leads to this position: "):
                Board.from_grid(grid)
        else:
            assert Board.from_grid(grid).outcome is Outcome.FIRST_WINS
    fours = Board.from_moves("1122334455", Rules(most_fours=True))
    assert Board.from_grid(fours.grid(), fours.rules) == fours
    with pytest.raises(IllegalMove, match=r"^no game leads to this position: "):
        Board.from_grid(fours.grid())  # it would have been over before
    either = Board.from_moves("213233", Rules(4, 4, 3))  # the last move was in column 2 or 3, not in 1
    assert Board.from_grid(either.grid(), either.rules) == either
    tall = Board.from_moves("1112221", Rules(2, 9, 5))
    assert Board.from_grid(tall.grid(), tall.rules) == tall
    assert tall.grid()[5:] == [[1, 0], [1, 2], [2, 1], [1, 2]]
    # A disc that floats: alone, and where several orders lead to the same dead end.
    for upper, lower in (([1, 0, 0, 0, 0, 0, 0], [0] * 7), ([0, 0, 0, 0, 0, 0, 1], [1, 2, 1, 2, 0, 0, 0])):
        with pytest.raises(IllegalMove, match=r"^no game leads to this position: "):
            Board.from_grid([*empty[:4], upper, lower])
    # Only the line of the last move may be there: the orders in which it came before lead nowhere.
    late = Board.from_moves("1122334")
    assert Board.from_grid(late.grid()) == late
    assert Board.from_grid(late.grid()).moves[-1] in range(4)
    chance = random.Random(2)
    for rules in (Rules(5, 4, 3), Rules(4, 5), Rules(4, 4, 3, most_fours=True)):
        for _ in range(8):
            board = Board(rules)
            for _ in range(chance.randrange(4, 13)):
                board = board if board.outcome else board.play(chance.choice(board.legal_moves()))
            again = Board.from_grid(board.grid(), rules)
            assert (again, again.outcome, Board.from_moves(again.text, rules)) == (board, board.outcome, board)


@pytest.mark.parametrize(("rows", "reason"), [
    ([[0] * 7] * 5 + [[1, 1, 1, 0, 0, 0, 0]], "the first player has 3 discs, the second 0"),
    ([[0] * 7] * 5 + [[1, 2, 2, 0, 0, 0, 0]], "the first player has 1 disc, the second 2$"),
    ([[0] * 7] * 5 + [[0, 2, 0, 0, 0, 0, 0]], "the first player has 0 discs, the second 1$"),
    ([[0] * 7] * 4 + [[1, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0]], "in no order of its discs do the players take"),
    ([[0] * 7] * 3 + [[2, 0, 0, 0, 0, 0, 0], *[[1, 1, 1, 1, 2, 2, 2]] * 2], "no last move makes all its fours"),
    ([[0] * 7] * 4 + [[1, 0, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0, 0]], "a disc hangs in the air in column 1"),
    ([[0] * 7] * 4 + [[1, 1, 1, 1, 0, 0, 0], [2, 2, 2, 2, 0, 0, 0]], "both players have a four"),
    ([[0] * 7] * 4 + [[2, 2, 2, 0, 0, 0, 0], [1, 1, 1, 1, 2, 0, 0]], "the side to move has a four"),
    ([[2, 2, 1, 1, 2, 2, 1], [1, 1, 2, 2, 1, 1, 2]] * 2 + [[1, 2, 1, 2, 1, 2, 1], [2, 1, 2, 1, 2, 1, 2]], ""),
    ([[0] * 7] * 4 + [[2, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 2]], ""),
])  # fmt: skip
def test_a_grid_that_no_game_reaches_is_refused_at_once_with_the_reason(rows, reason):
    began = time.process_time()
    with contextlib.suppress(IllegalMove) if not reason else pytest.raises(IllegalMove, match=reason):
        Board.from_grid(rows)
    assert time.process_time() - began < 0.3


def test_full_boards_whose_top_or_bottom_fits_no_order_are_refused_within_the_bound():
    rules, chance = Rules(most_fours=True), random.Random(1)
    refused = 0
    for _ in range(60):
        cells = [1] * 21 + [2] * 21
        chance.shuffle(cells)
        columns = [cells[start : start + 6] for start in range(0, 42, 6)]
        grid = [[column[row] for column in columns] for row in reversed(range(6))]
        began = time.process_time()
        try:
            board = Board.from_grid(grid, rules)
        except IllegalMove:
            refused += 1
        else:
            assert board.grid() == grid
        assert time.process_time() - began < 0.3
    assert 0 < refused < 60


def test_the_slow_and_the_fast_way_to_a_game_agree():
    chance, outcomes = random.Random(3), set()
    for _ in range(300):
        columns = tuple(tuple(chance.randrange(2) for _ in range(chance.randrange(5))) for _ in range(4))
        game = history._merged(columns)
        outcomes.add(game is None)
        assert (game is None) == (history._walk(columns, 10**6)[0] is None)
        if game is not None:
            boards = [iter(column) for column in columns]
            assert [next(boards[column]) for column in game] == [ply & 1 for ply in range(len(game))]
            assert len(game) == sum(map(len, columns))
    assert outcomes == {True, False}


def test_the_walk_finds_games_of_whole_boards_within_its_steps():
    chance, left = random.Random(5), []
    for rules in [Rules(most_fours=True), Rules(8, 7, most_fours=True)] * 20:
        board = Board(rules)
        while board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        columns = history._columns(board.grid())
        game, steps = history._walk(columns, history.STEPS)
        left.append(steps if game is not None else 0)
    assert min(left) > history.STEPS - 100  # a step a disc, and few that are taken back


def test_where_the_steps_end_before_a_game_shows_all_states_are_gone_through_if_they_are_few(monkeypatch):
    grid = [[0] * 7] * 4 + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 1, 1, 2, 0, 0]]
    monkeypatch.setattr(history, "STEPS", 0)
    assert history.moves_to(grid, STANDARD) == [3, 4, 2, 3]
    monkeypatch.setattr(history, "MOST_STATES", 12)  # two columns of a disc, and one of two
    assert history.moves_to(grid, STANDARD) == [3, 4, 2, 3]
    monkeypatch.setattr(history, "MOST_STATES", 11)
    with pytest.raises(InputError, match="within 0 steps: it takes its moves"):
        history.moves_to(grid, STANDARD)


@pytest.mark.parametrize("steps", [history.STEPS, 0])
@pytest.mark.parametrize(
    ("moves", "rules"),
    [
        ("547125662261271266215743771576315353334444", STANDARD), ("4152637", STANDARD), ("12213443", STANDARD),
        ("121212", STANDARD), ("11121", Rules(2, 5)),
        ("432424433", Rules(4, 4, 3)), ("233134144", Rules(4, 4, 3)), ("42441433", Rules(5, 4, 3)),
        ("23433524544", Rules(5, 4, 3)),
    ],
)  # fmt: skip
def test_a_game_to_a_position_ends_with_any_move_that_may_have_been_the_last(monkeypatch, moves, rules, steps):
    """In the last four rows no game ends in the leftmost column from which the last disc may have come."""
    monkeypatch.setattr(history, "STEPS", steps)
    board = Board.from_moves(moves, rules)
    again = Board.from_moves(moves_text(history.moves_to(board.grid(), rules), rules), rules)
    assert (again, again.ply, again.outcome) == (board, board.ply, board.outcome)


@pytest.mark.parametrize("cell", [3, -1, 0.5, "1"])
@pytest.mark.parametrize("row", [0, 3, 5])
def test_a_cell_of_no_player_is_refused_wherever_it_stands(row, cell):
    grid = [[0] * 7 for _ in range(6)]
    grid[row][6] = cell
    with pytest.raises(InputError, match=r"cell is 0 .*, 1 .* or 2 "):
        history.moves_to(grid, STANDARD)


@pytest.mark.parametrize("shape", [[7] * 5, [7] * 7, [7, 7, 7, 7, 7, 6], [8, 7, 7, 7, 7, 7], []])
def test_a_grid_of_another_size_is_refused(shape):
    with pytest.raises(InputError, match="7x6 has 6 rows of 7 cells"):
        history.moves_to([[0] * columns for columns in shape], STANDARD)
