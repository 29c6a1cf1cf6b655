import itertools

import pytest

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from arena.games.openings import candidates, draw, enumerated, from_file


def mirror_free(board):
    return min(board.key, board.mirror().key)


@pytest.mark.parametrize(("plies", "count"), [(0, 1), (1, 4), (2, 25), (3, 121), (4, 568), (5, 2144), (6, 8231)])
def test_the_openings_of_n_plies_are_as_many_as_published(plies, count):
    openings = candidates(f"plies:{plies}")
    assert len(openings) == count
    assert {board.ply for board in openings} == {plies}
    assert {board.outcome for board in openings} == {None}
    assert len({mirror_free(board) for board in openings}) == count


@pytest.mark.parametrize("rules", [STANDARD, Rules(4, 4, 3), Rules(5, 4, 3), Rules(8, 6)])
def test_every_unfinished_game_of_n_plies_begins_as_an_opening_or_its_mirror_image(rules):
    reached = set()
    for columns in itertools.product(range(rules.columns), repeat=4):
        board = Board(rules)
        for column in columns:
            if column not in board.legal_moves():
                break
            board = board.play(column)
        else:
            if board.outcome is None:
                reached.add(mirror_free(board))
    assert {mirror_free(board) for board in enumerated(4, rules)} == reached


def test_no_opening_is_over():
    rules = Rules(4, 4, 3)
    openings = enumerated(5, rules)
    assert openings
    assert all(board.outcome is None and board.legal_moves() for board in openings)
    for text in ("plies:3", "fair:3", "fair:3:pairs"):
        with pytest.raises(InputError) as raised:
            candidates(text, Rules(2, 2, 2))
        assert str(raised.value) == f"openings {text}: no position of 3 plies goes on, on a 2x2x2 board"


def test_the_largest_set_has_eight_plies():
    rules = Rules(3, 5)
    assert {board.ply for board in candidates("plies:8", rules)} == {8}
    assert len(draw("plies:8", 20, seed=1, rules=rules)) == 20
    with pytest.raises(InputError, match="N is a whole number from 0 to 8"):
        candidates("plies:9", rules)


def test_openings_are_drawn_without_replacement():
    drawn = draw("plies:3", 121, seed=5)
    assert len({mirror_free(board) for board in drawn}) == 121


def test_the_seed_decides_the_draw():
    one, again, other = (draw("plies:4", 20, seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert [board.text for board in one] == [board.text for board in again]


def test_more_rounds_begin_with_the_same_openings():
    assert draw("plies:4", 50, seed=3)[:20] == draw("plies:4", 20, seed=3)


def test_the_draw_is_not_the_first_of_the_list():
    assert draw("plies:4", 20, seed=1) != list(enumerated(4))[:20]


def test_rounds_beyond_the_openings_are_refused_with_their_number():
    with pytest.raises(InputError, match="26 rounds need as many openings: plies:2 has 25"):
        draw("plies:2", 26, seed=1)


def write(tmp_path, text):
    path = tmp_path / "openings.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_file_has_comments_blank_lines_and_spaces(tmp_path):
    path = write(tmp_path, "# a heading\n\n4453  # the usual\n  4455\n\t\n12\r\n")
    assert [board.text for board in from_file(path)] == ["4453", "4455", "12"]
    assert {board.text for board in draw(str(path), 3, seed=1)} == {"4453", "4455", "12"}


def test_a_score_in_a_file_is_no_move(tmp_path):
    assert [board.text for board in from_file(write(tmp_path, "643672513 2\n44 -1\n"))] == ["643672513", "44"]


def test_equal_positions_in_a_file_count_once(tmp_path):
    path = write(tmp_path, "4412\n4412\n1244\n4413\n")
    assert [board.text for board in from_file(path)] == ["4412", "4413"]


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    assert [board.text for board in from_file(write(tmp_path, b"\xef\xbb\xbf4453\n"))] == ["4453"]


def test_a_file_is_read_for_its_board(tmp_path):
    path = write(tmp_path, "10,1,10\n")
    assert from_file(path, Rules(10, 5))[0].moves == (9, 0, 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("44\n48\n", "line 2: move 2: column 8 does not exist"),
        ("4444444\n", "line 1: move 7: column 4 is full"),
        ("44\n4 4 5\n", "line 2: '4 4 5' is not moves without blanks"),
        ("44\n\n4x\n", "line 3: move 2: 'x' is not a column"),
        ("1212121\n", r"line 1: the game is already over \(first player won\)"),
        ("12121212\n", "line 1: move 8: the game is already over"),
        ("", "it names no position"),
        ("# nothing\n\n", "it names no position"),
        (b"\xff\xfe\x00\x01", "it is not a text file"),
    ],
)
def test_a_bad_file_is_refused_with_the_line(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        draw(str(path), 1, seed=1)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("plies:9", "whole number from 0 to 8"),
        ("plies:-1", "whole number from 0 to 8"),
        ("plies:", "whole number from 0 to 8"),
        ("plies:two", "whole number from 0 to 8"),
        ("plies:²", "whole number from 0 to 8"),
        ("plies:10000000000000000000000", "whole number from 0 to 8"),
        ("plys:4", "neither a file nor one of plies:N"),
        ("nowhere.txt", "neither a file nor one of plies:N"),
        ("", "neither a file nor one of plies:N"),
        (".", "neither a file nor one of plies:N"),
    ],
)
def test_an_unknown_set_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        draw(text, 1, seed=1)


@pytest.mark.parametrize("number", ["9", "0009", "00009", "00000000000123", "9" * 5000], ids=range(5))
def test_noughts_before_a_number_of_plies_change_nothing_of_the_most(number):
    text = f"plies:{number}"
    with pytest.raises(InputError) as raised:
        draw(text, 1, 1)
    assert str(raised.value) == f"openings {text}: N is a whole number from 0 to 8"
    small = Rules(3, 4, 3)
    assert draw("plies:00008", 1, 1, small) == draw("plies:8", 1, 1, small)
    assert draw("plies:00000", 1, 1) == [Board()]
