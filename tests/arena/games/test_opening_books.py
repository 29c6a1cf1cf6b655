"""Openings of EPD and PGN files, as testers of engines have them."""

import pytest

from agents.board import Rules
from agents.errors import InputError
from agents.fen import drops
from arena.games.openings import candidates, enumerated, from_file

PGN = """[Event "one (1)"]
[Variant "cfour"]

1. P@d1 {[%eval 0.1] (good)} P@d2 (1... P@a1 2. P@b1 (2. @c1)) 2. @e1 $1 P@c1! ; P@a1
*

[Event "two"]
[FEN "7/7/7/7/3p3/P2P3[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2"]

2... P@a2 3. P@a3 1-0
"""


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_the_games_of_a_pgn_file_end_in_openings(tmp_path):
    one, two = from_file(written(tmp_path, "book.PGN", PGN))
    assert one.text == "4453"
    assert str(two).splitlines()[-4:] == str(type(two).from_moves("44111")).splitlines()[-4:]
    assert (two.mover, two.ply) == (1, 5)


def test_a_position_of_an_epd_file_stands_on_its_line(tmp_path):
    path = written(tmp_path, "book.epd", '7/7/7/7/3p3/3P3 w - - id "a";\n\n# none\n7/7/7/7/7/6P b - -\n')
    assert [board.text for board in candidates(str(path))] == ["44", "7"]


def test_all_openings_of_four_plies_come_back_from_pgn(tmp_path):
    boards = enumerated(4)
    games = [f'[Event "x"]\n\n{" ".join(drops(board))} *\n' for board in boards]
    assert from_file(written(tmp_path, "all.pgn", "\n".join(games))) == list(boards)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.pgn", "1. e4 e5", "line 1: e4 is no legal drop on the empty board"),
        ("a.pgn", '[Event "x"]\n\nP@d1 *\n\n[Event "y"]\n\nP@d1 P@d3', "line 7: P@d3 is no legal drop after 4"),
        ("a.pgn", "P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4 *", "the game is already over"),
        ("a.epd", "7/7/7 w", "line 1: a FEN is six ranks of seven cells"),
        ("a.epd", "", "it names no position"),
        ("a.pgn", "", "it names no position"),
        ("a.pgn", "; no game\n\n", "it names no position"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path, name, text, message):
    with pytest.raises(InputError, match=message):
        from_file(written(tmp_path, name, text))


def test_they_are_of_the_standard_board(tmp_path):
    with pytest.raises(InputError, match="positions of 7x6x4 alone, not of 8x7x4"):
        from_file(written(tmp_path, "book.pgn", PGN), Rules(8, 7, 4))


def test_the_games_of_a_book_are_cut_after_so_many_plies(tmp_path):
    path = written(tmp_path, "book.pgn", "P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4 1-0\nP@d1 P@d2 P@d3 *\n")
    assert [board.text for board in candidates(f"{path};plies=2")] == ["12", "44"]
    assert [board.text for board in from_file(path, plies=5)] == ["12121", "444"]
    lines = written(tmp_path, "book.txt", "4453 -2\n123\n")
    assert [board.text for board in candidates(f"{lines};plies=2")] == ["44", "12"]
    wide = written(tmp_path, "wide.txt", "10,1,10\n")
    assert [board.text for board in from_file(wide, Rules(10, 4), plies=2)] == ["10,1"]
    long = written(tmp_path, "long.txt", "2552354651517\n44\n")
    cuts = {12: ["255235465151", "44"], 11: ["25523546515", "44"], 0: [""], 9999: ["2552354651517", "44"]}
    for plies, texts in cuts.items():
        assert [board.text for board in candidates(f"{long};plies={plies}")] == texts
    with pytest.raises(InputError, match="line 1: a position without its moves cannot be cut"):
        from_file(written(tmp_path, "book.epd", "7/7/7/7/3p3/3P3 w - -\n"), plies=1)
    with pytest.raises(InputError, match="neither a file nor one of"):
        candidates(f"{path};plies=two")


def test_a_book_in_latin_1_is_read(tmp_path):
    path = tmp_path / "book.txt"
    path.write_bytes("4453 # gr\u00f6\u00dfer\n".encode("latin-1"))
    assert [board.text for board in from_file(path)] == ["4453"]
